// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Intervals, values, inputs, outputs and positions by iterators of every kind.
#include "check_intervals.h"
#include "support/iterators.h"
#include "support/vectors.h"

#include <thrust/fill.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>

#include <algorithm>
#include <numeric>
#include <type_traits>

namespace {

using namespace test;

struct times {
  offset factor;
  MGPU_HOST_DEVICE offset operator()(offset x) const { return factor * x; }
};
struct remainder_of {
  int divisor;
  MGPU_HOST_DEVICE std::uint8_t operator()(offset x) const { return static_cast<std::uint8_t>(x % divisor); }
};
/// Counts how often it is given a number.
struct count_into {
  int* times;
  MGPU_HOST_DEVICE int operator()(offset number) const {
    note_visit::increment(times + number);
    return 0;
  }
};

/// Intervals with a value each, and places for their items, in the executor's memory and here.
struct data {
  std::vector<int> counts, values, source;
  std::vector<offset> offsets;
  placed from, to;
  offset count, total;
  vector<int> counts_in, values_in, source_in;
  vector<offset> offsets_in, gather_in, scatter_in;

  data(sharing s, int size) {
    std::mt19937 random(static_cast<unsigned>(size));
    counts = counts_of_size(s, size, random);
    offsets = offsets_of(counts);
    count = static_cast<offset>(counts.size());
    total = total_of(counts);
    from = place(layout::overlapping, counts, random);
    to = place(layout::permuted, counts, random);
    values = elements<int>(5, count);
    source = elements<int>(77, total);
    counts_in = to_vector(counts);
    offsets_in = to_vector(offsets);
    values_in = to_vector(values);
    source_in = to_vector(source);
    gather_in = to_vector(from.begins);
    scatter_in = to_vector(to.begins);
  }
  auto intervals() const { return mgpu::interval_offsets(offsets_in.begin(), count, total); }

