// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// More than 2^31 elements and more than 2^32, in one segment and in many, and as many segments. Everything is made and
// checked on the device.
#include "support/large.h"

#include <mgpu/locality_sort.h>
#include <mgpu/segmented_sort.h>

#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace {

using namespace test;
using key = std::uint8_t;
using mgpu::detail::core::ties;

/// Where the segments of a long array begin: about `each` elements apart, at least 101.
struct cut {
  offset count, each;

  MGPU_HOST_DEVICE offset elements() const { return count * each; }
  MGPU_HOST_DEVICE offset operator()(offset i) const {
    return i < count ? i * each + i % 1009 * (i % 1009) % 101 : elements();
  }
  /// The segment of an element, by definition.
  MGPU_HOST_DEVICE offset segment_of(offset element) const {
    offset i = element / each;
    while ((*this)(i) > element) --i;
    while ((*this)(i + 1) <= element) ++i;
    return i;
  }
};

/// Which of `count` sorted elements the one at `rank` is before the sort: a permutation, the product with a prime of
/// which no count is a multiple. It stays below 2^64.
MGPU_HOST_DEVICE offset permuted(offset rank, offset count) {
  return static_cast<offset>(static_cast<std::uint64_t>(rank) * 2654435761u % static_cast<std::uint64_t>(count));
}
MGPU_HOST_DEVICE key key_of_rank(offset rank, offset count) { return static_cast<key>(rank * 256 / count); }

/// The keys of an array whose segments are each to be sorted, or which as a whole is: then they are near their places.
struct unsorted_keys {
  cut segments;
  bool is_one_array;

  MGPU_HOST_DEVICE key operator()(offset i) const {
    const offset segment = segments.segment_of(i), begin = segments(segment), count = segments(segment + 1) - begin;
    const offset rank = permuted(i - begin, count);
    return is_one_array ? key_of_rank(begin + rank, segments.elements()) : key_of_rank(rank, count);
  }
  MGPU_HOST_DEVICE key sorted(offset i) const {
    if (is_one_array) return key_of_rank(i, segments.elements());
    const offset segment = segments.segment_of(i), begin = segments(segment);
    return key_of_rank(i - begin, segments(segment + 1) - begin);
  }
};

/// An element of a key, which alone is compared, and its position.
struct key_and_position {
  std::uint64_t bits;

  MGPU_HOST_DEVICE key sorts_by() const { return static_cast<key>(bits >> 56); }
  MGPU_HOST_DEVICE std::uint64_t position() const { return bits << 8 >> 8; }
  MGPU_HOST_DEVICE bool operator<(const key_and_position& y) const { return sorts_by() < y.sorts_by(); }
};
struct fill_keys_and_positions {
  unsorted_keys by;
  key_and_position* out;
  MGPU_DEVICE void operator()(offset i) const {
    out[i].bits = std::uint64_t{by(i)} << 56 | static_cast<std::uint64_t>(i);
  }
};
struct key_of {
  MGPU_HOST_DEVICE key operator()(const key_and_position& x) const { return x.sorts_by(); }
};
struct position_of {
  MGPU_HOST_DEVICE std::uint64_t operator()(const key_and_position& x) const { return x.position(); }
};
/// Sets the bits of 32 elements.
struct fill_flags {
  cut segments;
  std::uint32_t* words;
  MGPU_DEVICE void operator()(offset word) const {
    std::uint32_t bits = 0;
    for (offset i = 32 * word; i < 32 * word + 32 && i < segments.elements(); ++i) {
      bits |= (segments(segments.segment_of(i)) == i ? 1u : 0u) << (i - 32 * word);
    }
    words[word] = bits;
  }
};

template <class Keys>
struct compare_keys {
  unsorted_keys by;
  Keys found;
  unsigned long long* wrong;
  MGPU_DEVICE void operator()(offset i) const {
    if (found[i] != by.sorted(i)) atomicAdd(wrong, 1ull);
  }
};
/// Values number the elements: each has its key, is in its segment, and marks its bit, which nobody else has. In a
/// stable sort those of equal keys ascend.
template <class Values>
struct compare_values {
  unsorted_keys by;
  ties order;
  Values found;
  std::uint32_t* marks;  // [ceil(elements / 32)]
  unsigned long long* wrong;
  MGPU_DEVICE void operator()(offset i) const {
    const offset segment = by.segments.segment_of(i), from = static_cast<offset>(found[i]);
    const bool is_known = from >= 0 && from < by.segments.elements() && by(from) == by.sorted(i) &&
                          (by.is_one_array || by.segments.segment_of(from) == segment);
    const bool has_tie_before = i > (by.is_one_array ? 0 : by.segments(segment)) && by.sorted(i - 1) == by.sorted(i);
    const bool is_unstable = order == ties::keep_order && has_tie_before && found[i - 1] >= found[i];
    const std::uint32_t bit = 1u << (from & 31);
    if (!is_known || is_unstable || (atomicOr(marks + from / 32, bit) & bit) != 0) atomicAdd(wrong, 1ull);
  }
};

