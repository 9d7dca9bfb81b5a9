// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// merge and merge_by_key over element types, sizes around the tile's, skews and misaligned ranges, against std::merge.
#include "support/check_merge.h"
#include "support/patterns.h"

#include <type_traits>

namespace {

using namespace test;

/// A key type, a value type (void: keys only) and the order of the keys.
template <class Key, class Value = void, class Compare = cuda::std::less<>>
struct types {
  using key = Key;
  using value = Value;
  using compare = Compare;
};

template <class Types>
void check(sizes size, pattern p, int number) {
  using key = typename Types::key;
  using value = typename Types::value;
  const typename Types::compare compare;
  std::mt19937 random(static_cast<unsigned>(number));
  const auto a = sorted_keys<key>(p, 0, size.a, size.b, random);
  const auto b = sorted_keys<key>(p, 1, size.b, size.a, random);
  for_each_executor([&](auto executor) {
    INFO(executor.name, ", ", size.a, " and ", size.b, " elements, pattern ", static_cast<int>(p), ", number ", number);
    if constexpr (std::is_void_v<value>) {
      check_merge(executor, a, b, compare, skips::number(number));
    } else {
      const auto a_values = numbered_values<value>(0, size.a);
      const auto b_values = numbered_values<value>(size.a, size.b);
      check_merge_by_key(executor, a, b, a_values, b_values, compare, skips::number(number));
    }
  });
}

template <class Types>
using core = typename core_of<typename Types::key, typename Types::value>::type;

template <class Types>
void check_everywhere() {
  int number = 0;
  const int tile = first_executor::items_per_tile<core<Types>>();
  for (const auto& size : sizes_around_tile(tile)) {
    // A pattern or two for each size, others for the next: every pattern meets every kind of size.
    const int total = size.a + size.b, patterns = total < 3 || total > 20000 || takes_few_cases() ? 1 : 2;
    for (int i = 0; i < patterns; ++i) check<Types>(size, all_patterns[(number + i * 3) % 7], number + i * 5);
    ++number;
  }
  if (takes_few_cases()) return;
  for (const auto p : all_patterns) check<Types>({40001, 30003}, p, ++number);
  check<Types>({1, 200007}, pattern::random, 1001);
  check<Types>({200007, 3}, pattern::random, 1002);
  check<Types>({300011, 200009}, pattern::random, 1003);
}

}  // namespace

TEST_CASE_TEMPLATE("merge", Types, types<std::uint8_t>, types<std::int16_t>, types<std::uint32_t>, types<float>,
                   types<std::int64_t>, types<double>, types<key12>, types<key16>, types<key32>,
                   types<opaque, void, less_opaque>, types<copied>) {
  check_everywhere<Types>();
}

TEST_CASE_TEMPLATE("merge_by_key", Types, types<std::uint8_t, std::uint8_t>, types<std::int16_t, std::uint16_t>,
                   types<std::uint32_t, std::uint32_t>, types<float, std::uint64_t>,
                   types<std::int64_t, value_bytes<12>>, types<double, value_bytes<16>>, types<key12, std::uint32_t>,
                   types<key16, value_bytes<64>>, types<opaque, value_bytes<16>, less_opaque>,
                   types<std::uint32_t, value_bytes<64>>, types<copied, std::uint8_t>) {
  check_everywhere<Types>();
}

/// Where a call takes its splits from a launch of their own.
TEST_CASE_TEMPLATE("sizes beyond a single launch", Types, types<std::uint8_t>, types<key12>,
                   types<std::uint32_t, std::uint32_t>, types<std::int64_t, value_bytes<12>>) {
  const int total = first_executor::items_beyond_single_launch<core<Types>>();
  check<Types>({total / 3, total - total / 3}, pattern::random, 1);
  if (takes_few_cases()) return;
  check<Types>({total - 1, 1}, pattern::few_keys, 2);
  check<Types>({total / 2, total - total / 2}, pattern::runs, 3);
}
