// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The data of a merge or of a set operation. Included once for each function.

#include "set_operations/check_set_operations.h"
#include "under_test.h"

namespace test::harness::MGPU_HARNESS_FUNCTION {
namespace {

struct merge {
  using tag = mgpu::detail::tile::set_union;  // which has as many elements as the inputs at most

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
               has_values = under_test::has("by_key"), is_size = under_test::has("size_only");

/// Whether inputs have no equal keys. Numbers of two bytes are too few for that.
template <class Kind>
constexpr bool is_unique = !is_merge && Kind::number == 3 && sizeof(typename Kind::key) > 2;

/// Two inputs, and the numbers of the elements that come out.
template <class Kind>
struct drawn_inputs {
  using key = typename Kind::key;
  using value = typename Kind::value;

  int total, a_count, b_count;
  typename Kind::compare compare;
  two_inputs<key> in;
  std::vector<int> numbers;

  explicit drawn_inputs(source& s)
      : total(s.size()),
        a_count(draw_a_count(s, total)),
        b_count(total - a_count),
        compare(draw_compare<typename Kind::compare>(s)) {
    if (!s.wanted.is_sound) {
      in = {random_bytes<key>(a_count, s.data), random_bytes<key>(b_count, s.data)};
      return;
    }
    in = is_unique<Kind> ? unique_keys<key>(s.any_of(unique_overlaps), a_count, b_count, s.data)
                         : overlapping_keys<key>(s.any_of(all_overlaps), a_count, b_count, s.data);
    std::stable_sort(in.a.begin(), in.a.end(), compare);
    std::stable_sort(in.b.begin(), in.b.end(), compare);
    numbers = emitted_numbers<definition>(in.a, in.b, compare);
  }

  offset size() const { return static_cast<offset>(numbers.size()); }
  std::vector<value> a_values() const { return numbered_values<value>(0, a_count); }
  std::vector<value> b_values() const { return numbered_values<value>(a_count, b_count); }
  std::vector<key> keys_out() const { return in_order<key>(numbers, in.a, in.b); }
  std::vector<value> values_out() const { return in_order<value>(numbers, a_values(), b_values()); }

 private:
  static int draw_a_count(source& s, int total) {
    const int share = s.below(8);
    return share == 0 ? 0 : share == 1 ? total : share < 5 ? total / 2 : s.below(total + 1);
  }
};

}  // namespace
}  // namespace test::harness::MGPU_HARNESS_FUNCTION