template <class Keys>
unsigned long long wrong_keys(const unsorted_keys& by, Keys found) {
  return wrong([&](auto* counter) {
    for_numbers<<<blocks, threads>>>(by.segments.elements(), compare_keys<Keys>{by, found, counter});
  });
}
template <class Values>
unsigned long long wrong_values(const unsorted_keys& by, ties order, Values found) {
  const offset count = by.segments.elements(), words = (count + 31) / 32;
  const room<std::uint32_t> marks(words);
  require_cuda(cudaMemset(marks.data(), 0, static_cast<std::size_t>(words) * sizeof(std::uint32_t)));
  return wrong([&](auto* counter) {
    for_numbers<<<blocks, threads>>>(count, compare_values<Values>{by, order, found, marks.data(), counter});
  });
}

/// Keys that sort(first, last) has to sort.
template <class Sort>
void check_keys(const unsorted_keys& by, const Sort& sort) {
  const offset count = by.segments.elements();
  INFO(by.segments.count, " segments of about ", by.segments.each, " elements");
  const guarded<key> keys(count);
  for_numbers<<<blocks, threads>>>(count, fill_elements{by, keys.data()});
  sort(keys.data(), keys.end());
  CHECK(wrong_keys(by, keys.data()) == 0);
  CHECK(keys.are_guards_whole());
}

/// Keys with their positions that sort(first, last, values) has to sort.
template <class Value, class Sort>
void check_pairs(const unsorted_keys& by, ties order, const Sort& sort) {
  const offset count = by.segments.elements();
  const guarded<Value> values(count);
  for_numbers<<<blocks, threads>>>(count, fill_positions<Value>{values.data()});
  check_keys(by, [&](key* first, key* last) { sort(first, last, values.data()); });
  CHECK(wrong_values(by, order, values.data()) == 0);
  CHECK(values.are_guards_whole());
}

auto offsets_of(const cut& c) { return mgpu::segment_offsets(computed(c), c.count); }

template <class Value>
void check_stable_pairs(const cut& segments) {
  check_pairs<Value>({segments, false}, ties::keep_order, [&](key* first, key* last, Value* values) {
    mgpu::stable_segmented_sort_by_key(mgpu::par, first, last, values, offsets_of(segments));
  });
}
template <class Value>
void check_unstable_pairs(const cut& segments) {
  check_pairs<Value>({segments, false}, ties::any_order, [&](key* first, key* last, Value* values) {
    mgpu::segmented_sort_by_key(mgpu::par, first, last, values, offsets_of(segments));
  });
}
template <class Value>
void check_local_pairs(const cut& segments) {
  check_pairs<Value>({segments, true}, ties::keep_order, [&](key* first, key* last, Value* values) {
    mgpu::locality_sort_by_key(mgpu::par, first, last, values);
  });
}

/// All segments are empty but those of a few elements.
struct few_with_elements {
  static constexpr int few = 5;
  offset numbers[few];  // ascending
  int elements[few];

  /// Where segment i begins.
  MGPU_HOST_DEVICE offset operator()(offset i) const {
    offset begin = 0;
    for (int k = 0; k < few; ++k) begin += numbers[k] < i ? elements[k] : 0;
    return begin;
  }
};

void check_few_with_elements(offset count) {
  INFO(count, " segments");
  const few_with_elements segments{{12'345, (offset{5} << 28) + 5, two_31 - 1, two_31 + 5, count - 1},
                                   {3, 100'000, 1, 7'000, 2}};
  const auto elements = static_cast<std::size_t>(segments(count));
  std::vector<key> unsorted(elements), found(elements);
  for (std::size_t i = 0; i < elements; ++i) unsorted[i] = static_cast<key>(i * 2654435761u >> 13);
  auto expected = unsorted;
  auto begin = expected.begin();
  for (const int length : segments.elements) {
    std::sort(begin, begin + length);
    begin += length;
  }
  const guarded<key> keys(static_cast<offset>(elements));
  const auto check = [&](const auto& descriptor) {
    require_cuda(cudaMemcpy(keys.data(), unsorted.data(), elements, cudaMemcpyHostToDevice));
    mgpu::segmented_sort(mgpu::par, keys.data(), keys.end(), descriptor);
    require_cuda(cudaMemcpy(found.data(), keys.data(), elements, cudaMemcpyDeviceToHost));
    CHECK(found == expected);
    CHECK(keys.are_guards_whole());
  };
  const auto begins = computed(segments);
  check(mgpu::segment_offsets(begins, count));
  check(mgpu::segment_offsets(begins, begins + 1, count));
}

}  // namespace

TEST_SUITE_BEGIN("large");

