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

#include <support/cub_storage.cuh>
#include <support/interval_peers.cuh>
#include <support/row.cuh>
#include <support/set_peers.cuh>

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

#include <chrono>
#include <functional>

namespace bench {

constexpr int calls_per_sample = 20;

/// Keys, and behind them the values 0, 1, ...
template <class KeyOfNumber>
words keys_and_values(std::size_t count, const KeyOfNumber& key) {
  words both = generate<u32>(count, key);
  const words values = generate<u32>(count, numbered<u32>{0});
  both.insert(both.end(), values.begin(), values.end());
  return both;
}

/// The inputs of all functions for one size.
struct small_data {
  std::size_t count;
  words a_keys, b_keys;  // [count / 2], sorted
  interval_arrays intervals;
  words from;                                      // [intervals]
  words random;                                    // [2 * count], keys and values
  words nearly_sorted;                             // [2 * count]
  words in_runs;                                   // [count], eight sorted runs of equal length
  words run_offsets;                               // [9]
  words scratch;                                   // [count]
  words cleared;                                   // [2 * count]
  words out;                                       // [calls_per_sample][2 * count], keys and values
  thrust::device_vector<std::ptrdiff_t> size_out;  // of a set, for the calls that do not wait for it

  explicit small_data(std::size_t count)
      : count(count),
        a_keys(sorted(1)),
        b_keys(sorted(2)),
        intervals(count, uniform_counts{100}),
        from(random_places(view(), 3)),
        random(keys_and_values(count, random_below<u32>{32, 4})),
        nearly_sorted(keys_and_values(count, near_place{1000})),
        in_runs(generate<u32>(count, random_below<u32>{32, 5})),
        run_offsets(9),
        scratch(count),
        cleared(2 * count, 0xa5a5a5a5u),
        out(2 * count * calls_per_sample),
        size_out(1) {
    keep_freed_memory();
    for (std::size_t i = 0; i <= 8; ++i) run_offsets[i] = static_cast<u32>(count * i / 8);
    for (std::size_t i = 0; i < 8; ++i)
      thrust::sort(in_runs.begin() + run_offsets[i], in_runs.begin() + run_offsets[i + 1]);
  }

  const u32* a() const { return a_keys.data().get(); }
  const u32* b() const { return b_keys.data().get(); }
  const u32* a_end() const { return a() + count / 2; }
  const u32* b_end() const { return b() + count / 2; }
  const u32* values() const { return random.data().get() + count; }
  const u32* b_values() const { return values() + count / 2; }
  interval_view view() const { return intervals.view(); }
  auto mgpu_segments() const { return mgpu::segment_offsets(view().offsets, view().count); }
  expand_call<u32> expand(u32* to) const { return {view(), values(), to}; }
  move_call<gather, u32> gather_of(u32* to) const { return {view(), from.data().get(), view().offsets, values(), to}; }

 private:
  words sorted(u64 seed) const {
    auto keys = generate<u32>(count / 2, random_below<u32>{log2_of(count) + 2, seed});
    thrust::sort(keys.begin(), keys.end());
    return keys;
  }
};

using small_call = std::function<void(small_data&, u32* out)>;
using initial_state = words small_data::*;

/// A function of the library with its peers, the first of which the others are checked against.
struct function {
  struct peer {
    std::string name;
    small_call call;
  };

  std::string name;
  initial_state state;  // of the array that a call writes; every call of a sample has its own, which may be sorted once
  std::vector<peer> peers;

  function(const char* name, initial_state state) : name(name), state(state) {}

  /// call(policy, data, out)
  template <class Call>
  function& thrust(const Call& call) {
    add("thrust_par", [=](small_data& d, u32* out) { call(::thrust::cuda::par, d, out); });
    return add("thrust_par_nosync", [=](small_data& d, u32* out) { call(::thrust::cuda::par_nosync, d, out); });
  }
  template <class Call>
  function& mgpu(const Call& call) {
    return mgpu(call, call);
  }
  template <class Call, class QueuedCall>
  function& mgpu(const Call& call, const QueuedCall& queued_call) {
    add("mgpu_par", [=](small_data& d, u32* out) { call(::mgpu::par, d, out); });
    return add("mgpu_par_nosync", [=](small_data& d, u32* out) { queued_call(::mgpu::par_nosync, d, out); });
  }
  /// call(storage, bytes, data, out)
  template <class Call>
  function& cub(const std::string& name, const Call& call) {
    return add_queued(name, [=](small_data& d, u32* out) {
      cub_storage storage;
      storage([&](void* memory, std::size_t& bytes) { return call(memory, bytes, d, out); });
    });
  }
  /// As `name` with a wait behind the call, and as `name`_nosync without one.
  function& add_queued(const std::string& name, const small_call& call) {
    add(name, [=](small_data& d, u32* out) {
      call(d, out);
      check(cudaStreamSynchronize(nullptr));
    });
    return add(name + "_nosync", call);
  }

 private:
  function& add(const std::string& name, const small_call& call) {
    peers.push_back({name, call});
    return *this;
  }
};

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

std::vector<function> merges_of_runs() {
  return {
      function("merge_runs", &small_data::cleared)
          .add_queued("tree", merge_in_a_tree)
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

/// cub::DeviceRadixSort of one of the unsorted arrays.
auto cub_radix_sort(initial_state from) {
  return [from](void* storage, std::size_t& bytes, const small_data& d, u32* out) {
    return cub::DeviceRadixSort::SortKeys(storage, bytes, (d.*from).data().get(), out, d.count);
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

/// Gives all arrays that the calls of a sample write, or the first of them, their initial state.
void restore(small_data& d, initial_state state, int arrays = calls_per_sample) {
  for (int i = 0; i < arrays; ++i) {
    thrust::copy((d.*state).begin(), (d.*state).end(), d.out.begin() + static_cast<std::ptrdiff_t>(2 * d.count) * i);
  }
  check(cudaDeviceSynchronize());
}

words result(small_data& d, const function& f, const small_call& call) {
  restore(d, f.state, 1);
  call(d, d.out.data().get());
  check(cudaDeviceSynchronize());
  return words(d.out.begin(), d.out.begin() + static_cast<std::ptrdiff_t>(2 * d.count));
}

/// Seconds per call of a sample's calls, until the last has finished.
double wall_seconds(small_data& d, const function& f, const small_call& call) {
  using clock = std::chrono::steady_clock;
  restore(d, f.state);
  u32* const out = d.out.data().get();
  const auto begin = clock::now();
  for (int i = 0; i < calls_per_sample; ++i) call(d, out + 2 * d.count * i);
  check(cudaStreamSynchronize(nullptr));
  return std::chrono::duration<double>(clock::now() - begin).count() / calls_per_sample;
}

/// Checks a peer's results, then reports the median time of 15 samples.
void add_small_row(const function& f, const function::peer& peer, std::size_t count) {
  const auto run = [=](benchmark::State& state, small_data& d, std::size_t) {
    const words expected = result(d, f, f.peers.front().call), found = result(d, f, peer.call);
    if (!thrust::equal(expected.begin(), expected.end(), found.begin())) {
      return state.SkipWithError("the results differ from the reference");
    }
    report_median(state, 15, [&] { return wall_seconds(d, f, peer.call); });
  };
  add_measured_row<small_data>(run, f.name, count, peer.name);
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
