// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>

#include <atomic>
#include <exception>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

/// The first exception of several threads.
class first_exception {
 public:
  bool is_set() const { return is_set_.load(std::memory_order_relaxed); }
  void set_current() {
    if (!is_set_.exchange(true)) first_ = std::current_exception();
  }
  /// Requires: the threads have ended.
  void rethrow() const {
    if (first_) std::rethrow_exception(first_);
  }

 private:
  std::atomic<bool> is_set_{false};
  std::exception_ptr first_;
};

/// Calls f(i) until a call throws. It throws nothing itself, because OpenMP would end the program.
template <class Function>
struct call_until_exception {
  const Function& f;
  first_exception& thrown;
  void operator()(offset i) const {
    if (thrown.is_set()) return;
    try {
      f(i);
    } catch (...) {
      thrown.set_current();
    }
  }
};

}  // namespace detail::exec
MGPU_NAMESPACE_END
