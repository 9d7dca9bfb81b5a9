// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// inner_join and as_of_join on the GPU. The size of a row is the number of rows of both sides together, half of them
// each; keys are u32, row numbers too. The keys of inner_join:
//   unique   random below the number of rows of a side: one partner on average
//   dup64    each key 64 times on both sides; u64_rows_dup64 with row numbers of 64 bits
// as_of_join_near takes a right row only if it is at most 20 less.
// Peers:
//   mgpu     mgpu::par_nosync; inner_join waits for its size
//   thrust   thrust::cuda::par_nosync, all memory allocated before. inner_join: two vectorised searches, a scan of the
//            counts, heads scattered and spread by a running maximum. as_of_join: upper_bound into a decrementing
//            output, and a transform that compares the rows

#include <support/data.cuh>
#include <support/row.cuh>

#include <mgpu/join.h>
#include <mgpu/par.h>

#include <thrust/binary_search.h>
#include <thrust/fill.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/transform.h>

namespace bench {

/// Random rows, `copies` of each key on average.
inline thrust::device_vector<u32> random_rows(std::size_t count, u64 seed, int copies) {
  auto rows = generate<u32>(count, random_below<u32>{log2_of(count / static_cast<std::size_t>(copies)), seed});
  thrust::sort(rows.begin(), rows.end());
  return rows;
}

template <class Row>
struct join_call {
  const u32 *left, *right;
  std::ptrdiff_t count;  // of either side
  Row *left_rows, *right_rows;
  words *bounds, *counts, *offsets;  // memory of Thrust's peer
};

template <int copies, class Row = u32>
struct inner_join_case {
  static constexpr const char* name = copies == 1        ? "inner_join_unique"
                                      : sizeof(Row) == 4 ? "inner_join_dup64"
                                                         : "inner_join_u64_rows_dup64";
  static constexpr std::size_t row_words = sizeof(Row) / sizeof(u32);
  thrust::device_vector<u32> left, right;
  words left_rows, right_rows, bounds, counts, offsets;

  explicit inner_join_case(std::size_t count)
      : left(random_rows(count / 2, 1, copies)),
        right(random_rows(count / 2, 2, copies)),
        left_rows((count / 2 * copies * 17 / 16 + 1000) * row_words),
        right_rows(left_rows.size()),
        bounds(count / 2),
        counts(count / 2),
        offsets(count / 2) {}
  auto call() {
    return join_call<Row>{left.data().get(),
                          right.data().get(),
                          static_cast<std::ptrdiff_t>(left.size()),
                          as<Row>(left_rows),
                          as<Row>(right_rows),
                          &bounds,
                          &counts,
                          &offsets};
  }
  std::vector<output> outputs() { return {{&left_rows, row_words}, {&right_rows, row_words}}; }
  double traffic_bytes(std::size_t out_count) const {
    return static_cast<double>((left.size() + right.size()) * sizeof(u32) + 2 * out_count * sizeof(Row));
  }
};

template <bool is_near>
struct as_of_join_case {
  static constexpr const char* name = is_near ? "as_of_join_near" : "as_of_join_backward";
  thrust::device_vector<u32> left, right;
  words right_rows;

