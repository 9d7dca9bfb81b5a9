// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What users' types may do: comparators that answer with any type, or change when they are called; keys with operators
// of their own; functions beside them that are named like the library's.
#include "support/arrays.h"

#include <doctest/doctest.h>

#include <mgpu/mgpu.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace user {

// Each takes anything, and better than the library's function does. A call that finds one does not compile.
#define TAKE_OVER(name) \
  template <class... T> \
  void name(T&&...) = delete;
TAKE_OVER(are_consistent)
TAKE_OVER(are_bad_runs)
TAKE_OVER(call)
TAKE_OVER(check_not_null)
TAKE_OVER(check_runs)
TAKE_OVER(check_set_inputs)
TAKE_OVER(checked_count)
TAKE_OVER(choose)
TAKE_OVER(construct)
TAKE_OVER(copy_both)
TAKE_OVER(copy_ends)
TAKE_OVER(copy_range)
TAKE_OVER(cut_ways)
TAKE_OVER(exchange_if)
TAKE_OVER(exclusive_scan_of)
TAKE_OVER(expand_intervals)
TAKE_OVER(host_tile)
TAKE_OVER(last_border)
TAKE_OVER(launch)
TAKE_OVER(merge)
TAKE_OVER(merge_by_key)
TAKE_OVER(merge_array_runs)
TAKE_OVER(merge_checked_runs)
TAKE_OVER(merge_runs)
TAKE_OVER(merge_runs_by_key)
TAKE_OVER(move_intervals)
TAKE_OVER(move_sink)
TAKE_OVER(mutable_policy)
TAKE_OVER(partition_point)
TAKE_OVER(partition_point_around)
TAKE_OVER(partition_point_from_end)
TAKE_OVER(partition_point_near)
TAKE_OVER(prefetch)
TAKE_OVER(put_in_order)
TAKE_OVER(segment_offsets)
TAKE_OVER(host_copy)
TAKE_OVER(host_fill)
TAKE_OVER(set_core_of)
TAKE_OVER(set_union)
TAKE_OVER(sort_checked)
TAKE_OVER(tile_diagonal)
TAKE_OVER(tile_range)
TAKE_OVER(tiling_of_sort)
TAKE_OVER(register_merge)
TAKE_OVER(register_set_operation)
TAKE_OVER(unwrap)
TAKE_OVER(visit_intervals)
TAKE_OVER(warp_partition_point)
TAKE_OVER(warp_partition_point_around)
TAKE_OVER(widest_of)
TAKE_OVER(with_offsets)
TAKE_OVER(with_segments)
TAKE_OVER(with_width)
#undef TAKE_OVER

/// Lives where it is told to: nobody may make one by new, take its address by & or put it before a comma.
template <class T>
struct item {
  T x;

  static void* operator new(std::size_t) = delete;
  static void* operator new(std::size_t, void*) = delete;
  void operator&() const = delete;
  template <class Other>
  void operator,(Other&&) const = delete;
};
template <class T, class Other>
void operator,(Other&&, const item<T>&) = delete;

/// True where bit 1 or bit 40 is, and never 1.
template <class Answer>
constexpr Answer yes = Answer{1} << (sizeof(Answer) == 8 ? 40 : 1);

/// An answer that can be asked, and nothing else.
struct answer {
  bool value;
  MGPU_HOST_DEVICE explicit operator bool() const { return value; }
  void operator!() const = delete;
  template <class T>
  void operator&(T&&) const = delete;
  template <class T>
  void operator&&(T&&) const = delete;
};

template <class Answer>
struct less {
  template <class T>
  MGPU_HOST_DEVICE Answer operator()(const item<T>& a, const item<T>& b) const {
    return a.x < b.x ? yes<Answer> : Answer{0};
  }
};
template <>
struct less<answer> {
  template <class T>
  MGPU_HOST_DEVICE answer operator()(const item<T>& a, const item<T>& b) const {
    return {a.x < b.x};
  }
};

/// Counts its calls, which only a comparator that may change can do.
struct changing_less {
  int calls = 0;
  template <class T>
  MGPU_HOST_DEVICE bool operator()(const item<T>& a, const item<T>& b) {
    ++calls;
    return a.x < b.x;
  }
};

}  // namespace user

namespace {

using namespace test;
using value = user::item<std::int64_t>;

struct less_x {
  template <class T>
  bool operator()(const user::item<T>& a, const user::item<T>& b) const {
    return a.x < b.x;
  }
};

template <class Key>
std::vector<Key> random_keys(int count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Key> keys(static_cast<std::size_t>(count));
  for (auto& key : keys) key.x = static_cast<decltype(key.x)>(std::uniform_int_distribution<int>(0, count / 3)(random));
  return keys;
}
template <class Key>
std::vector<Key> sorted_keys(int count, unsigned seed) {
  auto keys = random_keys<Key>(count, seed);
  std::sort(keys.begin(), keys.end(), less_x{});
  return keys;
}
std::vector<value> numbered(int count, std::int64_t first) {
  std::vector<value> values(static_cast<std::size_t>(count));
  for (auto& v : values) v.x = first++;
  return values;
}

/// Whether two sequences are the same element by element.
template <class Key>
bool same(const std::vector<Key>& a, const std::vector<Key>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Key& x, const Key& y) { return x.x == y.x; });
}

