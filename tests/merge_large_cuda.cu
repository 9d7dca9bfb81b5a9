// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// More than 2^31 elements: positions across tiles are 64-bit. Everything is made and checked on the device.
#include "support/large.h"

#include <mgpu/merge.h>

#include <doctest/doctest.h>

#include <thrust/iterator/discard_iterator.h>

namespace {

using namespace test;

constexpr offset a_count = (offset{1} << 30) + 4099;
constexpr offset b_count = (offset{1} << 30) + 7 * 1024 * 1024 + 13;
constexpr offset count = a_count + b_count;
static_assert(count > offset{1} << 31);

/// The key at `i` of an ascending sequence of `size` keys, in runs for types that have fewer values.
template <class Key>
MGPU_HOST_DEVICE Key key_at(offset i, offset size) {
  return sizeof(Key) == 1 ? static_cast<Key>(i * 256 / size) : static_cast<Key>(2 * i + (size == b_count));
}

/// Elements below each of the keys 0 to 255 of `size`: where a run of bytes begins.
MGPU_HOST_DEVICE offset first_of(int key, offset size) { return (key * size + 255) / 256; }

template <class Key>
__global__ void fill(Key* keys, offset size) {
  const offset step = offset{gridDim.x} * blockDim.x;
  for (offset i = offset{blockIdx.x} * blockDim.x + threadIdx.x; i < size; i += step) keys[i] = key_at<Key>(i, size);
}

__global__ void fill_values(std::uint32_t* values, offset size, std::uint32_t first) {
  const offset step = offset{gridDim.x} * blockDim.x;
  for (offset i = offset{blockIdx.x} * blockDim.x + threadIdx.x; i < size; i += step) {
    values[i] = first + static_cast<std::uint32_t>(i);
  }
}

/// What stands at `i` of the merged sequence, by definition: for bytes the run, with a's part first; for words, the
/// keys of a are even and those of b odd.
struct element {
  bool of_b;
  offset place;  // in its input
};
template <class Key>
MGPU_DEVICE element merged_at(offset i) {
  if constexpr (sizeof(Key) == 1) {
    int low = 0, high = 256;  // the run that i is in
    while (high - low > 1) {
      const int middle = (low + high) / 2;
      if (first_of(middle, a_count) + first_of(middle, b_count) <= i) low = middle;
      else high = middle;
    }
    const offset of_a = i - first_of(low, b_count);
    if (of_a < first_of(low + 1, a_count)) return {false, of_a};
    return {true, i - first_of(low + 1, a_count)};
  } else {
    if (i >= 2 * a_count) return {true, i - a_count};
    return {i % 2 == 1, i / 2};
  }
}

template <class Key>
__global__ void count_wrong_keys(const Key* merged, unsigned long long* wrong) {
  const offset step = offset{gridDim.x} * blockDim.x;
  unsigned long long found = 0;
  for (offset i = offset{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) {
    const element e = merged_at<Key>(i);
    found += merged[i] != key_at<Key>(e.place, e.of_b ? b_count : a_count);
  }
  if (found > 0) atomicAdd(wrong, found);
}

template <class Key>
__global__ void count_wrong_values(const std::uint32_t* merged, std::uint32_t first_of_b, unsigned long long* wrong) {
  const offset step = offset{gridDim.x} * blockDim.x;
  unsigned long long found = 0;
  for (offset i = offset{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) {
    const element e = merged_at<Key>(i);
    found += merged[i] != static_cast<std::uint32_t>(e.place) + (e.of_b ? first_of_b : 0);
  }
  if (found > 0) atomicAdd(wrong, found);
}

/// A guard behind the last element.
constexpr offset guard = 64;

template <class Key>
struct inputs {
  room<Key> a{a_count}, b{b_count}, out{count + guard};
  inputs() {
    fill<<<blocks, threads>>>(a.data(), a_count);
    fill<<<blocks, threads>>>(b.data(), b_count);
    require_cuda(cudaMemset(out.data(), 0x5a, static_cast<std::size_t>(count + guard) * sizeof(Key)));
  }
  bool is_guard_whole() const {
    unsigned char bytes[guard * sizeof(Key)];
    require_cuda(cudaMemcpy(bytes, out.data() + count, sizeof(bytes), cudaMemcpyDeviceToHost));
    for (const auto byte : bytes) {
      if (byte != 0x5a) return false;
    }
    return true;
  }
};

}  // namespace

TEST_SUITE_BEGIN("large");

TEST_CASE_TEMPLATE("merge of more than 2^31 keys", Key, std::uint8_t, std::uint32_t) {
  if (!has_memory(sizeof(Key) * 5 << 30)) return;
  const inputs<Key> in;
  const Key* const end =
      mgpu::merge(mgpu::par, in.a.data(), in.a.data() + a_count, in.b.data(), in.b.data() + b_count, in.out.data());
  CHECK(end == in.out.data() + count);
  CHECK(wrong([&](auto* counter) { count_wrong_keys<<<blocks, threads>>>(in.out.data(), counter); }) == 0);
  CHECK(in.is_guard_whole());
}

TEST_CASE_TEMPLATE("merge_by_key of more than 2^31 pairs, with and without its keys", Key, std::uint8_t,
                   std::uint32_t) {
  if (!has_memory((sizeof(Key) + sizeof(std::uint32_t)) * 5 << 30)) return;
  constexpr std::uint32_t first_of_b = 1u << 31;
  const inputs<Key> in;
  const room<std::uint32_t> a_values(a_count), b_values(b_count), values(count);
  fill_values<<<blocks, threads>>>(a_values.data(), a_count, 0);
  fill_values<<<blocks, threads>>>(b_values.data(), b_count, first_of_b);
  const auto wrong_values = [&] {
    return wrong(
        [&](auto* counter) { count_wrong_values<Key><<<blocks, threads>>>(values.data(), first_of_b, counter); });
  };

  require_cuda(cudaMemset(values.data(), 0xff, static_cast<std::size_t>(count) * sizeof(std::uint32_t)));
  const auto ends =
      mgpu::merge_by_key(mgpu::par, in.a.data(), in.a.data() + a_count, in.b.data(), in.b.data() + b_count,
                         a_values.data(), b_values.data(), in.out.data(), values.data());
  CHECK(ends.first == in.out.data() + count);
  CHECK(ends.second == values.data() + count);
  CHECK(wrong([&](auto* counter) { count_wrong_keys<<<blocks, threads>>>(in.out.data(), counter); }) == 0);
  CHECK(wrong_values() == 0);
  CHECK(in.is_guard_whole());

  require_cuda(cudaMemset(values.data(), 0xff, static_cast<std::size_t>(count) * sizeof(std::uint32_t)));
  const thrust::discard_iterator<> nowhere;
  const auto discarded =
      mgpu::merge_by_key(mgpu::par, in.a.data(), in.a.data() + a_count, in.b.data(), in.b.data() + b_count,
                         a_values.data(), b_values.data(), nowhere, values.data());
  CHECK(discarded.first - nowhere == count);
  CHECK(discarded.second == values.data() + count);
  CHECK(wrong_values() == 0);
}

TEST_SUITE_END();
