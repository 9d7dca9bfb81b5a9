// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Errors of the caller's own CUDA calls that nobody has read, and calls that no graph can have.
#include "support/cuda.h"

#include <mgpu/interval.h>
#include <mgpu/join.h>
#include <mgpu/merge_runs.h>
#include <mgpu/set_operations.h>
#include <mgpu/sort.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace {

using namespace test;

struct arrays {
  input<cuda_executor, int> a{{1, 3, 5, 7}}, b{{2, 3, 6}}, counts{{2, 0, 1, 1}};
  input<cuda_executor, offset> run_offsets{{0, 2, 3, 4}};
  output<cuda_executor, int> out{7}, in_place{4};
  output<cuda_executor, offset> rows{7};
};

/// Calls that use no CUB.
template <class Policy>
void make_calls(const Policy& p, const arrays& x) {
  const auto *a = x.a.begin(), *a_end = x.a.end(), *b = x.b.begin(), *b_end = x.b.end();
  auto* const out = x.out.begin();
  mgpu::merge(p, a, a_end, b, b_end, out);
  CHECK(mgpu::set_union(p, a, a_end, b, b_end, out) == out + 6);
  CHECK(mgpu::set_difference(p, a, a_end, b, b_end, out) == out + 3);
  CHECK(mgpu::set_intersection_size(p, a, a_end, b, b_end) == 1);
  mgpu::merge_runs(p, a, a_end, mgpu::run_offsets(x.run_offsets.begin(), offset{3}), out);
  CHECK(mgpu::inner_join_size(p, a, a_end, b, b_end) == 1);
  mgpu::stable_sort(p, x.in_place.begin(), x.in_place.end());
}

/// A last error that is none of the library's.
cudaError_t leave_error() {
  void* memory = nullptr;
  return cudaMalloc(&memory, ~std::size_t{0} >> 1);
}

}  // namespace

TEST_CASE("an error that the caller has left is taken for no error of the library, and stays with its policies") {
  const arrays x;
  const test::stream s;
  allocation_log log;
  const logging_allocator memory{&log};
  const auto check = [&](const auto& policy, bool is_own) {
    make_calls(policy, x);  // what is set up once
    REQUIRE(leave_error() == cudaErrorMemoryAllocation);
    make_calls(policy, x);
    const cudaError_t left = cudaGetLastError();
    if (is_own) CHECK(left == cudaErrorMemoryAllocation);  // Thrust clears it when it gives memory back
    s.wait();
  };
  check(mgpu::par, true);
  check(mgpu::par.on(s), true);
  check(mgpu::par_nosync.on(s), true);
  check(mgpu::par(memory).on(s), true);
  check(mgpu::wrap(thrust::cuda::par), false);
  check(mgpu::wrap(thrust::cuda::par.on(s)), false);
  check(mgpu::wrap(thrust::cuda::par_nosync.on(s)), false);
  check(mgpu::wrap(thrust::cuda::par(memory).on(s)), false);
  CHECK(log.is_balanced());
}

TEST_CASE("a call that uses CUB throws an error that the caller has left, under its name") {
  const arrays x;
  const mgpu::interval_counts counts(x.counts.begin(), x.counts.end());
  REQUIRE(leave_error() == cudaErrorMemoryAllocation);
  try {
    mgpu::interval_expand(mgpu::par, counts, x.a.begin(), x.out.begin());
    FAIL("CUB has not seen it");
  } catch (const mgpu::cuda_error& error) {
    CHECK(error.code() == cudaErrorMemoryAllocation);
    CHECK(std::string(error.what()).find("whose error nobody has read") != std::string::npos);
  }
  CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
  mgpu::interval_expand(mgpu::par, counts, x.a.begin(), x.out.begin());
}

TEST_CASE("a call that returns a size throws in a captured stream, and the capture goes on") {
  const arrays x;
  const test::stream s;
  const auto *a = x.a.begin(), *a_end = x.a.end(), *b = x.b.begin(), *b_end = x.b.end();
  const auto throws = [&](const auto& call) {
    try {
      call(mgpu::par_nosync.on(s));
      FAIL("a graph has no size");
    } catch (const mgpu::cuda_error& error) {
      CHECK(error.code() == cudaErrorStreamCaptureUnsupported);
    }
  };
  const graph captured(s, [&] {
    throws([&](const auto& p) { mgpu::set_union(p, a, a_end, b, b_end, x.out.begin()); });
    throws([&](const auto& p) { mgpu::set_union_size(p, a, a_end, b, b_end); });
    throws([&](const auto& p) { mgpu::inner_join(p, a, a_end, b, b_end, x.rows.begin(), x.rows.begin()); });
    throws([&](const auto& p) { mgpu::inner_join_size(p, a, a_end, b, b_end); });
    mgpu::merge(mgpu::par_nosync.on(s), a, a_end, b, b_end, x.out.begin());
  });
  captured.launch(s);
  s.wait();
  CHECK(x.out.first_difference({1, 2, 3, 3, 5, 6, 7}) == -1);
}
