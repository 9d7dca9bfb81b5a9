// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A tile learns the size of all tiles before it, whichever of them have published what.
#include "blocks.h"

#include <mgpu/block/compact/look_back.cuh>

#include <doctest/doctest.h>

#include <algorithm>

namespace {

using namespace mgpu::detail;
using namespace test;

using states = block::tile_state;

__global__ void clear(states* s, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) s[i].clear();
}

/// Each block takes the next tile. Tiles of some residues publish late. The last state counts the tiles taken.
__global__ void find_begins(states* s, int tiles, int slow, const offset* sizes, offset* begins) {
  unsigned long long taken = 0;
  if (threadIdx.x == 0) taken = atomicAdd(s[tiles].counter(), 1ull);
  const auto tile = static_cast<offset>(__shfl_sync(~0u, taken, 0));
  if (slow > 0 && tile % slow == slow - 1) __nanosleep(100000);
  if (threadIdx.x == 0) {
    if (tile == 0) s[tile].publish_sum(sizes[tile]);
    else s[tile].publish_own(sizes[tile]);
  }
  if (slow > 0 && tile % slow == 0) __nanosleep(20000);
  const offset begin = tile == 0 ? 0 : look_back(s, tile);
  if (threadIdx.x == 0 && tile > 0) s[tile].publish_sum(base::saturated_sum(begin, sizes[tile]));
  begins[tile * 32 + threadIdx.x] = begin;
}

__global__ void read_sums(const states* s, offset* sums, int tiles) {
  for (int i = static_cast<int>(threadIdx.x); i < tiles; i += 32) sums[i] = s[i].sum();
}

/// Tiles have, in turns, published nothing or their sum, their own size, and their sum. Looks back where no tile before
/// the nearest sum has published nothing.
__global__ void publish_some(states* s, const offset* sizes, const offset* ends, int tiles, offset* known,
                             offset* found) {
  const int lane = static_cast<int>(threadIdx.x);
  for (int i = lane; i < tiles; i += 32) {
    if (i % 3 == 1) s[i].publish_own(sizes[i]);
    else if (i % 3 == 2 || i == 0) s[i].publish_sum(ends[i]);
    if (i % 6 == 3) s[i].publish_sum(ends[i]);
  }
  __syncwarp();
  for (int i = lane; i < tiles; i += 32) known[i] = size_if_known(s, offset{i});
  for (int i = 3; i + 2 < tiles; i += 6) found[i * 32 + lane] = look_back(s, offset{i} + 2);
}

std::vector<offset> ends_of(const std::vector<offset>& sizes) {
  std::vector<offset> ends;
  offset sum = 0;
  for (const offset size : sizes) {
    sum = size > base::max_offset - sum ? base::max_offset : sum + size;
    ends.push_back(sum);
  }
  return ends;
}

/// Room for the states of tiles, and for one more.
class cleared {
 public:
  explicit cleared(int tiles) : words_(tiles + 1) {
    static_assert(sizeof(states) == sizeof(offset));
    launch(clear, tiles / 128 + 1, 128, 0, begin(), tiles + 1);
  }
  states* begin() const { return reinterpret_cast<states*>(words_.begin()); }
  bool guards_untouched() const { return words_.guards_untouched(); }

 private:
  output<cuda_executor, offset> words_;
};

void check(const std::vector<offset>& sizes, int slow) {
  const int tiles = static_cast<int>(sizes.size());
  INFO(tiles, " tiles, each ", slow, "th late");
  const cleared s(tiles);
  const input<cuda_executor, offset> in(sizes);
  output<cuda_executor, offset> begins(32 * tiles), sums(tiles);
  launch(find_begins, tiles, 32, 0, s.begin(), tiles, slow, in.begin(), begins.begin());
  launch(read_sums, 1, 32, 0, s.begin(), sums.begin(), tiles);
  const auto ends = ends_of(sizes);
  std::vector<offset> expected(32);
  for (int t = 0; t + 1 < tiles; ++t) expected.insert(expected.end(), 32, ends[t]);
  CHECK(begins.first_difference(expected) == -1);
  CHECK(sums.first_difference(ends) == -1);
  CHECK(s.guards_untouched());
}

}  // namespace

TEST_CASE("a tile finds the size of all tiles before it") {
  for (const int tiles : {1, 2, 31, 32, 33, 34, 64, 65, 1000, 4000}) {
    for (const int slow : {0, 2, 7, 40}) check(random_numbers<offset>(tiles, 0, 10000, tiles), slow);
  }
}

TEST_CASE("sizes of tiles are up to 2^63 - 2, and sums saturate") {
  constexpr offset most = base::max_offset;
  for (const int slow : {0, 5}) {
    check(std::vector<offset>(500, 0), slow);
    check(std::vector<offset>(70, most - 1), slow);
    check(random_numbers<offset>(300, 0, most / 100, 3), slow);
    check(random_numbers<offset>(300, 0, most - 1, 4), slow);
    for (const int place : {0, 1, 31, 32, 33, 63, 99}) {
      std::vector<offset> sizes(100, 0);
      sizes[place] = most - 1;
      check(sizes, slow);
      sizes[99 - place] += sizes[99 - place] == 0 ? 1 : 0;
      check(sizes, slow);
      sizes[50] = 1;
      check(sizes, slow);
    }
  }
}

TEST_CASE("a size is known if the tile has published it, or its sum and the tile before its own") {
  const auto sizes = random_numbers<offset>(200, 0, 1 << 30, 5);
  const auto ends = ends_of(sizes);
  const cleared s(200);
  const input<cuda_executor, offset> in(sizes), in_ends(ends);
  output<cuda_executor, offset> known(200), found(32 * 200);
  launch(publish_some, 1, 32, 0, s.begin(), in.begin(), in_ends.begin(), 200, known.begin(), found.begin());
  const auto result = known.read(), begins = found.read();
  const auto has_sum = [](int i) { return i == 0 || i % 3 == 2 || i % 6 == 3; };
  for (int i = 0; i < 200; ++i) {
    INFO("tile ", i);
    const bool is_known = i % 3 == 1 || i == 0 || (has_sum(i) && has_sum(i - 1));
    CHECK(result[i] == (is_known ? sizes[i] : -1));
  }
  for (int i = 3; i + 2 < 200; i += 6) {  // tile i has its sum, tile i + 1 its own size
    for (int lane = 0; lane < 32; ++lane) CHECK(begins[i * 32 + lane] == ends[i + 1]);
  }
}
