// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/base/slot.h>
#include <mgpu/tile/ways.h>

MGPU_NAMESPACE_BEGIN
namespace detail::block {

/// Finds where at most `most_ways` sorted runs are split, so that `diagonal` elements of their stable merge go before
/// the splits. Four threads of a warp for each run search together, in rounds. In each round they take four samples of
/// each run, evenly spread over what is undecided of it. For each sample they find how many elements of the other runs
/// go before it: at least those up to the last smaller sample, at most those before the first greater one. Then the
/// least sample of all goes before the diagonal, or the greatest one goes behind it. The first round takes its samples
/// where random runs would be split. The rounds are as many for runs in any order; way_search is faster for runs that
/// are alike, and slower for others.
///   Pairs of u32, 2^26, mean 1,000,000, H200, 2026-11-21, us of the searches of passes 1 to 4: this 42 / 46 / 50 / 49.
///   Without the first round 54 / 61 / 66 / 66; then with 32 threads and 8 samples 60 / 67 / 74 / 75, with 8 threads
///   and 2 samples slower still. Keys loaded from both buffers at once, not after asking for theirs: no faster.
template <int most_ways, class Key>
class sampled_way_search {
  using splits = tile::way_splits<most_ways>;
  static constexpr int samples_of_run = 4;
  /// Positions among fewer elements take 32 bits, even seven times them.
  static constexpr offset narrow_size = offset{1} << 27;

 public:
  static constexpr int threads = most_ways * samples_of_run;
  static_assert(threads <= 32, "a search is a part of one warp");

  /// All threads of a group come together. `samples`: [threads], of the group.
  MGPU_DEVICE explicit sampled_way_search(base::slot<Key>* samples)
      : samples_(samples),
        shift_(static_cast<int>(threadIdx.x) % 32 / threads * threads),
        lanes_((~0u >> (32 - threads)) << shift_),
        run_(static_cast<int>(threadIdx.x) % threads / samples_of_run),
        sample_(static_cast<int>(threadIdx.x) % samples_of_run) {}

  template <class Group, class Compare>
  MGPU_DEVICE splits find(const Group& group, offset diagonal, const Compare& compare) const {
    const offset begin = group.place(run_), count = group.length(run_), first = group.place(0);
    const auto keys = group.keys_at(run_, 0);
    bool in_order = true;
    if (sample_ == 0 && run_ > 0 && count > 0) in_order = !compare(keys[begin], keys[begin - 1]);
    if (__all_sync(lanes_, in_order)) return all(base::clamp(diagonal - (begin - first), offset{0}, count));

    const offset size = group.size();
    const offset low = base::max<offset>(0, diagonal - (size - count)), high = base::min(count, diagonal);
    // Random runs are split here, give or take at least four standard deviations.
    const float share = static_cast<float>(diagonal) / static_cast<float>(size);
    const offset mean = static_cast<offset>(share * static_cast<float>(count));
    const offset deviation = static_cast<offset>(sqrtf(static_cast<float>(size)));
    const open_part<offset> open{low, high, base::clamp(mean - deviation, low, high),
                                 base::clamp(mean + deviation, low, high)};
    const offset split = size < narrow_size ? search<unsigned>(group.keys(run_), open, diagonal, compare)
                                            : search<unsigned long long>(group.keys(run_), open, diagonal, compare);
    return of_sum(all(split), all(count), diagonal);
  }

 private:
  /// The elements of a run of which it is undecided on which side of the split they are.
  template <class Index>
  struct open_part {
    Index low, high;
    Index first, last;  // samples are taken of these

    MGPU_DEVICE int samples() const { return static_cast<int>(base::min<Index>(last - first, samples_of_run)); }
    MGPU_DEVICE Index at(int sample) const {
      const Index width = last - first, i = static_cast<Index>(sample);
      return first + (width <= samples_of_run ? i : (2 * i + 1) * width / (2 * samples_of_run));
    }
  };

