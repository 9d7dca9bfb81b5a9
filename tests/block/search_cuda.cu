// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Searches by a warp answer as those by one thread do, and all its threads get the same answer.
#include "support/cuda.h"
#include "support/vectors.h"

#include <mgpu/tile/binary_search.h>
#include <mgpu/block/search/search.cuh>

#include <doctest/doctest.h>

#include <cstdint>

namespace {

using namespace test;
using mgpu::offset;

struct question {
  offset low, high, border;
};

/// What the threads of a warp make of a question.
struct answer {
  offset found;
  bool is_same_for_all;
  int strays;  // predicates asked outside [low, high)
};

/// True below the question's border.
struct below_border {
  __device__ bool operator()(const question& q, offset i) const { return i < q.border; }
};

/// Has no order, and another answer for every thread and time.
struct random_answer {
  __device__ bool operator()(const question& q, offset i) const {
    auto bits = static_cast<std::uint64_t>(i * 0x9e3779b97f4a7c15 + q.border) ^ static_cast<std::uint64_t>(clock64());
    bits = (bits ^ (bits >> 29)) * 0xbf58476d1ce4e5b9;
    return (bits >> 40) % 2 == 0;
  }
};

struct plain {
  template <class Predicate>
  __device__ offset operator()(const question& q, const Predicate& predicate) const {
    return mgpu::detail::block::warp_search{}.partition_point(q.low, q.high, predicate);
  }
};

/// Guesses are right, near, far or outside the range.
struct around_a_guess {
  template <class Predicate>
  __device__ offset operator()(const question& q, const Predicate& predicate) const {
    constexpr offset errors[]{0, -1, 1, -2048, 2047, 5000, -70000, offset{1} << 40};
    return mgpu::detail::block::warp_partition_point_around(q.low, q.high, q.border + errors[blockIdx.x % 8],
                                                            predicate);
  }
};

template <class Search, class Predicate>
__global__ void search(const question* questions, answer* answers) {
  const question q = questions[blockIdx.x];
  __shared__ int strays;
  if (threadIdx.x == 0) strays = 0;
  __syncwarp();
  const auto predicate = [&](offset i) {
    if (i < q.low || i >= q.high) atomicAdd(&strays, 1);
    return Predicate{}(q, i);
  };
  const offset found = Search{}(q, predicate);
  const bool is_same = __all_sync(~0u, found == __shfl_sync(~0u, found, 0));
  __syncwarp();
  if (threadIdx.x == 0) answers[blockIdx.x] = {found, is_same, strays};
}

template <class Search, class Predicate>
std::vector<answer> ask(const std::vector<question>& questions) {
  const vector<question> in = to_vector(questions);
  vector<answer> out(questions.size());
  search<Search, Predicate><<<static_cast<unsigned>(questions.size()), 32>>>(thrust::raw_pointer_cast(in.data()),
                                                                             thrust::raw_pointer_cast(out.data()));
  require_cuda(cudaGetLastError());
  require_cuda(cudaDeviceSynchronize());
  return to_std(out);
}

/// Every border of small ranges, some of large ones.
std::vector<question> questions() {
  std::vector<question> result;
  for (const offset low : {offset{0}, offset{-9}, offset{1} << 61}) {
    for (const offset size : {0, 1, 2, 31, 32, 33, 63, 64, 65, 95, 97, 992, 1023, 1024, 1025}) {
      for (offset border = low; border <= low + size; ++border) result.push_back({low, low + size, border});
    }
    for (const offset size : {offset{32769}, offset{1} << 40}) {
      for (offset border = low; border < low + size; border += 1 + size / 1000) {
        result.push_back({low, low + size, border});
      }
      result.push_back({low, low + size, low + size});
    }
  }
  return result;
}

/// Block n asks n questions.
__global__ void ask_which(unsigned* answers, unsigned* asked) {
  const int count = static_cast<int>(blockIdx.x);
  const unsigned bits = mgpu::detail::block::warp_search{}.which(count, [&](int i) {
    atomicOr(asked + count, 1u << i);
    return i % 3 == 1;
  });
  if (threadIdx.x == 0) answers[count] = bits;
}

}  // namespace

TEST_CASE_TEMPLATE("a warp finds every border, as one thread does", Search, plain, around_a_guess) {
  const auto asked = questions();
  const auto answers = ask<Search, below_border>(asked);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const question& q = asked[i];
    INFO("[", q.low, ", ", q.high, "), border ", q.border);
    const auto alone = mgpu::detail::tile::partition_point(q.low, q.high, [&](offset at) { return at < q.border; });
    REQUIRE(answers[i].found == alone);
    REQUIRE(answers[i].is_same_for_all);
    REQUIRE(answers[i].strays == 0);
  }
}

TEST_CASE_TEMPLATE("a warp stays in its range and agrees whatever its threads' predicates answer", Search, plain,
                   around_a_guess) {
  const auto asked = questions();
  const auto answers = ask<Search, random_answer>(asked);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const question& q = asked[i];
    INFO("[", q.low, ", ", q.high, ")");
    REQUIRE(answers[i].found >= q.low);
    REQUIRE(answers[i].found <= q.high);
    REQUIRE(answers[i].is_same_for_all);
    REQUIRE(answers[i].strays == 0);
  }
}

TEST_CASE("a warp answers up to 32 questions, and is asked no other") {
  vector<unsigned> answers(33), asked(33);
  ask_which<<<33, 32>>>(thrust::raw_pointer_cast(answers.data()), thrust::raw_pointer_cast(asked.data()));
  require_cuda(cudaGetLastError());
  require_cuda(cudaDeviceSynchronize());
  const auto bits = to_std(answers), all = to_std(asked);
  for (unsigned count = 0; count <= 32; ++count) {
    INFO(count, " questions");
    CHECK(all[count] == (count == 32 ? ~0u : (1u << count) - 1));
    CHECK(bits[count] == (all[count] & 0x92492492u));
  }
}
