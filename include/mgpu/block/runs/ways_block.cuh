// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/base/slot.h>
#include <mgpu/block/runs/way_merger.cuh>
#include <mgpu/block/runs/way_search.cuh>
#include <mgpu/block/stage/bulk_copy.cuh>
#include <mgpu/block/stage/bulk_span.cuh>
#include <mgpu/block/stage/staging_block.cuh>

#include <cstdint>

MGPU_NAMESPACE_BEGIN
namespace detail::block {

/// A block searches for its own splits only if there are at most so many elements: 32 times as many are an int.
inline constexpr offset most_items_of_own_splits = offset{1} << 25;

/// A staging_block that merges the ways of a tile of a core of runs.
template <class Core>
class ways_block : public staging_block<Core> {
  using base_block = staging_block<Core>;
  static constexpr int most_ways = Core::most_ways;

  /// What the block knows of its tile, in shared memory.
  struct tile_state {
    offset splits[2][most_ways];  // at the tile's borders, if the block has searched for them
    way_table<most_ways> ways;
    int staged[most_ways];                  // where way w was staged
    offset run[most_ways];                  // what it is a part of
    offset place[most_ways];                // where it begins in the source of the runs
    unsigned keys_by_bulk, values_by_bulk;  // a bit for each way
    offset out_begin;
  };

 public:
  using base_block::shape;

  MGPU_DEVICE explicit ways_block(char* shared)
      : base_block(shared, own_bytes), state_(*reinterpret_cast<tile_state*>(shared + state_begin)) {}

  static constexpr int state_begin = 16;
  static constexpr int own_bytes = base::align_up(state_begin + int{sizeof(tile_state)}, 16);
  static constexpr int shared_bytes(const base::tile_shape& s) { return own_bytes + Core::shared_bytes(s); }

  MGPU_DEVICE offset out_begin() const { return state_.out_begin; }
  MGPU_DEVICE int items() const { return state_.ways.items(); }

  /// The way of an element that was staged at `place`.
  MGPU_DEVICE int way_staged_at(int place) const { return state_.ways.way_at(state_.staged, place); }
  /// Where element `place` of the staged tile lies in the source of the runs.
  MGPU_DEVICE offset place_of(int way, int place) const { return state_.place[way] + (place - state_.staged[way]); }
  MGPU_DEVICE offset run_of(int way) const { return state_.run[way]; }

  /// Finds out what the tile merges. `splits`: of all borders, and behind them the groups of all borders if there are
  /// several; or null: then two warps search for this tile's.
  MGPU_DEVICE void open(const Core& core, offset tile, const offset* splits) {
    own_share_ = core.own_shape(shape).items_per_thread;
    if constexpr (!Core::is_sampled) {
      if (splits == nullptr) find_splits(core, tile);
    }
    this->sync();  // opens the counter of bulk copies, too
    if (this->thread() < 32) {
      cut(core, tile, splits != nullptr ? splits + tile * most_ways : state_.splits[0],
          splits != nullptr ? splits + (tile + 1) * most_ways : state_.splits[1],
          splits != nullptr ? splits + (offset{gridDim.x} + 1) * most_ways : nullptr);
    }
  }

  /// Starts to copy the ways' keys, and their values if the core stages them. The first warp starts what bulk copies
  /// can bring; wait() brings the rest.
  template <class Key, class Value>
  MGPU_DEVICE void stage(const Core& core, Key* keys, Value* values) {
    if (this->thread() < 32) {
      choose_share();
      start(core, keys, values);
      // Two divisions: by the share of most tiles, which the compiler knows, and by that of others.
      if (own_share_ == shape.items_per_thread) state_.ways.give_threads(shape.items_per_thread);
      else state_.ways.give_threads(own_share_);
    }
    this->sync();
    choose_share();
    constexpr bool stages_values = Core::stages_values;
    const unsigned all = state_.ways.count == 32 ? ~0u : (1u << state_.ways.count) - 1;
    if (state_.keys_by_bulk != all) {
      each_element_of(all & ~state_.keys_by_bulk, [&](int way, int to, offset place) {
        base::construct(keys + to, core.runs.keys_at(state_.run[way], place)[offset{0}]);
      });
    }
    if constexpr (stages_values) {
      if (state_.values_by_bulk != all) {
        each_element_of(all & ~state_.values_by_bulk, [&](int way, int to, offset place) {
          base::construct(values + to, core.runs.values_at(state_.run[way], place)[offset{0}]);
        });
      }
    }
  }

