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
  cudaError_t end_before(cudaStream_t stream) const noexcept {
    const cudaError_t code = cudaEventRecord(done_, stream_);
    return code != cudaSuccess ? code : cudaStreamWaitEvent(stream, done_, 0);
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

/// Ranks of one process copy in phases if one of them sends or receives so many bytes, and they are not too many: to
/// find the phases of 64 ranks takes 13 ms, of 8 0.04. A rank's bytes are cut into at most so many units. It copies
/// from other ranks in so many streams: phases are the order, but what is there first is copied first. ms on four H100,
/// with 8 streams and with one, through NCCL and in process: stable_sort u32 2^28 8.43, 8.81 and 8.62, 9.12; 2^29 16.8,
/// 16.2 and 16.7, 17.5; u32 + u32 2^28 15.1, 14.6 and 15.1, 15.4; merges the same (2026-11-26).
inline constexpr offset least_bytes_in_phases = offset{1} << 22;
inline constexpr offset most_copy_units = 64;
inline constexpr int most_ranks_in_phases = 16;
inline constexpr int most_copy_lanes = 8;

/// A message that a rank receives, and where it is sent from.
struct arriving_message {
  const char* from;
  char* to;
  offset bytes;
};

/// What a rank receives from another one, piece by piece.
class arriving_bytes {
 public:
  explicit arriving_bytes(cudaEvent_t ready) : ready_(ready) {}
  void add(const arriving_message& message) { messages_.push_back(message); }

  /// Copies the next `bytes` bytes, or what is left of them, when the sender's event says that they are there. A
  /// message is cut at whole KiB.
  void copy(offset bytes, cudaStream_t stream) {
    for (; number_ < messages_.size() && bytes > 0; ++number_, done_ = 0) {
      if (number_ == 0 && done_ == 0) exec::check_cuda(cudaStreamWaitEvent(stream, ready_, 0), "cudaStreamWaitEvent");
      const arriving_message& message = messages_[number_];
      const offset end = base::min(message.bytes, done_ + base::align_up(bytes, offset{1024}));
      exec::check_cuda(cudaMemcpyAsync(message.to + done_, message.from + done_, static_cast<std::size_t>(end - done_),
                                       cudaMemcpyDefault, stream),
                       "cudaMemcpyAsync");
      bytes -= end - done_;
      done_ = end;
      if (end < message.bytes) return;
    }
  }

 private:
  cudaEvent_t ready_;
  std::vector<arriving_message> messages_;
  std::size_t number_ = 0;  // the message that is copied next
  offset done_ = 0;         // what is copied of it
};

/// What a rank receives from each rank. Throws std::logic_error if a sender has listed other messages, before any is
/// copied.
inline std::vector<arriving_bytes> arriving_at(meeting& m, int rank, const incoming* receives, offset receive_count) {
  std::vector<arriving_bytes> result;
  for (int r = 0; r < m.size(); ++r) result.emplace_back(static_cast<cudaEvent_t>(m.of(r).ready));
  for (offset i = 0; i < receive_count; ++i) {
    const void* const from = m.sent(rank, receives, i);
    result[static_cast<std::size_t>(receives[i].from)].add(
        {static_cast<const char*>(from), static_cast<char*>(receives[i].data), receives[i].bytes});
  }
  return result;
}

/// The bytes that the ranks send each other.
inline rank_pairs listed_bytes(meeting& m) {
  rank_pairs bytes(m.size());
  for (int r = 0; r < m.size(); ++r)
    for (const outgoing& message : m.of(r).sends)
      if (message.to >= 0 && message.to < m.size()) bytes(r, message.to) += message.bytes;
  return bytes;
}

/// The streams in which a rank copies: its own, and side lanes. Whatever comes, its stream goes on after all of them.
class copy_streams {
 public:
  copy_streams(rank_device& device, int count, cudaStream_t stream) : device_(device), count_(count), stream_(stream) {
    for (int i = 1; i < count; ++i) device.lane(i).begin(device.ready());
  }
  ~copy_streams() { this->end(); }
  copy_streams(const copy_streams&) = delete;
  copy_streams& operator=(const copy_streams&) = delete;

  cudaStream_t operator[](int number) const { return number == 0 ? stream_ : device_.lane(number).stream(); }
  /// What follows in the rank's stream comes after all copies.
  cudaError_t end() noexcept {
    cudaError_t result = cudaSuccess;
    for (; count_ > 1; --count_) {
      const cudaError_t code = device_.lane(count_ - 1).end_before(stream_);
      if (code != cudaSuccess) result = code;
    }
    return result;
  }

 private:
  rank_device& device_;
  int count_;
  cudaStream_t stream_;
};

/// Copies all that a rank receives: in the order of phases, and in a lane for each sender, if ranks receive many bytes.
inline void copy_received(meeting& m, int rank, const incoming* receives, offset receive_count, cudaStream_t stream) {
  const int ranks = m.size();
  rank_pairs pairs = exec::listed_bytes(m);
  const offset most_bytes = pairs.most();
  const bool is_large = most_bytes >= least_bytes_in_phases && ranks <= most_ranks_in_phases;
  std::vector<arriving_bytes> arriving = exec::arriving_at(m, rank, receives, receive_count);
  const int lanes = is_large ? base::min(ranks - 1, most_copy_lanes) : 1;
  copy_streams streams(*static_cast<rank_device*>(m.of(rank).keeper.get()), lanes, stream);
  const auto copy_from = [&](int distance, offset bytes) {
    arriving[static_cast<std::size_t>((rank + distance) % ranks)].copy(bytes, streams[(distance - 1) % lanes]);
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
  exec::check_cuda(streams.end(), "cudaEventRecord or cudaStreamWaitEvent");
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
    own.sends.assign(sends, sends + send_count);
    for (int r = 0; r < m.size(); ++r) static_cast<rank_device*>(own.keeper.get())->open_to(m.of(r).device);
    exec::check_cuda(cudaEventRecord(static_cast<cudaEvent_t>(own.ready), stream), "cudaEventRecord");
  });
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
