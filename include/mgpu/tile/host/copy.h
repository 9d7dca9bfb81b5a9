// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>

#include MGPU_STD_COPY_HEADER

#include <cstddef>
#include <cstring>

MGPU_NAMESPACE_BEGIN
namespace detail::tile {

/// Fills out[0, count) with x. Elements of out[count, room) may be written too: a later call must fill them anyway. So
/// a run needs no loop for its remainder. 2^24 u32, mean run 10, one core: std::fill_n 21.2 ms, this 7.8.
template <class T>
void host_fill(T* out, offset count, offset room, const T& x) {
  constexpr int chunk = base::max(1, 64 / int{sizeof(T)});
  if (count + chunk > room) {
    std::fill_n(out, count, x);
    return;
  }
  for (offset i = 0; i < count; i += chunk) {
    for (int k = 0; k < chunk; ++k) out[i + k] = x;
  }
}

/// Copies `bytes` bytes, at least word_bytes and at most words * word_bytes, by words that may overlap. The trip count
/// is the same for all sizes. Nothing around them is read or written.
template <int word_bytes, int words>
void copy_overlapping(const char* in, int bytes, char* out) {
  for (int i = 0; i < words; ++i) {
    const int at = base::min(i * word_bytes, bytes - word_bytes);
    char x[word_bytes];
    std::memcpy(x, in + at, word_bytes);
    std::memcpy(out + at, x, word_bytes);
  }
}

/// Copies in[0, count) to out.
template <class T>
void host_copy(const T* in, offset count, T* out) {
  const char* const from = reinterpret_cast<const char*>(in);
  char* const to = reinterpret_cast<char*>(out);
  const offset bytes = count * offset{sizeof(T)};
  if (bytes >= 16 && bytes <= 80) tile::copy_overlapping<16, 5>(from, static_cast<int>(bytes), to);
  else if (bytes >= 4 && bytes < 16) tile::copy_overlapping<4, 4>(from, static_cast<int>(bytes), to);
  else std::memcpy(to, from, static_cast<std::size_t>(bytes));
}

}  // namespace detail::tile
MGPU_NAMESPACE_END
