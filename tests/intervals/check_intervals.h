// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Every function on intervals, on raw pointers, against its definition.

#include "support/arrays.h"
#include "support/interval_patterns.h"
#include "support/keys.h"

#include <doctest/doctest.h>

#include <mgpu/interval.h>

#include <type_traits>
#include <utility>
#include <vector>

namespace test {

/// The sinks and cores that the functions make of raw pointers.
template <class Sink>
using interval_core = mgpu::detail::core::interval<const offset*, Sink>;
template <class T>
using expand_core =
    interval_core<decltype(mgpu::detail::plan::expand_sink(std::declval<const T*>(), std::declval<T*>()))>;
template <class T, class Gather, class Scatter>
using move_core = interval_core<decltype(mgpu::detail::plan::move_sink(
    std::declval<const T*>(), std::declval<T*>(), std::declval<Gather>(), std::declval<Scatter>()))>;

/// Elements in front of the inputs and of the outputs, which take them off their alignment.
struct interval_skips {
  int in, out;

  static interval_skips number(int n) { return {n % 16, n / 3 % 16}; }
};

/// How a call is told of its intervals.
enum class given { offsets, counts };

/// Intervals in the executor's memory.
template <class Executor>
class intervals_in {
 public:
  explicit intervals_in(const std::vector<int>& counts)
      : counts_here_(counts),
        count_(static_cast<offset>(counts.size())),
        total_(total_of(counts)),
        counts_(counts),
        offsets_(offsets_of(counts)) {}

  const std::vector<int>& counts() const { return counts_here_; }
  offset count() const { return count_; }
  offset total() const { return total_; }
  bool unchanged() const { return counts_.unchanged() && offsets_.unchanged(); }

  template <class F>
  void give(given as, const F& f) const {
    const offset* const offsets = offsets_.begin();
    const int* const counts = counts_.begin();
    if (as == given::offsets) f(mgpu::interval_offsets(offsets, count_, total_));
    else f(mgpu::interval_counts(counts, counts + count_));
  }

