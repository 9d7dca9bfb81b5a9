// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The grid of ways that sorts go on a GPU: types, counts, segments and devices. `tile --no-skip
// --test-case="*printed*"` prints it.
#include "support/sort_ways.h"
#include "support/keys.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace test;
using mgpu::detail::plan::sort_call;
using mgpu::detail::plan::sort_choice;
using mgpu::detail::plan::sort_types;
namespace tuning = mgpu::detail::tuning;
using less = cuda::std::less<>;

constexpr kernel_facts devices[] = {{75, 1, 0},   {75, 8, 0},    {75, 20, 0},  {86, 80, 0},
                                    {90, 132, 0}, {120, 160, 0}, {100, 256, 0}};
constexpr kernel_facts h200 = devices[4];

constexpr sort_way all_ways[] = {sort_way::by_merges, sort_way::in_small_tiles, sort_way::by_samples,
                                 sort_way::by_digits, sort_way::by_counts,      sort_way::by_cub};
constexpr const char* way_names[] = {"merges", "small", "samples", "digits", "counts", "cub"};
constexpr int index_of(sort_way way) { return static_cast<int>(way); }

constexpr int alignment_of(int bytes) { return bytes % 8 == 0 ? 8 : bytes % 4 == 0 ? 4 : bytes % 2 == 0 ? 2 : 1; }
/// Keys and values of any size.
template <int size>
struct alignas(alignment_of(size)) element {
  char bytes[size];
};
template <int size>
using value_of_bytes = std::conditional_t<size == 0, keys_alone, element<size == 0 ? 1 : size>>;

struct by_first_byte {
  template <class Key>
  bool operator()(const Key& x, const Key& y) const {
    return x.bytes[0] < y.bytes[0];
  }
};

/// What sorts of one type of keys and values, in segments of one kind, are.
struct sort_kind {
  std::string name;
  sort_types types;
  bool are_numbers;     // in their natural order
  offset any_segments;  // their number does not matter
  small_tiles (*tiles)(offset count, offset segments, const kernel_facts& device);

  sort_choice choose(offset count, offset segments, const kernel_facts& device) const {
    const offset stretches = types.has_bounds ? mgpu::detail::plan::stretches_of(segments_of_count(segments)) : 0;
    return mgpu::detail::plan::choose_sort(types, {count, stretches, device.multiprocessors});
  }
  sort_way way(offset count, offset segments = 1, const kernel_facts& device = h200) const {
    return choose(count, segments, device).way;
  }
};

template <class Key, class Value, class Compare, class Segments>
small_tiles tiles_of(offset count, offset segments, const kernel_facts& device) {
  if constexpr (mgpu::detail::plan::has_bounds<Segments>)
    return small_tiles_of<Key, Value>(count, segments_of_count(segments), Compare{}, device);
  else if constexpr (mgpu::detail::plan::is_one_array<Segments>)
    return small_tiles_of<Key, Value>(count, Segments{}, Compare{}, device);
  else return small_tiles_of<Key, Value>(count, Segments(nullptr), Compare{}, device);
}

template <class Key, class Value, class Compare, class Segments>
sort_kind kind_of(const std::string& name) {
  return {name, mgpu::detail::plan::types_of_sort<gpu_policy, Key*, values_of<Value>, Segments, Compare>(),
          std::is_arithmetic_v<Key> && std::is_same_v<Compare, less>, !mgpu::detail::plan::has_bounds<Segments>,
          tiles_of<Key, Value, Compare, Segments>};
}

using bounds = decltype(segments_of_count(0));

/// Sorts of one type: of an array, of one that may be nearly sorted, and of segments.
template <class Key, class Value, class Compare>
void add_type(std::vector<sort_kind>& all, const std::string& name) {
  all.push_back(kind_of<Key, Value, Compare, any_array>(name));
  all.push_back(kind_of<Key, Value, Compare, near_array>(name + ", nearly sorted"));
  all.push_back(kind_of<Key, Value, Compare, bounds>(name + ", segments"));
  all.push_back(kind_of<Key, Value, Compare, mgpu::segment_flags<const std::uint32_t*>>(name + ", flags"));
}

template <class Key, class Compare, int... value_bytes>
void add_values(std::vector<sort_kind>& all, const std::string& name, std::integer_sequence<int, value_bytes...>) {
  (add_type<Key, value_of_bytes<value_bytes>, Compare>(all, name + " + " + std::to_string(value_bytes)), ...);
}

template <int... key_bytes>
void add_structs(std::vector<sort_kind>& all, std::integer_sequence<int, key_bytes...>) {
  using values = std::integer_sequence<int, 0, 1, 4, 8, 16, 28, 48, 64>;
  (add_values<element<key_bytes + 1>, by_first_byte>(
       all, std::to_string(key_bytes + 1) + (key_bytes == 0 ? " byte" : " bytes"), values{}),
   ...);
}

