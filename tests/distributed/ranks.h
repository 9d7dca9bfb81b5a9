// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What the tests of calls over ranks share: ranks in this process, and sequences that lie on them.

#include "support/arrays.h"
#include "support/executors.h"
#include "support/skip.h"

#include <doctest/doctest.h>

#include <mgpu/distributed.h>
#include <mgpu/in_process.h>

#ifdef MGPU_TEST_HAS_NCCL
#include "nccl_ranks.h"
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace test {

/// Makes the device of a rank current: ranks take the devices by turns.
inline void use_device_of([[maybe_unused]] int rank) {
#ifdef MGPU_TEST_CUDA
  int devices;
  require_cuda(cudaGetDeviceCount(&devices));
  require_cuda(cudaSetDevice(rank % devices));
#endif
}

#ifdef MGPU_TEST_HAS_NCCL
/// Whether this program's ranks talk through NCCL. Each then has a GPU of its own.
inline bool are_over_nccl() { return std::getenv("MGPU_TEST_OVER_NCCL") != nullptr; }

/// Whether the tests run with so many ranks. A program whose ranks have nobody to talk to reports itself as skipped.
inline bool has_ranks(int ranks) {
  if (!are_over_nccl() || ranks <= nccl_ranks::most()) return true;
  has_skipped_a_test |= nccl_ranks::most() < 2;
  return false;
}
#else
constexpr bool are_over_nccl() { return false; }
inline bool has_ranks(int) { return true; }
#endif

/// Calls f(communicator) on a thread for each rank, with its device current. Kernels know no communicator: they are
/// compiled once for both.
template <class F>
void run_ranks(int ranks, const F& f) {
#ifdef MGPU_TEST_HAS_NCCL
  if (are_over_nccl()) return nccl_ranks::of(ranks).run(f);
#endif
  mgpu::in_process_group(ranks).run([&](const mgpu::in_process_communicator& c) {
    use_device_of(c.rank());
    f(c);
  });
}

/// Calls f(policy over the ranks, rank) on a thread for each rank.
template <class Executor, class F>
void in_ranks(const Executor&, int ranks, const F& f) {
#if !defined(MGPU_TEST_CUDA)
  const host_system system = current_system;
#endif
  run_ranks(ranks, [&](const auto& c) {
#if !defined(MGPU_TEST_CUDA)
    current_system = system;
#endif
    f(mgpu::distributed(Executor::policy(), c), c.rank());
  });
}

/// The numbers of ranks up to `most`. Beyond eight each border is searched by one rank alone.
inline std::vector<int> rank_counts(int most) {
  std::vector<int> counts(static_cast<std::size_t>(most));
  std::iota(counts.begin(), counts.end(), 1);
  if (most >= 8) counts.push_back(11);
  return counts;
}

/// How many elements each rank has.
struct shares {
  std::string name;
  std::vector<offset> counts;

  offset total() const { return std::accumulate(counts.begin(), counts.end(), offset{0}); }
  offset begin(int rank) const { return std::accumulate(counts.begin(), counts.begin() + rank, offset{0}); }
};

/// Ways to lay about `count` elements on ranks.
inline std::vector<shares> ways_to_share(int ranks, offset count, unsigned seed) {
  const auto size = static_cast<std::size_t>(ranks);
  std::mt19937 random(seed);
  std::vector<offset> even(size, count / ranks), first(size), last(size), some(size), ascending(size);
  first.front() = last.back() = count;
  for (std::size_t r = 0; r < size; ++r) {
    some[r] = random() % 3 == 0 ? 0 : std::uniform_int_distribution<offset>(0, 2 * count / ranks)(random);
    ascending[r] = static_cast<offset>(r) * count / (ranks * ranks);
  }
  return {{"even", even},
          {"all on the first", first},
          {"all on the last", last},
          {"some", some},
          {"more and more", ascending}};
}

/// The part of a sequence that a rank has.
template <class T>
std::vector<T> part_of(const std::vector<T>& all, const shares& s, int rank) {
  const auto begin = all.begin() + s.begin(rank);
  return std::vector<T>(begin, begin + s.counts[static_cast<std::size_t>(rank)]);
}

/// A sequence in the memory of an executor, an array for each rank.
template <class Executor, class T>
class spread {
 public:
  spread(const std::vector<T>& all, const shares& s) {
    for (int r = 0; r < static_cast<int>(s.counts.size()); ++r) {
      use_device_of(r);
      parts_.push_back(std::make_unique<input<Executor, T>>(part_of(all, s, r), r % 3));
    }
    use_device_of(0);
  }
  const input<Executor, T>& operator[](int rank) const { return *parts_[static_cast<std::size_t>(rank)]; }
  bool unchanged() const {
    return std::all_of(parts_.begin(), parts_.end(), [](const auto& part) { return part->unchanged(); });
  }

 private:
  std::vector<std::unique_ptr<input<Executor, T>>> parts_;
};

/// Room for a result, on each rank as many elements as it has.
template <class Executor, class T>
class rooms {
 public:
  explicit rooms(const shares& s) {
    for (std::size_t r = 0; r < s.counts.size(); ++r) {
      use_device_of(static_cast<int>(r));
      parts_.push_back(std::make_unique<output<Executor, T>>(s.counts[r], static_cast<int>(r % 2)));
    }
    use_device_of(0);
  }
  const output<Executor, T>& operator[](int rank) const { return *parts_[static_cast<std::size_t>(rank)]; }
  bool untouched() const {
    return std::all_of(parts_.begin(), parts_.end(), [](const auto& part) { return part->untouched(); });
  }

  /// True if the first counts[r] elements of each rank r are those of `expected`, and nothing else has been written.
  bool have(const std::vector<T>& expected, const shares& s) const {
    if (s.total() != static_cast<offset>(expected.size())) return false;
    for (int r = 0; r < static_cast<int>(parts_.size()); ++r)
      if ((*this)[r].first_difference(part_of(expected, s, r)) != -1) return false;
    return true;
  }

 private:
  std::vector<std::unique_ptr<output<Executor, T>>> parts_;
};

/// How many elements of a sequence are equal.
enum class repeats { few, many, all, runs };
inline constexpr repeats all_repeats[] = {repeats::few, repeats::many, repeats::all, repeats::runs};

/// Whether a test leaves out a way to share its data. Its seeds count from 1: one for each of all_repeats, then the
/// same with more ranks. Three of them have all ways. Few cases have one of all_repeats with each number of ranks.
inline bool is_left_out(unsigned seed, std::size_t way) {
  constexpr unsigned kinds = std::size(all_repeats);
  const bool is_one_of_few = (seed - 1) % kinds == (seed - 1) / kinds % kinds;
  return (takes_few_cases() && !is_one_of_few) || (!is_full && (way + seed) % 3 != 0);
}
/// How the second of two sequences is shared if the first one is in ways[way]: each way of both is there with every
/// number of ranks.
inline const shares& second_of(const std::vector<shares>& ways, std::size_t way, int ranks, unsigned seed) {
  return ways[(way + (is_full ? seed : static_cast<unsigned>(ranks))) % ways.size()];
}

inline std::string name_of(repeats r) {
  return r == repeats::few ? "few" : r == repeats::many ? "many" : r == repeats::all ? "all" : "runs";
}

/// Numbers to make keys of, in no order.
inline std::vector<std::uint32_t> numbers(offset count, repeats how, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::uint32_t> result(static_cast<std::size_t>(count));
  for (auto& x : result) {
    switch (how) {
      case repeats::few:
        x = static_cast<std::uint32_t>(random());
        break;
      case repeats::many:
        x = static_cast<std::uint32_t>(random()) % 7;
        break;
      case repeats::all:
        x = 42;
        break;
      case repeats::runs:
        x = random() % 5 == 0 ? static_cast<std::uint32_t>(random()) : 1u << 20;
        break;  // longer than ranks
    }
  }
  return result;
}

/// A key that takes its place by one member, in falling order.
struct wide_key {
  std::uint32_t id, weight, more;
  friend bool operator==(const wide_key& x, const wide_key& y) {
    return x.id == y.id && x.weight == y.weight && x.more == y.more;
  }
};
struct heaviest_first {
  MGPU_HOST_DEVICE bool operator()(const wide_key& x, const wide_key& y) const { return x.weight > y.weight; }
};

template <class Key>
Key key_of(std::uint32_t number, std::uint32_t) {
  return static_cast<Key>(number);
}
template <>
inline wide_key key_of<wide_key>(std::uint32_t number, std::uint32_t index) {
  return {index, number, ~index};
}
template <>
inline double key_of<double>(std::uint32_t number, std::uint32_t) {
  return number / 3.0 - 1e8;
}

template <class Key>
std::vector<Key> keys(offset count, repeats how, unsigned seed) {
  const auto from = numbers(count, how, seed);
  std::vector<Key> result(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) result[i] = key_of<Key>(from[i], static_cast<std::uint32_t>(i));
  return result;
}

/// 0, 1, 2, ... from `first` on.
inline std::vector<std::uint32_t> indices(std::size_t count, std::uint32_t first = 0) {
  std::vector<std::uint32_t> result(count);
  std::iota(result.begin(), result.end(), first);
  return result;
}

/// from[at[0]], from[at[1]], ...
template <class T>
std::vector<T> taken(const std::vector<T>& from, const std::vector<std::uint32_t>& at) {
  std::vector<T> result;
  result.reserve(at.size());
  for (const std::uint32_t i : at) result.push_back(from[i]);
  return result;
}

}  // namespace test
