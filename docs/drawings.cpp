// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs the library's tile algorithms on small inputs and prints what they do as JSON, which draw.py turns into the
// drawings of the documentation.

#include <mgpu/base/iterator.h>
#include <mgpu/core/sort/borders.h>
#include <mgpu/core/sort/cut_segment.h>
#include <mgpu/core/sort/segments.h>
#include <mgpu/core/sort/tiles.h>
#include <mgpu/core/sort/two_way_pass.h>
#include <mgpu/cpp.h>
#include <mgpu/join.h>
#include <mgpu/plan/sort/by_merges.h>
#include <mgpu/plan/sort/memory.h>
#include <mgpu/plan/sort/tiling.h>
#include <mgpu/tile/balanced_path.h>
#include <mgpu/tile/load_balance.h>
#include <mgpu/tile/merge_path.h>
#include <mgpu/tile/odd_even_network.h>
#include <mgpu/tile/ways.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <iterator>
#include <numeric>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using mgpu::offset;
namespace core = mgpu::detail::core;

std::string json(bool x) { return x ? "true" : "false"; }
std::string json(int x) { return std::to_string(x); }
std::string json(offset x) { return std::to_string(x); }
template <class T>
std::string json(const std::vector<T>& elements) {
  std::string list;
  for (const auto& element : elements) list += (list.empty() ? "" : ", ") + json(element);
  return '[' + list + ']';
}

/// What stands between the braces of one object.
class members {
 public:
  template <class T>
  members& add(const char* name, const T& value) {
    return add_text(name, json(value));
  }
  members& add_text(const char* name, const std::string& value) {
    text_ += (text_.empty() ? "\"" : ",\n\"") + std::string(name) + "\": " + value;
    return *this;
  }
  std::string object() const { return '{' + text_ + '}'; }

 private:
  std::string text_;
};

std::string merge_path() {
  const std::vector<int> a{1, 3, 3, 4, 7, 8, 8, 12}, b{2, 3, 5, 6, 8, 9, 10, 11};
  const int a_count = static_cast<int>(a.size()), b_count = static_cast<int>(b.size());
  std::vector<int> splits;
  for (int diagonal = 0; diagonal <= a_count + b_count; ++diagonal) {
    splits.push_back(
        mgpu::detail::tile::merge_path{a.data(), b.data(), a_count, b_count, diagonal, std::less<>{}}.split());
  }
  return members().add("a", a).add("b", b).add("tile", 4).add("splits", splits).object();
}

/// Runs as a search for splits sees them.
struct group_of_runs {
  const std::vector<std::vector<int>>& all;
  offset number() const { return 0; }
  int runs() const { return static_cast<int>(all.size()); }
  offset length(int run) const { return static_cast<offset>(all[static_cast<std::size_t>(run)].size()); }
  const int* keys(int run) const { return all[static_cast<std::size_t>(run)].data(); }
};

std::string merge_runs() {
  const std::vector<std::vector<int>> runs{{1, 4, 4, 9, 12}, {2, 3, 3, 4, 5, 8, 10}, {7, 11}, {1, 3, 4, 6, 6, 13}};
  constexpr int tile = 5;
  std::vector<std::vector<offset>> splits;
  for (offset diagonal = 0;; diagonal += tile) {
    const std::less<> compare;
    const mgpu::detail::tile::ways_path<4, group_of_runs, std::less<>> path{{runs}, diagonal, compare};
    const auto split = path.split();
    splits.push_back({split.of, split.of + runs.size()});
    if (diagonal >= 20) break;
  }
  return members().add("runs", runs).add("tile", tile).add("splits", splits).object();
}

