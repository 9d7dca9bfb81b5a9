// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What holds whatever the arguments: which elements are compared, runs without order, bad offsets and lengths, empty
// and impossible ranges, and allocations that fail.
#include "check_merge_runs.h"
#include "support/refusing_allocator.h"
#include "support/strays.h"
#include "support/unsorted.h"

#include <limits>
#include <stdexcept>

namespace {

using namespace test;

using key = tagged<2>;

/// Compares no elements but those of the runs.
template <class Executor>
void check_call_domain(Executor executor, int runs, int count, std::uint32_t tag) {
  INFO(executor.name, ", ", runs, " runs, ", count, " elements");
  std::mt19937 random(tag);
  const auto offsets = divided(all_divisions[tag % 6], runs, count, random);
  const auto ranks = ranks_of_runs(all_layouts[tag % 7], offsets, 1 << 30, random);
  const input<Executor, key> in(with_margins<key>(ranks, tag));
  const input<Executor, offset> offsets_in(offsets);
  const output<Executor, key> out(count), out_of_separate(count);
  const input<Executor, int> strays({0});
  const key* const first = in.begin() + margin;
  const checked_less less{tag, strays.begin()};
  mgpu::merge_runs(executor.policy(), first, first + count, mgpu::run_offsets(offsets_in.begin(), runs), out.begin(),
                   less);
  const separate<Executor, key> s(first, offsets);
  mgpu::merge_runs(executor.policy(), mgpu::run_ranges(s.begins.begin(), s.lengths.begin(), runs, count),
                   out_of_separate.begin(), less);
  CHECK(strays.unchanged());
  auto expected = ranks;
  std::sort(expected.begin(), expected.end());
  for (const auto* merged : {&out, &out_of_separate}) {
    CHECK(merged->guards_untouched());
    const auto found = merged->read();
    CHECK(std::equal(found.begin(), found.end(), expected.begin(), [tag](const key& x, int rank) {
      return x.key == static_cast<std::uint32_t>(rank) && x.tag == tag;
    }));
  }
}

using runs_call = std::vector<offset>;

/// Merges what is no sorted runs; whether std::invalid_argument was thrown. Only the output may change, and it has
/// pairs of the input.
template <bool is_separate, class Executor, class Policy, class Position, class Compare>
bool finds_fault(Executor, const Policy& policy, const std::vector<std::uint32_t>& keys,
                 const std::vector<Position>& positions, bool has_elements_only, const Compare& compare) {
  const auto count = static_cast<offset>(keys.size());
  std::vector<number4> numbers(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) numbers[i].number = static_cast<int>(i);
  const input<Executor, std::uint32_t> in(keys, 1);
  const input<Executor, number4> values(numbers);
  const input<Executor, Position> positions_in(positions);
  const output<Executor, std::uint32_t> keys_out(count, 2);
  const output<Executor, number4> values_out(count);
  bool is_thrown = false;
  try {
    if constexpr (is_separate) {
      // Every run may have all elements: lengths are wrong as a sum.
      const auto runs = static_cast<offset>(positions.size());
      const input<Executor, const std::uint32_t*> begins(
          std::vector<const std::uint32_t*>(positions.size(), in.begin()));
      const input<Executor, const number4*> value_begins(std::vector<const number4*>(positions.size(), values.begin()));
      mgpu::merge_runs_by_key(policy, mgpu::run_ranges(begins.begin(), positions_in.begin(), runs, count),
                              value_begins.begin(), keys_out.begin(), values_out.begin(), compare);
    } else {
      const auto runs = static_cast<offset>(positions.size()) - 1;
      mgpu::merge_runs_by_key(policy, in.begin(), in.end(), values.begin(),
                              mgpu::run_offsets(positions_in.begin(), runs), keys_out.begin(), values_out.begin(),
                              compare);
    }
  } catch (const std::invalid_argument&) {
    is_thrown = true;
  }
#ifdef MGPU_TEST_CUDA
  require_cuda(cudaDeviceSynchronize());
#endif
  CHECK(keys_out.guards_untouched());
  CHECK(values_out.guards_untouched());
  CHECK(in.unchanged());
  CHECK(values.unchanged());
  CHECK(positions_in.unchanged());
  if (has_elements_only) {
    const auto found = keys_out.read();
    const auto found_numbers = values_out.read();
    int strangers = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const auto number = static_cast<std::size_t>(found_numbers[i].number);
      strangers += number >= keys.size() || keys[number] != found[i];
    }
    CHECK(strangers == 0);
  }
  return is_thrown;
}

