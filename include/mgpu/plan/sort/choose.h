// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The one place that chooses how an array or its segments are sorted.

#include <mgpu/base/math.h>
#include <mgpu/core/sort/radix_progress.h>
#include <mgpu/tuning/sort_ways.h>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

enum class sort_way {
  by_merges,       // large tiles, and passes that merge their parts of segments: plan/sort/by_merges.h
  in_small_tiles,  // small tiles, and passes that merge these by ranks: plan/sort/small_sort.h
  by_samples,      // tiles, and passes that merge 16 at a time, split by samples: plan/sort/sampled_sort.h
  by_digits,       // all digits in one launch: plan/sort/radix_sort.h
  by_counts,       // bytes are counted and written anew: plan/sort/radix_sort.h
  by_cub           // cub::DeviceRadixSort: exec/cuda/radix_sort.cuh
};

/// What is known of elements and segments when a call is compiled.
struct sort_types {
  tuning::sort_case sizes;
  bool has_one_segment;  // a whole array
  bool has_bounds;       // the host knows the number of segments
  bool may_be_ordered;   // the caller expects the array to be nearly sorted
  bool fit_small_tiles;  // on this machine
  bool have_cub_sort;    // numbers in their natural order with values that are no wider than CUB moves them
  bool have_digits;      // those that our radix sort takes
  bool are_bytes;        // without values, in their natural order

  constexpr bool has_digit_sort() const {
    return have_digits && (has_one_segment ? !may_be_ordered && have_cub_sort : has_bounds);
  }
  constexpr bool has_count_sort() const { return are_bytes && has_bounds; }
  constexpr bool has_cub_sort() const { return have_cub_sort && has_one_segment && !may_be_ordered; }
  constexpr offset sampled_items() const {
    const bool has_samples = has_one_segment && !may_be_ordered && fit_small_tiles;
    return has_samples ? tuning::sampled_items(sizes, has_cub_sort()) : 0;
  }
  constexpr bool has_sampled_sort() const { return sampled_items() > 0; }
  constexpr offset small_items() const {
    if (!fit_small_tiles) return 0;
    return has_bounds ? tuning::small_segmented_items(sizes)
                      : tuning::small_array_items(sizes, has_cub_sort(), has_sampled_sort());
  }
  /// Whether some array is sorted by merges.
  constexpr bool has_merge_sort() const { return !has_cub_sort(); }
};

/// What is known when the call is made.
struct sort_call {
  offset count;
  offset stretches;  // segments and gaps between them, where the host knows how many there are
  int multiprocessors;
};

struct sort_choice {
  sort_way way;
  const char* reason;
};

/// The way to sort. Ranges of counts do not overlap: each line takes what the lines before have left.
constexpr sort_choice choose_sort(const sort_types& t, const sort_call& c) {
  const auto most = [&](offset items) { return items * c.multiprocessors; };
  const bool fits_digits = c.count < core::radix_progress::end_count;  // as many as counts of 32 bits can tell
  if (!t.has_one_segment) {
    const offset mean = c.count / base::max<offset>(c.stretches, 1);
    if (t.has_count_sort() && fits_digits && c.count >= most(tuning::least_counted_items) &&
        mean >= tuning::least_counted_mean)
      return {sort_way::by_counts, "bytes are written from their counts"};
    if (t.has_digit_sort() && fits_digits && c.stretches < core::radix_progress::most_stretches &&
        c.count >= most(tuning::least_digit_sorted_items) &&
        mean >= tuning::least_digit_sorted_mean(t.sizes, c.count / c.multiprocessors))
      return {sort_way::by_digits, "few long segments: one launch instead of many passes"};
  }
  if (t.has_cub_sort() && tuning::suits_one_block(t.sizes, c.count))
    return {sort_way::by_cub, "one block of CUB's sorts few narrow numbers"};
  if (c.count <= tuning::small_count(most(t.small_items())))
    return {sort_way::in_small_tiles, "launches take most of the time"};
  if (!t.has_one_segment) return {sort_way::by_merges, "short segments lie in one tile"};
  if (c.count <= tuning::sampled_count(most(t.sampled_items())))
    return {sort_way::by_samples, "few passes, in any order"};
  if (!t.has_cub_sort()) return {sort_way::by_merges, t.may_be_ordered ? "what is in order stays" : "a comparator"};
  if (t.has_digit_sort() && fits_digits &&
      (t.sizes.value_bytes == 0 || c.count <= most(tuning::digit_sorted_items(t.sizes))))
    return {sort_way::by_digits, "all digits in one launch"};
  return {sort_way::by_cub, "values move in fewer steps, and any count fits"};
}

}  // namespace detail::plan
MGPU_NAMESPACE_END
