// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The calls that docs/migration.md shows, on a handful of elements; checks its own results.

#include <mgpu/mgpu.h>
#include <mgpu/par.h>

#include <thrust/device_vector.h>
#include <cuda/std/functional>

#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace {

template <class T>
using vector = thrust::device_vector<T>;

bool merges() {
  const vector<int> a_keys{1, 3}, a_values{10, 11}, b_keys{1, 2}, b_values{20, 21};
  vector<int> keys_out(4), values_out(4);
  // [snippet: merge]
  mgpu::merge_by_key(mgpu::par, a_keys.begin(), a_keys.end(), b_keys.begin(), b_keys.end(), a_values.begin(),
                     b_values.begin(), keys_out.begin(), values_out.begin());
  // [end]
  return keys_out == vector<int>{1, 1, 2, 3} && values_out == vector<int>{10, 20, 21, 11};
}

bool merges_runs() {
  const vector<int> keys{4, 7, 9, 1, 4, 4, 2};
  const vector<std::int64_t> offsets{0, 3, 6, 7};
  vector<int> merged(7), merged_arrays(7), values_out(7);
  // [snippet: runs]
  mgpu::merge_runs(mgpu::par, keys.begin(), keys.end(), mgpu::run_offsets(offsets.begin(), 3), merged.begin());
  // [end]
  const vector<int> a{4, 7, 9}, b{1, 4, 4}, a_values{0, 1, 2}, b_values{3, 4, 5};
  const auto address = [](const vector<int>& x) { return thrust::raw_pointer_cast(x.data()); };
  // [snippet: separate runs]
  const vector<const int*> begins{address(a), address(b)}, value_begins{address(a_values), address(b_values)};
  const vector<int> lengths{3, 3};
  const mgpu::run_ranges runs(begins.begin(), lengths.begin(), 2, 6);  // two runs of 6 elements in all
  mgpu::merge_runs_by_key(mgpu::par, runs, value_begins.begin(), merged_arrays.begin(), values_out.begin());
  // [end]
  merged_arrays.resize(6);
  values_out.resize(6);
  return merged == vector<int>{1, 2, 4, 4, 4, 7, 9} && merged_arrays == vector<int>{1, 4, 4, 4, 7, 9} &&
         values_out == vector<int>{3, 0, 4, 5, 1, 2};
}

bool operates_on_sets() {
  const vector<int> a{1, 3, 5}, b{3, 4, 5};
  // [snippet: set operation]
  vector<int> common(a.size() < b.size() ? a.size() : b.size());  // room for the most there can be
  const auto end = mgpu::set_intersection(mgpu::par, a.begin(), a.end(), b.begin(), b.end(), common.begin(),
                                          mgpu::unique_keys);  // Duplicates = false
  common.erase(end, common.end());
  // [end]
  return common == vector<int>{3, 5};
}

bool sorts_segments() {
  vector<int> keys{4, 2, 9, 1, 3, 0}, values{0, 1, 2, 3, 4, 5};
  const vector<int> offsets{0, 2, 2, 6};
  const std::ptrdiff_t segment_count = 3;
  // [snippet: segments of CUB]
  mgpu::stable_segmented_sort_by_key(mgpu::par, keys.begin(), keys.end(), values.begin(),
                                     mgpu::segment_offsets(offsets.begin(), segment_count));
  // or, where there are gaps between the segments
  mgpu::stable_segmented_sort_by_key(mgpu::par, keys.begin(), keys.end(), values.begin(),
                                     mgpu::segment_offsets(offsets.begin(), offsets.begin() + 1, segment_count));
  // [end]
  return keys == vector<int>{2, 4, 0, 1, 3, 9} && values == vector<int>{1, 0, 5, 3, 4, 2};
}

bool sorts_moderngpu_segments() {
  vector<int> keys{4, 2, 9, 1, 3, 0}, same_keys = keys;
  const vector<int> heads{2, 3};
  const vector<std::uint32_t> flags{0b1100};
  // [snippet: segments of moderngpu]
  mgpu::sort_statistics statistics;  // instead of verbose = true
  mgpu::segmented_sort(mgpu::par, keys.begin(), keys.end(), mgpu::segment_heads(heads.begin(), heads.end()),
                       cuda::std::less<>{}, statistics);
  mgpu::segmented_sort(mgpu::par, same_keys.begin(), same_keys.end(), mgpu::segment_flags(flags.begin()));
  // [end]
  return keys == vector<int>{2, 4, 9, 0, 1, 3} && keys == same_keys && statistics.tiles == 1;
}

