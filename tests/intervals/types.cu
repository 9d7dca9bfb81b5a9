// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Expand, gather, scatter and move of elements of every size and alignment, at every alignment.
#include "check_intervals.h"

namespace {

using namespace test;

/// Bytes that have to lie at a multiple of Alignment.
template <int Bytes, int Alignment>
struct alignas(Alignment) aligned_bytes {
  std::uint8_t byte[Bytes];
};

/// An element type, and the ways to move it that are checked beside expand.
template <class T, moving... Ways>
struct payload {
  using type = T;
};

template <class T, moving... Ways>
void check(payload<T, Ways...>, const std::vector<int>& counts, interval_skips skip, int number) {
  // Gaps are bytes that not every type can be made of.
  constexpr int layouts = std::is_trivially_copyable_v<T> ? 4 : 3;
  constexpr layout sources[] = {layout::permuted, layout::in_order, layout::overlapping, layout::apart};
  constexpr layout destinations[] = {layout::in_order, layout::permuted, layout::permuted, layout::apart};
  for_each_executor([&](auto executor) {
    INFO(executor.name, ", ", counts.size(), " intervals with ", total_of(counts), " items of ", sizeof(T), " bytes, ",
         skip.in, " and ", skip.out, " elements skipped, number ", number);
    const intervals_in<decltype(executor)> intervals(counts);
    check_expand<T>(executor, intervals, given::offsets, skip);
    const auto from = sources[number % layouts], to = destinations[number / 2 % layouts];
    (check_move<Ways, T>(executor, intervals, from, to, given::offsets, skip, static_cast<unsigned>(number)), ...);
    CHECK(intervals.unchanged());
  });
}

template <class Payload>
void check_sizes(Payload payload) {
  const int tile = first_executor::items_per_tile<expand_core<typename Payload::type>>();
  int number = static_cast<int>(sizeof(Payload)) + static_cast<int>(sizeof(typename Payload::type));
  const auto next = [&](sharing s, int size) {
    std::mt19937 random(static_cast<unsigned>(++number));
    check(payload, counts_of_size(s, size, random), interval_skips::number(number), number);
  };
  constexpr int sharings = std::size(all_sharings);
  const bool few =
      takes_few_cases() || (!is_full && sizeof(typename Payload::type) >= 512);  // seconds to write and compare
  for (const int size : interval_sizes(tile)) {
    next(all_sharings[number * 7 % sharings], size);
    if (!few) next(all_sharings[number * 3 % sharings], size);
  }
  if (few) return;
  for (const auto s : all_sharings) next(s, 3 * tile + 1001);
}

/// Elements of one type into elements of another.
template <class From, class To>
void check_conversion(const std::vector<int>& counts) {
  const auto total = static_cast<std::size_t>(total_of(counts));
  const auto from = elements<From>(250, static_cast<offset>(std::max(total, counts.size())));
  std::vector<To> expanded;
  for_each_item(counts,
                [&](offset, std::size_t interval, offset) { expanded.push_back(static_cast<To>(from[interval])); });
  const std::vector<To> moved(from.begin(), from.begin() + static_cast<offset>(total));
  for_each_executor([&](auto executor) {
    INFO(executor.name, ", ", counts.size(), " intervals with ", total, " items");
    using executor_type = decltype(executor);
    const intervals_in<executor_type> intervals(counts);
    const input<executor_type, From> in(from, 1);
    const input<executor_type, offset> places(offsets_of(counts));
    const output<executor_type, To> expanded_out(intervals.total(), 1), moved_out(intervals.total(), 3);
    const mgpu::interval_offsets i(places.begin(), intervals.count(), intervals.total());
    CHECK(mgpu::interval_expand(executor.policy(), i, in.begin(), expanded_out.begin()) == expanded_out.end());
    CHECK(expanded_out.first_difference(expanded) == -1);
    mgpu::interval_move(executor.policy(), i, places.begin(), places.begin(), in.begin(), moved_out.begin());
    CHECK(moved_out.first_difference(moved) == -1);
    CHECK(in.unchanged());
  });
}

}  // namespace

