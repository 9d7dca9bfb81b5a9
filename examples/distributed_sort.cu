// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sorts numbers that lie on several ranks, and checks them. The ranks are threads of this process: one for each GPU, or
// four that share one GPU or the CPU.
#include "support/ranks_here.h"

#include <mgpu/distributed.h>
#include <mgpu/in_process.h>

#include <thrust/copy.h>
#include <thrust/device_vector.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <random>
#include <vector>

namespace {

// [snippet: sort]
/// What each rank does: its part of the sequence goes in, its part of the sorted sequence comes out.
void sort_on_rank(const mgpu::in_process_communicator& communicator, numbers& part) {
  use_device_of(communicator.rank());
  const auto everywhere = mgpu::distributed(machine::par, communicator);
  thrust::device_vector<std::uint32_t> keys(part.begin(), part.end());
  mgpu::stable_sort(everywhere, keys.begin(), keys.end());
  thrust::copy(keys.begin(), keys.end(), part.begin());
}

void sort_on_ranks(std::vector<numbers>& parts) {
  const mgpu::in_process_group group(static_cast<int>(parts.size()));
  group.run([&](const auto& communicator) { sort_on_rank(communicator, parts[communicator.rank()]); });
}
// [end]

bool sorts(int ranks) {
  auto parts = random_parts(ranks, 1'000'000, 1);
  auto expected = joined(parts);
  std::sort(expected.begin(), expected.end());
  sort_on_ranks(parts);
  std::printf("%zu numbers on %d ranks, sorted\n", expected.size(), ranks);
  return joined(parts) == expected;
}

}  // namespace

int main() {
  try {
    const int ranks = ranks_here();
    std::printf("%s\n", machine::name().c_str());
    if (sorts(ranks)) return 0;
    std::printf("wrong result\n");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "distributed_sort: %s\n", error.what());
  }
  return 1;
}
