// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stdexcept>
#include <string>

namespace test {

/// True where f throws std::invalid_argument as this library does, and no other.
template <class F>
bool throws_ours(const F& f) {
  try {
    f();
  } catch (const std::invalid_argument& error) {
    return std::string(error.what()).rfind("mgpu: ", 0) == 0;
  }
  return false;
}

}  // namespace test
