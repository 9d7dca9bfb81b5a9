// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// More than 2^31 and 2^32 items, as many intervals, and intervals of more than 2^32 items. Everything is made and
// checked on the device.
#include "support/large.h"

#include <mgpu/interval.h>

#include <cstdint>
#include <type_traits>
#include <vector>

namespace {

using namespace test;

constexpr offset two_28 = offset{1} << 28;

/// Where the intervals of a long sequence begin: about `each` items apart, at least 101.
struct cut {
  offset count, each;

  MGPU_HOST_DEVICE offset total() const { return count * each; }
  MGPU_HOST_DEVICE offset operator()(offset i) const { return i * each + i % 1009 * (i % 1009) % 101; }
  MGPU_HOST_DEVICE offset end(offset i) const { return i + 1 < count ? (*this)(i + 1) : total(); }
  /// The interval of an item, by definition.
  MGPU_HOST_DEVICE offset interval_of(offset item) const {
    offset i = item / each;
    while ((*this)(i) > item) --i;
    while (end(i) <= item) ++i;
    return i;
  }
};

/// Interval i is copied from where the intervals, in descending order, would have it.
struct in_descending_order {
  cut intervals;
  MGPU_HOST_DEVICE offset operator()(offset i) const { return intervals.total() - intervals.end(i); }
};

/// And to where they would have it if their first third came last.
struct in_rotated_order {
  cut intervals;
  MGPU_HOST_DEVICE offset operator()(offset i) const {
    const offset third = intervals.count / 3, before = intervals(third);
    return intervals(i) - before + (i < third ? intervals.total() : 0);
  }
};

/// An element that depends on all of its number.
template <class T>
struct mixed {
  MGPU_HOST_DEVICE T operator()(offset i) const {
    const auto x = static_cast<std::uint64_t>(i) * 0x9E3779B97F4A7C15u;
    return static_cast<T>(x >> 24 ^ x >> 41);
  }
};

auto offsets_of(const cut& c) { return mgpu::interval_offsets(computed(c), c.count, c.total()); }

template <class T>
struct fill_mixed {
  T* out;
  MGPU_DEVICE void operator()(offset i) const { out[i] = mixed<T>{}(i); }
};

/// The number itself, which a search writes.
template <class T>
struct same {
  MGPU_HOST_DEVICE T operator()(offset i) const { return static_cast<T>(i); }
};

/// Counts elements that are not what they have to be: an interval's value, or an element of its source.
template <class T, class Values>
struct compare_expanded {
  const T* out;
  cut intervals;
  Values values;
  unsigned long long* wrong;
  MGPU_DEVICE void operator()(offset item) const {
    if (out[item] != values(intervals.interval_of(item))) atomicAdd(wrong, 1ull);
  }
};
template <class T, class From, class To>
struct compare_moved {
  const T* out;
  cut intervals;
  From from;  // where the items of an interval were
  To to;      // and where they have to be
  unsigned long long* wrong;
  MGPU_DEVICE void operator()(offset item) const {
    const offset i = intervals.interval_of(item), rank = item - intervals(i);
    if (out[to(i) + rank] != mixed<T>{}(from(i) + rank)) atomicAdd(wrong, 1ull);
  }
};

template <class T>
struct compare_to {
  const T* out;
  T expected;
  unsigned long long* wrong;
  MGPU_DEVICE void operator()(offset item) const {
    if (out[item] != expected) atomicAdd(wrong, 1ull);
  }
};

/// Adds what a visit is told to one of many sums.
struct add_visit {
  static constexpr offset sums = 1 << 14;
  unsigned long long* to;  // [sums]
  MGPU_DEVICE void operator()(offset item, offset interval, offset rank) const {
    atomicAdd(to + item % sums, static_cast<unsigned long long>(item + 3 * interval + 5 * rank + 1));
  }
};
struct add_visit_by_definition {
  add_visit add;
  cut intervals;
  MGPU_DEVICE void operator()(offset item) const {
    const offset i = intervals.interval_of(item);
    add(item, i, item - intervals(i));
  }
};

template <class T>
void check_expand_and_search(const cut& intervals) {
  INFO(intervals.count, " intervals of about ", intervals.each, " items of ", sizeof(T), " bytes");
  const guarded<T> out(intervals.total());
  const auto check = [&](const T* end, const auto& values) {
    using compare = compare_expanded<T, std::decay_t<decltype(values)>>;
    CHECK(end == out.end());
    CHECK(wrong([&](auto* counter) {
            for_numbers<<<blocks, threads>>>(intervals.total(), compare{out.data(), intervals, values, counter});
          }) == 0);
    CHECK(out.are_guards_whole());
    out.clear();
  };
  check(mgpu::interval_expand(mgpu::par, offsets_of(intervals), computed(mixed<T>{}), out.data()), mixed<T>{});
  check(mgpu::load_balance_search(mgpu::par, offsets_of(intervals), out.data()), same<T>{});
}

template <class T>
void check_moves(const cut& intervals) {
  INFO(intervals.count, " intervals of about ", intervals.each, " items of ", sizeof(T), " bytes");
  const room<T> source(intervals.total());
  for_numbers<<<blocks, threads>>>(intervals.total(), fill_mixed<T>{source.data()});
  const guarded<T> out(intervals.total());
  const T* const in = source.data();
  const in_descending_order descending{intervals};
  const in_rotated_order rotated{intervals};
  const auto check = [&](const auto& from, const auto& to) {
    using compare = compare_moved<T, std::decay_t<decltype(from)>, std::decay_t<decltype(to)>>;
    CHECK(wrong([&](auto* counter) {
            for_numbers<<<blocks, threads>>>(intervals.total(), compare{out.data(), intervals, from, to, counter});
          }) == 0);
    CHECK(out.are_guards_whole());
    out.clear();
  };
  const T* const end = mgpu::interval_gather(mgpu::par, offsets_of(intervals), computed(descending), in, out.data());
  CHECK(end == out.end());
  check(descending, intervals);
  mgpu::interval_scatter(mgpu::par, offsets_of(intervals), computed(descending), in, out.data());
  check(intervals, descending);
  mgpu::interval_move(mgpu::par, offsets_of(intervals), computed(descending), computed(rotated), in, out.data());
  check(descending, rotated);
}

/// Intervals that are all empty but a few.
struct few_with_items {
  static constexpr int few = 5;
  offset numbers[few];  // of those with items, ascending
  int items[few];

