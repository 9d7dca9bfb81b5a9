// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../support/balanced_order.h"
#include "../support/sequences.h"

#include <mgpu/tile/balanced_path.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <random>

using mgpu::offset;

namespace {

template <bool Duplicates, class Index, class A, class B, class Compare>
mgpu::detail::tile::balanced_split<Index> split_of(const A& a, const B& b, Index a_count, Index b_count, Index diagonal,
                                                   const Compare& compare) {
  const mgpu::detail::tile::balanced_path<Duplicates, Index, A, B, Compare> path{
      {a, b, a_count, b_count, diagonal, compare}};
  return path.split();
}

bool is_same(const mgpu::detail::tile::range& x, const mgpu::detail::tile::range& y) {
  return x.a_begin == y.a_begin && x.a_end == y.a_end && x.b_begin == y.b_begin && x.b_end == y.b_end;
}

/// The split of every diagonal by the definition.
template <class Compare>
std::vector<mgpu::detail::tile::balanced_split<offset>> splits_by_definition(const std::vector<int>& a,
                                                                             const std::vector<int>& b,
                                                                             const Compare& compare) {
  const auto order = test::balanced_order(a, b, compare);
  std::vector<mgpu::detail::tile::balanced_split<offset>> splits{{0, false}};
  for (const auto& x : order) splits.push_back({splits.back().a + !x.of_b, x.is_paired && !x.of_b});
  return splits;
}

template <bool Duplicates, class Index, class Compare>
bool finds_every_split(const std::vector<int>& a, const std::vector<int>& b, const Compare& compare) {
  const auto splits = splits_by_definition(a, b, compare);
  const auto a_count = static_cast<Index>(a.size()), b_count = static_cast<Index>(b.size());
  for (Index diagonal = 0; diagonal <= a_count + b_count; ++diagonal) {
    const auto split = split_of<Duplicates, Index>(a.data(), b.data(), a_count, b_count, diagonal, compare);
    const auto& expected = splits[static_cast<std::size_t>(diagonal)];
    if (split.a != expected.a || split.starred != expected.starred) return false;
  }
  return true;
}

/// Each element that an operation emits is the number of one: those of a, then those of b.
using numbers = std::vector<int>;

/// The four operations of std:: on the numbers of a range's elements, one result after the other.
std::vector<numbers> operations(const std::vector<int>& a, const std::vector<int>& b,
                                const mgpu::detail::tile::range& r) {
  const int a_count = static_cast<int>(a.size());
  const auto less = [&](int x, int y) {
    return (x < a_count ? a[x] : b[x - a_count]) < (y < a_count ? a[y] : b[y - a_count]);
  };
  numbers of_a, of_b;
  for (offset i = r.a_begin; i < r.a_end; ++i) of_a.push_back(static_cast<int>(i));
  for (offset i = r.b_begin; i < r.b_end; ++i) of_b.push_back(a_count + static_cast<int>(i));
  std::vector<numbers> result(4);
  std::set_union(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), std::back_inserter(result[0]), less);
  std::set_intersection(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), std::back_inserter(result[1]), less);
  std::set_difference(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), std::back_inserter(result[2]), less);
  std::set_symmetric_difference(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), std::back_inserter(result[3]),
                                less);
  return result;
}