  /// f(interval) for every item.
  template <class F>
  std::vector<int> by_interval(const F& f) const {
    std::vector<int> result;
    for_each_item(counts, [&](offset, std::size_t interval, offset) { result.push_back(f(interval)); });
    return result;
  }
  std::vector<int> expanded() const {
    return by_interval([this](std::size_t interval) { return values[interval]; });
  }
  /// The items of a source moved, each made another by f.
  template <class F>
  std::vector<int> moved(const placed& sources, const placed& destinations, const F& f) const {
    std::vector<int> result(static_cast<std::size_t>(total));
    for_each_item(counts, [&](offset, std::size_t i, offset rank) {
      result[static_cast<std::size_t>(destinations.begins[i] + rank)] = f(sources.begins[i] + rank);
    });
    return result;
  }
  std::vector<int> moved() const {
    return moved(from, to, [this](offset place) { return source[static_cast<std::size_t>(place)]; });
  }
  placed in_order() const { return {offsets, total}; }
  vector<int> room() const { return vector<int>(static_cast<std::size_t>(total)); }
};

/// Calls f(policy, data) for every executor and some intervals.
template <class F>
void for_each_data(const F& f) {
  for_each_executor([&](auto executor) {
    for (const auto s : {sharing::tens, sharing::halves, sharing::long_inside}) {
      for (const int size : {0, 7, 1000, 100'001}) {
        const data d(s, size);
        INFO(executor.name, ", ", d.count, " intervals with ", d.total, " items");
        f(executor.policy(), d);
      }
    }
  });
}

}  // namespace

TEST_CASE("vector iterators, const and not") {
  for_each_data([](const auto& policy, const data& d) {
    auto expanded = d.room(), gathered = d.room(), moved = d.room();
    auto values = d.values_in;
    const auto end = mgpu::interval_expand(policy, d.intervals(), values.begin(), expanded.begin());
    static_assert(std::is_same_v<std::decay_t<decltype(end)>, vector<int>::iterator>);
    CHECK(end == expanded.end());
    CHECK(to_std(expanded) == d.expanded());
    const mgpu::interval_counts by_counts(d.counts_in.cbegin(), d.counts_in.cend());
    const auto gathered_end =
        mgpu::interval_gather(policy, by_counts, d.gather_in.cbegin(), d.source_in.cbegin(), gathered.begin());
    static_assert(std::is_same_v<std::decay_t<decltype(gathered_end)>, vector<int>::iterator>);
    CHECK(gathered_end == gathered.end());
    CHECK(to_std(gathered) == d.moved(d.from, d.in_order(), [&](offset place) { return d.source[place]; }));
    mgpu::interval_move(policy, by_counts, d.gather_in.begin(), d.scatter_in.begin(), d.source_in.begin(),
                        moved.begin());
    CHECK(to_std(moved) == d.moved());
  });
}

TEST_CASE("fancy pointers into a pointer's range") {
  for_each_data([](const auto& policy, const data& d) {
    auto expanded = d.room(), scattered = d.room();
    const mgpu::interval_offsets intervals(d.offsets_in.data(), d.count, d.total);  // device_ptr under CUDA
    CHECK(mgpu::interval_expand(policy, intervals, d.values_in.data(), expanded.data()) == expanded.data() + d.total);
    CHECK(to_std(expanded) == d.expanded());
    mgpu::interval_scatter(policy, intervals, d.scatter_in.data(), d.source_in.data(), scattered.data());
    CHECK(to_std(scattered) == d.moved(d.in_order(), d.to, [&](offset place) { return d.source[place]; }));
  });
}

TEST_CASE("expand of counting, constant and transform values") {
  for_each_data([](const auto& policy, const data& d) {
    auto out = d.room();
    const auto check = [&](auto values, const auto& expected) {
      thrust::fill(out.begin(), out.end(), -1);
      CHECK(mgpu::interval_expand(policy, d.intervals(), values, out.begin()) == out.end());
      CHECK(to_std(out) == d.by_interval(expected));
    };
    check(thrust::counting_iterator<int>(-3), [](std::size_t interval) { return static_cast<int>(interval) - 3; });
    check(thrust::constant_iterator<int>(8), [](std::size_t) { return 8; });
    check(thrust::make_transform_iterator(d.values_in.begin(), triple_and_one{}),
          [&](std::size_t interval) { return 3 * d.values[interval] + 1; });
  });
}

TEST_CASE("a transform output of expand and of gather") {
  for_each_data([](const auto& policy, const data& d) {
    auto expanded = d.room(), gathered = d.room();
    const auto expanded_out = thrust::make_transform_output_iterator(expanded.begin(), negated{});
    const auto expanded_end = mgpu::interval_expand(policy, d.intervals(), d.values_in.begin(), expanded_out);
    CHECK(expanded_end - expanded_out == d.total);
    CHECK(to_std(expanded) == d.by_interval([&](std::size_t interval) { return -d.values[interval]; }));
    const auto gathered_out = thrust::make_transform_output_iterator(gathered.begin(), negated{});
    const auto from = thrust::make_transform_iterator(d.source_in.begin(), triple_and_one{});
    CHECK(mgpu::interval_gather(policy, d.intervals(), d.gather_in.begin(), from, gathered_out) - gathered_out ==
          d.total);
    CHECK(to_std(gathered) == d.moved(d.from, d.in_order(), [&](offset place) { return -(3 * d.source[place] + 1); }));
  });
}

TEST_CASE("zip values and a zip source into zips") {
  for_each_data([](const auto& policy, const data& d) {
    auto first = d.room(), second = d.room(), moved = d.room(), places = d.room();
    const auto out = zip(first.begin(), second.begin());
    const auto values = zip(d.values_in.begin(), thrust::counting_iterator<int>(0));
    CHECK(mgpu::interval_expand(policy, d.intervals(), values, out) - out == d.total);
    CHECK(to_std(first) == d.expanded());
    CHECK(to_std(second) == d.by_interval([](std::size_t interval) { return static_cast<int>(interval); }));
    mgpu::interval_move(policy, d.intervals(), d.gather_in.begin(), d.scatter_in.begin(),
                        zip(d.source_in.begin(), thrust::counting_iterator<int>(0)),
                        zip(moved.begin(), places.begin()));
    CHECK(to_std(moved) == d.moved());
    CHECK(to_std(places) == d.moved(d.from, d.to, [](offset place) { return static_cast<int>(place); }));
  });
}

TEST_CASE("zips of three 16-bit arrays") {
  for_each_data([](const auto& policy, const data& d) {
    const auto as_shorts = [](const std::vector<int>& x) { return std::vector<short>(x.begin(), x.end()); };
    const auto values = to_vector(as_shorts(d.values)), source = to_vector(as_shorts(d.source));
    auto x = to_vector(as_shorts(std::vector<int>(d.total))), y = x, z = x;
    const auto out = zip(x.begin(), y.begin(), z.begin());
    const auto are = [&](const std::vector<int>& expected) {
      CHECK(to_std(x) == as_shorts(expected));
      CHECK(to_std(y) == as_shorts(expected));
      CHECK(to_std(z) == as_shorts(expected));
    };
    mgpu::interval_expand(policy, d.intervals(), zip(values.begin(), values.begin(), values.begin()), out);
    are(d.expanded());
    mgpu::interval_gather(policy, d.intervals(), d.gather_in.begin(),
                          zip(source.begin(), source.begin(), source.begin()), out);
    are(d.moved(d.from, d.in_order(), [&](offset place) { return d.source[static_cast<std::size_t>(place)]; }));
  });
}

TEST_CASE("a permuted source, and a permuted output") {
  for_each_data([](const auto& policy, const data& d) {
    std::vector<int> backwards(static_cast<std::size_t>(d.total));
    std::iota(backwards.rbegin(), backwards.rend(), 0);
    const auto places = to_vector(backwards);
    auto gathered = d.room(), expanded = d.room();
    const auto source = thrust::make_permutation_iterator(d.source_in.begin(), places.begin());
    CHECK(mgpu::interval_gather(policy, d.intervals(), d.gather_in.begin(), source, gathered.begin()) ==
          gathered.end());
    CHECK(to_std(gathered) ==
          d.moved(d.from, d.in_order(), [&](offset place) { return d.source[d.total - 1 - place]; }));
    const auto out = thrust::make_permutation_iterator(expanded.begin(), places.begin());
    CHECK(mgpu::interval_expand(policy, d.intervals(), d.values_in.begin(), out) - out == d.total);
    auto expected = d.expanded();
    std::reverse(expected.begin(), expected.end());
    CHECK(to_std(expanded) == expected);
    thrust::fill(expanded.begin(), expanded.end(), -1);
    const auto reverse = thrust::make_reverse_iterator(expanded.end());
    CHECK(mgpu::interval_expand(policy, d.intervals(), d.values_in.begin(), reverse) - reverse == d.total);
    CHECK(to_std(expanded) == expected);
  });
}

TEST_CASE("a discarded output: its end, and how often each value comes out") {
  for_each_data([](const auto& policy, const data& d) {
    const auto nowhere = thrust::make_discard_iterator();
    CHECK(mgpu::interval_expand(policy, d.intervals(), d.values_in.begin(), nowhere) - nowhere == d.total);
    CHECK(mgpu::interval_gather(policy, d.intervals(), d.gather_in.begin(), d.source_in.begin(), nowhere) - nowhere ==
          d.total);
    vector<int> found(d.counts.size());
    const auto counted =
        thrust::make_transform_output_iterator(nowhere, count_into{thrust::raw_pointer_cast(found.data())});
    CHECK(mgpu::load_balance_search(policy, d.intervals(), counted) - counted == d.total);
    CHECK(to_std(found) == d.counts);
  });
}

TEST_CASE("offsets that are computed") {
  const auto check = [](const auto& policy, auto offsets, const std::vector<int>& counts) {
    const offset total = total_of(counts);
    vector<int> out(static_cast<std::size_t>(total));
    const mgpu::interval_offsets intervals(offsets, static_cast<offset>(counts.size()), total);
    CHECK(mgpu::interval_expand(policy, intervals, thrust::counting_iterator<int>(0), out.begin()) == out.end());
    std::vector<int> expected;
    for_each_item(counts,
                  [&](offset, std::size_t interval, offset) { expected.push_back(static_cast<int>(interval)); });
    CHECK(to_std(out) == expected);
  };
  for_each_executor([&](auto executor) {
    INFO(executor.name);
    const thrust::counting_iterator<offset> numbers(0);
    for (const int count : {0, 1, 400, 70'000}) {
      const auto some = static_cast<std::size_t>(count);
      check(executor.policy(), thrust::make_transform_iterator(numbers, times{7}), std::vector<int>(some, 7));
      check(executor.policy(), thrust::make_transform_iterator(numbers, times{0}), std::vector<int>(some, 0));
      check(executor.policy(), thrust::counting_iterator<int>(0), std::vector<int>(some, 1));
      auto last_has_all = std::vector<int>(some, 0);
      if (count > 0) last_has_all.back() = 3333;
      check(executor.policy(), thrust::constant_iterator<std::int16_t>(0), last_has_all);
    }
  });
}

TEST_CASE("counts that are computed, and positions") {
  for_each_executor([&](auto executor) {
    INFO(executor.name);
    const thrust::counting_iterator<offset> numbers(0);
    for (const int count : {0, 1, 400, 30'000}) {
      std::vector<int> counts;
      for (int i = 0; i < count; ++i) counts.push_back(i % 11);
      const offset total = total_of(counts);
      const auto first = thrust::make_transform_iterator(numbers, remainder_of{11});
      const mgpu::interval_counts by_counts(first, first + count);
      // Interval i comes from 13 * i and goes to 20 * i.
      vector<int> scattered(static_cast<std::size_t>(20 * count), -1), gathered(static_cast<std::size_t>(total));
      std::vector<int> expected(static_cast<std::size_t>(20 * count), -1), expected_in_order;
      for_each_item(counts, [&](offset, std::size_t interval, offset rank) {
        expected[20 * interval + static_cast<std::size_t>(rank)] =
            static_cast<int>(13 * interval) + static_cast<int>(rank);
        expected_in_order.push_back(static_cast<int>(13 * interval) + static_cast<int>(rank));
      });
      const auto gather = thrust::make_transform_iterator(numbers, times{13});
      const auto scatter = thrust::make_transform_iterator(numbers, times{20});
      const thrust::counting_iterator<int> source(0);
      mgpu::interval_move(executor.policy(), by_counts, gather, scatter, source, scattered.begin());
      CHECK(to_std(scattered) == expected);
      CHECK(mgpu::interval_gather(executor.policy(), by_counts, gather, source, gathered.begin()) == gathered.end());
      CHECK(to_std(gathered) == expected_in_order);
    }
  });
}