  explicit as_of_join_case(std::size_t count)
      : left(sorted_keys<u32>(count / 2, 1)), right(sorted_keys<u32>(count / 2, 2)), right_rows(count / 2) {}
  auto call() {
    return join_call<u32>{left.data().get(),
                          right.data().get(),
                          static_cast<std::ptrdiff_t>(left.size()),
                          nullptr,
                          as<u32>(right_rows),
                          nullptr,
                          nullptr,
                          nullptr};
  }
  std::vector<output> outputs() { return {{&right_rows, 1}}; }
  double traffic_bytes(std::size_t out_count) const {
    return static_cast<double>((left.size() + right.size() + out_count) * sizeof(u32));
  }
};

struct mgpu_inner_join {
  template <class Row>
  std::size_t operator()(const join_call<Row>& c) const {
    const auto ends = mgpu::inner_join(mgpu::par_nosync, c.left, c.left + c.count, c.right, c.right + c.count,
                                       c.left_rows, c.right_rows);
    return static_cast<std::size_t>(ends.first - c.left_rows);
  }
};

/// The right row of a pair: the first partner of its left row, and as many rows behind as the pair is behind the left
/// row's first pair.
template <class Row>
struct right_row {
  const u32 *bounds, *offsets;
  const Row* left_rows;
  __host__ __device__ Row operator()(u32 pair) const {
    const Row row = left_rows[pair];
    return bounds[row] + (pair - offsets[row]);
  }
};
struct is_not_zero {
  __host__ __device__ bool operator()(u32 count) const { return count != 0; }
};

struct thrust_inner_join {
  template <class Row>
  std::size_t operator()(const join_call<Row>& c) const {
    const auto policy = thrust::cuda::par_nosync;
    const auto end = c.left + c.count, right_end = c.right + c.count;
    thrust::lower_bound(policy, c.right, right_end, c.left, end, c.bounds->begin());
    thrust::upper_bound(policy, c.right, right_end, c.left, end, c.counts->begin());
    thrust::transform(policy, c.counts->begin(), c.counts->end(), c.bounds->begin(), c.counts->begin(),
                      thrust::minus<u32>{});
    thrust::exclusive_scan(policy, c.counts->begin(), c.counts->end(), c.offsets->begin());
    const std::size_t size = std::size_t{c.offsets->back()} + c.counts->back();
    const auto count = static_cast<std::ptrdiff_t>(size);
    thrust::fill(policy, c.left_rows, c.left_rows + size, Row{0});
    thrust::scatter_if(policy, thrust::counting_iterator<u32>(0), thrust::counting_iterator<u32>(0) + c.count,
                       c.offsets->begin(), c.counts->begin(), c.left_rows, is_not_zero{});
    thrust::inclusive_scan(policy, c.left_rows, c.left_rows + size, c.left_rows, thrust::maximum<Row>{});
    const thrust::counting_iterator<u32> pairs(0);
    thrust::transform(policy, pairs, pairs + count, c.right_rows,
                      right_row<Row>{as<u32>(*c.bounds), as<u32>(*c.offsets), c.left_rows});
    return size;
  }
};

/// For a left row and the right row before it.
struct is_at_most_20_less {
  __host__ __device__ bool operator()(u32 left, u32 right) const { return left - right <= 20; }
};

template <bool is_near>
struct mgpu_as_of_join {
  std::size_t operator()(const join_call<u32>& c) const {
    const auto end = c.left + c.count, right_end = c.right + c.count;
    if constexpr (is_near) {
      mgpu::as_of_join(mgpu::par_nosync, c.left, end, c.right, right_end, c.right_rows, mgpu::backward,
                       cuda::std::less<>{}, is_at_most_20_less{});
    } else {
      mgpu::as_of_join(mgpu::par_nosync, c.left, end, c.right, right_end, c.right_rows, mgpu::backward);
    }
    return static_cast<std::size_t>(c.count);
  }
};

struct row_before {
  __host__ __device__ u32 operator()(std::ptrdiff_t position) const { return static_cast<u32>(position) - 1; }
};
struct near_row {
  const u32* right;
  __host__ __device__ u32 operator()(u32 left, u32 row) const {
    constexpr u32 none = ~0u;
    return row != none && is_at_most_20_less{}(left, right[row]) ? row : none;
  }
};

template <bool is_near>
struct thrust_as_of_join {
  std::size_t operator()(const join_call<u32>& c) const {
    const auto policy = thrust::cuda::par_nosync;
    const auto end = c.left + c.count;
    thrust::upper_bound(policy, c.right, c.right + c.count, c.left, end,
                        thrust::make_transform_output_iterator(c.right_rows, row_before{}));
    if constexpr (is_near) thrust::transform(policy, c.left, end, c.right_rows, c.right_rows, near_row{c.right});
    return static_cast<std::size_t>(c.count);
  }
};

template <class Case, class Ours, class Theirs>
void add_case(int log2_count) {
  using checked = referenced<Case, Theirs>;
  add_row<checked, Ours>(Case::name, log2_count, "mgpu");
  add_row<checked, Theirs>(Case::name, log2_count, "thrust");
}

}  // namespace bench

int main(int argc, char** argv) {
  using namespace bench;
  for (const int log2_count : {20, 24, 27}) {
    add_case<inner_join_case<1>, mgpu_inner_join, thrust_inner_join>(log2_count);
    add_case<as_of_join_case<false>, mgpu_as_of_join<false>, thrust_as_of_join<false>>(log2_count);
    add_case<as_of_join_case<true>, mgpu_as_of_join<true>, thrust_as_of_join<true>>(log2_count);
  }
  for (const int log2_count : {20, 23}) {
    add_case<inner_join_case<64>, mgpu_inner_join, thrust_inner_join>(log2_count);
    add_case<inner_join_case<64, u64>, mgpu_inner_join, thrust_inner_join>(log2_count);
  }
  return run_rows(argc, argv);
}
