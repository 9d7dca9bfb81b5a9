// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/exec/distributed/side_stream.h>
#include <mgpu/exec/cuda/capture.cuh>
#include <mgpu/exec/cuda/error.cuh>

#include <cuda_runtime_api.h>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

/// The side stream of a CUDA policy, on the device that is current. What is queued in it goes before the policy's work,
/// which would else keep messages waiting.
template <>
class side_stream<cudaStream_t> {
 public:
  static constexpr bool exists = true;
  static constexpr int most_steps = 8;

  side_stream() = default;
  /// The policy's stream waits for what is still queued.
  ~side_stream() {
    if (side_ != nullptr &&
        (cudaEventRecord(events_[0], side_) != cudaSuccess || cudaStreamWaitEvent(main_, events_[0], 0) != cudaSuccess))
      cudaGetLastError();
    for (const cudaEvent_t e : events_)
      if (e != nullptr) cudaEventDestroy(e);
    if (side_ != nullptr) cudaStreamDestroy(side_);
  }
  side_stream(const side_stream&) = delete;
  side_stream& operator=(const side_stream&) = delete;

  /// Makes the stream. What is queued in it comes after the work that `main` has now.
  void begin(cudaStream_t main) {
    main_ = main;
    for (cudaEvent_t& e : events_)
      exec::check_cuda(cudaEventCreateWithFlags(&e, cudaEventDisableTiming), "cudaEventCreateWithFlags");
    int lowest, highest;
    exec::check_cuda(cudaDeviceGetStreamPriorityRange(&lowest, &highest), "cudaDeviceGetStreamPriorityRange");
    exec::check_cuda(cudaStreamCreateWithPriority(&side_, cudaStreamNonBlocking, highest),
                     "cudaStreamCreateWithPriority");
    exec::check_cuda(cudaEventRecord(events_[0], main_), "cudaEventRecord");
    exec::check_cuda(cudaStreamWaitEvent(side_, events_[0], 0), "cudaStreamWaitEvent");
  }
  cudaStream_t stream(cudaStream_t) const { return side_; }

  /// Says that all of a step is in the side stream.
  void step_is_queued(int step) { exec::check_cuda(cudaEventRecord(events_[step], side_), "cudaEventRecord"); }
  /// The policy's stream waits for a step.
  void await(int step) { exec::check_cuda(cudaStreamWaitEvent(main_, events_[step], 0), "cudaStreamWaitEvent"); }

 private:
  cudaStream_t main_ = nullptr, side_ = nullptr;
  cudaEvent_t events_[most_steps] = {};
  apart_from_other_captures apart_;
};

}  // namespace detail::exec
MGPU_NAMESPACE_END
