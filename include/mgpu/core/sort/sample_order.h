// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/core/sort/radix_sort.h>
#include <mgpu/tuning/sort.h>

#include <cuda/std/cstdint>

MGPU_NAMESPACE_BEGIN
namespace detail::core {

/// Takes samples of an array's order, and does two other things that are to be done before, in the same launch.
template <class Find, class Prepare, class Key, class Bits>
struct sample_order {
  Find find;  // find(i) for i in [0, find_count)
  offset find_count;
  Prepare prepare;
  const Key* keys;  // [count]
  offset count;
  offset cell_items;
  cuda::std::uint32_t* samples;  // [order_samples::words]

  MGPU_HOST_DEVICE offset calls() const {
    return base::max<offset>(base::max(find_count, prepare.calls()), order_samples::words);
  }

  MGPU_HOST_DEVICE void operator()(offset i) const {
    if (i < order_samples::words) samples[i] = sample(i);
    if (i < find_count) find(i);
    if (i < prepare.calls()) prepare(i);
  }

 private:
  MGPU_HOST_DEVICE cuda::std::uint32_t sample(offset i) const {
    const offset far = base::min(cell_items, count / 4), near = base::min<offset>(tuning::near_sample_items, far);
    cuda::std::uint32_t sum = 0;
    for (int k = 0; k < order_samples::per_word; ++k) {
      const offset at = (count - far) * (i * order_samples::per_word + k) / order_samples::count;
      const auto first = ordered(at);
      if (ordered(at + near) < first) sum += order_samples::near;
      if (ordered(at + far) < first) sum += order_samples::far;
    }
    return sum;
  }
  MGPU_HOST_DEVICE auto ordered(offset i) const {
    return Bits::ordered(Bits::in(reinterpret_cast<const typename Bits::type*>(keys)[i]));
  }
};

}  // namespace detail::core
MGPU_NAMESPACE_END
