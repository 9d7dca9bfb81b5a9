// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/base/slot.h>
#include <mgpu/core/interval/sink.h>
#include <mgpu/tile/host/copy.h>
#include <mgpu/tuning/interval.h>

#include <cuda/std/type_traits>

#include <cstdint>

MGPU_NAMESPACE_BEGIN
namespace detail::core {

/// Where the items of intervals lie in an array: those of interval i from positions[i] on. With base::no_values item k
/// lies at k.
template <class Positions>
struct placement {
  Positions positions;  // [interval_count]
  static constexpr bool is_scattered = base::has_values<Positions>;

  /// An item's place is its number plus this. `begin` is the first item of the interval.
  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE offset shift(offset interval, offset begin) const {
    if constexpr (is_scattered) return static_cast<offset>(positions[interval]) - begin;
    else return 0;
  }
};

/// Both ends of a gather, scatter or move.
template <class In, class Out, class Gather, class Scatter>
struct move_places {
  In in;
  Out out;
  placement<Gather> source;
  placement<Scatter> destination;

  MGPU_HOST_DEVICE move_places(In from, Out to, Gather gather, Scatter scatter)
      : in(from), out(to), source{gather}, destination{scatter} {}

  static constexpr bool gathers = placement<Gather>::is_scattered, scatters = placement<Scatter>::is_scattered;

  struct fetched {
    offset gather, scatter;
  };
  MGPU_DEVICE void fetch(offset interval, fetched& f) const {
    f = {source.shift(interval, 0), destination.shift(interval, 0)};
  }
};

/// The sink of gather, scatter and move between arrays of T, which may be moved as bytes.
template <class T, class Gather, class Scatter>
struct move_array : cut_into_units<T>, move_places<const T*, T*, Gather, Scatter> {
  using parts = move_places<const T*, T*, Gather, Scatter>;
  using parts::gathers;
  using parts::parts;
  using parts::scatters;
  using typename parts::fetched;

  using cut = cut_into_units<T>;
  using unit = typename cut::unit;
  static constexpr bool fills = false;
  static constexpr bool moves_words = tuning::interval_moves_words(cut::unit_bytes);
  static constexpr int max_pad = gathers && scatters ? 0 : cut::max_pad;
  using loaded = unit;

  // Where position 0 of the tile would lie in an array if all items were of this interval.
  struct from_place {
    const unit* from;
    MGPU_DEVICE const unit* source(const unit*) const { return from; }
    MGPU_DEVICE unit* destination(unit* out) const { return out; }
  };
  struct to_place {
    unit* to;
    MGPU_DEVICE const unit* source(const unit* in) const { return in; }
    MGPU_DEVICE unit* destination(unit*) const { return to; }
  };
  struct both_places {
    const unit* from;
    unit* to;
    MGPU_DEVICE const unit* source(const unit*) const { return from; }
    MGPU_DEVICE unit* destination(unit*) const { return to; }
  };
  using staged =
      cuda::std::conditional_t<!scatters, from_place, cuda::std::conditional_t<!gathers, to_place, both_places>>;

  /// A lane's part of a round: a word of the destination, and where it comes from. If the destination does not begin at
  /// a word, there are units before its first word and behind its last, together as many as a word has. The first lanes
  /// move one of them each.
  struct lane_word {
    const unit* from;
    unit* to;
    int head;          // units before the first word
    int misalignment;  // of the source of the words, in bytes
    const tile::word* source;
    tile::word* destination;
    int edge;

    MGPU_DEVICE lane_word(const unit* first_source, unit* first_destination, int lane)
        : from(first_source),
          to(first_destination),
          head(static_cast<int>(-reinterpret_cast<std::uintptr_t>(to) % tile::word_bytes) / cut::unit_bytes),
          misalignment(static_cast<int>(reinterpret_cast<std::uintptr_t>(from + head) % tile::word_bytes)),
          source(reinterpret_cast<const tile::word*>(reinterpret_cast<std::uintptr_t>(from + head) - misalignment) +
                 lane),
          destination(reinterpret_cast<tile::word*>(to + head) + lane),
          edge(lane < head ? lane : 31 * cut::units_per_lane + lane) {}

    MGPU_DEVICE bool has_word(int lane) const { return head == 0 || lane < 31; }
    MGPU_DEVICE bool has_edge(int lane) const { return head != 0 && lane < cut::units_per_lane; }
  };

  struct in_tile {
    parts move;
    const unit* in;  // position 0
    unit* out;       // position 0
    int pad;

