// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/tile/binary_search.h>

#include <cuda/std/cstdint>

MGPU_NAMESPACE_BEGIN
namespace detail::core {

/// The segment that a position cuts. If the elements on both sides of the position are not of one segment, begin == end
/// == position.
struct stretch {
  offset begin, end;
  offset bound;  // the first bound at or behind the position
};

/// A border of two tiles of a segmented sort.
struct sort_border {
  offset position;
  offset begin, end;  // the segment that the border cuts; both are the position if it cuts none
  offset bound;       // the first bound at or behind the position

  MGPU_HOST_DEVICE bool cuts() const { return begin < end; }
};

/// The head positions of segment_heads as bounds.
template <class Heads>
struct head_bounds {
  Heads first;
  offset size;  // of the bounds

  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE offset operator[](offset i) const { return static_cast<offset>(first[i]); }
  /// Whether the elements between bounds number bounds - 1 and `bounds` are of no segment.
  MGPU_HOST_DEVICE bool is_gap(offset) const { return false; }
};

/// The offsets of segment_offsets as bounds.
template <class Offsets>
struct offset_bounds {
  Offsets first;
  offset size;

  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE offset operator[](offset i) const { return static_cast<offset>(first[i]); }
  MGPU_HOST_DEVICE bool is_gap(offset bounds) const { return bounds == 0 || bounds == size; }
};

/// The begins and ends of segment_offsets, in turns, as bounds.
template <class Begins, class Ends>
struct begin_end_bounds {
  Begins begins;
  Ends ends;
  offset size;

  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE offset operator[](offset i) const {
    return i % 2 == 0 ? static_cast<offset>(begins[i / 2]) : static_cast<offset>(ends[i / 2]);
  }
  MGPU_HOST_DEVICE bool is_gap(offset bounds) const { return bounds % 2 == 0; }
};

/// Segments between ascending bounds.
template <class Bounds>
struct bounded_segments {
  static constexpr bool has_one_segment = false;

  Bounds bounds;
  offset count;  // of the elements

  /// The segment that a position inside the array cuts. It lies in the array even if the bounds are bad.
  template <class Search = tile::serial_search>
  MGPU_HOST_DEVICE stretch around(offset, offset position, const Search& search = {}) const {
    const offset bound = search.partition_point(offset{0}, bounds.size, [&](offset i) { return bounds[i] < position; });
    const offset begin = bound == 0 ? 0 : bounds[bound - 1];
    const offset end = bound == bounds.size ? count : bounds[bound];
    const bool is_segment = !bounds.is_gap(bound) && 0 <= begin && begin < position && position < end && end <= count;
    return is_segment ? stretch{begin, end, bound} : stretch{position, position, bound};
  }

  MGPU_HOST_DEVICE offset bound_count() const { return bounds.size; }

  /// Stretch i lies before bound i and behind the bound before. One of no segment has no elements.
  MGPU_HOST_DEVICE offset stretch_count() const { return bounds.size + 1; }
  MGPU_HOST_DEVICE offset stretch_begin(offset i) const { return i == 0 ? 0 : bounds[i - 1]; }
  MGPU_HOST_DEVICE offset stretch_end(offset i) const {
    return bounds.is_gap(i) ? stretch_begin(i) : i == bounds.size ? count : bounds[i];
  }
  /// Whether the bound behind stretch i lies in the array or at its end, and not before the bound before it.
  MGPU_HOST_DEVICE bool is_sound(offset i) const {
    if (i == bounds.size) return true;
    const offset at = bounds[i];
    return stretch_begin(i) <= at && at <= count;
  }
  /// Whether all bounds ascend and lie in the array.
  MGPU_HOST_DEVICE bool is_sound() const {
    bool sound = true;
    for (offset i = 0; i < bounds.size; ++i) sound = sound && is_sound(i);
    return sound;
  }

  /// Whether bound i lies in the tile or at the end of the array, and not behind the next bound.
  MGPU_HOST_DEVICE bool is_sound(offset i, const sort_border& first, const sort_border& last) const {
    const offset at = bounds[i];
    const bool in_tile = first.position <= at && (at < last.position || at == count);
    return in_tile && (i + 1 >= bounds.size || at <= bounds[i + 1]);
  }

  /// Calls set(begin, end) for the positions [begin, end) of the tile that begin a segment, or are in no segment. This
  /// thread calls it for its share. Returns false if it finds that the bounds are bad. Positions lie in the tile even
  /// then.
  template <class Set>
  MGPU_HOST_DEVICE bool mark_heads(const sort_border& first, const sort_border& last, int thread, int threads,
                                   const Set& set) const {
    const auto end_of_gap = [&](offset bound) {
      return bound < bounds.size ? base::clamp(bounds[bound], first.position, last.position) : last.position;
    };
    if (thread == 0 && bounds.is_gap(first.bound)) set(first.position, end_of_gap(first.bound));
    bool sound = first.bound <= last.bound;
    for (offset i = first.bound + thread; i < last.bound; i += threads) {
      const offset at = bounds[i];
      sound = sound && is_sound(i, first, last);
      if (at < first.position || at >= last.position) continue;
      set(at, bounds.is_gap(i + 1) ? base::max(at + 1, end_of_gap(i + 1)) : at + 1);
    }
    return sound;
  }

