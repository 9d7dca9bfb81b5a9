// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// segmented_sort, stable_segmented_sort and locality_sort of 2^24 u32 keys on the CPU, beside what one writes by hand
// and the sorts of other libraries, as far as this build has them. Rows are keys_u32/<input>/<peer>. Of random keys:
//   mean_N        segments of lengths uniform in [0, 2 N]
//   one_segment   all keys
// Sorted by locality_sort:
//   sorted, within_N   i + a random number in [0, N], 0 for sorted
//   random, reversed
// Peers:
//   mgpu_omp, mgpu_tbb, mgpu_cpp                the functions that need not be stable, and locality_sort
//   mgpu_stable_omp, mgpu_stable_tbb            the stable ones
//   std, std_parallel                           std::stable_sort of one segment after another, and in an OpenMP loop
//   std_sort_parallel                           std::sort in an OpenMP loop
//   gnu_parallel, std_par                       of all keys: stable_sort of GNU's parallel mode and with
//                                               std::execution::par

#include <support/host_row.h>

#include <mgpu/locality_sort.h>
#include <mgpu/segmented_sort.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <utility>

namespace bench {

constexpr std::size_t count = std::size_t{1} << 24;

/// What the peers of one input, which run one after another, are given and have to find.
struct sort_data {
  array unsorted, offsets, keys = unsorted, expected = unsorted;

  sort_data(array unsorted, array offsets) : unsorted(std::move(unsorted)), offsets(std::move(offsets)) {
    for (std::size_t i = 0; i < segment_count(); ++i) std::sort(begin(expected, i), begin(expected, i + 1));
  }

  std::size_t segment_count() const { return offsets.size() - 1; }
  auto segments() const { return mgpu::segment_offsets(offsets.begin(), segment_count()); }
  auto begin(std::size_t segment) { return begin(keys, segment); }
  void restore() { std::copy(unsorted.begin(), unsorted.end(), keys.begin()); }

