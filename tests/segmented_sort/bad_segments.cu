// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Segments whose positions do not ascend or leave the array: found where the policy waits, and harmless everywhere.
#include "support/check_sort.h"
#include "support/sort_patterns.h"
#include "support/throws_ours.h"
#include "support/watched.h"

#include <limits>
#include <stdexcept>
#include <type_traits>

namespace {

using namespace test;
using less = cuda::std::less<>;
using key = std::uint16_t;

/// Positions as segments are told of: heads, offsets, or begins and ends in turns.
enum class positions_as { heads, offsets, begins_and_ends };
constexpr positions_as all_positions[] = {positions_as::heads, positions_as::offsets, positions_as::begins_and_ends};

/// The definition of what is promised an answer.
template <class T>
bool are_good(const std::vector<T>& positions, offset elements) {
  std::vector<offset> all;
  for (const T x : positions) {
    all.push_back(static_cast<offset>(x));  // negative where it is too much for 63 bits
    if (all.back() < 0 || all.back() > elements) return false;
  }
  return std::is_sorted(all.begin(), all.end());
}

template <class T, class F>
void with_descriptor(positions_as as, const std::vector<T>& positions, const T* in, const F& f) {
  const auto count = static_cast<offset>(positions.size());
  switch (as) {
    case positions_as::heads:
      return f(mgpu::segment_heads(in, in + count));
    case positions_as::offsets:
      return f(mgpu::segment_offsets(in, count - 1));
    case positions_as::begins_and_ends: {  // the first half are the begins
      return f(mgpu::segment_offsets(in, in + count / 2, count / 2));
    }
  }
}

/// Begins and ends in turns as the two sequences.
template <class T>
std::vector<T> unzipped(const std::vector<T>& positions) {
  std::vector<T> result;
  for (std::size_t i = 0; i + 1 < positions.size(); i += 2) result.push_back(positions[i]);
  for (std::size_t i = 1; i < positions.size(); i += 2) result.push_back(positions[i]);
  return result;
}

template <class Executor, class Policy, class T>
void check_positions(Executor executor, const Policy& policy, positions_as as, const std::vector<T>& positions,
                     const std::vector<key>& keys, bool finds_faults) {
  const auto elements = static_cast<offset>(keys.size());
  const bool is_good = are_good(positions, elements);
  const auto in_memory = as == positions_as::begins_and_ends ? unzipped(positions) : positions;
  const input<Executor, T> in(in_memory, 1);
  const T* const first = in.begin();
  with_descriptor(as, positions, first, [&](const auto& descriptor) {
    const auto call = [&](const auto& f) { CHECK(throws_ours(f) == (finds_faults && !is_good)); };
    check_permutes<stable_segmented>(executor, policy, keys, one_segment(elements), descriptor, less{}, call);
  });
  CHECK(in.unchanged());
}

/// With policies that wait, and with one that does not.
template <class T>
void check_positions(positions_as as, const std::vector<T>& positions, offset elements) {
  if (positions.size() < 2 && as != positions_as::heads) return;  // which are no segments
  if (positions.size() % 2 != 0 && as == positions_as::begins_and_ends) return;
  std::mt19937 random(static_cast<unsigned>(elements));
  const auto keys = disordered_keys<key>(disorder::random, static_cast<int>(elements), random);
  for_each_executor([&](auto executor) {
    INFO("positions of ", sizeof(T), " bytes as ", static_cast<int>(as), ", ", positions.size(), " of them");
    check_positions(executor, executor.policy(), as, positions, keys, true);
#ifdef MGPU_TEST_CUDA
    INFO("par_nosync");
    check_positions(executor, mgpu::par_nosync, as, positions, keys, false);
#endif
  });
}

/// Calls f(what is written in place of a position).
template <class T, class F>
void for_each_change(T old, offset elements, const F& f) {
  using limits = std::numeric_limits<T>;
  const T n = static_cast<T>(elements);
  for (const T changed : {static_cast<T>(old - 1), static_cast<T>(old + 1), static_cast<T>(old + 3000), T{0},
                          static_cast<T>(-1), static_cast<T>(n - 1), n, static_cast<T>(n + 1), limits::max(),
                          limits::min(), static_cast<T>(limits::max() - 1), static_cast<T>(limits::max() / 2 + 1)}) {
    f(changed);
  }
}

/// Good positions: heads with or without 0, or offsets that leave out elements at both ends.
template <class T>
std::vector<T> good_positions(positions_as as, sharing s, int elements, std::mt19937& random) {
  const int inner = std::max(1, elements - 3);
  std::vector<T> positions;
  int at = as == positions_as::heads ? 0 : elements - inner > 1 ? 2 : 0;
  for (const int length : lengths_of(s, inner - at, random)) {
    positions.push_back(static_cast<T>(at));
    at += length;
  }
  if (as != positions_as::heads) positions.push_back(static_cast<T>(at));
  if (as == positions_as::begins_and_ends && positions.size() % 2 != 0) positions.push_back(static_cast<T>(at));
  return positions;
}

int some_tile() { return sort_tile<key, int>(); }

}  // namespace

