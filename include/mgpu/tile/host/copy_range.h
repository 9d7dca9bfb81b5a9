// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/tile/host/prefetch.h>

#include <cuda/std/type_traits>

#include <cstddef>
#include <cstdint>
#include <cstring>

MGPU_NAMESPACE_BEGIN
namespace detail::tile {

/// From this size on an output does not stay in the caches. Its long parts then go past them: a line that is stored
/// past the caches is not read first.
///   Copies of 256 KiB, EPYC 9004 with 32 MiB of L3 cache, ms, through the caches / past them, output of 4 MiB
///   0.09 / 0.15, 8 MiB 0.26 / 0.30, 16 MiB 0.74 / 0.75, 32 MiB 2.7 / 2.0, 64 MiB 6.2 / 4.4.
///   merge, 2 x 2^22, a before b, one thread, two threads: u32 2.9 / 2.1, 1.8 / 1.3; u64 6.8 / 4.8, 4.9 / 3.2; 16 bytes
///   13.4 / 8.3, 9.1 / 5.8 (benchmarks/merge_host.cpp, 2026-11-26)
inline constexpr offset streamed_output_bytes = offset{24} << 20;

/// The shortest part that goes past the caches. The lines at both of its ends are not stored whole, so they do not.
///   merge, 2 x 2^22 in blocks of 1,000, one thread of an EPYC 9004, ms, parts of 4,096 bytes / of 256: u32 3.1 / 3.8,
///   u64 6.4 / 6.6, u64 + u32 9.2 / 11.1, 16 bytes 11.8 / 12.3. Also slower past the caches: what the lanes of
///   host_set_operation emit, because it is prefetched: set_union, random, through / past: u32 11.1 / 12.1, u64
///   14.8 / 18.3, 16 bytes 25.8 / 29.2 (2026-11-26)
inline constexpr offset streamed_part_bytes = 4096;

/// Copies whole lines past the caches. MGPU_STREAM_END() must follow before another thread reads them.
inline void stream_lines(const char* in, offset bytes, char* out) {
  constexpr offset line = line_bytes;
  using streamed = MGPU_STREAM_WORD;
  for (; bytes > 0; bytes -= line) {
    streamed words[line / sizeof(streamed)];
    std::memcpy(words, in, line);
    for (const streamed& w : words) {
      MGPU_STREAM(reinterpret_cast<streamed*>(out), w);
      out += sizeof(streamed);
    }
    in += line;
  }
}

/// Copies `bytes` bytes past the caches.
/// Requires: in and out do not overlap, and hold a line or more.
MGPU_NO_INLINE inline void stream_bytes(const char* in, offset bytes, char* out) {
  const auto copy = [&](offset count) {
    MGPU_HIDE_VALUE(count);  // g++ would copy so few bytes by an instruction that takes long to begin
    std::memcpy(out, in, static_cast<std::size_t>(count));
    in += count;
    out += count;
    bytes -= count;
  };
  copy(static_cast<offset>(-reinterpret_cast<std::uintptr_t>(out) % line_bytes));
  const offset whole = bytes / line_bytes * line_bytes;
  tile::stream_lines(in, whole, out);
  in += whole;
  out += whole;
  bytes -= whole;
  copy(bytes);
  MGPU_STREAM_END();
}

/// Copies in[0, count) to out on the CPU, as bytes where it can. std::copy without <algorithm>, which every translation
/// unit would otherwise compile. The whole output has `output_bytes` bytes.
template <class In, class Out>
void copy_range(const In& in, offset count, const Out& out, offset output_bytes = 0) {
  if constexpr (base::is_byte_range<In> && base::is_byte_range<Out> &&
                cuda::std::is_same_v<base::value_type<In>, base::value_type<Out>>) {
    const offset bytes = count * offset{sizeof(*in)};
    if (MGPU_CAN_STREAM && bytes >= streamed_part_bytes && output_bytes >= streamed_output_bytes) {
      tile::stream_bytes(reinterpret_cast<const char*>(in), bytes, reinterpret_cast<char*>(out));
    } else if (bytes > 0) {
      std::memmove(static_cast<void*>(out), in, static_cast<std::size_t>(bytes));
      constexpr offset ahead = prefetched_ahead_bytes / offset{sizeof(*in)};
      if (count <= ahead) tile::prefetch(out, ahead, count);
    }
  } else {
    for (offset i = 0; i < count; ++i) out[i] = in[i];
  }
}

}  // namespace detail::tile
MGPU_NAMESPACE_END
