// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "text_lines.h"

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace text {

/// All bytes of a file.
template <class Byte = char>
std::vector<Byte> read(const std::string& path) {
  static_assert(sizeof(Byte) == 1, "files are read as bytes");
  constexpr std::size_t chunk_bytes = std::size_t{1} << 24;
  const file input = open(path, "rb");
  std::vector<Byte> bytes;
  for (std::size_t got = chunk_bytes, end = 0; got > 0; end += got) {
    bytes.resize(end + chunk_bytes);
    errno = 0;
    got = std::fread(bytes.data() + end, 1, chunk_bytes, input.get());
    if (std::ferror(input.get())) throw file_error(path, std::strerror(errno));
    if (got == 0) bytes.resize(end);
  }
  return bytes;
}

}  // namespace text
