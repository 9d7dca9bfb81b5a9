// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// gather_strings TEXT ROWS, gather_strings TEXT --every K: prints rows of a column of strings, the lines of a file.
// The column is kept as data frames keep it: the characters of all rows side by side, and where each row begins.
//   ROWS        a file of row numbers, one a line, from 1; the rows are printed in that order, as often as named
//   --every K   every K-th row from the last one upwards
// How long it took goes to stderr. Exit codes: 1 for a file that cannot be read or written and for other failures, 2
// for a row that TEXT does not have.

#include "support/best_time.h"
#include "support/machine.h"
#include "support/text_lines.h"

#include <mgpu/interval.h>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/scan.h>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

namespace {

using row = std::int64_t;  // from 0

/// Row i is characters [offsets[i], offsets[i + 1]).
template <template <class...> class Vector>
struct basic_strings {
  Vector<std::int64_t> offsets;  // [rows + 1]
  Vector<char> characters;

  std::size_t size() const { return offsets.size() - 1; }
};
using strings = basic_strings<std::vector>;
using device_strings = basic_strings<thrust::device_vector>;

// [snippet: gather_strings]
struct length_of {
  const std::int64_t* offsets;
  MGPU_HOST_DEVICE std::int64_t operator()(row r) const { return offsets[r + 1] - offsets[r]; }
};

/// The named rows of a column, in that order.
void gather(const device_strings& column, const thrust::device_vector<row>& rows, device_strings& out) {
  const auto lengths =
      thrust::make_transform_iterator(rows.begin(), length_of{thrust::raw_pointer_cast(column.offsets.data())});
  out.offsets.assign(rows.size() + 1, 0);
  thrust::inclusive_scan(machine::par, lengths, lengths + rows.size(), out.offsets.begin() + 1);
  const std::int64_t total = out.offsets.back();
  out.characters.resize(total);

  const auto begins = thrust::make_permutation_iterator(column.offsets.begin(), rows.begin());
  mgpu::interval_gather(machine::par, mgpu::interval_offsets(out.offsets.begin(), rows.size(), total), begins,
                        column.characters.begin(), out.characters.begin());
}
// [end]

/// The lines of a text, without their ends.
strings read_column(const std::string& path) {
  strings column{{0}, text::read(path)};
  std::vector<char>& characters = column.characters;
  if (!characters.empty() && characters.back() != '\n') characters.push_back('\n');
  std::size_t kept = 0;
  for (const char c : characters) {
    if (c == '\n') column.offsets.push_back(static_cast<std::int64_t>(kept));
    else characters[kept++] = c;
  }
  characters.resize(kept);
  return column;
}

/// A positive number, or 0 for any other text.
row parse_number(const char* first, const char* last) {
  row number = 0;
  const auto [end, error] = std::from_chars(first, last, number);
  return error == std::errc{} && end == last && number > 0 ? number : 0;
}

std::vector<row> read_rows(const std::string& path, row row_count) {
  const strings numbers = read_column(path);
  std::vector<row> rows;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const char* const first = numbers.characters.data() + numbers.offsets[i];
    const char* const last = numbers.characters.data() + numbers.offsets[i + 1];
    const row number = parse_number(first, last);
    if (number == 0 || number > row_count) {
      throw text::content_error(path + ", line " + std::to_string(i + 1) + ": " + std::string(first, last) +
                                " is not the number of one of " + std::to_string(row_count) + " rows");
    }
    rows.push_back(number - 1);
  }
  return rows;
}

std::vector<row> every_row_upwards(const std::string& distance, row row_count) {
  const row k = parse_number(distance.data(), distance.data() + distance.size());
  if (k == 0) throw std::invalid_argument("--every takes a positive number, not " + distance);
  std::vector<row> rows;
  for (row r = row_count - 1; r >= 0; r -= k) rows.push_back(r);
  return rows;
}

/// The named rows, and the seconds that gathering them took.
struct gathered_strings {
  strings column;
  double seconds;
};

gathered_strings gather_on_machine(const strings& column, const std::vector<row>& rows) {
  const device_strings source{column.offsets, column.characters};
  const thrust::device_vector<row> device_rows = rows;
  device_strings out;
  const double seconds = best_seconds(5, [&] { gather(source, device_rows, out); });

  gathered_strings made{{std::vector<std::int64_t>(out.offsets.size()), std::vector<char>(out.characters.size())},
                        seconds};
  thrust::copy(out.offsets.begin(), out.offsets.end(), made.column.offsets.begin());
  thrust::copy(out.characters.begin(), out.characters.end(), made.column.characters.begin());
  return made;
}

/// The rows as lines.
std::vector<char> lines_of(const strings& column) {
  std::vector<char> lines;
  lines.reserve(column.characters.size() + column.size());
  for (std::size_t i = 0; i < column.size(); ++i) {
    const auto characters = column.characters.begin();
    lines.insert(lines.end(), characters + column.offsets[i], characters + column.offsets[i + 1]);
    lines.push_back('\n');
  }
  return lines;
}

void print_rows(const strings& column, const std::vector<row>& rows) {
  const gathered_strings gathered = gather_on_machine(column, rows);
  text::print(lines_of(gathered.column));
  std::fprintf(stderr, "%zu of %zu rows, %.2f MB of characters, gathered in %.3f ms on %s\n", rows.size(),
               column.size(), static_cast<double>(gathered.column.characters.size()) * 1e-6, gathered.seconds * 1e3,
               machine::name().c_str());
}

}  // namespace

int main(int argc, char** argv) {
  const bool is_every = argc == 4 && std::string(argv[2]) == "--every";
  if (argc != 3 && !is_every) {
    std::fprintf(stderr, "usage: %s TEXT ROWS, or %s TEXT --every K\n", argv[0], argv[0]);
    return 1;
  }
  return text::exit_code(argv[0], [&] {
    const strings column = read_column(argv[1]);
    const row row_count = static_cast<row>(column.size());
    print_rows(column, is_every ? every_row_upwards(argv[3], row_count) : read_rows(argv[2], row_count));
  });
}