TEST_CASE_TEMPLATE("elements of 1 byte to 1 KiB", Payload,
                   payload<std::uint8_t, moving::gather, moving::scatter, moving::both>,
                   payload<std::int16_t, moving::gather, moving::scatter, moving::both>,
                   payload<double, moving::gather, moving::both>, payload<aligned_bytes<16, 16>, moving::scatter>,
                   payload<aligned_bytes<12, 4>, moving::gather>, payload<aligned_bytes<16, 4>, moving::both>,
                   payload<aligned_bytes<3, 1>, moving::gather>, payload<aligned_bytes<6, 2>, moving::scatter>,
                   payload<aligned_bytes<64, 4>, moving::scatter>, payload<aligned_bytes<64, 1>, moving::both>,
                   payload<aligned_bytes<32, 32>, moving::gather>, payload<aligned_bytes<96, 8>, moving::both>,
                   payload<aligned_bytes<512, 2>, moving::both>, payload<aligned_bytes<1024, 1>, moving::gather>,
                   payload<copied, moving::both>) {
  check_sizes(Payload{});
}

TEST_CASE_TEMPLATE("the tiles of all elements fit the shared memory of every architecture", T, aligned_bytes<1, 1>,
                   aligned_bytes<3, 1>, aligned_bytes<64, 1>, aligned_bytes<64, 64>, aligned_bytes<65, 1>,
                   aligned_bytes<256, 1>, aligned_bytes<257, 1>, aligned_bytes<510, 2>, aligned_bytes<1024, 1>,
                   aligned_bytes<1024, 4>, aligned_bytes<4096, 16>, aligned_bytes<100'000, 1>) {
  constexpr int own_bytes = 64;  // at most, of a block that runs tiles
  const auto check_core = [](auto shape, auto shared_bytes) {
    CHECK(shared_bytes(shape(75)) + own_bytes <= 64 << 10);
    CHECK(shared_bytes(shape(86)) + own_bytes <= 99 << 10);
    CHECK(shared_bytes(shape(90)) + own_bytes <= 227 << 10);
  };
  using places = const offset*;
  using none = mgpu::detail::base::no_values;
  check_core(expand_core<T>::shape, expand_core<T>::shared_bytes);
  check_core(move_core<T, places, none>::shape, move_core<T, places, none>::shared_bytes);
  check_core(move_core<T, none, places>::shape, move_core<T, none, places>::shared_bytes);
  check_core(move_core<T, places, places>::shape, move_core<T, places, places>::shared_bytes);
}

/// Where copies go by words, the words of the source lie across those of the destination in every way.
TEST_CASE_TEMPLATE("sources and destinations at every alignment", Payload,
                   payload<std::uint8_t, moving::gather, moving::scatter, moving::both>,
                   payload<std::int16_t, moving::gather, moving::scatter, moving::both>,
                   payload<aligned_bytes<3, 1>, moving::gather>, payload<aligned_bytes<12, 4>, moving::gather>) {
  std::mt19937 random(17);
  std::vector<int> counts = counts_of_size(sharing::thousands, 9000, random);
  counts.insert(counts.end(), {2100, 0, 530, 1, 1040, 17});
  int number = 0;
  for (int in = 0; in < 16; ++in) {
    for (int out = 0; out < 16; ++out) {
      ++number;
      if (takes_few_cases() && in % 5 + out % 4 != 3) continue;
      check(Payload{}, counts, {in, out}, number);
    }
  }
}

/// The words of the source that are read for the last ones of the destination are the interval's, or not read.
TEST_CASE_TEMPLATE("an interval that ends with its memory, a little behind what is moved at once", Payload,
                   payload<std::uint8_t, moving::gather, moving::scatter, moving::both>,
                   payload<std::int16_t, moving::gather, moving::scatter, moving::both>) {
  constexpr int at_once = 512 / static_cast<int>(sizeof(typename Payload::type));
  int number = 0;
  for (int count = 3 * at_once - 70; count < 3 * at_once + 40; ++count) {
    for (const int out : {0, 1, 6, 8, 11, 15}) {
      if (takes_few_cases() && (count + out) % 4 != 0) continue;
      const int in = (3 * out + count) % 16;
      check(Payload{}, {count}, {in, out}, number += 4);  // a layout without gaps
    }
  }
}

TEST_CASE("elements of one type into elements of another") {
  std::mt19937 random(3);
  for (const auto s : {sharing::tens, sharing::halves, sharing::one_long}) {
    const auto counts = counts_of_size(s, 70'001, random);
    check_conversion<std::uint8_t, std::int64_t>(counts);
    check_conversion<std::int64_t, float>(counts);
    check_conversion<int, std::int8_t>(counts);
  }
}
