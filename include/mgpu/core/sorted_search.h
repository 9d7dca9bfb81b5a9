// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/bad_input_flag.h>
#include <mgpu/base/iterator.h>
#include <mgpu/base/search_order.h>
#include <mgpu/base/tile_shape.h>
#include <mgpu/tile/host/interleaved_search.h>
#include <mgpu/tile/merge_path.h>
#include <mgpu/tile/range.h>
#include <mgpu/tile/read_ahead.h>
#include <mgpu/tile/shared_layout.h>
#include <mgpu/tile/value_cut.h>
#include <mgpu/tuning/sorted_search.h>

#include <cuda/std/bit>
#include <cuda/std/type_traits>

#include <utility>

MGPU_NAMESPACE_BEGIN
namespace detail::core {

/// The core of sorted searches: finds for each value how many elements of a range come before it. The sink says what is
/// done with that: see core/search_sink.h. On the merge path the values are side a.
template <class Values, class Range, class Sink, class Before>
struct sorted_search {
  Values values;   // [value_count], sorted
  Range elements;  // [element_count], sorted
  offset value_count, element_count;
  Sink sink;
  Before before;                   // base::lower_bound_order or base::upper_bound_order
  base::bad_input_flag bad_input;  // raised on the GPU if tiles do not cut the values into parts: if all is not sorted

  using value = base::value_type<Values>;
  using element = base::value_type<Range>;
  using sink_type = Sink;
  static constexpr int element_bytes = base::element_bytes<Values, Range>;

  /// True if what is found goes from shared memory to the output as an array.
  static constexpr bool stores_array = Sink::is_array && Sink::bytes <= element_bytes;

  static constexpr offset host_items_per_tile = tuning::search_host_values_per_tile;
  static constexpr const char* name = "sorted search";  // in a profiler

  static MGPU_HOST_DEVICE constexpr base::tile_shape shape(int cc) {
    constexpr bool is_bulk = base::is_bulk_loadable<Values> && base::is_bulk_loadable<Range>;
    return tuning::sorted_search(cc, {element_bytes, is_bulk, base::is_natural_order<Before>});
  }

  static constexpr int shared_bytes(const base::tile_shape& shape) {
    return base::max(tile::staged_pair_bytes<value, element>(shape, Sink::is_judge ? 1 : 0), tile::source_bytes(shape));
  }

  MGPU_HOST_DEVICE offset size() const { return value_count + element_count; }

  using split = offset;
  struct range : tile::range {
    bool is_cut_well;  // the values of the tiles before and behind it join on
  };

  /// The path that is searched for the split of the tiles that meet at a diagonal: the values before it. The executor
  /// chooses who searches: path.find(search).
  MGPU_HOST_DEVICE auto path(offset diagonal) const {
    return tile::merge_path<offset, Values, Range, Before>{values,        elements, value_count,
                                                           element_count, diagonal, before};
  }

  /// The tile between two diagonals and their splits.
  MGPU_HOST_DEVICE range between(offset first, offset last, offset first_split, offset last_split) const {
    const auto t = tile::range::between(first, last, first_split, last_split);
    return {t, t.a_end == last_split};
  }

  /// Searches one value in the whole range.
  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE void run_alone(offset number) const {
    const auto is_before = [&](offset i) { return before(elements[i], values[number]); };
    sink.store(number, sink.answer(number, tile::partition_point(offset{0}, element_count, is_before)));
  }

  void run(tile::host_thread, const tile::range& t) const {
    tile::source found[host_items_per_tile];
    const auto is_before = [this](offset i, offset k) { return before(elements[i], values[k]); };
    tile::for_each_search_part(t, is_before, [&](const tile::range& part) {
      const tile::host_search<Values, Range, Before> search{values, elements,     before,
                                                            found,  part.a_begin, part.b_begin};
      search.run_interleaved(part, std::make_index_sequence<tuning::search_host_lanes>{});
      for (offset i = part.a_begin; i < part.a_end; ++i)
        sink.store(i, sink.answer(i, part.b_begin + offset{found[i - part.a_begin]}));
    });
  }

