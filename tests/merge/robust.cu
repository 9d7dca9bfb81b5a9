// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What holds whatever the arguments: which elements are compared, unsorted inputs, empty and impossible ranges.
#include "support/check_merge.h"
#include "support/patterns.h"
#include "support/strays.h"
#include "support/unsorted.h"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cstring>
#include <stdexcept>

namespace {

using namespace test;

template <int Words, class Executor>
void check_call_domain(Executor executor, sizes size, pattern p, std::uint32_t tag) {
  using key = tagged<Words>;
  INFO(executor.name, ", ", Words, " words, ", size.a, " and ", size.b, " elements, pattern ", static_cast<int>(p));
  std::mt19937 random(tag);
  const auto a = sorted_ranks(p, 0, size.a, size.a + size.b, 1 << 30, random);
  const auto b = sorted_ranks(p, 1, size.b, size.a + size.b, 1 << 30, random);
  const input<Executor, key> a_in(with_margins<key>(a, tag)), b_in(with_margins<key>(b, tag));
  const output<Executor, key> out(size.a + size.b), out_of_iterators(size.a + size.b);
  const input<Executor, int> strays({0});
  const key* const a_begin = a_in.begin() + margin;
  const key* const b_begin = b_in.begin() + margin;
  const checked_less less{tag, strays.begin()};
  mgpu::merge(executor.policy(), a_begin, a_begin + size.a, b_begin, b_begin + size.b, out.begin(), less);
  CHECK(strays.unchanged());

  const thrust::counting_iterator<offset> from_zero(0);
  const auto a_loaded = thrust::make_transform_iterator(from_zero, load_from<key>{a_begin});
  const auto b_loaded = thrust::make_transform_iterator(from_zero, load_from<key>{b_begin});
  mgpu::merge(executor.policy(), a_loaded, a_loaded + size.a, b_loaded, b_loaded + size.b, out_of_iterators.begin(),
              less);
  CHECK(strays.unchanged());

  std::vector<std::uint32_t> expected(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), expected.begin());
  for (const auto& merged : {out.read(), out_of_iterators.read()}) {
    CHECK(std::equal(merged.begin(), merged.end(), expected.begin(),
                     [tag](const key& x, std::uint32_t y) { return x.key == y && x.tag == tag; }));
  }
  CHECK(out.guards_untouched());
  CHECK(out_of_iterators.guards_untouched());
}

/// Every pair that came out is one that went in, and nothing else has changed.
template <class Value, class Key, class Compare>
void check_unsorted(sizes size, const Compare& compare, unsigned seed) {
  std::mt19937 random(seed);
  const auto a = random_bytes<Key>(size.a, random), b = random_bytes<Key>(size.b, random);
  std::vector<Value> a_numbers(a.size()), b_numbers(b.size());
  for (int i = 0; i < size.a; ++i) a_numbers[static_cast<std::size_t>(i)].number = i;
  for (int i = 0; i < size.b; ++i) b_numbers[static_cast<std::size_t>(i)].number = size.a + i;
  for_each_executor([&](auto executor) {
    INFO(executor.name, ", ", size.a, " and ", size.b, " keys of ", sizeof(Key), " bytes");
    using executor_type = decltype(executor);
    const input<executor_type, Key> a_in(a, 1), b_in(b, 3);
    const input<executor_type, Value> a_values(a_numbers), b_values(b_numbers);
    const output<executor_type, Key> keys(size.a + size.b, 2), keys_alone(size.a + size.b);
    const output<executor_type, Value> values(size.a + size.b, 1);
    mgpu::merge_by_key(executor.policy(), a_in.begin(), a_in.end(), b_in.begin(), b_in.end(), a_values.begin(),
                       b_values.begin(), keys.begin(), values.begin(), compare);
    mgpu::merge(executor.policy(), a_in.begin(), a_in.end(), b_in.begin(), b_in.end(), keys_alone.begin(), compare);

    const auto keys_out = keys.read();
    const auto values_out = values.read();
    std::size_t strangers = 0;
    for (std::size_t i = 0; i < keys_out.size(); ++i) {
      const int number = values_out[i].number;
      const bool is_known = number >= 0 && number < size.a + size.b;
      const Key* const origin = !is_known ? nullptr : number < size.a ? &a[number] : &b[number - size.a];
      strangers += origin == nullptr || std::memcmp(origin, &keys_out[i], sizeof(Key)) != 0;
    }
    CHECK(strangers == 0);
    CHECK(are_known(a, b, keys_alone.read()));
    CHECK(keys.guards_untouched());
    CHECK(values.guards_untouched());
    CHECK(keys_alone.guards_untouched());
    CHECK(a_in.unchanged());
    CHECK(b_in.unchanged());
    CHECK(a_values.unchanged());
    CHECK(b_values.unchanged());
  });
}

template <class Value, class Key>
void check_unsorted_sizes() {
  using core = typename core_of<Key, Value>::type;
  const int tile = first_executor::items_per_tile<core>();
  unsigned seed = 0;
  for (const auto& size : {sizes{0, 5}, sizes{tile / 2, tile / 2}, sizes{tile, tile + 1}, sizes{3 * tile, 7},
                           sizes{2, 5 * tile + 3}, sizes{3 * tile + 1, 4 * tile - 1}}) {
    check_unsorted<Value, Key>(size, cuda::std::less<>{}, ++seed);
    check_unsorted<Value, Key>(size, answer_at_random{}, ++seed);
  }
}

}  // namespace

