// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Runs of every shape, and a merge of them on an executor, compared with a stable sort of all elements.

#include "support/arrays.h"
#include "support/keys.h"

#include <doctest/doctest.h>

#include <mgpu/merge_runs.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <type_traits>
#include <vector>

namespace test {

/// How elements are divided among runs.
enum class division {
  equal,
  random,       // some runs are short, a few empty
  one_half,     // one run has half of the elements
  one_all,      // one run has all
  last_all,     // the last one has
  mostly_empty  // nine of ten runs are empty
};

inline constexpr division all_divisions[] = {division::equal,   division::random,   division::one_half,
                                             division::one_all, division::last_all, division::mostly_empty};

/// The offsets of `runs` runs with `count` elements in all: runs + 1 of them.
inline std::vector<offset> divided(division d, int runs, int count, std::mt19937& random) {
  std::vector<offset> offsets(static_cast<std::size_t>(runs) + 1, 0);
  if (runs == 0) return offsets;
  std::vector<double> weights(static_cast<std::size_t>(runs), 1);
  for (int i = 0; i < runs; ++i) {
    auto& w = weights[static_cast<std::size_t>(i)];
    const bool is_chosen = i == (d == division::last_all ? runs - 1 : runs / 3);
    if (d == division::random) w = std::uniform_real_distribution<double>(0, 1)(random);
    if (d == division::one_half) w = is_chosen ? runs : 1;
    if (d == division::one_all || d == division::last_all) w = is_chosen ? 1 : 0;
    if (d == division::mostly_empty) w = i % 10 == 0 ? 1 : 0;
  }
  const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
  double sum = 0;
  for (int i = 0; i < runs; ++i) {
    sum += weights[static_cast<std::size_t>(i)];
    offsets[static_cast<std::size_t>(i) + 1] = static_cast<offset>(sum / all * count);
  }
  offsets.back() = count;
  if (d == division::mostly_empty || d == division::one_all) {
    // What rounding has left to a last run of no weight goes to the one before.
    for (int i = runs - 1; i > 0 && weights[static_cast<std::size_t>(i)] == 0; --i) offsets[i] = count;
  }
  return offsets;
}

/// How the keys of runs lie to each other.
enum class layout {
  random,
  few_keys,
  all_equal,
  ascending,    // each run behind the one before
  descending,   // each run before the one before
  interleaved,  // element i of every run before element i + 1 of any
  stretches     // equal keys in stretches of a length that fits no tile
};

inline constexpr layout all_layouts[] = {layout::random,     layout::few_keys,    layout::all_equal, layout::ascending,
                                         layout::descending, layout::interleaved, layout::stretches};

/// The ranks, in [0, rank_count), of all elements of runs, each run ascending.
inline std::vector<int> ranks_of_runs(layout l, const std::vector<offset>& offsets, int rank_count,
                                      std::mt19937& random) {
  const auto runs = static_cast<offset>(offsets.size()) - 1;
  std::vector<int> ranks(static_cast<std::size_t>(offsets.back()));
  for (offset r = 0; r < runs; ++r) {
    const offset begin = offsets[r], end = offsets[r + 1];
    const int low = static_cast<int>(r * (rank_count - 1) / runs),
              high = static_cast<int>((r + 1) * (rank_count - 1) / runs);
    for (offset i = begin; i < end; ++i) {
      const auto draw = [&](int from, int to) { return std::uniform_int_distribution<int>(from, to)(random); };
      const auto in_run = static_cast<int>(i - begin);
      switch (l) {
        case layout::random:
          ranks[i] = draw(0, rank_count - 1);
          break;
        case layout::few_keys:
          ranks[i] = rank_count / 2 + draw(0, 4);
          break;
        case layout::all_equal:
          ranks[i] = rank_count / 2;
          break;
        case layout::ascending:
          ranks[i] = draw(low, high);
          break;
        case layout::descending:
          ranks[i] = rank_count - 1 - draw(low, high);
          break;
        case layout::interleaved:
          ranks[i] = static_cast<int>(std::min<offset>(in_run * runs + r, rank_count - 1));
          break;
        case layout::stretches:
          ranks[i] = std::min(in_run / (997 + static_cast<int>(r % 7)), rank_count - 1);
          break;
      }
    }
    std::sort(ranks.begin() + begin, ranks.begin() + end);
  }
  return ranks;
}

/// Keys of runs; the origin of a key is its number in the array.
template <class Key>
std::vector<Key> keys_of_runs(layout l, const std::vector<offset>& offsets, std::mt19937& random) {
  const auto sorted = ranks_of_runs(l, offsets, ranks<Key>, random);
  std::vector<Key> keys;
  keys.reserve(sorted.size());
  for (std::size_t i = 0; i < sorted.size(); ++i) keys.push_back(make_key<Key>(sorted[i], static_cast<int>(i)));
  return keys;
}

/// The numbers of the elements in the order of the stable merge: a stable sort of runs that lie one behind the other.
template <class Key, class Compare>
std::vector<int> merged_runs_order(const std::vector<Key>& keys, const Compare& compare) {
  std::vector<int> order(keys.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int x, int y) { return compare(keys[x], keys[y]); });
  return order;
}

