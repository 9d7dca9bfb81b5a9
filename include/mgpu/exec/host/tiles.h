// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/tile/binary_search.h>
#include <mgpu/tile/range.h>

#include <atomic>
#include <utility>

MGPU_NAMESPACE_BEGIN
namespace exec {

/// The tiles of a core, by their numbers. It searches for the splits of a tile, so that a tile needs nothing from
/// another. It remembers the splits of the tile before. So of neighbouring tiles, forwards or backwards, the common
/// split is searched once.
template <class Core>
class host_tiles {
 public:
  using split = typename Core::split;

  explicit host_tiles(const Core& core)
      : core_(core), first_split_(core_.find_split(0, tile::serial_search{})), last_split_(first_split_) {}

  auto operator()(offset tile) {
    const offset first = tile * Core::host_items_per_tile;
    const offset last = base::min(first + Core::host_items_per_tile, core_.size());
    const split first_split = split_at(first), last_split = split_at(last);
    first_ = first;
    last_ = last;
    first_split_ = first_split;
    last_split_ = last_split;
    return core_.between(first, last, first_split, last_split);
  }

  /// The split at which the last tile begins.
  const split& first_split() const { return first_split_; }

 private:
  split split_at(offset diagonal) const {
    if (diagonal == last_) return last_split_;
    return diagonal == first_ ? first_split_ : core_.find_split(diagonal, tile::serial_search{});
  }

  const Core& core_;
  offset first_ = 0, last_ = 0;
  split first_split_, last_split_;
};

/// Hands out the numbers [0, count), each once and in order, to whichever thread asks.
class host_tickets {
 public:
  explicit host_tickets(offset count) : count_(count) {}

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

/// Runs tiles until none is left. Several threads call it.
template <class Core>
struct run_host_tiles {
  const Core& core;
  host_tickets& tickets;
  void operator()(offset) const {
    host_tiles<Core> tiles(core);
    tickets.each([&](offset tile) { core.run(tile::host_thread{}, tiles(tile)); });
  }
};

/// Counts what tiles emit. Several threads call it.
template <class Core>
struct count_host_tiles {
  const Core& core;
  host_tickets& tickets;
  offset* counts;  // [tiles]
  void operator()(offset) const {
    host_tiles<Core> tiles(core);
    tickets.each([&](offset tile) { counts[tile] = core.count(tile::host_thread{}, tiles(tile)); });
  }
};

/// A counted tile: the number of elements that it emits, later the place of the first one; and the split at which it
/// begins.
template <class Core>
struct counted_host_tile {
  offset begin;
  typename Core::split split;
};

/// The state of a compaction of `tiles` tiles.
struct compaction_progress {
  explicit compaction_progress(offset tiles) : tickets(tiles), counted(tiles) {}

  host_tickets tickets;  // for all tiles
  host_tickets counted;  // those that are counted, from the last one on
  std::atomic<bool> has_writer{false};
  offset tiles_written = 0;  // from the first one on
  offset end = 0;            // of what they emitted
};

/// The first pass of a compaction. One thread writes tiles, each behind the one before, and need not count them. The
/// others count tiles, from the last one on, until they meet the writer. So a single thread reads its inputs once.
template <class Core>
struct begin_host_compaction {
  const Core& core;
  compaction_progress& progress;
  offset count;                      // of tiles
  counted_host_tile<Core>* counted;  // [count]

  void operator()(offset) const {
    host_tiles<Core> tiles(core);
    if (!progress.has_writer.exchange(true)) {
      progress.tickets.each([&](offset) {
        const auto tile = tiles(progress.tiles_written);
        progress.end = core.run(tile::host_thread{}, tile, progress.end, core.max_size());
        ++progress.tiles_written;
      });
    } else {
      progress.tickets.each([&](offset) {
        const offset tile = count - 1 - progress.counted.take();
        const offset emitted = core.count(tile::host_thread{}, tiles(tile));
        counted[tile] = {emitted, tiles.first_split()};
      });
    }
  }
};

/// The second pass: writes the counted tiles, from `first` on. If the inputs are not sorted, a tile may emit less than
/// was counted, because the tile was then divided otherwise.
template <class Core>
struct end_host_compaction {
  const Core& core;
  host_tickets& tickets;
  offset first;
  const counted_host_tile<Core>* counted;  // [tiles + 1]
  std::atomic<bool>& is_short;

  void operator()(offset) const {
    tickets.each([&](offset number) {
      const offset tile = first + number, diagonal = tile * Core::host_items_per_tile;
      const offset last = base::min(diagonal + Core::host_items_per_tile, core.size());
      const auto& here = counted[tile];
      const auto& next = counted[tile + 1];
      const offset begin = base::min(here.begin, core.max_size()), end = base::min(next.begin, core.max_size());
      const auto part = core.between(diagonal, last, here.split, next.split);
      if (core.run(tile::host_thread{}, part, begin, end) < end) is_short = true;
    });
  }
};

/// Writes all tiles by one thread. Returns the end of the output.
template <class Core>
offset compact_serially(const Core& core, offset count) {
  host_tiles<Core> tiles(core);
  offset end = 0;
  for (offset tile = 0; tile < count; ++tile) end = core.run(tile::host_thread{}, tiles(tile), end, core.max_size());
  return end;
}

}  // namespace exec
MGPU_NAMESPACE_END
