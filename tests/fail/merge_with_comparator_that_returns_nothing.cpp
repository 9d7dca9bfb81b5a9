// expect: compare\(x, y\) takes two keys
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/merge.h>

#ifdef MGPU_TEST_FIXED
using result = int;
#else
using result = void;
#endif
struct compare {
  result operator()(int, int) const { return result(); }
};

void misuse(const int* a, const int* b, int count, int* out) {
  mgpu::merge(mgpu::cpp::par, a, a + count, b, b + count, out, compare{});
}
