// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../support/balanced_order.h"
#include "../support/sequences.h"

#include <mgpu/tile/register/set_operation.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>
#include <random>

using mgpu::offset;

namespace {

struct element {
  int key;
  int origin;  // its number: those of a, then those of b; `padding` behind the end of an input
};
constexpr int padding = -1;

/// Both inputs one after the other in one memory, with room behind each.
struct inputs {
  std::vector<element> memory;
  int a_count, b_count, b_begin;

  inputs(const std::vector<int>& a_keys, const std::vector<int>& b_keys, std::size_t room)
      : a_count(static_cast<int>(a_keys.size())), b_count(static_cast<int>(b_keys.size())) {
    int number = 0;
    const auto put = [&](const std::vector<int>& keys) {
      for (const int key : keys) memory.push_back({key, number++});
      // Padding that would come first and pair with each other, were it compared.
      memory.insert(memory.end(), room, {-100, padding});
    };
    put(a_keys);
    b_begin = static_cast<int>(memory.size());
    put(b_keys);
  }
  const element* a() const { return memory.data(); }
  const element* b() const { return memory.data() + b_begin; }
  int count() const { return a_count + b_count; }
};

/// Orders by key, and counts calls with anything that is no element or with two elements of one input.
struct less_and_watch {
  const inputs& in;
  int& strays;
  bool operator()(const element& x, const element& y) const {
    strays += x.origin == padding || y.origin == padding || (x.origin < in.a_count) == (y.origin < in.a_count);
    return x.key < y.key;
  }
};

/// One step as visited.
struct visited {
  mgpu::detail::tile::set_step step;
  element key;
  int number;  // as its index says
};

/// The steps of register_set_operation from a place on the path on; none where it does not visit each in turn.
template <int Items, class Compare>
std::vector<visited> steps_from(const inputs& in, int a_begin, int b_begin, bool starred, const Compare& compare) {
  const mgpu::detail::tile::cursor rest{a_begin, in.a_count, b_begin, in.b_count};
  std::vector<visited> result;
  bool in_turn = true;
  int calls = 0;
  mgpu::detail::tile::register_set_operation<Items>(
      in.a(), in.b(), rest, starred, compare,
      [&](int i, const mgpu::detail::tile::set_step& s, const element& x, int index) {
        in_turn = in_turn && i == calls++;
        if (i < in.count() - a_begin - b_begin) result.push_back({s, x, s.takes_b ? in.a_count + index : index});
      });
  if (!in_turn || calls != Items) result.clear();
  return result;
}

/// From every diagonal on, the next `Items` steps are those of the definition.
template <int Items>
bool takes_the_steps(const std::vector<int>& a, const std::vector<int>& b) {
  const inputs in(a, b, Items + 1);
  const auto order = test::balanced_order(a, b, std::less<>{});
  int a_begin = 0, strays = 0;
  bool starred = false;
  for (int diagonal = 0; diagonal <= in.count(); ++diagonal) {
    const auto found = steps_from<Items>(in, a_begin, diagonal - a_begin, starred, less_and_watch{in, strays});
    const int expected = std::min(Items, in.count() - diagonal);
    if (static_cast<int>(found.size()) != expected) return false;
    for (int i = 0; i < expected; ++i) {
      const auto& x = order[static_cast<std::size_t>(diagonal + i)];
      const auto& v = found[static_cast<std::size_t>(i)];
      const int number = x.of_b ? in.a_count + x.place : x.place;
      if (v.step.takes_b != x.of_b || v.step.opens_pair != (x.is_paired && !x.of_b) ||
          v.step.closes_pair != (x.is_paired && x.of_b)) {
        return false;
      }
      if (v.key.origin != number || v.number != number) return false;
    }
    if (diagonal < in.count()) {
      const auto& x = order[static_cast<std::size_t>(diagonal)];
      a_begin += !x.of_b;
      starred = x.is_paired && !x.of_b;
    }
  }
  return strays == 0;
}

/// The numbers of the elements that an operation emits, taken `Items` steps at a time.
template <class Operation, int Items>
std::vector<int> emitted(const inputs& in) {
  std::vector<int> result;
  int a_begin = 0, strays = 0;
  bool starred = false;
  for (int diagonal = 0; diagonal < in.count();) {
    for (const auto& v : steps_from<Items>(in, a_begin, diagonal - a_begin, starred, less_and_watch{in, strays})) {
      if (Operation::emits(v.step)) result.push_back(v.key.origin);
      a_begin += !v.step.takes_b;
      starred = v.step.opens_pair;
      ++diagonal;
    }
  }
  return result;
}

template <class Operation, class OfStd>
bool is_operation_of_std(const std::vector<int>& a, const std::vector<int>& b, const OfStd& of_std) {
  const inputs in(a, b, 32);
  const auto less = [](const element& x, const element& y) { return x.key < y.key; };
  std::vector<element> expected;
  of_std(in.a(), in.a() + in.a_count, in.b(), in.b() + in.b_count, std::back_inserter(expected), less);
  const auto is_expected = [&](const std::vector<int>& found) {
    return std::equal(found.begin(), found.end(), expected.begin(), expected.end(),
                      [](int number, const element& x) { return number == x.origin; });
  };
  std::vector<element> paired;
  std::set_intersection(in.a(), in.a() + in.a_count, in.b(), in.b() + in.b_count, std::back_inserter(paired), less);
  const auto size = static_cast<offset>(expected.size());
  const auto pairs = static_cast<offset>(paired.size());
  return is_expected(emitted<Operation, 1>(in)) && is_expected(emitted<Operation, 3>(in)) &&
         is_expected(emitted<Operation, 13>(in)) &&
         mgpu::detail::tile::set_operation_size<Operation>(in.a_count, in.b_count, pairs) == size &&
         mgpu::detail::tile::set_operation_max_size<Operation>(in.a_count, in.b_count) >= size;
}

}  // namespace

