// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/exec/cuda/capture.cuh>
#include <mgpu/exec/cuda/device_table.cuh>
#include <mgpu/exec/cuda/error.cuh>

#include MGPU_STD_MUTEX_HEADER

#include <cstdint>
#include <utility>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

/// The driver's cuPointerGetAttributes as <cuda.h> declares it, which would be a fortieth of all that nvcc reads for a
/// merge. Returns 0 if all went well.
using pointer_attributes_function = int(unsigned count, const int* attributes, void** results,
                                        unsigned long long address);
inline constexpr int memory_type_attribute = 2, buffer_id_attribute = 7;

/// The function, or null if the driver has none. The runtime looks it up, so that nobody must link the driver.
inline pointer_attributes_function* pointer_attributes() {
  static const auto function = [] {
    void* found = nullptr;
    cudaDriverEntryPointQueryResult result{};
    exec::check_cuda(MGPU_DRIVER_ENTRY_POINT("cuPointerGetAttributes", 7000, &found, &result),
                     "cudaGetDriverEntryPoint");
    return reinterpret_cast<pointer_attributes_function*>(found);
  }();
  return function;
}

/// A piece of pinned memory that shows whether its device was reset. cudaDeviceReset frees it with everything else of
/// the device. Only its address is used; it is never read. Another allocation at the same address is not mistaken for
/// it: each allocation has an ID that is unique "over a process lifetime" (CU_POINTER_ATTRIBUTE_BUFFER_ID).
/// cudaPointerGetAttributes does not give that ID. The context's ID (cuCtxGetId) does not serve: nothing says that a
/// reset changes it, nor what it is between the reset and the runtime's next call.
class reset_mark {
 public:
  reset_mark() {
    exec::check_cuda(cudaHostAlloc(&memory_, 1, cudaHostAllocPortable), "cudaHostAlloc");
    at_first_ = allocation();
  }
  bool is_there() const { return allocation() == at_first_; }

 private:
  using identity = std::pair<unsigned, unsigned long long>;  // kind of memory and ID; zeros where nothing is allocated

  identity allocation() const {
    identity result{};
    constexpr int attributes[] = {memory_type_attribute, buffer_id_attribute};
    void* results[] = {&result.first, &result.second};
    const auto ask = pointer_attributes();
    const bool answers = ask != nullptr && ask(2, attributes, results, reinterpret_cast<std::uintptr_t>(memory_)) == 0;
    return answers ? result : identity{};
  }

  void* memory_ = nullptr;
  identity at_first_;
};

/// The number of the current device's present life. cudaDeviceReset ends a life.
/// Requires: `device` is the current device.
inline int device_life(int device) {
  struct life {
    reset_mark mark;
    int number;
  };
  static auto& mutex = *new std::mutex;
  static auto& lives = *new device_table<life>;
  const std::lock_guard<std::mutex> lock(mutex);
  life* const found = lives.find(device);
  if (found != nullptr && found->mark.is_there()) return found->number;
  allow_setup_during_capture allowed;
  if (found == nullptr) return lives.add(device, {reset_mark(), 1})->number;
  // The thread may have had no CUDA context yet; the driver cannot answer without one.
  exec::check_cuda(cudaFree(nullptr), "cudaFree");
  if (!found->mark.is_there()) *found = {reset_mark(), found->number + 1};
  return found->number;
}

}  // namespace detail::exec
MGPU_NAMESPACE_END
