// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/exec/core_kinds.h>
#include <mgpu/tile/binary_search.h>
#include <mgpu/tile/range.h>

#include <atomic>
#include <utility>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

/// The elements of a tile if `threads` threads share `size` elements, at most `most`, which the core asks for. A thread
/// has some tiles, so that one that begins late or is interrupted does fewer. A tile is worth the microseconds that a
/// thread takes to wake. At a power of two the lanes of a tile would share cache sets: see
/// tuning::merge_host_items_per_tile.
///   u32, 16 threads of a Xeon (2.1 GHz), us, tiles as cores ask for / these / 4,160 at least: 2 x 10^5 merge 60 / 29 /
///   30, set_union 131 / 55 / 67, 10^5 stable_sort 2,850 / 380 / 470, merge_runs 193 / 36 / 41, segments of 10 1,050 /
///   165 / 200. Two threads, 2 x 17,000 merge 46 / 28, 10^5 stable_sort 3,590 / 1,820; with a 64th of the elements, at
///   least 4,160, 2 x 10^5 merge 98 / 166 (2026-11-28)
constexpr offset items_of_shared_tile(offset size, int threads, offset most) {
  constexpr offset tiles_per_thread = 4, least = 8256, line = 64;
  if (threads <= 1) return most;
  return base::min(most, base::max(least, base::ceil_div(size, tiles_per_thread * threads) | line));
}

/// tile::serial_search that tries the neighbourhood of a guess first, and tells where it ended. It searches
/// [least, most] only, as far as that lies in the range.
struct guessed_search {
  offset guess, least, most;
  offset& crossing;

  template <class Predicate>
  offset partition_point(offset low, offset high, const Predicate& predicate) const {
    low = base::clamp(least, low, high);
    high = base::clamp(most, low, high);
    return crossing = tile::partition_point_near(low, high, guess, predicate);
  }
};

/// The tiles of a core, by their numbers. It searches for the splits of a tile, so that a tile needs nothing from
/// another. It remembers the splits of the tile before. So of neighbouring tiles, forwards or backwards, the common
/// split is searched once.
template <class Core>
class host_tiles {
 public:
  using split = typename Core::split;

  host_tiles(const Core& core, offset tile_items)
      : core_(core), tile_items_(tile_items), first_{0, 0, core.path(0).find(tile::serial_search{})}, last_(first_) {}

  auto operator()(offset tile) {
    const offset begin = tile * tile_items_, end = base::min(begin + tile_items_, core_.size());
    const border first = border_at(begin, last_), last = border_at(end, first);
    first_ = first;
    last_ = last;
    return core_.between(begin, end, first.split, last.split);
  }

  /// The split at which the last tile begins.
  const split& first_split() const { return first_.split; }

 private:
  /// A diagonal, its split, and where the search for that ended.
  struct border {
    offset diagonal, crossing;
    typename Core::split split;
  };

  /// Whether a split is searched from where it would be if all tiles were like the one before. Where inputs are not in
  /// order, another guess may find another split. So tiles that have to agree on it, to see bad inputs, do not guess.
  static constexpr bool guesses = has_member<member::has_near_splits, Core>;

  border border_at(offset diagonal, const border& near) const {
    if (diagonal == last_.diagonal) return last_;
    if (diagonal == first_.diagonal) return first_;
    const offset distance = diagonal - near.diagonal;
    if constexpr (guesses) {
      const offset grown = last_.crossing - first_.crossing;
      const offset guess = near.crossing + distance * grown / base::max<offset>(1, last_.diagonal - first_.diagonal);
      const offset least = near.crossing + base::min<offset>(0, distance);
      const offset most = near.crossing + base::max<offset>(0, distance);
      border found{diagonal, 0, {}};
      found.split = core_.path(diagonal).find(guessed_search{guess, least, most, found.crossing});
      return found;
    } else {
      if constexpr (has_member<member::find_split_after, Core>) {
        if (distance > 0) return {diagonal, 0, core_.find_split_after(near.split, diagonal, distance)};
      }
      return {diagonal, 0, core_.path(diagonal).find(tile::serial_search{})};
    }
  }

  const Core& core_;
  offset tile_items_;
  border first_, last_;
};

/// Hands out the numbers [0, count), each once and in order, to whichever thread asks.
class host_tickets {
 public:
  explicit host_tickets(offset count) : count_(count) {}

  bool are_left() const { return next_ < count_; }

  /// The next number, or one not less than `count` if all are taken.
  offset take() { return next_.fetch_add(1, std::memory_order_relaxed); }

  /// Calls f(number) until no number is left. After an exception no thread gets another number.
  template <class Function>
  void each(const Function& f) {
    try {
      for (offset number = take(); number < count_; number = take()) f(number);
    } catch (...) {
      next_ = count_;
      throw;
    }
  }

 private:
  offset count_;
  std::atomic<offset> next_{0};
};

/// Runs tiles until none is left. Several threads call it. A worker is what a thread is to the core.
template <class Core, class Worker>
struct run_host_tiles {
  const Core& core;
  offset tile_items;
  host_tickets& tickets;
  void operator()(offset) const {
    host_tiles<Core> tiles(core, tile_items);
    Worker worker{};
    tickets.each([&](offset tile) { run(worker, tiles(tile)); });
  }

 private:
  /// Not in the lambda: to clang a lambda is a function of the device, too, where it takes the core's code of the GPU.
  template <class Range>
  void run(Worker& worker, const Range& range) const {
    core.run(worker, range);
  }
};

/// Counts what tiles emit. Several threads call it.
template <class Core>
struct count_host_tiles {
  const Core& core;
  offset tile_items;
  host_tickets& tickets;
  offset* counts;  // [tiles]
  void operator()(offset) const {
    host_tiles<Core> tiles(core, tile_items);
    tickets.each([&](offset tile) { counts[tile] = core.count(tile::host_thread{}, tiles(tile)); });
  }
};

}  // namespace detail::exec
MGPU_NAMESPACE_END
