// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/tile/odd_even_network.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

namespace {

/// A key and its place, of which only the key is compared.
using item = std::pair<int, int>;

struct less_key {
  bool operator()(const item& x, const item& y) const { return x.first < y.first; }
};

/// x, with each segment sorted stably: the definition.
std::vector<item> sorted_within(std::vector<item> x, unsigned heads) {
  for (std::size_t begin = 0; begin < x.size();) {
    std::size_t end = begin + 1;
    while (end < x.size() && (heads >> end & 1) == 0) ++end;
    std::stable_sort(x.begin() + static_cast<std::ptrdiff_t>(begin), x.begin() + static_cast<std::ptrdiff_t>(end),
                     less_key{});
    begin = end;
  }
  return x;
}

template <int Items>
void check(const std::vector<int>& keys, unsigned heads) {
  std::vector<item> x;
  for (int i = 0; i < Items; ++i) x.emplace_back(keys[static_cast<std::size_t>(i)], i);
  const std::vector<item> expected = sorted_within(x, heads);
  mgpu::detail::base::slot<item> stable[Items], any[Items];
  for (int i = 0; i < Items; ++i) {
    stable[i].put(x[static_cast<std::size_t>(i)]);
    any[i].put(x[static_cast<std::size_t>(i)]);
  }
  mgpu::detail::tile::odd_even_transposition_sort(stable, heads, less_key{});
  mgpu::detail::tile::odd_even_merge_sort(any, heads, less_key{});
  bool is_stable = true, has_keys = true;
  std::vector<item> found;
  for (int i = 0; i < Items; ++i) {
    is_stable = is_stable && stable[i].value == expected[static_cast<std::size_t>(i)];
    has_keys = has_keys && any[i].value.first == expected[static_cast<std::size_t>(i)].first;
    found.push_back(any[i].value);
  }
  CHECK(is_stable);
  CHECK(has_keys);
  std::sort(found.begin(), found.end(), [](const item& a, const item& b) { return a.second < b.second; });
  CHECK(found == x);
}

/// All sequences of zeros and ones, by which a network sorts everything, with all segments.
template <int Items>
void check_all() {
  for (unsigned bits = 0; bits < 1u << Items; ++bits) {
    std::vector<int> keys;
    for (int i = 0; i < Items; ++i) keys.push_back(static_cast<int>(bits >> i & 1));
    for (unsigned heads = 0; heads<1u << Items; heads += Items> 6 ? 37 : 1) check<Items>(keys, heads);
  }
}

template <int Items>
void check_random() {
  std::mt19937 random(Items);
  for (int repeat = 0; repeat < 500; ++repeat) {
    std::vector<int> keys;
    for (int i = 0; i < Items; ++i) keys.push_back(static_cast<int>(random() % (repeat % 2 ? 5 : 1000)));
    check<Items>(keys, repeat % 3 == 0 ? 0 : static_cast<unsigned>(random() & random() & random()));
  }
}

/// Calls f(layer) for the layers that sort `count` elements.
template <class F>
constexpr void for_each_layer(mgpu::offset count, const F& f) {
  for (int group_log = 1; mgpu::offset{1} << (group_log - 1) < count; ++group_log) {
    for (int stride_log = group_log - 1; stride_log >= 0; --stride_log) {
      f(mgpu::detail::tile::odd_even_layer{group_log, stride_log});
    }
  }
}

struct compare_exchange {
  int* x;
  mgpu::offset count;

