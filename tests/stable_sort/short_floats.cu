// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sorts of CUDA's floating-point numbers of two bytes: by their bits where those of float are.
#include "support/half.h"
#include "support/skip.h"

#if MGPU_TEST_HAS_HALF

#include "check_stable_sort.h"

#include <mgpu/base/bit_cast.h>

namespace {

using namespace test;

/// Bits of any numbers but NaNs, with many zeros of both signs and infinities.
template <class Key>
std::vector<Key> short_floats(int count, std::mt19937& random) {
  constexpr std::uint16_t infinity = std::is_same_v<Key, __half> ? 0x7C00 : 0x7F80, minus = 0x8000;
  constexpr std::uint16_t special[] = {0, minus, infinity, infinity | minus, 1, 1 | minus};
  std::vector<Key> keys;
  for (int i = 0; i < count; ++i) {
    auto bits = static_cast<std::uint16_t>(random());
    if ((bits & 0x7FFF) > infinity) bits &= 0xBFFF;
    const auto drawn = random() % 12;
    keys.push_back(mgpu::detail::base::bit_cast<Key>(drawn < std::size(special) ? special[drawn] : bits));
  }
  return keys;
}

template <class Key>
bool is_nan(const Key& key) {
  return key != key;
}

}  // namespace

TEST_CASE_TEMPLATE("numbers of two bytes", Key, __half, __nv_bfloat16) {
  std::mt19937 random(17);
  for (const int size : stable_sort_sizes()) {
    INFO(size, " keys");
    const auto keys = short_floats<Key>(size, random);
    check_stable_keys(keys, cuda::std::less<>{});
    check_stable_pairs<int>(keys, std::greater<Key>{});
    if constexpr (has_more_kinds) check_stable_keys(keys, cuda::std::greater<Key>{});
    if constexpr (has_more_kinds) check_stable_pairs<int>(keys, std::less<>{});
  }
}

/// In segments, small and large ones, and few in an array.
TEST_CASE_TEMPLATE("numbers of two bytes in segments", Key, __half MGPU_TEST_MORE(__nv_bfloat16)) {
  std::mt19937 random(19);
  for (const int count : {700, 100'000, 300'000}) {
    for (const int length : {20, 2000, 20'000}) {
      INFO(count, " keys in segments of ", length);
      const auto cut = cut_of(std::vector<int>(static_cast<std::size_t>(count / length + 1), length));
      const auto keys = short_floats<Key>(static_cast<int>(cut.elements), random);
      const sorting<Key> ascending(keys, cut, cuda::std::less<>{}), descending(keys, cut, cuda::std::greater<>{});
      for_each_executor([&](auto executor) {
        const segments_in<decltype(executor)> segments(cut);
        check_keys<segmented>(executor, descending, segments.offsets(), cuda::std::greater<>{}, 1);
        check_pairs<stable_segmented>(executor, ascending, numbers_below(keys.size()), segments.offsets(),
                                      cuda::std::less<>{}, 3);
      });
    }
  }
}

/// On the GPU they are sorted by their bits, which puts NaNs before or behind all numbers; or by comparisons, behind.
TEST_CASE_TEMPLATE("numbers of two bytes with NaNs", Key, __nv_bfloat16 MGPU_TEST_MORE(__half)) {
  std::mt19937 random(23);
  for (const int size : stable_sort_sizes()) {
    if (size == 0) continue;
    INFO(size, " keys");
    const auto keys = keys_of_bits<Key>(size, random);
    for_each_executor([&](auto executor) {
      check_permutes<stable_whole, remains::some>(executor, executor.policy(), keys, one_segment(size), whole_array,
                                                  cuda::std::less<>{}, [](const auto& call) { call(); });
#ifdef MGPU_TEST_CUDA
      const sorted_array sorted(executor, keys);
      mgpu::stable_sort(executor.policy(), sorted.begin(), sorted.end());
      auto found = sorted.read();
      const auto first = std::find_if_not(found.begin(), found.end(), is_nan<Key>);
      const auto last = std::find_if(first, found.end(), is_nan<Key>);
      CHECK(std::is_sorted(first, last));
      CHECK(std::all_of(last, found.end(), is_nan<Key>));
#endif
    });
  }
}

#else

#include <doctest/doctest.h>

TEST_CASE("numbers of two bytes") {
  MESSAGE("skipped: there is no cuda_fp16.h");
  test::has_skipped_a_test = true;
}

#endif
