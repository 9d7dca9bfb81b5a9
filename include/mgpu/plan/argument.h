// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/check.h>
#include <mgpu/base/math.h>

#include MGPU_INPUT_CHECKS_HEADER

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

/// A range that a caller passes, unwrapped, and what messages call it.
template <class Iterator>
struct argument {
  Iterator first;
  offset count;
  const char* name;
};
template <class Iterator>
argument(Iterator, offset, const char*) -> argument<Iterator>;

/// Throws std::invalid_argument if one is a null pointer to elements. Where MGPU_CHECK_INPUTS is defined, also if the
/// policy's device cannot access it.
template <class Policy, class... Arguments>
void check_arguments(Policy& p, const Arguments&... arguments) {
  (base::check_not_null(arguments.first, arguments.count, arguments.name), ...);
  (plan::check_accessible(p, arguments), ...);
}

}  // namespace detail::plan
MGPU_NAMESPACE_END
