// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/assert.h>
#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/base/number.h>
#include <mgpu/base/order.h>
#include <mgpu/tile/word.h>
#include <mgpu/exec/cuda/cub_memory.cuh>
#include <mgpu/exec/cuda/executor.cuh>

#include MGPU_VERB_RANGE_HEADER

#include <cub/device/device_radix_sort.cuh>

#include <cuda/std/cstdint>
#include <cuda/std/type_traits>

#include <cstddef>
#include <cstdint>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

// CUB is given other types of the same bits and the same order. So types that differ in their names only share kernels,
// and a value needs no default constructor.

/// What stands for a number.
template <class Key, bool = base::is_floating<Key>>
struct radix_key {
  using bits = tile::unit<sizeof(Key)>;
  using type = cuda::std::conditional_t<cuda::std::is_signed_v<Key>, cuda::std::make_signed_t<bits>, bits>;
};
template <class Key>
struct radix_key<Key, true> {
  using type = Key;
};

/// What stands for a value of several words.
template <class Word, int words>
struct radix_words {
  Word word[words];
};

/// What stands for the elements of an iterator to values: one word, or several.
template <class Values>
struct radix_value {
  using value = base::value_type<Values>;
  static constexpr int word_bytes = base::min(int{alignof(value)}, 8), words = int{sizeof(value)} / word_bytes;
  using word = tile::unit<word_bytes>;
  using type = cuda::std::conditional_t<words == 1, word, radix_words<word, words>>;
};
template <>
struct radix_value<base::no_values> {
  using type = cub::NullType;
};

/// Whether CUB is faster with 32-bit positions. 2^26 elements in us, with 32-bit and 64-bit ones: keys u8 410 and 547,
/// u32 1,601 and 1,394, f32 1,442 and 1,466, u64 3,973 and 3,959; pairs u32 + u32 1,857 and 2,115, u64 + u32 4,759 and
/// 4,768 (H200, 2026-11-22).
template <class Key, class Value>
constexpr bool has_short_positions() {
  if (cuda::std::is_same_v<Value, cub::NullType>)
    return sizeof(Key) < 4 || (sizeof(Key) == 4 && cuda::std::is_floating_point_v<Key>);
  return sizeof(Key) < 4 || (sizeof(Key) == 4 && sizeof(Value) < 8);
}

/// Both buffers of an array.
template <class T, class U>
cub::DoubleBuffer<T> double_buffer(U* array, char* other) {
  return {reinterpret_cast<T*>(array), reinterpret_cast<T*>(other)};
}

/// Copies the elements to the first buffer if they lie in the other one.
template <class T>
void copy_to_first(const cub::DoubleBuffer<T>& x, offset count, cudaStream_t stream) {
  if (x.selector == 0) return;
  exec::check_cuda(cudaMemcpyAsync(x.d_buffers[0], x.d_buffers[1], static_cast<std::size_t>(count) * sizeof(T),
                                   cudaMemcpyDefault, stream),
                   "cudaMemcpyAsync");
}

/// CUB's sorts of `count` numbers and their values.
template <class Order, class Key, class Values>
class number_sort {
  static_assert(base::is_less<Order, Key> || base::is_greater<Order, Key>, "the order of numbers");
  static constexpr bool is_ascending = base::is_less<Order, Key>;
  static constexpr bool has_values = base::has_values<Values>;
  using key = typename radix_key<Key>::type;
  using value = typename radix_value<Values>::type;

 public:
  number_sort(Key* keys, Values values, offset count, cudaStream_t stream)
      : keys_(keys), values_(values), count_(count), stream_(stream) {
    exec::check_no_error_is_left();
  }

  /// The scratch memory of a sort by digits: the second buffers, and what CUB needs beside them.
  std::size_t radix_sort_bytes() {
    auto keys = exec::double_buffer<key>(keys_, nullptr);
    cub::DoubleBuffer<value> values;
    storage_bytes_ = 0;
    radix_sort(nullptr, keys, values);
    return storage_bytes_ + buffer_bytes<key>() + (has_values ? buffer_bytes<value>() : 0);
  }
  void radix_sort(char* memory) {
    auto keys = exec::double_buffer<key>(keys_, memory);
    memory += buffer_bytes<key>();
    cub::DoubleBuffer<value> values;
    if constexpr (has_values) {
      values = exec::double_buffer<value>(values_, memory);
      memory += buffer_bytes<value>();
    }
    radix_sort(memory, keys, values);
    exec::copy_to_first(keys, count_, stream_);
    if constexpr (has_values) exec::copy_to_first(values, count_, stream_);
  }

