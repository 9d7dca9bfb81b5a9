// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Comparators of ranks are called on elements of the inputs alone, whatever they have thrown or answered.
#include "ranks.h"

#include <atomic>
#include <cstring>
#include <new>
#include <random>
#include <stdexcept>

namespace {

using namespace test;

/// An element that knows whether it has been written.
struct marked {
  static constexpr std::uint32_t mark = 0x5EA1ED;
  std::uint32_t x, is = mark;

  bool is_element() const { return is == mark; }
};

struct refusal {};

/// Notes elements that nobody has written; throws at its first call on one rank.
struct marked_less {
  std::atomic<int>* strangers;
  bool throws;
  bool operator()(const marked& x, const marked& y) const {
    if (throws) throw refusal{};
    if (!x.is_element() || !y.is_element()) strangers->fetch_add(1, std::memory_order_relaxed);
    return x.x < y.x;
  }
};

/// Memory that holds no element that is marked.
struct blank_allocator {
  using value_type = char;
  char* allocate(std::ptrdiff_t bytes) {
    char* const memory = static_cast<char*>(::operator new(static_cast<std::size_t>(bytes)));
    std::memset(memory, 0xFF, static_cast<std::size_t>(bytes));
    return memory;
  }
  void deallocate(char* memory, std::size_t) { ::operator delete(memory); }
};

TEST_CASE("after a comparator threw, the other ranks compare elements of the inputs alone") {
  // Of rank 0's elements all are samples in the second round for the other ranks, but not for itself.
  constexpr int ranks = 8;
  const offset counts[ranks] = {300, 70'000, 0, 0, 0, 0, 0, 0};
  std::vector<marked> inputs[ranks], out[ranks];
  for (int r = 0; r < ranks; ++r) {
    for (offset i = 0; i < counts[r]; ++i) inputs[r].push_back({static_cast<std::uint32_t>(r * 10'000 + i)});
    out[r] = inputs[r];
  }
  std::atomic<int> strangers{0}, refusals{0}, rank_errors{0};
  run_ranks(ranks, [&](const auto& c) {
    const int r = c.rank();
    const marked *a = inputs[r].data(), *a_end = a + counts[r];
    const auto everywhere = mgpu::distributed(mgpu::cpp::par(blank_allocator{}), c);
    try {
      mgpu::merge(everywhere, a, a_end, a, a, out[r].data(), marked_less{&strangers, r == 0});
    } catch (const refusal&) {
      ++refusals;
    } catch (const mgpu::rank_error&) {
      ++rank_errors;
    }
  });
  CHECK(refusals == 1);
  CHECK(rank_errors == ranks - 1);
  CHECK(strangers == 0);
}

/// Answers at random, and on every rank otherwise. Notes elements that nobody has written.
struct random_less {
  static inline std::atomic<unsigned> seeds{1};
  std::atomic<int>* strangers;
  bool operator()(const marked& x, const marked& y) const {
    thread_local std::minstd_rand answers(seeds.fetch_add(1));
    if (!x.is_element() || !y.is_element()) strangers->fetch_add(1);
    return answers() % 2 == 0;
  }
};

TEST_CASE("by a comparator that answers at random ranks compare elements of the inputs alone") {
  std::atomic<int> strangers{0};
  for (const int count : {2, 3, 8, 9}) {
    for (int attempt = 0; attempt < 8; ++attempt) {
      run_ranks(count, [&](const auto& c) {
        std::vector<marked> in, out;
        for (int i = 0; i < 3'000 / (c.rank() + 1); ++i) in.push_back({static_cast<std::uint32_t>(i)});
        out.resize(2 * in.size());
        const marked *a = in.data(), *a_end = a + in.size();
        const auto everywhere = mgpu::distributed(mgpu::cpp::par(blank_allocator{}), c);
        try {
          mgpu::set_union(everywhere, a, a_end, a, a_end, out.data(), random_less{&strangers});
        } catch (const std::invalid_argument&) {  // the ranks find no split
        }
      });
    }
  }
  CHECK(strangers == 0);
}

}  // namespace
