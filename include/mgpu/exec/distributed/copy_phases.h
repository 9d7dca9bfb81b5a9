// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// In which order ranks copy what they receive. Two ranks that copy from the same one at a time have half of its links
// each, while links of others rest. So copies are cut into phases: in a phase each rank copies from one rank at most,
// and one at most copies from it. All phases together take as long as the rank that sends or receives the most.
// Source: T. Gonzalez, S. Sahni, "Open Shop Scheduling to Minimize Finish Time" (1976); the phases are those of
// Birkhoff's decomposition of a doubly stochastic matrix.

#include <mgpu/base/math.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

/// A number for each pair of ranks.
class rank_pairs {
 public:
  explicit rank_pairs(int ranks)
      : ranks_(ranks), all_(static_cast<std::size_t>(ranks) * static_cast<std::size_t>(ranks)) {}

  int ranks() const { return ranks_; }
  offset& operator()(int from, int to) { return all_[static_cast<std::size_t>(offset{from} * ranks_ + to)]; }
  offset operator()(int from, int to) const { return all_[static_cast<std::size_t>(offset{from} * ranks_ + to)]; }

  /// Calls f(number) for each pair.
  template <class F>
  void for_each(const F& f) {
    for (offset& x : all_) f(x);
  }

  offset sent(int from) const {
    return sum([&](int r) { return (*this)(from, r); });
  }
  offset received(int to) const {
    return sum([&](int r) { return (*this)(r, to); });
  }
  /// The most that a rank sends or receives.
  offset most() const {
    offset result = 0;
    for (int r = 0; r < ranks_; ++r) result = base::max(result, base::max(sent(r), received(r)));
    return result;
  }

 private:
  template <class Get>
  offset sum(const Get& get) const {
    offset result = 0;
    for (int r = 0; r < ranks_; ++r) result += get(r);
    return result;
  }

  int ranks_;
  std::vector<offset> all_;
};

/// A time in which rank r copies from rank from[r], as many units as there are left, at most these.
struct copy_phase {
  offset units;
  std::vector<int> from;  // [ranks]; r itself where rank r copies nothing
};

/// Pairs ranks that have something for each other: each rank with one that it copies from.
class rank_matching {
 public:
  explicit rank_matching(const rank_pairs& units)
      : units_(units), from_(static_cast<std::size_t>(units.ranks()), none), to_(from_), reached_(from_) {
    for (int r = 0; r < units.ranks(); ++r) pair(r);
  }
  const std::vector<int>& from() const { return from_; }

 private:
  static constexpr int none = -1;

  /// Finds a rank from which rank `first` copies: one that nobody copies from yet, or one whose reader finds another.
  /// The ranks behind a rank come first: where all have the same for all, every phase is a rotation.
  void pair(int first) {
    std::fill(reached_.begin(), reached_.end(), none);
    std::vector<int> readers{first};  // that look for a rank
    for (std::size_t i = 0; i < readers.size(); ++i) {
      const int to = readers[i];
      for (int distance = 1; distance <= units_.ranks(); ++distance) {
        const int from = (to + distance) % units_.ranks();
        int& reader = reached_[static_cast<std::size_t>(from)];
        if (units_(from, to) == 0 || reader != none) continue;
        reader = to;
        const int other = to_[static_cast<std::size_t>(from)];
        if (other == none) return exchange_along(first, from);
        readers.push_back(other);
      }
    }
  }

  /// Each reader on the way from `first` to rank `from`, which nobody copies from, takes the rank that it has reached.
  void exchange_along(int first, int from) {
    for (int to = none; to != first;) {
      to = reached_[static_cast<std::size_t>(from)];
      to_[static_cast<std::size_t>(from)] = to;
      from = std::exchange(from_[static_cast<std::size_t>(to)], from);
    }
  }

  const rank_pairs& units_;
  std::vector<int> from_;     // [ranks], which rank a rank copies from
  std::vector<int> to_;       // [ranks], which rank copies from a rank
  std::vector<int> reached_;  // [ranks], the reader that looked at a rank
};

/// The phases in which all units are copied.
inline std::vector<copy_phase> copy_phases(rank_pairs units) {
  offset left = units.most();
  // Ranks that send or receive less than the most get more to do, so that all have as much: there is a matching of all
  // ranks then, after every phase.
  for (int from = 0, to = 0; from < units.ranks() && to < units.ranks();) {
    const offset more = base::min(left - units.sent(from), left - units.received(to));
    units(from, to) += more;
    if (units.sent(from) == left) ++from;
    else ++to;
  }
  std::vector<copy_phase> phases;
  while (left > 0) {
    copy_phase phase{left, rank_matching(units).from()};
    for (int r = 0; r < units.ranks(); ++r)
      phase.units = base::min(phase.units, units(phase.from[static_cast<std::size_t>(r)], r));
    for (int r = 0; r < units.ranks(); ++r) units(phase.from[static_cast<std::size_t>(r)], r) -= phase.units;
    left -= phase.units;
    phases.push_back(std::move(phase));
  }
  return phases;
}

}  // namespace detail::exec
MGPU_NAMESPACE_END
