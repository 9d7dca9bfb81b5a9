// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/tile/host/copy_range.h>
#include <mgpu/tile/host/interleaved_merge.h>
#include <mgpu/tile/range.h>

#include <cuda/std/type_traits>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

MGPU_NAMESPACE_BEGIN
namespace detail::tile {

/// What one run gives to a tile of the CPU.
template <class Keys, class Values>
struct host_way {
  Keys keys;      // [count]
  Values values;  // [count]
  offset count;
};

/// A CPU thread that merges tiles of at most tile_items elements. It has two buffers for the rounds, from the heap when
/// a tile first needs them.
template <class Keys, class Values, offset tile_items>
class host_runs_worker {
 public:
  static constexpr bool has_values = base::has_values<Values>;
  using key = base::value_type<Keys>;
  using value = base::value_type<Values>;
  /// What lies in a buffer.
  using merged_way = host_way<const key*, cuda::std::conditional_t<has_values, const value*, base::no_values>>;

  std::vector<host_way<Keys, Values>> ways;  // of the tile

  key* keys(int side) { return buffer<key>(keys_, side); }
  auto values(int side) {
    if constexpr (has_values) return buffer<value>(values_, side);
    else return base::no_values{};
  }

 private:
  template <class T>
  struct alignas(T) place {
    unsigned char bytes[sizeof(T)];
  };

  template <class T>
  static T* buffer(std::unique_ptr<place<T>[]>& memory, int side) {
    if (!memory) memory.reset(new place<T>[2 * tile_items]);
    return reinterpret_cast<T*>(memory.get()) + side * tile_items;
  }

  std::unique_ptr<place<key>[]> keys_;
  std::unique_ptr<place<value>[]> values_;
};

/// A merge of what several runs give to a tile, by one CPU thread, to keys_out and values_out. Ways are not empty.
///   lanes  merges of two ways that take turns
template <std::size_t lanes, class Keys, class Values, class KeysOut, class ValuesOut, class Compare>
struct host_runs_merge {
  KeysOut keys_out;
  ValuesOut values_out;
  const Compare& compare;

  using way = host_way<Keys, Values>;
  static constexpr bool has_values = base::has_values<Values>;

  /// Merges neighbours, two by two, in rounds. Elements go to the worker's first buffer, then to and fro between both,
  /// and in the last round to the output.
  /// Requires: keys and values are trivially copyable.
  template <class Worker>
  void run_in_rounds(Worker& worker) const {
    const auto& ways = worker.ways;
    if (ways.size() <= 2) return run_last_round(ways.data(), static_cast<int>(ways.size()));
    typename Worker::merged_way merged[most_ways];
    int count = merge_neighbours(worker, 0, ways.data(), static_cast<int>(ways.size()), merged);
    for (int side = 1; count > 2; side ^= 1) count = merge_neighbours(worker, side, merged, count, merged);
    run_last_round(merged, count);
  }

  /// Merges by a tree of losers. Every element is moved once.
  template <class Worker>
  void run(Worker& worker) const {
    way* const ways = worker.ways.data();
    const int count = static_cast<int>(worker.ways.size());
    if (count <= 2) return run_last_round(ways, count);
    loser_tree tree(ways, count, compare);
    offset left = 0;
    for (int w = 0; w < count; ++w) left += ways[w].count;
    KeysOut key_to = keys_out;
    ValuesOut value_to = values_out;
    for (; left > 0; --left) {
      way& next = ways[tree.winner()];
      *key_to = *next.keys;
      ++key_to;
      ++next.keys;
      if constexpr (has_values) {
        *value_to = *next.values;
        ++value_to;
        ++next.values;
      }
      --next.count;
      tree.replay();
    }
  }

 private:
  static constexpr int most_ways = 64;

  template <class Way>
  void run_last_round(const Way* ways, int count) const {
    if (count == 2) merge(ways[0], ways[1], keys_out, values_out);
    else if (count == 1) copy(ways[0], keys_out, values_out);
  }

  /// Merges ways 0 and 1, 2 and 3, ... into one buffer, one behind the other. `merged` may be `ways`. Returns how many
  /// are left.
  template <class Worker, class Way>
  int merge_neighbours(Worker& worker, int side, const Way* ways, int count,
                       typename Worker::merged_way* merged) const {
    auto keys_to = worker.keys(side);
    auto values_to = worker.values(side);
    int left = 0;
    for (int w = 0; w < count; w += 2) {
      offset elements = ways[w].count;
      if (w + 1 < count) {
        merge(ways[w], ways[w + 1], keys_to, values_to);
        elements += ways[w + 1].count;
      } else {
        copy(ways[w], keys_to, values_to);
      }
      merged[left++] = {keys_to, values_to, elements};
      keys_to = keys_to + elements;
      values_to = values_to + elements;
    }
    return left;
  }

  /// The way whose next element is the first. An inner node has the loser of a match of two ways, node 0 the winner of
  /// all. Leaf w is node w + leaves.
  class loser_tree {
   public:
    loser_tree(const way* ways, int count, const Compare& compare) : ways_(ways), count_(count), compare_(compare) {
      while (leaves_ < count) leaves_ *= 2;
      node_[0] = play(1);
    }
    int winner() const { return node_[0]; }

    /// Finds the next winner after the winner's way has moved on.
    void replay() {
      int best = node_[0];
      for (int node = (best + leaves_) / 2; node > 0; node /= 2) {
        if (goes_before(node_[node], best)) std::swap(node_[node], best);
      }
      node_[0] = best;
    }

   private:
    int play(int node) {
      if (node >= leaves_) return node - leaves_;
      const int left = play(2 * node), right = play(2 * node + 1);
      const bool is_right = goes_before(right, left);
      node_[node] = is_right ? left : right;
      return is_right ? right : left;
    }
    bool has_next(int w) const { return w < count_ && ways_[w].count > 0; }
    bool goes_before(int x, int y) const {
      if (!has_next(x)) return false;
      if (!has_next(y)) return true;
      return x < y ? !compare_(*ways_[y].keys, *ways_[x].keys) : compare_(*ways_[x].keys, *ways_[y].keys);
    }

    const way* ways_;
    int count_;
    int leaves_ = 1;
    const Compare& compare_;
    int node_[most_ways];
  };

  template <class Way, class KeysTo, class ValuesTo>
  static void copy(const Way& from, KeysTo keys_to, ValuesTo values_to) {
    tile::copy_range(from.keys, from.count, keys_to);
    if constexpr (has_values) tile::copy_range(from.values, from.count, values_to);
  }

  template <class A, class AValues, class KeysTo, class ValuesTo>
  void merge(const host_way<A, AValues>& a, const host_way<A, AValues>& b, KeysTo keys_to, ValuesTo values_to) const {
    const host_merge<A, A, AValues, AValues, KeysTo, ValuesTo, Compare> two{a.keys,  b.keys,    a.values, b.values,
                                                                            keys_to, values_to, compare};
    const range all{0, a.count, 0, b.count};
    if constexpr (is_register_choice<A, A> && is_register_choice<AValues, AValues>) {
      if (a.count + b.count >= 512) two.run_adaptively(all, std::make_index_sequence<lanes>{});
      else two.run_branch_free(all);
    } else {
      two.run(all);
    }
  }
};

}  // namespace detail::tile
MGPU_NAMESPACE_END
