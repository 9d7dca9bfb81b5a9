// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Ranks of NCCL: threads of this process, with a GPU each.

#include <doctest/doctest.h>

#include <mgpu/distributed.h>
#include <mgpu/nccl.h>
#include <mgpu/par.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

namespace test {

inline void require_nccl(ncclResult_t code) {
  if (code != ncclSuccess) throw std::runtime_error(ncclGetErrorString(code));
}

class nccl_ranks {
 public:
  /// How many ranks there can be.
  static int most() {
    int devices = 0;
    return cudaGetDeviceCount(&devices) == cudaSuccess ? devices : 0;
  }
  /// The ranks of the first `size` devices. They stay until the process ends: NCCL takes a second to make them.
  static const nccl_ranks& of(int size) {
    static auto& made = *new std::map<int, std::unique_ptr<nccl_ranks>>;
    auto& ranks = made[size];
    if (!ranks) ranks = std::make_unique<nccl_ranks>(size);
    return *ranks;
  }

  explicit nccl_ranks(int size) : comms_(static_cast<std::size_t>(size)) {
    setenv("NCCL_NVLS_ENABLE", "0", 0);
    require_nccl(ncclCommInitAll(comms_.data(), size, nullptr));
  }

  /// Calls f(communicator) for each rank, on a thread with its device current. What f throws ends the process: the
  /// other ranks would wait.
  template <class F>
  void run(const F& f) const {
    std::vector<std::thread> threads;
    for (std::size_t r = 0; r < comms_.size(); ++r) {
      threads.emplace_back([&, r] {
        try {
          require(cudaSetDevice(static_cast<int>(r)));
          f(mgpu::nccl_communicator(comms_[r]));
        } catch (const std::exception& error) {
          std::fprintf(stderr, "rank %zu: %s\n", r, error.what());
          std::_Exit(1);
        }
      });
    }
    for (auto& t : threads) t.join();
  }

 private:
  static void require(cudaError_t code) {
    if (code != cudaSuccess) throw std::runtime_error(cudaGetErrorString(code));
  }

  std::vector<ncclComm_t> comms_;
};

/// Each call of a communicator that is no longer usable says so at once.
template <class Communicator>
void check_that_calls_fail(const Communicator& c) {
  int own = 0, all[2];
  CHECK_THROWS_AS(c.exchange(nullptr, 0, nullptr, 0, nullptr), mgpu::rank_error);
  CHECK_THROWS_AS(c.all_gather(&own, all, sizeof(own), nullptr), mgpu::rank_error);
  CHECK_THROWS_AS(c.fetch(nullptr, nullptr, 0, nullptr), mgpu::rank_error);
  const auto everywhere = mgpu::distributed(mgpu::par, c);
  CHECK(!everywhere.is_usable());
  int* const none = nullptr;
  CHECK_THROWS_AS(mgpu::rebalance(everywhere, none, none, none, none), mgpu::rank_error);
}

}  // namespace test
