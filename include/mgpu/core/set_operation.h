// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/base/order.h>
#include <mgpu/base/overlap.h>
#include <mgpu/base/requirements.h>
#include <mgpu/base/slot.h>
#include <mgpu/base/tile_shape.h>
#include <mgpu/tile/balanced_path.h>
#include <mgpu/tile/host/copy_range.h>
#include <mgpu/tile/host/interleaved_set_operation.h>
#include <mgpu/tile/register/set_operation.h>
#include <mgpu/tile/shared_layout.h>
#include <mgpu/tuning/set_operation.h>

#include <cuda/std/bit>
#include <cuda/std/limits>
#include <cuda/std/type_traits>

#include <numeric>
#include <utility>

MGPU_NAMESPACE_BEGIN
namespace detail::core {

/// The core of the four multiset operations, of keys and by key. Without values they are base::no_values. Without an
/// output it only counts.
template <class HasDuplicates, class Operation, class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut,
          class ValuesOut, class Compare>
struct set_operation {
  HasDuplicates has_duplicates;  // std::false_type: neither input has equal keys
  Operation operation;
  KeysA a;  // [a_count], sorted by compare
  KeysB b;  // [b_count], sorted by compare
  offset a_count, b_count;
  ValuesA a_values;      // [a_count]
  ValuesB b_values;      // [b_count]; base::no_values if the operation emits none of b's
  KeysOut keys_out;      // [max_size()]
  ValuesOut values_out;  // [max_size()]
  Compare compare;
  offset room = cuda::std::numeric_limits<offset>::max();  // of the outputs

  using key_a = base::value_type<KeysA>;
  using key_b = base::value_type<KeysB>;

  static constexpr bool has_output = base::has_values<KeysOut>;
  static constexpr bool has_values = base::has_values<ValuesA>;
  static constexpr int key_bytes = base::element_bytes<KeysA, KeysB>;
  static constexpr int value_bytes = has_values ? static_cast<int>(sizeof(base::value_type<ValuesA>)) : 0;

  /// True if results are packed as keys, which go from registers through shared memory to the output. Otherwise results
  /// are packed as the positions in the tile that they come from.
  static constexpr bool in_registers = !has_values && base::is_bytewise_output<KeysA, KeysB, KeysOut> && key_bytes <= 8;
  using result = cuda::std::conditional_t<in_registers, key_a, tile::source>;

  static constexpr const char* name = "set operation";  // in a profiler

  static MGPU_HOST_DEVICE constexpr base::tile_shape shape(int cc) {
    return tuning::set_operation(
        cc, {key_bytes, has_output, in_registers, Operation::emits_b, base::is_natural_order<Compare>});
  }

  /// For a tile whose results are kept until their place in the output is known. They lie where the staged keys were,
  /// or behind them.
  static MGPU_HOST_DEVICE constexpr int shared_bytes(const base::tile_shape& shape) {
    return tile::staged_pair_bytes<key_a, key_b>(shape, 2 * shape.items_per_thread) +
           (has_output && !in_registers ? tile::source_bytes(shape) : 0);
  }

  MGPU_HOST_DEVICE offset size() const { return a_count + b_count; }
  MGPU_HOST_DEVICE offset max_size() const {
    return base::min(room, tile::set_operation_max_size<Operation>(a_count, b_count));
  }

  /// True where that is known without a search: pairs alone are emitted, and the inputs are disjoint.
  bool emits_nothing() const { return !Operation::emits_a && !Operation::emits_b && is_disjoint(); }

  /// True where two comparisons show that one input ends before the other begins.
  bool is_disjoint() const { return is_a_first() || compare(b[b_count - 1], a[0]); }

  /// Copies the inputs that the operation emits, which are disjoint, one behind the other. each_part(count, f) calls
  /// f(first, items) for parts that make up [0, count). Returns the end of the output.
  template <class EachPart>
  offset copy_inputs(const EachPart& each_part) const {
    const offset end = max_size();
    const auto copy = [&](const auto& keys, [[maybe_unused]] const auto& values, offset count, offset begin) {
      each_part(base::clamp(end - begin, offset{0}, count), [&](offset first, offset items) {
        tile::copy_range(keys + first, items, keys_out + begin + first, output_bytes());
        if constexpr (has_values) tile::copy_range(values + first, items, values_out + begin + first, output_bytes());
      });
    };
    const bool starts_with_a = !Operation::emits_b || is_a_first();
    copy(a, a_values, a_count, starts_with_a ? 0 : b_count);
    if constexpr (Operation::emits_b) copy(b, b_values, b_count, starts_with_a ? a_count : 0);
    return end;
  }
  static constexpr bool may_be_disjoint = has_output && Operation::emits_a;

