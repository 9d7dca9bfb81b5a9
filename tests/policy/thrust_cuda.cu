// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Thrust's own algorithms with CUDA policies of ours: in the policy's stream, with its allocator.
#include "support/cuda.h"
#include "support/patterns.h"

#include <thrust/copy.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include <numeric>

namespace {

using namespace test;

constexpr int count = 300000;

struct is_even {
  MGPU_HOST_DEVICE bool operator()(int x) const { return x % 2 == 0; }
};
struct plus_one {
  MGPU_HOST_DEVICE int operator()(int x) const { return x + 1; }
};

/// Numbers in descending order that get where they are read in stream order, and late.
class late_numbers {
 public:
  explicit late_numbers(cudaStream_t s) : late_(numbers()), now_(std::vector<int>(count)) {
    require_cuda(cudaDeviceSynchronize());
    be_late<<<1, 1, 0, s>>>();
    require_cuda(cudaMemcpyAsync(now_.begin(), late_.begin(), count * sizeof(int), cudaMemcpyDeviceToDevice, s));
  }
  int* begin() const { return now_.begin(); }
  int* end() const { return now_.end(); }
  std::vector<int> read(cudaStream_t s) const {
    std::vector<int> result(count);
    require_cuda(cudaStreamSynchronize(s));
    cuda_executor::copy_out(result.data(), begin(), count * sizeof(int));
    return result;
  }
  static std::vector<int> numbers() {
    std::vector<int> x(count);
    std::iota(x.rbegin(), x.rend(), 0);
    return x;
  }

 private:
  input<cuda_executor, int> late_, now_;
};

template <class Policy>
void check_policy(const Policy& policy, cudaStream_t s, allocation_log* log = nullptr) {
  const std::vector<int> ascending = numbered_values<int>(0, count);
  {
    const late_numbers x(s);
    CHECK(thrust::reduce(policy, x.begin(), x.end(), std::int64_t{0}) == std::int64_t{count} * (count - 1) / 2);
  }
  {
    const late_numbers x(s);
    thrust::sort(policy, x.begin(), x.end());
    CHECK(x.read(s) == ascending);
  }
  {
    const late_numbers x(s);
    thrust::transform(policy, x.begin(), x.end(), x.begin(), plus_one{});
    auto expected = late_numbers::numbers();
    for (auto& y : expected) ++y;
    CHECK(x.read(s) == expected);
  }
  {
    const late_numbers x(s);
    const output<cuda_executor, int> even(count / 2);
    CHECK(thrust::copy_if(policy, x.begin(), x.end(), even.begin(), is_even{}) == even.end());
    require_cuda(cudaStreamSynchronize(s));
    std::vector<int> expected(count / 2);
    for (int i = 0; i < count / 2; ++i) expected[static_cast<std::size_t>(i)] = count - 2 - 2 * i;
    CHECK(even.first_difference(expected) == -1);
  }
  if (log != nullptr) {
    CHECK(log->allocations >= 3);  // reduce, sort, copy_if
    CHECK(log->is_balanced());
    *log = {};
  }
}

}  // namespace

TEST_CASE("reduce, sort, transform and copy_if of Thrust follow the policy's stream and allocator") {
  const stream s;
  allocation_log log;
  logging_allocator allocator{&log};
  check_policy(mgpu::par, cudaStreamLegacy);
  check_policy(mgpu::par_nosync, cudaStreamLegacy);
  check_policy(mgpu::par.on(s), s);
  check_policy(mgpu::par_nosync.on(s), s);
  check_policy(mgpu::par(allocator), cudaStreamLegacy, &log);
  check_policy(mgpu::par(allocator).on(s), s, &log);
  check_policy(mgpu::par_nosync(allocator).on(s), s, &log);
  check_policy(mgpu::wrap(thrust::cuda::par_nosync.on(s)), s);
  check_policy(mgpu::wrap(thrust::cuda::par(allocator).on(s)), s, &log);
}

TEST_CASE("transform of Thrust with par_nosync returns before completion") {
  const stream s;
  const input<cuda_executor, int> x(numbered_values<int>(0, count));
  const output<cuda_executor, int> out(count);
  thrust::transform(mgpu::par_nosync.on(s), x.begin(), x.end(), out.begin(), plus_one{});
  require_cuda(cudaDeviceSynchronize());
  gate g;
  g.hold(s);
  thrust::transform(mgpu::par_nosync.on(s), x.begin(), x.end(), out.begin(), plus_one{});
  CHECK_FALSE(g.passed());
  g.open();
  s.wait();
  CHECK(out.first_difference(numbered_values<int>(1, count)) == -1);
}
