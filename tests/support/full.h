// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace test {

/// What the default leaves out runs too.
#ifdef MGPU_TEST_FULL
inline constexpr bool is_full = true;
#else
inline constexpr bool is_full = false;
#endif

}  // namespace test
