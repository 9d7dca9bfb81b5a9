// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Boolean retrieval. Every term of a collection has a posting list: the numbers of the documents it is in, in ascending
// order, each with a score. AND, OR and AND NOT of lists are set_intersection_by_key, set_union_by_key and
// set_difference_by_key; what they give is a posting list again, so that a query is a nest of calls. Before it runs,
// set_intersection_size tells which terms to begin with. Prints the best documents and checks all of them against the
// definition.

#include "support/best_time.h"
#include "support/machine.h"

#include <mgpu/set_operations.h>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/sort.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

namespace {

using document = std::uint32_t;

struct posting_list {
  thrust::device_vector<document> documents;  // ascending, each once
  thrust::device_vector<float> scores;        // one per document

  posting_list(std::size_t count) : documents(count), scores(count) {}
  std::size_t size() const { return documents.size(); }
  void resize(std::ptrdiff_t count) {
    documents.resize(static_cast<std::size_t>(count));
    scores.resize(static_cast<std::size_t>(count));
  }
};

// No list has a document twice, which mgpu::unique_keys tells the library.

// [snippet: posting_lists]
/// x AND y, with the scores of x.
posting_list both(const posting_list& x, const posting_list& y) {
  posting_list out(std::min(x.size(), y.size()));
  const auto ends = mgpu::set_intersection_by_key(machine::par, x.documents.begin(), x.documents.end(),
                                                  y.documents.begin(), y.documents.end(), x.scores.begin(),
                                                  out.documents.begin(), out.scores.begin(), mgpu::unique_keys);
  out.resize(ends.first - out.documents.begin());
  return out;
}
// [end]

/// x OR y, with the scores of x for the documents of both.
posting_list either(const posting_list& x, const posting_list& y) {
  posting_list out(x.size() + y.size());
  const auto ends = mgpu::set_union_by_key(machine::par, x.documents.begin(), x.documents.end(), y.documents.begin(),
                                           y.documents.end(), x.scores.begin(), y.scores.begin(), out.documents.begin(),
                                           out.scores.begin(), mgpu::unique_keys);
  out.resize(ends.first - out.documents.begin());
  return out;
}

/// x AND NOT y.
posting_list without(const posting_list& x, const posting_list& y) {
  posting_list out(x.size());
  const auto ends = mgpu::set_difference_by_key(
      machine::par, x.documents.begin(), x.documents.end(), y.documents.begin(), y.documents.end(), x.scores.begin(),
      y.scores.begin(), out.documents.begin(), out.scores.begin(), mgpu::unique_keys);
  out.resize(ends.first - out.documents.begin());
  return out;
}

// [snippet: size only]
/// How many documents x AND y has. Writes no list.
std::ptrdiff_t size_of_both(const posting_list& x, const posting_list& y) {
  return mgpu::set_intersection_size(machine::par, x.documents.begin(), x.documents.end(), y.documents.begin(),
                                     y.documents.end(), mgpu::unique_keys);
}
// [end]

/// A term of a made-up collection: it is in one document of `rarity`, and more often next to a related term.
struct term {
  const char* word;
  std::uint32_t rarity, related;

