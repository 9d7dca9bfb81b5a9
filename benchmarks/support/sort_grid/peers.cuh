// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The peers of the grid of sorts, with temporary memory that is allocated at the first call. cub_merge sorts in place,
// the others sort from the unsorted arrays.

#include <support/cub_storage.cuh>
#include <support/sort_grid/check.cuh>

#include <cub/device/device_merge.cuh>
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_segmented_radix_sort.cuh>
#include <cub/device/device_segmented_sort.cuh>

#include <algorithm>
#include <cstddef>
#include <map>

namespace bench {

struct cub_radix {
  cub_storage storage;

  template <class Call>
  void operator()(const Call& c) {
    storage([&](void* memory, std::size_t& bytes) {
      if constexpr (Call::has_values) {
        return cub::DeviceRadixSort::SortPairs(memory, bytes, c.unsorted_keys, c.keys, c.unsorted_values, c.values,
                                               c.count);
      } else {
        return cub::DeviceRadixSort::SortKeys(memory, bytes, c.unsorted_keys, c.keys, c.count);
      }
    });
  }
};

struct cub_merge {
  cub_storage storage;

  template <class Call>
  void operator()(const Call& c) {
    storage([&](void* memory, std::size_t& bytes) {
      if constexpr (Call::has_values) {
        return cub::DeviceMergeSort::StableSortPairs(memory, bytes, c.keys, c.values, c.count, c.compare);
      } else {
        return cub::DeviceMergeSort::StableSortKeys(memory, bytes, c.keys, c.count, c.compare);
      }
    });
  }
};

/// The same to other arrays than it reads.
struct cub_merge_copy {
  cub_storage storage;

  template <class Call>
  void operator()(const Call& c) {
    storage([&](void* memory, std::size_t& bytes) {
      if constexpr (Call::has_values) {
        return cub::DeviceMergeSort::SortPairsCopy(memory, bytes, c.unsorted_keys, c.unsorted_values, c.keys, c.values,
                                                   c.count, c.compare);
      } else {
        return cub::DeviceMergeSort::StableSortKeysCopy(memory, bytes, c.unsorted_keys, c.keys, c.count, c.compare);
      }
    });
  }
};

struct cub_segmented {
  cub_storage storage;

  template <class Call>
  void operator()(const Call& c) {
    const u32 *const begins = c.cuts, *const ends = begins + 1;
    storage([&](void* memory, std::size_t& bytes) {
      if constexpr (Call::has_values) {
        return cub::DeviceSegmentedSort::SortPairs(memory, bytes, c.unsorted_keys, c.keys, c.unsorted_values, c.values,
                                                   c.count, c.pieces, begins, ends);
      } else {
        return cub::DeviceSegmentedSort::SortKeys(memory, bytes, c.unsorted_keys, c.keys, c.count, c.pieces, begins,
                                                  ends);
      }
    });
  }
};

struct cub_segmented_radix {
  cub_storage storage;

  template <class Call>
  void operator()(const Call& c) {
    const auto count = static_cast<int>(c.count), segments = static_cast<int>(c.pieces);
    const u32 *const begins = c.cuts, *const ends = begins + 1;
    storage([&](void* memory, std::size_t& bytes) {
      if constexpr (Call::has_values) {
        return cub::DeviceSegmentedRadixSort::SortPairs(memory, bytes, c.unsorted_keys, c.keys, c.unsorted_values,
                                                        c.values, count, segments, begins, ends);
      } else {
        return cub::DeviceSegmentedRadixSort::SortKeys(memory, bytes, c.unsorted_keys, c.keys, count, segments, begins,
                                                       ends);
      }
    });
  }
};

/// The first element of a run, of `runs` of equal length.
inline std::size_t begin_of_run(std::size_t run, std::size_t runs, std::size_t count) { return count * run / runs; }

/// Merges of neighbours, until one run is left: 2^K runs.
struct cub_tree {
  std::map<std::size_t, cub_storage> storage;  // by the number of merged elements

  template <class Call>
  void operator()(const Call& c) {
    auto from = c;
    for (std::size_t step = 1; step < c.pieces; step *= 2) {
      // The last level writes to the result, those before by turns there and to other arrays.
      std::size_t levels_left = 0;
      while (step << levels_left < c.pieces) ++levels_left;
      auto to = c;
      if (levels_left % 2 == 0) use_more_memory(to);
      for (std::size_t run = 0; run < c.pieces; run += 2 * step) merge_two(from, to, run, step);
      from.unsorted_keys = to.keys;
      from.unsorted_values = to.values;
    }
  }

 private:
  template <class Key, class Value, class Compare>
  static void use_more_memory(grid_call<Key, Value, Compare>& c) {
    c.keys = keys_at<Key>(kept_on_device(kept::more_keys, c.count * sizeof(Key)), c.count);
    if constexpr (grid_call<Key, Value, Compare>::has_values) {
      c.values = static_cast<Value*>(kept_on_device(kept::more_values, c.count * sizeof(Value)));
    }
  }

  template <class Call>
  void merge_two(const Call& from, const Call& to, std::size_t run, std::size_t step) {
    const auto place = [&](std::size_t i) {
      return static_cast<std::ptrdiff_t>(begin_of_run(std::min<std::size_t>(i, from.pieces), from.pieces, from.count));
    };
    const std::ptrdiff_t begin = place(run), middle = place(run + step), end = place(run + 2 * step);
    const auto a = from.unsorted_keys + begin, b = from.unsorted_keys + middle;
    storage[static_cast<std::size_t>(end - begin)]([&](void* memory, std::size_t& bytes) {
      if constexpr (Call::has_values) {
        return cub::DeviceMerge::MergePairs(memory, bytes, a, from.unsorted_values + begin, middle - begin, b,
                                            from.unsorted_values + middle, end - middle, to.keys + begin,
                                            to.values + begin, from.compare);
      } else {
        return cub::DeviceMerge::MergeKeys(memory, bytes, a, middle - begin, b, end - middle, to.keys + begin,
                                           from.compare);
      }
    });
  }
};

}  // namespace bench
