// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <mgpu/par.h>
#include <mgpu/sorted_search.h>

#include "row.h"

template <class Key, class Position>
void searches(const Key* range, const Key* values, int count, Position* out) {
  mgpu::lower_bound_sorted_values(mgpu::par, range, range + count, values, values + count, out);
  mgpu::upper_bound_sorted_values(mgpu::par_nosync, range, range + count, values, values + count, out);
}
template void searches(const int*, const int*, int, unsigned*);
template void searches(const row*, const row*, int, mgpu::offset*);
