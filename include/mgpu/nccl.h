// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Ranks that talk through NCCL, 2.18 or newer, for mgpu::distributed with CUDA's policies. The only header that
// includes <nccl.h>; a program links libnccl (the CMake target mgpu::nccl).
//
//   const auto everywhere = mgpu::distributed(mgpu::par.on(stream), mgpu::nccl_communicator(comm));

#include <mgpu/base/math.h>
#include <mgpu/exec/distributed/communicator.h>
#include <mgpu/exec/distributed/meeting.h>
#include <mgpu/exec/distributed/rank_error.h>
#include <mgpu/exec/cuda/capture.cuh>
#include <mgpu/exec/cuda/error.cuh>
#include <mgpu/exec/cuda/in_process.cuh>
#include <mgpu/exec/cuda/nccl_staging.cuh>

#include <cuda_runtime_api.h>
#include <nccl.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>

static_assert(NCCL_VERSION_CODE >= NCCL_VERSION(2, 18, 0), "mgpu::nccl_communicator takes NCCL 2.18 or newer");

MGPU_NAMESPACE_BEGIN

/// A call to NCCL failed, or NCCL told of an asynchronous error. code() is NCCL's error; what() names the call and the
/// reason. The ncclComm_t is then of no more use: its owner aborts it.
class nccl_error : public std::runtime_error {
 public:
  /// The failure of a call by the name `call`.
  nccl_error(ncclResult_t code, const char* call, ncclComm_t comm)
      : std::runtime_error(std::string("mgpu: ") + call + ": " + ncclGetErrorString(code) + last_words(comm)),
        code_(code) {}
  /// NCCL's error.
  ncclResult_t code() const noexcept { return code_; }

 private:
  static std::string last_words(ncclComm_t comm) {
    const char* const words = ncclGetLastError(comm);
    return words == nullptr || *words == '\0' ? std::string() : std::string(" (") + words + ")";
  }

  ncclResult_t code_;
};

/// A rank of an ncclComm_t, which it borrows: the caller made it and destroys it, after the last call. A handle: copies
/// are the same rank.
/// Requires: the communicator's device is current, here and in each call; one thread at a time makes calls with `comm`.
///   `comm` may be one of ncclCommInitRankConfig that does not block. One that blocks may wait in NCCL, without an
///   error, when two ranks talk to each other for the first time.
///   Where all ranks are threads of one process, and can read each other's memory, a call that moves many elements lets
///   the devices do so, for the process, also in the caller's pools (cudaMallocAsync); and a rank whose last handle is
///   destroyed in the midst of such a call ends it for the others, by rank_error.
/// Memory: 1 KiB of the host for each rank, and a stream, both kept for the next communicator; up to 7 streams more
///   where elements are copied, until the last handle is gone.
/// Throws: nccl_error, at once or in the next call that waits; mgpu::cuda_error; std::bad_alloc. After an nccl_error or
///   mgpu::cuda_error of a call other ranks may wait for this one, however long: the owner of the communicator calls
///   ncclCommAbort, on each rank. The promise that no rank hangs does not reach so far. The memory is then not freed.
///   rank_error in all later calls of this rank.
class nccl_communicator {
 public:
  /// Borrows `comm`. Waits until it is initialized.
  explicit nccl_communicator(ncclComm_t comm) : comm_(comm) {
    finish(asynchronous_error(), "the initialization of the communicator");
    check(ncclCommUserRank(comm, &rank_), "ncclCommUserRank");
    check(ncclCommCount(comm, &size_), "ncclCommCount");
    staging_ = std::make_shared<detail::exec::nccl_staging>(size_, rank_);
  }

  /// The number of this rank.
  int rank() const { return rank_; }
  /// The number of ranks.
  int size() const { return size_; }

  /// Whether calls still work, as far as this rank knows: none of its calls has failed here, and NCCL tells of no
  /// asynchronous error. Never true again once it is false. Sends nothing and does not wait, so what has failed on
  /// another rank only shows when NCCL notices it. Then the owner calls ncclCommAbort on each rank, makes new
  /// communicators with an id of their own, and new policies.
  /// Requires: `comm` is not destroyed, nor aborted while this rank has not failed.
  bool is_usable() const {
    ncclResult_t code = ncclSuccess;
    return !staging_->has_failed() && ncclCommGetAsyncError(comm_, &code) == ncclSuccess && is_accepted(code);
  }

  /// This rank makes no more calls: is_usable() is false here. The others do not hear of it.
  void leave() const { staging_->set_failed(); }

