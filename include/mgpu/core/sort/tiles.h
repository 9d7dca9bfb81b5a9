// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/address.h>
#include <mgpu/base/bad_input_flag.h>
#include <mgpu/base/iterator.h>
#include <mgpu/base/order.h>
#include <mgpu/base/slot.h>
#include <mgpu/core/sort/borders.h>
#include <mgpu/core/sort/item.h>
#include <mgpu/tile/block_kinds.h>
#include <mgpu/tile/host/sort.h>
#include <mgpu/tile/shared_layout.h>
#include <mgpu/tile/sort_runs.h>
#include <mgpu/tuning/sort.h>

#include <cuda/std/type_traits>

MGPU_NAMESPACE_BEGIN
namespace detail::core {

/// Whether elements that compare equal keep their order.
enum class ties { keep_order, any_order };

/// Which tiles are sorted: those of a large array; those of a small array (core/sort/small_tiles.h), also by ranks, an
/// element for each thread, or by digits; or those of an array whose runs have samples (plan/sort/sampled_sort.h).
enum class tile_kind { large, small, ranked, by_digits, sampled };

/// Whether such tiles have elements of one segment only.
MGPU_HOST_DEVICE constexpr bool has_one_segment(tile_kind kind) {
  return kind == tile_kind::ranked || kind == tile_kind::by_digits;
}

/// The parts of a tile, by the buffers that they go to: the middle one, [left_end, right_begin), to buffer 0.
struct tile_parts {
  int left_end, right_begin;
  int left_buffer, right_buffer;

  static MGPU_HOST_DEVICE tile_parts whole(int buffer) { return {0, 0, 0, buffer}; }

  /// The buffer of the tile's element i.
  MGPU_HOST_DEVICE int buffer_of(int i) const {
    return i < left_end ? left_buffer : i < right_begin ? 0 : right_buffer;
  }
};

/// Sorts the parts of segments that lie in one tile.
template <ties order_of_ties, tile_kind kind, class Keys, class Values, class Segments, class Compare>
struct sort_tiles {
  using key = base::value_type<Keys>;
  using value = base::value_type<Values>;
  using items = sort_item<key, value>;
  using item = typename items::type;

  Keys keys;      // [count]
  Values values;  // [count]
  offset count;
  Segments segments;
  sort_buffers<key, value> out;
  bool is_in_place;  // buffer 0 is the arrays themselves
  // Null if tiles leave no record, a single one or few: borders, buffers and progress.
  const sort_border* borders;  // [tiles + 1]
  part_buffers buffers[2];     // before the first pass, and before the second
  sort_passes passes;
  sort_progress* progress;
  base::bad_input_flag bad_segments;
  Compare compare;

  static_assert(base::can_be_kept<key> && base::can_be_kept<value>, "others are sorted by their positions");

  static constexpr bool has_values = base::has_values<Values>;
  // An array of several tiles may be in order already: looking for that saves most there.
  static constexpr bool expects_order = Segments::has_one_segment && kind == tile_kind::large;

  static constexpr bool has_parts = !Segments::has_one_segment && kind == tile_kind::small;

  // Whether several elements that go to one place might be mixed there.
  static constexpr bool has_claims = kind == tile_kind::ranked && !base::is_strict_weak_order<Compare> &&
                                     !(cuda::std::is_scalar_v<item> && sizeof(item) <= 8);

  using block_kind = tile::sorts;
  static constexpr const char* name = "sort tiles";  // in a profiler

  static MGPU_HOST_DEVICE constexpr base::tile_shape shape(int cc) {
    constexpr tuning::sort_case c = sort_case<key, value>();
    if constexpr (kind == tile_kind::sampled) return tuning::sort_sampled_tiles(cc, c);
    else if constexpr (kind == tile_kind::ranked) return tuning::sort_ranked_tiles(cc, c);
    else if constexpr (kind == tile_kind::by_digits) return tuning::sort_digit_tiles(cc, c);
    else return kind == tile_kind::small ? tuning::sort_small_tiles(cc, c) : tuning::sort(cc, c);
  }

  static constexpr int shared_bytes(const base::tile_shape& shape) {
    return tile::bit_bytes(shape) + room_of_kind(shape) +
           base::max(value_room(shape) + tile::staged_bytes<key>(shape),
                     item_begin(shape) + tile::staged_bytes<item>(shape));
  }

  MGPU_HOST_DEVICE void report_bad_segments() const {
    if (progress != nullptr) MGPU_SET_FLAG(&progress->has_bad_segments);
    if (bad_segments.is_asked()) bad_segments.raise();
  }