    MGPU_DEVICE void fetch(offset interval, fetched& f) const { move.fetch(interval, f); }
    MGPU_DEVICE void stage(const fetched& f, offset, offset begin, staged& to) const {
      const unit* const from = in + (f.gather - begin) * cut::units_per_item;
      unit* const into = out + (f.scatter - begin) * cut::units_per_item;
      if constexpr (!scatters) to = {from};
      else if constexpr (!gathers) to = {into};
      else to = {from, into};
    }
    MGPU_DEVICE void load(const staged& s, int position, int step, loaded& x) const {
      x = (s.source(in) + position)[step];
    }
    MGPU_DEVICE void store(const staged& s, int position, int step, const loaded& x) const {
      (s.destination(out) + position)[step] = x;
    }

    /// Moves a round by words. The interval goes on for a word before the round and behind it. A word of the
    /// destination may come from two words of the source, and both are then of the interval.
    MGPU_DEVICE void move_words(const staged& s, int first, int lane) const {
      const lane_word w(s.source(in) + first, s.destination(out) + first, lane);
      unit of_edge{};
      if (w.has_edge(lane)) of_edge = w.from[w.edge];
      if (w.has_word(lane)) {
        tile::word x = w.source[0];
        if (w.misalignment != 0) x = tile::realigned<cut::unit_bytes>(x, w.source[1], w.misalignment);
        *w.destination = x;
      }
      if (w.has_edge(lane)) w.to[w.edge] = of_edge;
    }
  };
  MGPU_DEVICE in_tile at(offset item_begin) const {
    const T* const from = this->in + item_begin;
    T* const to = this->out + item_begin;
    const int pad = gathers && scatters ? 0 : gathers ? cut::line_pad(to) : cut::line_pad(from);
    return {*this, reinterpret_cast<const unit*>(from) - pad, reinterpret_cast<unit*>(to) - pad, pad};
  }

  void prefetch(offset interval) const {
    if constexpr (cuda::std::is_pointer_v<Gather>) MGPU_PREFETCH(address_of(this->source.shift(interval, 0)));
  }
  /// The address of an element, which may lie outside the array.
  const void* address_of(offset element) const {
    const auto bytes = static_cast<std::uintptr_t>(element) * sizeof(T);
    return reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(this->in) + bytes);
  }
  void visit(offset interval, offset begin, offset first, offset last, offset) const {
    tile::host_copy(this->in + first + this->source.shift(interval, begin), last - first,
                    this->out + first + this->destination.shift(interval, begin));
  }
};

template <class In, class Out>
inline constexpr bool moves_array =
    base::is_byte_range<In>&& base::is_bytewise_output<In, In, Out>&& can_be_cut<base::value_type<In>>;

/// The sink of gather, scatter and move between any iterators.
template <class In, class Out, class Gather, class Scatter>
struct move : whole_elements<int{sizeof(base::value_type<In>)}>, move_places<In, Out, Gather, Scatter> {
  using parts = move_places<In, Out, Gather, Scatter>;
  using parts::parts;
  using typename parts::fetched;

  /// A position plus these is the item's place.
  struct staged {
    offset source, destination;
  };
  using loaded = base::slot<base::value_type<In>>;

  struct in_tile {
    parts move;
    offset item_begin;
    static constexpr int pad = 0;

    MGPU_DEVICE void fetch(offset interval, fetched& f) const { move.fetch(interval, f); }
    MGPU_DEVICE void stage(const fetched& f, offset, offset begin, staged& to) const {
      to = {item_begin + (parts::gathers ? f.gather - begin : 0),
            item_begin + (parts::scatters ? f.scatter - begin : 0)};
    }
    MGPU_EXEC_CHECK_DISABLE
    MGPU_DEVICE void load(const staged& s, int position, int step, loaded& x) const {
      x.put(move.in[s.source + position + step]);
    }
    MGPU_EXEC_CHECK_DISABLE
    MGPU_DEVICE void store(const staged& s, int position, int step, const loaded& x) const {
      move.out[s.destination + position + step] = x.value;
    }
  };
  MGPU_DEVICE in_tile at(offset item_begin) const { return {*this, item_begin}; }

  void visit(offset interval, offset begin, offset first, offset last, offset) const {
    const offset from = this->source.shift(interval, begin), to = this->destination.shift(interval, begin);
    for (offset item = first; item < last; ++item) this->out[item + to] = this->in[item + from];
  }
};

}  // namespace detail::core
MGPU_NAMESPACE_END
