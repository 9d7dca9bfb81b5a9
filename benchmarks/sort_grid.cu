// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every sort over a grid of types, orders, distributions and sizes, beside CUB. It proves that no row lost between two
// versions of the library, or finds rows in which a peer is faster. It is no benchmark of Google Benchmark, which would
// take hours for so many rows. sort_grid_compare.py compares its results. Rows are
// <function>/<types>/<order>/<distribution>/<size>:
//   function       stable_sort, locality_sort; merge_runs_N of N runs; segmented_sort_L and stable_segmented_sort_L of
//                  segments L: 0_N of lengths from 0 to N, 5000 of this length, `half` of one that has half of the
//                  array, and short ones, `few_long` of up to 1,000, but one in a thousand of 500,000
//   types          keys, or keys_values; s12, s16 and s32 are structs of so many bytes
//   order          less; user, a comparator that the library does not know; mod1000, a % 1000 < b % 1000; by_key
//   distribution   of the keys: random, sorted, nearly_sorted (each within 100 of its place, as within_25 and
//                  within_1000), reversed, saw_teeth (of 1,000 keys), few (7)
//   size           2.K: 2^K, 3.K: 3 * 2^K + 1
// Options:
//   --only=REGEX   rows whose name has a match
//   --most=N       rows of at most N elements; N is a number or 2^K
//   --shard=I/N    of these rows those with number I modulo N
//   --seconds=S    start no row later than so many seconds after the beginning
//   --runs=N       samples; by default 5 to 21
//   --no-peers     the library alone
//   --wall         of rows of random keys up to 2^16 elements: the time of a call, of 200 without a wait between them.
//                  The first of them sorts, and all but merges of runs find sorted keys from then on
//   --list         the names of the rows, without a GPU
//   --out=FILE     for the results, by default stdout
// Results are lines name,ours_us,peer_us,peer,bytes of the medians, with the fastest peer. Every result is checked. The
// exit status is 1 if one is wrong: stderr says which.

#include <support/sort_grid/grid.h>
#include <support/cub_storage.cuh>
#include <support/timing.cuh>

#include <cub/device/device_radix_sort.cuh>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench {

using std_clock = std::chrono::steady_clock;

inline double microseconds_since(std_clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(std_clock::now() - begin).count();
}

struct grid_options {
  std::regex only{""};  // which every name matches
  std::size_t most = ~std::size_t{0};
  std::size_t shard = 0, shards = 1;
  double seconds = 1e9;
  int runs = 0;  // or as many as fit in the time of a row
  bool peers = true, wall = false, list = false;
  std::string out;  // or empty for stdout
};

std::vector<grid_part>& grid_parts() {
  static std::vector<grid_part> parts;
  return parts;
}

void sort_on_device(const std::uint64_t* from, std::uint64_t* to, std::size_t count) {
  cub_storage storage;
  storage(
      [&](void* memory, std::size_t& bytes) { return cub::DeviceRadixSort::SortKeys(memory, bytes, from, to, count); });
}

struct grid::state {
  struct span {
    event begin, end;
  };

  grid_options options;
  std_clock::time_point beginning = std_clock::now();
  std::size_t rows = 0, measured = 0, left = 0, wrong = 0;
  std::ofstream file;
  std::vector<span> spans;

  static constexpr int least_runs = 5, most_runs = 21, wall_calls = 200;
  static constexpr double row_microseconds = 30'000;

  std::ostream& out() { return options.out.empty() ? std::cout : file; }
  void complain(const grid_row& row, const sort_way& way, const std::string& what) {
    ++wrong;
    std::cerr << what << " " << row.name << " " << way.name << std::endl;
  }

  /// Sorts once more, for a first time. A peer that takes much more than that is not sampled.
  double time_of(const grid_row& row, const sort_way& way, double most_microseconds) {
    row.prepare();
    check(cudaDeviceSynchronize());
    const auto begin = std_clock::now();
    spans[0].begin.record();
    way.sort();
    spans[0].end.record();
    const double queueing = microseconds_since(begin);
    const double first = spans[0].end.seconds_since(spans[0].begin) * 1e6;
    if (first > most_microseconds) return first;
    // The calls of a sample are queued behind a kernel that runs until all of them are.
    const double held = std::min(200.0, 2 * queueing + 20);
    const int fitting = static_cast<int>(row_microseconds / (2 * first + held));
    const int runs = options.runs > 0 ? options.runs : std::clamp(fitting, least_runs, most_runs);
    return median_of(row, way, runs, static_cast<unsigned long long>(held * 1e3));
  }

  double median_of(const grid_row& row, const sort_way& way, int runs, unsigned long long held_nanoseconds) {
    std::vector<double> times;
    for (int run = 0; run < runs; ++run) {
      hold<<<1, 1>>>(held_nanoseconds);
      row.prepare();
      spans[run].begin.record();
      way.sort();
      spans[run].end.record();
    }
    for (int run = 0; run < runs; ++run) times.push_back(spans[run].end.seconds_since(spans[run].begin) * 1e6);
    check(cudaGetLastError());
    return median(times);
  }

