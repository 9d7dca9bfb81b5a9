// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A range is cut into whole words, which go by bulk copy, and the ends around them.
#include "blocks.h"
#include "support/keys.h"

#include <mgpu/tile/word.h>
#include <mgpu/block/stage/bulk_span.cuh>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>

namespace {

using namespace mgpu::detail;
using namespace test;

/// Elements [first, first + count) of an array of `all` elements.
struct part_of_array {
  int first, count, all;
};
constexpr int room_bytes = 2048, room_begin = 64;

/// Copies the words byte by byte, and the ends as copies do it. A block for each part.
template <class T, bool is_readable>
__global__ void copy(const T* array, const part_of_array* parts, block::bulk_span* spans, char* rooms) {
  const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  const part_of_array p = parts[blockIdx.x];
  const T* const first = array + p.first;
  const auto span = is_readable ? block::bulk_span::readable(array, p.all, p.first, p.count)
                                : block::bulk_span::writable(first, p.count);
  const char* const from = reinterpret_cast<const char*>(first);
  char* const to = rooms + blockIdx.x * room_bytes + room_begin + span.misalignment;
  for (int i = thread; i < span.bulk_bytes; i += threads) to[span.bulk_begin + i] = from[span.bulk_begin + i];
  block::copy_ends<T>(to, from, span, thread);
  if (thread == 0) spans[blockIdx.x] = span;
}

/// before, behind: the bytes around the part that may be copied with it.
void check_span(const block::bulk_span& s, std::uintptr_t first, int bytes, int before, int behind) {
  const int end = s.bulk_begin + s.bulk_bytes;
  REQUIRE(s.bytes == bytes);
  REQUIRE(s.misalignment == static_cast<int>(first % 16));
  REQUIRE(s.bulk_bytes >= 0);
  REQUIRE(s.bulk_bytes % 16 == 0);
  if (s.bulk_bytes == 0) {
    REQUIRE(s.bulk_begin == bytes);
    REQUIRE(bytes <= 30);
  } else {
    REQUIRE((first + static_cast<std::uintptr_t>(s.bulk_begin)) % 16 == 0);
    REQUIRE(s.bulk_begin >= -before);
    REQUIRE(end <= bytes + behind);
    REQUIRE(s.bulk_begin > -16);
    REQUIRE(s.bulk_begin < 16);
    REQUIRE(end > bytes - 16);
    REQUIRE(end < bytes + 16);
  }
}

template <class T, bool is_readable>
void check(const std::vector<part_of_array>& parts, int skipped) {
  constexpr int size = sizeof(T);
  std::vector<T> elements;
  for (int i = 0; i < parts[0].all; ++i) elements.push_back(make_value<T>(i + 1));
  const input<cuda_executor, T> array(elements, skipped);
  const input<cuda_executor, part_of_array> in(parts);
  const auto count = static_cast<int>(parts.size());
  output<cuda_executor, block::bulk_span> spans(count);
  output<cuda_executor, char> rooms(offset{count} * room_bytes);
  auto expected = rooms.read();
  launch(copy<T, is_readable>, count, 32, 0, array.begin(), in.begin(), spans.begin(), rooms.begin());
  const auto found = spans.read();
  for (int i = 0; i < count; ++i) {
    const part_of_array& p = parts[i];
    INFO("elements of ", size, " bytes, [", p.first, ", ", p.first + p.count, ") of ", p.all, ", skipped ", skipped);
    const int before = is_readable ? p.first * size : 0, behind = is_readable ? (p.all - p.first - p.count) * size : 0;
    check_span(found[i], reinterpret_cast<std::uintptr_t>(array.begin() + p.first), p.count * size, before, behind);
    // The elements, and of what lies around them the rest of words.
    const int begin = std::min(0, found[i].bulk_begin);
    const int end = std::max(p.count * size, found[i].bulk_begin + found[i].bulk_bytes);
    const char* const from = reinterpret_cast<const char*>(elements.data() + p.first) + begin;
    const auto to = i * room_bytes + room_begin + found[i].misalignment + begin;
    std::copy(from, from + (end - begin), expected.begin() + to);
  }
  CHECK(spans.guards_untouched());
  CHECK(rooms.first_difference(expected) == -1);
}

}  // namespace

TEST_CASE_TEMPLATE("words and ends together are the range", T, std::uint8_t, std::uint16_t, std::uint32_t,
                   std::uint64_t, tile::word, key12, key16, key32, value_bytes<3>, value_bytes<17>) {
  constexpr int all = 60;
  std::vector<part_of_array> parts;
  for (int first = 0; first < 36; ++first) {
    for (const int count : {0, 1, 2, 3, 4, 5, 7, 8, 9, 13, 15, 16, 17, 20, 23}) parts.push_back({first, count, all});
  }
  for (int first = 36; first <= all; ++first) parts.push_back({first, all - first, all});
  for (const int skipped : {0, 1, 7}) {
    check<T, true>(parts, skipped);
    check<T, false>(parts, skipped);
  }
}
