// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A block brings parts of two inputs to shared memory and takes its results to the output, wherever these lie.
#include "blocks.h"
#include "support/keys.h"

#include <mgpu/block/stage/staging_block.cuh>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>

namespace {

using namespace mgpu::detail;
using namespace test;

template <class T>
constexpr int placed_bytes(int items) {
  return base::align_up(items * int{sizeof(T)}, 16) + 48;
}
template <int threads, int items, class T>
struct core {
  static MGPU_HOST_DEVICE constexpr base::tile_shape shape(int) { return {threads, items, 1, 1}; }
  static MGPU_HOST_DEVICE constexpr int staged_bytes() { return tile::staged_pair_bytes<T, T>(shape(0)); }
  static constexpr int shared_bytes(const base::tile_shape& s) {
    return staged_bytes() + placed_bytes<T>(s.items_per_tile());
  }
};

/// Elements that no bulk copy can bring.
template <class T>
struct by_elements {
  using iterator_category = cuda::std::random_access_iterator_tag;
  using value_type = T;
  using difference_type = offset;
  using pointer = const T*;
  using reference = const T&;
  const T* array;

  __device__ const T& operator[](offset i) const { return array[i]; }
  __device__ by_elements operator+(offset n) const { return {array + n}; }
};

struct both_as_bytes {
  template <class T>
  static __device__ const T* a(const T* x) {
    return x;
  }
  template <class T>
  static __device__ const T* b(const T* x) {
    return x;
  }
};
struct both_by_elements {
  template <class T>
  static __device__ by_elements<T> a(const T* x) {
    return {x};
  }
  template <class T>
  static __device__ by_elements<T> b(const T* x) {
    return {x};
  }
};
struct one_by_elements : both_by_elements {
  template <class T>
  static __device__ const T* b(const T* x) {
    return x;
  }
};

/// The inputs, where results go, and the tiles: the results of tile t are its part of a, then its part of b.
template <class T>
struct job {
  const T* a;
  const T* b;
  offset a_count, b_count;
  base::spliced<T> out;
  const tile::range* tiles;
  int tile_count, room_bytes;
  int* strays;
};

/// Tile after tile goes through shared memory.
template <int threads, int items, class T, class Iterators>
__global__ void stage_and_store(job<T> j, bool is_spliced) {
  using core = core<threads, items, T>;
  const guarded room(j.room_bytes);
  block::staging_block<core> b(room.begin());
  char* const begin = b.take(0);
  for (int i = static_cast<int>(blockIdx.x); i < j.tile_count; i += static_cast<int>(gridDim.x)) {
    const tile::range t = j.tiles[i];
    b.take_from(begin);
    const auto staged = b.stage(Iterators::a(j.a), j.a_count, Iterators::b(j.b), j.b_count, t);
    b.wait();
    base::slot<T> x[items];
    for (int k = 0; k < items; ++k) {
      const int at = b.thread() * items + k;
      if (at < t.count()) x[k].put(at < t.a_count() ? staged.a[at] : staged.b[at - t.a_count()]);
    }
    T* const out = j.out.before + t.out_begin();
    T* const placed = b.place(reinterpret_cast<char*>(base::aligned<T>(begin + core::staged_bytes())), out);
    b.put(x, placed, t.count());
    b.publish();
    if (is_spliced) b.store_placed(placed, j.out + t.out_begin(), t.count());
    else b.store_placed(placed, out, t.count());
    b.finish();
    b.sync();
  }
  room.check(j.strays);
}

/// The results in reverse, gathered from the inputs.
template <int threads, int items, class T, class Iterators>
__global__ void gather(job<T> j, const tile::source* sources) {
  const guarded room(j.room_bytes);
  block::staging_block<core<threads, items, T>> b(room.begin());
  for (int i = static_cast<int>(blockIdx.x); i < j.tile_count; i += static_cast<int>(gridDim.x)) {
    const tile::range t = j.tiles[i];
    const auto from_a = Iterators::a(j.a) + t.a_begin;
    const auto from_b = Iterators::b(j.b) + t.b_begin;
    b.store_gathered(sources + t.out_begin(), t.a_count(), t.count(), from_a, from_b, j.out.before + t.out_begin());
  }
  room.check(j.strays);
}

/// Elements of one input go to the same places of another array.
template <int threads, int items, class T, class Iterators>
__global__ void stage_one(job<T> j) {
  using core = core<threads, items, T>;
  const guarded room(j.room_bytes);
  block::staging_block<core> b(room.begin());
  char* const begin = reinterpret_cast<char*>(base::aligned<T>(b.take(0)));
  for (int i = static_cast<int>(blockIdx.x); i < j.tile_count; i += static_cast<int>(gridDim.x)) {
    const tile::range t = j.tiles[i];
    T* const out = j.out.before + t.a_begin;
    T* const staged = b.stage_one(Iterators::a(j.a), j.a_count, t.a_begin, t.a_count(), begin, out);
    b.wait();
    b.publish();
    b.store_placed(staged, out, t.a_count());
    b.finish();
    b.sync();
  }
  room.check(j.strays);
}

/// Cuts the inputs into tiles of at most `most` elements, some empty, some of one input alone.
std::vector<tile::range> cut(int a_count, int b_count, int most) {
  std::mt19937 random(most);
  std::vector<tile::range> tiles;
  for (int a = 0, b = 0, i = 0; a < a_count || b < b_count; ++i) {
    const int room = i % 3 == 0 ? most : static_cast<int>(random() % (most + 1u));
    const int of_a = std::min(a_count - a, i % 5 == 0   ? room
                                           : i % 5 == 1 ? 0
                                                        : static_cast<int>(random() % (room + 1)));
    const int of_b = std::min(b_count - b, room - of_a);
    tiles.push_back({a, a + of_a, b, b + of_b});
    a += of_a;
    b += of_b;
  }
  return tiles;
}

template <int threads, int items, class T, class Iterators>
void check(int a_count, int b_count, int skipped) {
  INFO(a_count, " + ", b_count, " elements, skipped ", skipped);
  std::vector<T> elements[2];
  for (int i = 0; i < a_count; ++i) elements[0].push_back(make_value<T>(i));
  for (int i = 0; i < b_count; ++i) elements[1].push_back(make_value<T>(1'000'000 + i));
  auto tiles = cut(a_count, b_count, threads * items);
  std::vector<T> expected;
  std::vector<tile::source> sources;
  std::vector<T> reversed;
  for (const tile::range& t : tiles) {
    expected.insert(expected.end(), elements[0].begin() + t.a_begin, elements[0].begin() + t.a_end);
    expected.insert(expected.end(), elements[1].begin() + t.b_begin, elements[1].begin() + t.b_end);
    for (int i = t.count() - 1; i >= 0; --i) {
      sources.push_back(static_cast<tile::source>(i));
      reversed.push_back(expected[static_cast<std::size_t>(t.out_begin() + i)]);
    }
  }
  const int count = a_count + b_count, border = count / 3, blocks = 7;
  const input<cuda_executor, T> a(elements[0], skipped), b(elements[1], 3 - skipped);
  const input<cuda_executor, tile::range> in_tiles(tiles);
  const input<cuda_executor, tile::source> in_sources(sources);
  const counter strays;
  const int room_bytes = block::staging_block<core<threads, items, T>>::shared_bytes({threads, items, 1, 1});
  const auto run = [&](auto kernel, output<cuda_executor, T>& out, output<cuda_executor, T>& rest,
                       const auto&... arguments) {
    launch(kernel, blocks, threads, room_bytes,
           job<T>{a.begin(),
                  b.begin(),
                  a_count,
                  b_count,
                  {out.begin(), rest.begin(), border},
                  in_tiles.begin(),
                  static_cast<int>(tiles.size()),
                  room_bytes,
                  strays.begin()},
           arguments...);
  };
  output<cuda_executor, T> whole(count, skipped / 2), before(count, 2), behind(count, 2), gathered(count, skipped),
      one(a_count, skipped);
  run(stage_and_store<threads, items, T, Iterators>, whole, whole, false);
  run(stage_and_store<threads, items, T, Iterators>, before, behind, true);
  run(gather<threads, items, T, Iterators>, gathered, gathered, in_sources.begin());
  CHECK(whole.first_difference(expected) == -1);
  CHECK(before.first_difference({expected.begin(), expected.begin() + border}) == -1);
  auto rest = output<cuda_executor, T>(count, 2).read();
  std::copy(expected.begin() + border, expected.end(), rest.begin() + border);
  CHECK(behind.first_difference(rest) == -1);
  CHECK(gathered.first_difference(reversed) == -1);
  // The guard of 48 elements in front keeps the place in a word of 16 bytes.
  run(stage_one<threads, items, T, Iterators>, one, one);
  CHECK(one.first_difference(elements[0]) == -1);
  CHECK(strays.read() == 0);
}

template <int threads, int items, class T, class Iterators>
void check_counts() {
  constexpr int tile_items = threads * items;
  for (int skipped = 0; skipped < 4; ++skipped) {
    check<threads, items, T, Iterators>(0, 0, skipped);
    check<threads, items, T, Iterators>(1, 0, skipped);
    check<threads, items, T, Iterators>(0, tile_items, skipped);
    check<threads, items, T, Iterators>(9 * tile_items + 5, 7 * tile_items + 3, skipped);
  }
}

}  // namespace

TEST_CASE_TEMPLATE("a tile goes through shared memory as it is", T, std::uint8_t, std::int16_t, std::uint32_t,
                   std::int64_t, key12, key16, key32, value_bytes<17>) {
  check_counts<32, 1, T, both_as_bytes>();
  check_counts<64, 7, T, both_as_bytes>();
  check_counts<256, 9, T, both_as_bytes>();
  check_counts<64, 7, T, both_by_elements>();
  check_counts<64, 7, T, one_by_elements>();
}
