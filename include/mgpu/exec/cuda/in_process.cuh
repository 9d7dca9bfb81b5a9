// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/exec/distributed/copy_phases.h>
#include <mgpu/exec/distributed/meeting.h>
#include <mgpu/exec/cuda/device_life.cuh>
#include <mgpu/exec/cuda/error.cuh>
#include <mgpu/exec/cuda/memory_pool.cuh>

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <deque>
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

/// A stream in which a rank copies beside its own stream, and an event.
class copy_lane {
 public:
  copy_lane() {
    exec::check_cuda(cudaEventCreateWithFlags(&done_, cudaEventDisableTiming), "cudaEventCreateWithFlags");
    const cudaError_t code = cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking);
    if (code != cudaSuccess) cudaEventDestroy(done_);
    exec::check_cuda(code, "cudaStreamCreateWithFlags");
  }
  ~copy_lane() {
    cudaStreamDestroy(stream_);
    cudaEventDestroy(done_);
  }
  copy_lane(const copy_lane&) = delete;
  copy_lane& operator=(const copy_lane&) = delete;

  /// What is queued in the lane comes after this event.
  void begin(cudaEvent_t ready) const {
    exec::check_cuda(cudaStreamWaitEvent(stream_, ready, 0), "cudaStreamWaitEvent");
  }
  /// What is queued in `stream` comes after the work of the lane.
  void join(cudaStream_t stream) const {
    exec::check_cuda(cudaEventRecord(done_, stream_), "cudaEventRecord");
    exec::check_cuda(cudaStreamWaitEvent(stream, done_, 0), "cudaStreamWaitEvent");
  }
  cudaStream_t stream() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
  cudaEvent_t done_ = nullptr;
};

/// What a rank has on the device that was current when it was made: two events, lanes for its copies, and whether other
/// devices can read it.
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
  /// A lane. Number 0 is the rank's own stream, and not here.
  const copy_lane& lane(int number) {
    while (static_cast<int>(lanes_.size()) < number) lanes_.emplace_back();
    return lanes_[static_cast<std::size_t>(number - 1)];
  }
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
  std::deque<copy_lane> lanes_;
  cudaEvent_t ready_ = nullptr;
  cudaEvent_t done_ = nullptr;
};

/// Makes the events of a rank, or keeps those it has on this device. No other rank may be in an exchange.
inline void show_events(meeting::shown& own) {
  if (!own.keeper || static_cast<rank_device*>(own.keeper.get())->device() != own.device)
    own.keeper = std::make_shared<rank_device>();
  const auto& device = *static_cast<rank_device*>(own.keeper.get());
  own.ready = device.ready();
  own.done = device.done();
}

/// Ranks of one process copy in phases if one of them sends or receives so many bytes. A rank's bytes are cut into at
/// most so many units. It copies from other ranks in so many streams: what is there first is copied first. ms on four
/// H100, with 8 streams and with one, through NCCL and in process: stable_sort u32 2^28 8.43, 8.81 and 8.62, 9.12; 2^29
/// 16.8, 16.2 and 16.7, 17.5; u32 + u32 2^28 15.1, 14.6 and 15.1, 15.4; merges the same (2026-11-26).
inline constexpr offset least_bytes_in_phases = offset{1} << 22;
inline constexpr offset most_copy_units = 64;
inline constexpr int most_copy_lanes = 8;

/// What a rank receives from another one, piece by piece.
class incoming_bytes {
 public:
  incoming_bytes(meeting& m, int rank, int from, const incoming* receives, offset receive_count)
      : m_(&m), rank_(rank), from_(from), receives_(receives), receive_count_(receive_count) {}

  /// Copies the next `bytes` bytes, or what is left of them, when the sender's event says that they are there. A
  /// message is cut at whole KiB.
  void copy(offset bytes, cudaStream_t stream) {
    for (; number_ < receive_count_ && bytes > 0; ++number_) {
      const incoming& message = receives_[number_];
      if (message.from != from_) continue;
      if (!has_waited_)
        exec::check_cuda(cudaStreamWaitEvent(stream, static_cast<cudaEvent_t>(m_->of(from_).ready), 0),
                         "cudaStreamWaitEvent");
      has_waited_ = true;
      const offset end = base::min(message.bytes, done_ + base::align_up(bytes, offset{1024}));
      exec::check_cuda(cudaMemcpyAsync(static_cast<char*>(message.data) + done_,
                                       static_cast<const char*>(m_->sent(rank_, receives_, number_)) + done_,
                                       static_cast<std::size_t>(end - done_), cudaMemcpyDefault, stream),
                       "cudaMemcpyAsync");
      bytes -= end - done_;
      done_ = end;
      if (end < message.bytes) return;
      done_ = 0;
    }
  }

 private:
  meeting* m_;
  int rank_, from_;
  const incoming* receives_;
  offset receive_count_;
  offset number_ = 0, done_ = 0;  // of the message that is copied next, what is copied of it
  bool has_waited_ = false;
};

/// The bytes that the ranks send each other.
inline rank_pairs listed_bytes(meeting& m) {
  rank_pairs bytes(m.size());
  for (int r = 0; r < m.size(); ++r) {
    const meeting::shown& from = m.of(r);
    for (offset i = 0; i < from.send_count; ++i) bytes(r, from.sends[i].to) += from.sends[i].bytes;
  }
  return bytes;
}

/// Copies all that a rank receives: in phases, and in a lane for each sender, if ranks receive many bytes.
inline void copy_received(meeting& m, int rank, const incoming* receives, offset receive_count, cudaStream_t stream) {
  const int ranks = m.size();
  rank_pairs pairs = exec::listed_bytes(m);
  const offset most_bytes = pairs.most();
  const bool is_large = most_bytes >= least_bytes_in_phases;
  auto& device = *static_cast<rank_device*>(m.of(rank).keeper.get());
  const int lanes = is_large ? base::min(ranks - 1, most_copy_lanes) : 1;
  for (int i = 1; i < lanes; ++i) device.lane(i).begin(device.ready());
  std::vector<incoming_bytes> left;
  for (int r = 0; r < ranks; ++r) left.emplace_back(m, rank, r, receives, receive_count);
  const auto copy_from = [&](int distance, offset bytes) {
    const int lane = (distance - 1) % lanes;
    left[static_cast<std::size_t>((rank + distance) % ranks)].copy(bytes,
                                                                   lane == 0 ? stream : device.lane(lane).stream());
  };
  if (is_large) {
    const offset unit_bytes = base::ceil_div(most_bytes, most_copy_units);
    pairs.for_each([&](offset& x) { x = base::ceil_div(x, unit_bytes); });
    for (const copy_phase& phase : exec::copy_phases(pairs)) {
      const int distance = (phase.from[static_cast<std::size_t>(rank)] - rank + ranks) % ranks;
      if (distance != 0) copy_from(distance, phase.units * unit_bytes);
    }
  }
  constexpr offset all_bytes = offset{1} << 62;
  for (int distance = 1; distance < ranks; ++distance) copy_from(distance, all_bytes);
  for (int i = 1; i < lanes; ++i) device.lane(i).join(stream);
}

/// The exchange in memory of one or more devices of this process. Each rank copies what it receives. A sender's stream
/// goes on when its receivers have copied.
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
    exec::copy_received(m, rank, receives, receive_count, stream);
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