const int a_count = takes_few_cases()  ? 9001
                    : has_large_arrays ? 70001
                                       : 30001,
          b_count = takes_few_cases()  ? 6007
                    : has_large_arrays ? 50021
                                       : 20021;

template <class Executor, class Key, class Compare>
void check_merge(Executor executor, const Compare& compare) {
  const auto a = sorted_keys<Key>(a_count, 1), b = sorted_keys<Key>(b_count, 2);
  std::vector<Key> merged(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), merged.begin(), less_x{});
  const input<Executor, Key> a_in(a), b_in(b);
  const input<Executor, value> a_values(numbered(a_count, 0)), b_values(numbered(b_count, a_count));
  const output<Executor, Key> keys(a_count + b_count), keys_alone(a_count + b_count);
  const output<Executor, value> values(a_count + b_count);
  mgpu::merge(executor.policy(), a_in.begin(), a_in.end(), b_in.begin(), b_in.end(), keys_alone.begin(), compare);
  CHECK(same(keys_alone.read(), merged));
  mgpu::merge_by_key(executor.policy(), a_in.begin(), a_in.end(), b_in.begin(), b_in.end(), a_values.begin(),
                     b_values.begin(), keys.begin(), values.begin(), compare);
  CHECK(same(keys.read(), merged));
  auto numbers = values.read();
  std::sort(numbers.begin(), numbers.end(), less_x{});
  CHECK(same(numbers, numbered(a_count + b_count, 0)));
}

/// One pass of runs, and several.
template <class Executor, class Key, class Compare>
void check_runs(Executor executor, const Compare& compare) {
  for (const int runs : {5, 300}) {
    auto keys = random_keys<Key>(a_count, 7);
    std::vector<offset> offsets;
    for (offset i = 0; i <= runs; ++i) offsets.push_back(i * a_count / runs);
    for (int i = 0; i < runs; ++i) std::sort(keys.begin() + offsets[i], keys.begin() + offsets[i + 1], less_x{});
    auto merged = keys;
    std::stable_sort(merged.begin(), merged.end(), less_x{});
    const input<Executor, Key> in(keys);
    const input<Executor, value> values(numbered(a_count, 0));
    const input<Executor, offset> offsets_in(offsets);
    const output<Executor, Key> keys_out(a_count);
    const output<Executor, value> values_out(a_count);
    mgpu::merge_runs_by_key(executor.policy(), in.begin(), in.end(), values.begin(),
                            mgpu::run_offsets(offsets_in.begin(), runs), keys_out.begin(), values_out.begin(), compare);
    CHECK(same(keys_out.read(), merged));
    auto numbers = values_out.read();
    std::sort(numbers.begin(), numbers.end(), less_x{});
    CHECK(same(numbers, numbered(a_count, 0)));
  }
}

template <class Executor, class Key, class Compare>
void check_sets(Executor executor, const Compare& compare) {
  const auto a = sorted_keys<Key>(a_count, 3), b = sorted_keys<Key>(b_count, 4);
  const input<Executor, Key> a_in(a), b_in(b);
  const input<Executor, value> a_values(numbered(a_count, 0)), b_values(numbered(b_count, a_count));
  const auto check = [&](const auto& of_host, const auto& keys_alone, const auto& by_key, const auto& size) {
    std::vector<Key> expected(a.size() + b.size());
    expected.erase(of_host(expected.begin()), expected.end());
    const auto count = static_cast<offset>(expected.size());
    const output<Executor, Key> alone_out(a_count + b_count), keys_out(a_count + b_count);
    const output<Executor, value> values_out(a_count + b_count);
    CHECK(keys_alone(alone_out.begin()) - alone_out.begin() == count);
    CHECK(by_key(keys_out.begin(), values_out.begin()).first - keys_out.begin() == count);
    CHECK(size() == count);
    for (auto keys : {alone_out.read(), keys_out.read()}) {
      keys.resize(expected.size());
      CHECK(same(keys, expected));
    }
  };
#define CHECK_SET(operation, ...)                                                                                      \
  check([&](auto out) { return std::operation(a.begin(), a.end(), b.begin(), b.end(), out, less_x{}); },               \
        [&](auto out) {                                                                                                \
          return mgpu::operation(executor.policy(), a_in.begin(), a_in.end(), b_in.begin(), b_in.end(), out, compare); \
        },                                                                                                             \
        [&](auto keys, auto values) {                                                                                  \
          return mgpu::operation##_by_key(executor.policy(), a_in.begin(), a_in.end(), b_in.begin(), b_in.end(),       \
                                          __VA_ARGS__, keys, values, compare);                                         \
        },                                                                                                             \
        [&] {                                                                                                          \
          return mgpu::operation##_size(executor.policy(), a_in.begin(), a_in.end(), b_in.begin(), b_in.end(),         \
                                        compare);                                                                      \
        })
  CHECK_SET(set_union, a_values.begin(), b_values.begin());
  CHECK_SET(set_intersection, a_values.begin());
  CHECK_SET(set_difference, a_values.begin(), b_values.begin());
  CHECK_SET(set_symmetric_difference, a_values.begin(), b_values.begin());