  /// Merges the staged keys into `merged`. If has_places, `places` tells where each was staged.
  template <bool has_places, class Key, class Compare>
  MGPU_DEVICE void merge_keys(const Key* staged, Key* merged, tile::source* places, const Compare& compare) {
    merger_of<moved_keys<Key>, Compare> merger(state_.ways, own_share_, {staged, staged}, merged, places, compare);
    merger.template merge<has_places>();
  }
  /// merge_keys for the places alone.
  template <class Key, class Compare>
  MGPU_DEVICE void merge_places(const Key* staged, tile::source* places, const Compare& compare) {
    merger_of<moved_places<Key>, Compare> merger(state_.ways, own_share_, {staged, nullptr}, places, nullptr, compare);
    merger.template merge<false>();
  }

 private:
  template <class Moved, class Compare>
  using merger_of = way_merger<Moved, most_ways, shape.items_per_thread, Compare>;

  /// A warp for each border. If halves of a block met at barriers of their own, racecheck would report hazards between
  /// accesses on the two sides of __syncthreads.
  MGPU_DEVICE void find_splits(const Core& core, offset tile) {
    using search = way_search<most_ways, true>;
    constexpr int last_warp = shape.threads / 32 - 1;
    const int warp = this->thread() / 32;
    for (int border = 0; border < 2; ++border) {
      if (warp != (border == 0 ? 0 : last_warp)) continue;
      const auto path = core.path(core.diagonal(tile + border));
      const search by;
      const offset split =
          by.template find<int>(path.group, path.diagonal, core.slack(core.own_shape(shape)), core.compare);
      if (by.is_first_lane()) state_.splits[border][by.way()] = split;
    }
  }

  /// By the first warp: lane w looks after way w.
  MGPU_DEVICE void cut(const Core& core, offset tile, const offset* first_splits, const offset* last_splits,
                       const offset* groups) {
    const int lane = this->thread();
    const auto group = core.group_of_border(tile, groups);
    const bool ends_group = core.group_of_border(tile + 1, groups).number() != group.number();
    offset first = 0, last = 0, place = 0;
    if (lane < group.runs()) {
      first = first_splits[lane];
      last = ends_group ? group.length(lane) : last_splits[lane];
    }
    if constexpr (Core::is_sampled) {
      const offset length = lane < group.runs() ? group.length(lane) : 0;
      first = consistent_split(first, length, core.in_group(group, core.diagonal(tile)), core.most_early());
      if (!ends_group)
        last = consistent_split(last, length, core.in_group(group, core.diagonal(tile + 1)), core.most_early());
    }
    if (lane < group.runs()) place = group.place(lane) + first;
    const offset before = block::warp_sum(first), out_begin = core.group_begin(group) + before;
    const int most_tile_items = Core::most_items(core.own_shape(shape));
    // The splits of runs without order may contradict each other: the tile then stays within its borders.
    const int most = static_cast<int>(
        base::min(base::clamp<offset>(block::warp_sum(last - first), 0, most_tile_items), core.runs.total - out_begin));
    int count = static_cast<int>(base::clamp<offset>(last - first, 0, most_tile_items));
    if (__shfl_sync(~0u, block::warp_sum_before(count) + count, 31) > most) {
      count = base::clamp(most - block::warp_sum_before(count), 0, count);
    }
    const int phase = count > 0 ? staging_phase(core, group.first(lane), place) : 0;
    const int room = count > 0 ? base::align_up(phase + count, Core::staging_grid) : 0;
    const unsigned sums = block::warp_sum_before(static_cast<unsigned>(room) << 16 | static_cast<unsigned>(count));
    const int begin = static_cast<int>(sums & 0xffff), staged = static_cast<int>(sums >> 16) + phase;

    way_table<most_ways>& ways = state_.ways;
    const int way = ways.put(count, begin, staged);
    if (lane >= ways.count && lane < most_ways) state_.staged[lane] = 1 << 30;
    if (count > 0) {
      state_.staged[way] = staged;
      state_.run[way] = group.first(lane);
      state_.place[way] = place;
    }
    if (lane == 0) state_.out_begin = out_begin;
    __syncwarp();
  }

  /// The share by which as many threads as possible have something to do.
  MGPU_DEVICE void choose_share() {
    if constexpr (Core::is_sampled) {
      int part = 4;
      while (part > 1 && items() > Core::most_items(Core::smaller(shape, part))) part /= 2;
      own_share_ = Core::smaller(shape, part).items_per_thread;
    }
  }

