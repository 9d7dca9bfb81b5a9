// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/bad_input_flag.h>
#include <mgpu/base/math.h>
#include <mgpu/base/tile_shape.h>
#include <mgpu/exec/kernel_facts.h>
#include <mgpu/exec/policy.h>
#include <mgpu/exec/cuda/launch.cuh>

#include <thrust/system/cuda/detail/util.h>

#include <cstddef>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

namespace thrust_cuda = THRUST_NS_QUALIFIER::cuda_cub;

/// Runs cores on a CUDA policy's stream. Scratch memory comes from the policy's allocator. A verb is declared here and
/// defined in the header named beside it. An algorithm includes that header by MGPU_CUDA_VERB_HEADER(name). If it does
/// not, the call does not compile ("use of auto before deduction").
template <class Policy>
class cuda_executor {
 public:
  explicit cuda_executor(Policy& p) : policy_(p) {}

  /// Runs a path core. Small inputs take one launch and no memory. In run.cuh.
  template <class Core>
  auto run(const Core& core) const;

  /// Runs a core of runs. Small inputs take one launch and no memory. In run_ways.cuh.
  template <class Core>
  auto run_ways(const Core& core) const;

  /// Runs a core of equal runs, whose splits are found from the ranks of samples. It never synchronizes. In
  /// run_ways.cuh.
  ///   splits  [core.splits()]; any numbers
  template <class Core>
  auto run_sampled_ways(const Core& core, offset* splits) const;
  /// The elements that a tile of a core of runs has at most, how many tiles run at once, and the shape of a tile. In
  /// run_ways.cuh.
  struct limits {
    int most_tile_items;
    offset resident_tiles;
    base::tile_shape shape;
  };
  template <class Core>
  static auto limits_of_ways();

  /// Runs a compacting core; returns how many elements it emits. In compact.cuh.
  template <class Core>
  auto compact(const Core& core) const;

  /// compact that writes the number to *size_out, at most base::max_offset, and raises a flag if it is that. In
  /// compact.cuh.
  template <class Core, class SizeOut>
  auto compact_into(const Core& core, SizeOut size_out, base::bad_input_flag overflow = {nullptr}) const;

  /// The number of elements that compact would emit. In compact.cuh.
  template <class Core>
  auto count(const Core& core) const;

  /// Calls f(i) for i in [0, count). In each.cuh.
  template <class Function>
  auto each(offset count, const Function& f) const;

  /// Calls f.store(i, f.find(i, search)) for i in [0, count): each i is a search that many threads make together. All
  /// of them call f.find, with the same arguments; one calls f.store. In each.cuh.
  template <class Function>
  auto search_each(offset count, const Function& f) const;

  /// Replaces values[i] by the `sum` of values[0, i]. In scan.cuh.
  template <class T, class Sum>
  auto scan_in_place(T* values, offset count, const Sum& sum) const;
  /// Writes to out[i] the `sum` of value_of(0), ..., value_of(i - 1), and to out[0] zero. In scan.cuh.
  template <class Function, class T, class Sum>
  auto exclusive_scan(const Function& value_of, offset count, T* out, const Sum& sum) const;

  /// Calls scan.put(i, x) for i in [0, count). x is the scan.sum of scan.value_at(0), ..., scan.value_at(i), which are
  /// offsets; Scan::zero adds nothing. For as many values as there are tiles or runs: those of more than one block are
  /// read twice. CUB's scan, which the other verbs call, takes a second to compile. In scan_offsets.cuh.
  template <class Scan>
  auto scan_offsets(const Scan& scan, offset count) const;

  /// Runs tiles [0, tiles) of a tile core. In run_each.cuh.
  template <class Core>
  auto run_each(const Core& core, offset tiles) const;

  /// The elements of a tile that run_each runs. In run_each.cuh.
  template <class Core>
  static auto items_per_tile();
  /// The same, where a tile may have fewer if all have `size` elements.
  template <class Core>
  static auto items_per_tile_of(offset /*size*/) {
    return items_per_tile<Core>();
  }

