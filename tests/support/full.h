// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace test {

/// Whether these are the tests of `scripts/test --full`.
#ifdef MGPU_TEST_FULL
inline constexpr bool is_full = true;
#else
inline constexpr bool is_full = false;
#endif

}  // namespace test
