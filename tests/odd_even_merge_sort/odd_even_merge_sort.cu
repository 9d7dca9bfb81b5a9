// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Odd-even merge sort against its definition, the network one layer after the other: sequences of zeros and ones, sizes
// around powers of two, every kind of disorder. Elements are where the network leaves them, equal ones too.
#include "check_odd_even_sort.h"
#include "support/sort_patterns.h"

#include <functional>

namespace {

using namespace test;
using key = std::uint32_t;
using less = cuda::std::less<>;

std::vector<key> keys_below(std::uint64_t end, int count, std::mt19937& random) {
  std::vector<key> keys(static_cast<std::size_t>(count));
  for (auto& x : keys) x = static_cast<key>(random() % end);
  return keys;
}
constexpr std::uint64_t any_key = std::uint64_t{1} << 32;
constexpr int log_of_many = has_large_arrays ? 20 : 17;  // eight tiles of the CPU's

/// What the network leaves, which is what std::sort leaves, of keys alone and with their numbers; of large arrays in
/// turns.
void check_sort(const std::vector<key>& keys, int number) {
  INFO("number ", number);
  const auto s = network_sorting(keys, std::less<>{});
  auto sorted = keys;
  std::sort(sorted.begin(), sorted.end());
  CHECK(s.in_order(keys) == sorted);
  const bool is_small = keys.size() < 60'000;
  for_each_executor([&](auto executor) {
    if (is_small || number % 2 == 0) check_keys<odd_even>(executor, s, whole_array, less{}, number % 8 / 2);
    if (is_small || number % 2 != 0) {
      check_pairs<odd_even>(executor, s, numbers_below(keys.size()), whole_array, less{}, number % 16);
    }
  });
}

/// All sequences of `length` zeros and ones, one after the other.
std::vector<std::uint8_t> all_sequences(int length) {
  std::vector<std::uint8_t> rows;
  for (unsigned bits = 0; bits < 1u << length; ++bits) {
    for (int i = 0; i < length; ++i) rows.push_back(bits >> i & 1);
  }
  return rows;
}

/// The rows of `length` elements, each sorted, and the values with them.
template <class Value>
void sort_rows(std::vector<std::uint8_t>& rows, std::vector<Value>& values, int length) {
  for (std::size_t begin = 0; begin < rows.size(); begin += static_cast<std::size_t>(length)) {
    for_each_comparison(length, [&](offset left, offset right) {
      const auto l = begin + static_cast<std::size_t>(left), r = begin + static_cast<std::size_t>(right);
      if (!(rows[r] < rows[l])) return;
      std::swap(rows[l], rows[r]);
      std::swap(values[l], values[r]);
    });
  }
}

/// Every sequence in one array, so that each has its neighbours, which are not to change, and its alignment.
template <class Executor>
void check_all_sequences(Executor executor, int length) {
  INFO(executor.name, ", length ", length);
  const auto unsorted = all_sequences(length);
  auto expected = unsorted;
  for (std::size_t begin = 0; begin < expected.size(); begin += static_cast<std::size_t>(length)) {
    const auto first = expected.begin() + static_cast<std::ptrdiff_t>(begin);
    std::sort(first, first + length);
  }
  const sorted_array keys(executor, unsorted);
  for (auto* first = keys.begin(); first != keys.end(); first += length) {
    mgpu::odd_even_merge_sort(executor.policy(), first, first + length);
  }
  CHECK(keys.holds(expected));
}

template <class Executor>
void check_all_sequences_by_key(Executor executor, int length) {
  INFO(executor.name, ", length ", length);
  const auto unsorted = all_sequences(length);
  const sorted_array keys(executor, unsorted), pairs(executor, unsorted);
  std::vector<std::int16_t> numbers;
  for (std::size_t i = 0; i < unsorted.size(); ++i) numbers.push_back(static_cast<std::int16_t>(i));
  const sorted_array values(executor, numbers);
  for (offset i = 0; i < static_cast<offset>(unsorted.size()); i += length) {
    auto *const first = pairs.begin() + i, *const last = first + length;
    mgpu::odd_even_merge_sort_by_key(executor.policy(), first, last, values.begin() + i);
  }
  auto expected = unsorted;
  sort_rows(expected, numbers, length);
  CHECK(pairs.holds(expected));
  CHECK(values.holds(numbers));
}

/// Zeros, and ones from `first` on, but for a one and a zero that are anywhere.
std::vector<key> step(int count, int first, int one_at, int zero_at) {
  std::vector<key> keys(static_cast<std::size_t>(count));
  for (int i = first; i < count; ++i) keys[static_cast<std::size_t>(i)] = 1;
  keys[static_cast<std::size_t>(one_at)] = 1;
  keys[static_cast<std::size_t>(zero_at)] = 0;
  return keys;
}

}  // namespace

TEST_CASE("every sequence of zeros and ones of every length to 16, by which a network sorts everything") {
  for_each_executor([](auto executor) {
    for (int length = 1; length <= (takes_few_cases() ? 6 : 16); ++length) check_all_sequences(executor, length);
  });
}

TEST_CASE("every sequence of zeros and ones of every length to 11, with values") {
  for_each_executor([](auto executor) {
    for (int length = 1; length <= (takes_few_cases() ? 4 : 11); ++length) check_all_sequences_by_key(executor, length);
  });
}

