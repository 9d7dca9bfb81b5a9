// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Offsets, counts and positions of every integer type.
#include "check_intervals.h"

#include <limits>

namespace {

using namespace test;

template <class Offset, class Gather, class Scatter>
struct position_types {};

template <class T>
std::vector<T> as(const std::vector<offset>& x) {
  return std::vector<T>(x.begin(), x.end());
}

/// A move whose offsets and positions are of three types.
template <class Offset, class Gather, class Scatter>
void check_positions(position_types<Offset, Gather, Scatter>, const std::vector<int>& counts, unsigned seed) {
  std::mt19937 random(seed);
  const auto from = place(layout::overlapping, counts, random), to = place(layout::apart, counts, random);
  const auto in = elements<int>(5, from.extent);
  for_each_executor([&](auto executor) {
    INFO(executor.name, ", ", counts.size(), " intervals with ", total_of(counts), " items");
    using executor_type = decltype(executor);
    const input<executor_type, Offset> offsets(as<Offset>(offsets_of(counts)), 1);
    const input<executor_type, Gather> gather(as<Gather>(from.begins), 1);
    const input<executor_type, Scatter> scatter(as<Scatter>(to.begins), 3);
    const input<executor_type, int> in_in(in);
    const output<executor_type, int> out(to.extent);
    auto expected = out.read();
    for_each_item(counts, [&](offset, std::size_t i, offset rank) {
      expected[static_cast<std::size_t>(to.begins[i] + rank)] = in[static_cast<std::size_t>(from.begins[i] + rank)];
    });
    const mgpu::interval_offsets intervals(offsets.begin(), static_cast<offset>(counts.size()), total_of(counts));
    mgpu::interval_move(executor.policy(), intervals, gather.begin(), scatter.begin(), in_in.begin(), out.begin());
    CHECK(out.first_difference(expected) == -1);
    CHECK(offsets.unchanged());
    CHECK(gather.unchanged());
    CHECK(scatter.unchanged());
    CHECK(in_in.unchanged());
  });
}

/// Counts that are drawn from all values of their type that are counts, up to some thousand.
template <class Count>
std::vector<int> drawn_counts(int intervals, std::mt19937& random) {
  const int most = static_cast<int>(std::min<std::uint64_t>(std::numeric_limits<Count>::max(), 40'000));
  std::vector<int> counts(static_cast<std::size_t>(intervals));
  for (auto& count : counts) {
    count = random() % 16 == 0 ? std::uniform_int_distribution<int>(0, most)(random) : static_cast<int>(random() % 2);
  }
  if (!counts.empty()) counts[counts.size() / 2] = most;
  return counts;
}

}  // namespace

TEST_CASE_TEMPLATE("offsets and positions of every type", Types, position_types<int, std::uint32_t, std::int64_t>,
                   position_types<std::uint32_t, long long, std::uint64_t>,
                   position_types<std::uint64_t, std::int16_t, int>,
                   position_types<unsigned long long, std::uint16_t, long>) {
  // So few items that positions of 16 bits are enough.
  std::mt19937 random(6);
  unsigned seed = 0;
  for (const auto s : all_sharings) {
    for (const int size : {1, 100, 5001, 32'000}) check_positions(Types{}, counts_of_size(s, size, random), ++seed);
  }
  std::vector<int> empty_ones(100'000, 0);
  empty_ones[99'000] = 3000;
  check_positions(Types{}, empty_ones, ++seed);
}

TEST_CASE_TEMPLATE("counts of every type", Count, std::uint8_t, std::int16_t, std::uint32_t, std::int64_t,
                   std::uint64_t) {
  std::mt19937 random(sizeof(Count));
  for (const int intervals : {1, 2, 700, 4001}) {
    const auto counts = drawn_counts<Count>(intervals, random);
    std::vector<int> expected;
    for_each_item(counts,
                  [&](offset, std::size_t interval, offset) { expected.push_back(static_cast<int>(interval)); });
    for_each_executor([&](auto executor) {
      INFO(executor.name, ", ", counts.size(), " intervals with ", expected.size(), " items");
      using executor_type = decltype(executor);
      const input<executor_type, Count> in(std::vector<Count>(counts.begin(), counts.end()), 1);
      const output<executor_type, int> out(static_cast<offset>(expected.size()));
      const mgpu::interval_counts by_counts(in.begin(), in.end());
      CHECK(mgpu::load_balance_search(executor.policy(), by_counts, out.begin()) == out.end());
      CHECK(out.first_difference(expected) == -1);
      CHECK(in.unchanged());
    });
  }
}
