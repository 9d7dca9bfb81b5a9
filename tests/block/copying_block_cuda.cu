// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The threads of a block copy elements to shared memory, which are there when the block has waited.
#include "blocks.h"
#include "support/keys.h"

#include <mgpu/tile/word.h>
#include <mgpu/block/stage/copying_block.cuh>

#include <doctest/doctest.h>

#include <cstdint>

namespace {

using namespace mgpu::detail;
using namespace test;

template <int threads, class T>
__global__ void copy(const T* in, int count, int rounds, T* out, int room_bytes, int* strays) {
  const guarded room(room_bytes);
  block::copying_block<least_core<threads, 1, 0>> b(room.begin());
  T* const staged = base::aligned<T>(b.take(0));
  for (int round = 0; round < rounds; ++round) {
    const int first = (static_cast<int>(blockIdx.x) * rounds + round) * count;
    for (int i = b.thread(); i < count; i += threads) b.start_copy(staged + i, in + first + i);
    b.wait_for_copies();
    for (int i = b.thread(); i < count; i += threads) out[first + i] = staged[count - 1 - i];
    b.sync();
  }
  room.check(strays, static_cast<int>(reinterpret_cast<char*>(staged + count) - room.begin()));
}

template <int threads, class T>
void check(int count) {
  constexpr int blocks = 3, rounds = 4;
  std::vector<T> elements, expected;
  for (int i = 0; i < blocks * rounds * count; ++i) elements.push_back(make_value<T>(i));
  for (int i = 0; i < blocks * rounds * count; ++i)
    expected.push_back(elements[i / count * count + count - 1 - i % count]);
  const input<cuda_executor, T> in(elements);
  output<cuda_executor, T> out(blocks * rounds * count);
  const counter strays;
  const int room_bytes = block::copying_block<least_core<threads, 1, 0>>::own_bytes + count * int{sizeof(T)} + 16;
  launch(copy<threads, T>, blocks, threads, room_bytes, in.begin(), count, rounds, out.begin(), room_bytes,
         strays.begin());
  CHECK(out.first_difference(expected) == -1);
  CHECK(strays.read() == 0);
}

}  // namespace

TEST_CASE_TEMPLATE("elements are in shared memory when the block has waited", T, std::uint8_t, std::uint16_t,
                   std::uint32_t, std::uint64_t, tile::word, key12, key16, key32, value_bytes<3>) {
  for (const int count : {0, 1, 31, 32, 33, 1000}) {
    check<32, T>(count);
    check<256, T>(count);
  }
}
