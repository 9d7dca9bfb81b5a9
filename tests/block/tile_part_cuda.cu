// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A part of a tile says where its elements come from, also if they lie in two memories.
#include "blocks.h"
#include "support/keys.h"

#include <mgpu/block/tile_part.cuh>

#include <doctest/doctest.h>

#include <cstdint>

namespace {

using namespace mgpu::detail;
using namespace test;

template <class T>
__device__ void move_ends_and_words(const block::tile_part<T*>& part) {
  const int thread = static_cast<int>(threadIdx.x);
  const char* const from = reinterpret_cast<const char*>(part.from);
  for (int i = thread; i < part.span.bulk_bytes; i += 32)
    part.to[part.span.bulk_begin + i] = from[part.span.bulk_begin + i];
  block::copy_ends<T>(part.to, from, part.span, thread);
}

/// Takes elements [first, first + count) of a spliced array to shared memory: as bytes if they lie in one memory.
template <class T>
__global__ void take_part(base::spliced_later<T> array, int first, int count, T* out, int room_bytes, int* strays) {
  using part_type = block::tile_part<base::spliced_later<T>>;
  static_assert(block::tile_part<T*>::is_one_array && !part_type::is_one_array);
  const guarded room(room_bytes);
  T* const begin = array.array() + first;
  const auto span = block::bulk_span::writable(begin, count);
  char* const to = room.begin() + span.misalignment;
  const part_type part{{begin, count, to, to + span.bytes, span}, array, offset{first}};
  if (part.array.is_one_array()) {
    move_ends_and_words<T>(part);
  } else {
    const base::spliced<T> elements = part.array + part.first;
    for (int i = static_cast<int>(threadIdx.x); i < part.count; i += 32)
      base::construct(reinterpret_cast<T*>(part.to) + i, elements[i]);
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < part.count; i += 32) out[i] = reinterpret_cast<const T*>(part.to)[i];
  room.check(strays, static_cast<int>(part.after - room.begin()));
}

template <class T>
void check(const base::splice& splice, int skipped) {
  constexpr int all = 100;
  std::vector<T> elements[2];
  for (int i = 0; i < all; ++i) {
    elements[0].push_back(make_value<T>(i));
    elements[1].push_back(make_value<T>(i + 1000));
  }
  const input<cuda_executor, T> first(elements[0], skipped), second(elements[1], skipped);
  const input<cuda_executor, base::splice> how(std::vector<base::splice>(1, splice));
  for (const int begin : {0, 1, 3, 50, 99}) {
    for (const int count : {0, 1, 2, 17, 50, 97}) {
      if (begin + 2 + count > all) continue;
      INFO("border ", splice.border, ", [", begin, ", ", begin + count, "), skipped ", skipped);
      // The array begins two elements behind the beginnings of the memories.
      const base::spliced_later<T> array{how.begin(), {first.begin(), second.begin()}, 2};
      output<cuda_executor, T> out(count);
      const counter strays;
      const int room_bytes = count * int{sizeof(T)} + 32;
      launch(take_part<T>, 1, 32, room_bytes, array, begin, count, out.begin(), room_bytes, strays.begin());
      std::vector<T> expected;
      for (int i = begin + 2; i < begin + 2 + count; ++i)
        expected.push_back(elements[i < splice.border ? splice.before : splice.from][i]);
      CHECK(out.first_difference(expected) == -1);
      CHECK(strays.read() == 0);
    }
  }
}

}  // namespace

TEST_CASE_TEMPLATE("a part of one or of two memories has the elements of the array", T, std::uint8_t, std::uint16_t,
                   std::uint32_t, std::uint64_t, key12, key16, value_bytes<17>) {
  for (const int skipped : {0, 1, 5}) {
    for (const int border : {0, 2, 3, 4, 40, 99, 100}) {
      check<T>({border, 0, 1}, skipped);
      check<T>({border, 1, 0}, skipped);
    }
    check<T>({-1, 0, 0}, skipped);
    check<T>({-1, 1, 1}, skipped);
  }
}
