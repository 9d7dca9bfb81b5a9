// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The tiles of an odd-even merge sort that a block of the GPU runs by steps, here by one thread in their place.
#include "support/full.h"

#include <mgpu/base/order.h>
#include <mgpu/core/odd_even/step_pass.h>
#include <mgpu/core/odd_even/step_tile.h>
#include <mgpu/tile/odd_even_network.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <vector>

using mgpu::offset;

namespace {

/// Stands for a block. It takes the threads' parts of a step one after the other.
struct one_thread {
  static constexpr mgpu::detail::base::tile_shape shape{1, 1, 1, 0};
  static int thread() { return 0; }
  static void sync() {}
  static void wait_for_copies() {}
  template <class T>
  static void start_copy(T* to, const T* from) {
    *to = *from;
  }
};

/// What a tile has where the array has no element. Behind the array it has a key that goes before none.
constexpr int no_element = -1, last_key = std::numeric_limits<int>::max();

/// Answers that depend on both elements and follow no order. It adds up what it is asked: the same questions have the
/// same sum, in any order.
struct nonsense {
  std::uint64_t* asked;
  int* calls;

  bool operator()(int right, int left) const {
    if (right == no_element || left == no_element || (left == last_key && right != last_key)) throw 0;
    if (right == last_key) return false;
    std::uint64_t x = static_cast<std::uint64_t>(right) << 32 | static_cast<std::uint32_t>(left);
    x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
    x ^= x >> 32;
    *asked += x * x;
    ++*calls;
    return (x & 1) != 0;
  }
};

struct result {
  std::vector<int> keys;
  std::uint64_t asked = 0;
  int calls = 0;

  friend bool operator==(const result& x, const result& y) {
    return x.keys == y.keys && x.asked == y.asked && x.calls == y.calls;
  }
};

std::vector<int> random_keys(offset count) {
  std::mt19937 random(static_cast<unsigned>(count));
  std::vector<int> keys(static_cast<std::size_t>(count));
  for (auto& x : keys) x = static_cast<int>(random() >> 2);
  return keys;
}

result by_layers(offset count) {
  result r{random_keys(count)};
  const nonsense goes_before{&r.asked, &r.calls};
  int* const x = r.keys.data();
  for (auto layer = mgpu::detail::tile::first_odd_even_layer; offset{1} << (layer.group_log - 1) < count;
       layer = layer.next()) {
    const offset stride = layer.stride();
    for (offset i = 0; i + stride < count; ++i) {
      if (layer.is_left(i) && goes_before(x[i + stride], x[i])) std::swap(x[i], x[i + stride]);
    }
  }
  return r;
}

/// By steps, in tiles of so many elements. Requires: each pass can be run by steps.
template <class Compare>
void sort_by_steps(std::vector<int>& keys, int tile_items, offset fewer_passes_from, const Compare& goes_before) {
  using compare = mgpu::detail::base::order<Compare>;
  const compare ordered{goes_before};
  using tile = mgpu::detail::core::odd_even_step_tile<int, compare>;
  struct alignas(16) word {
    int of[4];
  };
  const auto count = static_cast<offset>(keys.size());
  std::vector<word> shared(static_cast<std::size_t>(tile::room(tile_items)) / 4);
  const auto run = [&](const mgpu::detail::core::odd_even_step_pass& pass) {
    const tile t{keys.data(), count, pass, ordered, last_key};
    const bool is_possible = t.is_possible() && pass.size_log() <= 30 && 1 << pass.size_log() <= tile_items;
    REQUIRE(is_possible);
    for (offset number = 0; number < pass.tiles(count); ++number) {
      int* const places = shared.data()->of;
      std::fill(places, places + tile::room(tile_items), no_element);
      one_thread block;
      t.run(block, number, places);
    }
  };
  mgpu::detail::core::for_each_odd_even_step_pass(count, 4, tile_items, run, fewer_passes_from);
}

result by_steps(offset count, int tile_items, offset fewer_passes_from) {
  result r{random_keys(count)};
  sort_by_steps(r.keys, tile_items, fewer_passes_from, nonsense{&r.asked, &r.calls});
  return r;
}

constexpr offset never = offset{1} << 40;
using test::is_full;

/// Both plans of passes compare what the layers compare, in an order that has the same result.
void check(offset count, const std::vector<int>& tile_sizes) {
  const result expected = by_layers(count);
  for (const int tile_items : tile_sizes) {
    INFO(count, " elements, tiles of ", tile_items);
    CHECK(by_steps(count, tile_items, never) == expected);
    if (count >= tile_items) CHECK(by_steps(count, tile_items, tile_items) == expected);
  }
}

}  // namespace

TEST_CASE("tiles that run by steps: sizes around powers of two and between them") {
  // With the smallest of these tiles, arrays of more than 2^17 elements have passes of each kind, and of more than 2^18
  // several groups in those of long strides.
  for (int log = 10; log <= 17; ++log) {
    for (const int more : {-1, 0, 1, 1 << log >> 1}) {
      if (log >= 15 && more <= 0) continue;
      if (log <= 15) check((1 << log) + more, {2'048, 4'096, 8'192, 16'384});
      else if (more == 1 || is_full) check((1 << log) + more, {2'048});
    }
  }
  check(is_full ? 524'287 : 270'000, {2'048});
}

TEST_CASE("tiles that run by steps: random sizes, and every end of a tile") {
  constexpr int logs = is_full ? 7 : 5;
  std::mt19937 random(71);
  for (int number = 0; number < 40; ++number) {
    const int log = 10 + number % logs, count = (1 << log) + static_cast<int>(random() % (1u << log));
    check(count, {1 << (11 + number % 4)});
  }
  for (int count = 513; count < 2'048; count += count % 64 < 2 || count % 64 > 61 ? 1 : 31) check(count, {2'048});
}

TEST_CASE("tiles that run by steps: arrays shorter than the smallest tile") {
  // The first step compares as in groups of 32. So fewer than 17 keys are compared again when they are sorted.
  for (int count = 17; count <= 513; ++count) check(count, {2'048});
  for (int count = 1; count < 17; ++count) {
    std::vector<int> keys = random_keys(count), sorted = keys;
    std::sort(sorted.begin(), sorted.end());
    sort_by_steps(keys, 2'048, never, std::less<>{});
    CHECK(keys == sorted);
  }
}

TEST_CASE("every pass of a large array fits its tiles, and can be run by steps") {
  for (const int tile_log : {13, 14, 15}) {
    for (int log = tile_log; log <= 40; ++log) {
      const offset count = (offset{1} << log) + 1;
      mgpu::detail::core::for_each_odd_even_step_pass(
          count, 4, 1 << tile_log, [&](const mgpu::detail::core::odd_even_step_pass& pass) {
            const auto compare = [](int x, int y) { return x < y; };
            const mgpu::detail::core::odd_even_step_tile<int, decltype(compare)> tile{nullptr, count, pass, compare,
                                                                                      last_key};
            INFO("tiles of 2^", tile_log, ", 2^", log, " + 1 elements, groups of 2^", pass.group_log);
            CHECK(tile.is_possible());
            CHECK(pass.size_log() <= tile_log);
            CHECK(pass.row_log <= pass.last_stride_log);
          });
    }
  }
}