  /// A split at a diagonal, or another one if no sorted runs can have it. Both tiles at a border come to the same. So
  /// the sums of the splits ascend, no two tiles write to the same place, and all places are written to.
  MGPU_DEVICE static offset consistent_split(offset split, offset length, offset diagonal, int most_early) {
    const offset all = block::warp_sum(length), end = base::min(diagonal, all);
    split = base::clamp<offset>(split, 0, length);
    const offset sum = block::warp_sum(split), early = end - sum;
    if (early == 0 || (early > 0 && early < most_early && diagonal < all)) return split;
    return base::clamp<offset>(end - block::warp_sum_before(length), 0, length);
  }

  /// How many places behind a 16-byte word the element at `place` is staged, so that bulk copies can bring it.
  MGPU_DEVICE static int staging_phase(const Core& core, offset run, offset place) {
    int phase = 0;
    if constexpr (base_block::has_bulk_copy && base::is_bulk_loadable<typename Core::keys>) {
      phase = phase_of(core.runs.keys_at(run, place));
    } else if constexpr (base_block::has_bulk_copy && Core::stages_values) {
      phase = phase_of(core.runs.values_at(run, place));
    }
    return phase;
  }
  template <class T>
  MGPU_DEVICE static int phase_of(const T* element) {
    const auto byte = static_cast<int>(reinterpret_cast<std::uintptr_t>(element) & 15);
    int phase = 0;
    MGPU_UNROLL
    for (int i = Core::staging_grid - 1; i >= 0; --i) {
      if ((i * int{sizeof(T)} & 15) == byte) phase = i;
    }
    return phase;
  }

  template <class Key, class Value>
  MGPU_DEVICE void start(const Core& core, Key* keys, Value* values) {
    const int lane = this->thread();
    const bool has_way = lane < state_.ways.count;
    const offset run = has_way ? state_.run[lane] : 0, place = has_way ? state_.place[lane] : 0;
    const int count = has_way ? state_.ways.begin[lane + 1] - state_.ways.begin[lane] : 0;
    const int staged = has_way ? state_.staged[lane] : 0;
    int bytes = 0;
    bool keys_by_bulk = false, values_by_bulk = false;
    if constexpr (base_block::has_bulk_copy && base::is_bulk_loadable<typename Core::keys>) {
      if (has_way)
        keys_by_bulk = load(core.runs.keys_at(run, place), core.runs.extent(run), place, count, keys + staged, bytes);
    }
    if constexpr (base_block::has_bulk_copy && Core::stages_values) {
      if (has_way)
        values_by_bulk =
            load(core.runs.values_at(run, place), core.runs.extent(run), place, count, values + staged, bytes);
    }
    const unsigned key_ways = __ballot_sync(~0u, keys_by_bulk), value_ways = __ballot_sync(~0u, values_by_bulk);
    bytes = block::warp_sum(bytes);
    if (lane == 0) {
      state_.keys_by_bulk = key_ways;
      state_.values_by_bulk = value_ways;
      this->expect(bytes);
    }
  }

  /// Starts the bulk copy of a way, if one can bring all of it. It may have to bring neighbours, too: only where no
  /// other way lies in the same 16-byte words of shared memory.
  template <class T>
  MGPU_DEVICE bool load(const T* from, offset array_count, offset first, int count, T* to, int& bytes) {
    const auto span = bulk_span::readable(from - first, array_count, first, count);
    const bool is_aligned = ((reinterpret_cast<std::uintptr_t>(from) ^ shared_address(to)) & 15) == 0;
    if (!is_aligned || span.bulk_begin > 0 || span.bulk_begin + span.bulk_bytes < span.bytes) return false;
    constexpr bool has_own_words = Core::staging_grid * int{sizeof(T)} % 16 == 0;
    if (!has_own_words && (span.bulk_begin != 0 || span.bulk_bytes != span.bytes)) return false;
    bulk_load(reinterpret_cast<char*>(to) + span.bulk_begin, reinterpret_cast<const char*>(from) + span.bulk_begin,
              span.bulk_bytes, this->bulk_counter());
    bytes += span.bulk_bytes;
    return true;
  }

  /// Calls f(way, staged place, place in the source) for each element of some ways.
  template <class Function>
  MGPU_DEVICE void each_element_of(unsigned ways, const Function& f) {
    for (int i = this->thread(); i < items(); i += shape.threads) {
      const int way = state_.ways.way_at(state_.ways.begin, i);
      const int in_way = i - state_.ways.begin[way];
      if (ways >> way & 1) f(way, state_.staged[way] + in_way, state_.place[way] + in_way);
    }
  }

  tile_state& state_;
  int own_share_;  // what a thread merges in a round, at most
};

}  // namespace detail::block
MGPU_NAMESPACE_END
