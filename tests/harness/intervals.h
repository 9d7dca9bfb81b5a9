// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls of the functions on intervals. Included once for each function.

#include <mgpu/interval.h>

#include "intervals/interval_calls.h"
#include "support/patterns.h"
#include "under_test.h"

namespace test::harness::MGPU_HARNESS_FUNCTION {
namespace {

constexpr bool expands = under_test::has("expands"), searches = under_test::has("searches"),
               visits = under_test::has("visits");
constexpr bool gathers = under_test::has("gathers"), scatters = under_test::has("scatters");
static_assert(expands + searches + visits + (gathers || scatters) == 1);

/// Adds what tells of intervals to an arena. Returns a function of its memory that gives the descriptor.
template <int Number>
auto add_intervals(source& s, arena& data, const std::vector<int>& counts, offset total) {
  const auto count = static_cast<offset>(counts.size());
  if constexpr (Number == 3) {
    auto known = counts;
    // The call is to find a negative count before it does anything: outputs have room for what the others make up.
    if (!s.wanted.is_sound && !known.empty() && s.data() % 2 == 0)
      known[s.data() % known.size()] = -1 - static_cast<int>(s.data() % 9);
    const auto place = data.add_input(known);
    return [=](char* memory) {
      const auto first = by_pointer::read(place, memory);
      return mgpu::interval_counts(first, first + count);
    };
  } else {
    using position = std::conditional_t<Number == 1, std::int32_t, offset>;
    using access = std::conditional_t<Number == 2, by_iterator, by_pointer>;
    const auto offsets = offsets_of(counts);
    std::vector<position> positions(offsets.begin(), offsets.end());
    // Wrong ones name one place of the output for several items of a scatter, which two threads then write.
    if (!(scatters && sees_races)) positions = with_wrong_positions(s, positions);
    const auto place = data.add_input(positions);
    return [=](char* memory) { return mgpu::interval_offsets(access::read(place, memory), count, total); };
  }
}

template <class Kind>
std::unique_ptr<call> make(source& s) {
  using item = std::conditional_t<std::is_same_v<typename Kind::key, key12>, value_bytes<12>, typename Kind::key>;
  using access = typename Kind::access;
  if (s.wanted.can_be_captured && Kind::number == 3) return nullptr;  // the host has to know the total
  const int size = s.size();
  auto counts = counts_of_size(s.one_of(all_sharings), size, s.shape);
  std::shuffle(counts.begin(), counts.end(), s.data);
  const offset total = total_of(counts);
  // Where positions are none, items are still looked for within the total from where their interval begins.
  const offset behind = s.wanted.is_sound ? 0 : total;
  const auto from = place(s.one_of({layout::in_order, layout::permuted}), counts, s.data);
  const auto to = place(s.one_of({layout::in_order, layout::permuted}), counts, s.data);

  const auto values = numbered_values<item>(1, static_cast<int>(counts.size()));
  const auto items = numbered_values<item>(7, static_cast<int>(total + behind));
  std::vector<item> out(static_cast<std::size_t>(expands || gathers || scatters ? total : 0));
  std::vector<std::uint32_t> numbers(searches ? static_cast<std::size_t>(total) : visits ? counts.size() : 0);
  for_each_item(counts, [&](offset k, std::size_t interval, int rank) {
    const auto source_item = static_cast<std::size_t>(gathers ? from.begins[interval] + rank : k);
    const auto target = static_cast<std::size_t>(scatters ? to.begins[interval] + rank : k);
    if (expands) out[target] = values[interval];
    else if (searches) numbers[target] = static_cast<std::uint32_t>(interval);
    else if (visits) numbers[interval] += add_to_sums::part(k, rank);
    else out[target] = items[source_item];
  });

  arena data(s.shape);
  const auto intervals = add_intervals<Kind::number>(s, data, counts, total);
  const auto values_place = data.add_input(values), items_place = data.add_input(items);
  const auto from_place = data.add_input(from.begins), to_place = data.add_input(to.begins);
  const auto room = static_cast<offset>(out.size()) + (scatters ? behind : 0);
  const auto out_place =
      data.add_output(room, access::stored(out), access::first_of(room, static_cast<offset>(out.size())));
  const auto numbers_place = visits ? data.add_inout(std::vector<std::uint32_t>(numbers.size()), numbers)
                                    : data.add_output(static_cast<offset>(numbers.size()), numbers);
  return make_call<Kind>(std::move(data), [=](const auto& policy, char* memory) {
    const auto known = intervals(memory);
    [[maybe_unused]] const auto gather = access::read(from_place, memory);
    [[maybe_unused]] const auto scatter = by_pointer::read(to_place, memory);
    [[maybe_unused]] const auto in = access::read(items_place, memory);
    const auto result = access::write(out_place, memory);
    [[maybe_unused]] std::uint32_t* const found = numbers_place.in(memory);
    if constexpr (expands)
      return under_test{}(policy, known, access::read(values_place, memory), result) - result == total;
    else if constexpr (gathers && scatters) return has_called(under_test{}, policy, known, gather, scatter, in, result);
    else if constexpr (gathers) return under_test{}(policy, known, gather, in, result) - result == total;
    else if constexpr (scatters) return has_called(under_test{}, policy, known, scatter, in, result);
    else if constexpr (searches) return under_test{}(policy, known, found) - found == total;
    else return has_called(under_test{}, policy, known, add_to_sums{found});
  });
}

const registration registered(make<kind0>, make<kind1>, make<kind2>, make<kind3>);

}  // namespace
}  // namespace test::harness::MGPU_HARNESS_FUNCTION