  /// Where interval i begins.
  MGPU_HOST_DEVICE offset operator()(offset i) const {
    offset begin = 0;
    for (int k = 0; k < few; ++k) begin += numbers[k] < i ? items[k] : 0;
    return begin;
  }
};
struct count_of_few {
  few_with_items intervals;
  MGPU_HOST_DEVICE std::uint32_t operator()(offset i) const {
    return static_cast<std::uint32_t>(intervals(i + 1) - intervals(i));
  }
};
few_with_items some_with_items(offset count) {
  return {{12'345, 5 * (two_28 + 1), two_31 - 1, two_31 + 5, count - 1}, {3, 100'000, 1, 7000, 2}};
}

template <class Intervals>
void check_few_with_items(const few_with_items& some, const Intervals& intervals) {
  std::vector<offset> expected;
  for (int k = 0; k < few_with_items::few; ++k) {
    expected.insert(expected.end(), static_cast<std::size_t>(some.items[k]), some.numbers[k]);
  }
  const guarded<offset> out(static_cast<offset>(expected.size()));
  const offset* const end = mgpu::load_balance_search(mgpu::par, intervals, out.data());
  CHECK(end == out.end());
  CHECK(out.are_guards_whole());
  std::vector<offset> found(expected.size());
  require_cuda(cudaMemcpy(found.data(), out.data(), found.size() * sizeof(offset), cudaMemcpyDeviceToHost));
  CHECK(found == expected);
}

}  // namespace

TEST_SUITE_BEGIN("large");

TEST_CASE("expand to more than 2^31 items and to more than 2^32, of few intervals and of many, and their search") {
  if (!has_memory(std::size_t{18} << 30)) return;
  for (const auto& intervals : {cut{1, two_31 - 1}, cut{1, two_31 + 1}, cut{5, two_31 / 5 + 7},
                                cut{two_31 / 129 + 1, 129}, cut{two_32 / 1000 + 9, 1000}, cut{3, two_32 / 3 + 5}}) {
    check_expand_and_search<std::uint8_t>(intervals);
  }
  check_expand_and_search<std::uint32_t>({two_32 / 1000 + 9, 1000});
}

