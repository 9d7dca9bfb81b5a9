// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Thrust's own algorithms with our policies, and our algorithms with policies as temporaries and as values.
#include "support/check_merge.h"
#include "support/patterns.h"
#include "support/vectors.h"

#include <mgpu/par.h>

#include <thrust/copy.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include <atomic>
#include <functional>
#include <random>
#include <type_traits>

namespace {

using namespace test;

struct is_even {
  MGPU_HOST_DEVICE bool operator()(int x) const { return x % 2 == 0; }
};
struct plus_one {
  MGPU_HOST_DEVICE int operator()(int x) const { return x + 1; }
};

std::vector<int> shuffled(int count) {
  std::vector<int> numbers = numbered_values<int>(0, count);
  std::shuffle(numbers.begin(), numbers.end(), std::mt19937(17));
  return numbers;
}

/// Algorithms of Thrust that the library does not replace.
template <class Executor, class Policy>
void check_thrust_algorithms(const Policy& policy) {
  constexpr int count = 30000;
  vector<int> x = to_vector(Executor::sorts_by_thrust_merge ? numbered_values<int>(0, count) : shuffled(count));
  CHECK(thrust::reduce(policy, x.begin(), x.end(), std::int64_t{0}) == std::int64_t{count} * (count - 1) / 2);
  if constexpr (!Executor::sorts_by_thrust_merge) thrust::sort(policy, x.begin(), x.end());
  CHECK(to_std(x) == numbered_values<int>(0, count));
  thrust::transform(policy, x.begin(), x.end(), x.begin(), plus_one{});
  vector<int> even(count / 2);
  const auto end = thrust::copy_if(policy, x.begin(), x.end(), even.begin(), is_even{});
  CHECK(end == even.end());
  auto expected = numbered_values<int>(0, count / 2);
  for (auto& y : expected) y = 2 * y + 2;
  CHECK(to_std(even) == expected);
}

/// Both, in one chain on one policy.
template <class Executor, class Policy>
void check_policy(Executor, const Policy& policy) {
  check_thrust_algorithms<Executor>(policy);
  std::mt19937 random(5);
  const auto a = sorted_keys<int>(pattern::random, 0, 40000, 20000, random);  // more than one tile of the CPU
  const auto b = sorted_keys<int>(pattern::random, 1, 20000, 40000, random);
  const auto a_in = to_vector(a), b_in = to_vector(b);
  vector<int> out(a.size() + b.size());
  CHECK(mgpu::merge(policy, a_in.begin(), a_in.end(), b_in.begin(), b_in.end(), out.begin()) == out.end());
  CHECK(to_std(out) == in_order<int>(merged_order(a, b, std::less<>{}), a, b));
}

template <class Executor, class Policy>
void check_values_of(Executor executor, const Policy& policy) {
  const Policy& reference = policy;
  const auto copy = policy;
  auto changeable = copy;
  check_policy(executor, reference);
  check_policy(executor, copy);
  check_policy(executor, changeable);
  check_policy(executor, Policy(policy));
}

// Verbs are an executor's: a policy offers a user none of them.
struct call_run {
  template <class T>
  auto operator()(T& x) const -> decltype(x.run(0));
};
struct call_compact {
  template <class T>
  auto operator()(T& x) const -> decltype(x.compact(0));
};
struct call_each {
  template <class T>
  auto operator()(T& x) const -> decltype(x.each(1, is_even{}));
};
struct call_read {
  template <class T>
  auto operator()(T& x) const -> decltype(x.read(static_cast<int*>(nullptr)));
};
template <class Policy>
constexpr bool is_no_executor =
    !(std::is_invocable_v<call_run, Policy&> || std::is_invocable_v<call_compact, Policy&> ||
      std::is_invocable_v<call_each, Policy&> || std::is_invocable_v<call_read, Policy&>);
static_assert(is_no_executor<std::remove_const_t<decltype(mgpu::par)>>, "mgpu::par.run(...) is no call of a user's");
static_assert(is_no_executor<std::decay_t<decltype(first_executor::policy())>>);

}  // namespace

TEST_CASE("policies by reference, by value, changeable and as temporaries") {
  for_each_own_policy([](auto executor) {
    INFO(executor.name);
    check_values_of(executor, executor.policy());
  });
}

TEST_CASE("the policies of the configured device system") {
  check_policy(first_executor{}, mgpu::par);
  check_policy(first_executor{}, mgpu::par_nosync);
}

#ifndef MGPU_TEST_CUDA
namespace {

/// What the allocators of a test have done together.
struct allocation_log {
  std::atomic<int> allocations{0}, deallocations{0};  // Thrust may allocate on several threads
};

struct logging_allocator {
  using value_type = char;
  allocation_log* log;

  char* allocate(std::ptrdiff_t bytes) {
    ++log->allocations;
    return static_cast<char*>(::operator new(static_cast<std::size_t>(bytes)));
  }
  void deallocate(char* memory, std::size_t) {
    ++log->deallocations;
    ::operator delete(memory);
  }
};

/// A sort of Thrust takes its scratch from the allocator named.
template <class Executor, class Par>
void check_allocator(Executor executor, const Par& par) {
  allocation_log log;
  logging_allocator allocator{&log};
  check_policy(executor, par(allocator));
  check_policy(executor, par(logging_allocator{&log}));
  if constexpr (!Executor::sorts_by_thrust_merge) {
    const int before = log.allocations;
    std::vector<int> x = shuffled(5000);
    thrust::stable_sort(par(allocator), x.begin(), x.end());
    CHECK(log.allocations > before);
  }
  CHECK(log.allocations == log.deallocations);
}

}  // namespace

TEST_CASE("the tests' own policy runs on the system that is named") {
  for_each_executor([](auto executor) {
    const int before = loops_run[static_cast<int>(current_system)];
    check_policy(executor, executor.policy());
    CHECK(loops_run[static_cast<int>(current_system)] > before);
  });
}

TEST_CASE("par(allocator) on the CPU") {
  for_each_own_policy([](auto executor) {
    INFO(executor.name);
    check_allocator(executor, executor.policy());
  });
}
#endif
