// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Inner and left joins of the GPU, in two steps. The left rows are cut into the tiles of a sorted search. In the first
// step each tile counts its rows of the result. In the second step blocks search the tiles again and write their rows:
// at most most_rows by a block, so that a tile with long runs is shared by many blocks. Nothing is kept of a left row.

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/base/search_order.h>
#include <mgpu/base/tile_shape.h>
#include <mgpu/core/join.h>
#include <mgpu/core/sorted_search.h>
#include <mgpu/tile/binary_search.h>
#include <mgpu/tile/range.h>
#include <mgpu/tile/shared_layout.h>
#include <mgpu/tuning/sorted_search.h>

#include <cuda/std/bit>
#include <cuda/std/cstdint>
#include <cuda/std/type_traits>

MGPU_NAMESPACE_BEGIN
namespace core {

/// The sink of a search that asks whether the element at the place of a left row is a partner.
template <class Compare>
struct first_partner_sink {
  base::order<Compare> compare;

  static constexpr bool is_array = false, is_judge = true, is_forward = true, is_counter = true;
  static constexpr int bytes = 0;
  static constexpr offset refused = no_row;
  using result = offset;

  MGPU_EXEC_CHECK_DISABLE
  template <class LeftRow, class RightRow>
  MGPU_HOST_DEVICE bool takes(LeftRow&& left, RightRow&& right) const {
    return !compare(static_cast<LeftRow&&>(left), static_cast<RightRow&&>(right));
  }
  MGPU_HOST_DEVICE offset answer(offset, offset position) const { return position; }
  MGPU_HOST_DEVICE void store(offset, offset) const {}
};

/// The first step, as a path core: counts[tile] = rows of the result.
template <class Left, class Right, class Compare>
struct counted_pairs : sorted_search<Left, Right, first_partner_sink<Compare>, base::lower_bound_order<Compare>> {
  using search = sorted_search<Left, Right, first_partner_sink<Compare>, base::lower_bound_order<Compare>>;
  using typename search::element;
  using typename search::range;
  using typename search::value;

  bool keeps_left;  // a left row without partner gives one row
  offset* counts;   // [tiles]
  offset* splits;   // [tiles + 1], the left rows before a tile

  static constexpr const char* name = "count of pairs";  // in a profiler

  static constexpr int sums_bytes(const base::tile_shape& shape) { return shape.threads / 32 * int{sizeof(offset)}; }
  static constexpr int shared_bytes(const base::tile_shape& shape) {
    return base::max(search::shared_bytes(shape), sums_bytes(shape));
  }

  using search::run;  // by a thread of the host: never called

  template <class Block>
  MGPU_DEVICE void run(Block& block, const range& t) const {
    const offset tile = t.out_begin() / Block::shape.items_per_tile();
    const auto s = staged(block, t);
    offset mine = 0;
    count_rows(t, s, [&](const left_row&, offset count) { mine += count; });
    block.sync();  // sums lie where rows lay
    offset total;
    block.sum_before(mine, reinterpret_cast<offset*>(s.room), total);
    if (block.thread() == 0) {
      counts[tile] = total;
      splits[tile] = t.a_begin;
      if (t.a_end + t.b_end == search::size()) splits[tile + 1] = t.a_end;
    }
  }

 protected:
  using inputs = typename search::tile_inputs;
  using steps = typename search::steps;

  /// A tile in shared memory, and this thread's share of it.
  struct staged_tile {
    inputs in;
    tile::cursor begin;
    steps taken;
    char* room;
  };

  template <class Block>
  MGPU_DEVICE staged_tile staged(Block& block, const range& t) const {
    const tile::range reached = search::reach(t);
    const auto parts =
        block.stage(search::values, search::value_count, search::elements, search::element_count, reached);
    block.wait();
    const inputs in{parts.a, parts.b, parts.b, parts.b + reached.b_count()};
    const tile::cursor begin = search::begin_of_thread(block, t, in);
    return {in, begin, search::take_share(block, t, in, begin), parts.room};
  }

  /// A left row of a thread's share, and the place of its first partner in the tile.
  struct left_row {
    int step, number, place;
    bool has_partner;
  };

  /// Calls visit(left_row) for each left row of this thread's share.
  template <class Visit>
  static MGPU_DEVICE void for_each_row(const staged_tile& s, const Visit& visit) {
    int row = s.begin.a;
    for (unsigned left = s.taken.passed; left != 0; left &= left - 1, ++row) {
      const int step = cuda::std::countr_zero(left);
      visit(left_row{step, row, s.begin.b + step - (row - s.begin.a), (s.taken.taken >> step & 1) != 0});
    }
  }

  /// Calls visit(left_row, count) for each left row of this thread's share: how many rows of the result it gives.
  template <class Visit>
  MGPU_DEVICE void count_rows(const range& t, const staged_tile& s, const Visit& visit) const {
    int last_place = -1;
    offset count = 0;
    for_each_row(s, [&](const left_row& row) {
      // A row at the same place as a row with partners has the same partners.
      if (row.has_partner && row.place != last_place) {
        count = count_partners(t, s, row);
        last_place = row.place;
      }
      visit(row, row.has_partner ? count : offset{keeps_left ? 1 : 0});
    });
  }