  /// True if the output lies over the first input, as far as base::overlaps can tell.
  bool is_in_place() const { return base::overlaps(a, a_count, keys_out, max_size()); }

  /// The same operation, but it reads the keys from copies: of a's, and of b's unless copies compare with what b gives.
  template <class OtherA, class OtherB>
  auto reading(OtherA other_a, OtherB other_b) const {
    return set_operation<HasDuplicates, Operation, OtherA, OtherB, ValuesA, ValuesB, KeysOut, ValuesOut, Compare>{
        has_duplicates, operation, other_a,  other_b,    a_count, b_count,
        a_values,       b_values,  keys_out, values_out, compare, room};
  }
  static constexpr bool may_be_in_place =
      has_output && !has_values && !Operation::emits_b && cuda::std::is_copy_constructible_v<key_a>;
  static constexpr bool compares_copies = base::compares_elements<decltype(Compare::compare), const key_a*, KeysB> &&
                                          base::compares_elements<decltype(Compare::compare), KeysB, const key_a*>;

  using split = tile::balanced_split<offset>;
  static constexpr bool has_near_splits = true;  // the searches for them end no further apart than their diagonals
  using range = tile::balanced_range;

  /// The path that is searched for the split of the tiles that meet at a diagonal.
  MGPU_HOST_DEVICE auto path(offset diagonal) const { return path_of<offset>(a, b, a_count, b_count, diagonal); }

  MGPU_HOST_DEVICE range between(offset first, offset last, const split& first_split, const split& last_split) const {
    return range::between(first, last, first_split, last_split);
  }

  static constexpr offset host_items_per_tile = tuning::set_operation_host_items_per_tile;

  /// The number of elements that the operation emits from a tile.
  offset count(tile::host_thread, const range& t) const {
    const auto serial = serial_operation();
    const tile::range all = t.of_whole_pairs(b_count);
    tile::range rest = all;
    offset pairs = 0;
    if constexpr (counts_in_turns) {
      pairs = serial.count_predictable(rest);
      if (rest.a_begin < rest.a_end && rest.b_begin < rest.b_end) {
        tile::range lanes[host_lanes];
        offset lane_pairs[host_lanes] = {};
        divide({rest, false, false}, lanes);
        serial.count_pairs_interleaved(lanes, lane_pairs, std::make_index_sequence<host_lanes>{});
        pairs += std::accumulate(lane_pairs, lane_pairs + host_lanes, offset{0});
      }
    } else {
      pairs = serial.count_pairs(rest);
    }
    return tile::set_operation_size<Operation>(all.a_end - all.a_begin, all.b_end - all.b_begin, pairs);
  }

  /// Writes a tile's results from `begin` to at most `end`. Returns the end of the output.
  offset run(tile::host_thread, const range& t, offset begin, offset end) const {
    const auto serial = serial_operation();
    tile::set_lane left{t.of_whole_pairs(b_count), begin, end};
    if constexpr (runs_in_turns) {
      serial.run_predictable(left);
      const tile::range& rest = left.rest;
      if (left.out < left.out_end && rest.a_begin < rest.a_end && rest.b_begin < rest.b_end)
        return run_in_turns({rest, false, false}, left.out, left.out_end);
    }
    return serial.run(left);
  }

  /// A tile whose results wait in shared memory for their place in the output.
  struct packed_tile {
    const result* results;  // [count]
    int count;
    int a_count;     // of the staged keys; positions of b follow those of a
    const key_a* a;  // staged
    const key_b* b;
    offset a_begin, b_begin;  // where the tile's values begin
  };

