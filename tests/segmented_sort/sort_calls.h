// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Calls of the sorts within segments under CUDA policies whose data can be put in place, and looked at, apart from the
// call.

#include "support/check_sort.h"
#include "support/cuda.h"
#include "support/sort_patterns.h"

#include <cstdint>
#include <random>
#include <vector>

namespace test {

/// The functions, and the descriptors of segments with which one of them is called.
enum class sort_call {
  sort,
  stable_sort,
  sort_by_key,
  stable_sort_by_key,
  heads,
  flags,
  begins_and_ends,
  local,
  local_by_key
};

inline constexpr sort_call all_sort_calls[] = {
    sort_call::sort,        sort_call::stable_sort, sort_call::sort_by_key,     sort_call::stable_sort_by_key,
    sort_call::heads,       sort_call::flags,       sort_call::begins_and_ends, sort_call::local,
    sort_call::local_by_key};
inline constexpr sort_call some_sort_calls[] = {sort_call::sort, sort_call::stable_sort_by_key, sort_call::flags,
                                                sort_call::local_by_key};

constexpr bool is_local(sort_call c) { return c == sort_call::local || c == sort_call::local_by_key; }
constexpr bool has_values(sort_call c) {
  return c == sort_call::sort_by_key || c == sort_call::stable_sort_by_key || c == sort_call::local_by_key;
}

/// An array whose size and number of segments are fixed, with other keys and other segments for each seed.
class sort_calls : public loads_inputs<sort_calls> {
 public:
  using key = std::uint32_t;

  explicit sort_calls(int count)
      : count_(count),
        keys_(count),
        values_(count),
        offsets_(begins(0)),
        heads_(heads(0)),
        flags_(flags_of(cut(0), true, 0)) {}

  /// Calls f(to, from, bytes) for all that a call reads.
  template <class F>
  void for_each_input(int seed, const F& f) const {
    const auto copy = [&](auto* to, const auto& from) { f(to, from.data(), from.size() * sizeof(from[0])); };
    copy(keys_.begin(), keys(seed));
    copy(values_.begin(), numbers_below(static_cast<std::size_t>(count_)));
    copy(offsets_.begin(), begins(seed));
    copy(heads_.begin(), heads(seed));
    copy(flags_.begin(), flags_of(cut(seed), true, 0));
  }

  template <class Policy>
  void run(sort_call c, const Policy& policy) const {
    key *const first = keys_.begin(), *const last = keys_.end();
    int* const v = values_.begin();
    const offset* const offsets = offsets_.begin();
    const mgpu::segment_offsets segments(offsets, segment_count());
    switch (c) {
      case sort_call::sort:
        return mgpu::segmented_sort(policy, first, last, segments);
      case sort_call::stable_sort:
        return mgpu::stable_segmented_sort(policy, first, last, segments);
      case sort_call::sort_by_key:
        return mgpu::segmented_sort_by_key(policy, first, last, v, segments);
      case sort_call::stable_sort_by_key:
        return mgpu::stable_segmented_sort_by_key(policy, first, last, v, segments);
      case sort_call::heads:
        return mgpu::segmented_sort(policy, first, last, mgpu::segment_heads(heads_.begin(), heads_.end()));
      case sort_call::flags:
        return mgpu::segmented_sort(policy, first, last, mgpu::segment_flags(flags_.begin()));
      case sort_call::begins_and_ends:
        return mgpu::segmented_sort(policy, first, last, mgpu::segment_offsets(offsets, offsets + 1, segment_count()));
      case sort_call::local:
        return mgpu::locality_sort(policy, first, last);
      case sort_call::local_by_key:
        return mgpu::locality_sort_by_key(policy, first, last, v);
    }
  }
  /// Requires that the call has finished. Of calls that are not stable, the values are looked at where the keys differ.
  bool has_result(sort_call c, int seed) const {
    const sorting<key> s(keys(seed), is_local(c) ? one_segment(count_) : cut(seed), cuda::std::less<>{});
    if (keys_.first_difference(s.in_order(s.keys)) != -1) return false;
    if (!has_values(c)) return values_.first_difference(numbers_below(static_cast<std::size_t>(count_))) == -1;
    if (c != sort_call::sort_by_key) return values_.first_difference(s.order) == -1;
    auto found = values_.read();
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (found[i] < 0 || found[i] >= count_ || s.keys[static_cast<std::size_t>(found[i])] != s.keys[s.order[i]])
        return false;
    }
    std::sort(found.begin(), found.end());
    return found == numbers_below(found.size());
  }
  /// Whether no call has sorted the keys of `seed`.
  bool has_not_run(int seed) const { return keys_.first_difference(keys(seed)) == -1; }

 private:
  /// Keys with ties, near their places where the seed is odd.
  std::vector<key> keys(int seed) const {
    std::mt19937 random(static_cast<unsigned>(seed));
    const auto ranks = seed % 2 == 0 ? disordered_ranks(disorder::random, count_, 100'000, random)
                                     : ranks_near_place(count_, 50 * seed, random);
    return {ranks.begin(), ranks.end()};
  }
  /// Segments, as many for every seed, of random lengths.
  segmentation cut(int seed) const {
    std::mt19937 random(static_cast<unsigned>(seed) + 1000);
    std::vector<int> borders{0, count_};
    for (offset i = 1; i < segment_count(); ++i)
      borders.push_back(static_cast<int>(random() % static_cast<unsigned>(count_)));
    std::sort(borders.begin(), borders.end());
    segmentation result{count_, {}, {}};
    for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
      result.begins.push_back(borders[i]);
      result.ends.push_back(borders[i + 1]);
    }
    return result;
  }
  offset segment_count() const { return std::min(count_, 10 + count_ / 5'000); }
  std::vector<offset> begins(int seed) const { return offsets_of(cut(seed)); }
  std::vector<offset> heads(int seed) const { return cut(seed).begins; }

  int count_;
  output<cuda_executor, key> keys_;
  output<cuda_executor, int> values_;
  input<cuda_executor, offset> offsets_, heads_;
  input<cuda_executor, std::uint32_t> flags_;
};

}  // namespace test
