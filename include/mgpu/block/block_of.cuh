// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/tile/block_kinds.h>

#include <cuda/std/type_traits>

MGPU_NAMESPACE_BEGIN
namespace detail::block {

/// The block of a kind that cores name: `template <class Core> using type`. The block's header has it. If it is not
/// known, the plan of the core's algorithm does not include a header of exec/ that includes the block's.
template <class Kind>
struct block_of_kind;

/// The block that runs a core: of the kind that the core names, or else Block.
template <class Core, template <class> class Block, class = void>
struct chosen_block {
  using type = Block<Core>;
};
template <class Core, template <class> class Block>
struct chosen_block<Core, Block, cuda::std::void_t<typename Core::block_kind>> {
  using type = typename block_of_kind<typename Core::block_kind>::template type<Core>;
};
template <class Core, template <class> class Block>
using block_of = typename chosen_block<Core, Block>::type;

}  // namespace detail::block
MGPU_NAMESPACE_END
