// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sorts of numbers over ranks.
#include "check_sort.h"

namespace {

using namespace test;

TEST_CASE("32-bit numbers") { check_sorts<std::uint32_t>(cuda::std::less<>{}, 8); }

TEST_CASE("few numbers, and none at all") {
  for_each_executor([&](const auto& executor) {
    for (const offset count : {0, 1, 2, 17}) {
      for (const int ranks : {2, 6}) {
        for (const shares& s : ways_to_share(ranks, count, 7)) {
          INFO(count, " numbers on ", ranks, " ranks, ", s.name);
          check_sort(executor, s, keys<std::uint32_t>(s.total(), repeats::many, 3), cuda::std::less<>{});
        }
      }
    }
  });
}

TEST_CASE("many elements: several rounds") {
  for_each_executor([&](const auto& executor) {
    for (const shares& s : {shares{"uneven", {400'000, 0, 1, 700'000, 250'000}}, shares{"two", {600'000, 900'000}}}) {
      for (const repeats how : {repeats::few, repeats::runs}) {
        if (!has_large_arrays && (how == repeats::few) != (s.counts.size() == 2)) continue;
        check_sort(executor, s, keys<std::uint32_t>(s.total(), how, 5), cuda::std::less<>{});
      }
    }
  });
}

}  // namespace
