// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls of the functions on sorted runs. Included once for each function.

#include <mgpu/merge_runs.h>

#include "merge_runs/check_merge_runs.h"
#include "under_test.h"

namespace test::harness::MGPU_HARNESS_FUNCTION {
namespace {

constexpr bool has_values = under_test::has("by_key"), merges_runs = under_test::has("merges_runs");
static_assert(merges_runs);

/// Where a run begins: the address of an element.
template <class T>
struct begin_of_run {
  const T* first;
  const std::int64_t* begins;
  MGPU_HOST_DEVICE const T* operator()(offset i) const { return first + begins[i]; }
};
template <class T>
auto begins_of_runs(const array<T>& elements, const array<std::int64_t>& begins, char* memory) {
  const thrust::counting_iterator<offset> numbers(0);
  return thrust::make_transform_iterator(numbers, begin_of_run<T>{elements.in(memory), begins.in(memory)});
}

/// The offsets of drawn runs: as many runs, whatever the data are.
std::vector<offset> draw_runs(source& s, int size) {
  const int kind = s.below(8);
  const int most = kind < 2 ? 3 : kind < 5 ? 40 : kind < 7 ? 200 : 3000;
  const int runs = 1 + s.below(most);
  return divided(s.any_of(all_divisions), runs, size, s.data);
}

/// Lengths; without soundness some are wrong, but none is more than its array has.
std::vector<int> draw_lengths(source& s, const std::vector<offset>& offsets) {
  std::vector<int> lengths;
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) lengths.push_back(static_cast<int>(offsets[i + 1] - offsets[i]));
  auto wrong = with_wrong_positions(s, lengths);
  for (std::size_t i = 0; i < wrong.size(); ++i)
    wrong[i] = std::min(wrong[i], static_cast<int>(offsets.back() - offsets[i]));
  return wrong;
}

template <class Kind>
std::unique_ptr<call> make(source& s) {
  using key = typename Kind::key;
  using value = typename Kind::value;
  using access = typename Kind::access;
  constexpr bool is_separate = Kind::number >= 2;
  const int size = s.size();
  const auto offsets = draw_runs(s, size);
  const auto runs = static_cast<offset>(offsets.size()) - 1;
  const auto compare = draw_compare<typename Kind::compare>(s);
  auto keys =
      s.wanted.is_sound ? keys_of_runs<key>(s.any_of(all_layouts), offsets, s.data) : random_bytes<key>(size, s.data);
  std::vector<value> values;
  for (int i = 0; i < size; ++i) values.push_back(make_value<value>(i));
  std::vector<int> order;
  if (s.wanted.is_sound) {
    for (offset r = 0; r < runs; ++r)
      std::stable_sort(keys.begin() + offsets[r], keys.begin() + offsets[r + 1], compare);
    order = merged_runs_order(keys, compare);
  }

  arena data(s.shape);
  const auto keys_in = data.add_input(keys);
  const auto values_in = data.add_input(has_values ? values : std::vector<value>{});
  const auto offsets_in = data.add_input(
      is_separate ? offsets : with_wrong_positions(s, std::vector<std::int64_t>(offsets.begin(), offsets.end())));
  const auto lengths_in = data.add_input(is_separate ? draw_lengths(s, offsets) : std::vector<int>{});
  const auto keys_out = data.add_output(size, access::stored(in_order_of(order, keys)));
  const auto values_out = data.add_output(
      has_values ? size : 0, access::stored(has_values ? in_order_of(order, values) : std::vector<value>{}));

  return make_call<Kind>(std::move(data), [=](const auto& policy, char* memory) {
    const auto to = access::write(keys_out, memory);
    [[maybe_unused]] const auto values_to = access::write(values_out, memory);
    const auto is_end = [&](const auto& result) {
      if constexpr (has_values) return result.first - to == size && result.second - values_to == size;
      else return result - to == size;
    };
    if constexpr (is_separate) {
      const mgpu::run_ranges all(begins_of_runs(keys_in, offsets_in, memory), by_pointer::read(lengths_in, memory),
                                 runs, size);
      if constexpr (has_values)
        return is_end(under_test{}(policy, all, begins_of_runs(values_in, offsets_in, memory), to, values_to, compare));
      else return is_end(under_test{}(policy, all, to, compare));
    } else {
      using offsets_access = std::conditional_t<Kind::number == 1, by_iterator, by_pointer>;
      const mgpu::run_offsets all(offsets_access::read(offsets_in, memory), runs);
      const auto first = access::read(keys_in, memory);
      if constexpr (has_values)
        return is_end(
            under_test{}(policy, first, first + size, access::read(values_in, memory), all, to, values_to, compare));
      else return is_end(under_test{}(policy, first, first + size, all, to, compare));
    }
  });
}

registration registered_kinds() {
  if constexpr (has_all_kinds) return registration(make<kind0>, make<kind1>, make<kind2>, make<kind3>);
  else if constexpr (has_even_kinds(!has_values)) return registration(make<kind0>, make<kind2>);
  else return registration(make<kind1>, make<kind3>);
}
const registration registered = registered_kinds();

}  // namespace
}  // namespace test::harness::MGPU_HARNESS_FUNCTION
