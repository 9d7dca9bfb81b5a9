// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs by zip iterators, and runs whose beginnings are iterators.
#include "runs_data.h"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>

namespace {

using namespace test;

/// The elements of a run, backwards.
struct backwards_from {
  const int* first;
  const offset* offsets;
  MGPU_HOST_DEVICE thrust::reverse_iterator<const int*> operator()(offset run) const {
    return thrust::reverse_iterator<const int*>(first + offsets[run + 1]);
  }
};

}  // namespace

TEST_CASE("zip keys into a zip, by their first member; zip values") {
  for_each_runs_data([](const auto& policy, const runs_data& d) {
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

TEST_CASE("runs whose beginnings are iterators, calculated") {
  for_each_runs_data([](const auto& policy, const runs_data& d) {
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
