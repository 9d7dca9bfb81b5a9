// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// merge, merge_by_key and rebalance over ranks, against std::merge of the whole sequences.
#include "ranks.h"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

namespace {

using namespace test;

/// Positions in a, and behind them those in b, in the order of the stable merge.
template <class Key, class Compare>
std::vector<std::uint32_t> merged_order(const std::vector<Key>& a, const std::vector<Key>& b, Compare compare) {
  std::vector<Key> both(a);
  both.insert(both.end(), b.begin(), b.end());
  std::vector<std::uint32_t> order = indices(both.size());
  std::inplace_merge(order.begin(), order.begin() + static_cast<offset>(a.size()), order.end(),
                     [&](auto x, auto y) { return compare(both[x], both[y]); });
  return order;
}

template <class Executor, class Key, class Compare>
void check_merge(const Executor& executor, const shares& sa, const shares& sb, const std::vector<Key>& a,
                 const std::vector<Key>& b, Compare compare) {
  const auto ranks = static_cast<int>(sa.counts.size());
  if (!has_ranks(ranks)) return;
  shares both{"", sa.counts};
  for (std::size_t r = 0; r < both.counts.size(); ++r) both.counts[r] += sb.counts[r];
  const auto order = merged_order(a, b, compare);
  std::vector<Key> all(a);
  all.insert(all.end(), b.begin(), b.end());

  const spread<Executor, Key> a_in(a, sa), b_in(b, sb);
  const spread<Executor, std::uint32_t> a_values(indices(a.size()), sa),
      b_values(indices(b.size(), static_cast<std::uint32_t>(a.size())), sb);
  const rooms<Executor, Key> keys_out(both), alone(both);
  const rooms<Executor, std::uint32_t> values_out(both);
  std::vector<char> ends(static_cast<std::size_t>(ranks));
  in_ranks(executor, ranks, [&](const auto& everywhere, int r) {
    const auto end = mgpu::merge_by_key(everywhere, a_in[r].begin(), a_in[r].end(), b_in[r].begin(), b_in[r].end(),
                                        a_values[r].begin(), b_values[r].begin(), keys_out[r].begin(),
                                        values_out[r].begin(), compare);
    const auto alone_end = mgpu::merge(everywhere, a_in[r].begin(), a_in[r].end(), b_in[r].begin(), b_in[r].end(),
                                       alone[r].begin(), compare);
    ends[static_cast<std::size_t>(r)] =
        end.first == keys_out[r].end() && end.second == values_out[r].end() && alone_end == alone[r].end();
  });
  CHECK(std::count(ends.begin(), ends.end(), 1) == ranks);
  CHECK(keys_out.have(taken(all, order), both));
  CHECK(values_out.have(order, both));
  CHECK(alone.have(taken(all, order), both));
  CHECK(a_in.unchanged());
  CHECK(b_in.unchanged());
}

template <class Key, class Compare>
void check_merges(Compare compare, int most_ranks) {
  for_each_executor([&](const auto& executor) {
    unsigned seed = 0;
    for (const int ranks : rank_counts(most_ranks)) {
      for (const repeats how : all_repeats) {
        const auto ways = ways_to_share(ranks, 2500, ++seed);
        for (std::size_t i = 0; i < ways.size(); ++i) {
          const shares &sa = ways[i], &sb = second_of(ways, i, ranks, seed);
          if (is_left_out(seed, i)) continue;
          INFO(ranks, " ranks, a: ", sa.name, ", b: ", sb.name, ", equal keys: ", name_of(how));
          auto a = keys<Key>(sa.total(), how, seed), b = keys<Key>(sb.total(), how, seed + 100);
          std::stable_sort(a.begin(), a.end(), compare);
          std::stable_sort(b.begin(), b.end(), compare);
          check_merge(executor, sa, sb, a, b, compare);
        }
      }
    }
  });
}

TEST_CASE("32-bit numbers") { check_merges<std::uint32_t>(cuda::std::less<>{}, 8); }
TEST_CASE("structs in an order of their own") { check_merges<wide_key>(heaviest_first{}, 5); }

TEST_CASE("one input before the other, and the other way round") {
  for_each_executor([&](const auto& executor) {
    std::vector<std::uint32_t> low = indices(40'000), high = indices(30'000, 40'000);
    for (const std::size_t ranks : {2, 4}) {
      const auto each = static_cast<offset>(10'000 / ranks);
      const shares even_a{"", std::vector<offset>(ranks, 4 * each)}, even_b{"", std::vector<offset>(ranks, 3 * each)};
      check_merge(executor, even_a, even_b, low, high, cuda::std::less<>{});
      check_merge(executor, even_b, even_a, high, low, cuda::std::less<>{});
    }
  });
}

struct twice {
  MGPU_HOST_DEVICE std::uint32_t operator()(std::uint32_t x) const { return 2 * x; }
};

TEST_CASE("iterators that are no arrays") {
  for_each_executor([&](const auto& executor) {
    constexpr int ranks = 2;
    constexpr std::uint32_t each = 5'000;
    if (!has_ranks(ranks)) return;
    const shares s{"", {2 * each, 2 * each}};
    const rooms<std::decay_t<decltype(executor)>, std::uint32_t> out(s);
    in_ranks(executor, ranks, [&](const auto& everywhere, int r) {
      const thrust::counting_iterator<std::uint32_t> number(static_cast<std::uint32_t>(r) * each);
      const auto a = thrust::make_transform_iterator(number, twice{});
      mgpu::merge(everywhere, a, a + each, number, number + each, out[r].begin());
    });
    std::vector<std::uint32_t> numbers = indices(ranks * each), expected, doubled;
    for (const auto x : numbers) doubled.push_back(2 * x);
    std::merge(doubled.begin(), doubled.end(), numbers.begin(), numbers.end(), std::back_inserter(expected));
    CHECK(out.have(expected, s));
  });
}

TEST_CASE("rebalance") {
  for_each_executor([&](const auto& executor) {
    using executor_type = std::decay_t<decltype(executor)>;
    for (int ranks = 1; ranks <= 8 && has_ranks(ranks); ++ranks) {
      const auto ways = ways_to_share(ranks, 4000, 11);
      for (const shares& from : ways) {
        INFO(ranks, " ranks, from: ", from.name);
        shares to{"", std::vector<offset>(static_cast<std::size_t>(ranks), from.total() / ranks)};
        to.counts.back() += from.total() % ranks;
        const auto all = indices(static_cast<std::size_t>(from.total()));
        const spread<executor_type, std::uint32_t> in(all, from);
        const rooms<executor_type, std::uint32_t> out(to);
        const rooms<executor_type, double> converted(to);
        in_ranks(executor, ranks, [&](const auto& everywhere, int r) {
          mgpu::rebalance(everywhere, in[r].begin(), in[r].end(), out[r].begin(), out[r].end());
          const thrust::counting_iterator<std::uint32_t> number(static_cast<std::uint32_t>(from.begin(r)));
          mgpu::rebalance(everywhere, number, number + from.counts[static_cast<std::size_t>(r)], converted[r].begin(),
                          converted[r].end());
        });
        CHECK(out.have(all, to));
        CHECK(converted.have(std::vector<double>(all.begin(), all.end()), to));
        CHECK(in.unchanged());
      }
    }
  });
}

}  // namespace
