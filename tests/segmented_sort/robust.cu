// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What holds of segmented sort and of locality sort whatever the arguments: which elements are compared, comparators
// that are no order, impossible ranges, memory that is refused.
#include "support/refusing_allocator.h"
#include "support/sort_checks.h"
#include "support/unsorted.h"
#include "support/waiting_policies.h"

#include <stdexcept>

namespace {

using namespace test;
using wrong = std::invalid_argument;
using less = cuda::std::less<>;

/// Segments, and gaps, of arrays of sizes around the tile's.
template <class Key>
std::vector<segmentation> some_cuts() {
  const int tile = sort_tile<Key, int>(always_false{});
  std::mt19937 random(41);
  std::vector<segmentation> cuts;
  unsigned number = 0;
  for (const int size : {1, 2, 40, tile / 2, tile, tile + 1, 2 * tile + 3, 5 * tile - 1}) {
    for (const auto s : {sharing::one_long, sharing::zipf, sharing::tens}) {
      ++number;
      if (takes_few_cases() ? number % 4 != 0 : size > tile && number % 3 != static_cast<unsigned>(size) % 3) continue;
      cuts.push_back(cut_of(lengths_of(s, size, random), static_cast<gaps>(number / 2 % 3), number));
    }
  }
  return cuts;
}

/// Some of the functions, by what may be no order.
template <class... Functions, class Key, class Compare>
void check_disorder_of(const std::vector<Key>& keys, const segmentation& cut, const Compare& compare) {
  const auto call = [](const auto& f) { f(); };
  for_each_executor([&](auto executor) {
    const segments_in<decltype(executor)> segments(cut);
    const auto descriptor = segments.begins_and_ends();
    (check_permutes<Functions, remains::some>(executor, executor.policy(), keys, cut, descriptor, compare, call), ...);
    check_permutes<local, remains::some>(executor, executor.policy(), keys, one_segment(cut.elements), whole_array,
                                         compare, call);
  });
}

template <class Key, class... Functions, class Compare>
void check_disorder(const Compare& compare) {
  unsigned seed = 0;
  for (const auto& cut : some_cuts<Key>()) {
    std::mt19937 random(++seed);
    check_disorder_of<Functions...>(random_bytes<Key>(static_cast<int>(cut.elements), random), cut, compare);
  }
}

/// An array that is put as it was before every call.
template <class Executor>
struct refused_call {
  std::vector<int> unsorted;
  sorting<int> s;
  sorted_array<int, Executor> keys, values;

  explicit refused_call(const segmentation& cut, std::mt19937& random)
      : unsorted(disordered_ranks(disorder::random, static_cast<int>(cut.elements), 1 << 30, random)),
        s(unsorted, cut, less{}),
        keys(Executor{}, unsorted),
        values(Executor{}, numbers_below(unsorted.size())) {}

  /// `sort` sorts the keys, and `moves_values` says whether it moves the values with them.
  template <class Policy, class Sort>
  void check(requests& log, const Policy& policy, bool moves_values, const Sort& sort) const {
    const auto numbers = numbers_below(unsorted.size());
    check_refusals(
        log, policy,
        [&](const auto& p) {
          keys.put(unsorted);
          values.put(numbers);
          sort(p);
        },
        [&] { return keys.holds(unsorted) && values.holds(numbers); },
        [&] { return keys.holds(s.in_order(unsorted)) && values.holds(moves_values ? s.order : numbers); });
  }
};

}  // namespace

TEST_CASE("only elements of the array are compared") {
  unsigned seed = 0;
  for (const auto& cut : some_cuts<tagged<2>>()) {
    for_each_executor([&](auto executor) {
      const segments_in<decltype(executor)> segments(cut);
      const auto given = segments.begins_and_ends();
      const auto drawn = [&](const segmentation& in) {
        std::mt19937 random(++seed);
        const int count = static_cast<int>(in.elements);
        return sorting(disordered_ranks(all_disorders[seed % 8], count, 1 << 30, random), in, less{});
      };
      check_call_domain<segmented, tagged<2>>(executor, drawn(cut), given, 0x5eed0001);
      check_call_domain<stable_segmented, tagged<5>>(executor, drawn(cut), given, 0x5eed0002);
      check_call_domain<local, tagged<2>>(executor, drawn(one_segment(cut.elements)), whole_array, 0x5eed0003);
    });
  }
}

TEST_CASE("comparators that always say yes, or yes to equal elements, or answer at random") {
  check_disorder<std::uint32_t, stable_segmented>(always_true{});
  check_disorder<std::uint32_t, segmented, stable_segmented>(answer_at_random{});
  if constexpr (has_more_kinds) {
    if (takes_few_cases()) return;
    check_disorder<std::uint16_t, segmented>(less_or_equal{});
    check_disorder<number12, stable_segmented>(answer_at_random{});
  }
}

TEST_CASE("numbers of which some are not comparable") {
  check_disorder<float, segmented, stable_segmented>(less{});
  if constexpr (has_more_kinds) {
    if (!takes_few_cases()) check_disorder<double, segmented>(cuda::std::greater<>{});
  }
}

