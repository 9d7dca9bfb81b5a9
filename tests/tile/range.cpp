// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/tile/range.h>

#include <doctest/doctest.h>

using mgpu::offset;

namespace {

/// Calls f(diagonal, split) for every split that a search of the diagonal can give.
template <class F>
void for_each_split(offset diagonal, offset a_count, offset b_count, const F& f) {
  const offset low = diagonal > b_count ? diagonal - b_count : 0;
  const offset high = diagonal < a_count ? diagonal : a_count;
  for (offset split = low; split <= high; ++split) f(split);
}

void check_between(offset a_count, offset b_count, offset first, offset last, offset first_split, offset last_split) {
  const auto t = mgpu::detail::tile::range::between(first, last, first_split, last_split);
  CAPTURE(a_count);
  CAPTURE(b_count);
  CAPTURE(first);
  CAPTURE(last);
  CAPTURE(first_split);
  CAPTURE(last_split);
  const bool is_inside = 0 <= t.a_begin && t.a_begin <= t.a_end && t.a_end <= a_count &&  //
                         0 <= t.b_begin && t.b_begin <= t.b_end && t.b_end <= b_count;
  CHECK(is_inside);
  CHECK(t.out_begin() == first);
  CHECK(t.count() == last - first);
  CHECK(t.a_count() + t.b_count() == t.count());
  const bool agree = first_split <= last_split && first - first_split <= last - last_split;
  if (agree) {
    CHECK(t.a_begin == first_split);
    CHECK(t.a_end == last_split);
    CHECK(t.b_begin == first - first_split);
    CHECK(t.b_end == last - last_split);
  }
}

}  // namespace

TEST_CASE("a range between two diagonals is inside the inputs and has its size, also where the splits contradict") {
  for (offset a_count = 0; a_count <= 6; ++a_count) {
    for (offset b_count = 0; b_count <= 6; ++b_count) {
      for (offset first = 0; first <= a_count + b_count; ++first) {
        for (offset last = first; last <= a_count + b_count; ++last) {
          for_each_split(first, a_count, b_count, [&](offset first_split) {
            for_each_split(last, a_count, b_count, [&](offset last_split) {
              check_between(a_count, b_count, first, last, first_split, last_split);
            });
          });
        }
      }
    }
  }
}

TEST_CASE("positions of a range are 64-bit") {
  const offset far = offset{1} << 40;
  const auto t = mgpu::detail::tile::range::between(far, far + 5, far - 7, far - 4);
  CHECK(t.out_begin() == far);
  CHECK(t.a_count() == 3);
  CHECK(t.b_count() == 2);
  CHECK(t.b_begin == 7);
}
