// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/tile/host/copy_range.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace {

/// Elements 1, 2, 3 of 0 to 4, copied to the same places; what lies around them stays.
template <class In, class Out>
void check_middle(In in, Out out) {
  mgpu::detail::tile::copy_range(in.cbegin() + 1, 3, out.begin() + 1);
  for (std::size_t i = 0; i < 5; ++i) CHECK((out[i] == static_cast<typename Out::value_type>(in[i])) == (i % 4 != 0));
}

}  // namespace

TEST_CASE("elements of one type are copied as bytes") {
  const std::vector<std::uint32_t> in{1, 2, 3, 4, 5};
  std::vector<std::uint32_t> out(5);
  mgpu::detail::tile::copy_range(in.data() + 1, 3, out.data() + 1);
  CHECK(out == std::vector<std::uint32_t>{0, 2, 3, 4, 0});
}

TEST_CASE("parts of long outputs are copied past the caches, from and to any byte") {
  constexpr mgpu::offset least = mgpu::detail::tile::streamed_part_bytes;
  constexpr std::size_t margin = 64, line = 64;
  std::vector<std::uint8_t> in(least + 4 * line);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::uint8_t>(i % 251 + 1);
  for (const mgpu::offset count : {least - 1, least, least + 1, least + 63, least + 64, least + 65, least + 127}) {
    for (std::size_t shift = 0; shift < line; shift += 3) {
      const std::size_t begin = margin + shift, end = begin + static_cast<std::size_t>(count);
      const std::uint8_t* const from = in.data() + shift / 2;
      std::vector<std::uint8_t> out(end + margin), expected = out;
      std::copy_n(from, count, expected.data() + begin);
      mgpu::detail::tile::copy_range(from, count, out.data() + begin, mgpu::detail::tile::streamed_output_bytes);
      CHECK(out == expected);
    }
  }
}

TEST_CASE("nothing is copied from and to null") {
  const int* const in = nullptr;
  int* const out = nullptr;
  mgpu::detail::tile::copy_range(in, 0, out);
}

TEST_CASE("elements that are not bytes, of other types and behind iterators are assigned") {
  const std::vector<std::string> in{"a", "a string of more characters than lie in an object", "c", "d", "e"};
  std::vector<std::string> out(5);
  mgpu::detail::tile::copy_range(in.data() + 1, 3, out.data() + 1);
  CHECK(out == std::vector<std::string>{"", in[1], "c", "d", ""});
  const std::vector<int> numbers{-1, -2, -3, -4, -5};
  std::vector<double> wide(5);
  mgpu::detail::tile::copy_range(numbers.data() + 1, 3, wide.data() + 1);
  CHECK(wide == std::vector<double>{0, -2, -3, -4, 0});
  check_middle(std::deque<std::string>(in.begin(), in.end()), std::vector<std::string>(5));
  check_middle(numbers, std::deque<long>(5));
}
