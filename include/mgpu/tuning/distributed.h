// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>

MGPU_NAMESPACE_BEGIN
namespace detail::tuning {

/// A sort over ranks exchanges its elements in so many steps, and merges beside, if all ranks together have so many
/// bytes of keys, and the communicator can copy them without kernels. ms of n u32 on each of 2 H200, 2026-11-23:
///   n                            2^24   2^25   2^26   2^27   2^28
///   copies, in four steps        0.89   1.29   2.13   3.78   7.18   (three 7.22, five 7.19)
///   NCCL's kernels, in one step  0.78   1.27   2.21   3.99   7.68   (two 7.87, three 7.83, four 7.84)
inline constexpr int overlapped_steps = 4;
inline constexpr offset least_overlapped_bytes = offset{1} << 29;

/// Up to so many ranks each search all borders, not only their own: a round is then one exchange, not two. Two H200,
/// 2^28 u32 on each: set_intersection 1.26 ms instead of 1.41, set_union 1.60 instead of 1.73 (2026-11-25). More ranks
/// send more samples.
inline constexpr int most_ranks_that_search_all = 8;

/// The samples for which a rank that searches splits has memory. On GPUs few ranks take more, and so less rounds: with
/// four times as many a rank sends up to 100 KiB to each other one, and four ranks with two lists of 2^28 u32 take 3
/// rounds instead of 4, set_intersection 1.43 ms instead of 1.47 (H100, 2026-11-26).
inline constexpr int split_samples = 1 << 15, split_samples_of_gpus = 1 << 17;

/// Up to so many numbers a rank copies, and sorts them by digits where they are. More are sorted by CUB, from array to
/// array. u32, a copy and a sort by digits, 2^20 / 2^22 / 2^24: 64 / 138 / 420 us, CUB 79 / 167 / 420 (H200,
/// 2026-11-25).
inline constexpr offset most_sorted_in_place = offset{1} << 22;

/// A rank looks for what it need not copy if it has kept so many elements. On the GPU to look takes some 20 us, to copy
/// 2^23 elements of 4 bytes 15 us.
inline constexpr offset least_elements_left_in_place = offset{1} << 23;
inline constexpr offset least_host_elements_left_in_place = 1;

/// Elements of a merge, a set operation or a rebalancing are copied, where ranks can, if one receives so many bytes: to
/// find out whether they can takes two gatherings, some 40 us. Exchanges by copies and by NCCL's kernels, in ms, merges
/// of 2^28 u32 and as many: two H200, a<b 2.79 and 2.97, skewed 1.04 and 1.13; four H200, a<b 5.55 and 7.33, skewed
/// 3.96 and 5.41 (2026-11-26).
inline constexpr offset least_copied_bytes = offset{1} << 28;

}  // namespace detail::tuning
MGPU_NAMESPACE_END
