// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Strings on the CPU, as keys and as values, in all families but sorts, whose folders have movable.cpp.
#include "support/executors.h"

#include <doctest/doctest.h>

#include <mgpu/mgpu.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

namespace {

using namespace test;
using strings = std::vector<std::string>;

/// The multiples of `step`; every second string is longer than a string itself.
strings multiples(int step) {
  strings result;
  for (int i = 0; i < 60'000; i += step)
    result.push_back(std::to_string(100'000 + i) + (i % 2 == 0 ? "" : " and more text than fits into a string"));
  return result;
}

template <class Algorithm>
strings of_std(const strings& a, const strings& b, const Algorithm& algorithm) {
  strings result;
  algorithm(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
  return result;
}

/// f(out) returns the end of what it has written.
template <class F>
strings written_by(const F& f) {
  strings out(100'000);
  out.erase(f(out.begin()), out.end());
  return out;
}

const strings a = multiples(2), b = multiples(3);

}  // namespace

TEST_CASE("merges of strings") {
  const auto merged = of_std(a, b, [](auto... x) { return std::merge(x...); });
  strings runs = a;
  runs.insert(runs.end(), b.begin(), b.end());
  runs.insert(runs.end(), {"0", "1", "2"});
  const std::vector<offset> offsets{0, 100, static_cast<offset>(a.size()), static_cast<offset>(a.size() + b.size()),
                                    static_cast<offset>(runs.size())};
  strings merged_runs = runs;
  std::sort(merged_runs.begin(), merged_runs.end());
  for_each_executor([&](auto executor) {
    INFO(executor.name);
    const auto& p = executor.policy();
    CHECK(written_by([&](auto out) { return mgpu::merge(p, a.begin(), a.end(), b.begin(), b.end(), out); }) == merged);
    strings values(merged.size());
    CHECK(written_by([&](auto out) {
            return mgpu::merge_by_key(p, a.begin(), a.end(), b.begin(), b.end(), a.begin(), b.begin(), out,
                                      values.begin())
                .first;
          }) == merged);
    CHECK(values == merged);
    const mgpu::run_offsets cut(offsets.begin(), 4);
    CHECK(written_by([&](auto out) { return mgpu::merge_runs(p, runs.begin(), runs.end(), cut, out); }) == merged_runs);
  });
}

TEST_CASE("set operations of strings") {
  const auto united = of_std(a, b, [](auto... x) { return std::set_union(x...); });
  const auto common = of_std(a, b, [](auto... x) { return std::set_intersection(x...); });
  const auto rest = of_std(a, b, [](auto... x) { return std::set_difference(x...); });
  for_each_executor([&](auto executor) {
    INFO(executor.name);
    const auto& p = executor.policy();
    const auto call = [&](const auto& operation) {
      return written_by([&](auto out) { return operation(p, a.begin(), a.end(), b.begin(), b.end(), out); });
    };
    CHECK(call([](const auto&... x) { return mgpu::set_union(x...); }) == united);
    CHECK(call([](const auto&... x) { return mgpu::set_intersection(x...); }) == common);
    CHECK(call([](const auto&... x) { return mgpu::set_difference(x...); }) == rest);
    strings in_place = a;
    in_place.erase(mgpu::set_difference(p, in_place.begin(), in_place.end(), b.begin(), b.end(), in_place.begin()),
                   in_place.end());
    CHECK(in_place == rest);
  });
}

TEST_CASE("searches and joins of strings, and intervals of them") {
  const auto common = of_std(a, b, [](auto... x) { return std::set_intersection(x...); });
  for_each_executor([&](auto executor) {
    INFO(executor.name);
    const auto& p = executor.policy();
    std::vector<offset> places(b.size()), left(common.size()), right(common.size());
    mgpu::lower_bound_sorted_values(p, a.begin(), a.end(), b.begin(), b.end(), places.begin());
    for (std::size_t i = 0; i < b.size(); ++i) {
      if (places[i] != std::lower_bound(a.begin(), a.end(), b[i]) - a.begin()) FAIL_CHECK("at ", i);
    }
    mgpu::inner_join(p, a.begin(), a.end(), b.begin(), b.end(), left.begin(), right.begin());
    for (std::size_t i = 0; i < common.size(); ++i) {
      if (a[static_cast<std::size_t>(left[i])] != common[i] || b[static_cast<std::size_t>(right[i])] != common[i])
        FAIL_CHECK("row ", i);
    }
    const std::vector<int> counts{0, 1, 20'000, 0, 3};
    const auto expanded = written_by([&](auto out) {
      return mgpu::interval_expand(p, mgpu::interval_counts(counts.begin(), counts.end()), a.begin(), out);
    });
    CHECK(expanded.size() == 20'004);
    CHECK(expanded.front() == a[1]);
    CHECK(std::count(expanded.begin(), expanded.end(), a[2]) == 20'000);
    CHECK(expanded.back() == a[4]);
  });
}
