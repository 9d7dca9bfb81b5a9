// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/base/tile_shape.h>
#include <mgpu/tile/binary_search.h>
#include <mgpu/tile/range.h>

#include <cuda/std/type_traits>
#include <cuda/std/utility>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

// The kinds of core: one for each way to cut work into tiles. A verb of an executor takes one kind. A core that lacks a
// member of its kind does not compile; the message names the member. A core has the members for the CPU, for the GPU,
// or for both. An executor refuses a core that has none for its machine, by runs_on_cpu and runs_on_gpu.
//   A worker is tile::host_thread on the CPU, and a thread block on the GPU. A core of the GPU has static shape(cc) and
// shared_bytes(shape), and may name a block_kind: see tile/block_kinds.h. Any core may have a `name`, for profilers.
//
// path core: has diagonals [0, size()) and can be split at any of them; a tile's place in the output is known
//   size(), split
//   path(diagonal)      what is searched at a diagonal, as tile/merge_path.h has it: find(search) gives a split
//   between(first, last, first_split, last_split)
//                       the tile between two diagonals and their splits
//   run(worker, tile)
//   host_items_per_tile CPU: the diagonals of a tile, at most. Threads that share few have smaller tiles
//   has_near_splits     CPU, if there is one: splits end no further apart than their diagonals, so guesses shorten the
//                       search. Where inputs are not in order, another guess may find another split
// core of runs: as a path core, but splits are those of several runs, at most most_ways of a group of runs
//   tile_items          the elements between two borders of tiles
//   host_worker         CPU: the class of its workers, which keep memory from tile to tile
//   find_split_after(split, diagonal, distance)
//                       CPU: the split at a diagonal, given that of one `distance` before it
//   run(block)          GPU, by block::ways_block, which asks for these, as core/runs/merge_runs.h has them:
//     runs, cut, compare, diagonal(tile), splits(), slack(shape)
//     is_one_group(), group_at(diagonal), group_of_border(tile, groups), group_begin(group), in_group(group, diagonal)
//     most_items(shape), smaller(shape, part), own_shape(shape)
//     keys, stages_values, staging_grid
//     is_sampled, most_early()       of runs with samples: see exec/cuda/kernels/rank_samples.cuh
// compacting core: as a path core, but tiles emit some of their elements; these are packed in tile order
//   max_size()          how much it can emit, at most
//   count(host_thread, tile), run(host_thread, tile, begin, end)
//                       CPU: how much a tile emits; writes that from `begin` to at most `end`, and returns its end
//   packed_tile         GPU: a tile whose results wait in shared memory for their place: so many as its `count`
//   run(block, number, tile), store(block, packed_tile, begin)
//                       GPU: packs a tile, and tells the block the count; writes it, and returns the end of the output
//   count(block, tile)  GPU: what one thread counts of a tile
//   size_of_result(sum) GPU: how much is emitted if all threads count so much
// deferring core: a compacting core of the GPU whose tiles may emit more than fits into shared memory. Such tiles are
// deferred: when the others are stored, blocks of another core write them. See exec/cuda/kernels/deferred_tiles.cuh
//   tile_items          the elements of a tile: as its shape says, or fewer
//   choose_tile_items(threads, most, multiprocessors)
//                       chooses them, by the device alone: if the inputs are not sorted, what tiles emit depends on
//                       where they are cut, and the verbs count and compact have to agree
//   deferred_jobs(block, packed_tile, begin)
//                       how many jobs a stored tile leaves; 0 if it is not deferred
//   limit_jobs(limit)   has tiles leave no more jobs than these, beside one of each
//   deferred            the core that runs the jobs. It is made of this one, and has
//     parts_of_job(jobs, blocks)
//                       into how many parts a job is cut if there are so many, for blocks that run at once
//     run_job(block, tile, tile_begin, tile_end, job, {part, parts})
//                       runs a part of a job of a tile, whose results are [tile_begin, tile_end) of the output
// tile core: has tiles that are called by their number
//   run(worker, number)
// planned core: has jobs, made on the device, in one queue
//   tiles, is_needed(), find_split(border, search), searcher, plan(...), queue(), job, run(worker, job)

template <template <class> class Member, class Core, class = void>
inline constexpr bool has_member = false;
template <template <class> class Member, class Core>
inline constexpr bool has_member<Member, Core, cuda::std::void_t<Member<Core>>> = true;

