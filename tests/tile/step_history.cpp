// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/tile/host/step_history.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace {

int surprises_of(const std::vector<unsigned>& steps) {
  mgpu::detail::tile::step_history history;
  for (const unsigned step : steps) history.note(step);
  return history.surprises();
}

/// What surprises() says, step by step.
int expected_surprises(const std::vector<unsigned>& steps) {
  const int count = std::min<int>(static_cast<int>(steps.size()), mgpu::detail::tile::step_history::max_steps);
  const auto* const last = steps.data() + steps.size() - count;
  int fewest = count < 2 ? 0 : count;
  for (int period = 1; period <= 8 && period < count; ++period) {
    int differ = 0;
    for (int i = period; i < count; ++i) differ += last[i] != last[i - period];
    fewest = std::min(fewest, differ);
  }
  return fewest;
}

}  // namespace

TEST_CASE("the surprises of every short history and of random ones") {
  for (int count = 0; count <= 7; ++count) {
    int histories = 1;
    for (int i = 0; i < count; ++i) histories *= 3;
    for (int number = 0; number < histories; ++number) {
      std::vector<unsigned> steps;
      for (int i = 0, rest = number; i < count; ++i, rest /= 3) steps.push_back(static_cast<unsigned>(rest % 3));
      CHECK(surprises_of(steps) == expected_surprises(steps));
    }
  }
  std::mt19937 random(1);
  for (int repeat = 0; repeat < 2000; ++repeat) {
    std::vector<unsigned> steps(random() % 80);
    const unsigned period = 1 + random() % 12;
    for (std::size_t i = 0; i < steps.size(); ++i)
      steps[i] = i < period || random() % 8 == 0 ? random() % 3 : steps[i - period];
    CHECK(surprises_of(steps) == expected_surprises(steps));
  }
}

TEST_CASE("runs, alternation and pairs are predictable, random steps are not") {
  std::mt19937 random(2);
  for (unsigned run = 1; run <= 40; ++run) {
    std::vector<unsigned> alternating, random_steps;
    for (unsigned i = 0; i < 32; ++i) alternating.push_back(i / run % 2);
    for (unsigned i = 0; i < 32; ++i) random_steps.push_back(random() % 2);
    if (run <= 4 || run >= 8) CHECK(mgpu::detail::tile::is_predictable(surprises_of(alternating)));
    CHECK_FALSE(mgpu::detail::tile::is_predictable(surprises_of(random_steps)));
  }
  CHECK(mgpu::detail::tile::is_predictable(surprises_of(std::vector<unsigned>(32, 2))));
}
