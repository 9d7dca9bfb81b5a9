// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// stable_sort of floating-point numbers: zeros of both signs are equal, infinities go to the ends, and NaNs take
// nothing away.
#include "check_stable_sort.h"

#include <cmath>
#include <limits>

namespace {

using namespace test;

/// Any numbers but NaNs, with many zeros of both signs, infinities and denormals.
template <class Key>
std::vector<Key> special_keys(int count, std::mt19937& random) {
  using limits = std::numeric_limits<Key>;
  const Key special[] = {Key(0),        -Key(0), limits::infinity(), -limits::infinity(), limits::denorm_min(),
                         -limits::min()};
  auto keys = keys_of_bits<Key>(count, random);
  for (Key& key : keys) {
    const auto drawn = random() % 12;
    if (drawn < 6) key = special[drawn];
    if (std::isnan(key)) key = Key(random() % 100) - Key(50);
  }
  return keys;
}

}  // namespace

TEST_CASE_TEMPLATE("floating-point numbers", Key, float MGPU_TEST_MORE(double)) {
  std::mt19937 random(11);
  for (const int size : stable_sort_sizes()) {
    INFO(size, " keys");
    const auto keys = special_keys<Key>(size, random);
    check_stable_keys(keys, cuda::std::greater<>{});
    check_stable_pairs<int>(keys, cuda::std::less<>{});
    check_stable_pairs<int>(keys, cuda::std::greater<>{});
  }
}

TEST_CASE("keys with NaNs stay what they are, in any order, and with their values") {
  std::mt19937 random(13);
  for (const int size : stable_sort_sizes()) {
    if (size == 0) continue;
    const auto keys = keys_of_bits<float>(size, random);  // one in 128 is a NaN
    for_each_executor([&](auto executor) {
      check_permutes<stable_whole, remains::some>(executor, executor.policy(), keys, one_segment(size), whole_array,
                                                  cuda::std::less<>{}, [](const auto& call) { call(); });
    });
  }
}
