// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Every sort within segments, on raw pointers, against its definition.

#include "keys.h"
#include "segmentation.h"

#include <doctest/doctest.h>

#include <mgpu/locality_sort.h>
#include <mgpu/segmented_sort.h>
#include <mgpu/tuning/small_sort_tiles.h>
#include <mgpu/tuning/sort.h>

#include <array>
#include <cstring>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace test {

/// The sorts, each with the same arguments. What follows `compare` is sort_statistics or nothing.
struct segmented {
  inline static const std::string name = "segmented_sort";
  static constexpr bool is_stable = false;

  template <class Policy, class Keys, class Segments, class Compare, class... Statistics>
  static void sort(const Policy& policy, Keys first, Keys last, const Segments& segments, const Compare& compare,
                   Statistics&... statistics) {
    mgpu::segmented_sort(policy, first, last, segments, compare, statistics...);
  }
  template <class Policy, class Keys, class Values, class Segments, class Compare, class... Statistics>
  static void sort_by_key(const Policy& policy, Keys first, Keys last, Values values, const Segments& segments,
                          const Compare& compare, Statistics&... statistics) {
    mgpu::segmented_sort_by_key(policy, first, last, values, segments, compare, statistics...);
  }
};

struct stable_segmented {
  inline static const std::string name = "stable_segmented_sort";
  static constexpr bool is_stable = true;

  template <class Policy, class Keys, class Segments, class Compare, class... Statistics>
  static void sort(const Policy& policy, Keys first, Keys last, const Segments& segments, const Compare& compare,
                   Statistics&... statistics) {
    mgpu::stable_segmented_sort(policy, first, last, segments, compare, statistics...);
  }
  template <class Policy, class Keys, class Values, class Segments, class Compare, class... Statistics>
  static void sort_by_key(const Policy& policy, Keys first, Keys last, Values values, const Segments& segments,
                          const Compare& compare, Statistics&... statistics) {
    mgpu::stable_segmented_sort_by_key(policy, first, last, values, segments, compare, statistics...);
  }
};

/// Takes segments, too, which have to be the whole array.
struct local {
  inline static const std::string name = "locality_sort";
  static constexpr bool is_stable = true;

  template <class Policy, class Keys, class Segments, class Compare, class... Statistics>
  static void sort(const Policy& policy, Keys first, Keys last, const Segments&, const Compare& compare,
                   Statistics&... statistics) {
    mgpu::locality_sort(policy, first, last, compare, statistics...);
  }
  template <class Policy, class Keys, class Values, class Segments, class Compare, class... Statistics>
  static void sort_by_key(const Policy& policy, Keys first, Keys last, Values values, const Segments&,
                          const Compare& compare, Statistics&... statistics) {
    mgpu::locality_sort_by_key(policy, first, last, values, compare, statistics...);
  }
};
inline constexpr int whole_array = 0;  // the segments of `local`

/// An array to be sorted within segments, and what has to come out.
template <class Key>
struct sorting {
  struct run {
    std::ptrdiff_t begin, end;
  };

  std::vector<Key> keys;
  segmentation cut;
  std::vector<int> order;  // the numbers of the elements as a stable sort leaves them
  std::vector<run> ties;   // places of elements that may be in any order where a sort is not stable

  template <class Compare>
  sorting(const std::vector<Key>& unsorted, const segmentation& segments, const Compare& compare)
      : keys(unsorted), cut(segments), order(unsorted.size()) {
    std::iota(order.begin(), order.end(), 0);
    const auto less = [&](int x, int y) { return compare(keys[x], keys[y]); };
    for (std::size_t i = 0; i < cut.begins.size(); ++i) {
      const auto begin = static_cast<std::ptrdiff_t>(cut.begins[i]), end = static_cast<std::ptrdiff_t>(cut.ends[i]);
      std::stable_sort(order.begin() + begin, order.begin() + end, less);
      for (std::ptrdiff_t first = begin, last; first < end; first = last) {
        for (last = first + 1; last < end && !less(order[first], order[last]);) ++last;
        if (last > first + 1) ties.push_back({first, last});
      }
    }
  }