template <class T>
std::vector<T> in_order_of(const std::vector<int>& order, const std::vector<T>& x) {
  std::vector<T> result;
  result.reserve(order.size());
  for (const int i : order) result.push_back(x[static_cast<std::size_t>(i)]);
  return result;
}

/// Runs as `keys` and `offsets` have them, given by beginnings and lengths, in the executor's memory.
template <class Executor, class T>
struct separate {
  std::vector<const T*> begins_here;
  std::vector<int> lengths_here;
  input<Executor, const T*> begins;
  input<Executor, int> lengths;

  separate(const T* first, const std::vector<offset>& offsets)
      : begins_here(begins_of(first, offsets)),
        lengths_here(lengths_of_runs(offsets)),
        begins(begins_here),
        lengths(lengths_here) {}

 private:
  static std::vector<const T*> begins_of(const T* first, const std::vector<offset>& offsets) {
    std::vector<const T*> result;
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i) result.push_back(first + offsets[i]);
    return result;
  }
  static std::vector<int> lengths_of_runs(const std::vector<offset>& offsets) {
    std::vector<int> result;
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i)
      result.push_back(static_cast<int>(offsets[i + 1] - offsets[i]));
    return result;
  }
};

/// Merges runs on an executor, as an array or, if is_separate, as arrays, and compares everything with a stable sort.
template <bool is_separate, class Executor, class Key, class Compare>
void check_merge_runs(Executor executor, const std::vector<Key>& keys, const std::vector<offset>& offsets,
                      const Compare& compare, int skipped = 0) {
  const auto expected = in_order_of(merged_runs_order(keys, compare), keys);
  const auto runs = static_cast<offset>(offsets.size()) - 1;
  const input<Executor, Key> in(keys, skipped % 4);
  const output<Executor, Key> out(static_cast<offset>(keys.size()), skipped / 4 % 4);
  const Key* const first = in.begin();
  const Key* end;
  if constexpr (is_separate) {
    const separate<Executor, Key> s(first, offsets);
    const mgpu::run_ranges ranges(s.begins.begin(), s.lengths.begin(), runs, offsets.back());
    end = mgpu::merge_runs(executor.policy(), ranges, out.begin(), compare);
  } else {
    const input<Executor, offset> offsets_in(offsets);
    end = mgpu::merge_runs(executor.policy(), first, first + keys.size(), mgpu::run_offsets(offsets_in.begin(), runs),
                           out.begin(), compare);
    CHECK(offsets_in.unchanged());
  }
  CHECK(end == out.end());
  CHECK(out.first_difference(expected) == -1);
  CHECK(in.unchanged());
}

template <bool is_separate, class Value, class Executor, class Key, class Compare>
void check_merge_runs_by_key(Executor executor, const std::vector<Key>& keys, const std::vector<Value>& values,
                             const std::vector<offset>& offsets, const Compare& compare, int skipped = 0) {
  const auto order = merged_runs_order(keys, compare);
  const auto count = static_cast<offset>(keys.size()), runs = static_cast<offset>(offsets.size()) - 1;
  const input<Executor, Key> in(keys, skipped % 4);
  const input<Executor, Value> values_in(values, (skipped + 1) % 4);
  const output<Executor, Key> keys_out(count, skipped / 4 % 4);
  const output<Executor, Value> values_out(count, (skipped + 3) % 4);
  const Key* const first = in.begin();
  const Value* const first_value = values_in.begin();
  cuda::std::pair<Key*, Value*> ends;
  if constexpr (is_separate) {
    const separate<Executor, Key> s(first, offsets);
    const separate<Executor, Value> s_values(first_value, offsets);
    const mgpu::run_ranges ranges(s.begins.begin(), s.lengths.begin(), runs, count);
    ends = mgpu::merge_runs_by_key(executor.policy(), ranges, s_values.begins.begin(), keys_out.begin(),
                                   values_out.begin(), compare);
  } else {
    const input<Executor, offset> offsets_in(offsets);
    ends = mgpu::merge_runs_by_key(executor.policy(), first, first + count, first_value,
                                   mgpu::run_offsets(offsets_in.begin(), runs), keys_out.begin(), values_out.begin(),
                                   compare);
    CHECK(offsets_in.unchanged());
  }
  CHECK(ends.first == keys_out.end());
  CHECK(ends.second == values_out.end());
  CHECK(keys_out.first_difference(in_order_of(order, keys)) == -1);
  CHECK(values_out.first_difference(in_order_of(order, values)) == -1);
  CHECK(in.unchanged());
  CHECK(values_in.unchanged());
}

