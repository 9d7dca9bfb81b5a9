// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What holds whatever the arguments of a sorted search: elements and values of two types, any iterators, inputs that
// are not sorted, empty and impossible ranges.
#include "check_search.h"
#include "support/orders.h"
#include "support/strays.h"
#include "support/unsorted.h"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <stdexcept>

namespace {

using namespace test;

/// Takes an element and a value, in this order only.
struct is_record_before {
  MGPU_HOST_DEVICE bool operator()(const record& x, std::int16_t value) const { return x.id < value; }
};
/// Takes a value and an element, in this order only.
struct is_number_before {
  MGPU_HOST_DEVICE int operator()(std::int16_t value, const record& x) const { return value < x.id ? 2 : 0; }
};

TEST_CASE("elements and values of two types, compared in one order only") {
  for_each_executor([](auto executor) {
    INFO(executor.name);
    using executor_type = decltype(executor);
    std::mt19937 random(1);
    auto ids = random_keys<int>(20'011, -3'000, 3'000, random);
    auto numbers = random_keys<std::int16_t>(9'973, -3'300, 3'300, random);
    std::sort(ids.begin(), ids.end());
    std::sort(numbers.begin(), numbers.end());
    std::vector<record> records;
    for (const int id : ids) records.push_back({id, {}});
    const input<executor_type, record> range(records);
    const input<executor_type, std::int16_t> values(numbers);
    const output<executor_type, int> lower(9'973), upper(9'973);
    mgpu::lower_bound_sorted_values(executor.policy(), range.begin(), range.end(), values.begin(), values.end(),
                                    lower.begin(), is_record_before{});
    mgpu::upper_bound_sorted_values(executor.policy(), range.begin(), range.end(), values.begin(), values.end(),
                                    upper.begin(), is_number_before{});
    CHECK(lower.first_difference(lower_bounds<int>(ids, numbers, std::less<>{})) == -1);
    CHECK(upper.first_difference(upper_bounds<int>(ids, numbers, std::less<>{})) == -1);
  });
}

TEST_CASE("only elements and values are compared, and iterators of any kind read and written") {
  for_each_executor([](auto executor) {
    INFO(executor.name);
    using executor_type = decltype(executor);
    using key = tagged<3>;
    std::mt19937 random(9);
    const std::uint32_t tag = 12345;
    for (const int count : {1, 700, 30'000}) {
      const auto a = sorted_ranks(pattern::random, 0, count, 2 * count, 1 << 20, random);
      const auto b = sorted_ranks(pattern::random, 1, count, 2 * count, 1 << 20, random);
      const input<executor_type, key> range(with_margins<key>(a, tag)), values(with_margins<key>(b, tag));
      const input<executor_type, int> strays({0});
      const checked_less less{tag, strays.begin()};
      const output<executor_type, offset> found(count), backwards(count);
      const key *first = range.begin() + margin, *value = values.begin() + margin;
      mgpu::lower_bound_sorted_values(executor.policy(), first, first + count, value, value + count, found.begin(),
                                      less);
      const thrust::counting_iterator<offset> from_zero(0);
      const auto loaded = thrust::make_transform_iterator(from_zero, load_from<key>{first});
      const auto value_loaded = thrust::make_transform_iterator(from_zero, load_from<key>{value});
      const auto reversed = thrust::make_reverse_iterator(backwards.end());
      CHECK(mgpu::lower_bound_sorted_values(executor.policy(), loaded, loaded + count, value_loaded,
                                            value_loaded + count, reversed, less) == reversed + count);
      const thrust::discard_iterator<> nowhere;
      CHECK(mgpu::upper_bound_sorted_values(executor.policy(), first, first + count, value, value + count, nowhere,
                                            less) -
                nowhere ==
            count);
      CHECK(strays.unchanged());
      auto expected = lower_bounds<offset>(a, b, std::less<>{});
      CHECK(found.first_difference(expected) == -1);
      std::reverse(expected.begin(), expected.end());
      CHECK(backwards.first_difference(expected) == -1);
    }
  });
}

TEST_CASE("inputs that are not sorted change nothing but the output") {
  for_each_executor([](auto executor) {
    INFO(executor.name);
    using executor_type = decltype(executor);
    std::mt19937 random(11);
    for (const int count : {10, 5'000, 200'000}) {
      const auto a = random_bytes<double>(count, random), b = random_bytes<double>(count, random);
      const input<executor_type, double> range(a), values(b);
      const output<executor_type, offset> found(count), by_no_order(count);
      mgpu::lower_bound_sorted_values(executor.policy(), range.begin(), range.end(), values.begin(), values.end(),
                                      found.begin());
      mgpu::upper_bound_sorted_values(executor.policy(), range.begin(), range.end(), values.begin(), values.end(),
                                      by_no_order.begin(), answer_at_random{});
      CHECK(by_no_order.guards_untouched());
      CHECK(found.guards_untouched());
      CHECK(range.unchanged());
      CHECK(values.unchanged());
    }
  });
}

TEST_CASE("impossible ranges throw and write nothing") {
  for_each_executor([](auto executor) {
    INFO(executor.name);
    using executor_type = decltype(executor);
    const input<executor_type, int> x({1, 2, 3});
    const output<executor_type, int> out(3);
    const auto& p = executor.policy();
    CHECK_THROWS_AS(mgpu::lower_bound_sorted_values(p, x.end(), x.begin(), x.begin(), x.end(), out.begin()),
                    std::invalid_argument);
    CHECK_THROWS_AS(mgpu::upper_bound_sorted_values(p, x.begin(), x.end(), x.end(), x.begin(), out.begin()),
                    std::invalid_argument);
    int* const null = nullptr;
    CHECK_THROWS_AS(mgpu::lower_bound_sorted_values(p, null, null + 3, x.begin(), x.end(), out.begin()),
                    std::invalid_argument);
    CHECK_THROWS_AS(mgpu::lower_bound_sorted_values(p, x.begin(), x.end(), null, null + 3, out.begin()),
                    std::invalid_argument);
    CHECK_THROWS_AS(mgpu::lower_bound_sorted_values(p, x.begin(), x.end(), x.begin(), x.end(), null),
                    std::invalid_argument);
    CHECK(out.untouched());
    CHECK(mgpu::lower_bound_sorted_values(p, x.begin(), x.end(), null, null, null) == null);
  });
}

}  // namespace
