// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <support/timing.cuh>

#include <thrust/device_vector.h>

#include <cstddef>

namespace bench {

/// The temporary storage of one of CUB's functions, allocated at its first call.
class cub_storage {
 public:
  /// run(storage, bytes) calls the function.
  template <class Run>
  void operator()(const Run& run) {
    std::size_t bytes = memory_.size();
    if (bytes == 0) {
      check(run(nullptr, bytes));
      memory_.resize(bytes);
    }
    check(run(memory_.data().get(), bytes));
  }

 private:
  thrust::device_vector<char> memory_;
};

}  // namespace bench
