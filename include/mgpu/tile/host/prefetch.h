// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>

MGPU_NAMESPACE_BEGIN
namespace detail::tile {

/// A line of the CPU's caches.
inline constexpr offset line_bytes = 64;

/// Prefetches at[begin, begin + count), elements that need not exist, if `at` is a pointer to bytes. The CPU reads a
/// line before it writes a part of it: a loop that writes a little at a time, or at several places, waits for that.
template <class Iterator>
MGPU_FORCE_INLINE void prefetch([[maybe_unused]] const Iterator& at, [[maybe_unused]] offset begin,
                                [[maybe_unused]] offset count) {
  if constexpr (base::is_byte_range<Iterator>) {
    constexpr offset item = sizeof(*at);
    const char* const bytes = reinterpret_cast<const char*>(at) + begin * item;
    for (offset i = 0; i < count * item; i += line_bytes) MGPU_PREFETCH(bytes + i);
  }
}

/// How far ahead a loop prefetches what it writes in order, an element or a short copy at a time.
///   2 x 2^22, two threads, ms, without / with it. Interleaving regularly: merge u32 3.9 / 3.6, u64 7.3 / 6.3,
///   merge_by_key u32 7.8 / 6.4, u64 11.4 / 9.2. Blocks of 1,000, beside Thrust: merge u32 4.2 / 2.0 / 4.8, u64
///   8.8 / 5.4 / 8.6, 16 bytes 14.5 / 11.7 / 14.0; set_union u32 4.0 / 2.7, u64 8.4 / 5.8, 16 bytes 15.5 / 13.8. 512
///   bytes ahead: elements 0 to 9 % slower, copies as fast; the inputs, too: as fast (benchmarks/merge_host.cpp, Xeon
///   at 2.1 GHz, 2026-11-28)
inline constexpr offset prefetched_ahead_bytes = 1024;

/// Prefetches the line that is so far behind an element.
template <class Iterator>
MGPU_FORCE_INLINE void prefetch_ahead([[maybe_unused]] const Iterator& at) {
  if constexpr (base::is_byte_range<Iterator>) {
    MGPU_PREFETCH(reinterpret_cast<const char*>(at) + prefetched_ahead_bytes);
  }
}

}  // namespace detail::tile
MGPU_NAMESPACE_END
