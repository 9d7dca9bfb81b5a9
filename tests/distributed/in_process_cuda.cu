// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// in_process_group with CUDA streams on one device: messages are copied when the stream of the sender has made them,
// and the sender's stream overwrites them when they have been copied. Policies with streams of their own.
#include "ranks.h"
#include "support/cuda.h"

#include <atomic>

namespace {

using namespace test;

TEST_CASE("exchange is ordered by the streams") {
  constexpr int ranks = 4, rounds = 10;
  constexpr offset count = 1 << 16;
  std::atomic<int> wrong{0};
  mgpu::in_process_group(ranks).run([&](const auto& c) {
    const test::stream s;
    const auto bytes = static_cast<std::size_t>(count);
    const memory<cuda_executor> sent{std::vector<char>(bytes)}, received{std::vector<char>(ranks * bytes)};
    for (int round = 0; round < rounds; ++round) {
      if ((c.rank() + round) % 2 == 0) be_late<<<1, 1, 0, s>>>();
      require_cuda(cudaMemsetAsync(sent.data(), 16 * round + c.rank(), bytes, s));
      std::vector<mgpu::outgoing> sends;
      std::vector<mgpu::incoming> receives;
      for (int r = 0; r < ranks; ++r) {
        if (r == c.rank()) continue;
        sends.push_back({r, sent.data(), count});
        receives.push_back({r, received.data() + r * count, count});
      }
      c.exchange(sends.data(), ranks - 1, receives.data(), ranks - 1, static_cast<cudaStream_t>(s));
      require_cuda(cudaMemsetAsync(sent.data(), 0xee, bytes, s));
      std::vector<char> now(ranks * bytes);
      require_cuda(cudaMemcpyAsync(now.data(), received.data(), now.size(), cudaMemcpyDeviceToHost, s));
      s.wait();
      for (int r = 0; r < ranks; ++r) {
        const char* const from = now.data() + r * count;
        if (r != c.rank()) wrong += std::count(from, from + count, static_cast<char>(16 * round + r)) != count;
      }
    }
  });
  CHECK(wrong == 0);
}

template <class MakePolicy>
void check_sort_with(const MakePolicy& make_policy) {
  constexpr int ranks = 3;
  const shares s{"", {300'000, 1, 120'000}};
  auto all = keys<std::uint32_t>(s.total(), repeats::few, 9);
  const rooms<cuda_executor, std::uint32_t> arrays(s);
  mgpu::in_process_group(ranks).run([&](const auto& c) {
    const test::stream stream;
    const int r = c.rank();
    const auto part = part_of(all, s, r);
    be_late<<<1, 1, 0, stream>>>();
    require_cuda(cudaMemcpyAsync(arrays[r].begin(), part.data(), part.size() * 4, cudaMemcpyHostToDevice, stream));
    mgpu::stable_sort(mgpu::distributed(make_policy(stream), c), arrays[r].begin(), arrays[r].end());
    stream.wait();
  });
  std::sort(all.begin(), all.end());
  CHECK(arrays.have(all, s));
}

TEST_CASE("par.on(stream)") {
  check_sort_with([](cudaStream_t s) { return mgpu::par.on(s); });
}
TEST_CASE("par_nosync.on(stream)") {
  check_sort_with([](cudaStream_t s) { return mgpu::par_nosync.on(s); });
}
TEST_CASE("par(allocator).on(stream)") {
  allocation_log logs[3];
  std::atomic<int> next{0};
  check_sort_with([&](cudaStream_t s) { return mgpu::par(logging_allocator{&logs[next++]}).on(s); });
  for (const auto& log : logs) CHECK((log.allocations > 0 && log.is_balanced()));
}

}  // namespace
