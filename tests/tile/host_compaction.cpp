// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The two passes of a compaction on the CPU, with as many threads as the test starts.

#include <mgpu/exec/host/compaction.h>

#include <doctest/doctest.h>

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace {

using mgpu::offset;

/// Emits the numbers in [begin, end) that end with 3, 6 or 9. The first tile is not written before `awaited` threads
/// have counted a tile. So a test decides how many of its threads count.
struct multiples {
  struct tile_range {
    offset first, last;
  };
  using split = offset;
  static constexpr offset host_items_per_tile = 5;

  offset count_, begin, end;
  int awaited;
  std::vector<int>& out;
  std::vector<std::atomic<int>>& written;  // how often each tile was written
  std::atomic<int>& counted;

  bool is_emitted(offset i) const { return i >= begin && i < end && i % 10 % 3 == 0 && i % 10 != 0; }

  offset size() const { return count_; }
  offset max_size() const { return static_cast<offset>(out.size()); }
  struct border {
    offset diagonal, count;

    template <class Search>
    offset find(const Search& search) const {
      return search.partition_point(offset{0}, count, [this](offset i) { return i < diagonal; });
    }
  };
  border path(offset diagonal) const { return {diagonal, count_}; }
  tile_range between(offset first, offset last, offset first_split, offset last_split) const {
    CHECK(first_split == first);
    CHECK(last_split == last);
    return {first_split, last_split};
  }
  offset count(mgpu::detail::tile::host_thread, const tile_range& t) const {
    ++counted;
    while (counted < awaited) std::this_thread::yield();
    offset emitted = 0;
    for (offset i = t.first; i < t.last; ++i) emitted += is_emitted(i);
    return emitted;
  }
  offset run(mgpu::detail::tile::host_thread, const tile_range& t, offset to, offset to_end) const {
    while (counted < awaited) std::this_thread::yield();
    ++written[static_cast<std::size_t>(t.first / host_items_per_tile)];
    for (offset i = t.first; i < t.last; ++i)
      if (is_emitted(i) && to < to_end) out[static_cast<std::size_t>(to++)] = static_cast<int>(i);
    return to;
  }
};

template <class Function>
void on_threads(int count, const Function& f) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back([&f, i] { f(i); });
  for (std::thread& thread : threads) thread.join();
}

/// Compacts [0, count) on `threads` threads, of which all but one count if `all_count`. Returns how many tiles were
/// written and how many were counted. A tile is written once, or not at all if it emits nothing.
struct work {
  offset written, counted;
};
work check(offset count, offset begin, offset end, int threads, bool all_count) {
  CAPTURE(count);
  CAPTURE(begin);
  CAPTURE(end);
  CAPTURE(threads);
  const offset tiles = mgpu::detail::base::ceil_div(count, multiples::host_items_per_tile);
  std::vector<int> out, expected;
  std::vector<std::atomic<int>> written(static_cast<std::size_t>(tiles));
  std::atomic<int> counted{0};
  const multiples core{count, begin, end, all_count ? threads - 1 : 0, out, written, counted};
  for (offset i = 0; i < count; ++i)
    if (core.is_emitted(i)) expected.push_back(static_cast<int>(i));
  out.assign(expected.size(), -1);
  std::vector<mgpu::detail::exec::counted_host_tile<multiples>> places(static_cast<std::size_t>(tiles) + 1);
  const offset made =
      mgpu::detail::exec::compact_host_tiles(core, multiples::host_items_per_tile, places.data(),
                                             [threads](offset, const auto& f) { on_threads(threads, f); });
  CHECK(made == static_cast<offset>(expected.size()));
  CHECK(out == expected);
  offset tiles_written = 0;
  for (const auto& times : written) {
    CHECK(times <= 1);
    tiles_written += times;
  }
  return {tiles_written, counted};
}

}  // namespace

TEST_CASE("a compaction on the CPU writes every tile once, at its place, on any number of threads") {
  for (int threads = 1; threads <= 6; ++threads) {
    for (offset count = 1; count <= 70; ++count) {
      const work done = check(count, 0, count, threads, false);
      if (threads == 1) CHECK(done.counted == 0);
    }
  }
}

TEST_CASE(
    "all threads of a compaction on the CPU but the one that writes count their parts, and nobody the last part") {
  for (int threads = 2; threads <= 6; ++threads) {
    for (const offset count : {300, 301, 499, 1000}) {
      const offset tiles = mgpu::detail::base::ceil_div(count, multiples::host_items_per_tile);
      // Nobody counts the first tile. A late thread may count what the first one goes on to write.
      CHECK(check(count, 0, count, threads, true).counted < tiles * threads / (threads + 1));
    }
  }
}

TEST_CASE("where most tiles of a compaction on the CPU emit nothing, all are counted and the others written") {
  for (int threads = 1; threads <= 6; ++threads) {
    for (offset count = 1; count <= 70; ++count)
      for (const offset begin : {offset{0}, count / 3, count - 12}) check(count, begin, begin + 14, threads, false);
  }
  for (int threads = 2; threads <= 6; ++threads) {
    for (const offset begin : {0, 480, 985}) {
      const work done = check(1000, begin, begin + 10, threads, true);
      CHECK(done.written + done.counted >= 200);
      CHECK(done.written <= 200 * 2 / 3 + 3);  // what the first two threads share, and at most 3 tiles that emit
    }
  }
}
