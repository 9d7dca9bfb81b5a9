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

/// A left join whose results begin `skipped` elements behind an aligned place.
template <class Row, class Executor>
void check_long_tiles_from(Executor executor, const std::vector<int>& a, const std::vector<int>& b, int skipped) {
  CAPTURE(skipped);
  const auto expected = join_by_definition<Row>(a, b, cuda::std::less<>{}, kept_rows::left);
  const auto size = static_cast<offset>(expected.left.size());
  const input<Executor, int> l(a), r(b);
  const output<Executor, Row> left_rows(size, skipped), right_rows(size, skipped);
  mgpu::left_join(executor.policy(), l.begin(), l.end(), r.begin(), r.end(), left_rows.begin(), right_rows.begin());
  CHECK(left_rows.first_difference(expected.left) == -1);
  CHECK(right_rows.first_difference(expected.right) == -1);
}

TEST_CASE("tiles with many rows, into columns that begin anywhere") {
  for_each_executor([](auto executor) {
    INFO(executor.name);
    std::mt19937 random(5);
    for (const int duplicates : {3, 30, 700}) {
      auto a = random_keys<int>(9'001, 0, 9'001 / duplicates, random);
      auto b = random_keys<int>(8'003, 0, 2 * 9'001 / duplicates, random);
      std::sort(a.begin(), a.end());
      std::sort(b.begin(), b.end());
      for (int& key : b) key &= ~1;  // half of the left rows have no partner
      for (const int skipped : {0, 1, 2, 3}) {
        check_long_tiles_from<std::int32_t>(executor, a, b, skipped);
        check_long_tiles_from<std::int64_t>(executor, a, b, skipped);
      }
    }
  });
}

/// Sorted rows, each key `copies` times on average.
std::vector<int> rows_with_copies(int count, int copies, std::mt19937& random) {
  auto rows = random_keys<int>(count, 0, count / copies, random);
  std::sort(rows.begin(), rows.end());
  return rows;
}

TEST_CASE("tiles with many rows, cut at any capacity") {
  for_each_executor([](auto executor) {
    std::mt19937 random(6);
    // The second has more left rows in a tile than notes of them have room.
    const std::pair<int, int> copies_of_either[] = {{3, 4}, {8, 3}, {1, 40}, {40, 40}};
    for (const auto& copies : copies_of_either) {
      const int keys = 20'000 / (copies.first + copies.second);
      const auto a = rows_with_copies(keys * copies.first, copies.first, random);
      const auto b = rows_with_copies(keys * copies.second, copies.second, random);
      check_join<inner>(executor, a, b, cuda::std::less<>{});
      check_join<left>(executor, a, b, cuda::std::less<>{});
    }
    if (takes_few_cases()) return;
    // Blocks of the GPU share few tiles of so many rows, and write many of them alone.
    for (const int count : {120'000, 430'000}) {
      check_long_tiles_from<std::int32_t>(executor, rows_with_copies(count, 25, random),
                                          rows_with_copies(count, 25, random), 0);
    }
    // Most rows of one tile come from few of its own.
    auto uneven = rows_with_copies(430'000, 3, random);
    std::fill_n(uneven.begin() + 200'000, 400, uneven[200'000]);
    check_long_tiles_from<std::int32_t>(executor, uneven, uneven, 0);
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

/// A join of rows in no order has the size that its _size form says, and touches nothing else.
template <class Join, class Executor>
void check_disorder(Executor executor, const std::vector<int>& a, const std::vector<int>& b) {
  INFO(executor.name, ", ", a.size(), " rows, kept ", static_cast<int>(Join::kept));
  const input<Executor, int> l(a), r(b);
  const auto& p = executor.policy();
  const offset size = Join::size(p, l.begin(), l.end(), r.begin(), r.end());
  const output<Executor, int> left_rows(size), right_rows(size);
  const auto ends = Join::join(p, l.begin(), l.end(), r.begin(), r.end(), left_rows.begin(), right_rows.begin());
  CHECK(ends.first == left_rows.end());
  CHECK(left_rows.guards_untouched());
  CHECK(right_rows.guards_untouched());
  const auto rows = right_rows.read();
  const auto is_foreign = [&](int row) { return row < -1 || row >= static_cast<int>(b.size()); };
  CHECK(std::count_if(rows.begin(), rows.end(), is_foreign) == 0);
  CHECK(l.unchanged());
  CHECK(r.unchanged());
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

TEST_CASE("rows that are not sorted have a size of their own, and nothing else changes") {
  for_each_executor([](auto executor) {
    std::mt19937 random(7);
    for (const int count : {50, 1'000, 25'000}) {
      auto a = random_keys<int>(count, 0, count / 4, random), b = random_keys<int>(count, 0, count / 4, random);
      // Tiles whose rows are out of order may take each row of right for a partner: there are few of them.
      if (count > 1'000) {
        for (auto* rows : {&a, &b}) {
          std::sort(rows->begin(), rows->end());
          for (int i = 0; i < 5; ++i) std::swap((*rows)[random() % rows->size()], (*rows)[random() % rows->size()]);
        }
      }
      check_disorder<inner>(executor, a, b);
      check_disorder<left>(executor, a, b);
    }
    // A tile of more pairs than rows, where a left row out of order ends the share of a thread.
    std::vector<int> one_out_of_order(1'000, 3);
    one_out_of_order[45] = 1;
    check_disorder<inner>(executor, one_out_of_order, std::vector<int>(701, 3));
    check_disorder<left>(executor, one_out_of_order, std::vector<int>(701, 3));
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
