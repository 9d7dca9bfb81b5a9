// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/assert.h>
#include <mgpu/base/bad_input_flag.h>
#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/exec/core_kinds.h>
#include <mgpu/exec/host/compaction.h>
#include <mgpu/exec/host/first_exception.h>
#include <mgpu/exec/host/tiles.h>
#include <mgpu/exec/no_stream.h>
#include <mgpu/exec/policy.h>
#include <mgpu/exec/workspace.h>
#include <mgpu/tile/binary_search.h>
#include <mgpu/tile/range.h>

#include MGPU_VERB_RANGE_HEADER

#include <atomic>
#include <cstddef>
#include <cstring>
#include <memory>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

/// Plans the jobs of border i + 1 of a core's tiles. Each border has places of its own. So the jobs that a thread
/// plans, and later runs, are neighbours.
template <class Core>
struct plan_host_jobs {
  const Core& core;
  void operator()(offset i) const {
    const tile::serial_search search;
    if (i == 0) core.queue().open_places(0);
    auto* place = core.queue().open_places(i + 1);
    core.plan(i + 1, core.find_split(i + 1, search), core.find_split(i + 2, search),
              [&place](const typename Core::job& planned) { *place++ = planned; });
  }
};

/// A part of a scan: its sum, or once it has been written, that of all values up to its end.
template <class T>
struct scanned_part {
  T sum;
  std::atomic<bool> is_written;
};

/// Runs cores on the threads of a host policy. Scratch memory comes from the policy's allocator.
template <class Policy>
class host_executor {
 public:
  explicit host_executor(Policy& p) : policy_(p) {}

  /// Runs a path core. Each thread takes tile after tile.
  template <class Core>
  void run(const Core& core) const {
    static_assert(is_path_core<Core>() && runs_on_cpu<Core, member::host_items, member::run_tile>(),
                  "run(core) takes a path core");
    MGPU_ASSERT(core.size() >= 0);
    [[maybe_unused]] const verb_range<Core> range("run");
    run_tiles<tile::host_thread>(core, items_per_tile_of<Core>(core.size()));
  }

  /// Runs a core of runs.
  template <class Core>
  void run_ways(const Core& core) const {
    static_assert(is_core_of_runs<Core>() && runs_on_cpu<Core, member::run_tile_of_runs, member::find_split_after>(),
                  "run_ways(core) takes a core of runs");
    [[maybe_unused]] const verb_range<Core> range("run_ways");
    run_tiles<typename Core::host_worker>(core, core.tile_items);
  }

  /// The flag that a core's tiles raise if they find their input to be bad.
  class bad_input_report {
   public:
    explicit bad_input_report(Policy&, bool /*is_wanted*/ = true) {}
    base::bad_input_flag flag() { return {&word_}; }
    bool is_raised() const { return word_ != 0; }

   private:
    int word_ = 0;
  };

  template <class T>
  T read(const T* value) const {
    return *value;
  }

  /// Copies bytes.
  void copy(void* to, const void* from, offset bytes) const {
    if (bytes > 0) std::memcpy(to, from, static_cast<std::size_t>(bytes));
  }

  void wait() const {}

  /// What a communicator is given.
  static constexpr no_stream stream() { return {}; }

  static constexpr bool is_captured() { return false; }
  static constexpr bool is_synchronous() { return true; }

  /// Runs a compacting core; returns how many elements it emits.
  template <class Core>
  offset compact(const Core& core) const {
    static_assert(is_compacting_core<Core>() && emits_on_cpu<Core>(), "compact(core) takes a compacting core");
    MGPU_ASSERT(core.size() >= 0);
    [[maybe_unused]] const verb_range<Core> range("compact");
    if (core.size() == 0) return 0;
    // To count and to write what would fit a tile takes two threads longer than one takes to write it.
    const bool is_small = core.size() <= Core::host_items_per_tile;
    const offset tile_items = is_small ? Core::host_items_per_tile : items_per_tile_of<Core>(core.size());
    const workspace<counted_host_tile<Core>, Policy> counted(policy_, base::ceil_div(core.size(), tile_items) + 1);
    return exec::compact_host_tiles(core, tile_items, counted.data(),
                                    [this](offset n, const auto& f) { this->in_parallel(n, f); });
  }

  /// The number of elements that compact would emit.
  template <class Core>
  offset count(const Core& core) const {
    static_assert(is_compacting_core<Core>() && emits_on_cpu<Core>(), "count(core) takes a compacting core");
    MGPU_ASSERT(core.size() >= 0);
    [[maybe_unused]] const verb_range<Core> range("count");
    const offset tile_items = items_per_tile_of<Core>(core.size()), tiles = base::ceil_div(core.size(), tile_items);
    const workspace<offset, Policy> counts(policy_, tiles);
    host_tickets tickets(tiles);
    in_parallel(tiles, count_host_tiles<Core>{core, tile_items, tickets, counts.data()});
    offset size = 0;
    for (offset tile = 0; tile < tiles; ++tile) size = base::saturated_sum(size, counts.data()[tile]);
    return base::min(size, core.max_size());
  }

  // What a plan may ask of the machine: see docs/design.md.
  static constexpr bool has_shared_memory = false;
  static constexpr bool can_throw = true;
  static constexpr bool calls_host_functions = true;
  static constexpr bool has_radix_sort = false;

  template <class Core>
  static int items_per_tile() {
    return static_cast<int>(Core::host_items_per_tile);
  }
  /// The same, where threads share `size` elements in smaller tiles.
  template <class Core>
  static int items_per_tile_of(offset size) {
    return static_cast<int>(exec::items_of_shared_tile(size, Policy::threads(), Core::host_items_per_tile));
  }