  /// The split of this thread's run.
  template <class Index, class Keys, class Compare>
  MGPU_DEVICE offset search(const Keys& keys, const open_part<offset>& at_first, offset diagonal,
                            const Compare& compare) const {
    const Index elements_before = static_cast<Index>(diagonal);
    base::slot<Key>& mine = samples_[run_ * samples_of_run + sample_];
    open_part<Index> open{static_cast<Index>(at_first.low), static_cast<Index>(at_first.high),
                          static_cast<Index>(at_first.first), static_cast<Index>(at_first.last)};
    // A strict weak ordering takes fewer rounds.
    for (int round = 0; round < 1024 && __any_sync(lanes_, open.low < open.high); ++round) {
      const bool has_sample = sample_ < open.samples();
      const Index at = open.at(sample_);
      if (has_sample) mine.put(keys[static_cast<offset>(at)]);
      __syncwarp(lanes_);
      Index least = at, most = at;  // so many elements go before the sample
      MGPU_UNROLL
      for (int k = 1; k < most_ways; ++k) {
        const int other_run = run_ ^ k;
        const open_part<Index> other{__shfl_xor_sync(lanes_, open.low, k * samples_of_run),
                                     __shfl_xor_sync(lanes_, open.high, k * samples_of_run),
                                     __shfl_xor_sync(lanes_, open.first, k * samples_of_run),
                                     __shfl_xor_sync(lanes_, open.last, k * samples_of_run)};
        const base::slot<Key>* const others = samples_ + other_run * samples_of_run;
        int before = 0;
        MGPU_UNROLL
        for (int step = samples_of_run; step > 0; step /= 2) {
          if (!has_sample || before + step > other.samples()) continue;
          const Key& last = others[before + step - 1].value;
          if (other_run < run_ ? !compare(mine.value, last) : compare(last, mine.value)) before += step;
        }
        least += before == 0 ? other.low : other.at(before - 1) + 1;
        most += before == other.samples() ? other.high : other.at(before);
      }
      const unsigned left = of_run(__ballot_sync(lanes_, has_sample && most < elements_before));
      const unsigned right = of_run(__ballot_sync(lanes_, has_sample && least >= elements_before));
      const Index low = left != 0 ? open.at(31 - __clz(static_cast<int>(left))) + 1 : open.low;
      const Index high = base::max(low, right != 0 ? open.at(__ffs(static_cast<int>(right)) - 1) : open.high);
      open = {low, high, low, high};
      __syncwarp(lanes_);  // the samples have been read
    }
    return static_cast<offset>(open.low);
  }

  MGPU_DEVICE unsigned of_run(unsigned lanes) const {
    return lanes >> (shift_ + run_ * samples_of_run) & ((1u << samples_of_run) - 1);
  }

  MGPU_DEVICE splits all(offset of_mine) const {
    splits x;
    MGPU_UNROLL
    for (int r = 0; r < most_ways; ++r) x.of[r] = __shfl_sync(lanes_, of_mine, r * samples_of_run, threads);
    return x;
  }

  /// The splits, moved so that their sum is `sum`. It is already, if compare is a strict weak ordering.
  static MGPU_DEVICE splits of_sum(splits x, const splits& counts, offset sum) {
    offset missing = sum;
    MGPU_UNROLL
    for (int r = 0; r < most_ways; ++r) missing -= x.of[r];
    MGPU_UNROLL
    for (int r = 0; r < most_ways; ++r) {
      const offset more = base::clamp(missing, -x.of[r], counts.of[r] - x.of[r]);
      x.of[r] += more;
      missing -= more;
    }
    return x;
  }

  base::slot<Key>* samples_;
  int shift_;       // of the group in its warp
  unsigned lanes_;  // of the warp
  int run_, sample_;
};

}  // namespace detail::block
MGPU_NAMESPACE_END
