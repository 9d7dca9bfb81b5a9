// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/tile/range.h>

#include <atomic>

MGPU_NAMESPACE_BEGIN
namespace exec {

/// A tile of a core by its number: searches its own splits, so that the tiles need nothing from each other.
template <class Core>
auto host_tile(const Core& core, offset tile) {
  const offset first = tile * Core::host_items_per_tile;
  const offset last = base::min(first + Core::host_items_per_tile, core.size());
  return core.between(first, last, core.path(first).split(), core.path(last).split());
}

/// Hands out the numbers [0, count), each once and in order, to whichever thread asks.
class host_tickets {
 public:
  explicit host_tickets(offset count) : count_(count) {}

  /// The next number; one from `count` on where all are taken.
  offset take() { return next_.fetch_add(1, std::memory_order_relaxed); }

  /// Calls f(number) until no number is left. After an exception no thread is given another.
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

/// Runs tiles until none is left; each of as many threads as come calls it.
template <class Core>
struct run_host_tiles {
  const Core& core;
  host_tickets& tickets;
  void operator()(offset) const {
    tickets.each([this](offset tile) { core.run(tile::serial_worker{}, exec::host_tile(core, tile)); });
  }
};

/// Counts what tiles emit.
template <class Core>
struct count_host_tiles {
  const Core& core;
  host_tickets& tickets;
  offset* counts;  // [tiles]
  void operator()(offset) const {
    tickets.each(
        [this](offset tile) { counts[tile] = core.count(tile::serial_worker{}, exec::host_tile(core, tile)); });
  }
};

/// Where a compaction of so many tiles stands.
struct compaction_progress {
  explicit compaction_progress(offset tiles) : tickets(tiles), counted(tiles) {}

  host_tickets tickets;  // for all tiles
  host_tickets counted;  // those that are counted, from the last one on
  std::atomic<bool> has_writer{false};
  offset tiles_written = 0;  // from the first one on
  offset end = 0;            // of what they emitted
};

/// The first pass of a compaction. The thread that comes first writes tiles, each where the last one ended: it need not count them.
/// The others count tiles, the last one first, until they meet. So a thread alone reads its inputs once.
template <class Core>
struct begin_host_compaction {
  const Core& core;
  compaction_progress& progress;
  offset tiles;
  offset* counts;  // [tiles]

  void operator()(offset) const {
    if (!progress.has_writer.exchange(true)) {
      progress.tickets.each([this](offset) {
        const auto tile = exec::host_tile(core, progress.tiles_written);
        progress.end = core.run(tile::serial_worker{}, tile, progress.end, core.max_size());
        ++progress.tiles_written;
      });
    } else {
      progress.tickets.each([this](offset) {
        const offset tile = tiles - 1 - progress.counted.take();
        counts[tile] = core.count(tile::serial_worker{}, exec::host_tile(core, tile));
      });
    }
  }
};

/// The second pass: writes the tiles from `first` on, which are counted.
template <class Core>
struct end_host_compaction {
  const Core& core;
  host_tickets& tickets;
  offset first;
  const offset* begins;  // [tiles + 1]

  void operator()(offset) const {
    tickets.each([this](offset number) {
      const offset tile = first + number;
      core.run(tile::serial_worker{}, exec::host_tile(core, tile), base::min(begins[tile], core.max_size()),
               base::min(begins[tile + 1], core.max_size()));
    });
  }
};

}  // namespace exec
MGPU_NAMESPACE_END