  void run(tile::host_thread, offset tile) const {
    const sort_border first = border(tile), last = border(tile + 1);
    if (borders != nullptr) set_buffers(tile, 0, 0);
    if (!is_in_place) {
      for (offset i = first.position; i < last.position; ++i) {
        base::construct(out.keys[0] + i, keys[i]);
        if constexpr (has_values) base::construct(out.values[0] + i, values[i]);
      }
    }
    const tile::host_sort<key, value, has_values, Compare> sort{
        {out.keys[0], out.keys[1]}, {out.values[0], out.values[1]}, compare};
    const bool sound = segments.for_each_part(first, last, [&](offset begin, offset end) { sort.run(begin, end); });
    if (!sound || !core::are_consistent(first, last)) report_bad_segments();
  }

  template <class Block>
  MGPU_DEVICE void run(Block& block, offset tile) const {
    const sort_border first = border(tile), last = border(tile + 1);
    const int buffer = first_buffer(tile, first, last, tuning::sort_cell_items(Block::shape.items_per_tile()));
    if (block.thread() == 0 && borders != nullptr) prepare_passes(block, tile, first, last, buffer);
    sort_between(block, first, last, tile_parts::whole(buffer), Segments::has_one_segment,
                 [&] { report_bad_segments(); });
  }

  /// Sorts the elements between two borders and writes each part to the same positions of its buffer; none to the array
  /// itself if all are in order. Calls report() if a thread finds bad segments.
  ///   has_one_segment  the elements are known to belong to one segment
  template <class Block, class Report>
  MGPU_DEVICE void sort_between(Block& block, const sort_border& first, const sort_border& last,
                                const tile_parts& parts, [[maybe_unused]] bool has_one_segment,
                                const Report& report) const {
    if (false) base::must_compare_on_device<key, key>(compare);
    static_assert(core::fits_sort_tile<key, value>, "others are sorted by their positions");
    const int tile_count = static_cast<int>(last.position - first.position);
    auto* const heads = reinterpret_cast<unsigned*>(block.take(tile::bit_bytes(Block::shape)));
    [[maybe_unused]] char* const room_of_sort = block.take(room_of_kind(Block::shape));
    char* const room = block.take(0);
    value* staged_values = nullptr;
    // Both buffers begin at the same byte of a 16-byte word.
    if constexpr (has_values) {
      staged_values = block.stage_one(values, count, first.position, tile_count, room,
                                      out.values[parts.right_buffer] + first.position);
    }
    key* const staged_keys = block.stage_one(keys, count, first.position, tile_count, room + value_room(Block::shape),
                                             out.keys[parts.right_buffer] + first.position);
    if constexpr (!core::has_one_segment(kind)) {
      block.clear_bits(heads, tile_count);
      block.sync();
      const auto set = [&](offset begin, offset end) {
        block.set_bits(heads, static_cast<int>(begin - first.position), static_cast<int>(end - first.position));
      };
      if (!segments.mark_heads(first, last, block.thread(), Block::shape.threads, set)) report();
    } else {
      block.sync();  // racecheck asks for it between the first use of the counter of bulk copies and wait()
    }
    block.wait();

    const auto load_item = [&](int i) { return load_one(i, staged_keys, staged_values); };
    constexpr int share = Block::shape.items_per_thread;
    [[maybe_unused]] base::slot<item> x[share];
    if constexpr (!core::has_one_segment(kind)) load(x, block.thread() * share, staged_keys, staged_values);
    item* sorted;
    if constexpr (has_values) sorted = base::aligned<item>(room + item_begin(Block::shape));
    else sorted = staged_keys;
    [[maybe_unused]] const auto sort_by = [&](const auto& order) {
      return block.template sort_segments<order_of_ties == ties::any_order, expects_order, !has_values>(
          x, sorted, heads, tile_count, compare_items<items, cuda::std::decay_t<decltype(order)>>{order}, load_item,
          has_one_segment);
    };
    bool changed;
    if constexpr (kind == tile_kind::ranked) {
      changed = block.template sort_by_ranks<has_claims, !has_values>(
          sorted, reinterpret_cast<unsigned short*>(room_of_sort), tile_count, compare_items<items, Compare>{compare},
          load_item);
    } else if constexpr (kind == tile_kind::by_digits) {
      changed = block.template sort_by_digits<!has_values>(sorted, room_of_sort, tile_count,
                                                           compare_items<items, Compare>{compare}, load_item);
    } else if constexpr (kind == tile_kind::small && base::without_nans<Compare>::is_faster) {
      if (block.any(has_nan(x, tile_count - block.thread() * share))) changed = sort_by(compare);
      else changed = sort_by(typename base::without_nans<Compare>::type{});
    } else {
      changed = sort_by(compare);
    }
    const auto store_part = [&](int begin, int end, int buffer) {
      if (!changed && is_in_place && buffer == 0) return;
      key* const keys_to = out.keys[buffer] + first.position;
      if constexpr (has_values)
        store(block, sorted, staged_values, begin, end, keys_to, out.values[buffer] + first.position);
      else store(block, sorted, staged_values, begin, end, keys_to, nullptr);
    };
    if constexpr (has_parts) {
      MGPU_UNROLL_1
      for (int part = 0, begin = 0; part < 3; ++part) {
        const int end = part == 0 ? parts.left_end : part == 1 ? parts.right_begin : tile_count;
        if (begin < end) store_part(begin, end, parts.buffer_of(begin));
        begin = end;
      }
    } else {
      store_part(0, tile_count, parts.right_buffer);
    }
  }

