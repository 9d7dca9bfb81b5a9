// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>

#include <cuda/std/bit>

#include <cstdint>

MGPU_NAMESPACE_BEGIN
namespace detail::tile {

/// The inputs from which the last steps of a merge or a set operation took their elements: what a branch predictor
/// would see.
class step_history {
 public:
  static constexpr int max_steps = 32;

  /// Notes a step: 0 for a, 1 for b, 2 for both.
  void note(unsigned taken) {
    steps_ = steps_ << 2 | taken;
    if (count_ < max_steps) ++count_;
  }

  /// The number of steps that differ from the step `period` before, for the period of at most 8 steps that has the
  /// fewest. It is 0 for runs and for a b a b, and about half of the steps for random keys.
  int surprises() const {
    int fewest = max_steps;
    for (int period = 1; period <= 8 && period < count_; ++period) {
      const std::uint64_t differ = steps_ ^ (steps_ >> (2 * period));
      const std::uint64_t any = (differ | differ >> 1) & 0x5555555555555555u;
      const std::uint64_t noted = any & ((std::uint64_t{1} << (2 * (count_ - period))) - 1);
      const int surprising = cuda::std::popcount(noted);
      fewest = base::min(fewest, surprising);
    }
    return fewest == max_steps ? 0 : fewest;
  }

 private:
  std::uint64_t steps_ = 0;  // two bits each, the last one lowest
  int count_ = 0;
};

/// True if branches cost less than steps without branches, given the surprises of `max_steps` steps.
///   Steps without branches take 0.9 ns. Steps with branches take 0.4 ns, and 7 ns more for each misprediction
///   (2 x 2^22 u32, 2026-11-22).
constexpr bool is_predictable(int surprises) { return surprises <= step_history::max_steps / 8; }

/// Steps by branches between two samples.
inline constexpr offset steps_per_sample = 1 << 14;

/// Elements of one input that a single comparison may take.
inline constexpr offset stretch_items = 64;

/// The same of elements that are copied: 256 bytes. To look further ahead for the end of their run saves comparisons,
/// but reads lines of memory out of order, each for the time of a miss.
///   merge, 2 x 2^22, one thread of an EPYC 9004, ms, search with doubled distance / 64 items / 256 bytes / std::merge:
///   blocks of 1,000 u32 10.5 / 4.0 / 3.5 / 5.2, of 16 bytes 20.3 / 18.8 / 12.8 / 11.1; 1,000 u32 : 1 4.2 / 2.3 / 1.9 /
///   2.4 (2026-11-23). Up to 4,096 elements, looked at every 256 bytes, then copied past the caches: blocks of 1,000
///   u64 5.0 to 11.9, u64 1,000 : 1 2.5 to 4.6 (2026-11-27)
template <class Iterator>
inline constexpr offset copied_stretch_items = base::max<offset>(8, 256 / offset{sizeof(base::value_type<Iterator>)});

/// The steps that are taken before the next look for a stretch: after each look in vain twice as many.
struct steps_to_look {
  offset left = 0;
  offset next = stretch_items;

  /// To leave a loop that the CPU predicts costs time: merge, 2 x 2^22 u32 interleaving regularly, one thread, ms: at
  /// most 1,024 steps 8.1, 16,384 6.9 (2026-11-22).
  static constexpr offset longest = 1 << 14;

  void found() { next = stretch_items; }
  void found_none() {
    left = next;
    next = base::min(2 * next, longest);
  }
};

/// The length of the run of next elements at the beginning of `left`, in whole stretches; 0 if the run fills none.
/// are_next(count) says whether the first `count` elements are next. The search goes by stretches; from 16 of
/// them on it doubles its distance, then halves it.
template <class AreNext>
offset whole_stretches(offset left, const AreNext& are_next) {
  if (left < stretch_items || !are_next(stretch_items)) return 0;
  offset taken = stretch_items, more = stretch_items;
  for (; taken + more <= left && are_next(taken + more); more = taken < 16 * stretch_items ? stretch_items : taken)
    taken += more;
  for (; more >= stretch_items; more /= 2)
    if (taken + more <= left && are_next(taken + more)) taken += more;
  return taken;
}

}  // namespace detail::tile
MGPU_NAMESPACE_END
