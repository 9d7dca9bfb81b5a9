// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The same merge_by_key with every kind of CUDA policy: unchanged calls of Thrust, a stream and an allocator of one's
// own, the existing policy of another library or of one's own, a stream of CCCL. Checks every result.

#include <mgpu/merge.h>
#include <mgpu/par.h>
#include <mgpu/thrust_ext.h>

#include <thrust/device_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/merge.h>

#if __has_include(<cuda/stream>)
#include <cuda/stream>
#else
#include <cuda/stream_ref>
#endif

#include <cstddef>
#include <cstdio>
#include <exception>
#include <stdexcept>

namespace {

class cuda_stream {
 public:
  cuda_stream() { check(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking)); }
  ~cuda_stream() { cudaStreamDestroy(handle_); }
  cuda_stream(const cuda_stream&) = delete;
  cuda_stream& operator=(const cuda_stream&) = delete;
  operator cudaStream_t() const { return handle_; }
  void wait() { check(cudaStreamSynchronize(handle_)); }

 private:
  static void check(cudaError_t code) {
    if (code != cudaSuccess) throw std::runtime_error(cudaGetErrorString(code));
  }
  cudaStream_t handle_;
};

// [snippet: allocator]
/// Scratch of an application's own: keeps one block of device memory and hands it out again and again.
class one_block {
 public:
  using value_type = char;
  char* allocate(std::ptrdiff_t bytes) {
    ++calls;
    if (static_cast<std::size_t>(bytes) > block_.size()) block_.resize(bytes);
    return thrust::raw_pointer_cast(block_.data());
  }
  void deallocate(char*, std::size_t) {}
  int calls = 0;

 private:
  thrust::device_vector<char> block_;
};
// [end]

struct multiple_of {
  int factor, first;
  __host__ __device__ int operator()(int i) const { return factor * i + first; }
};

thrust::device_vector<int> sequence(int count, int factor, int first) {
  const auto numbers = thrust::make_transform_iterator(thrust::counting_iterator<int>(0), multiple_of{factor, first});
  return thrust::device_vector<int>(numbers, numbers + count);
}

/// The even and the odd numbers, each with itself as its value.
struct tables {
  static constexpr int count = 1 << 23;
  thrust::device_vector<int> a = sequence(count, 2, 0), b = sequence(count, 2, 1);
  thrust::device_vector<int> a_values = a, b_values = b;
  thrust::device_vector<int> keys_out = sequence(2 * count, 0, -1), values_out = keys_out;

  void check(const char* what) {
    const thrust::device_vector<int> expected = sequence(2 * count, 1, 0);
    const bool is_right = keys_out == expected && values_out == expected;
    std::printf("%-28s %s\n", what, is_right ? "right" : "WRONG");
    if (!is_right) throw std::runtime_error("a wrong result");
    keys_out = values_out = sequence(2 * count, 0, -1);
  }
};

void run_as_it_was(tables& t) {
  auto& [a, b, a_values, b_values, keys_out, values_out] = t;
  const cuda_stream stream;
  // [snippet: drop-in, before]
  thrust::merge_by_key(thrust::cuda::par.on(stream), a.begin(), a.end(), b.begin(), b.end(), a_values.begin(),
                       b_values.begin(), keys_out.begin(), values_out.begin());
  // [end]
  t.check("Thrust's policy");
}

void run_drop_in(tables& t) {
  auto& [a, b, a_values, b_values, keys_out, values_out] = t;
  const cuda_stream stream;
  // [snippet: drop-in]
  // with <mgpu/par.h> and <mgpu/thrust_ext.h> included
  thrust::merge_by_key(mgpu::par.on(stream), a.begin(), a.end(), b.begin(), b.end(), a_values.begin(), b_values.begin(),
                       keys_out.begin(), values_out.begin());
  // [end]
  t.check("drop-in");
}

void run_on_stream_with_allocator(tables& t) {
  auto& [a, b, a_values, b_values, keys_out, values_out] = t;
  cuda_stream stream;
  one_block allocator;
  // [snippet: stream and allocator]
  mgpu::merge_by_key(mgpu::par_nosync(allocator).on(stream), a.begin(), a.end(), b.begin(), b.end(), a_values.begin(),
                     b_values.begin(), keys_out.begin(), values_out.begin());
  // ... more work in the stream, which is waited for once
  stream.wait();
  // [end]
  t.check("stream and allocator");
  std::printf("%-28s %d\n", "  calls of the allocator", allocator.calls);
}

void run_wrapped(tables& t) {
  auto& [a, b, a_values, b_values, keys_out, values_out] = t;
  cuda_stream stream;
  one_block allocator;
  // [snippet: wrap]
  const auto existing = thrust::cuda::par_nosync(allocator).on(stream);  // or rmm::exec_policy_nosync(stream, resource)
  const auto policy = mgpu::wrap(existing);                              // same stream, allocator and synchronisation
  thrust::merge_by_key(policy, a.begin(), a.end(), b.begin(), b.end(), a_values.begin(), b_values.begin(),
                       keys_out.begin(), values_out.begin());
  // [end]
  stream.wait();
  t.check("wrapped policy");
}

void run_on_stream_of_cccl(tables& t) {
  auto& [a, b, a_values, b_values, keys_out, values_out] = t;
  cuda_stream own_stream;
  // [snippet: stream of CCCL]
  const cuda::stream_ref stream(own_stream);  // or an environment that answers cuda::get_stream
  mgpu::merge_by_key(stream, a.begin(), a.end(), b.begin(), b.end(), a_values.begin(), b_values.begin(),
                     keys_out.begin(), values_out.begin());
  // [end]
  own_stream.wait();
  t.check("stream of CCCL");
}

}  // namespace

int main() try {
  tables t;
  run_as_it_was(t);
  run_drop_in(t);
  run_on_stream_with_allocator(t);
  run_wrapped(t);
  run_on_stream_of_cccl(t);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "policies_cuda: %s\n", error.what());
  return 1;
}
