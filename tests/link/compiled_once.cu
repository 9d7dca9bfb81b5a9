// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A call that is compiled in one file, with MGPU_LINK_COMPILES, and used in another.
#include <mgpu/cpp.h>
#include <mgpu/merge.h>

using policy = decltype(mgpu::cpp::par);

#ifdef MGPU_LINK_COMPILES
// [snippet: one file]
MGPU_INSTANTIATE_CALL(int*, merge, policy&, const int*, const int*, const int*, const int*, int*, cuda::std::less<>);
// [end]
#else
// [snippet: header]
MGPU_EXTERN_CALL(int*, merge, policy&, const int*, const int*, const int*, const int*, int*, cuda::std::less<>);
// [end]

int main() {
  const int a[] = {1, 3, 5}, b[] = {2, 4};
  int out[5] = {};
  const int* const end = mgpu::merge(mgpu::cpp::par, a + 0, a + 3, b + 0, b + 2, out + 0);
  for (int i = 0; i < 5; ++i) {
    if (out[i] != i + 1) return 1;
  }
  return end == out + 5 ? 0 : 2;
}
#endif
