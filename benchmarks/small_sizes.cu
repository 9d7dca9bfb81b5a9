// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls on 2^10 to 2^20 u32 elements with all that a caller waits for, by the wall clock: every call allocates and
// frees its temporary storage, that of cudaMallocAsync in a pool that keeps its memory. Rows are
// <function>/<size>/<peer>. Peers that are waited for call by call:
//   mgpu_par            mgpu::par
//   tree                mgpu::merge of neighbouring runs, three times
//   thrust_par          thrust::cuda::par
//   cub_...             a function of CUB with storage of cudaMallocAsync, then cudaStreamSynchronize
// and those of which a sample's calls are queued one behind the other and waited for once:
//   mgpu_par_nosync     mgpu::par_nosync; set operations leave their size on the device
//   thrust_par_nosync   thrust::cuda::par_nosync
//   cub_..._nosync      as above without the wait
// The size is the number of elements that a function reads or writes in its larger array; the inputs of merge and of
// the set operations have half of it each, intervals and segments 100 elements on average; eight runs are merged.

#include <support/set_peers.cuh>
#include <support/small_row.cuh>

#include <mgpu/locality_sort.h>
#include <mgpu/merge.h>
#include <mgpu/merge_runs.h>
#include <mgpu/odd_even_merge_sort.h>
#include <mgpu/par.h>
#include <mgpu/segmented_sort.h>
#include <mgpu/set_operations.h>
#include <mgpu/sort.h>

#include <thrust/merge.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <cub/device/device_merge.cuh>
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_segmented_sort.cuh>

#include <vector>