TEST_CASE("zeros, then ones, and one of each out of its place") {
  std::mt19937 random(1);
  int number = 0;
  for (const int count : {17, 63, 64, 100, 1'000, 1'025, 5'000, 33'000}) {
    for (int repeat = 0; repeat < 12; ++repeat) {
      ++number;
      if (takes_few_cases() && number % 7 != 0) continue;
      const auto draw = [&] { return static_cast<int>(random() % static_cast<unsigned>(count)); };
      const int first = draw(), one_at = draw();
      check_sort(step(count, first, one_at, draw()), number);
    }
  }
}

TEST_CASE("every length from 0 to 300, and some to 9000") {
  std::mt19937 random(2);
  for (int count = 0; count <= 9'000; count += count < 300 ? 1 : 1 + static_cast<int>(random() % 500)) {
    if (takes_few_cases() && count % 23 != 5) continue;
    check_sort(keys_below(count % 3 == 0 ? 9 : any_key, count, random), count);
  }
}

TEST_CASE("lengths around powers of two") {
  std::mt19937 random(3);
  for (int log = 1; log <= (takes_few_cases() ? 14 : log_of_many); ++log) {
    if (takes_few_cases() && log % 4 != 2) continue;
    for (const int more : {-1, 0, 1}) {
      const auto keys = keys_below(std::uint64_t{1} << (log % 2 == 0 ? 32 : log / 2), (1 << log) + more, random);
      check_sort(keys, log + more);
    }
  }
}

TEST_CASE("random lengths") {
  std::mt19937 random(4);
  for (int number = 0; number < 40; ++number) {
    if (takes_few_cases() && number % 10 != 3) continue;
    const int log = 4 + number % (takes_few_cases() ? 11 : log_of_many - 3);
    const int count = static_cast<int>(random() % (1u << log));
    check_sort(keys_below(number % 3 == 0 ? 100 : any_key, count, random), number);
  }
}

TEST_CASE("every kind of disorder, with sizes around those of tiles") {
  std::mt19937 random(5);
  int number = 0;
  for (const int tile : {256, 1'000, 2'048, sort_tile<key>(), sort_tile<key, int>()}) {
    for (const int size : sizes_around_sort_tile(tile)) {
      for (const auto d : all_disorders) {
        ++number;
        if (size > 140'000 || ((size > 20'000 || takes_few_cases()) && number % 31 != 0)) continue;
        check_sort(disordered_keys<key>(d, size, random), number);
      }
    }
  }
}

TEST_CASE("one element out of its place") {
  const int size = 5'000;
  int number = 0;
  for (const int from : {0, 1, 255, 1'024, 2'047, 2'048, 4'095, 4'096, 4'999}) {
    for (const int to : {0, 511, 1'023, 1'025, 2'048, 3'000, 4'096, 4'999}) {
      ++number;
      if (takes_few_cases() && number % 20 != 0) continue;
      std::vector<key> keys(size);
      std::iota(keys.begin(), keys.end(), key{0});
      if (from < to) std::rotate(keys.begin() + from, keys.begin() + from + 1, keys.begin() + to + 1);
      else std::rotate(keys.begin() + to, keys.begin() + from, keys.begin() + from + 1);
      check_sort(keys, number);
    }
  }
}

TEST_CASE("descending orders") {
  std::mt19937 random(6);
  for (const int count : {2, 3, 16, 77, 1'000, 4'097, 20'001, 65'537}) {
    if (takes_few_cases() && count > 10'000) continue;
    check_network(keys_below(500, count, random), cuda::std::greater<>{}, std::greater<>{}, count);
    const auto descending = [] MGPU_HOST_DEVICE(key x, key y) { return y < x; };
    check_network(keys_below(any_key, count, random), descending, descending, count + 1);
  }
}

TEST_CASE("few different keys with their numbers: equal keys are where the network leaves them") {
  std::mt19937 random(7);
  int number = 0;
  for (const unsigned different : {1u, 2u, 3u, 17u}) {
    for (const int count : {5, 31, 1'500, 8'193, 50'000, 131'073}) {
      if (takes_few_cases() && count > 10'000) continue;
      check_sort(keys_below(different, count, random), ++number);
    }
  }
}

TEST_CASE("a sorted array stays as it is, its equal keys, too") {
  std::mt19937 random(8);
  for (const int count : {1, 2, 100, 3'000, 40'000}) {
    auto keys = keys_below(30, count, random);
    std::sort(keys.begin(), keys.end());
    const auto numbers = numbers_below(keys.size());
    CHECK(order_by_network(keys, less{}) == numbers);
    check_sort(keys, count);
  }
}

TEST_CASE("arrays without elements, and of one") {
  for_each_executor([](auto executor) {
    INFO(executor.name);
    key* const null = nullptr;
    int* const no_numbers = nullptr;
    const auto& policy = executor.policy();
    mgpu::odd_even_merge_sort(policy, null, null);
    mgpu::odd_even_merge_sort_by_key(policy, null, null, no_numbers);
    const std::vector<key> unsorted{7, 3, 5};
    const std::vector<int> numbers = numbers_below(unsorted.size());
    const sorted_array keys(executor, unsorted);
    const sorted_array values(executor, numbers);
    for (int i = 0; i <= 1; ++i) {
      mgpu::odd_even_merge_sort(policy, keys.begin() + 1, keys.begin() + 1 + i);
      mgpu::odd_even_merge_sort_by_key(policy, keys.begin() + 1, keys.begin() + 1 + i, values.begin() + 1);
    }
    mgpu::odd_even_merge_sort_by_key(policy, keys.begin(), keys.begin(), no_numbers);
    CHECK(keys.holds(unsorted));
    CHECK(values.holds(numbers));
  });
}
