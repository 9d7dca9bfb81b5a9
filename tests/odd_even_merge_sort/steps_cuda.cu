// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Numbers of 4 bytes, which run by steps, in arrays on both sides of the size from which there are fewer passes. The
// network that they are compared with runs on the device, too, one layer after the other.
#include "support/large.h"

#include <mgpu/odd_even_merge_sort.h>

#include <cuda/std/bit>
#include <cuda/std/functional>

#include <cstdint>

namespace {

using namespace test;

/// Keys in no order, no two of them equal in an array of fewer than 2^32.
struct mixed_key {
  unsigned seed;
  MGPU_HOST_DEVICE std::uint32_t operator()(offset i) const {
    std::uint32_t x = (static_cast<std::uint32_t>(i) + seed) * 2654435761u;
    x = (x ^ x >> 15) * 2246822519u;
    return x ^ x >> 13;
  }
};

/// Compares keys of which only the bits are given. Those of floats are NaNs, too, for which < is no order.
template <class Key, class Compare>
struct compare_bits {
  Compare compare;
  MGPU_HOST_DEVICE bool operator()(std::uint32_t x, std::uint32_t y) const {
    return compare(cuda::std::bit_cast<Key>(x), cuda::std::bit_cast<Key>(y));
  }
};

template <class Compare>
struct key_layer {
  int group_log, stride_log;
  offset count;
  std::uint32_t* keys;
  Compare compare;

  MGPU_DEVICE void operator()(offset i) const {
    const offset inner = i >> stride_log, last = (offset{1} << (group_log - stride_log)) - 1;
    const bool is_left = inner % 2 == (stride_log == group_log - 1 ? 0 : 1) && (inner & last) < last;
    const offset j = i + (offset{1} << stride_log);
    if (!is_left || j >= count || !compare(keys[j], keys[i])) return;
    const std::uint32_t left = keys[i];
    keys[i] = keys[j];
    keys[j] = left;
  }
};

struct different_keys {
  const std::uint32_t *found, *expected;
  unsigned long long* wrong;
  MGPU_DEVICE void operator()(offset i) const {
    if (found[i] != expected[i]) atomicAdd(wrong, 1ull);
  }
};

struct changed_keys {
  mixed_key by;
  const std::uint32_t* found;
  unsigned long long* wrong;
  MGPU_DEVICE void operator()(offset i) const {
    if (found[i] != by(i)) atomicAdd(wrong, 1ull);
  }
};

template <class F>
void run_for_numbers(offset count, const F& f) {
  for_numbers<<<blocks, threads>>>(count, f);
  require_cuda(cudaGetLastError());
}

/// The array begins `skipped` keys behind a word of 16 bytes.
template <class Key, class Compare>
void check_steps(offset count, int skipped, const Compare& compare) {
  INFO(count, " keys, the first ", skipped, " left out");
  const guarded<std::uint32_t> all(count + skipped), expected(count);
  std::uint32_t* const keys = all.data() + skipped;
  const mixed_key by{static_cast<unsigned>(count)};
  run_for_numbers(count + skipped, fill_elements{by, all.data()});
  require_cuda(
      cudaMemcpy(expected.data(), keys, static_cast<std::size_t>(count) * sizeof(*keys), cudaMemcpyDeviceToDevice));
  Key* const sorted = reinterpret_cast<Key*>(keys);
  mgpu::odd_even_merge_sort(mgpu::par, sorted, sorted + count, compare);
  using layer = key_layer<compare_bits<Key, Compare>>;
  for (int group_log = 1; offset{1} << (group_log - 1) < count; ++group_log) {
    for (int stride_log = group_log - 1; stride_log >= 0; --stride_log) {
      run_for_numbers(count, layer{group_log, stride_log, count, expected.data(), {compare}});
    }
  }
  CHECK(wrong([&](auto* n) { run_for_numbers(count, different_keys{keys, expected.data(), n}); }) == 0);
  CHECK(wrong([&](auto* n) { run_for_numbers(skipped, changed_keys{by, all.data(), n}); }) == 0);
  CHECK(all.are_guards_whole());
}

}  // namespace

TEST_CASE("numbers of 4 bytes are where the network leaves them, in few passes and in more") {
  constexpr offset border = mgpu::detail::tuning::odd_even_fewer_passes_from;
  int number = 0;
  for (const offset count : {offset{1'000}, offset{5'001}, offset{100'003}, border - 1, border, border + 1,
                             border + 77'777, 2 * border + 5, 4 * border + 12'345}) {
    ++number;
    if (takes_few_cases() && count != 100'003 && count != border + 1) continue;
    check_steps<std::uint32_t>(count, (number + 1) % 4, cuda::std::less<>{});
    check_steps<std::int32_t>(count, number % 4, cuda::std::greater<>{});
    check_steps<float>(count, (number + 2) % 4, cuda::std::less<>{});
  }
}
