// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Ranks that talk through NCCL, 2.18 or newer, for mgpu::distributed with CUDA's policies. The only header that
// includes <nccl.h>; a program links libnccl (the CMake target mgpu::nccl).
//
//   const auto everywhere = mgpu::distributed(mgpu::par.on(stream), mgpu::nccl_communicator(comm));

#include <mgpu/base/math.h>
#include <mgpu/exec/distributed/communicator.h>
#include <mgpu/exec/cuda/error.cuh>

#include <cuda_runtime_api.h>
#include <nccl.h>

#include <cstddef>
#include <cstring>
#include <memory>
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

namespace exec {

/// Memory through which ranks gather what lies in memory of the host. After a failure it is not given back: NCCL may
/// still use it, and to free it would wait for messages that never come.
class nccl_staging {
 public:
  explicit nccl_staging(int ranks) {
    const auto bytes = static_cast<std::size_t>(ranks + 1) * part_bytes;
    exec::check_cuda(cudaHostAlloc(&host_, bytes, cudaHostAllocPortable), "cudaHostAlloc");
    const cudaError_t code = cudaMalloc(&device_, bytes);
    if (code != cudaSuccess) cudaFreeHost(host_);
    exec::check_cuda(code, "cudaMalloc");
  }
  ~nccl_staging() {
    if (has_failed_) return;
    cudaFreeHost(host_);
    cudaFree(device_);
  }
  nccl_staging(const nccl_staging&) = delete;
  nccl_staging& operator=(const nccl_staging&) = delete;

  static constexpr std::size_t part_bytes = 1024;  // of each rank in one step; this rank's part comes first
  char* host() const { return static_cast<char*>(host_); }
  char* device() const { return static_cast<char*>(device_); }
  void set_failed() { has_failed_ = true; }

 private:
  void* host_ = nullptr;
  void* device_ = nullptr;
  bool has_failed_ = false;
};

}  // namespace exec

/// A rank of an ncclComm_t, which it borrows: the caller made it and destroys it, after the last call. A handle: copies
/// are the same rank.
/// Requires: the communicator's device is current, here and in each call; one thread at a time makes calls with `comm`.
///   `comm` may be one of ncclCommInitRankConfig that does not block.
/// Memory: 1 KiB for each rank, on the device and on the host.
/// Throws: nccl_error, at once or in the next call that waits; mgpu::cuda_error; std::bad_alloc. After an nccl_error or
///   mgpu::cuda_error of a call other ranks may wait for this one, however long: the owner of the communicator calls
///   ncclCommAbort, on each rank. The promise that no rank hangs does not reach so far. The memory is then not freed.
class nccl_communicator {
 public:
  /// Borrows `comm`. Waits until it is initialized.
  explicit nccl_communicator(ncclComm_t comm) : comm_(comm) {
    finish(asynchronous_error(), "the initialization of the communicator");
    check(ncclCommUserRank(comm, &rank_), "ncclCommUserRank");
    check(ncclCommCount(comm, &size_), "ncclCommCount");
    staging_ = std::make_shared<exec::nccl_staging>(size_);
  }

  /// The number of this rank.
  int rank() const { return rank_; }
  /// The number of ranks.
  int size() const { return size_; }

  /// Gathers `bytes` bytes of each rank, in memory of the host. Waits for the stream.
  void all_gather(const void* from, void* to, offset bytes, cudaStream_t stream) const {
    constexpr std::size_t most = exec::nccl_staging::part_bytes;
    const auto all = static_cast<std::size_t>(bytes);
    for (std::size_t done = 0; done < all; done += most) {
      const std::size_t part = all - done < most ? all - done : most;
      char* const host = staging_->host();
      char* const device = staging_->device();
      std::memcpy(host, static_cast<const char*>(from) + done, part);
      check_cuda(cudaMemcpyAsync(device, host, part, cudaMemcpyHostToDevice, stream), "cudaMemcpyAsync");
      finish(ncclAllGather(device, device + most, part, ncclUint8, comm_, stream), "ncclAllGather");
      const auto size = static_cast<std::size_t>(size_);
      check_cuda(cudaMemcpyAsync(host + most, device + most, size * part, cudaMemcpyDeviceToHost, stream),
                 "cudaMemcpyAsync");
      wait(stream);
      for (std::size_t r = 0; r < size; ++r)
        std::memcpy(static_cast<char*>(to) + r * all + done, host + most + r * part, part);
    }
  }

  /// Sends and receives messages as one group. Returns when it is in the stream.
  void exchange(const outgoing* sends, offset send_count, const incoming* receives, offset receive_count,
                cudaStream_t stream) const {
    finish(ncclGroupStart(), "ncclGroupStart");
    ncclResult_t code = ncclSuccess;
    for (offset i = 0; i < send_count; ++i)
      for_each_chunk(sends[i].data, sends[i].bytes, code, [&](const char* data, std::size_t bytes) {
        return ncclSend(data, bytes, ncclUint8, sends[i].to, comm_, stream);
      });
    for (offset i = 0; i < receive_count; ++i)
      for_each_chunk(receives[i].data, receives[i].bytes, code, [&](const char* data, std::size_t bytes) {
        return ncclRecv(const_cast<char*>(data), bytes, ncclUint8, receives[i].from, comm_, stream);
      });
    const ncclResult_t ended = ncclGroupEnd();  // also after an error: groups are the thread's
    check(code, "ncclSend or ncclRecv");
    finish(ended, "ncclGroupEnd");
  }

 private:
  /// Calls f(data, bytes) for pieces of a message until `code` is an error. Both sides cut a message alike.
  template <class Function>
  static void for_each_chunk(const void* data, offset bytes, ncclResult_t& code, const Function& f) {
    constexpr offset chunk = offset{1} << 30;
    for (offset done = 0; done < bytes && is_accepted(code); done += chunk)
      code = f(static_cast<const char*>(data) + done, static_cast<std::size_t>(base::min(chunk, bytes - done)));
  }

  /// A communicator that does not block says of most calls that they are in progress.
  static bool is_accepted(ncclResult_t code) { return code == ncclSuccess || code == ncclInProgress; }

  void check(ncclResult_t code, const char* call) const {
    if (is_accepted(code)) return;
    if (staging_) staging_->set_failed();
    throw nccl_error(code, call, comm_);
  }
  void check_cuda(cudaError_t code, const char* call) const {
    if (code != cudaSuccess) staging_->set_failed();
    exec::check_cuda(code, call);
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
    cudaError_t state;
    while ((state = cudaStreamQuery(stream)) == cudaErrorNotReady)
      check(asynchronous_error(), "a send, receive or gathering in the stream");
    check_cuda(state, "cudaStreamQuery");
    if (cudaPeekAtLastError() == cudaErrorNotReady) cudaGetLastError();  // the caller's next check is not to find it
  }

  ncclComm_t comm_;
  int rank_ = 0, size_ = 0;
  std::shared_ptr<exec::nccl_staging> staging_;
};

MGPU_NAMESPACE_END