  template <class Block>
  MGPU_DEVICE void run(Block& block, const range& t) const {
    if (false) base::must_compare_on_device<element, value>(before.compare);
    if (false) base::must_compare_on_device<value, element>(before.compare);
    if constexpr (sink_type::is_judge) {
      if (false) base::must_compare_on_device<value, element>(sink.matches);
    }
    static_assert(cuda::std::is_trivially_destructible_v<value> && cuda::std::is_trivially_destructible_v<element>,
                  "on the GPU values and elements must be trivially destructible: search pointers to them, or their "
                  "numbers");
    static_assert(element_bytes <= 1024,
                  "a tile of elements over 1 KiB has no room in shared memory: search pointers to them");
    if (!t.is_cut_well && block.thread() == 0) report_bad_input();
    if (t.a_count() == 0) return;
    const tile::range reached = reach(t);
    const auto staged = block.stage(values, value_count, elements, element_count, reached);
    block.wait();
    const tile_inputs in{staged.a, staged.b + static_cast<int>(t.b_begin - reached.b_begin), staged.b,
                         staged.b + reached.b_count()};
    const tile::cursor c = begin_of_thread(t, in, base::min(block.thread() * Block::shape.items_per_thread, t.count()));
    const steps taken = take_share(block, t, in, c);
    block.sync();  // what is found lies where values and elements lay
    if (bad_input.is_asked()) check_shares(block, t, reinterpret_cast<tile::source*>(staged.room), c, taken.passed);
    if constexpr (stores_array) store_array(block, t, staged.room, c, taken);
    else store_each(block, t, reinterpret_cast<tile::source*>(staged.room), c, taken);
  }

 protected:
  MGPU_HOST_DEVICE void report_bad_input() const {
    if (bad_input.is_asked()) bad_input.raise();
  }

  /// The tile as it is staged. A sink that looks at the elements beside a value's place also asks for the one before or
  /// behind the tile.
  MGPU_DEVICE tile::range reach(const range& t) const {
    tile::range reached = t;
    if constexpr (Sink::is_judge) {
      if constexpr (Sink::is_forward) reached.b_end = base::min(t.b_end + 1, element_count);
      else reached.b_begin = base::max<offset>(t.b_begin - 1, 0);
    }
    return reached;
  }

  /// A tile in shared memory.
  struct tile_inputs {
    const value* a;
    const element* b;
    const element *first, *end;  // of all staged elements
  };

  /// What is left of the staged tile at the beginning of this thread's share.
  MGPU_DEVICE tile::cursor begin_of_thread(const range& t, const tile_inputs& in, int diagonal) const {
    const tile::merge_path path{in.a, in.b, t.a_count(), t.b_count(), diagonal, before};
    const int from_a = path.split();
    return {from_a, t.a_count(), diagonal - from_a, t.b_count()};
  }

  /// The steps of a thread along the path. Bit i of `passed` says that step i passes a value, bit i of `taken` that the
  /// sink takes the element beside its place.
  struct steps {
    unsigned passed, taken;
  };

  /// What was passed last, in registers, if it is asked for and may be there.
  struct not_kept {
    MGPU_DEVICE not_kept(const void*, const void*) {}
  };
  template <class T>
  static constexpr bool is_kept = cuda::std::is_trivially_copyable_v<T>;
  template <class T, bool is_needed>
  using kept = cuda::std::conditional_t<is_needed && is_kept<T>, tile::assigned_ahead<T>, not_kept>;

  template <class Block>
  MGPU_DEVICE steps take_share(const Block& block, const range& t, const tile_inputs& in, const tile::cursor& c) const {
    constexpr int items = Block::shape.items_per_thread;
    static_assert(items < 32, "a thread notes its steps in a word");
    constexpr bool looks_back = Sink::is_judge && !Sink::is_forward;
    steps s{0, 0};
    const value *at = in.a + c.a, *const at_end = in.a + c.a_end;
    const element *beside = in.b + c.b, *const beside_end = in.b + c.b_end;
    tile::read_ahead<value> next_value(at, at_end);
    tile::read_ahead<element> next_element(beside, beside_end);
    [[maybe_unused]] kept<element, looks_back> last_element(beside > in.first ? beside - 1 : beside, beside_end);
    [[maybe_unused]] const auto neighbour = [&]() -> const element& {
      if constexpr (looks_back && is_kept<element>) return last_element.value;
      else if constexpr (looks_back) return beside[-1];
      else if constexpr (is_kept<element>) return next_element.value;
      else return *beside;
    };
    const auto step = [&](int i, bool is_element, bool is_real) {
      if (is_element) {
        if constexpr (looks_back && is_kept<element>) last_element.value = next_element.value;
        ++beside;
        next_element.read(beside, beside_end);
      } else {
        s.passed |= 1u << i;
        if constexpr (Sink::is_judge) {
          const bool has_neighbour = looks_back ? beside > in.first : beside < in.end;
          if (is_real && has_neighbour && sink.takes(next_value.value, neighbour())) s.taken |= 1u << i;
        }
        ++at;
        next_value.read(at, at_end);
      }
    };
    if (at + items <= at_end && beside + items <= beside_end) {
      MGPU_UNROLL
      for (int i = 0; i < items; ++i) step(i, before(next_element.value, next_value.value), true);
    } else {
      MGPU_UNROLL
      for (int i = 0; i < items; ++i) {
        const bool has_value = at < at_end;
        step(i, beside < beside_end && (!has_value || before(next_element.value, next_value.value)), has_value);
      }
    }
    s.passed &= (1u << base::clamp(t.count() - block.thread() * items, 0, items)) - 1;
    return s;
  }

