// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls over several GPUs of one machine, a rank each, that talk through NCCL. Rows are
// <function>/<types>/<distribution>/<gpus>_gpus/<size>/<peer>; the size is the number of keys on a GPU, of each input.
// The GPUs are 1, 2, 4, ... of those that are here. Rows of as many keys on a GPU are weak scaling; 2^29 keys on one
// GPU and 2^28 on each of two are strong scaling.
//   uniform   random keys; of two inputs nearly everything is where it belongs
//   skewed    a is uniform, keys of b are crowded at the low end
//   a<b       every key of a is less than every key of b: nearly everything moves
//   unique    rows that have one partner on average, nearly all of them on their own GPU
// Peers:
//   mgpu        mgpu::par_nosync over the ranks, scratch memory allocated before
//   mgpu_in_process  the same through in_process_group
//   mgpu_alone  mgpu::par_nosync, where there is one GPU
//   simple      what one writes with CUB and NCCL: support/simple_ranks.cuh
// Times are from the first rank's begin to the last rank's end. "before_ms", "exchange_ms" and "after_ms" are the
// longest of all ranks up to the exchange of elements, in it, and behind it. Results are compared with those of one
// GPU.

#include <support/data.cuh>
#include <support/distributed_join.cuh>
#include <support/ranks_row.cuh>
#include <support/simple_ranks.cuh>
#include <support/spread_array.cuh>

#include <mgpu/distributed.h>
#include <mgpu/par.h>

#include <thrust/execution_policy.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace bench {

template <class T>
struct random_part {
  u64 first;
  __host__ __device__ T operator()(u64 i) const { return from_bits<T>{}(random_bits{u64{7} << 40}(first + i)); }
};

/// Keys of all GPUs, and their positions as values.
template <class Key, class Value>
class sort_case {
 public:
  static constexpr bool has_values = !std::is_void_v<Value>;
  using value = std::conditional_t<has_values, Value, char>;  // an array of none, without values

  sort_case(std::size_t count, int gpus)
      : count_(count),
        unsorted_(gpus, count),
        keys_(gpus, count),
        values_(gpus, has_values ? count : 0),
        results_(static_cast<std::size_t>(gpus)) {
    for (int g = 0; g < gpus; ++g) {
      check(cudaSetDevice(g));
      const thrust::counting_iterator<u64> i(0);
      thrust::transform(thrust::cuda::par, i, i + static_cast<std::ptrdiff_t>(count), unsorted_[g].begin(),
                        random_part<Key>{count * static_cast<u64>(g)});
    }
    check(cudaSetDevice(0));
    expected_ = unsorted_.joined();
    if constexpr (has_values) {
      expected_values_ = std::make_unique<gpu_array<value>>(0, count * static_cast<std::size_t>(gpus));
      thrust::sequence(thrust::cuda::par, expected_values_->begin(), expected_values_->end());
      thrust::stable_sort_by_key(thrust::cuda::par, expected_->begin(), expected_->end(), expected_values_->begin());
    } else {
      thrust::sort(thrust::cuda::par, expected_->begin(), expected_->end());
    }
  }

  void prepare(gpu& g) {
    const int i = g.number;
    check(
        cudaMemcpyAsync(keys_[i].begin(), unsorted_[i].begin(), keys_[i].bytes(), cudaMemcpyDeviceToDevice, g.stream));
    if constexpr (has_values)
      thrust::sequence(thrust::cuda::par.on(g.stream), values_[i].begin(), values_[i].end(),
                       static_cast<value>(count_ * static_cast<std::size_t>(i)));
  }
  template <class Policy>
  void run(const Policy& policy, gpu& g) {
    const int i = g.number;
    if constexpr (has_values) mgpu::stable_sort_by_key(policy, keys_[i].begin(), keys_[i].end(), values_[i].begin());
    else mgpu::stable_sort(policy, keys_[i].begin(), keys_[i].end());
    results_[static_cast<std::size_t>(i)] = keys_[i].begin();
  }
  void run_simple(gpu& g) {
    const auto i = static_cast<std::size_t>(g.number);
    simple_[i]->run(g, keys_.gpus(), keys_[g.number].begin());
    results_[i] = simple_[i]->result();
  }
  void prepare_simple() {
    for (int g = 0; g < keys_.gpus() && simple_.size() < results_.size(); ++g) {
      check(cudaSetDevice(g));
      simple_.push_back(std::make_unique<simple_sort_rank<Key>>(count_));
    }
    check(cudaSetDevice(0));
  }
  bool is_right() const {
    const std::vector<std::size_t> counts(results_.size(), count_);
    const std::size_t all = count_ * counts.size();
    return keys_.is(results_, expected_->begin(), all, counts) &&
           (!has_values || values_.is(expected_values_->begin(), all, counts));
  }
  std::size_t keys_in() const { return count_ * static_cast<std::size_t>(keys_.gpus()); }

