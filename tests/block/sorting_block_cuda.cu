// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a block that sorts offers to cores: sums, lists, searches and copies by its threads, and its ways of sorting.
#include "items.h"
#include "support/keys.h"

#include <mgpu/tile/shared_layout.h>
#include <mgpu/block/sort/sorting_block.cuh>

#include <doctest/doctest.h>

#include <cstdint>
#include <numeric>

namespace {

using namespace mgpu::detail;
using namespace test;

template <int threads, int items>
using block_of = block::sorting_block<least_core<threads, items, 0>>;
constexpr int own_bytes = block_of<32, 1>::own_bytes;

/// What each thread learns of the numbers that all threads have.
struct answers {
  int sum_before, sum_of_warps, listed, last_not_above;
  unsigned count_before;
  offset of_next_lane, found[2], shared[2];
  bool any_is_seven, any_is_none;
};

template <int threads>
__global__ void ask(const int* numbers, answers* out, unsigned short* list, int* raised, unsigned* words) {
  const guarded room(own_bytes + threads * int{sizeof(unsigned)});
  block_of<threads, 1> b(room.begin());
  auto* const sums = reinterpret_cast<unsigned*>(b.take(threads * int{sizeof(unsigned)}));
  const int number = numbers[b.thread()];
  answers mine{};
  mine.sum_before = b.sum_of_threads_before(number);
  b.sync();
  mine.count_before = b.count_before(static_cast<unsigned>(number), sums);
  b.sync();
  mine.sum_of_warps = b.sum_of_warps(number, 2);
  mine.any_is_seven = b.any(number == 7);
  mine.any_is_none = b.any(number < 0);
  mine.of_next_lane = b.of_lane(offset{number} << 32 | 5, (b.thread() + 1) % 32);
  b.find_two(
      [&](int which, const auto& search) {
        return search.partition_point(offset{0}, offset{1000}, [&](offset i) { return i < numbers[which]; });
      },
      mine.found[0], mine.found[1]);
  mine.shared[0] = number;
  mine.shared[1] = -number;
  b.share_one(b.thread() == threads - 3, mine.shared[0], mine.shared[1]);
  const auto odd = b.template list<5 * threads>(5 * threads - 3, [&](int i) { return numbers[i % threads] % 2 != 0; });
  mine.listed = odd.count;
  b.sync();
  for (int i = b.thread(); i < odd.count; i += threads) list[i] = odd.numbers[i];
  sums[b.thread()] = static_cast<unsigned>(3 * b.thread());
  b.sync();
  mine.last_not_above = b.template last_not_above<threads>(sums, static_cast<unsigned>(numbers[b.thread() / 32 * 32]));
  out[b.thread()] = mine;
  b.raise(raised, number);
  if (b.thread() == 0) {
    words[0] = b.load(words + 1) + (b.takes(words + 2, 9) ? 1u : 0u) + (b.takes(words + 2, 9) ? 100u : 0u);
    b.add(words + 3, b.take_ticket(words + 4) + 1);
  }
}

template <int threads>
void check_answers() {
  auto numbers = random_numbers<int>(threads, 0, 900, threads);
  numbers[threads / 2] = 7;
  const input<cuda_executor, int> in(numbers);
  output<cuda_executor, answers> out(threads);
  output<cuda_executor, unsigned short> list(5 * threads);
  const input<cuda_executor, int> raised(std::vector<int>(1, 5));
  const input<cuda_executor, unsigned> words({0, 41, 8, 10, 20});
  launch(ask<threads>, 1, threads, own_bytes + threads * int{sizeof(unsigned)}, in.begin(), out.begin(), list.begin(),
         raised.begin(), words.begin());
  std::vector<unsigned short> listed;
  for (int i = 0; i < 5 * threads - 3; ++i) {
    if (numbers[i % threads] % 2 != 0) listed.push_back(static_cast<unsigned short>(i));
  }
  CHECK(list.first_difference(listed) == -1);
  const auto found = out.read();
  for (int i = 0; i < threads; ++i) {
    const answers& x = found[i];
    const int warp = i / 32, lane = i % 32, sum = std::accumulate(numbers.begin(), numbers.begin() + i, 0);
    INFO("thread ", i, " of ", threads);
    CHECK(x.sum_before == sum);
    CHECK(x.count_before == static_cast<unsigned>(sum));
    if (warp % 2 == 0) CHECK(x.sum_of_warps == numbers[i] + numbers[i + 32]);
    CHECK(x.any_is_seven);
    CHECK_FALSE(x.any_is_none);
    CHECK(x.of_next_lane == (offset{numbers[warp * 32 + (lane + 1) % 32]} << 32 | 5));
    CHECK(x.found[0] == numbers[0]);
    CHECK(x.found[1] == numbers[1]);
    CHECK(x.shared[0] == numbers[threads - 3]);
    CHECK(x.shared[1] == -numbers[threads - 3]);
    CHECK(x.listed == static_cast<int>(listed.size()));
    CHECK(x.last_not_above == std::min(numbers[warp * 32] / 3, threads - 1));
  }
  unsigned after[5];
  int most;
  cuda_executor::copy_out(after, words.begin(), sizeof(after));
  cuda_executor::copy_out(&most, raised.begin(), sizeof(most));
  CHECK(after[0] == 42);
  CHECK(after[2] == 9);
  CHECK(after[3] == 31);
  CHECK(after[4] == 21);
  CHECK(most == *std::max_element(numbers.begin(), numbers.end()));
}

/// Copies elements to shared memory, each by its thread, and merges runs of some lengths in place.
template <int threads, int share, int ways, class Item>
__global__ void copy_and_merge(const Item* in, const int* lengths, Item* out, int room_bytes, int* strays) {
  const guarded room(room_bytes);
  block_of<threads, share> b(room.begin());
  auto* const items = reinterpret_cast<Item*>(b.take(0));
  int of_run[ways], count = 0;
  for (int w = 0; w < ways; ++w) count += of_run[w] = lengths[w];
  for (int i = b.thread(); i < count; i += threads) b.start_copy(items + i, in + i);
  b.wait_for_copies();
  auto& table = b.open_ways(of_run);
  b.sync();
  b.merge_ways(table, items, item_order<Item>{});
  b.sync();
  for (int i = b.thread(); i < count; i += threads) out[i] = items[i];
  room.check(strays);
}

template <int threads, int share, int ways, class Item>
void check_merge(const std::vector<int>& lengths) {
  const int count = std::accumulate(lengths.begin(), lengths.end(), 0), tile = threads * share;
  auto items = make_items<Item>(count, tile_pattern::low_bits, 1), expected = items;
  for (std::size_t w = 0, begin = 0; w < lengths.size(); begin += lengths[w++])
    test::stable_sort(items, static_cast<int>(begin), static_cast<int>(begin) + lengths[w]);
  test::stable_sort(expected, 0, count);
  const input<cuda_executor, Item> in(items);
  const input<cuda_executor, int> in_lengths(lengths);
  output<cuda_executor, Item> out(count);
  const counter strays;
  const int room_bytes = own_bytes + (tile + share + 1) * int{sizeof(Item)};
  launch(copy_and_merge<threads, share, ways, Item>, 1, threads, room_bytes, in.begin(), in_lengths.begin(),
         out.begin(), room_bytes, strays.begin());
  CHECK(out.first_difference(expected) == -1);
  CHECK(strays.read() == 0);
}

/// Threads of a block wait for what the blocks before them have done.
__global__ void do_in_turn(unsigned* words, int* order) {
  const guarded room(own_bytes);
  block_of<64, 1> b(room.begin());
  if (b.thread() == 0) {
    const unsigned turn = b.take_ticket(words);
    b.wait_for_done(words + 1, turn);
    order[turn] = turn == 0 ? 1 : order[turn - 1] + 1;
    b.tell_done(words + 1, 1);
  }
}

}  // namespace

TEST_CASE("the threads of a block sum, list, search and share") {
  check_answers<64>();
  check_answers<128>();
  check_answers<256>();
}

TEST_CASE_TEMPLATE("copied runs are merged in place", Item, std::uint8_t, std::int16_t, std::uint32_t, std::int64_t,
                   placed<std::int32_t, std::uint32_t>, placed<std::uint64_t, std::uint64_t>) {
  for (const auto& lengths : std::vector<std::vector<int>>{
           {0, 0, 0, 0}, {0, 1, 0, 0}, {100, 0, 0, 100}, {1, 200, 3, 100}, {60, 60, 61, 59}, {0, 300, 0, 1}}) {
    check_merge<64, 7, 4, Item>(lengths);
    check_merge<128, 5, 4, Item>(lengths);
  }
}

TEST_CASE("blocks wait for what others have done") {
  const input<cuda_executor, unsigned> words({0, 0});
  output<cuda_executor, int> order(500);
  launch(do_in_turn, 500, 64, own_bytes, words.begin(), order.begin());
  std::vector<int> expected(500);
  std::iota(expected.begin(), expected.end(), 1);
  CHECK(order.first_difference(expected) == -1);
}
