// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Splits of several runs at every diagonal, by one thread; the tiles between them; and a CPU thread's merges of tiles.
#include <mgpu/tile/host/merge_runs.h>
#include <mgpu/tile/ways.h>

#include "support/sequences.h"
#include "support/unsorted.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace {

using mgpu::offset;
using run = std::vector<int>;

/// Runs as a search sees them. Accesses that no run has are counted.
struct group {
  const std::vector<run>* all;
  inline static int strays = 0;

  offset number() const { return 7; }
  int runs() const { return static_cast<int>(all->size()); }
  offset length(int w) const { return static_cast<offset>((*all)[static_cast<std::size_t>(w)].size()); }
  struct checked {
    const run* elements;
    offset first;
    const int& operator[](offset i) const {
      const bool is_inside = first + i >= 0 && first + i < static_cast<offset>(elements->size());
      if (!is_inside) ++strays;
      return is_inside ? (*elements)[static_cast<std::size_t>(first + i)] : strays;
    }
    checked operator+(offset n) const { return {elements, first + n}; }
  };
  checked keys(int w) const { return {&(*all)[static_cast<std::size_t>(w)], 0}; }
};

offset total_of(const std::vector<run>& runs) {
  offset total = 0;
  for (const run& r : runs) total += static_cast<offset>(r.size());
  return total;
}

template <int most, class Compare>
mgpu::detail::tile::way_splits<most> split_at(const std::vector<run>& runs, offset diagonal, const Compare& compare) {
  const mgpu::detail::tile::ways_path<most, group, Compare> path{{&runs}, diagonal, compare};
  return path.find(mgpu::detail::tile::serial_search{});
}

/// The run of each element in the stable merge.
std::vector<int> runs_of_merged(const std::vector<run>& runs) {
  std::vector<std::pair<int, int>> elements;
  for (std::size_t w = 0; w < runs.size(); ++w) {
    for (const int x : runs[w]) elements.push_back({x, static_cast<int>(w)});
  }
  std::stable_sort(elements.begin(), elements.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
  std::vector<int> result;
  for (const auto& e : elements) result.push_back(e.second);
  return result;
}

/// Checks the splits of sorted runs at all diagonals.
template <int most>
void check_all_diagonals(const std::vector<run>& runs, offset step = 1) {
  const auto merged = runs_of_merged(runs);
  std::vector<offset> taken(runs.size(), 0);
  int wrong = 0;
  for (offset d = 0;; ++d) {
    if (d % step == 0 || d == total_of(runs)) {
      const auto found = split_at<most>(runs, d, std::less<>{});
      wrong += found.group != 7 || !std::equal(taken.begin(), taken.end(), found.of);
    }
    if (d == static_cast<offset>(merged.size())) break;
    ++taken[static_cast<std::size_t>(merged[static_cast<std::size_t>(d)])];
  }
  CHECK(wrong == 0);
  CHECK(group::strays == 0);
}

/// Checks that a split takes what it should from runs of any order.
template <int most, class Compare>
void check_disordered(const std::vector<run>& runs, offset diagonal, const Compare& compare) {
  const auto found = split_at<most>(runs, diagonal, compare);
  offset sum = 0;
  for (std::size_t w = 0; w < runs.size(); ++w) {
    CHECK(found.of[w] >= 0);
    CHECK(found.of[w] <= static_cast<offset>(runs[w].size()));
    sum += found.of[w];
  }
  CHECK(sum == std::min(diagonal, total_of(runs)));
  CHECK(group::strays == 0);
}

std::vector<run> random_runs(int count, int longest, int keys, bool is_sorted, std::mt19937& random) {
  std::vector<run> runs(static_cast<std::size_t>(count));
  for (run& r : runs) {
    r.resize(random() % static_cast<unsigned>(longest + 1));
    for (int& x : r) x = static_cast<int>(random() % static_cast<unsigned>(keys));
    if (is_sorted) std::sort(r.begin(), r.end());
  }
  return runs;
}

/// Merges runs by a CPU thread, with values that number the elements. Returns the numbers in the order found.
template <bool in_rounds, class Key>
std::vector<int> merged_by_thread(const std::vector<std::vector<Key>>& runs, std::vector<Key>& keys_out) {
  constexpr offset most = 1 << 16;
  mgpu::detail::tile::host_runs_worker<const Key*, const int*, most> worker;
  std::vector<std::vector<int>> numbers;
  int number = 0;
  for (const auto& r : runs) {
    numbers.emplace_back(r.size());
    std::iota(numbers.back().begin(), numbers.back().end(), number);
    number += static_cast<int>(r.size());
  }
  for (std::size_t w = 0; w < runs.size(); ++w) {
    if (!runs[w].empty())
      worker.ways.push_back({runs[w].data(), numbers[w].data(), static_cast<offset>(runs[w].size())});
  }
  keys_out.resize(static_cast<std::size_t>(number));
  std::vector<int> result(static_cast<std::size_t>(number));
  const std::less<> less;
  const mgpu::detail::tile::host_runs_merge<4, const Key*, const int*, Key*, int*, std::less<>> serial{
      keys_out.data(), result.data(), less};
  if constexpr (in_rounds) serial.run_in_rounds(worker);
  else serial.run(worker);
  return result;
}

template <bool in_rounds, class Key, class Make>
void check_merged_by_thread(int count, int longest, int keys, const Make& make, std::mt19937& random) {
  std::vector<std::vector<Key>> runs;
  std::vector<Key> all;
  for (const run& r : random_runs(count, longest, keys, true, random)) {
    runs.emplace_back();
    for (const int x : r) runs.back().push_back(make(x));
    std::sort(runs.back().begin(), runs.back().end());
    all.insert(all.end(), runs.back().begin(), runs.back().end());
  }
  std::vector<int> expected(all.size());
  std::iota(expected.begin(), expected.end(), 0);
  std::stable_sort(expected.begin(), expected.end(), [&](int x, int y) { return all[x] < all[y]; });
  std::vector<Key> keys_out;
  CHECK(merged_by_thread<in_rounds>(runs, keys_out) == expected);
  CHECK(
      std::equal(keys_out.begin(), keys_out.end(), expected.begin(), [&](const Key& x, int i) { return x == all[i]; }));
}

}  // namespace

