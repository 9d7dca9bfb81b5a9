// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What this library has no function for runs Thrust's code, with Thrust's promises.
#include "../support/executors.h"

#include <doctest/doctest.h>

#include <mgpu/thrust_ext.h>

#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/sort.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

using namespace test;

namespace {

/// Changes when it is called: threads must not share it.
struct by_scratch {
  int* out;
  int scratch[8] = {};

  void operator()(int i) {
    scratch[0] = i;
    for (int k = 1; k < 8; ++k) scratch[k] = scratch[k - 1] + 1;
    out[i] = scratch[7];
  }
};

}  // namespace

TEST_CASE("loops of functors that change") {
  for_each_own_policy([](auto executor) {
    if (executor.name == "omp") return;  // its threads share a functor with thrust::omp::par, too
    constexpr int count = 3'000'000;
    std::vector<int> out(count);
    thrust::for_each_n(executor.policy(), thrust::counting_iterator<int>(0), count, by_scratch{out.data()});
    int wrong = 0;
    for (int i = 0; i < count; ++i) wrong += out[static_cast<std::size_t>(i)] != i + 7;
    CHECK(wrong == 0);
  });
}

TEST_CASE("loops that write, and sorts of what is no number") {
  std::vector<std::string> words;
  for (int i = 0; i < 3000; ++i) words.push_back(std::to_string(i));
  auto expected = words;
  std::sort(expected.begin(), expected.end());
  std::shuffle(words.begin(), words.end(), std::mt19937(4));
  for_each_own_policy([&](auto executor) {
    auto sorted = words;
    thrust::sort(executor.policy(), sorted.begin(), sorted.end());
    CHECK(sorted == expected);
    thrust::for_each(executor.policy(), sorted.begin(), sorted.end(), [](auto& word) { word += "."; });
    CHECK(sorted.front() == expected.front() + ".");
    CHECK(sorted.back() == expected.back() + ".");
  });
}