 private:
  std::vector<int> counts_here_;
  offset count_, total_;
  input<Executor, int> counts_;
  input<Executor, offset> offsets_;
};

/// An element with a number of its own, as far as its bytes allow.
template <class T>
T element(offset number) {
  if constexpr (std::is_same_v<T, copied>) return copied(static_cast<int>(number), ~static_cast<int>(number));
  else return make_value<T>(static_cast<int>(number));
}

template <class T>
std::vector<T> elements(offset first, offset count) {
  std::vector<T> result;
  result.reserve(static_cast<std::size_t>(count));
  for (offset i = 0; i < count; ++i) result.push_back(element<T>(first + i));
  return result;
}

/// What an output holds before a call. A type that cannot be made of bytes is given elements that have to be written
/// over.
template <class Executor, class T>
std::vector<T> before_call(const output<Executor, T>& out, offset count) {
  if constexpr (std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T>) return out.read();
  else return elements<T>(-9, count);
}

template <class T, class Executor>
void check_expand(Executor executor, const intervals_in<Executor>& intervals, given as, interval_skips skip) {
  const auto values = elements<T>(7, intervals.count());
  const input<Executor, T> values_in(values, skip.in);
  const output<Executor, T> out(intervals.total(), skip.out);
  std::vector<T> expected;
  expected.reserve(static_cast<std::size_t>(intervals.total()));
  for_each_item(intervals.counts(),
                [&](offset, std::size_t interval, offset) { expected.push_back(values[interval]); });
  const T* const from = values_in.begin();
  intervals.give(as, [&](const auto& i) {
    T* const end = mgpu::interval_expand(executor.policy(), i, from, out.begin());
    CHECK(end == out.end());
  });
  CHECK(out.first_difference(expected) == -1);
  CHECK(values_in.unchanged());
}

enum class moving { gather, scatter, both };

/// The function that moves from the places in an array, to places in one, or both.
template <moving Moving, class Policy, class Intervals, class Gather, class Scatter, class In, class Out>
void call_move(const Policy& policy, const Intervals& intervals, Gather gather, Scatter scatter, In in, Out out,
               [[maybe_unused]] offset total) {
  if constexpr (Moving == moving::gather) {
    const Out end = mgpu::interval_gather(policy, intervals, gather, in, out);
    CHECK(end - out == total);
  } else if constexpr (Moving == moving::scatter) {
    mgpu::interval_scatter(policy, intervals, scatter, in, out);
  } else {
    mgpu::interval_move(policy, intervals, gather, scatter, in, out);
  }
}

/// Positions of the places in the array are of type Position.
template <moving Moving, class T, class Position = offset, class Executor>
void check_move(Executor executor, const intervals_in<Executor>& intervals, layout sources, layout destinations,
                given as, interval_skips skip, unsigned seed) {
  std::mt19937 random(seed);
  const auto from = place(Moving == moving::scatter ? layout::in_order : sources, intervals.counts(), random);
  const auto to = place(Moving == moving::gather ? layout::in_order : destinations, intervals.counts(), random);
  const std::vector<Position> gather(from.begins.begin(), from.begins.end()),
      scatter(to.begins.begin(), to.begins.end());
  const auto in = elements<T>(11, from.extent);
  const input<Executor, Position> gather_in(gather), scatter_in(scatter);
  const input<Executor, T> in_in(in, skip.in);
  const output<Executor, T> out(to.extent, skip.out);
  auto expected = before_call(out, to.extent);
  for_each_item(intervals.counts(), [&](offset, std::size_t i, offset rank) {
    expected[static_cast<std::size_t>(to.begins[i] + rank)] = in[static_cast<std::size_t>(from.begins[i] + rank)];
  });
  const T* const in_begin = in_in.begin();
  const Position *const gather_begin = gather_in.begin(), *const scatter_begin = scatter_in.begin();
  intervals.give(as, [&](const auto& i) {
    call_move<Moving>(executor.policy(), i, gather_begin, scatter_begin, in_begin, out.begin(), intervals.total());
  });
  CHECK(out.first_difference(expected) == -1);
  CHECK(in_in.unchanged());
  CHECK(gather_in.unchanged());
  CHECK(scatter_in.unchanged());
}

template <class Number, class Executor>
void check_search(Executor executor, const intervals_in<Executor>& intervals, given as, int skipped) {
  const output<Executor, Number> out(intervals.total(), skipped);
  std::vector<Number> expected;
  for_each_item(intervals.counts(),
                [&](offset, std::size_t interval, offset) { expected.push_back(static_cast<Number>(interval)); });
  intervals.give(as, [&](const auto& i) {
    Number* const end = mgpu::load_balance_search(executor.policy(), i, out.begin());
    CHECK(end == out.end());
  });
  CHECK(out.first_difference(expected) == -1);
}

/// Notes what it is called with, and how often.
struct note_visit {
  offset total;
  offset *intervals, *ranks;  // [total], by item
  int* times;                 // [total + 1], by item; the last one for calls with what is no item

  static MGPU_HOST_DEVICE void increment(int* x) {
#ifdef __CUDA_ARCH__
    atomicAdd(x, 1);
#else
    __atomic_fetch_add(x, 1, __ATOMIC_RELAXED);
#endif
  }
  MGPU_HOST_DEVICE void operator()(offset item, offset interval, offset rank) const {
    const bool is_item = item >= 0 && item < total;
    increment(times + (is_item ? item : total));
    if (!is_item) return;
    intervals[item] = interval;
    ranks[item] = rank;
  }
};

template <class Executor>
void check_for_each(Executor executor, const intervals_in<Executor>& intervals, given as) {
  const offset total = intervals.total();
  const output<Executor, offset> interval_out(total), rank_out(total);
  const output<Executor, int> times_out(total + 1);
  std::vector<int> times(static_cast<std::size_t>(total) + 1, 0);
  Executor::copy_in(times_out.begin(), times.data(), times.size() * sizeof(int));
  intervals.give(as, [&](const auto& i) {
    mgpu::for_each_interval_item(executor.policy(), i,
                                 note_visit{total, interval_out.begin(), rank_out.begin(), times_out.begin()});
  });
  std::vector<offset> interval_of, rank_of;
  for_each_item(intervals.counts(), [&](offset, std::size_t interval, offset rank) {
    interval_of.push_back(static_cast<offset>(interval));
    rank_of.push_back(rank);
  });
  std::fill(times.begin(), times.end() - 1, 1);
  CHECK(times_out.first_difference(times) == -1);
  CHECK(interval_out.first_difference(interval_of) == -1);
  CHECK(rank_out.first_difference(rank_of) == -1);
}

/// Every size of intervals and items together that is about the tile's or its multiples.
inline std::vector<int> interval_sizes(int tile) {
  return {0, 1, 2, 33, tile - 1, tile, tile + 1, 2 * tile - 1, 2 * tile, 2 * tile + 1, 5 * tile + 17};
}

}  // namespace test
