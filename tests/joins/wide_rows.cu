// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Joins of wide rows. On the GPU those over 128 bytes are counted before they are written.
#include "check_joins.h"
#include "support/orders.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <random>

namespace {

using namespace test;

template <std::size_t bytes>
struct wide_row {
  int key;
  std::array<char, bytes - sizeof(int)> rest;
};
template <std::size_t bytes>
bool operator==(const wide_row<bytes>& x, const wide_row<bytes>& y) {
  return x.key == y.key && x.rest == y.rest;
}

struct less_key {
  template <class Row>
  MGPU_HOST_DEVICE bool operator()(const Row& x, const Row& y) const {
    return x.key < y.key;
  }
};

template <std::size_t bytes>
void check_wide_rows() {
  INFO(bytes, " bytes");
  std::mt19937 random(4);
  const auto rows_of = [&](int count) {
    std::vector<wide_row<bytes>> rows;
    auto keys = random_keys<int>(count, 0, 200, random);
    std::sort(keys.begin(), keys.end());
    for (const int key : keys) rows.push_back({key, {}});
    return rows;
  };
  const auto a = rows_of(300), b = rows_of(700);
  for_each_executor([&](auto executor) {
    check_join<inner>(executor, a, b, less_key{});
    check_join<left>(executor, a, b, less_key{});
  });
}

TEST_CASE("wide rows") {
  check_wide_rows<12>();
  check_wide_rows<128>();
  check_wide_rows<132>();
  check_wide_rows<1024>();
}

}  // namespace
