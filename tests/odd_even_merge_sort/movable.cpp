// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Elements that cannot be copied as bytes.
#include "support/movable.h"
#include "check_odd_even_sort.h"

using namespace test;

TEST_CASE("strings, and elements that can only be moved, are where the network leaves them") {
  check_movable_arrays<odd_even>(
      [](const std::vector<int>& numbers) { return network_sorting(numbers, cuda::std::less<>{}); });
}
