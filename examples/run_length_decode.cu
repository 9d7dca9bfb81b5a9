// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// run_length_decode [FILE...]: encodes the bytes of each file as runs, decodes them by interval_expand and compares.
// Without files it decodes a picture in the notation of the Game of Life, in which 3o is ooo and $ ends a line, prints
// it, and then a larger picture of rings.

#include "support/best_time.h"
#include "support/machine.h"
#include "support/text_lines.h"

#include <mgpu/interval.h>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

using byte = unsigned char;
using bytes = std::vector<byte>;

/// counts[i] bytes equal to values[i], one run after another.
struct runs {
  static constexpr std::size_t encoded_bytes = sizeof(std::uint32_t) + sizeof(byte);  // of a run
  std::vector<std::uint32_t> counts;
  bytes values;

  void append(std::uint32_t count, byte value) {
    counts.push_back(count);
    values.push_back(value);
  }
};

runs encode(const bytes& decoded) {
  runs made;
  for (std::size_t begin = 0; begin < decoded.size();) {
    const std::size_t longest = std::numeric_limits<std::uint32_t>::max();
    const auto last = decoded.begin() + static_cast<std::ptrdiff_t>(std::min(decoded.size(), begin + longest));
    const auto first = decoded.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto end = std::find_if(first, last, [&](byte b) { return b != *first; });
    made.append(static_cast<std::uint32_t>(end - first), *first);
    begin += static_cast<std::size_t>(end - first);
  }
  return made;
}

bytes decode_serially(const runs& encoded) {
  bytes decoded;
  for (std::size_t i = 0; i < encoded.counts.size(); ++i) {
    decoded.insert(decoded.end(), encoded.counts[i], encoded.values[i]);
  }
  return decoded;
}

// [snippet: run_length_decode]
/// values[0] counts[0] times, then values[1] counts[1] times, and so on.
template <class Counts, class Values>
void decode(const Counts& counts, const Values& values, Values& decoded) {
  decoded.resize(thrust::reduce(machine::par, counts.begin(), counts.end(), std::size_t{0}));
  mgpu::interval_expand(machine::par, mgpu::interval_counts(counts.begin(), counts.end()), values.begin(),
                        decoded.begin());
}
// [end]

/// Decodes on the machine, prints sizes and speed, and returns the bytes.
bytes decode_and_measure(const char* name, const runs& encoded) {
  const thrust::device_vector<std::uint32_t> counts = encoded.counts;
  const thrust::device_vector<byte> values = encoded.values;
  thrust::device_vector<byte> decoded;
  const double seconds = best_seconds(5, [&] { decode(counts, values, decoded); });

  bytes on_host(decoded.size());
  thrust::copy(decoded.begin(), decoded.end(), on_host.begin());
  const std::size_t encoded_bytes = counts.size() * runs::encoded_bytes;
  std::printf("%s: %zu bytes of %zu runs, %.2f times their %zu bytes, decoded in %.3f ms, %.2f GB/s\n", name,
              on_host.size(), counts.size(), static_cast<double>(on_host.size()) / std::max<double>(1, encoded_bytes),
              encoded_bytes, seconds * 1e3, static_cast<double>(on_host.size()) / seconds * 1e-9);
  return on_host;
}

/// Whether the bytes come back when they are encoded and decoded.
bool comes_back(const char* name, const bytes& original) {
  if (decode_and_measure(name, encode(original)) == original) return true;
  std::printf("%s: WRONG\n", name);
  return false;
}

/// A count, or none for 1, and a cell: dead (b), alive (o), or the end of a line ($).
runs parse_pattern(std::string_view pattern) {
  runs made;
  std::uint32_t count = 0;
  for (const char c : pattern) {
    if (std::isdigit(static_cast<byte>(c))) {
      count = 10 * count + static_cast<std::uint32_t>(c - '0');
    } else {
      made.append(std::max(count, 1u), c == 'b' ? '.' : c == 'o' ? '#' : '\n');
      count = 0;
    }
  }
  return made;
}

bool decodes_pattern() {
  // Gosper's glider gun
  const runs gun = parse_pattern(
      "24bo11b$22bobo11b$12b2o6b2o12b2o$11bo3bo4b2o12b2o$2o8bo5bo3b2o14b$2o8bo3bob2o4bobo11b$10bo5bo7bo11b$"
      "11bo3bo20b$12b2o22b$");
  const bytes picture = decode_and_measure("glider gun", gun);
  std::printf("%.*s", static_cast<int>(picture.size()), reinterpret_cast<const char*>(picture.data()));
  if (picture == decode_serially(gun)) return true;
  std::printf("glider gun: WRONG\n");
  return false;
}

/// Rings of changing shades about the middle of a square picture.
bytes draw_rings(std::int64_t width) {
  bytes picture;
  picture.reserve(static_cast<std::size_t>(width * width));
  for (std::int64_t y = -width / 2; y < width / 2; ++y) {
    for (std::int64_t x = -width / 2; x < width / 2; ++x) {
      picture.push_back(static_cast<byte>(40 * (x * x + y * y) / (width * width)));
    }
  }
  return picture;
}

}  // namespace

int main(int argc, char** argv) {
  return text::exit_code(argv[0], [&] {
    std::printf("decoding on %s\n", machine::name().c_str());
    bool is_right = true;
    for (int i = 1; i < argc; ++i) is_right &= comes_back(argv[i], text::read<byte>(argv[i]));
    if (argc == 1) {
      is_right &= decodes_pattern();
      is_right &= comes_back("rings", draw_rings(MGPU_CUDA_COMPILER ? 1 << 13 : 1 << 11));
    }
    if (!is_right) throw std::runtime_error("what was decoded is not what was encoded");
  });
}
