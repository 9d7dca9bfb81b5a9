// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/tile/word.h>

#include <cstdint>

MGPU_NAMESPACE_BEGIN
namespace detail::core {

// A sink says what is done with the items of intervals. On the CPU it has:
//   visit(interval, begin, first, last, tile_end)   visits items [first, last) of the interval whose first item is
//                                                   `begin`
//   prefetch(interval)                              is called some time before. The bases have one that does nothing.
// On the GPU a thread moves one unit at a time. The units of a tile's items have positions 0, 1, ...: see
// block/visit_intervals.cuh. There a sink has the members of one of the two bases below, and:
//   fetched             what is read of an interval, once per tile
//   staged              what the interval's items need to know of it
//   loaded              what is read of an item
//   gathers, scatters   whether items are read, or written, elsewhere than in order
//   fills               whether the items of an interval are copies of what is staged, one unit each
//   moves_words         whether rounds inside an interval go by words, by move_words
//   at(item_begin)      the sink for a tile: `pad` is the position of its first item; fetch, stage, load and store take
//                       position + step

/// The base of a sink that moves elements of T as bytes: how it cuts them into units.
template <class T>
struct cut_into_units {
  static constexpr bool is_cut = true;
  /// The widest unit that elements can be moved in, wherever they lie.
  static constexpr int unit_bytes = base::min<int>(alignof(T), tile::word_bytes);
  static constexpr int units_per_item = int{sizeof(T)} / unit_bytes;
  /// A round of a warp has 32 * units_per_lane units.
  static constexpr int units_per_lane = tile::word_bytes / unit_bytes;
  static constexpr int rounds_at_once = units_per_lane <= 4 ? 2 : 1;
  using unit = tile::unit<unit_bytes>;

  /// What a warp reads or writes at once begins at a multiple of so many bytes if it can.
  static constexpr int line_bytes = 128;
  static constexpr int max_pad = line_bytes / unit_bytes - 1;
  static MGPU_HOST_DEVICE int line_pad(const T* first) {
    return static_cast<int>(reinterpret_cast<std::uintptr_t>(first) % line_bytes) / unit_bytes;
  }

  void prefetch(offset) const {}
};

/// A tile of elements of more units would have no room in shared memory.
template <class T>
inline constexpr bool can_be_cut = cut_into_units<T>::units_per_item <= 256;

/// The base of a sink that reads and writes elements as a whole, of `bytes` bytes, by iterators. A lane has `at_once`
/// of them in registers at a time.
template <int bytes, int at_once = bytes <= 4    ? 8
                                   : bytes <= 8  ? 4
                                   : bytes <= 16 ? 2
                                                 : 1>
struct whole_elements {
  static_assert(at_once == 1 || at_once == 2 || at_once == 4 || at_once == 8, "a lane's marks are loaded as one word");
  static constexpr bool is_cut = false;
  static constexpr bool fills = false;
  static constexpr bool moves_words = false;
  static constexpr int unit_bytes = bytes;
  static constexpr int units_per_item = 1;
  static constexpr int units_per_lane = at_once;
  static constexpr int rounds_at_once = 1;
  static constexpr int max_pad = 0;

  void prefetch(offset) const {}
};

}  // namespace detail::core
MGPU_NAMESPACE_END
