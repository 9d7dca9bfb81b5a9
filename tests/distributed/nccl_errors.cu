// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Asynchronous errors of NCCL. A rank leaves in the midst of a call, wherever that may be; NCCL then says that it is
// gone. The other rank throws mgpu::nccl_error, and does not wait for messages that never come. What NCCL says is put
// into its mouth: on one machine it notices no such thing. And ranks that cannot open their memory to the others.
#include "ranks.h"
#include "support/cuda.h"
#include "support/skip.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <future>

std::atomic<ncclResult_t> told_error{ncclSuccess};
thread_local bool is_memory_short = false;

extern "C" {
cudaError_t __real_cudaDeviceCanAccessPeer(int* can, int device, int other);
cudaError_t __wrap_cudaDeviceCanAccessPeer(int* can, int device, int other) {
  return is_memory_short ? cudaErrorMemoryAllocation : __real_cudaDeviceCanAccessPeer(can, device, other);
}
ncclResult_t __real_ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t* error);
ncclResult_t __wrap_ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t* error) {
  const ncclResult_t code = __real_ncclCommGetAsyncError(comm, error);
  if (code == ncclSuccess && told_error != ncclSuccess) *error = told_error;
  return code;
}
}

namespace {

using namespace test;

struct gone {};

/// A rank that leaves: after `left` calls it throws. Large messages go through NCCL, too.
class leaving_communicator {
 public:
  leaving_communicator(const mgpu::nccl_communicator& inner, int& left) : inner_(inner), left_(&left) {}
  int rank() const { return inner_.rank(); }
  int size() const { return inner_.size(); }
  void all_gather(const void* from, void* to, offset bytes, cudaStream_t stream) const {
    count();
    inner_.all_gather(from, to, bytes, stream);
  }
  void exchange(const mgpu::outgoing* sends, offset send_count, const mgpu::incoming* receives, offset receive_count,
                cudaStream_t stream) const {
    count();
    inner_.exchange(sends, send_count, receives, receive_count, stream);
  }
  void fetch(void* to, const void* from, offset bytes, cudaStream_t stream) const {
    inner_.fetch(to, from, bytes, stream);
  }

 private:
  void count() const {
    if ((*left_)-- == 0) throw gone{};
  }

  mgpu::nccl_communicator inner_;
  int* left_;
};

/// What the other rank has thrown, or whether nobody has left.
enum class outcome { nobody_left, nccl_error, other_error, returned, still_usable };

/// Whether a communicator knows that it is of no more use, and so do calls over it.
bool is_given_up(const mgpu::nccl_communicator& c) {
  if (c.is_usable()) return false;
  int* const none = nullptr;
  try {
    mgpu::rebalance(mgpu::distributed(mgpu::par, c), none, none, none, none);
  } catch (const mgpu::rank_error&) {
    return true;
  }
  return false;
}

/// Makes a rank that does not block: NCCL connects two ranks when they first talk to each other, and else waits there.
void join(ncclComm_t& comm, const ncclUniqueId& id, int rank) {
  use_device_of(rank);
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  config.blocking = 0;
  const ncclResult_t code = ncclCommInitRankConfig(&comm, 2, id, rank, &config);
  if (code != ncclInProgress) require_nccl(code);
}

/// Rank 1 leaves after `calls` calls of its communicator in f(policy over both ranks, rank).
template <class F>
outcome outcome_of(int calls, const F& f) {
  ncclComm_t comms[2] = {};
  ncclUniqueId id;
  require_nccl(ncclGetUniqueId(&id));
  told_error = ncclSuccess;
  outcome result = outcome::returned;
  std::atomic<bool> has_left{false};
  const auto rank_0 = std::async(std::launch::async, [&] {
    int left = 1 << 30;
    try {
      join(comms[0], id, 0);
      const mgpu::nccl_communicator c(comms[0]);
      try {
        f(mgpu::distributed(mgpu::par, leaving_communicator(c, left)), 0);
      } catch (const mgpu::nccl_error& error) {
        result = error.code() != ncclRemoteError ? outcome::other_error
                 : is_given_up(c)                ? outcome::nccl_error
                                                 : outcome::still_usable;
      }
    } catch (...) {
      result = outcome::other_error;
    }
  });
  const auto rank_1 = std::async(std::launch::async, [&] {
    int left = calls;
    try {
      join(comms[1], id, 1);
      f(mgpu::distributed(mgpu::par, leaving_communicator(mgpu::nccl_communicator(comms[1]), left)), 1);
    } catch (const gone&) {
      has_left = true;
    }
  });
  using std::chrono::seconds;
  bool is_over = rank_1.wait_for(seconds(20)) == std::future_status::ready;
  if (is_over && has_left) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // rank 0 waits now
    told_error = ncclRemoteError;
  }
  is_over = is_over && rank_0.wait_for(seconds(20)) == std::future_status::ready;
  if (!is_over) {
    const bool is_rank_1 = rank_1.wait_for(seconds(0)) != std::future_status::ready;
    std::fprintf(stderr, "rank 1 leaves after %d calls: rank %d hangs\n", calls, is_rank_1 ? 1 : 0);
    std::_Exit(1);
  }
  told_error = ncclSuccess;
  std::thread other([&] { ncclCommAbort(comms[1]); });
  ncclCommAbort(comms[0]);
  other.join();
  return has_left ? result : outcome::nobody_left;
}

