// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// segmented_sort and stable_segmented_sort, by key and without, on the GPU beside CUB: random keys in segments given by
// 32-bit offsets. Rows are <types>/<lengths>/<size>/<peer>; the lengths of the segments are
//   mean_N   uniform in [0, 2 N]
//   zipf     floor(0.99 / u), at most 2^20, with u uniform in (0, 1]: 4.9 million segments, one in a hundred empty
// keys_u32_descending has a comparator that the library does not know, keys_16_bytes a struct with an operator<. Peers:
//   mgpu                  mgpu::par_nosync, scratch memory allocated before
//   mgpu_par              mgpu::par
//   mgpu_stable           the stable functions, as mgpu
//   cub_segmented         cub::DeviceSegmentedSort; pairs are sorted by StableSortPairs
//   cub_segmented_radix   cub::DeviceSegmentedRadixSort; not at mean_10, mean_100 and zipf, where it takes 0.07 to
//                         0.7 s
//   cub_fused             cub::DeviceRadixSort of (segment number << 32 | key), without making these and taking them
//                         apart
//   cub_fused_whole       the same with that
// CUB's peers write to other arrays than they read, with temporary storage allocated before.

#include <support/segmented_sort_peers.cuh>

#include <thrust/binary_search.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <string>

namespace bench {

/// An order that no library can take for a known one.
struct descending {
  __host__ __device__ bool operator()(u32 x, u32 y) const { return y < x; }
};

/// Offsets, and of each element the number of its segment.
struct segment_arrays : interval_arrays {
  thrust::device_vector<u32> segment_of_element;  // [total]

  template <class Counts>
  segment_arrays(std::size_t total, const Counts& counts) : interval_arrays(total, counts), segment_of_element(total) {
    const thrust::counting_iterator<u32> number(0);
    const auto end = number + static_cast<std::ptrdiff_t>(total);
    // The one before the first segment that begins behind the element: none that is empty.
    thrust::upper_bound(offsets.begin() + 1, offsets.end(), number, end, segment_of_element.begin());
  }
};

template <class Key, class Value, class Compare = cuda::std::less<>>
struct segmented_case : segment_arrays, sort_arrays<Key, Value, Compare> {
  template <class Counts>
  segmented_case(std::size_t count, const Counts& counts)
      : segment_arrays(count, counts),
        sort_arrays<Key, Value, Compare>(count, random_key<Key>{}, segment_lookup{segment_of_element.data().get()},
                                         Compare{}) {}

  auto call() {
    return segmented_sort_call<Key, Value, Compare>{this->make_call(), view(), segment_of_element.data().get()};
  }
};

constexpr std::size_t total = power_of_two(26);

template <class Case, class Counts>
void add_cub_of_u32(const std::string& name, std::size_t count, const Counts& counts) {
  add_sort_row<Case, cub_segmented_peer>(name, count, "cub_segmented", counts);
  add_sort_row<Case, cub_fused_peer>(name, count, "cub_fused", counts);
  add_sort_row<Case, cub_fused_whole_peer>(name, count, "cub_fused_whole", counts);
}

enum class segmented_radix { in_time, too_slow };

using keys = segmented_case<u32, no_value>;
using pairs = segmented_case<u32, u32>;

template <class Counts>
void add_u32(const Counts& counts, segmented_radix radix) {
  const std::string keys_name = name_of_types<u32, no_value>() + "/" + counts.name();
  add_sort_row<keys, mgpu_peer>(keys_name, total, "mgpu", counts);
  add_sort_row<keys, mgpu_par_peer>(keys_name, total, "mgpu_par", counts);
  if (radix == segmented_radix::in_time) {
    add_sort_row<keys, cub_segmented_radix_peer>(keys_name, total, "cub_segmented_radix", counts);
  }
  add_cub_of_u32<keys>(keys_name, total, counts);

  const std::string pairs_name = name_of_types<u32, u32>() + "/" + counts.name();
  add_sort_row<pairs, mgpu_peer>(pairs_name, total, "mgpu", counts);
  add_sort_row<pairs, mgpu_stable_peer>(pairs_name, total, "mgpu_stable", counts);
  add_cub_of_u32<pairs>(pairs_name, total, counts);
}

/// The two cases that are drawn against their size.
void add_size(std::size_t count) {
  const uniform_counts short_ones{300}, long_ones{1000};
  const std::string keys_name = name_of_types<u32, no_value>() + "/" + short_ones.name();
  add_sort_row<keys, mgpu_peer>(keys_name, count, "mgpu", short_ones);
  add_cub_of_u32<keys>(keys_name, count, short_ones);
  const std::string pairs_name = name_of_types<u32, u32>() + "/" + long_ones.name();
  add_sort_row<pairs, mgpu_stable_peer>(pairs_name, count, "mgpu_stable", long_ones);
  add_cub_of_u32<pairs>(pairs_name, count, long_ones);
}

template <class Case>
void add_own(const std::string& types, std::size_t count, u32 mean) {
  const uniform_counts counts{mean};
  const std::string name = types + "/" + counts.name();
  add_sort_row<Case, mgpu_peer>(name, count, "mgpu", counts);
  add_sort_row<Case, mgpu_stable_peer>(name, count, "mgpu_stable", counts);
}

template <class Value>
void add_u64() {
  using wide = segmented_case<u64, Value>;
  const std::string types = name_of_types<u64, Value>();
  const uniform_counts counts{1000};
  const std::size_t count = power_of_two(25);
  add_own<wide>(types, count, counts.mean);
  add_sort_row<wide, cub_segmented_peer>(types + "/" + counts.name(), count, "cub_segmented", counts);
}

}  // namespace bench

int main(int argc, char** argv) {
  using namespace bench;
  for (const u32 mean : {10, 100}) add_u32(uniform_counts{mean}, segmented_radix::too_slow);
  for (const u32 mean : {300, 1000, 10'000, 100'000, 1'000'000}) {
    add_u32(uniform_counts{mean}, segmented_radix::in_time);
  }
  add_u32(zipf_counts{0.99}, segmented_radix::too_slow);
  for (const u32 mean : {100, 10'000}) {
    add_own<segmented_case<u32, no_value, descending>>("keys_u32_descending", total, mean);
    add_own<segmented_case<u64x2, no_value>>(name_of_types<u64x2, no_value>(), power_of_two(24), mean);
  }
  add_u64<no_value>();
  add_u64<u64>();
  for (const int log2_count : log2_of_sizes) {
    if (log2_count != 26) add_size(power_of_two(log2_count));
  }
  return run_rows(argc, argv);
}
