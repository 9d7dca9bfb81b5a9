// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Runs that arrive in steps, each from its beginning on. What can be merged before the last step has come? Let x be the
// last element of a run that is there. What is still missing of the run is not less than x. So elements that come
// before x in the order of (key, run) come before all that is missing of this run.

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/plan/distributed/transfers.h>
#include <mgpu/plan/scratch_layout.h>

#include <cuda/std/type_traits>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

/// Messages of elements begin where their number is a multiple of this, on both sides: at a 16-byte word. NCCL copies
/// single bytes if one side does not: 2^29 bytes each way take 2.3 to 2.6 ms, else 1.53 (2 H200, 2026-11-23).
inline constexpr offset message_grid = 16;

/// The elements [begin, begin + count) of an array that go to another rank, in steps: each takes half of what is left,
/// up to the grid, the last one all of it.
struct stepwise_message {
  offset begin, count;
  int steps;

  /// The first elements, up to the grid, are a message of their own.
  MGPU_HOST_DEVICE offset head() const { return base::min(count, base::align_up(begin, message_grid) - begin); }
  MGPU_HOST_DEVICE stretch part(int step) const { return {end_of(step), end_of(step + 1)}; }

 private:
  /// The number of elements that have come after so many steps.
  MGPU_HOST_DEVICE offset end_of(int step) const {
    if (step == 0 || step == steps) return step == 0 ? 0 : count;
    return base::min(count, base::align_up(begin + count - (count >> step), message_grid) - begin);
  }
};

/// Runs as plan/runs/merge_runs.h takes them.
template <class Key, class Value>
struct run_arrays {
  Key** keys;       // [runs]
  Value** values;   // [runs]
  offset* lengths;  // [runs]
};

/// Runs, and the parts of them that are merged in a step.
template <class Key, class Value>
struct arriving_runs {
  Key** keys;       // [runs]
  Value** values;   // [runs]
  offset* lengths;  // [runs], when all has come
  offset* merged;   // [runs], how many elements of a run are merged, with those of the part
  Key** part_keys;
  Value** part_values;
  offset* part_lengths;

  void place(offset runs, scratch_layout& layout) {
    keys = layout.take<Key*>(runs);
    values = layout.take<Value*>(runs);
    lengths = layout.take<offset>(runs);
    merged = layout.take<offset>(runs);
    part_keys = layout.take<Key*>(runs);
    part_values = layout.take<Value*>(runs);
    part_lengths = layout.take<offset>(runs);
  }
};

/// Cuts a run where its elements come before all that is missing of the others.
template <class Key, class Value, class Compare>
struct cut_runs {
  static constexpr bool has_values = !cuda::std::is_same_v<Value, base::no_values::value_type>;

  arriving_runs<Key, Value> runs;
  const Key* room;  // where they arrive
  int count, own;   // of the runs; the one that is there from the beginning
  int step, steps;
  Compare compare;

  MGPU_HOST_DEVICE offset length_now(offset run) const {
    const offset length = runs.lengths[run];
    return run == own ? length : stepwise_message{runs.keys[run] - room, length, steps}.part(step).end;
  }

  /// Where the elements of a run end that come before all that is missing.
  MGPU_EXEC_CHECK_DISABLE
  template <class Search>
  MGPU_HOST_DEVICE offset find(offset run, const Search& search) const {
    const Key* const keys = runs.keys[run];
    offset end = length_now(run);
    for (int other = 0; other < count; ++other) {
      const offset there = length_now(other);
      if (other == run || there == runs.lengths[other]) continue;
      if (there == 0) return 0;
      const Key& last = runs.keys[other][there - 1];
      end = search.partition_point(
          offset{0}, end, [&](offset i) { return run < other ? !compare(last, keys[i]) : compare(keys[i], last); });
    }
    return end;
  }

  MGPU_HOST_DEVICE void store(offset run, offset found) const {
    const offset begin = runs.merged[run], end = base::max(begin, found);  // if compare is no strict weak ordering
    runs.part_keys[run] = runs.keys[run] + begin;
    if constexpr (has_values) runs.part_values[run] = runs.values[run] + begin;
    runs.part_lengths[run] = end - begin;
    runs.merged[run] = end;
  }
};

}  // namespace detail::plan
MGPU_NAMESPACE_END