  /// Runs a tile until its results are packed.
  template <class Block>
  MGPU_DEVICE packed_tile run(Block& block, offset tile, const range& t) const {
    if (false) base::must_compare_on_device<key_a, key_b>(compare);
    if (false) base::must_compare_on_device<key_b, key_a>(compare);
    static_assert(cuda::std::is_trivially_destructible_v<key_a> && cuda::std::is_trivially_destructible_v<key_b> &&
                      cuda::std::is_trivially_destructible_v<base::value_type<ValuesA>> &&
                      cuda::std::is_trivially_destructible_v<base::value_type<ValuesB>>,
                  "on the GPU keys and values must be trivially destructible: take pointers to them, or their numbers");
    static_assert(key_bytes <= 768,
                  "tiles of keys over 768 bytes have no room in shared memory: take pointers to them");
    constexpr int items = Block::shape.items_per_thread;
    const tile::range staged = t.reaching(items, a_count, b_count);
    const auto keys = block.stage(a, a_count, b, b_count, staged);
    block.wait();
    base::slot<result> mine[items];
    unsigned emitted = 0;
    share_of_thread(block, t, staged, keys, [&](int i, const tile::set_step& s, const auto& key, int index) {
      if constexpr (in_registers) mine[i].put(key);
      else mine[i].put(static_cast<tile::source>(s.takes_b ? staged.a_count() + index : index));
      if (Operation::emits(s)) emitted |= 1u << i;
    });
    emitted &= own_steps(block, t);

    packed_tile packed{nullptr, 0, staged.a_count(), keys.a, keys.b, t.a_begin, t.b_begin};
    const int place = block.place_of(cuda::std::popcount(emitted), packed.count);
    block.publish_count(tile, packed.count);
    if constexpr (!in_registers) {  // behind the keys that are staged ahead
      constexpr int pair_bytes = tile::staged_pair_bytes<key_a, key_b>(Block::shape);
      block.take(tile::staged_pair_bytes<key_a, key_b>(Block::shape, 2 * items) - pair_bytes);
    }
    result* const results =
        reinterpret_cast<result*>(in_registers ? keys.room : block.take(tile::source_bytes(Block::shape)));
    block.put_packed(mine, emitted, results + place);
    packed.results = results;
    return packed;
  }

  /// Writes the results of a tile to their place. Whatever the inputs are, it writes no more than the outputs have room
  /// for. Returns the end of what it wrote.
  template <class Block>
  MGPU_DEVICE offset store(Block& block, const packed_tile& t, offset begin) const {
    begin = base::min(begin, max_size());
    const int count = static_cast<int>(base::min<offset>(t.count, max_size() - begin));
    if constexpr (in_registers) {
      block.store_packed(t.results, keys_out + begin, count);
    } else {
      if constexpr (Operation::emits_b) {
        block.store_gathered(t.results, t.a_count, count, t.a, t.b, keys_out + begin);
      } else {
        block.store_gathered(t.results, t.a_count, count, t.a, t.a, keys_out + begin);
      }
      if constexpr (has_values && Operation::emits_b) {
        block.store_gathered(t.results, t.a_count, count, a_values + t.a_begin, b_values + t.b_begin,
                             values_out + begin);
      } else if constexpr (has_values) {
        block.store_gathered(t.results, t.a_count, count, a_values + t.a_begin, a_values + t.a_begin,
                             values_out + begin);
      }
    }
    return begin + count;
  }

  /// The number of the tile's pairs that this thread opens.
  template <class Block>
  MGPU_DEVICE int count(Block& block, const range& t) const {
    if (false) base::must_compare_on_device<key_a, key_b>(compare);
    if (false) base::must_compare_on_device<key_b, key_a>(compare);
    const tile::range staged = t.reaching(Block::shape.items_per_thread, a_count, b_count);
    const auto keys = block.stage(a, a_count, b, b_count, staged);
    block.wait();
    unsigned pairs = 0;
    share_of_thread(block, t, staged, keys, [&](int i, const tile::set_step& s, const auto&, int) {
      if (s.opens_pair) pairs |= 1u << i;
    });
    return cuda::std::popcount(pairs & own_steps(block, t));
  }

  MGPU_HOST_DEVICE offset size_of_result(offset pairs) const {
    return tile::set_operation_size<Operation>(a_count, b_count, base::min(pairs, base::min(a_count, b_count)));
  }

 private:
  /// Takes this thread's part of the tile, at most `items_per_thread` steps: see tile::register_set_operation.
  template <class Block, class Keys, class Visit>
  MGPU_DEVICE void share_of_thread(const Block& block, const range& t, const tile::range& staged, const Keys& keys,
                                   const Visit& visit) const {
    constexpr int items = Block::shape.items_per_thread;
    const int diagonal = base::min(block.thread() * items, t.count());
    const auto begin = search(t, diagonal, keys.a, keys.b);
    const tile::cursor c{begin.a, staged.a_count(), diagonal - begin.a, staged.b_count()};
    tile::register_set_operation<items>(keys.a, keys.b, c, begin.starred, compare, visit);
  }

  /// A bit for each step of this thread. The last tile may have fewer steps.
  template <class Block>
  static MGPU_DEVICE unsigned own_steps(const Block& block, const range& t) {
    constexpr int items = Block::shape.items_per_thread;
    static_assert(items < 32, "a thread notes what its steps emit in a word");
    return (1u << base::clamp(t.count() - block.thread() * items, 0, items)) - 1;
  }