TEST_CASE("a comparator that always says no leaves everything in its place where a sort is stable") {
  for (const auto& cut : some_cuts<std::uint8_t>()) {
    std::mt19937 random(static_cast<unsigned>(cut.elements));
    const auto keys = random_bytes<std::uint8_t>(static_cast<int>(cut.elements), random);
    const sorting s(keys, cut, always_false{}), of_array(keys, one_segment(cut.elements), always_false{});
    const auto values = numbers_below(keys.size());
    for_each_executor([&](auto executor) {
      const segments_in<decltype(executor)> segments(cut);
      check_pairs<stable_segmented>(executor, s, values, segments.begins_and_ends(), always_false{});
      check_pairs<local>(executor, of_array, values, whole_array, always_false{});
    });
  }
}

TEST_CASE("impossible ranges throw, and nothing has happened") {
  for_each_policy([](auto executor, const auto& policy) {
    using executor_type = decltype(executor);
    int* const null = nullptr;
    const std::vector<int> unsorted{5, 4, 3, 2, 1};
    const input<executor_type, int> positions({0, 3, 5});
    const sorted_array keys(executor, unsorted), values(executor, unsorted);
    int *const first = keys.begin(), *const last = keys.end(), *const v = values.begin();
    const auto check = [&](const auto& s) {
      CHECK_THROWS_AS(mgpu::segmented_sort(policy, last, first, s), wrong);
      CHECK_THROWS_AS(mgpu::segmented_sort(policy, null, null + 5, s), wrong);
    };
    check(mgpu::segment_heads(positions.begin(), positions.begin() + 2));
    check(mgpu::segment_offsets(positions.begin(), positions.begin() + 1, 2));
    check(mgpu::segment_flags(positions.begin()));
    const mgpu::segment_offsets s(positions.begin(), 2);
    check(s);
    CHECK_THROWS_AS(mgpu::stable_segmented_sort(policy, last, first, s), wrong);
    CHECK_THROWS_AS(mgpu::segmented_sort_by_key(policy, last, first, v, s), wrong);
    CHECK_THROWS_AS(mgpu::stable_segmented_sort_by_key(policy, first + 1, first, v, s), wrong);
    CHECK_THROWS_AS(mgpu::stable_segmented_sort(policy, null, null + 5, s), wrong);
    CHECK_THROWS_AS(mgpu::segmented_sort_by_key(policy, null, null + 5, v, s), wrong);
    CHECK_THROWS_AS(mgpu::segmented_sort_by_key(policy, first, last, null, s), wrong);
    CHECK_THROWS_AS(mgpu::stable_segmented_sort_by_key(policy, first, last, null, s), wrong);
    mgpu::sort_statistics statistics;
    CHECK_THROWS_AS(mgpu::segmented_sort(policy, last, first, s, less{}, statistics), wrong);
    CHECK_THROWS_AS(mgpu::segmented_sort_by_key(policy, first, last, null, s, less{}, statistics), wrong);
    const mgpu::segment_flags no_flags(null);
    CHECK_THROWS_AS(mgpu::segmented_sort(policy, first, last, no_flags), wrong);
    CHECK_THROWS_AS(mgpu::locality_sort(policy, last, first), wrong);
    CHECK_THROWS_AS(mgpu::locality_sort(policy, null, null + 5), wrong);
    CHECK_THROWS_AS(mgpu::locality_sort_by_key(policy, first + 1, first, v), wrong);
    CHECK_THROWS_AS(mgpu::locality_sort_by_key(policy, null, null + 5, v), wrong);
    CHECK_THROWS_AS(mgpu::locality_sort_by_key(policy, first, last, null), wrong);
    CHECK(keys.holds(unsorted));
    CHECK(values.holds(unsorted));
    CHECK(positions.unchanged());
  });
}

TEST_CASE("an allocator that refuses: bad_alloc, nothing leaked, the array as it was, and the next call works") {
  for_each_executor([](auto executor) {
    INFO(executor.name);
    using executor_type = decltype(executor);
    std::mt19937 random(42);
    requests log;
    const auto policy = executor.policy()(refusing_allocator{&log});
    const int size = 5 * sort_tile<int, int>() + 77;
    const refused_call<executor_type> segments(cut_of(lengths_of(sharing::thousands, size, random)), random);
    const segments_in<executor_type> in(segments.s.cut);
    const auto &k = segments.keys, &v = segments.values;
    const auto offsets = in.offsets();
    const auto flags = in.flags();
    segments.check(log, policy, false, [&](const auto& p) { mgpu::segmented_sort(p, k.begin(), k.end(), offsets); });
    segments.check(log, policy, false, [&](const auto& p) { mgpu::segmented_sort(p, k.begin(), k.end(), flags); });
    segments.check(log, policy, true, [&](const auto& p) {
      mgpu::stable_segmented_sort_by_key(p, k.begin(), k.end(), v.begin(), offsets);
    });
    CHECK(in.unchanged());

    const refused_call<executor_type> array(one_segment(size), random);
    const auto &keys = array.keys, &values = array.values;
    array.check(log, policy, false, [&](const auto& p) { mgpu::locality_sort(p, keys.begin(), keys.end()); });
    array.check(log, policy, true, [&](const auto& p) {
      mgpu::sort_statistics statistics;
      mgpu::locality_sort_by_key(p, keys.begin(), keys.end(), values.begin(), less{}, statistics);
    });
  });
}
