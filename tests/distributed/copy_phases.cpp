// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The phases in which ranks copy: in each a rank copies from one other, and one copies from it; all together they take
// as long as the rank that sends or receives the most, and copy everything.
#include <doctest/doctest.h>

#include <mgpu/base/math.h>
#include <mgpu/exec/distributed/copy_phases.h>

#include <cstddef>
#include <random>
#include <vector>

namespace {

using mgpu::offset;
using mgpu::detail::exec::rank_pairs;

void check(const rank_pairs& units) {
  const int ranks = units.ranks();
  rank_pairs left = units;
  offset time = 0;
  for (const auto& phase : mgpu::detail::exec::copy_phases(units)) {
    REQUIRE(phase.units > 0);
    time += phase.units;
    std::vector<int> readers(static_cast<std::size_t>(ranks));
    for (int to = 0; to < ranks; ++to) {
      const int from = phase.from[static_cast<std::size_t>(to)];
      REQUIRE((from >= 0 && from < ranks));
      REQUIRE(++readers[static_cast<std::size_t>(from)] == 1);
      left(from, to) -= mgpu::detail::base::min(left(from, to), phase.units);
    }
  }
  REQUIRE(time == units.most());
  REQUIRE(left.most() == 0);
}

template <class Number>
void check_random(const Number& number) {
  std::mt19937 random(17);
  for (int ranks = 1; ranks <= 9; ++ranks) {
    for (int round = 0; round < 60; ++round) {
      rank_pairs units(ranks);
      for (int from = 0; from < ranks; ++from)
        for (int to = 0; to < ranks; ++to)
          if (from != to) units(from, to) = number(random);
      check(units);
    }
  }
}

TEST_CASE("phases copy everything as fast as links allow") {
  SUBCASE("nothing") {
    check_random([](auto&) { return 0; });
  }
  SUBCASE("any numbers") {
    check_random([](auto& random) { return static_cast<offset>(random() % 65); });
  }
  SUBCASE("mostly nothing") {
    check_random([](auto& random) { return random() % 4 == 0 ? static_cast<offset>(random() % 5) : 0; });
  }
  SUBCASE("nearly the same") {
    check_random([](auto& random) { return 21 + static_cast<offset>(random() % 2); });
  }
  SUBCASE("large numbers") {
    check_random([](auto& random) { return static_cast<offset>(random()) << 28; });
  }
}

TEST_CASE("where all have the same for all, each phase is a rotation") {
  constexpr int ranks = 5;
  rank_pairs units(ranks);
  for (int from = 0; from < ranks; ++from)
    for (int to = 0; to < ranks; ++to)
      if (from != to) units(from, to) = 7;
  const auto phases = mgpu::detail::exec::copy_phases(units);
  REQUIRE(phases.size() == ranks - 1);
  for (std::size_t i = 0; i < phases.size(); ++i)
    for (int to = 0; to < ranks; ++to)
      CHECK(phases[i].from[static_cast<std::size_t>(to)] == (to + 1 + static_cast<int>(i)) % ranks);
}

}  // namespace
