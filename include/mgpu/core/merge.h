// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/base/order.h>
#include <mgpu/base/slot.h>
#include <mgpu/base/tile_shape.h>
#include <mgpu/tile/host/interleaved_merge.h>
#include <mgpu/tile/merge_path.h>
#include <mgpu/tile/range.h>
#include <mgpu/tile/register/merge.h>
#include <mgpu/tile/shared_layout.h>
#include <mgpu/tuning/merge.h>

#include <cuda/std/type_traits>

#include <utility>

MGPU_NAMESPACE_BEGIN
namespace detail::core {

/// The core of merge and merge_by_key. Without values they are base::no_values.
template <class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut, class ValuesOut, class Compare>
struct merge {
  KeysA a;  // [a_count], sorted by compare
  KeysB b;  // [b_count], sorted by compare
  offset a_count, b_count;
  ValuesA a_values;      // [a_count]
  ValuesB b_values;      // [b_count]
  KeysOut keys_out;      // [a_count + b_count]
  ValuesOut values_out;  // [a_count + b_count]
  Compare compare;

  using key_a = base::value_type<KeysA>;
  using key_b = base::value_type<KeysB>;
  using value_a = base::value_type<ValuesA>;
  using value_b = base::value_type<ValuesB>;

  static constexpr bool has_values = base::has_values<ValuesA>;
  static constexpr int key_bytes = base::element_bytes<KeysA, KeysB>;
  static constexpr int value_bytes = has_values ? base::element_bytes<ValuesA, ValuesB> : 0;

  /// True if the tile's values are staged in shared memory like its keys. Otherwise they are gathered from the inputs.
  static constexpr bool stages_values = has_values && base::is_bulk_loadable<ValuesA> &&
                                        base::is_bulk_loadable<ValuesB> && tuning::merge_stages_values(value_bytes);
  /// True if merged keys and values go from registers through shared memory to the output. Otherwise positions are
  /// merged, and the elements are gathered by them.
  static constexpr bool in_registers =
      base::is_bytewise_output<KeysA, KeysB, KeysOut> &&
      (!has_values || (stages_values && base::is_bytewise_output<ValuesA, ValuesB, ValuesOut>)) &&
      tuning::merge_in_registers(key_bytes, value_bytes);

  static constexpr bool may_be_in_place = false;
  static constexpr offset host_items_per_tile = tuning::merge_host_items_per_tile;

  static constexpr const char* name = "merge";  // in a profiler

  static MGPU_HOST_DEVICE constexpr base::tile_shape shape(int cc) {
    constexpr bool is_bulk = base::is_bulk_loadable<KeysA> && base::is_bulk_loadable<KeysB>;
    return tuning::merge(
        cc, {key_bytes, value_bytes, stages_values, in_registers, is_bulk, base::is_natural_order<Compare>});
  }

  static constexpr int shared_bytes(const base::tile_shape& shape) {
    return tile::staged_pair_bytes<key_a, key_b>(shape) +
           (stages_values ? tile::staged_pair_bytes<value_a, value_b>(shape) : 0) +
           (in_registers ? 0 : tile::source_bytes(shape));
  }

  MGPU_HOST_DEVICE offset size() const { return a_count + b_count; }

  using split = offset;
  static constexpr bool has_near_splits = true;  // the searches for them end no further apart than their diagonals

  /// The path that is searched for the split of the tiles that meet at a diagonal: the elements of a before it. The
  /// executor chooses who searches: path.find(search).
  MGPU_HOST_DEVICE auto path(offset diagonal) const {
    return tile::merge_path<offset, KeysA, KeysB, Compare>{a, b, a_count, b_count, diagonal, compare};
  }

  /// The tile between two diagonals and their splits.
  MGPU_HOST_DEVICE tile::range between(offset first, offset last, offset first_split, offset last_split) const {
    return tile::range::between(first, last, first_split, last_split);
  }

  void run(tile::host_thread thread, const tile::range& t) const { run(thread, t, size() * (key_bytes + value_bytes)); }
  /// If `output_bytes` is 0, the output is read again soon.
  void run(tile::host_thread, const tile::range& t, offset output_bytes) const {
    const tile::host_merge<KeysA, KeysB, ValuesA, ValuesB, KeysOut, ValuesOut, Compare> serial{
        a, b, a_values, b_values, keys_out, values_out, compare, output_bytes};
    if constexpr (tile::is_register_choice<KeysA, KeysB> && tile::is_register_choice<ValuesA, ValuesB>) {
      serial.run_adaptively(t, std::make_index_sequence<tuning::merge_host_lanes>{});
    } else {
      serial.run(t);
    }
  }

