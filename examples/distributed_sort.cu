// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sorts numbers that lie on several ranks, intersects two sequences of ids that do, and checks both. The ranks are
// threads of this process: one for each GPU, or four that share one GPU or the CPU.
#include "support/machine.h"

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

using numbers = std::vector<std::uint32_t>;

#if MGPU_CUDA_COMPILER
int ranks_here() {
  int devices = 0;
  cudaGetDeviceCount(&devices);
  return devices > 1 ? devices : 4;
}
void use_device_of(int rank) {
  int devices = 1;
  cudaGetDeviceCount(&devices);
  cudaSetDevice(rank % devices);
}
#else
int ranks_here() { return 4; }
void use_device_of(int) {}
#endif

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

// [snippet: intersect]
/// The ids that both sequences have, evenly on all ranks.
void common_ids(const mgpu::in_process_communicator& communicator, const numbers& a_part, const numbers& b_part,
                numbers& common_part) {
  use_device_of(communicator.rank());
  const auto everywhere = mgpu::distributed(machine::par, communicator);
  const thrust::device_vector<std::uint32_t> a(a_part.begin(), a_part.end()), b(b_part.begin(), b_part.end());
  const auto size = mgpu::set_intersection_size(everywhere, a.begin(), a.end(), b.begin(), b.end());

  thrust::device_vector<std::uint32_t> found(a.size() + b.size());
  const auto end = mgpu::set_intersection(everywhere, a.begin(), a.end(), b.begin(), b.end(), found.begin());

  const int rank = communicator.rank(), ranks = communicator.size();
  thrust::device_vector<std::uint32_t> even(size * (rank + 1) / ranks - size * rank / ranks);
  mgpu::rebalance(everywhere, found.begin(), end, even.begin(), even.end());
  common_part.resize(even.size());
  thrust::copy(even.begin(), even.end(), common_part.begin());
}
// [end]

numbers joined(const std::vector<numbers>& parts) {
  numbers all;
  for (const numbers& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

/// Random numbers, more on each rank than on the one before.
std::vector<numbers> random_parts(int ranks, std::uint32_t most, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<numbers> parts(static_cast<std::size_t>(ranks));
  for (std::size_t r = 0; r < parts.size(); ++r) {
    parts[r].resize(100'000 * r + 1'000);
    for (auto& x : parts[r]) x = static_cast<std::uint32_t>(random()) % most;
  }
  return parts;
}

bool sorts(int ranks) {
  auto parts = random_parts(ranks, 1'000'000, 1);
  auto expected = joined(parts);
  std::sort(expected.begin(), expected.end());
  sort_on_ranks(parts);
  std::printf("%zu numbers on %d ranks, sorted\n", expected.size(), ranks);
  return joined(parts) == expected;
}

bool intersects(int ranks) {
  auto a = random_parts(ranks, 500'000, 2), b = random_parts(ranks, 500'000, 3);
  sort_on_ranks(a);
  sort_on_ranks(b);
  const auto all_a = joined(a), all_b = joined(b);
  numbers expected;
  std::set_intersection(all_a.begin(), all_a.end(), all_b.begin(), all_b.end(), std::back_inserter(expected));
  std::vector<numbers> common(a.size());
  mgpu::in_process_group(ranks).run([&](const auto& communicator) {
    const auto r = static_cast<std::size_t>(communicator.rank());
    common_ids(communicator, a[r], b[r], common[r]);
  });
  std::printf("%zu ids that both sequences have\n", expected.size());
  return joined(common) == expected;
}

}  // namespace

int main() {
  try {
    const int ranks = ranks_here();
    std::printf("%s\n", machine::name().c_str());
    if (sorts(ranks) && intersects(ranks)) return 0;
    std::printf("wrong result\n");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "distributed_sort: %s\n", error.what());
  }
  return 1;
}
