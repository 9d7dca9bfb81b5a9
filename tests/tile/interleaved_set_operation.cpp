// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../support/sequences.h"

#include <mgpu/tile/balanced_path.h>
#include <mgpu/tile/host/interleaved_set_operation.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <random>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace {

using mgpu::offset;
using mgpu::detail::base::no_values;

struct element {
  int key;
  int origin;  // its number: those of a, then those of b; `outside` around the range of the operation

  friend bool operator==(const element& x, const element& y) { return x.key == y.key && x.origin == y.origin; }
};
constexpr int outside = -1;
constexpr offset margin = 3;

bool less_key(const element& x, const element& y) { return x.key < y.key; }

/// Orders by key, says yes by `yes` and no by Answer{}, and counts calls with anything that is no element of the range.
template <class Answer>
struct less_and_watch {
  int& strays;
  Answer yes;
  Answer operator()(const element& x, const element& y) const {
    strays += x.origin == outside || y.origin == outside;
    return x.key < y.key ? yes : Answer{};
  }
};

/// An answer that is no number.
struct yes_or_no {
  bool is_yes;
  operator bool() const { return is_yes; }
};

/// Elements between others that are no part of the operation. Values are the elements' numbers.
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
};

/// Whole pairs between diagonals that divide the inputs into `Lanes` parts.
template <std::size_t Lanes, class Compare>
void divide(const inputs& in, const Compare& compare, mgpu::detail::tile::range (&parts)[Lanes]) {
  const auto& r = in.all;
  const offset a_count = r.a_end - r.a_begin, b_count = r.b_end - r.b_begin, count = a_count + b_count;
  using path = mgpu::detail::tile::balanced_path<true, offset, const element*, const element*, Compare>;
  const auto split = [&](offset diagonal) {
    return path{{in.a.data() + r.a_begin, in.b.data() + r.b_begin, a_count, b_count, diagonal, compare}}.split();
  };
  for (offset k = 0; k < static_cast<offset>(Lanes); ++k) {
    const offset first = count * k / static_cast<offset>(Lanes), last = count * (k + 1) / static_cast<offset>(Lanes);
    const auto part =
        mgpu::detail::tile::balanced_range::between(first, last, split(first), split(last)).of_whole_pairs(b_count);
    parts[k] = {part.a_begin + margin, part.a_end + margin, part.b_begin + margin, part.b_end + margin};
  }
}

struct outputs {
  std::vector<element> keys;
  std::vector<int> values;
  offset size = 0;
  explicit outputs(const inputs& in) : keys(in.a.size() + in.b.size(), {7, outside}), values(keys.size(), outside) {}

  bool hold(const std::vector<element>& expected) const {
    std::vector<element> all(keys.size(), element{7, outside});
    std::copy(expected.begin(), expected.end(), all.begin() + margin);
    return size == static_cast<offset>(expected.size()) && keys == all &&
           std::equal(values.begin(), values.end(), all.begin(), [](int v, const element& x) { return v == x.origin; });
  }
};

/// Counts and emits. Interleaved, the size is the sum of the parts' pairs; else the whole is one part.
template <std::size_t Lanes, class Work>
offset run(const Work& work, const mgpu::detail::tile::range (&parts)[Lanes], const mgpu::detail::tile::range& all,
           bool is_interleaved, offset out_room) {
  constexpr std::make_index_sequence<Lanes> every{};
  const offset counted = [&] {
    if (!is_interleaved) return Work::size_of(all, work.count_pairs(all));
    mgpu::detail::tile::range left[Lanes];
    std::copy(parts, parts + Lanes, left);
    offset pairs[Lanes] = {}, size = 0;
    work.count_pairs_interleaved(left, pairs, every);
    for (std::size_t k = 0; k < Lanes; ++k) size += Work::size_of(parts[k], pairs[k]);
    return size;
  }();
  const offset out_end = margin + std::min(counted, out_room);
  if (!is_interleaved) return work.run({all, margin, out_end}) - margin;
  mgpu::detail::tile::range left[Lanes];
  std::copy(parts, parts + Lanes, left);
  const auto results = std::make_unique<typename Work::template lane_results<1001>[]>(Lanes);
  return work.run_interleaved(left, results.get(), margin, out_end, every) - margin;
}

template <class Operation, class ValuesA, class ValuesB, class ValuesOut, class Compare>
struct work : mgpu::detail::tile::host_set_operation<Operation, const element*, const element*, ValuesA, ValuesB,
                                                     element*, ValuesOut, Compare> {
  static offset size_of(const mgpu::detail::tile::range& part, offset pairs) {
    return mgpu::detail::tile::set_operation_size<Operation>(part.a_end - part.a_begin, part.b_end - part.b_begin,
                                                             pairs);
  }
};