  /// Elements, numbered as the keys are, in the order of the sorted keys.
  template <class T>
  std::vector<T> in_order(const std::vector<T>& x) const {
    std::vector<T> result;
    result.reserve(x.size());
    for (const int i : order) result.push_back(x[static_cast<std::size_t>(i)]);
    return result;
  }
};

/// Elements on the executor, in an array between guards.
template <class T, class Executor>
class sorted_array : public output<Executor, T> {
 public:
  explicit sorted_array(Executor, const std::vector<T>& x, int skipped = 0)
      : output<Executor, T>(static_cast<offset>(x.size()), skipped), count_(x.size()) {
    put(x);
  }
  void put(const std::vector<T>& x) const { Executor::copy_in(this->begin(), x.data(), count_ * sizeof(T)); }
  bool holds(const std::vector<T>& expected) const { return this->first_difference(expected) == -1; }

  /// Puts the bytes of every element where it has them among others.
  template <class Bytes>
  void read_into(std::vector<Bytes>& elements, std::size_t at) const {
    std::vector<char> bytes(count_ * sizeof(T));
    Executor::copy_out(bytes.data(), this->begin(), bytes.size());
    for (std::size_t i = 0; i < count_; ++i) std::memcpy(elements[i].data() + at, &bytes[i * sizeof(T)], sizeof(T));
  }

 private:
  std::size_t count_;
};

template <class T, class Bytes>
void place_elements(const std::vector<T>& x, std::vector<Bytes>& elements, std::size_t at) {
  for (std::size_t i = 0; i < x.size(); ++i) std::memcpy(elements[i].data() + at, &x[i], sizeof(T));
}

/// Whether two arrays are equal but for the order of elements that tie.
template <class Key, class Bytes>
bool are_equal_but_for_ties(const sorting<Key>& s, std::vector<Bytes> found, std::vector<Bytes> expected) {
  for (const auto tie : s.ties) {
    std::sort(found.begin() + tie.begin, found.begin() + tie.end);
    std::sort(expected.begin() + tie.begin, expected.begin() + tie.end);
  }
  return found == expected;
}

/// Values that number the elements.
inline std::vector<int> numbers_below(std::size_t count) {
  std::vector<int> result(count);
  std::iota(result.begin(), result.end(), 0);
  return result;
}

template <class Function, class Executor, class Key, class Segments, class Compare>
void check_keys(Executor executor, const sorting<Key>& s, const Segments& segments, const Compare& compare,
                int skipped = 0) {
  INFO(executor.name, ", ", Function::name, " of ", s.keys.size(), " keys in ", s.cut.begins.size(), " segments");
  const sorted_array keys(executor, s.keys, skipped);
  Function::sort(executor.policy(), keys.begin(), keys.end(), segments, compare);
  const auto expected = s.in_order(s.keys);
  if (Function::is_stable) {
    CHECK(keys.holds(expected));
  } else if (!keys.holds(expected)) {
    std::vector<std::array<unsigned char, sizeof(Key)>> found(s.keys.size()), wanted(s.keys.size());
    keys.read_into(found, 0);
    place_elements(expected, wanted, 0);
    CHECK(are_equal_but_for_ties(s, found, wanted));
    CHECK(keys.guards_untouched());
  }
}

