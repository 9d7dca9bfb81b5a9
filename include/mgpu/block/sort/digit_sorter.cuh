// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/slot.h>

#include <cub/block/block_radix_sort.cuh>

#include <cuda/std/cstdint>
#include <cuda/std/type_traits>

MGPU_NAMESPACE_BEGIN
namespace detail::block {

/// Sorts a tile in shared memory stably by the digits of its numbers, by CUB. Thread t has the elements
/// [t * share, (t + 1) * share).
///   Compare  bits(item): an unsigned integer that ascends in the order, and is equal for equal items
template <class Item, int threads, int share, class Compare>
class digit_sorter {
  using key_bits = typename Compare::key_bits;
  using number = typename key_bits::type;
  static_assert(threads * share < 1 << 16, "a place has 16 bits");
  // Integers alone are what moves. Else a number moves with the place of its item.
  static constexpr bool are_integers = cuda::std::is_integral_v<Item>;
  using place = cuda::std::conditional_t<are_integers, cub::NullType, cuda::std::uint16_t>;
  using block_sort = cub::BlockRadixSort<number, threads, share, place>;

 public:
  using memory = typename block_sort::TempStorage;
  static constexpr int key_bytes = key_bits::count / 8;

  MGPU_DEVICE digit_sorter(memory& m, Item* sorted, int count)
      : memory_(m), sorted_(sorted), count_(count), begin_(static_cast<int>(threadIdx.x) * share) {}

  /// Calls f(u, i) for each of this thread's elements: its u-th one is the tile's i-th.
  template <class Function>
  MGPU_DEVICE MGPU_FORCE_INLINE void for_each(const Function& f) const {
    MGPU_UNROLL
    for (int u = 0; u < share; ++u) {
      if (begin_ + u < count_) f(u, begin_ + u);
    }
  }

  /// Writes this thread's elements to their places.
  MGPU_DEVICE void put(const base::slot<Item> (&x)[share]) const {
    for_each([&](int u, int i) { base::construct(sorted_ + i, x[u].value); });
  }

  /// x: this thread's elements. All threads call it; none of them reads what lies below `sorted` any more.
  MGPU_DEVICE void sort(base::slot<Item> (&x)[share]) {
    number numbers[share];
    MGPU_UNROLL
    for (int u = 0; u < share; ++u)
      numbers[u] = begin_ + u < count_ ? Compare::bits(x[u].value) : static_cast<number>(~number{0});
    if constexpr (are_integers) {
      block_sort(memory_).Sort(numbers, 0, key_bits::count);
      for_each([&](int u, int) { x[u].put(key_bits::integer(numbers[u])); });
    } else {
      cuda::std::uint16_t places[share];
      MGPU_UNROLL
      for (int u = 0; u < share; ++u) places[u] = static_cast<cuda::std::uint16_t>(begin_ + u);
      put(x);
      block_sort(memory_).Sort(numbers, places, 0, key_bits::count);
      __syncthreads();
      for_each([&](int u, int) { x[u].put(sorted_[places[u]]); });
      __syncthreads();
    }
    put(x);
    __syncthreads();
  }

 private:
  memory& memory_;
  Item* sorted_;
  int count_, begin_;
};

}  // namespace detail::block
MGPU_NAMESPACE_END