std::string balanced_path() {
  const std::vector<int> a{1, 3, 3, 3, 3, 6, 6, 9}, b{1, 2, 3, 3, 3, 6, 6, 6};
  const int a_count = static_cast<int>(a.size()), b_count = static_cast<int>(b.size());
  std::vector<int> splits, merge_splits;
  std::vector<bool> starred;
  for (int diagonal = 0; diagonal <= a_count + b_count; ++diagonal) {
    const std::less<> compare;
    const mgpu::detail::tile::merge_path merged{a.data(), b.data(), a_count, b_count, diagonal, compare};
    const mgpu::detail::tile::balanced_path<true, int, const int*, const int*, std::less<>> path{
        {a.data(), b.data(), a_count, b_count, diagonal, compare}};
    const auto split = path.split();
    merge_splits.push_back(merged.split());
    splits.push_back(split.a);
    starred.push_back(split.starred);
  }
  return members()
      .add("a", a)
      .add("b", b)
      .add("tile", 4)
      .add("splits", splits)
      .add("starred", starred)
      .add("merge_splits", merge_splits)
      .object();
}

std::string load_balance() {
  const std::vector<offset> counts{2, 0, 4, 1, 0, 0, 3, 2};
  std::vector<offset> offsets;
  std::exclusive_scan(counts.begin(), counts.end(), std::back_inserter(offsets), offset{0});
  const offset intervals = static_cast<offset>(counts.size()), items = offsets.back() + counts.back();
  std::vector<offset> splits;
  for (offset diagonal = 0; diagonal <= intervals + items; ++diagonal) {
    splits.push_back(mgpu::detail::tile::load_balance_path{offsets.data(), intervals, items, diagonal}.split());
  }
  return members().add("counts", counts).add("offsets", offsets).add("tile", 5).add("splits", splits).object();
}

std::string joined_rows() {
  const std::vector<int> left{1, 3, 3, 5, 6, 8}, right{2, 3, 3, 3, 6, 7, 8};
  const auto size = mgpu::left_join_size(mgpu::cpp::par, left.begin(), left.end(), right.begin(), right.end());
  std::vector<int> left_rows(static_cast<std::size_t>(size)), right_rows(left_rows.size());
  mgpu::left_join(mgpu::cpp::par, left.begin(), left.end(), right.begin(), right.end(), left_rows.begin(),
                  right_rows.begin());
  std::vector<int> backward(left.size());
  mgpu::as_of_join(mgpu::cpp::par, left.begin(), left.end(), right.begin(), right.end(), backward.begin(),
                   mgpu::backward);
  return members()
      .add("left", left)
      .add("right", right)
      .add("left_rows", left_rows)
      .add("right_rows", right_rows)
      .add("backward", backward)
      .object();
}

std::string odd_even_network() {
  const int count = 11, log_of_padded = 4;
  std::string layers;
  for (auto layer = mgpu::detail::tile::first_odd_even_layer; layer.group_log <= log_of_padded; layer = layer.next()) {
    std::vector<int> left;
    const int stride = static_cast<int>(layer.stride());
    for (int i = 0; i + stride < count; ++i) {
      if (layer.is_left(i)) left.push_back(i);
    }
    layers += (layers.empty() ? "" : ",\n") +
              members().add("group", 1 << layer.group_log).add("stride", stride).add("left", left).object();
  }
  return members().add("count", count).add_text("layers", '[' + layers + ']').object();
}

