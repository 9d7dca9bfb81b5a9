// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The CPU's executor with a comparator and functions of the host alone, also where nvcc compiles it.
#include <mgpu/cpp.h>
#include <mgpu/mgpu.h>

#include <vector>

struct host_less {
  bool operator()(int x, int y) const { return x < y; }
};

using ints = std::vector<int>;

void merges(const ints& a, const ints& b, const ints& values, ints& keys_out, ints& values_out) {
  mgpu::merge(mgpu::cpp::par, a.begin(), a.end(), b.begin(), b.end(), keys_out.begin(), host_less{});
  mgpu::merge_by_key(mgpu::cpp::par, a.begin(), a.end(), b.begin(), b.end(), values.begin(), values.begin(),
                     keys_out.begin(), values_out.begin(), host_less{});
}

void sets(const ints& a, const ints& b, const ints& values, ints& keys_out, ints& values_out) {
  mgpu::set_union(mgpu::cpp::par, a.begin(), a.end(), b.begin(), b.end(), keys_out.begin(), host_less{});
  mgpu::set_intersection_size(mgpu::cpp::par, a.begin(), a.end(), b.begin(), b.end(), host_less{});
  mgpu::set_difference_by_key(mgpu::cpp::par, a.begin(), a.end(), b.begin(), b.end(), values.begin(), values.begin(),
                              keys_out.begin(), values_out.begin(), host_less{});
}

/// Sizes and rows that are narrower than an mgpu::offset.
void narrow_sizes(const ints& a, const ints& b, ints& keys_out, ints& rows, std::vector<short>& sizes) {
  mgpu::set_union_into(mgpu::cpp::par, a.begin(), a.end(), b.begin(), b.end(), keys_out.begin(), sizes.begin());
  mgpu::inner_join_into(mgpu::cpp::par, a.begin(), a.end(), b.begin(), b.end(), rows.begin(), rows.begin(), 1,
                        sizes.begin());
  mgpu::left_join_into(mgpu::cpp::par, a.begin(), a.end(), b.begin(), b.end(), rows.begin(), rows.begin(), 1,
                       sizes.data());
}

void intervals(const ints& counts, const ints& values, ints& out) {
  const auto by_counts = mgpu::interval_counts(counts.begin(), counts.end());
  mgpu::interval_expand(mgpu::cpp::par, by_counts, values.begin(), out.begin());
  mgpu::for_each_interval_item(mgpu::cpp::par, by_counts, [&](auto item, auto interval, auto rank) {
    out[static_cast<std::size_t>(item)] = values[static_cast<std::size_t>(interval)] + static_cast<int>(rank);
  });
}

void sorts(ints& keys, ints& values, const ints& offsets) {
  const mgpu::segment_offsets segments(offsets.begin(), 3);
  mgpu::segmented_sort(mgpu::cpp::par, keys.begin(), keys.end(), segments, host_less{});
  mgpu::stable_segmented_sort_by_key(mgpu::cpp::par, keys.begin(), keys.end(), values.begin(), segments, host_less{});
  mgpu::locality_sort(mgpu::cpp::par, keys.data(), keys.data() + keys.size(), host_less{});
  mgpu::odd_even_merge_sort(mgpu::cpp::par, keys.begin(), keys.end(), host_less{});
  mgpu::odd_even_merge_sort_by_key(mgpu::cpp::par, keys.begin(), keys.end(), values.begin(), host_less{});
}