/// Two tiles between three diagonals, in whole pairs: together they are what is between the outer diagonals, and their
/// results together are its result.
bool halves_make_the_whole(const std::vector<int>& a, const std::vector<int>& b, offset first, offset middle,
                           offset last) {
  using mgpu::detail::tile::balanced_range;
  const offset a_count = static_cast<offset>(a.size()), b_count = static_cast<offset>(b.size());
  const auto split = [&](offset d) { return split_of<true>(a.data(), b.data(), a_count, b_count, d, std::less<>{}); };
  const auto left = balanced_range::between(first, middle, split(first), split(middle));
  const auto right = balanced_range::between(middle, last, split(middle), split(last));
  const auto both = balanced_range::between(first, last, split(first), split(last));
  if (left.out_begin() != first || left.count() != middle - first) return false;
  if (left.starts_starred != split(first).starred || left.ends_starred != split(middle).starred) return false;
  if (right.starts_starred != left.ends_starred) return false;

  const auto left_pairs = left.of_whole_pairs(b_count), right_pairs = right.of_whole_pairs(b_count);
  if (left_pairs.a_end != right_pairs.a_begin || left_pairs.b_end != right_pairs.b_begin) return false;
  const mgpu::detail::tile::range joined{left_pairs.a_begin, right_pairs.a_end, left_pairs.b_begin, right_pairs.b_end};
  if (!is_same(joined, both.of_whole_pairs(b_count))) return false;

  const auto left_results = operations(a, b, left_pairs), right_results = operations(a, b, right_pairs);
  const auto expected = operations(a, b, joined);
  for (int k = 0; k < 4; ++k) {
    numbers found = left_results[k];
    found.insert(found.end(), right_results[k].begin(), right_results[k].end());
    if (found != expected[k]) return false;
  }
  return true;
}

struct element_of_a {
  int key;
};
struct element_of_b {
  int key;
};

/// One function for each order of its two types, and none for two of one.
struct less_of_two_types {
  bool operator()(const element_of_a& x, const element_of_b& y) const { return x.key < y.key; }
  bool operator()(const element_of_b& x, const element_of_a& y) const { return x.key < y.key; }
};

/// The same key as often as one likes, in no memory.
struct repeated {
  int key;
  const int& operator[](offset) const { return key; }
};

/// Counts its calls.
struct counting_less {
  int& calls;
  bool operator()(int x, int y) const {
    ++calls;
    return x < y;
  }
};

}  // namespace

TEST_CASE("balanced_path splits every diagonal of every pair of small sequences") {
  int starred = 0;
  test::for_each_pair_of_sorted_sequences([&](const auto& a, const auto& b) {
    CHECK(finds_every_split<true, int>(a, b, std::less<>{}));
    CHECK(finds_every_split<true, offset>(a, b, std::less<>{}));
    const std::vector<int> a_down(a.rbegin(), a.rend()), b_down(b.rbegin(), b.rend());
    CHECK(finds_every_split<true, int>(a_down, b_down, std::greater<>{}));
    for (const auto& split : splits_by_definition(a, b, std::less<>{})) starred += split.starred;
  });
  CHECK(starred > 1000);  // so that the definition itself is known to star diagonals
}

TEST_CASE("balanced_path of the published example") {
  const std::vector<int> a{1, 1, 2, 3, 3, 3, 5, 6, 6, 6, 6, 7, 7, 8, 8, 9}, b{1, 2, 2, 3, 3, 3, 3, 6, 6, 6, 6, 8};
  CHECK(finds_every_split<true, int>(a, b, std::less<>{}));
  const auto split = [&](int d) { return split_of<true>(a.data(), b.data(), 16, 12, d, std::less<>{}); };
  CHECK(split(1).a == 1);  // 1 of a | 1 of b
  CHECK(split(1).starred);
  CHECK(split(2).a == 1);
  CHECK_FALSE(split(2).starred);
  CHECK(split(3).a == 2);  // the second 1 of a has no pair
  CHECK_FALSE(split(3).starred);
  CHECK(split(4).a == 3);  // 2 of a | 2 of b
  CHECK(split(4).starred);
}

TEST_CASE("balanced_path by the promise of no duplicates splits every diagonal of small sequences without duplicates") {
  int pairs = 0;
  for (unsigned of_a = 0; of_a < 256; ++of_a) {
    for (unsigned of_b = 0; of_b < 256; ++of_b) {
      std::vector<int> a, b;
      for (int key = 0; key < 8; ++key) {
        if (of_a >> key & 1) a.push_back(key);
        if (of_b >> key & 1) b.push_back(key);
      }
      CHECK(finds_every_split<false, int>(a, b, std::less<>{}));
      CHECK(finds_every_split<true, int>(a, b, std::less<>{}));
      if (of_a % 16 == 5) CHECK(finds_every_split<false, offset>(a, b, std::less<>{}));
      ++pairs;
    }
  }
  CHECK(pairs == 65536);
}