template <class Function, class Executor, class Key, class Value, class Segments, class Compare>
void check_pairs(Executor executor, const sorting<Key>& s, const std::vector<Value>& unsorted_values,
                 const Segments& segments, const Compare& compare, int skipped = 0) {
  INFO(executor.name, ", ", Function::name, "_by_key of ", s.keys.size(), " pairs in ", s.cut.begins.size(),
       " segments");
  const sorted_array keys(executor, s.keys, skipped);
  const sorted_array values(executor, unsorted_values, skipped / 4);
  Function::sort_by_key(executor.policy(), keys.begin(), keys.end(), values.begin(), segments, compare);
  const auto expected_keys = s.in_order(s.keys);
  const auto expected_values = s.in_order(unsorted_values);
  if (Function::is_stable) {
    CHECK(keys.holds(expected_keys));
    CHECK(values.holds(expected_values));
  } else if (!keys.holds(expected_keys) || !values.holds(expected_values)) {
    using pair = std::array<unsigned char, sizeof(Key) + sizeof(Value)>;
    std::vector<pair> found(s.keys.size()), wanted(s.keys.size());
    keys.read_into(found, 0);
    values.read_into(found, sizeof(Key));
    place_elements(expected_keys, wanted, 0);
    place_elements(expected_values, wanted, sizeof(Key));
    CHECK(are_equal_but_for_ties(s, found, wanted));
    CHECK(keys.guards_untouched());
    CHECK(values.guards_untouched());
  }
}

/// A number that depends on all bytes of an element.
template <class Bytes>
std::uint64_t hash_of(const Bytes& element) {
  std::uint64_t x = 0;
  for (const auto byte : element) x = (x ^ byte) * 0x100000001B3u;
  x = (x ^ x >> 29) * 0x9E3779B97F4A7C15u;
  return x ^ x >> 32;
}
/// A sum over elements that depends on all of their bytes, and not on their order.
template <class Bytes>
std::uint64_t sum_of(const Bytes* first, const Bytes* last) {
  std::uint64_t sum = 0;
  for (; first != last; ++first) sum += hash_of(*first);
  return sum;
}

/// Whether the elements of each segment are the same in any order, and those of no segment are where they were.
template <class Bytes>
bool is_permutation_within(const segmentation& cut, const std::vector<Bytes>& found, const std::vector<Bytes>& before) {
  std::size_t at = 0;
  for (std::size_t i = 0; i <= cut.begins.size(); ++i) {
    const bool is_behind_last = i == cut.begins.size();
    const auto begin = static_cast<std::size_t>(is_behind_last ? cut.elements : cut.begins[i]);
    const auto end = static_cast<std::size_t>(is_behind_last ? cut.elements : cut.ends[i]);
    for (; at < begin; ++at) {
      if (found[at] != before[at]) return false;
    }
    if (sum_of(found.data() + begin, found.data() + end) != sum_of(before.data() + begin, before.data() + end)) {
      return false;
    }
    at = end;
  }
  return true;
}

/// Whether each element of a segment is one that was there, and those of no segment are where they were.
template <class Bytes>
bool is_drawn_within(const segmentation& cut, const std::vector<Bytes>& found, const std::vector<Bytes>& before) {
  std::vector<std::uint64_t> hashes(before.size());
  std::transform(before.begin(), before.end(), hashes.begin(), hash_of<Bytes>);
  std::size_t at = 0;
  for (std::size_t i = 0; i <= cut.begins.size(); ++i) {
    const bool is_behind_last = i == cut.begins.size();
    const auto begin = static_cast<std::size_t>(is_behind_last ? cut.elements : cut.begins[i]);
    const auto end = static_cast<std::size_t>(is_behind_last ? cut.elements : cut.ends[i]);
    for (; at < begin; ++at) {
      if (found[at] != before[at]) return false;
    }
    const auto first = hashes.begin() + static_cast<offset>(begin), last = hashes.begin() + static_cast<offset>(end);
    std::sort(first, last);
    for (; at < end; ++at) {
      if (!std::binary_search(first, last, hash_of(found[at]))) return false;
    }
  }
  return true;
}

/// What is left of elements that are sorted by no order, or within no segments.
enum class remains { permutation, some };

/// Sorts keys alone, and with their numbers, by what need not be an order, or within what need not be segments: the
/// elements of each segment of `cut` are still there, or some of them, pairs are together, and nothing has changed
/// elsewhere. `call` calls its argument.
template <class Function, remains what = remains::permutation, class Executor, class Policy, class Key, class Segments,
          class Compare, class Call>
