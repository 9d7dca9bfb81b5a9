// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// How a call of a rank has ended.

#include <mgpu/exec/distributed/rank_error.h>

#include <new>
#include <stdexcept>

namespace test {

enum class outcome { returned, no_memory, bad_argument, rank_failed, other };

template <class F>
outcome outcome_of(const F& f) {
  try {
    f();
  } catch (const mgpu::rank_error&) {
    return outcome::rank_failed;
  } catch (const std::bad_alloc&) {
    return outcome::no_memory;
  } catch (const std::invalid_argument&) {
    return outcome::bad_argument;
  } catch (...) {
    return outcome::other;
  }
  return outcome::returned;
}

}  // namespace test
