// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// join_words A B FOLDER: joins two sorted word lists. Writes three files to FOLDER, byte for byte what these commands
// print in the C locale for lists of words without blanks:
//   both     join A B: a word for each pair of equal words
//   only_a   join -v 1 A B: the words of A that B lacks; comm -23 A B where no word is there twice
//   only_b   join -v 2 A B: the words of B that A lacks; comm -13 A B
// Exit codes: 1 for a file that cannot be read or written and for other failures, 2 for an input that is not sorted.

#include "support/best_time.h"
#include "support/machine.h"
#include "support/text_lines.h"

#include <mgpu/join.h>

#include <thrust/copy.h>
#include <thrust/device_vector.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace {

using lines = std::vector<text::line_key>;
using rows = thrust::device_vector<std::uint32_t>;

/// The lines of some rows, one after another.
std::vector<char> lines_of(const rows& numbers, const lines& all, const std::vector<char>& text) {
  std::vector<std::uint32_t> on_host(numbers.size());
  thrust::copy(numbers.begin(), numbers.end(), on_host.begin());
  std::vector<std::uint64_t> begins;
  begins.reserve(on_host.size());
  for (const std::uint32_t row : on_host) begins.push_back(all[row].begin);
  return text::assemble(text, begins);
}

void join_words(const std::string& a_path, const std::string& b_path, const std::string& folder) {
  std::vector<char> all_text;
  const lines a = text::read_sorted_lines(a_path, all_text), b = text::read_sorted_lines(b_path, all_text);
  const thrust::device_vector<unsigned char> text(all_text.begin(), all_text.end());
  const thrust::device_vector<text::line_key> a_lines = a, b_lines = b;
  const text::by_bytes compare{thrust::raw_pointer_cast(text.data())};

  // [snippet: words]
  const auto size =
      mgpu::inner_join_size(machine::par, a_lines.begin(), a_lines.end(), b_lines.begin(), b_lines.end(), compare);
  rows in_a(static_cast<std::size_t>(size)), in_b(static_cast<std::size_t>(size));
  mgpu::inner_join(machine::par, a_lines.begin(), a_lines.end(), b_lines.begin(), b_lines.end(), in_a.begin(),
                   in_b.begin(), compare);
  // [end]
  const double seconds = best_seconds(5, [&] {
    mgpu::inner_join(machine::par, a_lines.begin(), a_lines.end(), b_lines.begin(), b_lines.end(), in_a.begin(),
                     in_b.begin(), compare);
  });

  rows only_a(a.size()), only_b(b.size());
  const auto a_end = mgpu::anti_join(machine::par, a_lines.begin(), a_lines.end(), b_lines.begin(), b_lines.end(),
                                     only_a.begin(), compare);
  const auto b_end = mgpu::anti_join(machine::par, b_lines.begin(), b_lines.end(), a_lines.begin(), a_lines.end(),
                                     only_b.begin(), compare);
  only_a.resize(static_cast<std::size_t>(a_end - only_a.begin()));
  only_b.resize(static_cast<std::size_t>(b_end - only_b.begin()));

  text::write(folder + "/both", lines_of(in_a, a, all_text));
  text::write(folder + "/only_a", lines_of(only_a, a, all_text));
  text::write(folder + "/only_b", lines_of(only_b, b, all_text));
  std::printf("%zu and %zu words: %zu pairs, %zu only in A, %zu only in B; joined in %.3f ms on %s\n", a.size(),
              b.size(), in_a.size(), only_a.size(), only_b.size(), seconds * 1e3, machine::name().c_str());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: %s A B FOLDER\n", argv[0]);
    return 1;
  }
  return text::exit_code(argv[0], [&] { join_words(argv[1], argv[2], argv[3]); });
}