void check_permutes(Executor executor, const Policy& policy, const std::vector<Key>& unsorted, const segmentation& cut,
                    const Segments& segments, const Compare& compare, const Call& call) {
  INFO(executor.name, ", ", Function::name, " of ", unsorted.size(), " keys of ", sizeof(Key), " bytes in ",
       cut.begins.size(), " segments");
  const auto numbers = numbers_below(unsorted.size());
  const sorted_array keys_alone(executor, unsorted, 1), keys(executor, unsorted, 3);
  const sorted_array values(executor, numbers, 2);
  call([&] { Function::sort(policy, keys_alone.begin(), keys_alone.end(), segments, compare); });
  call([&] { Function::sort_by_key(policy, keys.begin(), keys.end(), values.begin(), segments, compare); });

  std::vector<std::array<unsigned char, sizeof(Key)>> found_alone(unsorted.size()), alone_before(unsorted.size());
  keys_alone.read_into(found_alone, 0);
  place_elements(unsorted, alone_before, 0);
  const auto is_kept = [&](const auto& after, const auto& were) {
    return what == remains::permutation ? is_permutation_within(cut, after, were) : is_drawn_within(cut, after, were);
  };
  CHECK(is_kept(found_alone, alone_before));
  std::vector<std::array<unsigned char, sizeof(Key) + sizeof(int)>> found(unsorted.size()), before(unsorted.size());
  keys.read_into(found, 0);
  values.read_into(found, sizeof(Key));
  place_elements(unsorted, before, 0);
  place_elements(numbers, before, sizeof(Key));
  CHECK(is_kept(found, before));
  CHECK(keys_alone.guards_untouched());
  CHECK(keys.guards_untouched());
  CHECK(values.guards_untouched());
}

/// The largest count for which tiles(count) is 1.
template <class F>
int largest_of_one_tile(const F& tiles) {
  int low = 1, high = 2;
  for (; tiles(high) == 1; high *= 2) {
    REQUIRE(high < 1 << 24);
    low = high;
  }
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (tiles(middle) == 1 ? low : high) = middle;
  }
  return low;
}

/// The elements of a tile of keys with values, found by what the sorts tell: those of the largest array that is one
/// tile.
template <class Key, class Value, class Compare = cuda::std::less<>>
int sort_tile(const Compare& compare = {}) {
  const auto tiles = [&](int count) {
    mgpu::sort_statistics statistics;
    const sorted_array keys(first_executor{}, std::vector<Key>(static_cast<std::size_t>(count)));
    const sorted_array values(first_executor{}, std::vector<Value>(static_cast<std::size_t>(count)));
    mgpu::locality_sort_by_key(first_executor::policy(), keys.begin(), keys.end(), values.begin(), compare, statistics);
    return statistics.tiles;
  };
  return largest_of_one_tile(tiles);
}
template <class Key>
int sort_tile() {
  const auto tiles = [](int count) {
    mgpu::sort_statistics statistics;
    const sorted_array keys(first_executor{}, std::vector<Key>(static_cast<std::size_t>(count)));
    mgpu::locality_sort(first_executor::policy(), keys.begin(), keys.end(), cuda::std::less<>{}, statistics);
    return statistics.tiles;
  };
  return largest_of_one_tile(tiles);
}

/// The elements of four bytes, in any segments, that the GPU sorts in one tile if there are no others, and so without
/// memory.
inline int sort_tile_alone() {
  static_assert(mgpu::detail::tuning::fit_small_tiles({4, 4, 8}), "pairs have such a tile, too");
  return mgpu::detail::tuning::sort_small_tiles(90, {4, 0, 4}).items_per_tile();
}

/// The same of elements that are one segment.
inline int sort_tile_of_one_segment() { return mgpu::detail::tuning::good_items_of_ranked_tiles({4, 0, 4}); }

}  // namespace test
