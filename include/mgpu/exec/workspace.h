// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/exec/policy.h>

#include <thrust/detail/execute_with_allocator.h>
#include <thrust/detail/raw_pointer_cast.h>

#include <exception>
#include <limits>
#include <new>
#include <utility>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

namespace scratch {

// A policy with an allocator has Thrust's functions of these names; other policies have friends of their own.
using THRUST_NS_QUALIFIER::detail::get_temporary_buffer;
using THRUST_NS_QUALIFIER::detail::return_temporary_buffer;

template <class T, class Policy>
auto take(Policy& p, offset count) {
  return get_temporary_buffer<T>(p, count);
}
template <class Policy, class Pointer>
void give_back(Policy& p, Pointer memory, offset count) {
  return_temporary_buffer(p, memory, count);
}

}  // namespace scratch

/// Scratch memory for `count` elements of T from the policy's allocator. Given back in stream order when the object is
/// destroyed. If that is because of an exception, and the policy synchronizes, it is given back after the work: such a
/// policy's allocator need not know of streams. Throws what the allocator throws, and std::bad_alloc if it gives less
/// than asked or if there is no number of so many bytes. Asks for nothing if count is 0.
template <class T, class Policy>
class workspace {
 public:
  workspace(Policy& p, offset count)
      : exceptions_(std::uncaught_exceptions()),
        policy_(p),
        buffer_(checked(count) > 0 ? scratch::take<T>(policy_.get(), count) : buffer{}) {
    if (count > 0 && (data() == nullptr || static_cast<offset>(buffer_.second) < count)) {
      give_back();
      throw std::bad_alloc();
    }
  }
  ~workspace() {
    if (may_wait_ && data() != nullptr && std::uncaught_exceptions() > exceptions_) complete();
    give_back();
  }
  workspace(const workspace&) = delete;
  workspace& operator=(const workspace&) = delete;

  T* data() const { return THRUST_NS_QUALIFIER::raw_pointer_cast(buffer_.first); }
  /// From now on it is given back at once, for work that may never end.
  void never_wait() { may_wait_ = false; }

 private:
  using buffer = decltype(scratch::take<T>(std::declval<typename meant_policy<Policy>::type&>(), offset{}));

  static offset checked(offset count) {
    constexpr offset most = std::numeric_limits<offset>::max() / offset{sizeof(T)};
    if (count < 0 || count > most) throw std::bad_alloc();
    return count;
  }
  void complete() noexcept {
    try {
      exec::executor(policy_.get()).complete();
    } catch (...) {  // another one is on its way
    }
  }
  void give_back() noexcept {
    if (data() == nullptr) return;
    try {
      scratch::give_back(policy_.get(), buffer_.first, buffer_.second);
    } catch (...) {
      // Only a device that has already failed refuses to take memory back. The call that saw the failure reports it.
    }
  }

  bool may_wait_ = true;
  int exceptions_;
  meant_policy<Policy> policy_;
  buffer buffer_;  // address (null: none) and number of elements, which may differ from what was asked
};

}  // namespace detail::exec
MGPU_NAMESPACE_END
