// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls by one thread while another thread captures a stream in the mode global: neither may fail. A program of its
// own, since its first call of the library is made during a capture.
#include "support/cuda.h"

#include <doctest/doctest.h>

#include <mgpu/mgpu.h>

#include <thrust/iterator/counting_iterator.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <iterator>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace test;
using numbers = std::vector<int>;

__global__ void add(int* values, int count, int x) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) values[i] += x;
}

numbers random_numbers(std::size_t count, int most, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> any(0, most);
  numbers x(count);
  for (int& value : x) value = any(random);
  return x;
}
numbers sorted(numbers x) {
  std::sort(x.begin(), x.end());
  return x;
}
/// 0, length, 2 * length, ..., count.
numbers equal_parts(int count, int length) {
  numbers offsets;
  for (int i = 0; i < count; i += length) offsets.push_back(i);
  offsets.push_back(count);
  return offsets;
}
numbers sorted_by_parts(numbers x, const numbers& offsets) {
  for (std::size_t i = 1; i < offsets.size(); ++i) std::sort(x.begin() + offsets[i - 1], x.begin() + offsets[i]);
  return x;
}

struct by_last_digits {
  MGPU_HOST_DEVICE bool operator()(int x, int y) const { return x % 1000 < y % 1000; }
};

/// One call of each kind, all of which take scratch memory: by a launch for splits, a scan, CUB, passes of a sort.
class calls {
 public:
  /// Puts the arrays that are sorted in place there anew.
  void load() {
    cuda_executor::copy_in(by_number_.begin(), any_.data(), any_.size() * sizeof(int));
    cuda_executor::copy_in(by_digits_.begin(), any_.data(), any_.size() * sizeof(int));
    cuda_executor::copy_in(by_segment_.begin(), any_.data(), any_.size() * sizeof(int));
    merge_.load(1);
    union_size_ = join_size_ = -1;
    require_cuda(cudaDeviceSynchronize());
  }

  template <class Policy>
  void run(const Policy& p) {
    const auto n = static_cast<offset>(any_.size());
    merge_.run(p);
    union_size_ =
        mgpu::set_union(p, a_in_.begin(), a_in_.end(), b_in_.begin(), b_in_.end(), united_.begin()) - united_.begin();
    mgpu::stable_sort(p, by_number_.begin(), by_number_.begin() + n);
    mgpu::stable_sort(p, by_digits_.begin(), by_digits_.begin() + n, by_last_digits{});
    mgpu::segmented_sort(p, by_segment_.begin(), by_segment_.begin() + n,
                         mgpu::segment_offsets(segments_in_.begin(), static_cast<offset>(segments_.size()) - 1));
    mgpu::merge_runs(p, runs_in_.begin(), runs_in_.end(),
                     mgpu::run_offsets(run_offsets_in_.begin(), static_cast<offset>(run_offsets_.size()) - 1),
                     merged_.begin());
    join_size_ = mgpu::inner_join(p, a_in_.begin(), a_in_.end(), b_in_.begin(), b_in_.end(), left_rows_.begin(),
                                  right_rows_.begin())
                     .first -
                 left_rows_.begin();
    mgpu::interval_expand(p, mgpu::interval_counts(counts_in_.begin(), counts_in_.end()),
                          thrust::counting_iterator<int>(0), expanded_.begin());
  }

  /// Requires: the calls have finished.
  void check() const {
    CHECK(merge_.has_result(1));
    numbers united;
    std::set_union(a_.begin(), a_.end(), b_.begin(), b_.end(), std::back_inserter(united));
    CHECK(union_size_ == static_cast<offset>(united.size()));
    CHECK(united_.first_difference(united) == -1);
    CHECK(by_number_.first_difference(sorted(any_)) == -1);
    numbers by_digits = any_;
    std::stable_sort(by_digits.begin(), by_digits.end(), by_last_digits{});
    CHECK(by_digits_.first_difference(by_digits) == -1);
    CHECK(by_segment_.first_difference(sorted_by_parts(any_, segments_)) == -1);
    CHECK(merged_.first_difference(sorted(runs_)) == -1);
    check_join();
    numbers expanded;
    for (std::size_t i = 0; i < counts_.size(); ++i)
      expanded.insert(expanded.end(), static_cast<std::size_t>(counts_[i]), static_cast<int>(i));
    CHECK(expanded_.first_difference(expanded) == -1);
  }

