// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// More than 2^31 elements, and more than 2^32: positions across tiles are 64-bit. Everything is made and checked on the
// device.
#include "support/large.h"

#include <mgpu/merge.h>

#include <doctest/doctest.h>

#include <thrust/iterator/discard_iterator.h>

#include <algorithm>
#include <iterator>

namespace {

using namespace test;

/// The sizes of the two inputs.
struct sizes {
  offset a, b;
  MGPU_HOST_DEVICE constexpr offset all() const { return a + b; }
};
constexpr sizes beyond_2_31{(offset{1} << 30) + 4099, (offset{1} << 30) + 7 * 1024 * 1024 + 13};
constexpr sizes beyond_2_32{(offset{1} << 31) + 4099, (offset{1} << 31) + 7 * 1024 * 1024 + 13};
static_assert(beyond_2_31.all() > offset{1} << 31 && beyond_2_32.all() > offset{1} << 32);

/// The key at `i` of an ascending sequence of `size` keys, in runs for types that have fewer values.
template <class Key>
MGPU_HOST_DEVICE Key key_at(offset i, offset size, bool of_b) {
  return sizeof(Key) == 1 ? static_cast<Key>(i * 256 / size) : static_cast<Key>(2 * i + of_b);
}

/// Elements below each of the keys 0 to 255 of `size`: where a run of bytes begins.
MGPU_HOST_DEVICE offset first_of(int key, offset size) { return (key * size + 255) / 256; }

template <class Key>
__global__ void fill(Key* keys, offset size, bool of_b) {
  const offset step = offset{gridDim.x} * blockDim.x;
  for (offset i = offset{blockIdx.x} * blockDim.x + threadIdx.x; i < size; i += step) {
    keys[i] = key_at<Key>(i, size, of_b);
  }
}

__global__ void fill_values(std::uint32_t* values, offset size, offset first) {
  const offset step = offset{gridDim.x} * blockDim.x;
  for (offset i = offset{blockIdx.x} * blockDim.x + threadIdx.x; i < size; i += step) {
    values[i] = static_cast<std::uint32_t>(first + i);
  }
}

/// What stands at `i` of the merged sequence, by definition: for bytes the run, with a's part first; for words, the
/// keys of a are even and those of b odd.
struct element {
  bool of_b;
  offset place;  // in its input
};
template <class Key>
MGPU_DEVICE element merged_at(const sizes& n, offset i) {
  if constexpr (sizeof(Key) == 1) {
    int low = 0, high = 256;  // the run that i is in
    while (high - low > 1) {
      const int middle = (low + high) / 2;
      if (first_of(middle, n.a) + first_of(middle, n.b) <= i) low = middle;
      else high = middle;
    }
    const offset of_a = i - first_of(low, n.b);
    if (of_a < first_of(low + 1, n.a)) return {false, of_a};
    return {true, i - first_of(low + 1, n.a)};
  } else {
    if (i >= 2 * n.a) return {true, i - n.a};
    return {i % 2 == 1, i / 2};
  }
}

template <class Key>
__global__ void count_wrong_keys(sizes n, const Key* merged, unsigned long long* wrong) {
  const offset step = offset{gridDim.x} * blockDim.x;
  unsigned long long found = 0;
  for (offset i = offset{blockIdx.x} * blockDim.x + threadIdx.x; i < n.all(); i += step) {
    const element e = merged_at<Key>(n, i);
    found += merged[i] != key_at<Key>(e.place, e.of_b ? n.b : n.a, e.of_b);
  }
  if (found > 0) atomicAdd(wrong, found);
}

template <class Key>
__global__ void count_wrong_values(sizes n, const std::uint32_t* merged, unsigned long long* wrong) {
  const offset step = offset{gridDim.x} * blockDim.x;
  unsigned long long found = 0;
  for (offset i = offset{blockIdx.x} * blockDim.x + threadIdx.x; i < n.all(); i += step) {
    const element e = merged_at<Key>(n, i);
    found += merged[i] != static_cast<std::uint32_t>(e.place + (e.of_b ? n.a : 0));
  }
  if (found > 0) atomicAdd(wrong, found);
}

/// A guard behind the last element.
constexpr offset guard = 64;

template <class Key>
struct inputs {
  sizes n;
  room<Key> a{n.a}, b{n.b}, out{n.all() + guard};

