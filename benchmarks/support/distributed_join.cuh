// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Joins of columns over several GPUs, as the distributed benchmark measures them.

#include <support/data.cuh>
#include <support/ranks.cuh>
#include <support/spread_array.cuh>

#include <mgpu/distributed_join.h>
#include <mgpu/par.h>

#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace bench {

using i64 = std::int64_t;

/// One of `count` keys from `first` on.
struct key_between {
  u64 seed, first, count;
  __host__ __device__ u32 operator()(u64 i) const { return static_cast<u32>(first + random_bits{seed}(i) % count); }
};

struct inner_joined {
  static constexpr bool has_left_rows = true;
  template <class P>
  static i64* run(const P& p, const u32* left, const u32* left_end, const u32* right, const u32* right_end,
                  i64* left_rows, i64* right_rows) {
    return mgpu::inner_join(p, left, left_end, right, right_end, left_rows, right_rows).second;
  }
};
struct as_of_joined {
  static constexpr bool has_left_rows = false;
  template <class P>
  static i64* run(const P& p, const u32* left, const u32* left_end, const u32* right, const u32* right_end, i64*,
                  i64* right_rows) {
    return mgpu::as_of_join(p, left, left_end, right, right_end, right_rows, mgpu::backward);
  }
};

/// Two sorted columns over all GPUs, u32, of as many different keys as rows.
template <class Join>
class join_case {
 public:
  join_case(std::size_t count, int gpus)
      : left_(gpus, count),
        right_(gpus, count),
        left_rows_(gpus, Join::has_left_rows ? room(count) : 0),
        right_rows_(gpus, room(count)),
        ends_(static_cast<std::size_t>(gpus)) {
    for (int g = 0; g < gpus; ++g) {
      fill(left_[g], u64{5} << 50, g);
      fill(right_[g], u64{6} << 50, g);
    }
    const auto left = left_.joined(), right = right_.joined();
    const std::size_t most = room(count) * ends_.size();
    expected_left_ = std::make_unique<gpu_array<i64>>(0, Join::has_left_rows ? most : 0);
    expected_right_ = std::make_unique<gpu_array<i64>>(0, most);
    expected_count_ =
        static_cast<std::size_t>(Join::run(mgpu::par, left->begin(), left->end(), right->begin(), right->end(),
                                           expected_left_->begin(), expected_right_->begin()) -
                                 expected_right_->begin());
  }

  void prepare(gpu& g) {
    check(cudaMemsetAsync(left_rows_[g.number].begin(), 0xa5, left_rows_[g.number].bytes(), g.stream));
    check(cudaMemsetAsync(right_rows_[g.number].begin(), 0xa5, right_rows_[g.number].bytes(), g.stream));
  }
  template <class Policy>
  void run(const Policy& policy, gpu& g) {
    const int i = g.number;
    i64* const rows = right_rows_[i].begin();
    ends_[static_cast<std::size_t>(i)] =
        static_cast<std::size_t>(Join::run(policy, left_[i].begin(), left_[i].end(), right_[i].begin(), right_[i].end(),
                                           left_rows_[i].begin(), rows) -
                                 rows);
  }
  bool is_right() const {
    return right_rows_.is(expected_right_->begin(), expected_count_, ends_) &&
           (!Join::has_left_rows || left_rows_.is(expected_left_->begin(), expected_count_, ends_));
  }
  std::size_t keys_in() const { return 2 * left_[0].bytes() / sizeof(u32) * ends_.size(); }

 private:
  /// More than a GPU's rows have partners.
  static std::size_t room(std::size_t count) { return count + count / 8 + 1024; }

  static void fill(gpu_array<u32>& to, u64 seed, int g) {
    check(cudaSetDevice(g));
    const thrust::counting_iterator<u64> i(0);
    const u64 count = to.bytes() / sizeof(u32), first = u64(g) * count;
    thrust::transform(thrust::cuda::par, i, i + static_cast<std::ptrdiff_t>(count), to.begin(),
                      key_between{seed + first, first, count});
    thrust::sort(thrust::cuda::par, to.begin(), to.end());
    check(cudaSetDevice(0));
  }

  spread_array<u32> left_, right_;
  spread_array<i64> left_rows_, right_rows_;
  std::vector<std::size_t> ends_;
  std::unique_ptr<gpu_array<i64>> expected_left_, expected_right_;
  std::size_t expected_count_ = 0;
};

}  // namespace bench