TEST_CASE("descriptors that are none") {
  const auto check = [](auto* null) {
    using wrong = std::invalid_argument;
    using integer = std::remove_pointer_t<decltype(null)>;
    integer some[4] = {0, 1, 2, 3};  // never read
    CHECK_THROWS_AS(mgpu::segment_heads(some + 4, some + 1), wrong);
    CHECK_THROWS_AS(mgpu::segment_heads(null, null + 1), wrong);
    CHECK_THROWS_AS(mgpu::segment_offsets(some, -1), wrong);
    CHECK_THROWS_AS(mgpu::segment_offsets(some, std::numeric_limits<offset>::min()), wrong);
    CHECK_THROWS_AS(mgpu::segment_offsets(null, 1), wrong);
    CHECK_THROWS_AS(mgpu::segment_offsets(some, some + 1, -1), wrong);
    CHECK_THROWS_AS(mgpu::segment_offsets(null, some, 3), wrong);
    CHECK_THROWS_AS(mgpu::segment_offsets(some, null, 1), wrong);
    CHECK_NOTHROW(mgpu::segment_heads(null, null));
    CHECK_NOTHROW(mgpu::segment_heads(some + 1, some + 1));
    CHECK_NOTHROW(mgpu::segment_offsets(null, 0));
    CHECK_NOTHROW(mgpu::segment_offsets(null, null, 0));
    CHECK_NOTHROW(mgpu::segment_offsets(some, some + 1, 3));
  };
  check(static_cast<int*>(nullptr));
  check(static_cast<const std::uint64_t*>(nullptr));
}

