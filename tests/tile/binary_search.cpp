// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/tile/binary_search.h>

#include <doctest/doctest.h>

#include <cstdint>
#include <random>

using mgpu::offset;

namespace {

/// True below `border`; counts its calls and those outside [low, high).
struct counting_predicate {
  offset low, high, border;
  int& calls;
  int& strays;

  bool operator()(offset i) const {
    ++calls;
    strays += i < low || i >= high;
    return i < border;
  }
};

}  // namespace

TEST_CASE("partition_point finds every border of every range") {
  for (const offset base : {offset{0}, offset{-9}, offset{1} << 61}) {
    for (offset low = base; low <= base + 20; ++low) {
      for (offset high = low; high <= base + 20; ++high) {
        for (offset border = low; border <= high; ++border) {
          int calls = 0, strays = 0;
          const offset found =
              mgpu::detail::tile::partition_point(low, high, counting_predicate{low, high, border, calls, strays});
          CHECK(found == border);
          CHECK(strays == 0);
          CHECK((offset{1} << calls) <= 2 * (high - low) + (high == low));
        }
      }
    }
  }
}

TEST_CASE("partition_point of an int range whose ends have a sum beyond int") {
  const int high = 0x7fffffff;
  CHECK(mgpu::detail::tile::partition_point(high - 100, high, [=](int i) { return i < high - 3; }) == high - 3);
}

TEST_CASE("partition_point stays in its range whatever the predicate answers") {
  std::mt19937 random(7);
  for (int repeat = 0; repeat < 20000; ++repeat) {
    const int low = static_cast<int>(random() % 50) - 25;
    const int high = low + static_cast<int>(random() % 70);
    int strays = 0;
    const int found = mgpu::detail::tile::partition_point(low, high, [&](int i) {
      strays += i < low || i >= high;
      return random() % 2 == 0;
    });
    CHECK(strays == 0);
    CHECK(found >= low);
    CHECK(found <= high);
  }
}

TEST_CASE("serial_search asks every question once and searches as partition_point does") {
  const mgpu::detail::tile::serial_search search;
  for (int count = 0; count <= 32; ++count) {
    unsigned asked = 0;
    const unsigned answers = search.which(count, [&](int i) {
      asked |= 1u << i;
      return i % 3 == 1;
    });
    CHECK(asked == (count == 32 ? ~0u : (1u << count) - 1));
    CHECK(answers == (asked & 0x92492492u));
  }
  for (int border = -3; border <= 9; ++border) {
    CHECK(search.partition_point(-3, 9, [&](int i) { return i < border; }) == border);
  }
}

TEST_CASE("partition_point_near is partition_point wherever the guess") {
  for (const offset low : {offset{0}, offset{5000}}) {
    for (const offset size : {0, 1, 2, 700, 1023, 1024, 1025, 2047, 2048, 2049, 5000}) {
      for (offset border = low; border <= low + size; border += 1 + size / 9) {
        for (const offset guess : {low - 9000, low - 1, low, border - 1024, border, border + 1023, border + 1025,
                                   low + size, low + size + 9000}) {
          int calls = 0, strays = 0;
          const offset found = mgpu::detail::tile::partition_point_near(
              low, low + size, guess, counting_predicate{low, low + size, border, calls, strays});
          CHECK(found == border);
          CHECK(strays == 0);
        }
      }
    }
  }
}

TEST_CASE("partition_point_around is partition_point wherever the guess, and the faster the nearer") {
  for (const offset low : {offset{0}, offset{5000}}) {
    for (const offset size : {0, 1, 2, 255, 256, 257, 258, 1279, 1280, 1281, 5000, 70000}) {
      for (offset border = low; border <= low + size; border += 1 + size / 9) {
        for (const offset guess : {low - 9000, low - 1, low, border - 256, border - 1, border, border + 255,
                                   border + 257, border + 1281, low + size - 1, low + size, low + size + 9000}) {
          int calls = 0, strays = 0;
          const offset found = mgpu::detail::tile::partition_point_around(
              low, low + size, guess, counting_predicate{low, low + size, border, calls, strays});
          CHECK(found == border);
          CHECK(strays == 0);
          const bool is_near = low <= guess && guess < low + size && border - 250 < guess && guess < border + 250;
          if (is_near) CHECK(calls <= 11);
        }
      }
    }
  }
}

TEST_CASE("partition_point_around stays in its range whatever the predicate answers") {
  std::mt19937 random(9);
  for (int repeat = 0; repeat < 20000; ++repeat) {
    const int low = static_cast<int>(random() % 4000);
    const int high = low + static_cast<int>(random() % 6000);
    const int guess = static_cast<int>(random() % 14000) - 2000;
    int strays = 0;
    const int found = mgpu::detail::tile::partition_point_around(low, high, guess, [&](int i) {
      strays += i < low || i >= high;
      return random() % 2 == 0;
    });
    CHECK(strays == 0);
    CHECK(found >= low);
    CHECK(found <= high);
  }
}

TEST_CASE("partition_point_near stays in its range whatever the predicate answers") {
  std::mt19937 random(8);
  for (int repeat = 0; repeat < 20000; ++repeat) {
    const int low = static_cast<int>(random() % 4000);
    const int high = low + static_cast<int>(random() % 6000);
    const int guess = static_cast<int>(random() % 14000) - 2000;
    int strays = 0;
    const int found = mgpu::detail::tile::partition_point_near(low, high, guess, [&](int i) {
      strays += i < low || i >= high;
      return random() % 2 == 0;
    });
    CHECK(strays == 0);
    CHECK(found >= low);
    CHECK(found <= high);
  }
}
