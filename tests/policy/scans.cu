// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The scans of executors, beside loops. On the CPU long ones are cut into parts.
#include "support/executors.h"
#include "support/vectors.h"

#include <mgpu/merge.h>

#include MGPU_CUDA_VERB_HEADER(scan)
#include MGPU_CUDA_VERB_HEADER(scan_offsets)

#include <doctest/doctest.h>

#include <cstddef>
#include <random>
#include <vector>

namespace {

using namespace test;
using mgpu::offset;

/// The last number that is not 0. It is associative, but not commutative.
struct last_of {
  MGPU_HOST_DEVICE offset operator()(offset x, offset y) const { return y != 0 ? y : x; }
};

struct number_of {
  const offset* numbers;
  MGPU_HOST_DEVICE offset operator()(offset i) const { return numbers[i]; }
};

/// The last number that is not 0 of those from a place on. Number 0 is the last one.
struct scan_from_end {
  offset* last;

  static constexpr offset zero = 0;
  MGPU_HOST_DEVICE offset value_at(offset i) const { return *(last - i); }
  MGPU_HOST_DEVICE void put(offset i, offset x) const { *(last - i) = x; }
  MGPU_HOST_DEVICE offset sum(offset x, offset y) const { return last_of{}(x, y); }
};
static_assert(scan_from_end::zero == 0);  // the CPU does not ask

// 1,024 are a tile of scan_offsets, and 256 tiles are as many as it has blocks.
constexpr int counts[] = {1, 2, 33, 1'023, 1'024, 1'025, 4'096, 1 << 15, (1 << 15) + 1, 3 << 15, 1 << 18, 700'003};

std::vector<offset> numbers_of(int count) {
  std::mt19937 random(static_cast<unsigned>(count));
  std::vector<offset> numbers(static_cast<std::size_t>(count));
  for (offset& x : numbers) x = random() % 5 == 0 ? static_cast<offset>(random()) : 0;
  return numbers;
}

}  // namespace

TEST_CASE("scans of executors") {
  for_each_own_policy([](auto executor) {
    INFO(executor.name);
    auto policy = executor.policy();
    const auto run = mgpu::detail::exec::executor(policy);
    for (const int count : counts) {
      CAPTURE(count);
      const std::vector<offset> numbers = numbers_of(count);
      std::vector<offset> expected = numbers;
      for (std::size_t i = 1; i < expected.size(); ++i) expected[i] = last_of{}(expected[i - 1], expected[i]);
      vector<offset> scanned = to_vector(numbers);
      run.scan_in_place(mgpu::detail::exec::unwrap(scanned.begin(), count), count, last_of{});
      CHECK(to_std<offset>(scanned) == expected);

      expected = numbers;
      for (std::size_t i = expected.size() - 1; i > 0; --i) expected[i - 1] = last_of{}(expected[i], expected[i - 1]);
      scanned = to_vector(numbers);
      run.scan_offsets(scan_from_end{mgpu::detail::exec::unwrap(scanned.begin(), count) + (count - 1)}, count);
      CHECK(to_std<offset>(scanned) == expected);

      offset sum = 0;
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        expected[i] = sum;
        sum += numbers[i];
      }
      const vector<offset> in = to_vector(numbers);
      run.exclusive_scan(number_of{mgpu::detail::exec::unwrap(in.begin(), count)}, count,
                         mgpu::detail::exec::unwrap(scanned.begin(), count), cuda::std::plus<>{});
      CHECK(to_std<offset>(scanned) == expected);
    }
  });
}
