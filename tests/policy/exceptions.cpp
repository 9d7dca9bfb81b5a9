// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Comparators that throw, on the CPU: the exception arrives at the caller, inputs stay as they were, an array that is
// sorted in place keeps its elements.
#include "support/executors.h"

#include <doctest/doctest.h>

#include <mgpu/mgpu.h>

#ifdef MGPU_TEST_HAS_TBB
#include <tbb/parallel_for.h>
#include <tbb/task_group.h>
#endif

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace test;

struct refusal {
  int call;
};

/// Throws at one of its calls, whichever thread makes it.
template <class Key>
struct throwing_less {
  std::atomic<int>* calls;
  int last;
  bool operator()(const Key& x, const Key& y) const {
    const int call = calls->fetch_add(1, std::memory_order_relaxed);
    if (call == last) throw refusal{call};
    return x < y;
  }
};

/// f(compare) with comparators that throw early, late and in between. Each ends by its exception; threads that meet
/// elsewhere than before may make fewer calls, and end before it.
template <class Key, class Function, class Check>
void for_each_exception(const Function& f, const Check& check) {
  std::atomic<int> calls{0};
  f(throwing_less<Key>{&calls, -1});
  const int all = calls;
  REQUIRE(all > 0);
  std::mt19937 random(7);
  int exceptions = 0;
  const int attempts = all > 1'000'000 ? 5 : 10;  // threads that count calls together take turns
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const int last = attempt == 0 ? 0 : attempt == 1 ? all - 1 : std::uniform_int_distribution<int>(0, all - 1)(random);
    calls = 0;
    int thrown = -1;
    try {
      f(throwing_less<Key>{&calls, last});
    } catch (const refusal& r) {
      thrown = r.call;
    }
    INFO("call ", last, " of ", all);
    CHECK(thrown == (calls > last ? last : -1));
    if (thrown >= 0) ++exceptions;
    check();
  }
  CHECK(exceptions >= (attempts + 1) / 3);
}

template <class Key>
std::vector<Key> random_keys(int count, int values, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Key> keys(static_cast<std::size_t>(count));
  for (auto& key : keys) key = static_cast<Key>(std::uniform_int_distribution<int>(0, values)(random));
  return keys;
}

template <class Key>
std::vector<Key> sorted_keys(int count, unsigned seed) {
  auto keys = random_keys<Key>(count, count, seed);
  std::sort(keys.begin(), keys.end());
  return keys;
}

template <class Key, class Function>
void check_two_inputs(const Function& f) {
  const auto a = sorted_keys<Key>(50021, 1), b = sorted_keys<Key>(30011, 2);
  auto a_in = a, b_in = b;
  std::vector<Key> out(a.size() + b.size());
  for_each_exception<Key>([&](const auto& compare) { f(a_in, b_in, out, compare); },
                          [&] {
                            CHECK(a_in == a);
                            CHECK(b_in == b);
                          });
}

/// Keys and, by their numbers, the pairs they belong to are all there after an exception.
template <class Key, class Sort, class SortByKey>
void check_sort(const std::vector<Key>& keys, const Sort& sort, const SortByKey& sort_by_key) {
  auto sorted = keys;
  std::sort(sorted.begin(), sorted.end());
  std::vector<Key> alone, paired;
  std::vector<std::uint32_t> numbers(keys.size());
  for_each_exception<Key>(
      [&](const auto& compare) {
        alone = keys;
        sort(alone, compare);
      },
      [&] {
        std::sort(alone.begin(), alone.end());
        CHECK(alone == sorted);
      });
  for_each_exception<Key>(
      [&](const auto& compare) {
        paired = keys;
        std::iota(numbers.begin(), numbers.end(), 0u);
        sort_by_key(paired, numbers, compare);
      },
      [&] {
        std::vector<bool> seen(keys.size());
        bool together = true;
        for (std::size_t i = 0; i < numbers.size(); ++i) {
          const auto number = numbers[i];
          together = together && number < keys.size() && !seen[number] && keys[number] == paired[i];
          if (number < keys.size()) seen[number] = true;
        }
        CHECK(together);
      });
}

