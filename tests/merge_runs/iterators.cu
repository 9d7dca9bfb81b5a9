// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs, offsets and outputs by iterators of several kinds.
#include "runs_data.h"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>

#include <type_traits>

namespace {

using namespace test;

/// i * 5000, at most 30,000.
struct every_5000th {
  MGPU_HOST_DEVICE int operator()(int i) const { return i < 6 ? i * 5000 : 30'000; }
};
/// i modulo 5,000.
struct modulo_5000 {
  MGPU_HOST_DEVICE int operator()(int i) const { return i % 5000; }
};

}  // namespace

TEST_CASE("vector iterators") {
  for_each_runs_data([](const auto& policy, const runs_data& d) {
    vector<int> keys(d.count()), values(d.count());
    const auto ends = mgpu::merge_runs_by_key(policy, d.keys_in.begin(), d.keys_in.end(), d.numbers_in.begin(), d.cut(),
                                              keys.begin(), values.begin());
    static_assert(
        std::is_same_v<std::decay_t<decltype(ends)>, cuda::std::pair<vector<int>::iterator, vector<int>::iterator>>);
    CHECK(ends.first == keys.end());
    CHECK(ends.second == values.end());
    CHECK(to_std(keys) == d.merged());
    CHECK(to_std(values) == d.order);
  });
}

TEST_CASE("transform keys, counting values, a transform output and discarded keys") {
  for_each_runs_data([](const auto& policy, const runs_data& d) {
    vector<int> keys(d.count()), values(d.count());
    const auto first = thrust::make_transform_iterator(d.keys_in.begin(), triple_and_one{});
    const auto out = thrust::make_transform_output_iterator(keys.begin(), negated{});
    const auto end = mgpu::merge_runs(policy, first, first + d.count(), d.cut(), out);
    CHECK(end - out == static_cast<offset>(d.count()));
    auto expected = d.merged();
    for (auto& x : expected) x = -(3 * x + 1);
    CHECK(to_std(keys) == expected);
    mgpu::merge_runs_by_key(policy, first, first + d.count(), thrust::counting_iterator<int>(0), d.cut(),
                            thrust::make_discard_iterator(), values.begin());
    CHECK(to_std(values) == d.order);
  });
}

TEST_CASE("offsets that are calculated") {
  for_each_executor([](auto executor) {
    INFO(executor.name);
    const thrust::counting_iterator<int> numbers(0);
    const auto offsets = thrust::make_transform_iterator(numbers, every_5000th{});
    const auto keys = thrust::make_transform_iterator(numbers, modulo_5000{});
    vector<int> out(30'000);
    mgpu::merge_runs(executor.policy(), keys, keys + 30'000, mgpu::run_offsets(offsets, 6), out.begin());
    std::vector<int> expected(30'000);
    for (int i = 0; i < 30'000; ++i) expected[static_cast<std::size_t>(i)] = i / 6;
    CHECK(to_std(out) == expected);
  });
}

TEST_CASE("values of another type, and outputs of a wider one") {
  for_each_runs_data([](const auto& policy, const runs_data& d) {
    vector<std::int64_t> keys(d.count());
    vector<double> values(d.count());
    mgpu::merge_runs_by_key(policy, d.keys_in.begin(), d.keys_in.end(), d.numbers_in.begin(), d.cut(), keys.begin(),
                            values.begin());
    const auto merged = d.merged();
    CHECK(to_std(keys) == std::vector<std::int64_t>(merged.begin(), merged.end()));
    CHECK(to_std(values) == std::vector<double>(d.order.begin(), d.order.end()));
  });
}
