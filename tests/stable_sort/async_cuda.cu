// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// When stable_sort returns, what runs at the same time, and calls captured into CUDA graphs.
#include "check_stable_sort.h"
#include "support/async.h"

namespace {

using namespace test;

constexpr int small = 700, large = is_full ? 1'200'011 : 300'011;

enum class stable_call { numbers, pairs, compared };
constexpr stable_call all_calls[] = {stable_call::numbers, stable_call::pairs, stable_call::compared};

struct by_low_bits {
  MGPU_HOST_DEVICE bool operator()(std::uint32_t x, std::uint32_t y) const { return (x & 0xffff) < (y & 0xffff); }
};

/// An array whose size is fixed, with other keys for each seed.
class stable_calls : public loads_inputs<stable_calls> {
 public:
  using key = std::uint32_t;

  explicit stable_calls(int count) : count_(count), keys_(count), values_(count) {}

  /// Calls f(to, from, bytes) for all that a call reads.
  template <class F>
  void for_each_input(int seed, const F& f) const {
    const auto copy = [&](auto* to, const auto& from) { f(to, from.data(), from.size() * sizeof(from[0])); };
    copy(keys_.begin(), keys(seed));
    copy(values_.begin(), numbers());
  }

  template <class Policy>
  void run(stable_call c, const Policy& policy) const {
    key *const first = keys_.begin(), *const last = keys_.end();
    if (c == stable_call::numbers) mgpu::stable_sort(policy, first, last, cuda::std::greater<>{});
    else if (c == stable_call::pairs) mgpu::stable_sort_by_key(policy, first, last, values_.begin());
    else mgpu::stable_sort_by_key(policy, first, last, values_.begin(), by_low_bits{});
  }
  /// Requires that the call has finished.
  bool has_result(stable_call c, int seed) const {
    if (c == stable_call::numbers) return is_result(seed, cuda::std::greater<>{}, false);
    return c == stable_call::pairs ? is_result(seed, cuda::std::less<>{}, true) : is_result(seed, by_low_bits{}, true);
  }
  bool has_not_run(int seed) const { return keys_.first_difference(keys(seed)) == -1; }

 private:
  template <class Compare>
  bool is_result(int seed, const Compare& compare, bool moves_values) const {
    const sorting<key> s(keys(seed), one_segment(count_), compare);
    return keys_.first_difference(s.in_order(s.keys)) == -1 &&
           values_.first_difference(moves_values ? s.order : numbers()) == -1;
  }
  std::vector<key> keys(int seed) const {
    std::mt19937 random(static_cast<unsigned>(seed));
    auto keys = keys_of_bits<key>(count_, random);
    for (auto& key : keys) key %= 100'000;
    return keys;
  }
  std::vector<int> numbers() const { return numbers_below(static_cast<std::size_t>(count_)); }

  int count_;
  output<cuda_executor, key> keys_;
  output<cuda_executor, int> values_;
};

}  // namespace

// First in the file: nothing has been set up before it, and no kernel has been loaded.
TEST_CASE("every call can be captured at the first time, and replayed with other data") {
  const stream s;
  const stable_calls many(large), few(small);
  for_each_call(all_calls, {&many, &few}, [&](const auto& work) {
    check_capture(work, mgpu::par_nosync.on(s), s, {1, 2, 5});
  });
}

TEST_CASE("every call runs in stream order on data that come late") {
  const stream s;
  const stable_calls few(small), many(large);
  for_each_call(all_calls, {&few, &many}, [&](const auto& work) { check_late_data(work, 4, s); });
}

TEST_CASE("par_nosync returns before completion, par after it") {
  const stream s;
  const stable_calls few(small), many(large);
  for (const auto c : all_calls) {
    INFO("call ", static_cast<int>(c));
    for (const auto* calls : {&few, &many}) {
      calls->load(6);
      const one_call one{*calls, c};
      check_returns_before_completion(one, mgpu::par_nosync.on(s), s);
      check_returns_after_completion(one, mgpu::par.on(s), s);
    }
  }
}

TEST_CASE("wrapped policies of Thrust and policies with an allocator: one allocation") {
  const stream s;
  const stable_calls many(large);
  allocation_log log;
  logging_allocator allocator{&log};
  for (const auto c : all_calls) {
    INFO("call ", static_cast<int>(c));
    check_allocators(one_call{many, c}, 8, s);
    log = {};
    many.load(3);
    many.run(c, mgpu::par_nosync(allocator).on(s));
    s.wait();
    CHECK(many.has_result(c, 3));
    CHECK(log.allocations == 1);
    CHECK(log.is_balanced());
  }
}

TEST_CASE("a call in one stream does not wait for another stream") {
  const stable_calls first(large), second(large);
  check_streams_are_apart(one_call{first, stable_call::numbers}, one_call{second, stable_call::pairs});
}
