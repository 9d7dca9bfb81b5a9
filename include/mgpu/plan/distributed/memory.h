// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/exec/policy.h>
#include <mgpu/exec/workspace.h>
#include <mgpu/plan/scratch_layout.h>

#include MGPU_CUDA_VERB_HEADER(each)

#include <cstdint>
#include <new>
#include <optional>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

/// Scratch memory of a rank for one call, in one piece. If ranks are lost, the policy's stream may wait for their
/// messages for ever: the memory is then given back at once.
template <class Policy>
class rank_memory {
 public:
  explicit rank_memory(const bool& are_ranks_lost) : are_ranks_lost_(are_ranks_lost) {}
  ~rank_memory() {
    if (are_ranks_lost_ && memory_) memory_->never_wait();
  }
  rank_memory(const rank_memory&) = delete;
  rank_memory& operator=(const rank_memory&) = delete;

  /// Takes the memory for arrays that place(layout) places, and places them.
  template <class Place>
  void take(Policy& p, const Place& place) {
    scratch_layout size{0};
    place(size);
    const auto unit = base::max<std::uintptr_t>(256, size.most_unit);  // the arrays lie as from address 0 on
    memory_.emplace(p, static_cast<offset>(size.end + unit));
    scratch_layout real{base::align_up(reinterpret_cast<std::uintptr_t>(memory_->data()), unit)};
    place(real);
  }

  const void* data() const { return memory_->data(); }

 private:
  const bool& are_ranks_lost_;
  std::optional<exec::workspace<char, Policy>> memory_;
};

/// Writes elements from[0, count) to raw memory.
template <class From, class T>
struct copy_elements {
  From from;
  T* to;

  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE void operator()(offset i) const { ::new (static_cast<void*>(to + i)) T(from[i]); }
};

/// Writes elements to where a caller wants them.
template <class T, class To>
struct store_elements {
  const T* from;
  To to;

  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE void operator()(offset i) const { to[i] = from[i]; }
};

/// A caller's range as an array that can be sent as bytes: the range itself behind a pointer, else a copy in scratch
/// memory.
template <class Iterator>
class sendable {
 public:
  using element = base::value_type<Iterator>;
  static constexpr bool is_copied = !base::is_byte_range<Iterator> && base::has_values<Iterator>;

  sendable(Iterator first, offset count) : first_(first), count_(count) {}

  void place(scratch_layout& layout) {
    if constexpr (is_copied) copy_ = layout.take<element>(count_);
  }
  template <class Policy>
  void fill(Policy& p) const {
    if constexpr (is_copied) {
      if (count_ > 0) exec::executor(p).each(count_, copy_elements<Iterator, element>{first_, copy_});
    }
  }
  const element* data() const {
    if constexpr (is_copied || !base::has_values<Iterator>) return copy_;
    else return first_;
  }

 private:
  Iterator first_;
  offset count_;
  element* copy_ = nullptr;
};

}  // namespace detail::plan
MGPU_NAMESPACE_END