  static std::uint32_t mix(std::uint32_t x) {
    x = (x ^ (x >> 16)) * 2246822507u;
    x = (x ^ (x >> 13)) * 3266489909u;
    return x ^ (x >> 16);
  }
  bool is_in(document d) const {
    return mix(d * 2654435769u + rarity) % rarity == 0 ||
           (related > 0 && mix(d * 2654435769u + related) % (2 * related) == 0);
  }
  float score(document d) const { return static_cast<float>(mix(d + 77 * rarity) >> 12) * 0x1p-20f; }
};

constexpr term sorting{"sorting", 3, 0}, merge{"merge", 5, 3}, gpu{"gpu", 7, 0}, cpu{"cpu", 4, 0},
    draft{"draft", 11, 0};
constexpr document document_count = MGPU_CUDA_COMPILER ? 1u << 24 : 1u << 21;

posting_list postings_of(const term& t) {
  std::vector<document> documents;
  std::vector<float> scores;
  for (document d = 0; d < document_count; ++d) {
    if (!t.is_in(d)) continue;
    documents.push_back(d);
    scores.push_back(t.score(d));
  }
  posting_list made(documents.size());
  thrust::copy(documents.begin(), documents.end(), made.documents.begin());
  thrust::copy(scores.begin(), scores.end(), made.scores.begin());
  std::printf("  %-8s %9zu documents\n", t.word, documents.size());
  return made;
}

/// What a query found, on the host.
struct hits {
  std::vector<document> documents;
  std::vector<float> scores;

  explicit hits(const posting_list& found) : documents(found.size()), scores(found.size()) {
    thrust::copy(found.documents.begin(), found.documents.end(), documents.begin());
    thrust::copy(found.scores.begin(), found.scores.end(), scores.begin());
  }
};

/// ((merge AND gpu AND sorting) OR cpu) AND NOT draft, by its definition, document by document.
bool is_right(const hits& found) {
  std::size_t next = 0;
  for (document d = 0; d < document_count; ++d) {
    const bool has_three = merge.is_in(d) && gpu.is_in(d) && sorting.is_in(d);
    if ((!has_three && !cpu.is_in(d)) || draft.is_in(d)) continue;
    if (next == found.documents.size() || found.documents[next] != d) return false;
    if (found.scores[next++] != (has_three ? merge : cpu).score(d)) return false;
  }
  return next == found.documents.size();
}

void print_best(posting_list found) {
  thrust::sort_by_key(machine::par, found.scores.begin(), found.scores.end(), found.documents.begin(),
                      thrust::greater<float>{});
  const hits best(found);
  for (std::size_t i = 0; i < std::min<std::size_t>(3, best.documents.size()); ++i) {
    std::printf("  document %8u   score %.6f\n", static_cast<unsigned>(best.documents[i]), best.scores[i]);
  }
}

}  // namespace

int main() {
  std::printf("%u documents\n", static_cast<unsigned>(document_count));
  const posting_list with_sorting = postings_of(sorting), with_merge = postings_of(merge), with_gpu = postings_of(gpu),
                     with_cpu = postings_of(cpu), with_draft = postings_of(draft);

  // The plan: the fewer documents the first two terms have in common, the less is left to do. The scores are those of
  // merge.
  const std::ptrdiff_t with_sorting_too = size_of_both(with_merge, with_sorting);
  const std::ptrdiff_t with_gpu_too = size_of_both(with_merge, with_gpu);
  const bool begins_with_gpu = with_gpu_too < with_sorting_too;
  std::printf("merge AND sorting has %td documents, merge AND gpu %td: merge AND %s is first\n", with_sorting_too,
              with_gpu_too, begins_with_gpu ? "gpu" : "sorting");
  const posting_list& second = begins_with_gpu ? with_gpu : with_sorting;
  const posting_list& third = begins_with_gpu ? with_sorting : with_gpu;

  posting_list found(0);
  const double seconds =
      best_seconds(3, [&] { found = without(either(both(both(with_merge, second), third), with_cpu), with_draft); });
  std::printf("((merge AND gpu AND sorting) OR cpu) AND NOT draft: %zu documents in %.3f ms on %s\n", found.size(),
              seconds * 1e3, machine::name().c_str());
  print_best(found);

  const hits all(found);
  const bool found_all = is_right(all);
  const bool planned_right = with_gpu_too == static_cast<std::ptrdiff_t>(both(with_merge, with_gpu).size());
  std::printf("documents and scores: %s, sizes: %s\n", found_all ? "right" : "WRONG",
              planned_right ? "right" : "WRONG");
  return found_all && planned_right ? 0 : 1;
}
