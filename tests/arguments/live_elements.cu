// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Keys and values whose copies run code are copied from elements only, and assigned to elements only.
#include "support/arrays.h"

#include <doctest/doctest.h>

#include <mgpu/mgpu.h>

#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace {

using namespace test;

#ifdef MGPU_TEST_CUDA
__device__ int faults;
int fault_count() {
  int count = 0;
  require_cuda(cudaMemcpyFromSymbol(&count, faults, sizeof(int)));
  return count;
}
#else
int faults;
int fault_count() { return faults; }
#endif

/// Lives from its constructor on, where it was made: memory that is used as one without, and bytes that were moved, are
/// faults.
class live {
 public:
  MGPU_HOST_DEVICE explicit live(std::uint32_t number = 0) : mark_(mark()), number_(number) {}
  MGPU_HOST_DEVICE live(const live& x) : mark_(mark()), number_(x.number_) { x.check(); }
  MGPU_HOST_DEVICE live& operator=(const live& x) {
    check();
    x.check();
    number_ = x.number_;
    return *this;
  }

  MGPU_HOST_DEVICE std::uint32_t number() const { return number_; }
  friend MGPU_HOST_DEVICE bool operator<(const live& x, const live& y) {
    x.check();
    y.check();
    return x.number_ < y.number_;
  }

 private:
  MGPU_HOST_DEVICE std::uint64_t mark() const { return reinterpret_cast<std::uintptr_t>(this) ^ 0x600DF00D600DF00D; }
  MGPU_HOST_DEVICE void check() const {
#ifdef __CUDA_ARCH__
    if (mark_ != mark()) atomicAdd(&faults, 1);
#elif !defined(MGPU_TEST_CUDA)
    if (mark_ != mark()) __atomic_fetch_add(&faults, 1, __ATOMIC_RELAXED);
#endif
  }

  std::uint64_t mark_;
  std::uint32_t number_;
};

struct make_live {
  live* to;
  const std::uint32_t* numbers;
  MGPU_HOST_DEVICE void operator()(offset i) const { mgpu::detail::base::construct(to + i, numbers[i]); }
};
struct read_numbers {
  const live* from;
  std::uint32_t* numbers;
  MGPU_HOST_DEVICE void operator()(offset i) const { numbers[i] = from[i].number(); }
};

/// Elements that were made where they are.
template <class Executor>
class live_array {
 public:
  explicit live_array(const std::vector<std::uint32_t>& numbers)
      : count_(static_cast<offset>(numbers.size())), numbers_(numbers), room_(count_) {
    thrust::for_each_n(Executor::policy(), thrust::counting_iterator<offset>(0), count_,
                       make_live{room_.begin(), numbers_.begin()});
  }
  explicit live_array(offset count) : live_array(std::vector<std::uint32_t>(static_cast<std::size_t>(count))) {}

  live* begin() const { return room_.begin(); }
  live* end() const { return room_.end(); }
  std::vector<std::uint32_t> read() const {
    const output<Executor, std::uint32_t> numbers(count_);
    thrust::for_each_n(Executor::policy(), thrust::counting_iterator<offset>(0), count_,
                       read_numbers{room_.begin(), numbers.begin()});
    return numbers.read();
  }

 private:
  offset count_;
  input<Executor, std::uint32_t> numbers_;
  output<Executor, live> room_;
};

