// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs, offsets and outputs by iterators of every kind.
#include "check_merge_runs.h"
#include "support/iterators.h"
#include "support/vectors.h"

#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>

#include <type_traits>

namespace {

using namespace test;

/// Sorted runs with numbered values, in the executor's memory and here.
struct data {
  std::vector<offset> offsets;
  std::vector<int> keys, order;
  vector<offset> offsets_in;
  vector<int> keys_in, numbers_in;

  data(int runs, int count, layout l) {
    std::mt19937 random(static_cast<unsigned>(count + runs));
    offsets = divided(division::random, runs, count, random);
    keys = ranks_of_runs(l, offsets, 60000, random);
    order = merged_runs_order(keys, std::less<>{});
    offsets_in = to_vector(offsets);
    keys_in = to_vector(keys);
    numbers_in.resize(keys.size());
    thrust::copy_n(thrust::counting_iterator<int>(0), count, numbers_in.begin());
  }
  std::size_t count() const { return keys.size(); }
  offset runs() const { return static_cast<offset>(offsets.size()) - 1; }
  auto cut() const { return mgpu::run_offsets(offsets_in.begin(), runs()); }
  std::vector<int> merged() const { return in_order_of(order, keys); }
};

/// Calls f(policy, data) for every executor, for one pass, several, and a sort.
template <class F>
void for_each_data(const F& f) {
  for_each_executor([&](auto executor) {
    for (const auto l : {layout::random, layout::few_keys}) {
      for (const int runs : {2, 7, 2 * widest_pass, 1000}) {
        for (const int count : {0, 9, 30'000}) {
          INFO(executor.name, ", ", runs, " runs, ", count, " elements");
          f(executor.policy(), data(runs, count, l));
        }
      }
    }
  });
}

/// i * 5000, at most 30,000.
struct every_5000th {
  MGPU_HOST_DEVICE int operator()(int i) const { return i < 6 ? i * 5000 : 30'000; }
};
/// i modulo 5,000.
struct modulo_5000 {
  MGPU_HOST_DEVICE int operator()(int i) const { return i % 5000; }
};

/// The elements of a run, backwards.
struct backwards_from {
  const int* first;
  const offset* offsets;
  MGPU_HOST_DEVICE thrust::reverse_iterator<const int*> operator()(offset run) const {
    return thrust::reverse_iterator<const int*>(first + offsets[run + 1]);
  }
};

}  // namespace

TEST_CASE("vector iterators") {
  for_each_data([](const auto& policy, const data& d) {
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
  for_each_data([](const auto& policy, const data& d) {
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

TEST_CASE("zip keys into a zip, by their first member; zip values") {
  for_each_data([](const auto& policy, const data& d) {
    vector<int> keys(d.count()), numbers(d.count());
    const auto in = zip(d.keys_in.begin(), d.numbers_in.begin());
    const auto out = zip(keys.begin(), numbers.begin());
    const auto end = mgpu::merge_runs(policy, in, in + d.count(), d.cut(), out, less_first{});
    CHECK(end - out == static_cast<offset>(d.count()));
    CHECK(to_std(keys) == d.merged());
    CHECK(to_std(numbers) == d.order);
    vector<int> others(d.count());
    mgpu::merge_runs_by_key(policy, d.keys_in.begin(), d.keys_in.end(), zip(d.numbers_in.begin(), d.keys_in.begin()),
                            d.cut(), others.begin(), zip(numbers.begin(), keys.begin()));
    CHECK(to_std(others) == d.merged());
    CHECK(to_std(keys) == d.merged());
    CHECK(to_std(numbers) == d.order);
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

TEST_CASE("runs whose beginnings are iterators, calculated") {
  for_each_data([](const auto& policy, const data& d) {
    // Each run lies backwards, and is in descending order.
    std::vector<int> lengths;
    for (std::size_t i = 0; i + 1 < d.offsets.size(); ++i)
      lengths.push_back(static_cast<int>(d.offsets[i + 1] - d.offsets[i]));
    const auto lengths_in = to_vector(lengths);
    const auto address = [](const auto& x) { return thrust::raw_pointer_cast(x.data()); };
    const auto begins = thrust::make_transform_iterator(thrust::counting_iterator<offset>(0),
                                                        backwards_from{address(d.keys_in), address(d.offsets_in)});
    vector<int> keys(d.count());
    const auto end =
        mgpu::merge_runs(policy, mgpu::run_ranges(begins, lengths_in.begin(), d.runs(), static_cast<offset>(d.count())),
                         keys.begin(), cuda::std::greater<>{});
    CHECK(end == keys.end());
    auto expected = d.merged();
    std::reverse(expected.begin(), expected.end());
    CHECK(to_std(keys) == expected);
  });
}

TEST_CASE("values of another type, and outputs of a wider one") {
  for_each_data([](const auto& policy, const data& d) {
    vector<std::int64_t> keys(d.count());
    vector<double> values(d.count());
    mgpu::merge_runs_by_key(policy, d.keys_in.begin(), d.keys_in.end(), d.numbers_in.begin(), d.cut(), keys.begin(),
                            values.begin());
    const auto merged = d.merged();
    CHECK(to_std(keys) == std::vector<std::int64_t>(merged.begin(), merged.end()));
    CHECK(to_std(values) == std::vector<double>(d.order.begin(), d.order.end()));
  });
}
