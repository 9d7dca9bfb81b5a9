// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A row of a benchmark of a sort in place. Its case derives from sort_arrays and has
//   auto call()             what a peer is given
//   bool is_sorted(order)   whether the call's arrays hold the result
// A peer is a class with
//   value_order order              what it promises for the values of equal keys
//   queueing_nanoseconds           more than the CPU needs to queue a call
//   void operator()(call)          sorts from or in the call's arrays, timed
//   void prepare(call)             comes before the samples, not timed
//   void finish(call)              comes after the samples, not timed
// Every sample begins with the unsorted data in the arrays: they are copied there behind the sample before, outside the
// timed span, for the peers that leave their input as it was too.

#include <support/data.cuh>
#include <support/row.cuh>
#include <support/timing.cuh>

#include <benchmark/benchmark.h>

#include <thrust/device_vector.h>
#include <thrust/equal.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/logical.h>
#include <thrust/sort.h>
#include <thrust/system/cuda/execution_policy.h>

#include <cuda/std/functional>

#include <cstddef>
#include <string>
#include <type_traits>

namespace bench {

enum class value_order { stable, any };

struct plain_peer {
  static constexpr value_order order = value_order::stable;
  static constexpr unsigned long long queueing_nanoseconds = 200'000;
  template <class Call>
  void prepare(const Call&) {}
  template <class Call>
  void finish(const Call&) {}
};

struct no_value {};

/// The numbers of the segments of the elements, or 0 for all.
struct segment_lookup {
  const u32* segments;  // [count] or null
  __host__ __device__ u32 operator()(u64 i) const { return segments ? segments[i] : 0; }
};

template <class Key, class Value, class Compare>
struct sort_call {
  std::size_t count;
  const Key* unsorted_keys;
  const Value* unsorted_values;  // as the keys, null where there are no values
  Key* keys;                     // [count], the unsorted ones; sorted by the call
  Value* values;
  Compare compare;

  static constexpr bool has_values = !std::is_same_v<Value, no_value>;
};

template <class Key>
struct element {
  Key key;
  u32 segment, number;
};

template <class Key>
struct make_element {
  const Key* keys;
  segment_lookup segment;
  __host__ __device__ element<Key> operator()(u64 i) const { return {keys[i], segment(i), static_cast<u32>(i)}; }
};

template <class Key, class Compare>
struct by_segment {
  Compare compare;
  __host__ __device__ bool operator()(const element<Key>& x, const element<Key>& y) const {
    return x.segment != y.segment ? x.segment < y.segment : compare(x.key, y.key);
  }
};

template <class Key>
struct key_of {
  __host__ __device__ Key operator()(const element<Key>& x) const { return x.key; }
};

template <class Key, class Value>
struct value_of {
  __host__ __device__ Value operator()(const element<Key>& x) const { return numbered<Value>{0}(x.number); }
};

/// Whether a value, which is the number of an element, lies in that element's segment with a key like that element's.
template <class Key, class Value, class Compare>
struct is_with_its_key {
  sort_call<Key, Value, Compare> call;
  segment_lookup segment;
  __host__ __device__ bool operator()(u64 i) const {
    const u64 number = static_cast<u64>(call.values[i]);
    if (number >= call.count || segment(number) != segment(i)) return false;
    const Key original = call.unsorted_keys[number];
    return !call.compare(original, call.keys[i]) && !call.compare(call.keys[i], original);
  }
};

/// Keys, the numbers of the elements as their values, and what they are sorted.
template <class Key, class Value, class Compare>
class sort_arrays {
 public:
  /// Sorts stably by segment and key, for the peers to be checked against.
  template <class KeyOfNumber>
  sort_arrays(std::size_t count, const KeyOfNumber& key, const segment_lookup& segment, Compare compare)
      : segment_(segment), compare_(compare), unsorted_keys_(generate<Key>(count, key)), keys_(count) {
    auto elements = generate<element<Key>>(count, make_element<Key>{unsorted_keys_.data().get(), segment});
    thrust::stable_sort(elements.begin(), elements.end(), by_segment<Key, Compare>{compare});
    const auto key_begin = thrust::make_transform_iterator(elements.begin(), key_of<Key>{});
    expected_keys_.assign(key_begin, key_begin + static_cast<std::ptrdiff_t>(count));
    if constexpr (call_type::has_values) {
      unsorted_values_ = generate<Value>(count, numbered<Value>{0});
      values_.resize(count);
      const auto value_begin = thrust::make_transform_iterator(elements.begin(), value_of<Key, Value>{});
      expected_values_.assign(value_begin, value_begin + static_cast<std::ptrdiff_t>(count));
    }
  }