const std::vector<sort_kind>& all_kinds() {
  static const std::vector<sort_kind> kinds = [] {
    std::vector<sort_kind> all;
    using values = std::integer_sequence<int, 0, 1, 2, 4, 8, 12, 16, 32, 33, 48, 64>;
    add_values<std::uint8_t, less>(all, "u8", values{});
    add_values<std::int16_t, less>(all, "i16", values{});
    add_values<std::uint32_t, less>(all, "u32", values{});
    add_values<double, less>(all, "f64", values{});
    add_values<wide_integer, less>(all, "i128", values{});
    add_structs(all, std::make_integer_sequence<int, 16>{});
    return all;
  }();
  return kinds;
}

const sort_kind& kind_named(const std::string& name) {
  const auto& all = all_kinds();
  const auto found = std::find_if(all.begin(), all.end(), [&](const sort_kind& k) { return k.name == name; });
  REQUIRE(found != all.end());
  return *found;
}

/// Powers of two from 2^4 to 2^33, seven numbers between each two, and odd ones.
std::vector<offset> counts() {
  std::vector<offset> all;
  for (int log = 4; log <= 33; ++log) {
    for (int eighths = 8; eighths < 16; ++eighths) {
      const offset count = (offset{1} << log) / 8 * eighths;
      all.insert(all.end(), {count, (count + (offset{1} << log) / 21) | 1});
    }
  }
  return all;
}

/// 0 stands for a hundredth of the elements.
constexpr offset segment_counts[] = {1, 2, 7, 52, 127, 1000, 0};
constexpr offset segments_at(offset segments, offset count) { return segments > 0 ? segments : count / 100 + 1; }

/// Calls f(kind, segments, device) for each: f asks for counts itself.
template <class F>
void for_each_row(const F& f) {
  for (const sort_kind& kind : all_kinds()) {
    for (const kernel_facts& device : devices) {
      for (const offset segments : segment_counts) {
        if (kind.any_segments && segments != 1) continue;
        INFO(kind.name, ", ", segments, " segments, ", device.multiprocessors, " multiprocessors");
        f(kind, segments, device);
      }
    }
  }
}

/// A range of counts that go one way, which ends where another one begins.
struct way_range {
  sort_way way;
  offset first, last;
};
/// All of one row, with borders that are exact if ways change once between two counts of the grid.
std::vector<way_range> ranges_of(const sort_kind& kind, offset segments, const kernel_facts& device) {
  const auto way = [&](offset count) { return kind.way(count, segments_at(segments, count), device); };
  std::vector<way_range> ranges;
  offset before = 1;
  ranges.push_back({way(before), before, before});
  for (const offset count : counts()) {
    while (way(count) != ranges.back().way) {
      offset low = before, high = count;
      while (high - low > 1) {
        const offset middle = low + (high - low) / 2;
        (way(middle) == ranges.back().way ? low : high) = middle;
      }
      ranges.back().last = low;
      ranges.push_back({way(high), high, high});
      before = high;
    }
    before = ranges.back().last = count;
  }
  return ranges;
}

bool has_way(const sort_types& t, sort_way way) {
  switch (way) {
    case sort_way::by_merges:
      return t.has_merge_sort();
    case sort_way::in_small_tiles:
      return t.fit_small_tiles && t.small_items() > 0;
    case sort_way::by_samples:
      return t.has_sampled_sort();
    case sort_way::by_digits:
      return t.has_digit_sort();
    case sort_way::by_counts:
      return t.has_count_sort();
    case sort_way::by_cub:
      return t.has_cub_sort();
  }
  return false;
}

/// Whether the passes of an array in small tiles reach all of its tiles.
bool reach_all(const small_tiles& small, bool has_one_segment, const kernel_facts& device) {
  const sort_tiling& t = small.tiling;
  if (has_one_segment) {
    const auto passes = tuning::passes_of_one_segment(t.tiles);
    return passes.reach() >= t.tiles && passes.ways <= 2 * tuning::ranked_runs;
  }
  const offset runs = mgpu::detail::base::ceil_div(t.count, t.cells.cell_items);
  return tuning::passes_of_segments(runs, t.count, t.begin_with_segments, device.multiprocessors).reach() >= runs;
}

