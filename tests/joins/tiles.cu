// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Inner and left joins of several tiles: with few rows, with more than fit into shared memory, and unsorted ones.
#include "check_joins.h"
#include "support/arrays.h"
#include "support/orders.h"
#include "support/patterns.h"

#include <mgpu/join.h>

#include <doctest/doctest.h>

#include <utility>

namespace {

using namespace test;

TEST_CASE("tiles with few rows") {
  for_each_executor([](auto executor) {
    std::mt19937 random(1);
    for (const pattern p : all_patterns) {
      if (p == pattern::all_equal || p == pattern::few_keys || p == pattern::runs) continue;
      const auto a = sorted_ranks(p, 0, 30'001, 55'001, 1 << 16, random);
      const auto b = sorted_ranks(p, 1, 25'000, 55'001, 1 << 16, random);
      check_join<inner>(executor, a, b, cuda::std::less<>{});
      check_join<left>(executor, a, b, cuda::std::less<>{});
    }
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
    for (const int duplicates : {3, 30, has_large_arrays ? 700 : 200}) {
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
      if (count > 200'000 && !has_large_arrays) continue;
      check_long_tiles_from<std::int32_t>(executor, rows_with_copies(count, 25, random),
                                          rows_with_copies(count, 25, random), 0);
    }
    // Most rows of one tile come from few of its own.
    auto uneven = rows_with_copies(430'000, 3, random);
    std::fill_n(uneven.begin() + 200'000, 400, uneven[200'000]);
    check_long_tiles_from<std::int32_t>(executor, uneven, uneven, 0);
  });
}

TEST_CASE("rows that are not sorted have a size of their own, and nothing else changes") {
  for_each_executor([](auto executor) {
    std::mt19937 random(7);
    // The GPU's tiles are as small as can be, and, of the last, of a size between that and the largest.
    for (const int count : {50, 1'000, 25'000, 300'000}) {
      if (takes_few_cases() && count > 25'000) continue;
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

}  // namespace
