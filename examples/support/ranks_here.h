// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What the examples of calls over ranks share: how many ranks there are, and numbers that lie on them.

#include "machine.h"

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

using numbers = std::vector<std::uint32_t>;

#if MGPU_CUDA_COMPILER
/// One for each GPU, or four that share one GPU or the CPU.
inline int ranks_here() {
  int devices = 0;
  cudaGetDeviceCount(&devices);
  return devices > 1 ? devices : 4;
}
inline void use_device_of(int rank) {
  int devices = 1;
  cudaGetDeviceCount(&devices);
  cudaSetDevice(rank % devices);
}
#else
inline int ranks_here() { return 4; }
inline void use_device_of(int) {}
#endif

/// The parts of all ranks, one behind the other.
inline numbers joined(const std::vector<numbers>& parts) {
  numbers all;
  for (const numbers& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

/// Random numbers, more on each rank than on the one before.
inline std::vector<numbers> random_parts(int ranks, std::uint32_t most, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<numbers> parts(static_cast<std::size_t>(ranks));
  for (std::size_t r = 0; r < parts.size(); ++r) {
    parts[r].resize(100'000 * r + 1'000);
    for (auto& x : parts[r]) x = static_cast<std::uint32_t>(random()) % most;
  }
  return parts;
}