  /// Gathers `bytes` bytes of each rank, in memory of the host. Does not wait for the policy's stream: the ranks tell
  /// each other what the host knows, while the GPU works.
  void all_gather(const void* from, void* to, offset bytes, cudaStream_t) const {
    const auto all = static_cast<std::size_t>(bytes);
    for (std::size_t done = 0; done < all; done += most_gathered) {
      const std::size_t part = all - done < most_gathered ? all - done : most_gathered;
      begin_gather(static_cast<const char*>(from) + done, static_cast<offset>(part));
      wait(staging_->stream());
      for (std::size_t r = 0; r < static_cast<std::size_t>(size_); ++r)
        std::memcpy(static_cast<char*>(to) + r * all + done, staging_->host() + most_gathered + r * part, part);
    }
  }
  /// all_gather of at most 1 KiB in two parts; no other call comes between them.
  void begin_gather(const void* from, offset bytes) const {
    check_not_failed();
    char* const host = staging_->host();
    std::memcpy(host, from, static_cast<std::size_t>(bytes));
    finish(ncclAllGather(host, host + most_gathered, static_cast<std::size_t>(bytes), ncclUint8, comm_,
                         staging_->stream()),
           "ncclAllGather");
  }
  /// Waits for what begin_gather has begun. `bytes` is the same as there.
  void end_gather(void* to, offset bytes) const {
    wait(staging_->stream());
    std::memcpy(to, staging_->host() + most_gathered, static_cast<std::size_t>(size_ * bytes));
  }

  /// Copies bytes to memory of the host, after the work of the stream. Waits for it, or for an error of NCCL.
  void fetch(void* to, const void* from, offset bytes, cudaStream_t stream) const {
    check_not_failed();
    const auto all = static_cast<std::size_t>(bytes), most = staging_->bytes();
    std::size_t done = 0;
    do {
      const std::size_t part = all - done < most ? all - done : most;
      if (part > 0)
        check_cuda(cudaMemcpyAsync(staging_->host(), static_cast<const char*>(from) + done, part,
                                   cudaMemcpyDeviceToHost, stream),
                   "cudaMemcpyAsync");
      wait(stream);
      if (part > 0) std::memcpy(static_cast<char*>(to) + done, staging_->host(), part);
      done += part;
    } while (done < all);
  }

  /// Sends and receives messages as one group. Returns when it is in the stream.
  void exchange(const outgoing* sends, offset send_count, const incoming* receives, offset receive_count,
                cudaStream_t stream) const {
    check_not_failed();
    finish(ncclGroupStart(), "ncclGroupStart");
    ncclResult_t code = ncclSuccess;
    // NCCL handles the first message to a rank with the first one from it, then the second ones. So the large ones come
    // first: a small one beside a large one would keep the two directions from running at the same time. Where rank 0
    // sends 12 bytes before its 2^29 an exchange of two ranks takes 2.91 ms, with the 12 behind them 1.53 (2 H200,
    // 2026-11-23).
    for (int size_class = 3; size_class >= 0; --size_class) {
      for (offset i = 0; i < send_count; ++i) {
        if (class_of_size(sends[i].bytes) != size_class) continue;
        for_each_chunk(sends[i].data, sends[i].bytes, code, [&](const char* data, std::size_t bytes) {
          return ncclSend(data, bytes, ncclUint8, sends[i].to, comm_, stream);
        });
      }
      for (offset i = 0; i < receive_count; ++i) {
        if (class_of_size(receives[i].bytes) != size_class) continue;
        for_each_chunk(receives[i].data, receives[i].bytes, code, [&](const char* data, std::size_t bytes) {
          return ncclRecv(const_cast<char*>(data), bytes, ncclUint8, receives[i].from, comm_, stream);
        });
      }
    }
    const ncclResult_t ended = ncclGroupEnd();  // also after an error: groups are the thread's
    check(code, "ncclSend or ncclRecv");
    finish(ended, "ncclGroupEnd");
  }

  /// Whether all ranks are threads of this process, and the others can read what this rank sends, and it what they
  /// send.
  bool can_copy(const outgoing* sends, offset send_count, cudaStream_t stream) const {
    detail::exec::nccl_staging& own = *staging_;
    detail::exec::rank_place place{detail::exec::number_of_process(), nullptr, 0};
    check_cuda(cudaGetDevice(&place.device), "cudaGetDevice");
    own.place.reset();
    try {
      if (rank_ == 0) own.place = std::make_shared<detail::exec::meeting>(size_);
    } catch (const std::bad_alloc&) {  // then they do not meet
    }
    if (own.place) place.place = &own.place;
    all_gather(&place, own.places.data(), sizeof(place), stream);
    const detail::exec::rank_place first = own.places.front();
    if (first.place == nullptr) return false;
    for (const detail::exec::rank_place& other : own.places)
      if (other.process != first.process) return false;
    if (rank_ != 0) own.place = *first.place;
    const char is_open = is_open_to_others(place.device, sends, send_count) ? 1 : 0;
    all_gather(&is_open, own.are_open.data(), 1, stream);
    return std::find(own.are_open.begin(), own.are_open.end(), 0) == own.are_open.end();
  }

