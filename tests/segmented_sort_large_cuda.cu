// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// More than 2^31 elements, in one segment and in many, and more than 2^31 segments. Everything is made and checked on the device.
#include "support/large.h"

#include <mgpu/locality_sort.h>
#include <mgpu/segmented_sort.h>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace {

using namespace test;
using key = std::uint8_t;

constexpr offset two_31 = offset{1} << 31;

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

/// What the element `rank` of `count` sorted ones is before the sort: a permutation of the ranks, the product with a prime that is
/// greater than any count that is not its multiple.
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

template <class F>
auto computed(const F& f) {
  return thrust::make_transform_iterator(thrust::counting_iterator<offset>(0), f);
}

/// Calls f(i) for the numbers from 0 to count - 1.
template <class F>
__global__ void for_numbers(offset count, F f) {
  const offset step = offset{gridDim.x} * blockDim.x;
  for (offset i = offset{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) f(i);
}

struct fill_keys {
  unsorted_keys by;
  key* out;
  MGPU_DEVICE void operator()(offset i) const { out[i] = by(i); }
};
struct fill_positions {
  std::uint32_t* out;
  MGPU_DEVICE void operator()(offset i) const { out[i] = static_cast<std::uint32_t>(i); }
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

struct compare_keys {
  unsorted_keys by;
  const key* found;
  unsigned long long* wrong;
  MGPU_DEVICE void operator()(offset i) const {
    if (found[i] != by.sorted(i)) atomicAdd(wrong, 1ull);
  }
};
/// Values number the elements: each has its key and is in its segment, and those of equal keys ascend, so that none is there twice.
struct compare_values {
  unsorted_keys by;
  const std::uint32_t* found;
  unsigned long long* wrong;
  MGPU_DEVICE void operator()(offset i) const {
    const offset segment = by.segments.segment_of(i), from = found[i];
    const bool is_known = from < by.segments.elements() && by(from) == by.sorted(i) &&
                          (by.is_one_array || by.segments.segment_of(from) == segment);
    const bool has_tie_before = i > (by.is_one_array ? 0 : by.segments(segment)) && by.sorted(i - 1) == by.sorted(i);
    if (!is_known || (has_tie_before && found[i - 1] >= found[i])) atomicAdd(wrong, 1ull);
  }
};

/// Elements between guards.
template <class T>
class guarded {
 public:
  explicit guarded(offset count) : count_(count), room_(count + 2 * guard) {
    require_cuda(cudaMemset(room_.data(), 0x5a, static_cast<std::size_t>(count + 2 * guard) * sizeof(T)));
  }
  T* data() const { return room_.data() + guard; }
  T* end() const { return data() + count_; }
  bool are_guards_whole() const { return is_whole(room_.data()) && is_whole(end()); }

 private:
  static constexpr offset guard = 256;

  static bool is_whole(const T* first) {
    unsigned char bytes[guard * sizeof(T)];
    require_cuda(cudaMemcpy(bytes, first, sizeof(bytes), cudaMemcpyDeviceToHost));
    for (const auto byte : bytes) {
      if (byte != 0x5a) return false;
    }
    return true;
  }

  offset count_;
  room<T> room_;
};

/// Keys that sort(first, last) has to sort.
template <class Sort>
void check_keys(const unsorted_keys& by, const Sort& sort) {
  const offset count = by.segments.elements();
  INFO(by.segments.count, " segments of about ", by.segments.each, " elements");
  const guarded<key> keys(count);
  for_numbers<<<blocks, threads>>>(count, fill_keys{by, keys.data()});
  sort(keys.data(), keys.end());
  CHECK(wrong([&](auto* counter) {
          for_numbers<<<blocks, threads>>>(count, compare_keys{by, keys.data(), counter});
        }) == 0);
  CHECK(keys.are_guards_whole());
}

/// Keys with their positions that sort(first, last, values) has to sort stably.
template <class Sort>
void check_pairs(const unsorted_keys& by, const Sort& sort) {
  const offset count = by.segments.elements();
  const guarded<std::uint32_t> values(count);
  for_numbers<<<blocks, threads>>>(count, fill_positions{values.data()});
  check_keys(by, [&](key* first, key* last) { sort(first, last, values.data()); });
  CHECK(wrong([&](auto* counter) {
          for_numbers<<<blocks, threads>>>(count, compare_values{by, values.data(), counter});
        }) == 0);
  CHECK(values.are_guards_whole());
}

auto offsets_of(const cut& c) { return mgpu::segment_offsets(computed(c), c.count); }

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

}  // namespace

TEST_SUITE_BEGIN("large");

TEST_CASE("more than 2^31 keys in segments told of by offsets, few and many") {
  if (!has_memory(std::size_t{7} << 30)) return;
  for (const auto& segments :
       {cut{5, two_31 / 5 + 7}, cut{two_31 / 129 + 1, 129}, cut{two_31 / 100'003 + 1, 100'003}}) {
    check_keys({segments, false},
               [&](key* first, key* last) { mgpu::segmented_sort(mgpu::par, first, last, offsets_of(segments)); });
  }
}

TEST_CASE("2^31 - 1 keys in one segment, 2^31 and more") {
  if (!has_memory(std::size_t{7} << 30)) return;
  for (const offset count : {two_31 - 1, two_31, two_31 + 12'345}) {
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

TEST_CASE("more than 2^31 pairs keep the order of equal keys") {
  if (!has_memory(std::size_t{26} << 30)) return;
  for (const auto& segments : {cut{1, two_31 + 7}, cut{two_31 / 10'007 + 1, 10'007}}) {
    check_pairs({segments, false}, [&](key* first, key* last, std::uint32_t* values) {
      mgpu::stable_segmented_sort_by_key(mgpu::par, first, last, values, offsets_of(segments));
    });
  }
  check_pairs({cut{two_31 / 100'003 + 1, 100'003}, true}, [&](key* first, key* last, std::uint32_t* values) {
    mgpu::locality_sort_by_key(mgpu::par, first, last, values);
  });
}

TEST_CASE("locality sort of more than 2^31 keys, near their places, anywhere, and sorted") {
  if (!has_memory(std::size_t{7} << 30)) return;
  for (const auto& segments :
       {cut{two_31 / 101 + 1, 101}, cut{two_31 / 100'003 + 1, 100'003}, cut{3, two_31 / 3 + 5}, cut{1, two_31 + 1}}) {
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

TEST_CASE("more than 2^31 segments, all empty but a few") {
  constexpr offset count = two_31 + 70'001;
  constexpr few_with_elements segments{{12'345, (offset{5} << 28) + 5, two_31 - 1, two_31 + 5, count - 1},
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

TEST_SUITE_END();
