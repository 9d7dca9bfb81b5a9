// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/base/slot.h>
#include <mgpu/tile/merge_path.h>
#include <mgpu/tile/shared_layout.h>
#include <mgpu/tile/ways.h>
#include <mgpu/block/runs/way_table.cuh>

MGPU_NAMESPACE_BEGIN
namespace detail::block {

/// What is moved while ways are merged: keys, or the places in which keys were staged.
template <class Key>
struct moved_keys {
  using item = Key;
  const Key* staged;
  const Key* from;  // where keys lie: staged in the first round, merged in the others

  MGPU_DEVICE item at(int i) const { return from[i]; }
  /// The item i bytes behind the first.
  MGPU_DEVICE item at_byte(int i) const {
    return *reinterpret_cast<const Key*>(reinterpret_cast<const char*>(from) + i);
  }
  static MGPU_DEVICE const Key& key(const item& x) { return x; }
};
template <class Key>
struct moved_places {
  using item = tile::source;
  const Key* staged;
  const item* from;  // null in the first round

  MGPU_DEVICE item at(int i) const { return from == nullptr ? static_cast<item>(i) : from[i]; }
  MGPU_DEVICE item at_byte(int i) const { return at(i / int{sizeof(item)}); }
  MGPU_DEVICE const Key& key(item x) const { return staged[x]; }
};

/// Merges the ways of a tile in shared memory, in rounds of pairs of neighbours. In each round a pair has threads of
/// its own, which merge a share each. So no share goes over the border of two pairs. A tile of one way takes one round,
/// which copies.
template <class Moved, int most_ways, int share, class Compare>
class way_merger {
  using item = typename Moved::item;

 public:
  /// The items go to `merged`, in order. If there are `sources`, they get the places in which the items were staged.
  /// A thread merges `own_share` elements, which is `share` or a smaller_share of it.
  MGPU_DEVICE way_merger(way_table<most_ways>& table, int own_share, const Moved& moved, item* merged,
                         tile::source* sources, const Compare& compare)
      : table_(table), own_share_(own_share), moved_(moved), merged_(merged), sources_(sources), compare_(compare) {}

  template <bool has_sources>
  MGPU_DEVICE void merge() {
    const int ways = table_.count;
    int level = 0;
    do {  // one body for all rounds: two would not fit into the cache of instructions
      round<has_sources>(level);
      moved_.from = merged_;
      ++level;
      __syncthreads();
    } while (1 << level < ways);
  }

 private:
  /// Whether a thread's share has no element i. Shares end at few places, so that few branches ask.
  MGPU_DEVICE bool ends_before(int i) const {
    return (i == tile::smaller_share(share, 2) || i == tile::smaller_share(share, 4)) && own_share_ <= i;
  }
  static constexpr int item_bytes = sizeof(item);
  static MGPU_DEVICE constexpr int pairs_of(int level) { return most_ways >> (level + 1); }

  /// Two neighbours that a thread merges, and how many elements of their merge go before its own.
  struct pair {
    int a, a_count, b, b_count;
    int diagonal;
  };
  MGPU_DEVICE pair own_pair(int level) const {
    const int thread = static_cast<int>(threadIdx.x);
    const int* const first = table_.first_threads(level);
    int number = 0;
    for (int step = pairs_of(level) / 2; step > 0; step /= 2) {
      if (first[number + step] <= thread) number += step;
    }
    const int way = number << (level + 1), middle = way + (1 << level), end = way + (2 << level);
    return {table_.start[way], table_.begin[middle] - table_.begin[way], table_.start[middle],
            table_.begin[end] - table_.begin[middle], (thread - first[number]) * own_share_};
  }

  /// Items from place `first` on.
  struct items_from {
    const way_merger& merger;
    int first;
    MGPU_DEVICE item operator[](int i) const { return merger.moved_.at(first + i); }
  };
  struct compare_items {
    const way_merger& merger;
    MGPU_DEVICE bool operator()(const item& x, const item& y) const {
      return merger.compare_(merger.moved_.key(x), merger.moved_.key(y));
    }
  };

  /// The split of a path. Runs of random keys have it within three standard deviations of its share.
  template <class Path>
  static MGPU_DEVICE int split_near(const Path& path) {
    const int size = path.a_count + path.b_count;
    const float before = static_cast<float>(path.diagonal);
    const float near = __fdividef(before * static_cast<float>(size - path.diagonal), static_cast<float>(size));
    const int guess = static_cast<int>(__fdividef(before * static_cast<float>(path.a_count), static_cast<float>(size)));
    const int distance = static_cast<int>(1.5f * near * rsqrtf(near + 1.0f)) + 1;
    return tile::partition_point_around(path.low(), path.high(), guess, path, distance);
  }

  template <bool has_sources>
  MGPU_DEVICE void round(int level) {
    const pair p = own_pair(level);
    const bool merges = p.diagonal < p.a_count + p.b_count;
    base::slot<item> x[share];
    int from[has_sources ? share : 1];
    if (merges) {
      const compare_items compare{*this};
      const tile::merge_path path{
          items_from{*this, p.a}, items_from{*this, p.b}, p.a_count, p.b_count, p.diagonal, compare};
      const int split = split_near(path);
      // Places are counted in bytes. Places that lead to sources, too, are counted in items.
      constexpr int unit = has_sources || (item_bytes & (item_bytes - 1)) != 0 ? 1 : item_bytes;
      const auto item_at = [&](int place) -> item { return unit == 1 ? moved_.at(place) : moved_.at_byte(place); };
      const int a_end = (p.a + p.a_count) * unit, b_end = (p.b + p.b_count) * unit;
      int a = (p.a + split) * unit, b = (p.b + p.diagonal - split) * unit;
      const int sum = a + b;
      item a_item = item_at(a), b_item = item_at(b);
      // Behind the end of the pair the rest of b follows, and what lies behind it. Nobody reads that of the share.
      MGPU_UNROLL
      for (int i = 0; i < share; ++i) {
        if (ends_before(i)) break;
        const bool from_b = a >= a_end || (b < b_end && compare(b_item, a_item));
        x[i].put(from_b ? b_item : a_item);
        const int place = from_b ? b : a;
        if constexpr (has_sources) from[i] = level == 0 ? place : sources_[place];
        // One load of all threads: banks would be asked twice if those from a and from b were apart.
        const item next = item_at(place + unit);
        a = from_b ? a : place + unit;
        b = sum + (i + 1) * unit - a;
        a_item = from_b ? a_item : next;
        b_item = from_b ? next : b_item;
      }
    }
    __syncthreads();
    if (static_cast<int>(threadIdx.x) < pairs_of(level)) {
      table_.start[static_cast<int>(threadIdx.x) << (level + 1)] =
          table_.first_threads(level)[threadIdx.x] * own_share_;
    }
    if (merges) put<has_sources>(x, from);
  }

  /// Puts the share, which has a place of its own in the tile's room.
  template <bool has_sources, int N>
  MGPU_DEVICE void put(const base::slot<item> (&x)[share], const int (&from)[N]) const {
    const int begin = static_cast<int>(threadIdx.x) * own_share_;
    MGPU_UNROLL
    for (int i = 0; i < share; ++i) {
      if (ends_before(i)) break;
      base::construct(merged_ + begin + i, x[i].value);
      if constexpr (has_sources) sources_[begin + i] = static_cast<tile::source>(from[i]);
    }
  }

  way_table<most_ways>& table_;
  int own_share_;
  Moved moved_;
  item* merged_;
  tile::source* sources_;
  const Compare& compare_;
};

}  // namespace detail::block
MGPU_NAMESPACE_END