  constexpr void operator()(mgpu::detail::tile::odd_even_layer layer) const {
    for (mgpu::offset i = 0; i + layer.stride() < count; ++i) {
      const mgpu::offset j = i + layer.stride();
      if (!layer.is_left(i) || !(x[j] < x[i])) continue;
      const int right = x[j];
      x[j] = x[i];
      x[i] = right;
    }
  }
};

/// Whether the layers sort the numbers from `count` down to 1, which a compiler finds out.
template <int count>
constexpr bool sorts_descending_numbers() {
  int x[count] = {};
  for (int i = 0; i < count; ++i) x[i] = count - i;
  for_each_layer(count, compare_exchange{x, count});
  for (int i = 0; i < count; ++i) {
    if (x[i] != i + 1) return false;
  }
  return true;
}
static_assert(sorts_descending_numbers<1>() && sorts_descending_numbers<2>() && sorts_descending_numbers<3>());
static_assert(sorts_descending_numbers<7>() && sorts_descending_numbers<8>() && sorts_descending_numbers<21>());

constexpr mgpu::detail::tile::odd_even_layer halves_of_8{3, 2}, neighbours_of_8{3, 0};
static_assert(halves_of_8.stride() == 4 && halves_of_8.is_left(3) && !halves_of_8.is_left(4) && halves_of_8.is_left(8));
static_assert(neighbours_of_8.stride() == 1 && !neighbours_of_8.is_left(0) && neighbours_of_8.is_left(1));
static_assert(neighbours_of_8.is_left(5) && !neighbours_of_8.is_left(7) && neighbours_of_8.is_left(9));

/// The rule as it is published, by divisions.
bool is_left_index(mgpu::offset i, mgpu::offset group, mgpu::offset stride) {
  const mgpu::offset inner = i / stride, last = group / stride - 1;
  if (stride == group / 2) return inner % 2 == 0;
  return inner % 2 == 1 && inner % (last + 1) < last;
}

}  // namespace

TEST_CASE("networks sort every sequence of two keys within all segments") {
  check_all<1>();
  check_all<2>();
  check_all<3>();
  check_all<4>();
  check_all<5>();
  check_all<6>();
  check_all<7>();
  check_all<9>();
}

TEST_CASE("networks of the sizes that tiles take") {
  check_random<11>();
  check_random<15>();
  check_random<16>();
  check_random<21>();
  check_random<31>();
}

TEST_CASE("the layers sort every sequence of zeros and ones of every length to 16") {
  for (int count = 0; count <= 16; ++count) {
    bool sorts_all = true;
    for (unsigned bits = 0; bits < 1u << count; ++bits) {
      int x[16] = {};
      for (int i = 0; i < count; ++i) x[i] = static_cast<int>(bits >> i & 1);
      const auto ones = std::count(x, x + count, 1);
      for_each_layer(count, compare_exchange{x, count});
      sorts_all = sorts_all && std::is_sorted(x, x + count) && std::count(x, x + count, 1) == ones;
    }
    INFO("length ", count);
    CHECK(sorts_all);
  }
}

TEST_CASE("the layers are the published ones, and no element is compared twice in one") {
  for_each_layer(4'097, [](mgpu::detail::tile::odd_even_layer layer) {
    const mgpu::offset stride = mgpu::offset{1} << layer.stride_log, group = mgpu::offset{1} << layer.group_log;
    CHECK(layer.stride() == stride);
    bool is_published = true, is_disjoint = true, is_within_groups = true;
    for (mgpu::offset i = 0; i < 20'000; ++i) {
      const bool is_left = layer.is_left(i);
      is_published = is_published && is_left == is_left_index(i, group, stride);
      is_disjoint = is_disjoint && !(is_left && layer.is_left(i + stride));
      is_within_groups = is_within_groups && (!is_left || i / group == (i + stride) / group);
    }
    CHECK(is_published);
    CHECK(is_disjoint);
    CHECK(is_within_groups);
  });
}

TEST_CASE("layers of groups that no int can count") {
  for (const int group_log : {31, 32, 33, 40, 62}) {
    for (const int stride_log : {0, 1, 30, 31, 32, group_log - 2, group_log - 1}) {
      if (stride_log >= group_log) continue;
      const mgpu::detail::tile::odd_even_layer layer{group_log, stride_log};
      const mgpu::offset group = mgpu::offset{1} << group_log, stride = mgpu::offset{1} << stride_log;
      INFO("group 2^", group_log, ", stride 2^", stride_log);
      CHECK(layer.stride() == stride);
      for (const mgpu::offset from :
           {mgpu::offset{}, stride, 2 * stride, group / 2, group - 2 * stride, group - stride}) {
        for (const mgpu::offset i : {from, from + 1, from + stride - 1, from + stride / 2}) {
          CHECK(layer.is_left(i) == is_left_index(i, group, stride));
        }
      }
    }
  }
}