TEST_CASE("the tiles on both sides of every diagonal give the whole result, each pair to one of them") {
  test::for_each_pair_of_sorted_sequences([](const auto& a, const auto& b) {
    const auto total = static_cast<offset>(a.size() + b.size());
    for (offset middle = 0; middle <= total; ++middle) CHECK(halves_make_the_whole(a, b, 0, middle, total));
    // Tiles that both start and end at any diagonal, for a part of the sequences.
    if ((a.size() + 2 * b.size()) % 5 != 0) return;
    for (offset first = 0; first <= total; ++first) {
      for (offset last = first; last <= total; ++last) {
        CHECK(halves_make_the_whole(a, b, first, (first + last + 1) / 2, last));
      }
    }
  });
}

TEST_CASE("balanced_path splits every diagonal of long runs") {
  std::mt19937 random(4);
  for (const int a_run : {0, 1, 2, 65, 700, 701}) {
    for (const int b_run : {0, 1, 2, 64, 600, 701}) {
      for (const int around : {0, 3, 100}) {
        const auto with_run = [&](int run) {
          std::vector<int> keys(static_cast<std::size_t>(run), 50);
          for (int i = 0; i < around; ++i) keys.push_back(static_cast<int>(random() % 100));
          std::sort(keys.begin(), keys.end());
          return keys;
        };
        const auto a = with_run(a_run), b = with_run(b_run);
        CAPTURE(a_run);
        CAPTURE(b_run);
        CHECK(finds_every_split<true, int>(a, b, std::less<>{}));
        CHECK(finds_every_split<true, offset>(a, b, std::less<>{}));
      }
    }
  }
}

TEST_CASE("balanced_path of runs beyond 2^40, in a number of comparisons that grows with their logarithm") {
  std::mt19937_64 random(5);
  const offset small = 1000, large = (offset{1} << 40) + 12345;
  for (const auto& [a_count, b_count] : {std::pair{large, large}, std::pair{small, large}, std::pair{large, small},
                                         std::pair{large, 3 * large}, std::pair{large, offset{0}}}) {
    const offset total = a_count + b_count, paired = 2 * std::min(a_count, b_count);
    for (int repeat = 0; repeat < 1000; ++repeat) {
      const offset near = static_cast<offset>(random() % 50) - 25;
      const offset places[] = {static_cast<offset>(random() % (total + 1)), near, paired + near, total - near};
      const offset diagonal = std::clamp<offset>(places[repeat % 4], 0, total);
      int calls = 0;
      const auto split = split_of<true>(repeated{7}, repeated{7}, a_count, b_count, diagonal, counting_less{calls});
      // a0 b0 a1 b1 ... and then the rest of the longer run.
      const bool is_paired = diagonal < paired;
      const offset expected = is_paired ? (diagonal + 1) / 2 : a_count > b_count ? diagonal - b_count : a_count;
      CHECK(split.a == expected);
      CHECK(split.starred == (is_paired && diagonal % 2 == 1));
      CHECK(calls < 250);
    }
  }
}

TEST_CASE("balanced_path asks about one element of each input only") {
  test::for_each_pair_of_sorted_sequences([](const auto& a_keys, const auto& b_keys) {
    std::vector<element_of_a> a;
    std::vector<element_of_b> b;
    for (const int key : a_keys) a.push_back({key});
    for (const int key : b_keys) b.push_back({key});
    const auto splits = splits_by_definition(a_keys, b_keys, std::less<>{});
    const int a_count = static_cast<int>(a.size()), b_count = static_cast<int>(b.size());
    for (int diagonal = 0; diagonal <= a_count + b_count; ++diagonal) {
      const auto split = split_of<true>(a.data(), b.data(), a_count, b_count, diagonal, less_of_two_types{});
      CHECK(split.a == splits[static_cast<std::size_t>(diagonal)].a);
      CHECK(split.starred == splits[static_cast<std::size_t>(diagonal)].starred);
    }
  });
}

