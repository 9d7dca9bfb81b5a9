// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Ranges of computed elements that are so long that memory for them has no number of bytes.
#include "support/executors.h"

#include <doctest/doctest.h>

#include <mgpu/mgpu.h>

#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <limits>
#include <new>
#include <stdexcept>
#include <vector>

using namespace test;

namespace {

constexpr offset huge = offset{1} << 61;

/// The offsets of 65 runs.
struct offset_of_run {
  offset operator()(offset i) const { return huge / 65 * i; }
};

}  // namespace

TEST_CASE("more elements than bytes can be counted") {
  for_each_executor([](auto executor) {
    const auto& p = executor.policy();
    const thrust::counting_iterator<offset> numbers(0);
    const std::vector<offset> right{1, 2, 3};
    std::vector<offset> out(10, -1);
    CHECK_THROWS_AS(mgpu::semi_join(p, numbers, numbers + huge, right.begin(), right.end(), out.begin()),
                    std::bad_alloc);
    CHECK_THROWS_AS(mgpu::full_join_size(p, numbers, numbers + huge, right.begin(), right.begin()), std::bad_alloc);
    CHECK_THROWS_AS(mgpu::inner_join_size(p, numbers, numbers + huge, numbers, numbers + huge + 1),
                    std::invalid_argument);
    const thrust::transform_iterator<offset_of_run, thrust::counting_iterator<offset>, offset> offsets(numbers,
                                                                                                       offset_of_run{});
    const offset total = offset_of_run{}(65);
    CHECK_THROWS_AS(
        mgpu::merge_runs(p, numbers, numbers + total, mgpu::run_offsets(offsets, 65), thrust::discard_iterator<>()),
        std::bad_alloc);
    const thrust::constant_iterator<int> none(0);
    CHECK_THROWS_AS(mgpu::interval_counts(none, none + std::numeric_limits<offset>::max()), std::invalid_argument);
    CHECK_THROWS_AS(mgpu::interval_expand(p, mgpu::interval_counts(none, none + huge), numbers, out.begin()),
                    std::bad_alloc);
    CHECK(out == std::vector<offset>(10, -1));
  });
}