std::vector<std::uint32_t> some_keys(int count, std::mt19937& random) {
  std::vector<std::uint32_t> keys(static_cast<std::size_t>(count));
  for (auto& x : keys) x = static_cast<std::uint32_t>(random() % 1000);
  return keys;
}

bool are_good_offsets(const std::vector<offset>& x, offset count) {
  return x.front() == 0 && x.back() == count && std::is_sorted(x.begin(), x.end());
}
bool are_good_lengths(const std::vector<offset>& x, offset count) {
  offset left = count;
  for (const offset length : x) {
    if (length < 0 || length > left) return false;
    left -= length;
  }
  return left == 0;
}

/// Whatever the positions are, the call finds out whether they are good, unless nobody waits for it.
void check_positions(const std::vector<offset>& positions, bool is_separate, int count, unsigned seed) {
  std::mt19937 random(seed);
  const auto keys = some_keys(count, random);
  const bool is_good = is_separate ? are_good_lengths(positions, count) : are_good_offsets(positions, count);
  for_each_executor([&](auto executor) {
    INFO(executor.name, ", ", count, " elements, ", positions.size(), " positions, number ", seed, is_separate);
    const auto find = [&](const auto& policy) {
      return is_separate ? finds_fault<true>(executor, policy, keys, positions, is_good, cuda::std::less<>{})
                         : finds_fault<false>(executor, policy, keys, positions, is_good, cuda::std::less<>{});
    };
    CHECK(find(executor.policy()) == (!is_good && count > 0));
#ifdef MGPU_TEST_CUDA
    CHECK_FALSE(find(mgpu::par_nosync));
#endif
  });
}

}  // namespace

TEST_CASE("only elements of the runs are compared") {
  for_each_executor([](auto executor) {
    const int tile = runs_tile<key, void>();
    std::uint32_t tag = 0x5eed0000;
    for (const int runs : {1, 2, 3, 8, 9, widest_pass, widest_pass + 1, 500}) {
      for (const int count : {0, 1, 100, tile - 1, tile + 1, 2 * tile + 99}) {
        if (!takes_few_cases() || tag % 5 == 0) check_call_domain(executor, runs, count, tag);
        ++tag;
      }
    }
  });
}

TEST_CASE("runs without order and answers that follow none: nothing but pairs of the runs") {
  const int tile = runs_tile<std::uint32_t, number4>();
  unsigned seed = 0;
  for (const int runs : {2, 5, 8, widest_pass, 3 * widest_pass}) {
    for (const int count : {7, 300 * runs, tile + 1, 4 * tile - 1}) {
      std::mt19937 random(++seed);
      const auto keys = random_bytes<std::uint32_t>(count, random);
      const auto offsets = divided(all_divisions[seed % 6], runs, count, random);
      for_each_executor([&](auto executor) {
        INFO(executor.name, ", ", runs, " runs, ", count, " elements");
        const auto& policy = executor.policy();
        CHECK_FALSE(finds_fault<false>(executor, policy, keys, offsets, true, cuda::std::less<>{}));
        CHECK_FALSE(finds_fault<false>(executor, policy, keys, offsets, true, answer_at_random{}));
      });
    }
  }
}

