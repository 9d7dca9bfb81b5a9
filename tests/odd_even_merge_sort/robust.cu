// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What holds of odd-even merge sort whatever the arguments: which elements are compared, the same ones for all arrays
// of a length; comparators that are no order; impossible ranges; no memory.
#include "check_odd_even_sort.h"
#include "support/iterators.h"
#include "support/refusing_allocator.h"
#include "support/sort_checks.h"
#include "support/unsorted.h"
#include "support/waiting_policies.h"

#include <thrust/iterator/zip_iterator.h>
#include <cuda/std/atomic>

#include <array>
#include <stdexcept>

namespace {

using namespace test;
using wrong = std::invalid_argument;
using less = cuda::std::less<>;

/// Lengths of arrays of one tile and of several.
std::vector<int> some_lengths() {
  if (takes_few_cases()) return {2, 40, 5'000};
  return {1, 2, 3, 40, 256, 1'000, 4'097, 16'385, 33'000};
}

/// Elements of which each knows where it was. The smaller ones are moved in words of several.
template <int Bytes>
struct numbered {
  std::int32_t rank, number, rest[Bytes / 4 - 2];
};
template <>
struct numbered<8> {
  std::int32_t rank, number;
};
MGPU_HOST_DEVICE int number_of(std::uint32_t x) { return static_cast<int>(x & 4095); }
MGPU_HOST_DEVICE int rank_of(std::uint32_t x) { return static_cast<int>(x >> 12); }
template <int Bytes>
MGPU_HOST_DEVICE int number_of(const numbered<Bytes>& x) {
  return x.number;
}
template <int Bytes>
MGPU_HOST_DEVICE int rank_of(const numbered<Bytes>& x) {
  return x.rank;
}

template <class Key>
std::vector<Key> numbered_keys(const std::vector<int>& ranks) {
  std::vector<Key> keys(ranks.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const int number = static_cast<int>(i);
    if constexpr (std::is_integral_v<Key>) keys[i] = static_cast<Key>(ranks[i] << 12 | number);
    else keys[i].rank = ranks[i], keys[i].number = number;
  }
  return keys;
}

struct less_rank {
  template <class Key>
  MGPU_HOST_DEVICE bool operator()(const Key& x, const Key& y) const {
    return rank_of(x) < rank_of(y);
  }
};

enum class answer { by_rank, always_true, at_random };

/// Counts in the executor's memory how often it is asked about any two elements, in this order. One type for all
/// answers: nvcc takes long for the kernels of wide elements.
struct counted {
  int* counts;  // [count][count]
  int count;
  answer kind;

  template <class Key>
  MGPU_HOST_DEVICE bool operator()(const Key& right, const Key& left) const {
    cuda::std::atomic_ref<int>(counts[number_of(right) * count + number_of(left)]).fetch_add(1);
    if (kind == answer::by_rank) return less_rank{}(right, left);
    return kind == answer::always_true || answer_at_random{}(right, left);
  }
};

/// Each comparison of the network is asked for once, the right element coming first, and no other one is.
template <class Key>
void check_counts(const std::vector<int>& ranks, answer kind) {
  const auto keys = numbered_keys<Key>(ranks);
  const int count = static_cast<int>(keys.size());
  std::vector<int> counts(keys.size() * keys.size());
  const std::vector<int> zeros = counts;
  const auto s = network_sorting(keys, counted{counts.data(), count, kind});
  for_each_executor([&](auto executor) {
    INFO(executor.name, ", ", count, " elements of ", sizeof(Key), " bytes");
    const sorted_array asked(executor, zeros);
    const counted compare{asked.begin(), count, kind};
    check_keys<odd_even>(executor, s, whole_array, compare);
    CHECK(asked.holds(counts));
    asked.put(zeros);
    check_pairs<odd_even>(executor, s, numbers_below(keys.size()), whole_array, compare);
    CHECK(asked.holds(counts));
  });
}

template <class Key>
void check_counts_of_lengths(const std::vector<int>& lengths) {
  std::mt19937 random(51);
  int number = 0;
  for (const int count : lengths) {
    if (takes_few_cases() && count > 300) continue;
    for (const auto d : {disorder::random, disorder::sorted, disorder::reversed, disorder::all_equal}) {
      if (count > 100 && ++number % 3 != 0) continue;
      check_counts<Key>(disordered_ranks(d, count, 1'000, random), answer::by_rank);
    }
    if (count > 300) continue;
    const std::vector<int> ranks(static_cast<std::size_t>(count));
    check_counts<Key>(ranks, answer::always_true);
    check_counts<Key>(ranks, answer::at_random);
  }
}

using places = std::array<int, 2>;  // that are compared, the left one and the right one

/// Follows the elements through the array by its answers: two that are exchanged have changed places.
struct following {
  int* place_of;  // of each element
  places* asked;  // [most]
  int* asked_count;
  int most;

  template <class Key>
  MGPU_HOST_DEVICE bool operator()(const Key& right, const Key& left) const {
    int &of_right = place_of[number_of(right)], &of_left = place_of[number_of(left)];
    if (*asked_count < most) asked[*asked_count] = {of_left, of_right};
    ++*asked_count;
    const bool exchanges = rank_of(right) < rank_of(left);
    const int place = of_right;
    if (exchanges) of_right = of_left, of_left = place;
    return exchanges;
  }
};

/// The places that a sort by one thread compares, one after the other.
template <class Key>
std::vector<places> compared_places(const std::vector<int>& ranks, std::size_t most) {
  const auto keys = numbered_keys<Key>(ranks);
  auto sorted = keys;
  auto place_of = numbers_below(keys.size());
  std::vector<places> asked(most);
  int count = 0;
  const following compare{place_of.data(), asked.data(), &count, static_cast<int>(most)};
  mgpu::odd_even_merge_sort(mgpu::cpp::par, sorted.data(), sorted.data() + sorted.size(), compare);
  CHECK(count == static_cast<int>(most));
  CHECK(std::is_sorted(sorted.begin(), sorted.end(), less_rank{}));
  return asked;
}

template <class Key>
void check_places(int count) {
  INFO(count, " elements of ", sizeof(Key), " bytes");
  std::vector<places> expected;
  for_each_comparison(count, [&](offset left, offset right) {
    expected.push_back({static_cast<int>(left), static_cast<int>(right)});
  });
  std::sort(expected.begin(), expected.end());
  std::mt19937 random(52);
  std::vector<places> first;
  for (const auto d : {disorder::random, disorder::random, disorder::reversed, disorder::few_keys, disorder::sorted}) {
    auto asked = compared_places<Key>(disordered_ranks(d, count, 2'000, random), expected.size());
    if (first.empty()) first = asked;
    CHECK(asked == first);
    std::sort(asked.begin(), asked.end());
    CHECK(asked == expected);
  }
}

/// What may be no order leaves the elements where the network by it leaves them, each once.
template <class Key, class Compare>
void check_disorder(const Compare& compare) {
  for (const int count : some_lengths()) {
    std::mt19937 random(static_cast<unsigned>(count));
    const auto keys = random_bytes<Key>(count, random);
    const auto s = network_sorting(keys, compare);
    for_each_executor([&](auto executor) {
      check_keys<odd_even>(executor, s, whole_array, compare, count % 4);
      check_pairs<odd_even>(executor, s, numbers_below(keys.size()), whole_array, compare, count % 16);
      if (count > 5'000) return;
      check_permutes<odd_even>(executor, executor.policy(), keys, s.cut, whole_array, compare,
                               [](const auto& f) { f(); });
    });
  }
}

/// Asks for no memory, neither for iterators that are no pointers.
template <class Executor, class Policy>
void check_without_memory(Executor executor, const Policy& policy, int count) {
  INFO(executor.name, ", ", count, " elements");
  std::mt19937 random(53);
  const auto s = network_sorting(disordered_ranks(disorder::random, count, 1 << 20, random), less{});
  const sorted_array keys(executor, s.keys), pairs(executor, s.keys), zipped(executor, s.keys);
  const sorted_array values(executor, numbers_below(s.keys.size())), numbers(executor, numbers_below(s.keys.size()));
  mgpu::odd_even_merge_sort(policy, keys.begin(), keys.end());
  mgpu::odd_even_merge_sort_by_key(policy, pairs.begin(), pairs.end(), values.begin());
  const auto first = thrust::make_zip_iterator(thrust::make_tuple(zipped.begin(), numbers.begin()));
  mgpu::odd_even_merge_sort(policy, first, first + count, less_first{});
  const auto sorted = s.in_order(s.keys);
  CHECK(keys.holds(sorted));
  CHECK(pairs.holds(sorted));
  CHECK(values.holds(s.order));
  CHECK(zipped.holds(sorted));
  CHECK(numbers.holds(s.order));
}

}  // namespace

TEST_CASE("each comparison of the network is asked for once, and no other one is") {
  check_counts_of_lengths<std::uint32_t>({1, 2, 3, 4, 5, 7, 8, 9, 31, 33, 64, 100, 255, 257, 1'025, 2'048});
  check_counts_of_lengths<numbered<8>>({2, 6, 16, 17, 60, 700});
  // More than one tile, and more than one pass for a group.
  check_counts_of_lengths<numbered<512>>({2, 100, 127, 128, 129, 200, 257, 300, 520, 1'000});
  check_counts_of_lengths<numbered<1'000>>({3, 33, 63, 64, 65, 66, 130, 250, 300, 513, 900, 2'100});
}

TEST_CASE("the places that are compared, and their order, depend on the number of elements only") {
  for (const int count : {1, 2, 3, 10, 63, 64, 65, 200, 1'000, 2'100, 4'000}) {
    if (takes_few_cases() && count > 300) continue;
    check_places<std::uint32_t>(count);
    check_places<numbered<8>>(count);
    check_places<numbered<1'000>>(count);
  }
}

TEST_CASE("only elements of the array are compared") {
  unsigned seed = 0;
  for (const int count : some_lengths()) {
    for_each_executor([&](auto executor) {
      const auto drawn = [&](int size) {
        std::mt19937 random(++seed);
        return network_sorting(disordered_ranks(all_disorders[seed % 8], size, 1 << 30, random), less{});
      };
      check_call_domain<odd_even, tagged<2>>(executor, drawn(count), whole_array, 0x5eed0001);
      check_call_domain<odd_even, tagged<5>>(executor, drawn(count), whole_array, 0x5eed0002);
      check_call_domain<odd_even, tagged<100>>(executor, drawn(std::min(count, 3'000)), whole_array, 0x5eed0003);
    });
  }
}

TEST_CASE("comparators that always say yes, or yes to equal elements, or answer at random") {
  check_disorder<std::uint32_t>(always_true{});
  check_disorder<std::uint32_t>(answer_at_random{});
  if (takes_few_cases()) return;
  if constexpr (has_more_kinds) {
    check_disorder<std::uint16_t>(less_or_equal{});
    check_disorder<std::uint8_t>(answer_at_random{});
  }
  check_disorder<number12>(answer_at_random{});
  check_disorder<number64>(always_true{});
}

TEST_CASE("numbers of which some are not comparable") {
  check_disorder<float>(less{});
  if constexpr (has_more_kinds) {
    if (!takes_few_cases()) check_disorder<double>(cuda::std::greater<>{});
  }
}

TEST_CASE("a comparator that always says no leaves everything in its place") {
  for (const int count : some_lengths()) {
    CHECK(network_sorting(numbers_below(static_cast<std::size_t>(count)), always_false{}).order ==
          numbers_below(static_cast<std::size_t>(count)));
  }
  check_disorder<std::uint8_t>(always_false{});
}

TEST_CASE("impossible ranges throw, and nothing has happened") {
  for_each_policy([](auto executor, const auto& policy) {
    int* const null = nullptr;
    const std::vector<int> unsorted{5, 4, 3, 2, 1};
    const sorted_array keys(executor, unsorted), values(executor, unsorted);
    int *const first = keys.begin(), *const last = keys.end(), *const v = values.begin();
    CHECK_THROWS_AS(mgpu::odd_even_merge_sort(policy, last, first), wrong);
    CHECK_THROWS_AS(mgpu::odd_even_merge_sort(policy, first + 1, first), wrong);
    CHECK_THROWS_AS(mgpu::odd_even_merge_sort(policy, null, null + 5), wrong);
    CHECK_THROWS_AS(mgpu::odd_even_merge_sort(policy, null, null + 1, always_true{}), wrong);
    CHECK_THROWS_AS(mgpu::odd_even_merge_sort_by_key(policy, last, first, v), wrong);
    CHECK_THROWS_AS(mgpu::odd_even_merge_sort_by_key(policy, first + 1, first, null), wrong);
    CHECK_THROWS_AS(mgpu::odd_even_merge_sort_by_key(policy, null, null + 5, v), wrong);
    CHECK_THROWS_AS(mgpu::odd_even_merge_sort_by_key(policy, first, last, null), wrong);
    CHECK_THROWS_AS(mgpu::odd_even_merge_sort_by_key(policy, first, first + 1, null, less_or_equal{}), wrong);
    CHECK(keys.holds(unsorted));
    CHECK(values.holds(unsorted));
  });
}

TEST_CASE("no memory is asked for, of an allocator that would refuse it") {
  requests log;
  log.restart(0);
  for_each_policy([&](auto executor, const auto& policy) {
    for (const int count : {0, 1, 2, 33, 1'000, 20'000, 300'000}) {
      if (takes_few_cases() && count > 20'000) continue;
      check_without_memory(executor, policy(refusing_allocator{&log}), count);
    }
  });
  CHECK(log.allocations == 0);
  CHECK(log.deallocations == 0);
}
