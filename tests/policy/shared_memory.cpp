// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The tiles of all keys and values that the contracts allow fit the shared memory of every architecture.
#include <mgpu/core/odd_even/merge_sort.h>
#include <mgpu/core/sort/radix_sort.h>
#include <mgpu/core/sort/segments.h>
#include <mgpu/core/sort/small_tiles.h>
#include <mgpu/join.h>
#include <mgpu/merge.h>
#include <mgpu/merge_runs.h>
#include <mgpu/set_operations.h>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

namespace {

using none = mgpu::detail::base::no_values;
template <std::size_t size>
using bytes = std::array<char, size>;

template <class T>
using array_of = std::conditional_t<mgpu::detail::base::has_values<T>, const T*, T>;
template <class T>
using output_of = std::conditional_t<mgpu::detail::base::has_values<T>, T*, T>;

/// What a block has beside its tile: bounds of bulk copies, scans, and look-back.
constexpr int own_bytes = 1024;

/// `tiles`: so many a block has at once.
template <class Core>
void check_core(int tiles) {
  const auto of_block = [&](int cc) {
    return tiles * mgpu::detail::base::align_up(Core::shared_bytes(Core::shape(cc)), 128) + own_bytes;
  };
  CHECK(of_block(75) <= 64 << 10);
  CHECK(of_block(80) <= 163 << 10);
  CHECK(of_block(86) <= 99 << 10);
  CHECK(of_block(90) <= 227 << 10);
}

template <class Key, class Value>
void check_merge() {
  INFO("merge of keys of ", sizeof(Key), " bytes, values of ", sizeof(Value));
  check_core<mgpu::detail::core::merge<const Key*, const Key*, array_of<Value>, array_of<Value>, Key*, output_of<Value>,
                                       std::less<>>>(1);
}

template <class Key, class Value, class KeyOut>
void check_set_operation(int tiles) {
  INFO("union of keys of ", sizeof(Key), " bytes, values of ", sizeof(Value));
  check_core<
      mgpu::detail::core::set_operation<std::true_type, mgpu::detail::tile::set_union, const Key*, const Key*,
                                        array_of<Value>, array_of<Value>, KeyOut, output_of<Value>, std::less<>>>(
      tiles);
}

template <class Key, class Value>
struct arrays_of_runs {
  using keys_type = const Key*;
  using values_type = array_of<Value>;
};
template <int ways, class Key, class Value>
void check_merge_runs() {
  INFO(ways, " runs of keys of ", sizeof(Key), " bytes, values of ", sizeof(Value));
  check_core<mgpu::detail::core::merge_runs<ways, arrays_of_runs<Key, Value>, Key*, output_of<Value>, std::less<>>>(1);
}

template <class Row>
void check_join() {
  INFO("join of rows of ", sizeof(Row), " bytes");
  check_core<mgpu::detail::core::join_pairs<const Row*, const Row*, std::less<>, int*, int*>>(2);
}

template <std::size_t... row_bytes>
void check_joins(std::index_sequence<row_bytes...>) {
  (check_join<bytes<row_bytes>>(), ...);
}

template <std::size_t size>
struct alignas(16) aligned_bytes {
  char bytes[size];
};
/// Tiles of small arrays and of arrays of middle size.
template <class Key, std::size_t value_bytes>
void check_sort_tiles() {
  INFO("sort of keys of ", sizeof(Key), " bytes, values of ", value_bytes);
  using mgpu::detail::core::tile_kind;
  check_core<mgpu::detail::core::sort_small_tiles<mgpu::detail::core::ties::keep_order, tile_kind::sampled, Key*,
                                                  bytes<value_bytes>*, mgpu::detail::core::one_segment, std::less<>>>(
      1);
  check_core<mgpu::detail::core::sort_small_tiles<mgpu::detail::core::ties::keep_order, tile_kind::ranked, Key*,
                                                  bytes<value_bytes>*, mgpu::detail::core::one_segment, std::less<>>>(
      1);
}
template <class Key, std::size_t... value_bytes>
void check_sorts(std::index_sequence<value_bytes...>) {
  (check_sort_tiles<Key, value_bytes>(), ...);
}

/// Tiles of numbers that are sorted by digits.
template <class Key, class Value>
void check_radix_sort() {
  INFO("radix sort of keys of ", sizeof(Key), " bytes, values of ", sizeof(Value));
  check_core<mgpu::detail::core::radix_sort<mgpu::detail::core::number_bits<Key, std::less<>>, Value>>(1);
}
/// Those of small arrays.
template <class Key, class Values>
void check_digit_tiles(std::size_t value_bytes) {
  INFO("sort by digits of keys of ", sizeof(Key), " bytes, values of ", value_bytes);
  check_core<mgpu::detail::core::sort_small_tiles<
      mgpu::detail::core::ties::keep_order, mgpu::detail::core::tile_kind::by_digits, Key*, Values,
      mgpu::detail::core::one_segment, mgpu::detail::base::number_order<Key, true>>>(1);
}
/// Of all values that such tiles may have.
template <class Key, std::size_t... fewer>
void check_digit_sorts(std::index_sequence<fewer...>) {
  check_digit_tiles<Key, none>(0);
  (check_digit_tiles<Key, bytes<fewer + 1>*>(fewer + 1), ...);
}
template <class Key>
void check_digit_sorts() {
  check_digit_sorts<Key>(std::make_index_sequence<16 - sizeof(Key)>{});
}
template <class... Keys>
void check_radix_sorts() {
  (check_radix_sort<Keys, none::value_type>(), ...);
  (check_radix_sort<Keys, std::uint8_t>(), ...);
  (check_radix_sort<Keys, std::uint16_t>(), ...);
  (check_radix_sort<Keys, std::uint32_t>(), ...);
  (check_radix_sort<Keys, std::uint64_t>(), ...);
}

template <std::size_t... key_bytes>
void check_merges(std::index_sequence<key_bytes...>) {
  (check_merge<bytes<key_bytes>, none>(), ...);
  (check_merge<bytes<key_bytes>, bytes<1>>(), ...);
  (check_merge<bytes<key_bytes>, bytes<16>>(), ...);
  (check_merge<bytes<key_bytes>, bytes<17>>(), ...);
  (check_merge<bytes<key_bytes>, bytes<1000>>(), ...);
}

template <std::size_t... key_bytes>
void check_set_operations(std::index_sequence<key_bytes...>) {
  (check_set_operation<bytes<key_bytes>, none, none>(1), ...);  // its size
  (check_set_operation<bytes<key_bytes>, none, bytes<key_bytes>*>(2), ...);
  (check_set_operation<bytes<key_bytes>, bytes<100>, bytes<key_bytes>*>(2), ...);
}

template <std::size_t... key_bytes>
void check_merges_of_runs(std::index_sequence<key_bytes...>) {
  (check_merge_runs<8, bytes<key_bytes>, none>(), ...);
  (check_merge_runs<32, bytes<key_bytes>, none>(), ...);
  (check_merge_runs<16, bytes<key_bytes>, bytes<5>>(), ...);
  (check_merge_runs<32, bytes<key_bytes>, bytes<5>>(), ...);
  (check_merge_runs<32, bytes<key_bytes>, bytes<3>>(), ...);
  (check_merge_runs<32, bytes<key_bytes>, bytes<7>>(), ...);
  (check_merge_runs<32, bytes<key_bytes>, bytes<8>>(), ...);
  (check_merge_runs<32, bytes<key_bytes>, bytes<100>>(), ...);
}

}  // namespace

