// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Set operations of inputs whose sizes add up to about 2^31 and 2^32, and runs of equal keys beyond every tile.
// Everything is made and checked on the device.
#include "support/large.h"
#include "support/set_operations.h"

#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cstdint>
#include <vector>

namespace {

using namespace test;
using key = std::uint8_t;

constexpr offset two_31 = offset{1} << 31, two_32 = offset{1} << 32;
constexpr int key_count = 256;

/// Where the run of each key begins in the two inputs and in the result of an operation.
struct run_begins {
  offset a[key_count + 1], b[key_count + 1], result[key_count + 1];
};

/// Runs of very different lengths, some of them empty, that make up `count` elements.
void divide_into_runs(offset count, int side, offset* begins) {
  const auto weight = [side](int k) {
    return k % 7 == 3 * side ? 0 : k % 11 == 5 ? 1 : (k * 7919 + side * 104729) % 100000;
  };
  offset all = 0, before = 0;
  for (int k = 0; k < key_count; ++k) all += weight(k);
  for (int k = 0; k < key_count; ++k) {
    begins[k] =
        static_cast<offset>(static_cast<double>(count) * static_cast<double>(before) / static_cast<double>(all));
    before += weight(k);
  }
  begins[key_count] = count;
}

template <class Tag>
run_begins runs_of(offset a_count, offset b_count) {
  run_begins runs;
  divide_into_runs(a_count, 0, runs.a);
  divide_into_runs(b_count, 1, runs.b);
  runs.result[0] = 0;
  for (int k = 0; k < key_count; ++k) {
    const offset of_a = runs.a[k + 1] - runs.a[k], of_b = runs.b[k + 1] - runs.b[k], pairs = std::min(of_a, of_b);
    runs.result[k + 1] =
        runs.result[k] + Tag::emits_pairs * pairs + Tag::emits_a * (of_a - pairs) + Tag::emits_b * (of_b - pairs);
  }
  return runs;
}

/// The key whose run position `i` is in.
MGPU_DEVICE int run_at(const offset* begins, offset i) {
  int low = 0, high = key_count;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (begins[middle] <= i) low = middle;
    else high = middle;
  }
  return low;
}