  /// How many partners a row has, if it has any. They are the next elements that this thread passes; they may go on in
  /// the next thread's share, and behind the tile.
  MGPU_DEVICE offset count_partners(const range& t, const staged_tile& s, const left_row& row) const {
    const unsigned behind = ~s.taken.passed & ((1u << s.taken.count) - 1) & ~((2u << row.step) - 1);
    int seen = 1;
    if (behind != 0) {
      const int first = cuda::std::countr_zero(behind);
      seen = cuda::std::countr_one(s.taken.matched >> first);
      if (first + seen < s.taken.count) return seen;
    }
    const element* const first = s.in.b + row.place;
    const value& left = s.in.a[row.number];
    const int near = static_cast<int>(s.in.end - first);
    const int count = tile::partition_point_from(seen, near, [&](int i) { return search::sink.takes(left, first[i]); });
    const offset begin = t.b_begin + row.place;
    if (count < near || begin + near >= search::element_count) return count;
    return tile::partition_point_from(begin + near, search::element_count,
                                      [&](offset i) { return search::sink.takes(left, search::elements[i]); }) -
           begin;
  }
};

/// The second step, as a tile core. Its tiles are jobs: the rows of the result which a tile of the search shares with
/// one of the parts of most_rows into which the result is cut.
template <class Left, class Right, class Compare, class LeftRows, class RightRows>
struct written_pairs : counted_pairs<Left, Right, Compare> {
  using count = counted_pairs<Left, Right, Compare>;
  using search = typename count::search;
  using typename count::left_row;
  using typename search::range;

  counted_before sums;  // of the rows that tiles have counted; it limits the result
  offset tiles;
  LeftRows left_rows;
  RightRows right_rows;

  static constexpr const char* name = "pairs of a join";  // in a profiler
  static constexpr int most_rows = tuning::join_most_rows;

  /// More jobs than tiles, if so many rows are written.
  static constexpr offset more_jobs(offset rows) { return rows / most_rows; }

  static constexpr int shared_bytes(const base::tile_shape& shape) { return staged_bytes(shape) + notes_bytes(shape); }

  void run(tile::host_thread, offset) const {}  // never called

  template <class Block>
  MGPU_DEVICE void run(Block& block, offset number) const {
    // Tile i begins with job i + sums[i] / most_rows.
    const auto begins_before = [&](offset i) { return i + sums[i] / most_rows <= number; };
    const offset tile = block.searcher().partition_point(offset{0}, tiles, begins_before) - 1;
    const offset first = sums[tile], last = sums[tile + 1], part = number - tile;
    const offset begin = base::max(first, part * most_rows), end = base::min(last, (part + 1) * most_rows);
    if (begin >= end) return;
    constexpr int items = Block::shape.items_per_tile();
    const auto t = search::between(tile * items, base::min((tile + 1) * items, search::size()), count::splits[tile],
                                   count::splits[tile + 1]);
    block.sync();  // opens the counter of bulk copies
    write(block, t, {begin - first, begin, static_cast<int>(end - begin)});
  }

 private:
  using source = tile::source;

  /// Rows of the result.
  struct job {
    offset before;  // rows of the tile before the job
    offset begin;
    int count;
  };

  /// A left row that has rows in the result.
  struct entry {
    source row;                // its number in the tile; no_partner more if it has none
    cuda::std::int16_t shift;  // from a row of the job to the place of the right row in the tile
  };
  static constexpr int no_partner = 1 << 15;
  static_assert(most_rows <= no_partner);

  /// What a block notes of a job in shared memory: the entries where the tile was staged, the others behind it.
  struct notes {
    entry* entries;         // of the tile, in order
    unsigned char* counts;  // of the rows of each thread and step: `many` if there are as many or more
    unsigned* heads;        // [most_rows / 32], a bit for each row of the job with which an entry begins
    source* entries_at;     // [most_rows / 32], the entry of every 32nd row of the job
    offset* skipped;        // how many rows of the job's first entry lie before the job
    int* first_entry;       // of the job
    offset* sums;           // of warps
  };
  static constexpr int many = 255;
  static constexpr int words = most_rows / 32;

  static constexpr int staged_bytes(const base::tile_shape& shape) {
    return base::max(search::shared_bytes(shape), base::align_up(shape.items_per_tile() * int{sizeof(entry)}, 16));
  }
  static constexpr int notes_bytes(const base::tile_shape& shape) {
    return base::align_up(shape.items_per_tile(), 16) + words * int{sizeof(unsigned) + sizeof(source)} + 16 +
           2 * count::sums_bytes(shape);
  }
  template <class Block>
  static constexpr int staged_bytes_of = staged_bytes(Block::shape);

