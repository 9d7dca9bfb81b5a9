// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Every family by iterators of one kind, against the algorithms of std::.

#include "accessed.h"
#include "support/arrays.h"

#include <doctest/doctest.h>

#include <mgpu/mgpu.h>

#include <cuda/std/iterator>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace test {

/// A key and its value.
using row_of_two = std::pair<int, int>;
struct less_key {
  bool operator()(const row_of_two& x, const row_of_two& y) const { return x.first < y.first; }
};
inline std::vector<int> keys_of(const std::vector<row_of_two>& rows) {
  std::vector<int> result;
  for (const auto& row : rows) result.push_back(row.first);
  return result;
}
inline std::vector<int> values_of(const std::vector<row_of_two>& rows) {
  std::vector<int> result;
  for (const auto& row : rows) result.push_back(row.second);
  return result;
}

template <class Executor, class Access>
class every_family {
  using elements = accessed<Executor, Access>;
  using numbers = accessed<Executor, typename Access::numbers>;
  using rows = std::vector<row_of_two>;

 public:
  explicit every_family(Executor executor, int size) : executor_(executor) {
    std::mt19937 random(static_cast<unsigned>(size));
    const auto draw = [&](int count, int first) {
      std::vector<int> keys;
      for (int i = 0; i < count; ++i) keys.push_back(static_cast<int>(random() % static_cast<unsigned>(size + 1)));
      std::sort(keys.begin(), keys.end());
      rows result;
      for (const int key : keys) result.emplace_back(key, first + static_cast<int>(result.size()));
      return result;
    };
    a_ = draw(size, 0);
    b_ = draw(size / 2 + 1, size);
    unsorted_ = a_;
    for (auto& row : unsorted_) row.first = static_cast<int>(random() % static_cast<unsigned>(size + 1));
  }

  void check_merges() const {
    const elements a(keys_of(a_)), b(keys_of(b_)), a_values(values_of(a_)), b_values(values_of(b_));
    rows merged(a_.size() + b_.size());
    std::merge(a_.begin(), a_.end(), b_.begin(), b_.end(), merged.begin(), less_key{});
    const elements keys(merged.size()), values(merged.size()), alone(merged.size());
    const auto& p = executor_.policy();
    CHECK(mgpu::merge(p, a.begin(), a.end(), b.begin(), b.end(), alone.out()) - alone.out() == count_of(merged));
    CHECK(alone.holds(keys_of(merged)));
    mgpu::merge_by_key(p, a.begin(), a.end(), b.begin(), b.end(), a_values.begin(), b_values.begin(), keys.out(),
                       values.out());
    CHECK(keys.holds(keys_of(merged)));
    CHECK(values.holds(values_of(merged)));

    const elements runs(keys_of(joined_rows())), run_values(values_of(joined_rows()));
    const elements runs_out(merged.size()), both_out(merged.size()), values_out(merged.size());
    const numbers offsets({0, static_cast<int>(a_.size()), static_cast<int>(merged.size())});
    const mgpu::run_offsets two(offsets.begin(), 2);
    mgpu::merge_runs(p, runs.begin(), runs.end(), two, runs_out.out());
    CHECK(runs_out.holds(keys_of(merged)));
    mgpu::merge_runs_by_key(p, runs.begin(), runs.end(), run_values.begin(), two, both_out.out(), values_out.out());
    CHECK(both_out.holds(keys_of(merged)));
    CHECK(values_out.holds(values_of(merged)));

    const input<Executor, decltype(a.begin())> begins({a.begin(), b.begin()});
    const input<Executor, decltype(a.begin())> value_begins({a_values.begin(), b_values.begin()});
    const numbers lengths({static_cast<int>(a_.size()), static_cast<int>(b_.size())});
    const elements separate_out(merged.size()), separate_values_out(merged.size());
    const mgpu::run_ranges separate(begins.begin(), lengths.begin(), 2, count_of(merged));
    mgpu::merge_runs_by_key(p, separate, value_begins.begin(), separate_out.out(), separate_values_out.out());
    CHECK(separate_out.holds(keys_of(merged)));
    CHECK(separate_values_out.holds(values_of(merged)));
  }

  /// Runs so many that they are merged by several passes.
  void check_many_runs() const {
    const int count = static_cast<int>(unsorted_.size());
    auto runs = unsorted_;
    std::vector<int> offsets{0};
    for (int run = 0; run < 100; ++run) {
      offsets.push_back(static_cast<int>(offset{count} * (run + 1) / 100));
      std::stable_sort(runs.begin() + offsets[offsets.size() - 2], runs.begin() + offsets.back(), less_key{});
    }
    auto merged = runs;
    std::stable_sort(merged.begin(), merged.end(), less_key{});
    const elements in(keys_of(runs)), values(values_of(runs)), keys_out(runs.size()), values_out(runs.size());
    const numbers offsets_in(offsets);
    mgpu::merge_runs_by_key(executor_.policy(), in.begin(), in.end(), values.begin(),
                            mgpu::run_offsets(offsets_in.begin(), 100), keys_out.out(), values_out.out());
    CHECK(keys_out.holds(keys_of(merged)));
    CHECK(values_out.holds(values_of(merged)));
  }

