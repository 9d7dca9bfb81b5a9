// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// merge_runs and merge_runs_by_key on the GPU beside trees of merges of two and sorts of all elements. Rows are
// <types>/<runs>/<size>/<peer>; the size is the number of all elements. The runs are
//   K_runs           K runs of equal length, random keys
//   K_runs_half      one run has half of the elements
//   K_runs_few       16 different keys
//   K_runs_equal     all keys are equal
//   K_runs_in_order  every run lies before the next one
// Peers:
//   mgpu        mgpu::par_nosync, scratch memory allocated before
//   mgpu_par    mgpu::par
//   tree        mgpu::merge of neighbours, log2(K) times, scratch memory allocated before. Many runs take so many calls
//               that the time of the CPU to launch them counts, too
//   cub_tree    the same of cub::DeviceMerge
//   cub_radix   cub::DeviceRadixSort of all, of numbers
//   cub_merge   cub::DeviceMergeSort of all, of other keys

#include <support/data.cuh>
#include <support/merge_runs_peers.cuh>
#include <support/row.cuh>

namespace bench {

enum class runs_of { random, half, few, equal, in_order };

struct runs_shape {
  std::ptrdiff_t runs;
  runs_of kind;

  std::string name() const {
    constexpr const char* suffixes[] = {"", "_half", "_few", "_equal", "_in_order"};
    return std::to_string(runs) + "_runs" + suffixes[static_cast<int>(kind)];
  }
  std::vector<std::ptrdiff_t> offsets(std::ptrdiff_t count) const {
    std::vector<std::ptrdiff_t> result{0};
    const std::ptrdiff_t rest = kind == runs_of::half ? count / 2 : count;
    const std::ptrdiff_t others = kind == runs_of::half ? runs - 1 : runs;
    std::ptrdiff_t number = 0;
    for (std::ptrdiff_t i = 0; i < runs; ++i) {
      const bool is_half = kind == runs_of::half && i == runs / 3;
      const std::ptrdiff_t length = rest * (number + 1) / others - rest * number / others;
      result.push_back(result.back() + (is_half ? count - rest : length));
      if (!is_half) ++number;
    }
    return result;
  }
};

/// A random key, one of 16, or always the same.
template <class Key>
struct key_of_kind {
  runs_of kind;
  __host__ __device__ Key operator()(u64 i) const {
    const u64 bits = random_bits{u64{5} << 40}(i);
    return from_bits<Key>{}(kind == runs_of::few ? bits >> 60 << 60 : kind == runs_of::equal ? u64{1} << 62 : bits);
  }
};

template <class Key, class Value>
class runs_case {
 public:
  runs_case(std::size_t count, const runs_shape& shape)
      : offsets_(shape.offsets(static_cast<std::ptrdiff_t>(count))),
        device_offsets_(offsets_.begin(), offsets_.end()),
        keys_(generate<Key>(count, key_of_kind<Key>{shape.kind})),
        keys_out_(count * sizeof(Key) / 4),
        scratch_(count) {
    const auto sort = [&](std::size_t begin, std::size_t end) {
      thrust::sort(thrust::cuda::par, keys_.data().get() + begin, keys_.data().get() + end);
    };
    if (shape.kind == runs_of::in_order) sort(0, count);
    for (std::size_t i = 0; i + 1 < offsets_.size(); ++i) {
      sort(static_cast<std::size_t>(offsets_[i]), static_cast<std::size_t>(offsets_[i + 1]));
    }
    if constexpr (call_type::has_values) {
      values_ = generate<Value>(count, numbered<Value>{0});
      values_out_.resize(count * sizeof(Value) / 4);
      scratch_values_.resize(count);
    }
  }

  auto call() {
    call_type c{{keys_.data().get(), nullptr},
                &offsets_,
                device_offsets_.data().get(),
                {as<Key>(keys_out_), nullptr},
                {scratch_.data().get(), nullptr}};
    if constexpr (call_type::has_values) {
      c.in.values = values_.data().get();
      c.out.values = as<Value>(values_out_);
      c.scratch.values = scratch_values_.data().get();
    }
    return c;
  }
  std::vector<output> outputs() {
    std::vector<output> result{{&keys_out_, sizeof(Key) / 4}};
    if constexpr (call_type::has_values) result.push_back({&values_out_, sizeof(Value) / 4});
    return result;
  }
  double traffic_bytes(std::size_t count) const {
    return 2.0 * count * (sizeof(Key) + (call_type::has_values ? sizeof(Value) : 0));
  }

 private:
  using call_type = merge_runs_call<Key, Value>;

  std::vector<std::ptrdiff_t> offsets_;
  thrust::device_vector<std::ptrdiff_t> device_offsets_;
  thrust::device_vector<Key> keys_;
  thrust::device_vector<Value> values_;
  words keys_out_, values_out_;
  thrust::device_vector<Key> scratch_;
  thrust::device_vector<Value> scratch_values_;
};

template <class Key, class Value>
void add_case(int log2_count, const runs_shape& shape) {
  using checked = referenced<runs_case<Key, Value>, sort_peer>;
  const std::string name = name_of_types<Key, Value>() + "/" + shape.name();
  add_row<checked, mgpu_runs_peer>(name, log2_count, "mgpu", shape);
  add_row<checked, mgpu_par_runs_peer>(name, log2_count, "mgpu_par", shape);
  add_row<checked, mgpu_tree_peer>(name, log2_count, "tree", shape);
  add_row<checked, cub_tree_peer>(name, log2_count, "cub_tree", shape);
  if constexpr (std::is_arithmetic_v<Key>) add_row<checked, cub_radix_runs_peer>(name, log2_count, "cub_radix", shape);
  else add_row<checked, cub_merge_runs_peer>(name, log2_count, "cub_merge", shape);
}

}  // namespace bench

int main(int argc, char** argv) {
  using namespace bench;
  for (const std::ptrdiff_t runs : {2, 4, 8, 16, 64, 1000}) add_case<u32, no_value>(28, {runs, runs_of::random});
  for (const runs_of kind : {runs_of::half, runs_of::few, runs_of::equal, runs_of::in_order})
    add_case<u32, no_value>(28, {8, kind});
  add_case<u32, no_value>(28, {7, runs_of::random});
  add_case<u32, no_value>(28, {100'000, runs_of::in_order});
  for (const std::ptrdiff_t runs : {8, 64}) {
    add_case<u64, no_value>(27, {runs, runs_of::random});
    add_case<u64x2, no_value>(26, {runs, runs_of::random});
    add_case<u32, u32>(28, {runs, runs_of::random});
    add_case<u64, u64>(27, {runs, runs_of::random});
  }
  add_case<u32, u32>(28, {8, runs_of::half});
  add_case<u32, u32>(28, {8, runs_of::equal});
  for (const int log2_count : log2_of_sizes) {
    if (log2_count != 28) add_case<u32, no_value>(log2_count, {8, runs_of::random});
  }
  return run_rows(argc, argv);
}
