// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// sort_neighbours [FILE]: sorts every adjacency list of a graph by descending weight, and by target where weights are
// equal. The file has lines "source target weight" in any order; the sorted lists are printed as such lines. Without a
// file it sorts the lists of a random graph, some of which are very long, prints the beginning of one and checks all of
// them.

#include "support/best_time.h"
#include "support/machine.h"
#include "support/text_lines.h"

#include <mgpu/segmented_sort.h>

#include <thrust/copy.h>
#include <thrust/device_vector.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using vertex = std::int32_t;

struct edge {
  vertex target;
  float weight;
};

// [snippet: sort_neighbours]
struct heaviest_first {
  MGPU_HOST_DEVICE bool operator()(const edge& x, const edge& y) const {
    return x.weight != y.weight ? x.weight > y.weight : x.target < y.target;
  }
};

/// The neighbours of vertex v are edges[offsets[v], offsets[v + 1]).
void sort_neighbours(thrust::device_vector<edge>& edges, const thrust::device_vector<std::int64_t>& offsets) {
  mgpu::segmented_sort(machine::par, edges.begin(), edges.end(),
                       mgpu::segment_offsets(offsets.begin(), offsets.size() - 1), heaviest_first{});
}
// [end]

struct graph {
  std::vector<std::int64_t> offsets;  // [vertices + 1]
  std::vector<edge> edges;

  std::size_t size(std::size_t v) const { return static_cast<std::size_t>(offsets[v + 1] - offsets[v]); }
};

struct arc {
  vertex source;
  edge to;
};

graph make_graph(std::size_t vertex_count, const std::vector<arc>& arcs) {
  graph made{std::vector<std::int64_t>(vertex_count + 1), std::vector<edge>(arcs.size())};
  for (const arc& a : arcs) ++made.offsets[static_cast<std::size_t>(a.source) + 1];
  std::partial_sum(made.offsets.begin(), made.offsets.end(), made.offsets.begin());
  std::vector<std::int64_t> next = made.offsets;
  for (const arc& a : arcs) made.edges[static_cast<std::size_t>(next[a.source]++)] = a.to;
  return made;
}

graph read_graph(const std::string& path) {
  const std::vector<char> bytes = text::read(path);
  std::istringstream lines(std::string(bytes.begin(), bytes.end()));
  std::size_t vertex_count = 0;
  std::vector<arc> arcs;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream columns(line);
    arc a;
    if (!(columns >> a.source >> a.to.target >> a.to.weight) || std::min(a.source, a.to.target) < 0) {
      throw text::content_error(path + ": no source, target and weight: '" + line + "'");
    }
    arcs.push_back(a);
    vertex_count = std::max(vertex_count, static_cast<std::size_t>(std::max(a.source, a.to.target)) + 1);
  }
  return make_graph(vertex_count, arcs);
}

/// The lower the number of a vertex, the more edges it has: half of all belong to one vertex in 16. Many weights are
/// equal.
graph random_graph(std::size_t vertex_count, std::size_t edge_count) {
  std::mt19937 random(1);
  std::vector<arc> arcs(edge_count);
  for (arc& a : arcs) {
    const double u = random() * 0x1p-32;
    a.source = static_cast<vertex>(u * u * u * u * static_cast<double>(vertex_count));
    a.to = {static_cast<vertex>(random() % vertex_count), static_cast<float>(random() % 1000) * 0.5f};
  }
  return make_graph(vertex_count, arcs);
}

/// The graph with its lists sorted on the machine.
graph sorted(const graph& unsorted) {
  const thrust::device_vector<std::int64_t> offsets = unsorted.offsets;
  const thrust::device_vector<edge> unsorted_edges = unsorted.edges;
  thrust::device_vector<edge> edges;
  const double seconds = best_seconds(3, [&] {
    edges = unsorted_edges;
    sort_neighbours(edges, offsets);
  });
  std::fprintf(stderr, "%zu edges of %zu vertices copied and sorted in %.3f ms on %s\n", edges.size(),
               offsets.size() - 1, seconds * 1e3, machine::name().c_str());
  graph made{unsorted.offsets, std::vector<edge>(edges.size())};
  thrust::copy(edges.begin(), edges.end(), made.edges.begin());
  return made;
}

void print(const graph& g, std::size_t v, std::size_t most_edges) {
  for (std::size_t i = 0; i < std::min(most_edges, g.size(v)); ++i) {
    const edge& e = g.edges[static_cast<std::size_t>(g.offsets[v]) + i];
    std::printf("%zu %d %.9g\n", v, e.target, e.weight);
  }
}

bool sorts_random_graph() {
  graph expected = random_graph(MGPU_CUDA_COMPILER ? 1 << 20 : 1 << 16, MGPU_CUDA_COMPILER ? 1 << 24 : 1 << 20);
  const graph found = sorted(expected);
  std::printf("vertex 0 has %zu neighbours; source, target, weight:\n", found.size(0));
  print(found, 0, 5);
  for (auto begin = expected.offsets.begin(); begin + 1 != expected.offsets.end(); ++begin) {
    std::sort(expected.edges.begin() + begin[0], expected.edges.begin() + begin[1], heaviest_first{});
  }
  return std::equal(found.edges.begin(), found.edges.end(), expected.edges.begin(),
                    [](const edge& x, const edge& y) { return x.target == y.target && x.weight == y.weight; });
}

}  // namespace

int main(int argc, char** argv) {
  return text::exit_code(argv[0], [&] {
    if (argc > 1) {
      const graph g = sorted(read_graph(argv[1]));
      for (std::size_t v = 0; v + 1 < g.offsets.size(); ++v) print(g, v, g.size(v));
    } else {
      if (!sorts_random_graph()) throw std::runtime_error("a list is not sorted");
      std::printf("all lists: right\n");
    }
  });
}
