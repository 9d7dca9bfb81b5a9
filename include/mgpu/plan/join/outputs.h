// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/plan/argument.h>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

/// Where MGPU_CHECK_INPUTS is defined: throws std::invalid_argument if the device cannot access an output of a join, or
/// if it overlaps an input or another output. A null pointer is let through: there may be no rows.
template <class Policy, class Inputs, class Out, class... Others>
void check_join_outputs(Policy& p, const Inputs& in, const Out& out, const Others&... others) {
  plan::check_accessible(p, out);
  plan::check_apart(out, argument{in.left, in.left_count, "left"}, argument{in.right, in.right_count, "right"},
                    others...);
  if constexpr (sizeof...(Others) > 0) plan::check_join_outputs(p, in, others...);
}

}  // namespace detail::plan
MGPU_NAMESPACE_END
