// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <mgpu/par.h>
#include <mgpu/set_operations.h>

#include <cuda/std/functional>

#include "row.h"

template <class Key, class... Options>
void operations(const Key* a, const Key* b, int count, Key* out, mgpu::offset* size, Options... options) {
  mgpu::set_union(mgpu::par, a, a + count, b, b + count, out, options...);
  mgpu::set_union_size(mgpu::par, a, a + count, b, b + count, options...);
  mgpu::set_union_into(mgpu::par_nosync, a, a + count, b, b + count, out, size, options...);
  mgpu::set_intersection(mgpu::par, a, a + count, b, b + count, out, options...);
  mgpu::set_intersection_size(mgpu::par, a, a + count, b, b + count, options...);
  mgpu::set_intersection_into(mgpu::par_nosync, a, a + count, b, b + count, out, size, options...);
  mgpu::set_difference(mgpu::par, a, a + count, b, b + count, out, options...);
  mgpu::set_difference_size(mgpu::par, a, a + count, b, b + count, options...);
  mgpu::set_difference_into(mgpu::par_nosync, a, a + count, b, b + count, out, size, options...);
  mgpu::set_symmetric_difference(mgpu::par, a, a + count, b, b + count, out, options...);
  mgpu::set_symmetric_difference_size(mgpu::par, a, a + count, b, b + count, options...);
  mgpu::set_symmetric_difference_into(mgpu::par_nosync, a, a + count, b, b + count, out, size, options...);
}
template void operations(const int*, const int*, int, int*, mgpu::offset*);
template void operations(const row*, const row*, int, row*, mgpu::offset*, cuda::std::less<>,
                         mgpu::unique_keys_promise);
