// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls of the sorts, within segments or of whole arrays. Included once for each function.

#include <mgpu/locality_sort.h>
#include <mgpu/odd_even_merge_sort.h>
#include <mgpu/segmented_sort.h>
#include <mgpu/sort.h>

#include "draw_sort.h"

namespace test::harness::MGPU_HARNESS_FUNCTION {
namespace {

constexpr bool has_segments = under_test::has("segmented");

/// Adds what tells of segments to an arena. Returns a function of its memory that gives the descriptor.
template <int Number>
auto add_segments(source& s, arena& data, const segmentation& cut) {
  const auto count = static_cast<offset>(cut.begins.size());
  if constexpr (Number == 0) {
    const auto offsets = data.add_input(with_wrong_positions(s, offsets_of(cut)));
    return [=](char* memory) { return mgpu::segment_offsets(by_pointer::read(offsets, memory), count); };
  } else if constexpr (Number == 1) {
    const auto heads = data.add_input(with_wrong_positions(s, heads_of(cut, s.below(2) == 0)));
    return [=](char* memory) {
      const auto first = by_pointer::read(heads, memory);
      return mgpu::segment_heads(first, first + heads.count);
    };
  } else if constexpr (Number == 2) {
    const auto words = data.add_input(flags_of(cut, s.below(2) == 0, static_cast<std::uint32_t>(s.data())));
    return [=](char* memory) { return mgpu::segment_flags(by_iterator::read(words, memory)); };
  } else {
    const auto begins = data.add_input(with_wrong_positions(s, std::vector<int>(cut.begins.begin(), cut.begins.end())));
    const auto ends =
        data.add_input(with_wrong_positions(s, std::vector<std::uint32_t>(cut.ends.begin(), cut.ends.end())));
    return [=](char* memory) {
      return mgpu::segment_offsets(by_iterator::read(begins, memory), by_pointer::read(ends, memory), count);
    };
  }
}
constexpr gaps gaps_of_kind[] = {gaps::at_both_ends, gaps::none, gaps::none, gaps::everywhere};  // by the kind's number

/// About `size` elements in segments; as many, and as many segments, whatever the data are.
template <int Number>
segmentation draw_segments(source& s, int size) {
  if (!has_segments) return one_segment(size);
  auto lengths = lengths_of(s.one_of(segment_sharings), size, s.shape);
  // Empty segments at the beginning may have no heads.
  if (s.wanted.can_be_captured) lengths.erase(std::remove(lengths.begin(), lengths.end(), 0), lengths.end());
  const auto seed = static_cast<unsigned>(s.shape());
  std::shuffle(lengths.begin(), lengths.end(), s.data);
  return cut_of(lengths, gaps_of_kind[Number], seed);
}

template <class Kind>
std::unique_ptr<call> make(source& s) {
  using access = typename Kind::access;
  const auto cut = draw_segments<Kind::number>(s, s.size());
  const auto count = static_cast<int>(cut.elements);
  const auto compare = draw_compare<typename Kind::compare>(s);
  const drawn_sort<Kind> drawn(s, cut, compare);

  arena data(s.shape);
  const auto keys_place = data.add_inout(access::stored(drawn.keys), access::stored(drawn.sorted_keys));
  const auto values_place = data.add_inout(access::stored(drawn.values), access::stored(drawn.sorted_values));
  const auto segments = add_segments<Kind::number>(s, data, cut);
  return make_call<Kind>(std::move(data), [=](const auto& policy, char* memory) {
    const auto first = access::write(keys_place, memory), last = first + count;
    [[maybe_unused]] const auto v = access::write(values_place, memory);
    if constexpr (has_segments && has_values)
      return has_called(under_test{}, policy, first, last, v, segments(memory), compare);
    else if constexpr (has_segments) return has_called(under_test{}, policy, first, last, segments(memory), compare);
    else if constexpr (has_values) return has_called(under_test{}, policy, first, last, v, compare);
    else return has_called(under_test{}, policy, first, last, compare);
  });
}

registration registered_kinds() {
  if constexpr (has_all_kinds) return registration(make<kind0>, make<kind1>, make<kind2>, make<kind3>);
  else if constexpr (has_even_kinds(has_values == under_test::has("stable")))
    return registration(make<kind0>, make<kind2>);
  else return registration(make<kind1>, make<kind3>);
}
const registration registered = registered_kinds();

}  // namespace
}  // namespace test::harness::MGPU_HARNESS_FUNCTION
