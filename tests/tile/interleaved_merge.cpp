// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../support/sequences.h"

#include <mgpu/tile/host/interleaved_merge.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <utility>

namespace {

using mgpu::offset;

struct alignas(16) element {  // wide enough for stages
  int key;
  int origin;  // its number: those of a, then those of b; `outside` around the range that is merged

  friend bool operator==(const element& x, const element& y) { return x.key == y.key && x.origin == y.origin; }
};
constexpr int outside = -1;
constexpr offset margin = 3;

/// Orders by key, and counts calls with anything that is no element of the range.
struct less_and_watch {
  int& strays;
  bool operator()(const element& x, const element& y) const {
    strays += x.origin == outside || y.origin == outside;
    return x.key < y.key;
  }
};

/// Elements between others that are no part of the merge. Values are the elements' numbers.
struct inputs {
  std::vector<element> a, b;
  std::vector<int> a_values, b_values;
  mgpu::detail::tile::range all;

  inputs(const std::vector<int>& a_keys, const std::vector<int>& b_keys) {
    int number = 0;
    const auto fill = [&](const std::vector<int>& from, std::vector<element>& keys, std::vector<int>& values) {
      keys.assign(margin, {-100, outside});
      for (const int key : from) keys.push_back({key, number++});
      keys.insert(keys.end(), margin, {-100, outside});
      for (const auto& key : keys) values.push_back(key.origin);
    };
    fill(a_keys, a, a_values);
    fill(b_keys, b, b_values);
    all = {margin, margin + static_cast<offset>(a_keys.size()), margin, margin + static_cast<offset>(b_keys.size())};
  }
  std::vector<element> merged() const {
    std::vector<element> result(a.size() + b.size(), element{7, outside});
    const auto less = [](const element& x, const element& y) { return x.key < y.key; };
    std::merge(a.begin() + margin, a.end() - margin, b.begin() + margin, b.end() - margin, result.begin() + 2 * margin,
               less);
    return result;
  }
};

struct outputs {
  std::vector<element> keys;
  std::vector<int> values;
  explicit outputs(const inputs& in) : keys(in.a.size() + in.b.size(), {7, outside}), values(keys.size(), outside) {}

  bool hold(const std::vector<element>& expected) const {
    return keys == expected && std::equal(values.begin(), values.end(), expected.begin(),
                                          [](int value, const element& x) { return value == x.origin; });
  }
};

/// Merges by key and the keys alone; Lanes is 0 for the merge without parts. The outputs count as `output_bytes` long.
template <std::size_t Lanes, bool is_adaptive, class Compare>
std::pair<outputs, outputs> merge(const inputs& in, const Compare& compare, offset output_bytes = 0) {
  std::pair<outputs, outputs> out{outputs(in), outputs(in)};
  const mgpu::detail::tile::host_merge<const element*, const element*, const int*, const int*, element*, int*, Compare>
      by_key{in.a.data(),
             in.b.data(),
             in.a_values.data(),
             in.b_values.data(),
             out.first.keys.data(),
             out.first.values.data(),
             compare,
             output_bytes};
  const mgpu::detail::base::no_values none;
  const mgpu::detail::tile::host_merge<const element*, const element*, mgpu::detail::base::no_values,
                                       mgpu::detail::base::no_values, element*, mgpu::detail::base::no_values, Compare>
      keys_alone{in.a.data(), in.b.data(), none, none, out.second.keys.data(), none, compare, output_bytes};
  if constexpr (Lanes == 0) {
    by_key.run(in.all);
    keys_alone.run(in.all);
  } else if constexpr (is_adaptive) {
    by_key.run_adaptively(in.all, std::make_index_sequence<Lanes>{});
    keys_alone.run_adaptively(in.all, std::make_index_sequence<Lanes>{});
  } else {
    by_key.run_interleaved(in.all, std::make_index_sequence<Lanes>{});
    keys_alone.run_interleaved(in.all, std::make_index_sequence<Lanes>{});
  }
  for (std::size_t i = 0; i < out.second.keys.size(); ++i) out.second.values[i] = out.second.keys[i].origin;
  return out;
}

template <std::size_t Lanes, bool is_adaptive = false>
bool merges(const inputs& in, offset output_bytes = 0) {
  int strays = 0;
  const auto out = merge<Lanes, is_adaptive>(in, less_and_watch{strays}, output_bytes);
  const auto expected = in.merged();
  return out.first.hold(expected) && out.second.hold(expected) && strays == 0;
}

std::vector<int> random_keys(std::mt19937& random, bool is_sorted) {
  std::vector<int> keys(random() % 300);
  const unsigned distinct = 1 + random() % 100;
  for (auto& key : keys) key = static_cast<int>(random() % distinct);
  if (is_sorted) std::sort(keys.begin(), keys.end());
  return keys;
}

}  // namespace

