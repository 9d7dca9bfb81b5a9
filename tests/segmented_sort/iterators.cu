// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Keys and values by iterators of every kind, and by pointers of every alignment.
#include "support/check_sort.h"
#include "support/iterators.h"
#include "support/sort_patterns.h"
#include "support/vectors.h"

#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_input_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>

namespace {

using namespace test;
using less = cuda::std::less<>;

/// Orders pairs by both of their members, the second one descending.
struct less_of_pairs {
  template <class X, class Y>
  MGPU_HOST_DEVICE bool operator()(const X& x, const Y& y) const {
    return thrust::get<0>(x) < thrust::get<0>(y) ||
           (thrust::get<0>(x) == thrust::get<0>(y) && thrust::get<1>(y) < thrust::get<1>(x));
  }
};

/// Keys with many ties in segments, here and in the executor's memory.
struct data {
  sorting<int> s;
  vector<int> keys, numbers;
  vector<offset> offsets;
  offset count;  // of the segments

  explicit data(const sorting<int>& sorted)
      : s(sorted),
        keys(to_vector(s.keys)),
        numbers(to_vector(numbers_below(s.keys.size()))),
        offsets(to_vector(offsets_of(s.cut))),
        count(static_cast<offset>(s.cut.begins.size())) {}

  auto segments() const { return mgpu::segment_offsets(offsets.begin(), count); }
  std::vector<int> sorted_keys() const { return s.in_order(s.keys); }
  /// Every element's place, in pseudorandom order, in an array of twice the size.
  std::vector<int> scattered_places() const {
    std::mt19937 random(4);
    auto places = numbers_below(2 * s.keys.size());
    std::shuffle(places.begin(), places.end(), random);
    places.resize(s.keys.size());
    return places;
  }
};

/// Calls f(policy, data) for every executor and some segments.
template <class F>
void for_each_data(const F& f) {
  std::mt19937 random(31);
  unsigned number = 0;
  for (const auto kind : {sharing::one_long, sharing::tens, sharing::zipf}) {
    for (const int size : {0, 7, 1000, 40'001}) {
      const auto cut = cut_of(lengths_of(kind, size, random), size == 1000 ? gaps::at_both_ends : gaps::none, ++number);
      std::vector<int> keys;
      for (const int rank : disordered_ranks(disorder::random, static_cast<int>(cut.elements), 700, random)) {
        keys.push_back(rank - 300);
      }
      const sorting<int> s(keys, cut, less{});
      for_each_executor([&](auto executor) {
        data d(s);
        INFO(executor.name, ", ", s.keys.size(), " elements in ", d.count, " segments");
        f(executor.policy(), d);
      });
    }
    if (takes_few_cases()) return;
  }
}

}  // namespace

TEST_CASE("vector iterators") {
  for_each_data([](const auto& policy, data& d) {
    auto pairs = d.keys;
    mgpu::segmented_sort(policy, d.keys.begin(), d.keys.end(), d.segments());
    CHECK(to_std(d.keys) == d.sorted_keys());
    mgpu::stable_segmented_sort_by_key(policy, pairs.begin(), pairs.end(), d.numbers.begin(), d.segments());
    CHECK(to_std(pairs) == d.sorted_keys());
    CHECK(to_std(d.numbers) == d.s.order);
  });
}

TEST_CASE("fancy pointers, of keys and of values") {
  for_each_data([](const auto& policy, data& d) {
    const auto keys = d.keys.data();  // device_ptr under CUDA
    mgpu::stable_segmented_sort_by_key(policy, keys, keys + d.keys.size(), d.numbers.data(), d.segments());
    CHECK(to_std(d.keys) == d.sorted_keys());
    CHECK(to_std(d.numbers) == d.s.order);
  });
}

TEST_CASE("fancy pointers and raw ones at once") {
  for_each_data([](const auto& policy, data& d) {
    int* const keys = thrust::raw_pointer_cast(d.keys.data());
    mgpu::stable_segmented_sort_by_key(policy, keys, keys + d.keys.size(), d.numbers.begin(), d.segments());
    CHECK(to_std(d.keys) == d.sorted_keys());
    CHECK(to_std(d.numbers) == d.s.order);
  });
}

TEST_CASE("zips of two arrays as keys, by both members and by the first one") {
  for_each_data([](const auto& policy, data& d) {
    auto keys = d.keys, second = d.numbers;
    const auto first = zip(keys.begin(), second.begin());
    const auto last = first + static_cast<offset>(keys.size());
    mgpu::segmented_sort(policy, first, last, d.segments(), less_of_pairs{});
    // Ties are in the descending order of their numbers, which elements of no segment keep.
    auto expected = d.s.order;
    for (const auto tie : d.s.ties) std::reverse(expected.begin() + tie.begin, expected.begin() + tie.end);
    CHECK(to_std(keys) == d.sorted_keys());
    CHECK(to_std(second) == expected);

    const auto by_first = zip(d.keys.begin(), d.numbers.begin());
    mgpu::stable_segmented_sort(policy, by_first, by_first + (last - first), d.segments(), less_first{});
    CHECK(to_std(d.keys) == d.sorted_keys());
    CHECK(to_std(d.numbers) == d.s.order);
  });
}

TEST_CASE("zips of two arrays of different types as values") {
  for_each_data([](const auto& policy, data& d) {
    std::vector<double> halves;
    for (const int number : to_std(d.numbers)) halves.push_back(number * 0.5);
    auto second = to_vector(halves);
    mgpu::stable_segmented_sort_by_key(policy, d.keys.begin(), d.keys.end(), zip(d.numbers.begin(), second.begin()),
                                       d.segments());
    CHECK(to_std(d.keys) == d.sorted_keys());
    CHECK(to_std(d.numbers) == d.s.order);
    CHECK(to_std(second) == d.s.in_order(halves));
  });
}

TEST_CASE("permuted keys and values, between elements that are not named") {
  for_each_data([](const auto& policy, data& d) {
    const auto places = d.scattered_places();
    const auto places_in = to_vector(places);
    const auto scatter = [&](const std::vector<int>& x) {
      std::vector<int> result(2 * x.size(), 1 << 29);
      for (std::size_t i = 0; i < x.size(); ++i) result[static_cast<std::size_t>(places[i])] = x[i];
      return result;
    };
    auto keys = to_vector(scatter(d.s.keys)), values = to_vector(scatter(to_std(d.numbers)));
    const auto first = thrust::make_permutation_iterator(keys.begin(), places_in.begin());
    mgpu::stable_segmented_sort_by_key(policy, first, first + static_cast<offset>(places.size()),
                                       thrust::make_permutation_iterator(values.begin(), places_in.begin()),
                                       d.segments());
    CHECK(to_std(keys) == scatter(d.sorted_keys()));
    CHECK(to_std(values) == scatter(d.s.order));
  });
}

TEST_CASE("reverse iterators") {
  for_each_data([](const auto& policy, data& d) {
    const auto reversed = [](std::vector<int> x) {
      std::reverse(x.begin(), x.end());
      return x;
    };
    auto keys = to_vector(reversed(d.s.keys)), values = to_vector(reversed(to_std(d.numbers)));
    mgpu::stable_segmented_sort_by_key(policy, thrust::make_reverse_iterator(keys.end()),
                                       thrust::make_reverse_iterator(keys.begin()),
                                       thrust::make_reverse_iterator(values.end()), d.segments());
    CHECK(to_std(keys) == reversed(d.sorted_keys()));
    CHECK(to_std(values) == reversed(d.s.order));
  });
}

TEST_CASE("keys that are changed when they are read, and changed back when they are written") {
  for_each_data([](const auto& policy, data& d) {
    auto negative = d.s.keys;
    for (auto& x : negative) x = -x;
    auto keys = to_vector(negative);
    const auto first = thrust::make_transform_input_output_iterator(keys.begin(), negated{}, negated{});
    mgpu::segmented_sort(policy, first, first + static_cast<offset>(keys.size()), d.segments());
    auto expected = d.sorted_keys();
    for (auto& x : expected) x = -x;
    CHECK(to_std(keys) == expected);
  });
}

TEST_CASE("locality sort of zips, of a part of a vector, and of permuted keys") {
  for_each_executor([](auto executor) {
    INFO(executor.name);
    std::mt19937 random(32);
    for (const int size : {2, 900, 50'000}) {
      const auto keys = ranks_near_place(size, 400, random);
      const sorting<int> s(keys, one_segment(size), less{});
      auto first = to_vector(keys), second = to_vector(numbers_below(keys.size()));
      const auto zipped = zip(first.begin(), second.begin());
      mgpu::locality_sort(executor.policy(), zipped, zipped + size, less_first{});
      CHECK(to_std(first) == s.in_order(keys));
      CHECK(to_std(second) == s.order);

      auto pairs = to_vector(keys), values = to_vector(numbers_below(keys.size()));
      mgpu::locality_sort_by_key(executor.policy(), pairs.begin() + 1, pairs.end() - 1, values.begin() + 1);
      const segmentation inner{size, {1}, {size - 1}};
      const sorting<int> of_inner(keys, inner, less{});
      CHECK(to_std(pairs) == of_inner.in_order(keys));
      CHECK(to_std(values) == of_inner.order);

      const auto places = to_vector(numbers_below(keys.size()));
      auto permuted = to_vector(keys);
      const auto named = thrust::make_permutation_iterator(permuted.begin(), places.begin());
      mgpu::locality_sort(executor.policy(), named, named + size);
      CHECK(to_std(permuted) == s.in_order(keys));
    }
  });
}

TEST_CASE_TEMPLATE("keys and values at every alignment", Element, std::uint8_t, key12 MGPU_TEST_MORE(std::uint16_t)) {
  std::mt19937 random(33);
  for (const int size : {5, 1003, 33'334}) {
    const auto cut = cut_of(lengths_of(sharing::hundreds, size, random), gaps::everywhere, 1);
    std::vector<Element> keys;
    for (const int rank : disordered_ranks(disorder::random, static_cast<int>(cut.elements), 200, random)) {
      if constexpr (std::is_integral_v<Element>) keys.push_back(static_cast<Element>(rank));
      else keys.push_back(make_key<Element>(rank, static_cast<int>(keys.size())));
    }
    const sorting<Element> s(keys, cut, less{});
    for_each_executor([&](auto executor) {
      const segments_in<decltype(executor)> segments(cut);
      for (int skipped = 0; skipped < 16; ++skipped) {
        if (takes_few_cases() && skipped % 5 != 1) continue;
        check_keys<segmented>(executor, s, segments.begins_and_ends(), less{}, skipped);
        check_pairs<stable_segmented>(executor, s, keys, segments.begins_and_ends(), less{}, 4 * skipped + skipped % 4);
      }
    });
  }
}
