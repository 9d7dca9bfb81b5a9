// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sorts of structs over ranks.
#include "check_sort.h"

namespace {

using namespace test;

TEST_CASE("structs in an order of their own") { check_sorts<wide_key>(heaviest_first{}, 5); }

}  // namespace
