// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/base/slot.h>
#include <mgpu/tile/merge_path.h>
#include <mgpu/tile/shared_layout.h>

MGPU_NAMESPACE_BEGIN
namespace block {

/// The ways of a tile: parts of sorted runs, in the order of the runs, none empty. It lies in shared memory.
template <int most_ways>
struct way_table {
  int count;                 // of the ways
  int begin[most_ways + 1];  // of way w's elements in the tile; behind the last way the tile's size
  int start[most_ways];      // where they lie in shared memory
  MGPU_DEVICE int items() const { return begin[most_ways]; }

  /// The way of an element of the tile, by its place in `firsts`: begin, or where ways were staged.
  template <class Firsts>
  MGPU_DEVICE static int way_at(const Firsts& firsts, int place) {
    int way = 0;
    MGPU_UNROLL
    for (int step = most_ways / 2; step > 0; step /= 2) {
      if (firsts[way + step] <= place) way += step;
    }
    return way;
  }
};

/// What is moved while ways are merged: keys, or the places in which keys were staged.
template <class Key>
struct moved_keys {
  using item = Key;
  const Key* staged;
  const Key* from;  // where keys lie: staged in the first round, merged in the others

  MGPU_DEVICE item at(int i) const { return from[i]; }
  static MGPU_DEVICE const Key& key(const item& x) { return x; }
};
template <class Key>
struct moved_places {
  using item = tile::source;
  const Key* staged;
  const item* from;  // null in the first round

  MGPU_DEVICE item at(int i) const { return from == nullptr ? static_cast<item>(i) : from[i]; }
  MGPU_DEVICE const Key& key(item x) const { return staged[x]; }
};

/// Merges the ways of a tile in shared memory, in rounds of pairs of neighbours. Each thread merges the elements that
/// go to its share of the tile. A tile of one way takes one round, which copies.
template <class Moved, int most_ways, int threads, int share, class Compare>
class way_merger {
  using item = typename Moved::item;

 public:
  /// The items go to `merged`, in order. If there are `sources`, they get the places in which the items were staged.
  /// Before the last barrier of the block only this thread's share is there.
  MGPU_DEVICE way_merger(way_table<most_ways>& table, const Moved& moved, item* merged, tile::source* sources,
                         const Compare& compare)
      : table_(table), moved_(moved), merged_(merged), sources_(sources), compare_(compare) {}

  template <bool has_sources>
  MGPU_DEVICE void merge() {
    const int ways = table_.count;
    const int way = begin_ < table_.items() ? table_.way_at(table_.begin, begin_) : 0;
    int level = 0;
    do {  // one body for all rounds: two would not fit into the cache of instructions
      round<has_sources>(way, level);
      if (level == 0 && threadIdx.x < most_ways) table_.start[threadIdx.x] = table_.begin[threadIdx.x];
      moved_.from = merged_;
      ++level;
      __syncthreads();
    } while (1 << level < ways);
  }

 private:
  /// A pair of neighbours, and where its merge stands.
  struct pair {
    int a, a_end, b, b_end;
    int end;  // of the pair, in the tile
  };
  MGPU_DEVICE pair pair_at(int way, int level) const {
    const int middle = way + (1 << level), end = way + (2 << level);
    const int a = table_.start[way], b = table_.start[middle];
    return {a, a + (table_.begin[middle] - table_.begin[way]), b, b + (table_.begin[end] - table_.begin[middle]),
            table_.begin[end]};
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

  template <bool has_sources>
  MGPU_DEVICE void round(int own_way, int level) {
    const int items = table_.items();
    base::slot<item> x[share];
    int from[has_sources ? share : 1];
    if (begin_ < items) {
      const compare_items compare{*this};
      int way = own_way >> (level + 1) << (level + 1);
      pair p = pair_at(way, level);
      const int diagonal = begin_ - table_.begin[way];
      const tile::merge_path path{
          items_from{*this, p.a}, items_from{*this, p.b}, p.a_end - p.a, p.b_end - p.b, diagonal, compare};
      const int split = path.split();
      p.a += split;
      p.b += diagonal - split;
      const auto step = [&](int i, item& a, item& b) {
        const bool from_b = p.a >= p.a_end || (p.b < p.b_end && compare(b, a));
        x[i].put(from_b ? b : a);
        if constexpr (has_sources) from[i] = level == 0 ? (from_b ? p.b : p.a) : sources_[from_b ? p.b : p.a];
        if (from_b) b = moved_.at(++p.b);
        else a = moved_.at(++p.a);
      };
      item a = moved_.at(p.a), b = moved_.at(p.b);
      if (__any_sync(__activemask(), p.end - begin_ < share && p.end < items)) {
        MGPU_UNROLL
        for (int i = 0; i < share; ++i) {
          if (i == p.end - begin_ && p.end < items) {  // the next pair follows
            way += 2 << level;
            p = pair_at(way, level);
            a = moved_.at(p.a);
            b = moved_.at(p.b);
          }
          step(i, a, b);
        }
      } else {
        MGPU_UNROLL
        for (int i = 0; i < share; ++i) step(i, a, b);
      }
    }
    __syncthreads();
    put<has_sources>(x, from, items - begin_);
  }

  template <bool has_sources, int N>
  MGPU_DEVICE void put(const base::slot<item> (&x)[share], const int (&from)[N], int count) const {
    const auto put_one = [&](int i) {
      base::construct(merged_ + begin_ + i, x[i].value);
      if constexpr (has_sources) sources_[begin_ + i] = static_cast<tile::source>(from[i]);
    };
    if (count >= share) {
      MGPU_UNROLL
      for (int i = 0; i < share; ++i) put_one(i);
    } else {
      MGPU_UNROLL
      for (int i = 0; i < share; ++i) {
        if (i < count) put_one(i);
      }
    }
  }

  way_table<most_ways>& table_;
  Moved moved_;
  item* merged_;
  tile::source* sources_;
  const Compare& compare_;
  const int begin_ = static_cast<int>(threadIdx.x) * share;  // of this thread's share
};

}  // namespace block
MGPU_NAMESPACE_END