  template <class Block>
  static MGPU_DEVICE notes notes_in(Block&, char* room) {
    notes n;
    n.entries = reinterpret_cast<entry*>(room);
    n.heads = reinterpret_cast<unsigned*>(room + staged_bytes_of<Block>);
    n.skipped = reinterpret_cast<offset*>(n.heads + words);
    n.sums = n.skipped + 2;
    n.first_entry = reinterpret_cast<int*>(n.skipped + 1);
    n.entries_at = reinterpret_cast<source*>(n.sums + 2 * (Block::shape.threads / 32));
    n.counts = reinterpret_cast<unsigned char*>(n.entries_at + words);
    return n;
  }

  template <class Block>
  MGPU_DEVICE void write(Block& block, const range& t, const job& j) const {
    const notes n = notes_in(block, block.take(0));
    for (int i = block.thread(); i < words; i += Block::shape.threads) n.heads[i] = 0;
    const auto s = count::staged(block, t);
    note_entries(block, t, j, s, n);
    block.sync();
    const int first_entry = *n.first_entry;
    const offset skipped = *n.skipped;
    const auto rows = static_cast<unsigned>(j.count);
    for (auto i = static_cast<unsigned>(block.thread()); i < rows; i += static_cast<unsigned>(Block::shape.threads)) {
      const unsigned up_to_mine = (2u << i % 32) - 1;
      const int wanted = n.entries_at[i / 32] + cuda::std::popcount(n.heads[i / 32] & up_to_mine);
      const int number = base::min(wanted, Block::shape.items_per_tile() - 1);  // whatever compare answers
      const entry e = n.entries[number];
      const offset partner = t.b_begin + static_cast<int>(i) + e.shift + (number == first_entry ? skipped : 0);
      const bool has_partner = (e.row & no_partner) == 0;
      core::write_number(left_rows, j.begin + i, t.a_begin + (e.row & (no_partner - 1)));
      core::write_number(right_rows, j.begin + i, has_partner ? partner : no_row);
    }
  }

  /// Notes the entries of a job.
  template <class Block, class Staged>
  MGPU_DEVICE void note_entries(Block& block, const range& t, const job& j, const Staged& s, const notes& n) const {
    offset mine = 0, entries = 0, most = 0;
    unsigned char* const counts = n.counts + block.thread() * Block::shape.items_per_thread;
    count::count_rows(t, s, [&](const left_row& row, offset rows) {
      counts[row.step] = static_cast<unsigned char>(base::min<offset>(rows, many));
      mine += rows;
      most = base::max(most, rows);
      entries += rows > 0 ? 1 : 0;
    });
    offset total;
    const offset begin = block.sum_before(mine, n.sums, total) - j.before;
    const int number = static_cast<int>(block.sum_before(entries, n.sums + Block::shape.threads / 32, total));
    // Most blocks and threads need no 64-bit arithmetic.
    constexpr offset far = 1 << 30;
    if (most < many && -far < begin && begin < far)
      note_share(block, t, j.count, s, n, static_cast<int>(begin), number);
    else note_share(block, t, j.count, s, n, begin, number);
  }

  /// Notes the entries of a thread's share. The first of its rows is row `begin` of the job, its entry `number`.
  template <class Block, class Staged, class Index>
  MGPU_DEVICE void note_share(Block& block, const range& t, int count_of_job, const Staged& s, const notes& n,
                              Index begin, int number) const {
    const unsigned char* const counts = n.counts + block.thread() * Block::shape.items_per_thread;
    count::for_each_row(s, [&](const left_row& row) {
      Index rows = counts[row.step];
      if constexpr (!cuda::std::is_same_v<Index, int>) {
        if (rows == many) rows = count_from(many, t.a_begin + row.number, t.b_begin + row.place);
      }
      const int first = static_cast<int>(base::clamp<Index>(begin, 0, count_of_job));
      const int end = static_cast<int>(base::clamp<Index>(begin + rows, 0, count_of_job));
      if (first < end) {
        put(block, n, number, first, end);
        n.entries[number] = {static_cast<source>(row.has_partner ? row.number : row.number + no_partner),
                             static_cast<cuda::std::int16_t>(row.place - first)};
        if (begin <= 0) {
          *n.first_entry = number;
          *n.skipped = -begin;
        }
      }
      number += rows > 0 ? 1 : 0;
      begin += rows;
    });
  }

  /// How many partners a left row has. They begin at right row `first`, and there are at least `least`.
  MGPU_DEVICE offset count_from(int least, offset row, offset first) const {
    const auto is_partner = [&](offset i) { return search::sink.takes(search::values[row], search::elements[i]); };
    return tile::partition_point_from(first + least, search::element_count, is_partner) - first;
  }

  /// Notes that rows [first, end) of a job are those of an entry.
  template <class Block>
  static MGPU_DEVICE void put(Block& block, const notes& n, int number, int first, int end) {
    if (first % 32 != 0) block.set_bits(n.heads, first, first + 1);
    for (int i = base::ceil_div(first, 32); i * 32 < end; ++i) n.entries_at[i] = static_cast<source>(number);
  }
};

}  // namespace core
MGPU_NAMESPACE_END
