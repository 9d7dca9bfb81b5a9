// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/config.h>

/// A key of 12 bytes with an order of its own.
struct row {
  int first, second, third;
};
MGPU_HOST_DEVICE inline bool operator<(const row& x, const row& y) {
  return x.first != y.first ? x.first < y.first : x.second < y.second;
}
