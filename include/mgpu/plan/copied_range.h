// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/base/slot.h>
#include <mgpu/exec/policy.h>
#include <mgpu/exec/workspace.h>

#include <cstdint>
#include <memory>
#include <type_traits>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

/// Calls f(first, items) for parts that make up [0, count), on threads of the CPU.
template <class Policy, class Function>
void for_each_part(Policy& p, offset count, const Function& f) {
  constexpr offset part = 1 << 15;
  exec::executor(p).each(base::ceil_div(count, part),
                         [&f, count](offset i) { f(i * part, base::min(part, count - i * part)); });
}

/// A copy of a range in scratch memory of the CPU.
template <class T, class Policy>
class copied_range {
 public:
  template <class Iterator>
  copied_range(Policy& p, Iterator first, offset count)
      : memory_(p, count + 1),  // room for an alignment that allocators need not know
        begin_(reinterpret_cast<T*>(
            base::align_up<std::uintptr_t>(reinterpret_cast<std::uintptr_t>(memory_.data()), alignof(T)))),
        count_(count) {
    if constexpr (std::is_trivially_destructible_v<T>) {
      plan::for_each_part(p, count, [this, &first](offset begin, offset items) { copy(first + begin, items, begin); });
    } else {
      copy(first, count, 0);
    }
  }
  ~copied_range() { std::destroy_n(begin_, count_); }
  copied_range(const copied_range&) = delete;
  copied_range& operator=(const copied_range&) = delete;

  const T* data() const { return begin_; }

 private:
  struct room {
    char bytes[sizeof(T)];
  };

  /// Copies elements to the places from `to` on. If a copy throws, those before are destroyed.
  template <class Iterator>
  void copy(const Iterator& first, offset count, offset to) const {
    if constexpr (std::is_pointer_v<Iterator>) {
      std::uninitialized_copy_n(first, count, begin_ + to);
    } else {  // std:: asks more of an iterator
      offset copied = 0;
      try {
        for (; copied < count; ++copied) base::construct(begin_ + to + copied, first[copied]);
      } catch (...) {
        std::destroy_n(begin_ + to, copied);
        throw;
      }
    }
  }

  exec::workspace<room, Policy> memory_;
  T* begin_;
  offset count_;
};

}  // namespace detail::plan
MGPU_NAMESPACE_END
