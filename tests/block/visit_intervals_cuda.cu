// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Blocks visit the items of intervals: each item once, with its interval and its rank, by sinks of all kinds.
#include "blocks.h"
#include "support/keys.h"

#include <mgpu/core/interval/expand.h>
#include <mgpu/core/interval/interval.h>
#include <mgpu/core/interval/move.h>
#include <mgpu/tile/word.h>
#include <mgpu/block/visit_intervals.cuh>

#include <doctest/doctest.h>

#include <cstdint>
#include <numeric>

namespace {

using namespace mgpu::detail;
using namespace test;

/// The library's core with tiles of this test's choice.
template <int threads, int items, class Sink>
struct small_tiles : core::interval<const int*, Sink> {
  static MGPU_HOST_DEVICE constexpr base::tile_shape shape(int) { return {threads, items, 1, 1}; }
};

template <class Core>
__global__ void visit(Core core, int room_bytes, int* strays) {
  using block_type = block::interval_block<Core>;
  const guarded room(room_bytes);
  block_type b(room.begin());
  constexpr int tile_items = block_type::shape.threads * block_type::shape.items_per_thread;
  const offset first = offset{blockIdx.x} * tile_items, last = base::min(first + tile_items, core.size());
  offset first_split, last_split;
  b.find_splits(core, first, last, first_split, last_split);
  b.visit_intervals(core, core.between(first, last, first_split, last_split));
  room.check(strays);
}

struct intervals {
  std::vector<int> counts, offsets;
  int items;

  explicit intervals(const std::vector<int>& c) : counts(c), offsets(c.size(), 0) {
    for (std::size_t i = 1; i < c.size(); ++i) offsets[i] = offsets[i - 1] + c[i - 1];
    items = std::accumulate(c.begin(), c.end(), 0);
  }
};

/// Visits all tiles. Returns whether a tile has said that the offsets are bad.
template <int threads, int items, class Sink>
bool visit_all(const std::vector<int>& offsets, int item_count, const Sink& sink) {
  using core_type = small_tiles<threads, items, Sink>;
  const input<cuda_executor, int> in(offsets);
  const counter bad, strays;
  const core_type core{{in.begin(), static_cast<offset>(offsets.size()), item_count, sink, {bad.begin()}}};
  const int room_bytes = block::interval_block<core_type>::shared_bytes(core_type::shape(0));
  const int tiles = static_cast<int>(base::ceil_div(core.size(), offset{threads * items}));
  if (tiles > 0) launch(visit<core_type>, tiles, threads, room_bytes, core, room_bytes, strays.begin());
  CHECK(strays.read() == 0);
  return bad.read() != 0;
}

/// Counts the visits of each item, and notes its interval and its rank.
struct note_visit {
  int* visits;
  offset* places;  // [2 * items]
  offset items;