TEST_CASE("one wrong offset or length") {
  std::mt19937 random(5);
  unsigned number = 0;
  for (const int runs : {1, 2, 3, 8, widest_pass, widest_pass + 1, 400}) {
    for (const int count : {1, 100, 40'000}) {
      const auto good = divided(division::random, runs, count, random);
      check_positions(good, false, count, number);
      for (const std::size_t i : {std::size_t{0}, good.size() / 2, good.size() - 1}) {
        for (const offset wrong : {good[i] - 1, good[i] + 1, good[i] + 1000, offset{-1}, offset{count} + 1,
                                   std::numeric_limits<offset>::max(), std::numeric_limits<offset>::min()}) {
          if (++number % (takes_few_cases() ? 23 : 3) != 0) continue;
          auto bad = good;
          bad[i] = wrong;
          check_positions(bad, false, count, number);
          std::vector<offset> lengths;
          for (std::size_t r = 0; r + 1 < good.size(); ++r) lengths.push_back(good[r + 1] - good[r]);
          // No length is more than its array has, which is what the caller alone can know.
          lengths[std::min(i, lengths.size() - 1)] = std::min(wrong, offset{count});
          check_positions(lengths, true, count, number);
        }
      }
    }
  }
}

TEST_CASE("offsets and lengths that are wrong as a whole") {
  std::mt19937_64 random(6);
  unsigned number = 100;
  for (const int runs : {2, 3, 9, 70, 1500}) {
    for (const int count : {1, 50, 30'000}) {
      const auto check = [&](const auto& position) {
        std::vector<offset> positions(static_cast<std::size_t>(runs) + 1);
        for (std::size_t i = 0; i < positions.size(); ++i) positions[i] = position(static_cast<offset>(i));
        check_positions(positions, false, count, ++number);
        for (auto& x : positions) x = std::min(x, offset{count});
        check_positions(positions, true, count, number);
      };
      check([&](offset) { return static_cast<offset>(random() % static_cast<unsigned>(count + 1)); });
      check([&](offset) { return static_cast<offset>(random()); });
      check([&](offset i) { return count - i; });
      check([&](offset i) { return i % 2 == 0 ? 0 : offset{count}; });
      check([&](offset i) { return -i; });
      check([&](offset) { return offset{count}; });
      check([&](offset) { return offset{0}; });
    }
  }
}

TEST_CASE("descriptors that are none") {
  const auto check = [](auto* null) {
    using wrong = std::invalid_argument;
    using integer = std::remove_const_t<std::remove_pointer_t<decltype(null)>>;
    const integer some[4] = {0, 1, 2, 3};  // never read
    const int* const begins[2] = {};
    const int* const* const no_begins = nullptr;
    CHECK_THROWS_AS(mgpu::run_offsets(some, -1), wrong);
    CHECK_THROWS_AS(mgpu::run_offsets(null, 1), wrong);
    CHECK_THROWS_AS(mgpu::run_ranges(begins, some, -1, 0), wrong);
    CHECK_THROWS_AS(mgpu::run_ranges(begins, some, 1, -1), wrong);
    CHECK_THROWS_AS(mgpu::run_ranges(begins, some, 0, 1), wrong);
    CHECK_THROWS_AS(mgpu::run_ranges(begins, some, 2, (offset{1} << 62) + 1), wrong);
    CHECK_THROWS_AS(mgpu::run_ranges(no_begins, some, 1, 0), wrong);
    CHECK_THROWS_AS(mgpu::run_ranges(begins, null, 1, 0), wrong);
    CHECK_NOTHROW(mgpu::run_offsets(null, 0));
    CHECK_NOTHROW(mgpu::run_ranges(no_begins, null, 0, 0));
    CHECK_NOTHROW(mgpu::run_ranges(begins, some, 2, offset{1} << 62));
  };
  check(static_cast<const int*>(nullptr));
  check(static_cast<const std::uint64_t*>(nullptr));
}

TEST_CASE("impossible ranges throw, and nothing has happened") {
  for_each_executor([](auto executor) {
    INFO(executor.name);
    using executor_type = decltype(executor);
    const auto& policy = executor.policy();
    // Types that other cases merge, too.
    std::uint32_t* const null = nullptr;
    number4* const no_values = nullptr;
    const input<executor_type, std::uint32_t> in({1, 2, 3, 4, 5});
    const input<executor_type, number4> values_in(std::vector<number4>(5));
    const input<executor_type, offset> offsets({0, 5});
    const output<executor_type, std::uint32_t> keys(5);
    const output<executor_type, number4> values(5);
    std::uint32_t *const a = in.begin(), *const a_end = in.end(), *const out = keys.begin();
    number4 *const v = values.begin(), *const v_in = values_in.begin();
    const mgpu::run_offsets one(offsets.begin(), 1), none(offsets.begin(), 0);

    using wrong = std::invalid_argument;
    CHECK_THROWS_AS(mgpu::merge_runs(policy, a_end, a, one, out), wrong);
    CHECK_THROWS_AS(mgpu::merge_runs(policy, a, a_end, none, out), wrong);
    CHECK_THROWS_AS(mgpu::merge_runs(policy, null, null + 5, one, out), wrong);
    CHECK_THROWS_AS(mgpu::merge_runs(policy, a, a_end, one, null), wrong);
    CHECK_THROWS_AS(mgpu::merge_runs_by_key(policy, a, a_end, no_values, one, out, v), wrong);
    CHECK_THROWS_AS(mgpu::merge_runs_by_key(policy, a, a_end, v_in, one, null, v), wrong);
    CHECK_THROWS_AS(mgpu::merge_runs_by_key(policy, a, a_end, v_in, one, out, no_values), wrong);
    CHECK(mgpu::merge_runs(policy, null, null, one, null) == null);
    CHECK(mgpu::merge_runs(policy, null, null, none, null) == null);
    CHECK(in.unchanged());
    CHECK(keys.untouched());
    CHECK(values.untouched());
  });
}

TEST_CASE("one array may be read by several runs") {
  for_each_executor([](auto executor) {
    INFO(executor.name);
    using executor_type = decltype(executor);
    const input<executor_type, std::uint32_t> in({1, 2, 3, 4, 5});
    const std::uint32_t* const a = in.begin();
    const input<executor_type, const std::uint32_t*> begins({a, a, a + 1, a});
    const input<executor_type, int> lengths({5, 5, 4, 1});
    const output<executor_type, std::uint32_t> out(15);
    mgpu::merge_runs(executor.policy(), mgpu::run_ranges(begins.begin(), lengths.begin(), 4, 15), out.begin());
    CHECK(out.first_difference({1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5}) == -1);
  });
}

TEST_CASE("an allocation that fails changes no input") {
  requests log;
  std::mt19937 random(9);
  for (const int runs : {3 * widest_pass, 5000}) {
    constexpr int count = 200'000;
    const auto offsets = divided(division::random, runs, count, random);
    const auto keys = keys_of_runs<std::uint32_t>(layout::random, offsets, random);
    const input<first_executor, std::uint32_t> in(keys);
    const input<first_executor, offset> offsets_in(offsets);
    const output<first_executor, std::uint32_t> out(count);
    const separate<first_executor, std::uint32_t> s(in.begin(), offsets);
    const auto expected = in_order_of(merged_runs_order(keys, cuda::std::less<>{}), keys);
    refusing_allocator allocator{&log};
    const auto are_unchanged = [&] { return in.unchanged() && offsets_in.unchanged(); };
    const auto is_right = [&] { return out.first_difference(expected) == -1; };
    const auto policy = first_executor::policy()(allocator);
    check_refusals(
        log, policy,
        [&](const auto& p) {
          mgpu::merge_runs(p, in.begin(), in.end(), mgpu::run_offsets(offsets_in.begin(), runs), out.begin());
        },
        are_unchanged, is_right);
    check_refusals(
        log, policy,
        [&](const auto& p) {
          mgpu::merge_runs(p, mgpu::run_ranges(s.begins.begin(), s.lengths.begin(), runs, count), out.begin());
        },
        are_unchanged, is_right);
  }
}
