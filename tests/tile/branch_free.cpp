// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/tile/branch_free.h>

#include <doctest/doctest.h>

#include <cstring>

namespace {

template <int Bytes>
struct bytes {
  unsigned char of[Bytes];
};

template <int Bytes>
void check_choice() {
  bytes<Bytes> a, b;
  for (int i = 0; i < Bytes; ++i) {
    a.of[i] = static_cast<unsigned char>(37 * i + 1);
    b.of[i] = static_cast<unsigned char>(91 * i + 130);
  }
  const auto from_a = mgpu::detail::tile::choose_bits(mgpu::detail::tile::as_mask(false), a, b);
  const auto from_b = mgpu::detail::tile::choose_bits(mgpu::detail::tile::as_mask(true), a, b);
  CHECK(std::memcmp(&from_a, &a, Bytes) == 0);
  CHECK(std::memcmp(&from_b, &b, Bytes) == 0);
}

}  // namespace

TEST_CASE("every byte is chosen, whatever the size") {
  check_choice<1>();
  check_choice<2>();
  check_choice<3>();
  check_choice<4>();
  check_choice<6>();
  check_choice<7>();
  check_choice<8>();
  check_choice<12>();
  check_choice<16>();
  check_choice<20>();
  CHECK(mgpu::detail::tile::choose_bits(mgpu::detail::tile::as_mask(true), 1.5, -0.0) == 0.0);
  CHECK(mgpu::detail::tile::choose_bits(mgpu::detail::tile::as_mask(false), 1.5, -0.0) == 1.5);
}
