// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Set operations of inputs and results of about 2^31 and 2^32 elements, and runs of equal keys beyond every tile.
// Everything is made and checked on the device.
#include "set_operations.h"
#include "support/large.h"

#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cstdint>
#include <vector>

namespace {

using namespace test;
using key = std::uint8_t;

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

/// The size that call(size_out) writes.
template <class Call>
offset written_size(const Call& call) {
  const room<offset> size(1);
  require_cuda(cudaMemset(size.data(), 0x5a, sizeof(offset)));
  call(size.data());
  offset result = 0;
  require_cuda(cudaMemcpy(&result, size.data(), sizeof(result), cudaMemcpyDeviceToHost));
  return result;
}

/// Where calls leave one result, keys alone or with values, which number a's elements and from `first_of_b` on b's.
template <class Operation>
struct outputs {
  const byte_runs<Operation>& in;
  bool has_values = false;
  offset first_of_b = 0;
  room<key> keys{in.size() + guard};
  room<std::uint32_t> values{(has_values ? in.size() : 0) + guard};

  /// run() writes the result and returns its size.
  template <class Run>
  void check(const Run& run) const {
    const auto count = static_cast<std::size_t>(in.size() + guard);
    require_cuda(cudaMemset(keys.data(), 0x5a, count));
    if (has_values) require_cuda(cudaMemset(values.data(), 0x5a, count * sizeof(std::uint32_t)));
    CHECK(run() == in.size());
    CHECK(in.wrong_elements(keys.data(), has_values ? values.data() : nullptr, first_of_b) == 0);
    CHECK(is_filled(keys.data() + in.size(), 0x5a));
    if (has_values) CHECK(is_filled(reinterpret_cast<const key*>(values.data() + in.size()), 0x5a));
  }
};

template <class Operation>
void check_keys(offset total) {
  INFO(Operation::name, ", ", total, " elements");
  const byte_runs<Operation> in(total / 2 - 12345, total - (total / 2 - 12345));
  const outputs<Operation> out{in};
  const key *const a = in.a.data(), *const a_end = a + in.a_count;
  const key *const b = in.b.data(), *const b_end = b + in.b_count;
  key* const keys = out.keys.data();
  out.check([&] { return Operation::keys(mgpu::par, a, a_end, b, b_end, keys) - keys; });
  out.check(
      [&] { return written_size([&](offset* size) { Operation::into(mgpu::par, a, a_end, b, b_end, keys, size); }); });
  CHECK(Operation::size(mgpu::par, a, a_end, b, b_end) == in.size());
}

template <class Operation>
void check_pairs(offset total) {
  INFO(Operation::name, ", ", total, " pairs");
  const byte_runs<Operation> in(total / 2 - 32951, total - (total / 2 - 32951));
  const outputs<Operation> out{in, true, two_31};
  const thrust::counting_iterator<std::uint32_t> a_values(0), b_values(1u << 31);
  const key *const a = in.a.data(), *const a_end = a + in.a_count;
  const key *const b = in.b.data(), *const b_end = b + in.b_count;
  key* const keys = out.keys.data();
  std::uint32_t* const values = out.values.data();
  out.check([&] {
    const auto ends = Operation::by_key(mgpu::par, a, a_end, b, b_end, a_values, b_values, keys, values);
    CHECK(ends.second - values == in.size());
    return ends.first - keys;
  });
  out.check([&] {
    return written_size([&](offset* size) {
      Operation::by_key_into(mgpu::par, a, a_end, b, b_end, a_values, b_values, keys, values, size);
    });
  });
}

/// Parts [0, a_end) and [b_begin, b_end) of the numbers with which an operation has a given size.
struct overlapping_parts {
  offset a_end, b_begin, b_end;
};
template <class Tag>
overlapping_parts parts_for_result(offset count) {
  if (Tag::emits_pairs && Tag::emits_b) return {count - 1, 1, count};
  if (Tag::emits_pairs) return {count + 1, 1, count + 2};
  if (Tag::emits_b) return {count / 2 + 1, count / 2, count + 1};
  return {count + 1, count, count + 2};
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

TEST_CASE_TEMPLATE("a size of the result around 2^31 and 2^32, to the host and to the device", Operation, op::set_union,
                   op::set_intersection, op::set_difference, op::set_symmetric_difference) {
  const auto nowhere = thrust::make_discard_iterator();
  for (const offset count : {two_31 - 1, two_31, two_31 + 1, two_32 - 1, two_32 + 1}) {
    INFO(Operation::name, ", ", count, " elements in the result");
    const auto parts = parts_for_result<typename Operation::tag>(count);
    const thrust::counting_iterator<offset> a(0), a_end(parts.a_end), b(parts.b_begin), b_end(parts.b_end);
    CHECK(Operation::size(mgpu::par, a, a_end, b, b_end) == count);
    CHECK(Operation::keys(mgpu::par, a, a_end, b, b_end, nowhere) - nowhere == count);
    CHECK(written_size([&](offset* size) {
            Operation::into(mgpu::par, a, a_end, b, b_end, nowhere, size, mgpu::unique_keys);
          }) == count);
  }
}

TEST_CASE("keys of eight bytes that are computed, more than 2^32 of each") {
  const offset a_count = two_31 * 3 + 7, b_count = two_32 + 5;
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

TEST_CASE_TEMPLATE("by key with more than 2^31 pairs and more than 2^32", Operation, op::set_union,
                   op::set_intersection, op::set_difference, op::set_symmetric_difference) {
  if (!has_memory(std::size_t{26} << 30)) return;
  for (const offset total : {two_31 + 74100, two_32 + 74100}) check_pairs<Operation>(total);
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
    const offset size = mgpu::detail::tile::set_operation_size<tag>(a_count, b_count, pairs);
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
