// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Up to how many elements each way to sort is the fastest one: plan/sort/choose.h. A sort of few elements takes the
// time of its launches, one of many that of its passes, which a multiprocessor's share decides. So counts are those of
// one multiprocessor. All were measured on one H200, which has 132. Figures are us.

#include <mgpu/base/math.h>
#include <mgpu/tuning/sort.h>
#include <mgpu/tuning/trial.h>

MGPU_NAMESPACE_BEGIN
namespace detail::tuning {

/// A device with more multiprocessors counts as one with so many.
inline constexpr int most_multiprocessors = 256;

/// Whole arrays in small tiles. u32 by less 2^17 43, large tiles 88; by a comparator 2^16 30, by samples 28 to 37, 2^17
/// 46 and 43; 16 bytes 2^17 71 and 76. u8 2^14 18, cub::DeviceRadixSort 23, 2^16 29 and 22 (2026-11-25).
///   has_digits   numbers in their natural order
///   has_samples  larger arrays are sorted by samples
constexpr offset small_array_items(const sort_case& c, bool has_digits, bool has_samples) {
  if (has_digits && c.key_bytes == 1) return 125;
  if (has_digits && c.key_bytes == 2) return 500;
  const int bytes = c.key_bytes + c.value_bytes;
  return has_samples && (bytes <= 8 || bytes > 16) ? 500 : 1'000;
}

/// Whole arrays of narrow numbers that one block of CUB sorts: u8 / i16, 2^10 8.6 and 8.4 / 8.6 and 10.0, 2^12 in small
/// tiles 11.4, by CUB 8.4 / 11.7 and 10.4, 5,000 is the most of one block (2026-11-29).
constexpr bool suits_one_block(const sort_case& c, offset count) {
  return c.key_bytes <= 2 && c.value_bytes == 0 && 1'200 < count && count <= 5'000;
}

/// Segments in small tiles: most lie in one tile or two. Small tiles and large ones, segments of 0 to 2,000 elements:
/// pairs of u32 2^19 34 and 45, 2^20 60 and 58; u64 and u32 2^18 34 and 45, 2^19 57 and 55; 32 bytes 2^18 66 and 104,
/// 2^19 117 and 152 (2026-11-26).
constexpr offset small_segmented_items(const sort_case& c) {
  return c.key_bytes <= 4 && c.key_bytes + c.value_bytes <= 8 ? 4'000 : 2'000;
}

/// Whole arrays by samples; 0 if none. By samples, by merges and by cub::DeviceMergeSort, in no order: u32 2^20 67, 154
/// and 92, 2^22 189, 274 and 214; u64 2^21 147, 227 and 227, by digits 191; 16 bytes 2^20 206, 313 and 261; 32 bytes
/// 2^19 331, 431 and 321; 64 bytes 2^18 400, 676 and 438. Merges are faster in an array that is nearly in order: u32
/// 2^22 102 instead of 140 (2026-11-25).
constexpr offset sampled_items(const sort_case& c, bool has_digits) {
  const int bytes = c.key_bytes + c.value_bytes;
  if (has_digits && c.key_bytes < 8) return 0;
  if (has_digits) return c.value_bytes == 0 ? 16'000 : 4'000;
  return bytes <= 4 ? 32'000 : bytes <= 16 ? 16'000 : 128'000 / bytes;
}

/// Whole arrays of numbers with values by our digits; more by CUB's, which take fewer passes over the values. Ours and
/// CUB's: u32 + u32 2^22 187 and 207, 2^24 588 and 554; u64 + u32 438 and 464, 1,466 and 1,407; u16 + u32 2^21 65 and
/// 70, 2^22 119 and 111 (2026-11-26). Keys alone are faster by ours at any size.
constexpr offset digit_sorted_items(const sort_case& c) { return c.key_bytes == 2 ? 16'000 : 32'000; }

/// The least array whose segments are sorted by digits, or counted as bytes.
inline constexpr offset least_digit_sorted_items = 1'950, least_counted_items = 980;

/// The least mean length of segments of bytes that are counted: 2^26 bytes in segments of 1,030 375, by merges over
/// 1,000 (2026-11-23).
inline constexpr offset least_counted_mean = 1'024;

/// The least mean length of segments that are sorted by digits, all in one launch. The more elements there are, the
/// less does the time of launches matter, and the more that digits take a pass for each byte. By digits and by merges,
/// mean 1 / 3, 1 / 7, 1 / 15, 1 / 31 of the array (H100, 2026-11-26):
///   u32          2^18 58, 92 / 56, 78 / 56, 61 / 57, 43     2^20 68, 129 / 68, 113 / 67, 98 / 72, 92
///                2^22 125, 239 / 120, 219 / 121, 193 / 125, 180     2^26 1,640 by either with mean 1,000,000
///   u32 + u32    2^18 68, 101 / 72, 84 / 71, 69 / 75, 48     2^20 80, 142 / 79, 128 / 73, 114 / 93, 103
///   u64          2^18 91, 111 / 87, 89 / 89, 73 / 90, 49     2^20 130, 146 / 124, 130 / 125, 110 / 130, 97
///                2^22 349, 350 / 348, 348 / 339, 279
///   u64 + u64    2^18 99, 124 / 98, 105 / 97, 80     2^20 160, 199 / 154, 178 / 156, 162 / 163, 144
/// `items` is the share of a multiprocessor.
constexpr offset least_digit_sorted_mean(const sort_case& c, offset items) {
  if (c.key_bytes == 2) return 1 << 14;
  if (c.key_bytes == 4) return items <= 4'000 ? 15'000 : items <= 64'000 || c.value_bytes > 0 ? 31'000 : 3 << 19;
  if (items <= (c.value_bytes == 0 ? 4'000 : 8'000)) return 29'000;
  return c.value_bytes > 0 || items <= 32'000 ? 1 << 18 : 1 << 22;
}

/// What tests put in the place of these counts.
constexpr offset small_count(offset chosen) { return count_trial<small_sort_shape>::of(chosen); }
constexpr offset sampled_count(offset chosen) { return count_trial<sampled_sort_shape>::of(chosen); }

}  // namespace detail::tuning
MGPU_NAMESPACE_END