  /// Queues the copy of the unsorted data to where a peer sorts them.
  void restore() {
    copy(unsorted_keys_, keys_);
    if constexpr (call_type::has_values) copy(unsorted_values_, values_);
  }

  bool is_sorted(value_order order) const {
    if (!is_same(keys_, expected_keys_)) return false;
    if constexpr (call_type::has_values) {
      return order == value_order::stable ? is_same(values_, expected_values_) : has_every_value_once_with_its_key();
    }
    return true;
  }

 protected:
  using call_type = sort_call<Key, Value, Compare>;

  call_type make_call() {
    return {unsorted_keys_.size(), unsorted_keys_.data().get(), unsorted_values_.data().get(),
            keys_.data().get(),    values_.data().get(),        compare_};
  }

 private:
  segment_lookup segment_;
  Compare compare_;
  thrust::device_vector<Key> unsorted_keys_, keys_, expected_keys_;
  thrust::device_vector<Value> unsorted_values_, values_, expected_values_;  // empty where there are no values

  template <class T>
  static void copy(const thrust::device_vector<T>& from, thrust::device_vector<T>& to) {
    check(cudaMemcpyAsync(to.data().get(), from.data().get(), from.size() * sizeof(T), cudaMemcpyDeviceToDevice));
  }

  template <class T>
  static bool is_same(const thrust::device_vector<T>& x, const thrust::device_vector<T>& y) {
    const auto words = [](const auto& array) { return reinterpret_cast<const u32*>(array.data().get()); };
    return thrust::equal(thrust::cuda::par, words(x), words(x) + x.size() * sizeof(T) / sizeof(u32), words(y));
  }

  bool has_every_value_once_with_its_key() const {
    auto sorted_values = values_;
    thrust::sort(sorted_values.begin(), sorted_values.end());
    const call_type call = const_cast<sort_arrays*>(this)->make_call();
    const thrust::counting_iterator<u64> number(0);
    return is_same(sorted_values, unsorted_values_) &&
           thrust::all_of(thrust::cuda::par, number, number + static_cast<std::ptrdiff_t>(call.count),
                          is_with_its_key<Key, Value, Compare>{call, segment_});
  }
};

template <class Sample>
void report_sort(benchmark::State& state, std::size_t count, std::size_t samples, const Sample& sample) {
  state.counters["Gkeys/s"] = static_cast<double>(count) / report_median(state, samples, sample) * 1e-9;
}

/// Checks a peer's results, then reports the median time of 9 samples, of the largest arrays 3.
template <class Case, class Peer>
void measure_sort(benchmark::State& state, Case& data, std::size_t count) {
  const std::size_t samples = count <= power_of_two(27) ? 9 : 3;
  Peer peer;
  const auto call = data.call();
  peer.prepare(call);
  data.restore();
  peer(call);
  peer.finish(call);
  check(cudaDeviceSynchronize());
  if (!data.is_sorted(Peer::order)) return state.SkipWithError("the results differ from the reference");

  const auto seconds = [&] {
    return seconds_of_prepared_call([&] { data.restore(); }, [&] { peer(call); }, Peer::queueing_nanoseconds);
  };
  report_sort(state, count, samples, seconds);
}

/// Adds the row "<case>/<size>/<peer>" of a sort.
template <class Case, class Peer, class... Arguments>
void add_sort_row(const std::string& case_name, std::size_t count, const std::string& peer_name,
                  const Arguments&... arguments) {
  add_measured_row<Case>(measure_sort<Case, Peer>, case_name, count, peer_name, arguments...);
}

template <class Key>
struct random_key {
  __host__ __device__ Key operator()(u64 i) const { return from_bits<Key>{}(random_bits{u64{2} << 40}(i)); }
};

/// What a row's name says of its types.
template <class Key, class Value>
std::string name_of_types() {
  const auto name = [](std::size_t bytes) { return bytes == 16 ? "16_bytes" : bytes == 8 ? "u64" : "u32"; };
  if constexpr (std::is_same_v<Value, no_value>) return std::string("keys_") + name(sizeof(Key));
  else return std::string("pairs_") + name(sizeof(Key)) + "_" + name(sizeof(Value));
}

}  // namespace bench
