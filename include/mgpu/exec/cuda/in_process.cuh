// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/exec/distributed/copy_phases.h>
#include <mgpu/exec/distributed/meeting.h>
#include <mgpu/exec/cuda/capture.cuh>
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
namespace detail::exec {

/// The pool that memory of a device is from, and whether it is cudaMalloc's; neither if the driver does not say.
struct memory_origin {
  CUmemoryPool pool = nullptr;
  bool is_from_malloc = false;

  explicit memory_origin(const void* memory) {
    int is_legacy = 0;
    constexpr int attributes[] = {CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE};
    void* results[] = {&pool, &is_legacy};
    const auto ask = pointer_attributes();
    if (ask == nullptr || ask(2, attributes, results, reinterpret_cast<CUdeviceptr>(memory)) != 0) pool = nullptr;
    else is_from_malloc = is_legacy != 0;
  }
};

inline bool can_read(int device, int other) {
  int result = 0;
  exec::check_cuda(cudaDeviceCanAccessPeer(&result, device, other), "cudaDeviceCanAccessPeer");
  return result != 0;
}

/// Whether a device can read the memory of a pool.
inline bool is_pool_open_to(int device, cudaMemPool_t pool) {
  cudaMemLocation location{};
  location.type = cudaMemLocationTypeDevice;
  location.id = device;
  cudaMemAccessFlags access = cudaMemAccessFlagsProtNone;
  exec::check_cuda(cudaMemPoolGetAccess(&access, pool, &location), "cudaMemPoolGetAccess");
  return access != cudaMemAccessFlagsProtNone;
}
inline void open_pool_to(int device, cudaMemPool_t pool) {
  cudaMemAccessDesc access{};
  access.location.type = cudaMemLocationTypeDevice;
  access.location.id = device;
  access.flags = cudaMemAccessFlagsProtReadWrite;
  exec::check_cuda(cudaMemPoolSetAccess(pool, &access, 1), "cudaMemPoolSetAccess");
}

/// Lets the current device read the memory of another, and the other the library's pool on this one. Memory of
/// cudaMalloc can be copied without; that goes through the host.
inline void open_to(int device, int other) {
  if (!exec::can_read(device, other)) return;
  const cudaError_t code = cudaDeviceEnablePeerAccess(other, 0);
  if (code == cudaErrorPeerAccessAlreadyEnabled) cudaGetLastError();
  else exec::check_cuda(code, "cudaDeviceEnablePeerAccess");
  const cudaMemPool_t pool = exec::current_memory_pool();
  if (pool != nullptr) exec::open_pool_to(other, pool);
}

/// Whether another device can read memory of the current one after open_to(): it is cudaMalloc's, or of a pool that
/// lets it.
inline bool is_open_to(int other, const void* memory) {
  const memory_origin origin(memory);
  if (origin.pool != nullptr) return exec::is_pool_open_to(other, origin.pool);
  int device;
  exec::check_cuda(cudaGetDevice(&device), "cudaGetDevice");
  return origin.is_from_malloc && exec::can_read(other, device);
}

/// Lets another device copy memory of this one that is from a pool, of which it could copy nothing else.
inline void open_pool_of(const void* memory, int device, int other) {
  if (other == device) return;
  const memory_origin origin(memory);
  if (origin.pool != nullptr && !exec::is_pool_open_to(other, origin.pool) && exec::can_read(other, device))
    exec::open_pool_to(other, origin.pool);
}

/// An event that a stream waits for.
class stream_event {
 public:
  stream_event() {
    exec::check_cuda(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "cudaEventCreateWithFlags");
  }
  ~stream_event() { cudaEventDestroy(event_); }
  stream_event(const stream_event&) = delete;
  stream_event& operator=(const stream_event&) = delete;

