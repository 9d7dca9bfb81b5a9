// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RMM's own policy, wrapped: its stream, its memory resource, no synchronisation. The same of its stream and its
// resource, without a policy.
#include <doctest/doctest.h>

#include <mgpu/merge.h>
#include <mgpu/par.h>
#include <mgpu/segmented_sort.h>

#include <rmm/cuda_stream.hpp>
#include <rmm/device_uvector.hpp>
#include <rmm/exec_policy.hpp>
#include <rmm/mr/cuda_async_memory_resource.hpp>
#include <rmm/mr/statistics_resource_adaptor.hpp>

#include <cuda/stream_ref>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace {

using device_ints = rmm::device_uvector<int>;

/// An array of a stream, with its contents.
device_ints copy_to_device(const std::vector<int>& from, const rmm::cuda_stream& stream,
                           rmm::device_async_resource_ref mr) {
  device_ints to(from.size(), stream, mr);
  const auto bytes = from.size() * sizeof(int);
  REQUIRE(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDefault, stream.value()) == cudaSuccess);
  return to;
}

std::vector<int> copy_to_host(const device_ints& from, const rmm::cuda_stream& stream) {
  std::vector<int> to(from.size());
  const auto bytes = from.size() * sizeof(int);
  REQUIRE(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDefault, stream.value()) == cudaSuccess);
  stream.synchronize();
  return to;
}

std::vector<int> every_second_from(int first, int count) {
  std::vector<int> result(count);
  for (int i = 0; i < count; ++i) result[i] = first + 2 * i;
  return result;
}

/// Merges with the policy of a stream and a memory resource, which `policy_of` makes.
template <class PolicyOf>
void check_merge_by_key(const PolicyOf& policy_of) {
  constexpr int count = 1 << 24;  // too many for a merge without scratch memory
  const rmm::cuda_stream stream;
  rmm::mr::statistics_resource_adaptor scratch{rmm::mr::cuda_async_memory_resource{}};
  rmm::mr::cuda_async_memory_resource memory;
  const device_ints a = copy_to_device(every_second_from(0, count), stream, memory);
  const device_ints b = copy_to_device(every_second_from(1, count), stream, memory);
  device_ints keys(2 * count, stream, memory), values(2 * count, stream, memory);

  mgpu::merge_by_key(policy_of(cuda::stream_ref(stream), scratch), a.begin(), a.end(), b.begin(), b.end(), a.begin(),
                     b.begin(), keys.begin(), values.begin());

  std::vector<int> expected(2 * count);
  std::iota(expected.begin(), expected.end(), 0);
  CHECK(copy_to_host(keys, stream) == expected);
  CHECK(copy_to_host(values, stream) == expected);
  CHECK(scratch.get_allocations_counter().total > 0);
  CHECK(scratch.get_allocations_counter().value == 0);
}

}  // namespace

TEST_CASE("merge_by_key with rmm::exec_policy_nosync takes its scratch memory from RMM's resource") {
  check_merge_by_key(
      [](cuda::stream_ref stream, auto& resource) { return mgpu::wrap(rmm::exec_policy_nosync(stream, resource)); });
}

TEST_CASE("merge_by_key with a stream and a resource of RMM") {
  check_merge_by_key([](cuda::stream_ref stream, auto& resource) { return mgpu::wrap(stream, resource); });
}

TEST_CASE("segmented_sort with rmm::exec_policy takes its scratch memory from RMM's resource") {
  constexpr int count = 1 << 20;
  const rmm::cuda_stream stream;
  rmm::mr::statistics_resource_adaptor scratch{rmm::mr::cuda_async_memory_resource{}};
  rmm::mr::cuda_async_memory_resource memory;
  const std::vector<int> heads{0, 1, 1000, 70000, count - 5};
  std::vector<int> expected(count);
  for (int i = 0; i < count; ++i) expected[i] = static_cast<int>(i * 2654435761u >> 8);
  const device_ints segments = copy_to_device(heads, stream, memory);
  device_ints keys = copy_to_device(expected, stream, memory);

  mgpu::segmented_sort(mgpu::wrap(rmm::exec_policy(stream, scratch)), keys.begin(), keys.end(),
                       mgpu::segment_heads(segments.begin(), segments.end()));

  for (std::size_t i = 0; i < heads.size(); ++i) {
    std::sort(expected.begin() + heads[i], i + 1 < heads.size() ? expected.begin() + heads[i + 1] : expected.end());
  }
  CHECK(copy_to_host(keys, stream) == expected);
  CHECK(scratch.get_allocations_counter().total > 0);
  CHECK(scratch.get_allocations_counter().value == 0);
}