/// Sorts as mgpu::segmented_sort does on the CPU, in tiles of few elements, and tells what each pass does with each
/// tile.
template <class Segments>
std::string active_tiles(std::vector<int> keys, const Segments& segments) {
  using policy_type = std::decay_t<decltype(mgpu::cpp::par)>;
  using compare_type = std::less<>;
  using no_values = mgpu::detail::base::no_values;
  using pass_type = core::two_way_pass<int, no_values::value_type, compare_type>;

  policy_type policy = mgpu::cpp::par;
  const offset count = static_cast<offset>(keys.size());
  const auto tiling = mgpu::detail::plan::sort_tiling::of_tiles(count, 32);
  const mgpu::detail::plan::sort_memory<int*, no_values, policy_type> memory(policy, {keys.data(), {}}, tiling);
  const core::sort_passes passes{core::sort_progress::most_passes, 1, false};
  const core::find_sort_borders<Segments> find{segments,       count,           tiling.tiles,       tiling.cells,
                                               memory.borders, memory.progress, tiling.most_levels, true};
  const core::sort_tiles<core::ties::any_order, core::tile_kind::large, int*, no_values, Segments, compare_type> sort{
      keys.data(),    {},
      count,          segments,
      memory.buffers, true,
      memory.borders, {memory.buffers_of(0), memory.buffers_of(1)},
      passes,         memory.progress,
      nullptr,        {}};
  for (offset tile = 0; tile <= tiling.tiles; ++tile) find(tile);
  for (offset tile = 0; tile < tiling.tiles; ++tile) sort.run(mgpu::detail::tile::host_thread{}, tile);

  std::vector<offset> borders;
  for (offset tile = 0; tile <= tiling.tiles; ++tile) borders.push_back(memory.borders[tile].position);
  std::string passes_done;
  for (int number = 0; number < tiling.most_levels; ++number) {
    const pass_type pass{memory.buffers,
                         count,
                         tiling.tiles,
                         tiling.cells,
                         memory.borders,
                         memory.buffers_of(number),
                         memory.buffers_of(number + 1),
                         memory.progress,
                         memory.jobs<core::two_way_job>(),
                         number,
                         passes,
                         {}};
    if (!pass.is_needed()) break;
    const mgpu::detail::tile::serial_search search;
    std::vector<core::two_way_job> jobs;
    for (offset tile = 1; tile < tiling.tiles; ++tile) {
      pass.plan(tile, pass.find_split(tile, search), pass.find_split(tile + 1, search),
                [&](const core::two_way_job& job) {
                  if (!job.is_empty()) jobs.push_back(job);
                });
    }
    std::vector<offset> merged, copied, around;  // tiles, tiles, borders by the tile behind them
    for (const core::two_way_job& job : jobs) {
      const offset begin = job.range.out_begin();  // a's positions are the array's, b's begin at the middle
      if (job.is_in_place()) around.push_back(job.middle / tiling.cells.cell_items);
      else (job.is_copy() ? copied : merged).push_back(begin / tiling.cells.cell_items);
    }
    for (const core::two_way_job& job : jobs) pass.run(mgpu::detail::tile::host_thread{}, job);
    passes_done += (passes_done.empty() ? "" : ",\n") +
                   members().add("merged", merged).add("copied", copied).add("around", around).object();
  }
  return members().add("count", count).add("borders", borders).add_text("passes", '[' + passes_done + ']').object();
}

std::string active_segments() {
  const offset count = 31 * 24;
  std::mt19937 random(7);
  std::vector<int> keys(static_cast<std::size_t>(count));
  for (int& key : keys) key = static_cast<int>(random() % 1000);

  const std::vector<offset> heads{0, 20, 110, 140, 160, 340, 350, 400, 690, 720};
  const core::bounded_segments<core::head_bounds<const offset*>> segments{
      {heads.data(), static_cast<offset>(heads.size())}, count};
  std::vector<int> near(keys.size());
  for (std::size_t i = 0; i < near.size(); ++i) near[i] = static_cast<int>(i + random() % 12);
  // One stretch that belongs further to the left.
  std::rotate(near.begin() + 31 * 12, near.begin() + 31 * 14 + 15, near.begin() + 31 * 17);
  return members()
      .add_text("segmented", active_tiles(keys, segments))
      .add("heads", heads)
      .add_text("locality", active_tiles(near, core::one_segment{count}))
      .object();
}

}  // namespace

int main() {
  const std::string drawings = members()
                                   .add_text("merge_path", merge_path())
                                   .add_text("merged_runs", merge_runs())
                                   .add_text("balanced_path", balanced_path())
                                   .add_text("load_balance", load_balance())
                                   .add_text("joined_rows", joined_rows())
                                   .add_text("active_segments", active_segments())
                                   .add_text("odd_even_network", odd_even_network())
                                   .object();
  std::puts(drawings.c_str());
}
