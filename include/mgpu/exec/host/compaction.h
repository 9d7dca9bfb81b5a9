// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/exec/host/tiles.h>
#include <mgpu/tile/binary_search.h>
#include <mgpu/tile/range.h>

#include <atomic>
#include <utility>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

/// A counted tile: the number of elements that it emits, later the place of the first one; and the split at which it
/// begins.
template <class Core>
struct counted_host_tile {
  offset begin;
  typename Core::split split;
};

template <class Core>
void count_one_host_tile(const Core& core, host_tiles<Core>& tiles, offset tile, counted_host_tile<Core>* counted) {
  const offset emitted = core.count(tile::host_thread{}, tiles(tile));
  counted[tile] = {emitted, tiles.first_split()};
}

/// The state of a compaction of `tiles` tiles. With T threads it has T + 1 parts. One thread writes the first part,
/// while the others count the next T - 1. Then all threads write those, and one the last part, which nobody needs to
/// count, unless most tiles emit nothing. So two threads take the time of 2/3 of the tiles if counting takes as long as
/// writing, and less if it is faster.
/// T is not known. The first two threads share two parts of three. Each thread that comes later adds a part of its own,
/// which it counts before it helps the others.
class compaction_progress {
 public:
  explicit compaction_progress(offset tiles)
      : shared(part_end(2, tiles)), counted(part_end(2, tiles)), tiles_(tiles), shared_(part_end(2, tiles)) {}

  host_tickets shared;   // for the tiles of the first two threads
  host_tickets counted;  // those of them that are counted, from the last one on
  std::atomic<bool> has_writer{false};
  std::atomic<offset> counters{0};  // threads that count
  offset tiles_written = 0;         // from the first one on
  offset end = 0;                   // of what they emitted

  offset tiles() const { return tiles_; }
  offset next_counted() { return shared_ - 1 - counted.take(); }

  /// Where the own part of the counter that comes as number `counter` (from 0 on) begins. Number 0 has none.
  offset own_begin(offset counter) const { return part_end(counter + 1 + (counter == 0), tiles_); }
  offset own_end(offset counter) const { return part_end(counter + 2, tiles_); }

  /// Tiles from here on are not counted. The threads have ended.
  offset counted_end() const { return base::max(tiles_written, part_end(counters + 1, tiles_)); }

 private:
  /// Where the first k of k + 1 parts end.
  static offset part_end(offset k, offset tiles) { return tiles * k / (k + 1); }

  offset tiles_, shared_;
};

/// The first pass of a compaction: see compaction_progress. A single thread writes all tiles, and so reads its inputs
/// once.
template <class Core>
struct begin_host_compaction {
  const Core& core;
  offset tile_items;
  compaction_progress& progress;
  counted_host_tile<Core>* counted;  // [tiles]

  void operator()(offset) const {
    host_tiles<Core> tiles(core, tile_items);
    if (!progress.has_writer.exchange(true)) {
      progress.shared.each([&](offset) { write_next(tiles); });
      while (progress.counters == 0 && progress.tiles_written < progress.tiles()) write_next(tiles);
    } else if (progress.shared.are_left()) {
      const offset counter = progress.counters++;
      for (offset tile = progress.own_end(counter); tile > progress.own_begin(counter); --tile)
        exec::count_one_host_tile(core, tiles, tile - 1, counted);
      progress.shared.each([&](offset) { exec::count_one_host_tile(core, tiles, progress.next_counted(), counted); });
    }
  }

 private:
  void write_next(host_tiles<Core>& tiles) const {
    const auto tile = tiles(progress.tiles_written);
    progress.end = core.run(tile::host_thread{}, tile, progress.end, core.max_size());
    ++progress.tiles_written;
  }
};

/// A pass between the two, where most of the counted tiles emit nothing: it counts the last part. Tiles that emit
/// nothing are not written, so the threads share all that takes time.
///   2 x 2^22, two threads of an EPYC 9004, ms, without it / with it: set_intersection u64, a b a b ... 2.5 / 1.9;
///   set_difference u64, 16 values 2.6 / 1.7; set_symmetric_difference 16 bytes, 16 values 4.9 / 3.9, equal inputs
///   4.7 / 3.8 (benchmarks/set_operations_host.cpp, 2026-11-26)
template <class Core>
struct count_rest_of_host_compaction {
  const Core& core;
  offset tile_items;
  offset first;  // of the tiles
  host_tickets& tickets;
  counted_host_tile<Core>* counted;  // [tiles]

