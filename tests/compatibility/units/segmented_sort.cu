// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <mgpu/par.h>
#include <mgpu/segmented_sort.h>

#include <cuda/std/functional>

#include "row.h"

template <class Key, class Value, class Segments>
void sorts(Key* keys, int count, Value* values, const Segments& segments, mgpu::sort_statistics& statistics) {
  mgpu::segmented_sort(mgpu::par, keys, keys + count, segments);
  mgpu::segmented_sort_by_key(mgpu::par_nosync, keys, keys + count, values, segments);
  mgpu::stable_segmented_sort(mgpu::par, keys, keys + count, segments, cuda::std::less<>{}, statistics);
  mgpu::stable_segmented_sort_by_key(mgpu::par_nosync, keys, keys + count, values, segments);
}
template void sorts(int*, int, int*, const mgpu::segment_offsets<const int*>&, mgpu::sort_statistics&);
template void sorts(row*, int, double*, const mgpu::segment_flags<const unsigned*>&, mgpu::sort_statistics&);
