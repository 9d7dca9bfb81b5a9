// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Set operations by key with keys and values of every type and size, each with some of the four operations.
#include "set_types.h"

namespace {

using namespace test;
using namespace test::op;

}  // namespace

TEST_CASE_TEMPLATE("values of 1 to 64 bytes", Types, set_pairs<std::uint32_t, std::uint8_t, set_union>,
                   set_pairs<std::uint32_t, std::uint16_t, set_intersection>,
                   set_pairs<std::uint32_t, value_bytes<3>, set_symmetric_difference>,
                   set_pairs<std::int64_t, value_bytes<12>, set_union, set_difference>,
                   set_pairs<float, value_bytes<16>, set_symmetric_difference, set_intersection>,
                   set_pairs<std::uint32_t, std::uint64_t, set_difference>,
                   set_pairs<std::uint32_t, value_bytes<64>, set_union, set_intersection>) {
  check_types(Types{});
}

TEST_CASE_TEMPLATE("values of keys of every type", Types,
                   set_pairs<std::uint8_t, std::uint32_t, set_symmetric_difference>,
                   set_pairs<std::int16_t, std::uint32_t, set_union>,
                   set_pairs<double, std::uint32_t, set_intersection>, set_pairs<key12, std::uint32_t, set_union>,
                   set_pairs<key16, value_bytes<64>, set_difference>,
                   set_pairs<key32, std::uint64_t, set_symmetric_difference>,
                   set_types<opaque, value_bytes<16>, less_opaque, set_union>,
                   set_pairs<copied, std::uint8_t, set_intersection>) {
  check_types(Types{});
}
