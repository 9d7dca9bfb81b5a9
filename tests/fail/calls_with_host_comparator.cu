// expect: calling a __host__ function\("forgetful<\(int\)1> ::operator.*from a __device__ function
// expect: calling a __host__ function\("forgetful<\(int\)2> ::operator.*from a __device__ function
// expect: calling a __host__ function\("forgetful<\(int\)3> ::operator.*from a __device__ function
// expect: calling a __host__ function\("forgetful<\(int\)4> ::operator.*from a __device__ function
// expect: calling a __host__ function\("forgetful<\(int\)5> ::operator.*from a __device__ function
// expect: calling a __host__ function\("forgetful_of_wide::operator.*from a __device__ function
// expect: calling a __host__ function\("forgetful_call::operator.*from a __device__ function
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/interval.h>
#include <mgpu/join.h>
#include <mgpu/merge.h>
#include <mgpu/odd_even_merge_sort.h>
#include <mgpu/par.h>
#include <mgpu/set_operations.h>
#include <mgpu/sorted_search.h>

/// Without __device__. nvcc calls it in no kernel, and leaves out what follows from its answer.
template <int Call>
struct forgetful {
#ifdef MGPU_TEST_FIXED
  MGPU_HOST_DEVICE
#endif
  bool operator()(int x, int y) const { return x < y; }
};

/// Over 1 KiB: sorts compare them at their positions.
struct wide {
  int x, rest[300];
};
struct forgetful_of_wide {
#ifdef MGPU_TEST_FIXED
  MGPU_HOST_DEVICE
#endif
  bool operator()(const wide& x, const wide& y) const { return x.x < y.x; }
};

struct forgetful_call {
#ifdef MGPU_TEST_FIXED
  MGPU_HOST_DEVICE
#endif
  void operator()(mgpu::offset item, mgpu::offset, mgpu::offset) const { out[item] = 1; }
  int* out;
};

void calls(const int* a, int* out, wide* wide_out) {
  mgpu::lower_bound_sorted_values(mgpu::par, a, a + 3, a, a + 3, out, forgetful<1>{});
  mgpu::merge(mgpu::par, a, a + 3, a, a + 3, out, forgetful<2>{});
  mgpu::odd_even_merge_sort(mgpu::par, out, out + 3, forgetful<3>{});
  mgpu::odd_even_merge_sort(mgpu::par, wide_out, wide_out + 3, forgetful_of_wide{});
  mgpu::set_union_size(mgpu::par, a, a + 3, a, a + 3, forgetful<4>{});
  mgpu::as_of_join(mgpu::par, a, a + 3, a, a + 3, out, mgpu::backward, cuda::std::less<>{}, forgetful<5>{});
  mgpu::for_each_interval_item(mgpu::par, mgpu::interval_offsets(a, 3, 3), forgetful_call{out});
}