 private:
  static MGPU_HOST_DEVICE constexpr int room_of_kind(const base::tile_shape& shape) {
    if constexpr (has_claims) return tile::source_bytes(shape);
    else return kind == tile_kind::by_digits ? tile::digit_sorter_bytes(shape) : 0;
  }
  static MGPU_HOST_DEVICE constexpr int value_room(const base::tile_shape& shape) {
    return has_values ? tile::staged_bytes<value>(shape) : 0;
  }
  /// Items lie over the keys that they are made of, and over the values if they carry these.
  static MGPU_HOST_DEVICE constexpr int item_begin(const base::tile_shape& shape) {
    return items::carries_values ? 0 : value_room(shape);
  }

  MGPU_HOST_DEVICE sort_border border(offset tile) const {
    if (borders != nullptr) return borders[tile];
    return tile == 0 ? sort_border{0, 0, 0, 0} : core::last_border(segments, count);
  }

  /// The buffer that the tile's parts of cut segments go to. A part that will move an odd number of times begins in
  /// scratch memory, so that it ends where it belongs. A whole array may be sorted already: it stays.
  MGPU_HOST_DEVICE int first_buffer(offset tile, const sort_border& first, const sort_border& last,
                                    offset cell_items) const {
    if (Segments::has_one_segment || !is_inside_segment(first, last)) return 0;
    const sort_border& cut = first.cuts() ? first : last;
    return passes.moves_of({cut.begin, cut.end, cell_items}, tile) & 1;
  }

  MGPU_HOST_DEVICE void set_buffers(offset tile, int left, int right) const {
    for (const part_buffers& p : buffers) {
      p.buffer[part_buffers::left(tile)] = static_cast<unsigned char>(left);
      p.buffer[part_buffers::right(tile)] = static_cast<unsigned char>(right);
    }
  }

  template <class Block>
  MGPU_DEVICE void prepare_passes(Block& block, offset tile, const sort_border& first, const sort_border& last,
                                  int buffer) const {
    set_buffers(tile, first.cuts() ? buffer : 0,
                first.cuts() ? 0 : buffer);  // a tile with both parts goes to buffer 0
    if (!core::are_consistent(first, last)) report_bad_segments();
    if (last.cuts() && last.begin >= first.position) {
      const tile::sort_runs<offset> runs{last.begin, last.end, tuning::sort_cell_items(Block::shape.items_per_tile())};
      block.raise(&progress->levels, runs.levels());
    }
  }

  static MGPU_DEVICE MGPU_FORCE_INLINE item load_one(int i, const key* staged_keys, const value* staged_values) {
    if constexpr (items::carries_values) return item{staged_keys[i], staged_values[i]};
    else if constexpr (items::carries_places) return item{staged_keys[i], static_cast<tile_place<key>>(i)};
    else return staged_keys[i];
  }

  template <int share>
  static MGPU_DEVICE MGPU_FORCE_INLINE void load(base::slot<item> (&x)[share], int first, const key* staged_keys,
                                                 const value* staged_values) {
    MGPU_UNROLL
    for (int i = 0; i < share; ++i) x[i].put(load_one(first + i, staged_keys, staged_values));
  }

  /// Whether a key of the first `count` items is a NaN.
  template <int share>
  static MGPU_DEVICE bool has_nan(const base::slot<item> (&x)[share], int count) {
    bool found = false;
    MGPU_UNROLL
    for (int i = 0; i < share; ++i) found |= i < count && items::key(x[i].value) != items::key(x[i].value);
    return found;
  }

  template <class Block>
  MGPU_DEVICE void store(Block& block, const item* sorted, const value* staged_values, int begin, int end, key* keys_to,
                         value* values_to) const {
    if constexpr (!has_values) {
      block.publish();
      block.store_placed(sorted + begin, keys_to + begin, end - begin);
    } else {
      for (int i = begin + block.thread(); i < end; i += Block::shape.threads) {
        const item x = sorted[i];
        keys_to[i] = x.key;
        if constexpr (items::carries_values) values_to[i] = x.with;
        else values_to[i] = staged_values[x.with];
      }
    }
  }
};

}  // namespace detail::core
MGPU_NAMESPACE_END