TEST_CASE("tiles of merges fit the shared memory of every architecture") {
  check_merges(std::index_sequence<1, 3, 4, 8, 9, 12, 16, 20, 44, 64, 176, 253, 400, 700, 904, 1024>{});
}

TEST_CASE("tiles of set operations fit the shared memory of every architecture") {
  check_set_operations(std::index_sequence<1, 3, 4, 8, 9, 12, 16, 17, 32, 43, 60, 64, 200, 500, 768>{});
}

TEST_CASE("tiles of merged runs fit the shared memory of every architecture") {
  check_merges_of_runs(std::index_sequence<1, 3, 4, 8, 9, 10, 11, 13, 15, 16, 17, 20, 64, 130, 256>{});
}

TEST_CASE("tiles of joins fit the shared memory of every architecture") {
  check_joins(std::index_sequence<1, 4, 8, 12, 13, 32, 58, 64, mgpu::detail::tuning::most_joined_row_bytes>{});
}

TEST_CASE("tiles of sorts fit the shared memory of every architecture") {
  check_sorts<bytes<4>>(std::index_sequence<1, 4, 8, 12, 28, 32, 33, 60>{});
  check_sorts<bytes<12>>(std::index_sequence<1, 4, 20, 36, 52>{});
  check_sorts<aligned_bytes<16>>(std::index_sequence<1, 16, 31, 32, 46, 47, 48>{});
  check_sorts<aligned_bytes<32>>(std::index_sequence<1, 16, 30, 31, 32>{});
  check_sorts<aligned_bytes<48>>(std::index_sequence<1, 15, 16>{});
}

TEST_CASE("tiles of odd-even merge sorts fit the shared memory of every architecture") {
  using mgpu::detail::base::order;
  using mgpu::detail::core::odd_even_merge_sort;
  check_core<odd_even_merge_sort<std::int32_t*, none, order<cuda::std::less<>>>>(1);
  check_core<odd_even_merge_sort<float*, none, order<cuda::std::greater<>>>>(1);
  check_core<odd_even_merge_sort<std::int64_t*, none, order<cuda::std::less<>>>>(1);
  check_core<odd_even_merge_sort<bytes<4>*, bytes<60>*, order<cuda::std::less<>>>>(1);
  check_core<odd_even_merge_sort<bytes<64>*, bytes<64>*, order<cuda::std::less<>>>>(1);
  check_core<odd_even_merge_sort<bytes<128>*, none, order<cuda::std::less<>>>>(1);
}

TEST_CASE("tiles of radix sorts fit the shared memory of every architecture") {
  check_radix_sorts<std::uint16_t, std::uint32_t, std::uint64_t>();
  check_digit_sorts<std::uint8_t>();
  check_digit_sorts<std::uint16_t>();
  check_digit_sorts<std::uint32_t>();
  check_digit_sorts<std::uint64_t>();
}