 private:
  void check_join() const {
    std::vector<offset> left, right;
    for (std::size_t i = 0; i < a_.size(); ++i) {
      const auto equal = std::equal_range(b_.begin(), b_.end(), a_[i]);
      for (auto j = equal.first; j != equal.second; ++j) {
        left.push_back(static_cast<offset>(i));
        right.push_back(j - b_.begin());
      }
    }
    CHECK(join_size_ == static_cast<offset>(left.size()));
    CHECK(left_rows_.first_difference(left) == -1);
    CHECK(right_rows_.first_difference(right) == -1);
  }

  const numbers a_ = sorted(random_numbers(200'000, 400'000, 1)), b_ = sorted(random_numbers(150'000, 400'000, 2));
  const numbers any_ = random_numbers(1'500'000, 1'000'000'000, 3);
  const numbers segments_ = equal_parts(1'500'000, 3'000);
  const numbers run_offsets_ = equal_parts(1'000'000, 9'999);
  const numbers runs_ = sorted_by_parts(random_numbers(1'000'000, 1'000'000, 4), run_offsets_);
  const numbers counts_ = random_numbers(100'000, 7, 5);

  large_merge merge_;
  input<cuda_executor, int> a_in_{a_}, b_in_{b_}, segments_in_{segments_}, run_offsets_in_{run_offsets_},
      runs_in_{runs_}, counts_in_{counts_};
  output<cuda_executor, int> united_{350'000}, by_number_{1'500'000}, by_digits_{1'500'000}, by_segment_{1'500'000},
      merged_{1'000'000}, expanded_{700'000};
  output<cuda_executor, offset> left_rows_{350'000}, right_rows_{350'000};
  offset union_size_ = -1, join_size_ = -1;
};

/// What f throws in another thread, or a CUDA error that it leaves there; nothing if it does neither.
template <class F>
std::string complaint_of_other_thread(const F& f) {
  std::string message;
  std::thread([&] {
    try {
      f();
      if (const cudaError_t left = cudaGetLastError()) message = cudaGetErrorString(left);
    } catch (const std::exception& error) {
      message = error.what();
    }
  }).join();
  return message;
}

/// Calls f in another thread while this one captures a stream, and checks what was captured.
template <class F>
void check_beside_capture(const F& f) {
  constexpr int count = 1000;
  const stream s;
  const input<cuda_executor, int> values(numbers(count, 1));
  add<<<4, 256, 0, s>>>(values.begin(), count, 1);
  s.wait();
  std::string complaint;
  const graph captured(s, [&] {
    add<<<4, 256, 0, s>>>(values.begin(), count, 10);
    complaint = complaint_of_other_thread(f);
    add<<<4, 256, 0, s>>>(values.begin(), count, 100);
  });
  CHECK(complaint == "");
  captured.launch(s);
  captured.launch(s);
  s.wait();
  numbers now(count);
  cuda_executor::copy_out(now.data(), values.begin(), count * sizeof(int));
  CHECK(now == numbers(count, 222));
}

cudaStreamCaptureMode mode_of_thread() {
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  require_cuda(cudaThreadExchangeStreamCaptureMode(&mode));
  cudaStreamCaptureMode found = mode;
  require_cuda(cudaThreadExchangeStreamCaptureMode(&found));
  return mode;
}

/// Takes memory by a call that CUDA refuses while another thread captures, unless it is asked not to.
struct careful_allocator {
  using value_type = char;

  char* allocate(std::ptrdiff_t bytes) {
    const apart_from_captures apart;
    void* memory = nullptr;
    require_cuda(cudaMalloc(&memory, static_cast<std::size_t>(bytes)));
    return static_cast<char*>(memory);
  }
  void deallocate(char* memory, std::size_t) {
    const apart_from_captures apart;
    require_cuda(cudaFree(memory));
  }

 private:
  struct apart_from_captures {
    cudaStreamCaptureMode mode = cudaStreamCaptureModeThreadLocal;
    apart_from_captures() { cudaThreadExchangeStreamCaptureMode(&mode); }
    ~apart_from_captures() { cudaThreadExchangeStreamCaptureMode(&mode); }
  };
};

/// Notes the mode in which it is called, and then refuses or not.
struct noting_allocator {
  using value_type = char;
  std::vector<cudaStreamCaptureMode>* modes;
  bool refuses = false;

  char* allocate(std::ptrdiff_t bytes) {
    modes->push_back(mode_of_thread());
    if (refuses) throw std::bad_alloc();
    void* memory = nullptr;
    require_cuda(cudaMalloc(&memory, static_cast<std::size_t>(bytes)));
    return static_cast<char*>(memory);
  }
  void deallocate(char* memory, std::size_t) {
    modes->push_back(mode_of_thread());
    require_cuda(cudaFree(memory));
  }
};

}  // namespace

// First in the file: nothing has been set up before it.
TEST_CASE("the first calls of a program, while another thread captures") {
  calls all;
  const stream s;
  all.load();
  check_beside_capture([&] { all.run(mgpu::par.on(s)); });
  all.check();
}

TEST_CASE("calls with each policy, while another thread captures") {
  calls all;
  const stream s;
  const auto check = [&](const char* name, const auto& policy) {
    INFO(name);
    all.load();
    check_beside_capture([&] { all.run(policy); });
    s.wait();
    require_cuda(cudaStreamSynchronize(cudaStreamLegacy));
    all.check();
  };
  check("par", mgpu::par);
  check("par_nosync.on", mgpu::par_nosync.on(s));
  check("wrap(par.on)", mgpu::wrap(thrust::cuda::par.on(s)));
  check("wrap(stream)", mgpu::wrap(static_cast<cudaStream_t>(s)));
  check("par(allocator).on", mgpu::par(careful_allocator{}).on(s));
}

TEST_CASE("a call leaves the thread's mode as it was, also for the allocator and by an exception") {
  large_merge merge;
  merge.load(1);
  const stream s;
  for (const auto outside :
       {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed}) {
    cudaStreamCaptureMode mode = outside;
    require_cuda(cudaThreadExchangeStreamCaptureMode(&mode));
    std::vector<cudaStreamCaptureMode> modes;
    merge.run(mgpu::par(noting_allocator{&modes}).on(s));
    CHECK(modes == std::vector{outside, outside});
    CHECK(mode_of_thread() == outside);
    CHECK_THROWS_AS(merge.run(mgpu::par(noting_allocator{&modes, true}).on(s)), std::bad_alloc);
    CHECK(modes == std::vector{outside, outside, outside});
    CHECK(mode_of_thread() == outside);
    require_cuda(cudaThreadExchangeStreamCaptureMode(&mode));
  }
  CHECK(mode_of_thread() == cudaStreamCaptureModeGlobal);
}

TEST_CASE("what the own thread captures stays protected") {
  large_merge merge;
  merge.load(1);
  const stream s, other;
  merge.run(mgpu::par.on(s));
  merge.load(2);
  const graph captured(s, [&] { merge.run(mgpu::par_nosync.on(s)); });
  CHECK(merge.has_not_run(2));
  captured.launch(s);
  s.wait();
  CHECK(merge.has_result(2));
  std::vector<cudaStreamCaptureMode> modes;
  const auto fails = [&](const auto& policy) {
    require_cuda(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    CHECK_THROWS(merge.run(policy));
    cudaGraph_t graph = nullptr;
    CHECK(cudaStreamEndCapture(s, &graph) == cudaErrorStreamCaptureInvalidated);
    cudaGetLastError();
  };
  fails(mgpu::par.on(s));
  fails(mgpu::par_nosync(noting_allocator{&modes}).on(s));  // its cudaMalloc
  s.wait();
  CHECK(merge.has_result(2));
}