/// What the checks below ask for. `of<Core>` stands for a core.
namespace member {

template <class Core>
const Core& of();

template <class Core>
using shape = decltype(static_cast<void>(base::tile_shape{Core::shape(0)}), int{Core::shared_bytes(Core::shape(0))});
template <class Core>
using host_items = decltype(offset{Core::host_items_per_tile});
template <class Core>
using size = decltype(offset{member::of<Core>().size()});
template <class Core>
using find_split = decltype(typename Core::split{member::of<Core>().find_split(offset{}, tile::serial_search{})});
template <class Core>
using find_split_after = decltype(typename Core::split{
    member::of<Core>().find_split_after(cuda::std::declval<typename Core::split>(), offset{}, offset{})});
template <class Core>
using has_near_splits = decltype(bool{Core::has_near_splits});
template <class Core>
using path = decltype(typename Core::split{
    member::of<Core>().path(offset{}).find(cuda::std::declval<tile::serial_search>())});
template <class Core>
using tile_between = decltype(member::of<Core>().between(offset{}, offset{}, cuda::std::declval<typename Core::split>(),
                                                         cuda::std::declval<typename Core::split>()));
template <class Core>
using run_tile = decltype(member::of<Core>().run(tile::host_thread{}, cuda::std::declval<tile_between<Core>>()));
template <class Core>
using tile_items = decltype(offset{member::of<Core>().tile_items});
template <class Core>
using run_tile_of_runs = decltype(member::of<Core>().run(cuda::std::declval<typename Core::host_worker&>(),
                                                         cuda::std::declval<tile_between<Core>>()));
template <class Core>
using emit_tile = decltype(offset{
    member::of<Core>().run(tile::host_thread{}, cuda::std::declval<tile_between<Core>>(), offset{}, offset{})});
template <class Core>
using count_tile = decltype(offset{
    member::of<Core>().count(tile::host_thread{}, cuda::std::declval<tile_between<Core>>())});
template <class Core>
using max_size = decltype(offset{member::of<Core>().max_size()});
template <class Core>
using packed_tile = typename Core::packed_tile;
template <class Core>
using size_of_result = decltype(offset{member::of<Core>().size_of_result(offset{})});
template <class Core>
using deferred = typename Core::deferred;
template <class Core>
using run_by_number = decltype(member::of<Core>().run(tile::host_thread{}, offset{}));
template <class Core>
using queue = decltype(offset{member::of<Core>().queue().capacity()});
template <class Core>
using job = typename Core::job;
template <class Core>
using searcher = typename Core::searcher;
template <class Core>
using is_needed = decltype(bool{member::of<Core>().is_needed()});

}  // namespace member

/// What an executor of the CPU asks of a core beside its kind. A core of the GPU alone has no members for
/// tile::host_thread, not even declared ones: so it is refused here.
template <class Core, template <class> class... Members>
constexpr bool runs_on_cpu() {
  static_assert(
      (has_member<Members, Core> && ...),
      "this core runs on the GPU alone: on the CPU it lacks a member of its kind, run(tile::host_thread, ...) or "
      "another one that exec/core_kinds.h names");
  return true;
}
/// The same of the CUDA executor.
template <class Core, template <class> class... Members>
constexpr bool runs_on_gpu() {
  static_assert(has_member<member::shape, Core> && (has_member<Members, Core> && ...),
                "this core runs on the CPU alone: on the GPU it lacks a member of its kind, static shape(cc), "
                "shared_bytes(shape) or another one that exec/core_kinds.h names");
  return true;
}

template <class Core>
constexpr bool is_on_a_path() {
  static_assert(has_member<member::size, Core>,
                "a path core has diagonals: size() says how many. This core has none; "
                "run_each(core, tiles) runs tiles by their numbers");
  static_assert(has_member<member::path, Core>,
                "a path core shows what is searched at a diagonal: path(diagonal), as tile/merge_path.h has it");
  static_assert(has_member<member::tile_between, Core>,
                "a path core makes a tile of two diagonals: between(first, last, first_split, last_split)");
  return true;
}

template <class Core>
constexpr bool is_path_core() {
  static_assert(is_on_a_path<Core>());
  static_assert(!has_member<member::max_size, Core>,
                "a core that emits some of its elements is a compacting core: call compact or count");
  return true;
}

template <class Core>
constexpr bool is_core_of_runs() {
  static_assert(is_path_core<Core>());
  static_assert(has_member<member::tile_items, Core>,
                "a core of runs says how many elements lie between the borders of its tiles: tile_items");
  return true;
}

template <class Core>
constexpr bool is_compacting_core() {
  static_assert(is_on_a_path<Core>());
  static_assert(has_member<member::max_size, Core>,
                "a compacting core says how much it can emit: max_size(). One whose tiles have known places is a path "
                "core: call run");
  return true;
}

/// Whether a compacting core is a deferring core.
template <class Core>
inline constexpr bool is_deferring_core = has_member<member::deferred, Core>;

template <class Core>
constexpr bool is_tile_core() {
  static_assert(!has_member<member::size, Core>,
                "a tile core runs a tile by its number: run(worker, number). One that is split at diagonals is a path "
                "core: call run");
  return true;
}

template <class Core>
constexpr bool is_planned_core() {
  static_assert(has_member<member::shape, Core>, "a core has static shape(cc) and shared_bytes(shape)");
  static_assert(has_member<member::queue, Core>, "a planned core exposes one queue of jobs: queue()");
  static_assert(has_member<member::job, Core>, "a planned core names the type of its jobs: job");
  static_assert(has_member<member::find_split, Core>,
                "a planned core searches at borders of tiles: find_split(tile, search) returns a split");
  static_assert(has_member<member::searcher, Core>,
                "a planned core names the search at its borders: searcher, one of tile/border_search.h");
  static_assert(has_member<member::is_needed, Core>,
                "a planned core says whether there is anything to plan: is_needed()");
  return true;
}

}  // namespace detail::exec
MGPU_NAMESPACE_END
