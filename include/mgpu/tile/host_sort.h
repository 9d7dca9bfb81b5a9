// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/tile/interleaved_merge.h>
#include <mgpu/tile/range.h>

#include <algorithm>
#include <cuda/std/type_traits>
#include <utility>

MGPU_NAMESPACE_BEGIN
namespace tile {

/// A stable merge sort of keys, with or without values, by one CPU thread.
template <class Key, class Value, bool has_values, class Compare>
struct host_sort {
  Key* keys[2];      // the elements, and as much scratch memory
  Value* values[2];  // the same
  const Compare& compare;

  /// Sorts elements [begin, end) in place. Writes the same positions of the scratch memory. If `compare` throws, they
  /// hold a permutation of the elements.
  void run(offset begin, offset end) const {
    constexpr offset long_run = 24;
    const offset count = end - begin;
    offset in_order = begin + 1;
    while (in_order < end && !compare(keys[0][in_order], keys[0][in_order - 1])) ++in_order;
    if (in_order >= end) return;
    // Runs are merged an even number of times, so that the last merge ends in the elements' own memory.
    int levels = 0;
    while (count >> levels > long_run) levels += 2;
    const offset run = base::ceil_div(count, offset{1} << levels);
    for (offset first = begin; first < end; first += run) insertion_sort(first, base::min(first + run, end));
    int level = 0;
    try {
      for (offset length = run; level < levels; ++level, length *= 2) {
        for (offset first = begin; first < end; first += 2 * length) {
          const offset middle = base::min(first + length, end);
          merge(level & 1, first, middle, base::min(middle + length, end));
        }
      }
    } catch (...) {
      if (level & 1) bring_back(begin, end);
      throw;
    }
  }

 private:
  using values_iterator = cuda::std::conditional_t<has_values, Value*, base::no_values>;

  values_iterator values_at(int side, offset i) const {
    if constexpr (has_values) return values[side] + i;
    else return {};
  }

  void insertion_sort(offset begin, offset end) const {
    for (offset i = begin + 1; i < end; ++i) {
      const Key key = keys[0][i];
      if (!compare(key, keys[0][i - 1])) continue;
      if constexpr (has_values) {
        const Value value = values[0][i];
        insert(key, begin, i, [&](offset to) {
          keys[0][to] = key;
          values[0][to] = value;
        });
      } else {
        insert(key, begin, i, [&](offset to) { keys[0][to] = key; });
      }
    }
  }

  /// Moves up the elements before `to` that `key` goes before, and puts `key` there; also if a comparison throws.
  template <class Put>
  void insert(const Key& key, offset begin, offset to, const Put& put) const {
    try {
      for (; to > begin && compare(key, keys[0][to - 1]); --to) {
        keys[0][to] = keys[0][to - 1];
        if constexpr (has_values) values[0][to] = values[0][to - 1];
      }
    } catch (...) {
      put(to);
      throw;
    }
    put(to);
  }

  /// Copies the elements back from the scratch memory.
  void bring_back(offset begin, offset end) const {
    std::copy(keys[1] + begin, keys[1] + end, keys[0] + begin);
    if constexpr (has_values) std::copy(values[1] + begin, values[1] + end, values[0] + begin);
  }

  /// Merges two runs from one side to the other.
  void merge(int from, offset begin, offset middle, offset end) const {
    const host_merge<Key*, Key*, values_iterator, values_iterator, Key*, values_iterator, Compare> serial{
        keys[from] + begin,
        keys[from] + middle,
        values_at(from, begin),
        values_at(from, middle),
        keys[1 - from] + begin,
        values_at(1 - from, begin),
        compare};
    const range all{0, middle - begin, 0, end - middle};
    if constexpr (is_register_choice<Key*, Key*> && is_register_choice<values_iterator, values_iterator>) {
      if (end - begin >= 256) serial.run_interleaved(all, std::make_index_sequence<4>{});
      else serial.run_branch_free(all);
    } else {
      serial.run(all);
    }
  }
};

}  // namespace tile
MGPU_NAMESPACE_END