 private:
  array::iterator begin(array& in, std::size_t segment) const { return in.begin() + offsets[segment]; }
};

array random_keys() {
  std::mt19937 random(1);
  array made(count);
  std::generate(made.begin(), made.end(), [&] { return static_cast<std::uint32_t>(random()); });
  return made;
}

sort_data in_segments(unsigned mean) {
  std::mt19937 random(mean);
  array offsets;
  for (std::size_t end = 0; end < count; end += random() % (2 * mean + 1)) {
    offsets.push_back(static_cast<std::uint32_t>(end));
  }
  offsets.push_back(static_cast<std::uint32_t>(count));
  return {random_keys(), offsets};
}

sort_data in_one_segment(unsigned) { return {random_keys(), {0, count}}; }

sort_data within(unsigned distance) {
  std::mt19937 random(1);
  array keys = numbers(count, 0);
  for (std::uint32_t& key : keys) key += static_cast<std::uint32_t>(random() % (distance + 1));
  return {std::move(keys), {0, count}};
}

sort_data backwards(unsigned) {
  array keys = numbers(count, 0);
  std::reverse(keys.begin(), keys.end());
  return {std::move(keys), {0, count}};
}

struct input {
  std::string name;
  sort_data (*make)(unsigned);
  unsigned argument;
};

struct live_data {
  std::string name;
  std::unique_ptr<sort_data> data;
};
live_data live;

sort_data& data_of(const input& in) {
  if (live.name != in.name) live = {};  // frees the memory of the input before
  if (!live.data) live = {in.name, std::make_unique<sort_data>(in.make(in.argument))};
  return *live.data;
}

/// Adds the row of a peer; `run` is given the data and sorts their keys. Every run begins with the unsorted keys.
template <class Run>
void add_checked_row(const input& in, const std::string& peer, const Run& run) {
  const auto restore = [=] { data_of(in).restore(); };
  const auto runs_right = [=] {
    sort_data& d = data_of(in);
    d.restore();
    run(d);
    return d.keys == d.expected;
  };
  add_row("keys_u32/" + in.name + "/" + peer, runs_right, restore, [=] { run(data_of(in)); });
}

template <class Policy>
void add_policy(const input& in, const std::string& name, const Policy& policy) {
  add_checked_row(in, "mgpu_" + name,
                  [policy](sort_data& d) { mgpu::segmented_sort(policy, d.keys.begin(), d.keys.end(), d.segments()); });
  add_checked_row(in, "mgpu_stable_" + name, [policy](sort_data& d) {
    mgpu::stable_segmented_sort(policy, d.keys.begin(), d.keys.end(), d.segments());
  });
}

template <class Policy>
void add_locality_policy(const input& in, const std::string& name, const Policy& policy) {
  add_checked_row(in, "mgpu_" + name,
                  [policy](sort_data& d) { mgpu::locality_sort(policy, d.keys.begin(), d.keys.end()); });
}

/// The parallel stable sorts of one array.
void add_sorts_of_all(const input& in) {
  static_cast<void>(in);
#ifdef MGPU_TEST_HAS_TBB
  add_checked_row(in, "std_par",
                  [](sort_data& d) { std::stable_sort(std::execution::par, d.keys.begin(), d.keys.end()); });
#endif
#ifdef MGPU_TEST_HAS_OMP
  add_checked_row(in, "gnu_parallel", [](sort_data& d) { __gnu_parallel::stable_sort(d.keys.begin(), d.keys.end()); });
#endif
}

/// `chunk`: how many segments a thread of the OpenMP loops takes at a time.
void add_segmented(const input& in, int chunk) {
  static_cast<void>(chunk);
  add_checked_row(in, "std", [](sort_data& d) {
    for (std::size_t i = 0; i < d.segment_count(); ++i) std::stable_sort(d.begin(i), d.begin(i + 1));
  });
#ifdef MGPU_TEST_HAS_TBB
  add_policy(in, "tbb", mgpu::tbb::par);
#endif
#ifdef MGPU_TEST_HAS_OMP
  add_checked_row(in, "std_parallel", [chunk](sort_data& d) {
#pragma omp parallel for schedule(dynamic, chunk)
    for (std::size_t i = 0; i < d.segment_count(); ++i) std::stable_sort(d.begin(i), d.begin(i + 1));
  });
  add_checked_row(in, "std_sort_parallel", [chunk](sort_data& d) {
#pragma omp parallel for schedule(dynamic, chunk)
    for (std::size_t i = 0; i < d.segment_count(); ++i) std::sort(d.begin(i), d.begin(i + 1));
  });
  add_policy(in, "omp", mgpu::omp::par);
#endif
  add_checked_row(in, "mgpu_cpp", [](sort_data& d) {
    mgpu::segmented_sort(mgpu::cpp::par, d.keys.begin(), d.keys.end(), d.segments());
  });
}

void add_locality(const input& in) {
  add_checked_row(in, "std", [](sort_data& d) { std::stable_sort(d.keys.begin(), d.keys.end()); });
  add_sorts_of_all(in);
#ifdef MGPU_TEST_HAS_TBB
  add_locality_policy(in, "tbb", mgpu::tbb::par);
#endif
#ifdef MGPU_TEST_HAS_OMP
  add_locality_policy(in, "omp", mgpu::omp::par);
#endif
  add_locality_policy(in, "cpp", mgpu::cpp::par);
}

void add_rows() {
  add_segmented({"mean_100", in_segments, 100}, 64);
  add_segmented({"mean_10000", in_segments, 10'000}, 1);
  const input one{"one_segment", in_one_segment, 0};
  add_segmented(one, 1);
  add_sorts_of_all(one);
  add_locality({"sorted", within, 0});
  for (const unsigned distance : {25, 1000, 100'000}) {
    add_locality({"within_" + std::to_string(distance), within, distance});
  }
  add_locality({"random", in_one_segment, 0});
  add_locality({"reversed", backwards, 0});
}

}  // namespace bench

int main(int argc, char** argv) { return bench::run_rows(argc, argv, bench::add_rows); }
