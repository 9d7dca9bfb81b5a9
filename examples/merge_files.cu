// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// merge_files A B OUT: merges two sorted text files by line, byte for byte as `LC_ALL=C sort -m A B > OUT` does. Lines
// that are equal keep their order, those of A first.
// Exit codes: 1 for a file that cannot be read or written and for other failures, 2 for an input that is not sorted.

#include "support/best_time.h"
#include "support/machine.h"
#include "support/text_lines.h"

#include <mgpu/merge.h>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/transform.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace {

struct begins_in_b {
  std::uint64_t b_begin;
  MGPU_HOST_DEVICE unsigned char operator()(const text::line_key& line) const { return line.begin >= b_begin; }
};

/// For every line of the output whether it comes from b, and the seconds the merge took.
struct merged_lines {
  std::vector<unsigned char> is_from_b;
  double seconds;
};

merged_lines merge_lines(const std::vector<char>& all_text, const std::vector<text::line_key>& a_lines,
                         const std::vector<text::line_key>& b_lines) {
  const thrust::device_vector<unsigned char> text(all_text.begin(), all_text.end());
  const thrust::device_vector<text::line_key> a = a_lines, b = b_lines;
  thrust::device_vector<text::line_key> merged(a.size() + b.size());
  const text::by_bytes compare{thrust::raw_pointer_cast(text.data())};

  const double seconds = best_seconds(
      5, [&] { mgpu::merge(machine::par, a.begin(), a.end(), b.begin(), b.end(), merged.begin(), compare); });

  thrust::device_vector<unsigned char> is_from_b(merged.size());
  const begins_in_b test{b_lines.empty() ? all_text.size() : b_lines.front().begin};
  thrust::transform(machine::par, merged.begin(), merged.end(), is_from_b.begin(), test);
  std::vector<unsigned char> on_host(is_from_b.size());
  thrust::copy(is_from_b.begin(), is_from_b.end(), on_host.begin());
  return {std::move(on_host), seconds};
}

void merge_files(const std::string& a_path, const std::string& b_path, const std::string& out_path) {
  std::vector<char> all_text;
  const auto a = text::read_sorted_lines(a_path, all_text);
  const auto b = text::read_sorted_lines(b_path, all_text);
  const merged_lines merged = merge_lines(all_text, a, b);
  text::write(out_path, text::assemble(all_text, a, b, merged.is_from_b));

  std::printf("%zu + %zu lines, %.1f MB, keys of %zu bytes\n", a.size(), b.size(), all_text.size() * 1e-6,
              sizeof(text::line_key));
  const double bytes = 2.0 * (a.size() + b.size()) * sizeof(text::line_key);
  std::printf("merged in %.3f ms, %.1f GB/s read and written, on %s\n", merged.seconds * 1e3,
              bytes / merged.seconds * 1e-9, machine::name().c_str());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: %s A B OUT\n", argv[0]);
    return 1;
  }
  return text::exit_code(argv[0], [&] { merge_files(argv[1], argv[2], argv[3]); });
}
