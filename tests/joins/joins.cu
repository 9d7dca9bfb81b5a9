// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The joins beside their definition: short sequences, distributions, runs longer than a tile, rows of two types, any
// iterators, capacities.
#include "check_joins.h"
#include "support/arrays.h"
#include "support/orders.h"
#include "support/patterns.h"
#include "support/sequences.h"

#include <mgpu/join.h>

#include <doctest/doctest.h>

#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/reverse_iterator.h>

#include <limits>
#include <stdexcept>
#include <utility>

namespace {

using namespace test;

/// Semi, anti and as-of joins.
template <class Executor, class Key>
void check_filters(Executor executor, const std::vector<Key>& a, const std::vector<Key>& b) {
  INFO(executor.name, ", ", a.size(), " and ", b.size(), " rows");
  const std::less<> compare;
  const input<Executor, Key> left_in(a), right_in(b);
  const Key *const l = left_in.begin(), *const r = right_in.begin();
  const Key *const l_end = l + a.size(), *const r_end = r + b.size();
  const auto room = static_cast<offset>(a.size());
  const auto& p = executor.policy();
  const output<Executor, int> semi(room), anti(room), backward(room), forward(room);
  const auto with = filtered<int>(a, b, compare, true), without = filtered<int>(a, b, compare, false);
  CHECK(mgpu::semi_join(p, l, l_end, r, r_end, semi.begin()) - semi.begin() == static_cast<offset>(with.size()));
  CHECK(mgpu::anti_join(p, l, l_end, r, r_end, anti.begin()) - anti.begin() == static_cast<offset>(without.size()));
  CHECK(semi.first_difference(with) == -1);
  CHECK(anti.first_difference(without) == -1);
  CHECK(mgpu::as_of_join(p, l, l_end, r, r_end, backward.begin(), mgpu::backward) == backward.end());
  CHECK(mgpu::as_of_join(p, l, l_end, r, r_end, forward.begin(), mgpu::forward) == forward.end());
  const auto always = [](const Key&, const Key&) { return true; };
  CHECK(backward.first_difference(as_of_rows<int>(a, b, compare, always, false)) == -1);
  CHECK(forward.first_difference(as_of_rows<int>(a, b, compare, always, true)) == -1);
}

TEST_CASE("joins of every pair of short sequences") {
  for_each_executor([](auto executor) {
    // Each case takes memory for twenty arrays, which is slow on the GPU.
    const int step = takes_few_cases() || executor.name == "cuda" ? 50 : 3;
    int number = 0;
    for_each_pair_of_sorted_sequences([&](const std::vector<int>& a, const std::vector<int>& b) {
      if (++number % step != 0) return;
      check_join<full>(executor, a, b, cuda::std::less<>{});
      if (number % 2 == 0) check_join<left>(executor, a, b, cuda::std::less<>{});
      else check_join<inner>(executor, a, b, cuda::std::less<>{});
      check_filters(executor, a, b);
    });
  });
}

TEST_CASE("joins of some tiles of rows") {
  for_each_executor([](auto executor) {
    std::mt19937 random(1);
    for (const pattern p : all_patterns) {
      if (p == pattern::all_equal || p == pattern::few_keys || p == pattern::runs) continue;
      const auto a = sorted_ranks(p, 0, 70'001, 120'001, 1 << 16, random);
      const auto b = sorted_ranks(p, 1, 50'000, 120'001, 1 << 16, random);
      check_join<inner>(executor, a, b, cuda::std::less<>{});
      check_join<left>(executor, a, b, cuda::std::less<>{});
      check_join<full>(executor, a, b, cuda::std::less<>{});
      check_filters(executor, a, b);
    }
  });
}

TEST_CASE("runs of equal rows longer than a tile, on either side") {
  for_each_executor([](auto executor) {
    const auto runs_of = [](int few, int many) {
      std::vector<int> rows(static_cast<std::size_t>(few), 1);
      rows.insert(rows.end(), static_cast<std::size_t>(many), 2);
      rows.push_back(4);
      return rows;
    };
    check_join<inner>(executor, runs_of(3, 20), runs_of(40'000, 3'000), cuda::std::less<>{});
    check_join<full>(executor, runs_of(40'000, 30), runs_of(2, 4'000), cuda::std::less<>{});
    check_join<left>(executor, runs_of(500, 0), runs_of(700, 50'000), cuda::std::less<>{});
    check_filters(executor, runs_of(3, 40'000), runs_of(20'000, 20'000));
  });
}

TEST_CASE("rows of two types, and outputs of any iterator") {
  for_each_executor([](auto executor) {
    INFO(executor.name);
    using executor_type = decltype(executor);
    std::mt19937 random(3);
    auto ids = random_keys<int>(3'011, -900, 900, random);
    auto numbers = random_keys<std::int16_t>(1'973, -1'000, 1'000, random);
    std::sort(ids.begin(), ids.end());
    std::sort(numbers.begin(), numbers.end());
    std::vector<record> records;
    for (const int id : ids) records.push_back({id, {}});
    check_join<full>(executor, records, numbers, less_by_id{});

    const auto expected = join_by_definition<std::uint8_t>(records, numbers, less_by_id{}, kept_rows::left);
    const auto size = static_cast<offset>(expected.left.size());
    const input<executor_type, record> l(records);
    const input<executor_type, std::int16_t> r(numbers);
    const output<executor_type, std::uint8_t> backwards(size);
    const auto reversed = thrust::make_reverse_iterator(backwards.end());
    const auto ends = mgpu::left_join(executor.policy(), l.begin(), l.end(), r.begin(), r.end(),
                                      thrust::discard_iterator<>(), reversed, less_by_id{});
    CHECK(ends.second - reversed == size);
    CHECK(backwards.first_difference({expected.right.rbegin(), expected.right.rend()}) == -1);
  });
}

/// Rows of a group in which time passes.
struct event {
  int group, time;
};
struct is_earlier {
  MGPU_HOST_DEVICE bool operator()(const event& x, const event& y) const {
    return x.group < y.group || (x.group == y.group && x.time < y.time);
  }
};
struct is_near {
  int tolerance;
  MGPU_HOST_DEVICE bool operator()(const event& x, const event& y) const {
    const int distance = x.time < y.time ? y.time - x.time : x.time - y.time;
    return x.group == y.group && distance <= tolerance;
  }
};

TEST_CASE("as-of joins by group with a tolerance") {
  for_each_executor([](auto executor) {
    INFO(executor.name);
    using executor_type = decltype(executor);
    std::mt19937 random(5);
    const auto make_events = [&](int count) {
      std::vector<event> events(static_cast<std::size_t>(count));
      for (event& e : events) e = {static_cast<int>(random() % 40), static_cast<int>(random() % 5'000)};
      std::stable_sort(events.begin(), events.end(), is_earlier{});
      return events;
    };
    for (const int count : {0, 1, 50, 20'000}) {
      const auto trades = make_events(count), quotes = make_events(2 * count);
      const input<executor_type, event> l(trades), r(quotes);
      const output<executor_type, offset> rows(count), next(count);
      const is_near matches{20};
      mgpu::as_of_join(executor.policy(), l.begin(), l.end(), r.begin(), r.end(), rows.begin(), mgpu::backward,
                       is_earlier{}, matches);
      mgpu::as_of_join(executor.policy(), l.begin(), l.end(), r.begin(), r.end(), next.begin(), mgpu::forward,
                       is_earlier{}, matches);
      CHECK(rows.first_difference(as_of_rows<offset>(trades, quotes, is_earlier{}, matches, false)) == -1);
      CHECK(next.first_difference(as_of_rows<offset>(trades, quotes, is_earlier{}, matches, true)) == -1);
    }
  });
}

TEST_CASE("the rows that pandas.merge_asof documents") {
  // Left 1, 5, 10 and right 1, 2, 3, 6, 7.
  for_each_executor([](auto executor) {
    using executor_type = decltype(executor);
    const input<executor_type, int> l({1, 5, 10}), r({1, 2, 3, 6, 7});
    const output<executor_type, int> backward(3), forward(3);
    mgpu::as_of_join(executor.policy(), l.begin(), l.end(), r.begin(), r.end(), backward.begin(), mgpu::backward);
    mgpu::as_of_join(executor.policy(), l.begin(), l.end(), r.begin(), r.end(), forward.begin(), mgpu::forward);
    CHECK(backward.read() == std::vector<int>{0, 2, 4});
    CHECK(forward.read() == std::vector<int>{0, 3, -1});
  });
}

TEST_CASE("more than 2^32 pairs are counted, and the first ones written") {
  for_each_executor([](auto executor) {
    INFO(executor.name);
    using executor_type = decltype(executor);
    const thrust::constant_iterator<int> sevens(7);
    const offset rows = 70'000, capacity = 150'000;
    CHECK(mgpu::inner_join_size(executor.policy(), sevens, sevens + rows, sevens, sevens + rows) == rows * rows);
    const output<executor_type, int> left_rows(capacity), right_rows(capacity);
    const output<executor_type, offset> size(1);
    mgpu::inner_join_into(executor.policy(), sevens, sevens + rows, sevens, sevens + rows, left_rows.begin(),
                          right_rows.begin(), capacity, size.begin());
    CHECK(size.first_difference({rows * rows}) == -1);
    joined<int> expected;
    for (offset i = 0; i < capacity; ++i) expected.add(i / rows, i % rows);
    CHECK(left_rows.first_difference(expected.left) == -1);
    CHECK(right_rows.first_difference(expected.right) == -1);
  });
}

TEST_CASE("full joins of rows that are not sorted have a size of their own, and nothing else changes") {
  for_each_executor([](auto executor) {
    std::mt19937 random(7);
    for (const int count : {50, 1'000, 25'000}) {
      const auto a = random_keys<int>(count, 0, count / 4, random), b = random_keys<int>(count, 0, count / 4, random);
      check_disorder<full>(executor, a, b);
    }
  });
}

TEST_CASE("a capacity may be any number") {
  for_each_executor([](auto executor) {
    INFO(executor.name);
    using executor_type = decltype(executor);
    const input<executor_type, int> few({1, 2, 3});
    const output<executor_type, offset> size(1);
    const auto check = [&](auto kind, const std::vector<int>& right) {
      using join = decltype(kind);
      const input<executor_type, int> right_in(right);
      const auto expected = join_by_definition<int>(std::vector<int>{1, 2, 3}, right, cuda::std::less<>{}, join::kept);
      const auto rows = static_cast<offset>(expected.left.size());
      const output<executor_type, int> left_rows(rows), right_rows(rows);
      join::into(executor.policy(), few.begin(), few.end(), right_in.begin(), right_in.end(), left_rows.begin(),
                 right_rows.begin(), std::numeric_limits<offset>::max(), size.begin());
      CHECK(size.first_difference({rows}) == -1);
      CHECK(left_rows.first_difference(expected.left) == -1);
      CHECK(right_rows.first_difference(expected.right) == -1);
    };
    for (const auto& right : {std::vector<int>{2, 2, 4}, std::vector<int>(1000, 2)}) {
      check(full{}, right);
      check(inner{}, right);  // of many right rows, each left row is searched for itself
    }
  });
}

TEST_CASE("impossible ranges and capacities throw and write nothing") {
  for_each_executor([](auto executor) {
    INFO(executor.name);
    using executor_type = decltype(executor);
    const input<executor_type, int> x({1, 2, 3});
    const output<executor_type, int> out(9);
    const output<executor_type, offset> size(1);
    const auto& p = executor.policy();
    int* const null = nullptr;
    CHECK_THROWS_AS(mgpu::inner_join(p, x.end(), x.begin(), x.begin(), x.end(), out.begin(), out.begin()),
                    std::invalid_argument);
    CHECK_THROWS_AS(mgpu::left_join(p, x.begin(), x.end(), x.begin(), x.end(), null, out.begin()),
                    std::invalid_argument);
    CHECK_THROWS_AS(mgpu::full_join_size(p, x.begin(), x.end(), null, null + 3), std::invalid_argument);
    CHECK_THROWS_AS(
        mgpu::inner_join_into(p, x.begin(), x.end(), x.begin(), x.end(), out.begin(), out.begin(), -1, size.begin()),
        std::invalid_argument);
    CHECK_THROWS_AS(mgpu::semi_join(p, x.begin(), x.end(), x.end(), x.begin(), out.begin()), std::invalid_argument);
    CHECK_THROWS_AS(mgpu::anti_join(p, x.begin(), x.end(), x.begin(), x.end(), null), std::invalid_argument);
    CHECK_THROWS_AS(mgpu::as_of_join(p, null, null + 1, x.begin(), x.end(), out.begin(), mgpu::backward),
                    std::invalid_argument);
    CHECK(out.untouched());
    CHECK(size.untouched());
  });
}

}  // namespace