TEST_CASE("balanced_path and its tiles stay inside the inputs whatever the comparator answers") {
  using mgpu::detail::tile::balanced_range;
  using mgpu::detail::tile::balanced_split;
  std::mt19937 random(11);
  int starred = 0;
  for (int repeat = 0; repeat < 20000; ++repeat) {
    const int a_count = static_cast<int>(random() % 20), b_count = static_cast<int>(random() % 20);
    const int total = a_count + b_count;
    std::vector<int> a(a_count), b(b_count);
    for (int i = 0; i < a_count; ++i) a[i] = i;
    for (int i = 0; i < b_count; ++i) b[i] = 1000 + i;
    int strays = 0;
    const auto answers_at_random = [&](const int& x, const int& y) {
      const int of_a = std::min(x, y), of_b = std::max(x, y);
      strays += of_b < 1000 || of_b >= 1000 + b_count || of_a < 0 || of_a >= a_count;
      return random() % 2 == 0;
    };
    const auto split = [&](int diagonal) -> balanced_split<offset> {
      const auto found = repeat % 2 == 0
                             ? split_of<true>(a.data(), b.data(), a_count, b_count, diagonal, answers_at_random)
                             : split_of<false>(a.data(), b.data(), a_count, b_count, diagonal, answers_at_random);
      return {found.a, found.starred};
    };
    // Tiles of any sizes, one after the other.
    balanced_split<offset> first_split = split(0);
    for (int first = 0; first < total;) {
      const int last = std::min(total, first + 1 + static_cast<int>(random() % 9));
      const auto last_split = split(last);
      CHECK(last_split.a >= std::max(0, last - b_count));
      CHECK(last_split.a <= std::min(last, a_count));
      if (last_split.starred) {
        CHECK(last_split.a > 0);
        CHECK(last - last_split.a < b_count);
        ++starred;
      }
      const auto tile = balanced_range::between(first, last, first_split, last_split);
      CHECK(tile.count() == last - first);
      for (const auto& r : {mgpu::detail::tile::range(tile), tile.of_whole_pairs(b_count)}) {
        CHECK(r.a_begin >= 0);
        CHECK(r.a_begin <= r.a_end);
        CHECK(r.a_end <= a_count);
        CHECK(r.b_begin >= 0);
        CHECK(r.b_begin <= r.b_end);
        CHECK(r.b_end <= b_count);
      }
      first = last;
      first_split = last_split;
    }
    CHECK(strays == 0);
  }
  CHECK(starred > 1000);
}

TEST_CASE("partition_point_from_end finds every border") {
  for (int last = 0; last <= 80; ++last) {
    for (int border = 0; border <= last; ++border) {
      int strays = 0;
      const auto is_before = [&](offset i) {
        strays += i < 0 || i >= last;
        return i < border;
      };
      CHECK(mgpu::detail::tile::partition_point_from_end(last, is_before) == border);
      CHECK(mgpu::detail::tile::partition_point_from_end(offset{last}, is_before) == border);
      CHECK(strays == 0);
    }
  }
}

TEST_CASE("partition_point_from_end takes as long as the border is far from the end") {
  const offset last = offset{1} << 50;
  for (int digits = 0; digits <= 50; ++digits) {
    const offset distance = offset{1} << digits;
    int calls = 0;
    const offset found = mgpu::detail::tile::partition_point_from_end(last, [&](offset i) {
      ++calls;
      return i < last - distance;
    });
    CHECK(found == last - distance);
    CHECK(calls <= 2 * digits + 8);
  }
}

TEST_CASE("partition_point_from_end stays in its range whatever the predicate answers") {
  std::mt19937 random(7);
  for (int repeat = 0; repeat < 20000; ++repeat) {
    const int last = static_cast<int>(random() % 2000);
    int strays = 0;
    const int found = mgpu::detail::tile::partition_point_from_end(last, [&](int i) {
      strays += i < 0 || i >= last;
      return random() % 2 == 0;
    });
    CHECK(strays == 0);
    CHECK(found >= 0);
    CHECK(found <= last);
  }
}
