// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls of merge and of the set operations in all their forms. Included once for each function.

#include <mgpu/merge.h>
#include <mgpu/set_operations.h>

#include "set_operations/check_set_operations.h"
#include "under_test.h"

namespace test::harness::MGPU_HARNESS_FUNCTION {
namespace {

struct merge {
  using tag = mgpu::tile::set_union;  // which has as many elements as the inputs at most

  template <class... Args>
  static auto by_definition(const Args&... args) {
    return std::merge(args...);
  }
};

using definition = std::conditional_t<
    under_test::has("merges"), merge,
    std::conditional_t<under_test::has("unites"), op::set_union,
                       std::conditional_t<under_test::has("intersects"), op::set_intersection,
                                          std::conditional_t<under_test::has("subtracts"), op::set_difference,
                                                             op::set_symmetric_difference>>>>;
static_assert(under_test::has("merges") + under_test::has("unites") + under_test::has("intersects") +
                  under_test::has("subtracts") + under_test::has("subtracts_both") ==
              1);
constexpr bool is_merge = under_test::has("merges"), takes_values_of_a_only = under_test::has("values_of_a_only"),
               has_values = under_test::has("by_key"), is_size = under_test::has("size_only"),
               is_into = under_test::has("into");

template <class Kind>
constexpr bool is_unique = !is_merge && Kind::number == 3;

template <class Kind>
two_inputs<typename Kind::key> draw_inputs(source& s, int a_count, int b_count, const typename Kind::compare& compare) {
  using key = typename Kind::key;
  if (!s.wanted.is_sound) return {random_bytes<key>(a_count, s.data), random_bytes<key>(b_count, s.data)};
  auto in = is_unique<Kind> ? unique_keys<key>(s.any_of(unique_overlaps), a_count, b_count, s.data)
                            : overlapping_keys<key>(s.any_of(all_overlaps), a_count, b_count, s.data);
  std::stable_sort(in.a.begin(), in.a.end(), compare);
  std::stable_sort(in.b.begin(), in.b.end(), compare);
  return in;
}

/// What the call returned, or wrote, of its size is right.
template <class Result, class KeysOut, class ValuesOut>
bool is_end(const Result& result, KeysOut keys, ValuesOut values, offset size) {
  if constexpr (has_values) return result.first - keys == size && result.second - values == size;
  else return result - keys == size;
}

template <class Kind>
std::unique_ptr<call> make(source& s) {
  using key = typename Kind::key;
  using value = typename Kind::value;
  using access = typename Kind::access;
  if (s.wanted.can_be_captured && under_test::has("returns_size")) return nullptr;
  const int total = s.size(), share = s.below(8);
  const int a_count = share == 0 ? 0 : share == 1 ? total : share < 5 ? total / 2 : s.below(total + 1);
  const int b_count = total - a_count;
  const auto compare = draw_compare<typename Kind::compare>(s);
  const auto in = draw_inputs<Kind>(s, a_count, b_count, compare);
  const auto numbers = s.wanted.is_sound ? emitted_numbers<definition>(in.a, in.b, compare) : std::vector<int>{};
  const auto size = static_cast<offset>(numbers.size()), most = room_for<definition>(in.a, in.b);

  arena data(s.shape);
  const auto a = data.add_input(in.a), b = data.add_input(in.b);
  const auto a_values = data.add_input(numbered_values<value>(0, a_count));
  const auto b_values = data.add_input(numbered_values<value>(a_count, b_count));
  const auto add_output = [&](const auto& x) {
    return data.add_output(most, access::stored(x), access::first_of(most, size));
  };
  const auto keys_out = is_size ? array<key>{} : add_output(in_order<key>(numbers, in.a, in.b));
  const auto values_out = !has_values ? array<value>{}
                                      : add_output(in_order<value>(numbers, numbered_values<value>(0, a_count),
                                                                   numbered_values<value>(a_count, b_count)));
  const auto size_out = data.add_output(is_into ? 1 : 0, is_into ? std::vector<offset>{size} : std::vector<offset>{});

  return make_call<Kind>(std::move(data), [=](const auto& policy, char* memory) {
    const auto first = access::read(a, memory), second = access::read(b, memory);
    const auto av = access::read(a_values, memory), bv = access::read(b_values, memory);
    const auto keys = access::write(keys_out, memory);
    const auto values = access::write(values_out, memory);
    const auto with_options = [&](const auto&... args) {
      if constexpr (is_unique<Kind>) {
        return under_test{}(policy, first, first + a_count, second, second + b_count, args..., compare,
                            mgpu::unique_keys);
      } else return under_test{}(policy, first, first + a_count, second, second + b_count, args..., compare);
    };
    [[maybe_unused]] offset* const size_place = size_out.in(memory);
    if constexpr (is_size) return with_options() == size;
    else if constexpr (is_into && has_values && takes_values_of_a_only)
      return has_called(with_options, av, keys, values, size_place);
    else if constexpr (is_into && has_values) return has_called(with_options, av, bv, keys, values, size_place);
    else if constexpr (is_into) return has_called(with_options, keys, size_place);
    else if constexpr (has_values && takes_values_of_a_only)
      return is_end(with_options(av, keys, values), keys, values, size);
    else if constexpr (has_values) return is_end(with_options(av, bv, keys, values), keys, values, size);
    else return is_end(with_options(keys), keys, values, size);
  });
}

const registration registered(make<kind0>, make<kind1>, make<kind2>, make<kind3>);

}  // namespace
}  // namespace test::harness::MGPU_HARNESS_FUNCTION
