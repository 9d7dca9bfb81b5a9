// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The data of a sort. Included once for each function.

#include "support/check_sort.h"
#include "support/sort_patterns.h"
#include "under_test.h"

namespace test::harness::MGPU_HARNESS_FUNCTION {
namespace {

constexpr bool has_values = under_test::has("by_key"), is_stable = under_test::has("stable");

/// Where the sort may change the order of equal elements they are equal in every bit: nothing says where they come
/// from.
template <class T, class Make>
std::vector<T> elements(const std::vector<int>& ranks, const Make& make) {
  std::vector<T> result;
  result.reserve(ranks.size());
  for (const int rank : ranks) result.push_back(make(rank, is_stable ? static_cast<int>(result.size()) : rank));
  return result;
}

/// Keys and values as a sort finds them, and as it is to leave them.
template <class Kind>
struct drawn_sort {
  using key = typename Kind::key;
  using value = typename Kind::value;

  std::vector<key> keys, sorted_keys;
  std::vector<value> values, sorted_values;

  drawn_sort(source& s, const segmentation& cut, const typename Kind::compare& compare) {
    const auto count = static_cast<int>(cut.elements);
    const auto ranks = s.data() % 4 == 0 ? ranks_near_place(count, 1 + static_cast<int>(s.data() % 500), s.data)
                                         : disordered_ranks(s.any_of(all_disorders), count, test::ranks<key>, s.data);
    keys =
        s.wanted.is_sound
            ? elements<key>(ranks, [](int rank, int number) { return make_key<key>(rank % test::ranks<key>, number); })
            : random_bytes<key>(count, s.data);
    values = elements<value>(
        ranks, [](int rank, int number) { return make_value<value>(is_stable ? number : rank % test::ranks<key>); });
    sorted_keys = keys;
    sorted_values = values;
    if (!s.wanted.is_sound) return;
    const sorting<key> sorted(keys, cut, compare);
    sorted_keys = sorted.in_order(keys);
    if (has_values) sorted_values = sorted.in_order(values);
  }
};

}  // namespace
}  // namespace test::harness::MGPU_HARNESS_FUNCTION