 private:
  std::size_t count_;
  spread_array<Key> unsorted_, keys_;
  spread_array<value> values_;
  std::unique_ptr<gpu_array<Key>> expected_;
  std::unique_ptr<gpu_array<value>> expected_values_;
  std::vector<const Key*> results_;
  std::vector<std::unique_ptr<simple_sort_rank<Key>>> simple_;
};

enum class two_inputs_of { uniform, skewed, apart };

/// A key of rank `part` of `parts`, whose keys lie in a stratum of their own; then the distribution's shape.
struct key_of_part {
  u64 seed;
  u32 part, parts;
  __host__ __device__ u32 operator()(u64 i) const {
    const u64 width = (u64{1} << 32) / parts;
    return static_cast<u32>(part * width + random_bits{seed}(i) % width);
  }
};
struct key_of_shape {
  two_inputs_of kind;
  bool is_b;
  __host__ __device__ u32 operator()(u32 x) const {
    const u64 y = x;
    if (kind == two_inputs_of::skewed && is_b) return static_cast<u32>((((y * y) >> 32) * y) >> 32);
    if (kind == two_inputs_of::apart) return static_cast<u32>((y >> 1) | (is_b ? u64{1} << 31 : 0));
    return x;
  }
};

struct merged {
  template <class P, class A, class Out>
  static Out run(const P& p, A a, A a_end, A b, A b_end, Out out) {
    return mgpu::merge(p, a, a_end, b, b_end, out);
  }
};
struct united {
  template <class P, class A, class Out>
  static Out run(const P& p, A a, A a_end, A b, A b_end, Out out) {
    return mgpu::set_union(p, a, a_end, b, b_end, out);
  }
};
struct intersected {
  template <class P, class A, class Out>
  static Out run(const P& p, A a, A a_end, A b, A b_end, Out out) {
    return mgpu::set_intersection(p, a, a_end, b, b_end, out);
  }
};

/// Two sorted sequences over all GPUs, u32.
template <class Operation>
class two_inputs_case {
 public:
  two_inputs_case(std::size_t count, int gpus, two_inputs_of kind)
      : a_(gpus, count), b_(gpus, count), out_(gpus, 2 * count), ends_(static_cast<std::size_t>(gpus)) {
    for (int g = 0; g < gpus; ++g) {
      fill(a_[g], g, gpus, {kind, false});
      fill(b_[g], g, gpus, {kind, true});
    }
    const auto a = a_.joined(), b = b_.joined();
    expected_ = std::make_unique<gpu_array<u32>>(0, 2 * count * static_cast<std::size_t>(gpus));
    const u32 *a_begin = a->begin(), *b_begin = b->begin();
    expected_count_ = static_cast<std::size_t>(Operation::run(mgpu::par, a_begin, a_begin + count * gpus, b_begin,
                                                              b_begin + count * gpus, expected_->begin()) -
                                               expected_->begin());
  }

