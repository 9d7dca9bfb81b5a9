// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How threads of the CPU share the work of a call: what takes a few microseconds is done by the thread that calls, and
// the rest is cut into tiles for all of them.
#include <mgpu/cpp.h>
#include <mgpu/exec/host/tiles.h>
#include <mgpu/join.h>
#include <mgpu/merge.h>
#include <mgpu/merge_runs.h>
#include <mgpu/runs.h>
#include <mgpu/segmented_sort.h>
#include <mgpu/segments.h>
#include <mgpu/set_operations.h>
#include <mgpu/sort.h>
#include <mgpu/tuning/merge.h>

#ifdef MGPU_TEST_HAS_OMP
#include <mgpu/omp.h>

#include <omp.h>
#endif

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

namespace {

using mgpu::offset;

/// Says that it has some threads, and notes for how many calls a team of them was asked for.
struct noting_policy : mgpu::detail::exec::host_policy<noting_policy, thrust::cpp::execution_policy>,
                       mgpu::detail::exec::heap_memory<noting_policy> {
  std::vector<offset>* teams;

  explicit noting_policy(std::vector<offset>& noted) : teams(&noted) {}
  static int threads() { return said; }
  inline static int said = 16;
  template <class Function>
  void for_each_index(offset count, const Function& f) {
    teams->push_back(count);
    for (offset i = 0; i < count; ++i) f(i);
  }
};

std::vector<int> random_keys(int count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<int> keys(static_cast<std::size_t>(count));
  for (int& key : keys) key = std::uniform_int_distribution<int>(0, count)(random);
  return keys;
}
std::vector<int> sorted_keys(int count, unsigned seed) {
  auto keys = random_keys(count, seed);
  std::sort(keys.begin(), keys.end());
  return keys;
}

/// Calls f(policy). Returns for how many calls the largest team was asked for.
template <class Function>
offset largest_team(const Function& f) {
  std::vector<offset> teams;
  f(noting_policy(teams));
  return teams.empty() ? 0 : *std::max_element(teams.begin(), teams.end());
}

/// The largest teams of calls with arrays of `count` elements, whose results are looked at.
struct teams_of_calls {
  offset merge, set_union, set_union_size, sort, segmented_sort, merge_runs;
};
teams_of_calls run_calls(int count) {
  const auto a = sorted_keys(count, 1), b = sorted_keys(count, 2), keys = random_keys(count, 3);
  std::vector<int> out(a.size() + b.size()), expected(out.size());
  teams_of_calls teams{};
  std::merge(a.begin(), a.end(), b.begin(), b.end(), expected.begin());
  teams.merge =
      largest_team([&](const auto& p) { mgpu::merge(p, a.begin(), a.end(), b.begin(), b.end(), out.begin()); });
  CHECK(out == expected);

  const auto end = std::set_union(a.begin(), a.end(), b.begin(), b.end(), expected.begin());
  const auto size = static_cast<offset>(end - expected.begin());
  teams.set_union = largest_team([&](const auto& p) {
    CHECK(mgpu::set_union(p, a.begin(), a.end(), b.begin(), b.end(), out.begin()) - out.begin() == size);
  });
  CHECK(std::equal(expected.begin(), end, out.begin()));
  teams.set_union_size = largest_team(
      [&](const auto& p) { CHECK(mgpu::set_union_size(p, a.begin(), a.end(), b.begin(), b.end()) == size); });

  auto sorted = keys, in_order = keys;
  std::sort(in_order.begin(), in_order.end());
  teams.sort = largest_team([&](const auto& p) { mgpu::stable_sort(p, sorted.begin(), sorted.end()); });
  CHECK(sorted == in_order);

  const std::vector<int> offsets{0, count / 3, count / 3, count};
  sorted = keys;
  teams.segmented_sort = largest_team([&](const auto& p) {
    mgpu::segmented_sort(p, sorted.begin(), sorted.end(), mgpu::segment_offsets(offsets.data(), 3));
  });
  auto runs = keys;
  std::sort(runs.begin(), runs.begin() + count / 3);
  std::sort(runs.begin() + count / 3, runs.end());
  CHECK(sorted == runs);

  std::vector<int> merged(runs.size());
  teams.merge_runs = largest_team([&](const auto& p) {
    mgpu::merge_runs(p, runs.begin(), runs.end(), mgpu::run_offsets(offsets.data(), 3), merged.begin());
  });
  CHECK(merged == in_order);
  return teams;
}

}  // namespace