/// The operation with values and of keys alone.
template <class Operation, std::size_t Lanes, class Compare>
std::pair<outputs, outputs> operate(const inputs& in, const Compare& compare, bool is_interleaved) {
  std::pair<outputs, outputs> out{outputs(in), outputs(in)};
  using b_values_type = std::conditional_t<Operation::emits_b, const int*, no_values>;
  b_values_type b_values{};
  if constexpr (Operation::emits_b) b_values = in.b_values.data();
  const work<Operation, const int*, b_values_type, int*, Compare> by_key{{in.a.data(), in.b.data(), in.a_values.data(),
                                                                          b_values, out.first.keys.data(),
                                                                          out.first.values.data(), compare}};
  const work<Operation, no_values, no_values, no_values, Compare> keys_alone{
      {in.a.data(), in.b.data(), {}, {}, out.second.keys.data(), {}, compare}};

  mgpu::detail::tile::range parts[Lanes];
  divide(in, compare, parts);
  const offset room =
      mgpu::detail::tile::set_operation_max_size<Operation>(in.all.a_end - margin, in.all.b_end - margin);
  out.first.size = run(by_key, parts, in.all, is_interleaved, room);
  out.second.size = run(keys_alone, parts, in.all, is_interleaved, room);
  for (std::size_t i = 0; i < out.second.keys.size(); ++i) out.second.values[i] = out.second.keys[i].origin;
  return out;
}

template <class Operation, std::size_t Lanes, class Answer = bool>
bool gives(const inputs& in, const std::vector<element>& expected, Answer yes = true) {
  int strays = 0;
  for (const bool is_interleaved : {false, true}) {
    const auto out = operate<Operation, Lanes>(in, less_and_watch<Answer>{strays, yes}, is_interleaved);
    if (!out.first.hold(expected) || !out.second.hold(expected)) return false;
  }
  return strays == 0;
}

/// Calls f(operation, what std:: gives) for each of the four.
template <class F>
void for_each_operation(const inputs& in, const F& f) {
  const auto result = [&](auto of_std) {
    std::vector<element> found;
    of_std(in.a.begin() + margin, in.a.end() - margin, in.b.begin() + margin, in.b.end() - margin,
           std::back_inserter(found), less_key);
    return found;
  };
  f(mgpu::detail::tile::set_union{}, result([](auto... x) { std::set_union(x...); }));
  f(mgpu::detail::tile::set_intersection{}, result([](auto... x) { std::set_intersection(x...); }));
  f(mgpu::detail::tile::set_difference{}, result([](auto... x) { std::set_difference(x...); }));
  f(mgpu::detail::tile::set_symmetric_difference{}, result([](auto... x) { std::set_symmetric_difference(x...); }));
}

std::vector<int> random_keys(std::mt19937& random, unsigned distinct, bool is_sorted) {
  std::vector<int> keys(random() % 300);
  for (auto& key : keys) key = static_cast<int>(random() % distinct);
  if (is_sorted) std::sort(keys.begin(), keys.end());
  return keys;
}

}  // namespace

TEST_CASE("the host's set operations are those of std:: for every pair of small sequences") {
  test::for_each_pair_of_sorted_sequences([](const auto& a, const auto& b) {
    const inputs in(a, b);
    for_each_operation(in, [&](auto operation, const auto& expected) {
      using tag = decltype(operation);
      CHECK(gives<tag, 1>(in, expected));
      CHECK(gives<tag, 4>(in, expected));
    });
  });
}

TEST_CASE("the host's set operations are those of std:: where one input has many elements in a row") {
  std::mt19937 random(7);
  for (int repeat = 0; repeat < 500; ++repeat) {
    const auto keys = test::keys_in_rows(random);
    const inputs in(keys.first, keys.second);
    for_each_operation(in, [&](auto operation, const auto& expected) {
      using tag = decltype(operation);
      CHECK(gives<tag, 1>(in, expected));
      CHECK(gives<tag, 4>(in, expected));
    });
  }
}

