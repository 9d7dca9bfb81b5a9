// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The segmented sorts of the grid.

#include <support/sort_grid/rows.cuh>

#include <mgpu/segmented_sort.h>
#include <mgpu/segments.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace bench {

enum class length_kind { uniform, equal, half, few_long };

struct segment_lengths {
  const char* name;
  length_kind kind;
  u32 most;  // of the lengths but the long ones

  u64 length(u64 segment) const {
    const u64 some = random_bits{u64{3} << 40}(segment);
    if (kind == length_kind::equal) return most;
    if (kind == length_kind::few_long && segment % 1000 == 500) return 500 * u64{most};
    return some % (most + 1);
  }

  /// As many segments as fill the array. The last is cut off there.
  std::vector<u32> offsets(std::size_t count) const {
    std::vector<u32> result{0};
    bool is_before_the_half = kind == length_kind::half;
    u64 end = 0;
    for (u64 segment = 0; end < count; ++segment) {
      const bool is_the_half = is_before_the_half && end >= count / 4;
      if (is_the_half) is_before_the_half = false;
      end = std::min<u64>(count, end + (is_the_half ? count / 2 : length(segment)));
      result.push_back(static_cast<u32>(end));
    }
    return result;
  }
};

inline constexpr segment_lengths all_lengths[] = {
    {"0_20", length_kind::uniform, 20},        {"0_200", length_kind::uniform, 200},
    {"0_600", length_kind::uniform, 600},      {"0_2000", length_kind::uniform, 2000},
    {"0_4000", length_kind::uniform, 4000},    {"5000", length_kind::equal, 5000},
    {"0_20000", length_kind::uniform, 20'000}, {"half", length_kind::half, 100},
    {"few_long", length_kind::few_long, 1000}};

/// All distributions have these sizes, random keys have all.
inline bool has_all_distributions(std::size_t count) {
  for (const int log2 : {15, 18, 24}) {
    if (count == std::size_t{1} << log2) return true;
  }
  return false;
}

struct mgpu_segmented_sort {
  kept_memory scratch;

  template <class Call>
  void operator()(const Call& c) {
    const auto policy = mgpu::par_nosync(scratch);
    const auto end = c.keys + static_cast<std::ptrdiff_t>(c.count);
    const mgpu::segment_offsets segments(c.cuts, c.pieces);
    if constexpr (Call::has_values) mgpu::segmented_sort_by_key(policy, c.keys, end, c.values, segments, c.compare);
    else mgpu::segmented_sort(policy, c.keys, end, segments, c.compare);
  }
};

struct mgpu_stable_segmented_sort {
  kept_memory scratch;

  template <class Call>
  void operator()(const Call& c) {
    const auto policy = mgpu::par_nosync(scratch);
    const auto end = c.keys + static_cast<std::ptrdiff_t>(c.count);
    const mgpu::segment_offsets segments(c.cuts, c.pieces);
    if constexpr (Call::has_values) {
      mgpu::stable_segmented_sort_by_key(policy, c.keys, end, c.values, segments, c.compare);
    } else {
      mgpu::stable_segmented_sort(policy, c.keys, end, segments, c.compare);
    }
  }
};

template <class Key, class Compare, class Call>
void add_segmented_peers(grid_row& row, const Call& call) {
  if constexpr (has_digits<Key> && std::is_same_v<Compare, cuda::std::less<>>) {
    row.add<cub_segmented>("cub_segmented", call);
    // Elsewhere it takes up to a second.
    if (call.count / call.pieces >= 1000) row.add<cub_segmented_radix>("cub_segmented_radix", call);
  }
}

/// The rows of one kind of segments and one size. The segments are made for the first of them.
template <class Sorter, class Key, class Value, class Compare>
void add_rows_of_segments(grid& rows, const std::string& function, ties order, const segment_lengths& lengths,
                          const grid_size& size) {
  std::vector<u32> offsets;
  for (const distribution& keys : all_distributions) {
    if (keys.kind != key_kind::random && !has_all_distributions(size.count)) continue;
    const std::string name = name_of_row<Key, Value, Compare>(function + "_" + lengths.name, keys, size);
    if (!rows.takes(name, size.count)) continue;
    if (offsets.empty()) offsets = lengths.offsets(size.count);
    auto call = make_call<Key, Value, Compare>(size.count, bits_of_keys{keys, size.count});
    const std::size_t offset_bytes = offsets.size() * sizeof(u32);
    void* const cuts = kept_on_device(kept::cuts, offset_bytes);
    check(cudaMemcpy(cuts, offsets.data(), offset_bytes, cudaMemcpyHostToDevice));
    call.cuts = static_cast<const u32*>(cuts);
    call.pieces = static_cast<u32>(offsets.size() - 1);
    grid_row row = make_row(name, call, order, cuts_are::segments);
    row.add<Sorter>("mgpu", call);
    if (rows.takes_peers()) add_segmented_peers<Key, Compare>(row, call);
    rows.measure(row);
  }
}

template <class Sorter, class Key, class Value, class Compare>
void add_rows_of_all_segments(grid& rows, const std::string& function, ties order) {
  for (const grid_size& size : grid_sizes()) {
    if (size.count > std::size_t{1} << 26 || !is_of_the_grid<Key, Value, Compare>(size.count)) continue;
    for (const segment_lengths& lengths : all_lengths) {
      if (size.count <= lengths.most) continue;
      add_rows_of_segments<Sorter, Key, Value, Compare>(rows, function, order, lengths, size);
    }
  }
}

template <class Key, class Value = no_values, class Compare = cuda::std::less<>>
void add_segmented_sorts(grid& rows) {
  add_rows_of_all_segments<mgpu_segmented_sort, Key, Value, Compare>(rows, "segmented_sort", ties::any_order);
}

template <class Key, class Value, class Compare = cuda::std::less<>>
void add_stable_segmented_sorts(grid& rows) {
  add_rows_of_all_segments<mgpu_stable_segmented_sort, Key, Value, Compare>(rows, "stable_segmented_sort",
                                                                            ties::keep_order);
}

}  // namespace bench
