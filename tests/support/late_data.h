// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/cuda.h"
#include "support/vectors.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace test {

/// Puts the data of `seed` where calls find it: in stream order, and late. Until then there is other data.
class late_data {
 public:
  template <class Calls>
  late_data(const Calls& calls, int seed, cudaStream_t s) {
    struct range {
      void* to;
      std::size_t bytes;
    };
    std::vector<range> ranges;
    calls.load(seed + 1);
    calls.for_each_input(seed, [&](void* to, const void* from, std::size_t bytes) {
      const char* const first = static_cast<const char*>(from);
      from_.push_back(std::make_unique<memory<cuda_executor>>(std::vector<char>(first, first + bytes)));
      ranges.push_back({to, bytes});
    });
    require_cuda(cudaDeviceSynchronize());
    be_late<<<1, 1, 0, s>>>();
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      require_cuda(cudaMemcpyAsync(ranges[i].to, from_[i]->data(), ranges[i].bytes, cudaMemcpyDeviceToDevice, s));
    }
  }

 private:
  std::vector<std::unique_ptr<memory<cuda_executor>>> from_;
};

}  // namespace test
