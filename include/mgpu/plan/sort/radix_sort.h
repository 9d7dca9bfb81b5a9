// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/core/sort/byte_sort.h>
#include <mgpu/core/sort/item.h>
#include <mgpu/core/sort/radix_sort.h>
#include <mgpu/exec/policy.h>
#include <mgpu/exec/workspace.h>
#include <mgpu/plan/scratch_layout.h>
#include <mgpu/plan/sort/arrays.h>
#include <mgpu/tile/word.h>

#include MGPU_CUDA_VERB_HEADER(read)
#include MGPU_CUDA_VERB_HEADER(each)
#include MGPU_CUDA_VERB_HEADER(run_each_sorting)

#include <cuda/std/type_traits>

#include <cstdint>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

/// What stands for the elements of an iterator to values.
template <class Values>
using radix_value = cuda::std::conditional_t<base::has_values<Values>, tile::unit<base::element_bytes<Values>>,
                                             base::no_values::value_type>;

/// Places what the steps of a radix sort share, and all that is cleared before: `cleared_pairs` pairs of words of 8
/// bytes.
template <class Bits>
core::radix_progress lay_out_radix_progress(scratch_layout& layout, int stretches, offset most_tiles,
                                            cuda::std::uint64_t*& cleared, offset& cleared_pairs) {
  using word = core::radix_progress::word;
  core::radix_progress x;
  x.stretches = stretches;
  x.passes = Bits::passes;
  x.first_tile = layout.take<word>(core::radix_progress::most_stretches);
  x.begin = layout.take<word>(core::radix_progress::most_stretches);
  x.end = layout.take<word>(core::radix_progress::most_stretches);
  x.counts[0] = layout.take<word>(most_tiles * Bits::digits);
  x.counts[1] = layout.take<word>(most_tiles * Bits::digits);
  x.ticket = layout.take<word>(1);
  x.done = layout.take<word>(core::radix_progress::most_steps);
  x.uniform = layout.take<word>(Bits::passes);
  x.begins = layout.take<word>(offset{stretches} * Bits::passes * Bits::digits);
  layout.end = base::align_up<std::uintptr_t>(layout.end, 16);
  cleared = reinterpret_cast<cuda::std::uint64_t*>(x.ticket);
  cleared_pairs = static_cast<offset>(layout.end - reinterpret_cast<std::uintptr_t>(cleared)) / 16;
  return x;
}

/// The scratch memory of a radix sort: the second buffers, and what its steps share.
template <class Bits, class Value, class Policy>
class radix_memory {
  using bits = typename Bits::type;
  static constexpr bool has_values = !cuda::std::is_same_v<Value, base::no_values::value_type>;

 public:
  bits* keys = nullptr;
  Value* values = nullptr;
  core::radix_progress progress = {};
  cuda::std::uint64_t* cleared = nullptr;
  offset cleared_pairs = 0;

  radix_memory(Policy& p, offset count, int stretches, offset most_tiles)
      : memory_(p, static_cast<offset>(lay_out({0}, count, stretches, most_tiles) + 16)) {
    lay_out({base::align_up<std::uintptr_t>(reinterpret_cast<std::uintptr_t>(memory_.data()), 16)}, count, stretches,
            most_tiles);
  }

 private:
  std::uintptr_t lay_out(scratch_layout layout, offset count, int stretches, offset most_tiles) {
    keys = layout.take<bits>(count);
    if constexpr (has_values) values = layout.take<Value>(count);
    progress = plan::lay_out_radix_progress<Bits>(layout, stretches, most_tiles, cleared, cleared_pairs);
    return layout.end;
  }

  exec::workspace<char, Policy> memory_;
};

/// Whether the keys are numbers in their natural order that the machine can sort by their bits.
template <class Policy, class Keys, class Values, class Compare>
constexpr bool has_radix_order() {
  using key = base::value_type<Keys>;
  return exec::executor_of<Policy>::has_radix_sort && core::is_sorted_in_place<Keys, Values> &&
         base::equivalents_are_equal<Compare, key> && sizeof(key) <= 8;
}

