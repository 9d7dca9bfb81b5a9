// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs that arrive in steps: what is cut in each step comes before all that is missing, so that the parts, each merged
// stably, are the stable merge of the runs. Elements that are not there yet are not looked at.
#include <doctest/doctest.h>

#include <mgpu/base/order.h>
#include <mgpu/plan/distributed/arriving_runs.h>
#include <mgpu/tile/binary_search.h>

#include <cuda/std/functional>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

using mgpu::offset;
using namespace mgpu::detail::plan;
using nothing = mgpu::detail::base::no_values::value_type;

/// A key, and the run that it is of.
struct element {
  std::uint32_t key;
  int run;
  bool is_there;
  friend bool operator==(const element& x, const element& y) { return x.key == y.key && x.run == y.run; }
};

/// Less, for elements that are there.
struct less_key {
  bool* met_missing;
  bool operator()(const element& x, const element& y) const {
    if (!x.is_there || !y.is_there) *met_missing = true;
    return x.key < y.key;
  }
};

using run = std::vector<element>;

/// `count` sorted runs of different lengths, some of them empty.
std::vector<run> random_runs(int count, std::uint32_t most_key, std::mt19937& random) {
  std::vector<run> runs(static_cast<std::size_t>(count));
  for (int r = 0; r < count; ++r) {
    run& x = runs[static_cast<std::size_t>(r)];
    x.resize(random() % 4 == 0 ? random() % 4 : random() % 300);
    for (element& e : x) e = {static_cast<std::uint32_t>(random()) % most_key, r, false};
    std::stable_sort(x.begin(), x.end(), [](const element& a, const element& b) { return a.key < b.key; });
  }
  return runs;
}

/// The parts of the runs that `cut` names, merged stably.
template <class Cut>
void append_merged(const Cut& cut, std::vector<element>& result) {
  const auto begin = static_cast<std::ptrdiff_t>(result.size());
  for (int r = 0; r < cut.count; ++r)
    result.insert(result.end(), cut.runs.part_keys[r], cut.runs.part_keys[r] + cut.runs.part_lengths[r]);
  std::stable_sort(result.begin() + begin, result.end(),
                   [](const element& a, const element& b) { return a.key < b.key; });
}

/// Whether the parts of all steps, one behind the other, are the stable merge of the runs.
bool merges(const std::vector<run>& runs, int own, int steps) {
  const auto count = static_cast<int>(runs.size());
  std::vector<element> room, expected, result;
  std::vector<element*> keys, part_keys(runs.size());
  std::vector<offset> lengths, merged(runs.size()), part_lengths(runs.size());
  for (const run& x : runs) room.insert(room.end(), x.begin(), x.end());
  element* next = room.data();
  for (const run& x : runs) {
    keys.push_back(next);
    lengths.push_back(static_cast<offset>(x.size()));
    next += x.size();
  }
  expected = room;
  std::stable_sort(expected.begin(), expected.end(), [](const element& a, const element& b) { return a.key < b.key; });
  bool met_missing = false;
  for (int step = 0; step < steps; ++step) {
    for (int r = 0; r < count; ++r) {
      const auto i = static_cast<std::size_t>(r);
      const stretch now =
          r == own ? stretch{0, lengths[i]} : stepwise_message{keys[i] - room.data(), lengths[i], steps}.part(step);
      for (offset k = now.begin; k < now.end; ++k) keys[i][k].is_there = true;
    }
    const cut_runs<element, nothing, less_key> cut{
        {keys.data(), nullptr, lengths.data(), merged.data(), part_keys.data(), nullptr, part_lengths.data()},
        room.data(),
        count,
        own,
        step,
        steps,
        {&met_missing}};
    for (int r = 0; r < count; ++r) cut.store(r, cut.find(r, mgpu::detail::tile::serial_search{}));
    append_merged(cut, result);
  }
  return !met_missing && merged == lengths && result == expected;
}

TEST_CASE("steps cover a run, and begin on the grid") {
  for (const offset count : {0, 1, 2, 3, 7, 8, 100, 1 << 20}) {
    for (const offset begin : {0, 1, 15, 16, 1001}) {
      for (int steps = 1; steps <= 8; ++steps) {
        const stepwise_message m{begin, count, steps};
        CHECK((m.head() == count || (begin + m.head()) % message_grid == 0));
        CHECK(m.head() <= m.part(0).count());
        offset end = 0;
        for (int step = 0; step < steps; ++step) {
          const stretch part = m.part(step);
          CHECK(part.begin == end);
          CHECK(part.end >= end);
          CHECK((step == 0 || part.count() == 0 || (begin + part.begin) % message_grid == 0));
          end = part.end;
        }
        CHECK(end == count);
      }
    }
  }
}

TEST_CASE("the parts of the steps are the stable merge") {
  std::mt19937 random(1);
  for (int count = 1; count <= 9; ++count) {
    for (const std::uint32_t most_key : {1u, 5u, 100u, 1u << 30}) {
      for (int steps = 1; steps <= 8; ++steps) {
        INFO(count, " runs, keys below ", most_key, ", ", steps, " steps");
        CHECK(merges(random_runs(count, most_key, random), static_cast<int>(random()) & 1 ? 0 : count - 1, steps));
      }
    }
  }
}

}  // namespace