  template <class Block>
  MGPU_DEVICE void run(Block& block, const tile::range& t) const {
    if (false) base::must_compare_on_device<key_b, key_a>(compare);
    static_assert(
        cuda::std::is_trivially_destructible_v<key_a> && cuda::std::is_trivially_destructible_v<key_b> &&
            cuda::std::is_trivially_destructible_v<value_a> && cuda::std::is_trivially_destructible_v<value_b>,
        "on the GPU keys and values must be trivially destructible: merge pointers to them, or their numbers");
    static_assert(key_bytes <= 1024, "a tile of keys over 1 KiB has no room in shared memory: merge pointers to them");
    const auto keys = block.stage(a, a_count, b, b_count, t);
    if constexpr (stages_values) {
      const auto values = block.stage(a_values, a_count, b_values, b_count, t);
      block.wait();
      if constexpr (in_registers) merge_registers(block, t, keys, values);
      else merge_sources(block, t, keys, values.a, values.b);
    } else {
      block.wait();
      if constexpr (in_registers) merge_registers(block, t, keys, none{});
      else if constexpr (has_values) merge_sources(block, t, keys, a_values + t.a_begin, b_values + t.b_begin);
      else merge_sources(block, t, keys, base::no_values{}, base::no_values{});
    }
  }

 private:
  struct none {};

  /// What is left of the staged tile at the beginning of this thread's part of the output.
  template <class Block, class Keys>
  MGPU_DEVICE tile::cursor search(const Block& block, const tile::range& t, const Keys& keys) const {
    const int diagonal = base::min(block.thread() * Block::shape.items_per_thread, t.count());
    const tile::merge_path path{keys.a, keys.b, t.a_count(), t.b_count(), diagonal, compare};
    const int from_a = path.split();
    return {from_a, t.a_count(), diagonal - from_a, t.b_count()};
  }

  template <class Keys>
  static MGPU_DEVICE auto rest_of(const Keys& keys, const tile::cursor& c) {
    return tile::merge_inputs<const key_a*, const key_b*>{keys.a + c.a, keys.a + c.a_end, keys.b + c.b,
                                                          keys.b + c.b_end};
  }

  template <class Block, class Keys, class Values>
  MGPU_DEVICE void merge_registers(Block& block, const tile::range& t, const Keys& keys, const Values& values) const {
    constexpr int items = Block::shape.items_per_thread;
    base::slot<key_a> merged_keys[items];
    base::slot<value_a> merged_values[items];
    const tile::cursor c = search(block, t, keys);
    if constexpr (has_values) {
      const tile::companions<const value_a*, const value_b*> with{values.a + c.a, values.b + c.b};
      tile::register_merge<items>(rest_of(keys, c), with, compare, [&](int i, const key_a& key, const value_a* value) {
        merged_keys[i].put(key);
        merged_values[i].put(*value);
      });
    } else {
      tile::register_merge<items>(rest_of(keys, c), tile::companions<tile::nothing, tile::nothing>{}, compare,
                                  [&](int i, const key_a& key, tile::nothing) { merged_keys[i].put(key); });
    }
    block.sync();
    key_a* const placed_keys = block.place(keys.room, keys_out + t.out_begin());
    block.put(merged_keys, placed_keys, t.count());
    if constexpr (has_values) {
      value_a* const placed_values = block.place(values.room, values_out + t.out_begin());
      block.put(merged_values, placed_values, t.count());
      block.publish();
      block.store_placed(placed_values, values_out + t.out_begin(), t.count());
    } else {
      block.publish();
    }
    block.store_placed(placed_keys, keys_out + t.out_begin(), t.count());
  }

  template <class Block, class Keys, class A, class B>
  MGPU_DEVICE void merge_sources(Block& block, const tile::range& t, const Keys& keys, A av, B bv) const {
    constexpr int items = Block::shape.items_per_thread;
    auto* const sources = reinterpret_cast<tile::source*>(block.take(tile::source_bytes(Block::shape)));
    tile::source* const mine = sources + block.thread() * items;
    const tile::cursor c = search(block, t, keys);
    const tile::companions<int, int> positions{c.a, t.a_count() + c.b};
    tile::register_merge<items>(rest_of(keys, c), positions, compare, [&](int i, const auto&, int position) {
      mine[i] = static_cast<tile::source>(position);
    });
    block.sync();
    block.store_gathered(sources, t.a_count(), t.count(), keys.a, keys.b, keys_out + t.out_begin());
    if constexpr (has_values) {
      block.store_gathered(sources, t.a_count(), t.count(), av, bv, values_out + t.out_begin());
    }
  }
};

template <class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut, class ValuesOut, class Compare>
MGPU_HOST_DEVICE merge(KeysA, KeysB, offset, offset, ValuesA, ValuesB, KeysOut, ValuesOut, Compare)
    ->merge<KeysA, KeysB, ValuesA, ValuesB, KeysOut, ValuesOut, Compare>;

}  // namespace detail::core
MGPU_NAMESPACE_END
