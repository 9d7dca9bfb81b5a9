// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/block/stage/bulk_span.cuh>

MGPU_NAMESPACE_BEGIN
namespace detail::block {

/// One input's part of a tile on its way to shared memory.
template <class A>
struct tile_part {
  static constexpr bool is_one_array = true;  // known when it is compiled

  A from;
  int count;
  char* to;
  char* after;
  bulk_span span;  // which bytes go by bulk copy
};

/// A part whose elements may lie in two memories. If they do, they are copied one by one.
template <class T>
struct tile_part<base::spliced_later<T>> : tile_part<T*> {
  static constexpr bool is_one_array = false;

  base::spliced_later<T> array;
  offset first;
};

}  // namespace detail::block
MGPU_NAMESPACE_END
