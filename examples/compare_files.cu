// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// compare_files WHAT A B: compares two sorted text files by line and prints, byte for byte, what these commands do in
// the C locale:
//   --only-first  or -23   comm -23 A B   the lines of A that are not in B
//   --both        or -12   comm -12 A B   the lines of both
//   --only-second or -13   comm -13 A B   the lines of B that are not in A
//   --union       or -um   sort -um A B   the lines of either, each once
// As to comm, a line that is x times in A and y times in B is min(x, y) times in both. How long it took goes to stderr.
// Exit codes: 1 for a file that cannot be read or written and for other failures, 2 for an input that is not sorted.

#include "support/best_time.h"
#include "support/machine.h"
#include "support/text_lines.h"

#include <mgpu/set_operations.h>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/transform.h>
#include <thrust/unique.h>

#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace {

enum class selection { only_first, both, only_second, all };

const std::map<std::string, selection> options{{"--only-first", selection::only_first},
                                               {"-23", selection::only_first},
                                               {"--both", selection::both},
                                               {"-12", selection::both},
                                               {"--only-second", selection::only_second},
                                               {"-13", selection::only_second},
                                               {"--union", selection::all},
                                               {"-um", selection::all}};

using lines = thrust::device_vector<text::line_key>;

/// Writes the selected lines of a and b to `out` and returns how many they are.
std::size_t select(selection what, const lines& a, const lines& b, text::by_bytes compare, lines& out) {
  const auto to = out.begin();
  switch (what) {
    // [snippet: compare_files]
    case selection::only_first:
      return mgpu::set_difference(machine::par, a.begin(), a.end(), b.begin(), b.end(), to, compare) - to;
    case selection::both:
      return mgpu::set_intersection(machine::par, a.begin(), a.end(), b.begin(), b.end(), to, compare) - to;
    case selection::only_second:
      return mgpu::set_difference(machine::par, b.begin(), b.end(), a.begin(), a.end(), to, compare) - to;
    case selection::all:  // of files without duplicates
      return mgpu::set_union(machine::par, a.begin(), a.end(), b.begin(), b.end(), to, compare, mgpu::unique_keys) - to;
      // [end]
  }
  return 0;
}

void erase_duplicates(lines& sorted, text::by_bytes compare) {
  sorted.erase(thrust::unique(machine::par, sorted.begin(), sorted.end(), text::same_bytes{compare}), sorted.end());
}

struct begin_of {
  MGPU_HOST_DEVICE std::uint64_t operator()(const text::line_key& line) const { return line.begin; }
};

/// Where the selected lines begin in the text, and the seconds that selecting them took.
struct selected_lines {
  std::vector<std::uint64_t> begins;
  double seconds;
};

selected_lines select_lines(selection what, const std::vector<char>& all_text,
                            const std::vector<text::line_key>& a_lines, const std::vector<text::line_key>& b_lines) {
  const thrust::device_vector<unsigned char> text(all_text.begin(), all_text.end());
  const text::by_bytes compare{thrust::raw_pointer_cast(text.data())};
  lines a = a_lines, b = b_lines;
  if (what == selection::all) {
    erase_duplicates(a, compare);
    erase_duplicates(b, compare);
  }
  lines selected(a.size() + b.size());
  std::size_t count = 0;
  const double seconds = best_seconds(5, [&] { count = select(what, a, b, compare, selected); });

  thrust::device_vector<std::uint64_t> begins(count);
  thrust::transform(machine::par, selected.begin(), selected.begin() + static_cast<std::ptrdiff_t>(count),
                    begins.begin(), begin_of{});
  selected_lines made{std::vector<std::uint64_t>(count), seconds};
  thrust::copy(begins.begin(), begins.end(), made.begins.begin());
  return made;
}

void compare_files(selection what, const std::string& a_path, const std::string& b_path) {
  std::vector<char> all_text;
  const auto a = text::read_sorted_lines(a_path, all_text);
  const auto b = text::read_sorted_lines(b_path, all_text);
  const selected_lines selected = select_lines(what, all_text, a, b);
  text::print(text::assemble(all_text, selected.begins));
  std::fprintf(stderr, "%zu lines of %zu + %zu, selected in %.3f ms on %s\n", selected.begins.size(), a.size(),
               b.size(), selected.seconds * 1e3, machine::name().c_str());
}

}  // namespace

int main(int argc, char** argv) {
  const auto option = argc == 4 ? options.find(argv[1]) : options.end();
  if (option == options.end()) {
    std::fprintf(stderr, "usage: %s --only-first|--both|--only-second|--union A B\n", argv[0]);
    return 1;
  }
  return text::exit_code(argv[0], [&] { compare_files(option->second, argv[2], argv[3]); });
}
