// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Keys and values of many types, comparators and iterators of every kind, pointers of every alignment.
#include "check_odd_even_sort.h"
#include "support/iterators.h"
#include "support/sort_checks.h"
#include "support/vectors.h"

#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_input_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>

namespace {

using namespace test;
using less = cuda::std::less<>;

/// Aligned to more than any key.
struct alignas(64) aligned_value : value_bytes<64> {};

/// Keys alone, and with values, are where the network leaves them.
template <class Key, class Value>
void check_types(const std::vector<int>& ranks, int number) {
  const less_of<Key> less;
  const auto keys = keys_of_ranks<Key>(ranks);
  const auto s = network_sorting(keys, less);
  CHECK(is_sorted(s, less));
  const auto values = values_for<Value>(keys.size());
  for_each_executor([&](auto executor) {
    check_keys<odd_even>(executor, s, whole_array, less, number % 4);
    check_pairs<odd_even>(executor, s, values, whole_array, less, number % 16);
  });
}

/// Calls f(ranks, number) for ranks in [0, rank_count) of arrays of one tile and of many.
template <class F>
void for_each_array(int rank_count, const F& f) {
  std::mt19937 random(static_cast<unsigned>(rank_count));
  int number = 0;
  for (const int size : {1, 2, 33, 255, 257, 2'000, 9'001, 40'001}) {
    ++number;
    if (takes_few_cases() && number % 3 != 1) continue;
    const auto d = number % 3 == 0 ? disorder::few_keys : number % 4 == 0 ? disorder::reversed : disorder::random;
    f(disordered_ranks(d, size, rank_count, random), number);
  }
}

/// Sorts ints by a comparator, alone and with their numbers.
template <class Compare, class HostCompare>
void check_order(const Compare& compare, const HostCompare& host_compare) {
  for_each_array(10'000, [&](const std::vector<int>& ranks, int number) {
    std::vector<std::int32_t> keys;
    for (const int rank : ranks) keys.push_back(rank - 5'000);
    check_network(keys, compare, host_compare, number);
  });
}

/// Keys with many ties, here and in the executor's memory.
struct data {
  const sorting<int>& s;
  vector<int> keys, numbers;

  explicit data(const sorting<int>& sorted)
      : s(sorted), keys(to_vector(s.keys)), numbers(to_vector(numbers_below(s.keys.size()))) {}

  offset count() const { return static_cast<offset>(s.keys.size()); }
  std::vector<int> sorted_keys() const { return s.in_order(s.keys); }
  bool is_sorted() const { return to_std(keys) == sorted_keys() && to_std(numbers) == s.order; }
};

/// Calls f(policy, data) for every executor and some sizes.
template <class F>
void for_each_data(const F& f) {
  std::mt19937 random(31);
  for (const int size : {0, 1, 7, 1000, 40'001}) {
    if (takes_few_cases() && size == 1000) continue;
    std::vector<int> keys;
    for (const int rank : disordered_ranks(disorder::random, size, 700, random)) keys.push_back(rank - 300);
    const auto s = network_sorting(keys, less{});
    for_each_executor([&](auto executor) {
      data d(s);
      INFO(executor.name, ", ", size, " elements");
      f(executor.policy(), d);
    });
  }
}

std::vector<int> reversed(std::vector<int> x) {
  std::reverse(x.begin(), x.end());
  return x;
}

struct order_check {
  template <class Compare, class HostCompare>
  void operator()(const Compare& compare, const HostCompare& host_compare) const {
    check_order(compare, host_compare);
  }
};

}  // namespace

TEST_CASE_TEMPLATE(
    "keys and values of every size", Pair, pair_of<std::uint8_t, std::uint8_t>, pair_of<key12, aligned_value>,
    pair_of<std::uint32_t, std::int64_t>, pair_of<float, value_bytes<12>>, pair_of<std::int64_t, std::int32_t>,
    pair_of<key32, std::uint16_t>, pair_of<opaque, float>, pair_of<wide_key<108>, std::uint8_t>,
    pair_of<key16, value_bytes<3>> MGPU_TEST_MORE(pair_of<std::uint8_t, aligned_value>,
                                                  pair_of<std::int16_t, std::int16_t>, pair_of<double, value_bytes<16>>,
                                                  pair_of<key12, std::uint32_t>, pair_of<key16, value_bytes<64>>,
                                                  pair_of<std::uint8_t, double>)) {
  using key = typename Pair::key;
  for_each_array(ranks<key>, [](const std::vector<int>& ranks, int number) {
    check_types<key, typename Pair::value>(ranks, number);
  });
}

TEST_CASE("elements of 1 KiB, of which every tile has few") {
  std::mt19937 random(32);
  int number = 0;
  for (const int size : {1, 2, 3, 63, 64, 65, 100, 127, 129, 1'025, 2'047, 2'049, 4'095, 4'097, 7'000, 20'000}) {
    if (size > (takes_few_cases() ? 2'100 : has_large_arrays ? 20'000 : 7'000)) continue;
    const auto ranks = disordered_ranks(++number % 5 == 0 ? disorder::sawtooth : disorder::random, size, 3'000, random);
    if (number % 2 == 0 || size < 1'000) check_types<wide_key<512>, value_bytes<512>>(ranks, number);
    else check_types<wide_key<960>, value_bytes<64>>(ranks, number);
  }
}

TEST_CASE("elements over 1 KiB, of which a tile would have too few") {
  std::mt19937 random(34);
  for (const int size : {1, 2, 65, 5'000}) {
    const auto ranks = disordered_ranks(disorder::random, size, 3'000, random);
    check_types<wide_key<1040>, value_bytes<3>>(ranks, size);
    check_types<wide_key<512>, value_bytes<516>>(ranks, size);
  }
}

TEST_CASE("greater of the library, and of a test") { check_descending_orders(order_check{}); }

TEST_CASE("comparators with state, without a default constructor, of the executor's side only") {
  check_unusual_comparators(order_check{});
}

TEST_CASE("lambdas with and without captures") { check_lambdas(order_check{}); }

TEST_CASE("an order that a table in the executor's memory says") {
  const auto place = permuted_bytes();
  for_each_array(256, [&](const std::vector<int>& ranks, int number) {
    const std::vector<std::uint8_t> keys(ranks.begin(), ranks.end());
    const auto s = network_sorting(keys, less_by_table{place.data()});
    for_each_executor([&](auto executor) {
      const input<decltype(executor), int> table(place);
      const less_by_table compare{table.begin()};
      check_pairs<odd_even>(executor, s, numbers_below(keys.size()), whole_array, compare, number);
      CHECK(table.unchanged());
    });
  });
}

TEST_CASE("vector iterators, fancy pointers, and raw ones") {
  for_each_data([](const auto& policy, data& d) {
    data fancy = d, mixed = d;
    auto alone = d.keys;
    mgpu::odd_even_merge_sort(policy, alone.begin(), alone.end());
    CHECK(to_std(alone) == d.sorted_keys());
    mgpu::odd_even_merge_sort_by_key(policy, d.keys.begin(), d.keys.end(), d.numbers.begin());
    CHECK(d.is_sorted());
    const auto keys = fancy.keys.data();  // device_ptr under CUDA
    mgpu::odd_even_merge_sort_by_key(policy, keys, keys + d.count(), fancy.numbers.data());
    CHECK(fancy.is_sorted());
    int* const raw = thrust::raw_pointer_cast(mixed.keys.data());
    mgpu::odd_even_merge_sort_by_key(policy, raw, raw + d.count(), mixed.numbers.begin());
    CHECK(mixed.is_sorted());
  });
}

TEST_CASE("a part of a vector") {
  for_each_data([](const auto& policy, data& d) {
    if (d.count() < 3) return;
    const std::vector<int> inner(d.s.keys.begin() + 1, d.s.keys.end() - 1);
    const auto s = network_sorting(inner, less{});
    auto expected = d.s.keys, expected_numbers = numbers_below(d.s.keys.size());
    for (std::size_t i = 0; i < inner.size(); ++i) {
      expected[i + 1] = inner[static_cast<std::size_t>(s.order[i])];
      expected_numbers[i + 1] = s.order[i] + 1;
    }
    mgpu::odd_even_merge_sort_by_key(policy, d.keys.begin() + 1, d.keys.end() - 1, d.numbers.begin() + 1);
    CHECK(to_std(d.keys) == expected);
    CHECK(to_std(d.numbers) == expected_numbers);
  });
}

TEST_CASE("zips of two arrays, as keys and as values") {
  for_each_data([](const auto& policy, data& d) {
    data keys = d;
    const auto first = zip(keys.keys.begin(), keys.numbers.begin());
    mgpu::odd_even_merge_sort(policy, first, first + d.count(), less_first{});
    CHECK(keys.is_sorted());

    std::vector<double> halves;
    for (const int key : d.s.keys) halves.push_back(key * 0.5);
    auto second = to_vector(halves);
    const auto values = zip(d.numbers.begin(), second.begin());
    mgpu::odd_even_merge_sort_by_key(policy, d.keys.begin(), d.keys.end(), values);
    CHECK(d.is_sorted());
    CHECK(to_std(second) == d.s.in_order(halves));
  });
}

TEST_CASE("permuted keys and values, between elements that are not named") {
  for_each_data([](const auto& policy, data& d) {
    auto places = numbers_below(2 * d.s.keys.size());
    std::shuffle(places.begin(), places.end(), std::mt19937(4));
    places.resize(d.s.keys.size());
    const auto places_in = to_vector(places);
    const auto scatter = [&](const std::vector<int>& x) {
      std::vector<int> result(2 * x.size(), 1 << 29);
      for (std::size_t i = 0; i < x.size(); ++i) result[static_cast<std::size_t>(places[i])] = x[i];
      return result;
    };
    auto keys = to_vector(scatter(d.s.keys)), values = to_vector(scatter(numbers_below(d.s.keys.size())));
    const auto first = thrust::make_permutation_iterator(keys.begin(), places_in.begin());
    mgpu::odd_even_merge_sort_by_key(policy, first, first + d.count(),
                                     thrust::make_permutation_iterator(values.begin(), places_in.begin()));
    CHECK(to_std(keys) == scatter(d.sorted_keys()));
    CHECK(to_std(values) == scatter(d.s.order));
  });
}

TEST_CASE("reverse iterators") {
  for_each_data([](const auto& policy, data& d) {
    auto keys = to_vector(reversed(d.s.keys)), values = to_vector(reversed(numbers_below(d.s.keys.size())));
    mgpu::odd_even_merge_sort_by_key(policy, thrust::make_reverse_iterator(keys.end()),
                                     thrust::make_reverse_iterator(keys.begin()),
                                     thrust::make_reverse_iterator(values.end()));
    CHECK(to_std(keys) == reversed(d.sorted_keys()));
    CHECK(to_std(values) == reversed(d.s.order));
  });
}

TEST_CASE("keys that are changed when they are read, and changed back when they are written") {
  for_each_data([](const auto& policy, data& d) {
    auto negative = d.s.keys, expected = d.sorted_keys();
    for (auto* const x : {&negative, &expected}) std::transform(x->begin(), x->end(), x->begin(), negated{});
    auto keys = to_vector(negative);
    const auto first = thrust::make_transform_input_output_iterator(keys.begin(), negated{}, negated{});
    mgpu::odd_even_merge_sort_by_key(policy, first, first + d.count(), d.numbers.begin());
    CHECK(to_std(keys) == expected);
    CHECK(to_std(d.numbers) == d.s.order);
  });
}

TEST_CASE_TEMPLATE("keys and values at every alignment", Element, std::uint8_t, std::int32_t,
                   key12 MGPU_TEST_MORE(std::uint16_t, float)) {
  std::mt19937 random(33);
  for (const int size : {5, 1'003, 33'334}) {
    const auto keys = keys_of_ranks<Element>(disordered_ranks(disorder::random, size, 200, random));
    const auto s = network_sorting(keys, less{});
    for_each_executor([&](auto executor) {
      for (int skipped = 0; skipped < 16; ++skipped) {
        if (takes_few_cases() && skipped % 10 != 1) continue;
        if (size < 33'000 || skipped % 4 == 3) check_keys<odd_even>(executor, s, whole_array, less{}, skipped);
        if (size > 33'000 && skipped % 4 != 1) continue;
        check_pairs<odd_even>(executor, s, keys, whole_array, less{}, 4 * skipped + skipped % 4);
      }
    });
  }
}
