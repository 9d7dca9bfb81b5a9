// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What the parts of the grid of sorts give to the program: rows, and ways to sort each of them.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace bench {

/// One sort that a row is measured with.
struct sort_way {
  std::string name;
  std::function<void()> sort;  // queues the sort on the default stream
};

/// A row, with its input in device memory.
struct grid_row {
  std::string name;                // <function>/<types>/<order>/<distribution>/<size>
  std::uint64_t bytes;             // each input read once and each output written once
  std::function<void()> prepare;   // queues the copy of the input to where a way sorts it
  std::function<bool()> is_right;  // whether the result of a way is sorted, stable if it must be, and complete
  std::vector<sort_way> ways;      // the library's first, then its peers

  /// Adds the way whose temporary memory `sorter` holds: sorter(call).
  template <class Sorter, class Call>
  void add(const std::string& way, const Call& call) {
    const auto sorter = std::make_shared<Sorter>();
    ways.push_back({way, [sorter, call] { (*sorter)(call); }});
  }
};

/// The size of a row, and how its name says it.
struct grid_size {
  std::size_t count;
  std::string name;  // 2.K is 2^K, 3.K is 3 * 2^K + 1
};

struct grid_options;

/// The rows that the command line asks for, measured one after the other.
class grid {
 public:
  explicit grid(const grid_options& options);
  ~grid();

  /// Whether a row of this name and size is to be measured. Ask once for each row of the grid, then give the row.
  bool takes(const std::string& name, std::size_t count);
  bool takes_peers() const;
  /// Measures the row, checks its results and writes its line.
  void measure(const grid_row& row);

  /// Says on stderr what was done, and returns whether all results were right.
  bool finish();

 private:
  struct state;
  std::unique_ptr<state> state_;
};

/// A part of the grid, compiled on its own.
struct grid_part {
  int number;
  void (*add_rows)(grid&);
};

/// The parts that are linked into the program.
std::vector<grid_part>& grid_parts();

/// 2^K for K = 8, 10, ..., 28, between each two of them 3 * 2^K + 1, and a few powers more, ascending.
inline std::vector<grid_size> grid_sizes() {
  std::vector<grid_size> sizes;
  for (int k = 8; k <= 28; ++k) {
    const bool is_even = k % 2 == 0;
    if (is_even || k == 15 || k == 19 || k == 21) sizes.push_back({std::size_t{1} << k, "2." + std::to_string(k)});
    if (is_even && k < 28) sizes.push_back({(std::size_t{3} << k) + 1, "3." + std::to_string(k)});
  }
  std::sort(sizes.begin(), sizes.end(), [](const auto& x, const auto& y) { return x.count < y.count; });
  return sizes;
}

/// Sorts 64-bit numbers of the device.
void sort_on_device(const std::uint64_t* from, std::uint64_t* to, std::size_t count);

}  // namespace bench