std::string rounded(offset count) {
  const std::string digits = std::to_string(count);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string line_of(const std::vector<way_range>& ranges) {
  std::string line;
  for (const way_range& r : ranges) {
    line += (line.empty() ? "" : ", ") + std::string(way_names[index_of(r.way)]);
    line += &r == &ranges.back() ? (ranges.size() > 1 ? " above" : " always") : " to " + rounded(r.last);
  }
  return line;
}

/// One block of CUB's sorts some thousand narrow numbers. Small tiles sort fewer, and more.
bool goes_to_one_block(const sort_kind& kind) {
  const auto& sizes = kind.types.sizes;
  return kind.types.has_cub_sort() && sizes.key_bytes <= 2 && sizes.value_bytes == 0;
}

}  // namespace

TEST_CASE("the grid of ways on 132 multiprocessors is printed" * doctest::skip()) {
  std::vector<std::pair<std::string, std::string>> lines;  // ways, and the rows that go so
  for_each_row([&](const sort_kind& kind, offset segments, const kernel_facts& device) {
    if (device.multiprocessors != h200.multiprocessors) return;
    std::string row = kind.name;
    if (!kind.any_segments) row += segments > 0 ? " (" + std::to_string(segments) + ")" : " (n / 100)";
    const std::string line = line_of(ranges_of(kind, segments, device));
    const auto same = std::find_if(lines.begin(), lines.end(), [&](const auto& l) { return l.first == line; });
    if (same == lines.end()) lines.emplace_back(line, row);
    else same->second += "; " + row;
  });
  for (const auto& [line, rows] : lines) std::cout << line << ":\n  " << rows << '\n';
}

TEST_CASE("each way takes one range of counts") {
  for_each_row([](const sort_kind& kind, offset segments, const kernel_facts& device) {
    const auto ranges = ranges_of(kind, segments, device);
    std::array<int, std::size(all_ways)> times{};
    for (const way_range& r : ranges) ++times[static_cast<std::size_t>(index_of(r.way))];
    INFO(line_of(ranges));
    if (kind.types.has_digit_sort() && !kind.types.has_one_segment) {
      // The least mean length for digits rises in two steps. Where one stands, merges come back.
      int& digits = times[static_cast<std::size_t>(index_of(sort_way::by_digits))];
      int& merges = times[static_cast<std::size_t>(index_of(sort_way::by_merges))];
      CHECK((digits <= 3 && merges <= digits + 1));
      digits = merges = 0;
    }
    if (kind.types.has_count_sort()) {  // counts have 32 bits: more elements are merged
      int& merges = times[static_cast<std::size_t>(index_of(sort_way::by_merges))];
      CHECK(merges <= 2);
      merges = 0;
    }
    if (goes_to_one_block(kind)) {
      int& small = times[static_cast<std::size_t>(index_of(sort_way::in_small_tiles))];
      int& cub = times[static_cast<std::size_t>(index_of(sort_way::by_cub))];
      int& digits = times[static_cast<std::size_t>(index_of(sort_way::by_digits))];  // of small devices
      CHECK((small <= 2 && cub <= 2 && digits <= 2));
      small = cub = digits = 0;
    }
    CHECK(*std::max_element(times.begin(), times.end()) <= 1);
  });
}

TEST_CASE("a larger device goes each way up to larger counts") {
  for (const sort_kind& kind : all_kinds()) {
    for (const offset segments : segment_counts) {
      if (kind.any_segments && segments != 1) continue;
      INFO(kind.name, ", ", segments, " segments");
      if (goes_to_one_block(kind)) continue;
      const bool have_steps = kind.types.has_digit_sort() && !kind.types.has_one_segment;  // as above
      std::vector<way_range> before;
      for (const kernel_facts& device : devices) {
        const auto ranges = ranges_of(kind, segments, device);
        INFO(device.multiprocessors, " multiprocessors: ", line_of(ranges), "; before: ", line_of(before));
        for (const way_range& r : ranges) {
          if (have_steps && r.way != sort_way::in_small_tiles) continue;
          const auto same = std::find_if(before.begin(), before.end(), [&](const auto& b) { return b.way == r.way; });
          if (same != before.end()) CHECK(same->last <= r.last);
        }
        before = ranges;
      }
    }
  }
}

TEST_CASE("no sort goes a way that its elements or its count do not have") {
  std::array<int, std::size(all_ways)> rows{};
  for_each_row([&](const sort_kind& kind, offset segments, const kernel_facts& device) {
    std::array<bool, std::size(all_ways)> goes{};
    for (const offset count : counts()) {
      const sort_choice choice = kind.choose(count, segments_at(segments, count), device);
      const bool is_sound = has_way(kind.types, choice.way) && choice.reason != nullptr && *choice.reason != 0 &&
                            (choice.way != sort_way::by_digits || count < offset{1} << 30) &&
                            (choice.way != sort_way::by_cub || (kind.are_numbers && kind.types.has_one_segment)) &&
                            (choice.way != sort_way::by_counts ||
                             (kind.are_numbers && kind.types.sizes.key_bytes == 1 && count < offset{1} << 30));
      goes[static_cast<std::size_t>(index_of(choice.way))] = true;
      if (is_sound) continue;
      INFO(count, " elements: ", way_names[index_of(choice.way)]);
      CHECK(is_sound);
    }
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] += goes[i] ? 1 : 0;
  });
  for (const sort_way way : all_ways) {
    INFO(way_names[index_of(way)]);
    CHECK(rows[static_cast<std::size_t>(index_of(way))] > 0);
  }
}

