// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Calls of the functions on intervals whose data can be put in place, and looked at, apart from the call.

#include "check_intervals.h"

#include <cstdint>
#include <map>
#include <vector>

namespace test {

enum class function { expand, gather, scatter, move, search, for_each };

inline constexpr function all_functions[] = {function::expand, function::gather, function::scatter,
                                             function::move,   function::search, function::for_each};

/// Adds something of every item to a sum of its interval. Can be called on the executor's side only.
struct add_to_sums {
  std::uint32_t* sums;  // [intervals]

  static MGPU_HOST_DEVICE std::uint32_t part(offset item, offset rank) {
    return static_cast<std::uint32_t>(977 * item + rank + 1);
  }
  MGPU_DEVICE void operator()(offset item, offset interval, offset rank) const {
#ifdef MGPU_TEST_CUDA
    atomicAdd(sums + interval, part(item, rank));
#else
    __atomic_fetch_add(sums + interval, part(item, rank), __ATOMIC_RELAXED);
#endif
  }
};

/// All functions on intervals whose number and total are fixed, with other offsets, values and places for each seed.
template <class Executor>
class interval_calls {
  using element = std::uint8_t;

 public:
  explicit interval_calls(const std::vector<int>& counts)
      : drawn_counts_(counts),
        count_(static_cast<offset>(counts.size())),
        total_(total_of(counts)),
        counts_(counts),
        offsets_(std::vector<offset>(counts.size())),
        gather_(std::vector<offset>(counts.size())),
        scatter_(std::vector<offset>(counts.size())),
        values_(std::vector<element>(counts.size())),
        source_(std::vector<element>(static_cast<std::size_t>(total_))),
        elements_(total_),
        numbers_(total_),
        sums_(count_),
        fresh_elements_(elements_.read()),
        fresh_numbers_(numbers_.read()) {
    load(0);
  }

  /// Puts the data of `seed` where the calls read it.
  void load(int seed) const {
    for_each_input(seed, [](void* to, const void* from, std::size_t bytes) { Executor::copy_in(to, from, bytes); });
    clear();
  }
  /// Makes the outputs as they were.
  void clear() const {
    const std::vector<std::uint32_t> zeros(static_cast<std::size_t>(count_), 0);
    Executor::copy_in(elements_.begin(), fresh_elements_.data(), fresh_elements_.size());
    Executor::copy_in(numbers_.begin(), fresh_numbers_.data(), fresh_numbers_.size() * sizeof(std::uint32_t));
    Executor::copy_in(sums_.begin(), zeros.data(), zeros.size() * sizeof(std::uint32_t));
  }
  /// Calls f(to, from, bytes) for every input.
  template <class F>
  void for_each_input(int seed, const F& f) const {
    const data& d = drawn(seed);
    const auto copy = [&](const auto& to, const auto& from) {
      f(to.begin(), from.data(), from.size() * sizeof(from[0]));
    };
    copy(counts_, d.counts);
    copy(offsets_, d.offsets);
    copy(gather_, d.from.begins);
    copy(scatter_, d.to.begins);
    copy(values_, d.values);
    copy(source_, d.source);
  }
  bool inputs_hold(int seed) const {
    bool all_hold = true;
    for_each_input(seed, [&](const void* now, const void* expected, std::size_t bytes) {
      std::vector<char> found(bytes);
      Executor::copy_out(found.data(), now, bytes);
      all_hold = all_hold && (bytes == 0 || std::memcmp(found.data(), expected, bytes) == 0);
    });
    return all_hold;
  }