TEST_CASE("register_set_operation takes the steps of the balanced path from every diagonal of small sequences") {
  test::for_each_pair_of_sorted_sequences([](const auto& a, const auto& b) {
    CHECK(takes_the_steps<1>(a, b));
    CHECK(takes_the_steps<2>(a, b));  // both inputs often have more left, so that nothing is checked
    CHECK(takes_the_steps<3>(a, b));
    CHECK(takes_the_steps<5>(a, b));
    CHECK(takes_the_steps<13>(a, b));  // never have
  });
}

TEST_CASE("the steps of each operation emit what std:: does, of the input that std:: takes it from") {
  test::for_each_pair_of_sorted_sequences([](const auto& a, const auto& b) {
    CHECK(is_operation_of_std<mgpu::detail::tile::set_union>(a, b, [](auto... x) { std::set_union(x...); }));
    CHECK(is_operation_of_std<mgpu::detail::tile::set_intersection>(a, b,
                                                                    [](auto... x) { std::set_intersection(x...); }));
    CHECK(is_operation_of_std<mgpu::detail::tile::set_difference>(a, b, [](auto... x) { std::set_difference(x...); }));
    CHECK(is_operation_of_std<mgpu::detail::tile::set_symmetric_difference>(
        a, b, [](auto... x) { std::set_symmetric_difference(x...); }));
  });
}

TEST_CASE("the most that an operation can emit") {
  using namespace mgpu::detail::tile;
  CHECK(set_operation_max_size<set_union>(5, 3) == 8);
  CHECK(set_operation_max_size<set_intersection>(5, 3) == 3);
  CHECK(set_operation_max_size<set_intersection>(2, 3) == 2);
  CHECK(set_operation_max_size<set_difference>(5, 3) == 5);
  CHECK(set_operation_max_size<set_symmetric_difference>(5, 3) == 8);
  const offset large = offset{1} << 33;
  CHECK(set_operation_max_size<set_union>(large, large + 1) == 2 * large + 1);
  CHECK(set_operation_size<set_symmetric_difference>(large, large + 5, large - 2) == 9);
}

TEST_CASE("register_set_operation of keys of two types goes by index") {
  const struct {
    int a[12] = {1, 3, 5};
    double b[12] = {0.5, 3, 4.5};
  } keys;
  std::vector<int> taken, emitted;
  mgpu::detail::tile::register_set_operation<6>(
      keys.a, keys.b, mgpu::detail::tile::cursor{0, 3, 0, 3}, false, std::less<>{},
      [&](int, const mgpu::detail::tile::set_step& s, const auto&, int index) {
        const int number = s.takes_b ? 3 + index : index;
        taken.push_back(number);
        if (mgpu::detail::tile::set_union::emits(s)) emitted.push_back(number);
      });
  CHECK(taken == std::vector<int>{3, 0, 1, 4, 5, 2});
  CHECK(emitted == std::vector<int>{3, 0, 1, 5, 2});
}

TEST_CASE("register_set_operation compares and gives elements only, each once, whatever the comparator answers") {
  std::mt19937 random(5);
  for (int repeat = 0; repeat < 20000; ++repeat) {
    const inputs in(std::vector<int>(random() % 12), std::vector<int>(random() % 12), 8);
    int strays = 0;
    const auto answers_at_random = [&](const element& x, const element& y) {
      strays += x.origin == padding || y.origin == padding;
      return random() % 2 == 0;
    };
    const bool starred = in.b_count > 0 && random() % 2 == 0;
    const auto found = steps_from<7>(in, 0, 0, starred, answers_at_random);
    CHECK(strays == 0);
    CHECK(static_cast<int>(found.size()) == std::min(7, in.count()));
    std::vector<int> numbers;
    for (const auto& v : found) {
      CHECK(v.key.origin == v.number);
      CHECK(v.key.origin != padding);
      numbers.push_back(v.number);
    }
    std::sort(numbers.begin(), numbers.end());
    CHECK(std::adjacent_find(numbers.begin(), numbers.end()) == numbers.end());
  }
}