  void prepare(gpu& g) { check(cudaMemsetAsync(out_[g.number].begin(), 0xa5, out_[g.number].bytes(), g.stream)); }
  template <class Policy>
  void run(const Policy& policy, gpu& g) {
    const int i = g.number;
    const u32 *a = a_[i].begin(), *a_end = a_[i].end(), *b = b_[i].begin(), *b_end = b_[i].end();
    ends_[static_cast<std::size_t>(i)] =
        static_cast<std::size_t>(Operation::run(policy, a, a_end, b, b_end, out_[i].begin()) - out_[i].begin());
  }
  void run_simple(gpu& g) {
    simple_[static_cast<std::size_t>(g.number)]->run(g, out_.gpus(), blocks_of(a_), blocks_of(b_),
                                                     out_[g.number].begin());
    ends_[static_cast<std::size_t>(g.number)] = out_[g.number].bytes() / sizeof(u32);
  }
  void prepare_simple() {
    enable_peers(out_.gpus());
    for (int g = 0; g < out_.gpus() && simple_.size() < ends_.size(); ++g) {
      check(cudaSetDevice(g));
      simple_.push_back(std::make_unique<simple_merge_rank<u32>>(a_[0].bytes() / sizeof(u32)));
    }
    check(cudaSetDevice(0));
  }
  bool is_right() const { return out_.is(expected_->begin(), expected_count_, ends_); }
  std::size_t keys_in() const { return (a_[0].bytes() + b_[0].bytes()) / 4 * ends_.size(); }

 private:
  static void fill(gpu_array<u32>& to, int g, int gpus, const key_of_shape& shape) {
    check(cudaSetDevice(g));
    const thrust::counting_iterator<u64> i(0);
    const auto count = to.end() - to.begin();
    const u64 seed = (u64{shape.is_b} + 3) << 50 | u64(g) << 40;
    thrust::transform(thrust::cuda::par, i, i + count, to.begin(), key_of_part{seed, u32(g), u32(gpus)});
    thrust::sort(thrust::cuda::par, to.begin(), to.end());
    thrust::transform(thrust::cuda::par, to.begin(), to.end(), to.begin(), shape);
    check(cudaSetDevice(0));
  }

  static blocks<u32> blocks_of(const spread_array<u32>& x) {
    blocks<u32> result{};
    for (int g = 0; g < x.gpus(); ++g) result.begin[g] = x[g].begin();
    result.count = x[0].bytes() / sizeof(u32);
    return result;
  }

  spread_array<u32> a_, b_, out_;
  std::vector<std::size_t> ends_;
  std::unique_ptr<gpu_array<u32>> expected_;
  std::size_t expected_count_ = 0;
  std::vector<std::unique_ptr<simple_merge_rank<u32>>> simple_;
};

}  // namespace bench

int main(int argc, char** argv) {
  using namespace bench;
  setenv("NCCL_NVLS_ENABLE", "0", 0);  // NVLink's multicast serves none of these calls
  for (int n = 1; n <= device_count(); n *= 2) {
    for (const int log2_count : {20, 24, 28, 29, 30}) {
      add_case<sort_case<u32, void>>("stable_sort/u32/uniform", n, log2_count);
      add_simple<sort_case<u32, void>>("stable_sort/u32/uniform", n, log2_count);
    }
    add_case<sort_case<u64, void>>("stable_sort/u64/uniform", n, 28);
    add_simple<sort_case<u64, void>>("stable_sort/u64/uniform", n, 28);
    add_case<sort_case<u32, u32>>("stable_sort/u32_u32/uniform", n, 28);
    for (const two_inputs_of kind : {two_inputs_of::uniform, two_inputs_of::skewed, two_inputs_of::apart}) {
      const std::string of = kind == two_inputs_of::uniform  ? "/u32/uniform"
                             : kind == two_inputs_of::skewed ? "/u32/skewed"
                                                             : "/u32/a<b";
      add_case<two_inputs_case<merged>>("merge" + of, n, 28, kind);
      if (n > 1) add_simple<two_inputs_case<merged>>("merge" + of, n, 28, kind);
      add_case<two_inputs_case<united>>("set_union" + of, n, 28, kind);
      add_case<two_inputs_case<intersected>>("set_intersection" + of, n, 28, kind);
    }
    add_case<join_case<inner_joined>>("inner_join/u32/unique", n, 27);
    add_case<join_case<as_of_joined>>("as_of_join/u32/unique", n, 27);
  }
  benchmark::AddCustomContext("gpus", std::to_string(device_count()));
  int version = 0;
  check(ncclGetVersion(&version));
  benchmark::AddCustomContext("nccl", std::to_string(version));
  return run_rows(argc, argv);
}