#undef CHECK_SET
}

template <class Executor, class Key, class Compare>
void check_sorts(Executor executor, const Compare& compare) {
  const auto keys = random_keys<Key>(a_count, 5);
  auto sorted = keys;
  std::stable_sort(sorted.begin(), sorted.end(), less_x{});
  const auto check = [&](const auto& sort, const auto& sort_by_key) {
    const input<Executor, Key> alone(keys), paired(keys);
    const input<Executor, value> values(numbered(a_count, 0));
    sort(alone.begin(), alone.end());
    sort_by_key(paired.begin(), paired.end(), values.begin());
    for (const auto* const sorted_keys : {&alone, &paired}) {
      std::vector<Key> result(keys.size());
      Executor::copy_out(result.data(), sorted_keys->begin(), keys.size() * sizeof(Key));
      CHECK(same(result, sorted));
    }
    auto numbers = numbered(a_count, 0);
    Executor::copy_out(numbers.data(), values.begin(), numbers.size() * sizeof(value));
    CHECK(std::all_of(numbers.begin(), numbers.end(), [&, i = std::size_t{0}](const value& v) mutable {
      return keys[static_cast<std::size_t>(v.x)].x == sorted[i++].x;
    }));
  };
  const auto& p = executor.policy();
  check([&](auto first, auto last) { mgpu::locality_sort(p, first, last, compare); },
        [&](auto first, auto last, auto v) { mgpu::locality_sort_by_key(p, first, last, v, compare); });
  check([&](auto first, auto last) { mgpu::odd_even_merge_sort(p, first, last, compare); },
        [&](auto first, auto last, auto v) { mgpu::odd_even_merge_sort_by_key(p, first, last, v, compare); });
  const input<Executor, int> offsets({0, a_count});
  const mgpu::segment_offsets whole(offsets.begin(), 1);
  check([&](auto first, auto last) { mgpu::segmented_sort(p, first, last, whole, compare); },
        [&](auto first, auto last, auto v) { mgpu::stable_segmented_sort_by_key(p, first, last, v, whole, compare); });
}

template <class Executor, class Key>
void check_intervals(Executor executor) {
  constexpr int intervals = 1000, length = 37, total = intervals * length;
  std::vector<int> counts(intervals, length), begins(intervals);
  for (int i = 0; i < intervals; ++i) begins[static_cast<std::size_t>(i)] = (intervals - 1 - i) * length;
  const auto keys = random_keys<Key>(total, 6);
  const input<Executor, int> counts_in(counts), begins_in(begins);
  const input<Executor, Key> keys_in(keys);
  const output<Executor, Key> expanded(total), gathered(total), moved(total);
  const auto& p = executor.policy();
  const mgpu::interval_counts of_length(counts_in.begin(), counts_in.end());
  mgpu::interval_expand(p, of_length, keys_in.begin(), expanded.begin());
  mgpu::interval_gather(p, of_length, begins_in.begin(), keys_in.begin(), gathered.begin());
  mgpu::interval_move(p, of_length, begins_in.begin(), begins_in.begin(), keys_in.begin(), moved.begin());
  const auto all_expanded = expanded.read(), all_gathered = gathered.read();
  for (std::size_t i = 0; i < total; ++i) {
    if (all_expanded[i].x != keys[i / length].x) FAIL_CHECK("expanded item ", i);
    if (all_gathered[i].x != keys[static_cast<std::size_t>(begins[i / length]) + i % length].x) FAIL_CHECK("item ", i);
  }
  CHECK(same(moved.read(), keys));
}

template <class Key, class Compare>
void check_compare(const Compare& compare) {
  for_each_executor([&](auto executor) {
    INFO(executor.name);
    using executor_type = decltype(executor);
    check_merge<executor_type, Key>(executor, compare);
    check_sets<executor_type, Key>(executor, compare);
    check_sorts<executor_type, Key>(executor, compare);
  });
}

/// The true ones of `long long` have a low half of 0.
TEST_CASE_TEMPLATE("comparators answer by a number that is true and not 1", Answer, long long MGPU_TEST_MORE(int)) {
  check_compare<user::item<std::uint32_t>>(user::less<Answer>{});
}

TEST_CASE("comparators answer by an object that converts to bool") {
  check_compare<user::item<double>>(user::less<user::answer>{});
}

TEST_CASE("comparators change when they are called") {
  check_compare<user::item<std::uint32_t>>(user::changing_less{});
}

TEST_CASE("runs of keys with operators of their own") {
  for_each_executor(
      [](auto executor) { check_runs<decltype(executor), user::item<double>>(executor, user::less<user::answer>{}); });
}

TEST_CASE("intervals of keys with operators of their own") {
  for_each_executor([](auto executor) { check_intervals<decltype(executor), user::item<std::uint32_t>>(executor); });
}

}  // namespace
