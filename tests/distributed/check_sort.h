// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// stable_sort and stable_sort_by_key over ranks, against std::stable_sort of the whole sequence.

#include "ranks.h"

namespace test {

template <class Executor, class Key, class Compare>
void check_sort(const Executor& executor, const shares& s, const std::vector<Key>& all, Compare compare) {
  const auto ranks = static_cast<int>(s.counts.size());
  if (!has_ranks(ranks)) return;
  std::vector<std::uint32_t> order = indices(all.size());
  std::stable_sort(order.begin(), order.end(), [&](auto x, auto y) { return compare(all[x], all[y]); });
  const auto sorted = taken(all, order);

  rooms<Executor, Key> keys(s), alone(s);
  rooms<Executor, std::uint32_t> values(s);
  for (int r = 0; r < ranks; ++r) {
    const auto part = part_of(all, s, r);
    const auto numbers = part_of(indices(all.size()), s, r);
    Executor::copy_in(keys[r].begin(), part.data(), part.size() * sizeof(Key));
    Executor::copy_in(alone[r].begin(), part.data(), part.size() * sizeof(Key));
    Executor::copy_in(values[r].begin(), numbers.data(), numbers.size() * sizeof(std::uint32_t));
  }
  in_ranks(executor, ranks, [&](const auto& everywhere, int r) {
    mgpu::stable_sort_by_key(everywhere, keys[r].begin(), keys[r].end(), values[r].begin(), compare);
    if constexpr (sizeof(Key) == 4) mgpu::stable_sort(everywhere, alone[r].begin(), alone[r].end(), compare);
  });
  CHECK(keys.have(sorted, s));
  CHECK(values.have(order, s));
  if constexpr (sizeof(Key) == 4) CHECK(alone.have(sorted, s));
}

template <class Key, class Compare>
void check_sorts(Compare compare, int most_ranks) {
  for_each_executor([&](const auto& executor) {
    unsigned seed = 0;
    for (const int ranks : rank_counts(most_ranks)) {
      for (const repeats how : all_repeats) {
        const auto ways = ways_to_share(ranks, 3001, ++seed);
        for (std::size_t i = 0; i < ways.size(); ++i) {
          if (is_left_out(seed, i)) continue;
          const shares& s = ways[i];
          INFO(ranks, " ranks, ", s.name, ", equal keys: ", name_of(how));
          check_sort(executor, s, keys<Key>(s.total(), how, seed), compare);
        }
      }
    }
  });
}

}  // namespace test