  /// Sends and receives messages without NCCL, by the GPUs' copy engines: NCCL's kernels take multiprocessors from
  /// other work. 2^29 bytes each way between two ranks take 1.41 ms, and 1.46 beside a copy on both GPUs. By exchange()
  /// they take 1.53 and 1.89 (2 H200, 2026-11-23).
  /// Requires: can_copy() was true for what is sent.
  void copy(const outgoing* sends, offset send_count, const incoming* receives, offset receive_count,
            cudaStream_t stream) const {
    detail::exec::meeting::shown& own = staging_->place->of(rank_);
    if (!own.keeper) own.keeper = staging_->keeper;
    detail::exec::exchange_in_process(*staging_->place, rank_, sends, send_count, receives, receive_count, stream);
    staging_->keeper = own.keeper;
  }

 private:
  static constexpr std::size_t most_gathered = detail::exec::nccl_staging::part_bytes;

  bool is_open_to_others(int device, const outgoing* sends, offset send_count) const {
    try {
      for (const detail::exec::rank_place& other : staging_->places) {
        if (other.device == device) continue;
        detail::exec::open_to(device, other.device);
        for (offset i = 0; i < send_count; ++i) {
          detail::exec::open_pool_of(sends[i].data, device, other.device);
          if (!detail::exec::is_open_to(other.device, sends[i].data)) return false;
        }
      }
      return true;
    } catch (...) {  // the others wait for the answer
      return false;
    }
  }

  static int class_of_size(offset bytes) {
    return bytes >> 24 != 0 ? 3 : bytes >> 20 != 0 ? 2 : bytes >> 16 != 0 ? 1 : 0;
  }

  /// Calls f(data, bytes) for pieces of a message until `code` is an error. Both sides cut a message alike.
  template <class Function>
  static void for_each_chunk(const void* data, offset bytes, ncclResult_t& code, const Function& f) {
    constexpr offset chunk = offset{1} << 30;
    for (offset done = 0; done < bytes && is_accepted(code); done += chunk)
      code = f(static_cast<const char*>(data) + done, static_cast<std::size_t>(detail::base::min(chunk, bytes - done)));
  }

  /// A communicator that does not block says of most calls that they are in progress.
  static bool is_accepted(ncclResult_t code) { return code == ncclSuccess || code == ncclInProgress; }

  void check_not_failed() const {
    if (staging_->has_failed())
      throw rank_error(rank_, "has failed in an earlier call: its ncclComm_t is of no more use");
  }
  void check(ncclResult_t code, const char* call) const {
    if (is_accepted(code)) return;
    if (staging_) staging_->set_failed();
    throw nccl_error(code, call, comm_);
  }
  void check_cuda(cudaError_t code, const char* call) const {
    if (code != cudaSuccess) staging_->set_failed();
    detail::exec::check_cuda(code, call);
  }

  /// Waits until a call has done its part on the host.
  void finish(ncclResult_t code, const char* call) const {
    check(code, call);
    while (code == ncclInProgress) {
      std::this_thread::yield();
      code = asynchronous_error();
      check(code, call);
    }
  }

  ncclResult_t asynchronous_error() const {
    ncclResult_t code = ncclSuccess;
    check(ncclCommGetAsyncError(comm_, &code), "ncclCommGetAsyncError");
    return code;
  }

  /// Waits for the stream, or for an error of NCCL that keeps it from ending.
  void wait(cudaStream_t stream) const {
    const detail::exec::apart_from_other_captures apart;
    cudaError_t state;
    while ((state = cudaStreamQuery(stream)) == cudaErrorNotReady) {
      if (cudaPeekAtLastError() == cudaErrorNotReady) cudaGetLastError();  // the caller's next check is not to find it
      check(asynchronous_error(), "a send, receive or gathering in the stream");
    }
    check_cuda(state, "cudaStreamQuery");
  }

  ncclComm_t comm_;
  int rank_ = 0, size_ = 0;
  std::shared_ptr<detail::exec::nccl_staging> staging_;
};

MGPU_NAMESPACE_END