TEST_CASE("small arrays are done by the thread that calls") {
  for (const int count : {1, 100, 4000}) {
    CAPTURE(count);
    const teams_of_calls teams = run_calls(count);
    CHECK(teams.merge == 0);
    CHECK(teams.set_union == 0);
    CHECK(teams.set_union_size == 0);
    CHECK(teams.sort == 0);
    CHECK(teams.segmented_sort == 0);
    CHECK(teams.merge_runs == 0);
  }
}

TEST_CASE("the two tiles of an array are sorted, and merged, by two threads") {
  std::vector<offset> teams;
  auto keys = random_keys(10'000, 1);
  mgpu::stable_sort(noting_policy(teams), keys.begin(), keys.end());
  CHECK(std::is_sorted(keys.begin(), keys.end()));
  CHECK(std::count(teams.begin(), teams.end(), 2) >= 2);
}

TEST_CASE("the rows of joins of columns that are not sorted are as many, whatever threads a call has") {
  std::vector<int> left(20'000);
  std::iota(left.begin(), left.end(), 0);
  const auto right = left;
  left[8256] = -1;  // a tile that begins there would have all rows of the right
  std::vector<offset> teams;
  std::vector<std::vector<offset>> sizes;
  for (const int threads : {1, 2, 16}) {
    noting_policy::said = threads;
    const noting_policy p(teams);
    sizes.push_back({mgpu::inner_join_size(p, left.begin(), left.end(), right.begin(), right.end()),
                     mgpu::left_join_size(p, left.begin(), left.end(), right.begin(), right.end()),
                     mgpu::full_join_size(p, left.begin(), left.end(), right.begin(), right.end()),
                     mgpu::full_join_size(p, right.begin(), right.end(), left.begin(), left.end())});
  }
  noting_policy::said = 16;
  CHECK(sizes[1] == sizes[0]);
  CHECK(sizes[2] == sizes[0]);
}

TEST_CASE("arrays of a hundred thousand elements have tiles for a dozen threads") {
  const teams_of_calls teams = run_calls(100'000);
  CHECK(teams.merge >= 16);
  CHECK(teams.set_union >= 16);
  CHECK(teams.set_union_size >= 16);
  CHECK(teams.sort >= 12);
  CHECK(teams.segmented_sort >= 12);
  CHECK(teams.merge_runs >= 12);
}

#ifdef MGPU_TEST_HAS_OMP
TEST_CASE("a call in a parallel region of OpenMP has one thread, unless regions are nested") {
  using policy = decltype(mgpu::omp::par);
  CHECK(policy::threads() == omp_get_max_threads());
  std::atomic<int> inside{0}, active{0}, nested{0}, all{0};
  const int levels = omp_get_max_active_levels();
  omp_set_max_active_levels(1);
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    inside = policy::threads();
    active = omp_get_active_level();  // 0 where OpenMP may have no second thread
    all = omp_get_max_threads();
  }
  CHECK(inside == (active > 0 ? 1 : all.load()));
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    nested = policy::threads();
    all = omp_get_max_threads();
  }
  omp_set_max_active_levels(levels);
  CHECK(nested == all);
}
#endif

TEST_CASE("the elements of a tile that threads share") {
  constexpr offset most = mgpu::detail::tuning::merge_host_items_per_tile;
  for (const int threads : {1, 2, 7, 64, 1000}) {
    for (offset size = 1; size < (offset{1} << 40); size = 2 * size + size / 3 + 1) {
      CAPTURE(threads);
      CAPTURE(size);
      const offset items = mgpu::detail::exec::items_of_shared_tile(size, threads, most);
      CHECK(items <= most);
      if (threads == 1) CHECK(items == most);
      else CHECK((items == most || items * 4 * threads >= size));
      CHECK(mgpu::detail::exec::items_of_shared_tile(size, threads, 100) == 100);
      if (items < most) CHECK(items >= 8192);
    }
    // Four lanes of 4-byte elements do not begin at the same places of pages.
    CHECK(mgpu::detail::exec::items_of_shared_tile(offset{4} * threads << 14, threads, most) % 4096 != 0);
  }
}