TEST_CASE("the host's merges are std::merge for every pair of small sequences") {
  test::for_each_pair_of_sorted_sequences([](const auto& a, const auto& b) {
    const inputs in(a, b);
    CHECK(merges<0>(in));
    CHECK(merges<1>(in));
    CHECK(merges<4>(in));
    CHECK(merges<4, true>(in));
    CHECK(merges<4, true>(in, mgpu::detail::tile::staged_output_bytes));
  });
}

TEST_CASE("the host's merges are std::merge for random sequences, in any number of lanes") {
  std::mt19937 random(6);
  for (int repeat = 0; repeat < 3000; ++repeat) {
    const inputs in(random_keys(random, true), random_keys(random, true));
    CHECK(merges<0>(in));
    CHECK(merges<1>(in));
    CHECK(merges<2>(in));
    CHECK(merges<4>(in));
    CHECK(merges<7>(in));
    CHECK(merges<4, true>(in));
    CHECK(merges<4, true>(in, mgpu::detail::tile::staged_output_bytes));
  }
}

TEST_CASE("the host's merges are std::merge where one input has many elements in a row") {
  std::mt19937 random(7);
  for (int repeat = 0; repeat < 1000; ++repeat) {
    const auto keys = test::keys_in_rows(random);
    const inputs in(keys.first, keys.second);
    CHECK(merges<0>(in));
    CHECK(merges<4>(in));
    CHECK(merges<4, true>(in));
    CHECK(merges<4, true>(in, mgpu::detail::tile::staged_output_bytes));
  }
}

TEST_CASE("the host's merges are std::merge where the inputs take turns, one goes on for long, or one ends early") {
  std::mt19937 random(8);
  for (int repeat = 0; repeat < 500; ++repeat) {
    std::pair<std::vector<int>, std::vector<int>> keys;
    for (int key = 0; key < 3000;) {
      const unsigned kind = random() % 3;
      for (unsigned left = 1 + random() % 1000; left > 0; --left, ++key)
        (kind == 0 || (kind == 1 && key % 2 == 0) ? keys.first : keys.second).push_back(key);
    }
    keys.first.resize(keys.first.size() - std::min<std::size_t>(keys.first.size(), random() % 2000));
    const inputs in(keys.first, keys.second), turned(keys.second, keys.first);
    CHECK(merges<4, true>(in));
    CHECK(merges<4, true>(in, mgpu::detail::tile::staged_output_bytes));
    CHECK(merges<4, true>(turned, mgpu::detail::tile::staged_output_bytes));
  }
}

TEST_CASE("the host's merges of unsorted elements, with a comparator that answers at random, lose and invent nothing") {
  std::mt19937 random(9);
  for (int repeat = 0; repeat < 3000; ++repeat) {
    const inputs in(random_keys(random, false), random_keys(random, false));
    int strays = 0;
    const auto answers_at_random = [&](const element& x, const element& y) {
      strays += x.origin == outside || y.origin == outside;
      return random() % 2 == 0;
    };
    const auto serial = merge<0, false>(in, answers_at_random);
    const auto interleaved = merge<4, false>(in, answers_at_random);
    const auto adaptive = merge<4, true>(in, answers_at_random);
    const auto staged = merge<4, true>(in, answers_at_random, mgpu::detail::tile::staged_output_bytes);
    CHECK(strays == 0);
    for (const auto* out : {&serial.first, &serial.second, &interleaved.first, &interleaved.second, &adaptive.first,
                            &adaptive.second, &staged.first, &staged.second}) {
      CHECK(out->hold(out->keys));
      auto numbers = out->values;
      std::sort(numbers.begin(), numbers.end());
      std::vector<int> expected(4 * margin, outside);
      for (int i = 0; expected.size() < numbers.size(); ++i) expected.push_back(i);
      CHECK(numbers == expected);
      CHECK(std::count(out->values.begin(), out->values.begin() + 2 * margin, outside) == 2 * margin);
    }
  }
}