  void operator()(offset) const {
    host_tiles<Core> tiles(core, tile_items);
    tickets.each([&](offset number) { exec::count_one_host_tile(core, tiles, first + number, counted); });
  }
};

/// The second pass: writes the counted tiles [first, last), and those from `last` on. If the inputs are not sorted, a
/// counted tile may emit less than was counted, because the tile was then divided otherwise.
template <class Core>
struct end_host_compaction {
  const Core& core;
  offset tile_items;
  offset first, last, count;               // of tiles
  const counted_host_tile<Core>* counted;  // [last + 1]
  host_tickets& tickets;                   // for the counted tiles
  std::atomic<bool>& is_end_taken;
  std::atomic<bool>& is_short;
  offset& end;  // of the output

  void operator()(offset) const {
    if (!is_end_taken.exchange(true)) end = write_end();
    tickets.each([&](offset number) { write_counted(first + number); });
  }

 private:
  void write_counted(offset tile) const {
    const offset diagonal = tile * tile_items, last_diagonal = base::min(diagonal + tile_items, core.size());
    const auto& here = counted[tile];
    const auto& next = counted[tile + 1];
    const offset begin = base::min(here.begin, core.max_size()), room_end = base::min(next.begin, core.max_size());
    if (begin == room_end) return;
    const auto part = core.between(diagonal, last_diagonal, here.split, next.split);
    if (core.run(tile::host_thread{}, part, begin, room_end) < room_end) is_short = true;
  }

  offset write_end() const {
    host_tiles<Core> tiles(core, tile_items);
    offset written = base::min(counted[last].begin, core.max_size());
    for (offset tile = last; tile < count; ++tile)
      written = core.run(tile::host_thread{}, tiles(tile), written, core.max_size());
    return written;
  }
};

/// Writes all tiles by one thread. Returns the end of the output.
template <class Core>
offset compact_serially(const Core& core, offset tile_items, offset count) {
  host_tiles<Core> tiles(core, tile_items);
  offset end = 0;
  for (offset tile = 0; tile < count; ++tile) end = core.run(tile::host_thread{}, tiles(tile), end, core.max_size());
  return end;
}

/// Writes all tiles of a compacting core. in_parallel(n, f) has the threads call f(i) for i in [0, n), and returns when
/// they have ended. Returns the end of the output.
template <class Core, class InParallel>
offset compact_host_tiles(const Core& core, offset tile_items,
                          counted_host_tile<Core>* counted,  // [tiles + 1]
                          const InParallel& in_parallel) {
  const offset count = base::ceil_div(core.size(), tile_items);
  compaction_progress progress(count);
  in_parallel(count, begin_host_compaction<Core>{core, tile_items, progress, counted});
  const offset first = progress.tiles_written;
  offset last = progress.counted_end(), end = progress.end;
  if (first == count) return end;
  offset emitting = 0;
  for (offset tile = first; tile < last; ++tile) emitting += counted[tile].begin != 0;
  if (4 * (emitting + 1) <= last - first) {
    host_tickets tickets(count - last);
    in_parallel(count - last, count_rest_of_host_compaction<Core>{core, tile_items, last, tickets, counted});
    last = count;
  }
  for (offset tile = first; tile < last; ++tile)
    end = base::saturated_sum(end, std::exchange(counted[tile].begin, end));
  const offset last_diagonal = base::min(last * tile_items, core.size());
  counted[last] = {end, core.path(last_diagonal).find(tile::serial_search{})};
  host_tickets rest(last - first);
  std::atomic<bool> is_end_taken{false}, is_short{false};
  in_parallel(count - first, end_host_compaction<Core>{core, tile_items, first, last, count, counted, rest,
                                                       is_end_taken, is_short, end});
  return is_short ? exec::compact_serially(core, tile_items, count) : end;
}

}  // namespace detail::exec
MGPU_NAMESPACE_END
