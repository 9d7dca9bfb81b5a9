// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls of the sorted searches and of the joins. Included once for each function.

#include <mgpu/join.h>
#include <mgpu/sorted_search.h>

#include "joins/joined.h"
#include "support/patterns.h"
#include "under_test.h"

namespace test::harness::MGPU_HARNESS_FUNCTION {
namespace {

constexpr bool searches = under_test::has("searches"), is_upper = under_test::has("upper"),
               is_as_of = under_test::has("as_of"), filters = under_test::has("filters"),
               is_size = under_test::has("size_only"), is_into = under_test::has("into");
constexpr auto rows_kept = under_test::has("left_rows")  ? kept_rows::left
                           : under_test::has("all_rows") ? kept_rows::all
                                                         : kept_rows::inner;

/// Sorted rows of one side, in runs that give a join of tolerable size; or anything.
template <class Kind>
std::vector<typename Kind::key> draw_rows(source& s, int side, int count, int other_count,
                                          const typename Kind::compare& compare) {
  using key = typename Kind::key;
  if (!s.wanted.is_sound) return random_bytes<key>(count, s.data);
  const bool has_long_runs = count + other_count < 500;
  const pattern some[] = {pattern::random, pattern::interleaved, pattern::a_first, pattern::b_first, pattern::runs};
  const auto p = has_long_runs && s.data() % 3 == 0 ? pattern::few_keys : s.any_of(some);
  auto rows =
      sorted_keys<key>(p == pattern::runs && !has_long_runs ? pattern::random : p, side, count, other_count, s.data);
  std::stable_sort(rows.begin(), rows.end(), compare);
  return rows;
}

/// Refuses some of the rows that an as-of join finds.
struct refuses_some {
  template <class Key>
  MGPU_HOST_DEVICE bool operator()(const Key& x, const Key& y) const {
    return (reinterpret_cast<const unsigned char&>(x) + reinterpret_cast<const unsigned char&>(y)) % 3 != 0;
  }
};

/// A join that is not sorted may have a row for each pair of its inputs, so these are small.
int total_of(source& s) {
  const bool is_bounded = !s.wanted.is_sound && !searches && !is_as_of && !filters && !is_into;
  const int total = s.size();
  return is_bounded ? std::min(total, 500) : total;
}

template <class Kind>
std::unique_ptr<call> make(source& s) {
  using key = typename Kind::key;
  using access = typename Kind::access;
  using row_number = std::conditional_t < Kind::number<2, std::int32_t, offset>;
  if (s.wanted.can_be_captured && under_test::has("returns_size")) return nullptr;
  // Bytes have 256 values: more of them would have too many pairs.
  const bool has_few_values = sizeof(key) == 1 && !searches && !is_as_of && !filters;
  const int total = total_of(s), share = s.below(8);
  if (has_few_values && total > 20'000) return nullptr;
  const int left_count = share == 0 ? 0 : share == 1 ? total : share < 5 ? total / 2 : s.below(total + 1);
  const int right_count = total - left_count;
  const auto compare = draw_compare<typename Kind::compare>(s);
  const auto left = draw_rows<Kind>(s, 0, left_count, right_count, compare);
  const auto right = draw_rows<Kind>(s, 1, right_count, left_count, compare);
  const bool is_sound = s.wanted.is_sound, is_forward = under_test::has("as_of") && s.below(2) == 0;

  joined<row_number> wanted;
  if (is_sound) {
    if constexpr (searches) wanted.right = bounds_of<row_number>(right, left, compare, is_upper);
    else if constexpr (is_as_of)
      wanted.right = as_of_rows<row_number>(left, right, compare, refuses_some{}, is_forward);
    else if constexpr (filters) wanted.left = filtered<row_number>(left, right, compare, under_test::has("semi"));
    else wanted = join_by_definition<row_number>(left, right, compare, rows_kept);
  }
  const offset size = static_cast<offset>(searches || is_as_of ? wanted.right.size() : wanted.left.size());
  const offset sound_room = searches || is_as_of || filters ? left_count : size;
  const offset unsound_room = searches || is_as_of || filters ? left_count
                              : is_into                       ? total
                                                              : offset{2} * left_count * right_count + total;
  // With a capacity of its own, which other data leave as it is.
  const offset capacity = is_into ? (s.below(3) == 0 ? total / 3 : 2 * offset{total}) : 0;
  const offset room = is_into ? capacity : is_sound ? sound_room : unsound_room;
  const offset written = is_into ? std::min(size, capacity) : size;
  wanted.truncate(is_into ? capacity : size);

  arena data(s.shape);
  const auto first = data.add_input(left), second = data.add_input(right);
  const auto add_output = [&](const auto& x) {
    return data.add_output(room, access::stored(x), access::first_of(room, written));
  };
  constexpr bool writes_left = !searches && !is_as_of && !is_size, writes_right = !filters && !is_size;
  const auto left_rows = writes_left ? add_output(wanted.left) : array<row_number>{};
  const auto right_rows = writes_right ? add_output(wanted.right) : array<row_number>{};
  const auto size_out = data.add_output(is_into ? 1 : 0, is_into ? std::vector<offset>{size} : std::vector<offset>{});

  return make_call<Kind>(std::move(data), [=](const auto& policy, char* memory) {
    const auto a = access::read(first, memory), b = access::read(second, memory);
    const auto left_to = access::write(left_rows, memory), right_to = access::write(right_rows, memory);
    [[maybe_unused]] offset* const size_place = size_out.in(memory);
    const auto of_rows = [&](const auto&... args) {
      return under_test{}(policy, a, a + left_count, b, b + right_count, args...);
    };
    if constexpr (searches) {
      return under_test{}(policy, b, b + right_count, a, a + left_count, right_to, compare) - right_to == left_count;
    } else if constexpr (is_as_of) {
      const auto end = is_forward ? of_rows(right_to, mgpu::forward, compare, refuses_some{})
                                  : of_rows(right_to, mgpu::backward, compare, refuses_some{});
      return end - right_to == left_count;
    } else if constexpr (filters) {
      return of_rows(left_to, compare) - left_to == size;
    } else if constexpr (is_size) {
      return of_rows(compare) == size;
    } else if constexpr (is_into) {
      return has_called(of_rows, left_to, right_to, capacity, size_place, compare);
    } else {
      const auto ends = of_rows(left_to, right_to, compare);
      return ends.first - left_to == size && ends.second - right_to == size;
    }
  });
}

/// The joins share their parts, so two kinds of each are enough.
registration registered_kinds() {
  if constexpr (searches || is_as_of || filters)
    return registration(make<kind0>, make<kind1>, make<kind2>, make<kind3>);
  else return registration(make<kind0>, make<kind2>);
}
const registration registered = registered_kinds();

}  // namespace
}  // namespace test::harness::MGPU_HARNESS_FUNCTION
