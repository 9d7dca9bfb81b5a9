// expect: f\(item, interval, rank\) takes three integers
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/interval.h>

void misuse(const int* counts, int count, int* out) {
  const mgpu::interval_counts intervals(counts, counts + count);
#ifdef MGPU_TEST_FIXED
  mgpu::for_each_interval_item(mgpu::cpp::par, intervals,
                               [=](auto item, auto interval, auto) { out[item] = int(interval); });
#else
  mgpu::for_each_interval_item(mgpu::cpp::par, intervals, [=](auto item, auto interval) { out[item] = int(interval); });
#endif
}