  /// A function, and what it is given of the intervals.
  struct call {
    function f;
    given as;
  };
  template <class Policy>
  void run(call c, const Policy& policy) const {
    run(c.f, policy, c.as);
  }
  bool has_result(call c, int seed) const { return has_result(c.f, seed); }
  template <class Policy>
  void run(function f, const Policy& policy, given as = given::offsets) const {
    const offset* const offsets = offsets_.begin();
    const int* const counts = counts_.begin();
    if (as == given::offsets) run_with(f, policy, mgpu::interval_offsets(offsets, count_, total_));
    else run_with(f, policy, mgpu::interval_counts(counts, counts + count_));
  }
  /// Requires that the call has finished.
  bool has_result(function f, int seed) const {
    const data& d = drawn(seed);
    std::vector<element> elements = fresh_elements_;
    std::vector<std::uint32_t> numbers, sums(static_cast<std::size_t>(count_), 0);
    for_each_item(d.counts, [&](offset item, std::size_t i, offset rank) {
      const auto from = static_cast<std::size_t>(f == function::scatter ? item : d.from.begins[i] + rank);
      const auto to =
          static_cast<std::size_t>(f == function::gather || f == function::expand ? item : d.to.begins[i] + rank);
      if (f == function::for_each) sums[i] += add_to_sums::part(item, rank);
      else if (f == function::search) numbers.push_back(static_cast<std::uint32_t>(i));
      else elements[to] = f == function::expand ? d.values[i] : d.source[from];
    });
    if (f == function::for_each) return sums_.first_difference(sums) == -1;
    if (f == function::search) return numbers_.first_difference(numbers) == -1;
    return elements_.first_difference(elements) == -1;
  }
  /// Whether no call has written anything since load().
  bool has_not_run(int seed) const {
    return inputs_hold(seed) && elements_.read() == fresh_elements_ && numbers_.read() == fresh_numbers_ &&
           sums_.read() == std::vector<std::uint32_t>(static_cast<std::size_t>(count_), 0);
  }

 private:
  struct data {
    std::vector<int> counts;
    std::vector<offset> offsets;
    placed from, to;
    std::vector<element> values, source;

    data(const interval_calls& calls, int seed) : counts(calls.drawn_counts_) {
      std::mt19937 random(static_cast<unsigned>(seed));
      std::shuffle(counts.begin(), counts.end(), random);
      offsets = offsets_of(counts);
      from = place(layout::overlapping, counts, random);
      to = place(layout::permuted, counts, random);
      values = test::elements<element>(seed * 100, calls.count_);
      source = test::elements<element>(seed * 1000, calls.total_);
    }
  };

  /// What a seed draws, kept: every function asks for it.
  const data& drawn(int seed) const { return drawn_.try_emplace(seed, *this, seed).first->second; }

  template <class Policy, class Intervals>
  void run_with(function f, const Policy& policy, const Intervals& intervals) const {
    const element *const values = values_.begin(), *const source = source_.begin();
    const offset *const gather = gather_.begin(), *const scatter = scatter_.begin();
    element* const out = elements_.begin();
    switch (f) {
      case function::expand: {
        const element* const end = mgpu::interval_expand(policy, intervals, values, out);
        CHECK(end == elements_.end());
        break;
      }
      case function::gather: {
        const element* const end = mgpu::interval_gather(policy, intervals, gather, source, out);
        CHECK(end == elements_.end());
        break;
      }
      case function::scatter:
        mgpu::interval_scatter(policy, intervals, scatter, source, out);
        break;
      case function::move:
        mgpu::interval_move(policy, intervals, gather, scatter, source, out);
        break;
      case function::search: {
        const std::uint32_t* const end = mgpu::load_balance_search(policy, intervals, numbers_.begin());
        CHECK(end == numbers_.end());
        break;
      }
      case function::for_each:
        mgpu::for_each_interval_item(policy, intervals, add_to_sums{sums_.begin()});
        break;
    }
  }

  std::vector<int> drawn_counts_;
  offset count_, total_;
  input<Executor, int> counts_;
  input<Executor, offset> offsets_, gather_, scatter_;
  input<Executor, element> values_, source_;
  output<Executor, element> elements_;
  output<Executor, std::uint32_t> numbers_, sums_;
  std::vector<element> fresh_elements_;
  std::vector<std::uint32_t> fresh_numbers_;
  mutable std::map<int, data> drawn_;
};

/// Intervals for calls that search their splits in a launch of their own and take memory for them.
inline std::vector<int> counts_of_large_call() {
  std::mt19937 random(4);
  return counts_of_size(sharing::hundreds, first_executor::items_beyond_single_launch<expand_core<std::uint8_t>>(),
                        random);
}
inline std::vector<int> counts_of_small_call() { return {3, 0, 700, 1, 1, 0, 0, 250, 2}; }

}  // namespace test
