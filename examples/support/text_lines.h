// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The lines of text files as keys of 32 bytes, in byte order: that of `LC_ALL=C sort`.

#include <mgpu/base/config.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace text {

/// A file cannot be read or written.
struct file_error : std::runtime_error {
  file_error(const std::string& path, const char* reason) : std::runtime_error(path + ": " + reason) {}
};

/// A file is not what it should be.
struct content_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The beginning of a line, and where all of it is.
struct line_key {
  static constexpr int prefix_bytes = 23;

  // The first 23 bytes, then zeros, then the number of those bytes or 24 for a longer line, most significant byte
  // first. Lines of at most 23 bytes are ordered by these words alone: where the bytes are equal, the shorter line is
  // first.
  std::uint64_t words[3];
  std::uint64_t begin;  // position in the text

  MGPU_HOST_DEVICE bool is_longer_than_prefix() const { return (words[2] & 0xff) > prefix_bytes; }
};
static_assert(sizeof(line_key) == 32, "the demonstration is one of 32-byte keys");

/// Byte order of lines. Every line in the text ends with a newline.
struct by_bytes {
  const unsigned char* text;

  MGPU_HOST_DEVICE bool operator()(const line_key& x, const line_key& y) const {
    for (int i = 0; i < 3; ++i) {
      if (x.words[i] != y.words[i]) return x.words[i] < y.words[i];
    }
    return x.is_longer_than_prefix() &&
           is_rest_less(text + x.begin + line_key::prefix_bytes, text + y.begin + line_key::prefix_bytes);
  }

 private:
  static MGPU_HOST_DEVICE bool is_rest_less(const unsigned char* x, const unsigned char* y) {
    while (*x == *y && *x != '\n') ++x, ++y;
    if (*x == '\n' || *y == '\n') return *y != '\n';
    return *x < *y;
  }
};

/// Whether two lines are the same.
struct same_bytes {
  by_bytes is_before;

  MGPU_HOST_DEVICE bool operator()(const line_key& x, const line_key& y) const {
    return !is_before(x, y) && !is_before(y, x);
  }
};

inline line_key make_key(std::string_view line, std::uint64_t begin) {
  line_key key{{}, begin};
  const int bytes = static_cast<int>(std::min<std::size_t>(line.size(), line_key::prefix_bytes));
  for (int i = 0; i < bytes; ++i) {
    key.words[i / 8] |= std::uint64_t{static_cast<unsigned char>(line[i])} << (56 - i % 8 * 8);
  }
  key.words[2] |= std::min<std::size_t>(line.size(), line_key::prefix_bytes + 1);
  return key;
}

using file = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

inline file open(const std::string& path, const char* mode) {
  file opened(std::fopen(path.c_str(), mode), std::fclose);
  if (!opened) throw file_error(path, std::strerror(errno));
  return opened;
}

/// Appends the bytes of a file.
template <class Byte>
void append(const std::string& path, std::vector<Byte>& bytes) {
  static_assert(sizeof(Byte) == 1, "files are read as bytes");
  const file input = open(path, "rb");
  Byte chunk[1 << 16];
  errno = 0;
  while (const std::size_t got = std::fread(chunk, 1, sizeof(chunk), input.get())) {
    bytes.insert(bytes.end(), chunk, chunk + got);
  }
  if (std::ferror(input.get())) throw file_error(path, std::strerror(errno));
}

/// All bytes of a file.
template <class Byte = char>
std::vector<Byte> read(const std::string& path) {
  std::vector<Byte> bytes;
  append(path, bytes);
  return bytes;
}

/// Appends a file to `text`, and a newline where its last line has none. Returns the keys of its lines, which have to
/// be sorted.
inline std::vector<line_key> read_sorted_lines(const std::string& path, std::vector<char>& text) {
  const std::size_t first = text.size();
  append(path, text);
  if (text.size() > first && text.back() != '\n') text.push_back('\n');

  std::vector<line_key> keys;
  keys.reserve(std::count(text.begin() + first, text.end(), '\n'));
  std::string_view last;
  for (std::size_t begin = first; begin < text.size();) {
    const char* const newline = static_cast<const char*>(std::memchr(text.data() + begin, '\n', text.size() - begin));
    const std::string_view line(text.data() + begin, newline - (text.data() + begin));
    if (line < last) {
      throw content_error(path + ": line " + std::to_string(keys.size() + 1) +
                          " is before the line above it in byte order (sort the file with LC_ALL=C sort)");
    }
    keys.push_back(make_key(line, begin));
    last = line;
    begin += line.size() + 1;
  }
  return keys;
}

/// The lines of a and b as they were merged: a byte per line says which input it came from. Lines that follow one
/// another in an input and in the output are copied at once.
inline std::vector<char> assemble(const std::vector<char>& text, const std::vector<line_key>& a,
                                  const std::vector<line_key>& b, const std::vector<unsigned char>& is_from_b) {
  const std::uint64_t b_begin = b.empty() ? text.size() : b.front().begin;
  std::vector<char> out(text.size());
  char* to = out.data();
  std::uint64_t a_copied = 0, b_copied = b_begin;  // positions in the text
  std::size_t a_lines = 0, b_lines = 0;
  const auto copy_until = [&](std::uint64_t& copied, std::uint64_t end) {
    to = std::copy(text.data() + copied, text.data() + end, to);
    copied = end;
  };
  for (auto run = is_from_b.begin(); run != is_from_b.end();) {
    const auto run_end = std::find(run, is_from_b.end(), !*run);
    if (*run) {
      b_lines += run_end - run;
      copy_until(b_copied, b_lines < b.size() ? b[b_lines].begin : text.size());
    } else {
      a_lines += run_end - run;
      copy_until(a_copied, a_lines < a.size() ? a[a_lines].begin : b_begin);
    }
    run = run_end;
  }
  return out;
}

/// The lines that begin at these positions of the text, one after another.
inline std::vector<char> assemble(const std::vector<char>& text, const std::vector<std::uint64_t>& begins) {
  std::vector<char> out;
  out.reserve(text.size());
  for (const std::uint64_t begin : begins) {
    const char* const first = text.data() + begin;
    const char* const newline = static_cast<const char*>(std::memchr(first, '\n', text.size() - begin));
    out.insert(out.end(), first, newline + 1);
  }
  return out;
}

inline void write(const std::string& path, const std::vector<char>& bytes) {
  file output = open(path, "wb");
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), output.get()) == bytes.size();
  const bool closed = std::fclose(output.release()) == 0;
  if (!written || !closed) throw file_error(path, std::strerror(errno));
}

/// To the standard output.
inline void print(const std::vector<char>& bytes) {
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size();
  if (!written || std::fflush(stdout) != 0) throw file_error("standard output", std::strerror(errno));
}

/// The exit code of a program that does `work`: 1 for a file that cannot be read or written and for other failures, 2
/// for an input that is not sorted.
template <class Work>
int exit_code(const char* program, Work&& work) {
  try {
    work();
    return 0;
  } catch (const content_error& error) {
    std::fprintf(stderr, "%s: %s\n", program, error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", program, error.what());
    return 1;
  }
}

}  // namespace text
