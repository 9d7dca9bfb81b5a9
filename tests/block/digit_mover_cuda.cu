// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The tiles of segments move their elements to their places by one digit, stably, while others are at work.
#include "items.h"
#include "support/keys.h"

#include <mgpu/block/sort/digit_mover.cuh>

#include <doctest/doctest.h>

#include <cstdint>

namespace {

using namespace mgpu::detail;
using namespace test;

/// Bits that are changed on the way in, and back on the way out.
template <class Bits>
struct changed_bits {
  using type = Bits;
  static constexpr Bits change = static_cast<Bits>(0x5a3cc3a55a3c96c3), last = static_cast<Bits>(~Bits{0});

  static MGPU_HOST_DEVICE Bits in(Bits x) { return static_cast<Bits>(x ^ change); }
  static MGPU_HOST_DEVICE Bits out(Bits x) { return static_cast<Bits>(x ^ change); }
  static MGPU_HOST_DEVICE int digit(Bits x, int pass) { return static_cast<int>(x >> 8 * pass & 255); }
};

template <class Bits, class Value>
struct segments {
  const Bits* keys;
  const Value* values;
  Bits* keys_out;
  Value* values_out;
  const int* bounds;                  // [count + 1]
  const cuda::std::uint32_t* begins;  // [count][256]
  cuda::std::uint32_t* counts;        // [count][tiles][256]
  cuda::std::uint32_t* to_clear;      // [count][tiles][256]
  int* ticket;
  int count, tiles, pass;
};

/// Each block takes the next tile of the segments.
template <class Bits, class Value, bool has_values, int threads, int share>
__global__ void __launch_bounds__(threads) move(segments<Bits, Value> s, int* strays) {
  using mover = block::digit_mover<changed_bits<Bits>, Value, has_values, threads, share>;
  constexpr int tile_items = threads * share;
  const guarded room(sizeof(typename mover::memory));
  __shared__ int taken;
  if (threadIdx.x == 0) taken = atomicAdd(s.ticket, 1);
  __syncthreads();
  const int segment = taken / s.tiles, number = taken % s.tiles, slot = 256 * taken;
  const int begin = s.bounds[segment] + number * tile_items;
  const int count = base::clamp(s.bounds[segment + 1] - begin, 0, tile_items);
  if (count > 0) {
    mover::run(*reinterpret_cast<typename mover::memory*>(room.begin()),
               {s.keys + begin, s.values + begin, s.keys_out, s.values_out, s.begins + 256 * segment, s.counts + slot,
                s.to_clear + slot, number, count, s.pass});
  }
  room.check(strays);
}

template <class Bits, class Value, bool has_values, int threads, int share>
void check(const std::vector<int>& lengths, tile_pattern pattern, int pass) {
  using mover = block::digit_mover<changed_bits<Bits>, Value, has_values, threads, share>;
  using order = changed_bits<Bits>;
  const int segments_count = static_cast<int>(lengths.size());
  const int tiles = base::ceil_div(*std::max_element(lengths.begin(), lengths.end()), threads * share);
  std::vector<int> bounds{0};
  for (const int length : lengths) bounds.push_back(bounds.back() + length);
  const int total = bounds.back();
  INFO(total, " elements, ", segments_count, " segments, pattern ", static_cast<int>(pattern), ", pass ", pass);
  const auto keys = make_items<Bits>(total, pattern, 1);
  std::vector<Value> values, expected_values;
  std::vector<Bits> expected;
  for (int i = 0; i < total; ++i) values.push_back(make_value<Value>(i));
  std::vector<cuda::std::uint32_t> begins(256u * segments_count, 0);
  for (int s = 0; s < segments_count; ++s) {
    std::vector<int> places;
    for (int i = bounds[s]; i < bounds[s + 1]; ++i) places.push_back(i);
    const auto digit = [&](int i) { return order::digit(order::in(keys[i]), pass); };
    std::stable_sort(places.begin(), places.end(), [&](int x, int y) { return digit(x) < digit(y); });
    for (const int place : places) {
      expected.push_back(keys[place]);
      expected_values.push_back(values[place]);
    }
    for (int d = 0; d < 256; ++d) {
      begins[256u * s + d] = static_cast<cuda::std::uint32_t>(
          bounds[s] + std::count_if(places.begin(), places.end(), [&](int i) { return digit(i) < d; }));
    }
  }
  const std::vector<cuda::std::uint32_t> zeros(256u * segments_count * tiles, 0);
  const input<cuda_executor, Bits> in(keys);
  const input<cuda_executor, Value> in_values(values);
  const input<cuda_executor, int> in_bounds(bounds);
  const input<cuda_executor, cuda::std::uint32_t> in_begins(begins), counts(zeros);
  output<cuda_executor, cuda::std::uint32_t> cleared(static_cast<offset>(zeros.size()));
  output<cuda_executor, Bits> out(total);
  output<cuda_executor, Value> values_out(total);
  const counter ticket, strays;
  launch(move<Bits, Value, has_values, threads, share>, segments_count * tiles, threads, sizeof(typename mover::memory),
         segments<Bits, Value>{in.begin(), in_values.begin(), out.begin(), values_out.begin(), in_bounds.begin(),
                               in_begins.begin(), counts.begin(), cleared.begin(), ticket.begin(), segments_count,
                               tiles, pass},
         strays.begin());
  CHECK(out.first_difference(expected) == -1);
  if (has_values) CHECK(values_out.first_difference(expected_values) == -1);
  else CHECK(values_out.untouched());
  auto expected_clear = output<cuda_executor, cuda::std::uint32_t>(static_cast<offset>(zeros.size())).read();
  for (int s = 0; s < segments_count; ++s) {
    const int tiles_of_segment = base::ceil_div(lengths[s], threads * share);
    std::fill_n(expected_clear.begin() + 256 * s * tiles, 256 * tiles_of_segment, 0u);
  }
  CHECK(cleared.first_difference(expected_clear) == -1);
  CHECK(strays.read() == 0);
}

template <class Bits, class Value, bool has_values, int threads, int share>
void check_all() {
  constexpr int tile = threads * share;
  for (const tile_pattern pattern : tile_patterns) {
    for (const int pass : {0, static_cast<int>(sizeof(Bits)) - 1}) {
      for (const auto& lengths : std::vector<std::vector<int>>{
               {1}, {tile - 1}, {tile}, {tile + 1}, {10 * tile + 77}, {3 * tile, 1, 5 * tile + 3, tile}}) {
        check<Bits, Value, has_values, threads, share>(lengths, pattern, pass);
      }
    }
  }
}

}  // namespace

TEST_CASE_TEMPLATE("keys go to their places by a digit", Bits, std::uint8_t, std::uint16_t, std::uint32_t,
                   unsigned long long) {
  check_all<Bits, std::uint32_t, false, 256, 3>();
  check_all<Bits, std::uint32_t, false, 384, 7>();
}

TEST_CASE_TEMPLATE("values go with their keys", Value, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t) {
  check_all<std::uint32_t, Value, true, 256, 4>();
  check_all<unsigned long long, Value, true, 512, 5>();
  check_all<std::uint16_t, Value, true, 384, 9>();
}