  /// What a call costs of many that are made without a wait.
  double wall_time_of(const grid_row& row, const sort_way& way) {
    std::vector<double> times;
    const int repeats = options.runs > 0 ? options.runs : least_runs;
    for (int repeat = 0; repeat < repeats; ++repeat) {
      row.prepare();
      check(cudaDeviceSynchronize());
      const auto begin = std_clock::now();
      for (int call = 0; call < wall_calls; ++call) way.sort();
      check(cudaDeviceSynchronize());
      times.push_back(microseconds_since(begin) / wall_calls);
    }
    return median(times);
  }

  static double median(std::vector<double> times) {
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    return *middle;
  }

  /// The time of a way in microseconds, or 0 if it failed.
  double measured_time(const grid_row& row, const sort_way& way, double most_microseconds) {
    try {
      row.prepare();
      way.sort();
      check(cudaDeviceSynchronize());
      if (!row.is_right()) {
        complain(row, way, "WRONG");
        return 0;
      }
      return options.wall ? wall_time_of(row, way) : time_of(row, way, most_microseconds);
    } catch (const std::exception& error) {
      complain(row, way, std::string("FAILED (") + error.what() + ")");
      cudaGetLastError();
      check(cudaDeviceSynchronize());  // throws if nothing can run any more
      return 0;
    }
  }
};

grid::grid(const grid_options& options) : state_(std::make_unique<state>()) {
  state_->options = options;
  if (options.list) return;
  keep_freed_memory();
  state_->spans = std::vector<state::span>(static_cast<std::size_t>(std::max(options.runs, state::most_runs)));
  if (!options.out.empty()) {
    state_->file.open(options.out);
    if (!state_->file) throw std::runtime_error("cannot write " + options.out);
  }
  state_->out() << "name,ours_us,peer_us,peer,bytes" << std::endl;
}

grid::~grid() = default;

bool grid::takes_peers() const { return state_->options.peers; }

bool grid::takes(const std::string& name, std::size_t count) {
  const grid_options& options = state_->options;
  if (count > options.most || !std::regex_search(name, options.only)) return false;
  if (options.wall && (count > std::size_t{1} << 16 || name.find("/random/") == std::string::npos)) return false;
  if (state_->rows++ % options.shards != options.shard) return false;
  if (options.list) {
    std::cout << name << '\n';
    return false;
  }
  if (microseconds_since(state_->beginning) < options.seconds * 1e6) return true;
  ++state_->left;
  return false;
}

void grid::measure(const grid_row& row) {
  constexpr double too_slow = 5;  // times the library's time
  const double ours = state_->measured_time(row, row.ways.front(), 1e12);
  double best = 0;
  std::string best_peer;
  for (std::size_t way = 1; way < row.ways.size(); ++way) {
    const double time = state_->measured_time(row, row.ways[way], ours > 0 ? too_slow * ours : 1e12);
    if (time > 0 && (best == 0 || time < best)) {
      best = time;
      best_peer = row.ways[way].name;
    }
  }
  ++state_->measured;
  if (ours == 0) return;
  std::ostream& out = state_->out();
  out << (state_->options.wall ? "wall_" : "") << row.name << ',' << ours << ',';
  if (best > 0) out << best;
  out << ',' << best_peer << ',' << row.bytes << std::endl;
}

bool grid::finish() {
  if (state_->options.list) return true;
  std::cerr << state_->measured << " rows in " << microseconds_since(state_->beginning) * 1e-6 << " s, "
            << state_->wrong << " wrong; " << state_->left << " rows were left when the time was over" << std::endl;
  return state_->wrong == 0;
}

/// N or 2^K.
std::size_t count_of(const std::string& text) {
  if (text.rfind("2^", 0) == 0) return std::size_t{1} << std::stoi(text.substr(2));
  return std::stoull(text);
}

grid_options parsed(int argc, char** argv) {
  grid_options options;
  const auto set = [&](const std::string& name, const std::string& value) {
    if (name == "--only") options.only = std::regex(value);
    else if (name == "--most") options.most = count_of(value);
    else if (name == "--seconds") options.seconds = std::stod(value);
    else if (name == "--runs") options.runs = std::stoi(value);
    else if (name == "--out") options.out = value;
    else if (name == "--no-peers") options.peers = false;
    else if (name == "--wall") options.wall = true;
    else if (name == "--list") options.list = true;
    else if (name == "--shard" && value.find('/') != std::string::npos) {
      options.shard = std::stoull(value);
      options.shards = std::stoull(value.substr(value.find('/') + 1));
    } else {
      throw std::invalid_argument("unknown option " + name + "; the head of sort_grid.cu lists them");
    }
  };
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const std::size_t equals = argument.find('=');
    set(argument.substr(0, equals), equals == std::string::npos ? "" : argument.substr(equals + 1));
  }
  if (options.shard >= options.shards) throw std::invalid_argument("--shard=I/N: I is less than N");
  return options;
}

}  // namespace bench

int main(int argc, char** argv) {
  using namespace bench;
  try {
    const grid_options options = parsed(argc, argv);
    grid rows(options);
    std::sort(grid_parts().begin(), grid_parts().end(),
              [](const grid_part& x, const grid_part& y) { return x.number < y.number; });
    for (const grid_part& part : grid_parts()) part.add_rows(rows);
    return rows.finish() ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "sort_grid: " << error.what() << std::endl;
    return 2;
  }
}