namespace bench {

std::vector<function> merges() {
  return {
      function("merge", &small_data::cleared)
          .thrust([](const auto& policy, const small_data& d, u32* out) {
            thrust::merge(policy, d.a(), d.a_end(), d.b(), d.b_end(), out);
          })
          .cub("cub",
               [](void* storage, std::size_t& bytes, const small_data& d, u32* out) {
                 const std::ptrdiff_t half = d.count / 2;
                 return cub::DeviceMerge::MergeKeys(storage, bytes, d.a(), half, d.b(), half, out);
               })
          .mgpu([](const auto& policy, const small_data& d, u32* out) {
            mgpu::merge(policy, d.a(), d.a_end(), d.b(), d.b_end(), out);
          }),
      function("merge_by_key", &small_data::cleared)
          .thrust([](const auto& policy, const small_data& d, u32* out) {
            thrust::merge_by_key(policy, d.a(), d.a_end(), d.b(), d.b_end(), d.values(), d.b_values(), out,
                                 out + d.count);
          })
          .cub("cub",
               [](void* storage, std::size_t& bytes, const small_data& d, u32* out) {
                 const std::ptrdiff_t half = d.count / 2;
                 return cub::DeviceMerge::MergePairs(storage, bytes, d.a(), d.values(), half, d.b(), d.b_values(), half,
                                                     out, out + d.count);
               })
          .mgpu([](const auto& policy, const small_data& d, u32* out) {
            mgpu::merge_by_key(policy, d.a(), d.a_end(), d.b(), d.b_end(), d.values(), d.b_values(), out,
                               out + d.count);
          }),
  };
}

/// Merges the eight runs by a tree of merges of two.
void merge_in_a_tree(small_data& d, u32* out) {
  const u32* from = d.in_runs.data().get();
  u32* const scratch = d.scratch.data().get();
  std::size_t length = d.count / 8;
  for (u32* to : {out, scratch, out}) {
    for (std::size_t begin = 0; begin < d.count; begin += 2 * length) {
      const u32 *const a = from + begin, *const b = a + length;
      mgpu::merge(mgpu::par_nosync, a, b, b, b + length, to + begin);
    }
    from = to;
    length *= 2;
  }
}

/// cub::DeviceRadixSort of one of the arrays.
auto cub_radix_sort(initial_state from) {
  return [from](void* storage, std::size_t& bytes, const small_data& d, u32* out) {
    return cub::DeviceRadixSort::SortKeys(storage, bytes, (d.*from).data().get(), out, d.count);
  };
}

std::vector<function> merges_of_runs() {
  return {
      function("merge_runs", &small_data::cleared)
          .add_queued("tree", merge_in_a_tree)
          .cub("cub_radix", cub_radix_sort(&small_data::in_runs))
          .cub("cub_merge",
               [](void* storage, std::size_t& bytes, const small_data& d, u32* out) {
                 return cub::DeviceMergeSort::SortKeysCopy(storage, bytes, d.in_runs.data().get(), out, d.count,
                                                           cuda::std::less<>{});
               })
          .mgpu([](const auto& policy, const small_data& d, u32* out) {
            const u32* const first = d.in_runs.data().get();
            mgpu::merge_runs(policy, first, first + d.count, mgpu::run_offsets(d.run_offsets.data().get(), 8), out);
          }),
  };
}

/// into(policy, a, a_end, b, b_end, out, size_out)
template <class Operation, class Into>
function set_of_keys(const Into& into) {
  return function(Operation::name, &small_data::cleared)
      .thrust([](const auto& policy, const small_data& d, u32* out) {
        Operation::thrust(policy, d.a(), d.a_end(), d.b(), d.b_end(), out);
      })
      .mgpu([](const auto& policy, const small_data& d,
               u32* out) { Operation::mgpu(policy, d.a(), d.a_end(), d.b(), d.b_end(), out); },
            [=](const auto& policy, small_data& d, u32* out) {
              into(policy, d.a(), d.a_end(), d.b(), d.b_end(), out, d.size_out.data().get());
            });
}

std::vector<function> set_operations() {
  return {
      set_of_keys<set_union>([](const auto&... arguments) { mgpu::set_union_into(arguments...); }),
      set_of_keys<set_intersection>([](const auto&... arguments) { mgpu::set_intersection_into(arguments...); }),
      function("set_union_by_key", &small_data::cleared)
          .thrust([](const auto& policy, const small_data& d, u32* out) {
            thrust::set_union_by_key(policy, d.a(), d.a_end(), d.b(), d.b_end(), d.values(), d.b_values(), out,
                                     out + d.count);
          })
          .mgpu(
              [](const auto& policy, const small_data& d, u32* out) {
                mgpu::set_union_by_key(policy, d.a(), d.a_end(), d.b(), d.b_end(), d.values(), d.b_values(), out,
                                       out + d.count);
              },
              [](const auto& policy, small_data& d, u32* out) {
                mgpu::set_union_by_key_into(policy, d.a(), d.a_end(), d.b(), d.b_end(), d.values(), d.b_values(), out,
                                            out + d.count, d.size_out.data().get());
              }),
  };
}

std::vector<function> intervals() {
  return {
      function("interval_expand", &small_data::cleared)
          .add_queued("thrust_scan_gather", [](const small_data& d, u32* out) { thrust_peer{}(d.expand(out)); })
          .add_queued("cub_copy", [](const small_data& d, u32* out) { cub_copy_peer{}(d.expand(out)); })
          .mgpu([](const auto& policy, const small_data& d, u32* out) { call_mgpu(policy, d.expand(out)); }),
      function("interval_gather", &small_data::cleared)
          .add_queued("thrust_scan_gather", [](const small_data& d, u32* out) { thrust_peer{}(d.gather_of(out)); })
          .add_queued("cub_copy", [](const small_data& d, u32* out) { cub_copy_peer{}(d.gather_of(out)); })
          .add_queued("cub_memcpy", [](const small_data& d, u32* out) { cub_memcpy_peer{}(d.gather_of(out)); })
          .mgpu([](const auto& policy, const small_data& d, u32* out) { call_mgpu(policy, d.gather_of(out)); }),
  };
}

cudaError_t cub_merge_sort(void* storage, std::size_t& bytes, const small_data& d, u32* out) {
  return cub::DeviceMergeSort::StableSortKeys(storage, bytes, out, d.count, cuda::std::less<>{});
}

std::vector<function> sorts() {
  const auto thrust_sort = [](const auto& policy, const small_data& d, u32* out) {
    thrust::stable_sort(policy, out, out + d.count);
  };
  return {
      function("segmented_sort", &small_data::random)
          .cub("cub_segmented",
               [](void* storage, std::size_t& bytes, const small_data& d, u32* out) {
                 const u32* const ends = d.view().offsets + 1;
                 return cub::DeviceSegmentedSort::SortKeys(storage, bytes, d.random.data().get(), out, d.count,
                                                           d.view().count, d.view().offsets, ends);
               })
          .mgpu([](const auto& policy, const small_data& d, u32* out) {
            mgpu::segmented_sort(policy, out, out + d.count, d.mgpu_segments());
          }),
      function("stable_segmented_sort_by_key", &small_data::random)
          .cub("cub_segmented",
               [](void* storage, std::size_t& bytes, const small_data& d, u32* out) {
                 const u32 *const keys = d.random.data().get(), *const ends = d.view().offsets + 1;
                 return cub::DeviceSegmentedSort::StableSortPairs(storage, bytes, keys, out, d.values(), out + d.count,
                                                                  d.count, d.view().count, d.view().offsets, ends);
               })
          .mgpu([](const auto& policy, const small_data& d, u32* out) {
            mgpu::stable_segmented_sort_by_key(policy, out, out + d.count, out + d.count, d.mgpu_segments());
          }),
      function("locality_sort", &small_data::nearly_sorted)
          .thrust(thrust_sort)
          .cub("cub_radix", cub_radix_sort(&small_data::nearly_sorted))
          .cub("cub_merge", cub_merge_sort)
          .mgpu([](const auto& policy, const small_data& d, u32* out) {
            mgpu::locality_sort(policy, out, out + d.count);
          }),
      function("stable_sort", &small_data::random)
          .thrust(thrust_sort)
          .cub("cub_radix", cub_radix_sort(&small_data::random))
          .cub("cub_merge", cub_merge_sort)
          .mgpu(
              [](const auto& policy, const small_data& d, u32* out) { mgpu::stable_sort(policy, out, out + d.count); }),
      function("odd_even_merge_sort", &small_data::random)
          .thrust(thrust_sort)
          .cub("cub_radix", cub_radix_sort(&small_data::random))
          .cub("cub_merge", cub_merge_sort)
          .mgpu([](const auto& policy, const small_data& d, u32* out) {
            mgpu::odd_even_merge_sort(policy, out, out + d.count);
          }),
  };
}

}  // namespace bench

int main(int argc, char** argv) {
  using namespace bench;
  for (const auto& family : {merges(), merges_of_runs(), set_operations(), intervals(), sorts()}) {
    for (const function& f : family) {
      for (const int log2_count : {10, 12, 14, 16, 18, 20}) {
        for (const function::peer& peer : f.peers) add_small_row(f, peer, power_of_two(log2_count));
      }
    }
  }
  return run_rows(argc, argv);
}