std::vector<std::uint32_t> sorted_numbers(int count, int values, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::uint32_t> numbers(static_cast<std::size_t>(count));
  for (auto& x : numbers) x = static_cast<std::uint32_t>(std::uniform_int_distribution<int>(0, values)(random));
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

/// Sizes of a part of a tile, a thread's share and many tiles; one input ends long before the other, or both end
/// together.
constexpr struct { int a, b; } shapes[] = {{1, 0}, {0, 3}, {5, 7}, {700, 1}, {3, 9001}, {20011, 30011}, {60001, 59}};

template <class Function>
void for_each_shape(const Function& f) {
  for_each_executor([&](auto executor) {
    INFO(executor.name);
    for (const auto& shape : shapes) {
      for (const int values : {1, 500, 1 << 30}) {
        INFO(shape.a, " and ", shape.b, " elements of ", values, " values");
        f(executor, sorted_numbers(shape.a, values, 1), sorted_numbers(shape.b, values, 2));
        CHECK(fault_count() == 0);
      }
    }
  });
}

TEST_CASE("merge copies living elements only") {
  for_each_shape([](auto executor, const auto& a, const auto& b) {
    using executor_type = decltype(executor);
    const live_array<executor_type> a_in(a), b_in(b);
    const auto count = static_cast<offset>(a.size() + b.size());
    const live_array<executor_type> alone(count), keys(count), values(count);
    mgpu::merge(executor.policy(), a_in.begin(), a_in.end(), b_in.begin(), b_in.end(), alone.begin());
    mgpu::merge_by_key(executor.policy(), a_in.begin(), a_in.end(), b_in.begin(), b_in.end(), a_in.begin(),
                       b_in.begin(), keys.begin(), values.begin());
    std::vector<std::uint32_t> expected(a.size() + b.size());
    std::merge(a.begin(), a.end(), b.begin(), b.end(), expected.begin());
    CHECK(alone.read() == expected);
    CHECK(keys.read() == expected);
    CHECK(values.read() == expected);
  });
}

TEST_CASE("set operations copy living elements only") {
  for_each_shape([](auto executor, const auto& a, const auto& b) {
    using executor_type = decltype(executor);
    const live_array<executor_type> a_in(a), b_in(b);
    const auto room = static_cast<offset>(a.size() + b.size());
    const live_array<executor_type> united(room), keys(room), values(room), common(room);
    std::vector<std::uint32_t> expected(a.size() + b.size()), expected_common(a.size() + b.size());
    expected.erase(std::set_union(a.begin(), a.end(), b.begin(), b.end(), expected.begin()), expected.end());
    expected_common.erase(std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), expected_common.begin()),
                          expected_common.end());
    const auto size = static_cast<offset>(expected.size());
    const auto& p = executor.policy();
    CHECK(mgpu::set_union_size(p, a_in.begin(), a_in.end(), b_in.begin(), b_in.end()) == size);
    CHECK(mgpu::set_union(p, a_in.begin(), a_in.end(), b_in.begin(), b_in.end(), united.begin()) - united.begin() ==
          size);
    mgpu::set_union_by_key(p, a_in.begin(), a_in.end(), b_in.begin(), b_in.end(), a_in.begin(), b_in.begin(),
                           keys.begin(), values.begin());
    CHECK(mgpu::set_intersection(p, a_in.begin(), a_in.end(), b_in.begin(), b_in.end(), common.begin()) -
              common.begin() ==
          static_cast<offset>(expected_common.size()));
    for (const auto* const out : {&united, &keys, &values, &common}) {
      auto numbers = out->read();
      const auto& wanted = out == &common ? expected_common : expected;
      numbers.resize(wanted.size());
      CHECK(numbers == wanted);
    }
  });
}

TEST_CASE("intervals copy living elements only") {
  for_each_executor([](auto executor) {
    INFO(executor.name);
    using executor_type = decltype(executor);
    std::vector<int> counts(5000);
    std::mt19937 random(3);
    std::vector<std::uint32_t> numbers, expected;
    for (std::uint32_t i = 0; i < counts.size(); ++i) {
      counts[i] = std::uniform_int_distribution<int>(0, 20)(random);
      numbers.push_back(i);
      expected.insert(expected.end(), static_cast<std::size_t>(counts[i]), i);
    }
    const input<executor_type, int> counts_in(counts);
    const live_array<executor_type> values(numbers), out(static_cast<offset>(expected.size()));
    mgpu::interval_expand(executor.policy(), mgpu::interval_counts(counts_in.begin(), counts_in.end()), values.begin(),
                          out.begin());
    CHECK(out.read() == expected);
    CHECK(fault_count() == 0);
  });
}

}  // namespace
