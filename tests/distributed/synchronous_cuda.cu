// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls over ranks with a policy that synchronizes: when they return, and when they throw, the work of its stream is
// done. So the caller may overwrite its inputs, and an allocator that knows of no streams may reuse its memory.
#include "ranks.h"
#include "support/cuda.h"

#include <mgpu/distributed_join.h>

#include <atomic>
#include <new>
#include <numeric>
#include <type_traits>
#include <vector>

namespace {

using namespace test;

/// A communicator whose messages come late.
template <class Communicator>
struct late {
  Communicator base;

  int rank() const { return base.rank(); }
  int size() const { return base.size(); }
  void all_gather(const void* from, void* to, offset bytes, cudaStream_t s) const {
    base.all_gather(from, to, bytes, s);
  }
  void exchange(const mgpu::outgoing* sends, offset send_count, const mgpu::incoming* receives, offset receive_count,
                cudaStream_t s) const {
    base.exchange(sends, send_count, receives, receive_count, s);
    be_late<<<1, 1, 0, s>>>();
  }
};

constexpr int ranks = 2, calls = 9;
const shares even{"", {1000, 1000}}, first{"", {2000, 0}}, second{"", {0, 2000}}, room{"", {4000, 4000}};

struct inputs {
  std::vector<std::uint32_t> low = ascending(0), high = ascending(5000);
  spread<cuda_executor, std::uint32_t> a{low, even}, b{high, even}, a_on_first{low, first}, b_on_second{high, second};
  rooms<cuda_executor, std::uint32_t> out{room}, on_first{first};
  rooms<cuda_executor, offset> rows{room};

  static std::vector<std::uint32_t> ascending(std::uint32_t begin) {
    std::vector<std::uint32_t> all(2000);
    std::iota(all.begin(), all.end(), begin);
    return all;
  }
};

template <class Policy>
void make_call(int call, const Policy& p, const inputs& in, int r) {
  const auto &a = in.a[r], &b = in.b[r], &left = in.a_on_first[r], &right = in.b_on_second[r];
  auto* const out = in.out[r].begin();
  if (call == 0) mgpu::set_intersection(p, a.begin(), a.end(), b.begin(), b.end(), out);
  if (call == 1) mgpu::set_intersection_size(p, a.begin(), a.end(), b.begin(), b.end());
  if (call == 2) mgpu::set_difference(p, a.begin(), a.end(), b.begin(), b.end(), out);
  if (call == 3) mgpu::set_difference_size(p, b.begin(), b.end(), a.begin(), a.end());
  if (call == 4) mgpu::rebalance(p, a.begin(), a.end(), in.on_first[r].begin(), in.on_first[r].end());
  if (call == 5)
    mgpu::as_of_join(p, left.begin(), left.end(), right.begin(), right.end(), in.rows[r].begin(), mgpu::backward);
  if (call == 6) mgpu::inner_join_size(p, left.begin(), left.end(), right.begin(), right.end());
  if (call == 7) mgpu::merge(p, a.begin(), a.end(), b.begin(), b.end(), out);
  if (call == 8) mgpu::stable_sort(p, in.out[r].begin(), in.out[r].begin() + 2000);
}

}  // namespace

TEST_CASE("a call returns when its messages have come, whatever a rank has to do") {
  if (!has_ranks(ranks)) return;
  const inputs in;
  for (int call = 0; call < calls; ++call) {
    std::atomic<int> early{0};
    run_ranks(ranks, [&](const auto& c) {
      const test::stream s;
      make_call(call, mgpu::distributed(mgpu::par.on(s), late<std::decay_t<decltype(c)>>{c}), in, c.rank());
      early += cudaStreamQuery(s) != cudaSuccess;
      s.wait();
    });
    CHECK_MESSAGE(early == 0, "call ", call);
  }
}

TEST_CASE("a call that fails on one rank gives memory back when the work in it is done") {
  if (!has_ranks(ranks)) return;
  const inputs in;
  int failed_calls = 0;
  for (int call = 0; call < calls; ++call) {
    for (int most = 0; most < 3; ++most) {
      for (int victim = 0; victim < ranks; ++victim) {
        std::atomic<int> early{0}, failed{0};
        run_ranks(ranks, [&](const auto& c) {
          const test::stream s;
          be_late<<<1, 1, 0, s>>>();
          allocation_log log;
          log.watched = s;
          if (c.rank() == victim) log.allowed = most;
          const auto local = mgpu::par(logging_allocator{&log}).on(s);
          try {
            make_call(call, mgpu::distributed(local, late<std::decay_t<decltype(c)>>{c}), in, c.rank());
          } catch (const mgpu::rank_error&) {
            ++failed;
          } catch (const std::bad_alloc&) {
          }
          early += log.was_busy;
          s.wait();
        });
        failed_calls += failed;
        CHECK_MESSAGE(early == 0, "call ", call, ", rank ", victim, " has ", most, " allocations");
      }
    }
  }
  CHECK(failed_calls >= 2 * (calls - 1));  // a rebalance of arrays takes no memory
}