  /// The same of a sort to keys and values from other arrays.
  std::size_t radix_sort_copy_bytes() {
    radix_sort_copy(nullptr, 0, nullptr, values_);
    return storage_bytes_;
  }
  void radix_sort_copy(void* memory, std::size_t bytes, const Key* from_keys, Values from_values) {
    storage_bytes_ = bytes;
    with_positions([&](auto count) {
      const auto* const from = reinterpret_cast<const key*>(from_keys);
      auto* const to = reinterpret_cast<key*>(keys_);
      if constexpr (has_values) {
        return run(memory, count, from, to, reinterpret_cast<const value*>(from_values),
                   reinterpret_cast<value*>(values_));
      } else {
        return run(memory, count, from, to);
      }
    });
  }

 private:
  template <class T>
  std::size_t buffer_bytes() const {
    return base::align_up(static_cast<std::size_t>(count_) * sizeof(T), std::size_t{256});
  }

  void radix_sort(void* memory, cub::DoubleBuffer<key>& keys, cub::DoubleBuffer<value>& values) {
    with_positions([&](auto count) {
      if constexpr (has_values) return run(memory, count, keys, values);
      else return run(memory, count, keys);
    });
  }

  /// Calls f(count), which returns CUB's error, with a number of the type that CUB is to have for positions.
  template <class F>
  void with_positions(const F& f) const {
    constexpr cuda::std::uint32_t most_short = ~cuda::std::uint32_t{0};
    if constexpr (exec::has_short_positions<key, value>()) {
      if (count_ <= offset{most_short})
        return exec::check_cuda(f(static_cast<cuda::std::uint32_t>(count_)), "cub::DeviceRadixSort");
    }
    exec::check_cuda(f(count_), "cub::DeviceRadixSort");
  }
  /// `arrays`: the keys and then the values, if there are any, as CUB has them.
  template <class Count, class... Arrays>
  cudaError_t run(void* memory, Count count, Arrays&&... arrays) {
    using sort = cub::DeviceRadixSort;
    constexpr int bits = 8 * sizeof(key);
    if constexpr (!has_values && is_ascending)
      return sort::SortKeys(memory, storage_bytes_, arrays..., count, 0, bits, stream_);
    else if constexpr (!has_values)
      return sort::SortKeysDescending(memory, storage_bytes_, arrays..., count, 0, bits, stream_);
    else if constexpr (is_ascending) return sort::SortPairs(memory, storage_bytes_, arrays..., count, 0, bits, stream_);
    else return sort::SortPairsDescending(memory, storage_bytes_, arrays..., count, 0, bits, stream_);
  }

  Key* keys_;
  Values values_;
  offset count_;
  cudaStream_t stream_;
  std::size_t storage_bytes_ = 0;  // that CUB asks for
};

/// What a profiler calls the verbs.
struct radix_sort_range {
  static constexpr const char* name = "radix sort";
};

template <class Policy>
template <class Order, class Key, class Values>
auto cuda_executor<Policy>::radix_sort(Key* keys, Values values, offset count) const {
  MGPU_ASSERT(count > 0);
  [[maybe_unused]] const verb_range<radix_sort_range> range("radix_sort");
  number_sort<Order, Key, Values> sort(keys, values, count, stream());
  const cub_memory<Policy> memory(policy_, sort.radix_sort_bytes());
  sort.radix_sort(memory.data());
  complete();
}

template <class Policy>
template <class Order, class Key, class Values>
auto cuda_executor<Policy>::radix_sort_copy_bytes(offset count) const {
  return number_sort<Order, Key, Values>(nullptr, {}, count, stream()).radix_sort_copy_bytes();
}

template <class Policy>
template <class Order, class Key, class Values>
auto cuda_executor<Policy>::radix_sort_copy(const Key* from_keys, Values from_values, Key* keys, Values values,
                                            offset count, void* memory, std::size_t bytes) const {
  MGPU_ASSERT(count > 0);
  [[maybe_unused]] const verb_range<radix_sort_range> range("radix_sort_copy");
  number_sort<Order, Key, Values>(keys, values, count, stream()).radix_sort_copy(memory, bytes, from_keys, from_values);
}

}  // namespace detail::exec
MGPU_NAMESPACE_END
