// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/bad_input_flag.h>
#include <mgpu/exec/cuda/executor.cuh>
#include <mgpu/exec/cuda/read_back.cuh>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

template <class Policy>
class cuda_executor<Policy>::bad_input_report {
 public:
  explicit bad_input_report(Policy& p, bool is_wanted = true)
      : word_(thrust_cuda::stream(p), is_wanted && thrust_cuda::must_perform_optional_synchronization(p)) {
    word_.set(0);
  }
  base::bad_input_flag flag() { return {word_.device()}; }
  bool is_raised() { return word_.is_wanted() && word_.get() != 0; }

 private:
  read_back<int> word_;
};

template <class Policy>
template <class T>
auto cuda_executor<Policy>::read(const T* value) const {
  check_can_wait();
  read_back<T> copy(stream());
  exec::check_cuda(cudaMemcpyAsync(copy.device(), value, sizeof(T), cudaMemcpyDefault, stream()), "cudaMemcpyAsync");
  exec::check_cuda(thrust_cuda::synchronize(policy_), "the synchronisation after cudaMemcpyAsync");
  return copy.get();
}

}  // namespace detail::exec
MGPU_NAMESPACE_END
