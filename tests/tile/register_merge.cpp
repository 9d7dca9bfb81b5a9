// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../support/sequences.h"

#include <mgpu/tile/register/merge.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

namespace {

struct element {
  int key;
  int origin;  // its number: those of a, then those of b; `padding` behind the end of an input

  friend bool operator==(const element& x, const element& y) { return x.key == y.key && x.origin == y.origin; }
};
constexpr int padding = -1;

/// Both inputs, with room behind each.
struct inputs {
  std::vector<element> a, b;
  std::ptrdiff_t a_count, b_count;

  inputs(const std::vector<int>& a_keys, const std::vector<int>& b_keys, std::size_t room)
      : a_count(static_cast<std::ptrdiff_t>(a_keys.size())), b_count(static_cast<std::ptrdiff_t>(b_keys.size())) {
    for (const int key : a_keys) a.push_back({key, static_cast<int>(a.size())});
    for (const int key : b_keys) b.push_back({key, static_cast<int>(a_keys.size() + b.size())});
    // Padding that would come first, were it compared.
    a.insert(a.end(), room, {-100, padding});
    b.insert(b.end(), room, {-100, padding});
  }

  mgpu::detail::tile::merge_inputs<const element*, const element*> left() const {
    return {a.data(), a.data() + a_count, b.data(), b.data() + b_count};
  }
  template <class Compare>
  std::vector<element> merged(const Compare& compare) const {
    std::vector<element> result(static_cast<std::size_t>(a_count + b_count));
    std::merge(a.data(), a.data() + a_count, b.data(), b.data() + b_count, result.begin(), compare);
    return result;
  }
};

/// Orders by key, and counts calls with anything that is no element.
struct less_and_watch {
  int& strays;
  bool operator()(const element& x, const element& y) const {
    strays += x.origin == padding || y.origin == padding;
    return x.key < y.key;
  }
};

template <int Items, class Compare>
std::vector<element> unrolled(const inputs& in, const Compare& compare, std::vector<int>& positions) {
  std::vector<element> result;
  positions.clear();
  const mgpu::detail::tile::companions<int, int> with{0, static_cast<int>(in.a_count)};
  int calls = 0;
  mgpu::detail::tile::register_merge<Items>(in.left(), with, compare, [&](int i, const element& x, int position) {
    if (i != calls++) return;
    if (i < in.a_count + in.b_count) {
      result.push_back(x);
      positions.push_back(position);
    }
  });
  if (calls != Items) result.clear();
  return result;
}

template <int Items>
bool merges_first_items(const std::vector<int>& a, const std::vector<int>& b) {
  const inputs in(a, b, Items + 1);
  int strays = 0;
  std::vector<int> positions;
  const auto found = unrolled<Items>(in, less_and_watch{strays}, positions);
  auto expected = in.merged(less_and_watch{strays});
  expected.resize(std::min<std::size_t>(expected.size(), Items));
  if (found != expected || strays != 0) return false;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (positions[i] != expected[i].origin) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("register_merge gives the first items of the stable merge of every pair of small sequences") {
  test::for_each_pair_of_sorted_sequences([](const auto& a, const auto& b) {
    CHECK(merges_first_items<1>(a, b));
    CHECK(merges_first_items<2>(a, b));
    CHECK(merges_first_items<5>(a, b));
    CHECK(merges_first_items<13>(a, b));
  });
}

TEST_CASE("register_merge of keys of two types goes by position") {
  const std::vector<int> a{1, 3, 5, 0, 0, 0, 0, 0};
  const std::vector<double> b{0.5, 3, 4.5, 0, 0, 0, 0, 0};
  std::vector<int> positions;
  const mgpu::detail::tile::merge_inputs<const int*, const double*> in{a.data(), a.data() + 3, b.data(), b.data() + 3};
  mgpu::detail::tile::register_merge<5>(in, mgpu::detail::tile::companions<int, int>{0, 3}, std::less<>{},
                                        [&](int, const auto&, int position) { positions.push_back(position); });
  CHECK(positions == std::vector<int>{3, 0, 1, 4, 5});
}

TEST_CASE("register_merge compares and gives elements only, whatever the comparator answers") {
  std::mt19937 random(5);
  for (int repeat = 0; repeat < 20000; ++repeat) {
    const inputs in(std::vector<int>(random() % 12), std::vector<int>(random() % 12), 8);
    int strays = 0;
    std::vector<int> positions;
    const auto found = unrolled<7>(
        in,
        [&](const element& x, const element& y) {
          strays += x.origin == padding || y.origin == padding;
          return random() % 2 == 0;
        },
        positions);
    CHECK(strays == 0);
    CHECK(static_cast<std::ptrdiff_t>(found.size()) == std::min<std::ptrdiff_t>(7, in.a_count + in.b_count));
    for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i].origin == positions[i]);
    CHECK(std::count_if(found.begin(), found.end(), [](const element& x) { return x.origin == padding; }) == 0);
    std::sort(positions.begin(), positions.end());
    CHECK(std::adjacent_find(positions.begin(), positions.end()) == positions.end());
  }
}
