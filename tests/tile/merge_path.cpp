// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../support/sequences.h"

#include <mgpu/tile/merge_path.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <random>

using mgpu::offset;

namespace {

/// Elements of a among the first `diagonal` outputs of the stable merge, by merging.
template <class Compare>
std::vector<int> splits_by_definition(const std::vector<int>& a, const std::vector<int>& b, const Compare& compare) {
  std::vector<int> splits{0};
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    const bool from_b = j < b.size() && (i == a.size() || compare(b[j], a[i]));
    if (from_b) ++j;
    else ++i;
    splits.push_back(static_cast<int>(i));
  }
  return splits;
}

template <class Index, class Compare>
bool finds_every_split(const std::vector<int>& a, const std::vector<int>& b, const Compare& compare) {
  const auto splits = splits_by_definition(a, b, compare);
  const auto a_count = static_cast<Index>(a.size()), b_count = static_cast<Index>(b.size());
  for (Index diagonal = 0; diagonal <= a_count + b_count; ++diagonal) {
    const mgpu::detail::tile::merge_path path{a.data(), b.data(), a_count, b_count, diagonal, compare};
    const auto split = path.split();
    if (split != static_cast<Index>(splits[static_cast<std::size_t>(diagonal)])) return false;
    if (split < path.low() || split > path.high()) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("merge_path splits every diagonal of every pair of small sequences") {
  test::for_each_pair_of_sorted_sequences([](const auto& a, const auto& b) {
    CHECK(finds_every_split<int>(a, b, std::less<>{}));
    CHECK(finds_every_split<offset>(a, b, std::less<>{}));
    const std::vector<int> a_down(a.rbegin(), a.rend()), b_down(b.rbegin(), b.rend());
    CHECK(finds_every_split<int>(a_down, b_down, std::greater<>{}));
  });
}

TEST_CASE("merge_path reads only elements and splits within its range on any data") {
  std::mt19937 random(11);
  for (int repeat = 0; repeat < 20000; ++repeat) {
    const int a_count = static_cast<int>(random() % 20), b_count = static_cast<int>(random() % 20);
    const int diagonal = static_cast<int>(random() % static_cast<unsigned>(a_count + b_count + 1));
    std::vector<int> a(a_count), b(b_count);
    for (int i = 0; i < a_count; ++i) a[i] = i;
    for (int i = 0; i < b_count; ++i) b[i] = 1000 + i;
    int strays = 0;
    const auto answers_at_random = [&](const int& of_b, const int& of_a) {
      strays += of_b < 1000 || of_b >= 1000 + b_count || of_a < 0 || of_a >= a_count;
      return random() % 2 == 0;
    };
    const mgpu::detail::tile::merge_path path{a.data(), b.data(), a_count, b_count, diagonal, answers_at_random};
    const int split = path.split();
    CHECK(strays == 0);
    CHECK(split >= std::max(0, diagonal - b_count));
    CHECK(split <= std::min(diagonal, a_count));
  }
}