  cudaEvent_t get() const { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

/// What a rank has on the device that was current when it was made: its events, and whether other devices can read it.
class rank_device {
 public:
  rank_device() { exec::check_cuda(cudaGetDevice(&device_), "cudaGetDevice"); }

  int device() const { return device_; }
  void open_to(int other) {
    if (other == device_ || std::find(open_.begin(), open_.end(), other) != open_.end()) return;
    exec::open_to(device_, other);
    open_.push_back(other);
  }
  cudaEvent_t ready() const { return ready_.get(); }
  cudaEvent_t done() const { return done_.get(); }
  /// After the rank's copies of a phase. The event of the last phase but one is taken again: ranks that wait for it
  /// ask their streams to before all ranks meet in front of this phase.
  cudaEvent_t end_of(std::size_t phase) const { return ends_[phase % 2].get(); }

 private:
  int device_ = 0;
  std::vector<int> open_;  // the devices that can read this one
  stream_event ready_, done_, ends_[2];
};

inline rank_device& device_of(meeting::shown& rank) { return *static_cast<rank_device*>(rank.keeper.get()); }

/// Makes the events of a rank, or keeps those it has on this device. No other rank may still wait for the events of the
/// exchange before.
inline void show_events(meeting::shown& own) {
  if (!own.keeper || exec::device_of(own).device() != own.device) own.keeper = std::make_shared<rank_device>();
  own.ready = exec::device_of(own).ready();
  own.done = exec::device_of(own).done();
}

/// Ranks of one process copy in phases if one of them sends or receives so many bytes, and they are not too many: to
/// find the phases of 64 ranks takes 13 ms, of 8 0.04. What a rank sends is cut into at most so many units, of at least
/// so many bytes: their threads meet once in each phase, and there are up to as many phases as units and ranks.
inline constexpr offset least_bytes_in_phases = offset{1} << 24;
inline constexpr offset most_copy_units = 64, least_unit_bytes = offset{1} << 22;
inline constexpr int most_ranks_in_phases = 16;

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
  bool are_copied() const { return number_ == messages_.size(); }

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

/// Copies all that a rank receives. If ranks receive many bytes, a rank copies in a phase when all ranks have ended the
/// phase before: else one with nothing to copy in a phase would take half of the links that another one needs in it.
///   Four H200, merges of a<b, 2^28 u32, ms: so 7.1 to 7.25; in the order of phases, with a stream for each sender and
///   no waiting, 7.05 or 9.7, by which engines the streams get (2026-11-27).
inline void copy_received(meeting& m, int rank, const incoming* receives, offset receive_count, cudaStream_t stream) {
  const int ranks = m.size();
  std::vector<arriving_bytes> arriving;
  std::vector<copy_phase> phases;
  offset unit_bytes = 0;
  const auto find_phases = [&] {
    arriving = exec::arriving_at(m, rank, receives, receive_count);
    rank_pairs pairs = exec::listed_bytes(m);
    if (pairs.most() < least_bytes_in_phases || ranks > most_ranks_in_phases) return;
    unit_bytes = base::max(base::ceil_div(pairs.most(), most_copy_units), least_unit_bytes);
    pairs.for_each([&](offset& x) { x = base::ceil_div(x, unit_bytes); });
    phases = exec::copy_phases(pairs);
  };
  const auto copy_in = [&](std::size_t phase) {
    arriving_bytes& next = arriving[static_cast<std::size_t>(phases[phase].from[static_cast<std::size_t>(rank)])];
    if (!next.are_copied()) {
      for (int r = 0; phase > 0 && r < ranks; ++r)
        exec::check_cuda(cudaStreamWaitEvent(stream, exec::device_of(m.of(r)).end_of(phase - 1), 0),
                         "cudaStreamWaitEvent");
      next.copy(phases[phase].units * unit_bytes, stream);
    }
    exec::check_cuda(cudaEventRecord(exec::device_of(m.of(rank)).end_of(phase), stream), "cudaEventRecord");
  };
  const auto copy_rest = [&] {
    constexpr offset all_bytes = offset{1} << 62;
    for (int distance = 1; distance < ranks; ++distance)
      arriving[static_cast<std::size_t>((rank + distance) % ranks)].copy(all_bytes, stream);
    exec::check_cuda(cudaEventRecord(exec::device_of(m.of(rank)).done(), stream), "cudaEventRecord");
  };
  const auto wait_for_copies = [&] {
    if (cudaStreamSynchronize(stream) != cudaSuccess) cudaGetLastError();
  };

  const auto begin = [&] {
    find_phases();
    if (phases.empty()) copy_rest();
  };
  m.together(rank, begin, wait_for_copies);
  for (std::size_t phase = 0; phase < phases.size(); ++phase) {
    const auto copy = [&] {
      copy_in(phase);
      if (phase + 1 == phases.size()) copy_rest();
    };
    m.together(rank, copy, wait_for_copies);  // the ends of this phase are recorded then
  }
}

/// The exchange in memory of one or more devices of this process. Each rank copies what it receives. A sender's stream
/// goes on when its receivers have copied.
inline void exchange_in_process(meeting& m, int rank, const outgoing* sends, offset send_count,
                                const incoming* receives, offset receive_count, cudaStream_t stream) {
  const apart_from_other_captures apart;
  meeting::shown& own = m.of(rank);
  const auto nothing_is_copied = [] {};
  // Then nobody waits for the events of the exchange before this one any more.
  m.together(
      rank, [&] { exec::check_cuda(cudaGetDevice(&own.device), "cudaGetDevice"); }, nothing_is_copied);
  const auto show = [&] {
    exec::show_events(own);
    m.show_sends(rank, sends, send_count);
    for (int r = 0; r < m.size(); ++r) exec::device_of(own).open_to(m.of(r).device);
    for (const outgoing& message : own.sends) exec::open_pool_of(message.data, own.device, m.of(message.to).device);
    exec::check_cuda(cudaEventRecord(static_cast<cudaEvent_t>(own.ready), stream), "cudaEventRecord");
  };
  m.together(rank, show, nothing_is_copied);
  exec::copy_received(m, rank, receives, receive_count, stream);
  for (offset i = 0; i < send_count; ++i) {
    const cudaError_t code = cudaStreamWaitEvent(stream, static_cast<cudaEvent_t>(m.of(sends[i].to).done), 0);
    if (code != cudaSuccess) m.give_up(rank);
    exec::check_cuda(code, "cudaStreamWaitEvent");
  }
}

}  // namespace detail::exec
MGPU_NAMESPACE_END
