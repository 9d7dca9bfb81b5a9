// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <mgpu/merge.h>
#include <mgpu/par.h>

#include "row.h"

template <class Key, class Value>
void merges(const Key* a, const Key* b, int count, const Value* values, Key* keys_out, Value* values_out) {
  mgpu::merge(mgpu::par, a, a + count, b, b + count, keys_out);
  mgpu::merge_by_key(mgpu::par_nosync, a, a + count, b, b + count, values, values, keys_out, values_out);
}
template void merges(const int*, const int*, int, const int*, int*, int*);
template void merges(const row*, const row*, int, const double*, row*, double*);
