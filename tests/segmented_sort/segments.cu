// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Segments told of by integers of every type, by iterators of every kind, and with what has no meaning in them.
#include "support/check_sort.h"
#include "support/sort_patterns.h"
#include "support/vectors.h"
#include "support/watched.h"

#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cstdint>
#include <limits>

namespace {

using namespace test;
using key = std::uint32_t;
using less = cuda::std::less<>;

struct times {
  offset factor;
  MGPU_HOST_DEVICE offset operator()(offset x) const { return factor * x; }
};
struct times_and {
  int factor, more;
  MGPU_HOST_DEVICE int operator()(int x) const { return factor * x + more; }
};
/// A bit for every element whose number is a multiple of `length`.
struct every_nth_bit {
  int length;
  MGPU_HOST_DEVICE std::uint32_t operator()(int word) const {
    std::uint32_t bits = 0;
    for (int i = 0; i < 32; ++i) bits |= ((32 * word + i) % length == 0 ? 1u : 0u) << i;
    return bits;
  }
};

std::vector<int> equal_lengths(int elements, int length) {
  std::vector<int> lengths;
  for (int left = elements; left > 0; left -= length) lengths.push_back(std::min(left, length));
  return lengths;
}

template <class T>
std::vector<T> converted(const std::vector<offset>& x) {
  return std::vector<T>(x.begin(), x.end());
}
std::vector<int> with_sentinels(const std::vector<int>& x) {
  std::vector<int> result{-7, 1 << 30};
  result.insert(result.end(), x.begin(), x.end());
  result.insert(result.end(), {-9, 1 << 30});
  return result;
}

/// Keys for a segmentation, and what comes out.
sorting<key> random_sorting(const segmentation& cut, unsigned seed) {
  std::mt19937 random(seed);
  return {disordered_keys<key>(disorder::random, static_cast<int>(cut.elements), random), cut, less{}};
}

/// Calls f(executor, cut, sorting) for some segments of many lengths, and some sizes.
template <class F>
void for_each_cut(gaps g, const F& f) {
  std::mt19937 random(21);
  unsigned number = 0;
  for (const int size : {1, 60, 1'000, 30'000, 100'003}) {
    for (const auto s : {sharing::zipf, sharing::halves, sharing::thousands}) {
      const auto cut = cut_of(lengths_of(s, size, random), g, ++number);
      const auto problem = random_sorting(cut, number);
      for_each_executor([&](auto executor) { f(executor, cut, problem); });
    }
    if (takes_few_cases() && size > 500) return;
  }
}

}  // namespace

TEST_CASE_TEMPLATE("offsets of integers of every type", Integer, std::int32_t,
                   std::uint64_t MGPU_TEST_MORE(std::uint32_t, std::int64_t)) {
  for_each_cut(gaps::at_both_ends, [](auto executor, const segmentation& cut, const sorting<key>& s) {
    const input<decltype(executor), Integer> offsets(converted<Integer>(offsets_of(cut)), 1);
    check_keys<segmented>(executor, s, mgpu::segment_offsets(offsets.begin(), cut.begins.size()), less{}, 1);
    CHECK(offsets.unchanged());
  });
}

TEST_CASE_TEMPLATE("begins of one type and ends of another", Integer, std::uint64_t MGPU_TEST_MORE(std::int32_t)) {
  for_each_cut(gaps::everywhere, [](auto executor, const segmentation& cut, const sorting<key>& s) {
    const input<decltype(executor), Integer> begins(converted<Integer>(cut.begins), 1);
    const input<decltype(executor), std::int64_t> ends(cut.ends);
    const auto count = static_cast<offset>(cut.begins.size());
    check_keys<segmented>(executor, s, mgpu::segment_offsets(begins.begin(), ends.begin(), count), less{}, 2);
    CHECK(begins.unchanged());
    CHECK(ends.unchanged());
  });
}

TEST_CASE_TEMPLATE("heads of integers of every type", Integer,
                   std::int64_t MGPU_TEST_MORE(std::uint32_t, std::uint64_t)) {
  for_each_cut(gaps::none, [](auto executor, const segmentation& cut, const sorting<key>& s) {
    const auto heads = heads_of(cut, cut.elements % 2 == 0);
    const input<decltype(executor), Integer> heads_in(std::vector<Integer>(heads.begin(), heads.end()), 1);
    check_keys<segmented>(executor, s, mgpu::segment_heads(heads_in.begin(), heads_in.end()), less{}, 3);
    CHECK(heads_in.unchanged());
  });
}

TEST_CASE("small offsets and heads of 8 and 16 bits") {
  const auto cut = cut_of({3, 0, 50, 1, 1, 40, 0}, gaps::at_both_ends, 3);
  const auto s = random_sorting(cut, 1);
  const auto whole = cut_of({90, 31, 4});
  const auto of_whole = random_sorting(whole, 2);
  for_each_executor([&](auto executor) {
    using executor_type = decltype(executor);
    const input<executor_type, std::uint8_t> bytes(converted<std::uint8_t>(offsets_of(cut)));
    check_keys<segmented>(executor, s, mgpu::segment_offsets(bytes.begin(), cut.begins.size()), less{});
    const input<executor_type, std::int16_t> words(std::vector<std::int16_t>{90, 121});
    check_keys<segmented>(executor, of_whole, mgpu::segment_heads(words.begin(), words.end()), less{});
  });
}

TEST_CASE("every one of few heads, named once, twice or three times") {
  const int size = 300;
  std::mt19937 random(22);
  const auto keys = disordered_keys<key>(disorder::random, size, random);
  for_each_executor([&](auto executor) {
    for (const auto& heads : std::vector<std::vector<int>>{{},
                                                           {0},
                                                           {1},
                                                           {299},
                                                           {0, 0},
                                                           {0, 299},
                                                           {7, 7, 7},
                                                           {0, 0, 31, 32, 33, 33, 64, 200},
                                                           {1, 2, 3, 4, 5, 298, 299, 299}}) {
      std::vector<int> lengths;
      int last = 0;
      for (const int head : heads) {
        lengths.push_back(head - last);
        last = head;
      }
      lengths.push_back(size - last);
      const sorting s(keys, cut_of(lengths), less{});
      const input<decltype(executor), int> heads_in(heads);
      const mgpu::segment_heads segments(heads_in.begin(), heads_in.end());
      check_keys<segmented>(executor, s, segments, less{});
    }
  });
}

TEST_CASE("bits of flags that say nothing: that of the first element, and those behind the last one") {
  std::mt19937 random(23);
  for (const int size : {1, 2, 31, 32, 33, 63, 64, 65, 1000, 3839, 20'001}) {
    const auto cut = cut_of(lengths_of(sharing::tens, size, random));
    const auto s = random_sorting(cut, static_cast<unsigned>(size));
    for_each_executor([&](auto executor) {
      for (const bool names_zero : {false, true}) {
        for (const std::uint32_t behind : {0u, ~0u, static_cast<std::uint32_t>(random())}) {
          INFO("behind the last element: ", behind);
          const input<decltype(executor), std::uint32_t> words(flags_of(cut, names_zero, behind));
          check_keys<segmented>(executor, s, mgpu::segment_flags(words.begin()), less{});
          CHECK(words.unchanged());
        }
      }
    });
  }
}

TEST_CASE("flags that are all set, none set, and set every second element") {
  for (const int size : {32, 1000, 3840, 50'000}) {
    for (const int length : {1, 2, size}) {
      const auto cut = cut_of(equal_lengths(size, length));
      const auto s = random_sorting(cut, static_cast<unsigned>(length));
      for_each_executor([&](auto executor) {
        const segments_in<decltype(executor)> segments(cut, size);
        check_keys<segmented>(executor, s, segments.flags(), less{});
      });
    }
  }
}

TEST_CASE("offsets, heads and flags that are computed") {
  const thrust::counting_iterator<offset> numbers(0);
  const thrust::counting_iterator<int> ints(0);
  for (const int length : {1, 7, 32, 900}) {
    const int count = 40'000 / length, size = count * length;
    const auto cut = cut_of(equal_lengths(size, length));
    const auto s = random_sorting(cut, 5);
    for_each_executor([&](auto executor) {
      const auto multiples = thrust::make_transform_iterator(numbers, times{length});
      check_keys<segmented>(executor, s, mgpu::segment_offsets(multiples, count), less{});
      if constexpr (has_more_kinds)
        check_keys<segmented>(executor, s, mgpu::segment_offsets(multiples, multiples + 1, count), less{});
      check_keys<segmented>(executor, s, mgpu::segment_heads(multiples + 1, multiples + count), less{});
      const auto words = thrust::make_transform_iterator(ints, every_nth_bit{length});
      check_keys<segmented>(executor, s, mgpu::segment_flags(words), less{});
    });
  }
}

TEST_CASE("counting and constant iterators as offsets") {
  const int size = 10'000;
  const auto ones = cut_of(equal_lengths(size, 1));
  const segmentation two{size, {0, 77}, {77, size}};
  const auto s = random_sorting(ones, 6), of_two = random_sorting(two, 7);
  for_each_executor([&](auto executor) {
    const thrust::counting_iterator<int> numbers(0);
    check_keys<segmented>(executor, s, mgpu::segment_offsets(numbers, size), less{});
    check_keys<segmented>(executor, s, mgpu::segment_heads(numbers, numbers + size), less{});
    if constexpr (has_more_kinds) {
      const thrust::constant_iterator<int> nowhere(77);
      const sorting untouched(s.keys, segmentation{size, {}, {}}, less{});
      check_keys<segmented>(executor, untouched, mgpu::segment_offsets(nowhere, 9'000), less{});
      check_keys<segmented>(executor, of_two, mgpu::segment_heads(nowhere, nowhere + 1), less{}, 1);
    }
  });
}

TEST_CASE("begins and ends with gaps that are computed") {
  const int count = 3'000;
  segmentation cut{13 * count + 4, {}, {}};
  for (int i = 0; i < count; ++i) {
    cut.begins.push_back(13 * i + 2);
    cut.ends.push_back(13 * i + 11);
  }
  const auto s = random_sorting(cut, 8);
  for_each_executor([&](auto executor) {
    const thrust::counting_iterator<int> numbers(0);
    const auto begins = thrust::make_transform_iterator(numbers, times_and{13, 2});
    const auto ends = thrust::make_transform_iterator(numbers, times_and{13, 11});
    check_keys<segmented>(executor, s, mgpu::segment_offsets(begins, ends, count), less{});
  });
}

TEST_CASE("vector iterators, fancy pointers, permuted and reversed offsets") {
  for_each_cut(gaps::at_both_ends, [](auto executor, const segmentation& cut, const sorting<key>& s) {
    const auto offsets = offsets_of(cut);
    const auto count = static_cast<offset>(cut.begins.size());
    const auto offsets_in = to_vector(offsets);
    check_keys<segmented>(executor, s, mgpu::segment_offsets(offsets_in.begin(), count), less{});
    check_keys<segmented>(executor, s, mgpu::segment_offsets(offsets_in.cbegin(), offsets_in.cbegin() + 1, count),
                          less{});
    check_keys<segmented>(executor, s, mgpu::segment_offsets(offsets_in.data(), count), less{});
    auto backwards = to_vector(std::vector<offset>(offsets.rbegin(), offsets.rend()));
    check_keys<segmented>(executor, s, mgpu::segment_offsets(thrust::make_reverse_iterator(backwards.end()), count),
                          less{});
    const auto places = to_vector(numbers_below(offsets.size()));
    const auto permuted = thrust::make_permutation_iterator(offsets_in.begin(), places.begin());
    check_keys<segmented>(executor, s, mgpu::segment_offsets(permuted, count), less{});
  });
}

TEST_CASE("only descriptors are read, and nothing beside them") {
  const auto check = [](auto executor, const segmentation& cut, const sorting<key>& s) {
    using executor_type = decltype(executor);
    const auto count = static_cast<offset>(cut.begins.size());
    const watched<executor_type, offset> offsets(offsets_of(cut)), begins(cut.begins), ends(cut.ends);
    check_keys<segmented>(executor, s, mgpu::segment_offsets(begins.begin(), ends.begin(), count), less{});
    CHECK(begins.has_no_strays());
    CHECK(ends.has_no_strays());
    if (can_tell(segments_as::offsets, cut)) {
      check_keys<segmented>(executor, s, mgpu::segment_offsets(offsets.begin(), count), less{});
      CHECK(offsets.has_no_strays());
    }
    if (!can_tell(segments_as::heads, cut)) return;
    const auto heads = heads_of(cut, false);
    const watched<executor_type, int> heads_in(heads);
    const auto heads_begin = heads_in.begin();
    check_keys<segmented>(executor, s, mgpu::segment_heads(heads_begin, heads_begin + heads.size()), less{});
    CHECK(heads_in.has_no_strays());
    const watched<executor_type, std::uint32_t> words(flags_of(cut, true, 5));
    check_keys<segmented>(executor, s, mgpu::segment_flags(words.begin()), less{});
    CHECK(words.has_no_strays());
  };
  for_each_cut(gaps::none, check);
  for_each_cut(gaps::everywhere, check);
}

TEST_CASE("heads between what are no heads") {
  for_each_cut(gaps::none, [](auto executor, const segmentation& cut, const sorting<key>& s) {
    const input<decltype(executor), int> heads(with_sentinels(heads_of(cut, false)));
    check_keys<segmented>(executor, s, mgpu::segment_heads(heads.begin() + 2, heads.end() - 2), less{});
  });
}
