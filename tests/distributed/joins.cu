// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Joins over ranks, against their definition on the whole columns.
#include "../joins/joined.h"
#include "ranks.h"

#include <mgpu/distributed_join.h>

#include <thrust/iterator/counting_iterator.h>

#include <stdexcept>

namespace {

using namespace test;

/// At most this far away.
struct is_near {
  template <class T>
  MGPU_HOST_DEVICE bool operator()(const T& x, const T& y) const {
    return (x < y ? y - x : x - y) <= 3;
  }
};

/// How many of the rows in `left`, ascending, each rank has.
shares shares_of_result(const std::vector<std::int32_t>& left, const shares& s) {
  shares result{"", s.counts};
  for (std::size_t r = 0; r < s.counts.size(); ++r) {
    const auto before = [&](offset row) { return std::lower_bound(left.begin(), left.end(), row); };
    const offset begin = s.begin(static_cast<int>(r));
    result.counts[r] = before(begin + s.counts[r]) - before(begin);
  }
  return result;
}

template <class Executor, class Key>
void check_joins(const Executor& executor, const shares& sa, const shares& sb, const std::vector<Key>& a,
                 const std::vector<Key>& b) {
  using row = std::int32_t;
  const auto ranks = static_cast<int>(sa.counts.size());
  if (!has_ranks(ranks)) return;
  const cuda::std::less<> compare;
  const auto pairs = join_by_definition<row>(a, b, compare, kept_rows::inner);
  const shares result = shares_of_result(pairs.left, sa);
  const auto always = [](const Key&, const Key&) { return true; };

  const spread<Executor, Key> left(a, sa), right(b, sb);
  const rooms<Executor, row> left_rows(result), right_rows(result), before(sa), near(sa), behind(sa);
  std::vector<offset> sizes(sa.counts), ends(sa.counts);
  in_ranks(executor, ranks, [&](const auto& everywhere, int r) {
    const Key *const l = left[r].begin(), *const l_end = left[r].end();
    const Key *const x = right[r].begin(), *const x_end = right[r].end();
    const auto i = static_cast<std::size_t>(r);
    sizes[i] = mgpu::inner_join_size(everywhere, l, l_end, x, x_end);
    const auto end =
        mgpu::inner_join(everywhere, l, l_end, x, x_end, left_rows[r].begin(), right_rows[r].begin(), compare);
    ends[i] = end.first - left_rows[r].begin();
    if (end.second - right_rows[r].begin() != ends[i]) ends[i] = -1;
    mgpu::as_of_join(everywhere, l, l_end, x, x_end, before[r].begin(), mgpu::backward);
    mgpu::as_of_join(everywhere, l, l_end, x, x_end, near[r].begin(), mgpu::backward, compare, is_near{});
    mgpu::as_of_join(everywhere, l, l_end, x, x_end, behind[r].begin(), mgpu::forward, compare);
  });
  CHECK(sizes == result.counts);
  CHECK(ends == result.counts);
  CHECK(left_rows.have(pairs.left, result));
  CHECK(right_rows.have(pairs.right, result));
  CHECK(before.have(as_of_rows<row>(a, b, compare, always, false), sa));
  CHECK(near.have(as_of_rows<row>(a, b, compare, is_near{}, false), sa));
  CHECK(behind.have(as_of_rows<row>(a, b, compare, always, true), sa));
  CHECK(left.unchanged());
  CHECK(right.unchanged());
}

TEST_CASE("joins over ranks") {
  for_each_executor([&](const auto& executor) {
    unsigned seed = 0;
    for (int ranks = 1; ranks <= 8; ++ranks) {
      for (const repeats how : all_repeats) {
        const auto ways = ways_to_share(ranks, how == repeats::all || how == repeats::runs ? 150 : 600, ++seed);
        for (std::size_t i = 0; i < ways.size(); ++i) {
          const shares &sa = ways[i], &sb = second_of(ways, i, ranks, seed);
          if (is_left_out(seed, i)) continue;
          INFO(ranks, " ranks, left: ", sa.name, ", right: ", sb.name, ", equal keys: ", name_of(how));
          auto a = keys<std::uint32_t>(sa.total(), how, seed), b = keys<std::uint32_t>(sb.total(), how, seed + 100);
          if (how == repeats::few)  // so that some match
            for (auto* x : {&a, &b})
              for (auto& k : *x) k %= 2000;
          std::sort(a.begin(), a.end());
          std::sort(b.begin(), b.end());
          check_joins(executor, sa, sb, a, b);
        }
      }
    }
  });
}

TEST_CASE("the right row is several ranks away, or there is none") {
  for_each_executor([&](const auto& executor) {
    const shares on_first{"", {3, 0, 0, 0}}, on_last{"", {0, 0, 0, 3}}, in_between{"", {1, 0, 0, 2}};
    const std::vector<int> low{1, 2, 3}, high{7, 8, 9}, both{1, 5, 9};
    for (const auto* a : {&low, &high, &both})
      for (const auto* b : {&low, &high, &both})
        for (const auto& sa : {on_first, on_last, in_between})
          for (const auto& sb : {on_first, on_last, in_between}) check_joins(executor, sa, sb, *a, *b);
    check_joins(executor, on_first, {"", {0, 0, 0, 0}}, low, std::vector<int>{});
    check_joins(executor, {"", {0, 0, 0, 0}}, on_last, std::vector<int>{}, low);
  });
}

TEST_CASE("columns that are not sorted, and bad arguments of one rank") {
  for_each_executor([&](const auto& executor) {
    if (!has_ranks(2)) return;
    using executor_type = std::decay_t<decltype(executor)>;
    const shares s{"", {400, 400}};
    const spread<executor_type, std::uint32_t> left(keys<std::uint32_t>(800, repeats::many, 1), s),
        right(keys<std::uint32_t>(800, repeats::many, 2), s);
    std::vector<offset> sizes(2), thrown(2);
    in_ranks(executor, 2, [&](const auto& everywhere, int r) {
      const auto i = static_cast<std::size_t>(r);
      sizes[i] = mgpu::inner_join_size(everywhere, left[r].begin(), left[r].end(), right[r].begin(), right[r].end());
      const auto *const first = left[r].begin(), *const last = left[r].end();
      try {
        mgpu::inner_join_size(everywhere, r == 0 ? first : last, r == 0 ? last : first, right[r].begin(),
                              right[r].end());
      } catch (const mgpu::rank_error&) {
        thrown[i] = 1;
      } catch (const std::invalid_argument&) {
        thrown[i] = 2;
      }
    });
    CHECK(sizes[0] >= 0);
    CHECK(sizes[1] >= 0);
    CHECK(thrown == std::vector<offset>{1, 2});
  });
}

TEST_CASE("more left rows on all ranks than row numbers count") {
  for_each_executor([&](const auto& executor) {
    const int ranks = 4;
    if (!has_ranks(ranks)) return;
    using executor_type = std::decay_t<decltype(executor)>;
    const shares s{"", {3, 0, 2, 1}}, no_left{"", {0, 0, 0, 0}};
    const spread<executor_type, offset> right({1, 2, 3, 4, 5, 6}, s);
    const rooms<executor_type, offset> out(no_left);
    const thrust::counting_iterator<offset> numbers(0);
    for (const offset rows : {offset{1} << 60, offset{1} << 61, offset{1} << 62}) {  // the last are 2^64 together
      std::vector<int> thrown(ranks);
      in_ranks(executor, ranks, [&](const auto& everywhere, int r) {
        const auto throws = [&](const auto& call) {
          try {
            call(numbers, numbers + rows, right[r].begin(), right[r].end());
          } catch (const std::invalid_argument&) {
            return 1;
          }
          return 0;
        };
        offset* const to = out[r].begin();
        thrown[static_cast<std::size_t>(r)] =
            throws([&](const auto&... in) { mgpu::inner_join_size(everywhere, in...); }) +
            throws([&](const auto&... in) { mgpu::inner_join(everywhere, in..., to, to); }) +
            throws([&](const auto&... in) { mgpu::as_of_join(everywhere, in..., to, mgpu::backward); });
      });
      CHECK(thrown == std::vector<int>(ranks, 3));
    }
  });
}

}  // namespace
