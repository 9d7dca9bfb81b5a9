// expect: calling a __host__ function.*forgetful.* from a __device__ function
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/par.h>
#include <mgpu/sorted_search.h>

/// Without __device__. nvcc calls it in no kernel, and leaves out what follows from its answer.
struct forgetful {
#ifdef MGPU_TEST_FIXED
  MGPU_HOST_DEVICE
#endif
  bool operator()(int x, int y) const { return x < y; }
};

int* call(const int* a, int* out) {
  return mgpu::lower_bound_sorted_values(mgpu::par, a, a + 3, a, a + 3, out, forgetful{});
}
