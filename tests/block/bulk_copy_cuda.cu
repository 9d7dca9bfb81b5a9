// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Bulk copies bring what they are asked to, phase after phase, and touch nothing around it.
#include "blocks.h"
#include "support/skip.h"

#include <mgpu/block/stage/bulk_copy.cuh>

#include <doctest/doctest.h>

#include <algorithm>

namespace {

using namespace mgpu::detail;
using namespace test;

constexpr int unit = 16, threads = 64, most_units = 600, room_units = most_units + 4;
/// Of a block: how many units the two loads of a phase bring.
struct lengths {
  int first, second;
};

/// In each phase two loads bring units into shared memory, one behind the other with a gap of a unit. The threads add 1
/// to each byte, and bulk stores take both parts away. Older devices have no bulk copies.
__global__ void copy(const char* in, const lengths* parts, int phases, char* out, int* strays) {
  if constexpr (MGPU_DEVICE_CC >= 90) {
    const guarded memory(unit * (room_units + 1));
    auto* const arrival = reinterpret_cast<block::arrival*>(memory.begin());
    char* const room = memory.begin() + unit;
    const int thread = static_cast<int>(threadIdx.x);
    if (thread == 0) block::open_arrival(arrival);
    __syncthreads();
    for (int phase = 0; phase < phases; ++phase) {
      const int tile = static_cast<int>(blockIdx.x) * phases + phase;
      const lengths part = parts[tile];
      const int bytes = unit * (part.first + part.second);
      const char* const from = in + tile * unit * most_units;
      char* const second = room + unit * (part.first + 2);
      if (thread == 0) {
        if (part.first > 0) block::bulk_load(room + unit, from, unit * part.first, arrival);
        if (part.second > 0) block::bulk_load(second, from + unit * part.first, unit * part.second, arrival);
        block::expect_bytes(arrival, bytes);
      }
      block::wait_for_bytes(arrival, phase);
      for (int i = thread; i < bytes; i += threads) ++(i < unit * part.first ? room + unit : room + 2 * unit)[i];
      block::publish_to_bulk_store();
      __syncthreads();
      if (thread == 0) {
        char* const to = out + tile * unit * room_units;
        if (part.first > 0) block::bulk_store(to, room + unit, unit * part.first);
        if (part.second > 0) block::bulk_store(to + unit * (part.first + 1), second, unit * part.second);
        block::finish_bulk_stores();
      }
      __syncthreads();
    }
    if (phases == 1) {  // what lies before, between and behind both parts
      const lengths part = parts[blockIdx.x];
      for (int i = thread; i < unit; i += threads) {
        for (const int units : {0, part.first + 1, part.first + part.second + 2}) {
          if (!memory.is_untouched(unit + unit * units + i)) atomicAdd(strays, 1);
        }
      }
    }
    memory.check(strays);
  }
}

void check(const std::vector<lengths>& parts, int phases) {
  const int tiles = static_cast<int>(parts.size());
  std::vector<char> bytes(static_cast<std::size_t>(tiles) * unit * most_units);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 0x9E3779B9u >> 13);
  const input<cuda_executor, char> in(bytes);
  const input<cuda_executor, lengths> in_parts(parts);
  output<cuda_executor, char> out(offset{tiles} * unit * room_units);
  auto expected = out.read();
  for (int t = 0; t < tiles; ++t) {
    const auto from = bytes.begin() + t * unit * most_units, middle = from + unit * parts[t].first;
    const auto to = expected.begin() + t * unit * room_units;
    const auto add_one = [](char x) { return static_cast<char>(x + 1); };
    std::transform(from, middle, to, add_one);
    std::transform(middle, middle + unit * parts[t].second, to + unit * (parts[t].first + 1), add_one);
  }
  const counter strays;
  launch(copy, tiles / phases, threads, unit * (room_units + 1), in.begin(), in_parts.begin(), phases, out.begin(),
         strays.begin());
  CHECK(out.first_difference(expected) == -1);
  CHECK(strays.read() == 0);
}

}  // namespace

TEST_CASE("bulk copies bring whole words, in many phases") {
  if (device_attribute(cudaDevAttrComputeCapabilityMajor) < 9) {
    has_skipped_a_test = true;
    return;
  }
  std::vector<lengths> few;
  for (const int first : {0, 1, 2, 3, 31, 32, 33, 255, 300}) {
    for (const int second : {0, 1, 2, 7, 64, 300}) few.push_back({first, second});
  }
  check(few, 1);
  check(few, 2);
  check(few, 9);
  check(std::vector<lengths>(64, {most_units / 2, most_units / 2}), 8);
  check(std::vector<lengths>(6, {0, 0}), 6);
}