  /// Calls f(i) for i in [0, count).
  template <class Function>
  void each(offset count, const Function& f) const {
    if (count <= 2) {  // not worth a team of threads
      for (offset i = 0; i < count; ++i) f(i);
      return;
    }
    in_parallel(count, f);
  }

  /// Calls f.store(i, f.find(i, search)) for i in [0, count).
  template <class Function>
  void search_each(offset count, const Function& f) const {
    const auto search = [&f](offset i) { f.store(i, f.find(i, tile::serial_search{})); };
    if (count > 4) return each(count, search);
    for (offset i = 0; i < count; ++i) search(i);
  }

  /// Replaces values[i] by the `sum` of values[0, i].
  template <class T, class Sum>
  void scan_in_place(T* values, offset count, const Sum& sum) const {
    const auto at = [values](offset i) -> T& { return values[i]; };
    scan<T>(
        count, at, [&](offset i, T x) { at(i) = x; }, sum);
  }
  /// Writes to out[i] the `sum` of value_of(0), ..., value_of(i - 1), and to out[0] zero.
  template <class Function, class T, class Sum>
  void exclusive_scan(const Function& value_of, offset count, T* out, const Sum& sum) const {
    const auto at = [&](offset i) -> T { return i == 0 ? sum(T{0}, value_of(0)) : T{value_of(i)}; };
    scan<T>(
        count - 1, at, [out](offset i, T x) { out[i + 1] = x; }, sum);
    out[0] = T{0};
  }

  /// Calls s.put(i, x) for i in [0, count). x is the s.sum of s.value_at(0), ..., s.value_at(i), which are offsets.
  template <class Scan>
  void scan_offsets(const Scan& s, offset count) const {
    scan<offset>(
        count, [&](offset i) { return s.value_at(i); }, [&](offset i, offset x) { s.put(i, x); },
        [&](offset x, offset y) { return s.sum(x, y); });
  }

  /// Runs tiles [0, tiles) of a tile core.
  template <class Core>
  void run_each(const Core& core, offset tiles) const {
    static_assert(is_tile_core<Core>() && runs_on_cpu<Core, member::run_by_number>(),
                  "run_each(core, tiles) takes a tile core");
    MGPU_ASSERT(tiles >= 0);
    [[maybe_unused]] const verb_range<Core> range("run_each");
    in_parallel(tiles, [&core](offset tile) { core.run(tile::host_thread{}, tile); });
  }

  /// Runs the jobs that a planned core plans.
  template <class Core>
  void run_planned(const Core& core) const {
    static_assert(is_planned_core<Core>(), "run_planned(core) takes a planned core");
    MGPU_ASSERT(core.tiles > 0);
    [[maybe_unused]] const verb_range<Core> range("run_planned");
    if (!core.is_needed()) return;
    each(core.tiles - 1, plan_host_jobs<Core>{core});
    const offset jobs = core.queue().collect();
    in_parallel(jobs, [&core](offset i) { core.run(tile::host_thread{}, core.queue().collected(i)); });
  }

  void complete() const {}

 private:
  /// Calls write(i, `sum` of value_of(0), ..., value_of(i)) for i in [0, count). Thrust's scans take long to compile.
  ///   The threads sum up parts, then they write them. A part is written at once if the one before it has been: so one
  /// thread, and the first of several, read their values once. `sum` is associative.
  template <class T, class ValueOf, class Write, class Sum>
  void scan(offset count, const ValueOf& value_of, const Write& write, const Sum& sum) const {
    constexpr offset part_items = 1 << 15;
    const offset parts_count = base::ceil_div(count, part_items);
    const workspace<scanned_part<T>, Policy> memory(policy_, parts_count);
    scanned_part<T>* const parts = memory.data();
    std::uninitialized_value_construct_n(parts, parts_count);
    const auto visit = [&](offset part, bool has_before, const auto& f) {
      offset i = part * part_items;
      const offset end = base::min(i + part_items, count);
      T x = has_before ? sum(parts[part - 1].sum, value_of(i)) : T{value_of(i)};
      f(i, x);
      while (++i < end) {
        x = sum(x, value_of(i));
        f(i, x);
      }
      return x;
    };
    each(parts_count, [&](offset part) {
      if (part == 0 || parts[part - 1].is_written.load(std::memory_order_acquire)) {
        parts[part].sum = visit(part, part > 0, write);
        parts[part].is_written.store(true, std::memory_order_release);
      } else if (part < parts_count - 1) {
        parts[part].sum = visit(part, false, [](offset, const T&) {});
      }
    });
    for (offset part = 1; part < parts_count; ++part) {
      if (!parts[part].is_written) parts[part].sum = sum(parts[part - 1].sum, parts[part].sum);
    }
    each(parts_count, [&](offset part) {
      if (!parts[part].is_written) visit(part, true, write);
    });
  }

  template <class Core>
  static constexpr bool emits_on_cpu() {
    return runs_on_cpu<Core, member::host_items, member::emit_tile, member::count_tile>();
  }

  template <class Worker, class Core>
  void run_tiles(const Core& core, offset tile_items) const {
    const offset tiles = base::ceil_div(core.size(), tile_items);
    host_tickets tickets(tiles);
    in_parallel(tiles, run_host_tiles<Core, Worker>{core, tile_items, tickets});
  }

  /// Calls f(i) for i in [0, count) on several threads. When all of them have ended, it throws the first exception
  /// again.
  template <class Function>
  void in_parallel(offset count, const Function& f) const {
    if (count <= 1) {  // a team of threads takes longer to begin than many a merge
      if (count == 1) f(offset{0});
      return;
    }
    first_exception thrown;
    policy_.for_each_index(count, call_until_exception<Function>{f, thrown});
    thrown.rethrow();
  }

  Policy& policy_;
};

}  // namespace detail::exec
MGPU_NAMESPACE_END