  /// Reports it if the shares of the threads do not cut the tile's values into parts. They do if all is sorted.
  template <class Block>
  MGPU_DEVICE void check_shares(Block& block, const range& t, tile::source* begins, const tile::cursor& c,
                                unsigned passed) const {
    begins[block.thread()] = static_cast<tile::source>(c.a);
    block.sync();
    const bool is_last = block.thread() == Block::shape.threads - 1;
    const int next = is_last ? t.a_count() : int{begins[block.thread() + 1]};
    if (c.a + cuda::std::popcount(passed) != next) report_bad_input();
    block.sync();
  }

  /// Writes to to[k] what is found for value k of the tile: `first` and how many elements of the tile come before it. A
  /// sink that judges gets the place of the element that it takes, or -1.
  template <class Block, class T>
  static MGPU_DEVICE void note(const Block&, const tile::cursor& c, const steps& s, T first, T* to) {
    to += c.a;
    T at = static_cast<T>(first + static_cast<T>(c.b));
    MGPU_UNROLL
    for (int i = 0; i < Block::shape.items_per_thread; ++i) {
      if (s.passed >> i & 1) {
        if constexpr (Sink::is_judge) *to++ = s.taken >> i & 1 ? at : static_cast<T>(-1);
        else *to++ = at;
      } else {
        ++at;
      }
    }
  }

  /// From the place of a value to the element that a sink looks at.
  static MGPU_HOST_DEVICE constexpr int to_neighbour() {
    if constexpr (Sink::is_judge) return Sink::is_forward ? 0 : -1;
    else return 0;
  }

  template <class Block>
  MGPU_DEVICE void store_array(Block& block, const range& t, char* room, const tile::cursor& c, const steps& s) const {
    using T = typename Sink::element;
    T* const out = sink.array() + t.a_begin;
    T* const placed = block.place(room, out);
    note(block, c, s, static_cast<T>(t.b_begin + to_neighbour()), placed);
    block.publish();
    block.store_placed(placed, out, t.a_count());
  }

  template <class Block>
  MGPU_DEVICE void store_each(Block& block, const range& t, tile::source* found, const tile::cursor& c,
                              const steps& s) const {
    constexpr int batch = 4, threads = Block::shape.threads;  // results of a thread that are under way at once
    note(block, c, s, tile::source{0}, found);
    block.sync();
    for (int first = block.thread(); first < t.a_count(); first += batch * threads) {
      typename Sink::result results[batch];
      MGPU_UNROLL
      for (int k = 0; k < batch; ++k) {
        const int i = first + k * threads;
        if (i < t.a_count()) results[k] = result_of(t, i, found[i]);
      }
      MGPU_UNROLL
      for (int k = 0; k < batch; ++k) {
        const int i = first + k * threads;
        if (i < t.a_count()) sink.store(t.a_begin + i, results[k]);
      }
    }
  }

  /// The result for value i of a tile.
  MGPU_DEVICE typename Sink::result result_of(const range& t, int i, tile::source found) const {
    if constexpr (Sink::is_judge) {
      return found == static_cast<tile::source>(-1) ? Sink::refused : t.b_begin + int{found} + to_neighbour();
    } else {
      return sink.answer(t.a_begin + i, t.b_begin + base::min(int{found}, t.b_count()));
    }
  }
};

template <class Values, class Range, class Sink, class Before>
MGPU_HOST_DEVICE sorted_search(Values, Range, offset, offset, Sink, Before, base::bad_input_flag)
    ->sorted_search<Values, Range, Sink, Before>;

/// A search as a path core whose diagonals are values, for the CPU: see tile/value_cut.h. Of what is counted they are
/// whole tiles. So all calls cut it alike, however many threads they have: if the values are not sorted, a call that
/// writes would else find other positions than one that counts.
template <class Search>
struct search_cut_at_values : Search {
  using split = offset;  // elements before a value
  using range = tile::range;
  static constexpr offset diagonal_values = Search::sink_type::is_counted ? Search::host_items_per_tile : 1;
  static constexpr offset host_items_per_tile = Search::host_items_per_tile / diagonal_values;

  offset size() const { return base::ceil_div(this->value_count, diagonal_values); }

  auto path(offset number) const {
    return tile::value_border<decltype(Search::values), decltype(Search::elements), decltype(Search::before)>{
        this->values, this->elements, this->value_count, this->element_count, number * diagonal_values, this->before};
  }
  range between(offset first, offset last, offset first_split, offset last_split) const {
    return tile::range_of_values(first * diagonal_values, base::min(last * diagonal_values, this->value_count),
                                 first_split, last_split);
  }
};

}  // namespace detail::core
MGPU_NAMESPACE_END