template <class Policy, class Key>
void check_sorts(const Policy& p, const std::vector<Key>& keys) {
  const int count = static_cast<int>(keys.size());
  check_sort(
      keys, [&](auto& k, const auto& compare) { mgpu::locality_sort(p, k.begin(), k.end(), compare); },
      [&](auto& k, auto& v, const auto& compare) {
        mgpu::locality_sort_by_key(p, k.begin(), k.end(), v.begin(), compare);
      });
  check_sort(
      keys, [&](auto& k, const auto& compare) { mgpu::odd_even_merge_sort(p, k.begin(), k.end(), compare); },
      [&](auto& k, auto& v, const auto& compare) {
        mgpu::odd_even_merge_sort_by_key(p, k.begin(), k.end(), v.begin(), compare);
      });
  const int offsets[] = {0, 3, count / 7, count / 2, count};
  const mgpu::segment_offsets segments(offsets, 4);
  check_sort(
      keys, [&](auto& k, const auto& compare) { mgpu::segmented_sort(p, k.begin(), k.end(), segments, compare); },
      [&](auto& k, auto& v, const auto& compare) {
        mgpu::stable_segmented_sort_by_key(p, k.begin(), k.end(), v.begin(), segments, compare);
      });
}

/// A wide key is moved without the steps in turn that narrow ones take.
struct wide {
  std::uint64_t key;
  std::uint64_t rest[3] = {};
  explicit wide(int x = 0) : key(static_cast<std::uint64_t>(x)) {}
  friend bool operator<(const wide& x, const wide& y) { return x.key < y.key; }
  friend bool operator==(const wide& x, const wide& y) { return x.key == y.key; }
};

TEST_CASE("merges and set operations pass the exception of a comparator on") {
  for_each_executor([](auto executor) {
    INFO(executor.name);
    const auto& p = executor.policy();
    check_two_inputs<int>([&](auto& a, auto& b, auto& out, const auto& compare) {
      mgpu::merge(p, a.begin(), a.end(), b.begin(), b.end(), out.begin(), compare);
    });
    check_two_inputs<wide>([&](auto& a, auto& b, auto& out, const auto& compare) {
      mgpu::merge(p, a.begin(), a.end(), b.begin(), b.end(), out.begin(), compare);
    });
    check_two_inputs<int>([&](auto& a, auto& b, auto& out, const auto& compare) {
      mgpu::set_union(p, a.begin(), a.end(), b.begin(), b.end(), out.begin(), compare);
    });
    check_two_inputs<wide>([&](auto& a, auto& b, auto& out, const auto& compare) {
      mgpu::set_intersection(p, a.begin(), a.end(), b.begin(), b.end(), out.begin(), compare);
    });
    check_two_inputs<int>([&](auto& a, auto& b, auto&, const auto& compare) {
      mgpu::set_difference_size(p, a.begin(), a.end(), b.begin(), b.end(), compare);
    });
  });
}

TEST_CASE("the library's own policies pass the exception of a comparator on") {
  for_each_own_policy([](auto executor) {
    INFO(executor.name);
    check_two_inputs<int>([&](auto& a, auto& b, auto& out, const auto& compare) {
      mgpu::merge(executor.policy(), a.begin(), a.end(), b.begin(), b.end(), out.begin(), compare);
    });
  });
}

TEST_CASE("an array whose comparator throws keeps its elements") {
  for_each_executor([](auto executor) {
    INFO(executor.name);
    const auto& p = executor.policy();
    check_sorts(p, random_keys<int>(1000, 100, 3));
    check_sorts(p, random_keys<int>(is_full ? 270001 : 70001, 1 << 30, 4));  // eight tiles of two threads
    check_sorts(p, random_keys<wide>(30011, 1 << 30, 5));
    auto near = sorted_keys<int>(is_full ? 140009 : 40009, 6);
    std::mt19937 random(8);
    for (std::size_t i = 0; i + 300 < near.size(); i += 7) std::swap(near[i], near[i + random() % 300]);
    check_sorts(p, near);
  });
}

#ifdef MGPU_TEST_HAS_TBB
TEST_CASE("a call in a group of TBB's that is cancelled does all of its work") {
  const auto a = sorted_keys<int>(400'000, 1), b = sorted_keys<int>(400'000, 2);
  std::vector<int> expected, sorted = random_keys<int>(300'000, 1 << 30, 3), in_order = sorted;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected));
  std::sort(in_order.begin(), in_order.end());
  std::vector<int> out(a.size() + b.size());
  tbb::task_group_context group;
  tbb::parallel_for(
      0, 1,
      [&](int) {
        group.cancel_group_execution();
        const auto end = mgpu::set_union(mgpu::tbb::par, a.begin(), a.end(), b.begin(), b.end(), out.begin());
        CHECK(std::equal(out.begin(), end, expected.begin(), expected.end()));
        CHECK(mgpu::set_union_size(mgpu::tbb::par, a.begin(), a.end(), b.begin(), b.end()) ==
              static_cast<offset>(expected.size()));
        mgpu::stable_sort(mgpu::tbb::par, sorted.begin(), sorted.end(), [](int x, int y) { return x < y; });
        CHECK(sorted == in_order);
      },
      group);
}
#endif

}  // namespace
