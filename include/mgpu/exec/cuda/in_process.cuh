// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/exec/distributed/meeting.h>
#include <mgpu/exec/cuda/error.cuh>

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>

MGPU_NAMESPACE_BEGIN
namespace exec {

/// The two events of a rank, on the device that was current when they were made.
class rank_events {
 public:
  rank_events() {
    exec::check_cuda(cudaGetDevice(&device_), "cudaGetDevice");
    exec::check_cuda(cudaEventCreateWithFlags(&ready_, cudaEventDisableTiming), "cudaEventCreateWithFlags");
    const cudaError_t code = cudaEventCreateWithFlags(&done_, cudaEventDisableTiming);
    if (code != cudaSuccess) cudaEventDestroy(ready_);
    exec::check_cuda(code, "cudaEventCreateWithFlags");
  }
  ~rank_events() {
    cudaEventDestroy(ready_);
    cudaEventDestroy(done_);
  }
  rank_events(const rank_events&) = delete;
  rank_events& operator=(const rank_events&) = delete;

  int device() const { return device_; }
  cudaEvent_t ready() const { return ready_; }
  cudaEvent_t done() const { return done_; }

 private:
  int device_ = 0;
  cudaEvent_t ready_ = nullptr;
  cudaEvent_t done_ = nullptr;
};

/// Makes the events of a rank, or keeps those it has on this device. No other rank may be in an exchange.
inline void show_events(meeting::shown& own) {
  int device;
  exec::check_cuda(cudaGetDevice(&device), "cudaGetDevice");
  if (own.keeper && static_cast<rank_events*>(own.keeper.get())->device() == device) return;
  const auto made = std::make_shared<rank_events>();
  own.ready = made->ready();
  own.done = made->done();
  own.keeper = made;
}

/// The exchange in memory of one or more devices of this process. Each rank copies what it receives, in its own stream,
/// when the events of its senders say that it is there. A sender's stream goes on when its receivers have copied.
inline void exchange_in_process(meeting& m, int rank, const outgoing* sends, offset send_count,
                                const incoming* receives, offset receive_count, cudaStream_t stream) {
  meeting::shown& own = m.of(rank);
  m.wait();  // nobody waits for the events of the exchange before this one any more
  m.guarded(rank, [&] {
    exec::show_events(own);
    exec::check_cuda(cudaEventRecord(static_cast<cudaEvent_t>(own.ready), stream), "cudaEventRecord");
  });
  own.sends = sends;
  own.send_count = send_count;
  m.wait();
  m.guarded(rank, [&] {
    for (offset i = 0; i < receive_count; ++i) {
      exec::check_cuda(cudaStreamWaitEvent(stream, static_cast<cudaEvent_t>(m.of(receives[i].from).ready), 0),
                       "cudaStreamWaitEvent");
      exec::check_cuda(cudaMemcpyAsync(receives[i].data, m.sent(rank, receives, i),
                                       static_cast<std::size_t>(receives[i].bytes), cudaMemcpyDefault, stream),
                       "cudaMemcpyAsync");
    }
    exec::check_cuda(cudaEventRecord(static_cast<cudaEvent_t>(own.done), stream), "cudaEventRecord");
  });
  m.wait();
  m.guarded(rank, [&] {
    for (offset i = 0; i < send_count; ++i)
      exec::check_cuda(cudaStreamWaitEvent(stream, static_cast<cudaEvent_t>(m.of(sends[i].to).done), 0),
                       "cudaStreamWaitEvent");
  });
}

}  // namespace exec
MGPU_NAMESPACE_END
