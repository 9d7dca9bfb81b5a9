// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace test {

/// Set by a test that this machine cannot run, whose program then reports itself as skipped.
inline bool has_skipped_a_test = false;

}  // namespace test
