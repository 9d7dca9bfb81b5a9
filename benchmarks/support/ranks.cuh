// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The GPUs of this machine as ranks: a thread, a stream and an NCCL communicator each.

#include <support/kept_memory.cuh>
#include <support/timing.cuh>

#include <mgpu/in_process.h>
#include <mgpu/nccl.h>

#include <cuda_runtime_api.h>
#include <nccl.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace bench {

inline void check(ncclResult_t code) {
  if (code != ncclSuccess) throw std::runtime_error(ncclGetErrorString(code));
}

inline int device_count() {
  int devices = 0;
  return cudaGetDeviceCount(&devices) == cudaSuccess ? devices : 0;
}

/// Threads that wait for each other without sleeping.
class spin_barrier {
 public:
  explicit spin_barrier(int threads) : threads_(threads) {}
  void wait() {
    const int round = round_.load();
    if (arrived_.fetch_add(1) + 1 == threads_) {
      arrived_.store(0);
      round_.store(round + 1);
    }
    while (round_.load() == round) continue;
  }

 private:
  int threads_;
  std::atomic<int> arrived_{0}, round_{0};
};

/// When something happened on a rank's stream: the beginning of a call, of its exchange of elements, of what follows,
/// and the end.
struct phase_events {
  std::array<cudaEvent_t, 4> at;
  bool has_exchange = false;

  phase_events() {
    for (auto& e : at) check(cudaEventCreate(&e));
  }
  ~phase_events() {
    for (auto& e : at) cudaEventDestroy(e);
  }
  phase_events(const phase_events&) = delete;
  phase_events& operator=(const phase_events&) = delete;

  void record(int i, cudaStream_t stream) { check(cudaEventRecord(at[static_cast<std::size_t>(i)], stream)); }
  /// Milliseconds before the exchange, in it, and behind it. Without an exchange all are before it.
  std::array<double, 3> milliseconds() const {
    const auto between = [&](std::size_t from, std::size_t to) {
      float result;
      check(cudaEventElapsedTime(&result, at[from], at[to]));
      return static_cast<double>(result);
    };
    if (!has_exchange) return {between(0, 3), 0, 0};
    return {between(0, 1), between(1, 2), between(2, 3)};
  }
};

/// A GPU with its rank.
struct gpu {
  int number;
  cudaStream_t stream = nullptr;
  ncclComm_t comm = nullptr;
  kept_memory scratch;
  std::unique_ptr<phase_events> phases;
  std::unique_ptr<mgpu::nccl_communicator> nccl;
  std::unique_ptr<mgpu::in_process_communicator> in_process;
};

/// The first `count` GPUs. One at a time.
class gpus {
 public:
  explicit gpus(int count) : group_(count) {
    std::vector<int> devices;
    std::vector<ncclComm_t> comms(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) devices.push_back(i);
    check(ncclCommInitAll(comms.data(), count, devices.data()));
    for (int i = 0; i < count; ++i) {
      all_.push_back(std::make_unique<gpu>());
      gpu& g = *all_.back();
      g.number = i;
      g.comm = comms[static_cast<std::size_t>(i)];
      check(cudaSetDevice(i));
      check(cudaStreamCreateWithFlags(&g.stream, cudaStreamNonBlocking));
      g.phases = std::make_unique<phase_events>();
      g.nccl = std::make_unique<mgpu::nccl_communicator>(g.comm);
      g.in_process = std::make_unique<mgpu::in_process_communicator>(group_[i]);
    }
    check(cudaSetDevice(0));
  }
  ~gpus() {
    for (auto& g : all_) {
      cudaSetDevice(g->number);
      cudaStreamSynchronize(g->stream);
      g->nccl.reset();
      g->in_process.reset();
      g->phases.reset();
    }
    for (auto& g : all_) ncclCommDestroy(g->comm);
    for (auto& g : all_) {
      cudaSetDevice(g->number);
      cudaStreamDestroy(g->stream);
      g.reset();
    }
    cudaSetDevice(0);
  }
  gpus(const gpus&) = delete;
  gpus& operator=(const gpus&) = delete;

  int count() const { return static_cast<int>(all_.size()); }
  gpu& operator[](int i) const { return *all_[static_cast<std::size_t>(i)]; }

