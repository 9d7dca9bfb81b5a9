// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// merge_parts OUT PART...: merges the sorted parts of a large text file by line, byte for byte as
// `LC_ALL=C sort -m PART... > OUT` does. Lines that are equal keep the order of their parts.
// Exit codes: 1 for a file that cannot be read or written and for other failures, 2 for a part that is not sorted.

#include "support/best_time.h"
#include "support/machine.h"
#include "support/text_lines.h"

#include <mgpu/merge_runs.h>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/transform.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace {

using lines = thrust::device_vector<text::line_key>;

// [snippet: merge_parts]
/// Merges sorted parts, which lie one behind the other: part i is lines offsets[i] to offsets[i + 1].
lines merge_parts(const lines& parts, const thrust::device_vector<std::int64_t>& offsets,
                  const text::by_bytes& compare) {
  lines merged(parts.size());
  const mgpu::run_offsets runs(offsets.begin(), offsets.size() - 1);
  mgpu::merge_runs(machine::par, parts.begin(), parts.end(), runs, merged.begin(), compare);
  return merged;
}
// [end]

struct begin_of {
  MGPU_HOST_DEVICE std::uint64_t operator()(const text::line_key& line) const { return line.begin; }
};

void merge_files(const std::string& out_path, const std::vector<std::string>& part_paths) {
  std::vector<char> all_text;
  std::vector<text::line_key> all_lines;
  std::vector<std::int64_t> offsets{0};
  for (const std::string& path : part_paths) {
    const auto part = text::read_sorted_lines(path, all_text);
    all_lines.insert(all_lines.end(), part.begin(), part.end());
    offsets.push_back(static_cast<std::int64_t>(all_lines.size()));
  }
  const thrust::device_vector<unsigned char> text(all_text.begin(), all_text.end());
  const lines parts = all_lines;
  const thrust::device_vector<std::int64_t> offsets_of_parts = offsets;
  lines merged;
  const double seconds = best_seconds(
      5, [&] { merged = merge_parts(parts, offsets_of_parts, text::by_bytes{thrust::raw_pointer_cast(text.data())}); });

  thrust::device_vector<std::uint64_t> begins(merged.size());
  thrust::transform(machine::par, merged.begin(), merged.end(), begins.begin(), begin_of{});
  std::vector<std::uint64_t> on_host(begins.size());
  thrust::copy(begins.begin(), begins.end(), on_host.begin());
  text::write(out_path, text::assemble(all_text, on_host));
  std::printf("%zu lines in %zu parts, %.1f MB, merged in %.3f ms on %s\n", all_lines.size(), part_paths.size(),
              all_text.size() * 1e-6, seconds * 1e3, machine::name().c_str());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: %s OUT PART...\n", argv[0]);
    return 1;
  }
  return text::exit_code(argv[0], [&] { merge_files(argv[1], {argv + 2, argv + argc}); });
}