TEST_CASE("small tiles hold all elements, passes reach all tiles, and records of tiles fit") {
  int arrays = 0;
  for_each_row([&](const sort_kind& kind, offset segments, const kernel_facts& device) {
    for (const offset count : counts()) {
      const offset segments_here = segments_at(segments, count);
      if (kind.way(count, segments_here, device) != sort_way::in_small_tiles) continue;
      ++arrays;
      const small_tiles small = kind.tiles(count, segments_here, device);
      const bool fit = small.tiling.is_small && small.tiling.count == count &&
                       small.tiling.tiles <= tuning::small_tiles_limit &&
                       small.tiling.tiles * small.tiling.cells.cell_items >= count &&
                       reach_all(small, kind.types.has_one_segment, device);
      if (fit) continue;
      INFO(count, " elements in ", small.tiling.tiles, " tiles of ", small.tiling.cells.cell_items);
      CHECK(fit);
    }
  });
  CHECK(arrays > 1000);
}

TEST_CASE("ways on 132 multiprocessors") {
  struct point {
    const char* kind;
    offset count, segments;
    sort_way way;
  };
  const point points[] = {
      {"u8 + 0", 1'200, 1, sort_way::in_small_tiles},
      {"u8 + 0", 1'201, 1, sort_way::by_cub},
      {"u8 + 0", 5'001, 1, sort_way::in_small_tiles},
      {"u8 + 0", 16'500, 1, sort_way::in_small_tiles},
      {"u8 + 0", 16'501, 1, sort_way::by_cub},
      {"i16 + 0", 66'001, 1, sort_way::by_digits},
      {"i16 + 4", 2'112'001, 1, sort_way::by_cub},
      {"u32 + 0", 132'000, 1, sort_way::in_small_tiles},
      {"u32 + 0", 132'001, 1, sort_way::by_digits},
      {"u32 + 0", 1'073'741'823, 1, sort_way::by_digits},
      {"u32 + 0", 1'073'741'824, 1, sort_way::by_cub},
      {"u32 + 4", 4'224'000, 1, sort_way::by_digits},
      {"u32 + 4", 4'224'001, 1, sort_way::by_cub},
      {"u32 + 16", 132'001, 1, sort_way::by_cub},
      {"u32 + 33", 132'001, 1, sort_way::by_samples},
      {"f64 + 0", 66'000, 1, sort_way::in_small_tiles},
      {"f64 + 0", 66'001, 1, sort_way::by_samples},
      {"f64 + 0", 2'112'001, 1, sort_way::by_digits},
      {"f64 + 8", 528'001, 1, sort_way::by_digits},
      {"i128 + 0", 2'112'000, 1, sort_way::by_samples},
      {"i128 + 0", 2'112'001, 1, sort_way::by_merges},
      {"4 bytes + 0", 66'001, 1, sort_way::by_samples},
      {"4 bytes + 0", 4'224'001, 1, sort_way::by_merges},
      {"16 bytes + 16", 528'001, 1, sort_way::by_merges},
      {"u32 + 0, nearly sorted", 132'001, 1, sort_way::by_merges},
      {"u32 + 0, flags", 132'000, 1, sort_way::in_small_tiles},
      {"u8 + 0, segments", 129'360, 7, sort_way::by_counts},
      {"u8 + 0, segments", 129'360, 127, sort_way::in_small_tiles},
      {"u32 + 0, segments", 257'400, 7, sort_way::by_digits},
      {"u32 + 0, segments", 528'000, 1000, sort_way::in_small_tiles},
      {"u32 + 0, segments", 528'001, 1000, sort_way::by_merges},
      {"f64 + 8, segments", 264'001, 1000, sort_way::by_merges},
      {"16 bytes + 16, segments", 264'000, 1, sort_way::in_small_tiles},
  };
  for (const point& p : points) {
    INFO(p.kind, ", ", p.count, " elements, ", p.segments, " segments");
    const std::string way = way_names[index_of(kind_named(p.kind).way(p.count, p.segments))];
    CHECK(way == way_names[index_of(p.way)]);
  }
}
