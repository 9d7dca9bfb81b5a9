// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/tile/range.h>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

/// Some neighbouring diagonals of a core: what a chunk, a device or a rank has of the work.
struct diagonal_range {
  offset first, last;  // 0 <= first <= last <= core.size()
};

/// A part of a path core, itself a path core: run(part_of<Core>{core, {first, last}}) writes to the output what the
/// tiles of these diagonals write. Parts that follow each other write the whole.
template <class Core>
struct part_of : Core {
  diagonal_range part;

  MGPU_HOST_DEVICE offset size() const { return part.last - part.first; }

  MGPU_HOST_DEVICE auto path(offset diagonal) const { return Core::path(part.first + diagonal); }

  MGPU_HOST_DEVICE auto between(offset first, offset last, const typename Core::split& first_split,
                                const typename Core::split& last_split) const {
    return Core::between(part.first + first, part.first + last, first_split, last_split);
  }
};
template <class Core>
MGPU_HOST_DEVICE part_of(Core, diagonal_range)->part_of<Core>;

/// A part of a compacting core, itself a compacting core: its results go to the output from `out_begin` on. The caller
/// knows out_begin: it is how many elements the parts before emit. The verb compact returns how many this part emits.
template <class Core>
struct compacted_part_of : part_of<Core> {
  offset out_begin;

  MGPU_HOST_DEVICE offset max_size() const { return Core::max_size() - out_begin; }

  /// The part with the keys of a read from elsewhere.
  template <class Keys>
  auto reading(const Keys* keys) const {
    using whole = decltype(Core::reading(keys));
    return compacted_part_of<whole>{{Core::reading(keys), this->part}, out_begin};
  }

  using Core::run;  // on the GPU
  offset run(tile::host_thread worker, const typename Core::range& t, offset begin, offset end) const {
    return Core::run(worker, t, out_begin + begin, out_begin + end) - out_begin;
  }

  template <class Block>
  MGPU_DEVICE offset store(Block& block, const typename Core::packed_tile& t, offset begin) const {
    return Core::store(block, t, out_begin + begin) - out_begin;
  }

  // The verb count has no parts: on the GPU it asks for the size of a whole result.
  void size_of_result(offset) const = delete;
};
template <class Core>
MGPU_HOST_DEVICE compacted_part_of(part_of<Core>, offset)->compacted_part_of<Core>;

}  // namespace detail::exec
MGPU_NAMESPACE_END
