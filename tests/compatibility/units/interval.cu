// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <mgpu/interval.h>
#include <mgpu/par.h>

#include "row.h"

/// Keeps the interval of each item.
struct keep {
  mgpu::offset* intervals;
  MGPU_HOST_DEVICE void operator()(mgpu::offset item, mgpu::offset interval, mgpu::offset) const {
    intervals[item] = interval;
  }
};

template <class Item, class Intervals>
void moves(const Item* in, const int* gather, const int* scatter, Item* out, mgpu::offset* numbers,
           const Intervals& intervals) {
  mgpu::interval_expand(mgpu::par, intervals, in, out);
  mgpu::interval_gather(mgpu::par_nosync, intervals, gather, in, out);
  mgpu::interval_scatter(mgpu::par, intervals, scatter, in, out);
  mgpu::interval_move(mgpu::par_nosync, intervals, gather, scatter, in, out);
  mgpu::load_balance_search(mgpu::par, intervals, numbers);
  mgpu::for_each_interval_item(mgpu::par_nosync, intervals, keep{numbers});
}
template void moves(const int*, const int*, const int*, int*, mgpu::offset*, const mgpu::interval_offsets<const int*>&);
template void moves(const row*, const int*, const int*, row*, mgpu::offset*, const mgpu::interval_counts<const int*>&);
