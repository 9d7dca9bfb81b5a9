// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Sorts on the CPU of elements that bytes cannot stand for: strings, and a type that can only be moved.

#include "check_sort.h"
#include "refusing_allocator.h"
#include "sort_patterns.h"

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace test {

/// Has no default constructor and no copies, and an alignment that allocators need not know.
class alignas(64) only_moved {
 public:
  inline static std::atomic<int> alive{0};
  inline static std::atomic<int> moves_left{1 << 30};  // until one throws

  explicit only_moved(int number) : number_(std::make_unique<int>(number)) { ++alive; }
  only_moved(only_moved&& other) : number_(taken_from(other)) { ++alive; }
  only_moved& operator=(only_moved&& other) {
    number_ = taken_from(other);
    return *this;
  }
  ~only_moved() { --alive; }

  /// -1 once it has been moved from.
  int number() const { return number_ ? *number_ : -1; }
  friend bool operator<(const only_moved& x, const only_moved& y) { return x.number() < y.number(); }

 private:
  static std::unique_ptr<int> taken_from(only_moved& other) {
    if (moves_left.fetch_sub(1) <= 0) throw std::runtime_error("a move");
    return std::move(other.number_);
  }

  std::unique_ptr<int> number_;
};

/// Strings of one order with their numbers; every second one is longer than a string itself.
template <class T>
T made_of(int number) {
  if constexpr (std::is_same_v<T, std::string>) {
    const auto digits = std::to_string(10'000'000 + number);
    return number % 2 == 0 ? digits : digits + " and more text than fits into a string";
  } else {
    return T(number);
  }
}
inline int number_of(int x) { return x; }
inline int number_of(const only_moved& x) { return x.number(); }
inline int number_of(const std::string& x) { return x.empty() ? -1 : std::stoi(x.substr(0, 8)) - 10'000'000; }

template <class T>
std::vector<T> made_of(const std::vector<int>& numbers) {
  std::vector<T> result;
  result.reserve(numbers.size());
  for (const int number : numbers) result.push_back(made_of<T>(number));
  return result;
}
template <class T>
std::vector<int> numbers_of(const std::vector<T>& x) {
  std::vector<int> result;
  for (const T& element : x) result.push_back(number_of(element));
  return result;
}

/// Answers as no order does.
struct no_order {
  template <class Key>
  bool operator()(const Key& x, const Key& y) const {
    const auto bits = [](const Key& key) { return static_cast<unsigned>(number_of(key)); };
    return ((bits(x) * 0x9E3779B9u ^ bits(y) * 0x85EBCA6Bu) >> 13 & 1) != 0;
  }
};

/// Throws when it has been called so often.
struct throwing_less {
  std::atomic<int>* calls_left;

  template <class Key>
  bool operator()(const Key& x, const Key& y) const {
    if (calls_left->fetch_sub(1) <= 0) throw std::runtime_error("a comparison");
    return x < y;
  }
};

/// Keys alone, and with values. `s` has the numbers of the keys.
template <class Function, class Key, class Value, class Executor, class Segments>
void check_movable(Executor executor, const sorting<int>& s, const Segments& segments) {
  INFO(executor.name, ", ", Function::name, " of ", s.keys.size(), " elements");
  const cuda::std::less<> less;
  const int alive_before = only_moved::alive;
  {
    auto alone = made_of<Key>(s.keys), keys = made_of<Key>(s.keys);
    auto values = made_of<Value>(numbers_below(s.keys.size()));
    const int alive = only_moved::alive;
    Function::sort(executor.policy(), alone.begin(), alone.end(), segments, less);
    Function::sort_by_key(executor.policy(), keys.begin(), keys.end(), values.begin(), segments, less);
    CHECK(numbers_of(alone) == s.in_order(s.keys));
    CHECK(numbers_of(keys) == s.in_order(s.keys));
    auto found = numbers_of(values), expected = s.order;
    if (!Function::is_stable) {
      for (const auto tie : s.ties) std::sort(found.begin() + tie.begin, found.begin() + tie.end);
      for (const auto tie : s.ties) std::sort(expected.begin() + tie.begin, expected.begin() + tie.end);
    }
    CHECK(found == expected);
    CHECK(only_moved::alive == alive);
  }
  CHECK(only_moved::alive == alive_before);
}

/// A comparator that throws leaves the array as it was.
template <class Function, class Executor, class Segments>
void check_throwing_comparator(Executor executor, const std::vector<int>& numbers, const Segments& segments) {
  auto keys = made_of<only_moved>(numbers);
  const auto all = static_cast<int>(numbers.size());
  for (const int calls : {0, 1, all, 5 * all}) {
    std::atomic<int> calls_left{calls};
    CHECK_THROWS_AS(Function::sort(executor.policy(), keys.begin(), keys.end(), segments, throwing_less{&calls_left}),
                    std::runtime_error);
    CHECK(numbers_of(keys) == numbers);
  }
}

/// A move that throws leaves elements, each of which can still be assigned and destroyed.
template <class Function, class Executor, class Segments>
void check_throwing_moves(Executor executor, const std::vector<int>& numbers, const Segments& segments) {
  const int alive_before = only_moved::alive, all = static_cast<int>(numbers.size());
  for (const int moves : {0, 1, all / 2, all, 2 * all - 1}) {
    INFO(executor.name, ", after ", moves, " moves");
    auto keys = made_of<only_moved>(numbers);
    only_moved::moves_left = moves;
    CHECK_THROWS_AS(Function::sort(executor.policy(), keys.begin(), keys.end(), segments, cuda::std::less<>{}),
                    std::runtime_error);
    only_moved::moves_left = 1 << 30;
    CHECK(only_moved::alive == alive_before + all);
    keys.front() = only_moved(7);
    CHECK(keys.front().number() == 7);
  }
  CHECK(only_moved::alive == alive_before);
}

/// By a comparator that is no order, each element is still there once.
template <class Function, class Executor, class Segments>
void check_no_order(Executor executor, const std::vector<int>& numbers, const Segments& segments) {
  auto keys = made_of<only_moved>(numbers);
  Function::sort(executor.policy(), keys.begin(), keys.end(), segments, no_order{});
  auto found = numbers_of(keys), expected = numbers;
  std::sort(found.begin(), found.end());
  std::sort(expected.begin(), expected.end());
  CHECK(found == expected);
}

/// An allocation that fails leaves the array as it was.
template <class Function, class Executor, class Segments>
void check_refused_memory(Executor executor, const sorting<int>& s, const Segments& segments) {
  requests log;
  std::vector<only_moved> keys;
  std::vector<std::string> values;
  const auto numbers = numbers_below(s.keys.size());
  check_refusals(
      log, executor.policy()(refusing_allocator{&log}),
      [&](const auto& p) {
        keys = made_of<only_moved>(s.keys);
        values = made_of<std::string>(numbers);
        Function::sort_by_key(p, keys.begin(), keys.end(), values.begin(), segments, cuda::std::less<>{});
      },
      [&] { return numbers_of(keys) == s.keys && numbers_of(values) == numbers; },
      [&] { return numbers_of(keys) == s.in_order(s.keys) && numbers_of(values) == s.order; });
}

/// Numbers of elements, many of them several times.
inline std::vector<int> numbers_with_ties(int count) {
  std::mt19937 random(static_cast<unsigned>(count));
  return disordered_ranks(disorder::random, count, std::max(1, count / 3), random);
}

/// What all sorts of whole arrays do. sorted(numbers) is what they are to make of an array.
template <class Function, class Sorted>
void check_movable_arrays(const Sorted& sorted) {
  for (const int count : {0, 1, 2, 100, 9'001, 40'000}) {
    const sorting<int> s = sorted(numbers_with_ties(count));
    for_each_executor([&](auto executor) {
      check_movable<Function, std::string, only_moved>(executor, s, whole_array);
      check_movable<Function, only_moved, int>(executor, s, whole_array);
    });
  }
  const sorting<int> s = sorted(numbers_with_ties(20'000));
  for_each_executor([&](auto executor) {
    check_throwing_comparator<Function>(executor, s.keys, whole_array);
    check_throwing_moves<Function>(executor, s.keys, whole_array);
    check_no_order<Function>(executor, s.keys, whole_array);
    check_refused_memory<Function>(executor, s, whole_array);
  });
}

}  // namespace test
