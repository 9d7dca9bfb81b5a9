// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Arrays cut into segments of many kinds, told of by descriptors of every kind.

#include "arrays.h"
#include "interval_patterns.h"

#include <mgpu/segments.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace test {

/// Segments of an array: segment i is [begins[i], ends[i]), none begins before the end of the one before it.
struct segmentation {
  offset elements;
  std::vector<offset> begins, ends;  // [segments]

  /// Each segment begins where the one before it ends.
  bool is_gapless() const {
    for (std::size_t i = 1; i < begins.size(); ++i) {
      if (begins[i] != ends[i - 1]) return false;
    }
    return true;
  }
  /// Every element is in a segment.
  bool covers_all() const {
    if (begins.empty()) return elements == 0;
    return is_gapless() && begins.front() == 0 && ends.back() == elements;
  }
};

inline segmentation one_segment(offset elements) { return {elements, {0}, {elements}}; }

/// Elements that are in no segment.
enum class gaps { none, at_both_ends, everywhere };

inline segmentation cut_of(const std::vector<int>& lengths, gaps g = gaps::none, unsigned seed = 0) {
  std::mt19937 random(seed);
  segmentation cut{g == gaps::none ? 0 : 1 + static_cast<int>(random() % 70), {}, {}};
  for (const int length : lengths) {
    cut.begins.push_back(cut.elements);
    cut.ends.push_back(cut.elements += length);
    if (g == gaps::everywhere && random() % 2 == 0) cut.elements += static_cast<int>(random() % 23);
  }
  if (g != gaps::none) cut.elements += 1 + static_cast<int>(random() % 70);
  return cut;
}

/// Lengths of segments with `elements` elements in all, and of up to two empty segments at the end. `s` is none of
/// those that leave all or almost all of them empty.
inline std::vector<int> lengths_of(sharing s, int elements, std::mt19937& random) {
  std::vector<int> lengths;
  for (int left = elements; left > 0; left -= lengths.back()) {
    lengths.push_back(std::min(left, draw_count(s, static_cast<int>(lengths.size()), elements, random)));
  }
  lengths.resize(lengths.size() + random() % 3);
  return lengths;
}
inline constexpr sharing segment_sharings[] = {sharing::one_long,  sharing::tens,  sharing::zipf,
                                               sharing::hundreds,  sharing::ones,  sharing::in_turn,
                                               sharing::thousands, sharing::halves};

/// How a call is told of its segments.
enum class segments_as { heads, flags, offsets, begins_and_ends };

inline constexpr segments_as all_descriptors[] = {segments_as::heads, segments_as::flags, segments_as::offsets,
                                                  segments_as::begins_and_ends};

inline bool can_tell(segments_as as, const segmentation& cut) {
  switch (as) {
    case segments_as::heads:
    case segments_as::flags:
      return cut.covers_all();
    case segments_as::offsets:
      return cut.is_gapless();
    case segments_as::begins_and_ends:
      return true;
  }
  return false;
}

/// Positions where segments begin, a position twice where a segment is empty, and the number of elements where an empty
/// one is at the end. Position 0 may be left out.
inline std::vector<int> heads_of(const segmentation& cut, bool names_zero) {
  std::vector<int> heads;
  for (const offset begin : cut.begins) {
    if (begin > 0 || names_zero) heads.push_back(static_cast<int>(begin));
  }
  return heads;
}

/// A bit for every element that begins a segment, and, behind the last element, any bits.
inline std::vector<std::uint32_t> flags_of(const segmentation& cut, bool names_zero, std::uint32_t behind) {
  std::vector<std::uint32_t> words(static_cast<std::size_t>((cut.elements + 31) / 32));
  for (const int head : heads_of(cut, names_zero)) {
    if (head < cut.elements) words[static_cast<std::size_t>(head) / 32] |= 1u << head % 32;
  }
  if (cut.elements % 32 != 0) words.back() |= behind << cut.elements % 32;
  return words;
}

inline std::vector<offset> offsets_of(const segmentation& cut) {
  auto offsets = cut.begins;
  offsets.push_back(cut.begins.empty() ? 0 : cut.ends.back());
  return offsets;
}

/// Segments in the executor's memory. The number says what their descriptors say of what has no meaning.
template <class Executor>
class segments_in {
 public:
  explicit segments_in(const segmentation& cut, int number = 0)
      : cut_(cut),
        count_(static_cast<offset>(cut.begins.size())),
        heads_(heads_of(cut, number % 2 == 0)),
        flags_(flags_of(cut, number / 2 % 2 == 0, 0xB7A5'13C9u * static_cast<std::uint32_t>(number))),
        offsets_(test::offsets_of(cut)),
        begins_(std::vector<int>(cut.begins.begin(), cut.begins.end())),
        ends_(std::vector<std::uint32_t>(cut.ends.begin(), cut.ends.end())) {}

  const segmentation& cut() const { return cut_; }
  bool unchanged() const {
    return heads_.unchanged() && flags_.unchanged() && offsets_.unchanged() && begins_.unchanged() && ends_.unchanged();
  }

  auto heads() const { return mgpu::segment_heads(heads_.begin(), heads_.end()); }
  auto flags() const { return mgpu::segment_flags(flags_.begin()); }
  auto offsets() const { return mgpu::segment_offsets(offsets_.begin(), count_); }
  auto begins_and_ends() const { return mgpu::segment_offsets(begins_.begin(), ends_.begin(), count_); }

  /// Calls f(descriptor). Requires that it can tell of these segments.
  template <class F>
  void give(segments_as as, const F& f) const {
    switch (as) {
      case segments_as::heads:
        return f(heads());
      case segments_as::flags:
        return f(flags());
      case segments_as::offsets:
        return f(offsets());
      case segments_as::begins_and_ends:
        return f(begins_and_ends());
    }
  }

 private:
  segmentation cut_;
  offset count_;
  input<Executor, int> heads_;
  input<Executor, std::uint32_t> flags_;
  input<Executor, offset> offsets_;
  input<Executor, int> begins_;
  input<Executor, std::uint32_t> ends_;
};

}  // namespace test
