// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "skip.h"

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>

#ifdef MGPU_TEST_CUDA
#include <cuda_runtime_api.h>

static bool has_device() {
  int devices = 0;
  return cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
}
/// Who waits for the GPU leaves its core to other tests and to the compiler.
static bool can_block() { return cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync) == cudaSuccess; }
#else
static bool has_device() { return true; }
static bool can_block() { return true; }
#endif

int main(int argc, char** argv) {
  constexpr int skipped = 77;  // as CMakeLists.txt tells ctest
  doctest::Context context(argc, argv);
  if (!has_device()) {
    std::puts("skipped: no CUDA device");
    return skipped;
  }
  if (!can_block()) {
    std::puts("the CUDA device takes no flags");
    return 1;
  }
  const int result = context.run();
  return result == 0 && test::has_skipped_a_test ? skipped : result;
}
