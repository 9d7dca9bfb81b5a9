// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <mgpu/distributed.h>
#include <mgpu/distributed_join.h>
#include <mgpu/in_process.h>
#include <mgpu/par.h>

void over_ranks(const mgpu::in_process_communicator& communicator, long* a, long* b, int count, long* out) {
  const auto everywhere = mgpu::distributed(mgpu::par, communicator);
  mgpu::stable_sort_by_key(everywhere, a, a + count, b);
  mgpu::merge(everywhere, a, a + count, b, b + count, out);
  mgpu::set_difference(everywhere, a, a + count, b, b + count, out);
  mgpu::rebalance(everywhere, a, a + count, out, out + count);
  mgpu::inner_join(everywhere, a, a + count, b, b + count, out, out + count);
  mgpu::as_of_join(everywhere, a, a + count, b, b + count, out, mgpu::backward);
}