/// The core of a pass of at most `ways` runs that mgpu::merge_runs or merge_runs_by_key makes of raw pointers.
template <int ways, class Key, class Value, class Compare = cuda::std::less<>>
struct runs_core_of {
  using type =
      mgpu::detail::core::merge_runs<ways, mgpu::detail::core::array_runs<const Key*, const Value*, const offset*>,
                                     Key*, Value*, mgpu::detail::base::order<Compare>>;
};
template <int ways, class Key, class Compare>
struct runs_core_of<ways, Key, void, Compare> {
  using no_values = mgpu::detail::base::no_values;
  using type =
      mgpu::detail::core::merge_runs<ways, mgpu::detail::core::array_runs<const Key*, no_values, const offset*>, Key*,
                                     no_values, mgpu::detail::base::order<Compare>>;
};

/// The widest passes of the first executor.
using pass_widths =
    std::conditional_t<mgpu::detail::exec::executor_of<std::remove_const_t<
                           std::remove_reference_t<decltype(first_executor::policy())>>>::has_shared_memory,
                       mgpu::detail::tuning::merge_runs_widths, mgpu::detail::tuning::merge_runs_host_widths>;
inline constexpr int widest_pass = mgpu::detail::plan::widest_of(pass_widths{});

/// Elements of a tile of the widest pass.
template <class Key, class Value>
int runs_tile() {
  return first_executor::items_per_tile<typename runs_core_of<widest_pass, Key, Value>::type>();
}

/// The types of a call, whether the runs are arrays of their own, and the order of the keys. Value is void for keys
/// only.
template <class Key, class Value = void, bool is_separate = false, class Compare = cuda::std::less<>>
struct runs_types {
  using key = Key;
  using value = Value;
  using compare = Compare;
  static constexpr bool separate = is_separate;
};

/// Checks one call on every executor. The number draws the data and takes ranges off their alignment.
template <class Types>
void check_runs(int runs, int count, division d, layout l, int number) {
  using value = typename Types::value;
  std::mt19937 random(static_cast<unsigned>(number));
  const auto offsets = divided(d, runs, count, random);
  const auto keys = keys_of_runs<typename Types::key>(l, offsets, random);
  const typename Types::compare compare;
  for_each_executor([&](auto executor) {
    INFO(executor.name, ", ", runs, " runs, ", count, " elements, division ", static_cast<int>(d), ", layout ",
         static_cast<int>(l), ", number ", number);
    if constexpr (std::is_void_v<value>) {
      check_merge_runs<Types::separate>(executor, keys, offsets, compare, number);
    } else {
      std::vector<value> values;
      for (int i = 0; i < count; ++i) values.push_back(make_value<value>(i));
      check_merge_runs_by_key<Types::separate>(executor, keys, values, offsets, compare, number);
    }
  });
}

/// Checks numbers of runs around the widths of passes, divisions among runs, and sizes around the tile's.
template <class Types>
void check_all_runs() {
  const int tile = runs_tile<typename Types::key, typename Types::value>();
  int number = 0;
  for (const int runs : {1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 31, 32, 33, 63, 64, 65, 200}) {
    for (const int count : {0, 1, 33, 1000, tile - 1, tile, tile + 1, 3 * tile + 17}) {
      ++number;
      if (takes_few_cases() && number % 7 != 0) continue;
      check_runs<Types>(runs, count, all_divisions[number % 6], all_layouts[number % 7], number);
    }
  }
  for (const division d : all_divisions) {
    for (const layout l : all_layouts) {
      if (++number % (takes_few_cases() ? 9 : 2) != 0) continue;
      check_runs<Types>(8, 2 * tile + 333, d, l, number);
      check_runs<Types>(widest_pass + 5, 2 * tile + 333, d, l, number + 1);
    }
  }
}

}  // namespace test
