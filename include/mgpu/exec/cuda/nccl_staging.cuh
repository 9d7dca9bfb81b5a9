// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What mgpu::nccl_communicator has beside the ncclComm_t.

#include <mgpu/exec/distributed/meeting.h>
#include <mgpu/exec/cuda/capture.cuh>
#include <mgpu/exec/cuda/error.cuh>
#include <mgpu/exec/cuda/per_device.cuh>

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <random>
#include <utility>
#include <vector>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

/// A number that no other process has.
inline std::uint64_t number_of_process() {
  static const std::uint64_t number = [] {
    std::random_device random;
    return std::uint64_t{random()} << 32 | random();
  }();
  return number;
}

/// Where ranks of one process may meet.
struct rank_place {
  std::uint64_t process;
  const std::shared_ptr<meeting>* place;  // null if there was no memory for it
  int device;
};

/// What a communicator works with: pinned memory of the host, and a stream in which ranks gather.
struct nccl_room {
  char* host = nullptr;  // [bytes]
  std::size_t bytes = 0;
  cudaStream_t stream = nullptr;
};

/// The rooms of a device that nobody uses. They are never given back to CUDA: to free pinned memory waits for all
/// devices, and the kernels there may wait for messages of the rank that frees it.
class nccl_rooms {
 public:
  nccl_room take(std::size_t bytes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (nccl_room& room : free_) {
      if (room.bytes != bytes) continue;
      std::swap(room, free_.back());
      const nccl_room result = free_.back();
      free_.pop_back();
      return result;
    }
    free_.reserve(++all_);
    return made(bytes);
  }
  void give_back(const nccl_room& room) {
    const std::lock_guard<std::mutex> lock(mutex_);
    free_.push_back(room);  // no allocation: take() has reserved a place
  }

  /// Those of the current device. The rooms of a device that was reset are gone.
  static nccl_rooms& current() {
    static auto& all = *new per_device<nccl_rooms*>;
    return *all.get([](int) { return new nccl_rooms; }, [](const nccl_rooms*) { return true; });
  }

 private:
  static nccl_room made(std::size_t bytes) {
    const apart_from_other_captures apart;
    nccl_room room;
    room.bytes = bytes;
    int lowest = 0, highest = 0;
    exec::check_cuda(cudaDeviceGetStreamPriorityRange(&lowest, &highest), "cudaDeviceGetStreamPriorityRange");
    exec::check_cuda(cudaStreamCreateWithPriority(&room.stream, cudaStreamNonBlocking, highest),
                     "cudaStreamCreateWithPriority");
    void* host = nullptr;
    const cudaError_t code = cudaHostAlloc(&host, bytes, cudaHostAllocPortable);
    if (code != cudaSuccess) cudaStreamDestroy(room.stream);
    exec::check_cuda(code, "cudaHostAlloc");
    room.host = static_cast<char*>(host);
    return room;
  }

  std::mutex mutex_;
  std::vector<nccl_room> free_;
  std::size_t all_ = 0;
};

/// What the handles of a rank share. After a failure nobody else gets its room: NCCL may still use it.
class nccl_staging {
 public:
  nccl_staging(int ranks, int rank)
      : places(static_cast<std::size_t>(ranks)),
        are_open(static_cast<std::size_t>(ranks)),
        rank_(rank),
        rooms_(nccl_rooms::current()),
        room_(rooms_.take(static_cast<std::size_t>(ranks + 1) * part_bytes)) {}
  ~nccl_staging() {
    if (place) place->give_up(rank_);
    if (!has_failed_) rooms_.give_back(room_);
  }
  nccl_staging(const nccl_staging&) = delete;
  nccl_staging& operator=(const nccl_staging&) = delete;

  static constexpr std::size_t part_bytes = 1024;  // of each rank in one step; this rank's part comes first
  char* host() const { return room_.host; }
  std::size_t bytes() const { return room_.bytes; }
  cudaStream_t stream() const { return room_.stream; }
  bool has_failed() const { return has_failed_; }
  void set_failed() {
    has_failed_ = true;
    if (place) place->give_up(rank_);
  }

  std::shared_ptr<meeting> place;  // of ranks that copy between their GPUs
  std::shared_ptr<void> keeper;    // what this rank has for it
  std::vector<rank_place> places;  // [ranks]
  std::vector<char> are_open;      // [ranks]

 private:
  int rank_;
  nccl_rooms& rooms_;
  nccl_room room_;
  bool has_failed_ = false;
};

}  // namespace detail::exec

MGPU_NAMESPACE_END