TEST_CASE("the splits of all short runs over three letters") {
  const auto sequences = test::sorted_sequences(3);
  check_all_diagonals<4>({});
  for (const auto& a : sequences) {
    check_all_diagonals<4>({a});
    for (const auto& b : sequences) {
      check_all_diagonals<4>({a, b});
      for (const auto& c : sequences) {
        check_all_diagonals<4>({a, b, c});
        if (a.size() + b.size() < 4) check_all_diagonals<4>({a, b, c, {0, 1, 1, 2}});
      }
    }
  }
}

TEST_CASE("the splits of long runs") {
  std::mt19937 random(1);
  for (const int count : {2, 3, 8, 31, 64}) {
    for (const int keys : {1, 2, 17, 1 << 30}) {
      for (const int longest : {5, 300, 20'000}) {
        INFO(count, " runs of at most ", longest, " elements, ", keys, " keys");
        const auto runs = random_runs(count, longest, keys, true, random);
        check_all_diagonals<64>(runs, longest < 300 ? 1 : longest < 1000 ? 37 : 9973);
      }
    }
  }
  std::vector<run> one_has_all(9);
  one_has_all[4].resize(100'000);
  std::iota(one_has_all[4].begin(), one_has_all[4].end(), 0);
  one_has_all[7] = {-5, 99, 100'000};
  check_all_diagonals<16>(one_has_all, 991);
}

TEST_CASE("splits of runs without order, and by answers that follow none") {
  std::mt19937 random(2);
  int calls = 0;
  const auto by_turns = [&calls](int, int) { return ++calls % 3 == 0; };
  for (int i = 0; i < 300; ++i) {
    const auto runs = random_runs(1 + i % 16, i % 5 == 0 ? 3000 : 40, 1 + i % 50, false, random);
    for (int d = 0; d < 6; ++d) {
      const offset diagonal = static_cast<offset>(random() % static_cast<unsigned>(total_of(runs) + 3));
      check_disordered<16>(runs, diagonal, std::less<>{});
      check_disordered<16>(runs, diagonal, by_turns);
      check_disordered<16>(runs, diagonal, test::answer_at_random{});
      check_disordered<16>(runs, diagonal, [](int, int) { return true; });
      check_disordered<16>(runs, diagonal, [](int, int) { return false; });
    }
  }
}

TEST_CASE("a tile between splits that contradict each other has its size and stays in its runs") {
  std::mt19937 random(3);
  for (int i = 0; i < 2000; ++i) {
    constexpr int ways = 5;
    std::vector<offset> first(ways), last(ways);
    offset least = 0, most = 0;
    for (int w = 0; w < ways; ++w) {
      least += first[static_cast<std::size_t>(w)] = static_cast<offset>(random() % 100);
      most += last[static_cast<std::size_t>(w)] = static_cast<offset>(random() % 100);
    }
    if (most < least) std::swap(first, last), std::swap(most, least);
    const auto at = [](const std::vector<offset>& x) { return [&x](int w) { return x[static_cast<std::size_t>(w)]; }; };
    offset sum = 0;
    bool is_inside = true;
    const int total =
        mgpu::detail::tile::cut_ways(ways, most - least, at(first), at(last), [&](int w, offset from, int count) {
          const auto i_way = static_cast<std::size_t>(w);
          is_inside =
              is_inside && from == first[i_way] && count >= 0 && from + count <= std::max(first[i_way], last[i_way]);
          sum += count;
        });
    CHECK(is_inside);
    CHECK(sum == most - least);
    CHECK(total == most - least);
  }
}

TEST_CASE("a CPU thread merges the ways of a tile") {
  std::mt19937 random(4);
  for (const int count : {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 17, 33, 63, 64}) {
    for (const int longest : {1, 20, 1000}) {
      for (const int keys : {1, 3, 1 << 20}) {
        INFO(count, " runs of at most ", longest, " elements, ", keys, " keys");
        check_merged_by_thread<true, int>(
            count, longest, keys, [](int x) { return x; }, random);
        check_merged_by_thread<false, int>(
            count, longest, keys, [](int x) { return x; }, random);
        if (longest < 1000)
          check_merged_by_thread<false, std::string>(
              count, longest, keys, [](int x) { return std::to_string(x) + " of a long text"; }, random);
      }
    }
  }
}
