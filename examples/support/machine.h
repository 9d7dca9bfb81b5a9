// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What an example runs on: the GPU where it is compiled as CUDA, else all cores by OpenMP where there is OpenMP, else
// one thread. thrust::device_vector then lies in GPU memory or in host memory.
//   machine::par          mgpu's policy, synchronous
//   machine::thrust_par   Thrust's policy of the same machine
//   machine::is_gpu       whether it is one
//   machine::name()       what a user calls it

#include <mgpu/base/config.h>

#include <string>

namespace machine {
inline constexpr bool is_gpu = MGPU_CUDA_COMPILER == 1;
}  // namespace machine

#if MGPU_CUDA_COMPILER

#include <mgpu/par.h>

namespace machine {
inline constexpr const auto& par = mgpu::par;
inline constexpr const auto& thrust_par = thrust::cuda::par;

inline std::string name() {
  int device;
  cudaDeviceProp properties;
  const bool is_known =
      cudaGetDevice(&device) == cudaSuccess && cudaGetDeviceProperties(&properties, device) == cudaSuccess;
  return is_known ? properties.name : "an unknown GPU";
}
}  // namespace machine

#elif defined(MGPU_TEST_HAS_OMP)

#include <mgpu/omp.h>

#include <thrust/system/omp/execution_policy.h>

#include <omp.h>

namespace machine {
inline constexpr const auto& par = mgpu::omp::par;
inline constexpr const auto& thrust_par = thrust::omp::par;
inline std::string name() { return "CPU, " + std::to_string(omp_get_max_threads()) + " threads"; }
}  // namespace machine

#else

#include <mgpu/cpp.h>

#include <thrust/system/cpp/execution_policy.h>

namespace machine {
inline constexpr const auto& par = mgpu::cpp::par;
inline constexpr const auto& thrust_par = thrust::cpp::par;
inline std::string name() { return "CPU, 1 thread"; }
}  // namespace machine

#endif