/// Rank 1 leaves after each number of calls, from the first of `calls` on, until all of f() is done before.
template <class F>
void check_leaving(int first, int step, const F& f) {
  if (nccl_ranks::most() < 2) {
    has_skipped_a_test = true;
    return;
  }
  setenv("NCCL_NVLS_ENABLE", "0", 0);
  int calls = first;
  for (outcome o = outcome::returned; (o = outcome_of(calls, f)) != outcome::nobody_left; calls += step) {
    INFO("rank 1 leaves after ", calls, " calls");
    CHECK(o == outcome::nccl_error);
    REQUIRE(calls < 100);
  }
  CHECK(calls > 4);
}

TEST_CASE("a rank that leaves a sort") {
  const shares s{"", {30'000, 20'000}};
  const rooms<cuda_executor, std::uint32_t> arrays(s);
  const auto all = keys<std::uint32_t>(s.total(), repeats::few, 1);
  check_leaving(0, 1, [&](const auto& everywhere, int r) {
    const auto part = part_of(all, s, r);
    cuda_executor::copy_in(arrays[r].begin(), part.data(), 4 * part.size());
    mgpu::stable_sort(everywhere, arrays[r].begin(), arrays[r].end());
  });
}

TEST_CASE("a rank that leaves a union") {
  const shares s{"", {30'000, 20'000}}, room{"", {60'000, 40'000}};
  auto all = keys<std::uint32_t>(s.total(), repeats::runs, 1);
  std::sort(all.begin(), all.end());
  const spread<cuda_executor, std::uint32_t> a(all, s);
  const rooms<cuda_executor, std::uint32_t> out(room);
  check_leaving(1, 2, [&](const auto& everywhere, int r) {
    mgpu::set_union(everywhere, a[r].begin(), a[r].end(), a[r].begin(), a[r].end(), out[r].begin());
  });
}

TEST_CASE("ranks do not copy if one of them has no memory to open its device") {
  if (nccl_ranks::most() < 2) {
    has_skipped_a_test = true;
    return;
  }
  for (const int victim : {0, 1}) {
    std::atomic<int> copying{0};
    nccl_ranks::of(2).run([&](const auto& c) {
      const test::stream s;
      const memory<cuda_executor> sent{std::vector<char>(1000)};
      const mgpu::outgoing send{1 - c.rank(), sent.data(), 1000};
      is_memory_short = c.rank() == victim;
      copying += c.can_copy(&send, 1, s);
      is_memory_short = false;
    });
    CHECK(copying == 0);
  }
}

}  // namespace
