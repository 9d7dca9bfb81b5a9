// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <mgpu/par.h>
#include <mgpu/set_operations.h>

#include "row.h"

template <class Key, class Value>
void operations(const Key* a, const Key* b, int count, const Value* v, Key* keys, Value* values, mgpu::offset* size) {
  mgpu::set_union_by_key(mgpu::par, a, a + count, b, b + count, v, v, keys, values);
  mgpu::set_union_by_key_into(mgpu::par_nosync, a, a + count, b, b + count, v, v, keys, values, size);
  mgpu::set_intersection_by_key(mgpu::par, a, a + count, b, b + count, v, keys, values);
  mgpu::set_intersection_by_key_into(mgpu::par_nosync, a, a + count, b, b + count, v, keys, values, size);
  mgpu::set_difference_by_key(mgpu::par, a, a + count, b, b + count, v, v, keys, values);
  mgpu::set_difference_by_key_into(mgpu::par_nosync, a, a + count, b, b + count, v, v, keys, values, size);
  mgpu::set_symmetric_difference_by_key(mgpu::par, a, a + count, b, b + count, v, v, keys, values);
  mgpu::set_symmetric_difference_by_key_into(mgpu::par_nosync, a, a + count, b, b + count, v, v, keys, values, size);
}
template void operations(const int*, const int*, int, const int*, int*, int*, mgpu::offset*);