  /// The facts of the kernel by which run_each runs a core. In run_each.cuh.
  template <class Core>
  static auto facts();

  /// Runs the jobs of a planned core. Only the device knows their number. In run_planned.cuh.
  template <class Core>
  auto run_planned(const Core& core) const;

  /// Sorts `count` numbers in the order of their bits, and their values with them, digit by digit, by CUB. Synchronizes
  /// if the policy does. In radix_sort.cuh.
  template <class Order, class Key, class Values>
  auto radix_sort(Key* keys, Values values, offset count) const;
  /// radix_sort of a copy: the elements are read from other arrays, which stay as they are. The scratch memory is the
  /// caller's: as many bytes as radix_sort_copy_bytes says, aligned to 256. Does not synchronize.
  template <class Order, class Key, class Values>
  auto radix_sort_copy(const Key* from_keys, Values from_values, Key* keys, Values values, offset count, void* memory,
                       std::size_t bytes) const;
  template <class Order, class Key, class Values>
  auto radix_sort_copy_bytes(offset count) const;

  // What a plan may ask of the machine: see docs/design.md.
  static constexpr bool has_shared_memory = true;
  static constexpr bool can_throw = false;
  static constexpr bool calls_host_functions = false;
  static constexpr bool has_radix_sort = true;

  /// The flag that a core's tiles raise if they find their input to be bad. Without a place if it is not wanted, or if
  /// the policy does not synchronize. In read.cuh.
  class bad_input_report;

  /// Reads a value that work in the stream leaves in device memory. Synchronizes. In read.cuh.
  template <class T>
  auto read(const T* value) const;

  /// Copies bytes in stream order, in memory of the device or between it and the host. In copy.cuh.
  auto copy(void* to, const void* from, offset bytes) const;

  /// Waits for the stream, whatever the policy is. In copy.cuh.
  auto wait() const;

  /// Whether the current device can access what lies at a host's address: memory of a device, pinned or managed memory,
  /// or any, on some machines. In access.cuh.
  auto can_access(const volatile void* memory) const;

  /// True if the stream's work goes into a CUDA graph instead of running.
  bool is_captured() const {
    cudaStreamCaptureStatus status;
    exec::check_cuda(cudaStreamIsCapturing(stream(), &status), "cudaStreamIsCapturing");
    return status != cudaStreamCaptureStatusNone;
  }

  /// Before work whose result the host waits for. In a captured stream the attempt would end the capture.
  void check_can_wait() const {
    if (is_captured())
      throw cuda_error(cudaErrorStreamCaptureUnsupported, "a call that waits for its result, in a captured stream");
  }

  /// Whether calls wait for their work.
  bool is_synchronous() const { return thrust_cuda::must_perform_optional_synchronization(policy_); }

  /// Waits for the work of a call if the policy synchronizes.
  void complete() const {
    exec::check_cuda(thrust_cuda::synchronize_optional(policy_), "the synchronisation at the end of a call");
  }

  /// The stream of the policy: what a communicator is given.
  cudaStream_t stream() const { return thrust_cuda::stream(policy_); }

 private:
  launch_grid grid(const launch_plan& plan, offset blocks) const {
    return {blocks, plan.threads, plan.shared_bytes, plan.overlaps_launch, stream()};
  }
  /// For a kernel that takes no dynamic shared memory.
  launch_grid grid(const launch_plan& plan, offset blocks, int threads) const {
    return {blocks, threads, 0, plan.overlaps_launch, stream()};
  }

  template <class Scan>
  void run_scan(const Scan& scan) const;

  template <class Core, class SizeOut, class Synchronize>
  void run_compact(const Core& core, SizeOut size_out, base::bad_input_flag overflow,
                   const Synchronize& synchronize) const;

  Policy& policy_;
};

}  // namespace detail::exec
MGPU_NAMESPACE_END