bool sorts() {
  vector<int> keys{3, 1, 2}, values{0, 1, 2}, other{3, 1, 2}, third{3, 1, 2};
  // [snippet: sorts]
  mgpu::locality_sort_by_key(mgpu::par, keys.begin(), keys.end(), values.begin(), cuda::std::greater<>{});
  mgpu::odd_even_merge_sort(mgpu::par, other.begin(), other.end());
  mgpu::stable_sort(mgpu::par, third.begin(), third.end());
  // [end]
  return keys == vector<int>{3, 2, 1} && values == vector<int>{0, 2, 1} && other == vector<int>{1, 2, 3} &&
         third == other;
}

bool joins() {
  const vector<int> left{1, 5, 10}, right{1, 2, 3, 5, 5};
  vector<int> positions(3), quotes(3);
  // [snippet: joins]
  mgpu::lower_bound_sorted_values(mgpu::par, right.begin(), right.end(), left.begin(), left.end(), positions.begin());

  const auto size = mgpu::inner_join_size(mgpu::par, left.begin(), left.end(), right.begin(), right.end());
  vector<int> left_rows(static_cast<std::size_t>(size)), right_rows(static_cast<std::size_t>(size));
  mgpu::inner_join(mgpu::par, left.begin(), left.end(), right.begin(), right.end(), left_rows.begin(),
                   right_rows.begin());

  mgpu::as_of_join(mgpu::par, left.begin(), left.end(), right.begin(), right.end(), quotes.begin(), mgpu::backward);
  // [end]
  return positions == vector<int>{0, 3, 5} && left_rows == vector<int>{0, 1, 1} && right_rows == vector<int>{0, 3, 4} &&
         quotes == vector<int>{0, 4, 4};
}

bool moves_intervals() {
  const vector<int> offsets{0, 2, 2}, values{7, 8, 9}, sources{4, 0, 1}, destinations{1, 0, 3};
  const vector<int> in{10, 11, 12, 13, 14, 15};
  const std::ptrdiff_t total = 5;
  vector<int> expanded(5), gathered(5), moved(6);
  // [snippet: intervals]
  const mgpu::interval_offsets intervals(offsets.begin(), static_cast<std::ptrdiff_t>(offsets.size()), total);
  mgpu::interval_expand(mgpu::par, intervals, values.begin(), expanded.begin());
  mgpu::interval_gather(mgpu::par, intervals, sources.begin(), in.begin(), gathered.begin());
  mgpu::interval_move(mgpu::par, intervals, sources.begin(), destinations.begin(), in.begin(), moved.begin());
  // [end]
  return expanded == vector<int>{7, 7, 9, 9, 9} && gathered == vector<int>{14, 15, 11, 12, 13} &&
         moved == vector<int>{0, 14, 15, 11, 12, 13};
}

bool decodes_runs() {
  const vector<int> lengths{2, 0, 1}, values{7, 8, 9};
  vector<int> decoded(3);
  // [snippet: run-length decoding]
  mgpu::interval_expand(mgpu::par, mgpu::interval_counts(lengths.begin(), lengths.end()), values.begin(),
                        decoded.begin());
  // [end]
  return decoded == vector<int>{7, 7, 9};
}

// [snippet: transform_lbs]
struct store_rank {
  int* ranks;
  MGPU_HOST_DEVICE void operator()(std::int64_t item, std::int64_t, std::int64_t rank) const {
    ranks[item] = static_cast<int>(rank);
  }
};

template <class Offsets>
void rank_items(const Offsets& offsets, std::int64_t total, vector<int>& ranks) {
  const mgpu::interval_offsets intervals(offsets.begin(), static_cast<std::int64_t>(offsets.size()), total);
  mgpu::for_each_interval_item(mgpu::par, intervals, store_rank{thrust::raw_pointer_cast(ranks.data())});
}
// [end]

bool ranks_items() {
  const vector<int> offsets{0, 2, 2};
  vector<int> ranks(5), owners(5);
  rank_items(offsets, 5, ranks);
  mgpu::load_balance_search(mgpu::par, mgpu::interval_offsets(offsets.begin(), 3, 5), owners.begin());
  return ranks == vector<int>{0, 1, 0, 1, 2} && owners == vector<int>{0, 0, 2, 2, 2};
}

}  // namespace

int main() {
  const bool is_right = merges() && merges_runs() && operates_on_sets() && sorts_segments() &&
                        sorts_moderngpu_segments() && sorts() && joins() && moves_intervals() && decodes_runs() &&
                        ranks_items();
  std::printf("calls of the migration page: %s\n", is_right ? "right" : "WRONG");
  return is_right ? 0 : 1;
}
