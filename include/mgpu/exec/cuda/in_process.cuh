// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/exec/distributed/meeting.h>
#include <mgpu/exec/cuda/device_life.cuh>
#include <mgpu/exec/cuda/error.cuh>
#include <mgpu/exec/cuda/memory_pool.cuh>

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

MGPU_NAMESPACE_BEGIN
namespace exec {

/// Lets the current device read the memory of another, and the other the library's pool on this one. Other memory than
/// the pool's can be copied without; that goes through the host.
inline void open_to(int device, int other) {
  int can_access;
  exec::check_cuda(cudaDeviceCanAccessPeer(&can_access, device, other), "cudaDeviceCanAccessPeer");
  if (can_access == 0) return;
  const cudaError_t code = cudaDeviceEnablePeerAccess(other, 0);
  if (code == cudaErrorPeerAccessAlreadyEnabled) cudaGetLastError();
  else exec::check_cuda(code, "cudaDeviceEnablePeerAccess");
  const cudaMemPool_t pool = exec::current_memory_pool();
  if (pool == nullptr) return;
  cudaMemAccessDesc access{};
  access.location.type = cudaMemLocationTypeDevice;
  access.location.id = other;
  access.flags = cudaMemAccessFlagsProtReadWrite;
  exec::check_cuda(cudaMemPoolSetAccess(pool, &access, 1), "cudaMemPoolSetAccess");
}

/// Whether another device can read memory of the current one after open_to(): it is cudaMalloc's, or of a pool that
/// lets it.
inline bool is_open_to(int other, const void* memory) {
  CUmemoryPool pool = nullptr;
  int is_from_malloc = 0, can_access = 0;
  constexpr int attributes[] = {CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE};
  void* results[] = {&pool, &is_from_malloc};
  const auto ask = pointer_attributes();
  if (ask == nullptr || ask(2, attributes, results, reinterpret_cast<CUdeviceptr>(memory)) != 0) return false;
  if (pool == nullptr) {
    int device;
    exec::check_cuda(cudaGetDevice(&device), "cudaGetDevice");
    exec::check_cuda(cudaDeviceCanAccessPeer(&can_access, other, device), "cudaDeviceCanAccessPeer");
    return is_from_malloc != 0 && can_access != 0;
  }
  cudaMemLocation location{};
  location.type = cudaMemLocationTypeDevice;
  location.id = other;
  cudaMemAccessFlags access = cudaMemAccessFlagsProtNone;
  exec::check_cuda(cudaMemPoolGetAccess(&access, pool, &location), "cudaMemPoolGetAccess");
  return access != cudaMemAccessFlagsProtNone;
}

/// What a rank has on the device that was current when it was made: two events, and whether other devices can read it.
class rank_device {
 public:
  rank_device() {
    exec::check_cuda(cudaGetDevice(&device_), "cudaGetDevice");
    exec::check_cuda(cudaEventCreateWithFlags(&ready_, cudaEventDisableTiming), "cudaEventCreateWithFlags");
    const cudaError_t code = cudaEventCreateWithFlags(&done_, cudaEventDisableTiming);
    if (code != cudaSuccess) cudaEventDestroy(ready_);
    exec::check_cuda(code, "cudaEventCreateWithFlags");
  }
  ~rank_device() {
    cudaEventDestroy(ready_);
    cudaEventDestroy(done_);
  }
  rank_device(const rank_device&) = delete;
  rank_device& operator=(const rank_device&) = delete;

  int device() const { return device_; }
  void open_to(int other) {
    if (other == device_ || std::find(open_.begin(), open_.end(), other) != open_.end()) return;
    exec::open_to(device_, other);
    open_.push_back(other);
  }
  cudaEvent_t ready() const { return ready_; }
  cudaEvent_t done() const { return done_; }

 private:
  int device_ = 0;
  std::vector<int> open_;  // the devices that can read this one
  cudaEvent_t ready_ = nullptr;
  cudaEvent_t done_ = nullptr;
};

/// Makes the events of a rank, or keeps those it has on this device. No other rank may be in an exchange.
inline void show_events(meeting::shown& own) {
  if (own.keeper && static_cast<rank_device*>(own.keeper.get())->device() == own.device) return;
  const auto made = std::make_shared<rank_device>();
  own.ready = made->ready();
  own.done = made->done();
  own.keeper = made;
}

/// The exchange in memory of one or more devices of this process. Each rank copies what it receives, in its own stream,
/// when the events of its senders say that it is there. A sender's stream goes on when its receivers have copied.
inline void exchange_in_process(meeting& m, int rank, const outgoing* sends, offset send_count,
                                const incoming* receives, offset receive_count, cudaStream_t stream) {
  meeting::shown& own = m.of(rank);
  m.guarded(rank, [&] { exec::check_cuda(cudaGetDevice(&own.device), "cudaGetDevice"); });
  m.wait();  // nobody waits for the events of the exchange before this one any more
  m.guarded(rank, [&] {
    exec::show_events(own);
    for (int r = 0; r < m.size(); ++r) static_cast<rank_device*>(own.keeper.get())->open_to(m.of(r).device);
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
