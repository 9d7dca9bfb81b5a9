// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/tile/host/sort.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

namespace {

using mgpu::offset;

/// A key that is only compared by its high part, wider than what a merge keeps in registers.
struct wide_key {
  int high;
  int low[7];
};

struct less_high {
  bool operator()(const wide_key& x, const wide_key& y) const { return x.high < y.high; }
  bool operator()(int x, int y) const { return x / 2 < y / 2; }
};

/// A key as wide as a merge keeps in registers, of two words.
struct two_words {
  long long high, low;
};

struct less_two_words {
  bool operator()(const two_words& x, const two_words& y) const { return x.high / 2 < y.high / 2; }
};

int number_of(int key) { return key; }
int number_of(const wide_key& key) { return key.high; }
int number_of(const two_words& key) { return static_cast<int>(key.high); }

template <class Key, class Compare>
struct sorted_arrays {
  static constexpr std::size_t margin = 3;
  std::vector<Key> keys, scratch;
  std::vector<int> values, scratch_values;

  explicit sorted_arrays(const std::vector<Key>& given)
      : keys(given.size() + 2 * margin), scratch(keys.size()), values(keys.size()), scratch_values(keys.size()) {
    std::copy(given.begin(), given.end(), keys.begin() + margin);
    std::iota(values.begin(), values.end(), 0);
  }
  void sort_pairs(const Compare& compare) {
    mgpu::detail::tile::host_sort<Key, int, true, Compare>{
        {keys.data(), scratch.data()}, {values.data(), scratch_values.data()}, compare}
        .run(margin, end());
  }
  void sort_keys(const Compare& compare) {
    mgpu::detail::tile::host_sort<Key, int, false, Compare>{{keys.data(), scratch.data()}, {nullptr, nullptr}, compare}
        .run(margin, end());
  }

 private:
  offset end() const { return static_cast<offset>(keys.size() - margin); }
};

template <class Key, class Compare>
bool sorts(const std::vector<Key>& given, const Compare& compare) {
  sorted_arrays<Key, Compare> pairs(given), alone(given);
  const std::vector<Key> before = pairs.keys;
  std::vector<int> order = pairs.values;
  constexpr auto margin = static_cast<std::ptrdiff_t>(sorted_arrays<Key, Compare>::margin);
  std::stable_sort(order.begin() + margin, order.end() - margin, [&](int i, int j) {
    return compare(before[static_cast<std::size_t>(i)], before[static_cast<std::size_t>(j)]);
  });
  pairs.sort_pairs(compare);
  alone.sort_keys(compare);
  bool right = pairs.values == order;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const auto expected = number_of(before[static_cast<std::size_t>(order[i])]);
    right = right && number_of(pairs.keys[i]) == expected && number_of(alone.keys[i]) == expected;
  }
  return right;
}

/// `make(x)` is the key of a number below 50.
template <class Key, class Compare, class Make>
void check(offset count, const Compare& compare, const Make& make) {
  std::mt19937 random(static_cast<unsigned>(count));
  std::vector<Key> keys(static_cast<std::size_t>(count));
  for (Key& key : keys) key = make(static_cast<int>(random() % 50));
  CHECK(sorts(keys, compare));
}

/// Throws when it is called for the last time.
struct throws_at_last {
  int* calls_left;
  bool operator()(int x, int y) const {
    if (--*calls_left == 0) throw std::runtime_error("no more calls");
    return x < y;
  }
};

}  // namespace

TEST_CASE("host_sort sorts stably what it is given, and no more") {
  for (offset count = 0; count < 700; count += count < 120 ? 1 : 29) {
    check<int>(count, less_high{}, [](int x) { return x; });
    check<wide_key>(count, less_high{}, [](int x) { return wide_key{x, {}}; });
    check<two_words>(count, less_two_words{}, [](int x) { return two_words{x, -x}; });
  }
  check<int>(100'003, less_high{}, [](int x) { return x; });
}

TEST_CASE("host_sort sorts eight keys of any order") {
  bool right = true;
  std::vector<int> keys(8);
  for (int numbers = 0; numbers < 1 << 16; ++numbers) {
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = numbers >> (2 * i) & 3;
    right = right && sorts(keys, std::less<int>{});
    right = right && sorts(keys, less_high{});
  }
  CHECK(right);
}

TEST_CASE("host_sort reverses keys that fall, and keeps the order of equal ones") {
  for (const int most_equal : {1, 2}) {
    for (int count = 0; count < 200; ++count) {
      std::vector<int> keys;
      for (int i = count; i > 0; --i) keys.push_back(i / most_equal);
      CHECK(sorts(keys, std::less<int>{}));
    }
  }
}

TEST_CASE("host_sort leaves a permutation if a comparator throws") {
  std::mt19937 random(1);
  for (const std::size_t count : {std::size_t{5}, std::size_t{27}, std::size_t{32}, std::size_t{150}}) {
    std::vector<int> keys(count);
    for (int& key : keys) key = static_cast<int>(random() % 50);
    bool has_thrown = true, right = true;
    for (int calls = 1; has_thrown; ++calls) {
      int calls_left = calls;
      const throws_at_last compare{&calls_left};
      sorted_arrays<int, throws_at_last> arrays(keys);
      const std::vector<int> before = arrays.keys;
      has_thrown = false;
      try {
        arrays.sort_pairs(compare);
      } catch (const std::runtime_error&) {
        has_thrown = true;
      }
      std::vector<int> found = arrays.values;
      for (std::size_t i = 0; i < found.size(); ++i) {
        right = right && arrays.keys[i] == before[static_cast<std::size_t>(arrays.values[i])];
      }
      std::sort(found.begin(), found.end());
      for (std::size_t i = 0; i < found.size(); ++i) right = right && found[i] == static_cast<int>(i);
    }
    CHECK(right);
  }
}

TEST_CASE("host_sort accesses nothing else if the comparator contradicts itself") {
  std::mt19937 random(1);
  const auto guesses = [&random](int, int) { return random() % 2 == 0; };
  for (std::size_t count = 0; count < 200; ++count) {
    sorted_arrays<int, decltype(guesses)> arrays(std::vector<int>(count, 7));
    arrays.sort_pairs(guesses);
    bool right = true;
    for (std::size_t i = 0; i < arrays.keys.size(); ++i) {
      const bool is_margin = i < arrays.margin || i >= arrays.keys.size() - arrays.margin;
      right = right && arrays.keys[i] == (is_margin ? 0 : 7);
      right = right && (arrays.values[i] == static_cast<int>(i) || !is_margin);
    }
    CHECK(right);
  }
}