  void check_set_operations() const {
    const elements a(keys_of(a_)), b(keys_of(b_)), a_values(values_of(a_)), b_values(values_of(b_));
    const auto& p = executor_.policy();
    const std::size_t room = a_.size() + b_.size();
    const auto check = [&](const auto& of_std, const auto& alone, const auto& by_key, const auto& into) {
      rows expected;
      of_std(a_.begin(), a_.end(), b_.begin(), b_.end(), std::back_inserter(expected), less_key{});
      const elements keys(room), values(room), keys_alone(room), keys_into(room);
      const output<Executor, offset> size(1);
      CHECK(alone(keys_alone.out()) - keys_alone.out() == count_of(expected));
      const auto ends = by_key(keys.out(), values.out());
      CHECK(ends.second - values.out() == count_of(expected));
      into(keys_into.out(), size.begin());
      CHECK(keys_alone.holds(keys_of(expected)));
      CHECK(keys_into.holds(keys_of(expected)));
      CHECK(keys.holds(keys_of(expected)));
      CHECK(values.holds(values_of(expected)));
      CHECK(size.read().front() == count_of(expected));
    };
#define CHECK_SET(operation, ...)                                                                                \
  check([](auto... x) { std::operation(x...); },                                                                 \
        [&](auto out) { return mgpu::operation(p, a.begin(), a.end(), b.begin(), b.end(), out); },               \
        [&](auto keys, auto values) {                                                                            \
          return mgpu::operation##_by_key(p, a.begin(), a.end(), b.begin(), b.end(), __VA_ARGS__, keys, values); \
        },                                                                                                       \
        [&](auto out, auto size) { mgpu::operation##_into(p, a.begin(), a.end(), b.begin(), b.end(), out, size); })
    CHECK_SET(set_union, a_values.begin(), b_values.begin());
    CHECK_SET(set_intersection, a_values.begin());
    CHECK_SET(set_difference, a_values.begin(), b_values.begin());
    CHECK_SET(set_symmetric_difference, a_values.begin(), b_values.begin());
#undef CHECK_SET
    CHECK(mgpu::set_union_size(p, a.begin(), a.end(), b.begin(), b.end()) <= static_cast<offset>(room));
  }

  void check_sorts() const {
    if constexpr (Access::is_sortable) {
      auto sorted = unsorted_;
      std::stable_sort(sorted.begin(), sorted.end(), less_key{});
      const auto& p = executor_.policy();
      const auto check = [&](const rows& expected, bool is_stable, const auto& sort) {
        const elements keys(keys_of(unsorted_)), values(values_of(unsorted_));
        sort(keys, values);
        CHECK(keys.holds(keys_of(expected)));
        if (is_stable) CHECK(values.holds(values_of(expected)));
      };
      const auto by_keys = [](const auto& f) {
        return [f](const elements& k, const elements& v) { f(k.begin(), k.end(), v.begin()); };
      };
      check(sorted, true, by_keys([&](auto k, auto end, auto v) { mgpu::stable_sort_by_key(p, k, end, v); }));
      check(sorted, true, by_keys([&](auto k, auto end, auto v) { mgpu::locality_sort_by_key(p, k, end, v); }));
      check(sorted, false, by_keys([&](auto k, auto end, auto v) { mgpu::odd_even_merge_sort_by_key(p, k, end, v); }));
      check(sorted, false, by_keys([&](auto k, auto end, auto) { mgpu::stable_sort(p, k, end); }));
      check_segments(by_keys, check);
    }
  }

  void check_intervals() const {
    const auto& p = executor_.policy();
    std::vector<int> counts, offsets, begins;
    int total = 0, in_reverse = 3 * static_cast<int>(a_.size());
    for (std::size_t i = 0; i < a_.size(); ++i) {
      counts.push_back(static_cast<int>(i % 7));
      offsets.push_back(total);
      total += counts.back();
      begins.push_back(in_reverse -= counts.back());
    }
    const int size = 3 * static_cast<int>(a_.size());
    std::vector<int> items(static_cast<std::size_t>(size)), expanded, gathered, scattered(items.size(), -7), searched;
    std::iota(items.begin(), items.end(), 5);
    for (std::size_t i = 0; i < counts.size(); ++i) {
      for (int rank = 0; rank < counts[i]; ++rank) {
        const auto place = static_cast<std::size_t>(begins[i] + rank);
        expanded.push_back(a_[i].first);
        gathered.push_back(items[place]);
        scattered[place] = items[searched.size()];
        searched.push_back(static_cast<int>(i));
      }
    }
    const auto room = static_cast<std::size_t>(total);
    const numbers counts_in(counts), offsets_in(offsets), begins_in(begins), searched_out(room);
    const elements values_in(keys_of(a_)), items_in(items), expanded_out(room), gathered_out(room);
    const elements scattered_out(items.size()), moved_out(items.size());
    const mgpu::interval_counts of_counts(counts_in.begin(), counts_in.end());
    const mgpu::interval_offsets of_offsets(offsets_in.begin(), static_cast<offset>(offsets.size()), offset{total});
    CHECK(mgpu::interval_expand(p, of_counts, values_in.begin(), expanded_out.out()) - expanded_out.out() == total);
    mgpu::interval_gather(p, of_offsets, begins_in.begin(), items_in.begin(), gathered_out.out());
    mgpu::interval_scatter(p, of_offsets, begins_in.begin(), items_in.begin(), scattered_out.out());
    mgpu::interval_move(p, of_counts, begins_in.begin(), begins_in.begin(), items_in.begin(), moved_out.out());
    mgpu::load_balance_search(p, of_offsets, searched_out.out());
    auto moved = items;
    for (std::size_t i = 0; i < items.size(); ++i) moved[i] = scattered[i] == -7 ? -7 : items[i];
    CHECK(expanded_out.holds(expanded));
    CHECK(gathered_out.holds(gathered));
    CHECK(scattered_out.holds(scattered));
    CHECK(moved_out.holds(moved));
    CHECK(searched_out.holds(searched));
  }

  void check_joins() const {
    const elements a(keys_of(a_)), b(keys_of(b_));
    const auto& p = executor_.policy();
    std::vector<int> bounds, left, right, semi, as_of;
    for (std::size_t i = 0; i < a_.size(); ++i) {
      const auto partners = std::equal_range(b_.begin(), b_.end(), a_[i], less_key{});
      bounds.push_back(static_cast<int>(partners.first - b_.begin()));
      as_of.push_back(static_cast<int>(partners.second - b_.begin()) - 1);
      if (partners.first != partners.second) semi.push_back(static_cast<int>(i));
      for (auto partner = partners.first; partner != partners.second; ++partner) {
        left.push_back(static_cast<int>(i));
        right.push_back(static_cast<int>(partner - b_.begin()));
      }
    }
    const numbers bounds_out(a_.size()), semi_out(a_.size()), as_of_out(a_.size());
    const numbers left_out(left.size()), right_out(left.size());
    mgpu::lower_bound_sorted_values(p, b.begin(), b.end(), a.begin(), a.end(), bounds_out.out());
    mgpu::semi_join(p, a.begin(), a.end(), b.begin(), b.end(), semi_out.out());
    mgpu::as_of_join(p, a.begin(), a.end(), b.begin(), b.end(), as_of_out.out(), mgpu::backward);
    const auto ends = mgpu::inner_join(p, a.begin(), a.end(), b.begin(), b.end(), left_out.out(), right_out.out());
    CHECK(ends.first - left_out.out() == static_cast<offset>(left.size()));
    CHECK(bounds_out.holds(bounds));
    CHECK(semi_out.holds(semi));
    CHECK(as_of_out.holds(as_of));
    CHECK(left_out.holds(left));
    CHECK(right_out.holds(right));
  }

  /// What is merged, and the rest.
  template <bool merges, bool others>
  void check() const {
    if constexpr (merges) {
      check_merges();
      check_many_runs();
      check_set_operations();
    }
    if constexpr (others) {
      check_sorts();
      check_intervals();
      check_joins();
    }
  }

 private:
  static offset count_of(const rows& x) { return static_cast<offset>(x.size()); }
  rows joined_rows() const {
    auto result = a_;
    result.insert(result.end(), b_.begin(), b_.end());
    return result;
  }

  template <class ByKeys, class Check>
  void check_segments(const ByKeys& by_keys, const Check& check) const {
    const auto& p = executor_.policy();
    auto expected = unsorted_;
    std::vector<int> begins;
    for (std::size_t begin = 0, length = 1; begin < expected.size(); begin += length, length = length * 3 % 1000 + 1) {
      begins.push_back(static_cast<int>(begin));
      const auto first = expected.begin() + static_cast<offset>(begin);
      std::stable_sort(first, first + static_cast<offset>(std::min(length, expected.size() - begin)), less_key{});
    }
    const auto segments_count = static_cast<offset>(begins.size());
    begins.push_back(static_cast<int>(expected.size()));
    const numbers positions(begins);
    const mgpu::segment_offsets segments(positions.begin(), segments_count);
    check(expected, true,
          by_keys([&](auto k, auto end, auto v) { mgpu::stable_segmented_sort_by_key(p, k, end, v, segments); }));
    check(expected, false, by_keys([&](auto k, auto end, auto) { mgpu::segmented_sort(p, k, end, segments); }));
  }

  Executor executor_;
  rows a_, b_, unsorted_;
};

/// Calls functions by iterators of an access, on arrays of one and of several tiles.
template <class Access, bool merges = true, bool others = true>
void check_every_family() {
  for_each_executor([](auto executor) {
    for (const int size : {1, 500, takes_few_cases() ? 7'000 : 30'000}) {
      INFO(executor.name, ", ", size, " elements");
      every_family<decltype(executor), Access>(executor, size).template check<merges, others>();
    }
  });
}

}  // namespace test