TEST_CASE_TEMPLATE("one wrong position at the beginning, at the end and elsewhere", T, std::int32_t,
                   std::uint64_t MGPU_TEST_MORE(std::int64_t, std::uint32_t)) {
  const int tile = some_tile();
  std::mt19937 random(51);
  int number = 0;
  for (const auto as : all_positions) {
    for (const auto s : {sharing::ones, sharing::tens, sharing::thousands}) {
      for (const int elements : {9, 100, 2 * tile + 100}) {
        if (elements > 50'000 && sizeof(T) == 8 && s == sharing::ones) continue;
        const auto positions = good_positions<T>(as, s, elements, random);
        const std::size_t count = positions.size();
        for (const std::size_t i : {std::size_t{0}, std::size_t{1}, count / 2, count - 1, random() % count}) {
          if (i >= count) continue;
          for_each_change(positions[i], elements, [&](T changed) {
            if (++number % (takes_few_cases() ? 101 : elements > 1000 ? 11 : 3) != 0) return;
            INFO("position ", i, " is ", changed, " instead of ", positions[i], ", there are ", elements, " elements");
            auto bad = positions;
            bad[i] = changed;
            check_positions(as, bad, elements);
          });
        }
      }
    }
  }
}

TEST_CASE_TEMPLATE("positions that are wrong as a whole", T, std::int32_t MGPU_TEST_MORE(std::int64_t, std::uint32_t)) {
  const int tile = some_tile();
  std::mt19937_64 random(52);
  int number = 0;
  for (const auto as : all_positions) {
    for (const int count : {1, 2, 70, 2000}) {
      for (const int elements : {1, 33, 2 * tile + 1, 40'000}) {
        INFO(count, " positions, ", elements, " elements");
        std::vector<T> positions(static_cast<std::size_t>(count));
        const auto check = [&](auto next) {
          if (++number % (takes_few_cases() ? 11 : 1) != 0) return;
          for (std::size_t i = 0; i < positions.size(); ++i)
            positions[i] = static_cast<T>(next(static_cast<offset>(i)));
          check_positions(as, positions, elements);
        };
        check([&](offset) { return random() % static_cast<std::uint64_t>(elements); });
        check([&](offset) { return random(); });
        if (elements > 2 * tile + 1 && count != 70) continue;
        if (elements > 1000 && (takes_few_cases() || count == 70)) continue;
        check([&](offset i) { return elements - i; });
        check([&](offset i) { return elements + i; });
        check([&](offset i) { return -i; });
        check([&](offset i) { return i % 2 == 0 ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max(); });
        check([&](offset i) { return i % 2 == 0 ? 0 : elements; });
        check([&](offset i) { return i < count / 2 ? 0 : elements + 1; });
        check([&](offset i) { return i * elements / count / 2 * 2 + (1 - i % 2); });  // neighbours have changed places
        check([&](offset) { return elements - 1; });                                  // which is good
      }
    }
  }
}

TEST_CASE("positions that do not ascend, and one at the border of two cells") {
  const int tile = some_tile();
  const offset cell = mgpu::detail::tuning::sort_cell_items(tile);
  for (const offset c : {cell, 2 * cell, offset{mgpu::detail::tuning::sort_cell_items(test::sort_tile<key, int>())}}) {
    for (const offset back : {offset{1}, offset{1000}, c / 2}) {
      check_positions<offset>(positions_as::offsets, {0, c - back, c + 2 * back, c, 2 * c + 500, 4 * c}, 4 * c);
      check_positions<offset>(positions_as::offsets, {0, c + 2 * back, c, 2 * c, 4 * c}, 4 * c);
      check_positions<offset>(positions_as::heads, {c - back, c + 2 * back, c, 2 * c + 500}, 4 * c);
    }
  }
}

TEST_CASE("positions of few segments that do not ascend, or leave the array") {
  for (const offset count : {5, 40, 150}) {
    const offset length = 700, n = count * length;
    for (const auto as : all_positions) {
      std::vector<offset> good;
      for (offset i = 0; i < count; ++i) good.push_back(i * length);
      check_positions(as, good, n);
      for (const offset i : {offset{0}, count / 2, count - 1}) {
        for (const offset changed : {offset{-1}, (i + 2) * length, (i - 2) * length, n + 1, -n}) {
          auto positions = good;
          positions[static_cast<std::size_t>(i)] = changed;
          check_positions(as, positions, n);
        }
      }
    }
  }
}

TEST_CASE("bad positions behind a tile that has taken all elements of the next one") {
  // Tiles of small arrays of keys and of pairs of four bytes: the last one is left without elements.
  constexpr offset tile = 768, n = 5 * tile + 300;
  std::vector<offset> good;
  for (offset at = 0; at <= 4 * tile + 64; at += 16) good.push_back(at);
  const auto with = [&](std::initializer_list<offset> more) {
    auto positions = good;
    positions.insert(positions.end(), more);
    return positions;
  };
  check_positions(positions_as::heads, good, n);
  check_positions(positions_as::heads, with({n}), n);
  check_positions(positions_as::heads, with({n, n, n + 1}), n);
  check_positions(positions_as::heads, with({n, n - 1}), n);
  check_positions(positions_as::heads, with({n - 1, n - 2}), n);
  check_positions(positions_as::offsets, with({n}), n);
  check_positions(positions_as::offsets, with({n, n + 5}), n);
  check_positions(positions_as::offsets, with({n, std::numeric_limits<offset>::max()}), n);
  check_positions(positions_as::offsets, with({n, n - 1, n}), n);
  check_positions(positions_as::begins_and_ends, with({n, n + 7, n + 3}), n);
}

TEST_CASE("segments that lie over each other") {
  for (const int elements : {10, 1000, 3 * some_tile()}) {
    const offset n = elements;
    check_positions<offset>(positions_as::begins_and_ends, {0, n, 0, n}, n);
    check_positions<offset>(positions_as::begins_and_ends, {0, n / 2 + 1, n / 2, n}, n);
    check_positions<offset>(positions_as::begins_and_ends, {n / 2, n, 0, n / 2}, n);
    check_positions<offset>(positions_as::begins_and_ends, {3, n, 5, 7, 6, 8}, n);
    check_positions<offset>(positions_as::begins_and_ends, {n, 0}, n);
    check_positions<offset>(positions_as::begins_and_ends, {0, n + 1}, n);
    check_positions<offset>(positions_as::begins_and_ends, {-1, n}, n);
  }
}

TEST_CASE("bad positions, too, are read only where they are") {
  const int tile = some_tile();
  std::mt19937 random(53);
  for (const int elements : {10, tile, 2 * tile + 77}) {
    const auto keys = disordered_keys<key>(disorder::random, elements, random);
    for (int repeat = 0; repeat < 6; ++repeat) {
      auto positions = good_positions<offset>(positions_as::offsets, sharing::tens, elements, random);
      positions[random() % positions.size()] += static_cast<int>(random() % 5000) - 2500;
      std::swap(positions.front(), positions[random() % positions.size()]);
      for_each_executor([&](auto executor) {
        const watched<decltype(executor), offset> in(positions);
        const auto count = static_cast<offset>(positions.size());
        const auto check = [&](const auto& descriptor) {
          const bool is_good = are_good(positions, elements);
          const auto call = [&](const auto& f) { CHECK(throws_ours(f) == !is_good); };
          check_permutes<segmented>(executor, executor.policy(), keys, one_segment(elements), descriptor, less{}, call);
          CHECK(in.has_no_strays());
        };
        check(mgpu::segment_offsets(in.begin(), count - 1));
        check(mgpu::segment_heads(in.begin(), in.begin() + count));
      });
    }
  }
}

TEST_CASE("bad positions of an array without elements, and a fault that statistics are asked about") {
  for_each_executor([](auto executor) {
    INFO(executor.name);
    using executor_type = decltype(executor);
    const input<executor_type, int> bad({5, 3, -1});
    int* const null = nullptr;
    throws_ours([&] { mgpu::segmented_sort(executor.policy(), null, null, mgpu::segment_offsets(bad.begin(), 2)); });
    const std::vector<int> unsorted{9, 8, 7, 6, 5, 4};
    const sorted_array keys(executor, unsorted);
    mgpu::sort_statistics statistics;
    CHECK(throws_ours([&] {
      mgpu::segmented_sort(executor.policy(), keys.begin(), keys.end(), mgpu::segment_offsets(bad.begin(), 2), less{},
                           statistics);
    }));
    CHECK(keys.guards_untouched());
    // The next call with good segments is right.
    keys.put(unsorted);
    const input<executor_type, int> good({0, 2, 6});
    mgpu::segmented_sort(executor.policy(), keys.begin(), keys.end(), mgpu::segment_offsets(good.begin(), 2));
    CHECK(keys.holds({8, 9, 4, 5, 6, 7}));
  });
}