  /// The CPU runs parts of a tile in turns if its steps need no branch.
  static constexpr bool counts_in_turns = tile::is_register_choice<KeysA, KeysB>;
  static constexpr bool runs_in_turns =
      counts_in_turns &&
      tile::is_register_choice<ValuesA, cuda::std::conditional_t<Operation::emits_b, ValuesB, ValuesA>>;

  template <class Index, class A, class B>
  MGPU_HOST_DEVICE auto path_of(A from_a, B from_b, Index count_a, Index count_b, Index diagonal) const {
    return tile::balanced_path<HasDuplicates::value, Index, A, B, Compare>{
        {from_a, from_b, count_a, count_b, diagonal, compare}};
  }

  /// Where a diagonal of the tile crosses the balanced path. The second element of a pair that the tile before has
  /// opened comes before this tile's path, not on it.
  template <class Index, class A, class B>
  MGPU_HOST_DEVICE tile::balanced_split<Index> search(const range& t, Index diagonal, A from_a, B from_b) const {
    if (diagonal == 0) return {0, t.starts_starred};
    const Index ceded = t.starts_starred && t.b_begin < t.b_end;
    return path_of<Index>(from_a, from_b + ceded, static_cast<Index>(t.a_end - t.a_begin),
                          static_cast<Index>(t.b_end - t.b_begin) - ceded, diagonal - ceded)
        .split();
  }

  static constexpr int host_lanes = tuning::set_operation_host_lanes;

  /// Takes the first `items` steps off `rest`, rounded to whole pairs. Returns them.
  tile::range take_lane(range& rest, offset items) const {
    const offset begin = rest.out_begin(), count = (rest.a_end - rest.a_begin) + (rest.b_end - rest.b_begin);
    const split first{rest.a_begin, rest.starts_starred};
    split last{rest.a_end, rest.ends_starred};
    if (items < count) {
      last = search(rest, items, a + rest.a_begin, b + rest.b_begin);
      last.a += rest.a_begin;
    }
    const range lane = range::between(begin, begin + base::min(items, count), first, last);
    rest = {{lane.a_end, rest.a_end, lane.b_end, rest.b_end}, lane.ends_starred, rest.ends_starred};
    return lane.of_whole_pairs(b_count);
  }

  void divide(range t, tile::range (&lanes)[host_lanes]) const {
    const offset count = (t.a_end - t.a_begin) + (t.b_end - t.b_begin);
    for (tile::range& lane : lanes) lane = take_lane(t, base::ceil_div(count, offset{host_lanes}));
  }

  offset run_in_turns(range rest, offset begin, offset end) const {
    constexpr int most = tuning::set_operation_host_lane_items(int{sizeof(key_a)} + value_bytes);
    const offset count = (rest.a_end - rest.a_begin) + (rest.b_end - rest.b_begin);
    const offset rounds = base::ceil_div(count, offset{most} * host_lanes);
    const offset items = base::ceil_div(count, rounds * host_lanes);  // equal lengths: no lane runs alone at the end
    const auto serial = serial_operation();
    typename decltype(serial_operation())::template lane_results<most + 1> results[host_lanes];
    while (begin < end && (rest.a_begin < rest.a_end || rest.b_begin < rest.b_end)) {
      tile::range lanes[host_lanes];
      for (tile::range& lane : lanes) lane = take_lane(rest, items);
      begin = serial.run_interleaved(lanes, results, begin, end, std::make_index_sequence<host_lanes>{});
    }
    return begin;
  }

  auto serial_operation() const {
    return tile::host_set_operation<Operation, KeysA, KeysB, ValuesA, ValuesB, KeysOut, ValuesOut, Compare>{
        a, b, a_values, b_values, keys_out, values_out, compare, output_bytes()};
  }

  offset output_bytes() const { return max_size() * (key_bytes + value_bytes); }
  bool is_a_first() const { return a_count == 0 || b_count == 0 || compare(a[a_count - 1], b[0]); }
};

template <class Duplicates, class Operation, class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut,
          class ValuesOut, class Compare>
MGPU_HOST_DEVICE set_operation(Duplicates, Operation, KeysA, KeysB, offset, offset, ValuesA, ValuesB, KeysOut,
                               ValuesOut, Compare, offset = 0)
    ->set_operation<Duplicates, Operation, KeysA, KeysB, ValuesA, ValuesB, KeysOut, ValuesOut, Compare>;

}  // namespace detail::core
MGPU_NAMESPACE_END
