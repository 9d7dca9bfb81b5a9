// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <mgpu/odd_even_merge_sort.h>
#include <mgpu/par.h>

#include "row.h"

template <class Key, class Value>
void sorts(Key* keys, int count, Value* values) {
  mgpu::odd_even_merge_sort(mgpu::par, keys, keys + count);
  mgpu::odd_even_merge_sort_by_key(mgpu::par_nosync, keys, keys + count, values);
}
template void sorts(int*, int, int*);
template void sorts(row*, int, double*);