TEST_CASE("gather, scatter and move of more than 2^31 items and of more than 2^32, of few intervals and of many") {
  if (!has_memory(std::size_t{10} << 30)) return;
  for (const auto& intervals :
       {cut{1, two_31 + 1}, cut{5, two_31 / 5 + 7}, cut{two_31 / 129 + 1, 129}, cut{3, two_32 / 3 + 5}}) {
    check_moves<std::uint8_t>(intervals);
  }
}

TEST_CASE("an interval of 2^28 items, and one of more than 2^32") {
  if (!has_memory(std::size_t{10} << 30)) return;
  check_expand_and_search<std::uint32_t>({1, two_28});
  check_moves<std::uint32_t>({1, two_28});
  check_expand_and_search<std::uint8_t>({1, two_32});
  check_expand_and_search<std::uint8_t>({1, two_32 + 777});
  check_expand_and_search<std::uint8_t>({2, two_32 + 5});
  check_moves<std::uint8_t>({1, two_32 + 777});
}

TEST_CASE("a visit to each of more than 2^31 items") {
  const room<unsigned long long> found(add_visit::sums), expected(add_visit::sums);
  for (const auto& intervals : {cut{two_31 / 129 + 1, 129}, cut{1, two_32 + 777}}) {
    INFO(intervals.count, " intervals of about ", intervals.each, " items");
    std::vector<unsigned long long> of_calls(add_visit::sums), by_definition(add_visit::sums);
    const std::size_t bytes = of_calls.size() * sizeof(of_calls[0]);
    require_cuda(cudaMemset(found.data(), 0, bytes));
    require_cuda(cudaMemset(expected.data(), 0, bytes));
    mgpu::for_each_interval_item(mgpu::par, offsets_of(intervals), add_visit{found.data()});
    for_numbers<<<blocks, threads>>>(intervals.total(), add_visit_by_definition{{expected.data()}, intervals});
    require_cuda(cudaGetLastError());
    require_cuda(cudaMemcpy(of_calls.data(), found.data(), bytes, cudaMemcpyDeviceToHost));
    require_cuda(cudaMemcpy(by_definition.data(), expected.data(), bytes, cudaMemcpyDeviceToHost));
    CHECK(of_calls == by_definition);
  }
}

TEST_CASE("offsets beyond 2^31 of 32 unsigned bits") {
  if (!has_memory(std::size_t{5} << 30)) return;
  const std::vector<std::uint32_t> offsets{0, 0, 17, 0x7fffffff, 0x80000000, 0x80000000, 0xfffffff0};
  const offset total = two_32 - 1, count = static_cast<offset>(offsets.size());
  const room<std::uint32_t> on_device(count);
  require_cuda(cudaMemcpy(on_device.data(), offsets.data(), offsets.size() * 4, cudaMemcpyHostToDevice));
  const guarded<std::uint8_t> out(total);
  const std::uint8_t* const end = mgpu::load_balance_search(
      mgpu::par, mgpu::interval_offsets(static_cast<const std::uint32_t*>(on_device.data()), count, total), out.data());
  CHECK(end == out.end());
  CHECK(out.are_guards_whole());
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const offset begin = offsets[i], after = i + 1 < offsets.size() ? offset{offsets[i + 1]} : total;
    const auto* const first = out.data() + begin;
    const auto number = static_cast<std::uint8_t>(i);
    CHECK(wrong([&](auto* counter) {
            for_numbers<<<blocks, threads>>>(after - begin, compare_to<std::uint8_t>{first, number, counter});
          }) == 0);
  }
}

TEST_CASE("more than 2^31 intervals and more than 2^32, all empty but a few, given by offsets and by counts") {
  for (const offset count : {two_31 + 70'001, two_32 + 70'001}) {
    INFO(count, " intervals");
    const few_with_items some = some_with_items(count);
    check_few_with_items(some, mgpu::interval_offsets(computed(some), count, some(count)));
    if (!has_memory(std::size_t{36} << 30)) continue;
    const auto counts = computed(count_of_few{some});
    check_few_with_items(some, mgpu::interval_counts(counts, counts + count));
  }
}

TEST_SUITE_END();
