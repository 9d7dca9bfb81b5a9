// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <mgpu/par.h>
#include <mgpu/sort.h>

#include <cuda/std/functional>

#include "row.h"

template <class Key, class Value>
void sorts_stably(Key* keys, int count, Value* values) {
  mgpu::stable_sort(mgpu::par, keys, keys + count);
  mgpu::stable_sort_by_key(mgpu::par_nosync, keys, keys + count, values);
}
template void sorts_stably(int*, int, int*);
template void sorts_stably(row*, int, double*);
