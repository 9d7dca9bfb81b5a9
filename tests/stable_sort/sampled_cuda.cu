// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// stable_sort of arrays of middle size by a comparator: on the GPU samples of sorted runs tell where merges are split.
#include "check_stable_sort.h"
#include "support/orders.h"
#include "support/sort_checks.h"
#include "support/unsorted.h"

using namespace test;

namespace {

/// Sizes at which this way begins and ends, with which a pass has full groups or not, and which take three passes.
template <class Key, class Value = mgpu::detail::base::no_values::value_type>
std::vector<int> middle_sizes() {
  constexpr mgpu::detail::tuning::sort_case c = mgpu::detail::core::sort_case<Key, Value>();
  constexpr auto counts = mgpu::detail::tuning::sort_sampled_counts(c);
  const int tile = mgpu::detail::tuning::sort_sampled_tiles(90, c).items_per_tile();
  const int least = static_cast<int>(counts.least), most = static_cast<int>(counts.most);
  const int group = std::max(least / (16 * tile) + 1, 2) * 16 * tile;
  if (takes_few_cases()) return {least, group + 130};
  return {least - 1, least, least + 1, group - 1, group, group + 130, most, most + 1};
}

}  // namespace

TEST_CASE_TEMPLATE("arrays of middle size, in every kind of disorder and of elements of several sizes", Pair,
                   pair_of<key12, std::uint32_t>, pair_of<opaque, std::int32_t>,
                   pair_of<key32, value_bytes<12>> MGPU_TEST_MORE(pair_of<key16, value_bytes<16>>,
                                                                  pair_of<wide_key<40>, float>)) {
  using key = typename Pair::key;
  using value = typename Pair::value;
  const less_of<key> compare;
  std::mt19937 random(81);
  int number = 0;
  for (const int size : middle_sizes<key, value>()) {
    ++number;
    const auto drawn = disordered_ranks(all_disorders[number % 8], size, ranks<key>, random);
    check_stable_pairs<value>(keys_of_ranks<key>(drawn), compare);
  }
}

TEST_CASE("arrays of numbers of middle size by a comparator of the caller") {
  std::mt19937 random(82);
  int number = 0;
  for (const int size : middle_sizes<std::uint32_t>()) {
    for (const auto d : all_disorders) {
      ++number;
      if (number % (takes_few_cases() ? 5 : 3) != 0) continue;
      const auto keys = disordered_keys<std::uint32_t>(d, size, random);
      check_stable_keys(keys, less_shifted(77, 0.25));
      check_stable_pairs<int>(keys, test::greater{});
    }
  }
}

TEST_CASE("arrays of middle size by a comparator that is no order hold elements of theirs, and pairs stay together") {
  std::mt19937 random(83);
  for (const int size : middle_sizes<std::uint32_t>()) {
    const auto bytes = random_bytes<std::uint32_t>(size, random);
    std::vector<float> floats;
    for (int i = 0; i < size; ++i) {
      floats.push_back(random() % 3 == 0 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(random() % 99));
    }
    for_each_executor([&](auto executor) {
      const auto call = [](const auto& f) { f(); };
      check_permutes<stable_whole, remains::some>(executor, executor.policy(), bytes, one_segment(size), whole_array,
                                                  answer_at_random{}, call);
      check_permutes<stable_whole, remains::some>(executor, executor.policy(), floats, one_segment(size), whole_array,
                                                  test::greater{}, call);
    });
  }
}