  __device__ void operator()(offset item, offset interval, offset rank) const {
    if (item < 0 || item >= items) return;
    atomicAdd(visits + item, 1);
    places[2 * item] = interval;
    places[2 * item + 1] = rank;
  }
};

template <int threads, int items>
void check_calls(const intervals& x) {
  const input<cuda_executor, int> visits(std::vector<int>(static_cast<std::size_t>(x.items), 0));
  output<cuda_executor, offset> places(2 * x.items);
  const core::call<note_visit> sink(note_visit{visits.begin(), places.begin(), x.items});
  CHECK_FALSE(visit_all<threads, items>(x.offsets, x.items, sink));
  std::vector<offset> expected;
  for (std::size_t i = 0; i < x.counts.size(); ++i) {
    for (int k = 0; k < x.counts[i]; ++k) expected.insert(expected.end(), {static_cast<offset>(i), k});
  }
  CHECK(places.first_difference(expected) == -1);
  std::vector<int> counted(static_cast<std::size_t>(x.items));
  cuda_executor::copy_out(counted.data(), visits.begin(), counted.size() * sizeof(int));
  CHECK(counted == std::vector<int>(counted.size(), 1));
}

/// Copies of values, one for each item.
template <int threads, int items, class T>
void check_expand(const intervals& x, int skipped) {
  std::vector<T> values, expected;
  for (std::size_t i = 0; i < x.counts.size(); ++i) {
    values.push_back(make_value<T>(static_cast<int>(i)));
    expected.insert(expected.end(), static_cast<std::size_t>(x.counts[i]), values.back());
  }
  const input<cuda_executor, T> in(values);
  output<cuda_executor, T> filled(x.items, skipped), expanded(x.items, skipped);
  const core::fill_array<const T*, T> fill(in.begin(), filled.begin());
  const core::expand<const T*, T*> expand(in.begin(), expanded.begin());
  CHECK_FALSE(visit_all<threads, items>(x.offsets, x.items, fill));
  CHECK_FALSE(visit_all<threads, items>(x.offsets, x.items, expand));
  CHECK(filled.first_difference(expected) == -1);
  CHECK(expanded.first_difference(expected) == -1);
}

/// A gather, a scatter, and both: the intervals' elements lie in the array in reverse order, with gaps.
template <int threads, int items, class T>
void check_move(const intervals& x, int skipped) {
  const int gap = 1 + skipped % 2, room = x.items + gap * static_cast<int>(x.counts.size());
  std::vector<int> positions;
  int end = room;
  for (const int count : x.counts) positions.push_back(end -= count + gap);
  std::vector<T> elements, gathered;
  for (int i = 0; i < room; ++i) elements.push_back(make_value<T>(i));
  output<cuda_executor, T> gather_to(x.items, skipped), scatter_to(room, skipped), move_to(room, 3 - skipped);
  auto scattered = scatter_to.read(), moved = output<cuda_executor, T>(room, 3 - skipped).read();
  for (std::size_t i = 0; i < x.counts.size(); ++i) {
    for (int k = 0; k < x.counts[i]; ++k) {
      gathered.push_back(elements[positions[i] + k]);
      scattered[positions[i] + k] = elements[x.offsets[i] + k];
      moved[positions[i] + k] = elements[positions[i] + k];
    }
  }
  const input<cuda_executor, T> in(elements, 3 - skipped);
  const input<cuda_executor, int> places(positions);
  using none = base::no_values;
  CHECK_FALSE(visit_all<threads, items>(
      x.offsets, x.items,
      core::move_array<T, const int*, none>(in.begin(), gather_to.begin(), places.begin(), none{})));
  CHECK_FALSE(visit_all<threads, items>(
      x.offsets, x.items,
      core::move_array<T, none, const int*>(in.begin(), scatter_to.begin(), none{}, places.begin())));
  CHECK_FALSE(visit_all<threads, items>(
      x.offsets, x.items,
      core::move_array<T, const int*, const int*>(in.begin(), move_to.begin(), places.begin(), places.begin())));
  CHECK(gather_to.first_difference(gathered) == -1);
  CHECK(scatter_to.first_difference(scattered) == -1);
  CHECK(move_to.first_difference(moved) == -1);
}

std::vector<intervals> kinds() {
  std::vector<intervals> result;
  for (const auto& counts : std::vector<std::vector<int>>{
           {}, {0}, {1}, {7}, {0, 0, 0, 5, 0}, std::vector<int>(3000, 1), std::vector<int>(3000, 0), {20000}}) {
    result.emplace_back(counts);
  }
  result.emplace_back(random_numbers<int>(2000, 0, 3, 1));
  result.emplace_back(random_numbers<int>(100, 0, 200, 2));
  result.emplace_back(random_numbers<int>(9, 0, 3000, 3));
  std::vector<int> mixed = random_numbers<int>(600, 0, 2, 4);
  for (const int i : {0, 100, 101, 350}) mixed[i] = 2500;
  mixed.insert(mixed.end(), 1500, 0);
  result.emplace_back(mixed);
  return result;
}

}  // namespace

TEST_CASE("each item is visited once, with its interval and its rank") {
  for (const auto& x : kinds()) {
    INFO(x.counts.size(), " intervals, ", x.items, " items");
    check_calls<32, 4>(x);
    check_calls<64, 7>(x);
    check_calls<128, 23>(x);
  }
}

TEST_CASE_TEMPLATE("elements of intervals are filled and moved", T, std::uint8_t, std::int16_t, std::uint32_t,
                   std::int64_t, key12, key16, tile::word) {
  for (const auto& x : kinds()) {
    for (const int skipped : {0, 1, 3}) {
      INFO(x.counts.size(), " intervals, ", x.items, " items, skipped ", skipped);
      check_expand<32, 4, T>(x, skipped);
      check_expand<128, 23, T>(x, skipped);
      check_move<64, 7, T>(x, skipped);
      check_move<256, 15, T>(x, skipped);
    }
  }
}

TEST_CASE("offsets that do not ascend from 0 to the number of items are reported") {
  const auto check_bad = [](std::size_t at, int number) {
    const intervals good(random_numbers<int>(700, 0, 20, 5));
    auto offsets = good.offsets;
    offsets[at] = number;
    INFO("offset ", at, " is ", number);
    const input<cuda_executor, std::uint32_t> in(std::vector<std::uint32_t>(700, 1));
    output<cuda_executor, std::uint32_t> out(good.items);
    const core::fill_array<const std::uint32_t*, std::uint32_t> sink(in.begin(), out.begin());
    CHECK(visit_all<64, 7>(offsets, good.items, sink));
    CHECK(out.guards_untouched());
  };
  check_bad(0, 3);
  check_bad(0, -1);
  check_bad(350, 0);
  check_bad(350, 1 << 30);
  check_bad(350, -(1 << 30));
  check_bad(699, 1 << 30);
  check_bad(699, 0);
}
