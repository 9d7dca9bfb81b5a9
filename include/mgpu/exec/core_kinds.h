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
// member of its kind does not compile; the message names the member.
//   path core        has diagonals [0, size()) and can be split at any of them; a tile's place in the output is known
//   compacting core  a path core whose tiles emit some of their elements; they are packed in tile order
//   tile core        has tiles that are called by their number
//   planned core     has jobs, made on the device, in one queue
// All have static shape(cc) and shared_bytes(shape), for the GPU.

template <template <class> class Member, class Core, class = void>
inline constexpr bool has_member = false;
template <template <class> class Member, class Core>
inline constexpr bool has_member<Member, Core, cuda::std::void_t<Member<Core>>> = true;

/// What one CPU thread is to a path core while it runs one tile after the other: tile::host_thread, unless the core
/// names a class for it. An object of that class keeps something from tile to tile.
template <class Core, class = void>
struct host_worker {
  using type = tile::host_thread;
};
template <class Core>
struct host_worker<Core, cuda::std::void_t<typename Core::host_worker>> {
  using type = typename Core::host_worker;
};
template <class Core>
using host_worker_of = typename host_worker<Core>::type;

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
using run_tile = decltype(member::of<Core>().run(cuda::std::declval<host_worker_of<Core>&>(),
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
using emits_nothing = decltype(bool{member::of<Core>().emits_nothing()});
template <class Core>
using may_be_in_place = decltype(bool{Core::may_be_in_place});
template <class Core>
using may_be_disjoint = decltype(bool{Core::may_be_disjoint});
template <class Core>
using packed_tile = typename Core::packed_tile;
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

/// Whether blocks of a tile core take their tiles themselves, one after the other, until there is none.
template <class Core, class = void>
inline constexpr bool takes_tickets = false;
template <class Core>
inline constexpr bool takes_tickets<Core, cuda::std::void_t<decltype(Core::takes_tickets)>> = Core::takes_tickets;

/// Whether all calls must cut a core into the same tiles on the CPU, however many threads they have: if its inputs are
/// not sorted, what one call counts another one would else not find.
template <class Core, class = void>
inline constexpr bool has_fixed_tiles = false;
template <class Core>
inline constexpr bool has_fixed_tiles<Core, cuda::std::void_t<decltype(Core::has_fixed_tiles)>> = Core::has_fixed_tiles;

/// Checks what path cores and compacting cores have in common.
template <class Core>
constexpr bool is_on_a_path() {
  static_assert(has_member<member::shape, Core>, "a core has static shape(cc) and shared_bytes(shape)");
  static_assert(has_member<member::host_items, Core>,
                "a core says how large its tiles are on the CPU: host_items_per_tile");
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
  static_assert(has_member<member::run_tile, Core>,
                "a path core runs a tile by run(worker, tile). One that emits some of its elements is a compacting "
                "core: call compact or count");
  return true;
}

template <class Core>
constexpr bool is_compacting_core() {
  static_assert(is_on_a_path<Core>());
  static_assert(has_member<member::max_size, Core>, "a compacting core says how much it can emit: max_size()");
  static_assert(has_member<member::emit_tile, Core>,
                "a compacting core emits a tile by run(worker, tile, begin, end). One whose tiles have known places is "
                "a path core: call run");
  static_assert(has_member<member::count_tile, Core>, "a compacting core counts a tile by count(worker, tile)");
  static_assert(has_member<member::emits_nothing, Core>,
                "a compacting core tells whether it emits nothing, as far as that is known without a search: "
                "emits_nothing()");
  static_assert(has_member<member::may_be_in_place, Core>,
                "a compacting core says whether its output may lie over its input: may_be_in_place");
  static_assert(has_member<member::may_be_disjoint, Core>,
                "a compacting core says whether it may find that its inputs are disjoint, and copies them then: "
                "may_be_disjoint");
  static_assert(has_member<member::packed_tile, Core>,
                "a compacting core keeps results on the GPU until their place is known, in a packed_tile");
  return true;
}

template <class Core>
constexpr bool is_tile_core() {
  static_assert(has_member<member::shape, Core>, "a core has static shape(cc) and shared_bytes(shape)");
  static_assert(has_member<member::run_by_number, Core>,
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