/// Whether the radix sort of segments takes such elements: an even number of passes, and values that are one word.
template <class Policy, class Keys, class Values, class Compare>
constexpr bool has_radix_sorted_segments() {
  if constexpr (!has_radix_order<Policy, Keys, Values, Compare>()) return false;
  else if constexpr (sizeof(base::value_type<Keys>) == 1) return false;
  else if constexpr (base::has_values<Values>) {
    constexpr int bytes = base::element_bytes<Values>;
    return bytes <= 8 && (bytes & (bytes - 1)) == 0 && alignof(base::value_type<Values>) == bytes;
  } else return true;
}

/// Whether bytes are sorted by counting.
template <class Policy, class Keys, class Values, class Compare>
constexpr bool has_counted_bytes() {
  return has_radix_order<Policy, Keys, Values, Compare>() && sizeof(base::value_type<Keys>) == 1 &&
         !base::has_values<Values>;
}

/// Sorts the segments of an array of numbers by their bits. Synchronizes if the policy does: its scratch memory may not
/// be given back before. Requires: fewer than 2^30 elements, and few stretches.
template <class Policy, class Key, class Values, class Segments, class Compare>
void radix_sort_segments(Policy& p, const sort_arrays<Key*, Values>& arrays, offset count, const Segments& segments,
                         const Compare&, base::bad_input_flag bad_segments) {
  using order = core::number_bits<Key, Compare>;
  using bits = typename order::type;
  using value = radix_value<Values>;
  using sort_core = core::radix_sort<order, value>;
  const auto executor = exec::executor(p);
  const int tile_items = exec::executor_of<Policy>::template items_per_tile<sort_core>();
  const int stretches = static_cast<int>(segments.stretch_count());
  const offset most_tiles = count / tile_items + stretches;
  const radix_memory<order, value, Policy> memory(p, count, stretches, most_tiles);
  const core::prepare_radix_sort<Segments> prepare{segments,   bad_segments,   memory.progress,
                                                   tile_items, memory.cleared, memory.cleared_pairs};
  executor.each(prepare.calls(), prepare);
  bits* const keys = reinterpret_cast<bits*>(arrays.keys);
  value* values = nullptr;
  if constexpr (base::has_values<Values>) values = reinterpret_cast<value*>(arrays.values);
  const sort_core sort{{keys, memory.keys}, {values, memory.values}, count, most_tiles, memory.progress};
  // Blocks take one task after the other, until there is none.
  const offset resident_blocks = exec::executor_of<Policy>::template facts<sort_core>().resident_blocks;
  executor.run_each(sort, base::min(sort.most_blocks(), resident_blocks));
  executor.complete();
}

/// Sorts the segments of an array of one-byte numbers. Synchronizes if the policy does. Requires: fewer than 2^30
/// elements.
template <class Policy, class Key, class Segments, class Compare>
void sort_bytes(Policy& p, Key* keys, offset count, const Segments& segments, const Compare&,
                base::bad_input_flag bad_segments) {
  using order = core::number_bits<Key, Compare>;
  using word = core::byte_counts::word;
  constexpr offset cell = core::byte_sort_shape().items_per_tile();
  const offset tiles = base::ceil_div(count, cell);
  const auto lay_out = [&](scratch_layout layout, core::sort_border*& borders, core::sort_progress*& progress,
                           word*& cut_counts) {
    borders = layout.take<core::sort_border>(tiles + 1);
    progress = layout.take<core::sort_progress>(1);
    cut_counts = layout.take<word>(tiles * core::byte_counts::digits);
    return layout.end;
  };
  core::sort_border* borders;
  core::sort_progress* progress;
  word* cut_counts;
  const exec::workspace<char, Policy> memory(p, static_cast<offset>(lay_out({0}, borders, progress, cut_counts) + 16));
  lay_out({base::align_up<std::uintptr_t>(reinterpret_cast<std::uintptr_t>(memory.data()), 16)}, borders, progress,
          cut_counts);
  auto* const bits = reinterpret_cast<typename order::type*>(keys);
  const auto executor = exec::executor(p);
  executor.each(
      tiles * core::byte_counts::digits,
      core::prepare_byte_sort<Segments>{{segments, count, tiles, {cell, 0}, borders, progress, 0, false}, cut_counts});
  executor.run_each(
      core::sort_byte_tiles<order, Segments>{bits, count, segments, borders, progress, cut_counts, bad_segments},
      tiles);
  executor.run_each(core::write_cut_bytes<order, Segments>{bits, borders, progress, cut_counts}, tiles);
  executor.complete();
}

}  // namespace detail::plan
MGPU_NAMESPACE_END
