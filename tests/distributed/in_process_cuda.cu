// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// in_process_group with CUDA streams, on one device or several: messages are copied when the stream of the sender has
// made them, and the sender's stream overwrites them when they have been copied. Policies with streams of their own. So
// many elements that a sort merges while it receives, and that a merge leaves in place what it need not move.
#include "ranks.h"
#include "support/cuda.h"

#include <mgpu/tuning/distributed.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <numeric>
#include <random>
#include <vector>

namespace {

using namespace test;

TEST_CASE("exchange is ordered by the streams") {
  constexpr int ranks = 4, rounds = 10;
  constexpr offset count = 1 << 16;
  std::atomic<int> wrong{0};
  run_ranks(ranks, [&](const auto& c) {
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

TEST_CASE("large messages arrive whole, whatever the others send") {
  constexpr int ranks = 4, rounds = 6;
  std::mt19937 random(5);
  for (int round = 0; round < rounds; ++round) {
    // [from][to], the lengths of up to three messages: more or less than is copied at a time, and often none
    std::vector<offset> lengths[ranks][ranks];
    offset most = 0;
    for (auto& of_rank : lengths) {
      for (auto& messages : of_rank)
        for (unsigned i = random() % 4; i > 0; --i)
          messages.push_back(static_cast<offset>(random() % (i == 1 ? 24'000'000u : 40'000u) + 1));
    }
    for (int r = 0; r < ranks; ++r) lengths[r][r].clear();
    for (const auto& of_rank : lengths)
      for (const auto& messages : of_rank)
        for (const offset length : messages) most = std::max(most, length);
    mgpu::detail::exec::rank_pairs bytes(ranks);
    for (int from = 0; from < ranks; ++from)
      for (int to = 0; to < ranks; ++to)
        for (const offset length : lengths[from][to]) bytes(from, to) += length;
    CHECK(bytes.most() >= mgpu::detail::exec::least_bytes_in_phases);
    const auto byte_of = [](int from, int to, std::size_t number) {
      return static_cast<unsigned char>(1 + 64 * from + 8 * to + static_cast<int>(number));
    };
    std::atomic<int> wrong{0};
    run_ranks(ranks, [&](const auto& c) {
      const test::stream s;
      std::deque<memory<cuda_executor>> sent, received;
      std::vector<mgpu::outgoing> sends;
      std::vector<mgpu::incoming> receives;
      std::vector<unsigned char> expected;
      const auto make = [&](auto& all, offset length, unsigned char value) {
        all.emplace_back(std::vector<char>(static_cast<std::size_t>(length), static_cast<char>(value)));
        return all.back().data();
      };
      for (int r = 0; r < ranks; ++r) {
        const auto &out = lengths[c.rank()][r], &in = lengths[r][c.rank()];
        for (std::size_t i = 0; i < out.size(); ++i)
          sends.push_back({r, make(sent, out[i], byte_of(c.rank(), r, i)), out[i]});
        for (std::size_t i = 0; i < in.size(); ++i) {
          receives.push_back({r, make(received, in[i], 0), in[i]});
          expected.push_back(byte_of(r, c.rank(), i));
        }
      }
      c.exchange(sends.data(), static_cast<offset>(sends.size()), receives.data(), static_cast<offset>(receives.size()),
                 static_cast<cudaStream_t>(s));
      s.wait();
      std::vector<char> now(static_cast<std::size_t>(most));
      for (std::size_t i = 0; i < receives.size(); ++i) {
        require_cuda(cudaMemcpy(now.data(), receives[i].data, static_cast<std::size_t>(receives[i].bytes),
                                cudaMemcpyDeviceToHost));
        wrong +=
            std::count(now.data(), now.data() + receives[i].bytes, static_cast<char>(expected[i])) != receives[i].bytes;
      }
    });
    CHECK(wrong == 0);
  }
}

TEST_CASE("what a rank that fails has sent stays as it is until it has arrived") {
  for (const offset bytes : {offset{1000}, 2 * mgpu::detail::exec::least_bytes_in_phases}) {
    std::atomic<int> thrown{0};
    std::atomic<bool> is_overwritten{true};
    CHECK_THROWS_AS(run_ranks(3,
                              [&](const auto& c) {
                                const test::stream s;
                                const auto size = static_cast<std::size_t>(bytes);
                                memory<cuda_executor> elements{std::vector<char>(size, c.rank() == 0 ? 'a' : 'x')};
                                const mgpu::outgoing send{1, elements.data(), bytes};
                                const mgpu::incoming receive{0, elements.data(), bytes};
                                const mgpu::incoming receive_none{2, elements.data(), 1};
                                if (c.rank() == 1) be_late<<<1, 1, 0, s>>>();
                                try {
                                  const auto of = static_cast<cudaStream_t>(s);
                                  if (c.rank() == 0) c.exchange(&send, 1, &receive_none, 1, of);
                                  else c.exchange(nullptr, 0, &receive, c.rank() == 1, of);
                                } catch (...) {
                                  ++thrown;
                                  if (c.rank() == 0) require_cuda(cudaMemsetAsync(elements.data(), 'b', size, s));
                                  s.wait();
                                  std::vector<char> now(size);
                                  require_cuda(cudaMemcpy(now.data(), elements.data(), size, cudaMemcpyDeviceToHost));
                                  if (c.rank() == 1) is_overwritten = std::count(now.begin(), now.end(), 'b') > 0;
                                  throw;
                                }
                              }),
                    std::logic_error);
    CHECK(thrown == 3);
    CHECK(!is_overwritten);
  }
}

TEST_CASE("inputs and outputs in memory of the device's pool") {
  constexpr int ranks = 4;
  for (const offset count : {offset{1000}, offset{6'000'000}}) {
    std::atomic<offset> wrong{0};
    run_ranks(ranks, [&](const auto& c) {
      const test::stream s;
      const auto r = static_cast<std::uint32_t>(c.rank()), n = static_cast<std::uint32_t>(count);
      std::vector<std::uint32_t> a(n), b(n), merged(2 * n);  // all of a before all of b: nearly everything moves
      std::iota(a.begin(), a.end(), r * n);
      std::iota(b.begin(), b.end(), (ranks + r) * n);
      std::uint32_t* memory = nullptr;
      require_cuda(cudaMallocAsync(reinterpret_cast<void**>(&memory), 4 * n * sizeof(n), s));
      require_cuda(cudaMemcpyAsync(memory, a.data(), n * sizeof(n), cudaMemcpyHostToDevice, s));
      require_cuda(cudaMemcpyAsync(memory + n, b.data(), n * sizeof(n), cudaMemcpyHostToDevice, s));
      mgpu::merge(mgpu::distributed(mgpu::par_nosync.on(s), c), memory, memory + n, memory + n, memory + 2 * n,
                  memory + 2 * n);
      require_cuda(cudaMemcpyAsync(merged.data(), memory + 2 * n, 2 * n * sizeof(n), cudaMemcpyDeviceToHost, s));
      require_cuda(cudaFreeAsync(memory, s));
      s.wait();
      for (std::uint32_t i = 0; i < 2 * n; ++i) wrong += merged[i] != 2 * n * r + i;
    });
    CHECK(wrong == 0);
  }
}

template <class MakePolicy>
void check_sort_with(const MakePolicy& make_policy) {
  constexpr int ranks = 3;
  const shares s{"", {300'000, 1, 120'000}};
  auto all = keys<std::uint32_t>(s.total(), repeats::few, 9);
  const rooms<cuda_executor, std::uint32_t> arrays(s);
  run_ranks(ranks, [&](const auto& c) {
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

/// A key so large that few of them are merged in steps.
struct large_key {
  std::uint32_t number, rest[63];
};
struct by_number {
  MGPU_HOST_DEVICE bool operator()(const large_key& x, const large_key& y) const { return x.number < y.number; }
};

TEST_CASE("a sort of so many pairs that they are merged in steps") {
  for (const shares& s : {shares{"", {1'000'000, 1'090'000, 10'000}}, shares{"", {1, 2'100'000}}}) {
    REQUIRE(s.total() * offset{sizeof(large_key)} >= mgpu::detail::tuning::least_overlapped_bytes);
    std::mt19937 random(1);
    std::vector<large_key> all(static_cast<std::size_t>(s.total()));
    for (large_key& x : all)
      x.number = x.rest[7] = static_cast<std::uint32_t>(random()) >> (s.counts.size() == 2 ? 22 : 1);
    auto order = indices(all.size());
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t x, std::uint32_t y) { return all[x].number < all[y].number; });
    const rooms<cuda_executor, large_key> keys(s);
    const rooms<cuda_executor, std::uint32_t> values(s);
    run_ranks(static_cast<int>(s.counts.size()), [&](const auto& c) {
      const int r = c.rank();
      const auto part = part_of(all, s, r);
      const auto numbers = part_of(indices(all.size()), s, r);
      cuda_executor::copy_in(keys[r].begin(), part.data(), part.size() * sizeof(large_key));
      cuda_executor::copy_in(values[r].begin(), numbers.data(), numbers.size() * 4);
      mgpu::stable_sort_by_key(mgpu::distributed(mgpu::par, c), keys[r].begin(), keys[r].end(), values[r].begin(),
                               by_number{});
    });
    CHECK(keys.have(taken(all, order), s));
    CHECK(values.have(order, s));
  }
}

/// `count` numbers in order. Of `every` numbers in a row one is larger than that before it.
std::vector<std::uint32_t> ascending_numbers(offset count, unsigned every, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::uint32_t> result(static_cast<std::size_t>(count));
  std::uint32_t last = 0;
  for (auto& x : result) x = last += random() % every == 0 ? 1 + random() % 64 : 0;
  return result;
}

TEST_CASE("a merge and a union of so many numbers that most of them stay") {
  const shares s{"", {6'000'000, 5'000'000}}, t{"", {5'100'000, 6'000'000}}, both{"", {11'100'000, 11'000'000}};
  for (const unsigned every : {2u, 1000u, 5'000'000u}) {
    const auto a = ascending_numbers(s.total(), every, 1), b = ascending_numbers(t.total(), every, 2);
    const spread<cuda_executor, std::uint32_t> a_in(a, s), b_in(b, t);
    const rooms<cuda_executor, std::uint32_t> merged(both), united(both);
    shares of_union = both;
    run_ranks(2, [&](const auto& c) {
      const int r = c.rank();
      const auto everywhere = mgpu::distributed(mgpu::par, c);
      mgpu::merge(everywhere, a_in[r].begin(), a_in[r].end(), b_in[r].begin(), b_in[r].end(), merged[r].begin());
      of_union.counts[static_cast<std::size_t>(r)] =
          mgpu::set_union(everywhere, a_in[r].begin(), a_in[r].end(), b_in[r].begin(), b_in[r].end(),
                          united[r].begin()) -
          united[r].begin();
    });
    std::vector<std::uint32_t> expected;
    std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected));
    CHECK(merged.have(expected, both));
    expected.clear();
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected));
    CHECK(united.have(expected, of_union));
  }
}

}  // namespace
