// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <mgpu/join.h>
#include <mgpu/par.h>

#include "row.h"

template <class Key>
void joins(const Key* left, const Key* right, int count, int* left_rows, int* right_rows, mgpu::offset* size) {
  mgpu::inner_join(mgpu::par, left, left + count, right, right + count, left_rows, right_rows);
  mgpu::full_join_into(mgpu::par_nosync, left, left + count, right, right + count, left_rows, right_rows, count, size);
  mgpu::semi_join(mgpu::par, left, left + count, right, right + count, left_rows);
  mgpu::as_of_join(mgpu::par_nosync, left, left + count, right, right + count, right_rows, mgpu::forward);
}
template void joins(const row*, const row*, int, int*, int*, mgpu::offset*);