TEST_CASE("only elements of the inputs are compared") {
  for_each_executor([](auto executor) {
    using core = mgpu::detail::core::merge<const tagged<2>*, const tagged<2>*, mgpu::detail::base::no_values,
                                           mgpu::detail::base::no_values, tagged<2>*, mgpu::detail::base::no_values,
                                           checked_less>;
    std::uint32_t tag = 0x5eed0000;
    for (const auto& size : sizes_around_tile(executor.template items_per_tile<core>())) {
      check_call_domain<2>(executor, size, all_patterns[tag % 7], tag);
      ++tag;
      if (takes_few_cases()) continue;
      check_call_domain<4>(executor, size, all_patterns[tag % 7], tag);
      check_call_domain<7>(executor, size, all_patterns[(tag + 3) % 7], ~tag);
    }
    check_call_domain<2>(executor, {100000, 150000}, pattern::few_keys, 0xabcdef);
  });
}

TEST_CASE("unsorted inputs and orders that are none: nothing but pairs of the inputs, nothing outside the outputs") {
  check_unsorted_sizes<number4, std::uint8_t>();
  check_unsorted_sizes<number4, float>();
  check_unsorted_sizes<number12, std::int64_t>();
  check_unsorted_sizes<number64, double>();
}

TEST_CASE("unsorted inputs beyond a single launch") {
  using core = core_of<std::uint32_t, number4>::type;
  const int total = first_executor::items_beyond_single_launch<core>();
  check_unsorted<number4, std::uint32_t>({total / 2, total - total / 2}, cuda::std::less<>{}, 99);
  if (takes_few_cases()) return;
  check_unsorted<number4, std::uint32_t>({total / 5, total - total / 5}, answer_at_random{}, 100);
}

TEST_CASE("nothing is needed of an empty input or for an empty output") {
  for_each_executor([](auto executor) {
    INFO(executor.name);
    using executor_type = decltype(executor);
    const auto& policy = executor.policy();
    int* const null = nullptr;
    CHECK(mgpu::merge(policy, null, null, null, null, null) == null);
    const auto ends = mgpu::merge_by_key(policy, null, null, null, null, null, null, null, null);
    CHECK(ends.first == null);
    CHECK(ends.second == null);

    const std::vector<int> some{1, 2, 3, 4, 5};
    const input<executor_type, int> in(some);
    const output<executor_type, int> of_a(5), of_b(5), keys(5), values(5);
    mgpu::merge(policy, in.begin(), in.end(), null, null, of_a.begin());
    mgpu::merge(policy, null, null, in.begin(), in.end(), of_b.begin());
    mgpu::merge_by_key(policy, null, null, in.begin(), in.end(), null, in.begin(), keys.begin(), values.begin());
    for (const auto* out : {&of_a, &of_b, &keys, &values}) CHECK(out->first_difference(some) == -1);
  });
}

TEST_CASE("impossible ranges throw, and nothing has happened") {
  for_each_executor([](auto executor) {
    INFO(executor.name);
    using executor_type = decltype(executor);
    const auto& policy = executor.policy();
    int* const null = nullptr;
    const input<executor_type, int> in({1, 2, 3, 4, 5});
    const output<executor_type, int> keys(10), values(10);
    int *const a = in.begin(), *const a_end = in.end(), *const out = keys.begin(), *const v = values.begin();
    const thrust::counting_iterator<int> five(5);

    CHECK_THROWS_AS(mgpu::merge(policy, a_end, a, a, a_end, out), std::invalid_argument);
    CHECK_THROWS_AS(mgpu::merge(policy, a, a_end, a_end, a, out), std::invalid_argument);
    CHECK_THROWS_AS(mgpu::merge(policy, five, five - 3, a, a_end, out), std::invalid_argument);
    CHECK_THROWS_AS(mgpu::merge_by_key(policy, a, a_end, a + 1, a, a, a, out, v), std::invalid_argument);

    CHECK_THROWS_AS(mgpu::merge(policy, null, null + 5, a, a_end, out), std::invalid_argument);
    CHECK_THROWS_AS(mgpu::merge(policy, a, a_end, null, null + 5, out), std::invalid_argument);
    CHECK_THROWS_AS(mgpu::merge(policy, a, a_end, a, a_end, null), std::invalid_argument);
    CHECK_THROWS_AS(mgpu::merge(policy, null, null, a, a_end, null), std::invalid_argument);
    CHECK_THROWS_AS(mgpu::merge_by_key(policy, a, a_end, a, a_end, null, a, out, v), std::invalid_argument);
    CHECK_THROWS_AS(mgpu::merge_by_key(policy, a, a_end, a, a_end, a, null, out, v), std::invalid_argument);
    CHECK_THROWS_AS(mgpu::merge_by_key(policy, a, a_end, a, a_end, a, a, null, v), std::invalid_argument);
    CHECK_THROWS_AS(mgpu::merge_by_key(policy, a, a_end, a, a_end, a, a, out, null), std::invalid_argument);
    CHECK(in.unchanged());
    CHECK(keys.untouched());
    CHECK(values.untouched());
  });
}
