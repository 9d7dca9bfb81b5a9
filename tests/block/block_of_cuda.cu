// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A core that names a kind of block is run by that block, any other core by the one that the kernel proposes.
#include <mgpu/block/block_of.cuh>

#include <doctest/doctest.h>

#include <type_traits>

namespace {

template <class Core>
struct proposed {};
template <class Core>
struct named {};
struct kind {};
struct without_kind {};
struct with_kind {
  using block_kind = kind;
};

}  // namespace

template <>
struct mgpu::detail::block::block_of_kind<kind> {
  template <class Core>
  using type = named<Core>;
};

TEST_CASE("a core's kind of block goes before the one that is proposed") {
  using mgpu::detail::block::block_of;
  CHECK(std::is_same_v<block_of<without_kind, proposed>, proposed<without_kind>>);
  CHECK(std::is_same_v<block_of<with_kind, proposed>, named<with_kind>>);
}
