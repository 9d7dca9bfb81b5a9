// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/half.h"

#include <doctest/doctest.h>

#include <mgpu/base/bit_cast.h>
#include <mgpu/base/order.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace {

template <class Key, bool is_ascending>
void check_bits(const std::vector<Key>& keys) {
  const mgpu::detail::base::number_order<Key, is_ascending> order{};
  using ordered = mgpu::detail::base::ordered_bits<mgpu::detail::base::number_order<Key, is_ascending>>;
  static_assert(ordered::exist);
  for (const Key& x : keys) {
    if constexpr (std::is_integral_v<Key>) CHECK(ordered::integer(ordered::of(x)) == x);
    for (const Key& y : keys) CHECK((ordered::of(x) < ordered::of(y)) == order(x, y));
  }
}

TEST_CASE_TEMPLATE("bits of numbers ascend as the numbers do", Key, bool, char, std::int8_t, std::uint8_t, std::int16_t,
                   std::uint16_t, std::int32_t, std::uint32_t, float, std::int64_t, std::uint64_t, double) {
  using limits = std::numeric_limits<Key>;
  std::vector<Key> keys{Key(0), Key(1), limits::lowest(), limits::max(), static_cast<Key>(limits::max() / 2)};
  if constexpr (std::is_signed_v<Key>)
    keys.insert(keys.end(), {Key(-1), Key(-2), static_cast<Key>(-limits::max() / 3)});
  if constexpr (std::is_floating_point_v<Key>) {
    keys.insert(keys.end(), {-Key(0), limits::infinity(), -limits::infinity(), limits::quiet_NaN(),
                             -limits::quiet_NaN(), limits::denorm_min(), -limits::denorm_min(), limits::min()});
  }
  check_bits<Key, true>(keys);
  check_bits<Key, false>(keys);
}

#if MGPU_TEST_HAS_HALF
template <class Key, bool is_ascending>
void check_all_bits() {
  using order = mgpu::detail::base::number_order<Key, is_ascending>;
  using ordered = mgpu::detail::base::ordered_bits<order>;
  static_assert(ordered::are_words);
  std::vector<Key> keys;
  for (unsigned bits = 0; bits < 1 << 16; ++bits)
    keys.push_back(mgpu::detail::base::bit_cast<Key>(static_cast<std::uint16_t>(bits)));
  std::sort(keys.begin(), keys.end(), order{});
  CHECK(static_cast<float>(keys.front()) == (is_ascending ? -INFINITY : INFINITY));
  CHECK(std::isnan(static_cast<float>(keys.back())));
  int wrong = 0;
  for (std::size_t i = 1; i < keys.size(); ++i)
    wrong += (ordered::of(keys[i - 1]) < ordered::of(keys[i])) != order{}(keys[i - 1], keys[i]) ||
             ordered::of(keys[i - 1]) > ordered::of(keys[i]);
  CHECK(wrong == 0);
}

TEST_CASE_TEMPLATE("bits of numbers of two bytes ascend as the numbers do", Key, __half, __nv_bfloat16) {
  check_all_bits<Key, true>();
  check_all_bits<Key, false>();
}
#endif

static_assert(!mgpu::detail::base::ordered_bits<mgpu::detail::base::number_order<double, true>>::are_words,
              "they have 64 bits");
static_assert(!mgpu::detail::base::ordered_bits<mgpu::detail::base::order<std::less<>>>::exist, "they are of numbers");

}  // namespace
