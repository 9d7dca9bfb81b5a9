// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/tile/word.h>

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <random>
#include <type_traits>

namespace {

using mgpu::detail::tile::word;

static_assert(sizeof(word) == 16 && alignof(word) == 16 && mgpu::detail::tile::word_bytes == 16);
static_assert(std::is_same_v<mgpu::detail::tile::unit<1>, std::uint8_t>);
static_assert(sizeof(mgpu::detail::tile::unit<2>) == 2 && alignof(mgpu::detail::tile::unit<2>) == 2);
static_assert(sizeof(mgpu::detail::tile::unit<4>) == 4 && alignof(mgpu::detail::tile::unit<4>) == 4);
static_assert(sizeof(mgpu::detail::tile::unit<8>) == 8 && alignof(mgpu::detail::tile::unit<8>) == 8);
static_assert(std::is_same_v<mgpu::detail::tile::unit<16>, word>);

template <int unit_bytes>
bool realigns(const unsigned char (&bytes)[32], int first_byte) {
  word low, high;
  std::memcpy(&low, bytes, 16);
  std::memcpy(&high, bytes + 16, 16);
  const word found = mgpu::detail::tile::realigned<unit_bytes>(low, high, first_byte);
  return std::memcmp(&found, bytes + first_byte, 16) == 0;
}

template <int unit_bytes>
void check_every_shift(const unsigned char (&bytes)[32]) {
  for (int first_byte = 0; first_byte < 16; first_byte += unit_bytes) {
    INFO("units of ", unit_bytes, " bytes, from byte ", first_byte);
    CHECK(realigns<unit_bytes>(bytes, first_byte));
  }
}

}  // namespace

TEST_CASE("a word across two others begins at every unit of every size") {
  std::mt19937 random(2);
  unsigned char bytes[32];
  for (int repeat = 0; repeat < 200; ++repeat) {
    for (int i = 0; i < 32; ++i) {
      bytes[i] = static_cast<unsigned char>(repeat == 0   ? i
                                            : repeat == 1 ? 0xff
                                            : repeat == 2 ? 0x80 + i
                                                          : random() % 256);
    }
    check_every_shift<1>(bytes);
    check_every_shift<2>(bytes);
    check_every_shift<4>(bytes);
    check_every_shift<8>(bytes);
    check_every_shift<16>(bytes);
  }
}
