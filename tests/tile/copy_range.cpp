// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/tile/copy_range.h>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace {

/// Elements 1, 2, 3 of 0 to 4, copied to the same places; what lies around them stays.
template <class In, class Out>
void check_middle(In in, Out out) {
  mgpu::tile::copy_range(in.cbegin() + 1, 3, out.begin() + 1);
  for (std::size_t i = 0; i < 5; ++i) CHECK((out[i] == static_cast<typename Out::value_type>(in[i])) == (i % 4 != 0));
}

}  // namespace

TEST_CASE("elements of one type are copied as bytes") {
  const std::vector<std::uint32_t> in{1, 2, 3, 4, 5};
  std::vector<std::uint32_t> out(5);
  mgpu::tile::copy_range(in.data() + 1, 3, out.data() + 1);
  CHECK(out == std::vector<std::uint32_t>{0, 2, 3, 4, 0});
}

TEST_CASE("nothing is copied from and to null") {
  const int* const in = nullptr;
  int* const out = nullptr;
  mgpu::tile::copy_range(in, 0, out);
}

TEST_CASE("elements that are not bytes, of other types and behind iterators are assigned") {
  const std::vector<std::string> in{"a", "a string of more characters than lie in an object", "c", "d", "e"};
  std::vector<std::string> out(5);
  mgpu::tile::copy_range(in.data() + 1, 3, out.data() + 1);
  CHECK(out == std::vector<std::string>{"", in[1], "c", "d", ""});
  const std::vector<int> numbers{-1, -2, -3, -4, -5};
  std::vector<double> wide(5);
  mgpu::tile::copy_range(numbers.data() + 1, 3, wide.data() + 1);
  CHECK(wide == std::vector<double>{0, -2, -3, -4, 0});
  check_middle(std::deque<std::string>(in.begin(), in.end()), std::vector<std::string>(5));
  check_middle(numbers, std::deque<long>(5));
}
