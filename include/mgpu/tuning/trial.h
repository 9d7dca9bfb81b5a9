// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/tile_shape.h>

MGPU_NAMESPACE_BEGIN
namespace detail::tuning {

/// Puts another shape in the place of a chosen one. scripts/tune specialises it for a `Kind` of tiles before any header
/// is included. The library never does.
template <class Kind>
struct trial {
  template <class Case>
  static MGPU_HOST_DEVICE constexpr base::tile_shape of(const base::tile_shape& chosen, const Case&) {
    return chosen;
  }
};

/// The same for the widths of passes.
template <class Widths>
struct widths_trial {
  using type = Widths;
};

/// The same for a number of elements.
template <class Kind>
struct count_trial {
  static constexpr offset of(offset chosen) { return chosen; }
};

/// The shape of tiles of one kind that was chosen for a case, fitted to the architecture. What a case depends on is
/// also the name of its kind, unless several kinds depend on the same.
template <class Kind, class Case>
MGPU_HOST_DEVICE constexpr base::tile_shape fitted(const base::tile_shape& chosen, int cc, const Case& c) {
  return base::fitted(trial<Kind>::of(chosen, c), cc);
}

}  // namespace detail::tuning
MGPU_NAMESPACE_END