  /// Calls f(gpu) for each, on a thread of its own with the device current.
  template <class F>
  void run(const F& f) const {
    std::vector<std::thread> threads;
    std::vector<std::exception_ptr> thrown(all_.size());
    for (std::size_t i = 0; i < all_.size(); ++i) {
      threads.emplace_back([&, i] {
        try {
          check(cudaSetDevice(all_[i]->number));
          f(*all_[i]);
        } catch (...) {
          thrown[i] = std::current_exception();
        }
      });
    }
    for (auto& t : threads) t.join();
    for (const auto& e : thrown)
      if (e) std::rethrow_exception(e);
  }

  /// Seconds from when the first rank begins f(gpu) to when the last one's stream has done it.
  template <class F>
  double seconds(const F& f) const {
    using clock = std::chrono::steady_clock;
    std::vector<clock::time_point> begins(all_.size()), ends(all_.size());
    spin_barrier all_here(count());
    run([&](gpu& g) {
      check(cudaStreamSynchronize(g.stream));
      g.phases->has_exchange = false;
      all_here.wait();
      const auto i = static_cast<std::size_t>(g.number);
      begins[i] = clock::now();
      g.phases->record(0, g.stream);
      f(g);
      g.phases->record(3, g.stream);
      check(cudaStreamSynchronize(g.stream));
      ends[i] = clock::now();
    });
    return std::chrono::duration<double>(*std::max_element(ends.begin(), ends.end()) -
                                         *std::min_element(begins.begin(), begins.end()))
        .count();
  }

 private:
  mgpu::in_process_group group_;
  std::vector<std::unique_ptr<gpu>> all_;
};

/// A rank that notes when elements are exchanged: messages of more than 1 MiB.
template <class Communicator>
class noting_communicator {
 public:
  noting_communicator(gpu& g, const Communicator& inner) : gpu_(&g), inner_(inner) {}
  int rank() const { return inner_.rank(); }
  int size() const { return inner_.size(); }
  void all_gather(const void* from, void* to, mgpu::offset bytes, cudaStream_t stream) const {
    inner_.all_gather(from, to, bytes, stream);
  }
  template <class C = Communicator>
  auto fetch(void* to, const void* from, mgpu::offset bytes, cudaStream_t stream) const
      -> decltype(std::declval<const C&>().fetch(to, from, bytes, stream)) {
    inner_.fetch(to, from, bytes, stream);
  }
  template <class C = Communicator>
  auto begin_gather(const void* from, mgpu::offset bytes) const
      -> decltype(std::declval<const C&>().begin_gather(from, bytes)) {
    inner_.begin_gather(from, bytes);
  }
  template <class C = Communicator>
  auto end_gather(void* to, mgpu::offset bytes) const -> decltype(std::declval<const C&>().end_gather(to, bytes)) {
    inner_.end_gather(to, bytes);
  }
  bool can_copy(const mgpu::outgoing* sends, mgpu::offset send_count, cudaStream_t stream) const {
    return inner_.can_copy(sends, send_count, stream);
  }
  void exchange(const mgpu::outgoing* sends, mgpu::offset send_count, const mgpu::incoming* receives,
                mgpu::offset receive_count, cudaStream_t stream) const {
    mgpu::offset most = 0;
    for (mgpu::offset i = 0; i < send_count; ++i) most = std::max(most, sends[i].bytes);
    for (mgpu::offset i = 0; i < receive_count; ++i) most = std::max(most, receives[i].bytes);
    const auto run = [&] { inner_.exchange(sends, send_count, receives, receive_count, stream); };
    if (most > mgpu::offset{1} << 20) note(stream, run);
    else run();
  }
  void copy(const mgpu::outgoing* sends, mgpu::offset send_count, const mgpu::incoming* receives,
            mgpu::offset receive_count, cudaStream_t stream) const {
    note(stream, [&] { inner_.copy(sends, send_count, receives, receive_count, stream); });
  }

 private:
  template <class Run>
  void note(cudaStream_t stream, const Run& run) const {
    if (!gpu_->phases->has_exchange) gpu_->phases->record(1, stream);
    run();
    gpu_->phases->has_exchange = true;
    gpu_->phases->record(2, stream);
  }

  gpu* gpu_;
  Communicator inner_;
};

}  // namespace bench
