// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A kernel that may start early sees what the kernel before it has written last.
#include "blocks.h"

#include <mgpu/block/grid_dependency.cuh>

#include <doctest/doctest.h>

namespace {

using namespace mgpu::detail;
using namespace test;

constexpr int threads = 128, blocks = 40, count = threads * blocks;

/// Adds 1 to each number that lies at the other end of `in`, late.
__global__ void add_one(const int* in, int* out, bool lets_next_start) {
  const int i = static_cast<int>(blockIdx.x * threads + threadIdx.x);
  block::wait_for_last_kernel();
  const int x = in[count - 1 - i];
  if (lets_next_start) block::let_next_kernel_start();
  for (const long long begin = clock64(); clock64() - begin < 20'000 + 1000 * (i / threads % 7);) {
  }
  out[i] = x + 1;
}

/// Launches the kernel so that it may start before the last one has ended, where the device can do so.
void launch_early(const int* in, int* out, bool lets_next_start) {
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t how{};
  how.gridDim = blocks;
  how.blockDim = threads;
  how.attrs = &early;
  how.numAttrs = device_attribute(cudaDevAttrComputeCapabilityMajor) >= 9 ? 1 : 0;
  require_cuda(cudaLaunchKernelEx(&how, add_one, in, out, lets_next_start));
}

void check(bool lets_next_start) {
  constexpr int kernels = 200;
  const auto numbers = random_numbers<int>(count, 0, 1 << 20, 1);
  const input<cuda_executor, int> in(numbers);
  output<cuda_executor, int> one(count), other(count);
  const int* from = in.begin();
  for (int k = 0; k < kernels; ++k) {
    int* const to = k % 2 == 0 ? one.begin() : other.begin();
    launch_early(from, to, lets_next_start);
    from = to;
  }
  require_cuda(cudaDeviceSynchronize());
  std::vector<int> expected(numbers), before(numbers.rbegin(), numbers.rend());
  for (int& x : expected) x += kernels;
  for (int& x : before) x += kernels - 1;
  CHECK(other.first_difference(expected) == -1);
  CHECK(one.first_difference(before) == -1);
}

}  // namespace

TEST_CASE("a kernel waits for the one before it, also if that lets it start") {
  check(false);
  check(true);
}
