// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/slot.h>
#include <mgpu/tile/block_kinds.h>
#include <mgpu/block/block_of.cuh>
#include <mgpu/block/stage/staging_block.cuh>

#include <cuda_pipeline_primitives.h>

MGPU_NAMESPACE_BEGIN
namespace detail::block {

/// A staging_block whose threads copy elements, each for itself, while they do other things.
template <class Core>
class copying_block : public staging_block<Core> {
 public:
  using staging_block<Core>::staging_block;

  /// Starts to copy an element from global to shared memory.
  template <class T>
  MGPU_DEVICE void start_copy(T* to, const T* from) {
    constexpr bool is_word = (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16) && alignof(T) == sizeof(T);
    if constexpr (is_word) __pipeline_memcpy_async(to, from, sizeof(T));
    else base::construct(to, *from);
  }
  /// Waits for the end of all copies that the block has started.
  MGPU_DEVICE void wait_for_copies() {
    __pipeline_commit();
    __pipeline_wait_prior(0);
    this->sync();
  }
};

template <>
struct block_of_kind<tile::copies_elements> {
  template <class Core>
  using type = copying_block<Core>;
};

}  // namespace detail::block
MGPU_NAMESPACE_END
