// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>

#include <cstdint>

MGPU_NAMESPACE_BEGIN
namespace detail::block {

/// Which bytes of a range of elements go by bulk copy: whole 16-byte words of global memory. The bytes before and after
/// them are the ends: at most 15 bytes each, or up to 30 in front if there is no whole word.
struct bulk_span {
  int bytes;         // of the range
  int misalignment;  // of its first byte: 0 to 15
  int bulk_begin;    // from the first byte of the range; negative where the bulk part begins before it
  int bulk_bytes;    // a multiple of 16

  /// For reading elements [first, first + count) of an array. If the array goes on, the rest of a word may be read too.
  template <class T>
  MGPU_DEVICE static bulk_span readable(const T* array, offset array_count, offset first, int count) {
    return make(array + first, count, first >= 16, array_count - first - count >= 16);
  }

  /// For writing `count` elements and nothing around them.
  template <class T>
  MGPU_DEVICE static bulk_span writable(const T* first, int count) {
    return make(first, count, false, false);
  }

 private:
  template <class T>
  MGPU_DEVICE static bulk_span make(const T* first, int count, bool goes_on_before, bool goes_on_after) {
    bulk_span s;
    s.bytes = count * int{sizeof(T)};
    s.misalignment = static_cast<int>(reinterpret_cast<std::uintptr_t>(first) & 15);
    s.bulk_begin = goes_on_before ? -s.misalignment : -s.misalignment & 15;
    const int over = (s.misalignment + s.bytes) & 15;
    const int bulk_end = s.bytes + (goes_on_after ? -over & 15 : -over);
    s.bulk_bytes = bulk_end - s.bulk_begin;
    if (count == 0 || s.bulk_bytes <= 0) {
      s.bulk_begin = s.bytes;
      s.bulk_bytes = 0;
    }
    return s;
  }
};

/// Copies the ends of a range of T; each thread copies one word of T's alignment.
/// Requires: at least 30 threads.
template <class T>
MGPU_DEVICE void copy_ends(char* to, const char* from, const bulk_span& s, int thread) {
  constexpr int word_bytes = base::min<int>(alignof(T), 16);
  struct alignas(word_bytes) word {
    char bytes[word_bytes];
  };
  const int head = thread * word_bytes;
  const int tail = s.bulk_begin + s.bulk_bytes + head;
  if (head < s.bulk_begin) *reinterpret_cast<word*>(to + head) = *reinterpret_cast<const word*>(from + head);
  if (tail < s.bytes) *reinterpret_cast<word*>(to + tail) = *reinterpret_cast<const word*>(from + tail);
}

}  // namespace detail::block
MGPU_NAMESPACE_END