TEST_CASE("more than 2^31 keys and more than 2^32 in segments told of by offsets, few and many") {
  if (!has_memory(std::size_t{10} << 30)) return;
  for (const auto& segments :
       {cut{5, two_31 / 5 + 7}, cut{two_31 / 129 + 1, 129}, cut{two_32 / 100'003 + 1, 100'003}}) {
    check_keys({segments, false},
               [&](key* first, key* last) { mgpu::segmented_sort(mgpu::par, first, last, offsets_of(segments)); });
  }
}

TEST_CASE("2^31 - 1 keys in one segment, 2^31 and more, and more than 2^32") {
  if (!has_memory(std::size_t{10} << 30)) return;
  for (const offset count : {two_31 - 1, two_31, two_31 + 12'345, two_32 + 12'345}) {
    const cut segments{1, count};
    check_keys({segments, false},
               [&](key* first, key* last) { mgpu::segmented_sort(mgpu::par, first, last, offsets_of(segments)); });
  }
}

TEST_CASE("more than 2^31 keys in segments told of by heads, flags, begins and ends") {
  if (!has_memory(std::size_t{8} << 30)) return;
  const cut segments{two_31 / 1'000 + 3, 1'000};
  const auto begins = computed(segments);
  check_keys({segments, false}, [&](key* first, key* last) {
    mgpu::segmented_sort(mgpu::par, first, last, mgpu::segment_heads(begins + 1, begins + segments.count));
  });
  check_keys({segments, false}, [&](key* first, key* last) {
    mgpu::segmented_sort(mgpu::par, first, last, mgpu::segment_offsets(begins, begins + 1, segments.count));
  });
  const offset word_count = (segments.elements() + 31) / 32;
  const room<std::uint32_t> words(word_count);
  for_numbers<<<blocks, threads>>>(word_count, fill_flags{segments, words.data()});
  check_keys({segments, false}, [&](key* first, key* last) {
    mgpu::segmented_sort(mgpu::par, first, last, mgpu::segment_flags(words.data()));
  });
}

TEST_CASE("more than 2^31 pairs") {
  if (!has_memory(std::size_t{26} << 30)) return;
  const cut many{two_31 / 10'007 + 1, 10'007};
  check_stable_pairs<std::uint32_t>({1, two_31 + 7});
  check_stable_pairs<std::uint32_t>(many);
  check_unstable_pairs<std::uint32_t>(many);
  check_local_pairs<std::uint32_t>({two_31 / 100'003 + 1, 100'003});
}

TEST_CASE("more than 2^32 pairs, with values of 64 bits") {
  if (!has_memory(std::size_t{80} << 30)) return;
  const cut many{two_32 / 10'007 + 1, 10'007};
  check_stable_pairs<std::uint64_t>(many);
  check_unstable_pairs<std::uint64_t>(many);
  check_local_pairs<std::uint64_t>({two_32 / 100'003 + 1, 100'003});
}

/// Equal integers without values cannot be told apart, so that no order of theirs is kept.
TEST_CASE("more than 2^32 elements without values keep the order of equal ones") {
  if (!has_memory(std::size_t{70} << 30)) return;
  const unsorted_keys by{cut{3, two_32 / 3 + 5}, false};
  const guarded<key_and_position> elements(by.segments.elements());
  for_numbers<<<blocks, threads>>>(by.segments.elements(), fill_keys_and_positions{by, elements.data()});
  mgpu::stable_segmented_sort(mgpu::par, elements.data(), elements.end(), offsets_of(by.segments));
  CHECK(wrong_keys(by, thrust::make_transform_iterator(elements.data(), key_of{})) == 0);
  CHECK(wrong_values(by, ties::keep_order, thrust::make_transform_iterator(elements.data(), position_of{})) == 0);
  CHECK(elements.are_guards_whole());
}

TEST_CASE("locality sort of more than 2^31 keys and more than 2^32, near their places, anywhere, and sorted") {
  if (!has_memory(std::size_t{10} << 30)) return;
  for (const auto& segments :
       {cut{two_31 / 101 + 1, 101}, cut{two_32 / 100'003 + 1, 100'003}, cut{3, two_31 / 3 + 5}, cut{1, two_31 + 1}}) {
    check_keys({segments, true}, [](key* first, key* last) { mgpu::locality_sort(mgpu::par, first, last); });
  }
  check_keys({cut{two_31 / 1'000'003 + 1, 1'000'003}, true}, [](key* first, key* last) {
    mgpu::locality_sort(mgpu::par, first, last);
    mgpu::sort_statistics statistics;
    mgpu::locality_sort(mgpu::par, first, last, cuda::std::less<>{}, statistics);
    CHECK(statistics.tiles > 0);
    CHECK(statistics.passes.empty());
  });
}

TEST_CASE("more than 2^31 segments and more than 2^32, all empty but a few") {
  for (const offset count : {two_31 + 70'001, two_32 + 70'001}) check_few_with_elements(count);
}

TEST_SUITE_END();
