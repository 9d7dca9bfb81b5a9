// expect: calling a __host__ function.*forgetful.* from a __device__ function
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/par.h>
#include <mgpu/set_operations.h>

/// Without __device__. nvcc calls it in no kernel, and leaves out what follows from its answer.
struct forgetful {
#ifdef MGPU_TEST_FIXED
  MGPU_HOST_DEVICE
#endif
  bool operator()(int x, int y) const { return x < y; }
};

mgpu::offset call(const int* a) { return mgpu::set_union_size(mgpu::par, a, a + 3, a, a + 3, forgetful{}); }