__global__ void fill(key* keys, offset count, const offset* begins) {
  const offset step = offset{gridDim.x} * blockDim.x;
  for (offset i = offset{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) {
    keys[i] = static_cast<key>(run_at(begins, i));
  }
}

template <class T>
__global__ void fill_with(T* x, offset count, T value) {
  const offset step = offset{gridDim.x} * blockDim.x;
  for (offset i = offset{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) x[i] = value;
}

/// The number of the element at `i` of the result, those of b from `first_of_b` on, by definition.
template <class Tag>
MGPU_DEVICE offset number_at(const run_begins& runs, int k, offset i, offset first_of_b) {
  const offset of_a = runs.a[k + 1] - runs.a[k], of_b = runs.b[k + 1] - runs.b[k];
  const offset in_run = i - runs.result[k];
  bool is_of_b;
  offset rank;
  if (Tag::emits_pairs) {  // a's elements first
    is_of_b = Tag::emits_a && in_run >= of_a;
    rank = in_run;
  } else {  // the last ones of the longer run
    is_of_b = of_b > of_a;
    rank = in_run + (is_of_b ? of_a : of_b);
  }
  return is_of_b ? first_of_b + runs.b[k] + rank : runs.a[k] + rank;
}

template <class Tag>
__global__ void count_wrong(const key* keys, const std::uint32_t* values, offset first_of_b, const run_begins* runs,
                            unsigned long long* wrong) {
  const offset count = runs->result[key_count], step = offset{gridDim.x} * blockDim.x;
  unsigned long long found = 0;
  for (offset i = offset{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) {
    const int k = run_at(runs->result, i);
    if (keys != nullptr) found += keys[i] != k;
    if (values != nullptr) found += values[i] != static_cast<std::uint32_t>(number_at<Tag>(*runs, k, i, first_of_b));
  }
  if (found > 0) atomicAdd(wrong, found);
}

/// Bytes behind the result that must not change.
constexpr offset guard = 64;

template <class Operation>
struct byte_runs {
  using tag = typename Operation::tag;
  offset a_count, b_count;
  run_begins runs = runs_of<tag>(a_count, b_count);
  room<run_begins> on_device{1};
  room<key> a{a_count}, b{b_count};

  byte_runs(offset of_a, offset of_b) : a_count(of_a), b_count(of_b) {
    require_cuda(cudaMemcpy(on_device.data(), &runs, sizeof(runs), cudaMemcpyHostToDevice));
    fill<<<blocks, threads>>>(a.data(), a_count, on_device.data()->a);
    fill<<<blocks, threads>>>(b.data(), b_count, on_device.data()->b);
    require_cuda(cudaDeviceSynchronize());
  }
  offset size() const { return runs.result[key_count]; }
  unsigned long long wrong_elements(const key* keys, const std::uint32_t* values = nullptr,
                                    offset first_of_b = 0) const {
    return wrong([&](auto* counter) {
      count_wrong<tag><<<blocks, threads>>>(keys, values, first_of_b, on_device.data(), counter);
    });
  }
};

bool is_filled(const key* x, int byte) {
  unsigned char bytes[guard];
  require_cuda(cudaMemcpy(bytes, x, sizeof(bytes), cudaMemcpyDeviceToHost));
  for (const auto found : bytes) {
    if (found != byte) return false;
  }
  return true;
}

template <class Operation>
void check_keys(offset total) {
  INFO(Operation::name, ", ", total, " elements");
  const byte_runs<Operation> in(total / 2 - 12345, total - (total / 2 - 12345));
  const room<key> out(in.size() + guard);
  require_cuda(cudaMemset(out.data(), 0x5a, static_cast<std::size_t>(in.size() + guard)));
  const key *const a = in.a.data(), *const b = in.b.data();
  const key* const end = Operation::keys(mgpu::par, a, a + in.a_count, b, b + in.b_count, out.data());
  CHECK(end - out.data() == in.size());
  CHECK(in.wrong_elements(out.data()) == 0);
  CHECK(is_filled(out.data() + in.size(), 0x5a));
  CHECK(Operation::size(mgpu::par, a, a + in.a_count, b, b + in.b_count) == in.size());
}

struct times {
  offset factor;
  MGPU_HOST_DEVICE offset operator()(offset x) const { return factor * x; }
};

auto multiples(offset factor) {
  return thrust::make_transform_iterator(thrust::counting_iterator<offset>(0), times{factor});
}

/// The number of elements of a device range that are not `value`.
template <class T>
__global__ void count_others(const T* x, offset count, T value, unsigned long long* wrong) {
  const offset step = offset{gridDim.x} * blockDim.x;
  unsigned long long found = 0;
  for (offset i = offset{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) found += x[i] != value;
  if (found > 0) atomicAdd(wrong, found);
}

}  // namespace

TEST_SUITE_BEGIN("large");

TEST_CASE_TEMPLATE("keys of one byte whose runs cross many tiles, about 2^31 and 2^32 in all", Operation, op::set_union,
                   op::set_intersection, op::set_difference, op::set_symmetric_difference) {
  if (!has_memory(std::size_t{9} << 30)) return;
  for (const offset total : {two_31 - 1, two_31, two_31 + 1, two_32 - 1, two_32 + 1}) check_keys<Operation>(total);
}

TEST_CASE("a size of the result around 2^31 and 2^32, to the host and to the device") {
  const thrust::counting_iterator<offset> numbers(0);
  const room<offset> size(1);
  const auto nowhere = thrust::make_discard_iterator();
  for (const offset count : {two_31 - 1, two_31, two_31 + 1, two_32 - 1, two_32 + 1}) {
    // a and b overlap in all but the first element of one and the last of the other.
    INFO(count, " elements in the union");
    const offset each = count - 1;
    CHECK(mgpu::set_union_size(mgpu::par, numbers, numbers + each, numbers + 1, numbers + count) == count);
    CHECK(mgpu::set_intersection_size(mgpu::par, numbers, numbers + each, numbers + 1, numbers + count,
                                      mgpu::unique_keys) == count - 2);
    CHECK(mgpu::set_difference_size(mgpu::par, numbers, numbers + each, numbers + 1, numbers + count) == 1);
    const auto end = mgpu::set_union(mgpu::par, numbers, numbers + each, numbers + 1, numbers + count, nowhere);
    CHECK(end - nowhere == count);
    mgpu::set_union_into(mgpu::par, numbers, numbers + each, numbers + 1, numbers + count, nowhere, size.data(),
                         mgpu::unique_keys);
    offset found = 0;
    require_cuda(cudaMemcpy(&found, size.data(), sizeof(found), cudaMemcpyDeviceToHost));
    CHECK(found == count);
  }
}

TEST_CASE("keys of eight bytes that are computed, about 2^32 in all") {
  const offset a_count = two_31 + 7, b_count = two_31 / 3 * 2 + 5;
  const auto even = multiples(2), by_three = multiples(3);
  // Multiples of six up to the last of both.
  const offset last = std::min(2 * (a_count - 1), 3 * (b_count - 1)), pairs = last / 6 + 1;
  const auto nowhere = thrust::make_discard_iterator();
  CHECK(mgpu::set_intersection_size(mgpu::par, even, even + a_count, by_three, by_three + b_count) == pairs);
  CHECK(mgpu::set_union_size(mgpu::par, even, even + a_count, by_three, by_three + b_count, mgpu::unique_keys) ==
        a_count + b_count - pairs);
  CHECK(mgpu::set_difference(mgpu::par, even, even + a_count, by_three, by_three + b_count, nowhere) - nowhere ==
        a_count - pairs);
  CHECK(mgpu::set_symmetric_difference(mgpu::par, even, even + a_count, by_three, by_three + b_count, nowhere,
                                       cuda::std::less<>{}, mgpu::unique_keys) -
            nowhere ==
        a_count + b_count - 2 * pairs);
}

TEST_CASE_TEMPLATE("by key with more than 2^31 pairs", Operation, op::set_union, op::set_intersection,
                   op::set_difference, op::set_symmetric_difference) {
  if (!has_memory(std::size_t{20} << 30)) return;
  INFO(Operation::name);
  const byte_runs<Operation> in(two_31 / 2 + 4099, two_31 / 2 + 70001);
  const room<key> keys(in.size() + guard);
  const room<std::uint32_t> values(in.size() + guard);
  require_cuda(cudaMemset(keys.data(), 0x5a, static_cast<std::size_t>(in.size() + guard)));
  require_cuda(cudaMemset(values.data(), 0x5a, static_cast<std::size_t>(in.size() + guard) * sizeof(std::uint32_t)));
  const thrust::counting_iterator<std::uint32_t> a_values(0), b_values(1u << 31);
  const key *const a = in.a.data(), *const b = in.b.data();
  const auto ends = Operation::by_key(mgpu::par, a, a + in.a_count, b, b + in.b_count, a_values, b_values, keys.data(),
                                      values.data());
  CHECK(ends.first - keys.data() == in.size());
  CHECK(ends.second - values.data() == in.size());
  CHECK(in.wrong_elements(keys.data(), values.data(), two_31) == 0);
  CHECK(is_filled(keys.data() + in.size(), 0x5a));
  CHECK(is_filled(reinterpret_cast<const key*>(values.data() + in.size()), 0x5a));
}

TEST_CASE_TEMPLATE("more than 2^31 keys over their first input", Operation, op::set_intersection, op::set_difference) {
  if (!has_memory(std::size_t{6} << 30)) return;
  INFO(Operation::name);
  const byte_runs<Operation> in(two_31 + 4099, two_31 / 2 + 70001);
  key* const a = in.a.data();
  const key* const b = in.b.data();
  const key* const end = Operation::keys(mgpu::par, a, a + in.a_count, b, b + in.b_count, a);
  CHECK(end - a == in.size());
  CHECK(in.wrong_elements(a) == 0);
}

/// One run that is all of both inputs.
TEST_CASE_TEMPLATE("2^28 equal keys on each side", Operation, op::set_union, op::set_intersection, op::set_difference,
                   op::set_symmetric_difference) {
  if (!has_memory(std::size_t{8} << 30)) return;
  using tag = typename Operation::tag;
  constexpr offset most = (offset{1} << 28) + 1;
  constexpr std::uint32_t same = 77;
  const room<std::uint32_t> a(most), b(most), out(2 * most), values(2 * most);
  fill_with<<<blocks, threads>>>(a.data(), most, same);
  fill_with<<<blocks, threads>>>(b.data(), most, same);
  struct counts {
    offset a, b;
  };
  for (const auto& count : {counts{most - 1, most - 1}, counts{most, most / 2}, counts{most / 2 - 1, most}}) {
    const offset a_count = count.a, b_count = count.b;
    INFO(Operation::name, ", ", a_count, " and ", b_count, " elements");
    const offset pairs = std::min(a_count, b_count);
    const offset size = mgpu::tile::set_operation_size<tag>(a_count, b_count, pairs);
    require_cuda(cudaMemset(out.data(), 0, static_cast<std::size_t>(2 * most) * sizeof(std::uint32_t)));
    const auto* const end =
        Operation::keys(mgpu::par, a.data(), a.data() + a_count, b.data(), b.data() + b_count, out.data());
    CHECK(end - out.data() == size);
    CHECK(wrong([&](auto* counter) { count_others<<<blocks, threads>>>(out.data(), size, same, counter); }) == 0);
    CHECK(Operation::size(mgpu::par, a.data(), a.data() + a_count, b.data(), b.data() + b_count) == size);

    // a's values are 1, those of b 2.
    const thrust::constant_iterator<std::uint32_t> one(1), two(2);
    const auto ends = Operation::by_key(mgpu::par, a.data(), a.data() + a_count, b.data(), b.data() + b_count, one, two,
                                        out.data(), values.data());
    CHECK(ends.second - values.data() == size);
    const offset of_a = tag::emits_pairs * pairs + tag::emits_a * (a_count - pairs);
    const auto wrong_values = [&](offset begin, offset size_of_part, std::uint32_t value) {
      return wrong([&](auto* counter) {
        count_others<<<blocks, threads>>>(values.data() + begin, size_of_part, value, counter);
      });
    };
    CHECK(wrong_values(0, of_a, 1) == 0);
    CHECK(wrong_values(of_a, size - of_a, 2) == 0);
  }
}

TEST_SUITE_END();