TEST_CASE("the host's set operations are those of std:: for numbers, equal or in turns over long stretches") {
  std::mt19937 random(8);
  for (int repeat = 0; repeat < 500; ++repeat) {
    std::vector<int> a, b;
    for (int key = 0; key < 6000;) {
      const unsigned kind = random() % 4;
      for (unsigned left = 1 + random() % 2000; left > 0; --left, ++key) {
        if (kind == 0 || (kind == 1 && key % 2 == 0) || kind == 2) a.push_back(key);
        if (kind == 0 || (kind == 1 && key % 2 == 1) || kind == 3) b.push_back(key);
      }
    }
    const mgpu::detail::tile::range all{0, static_cast<offset>(a.size()), 0, static_cast<offset>(b.size())};
    const std::vector<int>& values = a;
    const auto check = [&](auto operation, auto of_std) {
      std::vector<int> expected;
      of_std(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected));
      const offset size = static_cast<offset>(expected.size());
      std::vector<int> keys(expected.size() + 1, -1), values_out(keys);
      using tag = decltype(operation);
      using b_values_type = std::conditional_t<tag::emits_b, const int*, no_values>;
      b_values_type b_values{};
      if constexpr (tag::emits_b) b_values = b.data();
      using compare = std::less<>;
      using input = const int*;
      const mgpu::detail::tile::host_set_operation<tag, input, input, input, b_values_type, int*, int*, compare> work{
          a.data(), b.data(), values.data(), b_values, keys.data(), values_out.data(), compare{}};
      const offset pairs = work.count_pairs(all);
      CHECK(mgpu::detail::tile::set_operation_size<tag>(all.a_end, all.b_end, pairs) == size);
      CHECK(work.run({all, 0, size}) == size);
      expected.push_back(-1);
      CHECK(keys == expected);
      CHECK(values_out == expected);
    };
    check(mgpu::detail::tile::set_union{}, [](auto... x) { std::set_union(x...); });
    check(mgpu::detail::tile::set_intersection{}, [](auto... x) { std::set_intersection(x...); });
    check(mgpu::detail::tile::set_difference{}, [](auto... x) { std::set_difference(x...); });
    check(mgpu::detail::tile::set_symmetric_difference{}, [](auto... x) { std::set_symmetric_difference(x...); });
  }
}

TEST_CASE("the host's set operations take any answer that converts to true for a yes") {
  test::for_each_pair_of_sorted_sequences([](const auto& a, const auto& b) {
    const inputs in(a, b);
    for_each_operation(in, [&](auto operation, const auto& expected) {
      using tag = decltype(operation);
      CHECK(gives<tag, 4>(in, expected, 2));
      CHECK(gives<tag, 4>(in, expected, 1ll << 40));
      CHECK(gives<tag, 4>(in, expected, yes_or_no{true}));
    });
  });
}

TEST_CASE("the host's set operations are those of std:: for random sequences, in any number of lanes") {
  std::mt19937 random(6);
  for (int repeat = 0; repeat < 1000; ++repeat) {
    const unsigned distinct = 1 + random() % 400;
    const inputs in(random_keys(random, distinct, true), random_keys(random, distinct, true));
    for_each_operation(in, [&](auto operation, const auto& expected) {
      using tag = decltype(operation);
      CHECK(gives<tag, 1>(in, expected));
      CHECK(gives<tag, 2>(in, expected));
      CHECK(gives<tag, 4>(in, expected));
      CHECK(gives<tag, 7>(in, expected));
    });
  }
}

TEST_CASE(
    "the host's set operations of unsorted elements, with a comparator that answers at random, end in their room") {
  std::mt19937 random(9);
  for (int repeat = 0; repeat < 1000; ++repeat) {
    const inputs in(random_keys(random, 100, false), random_keys(random, 100, false));
    int strays = 0;
    const auto answers_at_random = [&](const element& x, const element& y) {
      strays += x.origin == outside || y.origin == outside;
      return random() % 2 == 0;
    };
    for_each_operation(in, [&](auto operation, const auto&) {
      using tag = decltype(operation);
      const offset room = mgpu::detail::tile::set_operation_max_size<tag>(in.all.a_end - margin, in.all.b_end - margin);
      for (const bool is_interleaved : {false, true}) {
        const auto out = operate<tag, 4>(in, answers_at_random, is_interleaved);
        CHECK(strays == 0);
        for (const auto* o : {&out.first, &out.second}) {
          CHECK(o->size >= 0);
          CHECK(o->size <= room);
          CHECK(std::equal(o->values.begin(), o->values.end(), o->keys.begin(),
                           [](int value, const element& x) { return value == x.origin; }));
          const auto is_outside = [](int value) { return value == outside; };
          CHECK(std::all_of(o->values.begin(), o->values.begin() + margin, is_outside));
          CHECK(std::all_of(o->values.begin() + margin + o->size, o->values.end(), is_outside));
        }
      }
    });
  }
}

TEST_CASE("the host's set operations end where the comparator always gives the same answer") {
  std::mt19937 random(10);
  for (int repeat = 0; repeat < 200; ++repeat) {
    const inputs in(random_keys(random, 100, false), random_keys(random, 100, false));
    for (const bool answer : {false, true}) {
      for_each_operation(in, [&](auto operation, const auto&) {
        using tag = decltype(operation);
        const offset room =
            mgpu::detail::tile::set_operation_max_size<tag>(in.all.a_end - margin, in.all.b_end - margin);
        for (const bool is_interleaved : {false, true}) {
          int calls = 0;
          const auto same_answer = [&](const element&, const element&) {
            if (++calls > 20000) throw std::runtime_error("does not end");
            return answer;
          };
          offset size = -1;
          CHECK_NOTHROW(size = (operate<tag, 4>(in, same_answer, is_interleaved).first.size));
          CHECK(size >= 0);
          CHECK(size <= room);
        }
      });
    }
  }
}
