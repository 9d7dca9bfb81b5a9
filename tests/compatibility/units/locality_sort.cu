// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <mgpu/locality_sort.h>
#include <mgpu/par.h>

#include <cuda/std/functional>

#include "row.h"

template <class Key, class Value>
void sorts(Key* keys, int count, Value* values, mgpu::sort_statistics& statistics) {
  mgpu::locality_sort(mgpu::par, keys, keys + count, cuda::std::less<>{}, statistics);
  mgpu::locality_sort_by_key(mgpu::par_nosync, keys, keys + count, values);
}
template void sorts(int*, int, int*, mgpu::sort_statistics&);
template void sorts(row*, int, double*, mgpu::sort_statistics&);