  explicit inputs(const sizes& n) : n(n) {
    fill<<<blocks, threads>>>(a.data(), n.a, false);
    fill<<<blocks, threads>>>(b.data(), n.b, true);
    require_cuda(cudaMemset(out.data(), 0x5a, static_cast<std::size_t>(n.all() + guard) * sizeof(Key)));
  }
  Key* a_end() const { return a.data() + n.a; }
  Key* b_end() const { return b.data() + n.b; }
  Key* out_end() const { return out.data() + n.all(); }

  void check_keys() const {
    CHECK(wrong([&](auto* counter) { count_wrong_keys<<<blocks, threads>>>(n, out.data(), counter); }) == 0);
    unsigned char bytes[guard * sizeof(Key)];
    require_cuda(cudaMemcpy(bytes, out_end(), sizeof(bytes), cudaMemcpyDeviceToHost));
    CHECK(std::all_of(std::begin(bytes), std::end(bytes), [](unsigned char byte) { return byte == 0x5a; }));
  }
};

template <class Key>
void check_merge(const sizes& n) {
  if (!has_memory(static_cast<std::size_t>(n.all()) * sizeof(Key) * 5 / 2)) return;
  const inputs<Key> in(n);
  CHECK(mgpu::merge(mgpu::par, in.a.data(), in.a_end(), in.b.data(), in.b_end(), in.out.data()) == in.out_end());
  in.check_keys();
}

/// Values number the elements of both inputs, in 32 bits.
template <class Key>
void check_merge_by_key(const sizes& n) {
  if (!has_memory(static_cast<std::size_t>(n.all()) * (sizeof(Key) + sizeof(std::uint32_t)) * 5 / 2)) return;
  const inputs<Key> in(n);
  const room<std::uint32_t> a_values(n.a), b_values(n.b), values(n.all());
  fill_values<<<blocks, threads>>>(a_values.data(), n.a, 0);
  fill_values<<<blocks, threads>>>(b_values.data(), n.b, n.a);
  const auto check = [&](auto keys_out) {
    require_cuda(cudaMemset(values.data(), 0xff, static_cast<std::size_t>(n.all()) * sizeof(std::uint32_t)));
    const auto ends = mgpu::merge_by_key(mgpu::par, in.a.data(), in.a_end(), in.b.data(), in.b_end(), a_values.data(),
                                         b_values.data(), keys_out, values.data());
    CHECK(ends.first - keys_out == n.all());
    CHECK(ends.second == values.data() + n.all());
    CHECK(wrong([&](auto* counter) { count_wrong_values<Key><<<blocks, threads>>>(n, values.data(), counter); }) == 0);
  };
  check(in.out.data());
  in.check_keys();
  check(thrust::discard_iterator<>());
}

}  // namespace

TEST_SUITE_BEGIN("large");

TEST_CASE_TEMPLATE("merge of more than 2^31 keys", Key, std::uint8_t, std::uint32_t) { check_merge<Key>(beyond_2_31); }

TEST_CASE_TEMPLATE("merge of more than 2^32 keys", Key, std::uint8_t, std::uint64_t) { check_merge<Key>(beyond_2_32); }

TEST_CASE_TEMPLATE("merge_by_key of more than 2^31 pairs, with and without its keys", Key, std::uint8_t,
                   std::uint32_t) {
  check_merge_by_key<Key>(beyond_2_31);
}

TEST_CASE("merge_by_key of more than 2^32 pairs, with and without its keys") {
  check_merge_by_key<std::uint8_t>(beyond_2_32);
}

TEST_SUITE_END();
