// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The best k rows of every group of a table: what SQL says as row_number() over (partition by ... order by score desc)
// <= k. The rows of a group lie side by side. Rows with equal scores are told apart by their place in the table, which
// a stable sort keeps. Prints the best rows of some groups and checks those of all.

#include "support/best_time.h"
#include "support/machine.h"

#include <mgpu/interval.h>
#include <mgpu/segmented_sort.h>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

namespace {

using row = std::uint32_t;

// [snippet: top_per_group]
/// The best rows of each group of a table, whose groups are rows offsets[i] to offsets[i + 1], as numbers of rows, the
/// better before the worse: of group i the first counts[i].
thrust::device_vector<row> best_rows(const thrust::device_vector<float>& scores,
                                     const thrust::device_vector<row>& offsets,
                                     const thrust::device_vector<row>& counts) {
  thrust::device_vector<float> sorted_scores = scores;
  thrust::device_vector<row> rows(scores.size());
  thrust::sequence(machine::par, rows.begin(), rows.end());
  mgpu::stable_segmented_sort_by_key(machine::par, sorted_scores.begin(), sorted_scores.end(), rows.begin(),
                                     mgpu::segment_offsets(offsets.begin(), counts.size()), thrust::greater<float>{});

  thrust::device_vector<row> best(thrust::reduce(machine::par, counts.begin(), counts.end(), std::size_t{0}));
  mgpu::interval_gather(machine::par, mgpu::interval_counts(counts.begin(), counts.end()), offsets.begin(),
                        rows.begin(), best.begin());
  return best;
}
// [end]

struct table {
  std::vector<float> scores;
  std::vector<row> offsets{0};  // [groups + 1]

  std::size_t group_count() const { return offsets.size() - 1; }
};

/// Scores from 0 to 10 in steps of 0.1, so that many are equal, in groups of up to 1,000 rows and a large one.
table random_table(row row_count) {
  std::mt19937 random(1);
  table made;
  made.scores.resize(row_count);
  for (float& score : made.scores) score = static_cast<float>(random() % 101) * 0.1f;
  made.offsets.push_back(row_count / 2);
  while (made.offsets.back() < row_count) {
    made.offsets.push_back(std::min<row>(row_count, made.offsets.back() + random() % 1001));
  }
  return made;
}

std::vector<row> expected_rows(const table& t, const std::vector<row>& counts) {
  std::vector<row> rows(t.scores.size()), expected;
  std::iota(rows.begin(), rows.end(), row{0});
  for (std::size_t group = 0; group < t.group_count(); ++group) {
    const auto begin = rows.begin() + t.offsets[group], end = rows.begin() + t.offsets[group + 1];
    std::partial_sort(begin, begin + counts[group], end,
                      [&](row x, row y) { return t.scores[x] != t.scores[y] ? t.scores[x] > t.scores[y] : x < y; });
    expected.insert(expected.end(), begin, begin + counts[group]);
  }
  return expected;
}

}  // namespace

int main() {
  constexpr row k = 3;
  const table t = random_table(MGPU_CUDA_COMPILER ? 1 << 24 : 1 << 20);
  std::vector<row> counts(t.group_count());
  for (std::size_t group = 0; group < counts.size(); ++group) {
    counts[group] = std::min(k, t.offsets[group + 1] - t.offsets[group]);
  }

  const thrust::device_vector<float> scores = t.scores;
  const thrust::device_vector<row> offsets = t.offsets, best_counts = counts;
  thrust::device_vector<row> best;
  const double seconds = best_seconds(3, [&] { best = best_rows(scores, offsets, best_counts); });
  std::printf("the best %u of each of %zu groups, %zu rows of %zu, in %.3f ms on %s\n", k, counts.size(), best.size(),
              scores.size(), seconds * 1e3, machine::name().c_str());

  std::vector<row> found(best.size());
  thrust::copy(best.begin(), best.end(), found.begin());
  for (std::size_t group = 0, i = 0; group < 4; ++group) {
    std::printf("group %zu, %u rows:", group, t.offsets[group + 1] - t.offsets[group]);
    for (const std::size_t end = i + counts[group]; i < end; ++i)
      std::printf("  row %u %.1f", found[i], t.scores[found[i]]);
    std::printf("\n");
  }
  const bool is_right = found == expected_rows(t, counts);
  std::printf("rows: %s\n", is_right ? "right" : "WRONG");
  return is_right ? 0 : 1;
}