  /// Calls visit(begin, end) for the parts of segments in the tile, in order. Otherwise as mark_heads.
  template <class Visit>
  bool for_each_part(const sort_border& first, const sort_border& last, const Visit& visit) const {
    bool sound = first.bound <= last.bound;
    offset begin = first.position;
    for (offset i = first.bound; i < last.bound; ++i) {
      sound = sound && is_sound(i, first, last);
      const offset end = base::clamp(bounds[i], begin, last.position);
      if (begin < end && !bounds.is_gap(i)) visit(begin, end);
      begin = end;
    }
    if (begin < last.position && !bounds.is_gap(last.bound)) visit(begin, last.position);
    return sound;
  }
};

/// Whether the host knows into how many stretches segments cut the array.
template <class Segments>
inline constexpr bool has_stretches = false;
template <class Bounds>
inline constexpr bool has_stretches<bounded_segments<Bounds>> = true;

/// Segments that begin at set bits.
template <class Words>
struct flagged_segments {
  static constexpr bool has_one_segment = false;

  Words words;  // [(count + 31) / 32]
  offset count;
  const offset* last_before;  // [tiles + 1], the last head before each border; null if borders search for themselves
  const offset* first_from;   // [tiles], the first head at or behind each border, or count

  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE cuda::std::uint32_t word(offset i) const { return static_cast<cuda::std::uint32_t>(words[i]); }

  MGPU_HOST_DEVICE stretch around(offset border, offset position) const {
    const offset begin = last_before[border], end = first_from[border];
    return between(begin, end, position);
  }
  /// The same by a search among the words of the whole array.
  template <class Search>
  MGPU_HOST_DEVICE stretch around(offset, offset position, const Search& search) const {
    const auto has_head = [&](offset i) { return word(i) != 0; };
    const offset of_position = position / 32, words_end = (count + 31) / 32;
    offset begin = last_head(of_position * 32, position), end = next_head(position, of_position * 32 + 32);
    if (begin < 0) {
      const offset found = search.find_last(offset{0}, of_position, has_head);
      begin = found < 0 ? 0 : last_head(found * 32, found * 32 + 32);
    }
    if (end == of_position * 32 + 32) {
      const offset found = search.find_first(of_position + 1, words_end, has_head);
      end = found == words_end ? count : next_head(found * 32, found * 32 + 32);
    }
    return between(begin, base::min(end, count), position);
  }
  MGPU_HOST_DEVICE offset bound_count() const { return 0; }

  static MGPU_HOST_DEVICE stretch between(offset begin, offset end, offset position) {
    return begin < position && position < end ? stretch{begin, end, 0} : stretch{position, position, 0};
  }

  /// The first head in [position, end), or end.
  MGPU_HOST_DEVICE offset next_head(offset position, offset end) const {
    while (position < end) {
      const cuda::std::uint32_t rest = word(position / 32) >> (position % 32);
      if (rest != 0) {
        while ((word(position / 32) >> (position % 32) & 1) == 0) ++position;
        return base::min(position, end);
      }
      position = (position / 32 + 1) * 32;
    }
    return end;
  }

  /// The last head in [begin, position), or -1.
  MGPU_HOST_DEVICE offset last_head(offset begin, offset position) const {
    while (position > begin) {
      const cuda::std::uint32_t rest = word((position - 1) / 32) << (31 - (position - 1) % 32);
      if (rest != 0) {
        --position;
        while ((word(position / 32) >> (position % 32) & 1) == 0) --position;
        return position >= begin ? position : -1;
      }
      position = (position - 1) / 32 * 32;
    }
    return -1;
  }

  template <class Set>
  MGPU_HOST_DEVICE bool mark_heads(const sort_border& first, const sort_border& last, int thread, int threads,
                                   const Set& set) const {
    for (offset i = first.position / 32 + thread; i * 32 < last.position; i += threads) {
      cuda::std::uint32_t bits = word(i);
      for (offset at = i * 32; bits != 0; ++at, bits >>= 1) {
        if ((bits & 1) != 0 && at >= first.position && at < last.position) set(at, at + 1);
      }
    }
    return true;
  }

  template <class Visit>
  bool for_each_part(const sort_border& first, const sort_border& last, const Visit& visit) const {
    for (offset begin = first.position; begin < last.position;) {
      const offset end = next_head(begin + 1, last.position);
      visit(begin, end);
      begin = end;
    }
    return true;
  }
};

/// The whole array as one segment.
struct one_segment {
  static constexpr bool has_one_segment = true;

  offset count;

  template <class Search = tile::serial_search>
  MGPU_HOST_DEVICE stretch around(offset, offset, const Search& = {}) const {
    return {0, count, 0};
  }
  MGPU_HOST_DEVICE offset bound_count() const { return 0; }

  MGPU_HOST_DEVICE offset stretch_count() const { return 1; }
  MGPU_HOST_DEVICE offset stretch_begin(offset) const { return 0; }
  MGPU_HOST_DEVICE offset stretch_end(offset) const { return count; }
  MGPU_HOST_DEVICE bool is_sound() const { return true; }

  template <class Set>
  MGPU_HOST_DEVICE bool mark_heads(const sort_border&, const sort_border&, int, int, const Set&) const {
    return true;
  }

  template <class Visit>
  bool for_each_part(const sort_border& first, const sort_border& last, const Visit& visit) const {
    if (first.position < last.position) visit(first.position, last.position);
    return true;
  }
};

}  // namespace detail::core
MGPU_NAMESPACE_END
