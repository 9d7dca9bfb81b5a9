// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/tile/host/copy.h>

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <vector>

namespace {

using mgpu::offset;

template <int Bytes>
struct bytes_of {
  std::uint8_t byte[Bytes];
};

/// An element all of whose bytes are the same.
template <class T>
T all_of(std::uint8_t byte) {
  T x;
  std::memset(static_cast<void*>(&x), byte, sizeof(T));
  return x;
}

template <class T>
bool is_all_of(const T& x, std::uint8_t byte) {
  const T other = all_of<T>(byte);
  return std::memcmp(&x, &other, sizeof(T)) == 0;
}

constexpr std::uint8_t sentinel = 0x5a, filled = 0xc3;
constexpr offset guard = 80;

/// Not inlined: g++ would warn of writes into vectors that it takes for empty.
template <class T>
[[gnu::noinline]] void fill(T* out, offset count, offset room, const T& x) {
  mgpu::detail::tile::host_fill(out, count, room, x);
}
template <class T>
[[gnu::noinline]] void copy(const T* in, offset count, T* out) {
  mgpu::detail::tile::host_copy(in, count, out);
}

/// Fills count elements where `room` may be written. All of them are filled, nothing outside the room has changed, and
/// inside nothing but the element or what was there is found.
template <class T>
bool fills(offset count, offset room) {
  std::vector<T> memory(static_cast<std::size_t>(guard + room + guard), all_of<T>(sentinel));
  fill(memory.data() + guard, count, room, all_of<T>(filled));
  for (offset i = -guard; i < room + guard; ++i) {
    const T& found = memory[static_cast<std::size_t>(guard + i)];
    const bool is_filled = is_all_of(found, filled), is_untouched = is_all_of(found, sentinel);
    if (i >= 0 && i < count ? !is_filled : i < 0 || i >= room ? !is_untouched : !is_filled && !is_untouched)
      return false;
  }
  return true;
}

/// Copies count elements; nothing else changes, neither around them nor in the source.
template <class T>
bool copies(offset count) {
  std::vector<T> from, memory(static_cast<std::size_t>(guard + count + guard), all_of<T>(sentinel));
  for (offset i = 0; i < count + 1; ++i) from.push_back(all_of<T>(static_cast<std::uint8_t>(i * 7 + 1)));
  copy(from.data(), count, memory.data() + guard);
  for (offset i = -guard; i < count + guard; ++i) {
    const auto expected = i < 0 || i >= count ? sentinel : static_cast<std::uint8_t>(i * 7 + 1);
    if (!is_all_of(memory[static_cast<std::size_t>(guard + i)], expected)) return false;
  }
  for (offset i = 0; i < count + 1; ++i) {
    if (!is_all_of(from[static_cast<std::size_t>(i)], static_cast<std::uint8_t>(i * 7 + 1))) return false;
  }
  return true;
}

}  // namespace

TEST_CASE_TEMPLATE("host_fill fills all and stays in its room", T, std::uint8_t, std::int16_t, float, std::int64_t,
                   bytes_of<3>, bytes_of<12>, bytes_of<16>, bytes_of<64>, bytes_of<65>, bytes_of<100>) {
  for (offset count = 0; count <= 140; ++count) {
    for (offset more = 0; more <= 140; ++more) {
      if (!fills<T>(count, count + more))
        FAIL_CHECK(count, " elements of ", sizeof(T), " bytes in a room of ", count + more);
    }
  }
  CHECK(fills<T>(5000, 5000));
  CHECK(fills<T>(5000, 9000));
}

TEST_CASE_TEMPLATE("host_copy copies all and nothing else", T, std::uint8_t, std::int16_t, float, std::int64_t,
                   bytes_of<3>, bytes_of<12>, bytes_of<16>, bytes_of<64>, bytes_of<100>) {
  for (offset count = 0; count <= 300; ++count) CHECK(copies<T>(count));
  CHECK(copies<T>(100'003));
}
