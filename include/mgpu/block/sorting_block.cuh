// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/slot.h>
#include <mgpu/tile/shared_layout.h>

#include <cstdint>
#include <mgpu/block/sort_segments.cuh>
#include <mgpu/block/tile_block.cuh>

MGPU_NAMESPACE_BEGIN
namespace block {

/// A tile_block that sorts.
template <class Core>
class sorting_block : public tile_block<Core> {
  using base_block = tile_block<Core>;

 public:
  using base_block::base_block;

  /// The first place from `room` on, itself at a multiple of 16, where a T may lie.
  template <class T>
  MGPU_DEVICE T* aligned(char* room) const {
    if constexpr (alignof(T) <= 16) return reinterpret_cast<T*>(room);
    else return reinterpret_cast<T*>(base::align_up<std::uintptr_t>(reinterpret_cast<std::uintptr_t>(room), alignof(T)));
  }

  MGPU_DEVICE void clear_bits(unsigned* words, int count) const {
    head_bits{words}.clear(tile::bit_bytes(base_block::shape) / 4, count, this->thread(), base_block::shape.threads);
  }
  MGPU_DEVICE void set_bits(unsigned* words, int begin, int end) const { head_bits{words}.set(begin, end); }

  /// Raises a number in global memory to x.
  MGPU_DEVICE void raise(int* number, int x) const { atomicMax(number, x); }

  /// Sorts the segments of a tile, of which x is this thread's share, into `sorted`: the place of what load(i) reads if lies_there.
  /// Returns false for a tile that is in order as it is.
  template <bool any_order_of_ties, bool expects_order, bool lies_there, class Item, int share, class Compare,
            class Load>
  MGPU_DEVICE bool sort_segments(base::slot<Item> (&x)[share], Item* sorted, unsigned* heads, int count,
                                 const Compare& compare, const Load& load) {
    segment_sorter<Item, base_block::shape.threads, share, Compare> sorter(sorted, head_bits{heads}, count, compare);
    const bool in_order = __syncthreads_and(sorter.is_in_order(x, load));
    if constexpr (expects_order) {
      if (!in_order && __syncthreads_and(sorter.is_descending(x, load))) {
        sorter.put_reversed(x);
        this->sync();
        return true;
      }
    }
    if (!in_order) {
      sorter.template sort<any_order_of_ties, expects_order>(x);
    } else if (!lies_there) {
      sorter.put(x);
      this->sync();
    }
    return !in_order;
  }
};

}  // namespace block
MGPU_NAMESPACE_END
