// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Time on the GPU between two CUDA events, and the bandwidth of a copy to hold it against.

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench {

inline void check(cudaError_t code) {
  if (code != cudaSuccess) throw std::runtime_error(cudaGetErrorString(code));
}

/// Occupies the default stream, so that the calls behind it are all queued before the first of them starts.
static __global__ void hold(unsigned long long nanoseconds) {
  const auto now = [] {
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
  };
  const auto begin = now();
  while (now() - begin < nanoseconds) continue;
}

class event {
 public:
  event() { check(cudaEventCreate(&handle_)); }
  ~event() { cudaEventDestroy(handle_); }
  event(const event&) = delete;
  event& operator=(const event&) = delete;
  void record() { check(cudaEventRecord(handle_)); }
  double seconds_since(const event& begin) const {
    check(cudaEventSynchronize(handle_));
    float milliseconds;
    check(cudaEventElapsedTime(&milliseconds, begin.handle_, handle_));
    return milliseconds * 1e-3;
  }

 private:
  cudaEvent_t handle_;
};

/// Seconds that one of `calls` calls takes on the default stream. The launch latency of calls that do not synchronise
/// is hidden; that of calls that do is part of their time.
template <class Call>
double seconds_per_call(Call&& call, int calls) {
  constexpr unsigned long long queueing_nanoseconds = 20'000;  // per call, more than any peer needs
  event begin, end;
  hold<<<1, 1>>>(queueing_nanoseconds * calls);
  begin.record();
  for (int i = 0; i < calls; ++i) call();
  end.record();
  const double seconds = end.seconds_since(begin) / calls;
  check(cudaGetLastError());
  return seconds;
}

/// Seconds that one call takes on the default stream behind `prepare`, which is queued before it and not timed. To
/// queue both takes the CPU less than `queueing_nanoseconds`.
template <class Prepare, class Call>
double seconds_of_prepared_call(Prepare&& prepare, Call&& call, unsigned long long queueing_nanoseconds) {
  event begin, end;
  hold<<<1, 1>>>(queueing_nanoseconds);
  prepare();
  begin.record();
  call();
  end.record();
  const double seconds = end.seconds_since(begin);
  check(cudaGetLastError());
  return seconds;
}

/// Bytes per second, read and written, of a 2 GiB copy on the device: the median of 15.
inline double measure_copy_bandwidth() {
  const std::size_t bytes = std::size_t{2} << 30;
  void *from = nullptr, *to = nullptr;
  check(cudaMalloc(&from, bytes));
  check(cudaMalloc(&to, bytes));
  check(cudaMemset(from, 1, bytes));
  const auto copy = [&] { check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice)); };
  for (int i = 0; i < 3; ++i) copy();
  std::vector<double> seconds(15);
  for (double& s : seconds) s = seconds_per_call(copy, 1);
  std::nth_element(seconds.begin(), seconds.begin() + 7, seconds.end());
  check(cudaFree(from));
  check(cudaFree(to));
  return 2.0 * bytes / seconds[7];
}

/// The copy bandwidth of this run, measured once.
inline double copy_bandwidth() {
  static const double bandwidth = measure_copy_bandwidth();
  return bandwidth;
}

}  // namespace bench
