// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/check.h>
#include <mgpu/base/math.h>

#include MGPU_INPUT_CHECKS_HEADER

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

/// Checks the arguments of a core that takes two sorted inputs, keys with values or keys alone, to outputs with room
/// for out_count elements. Throws std::invalid_argument for a null pointer to elements. Where MGPU_CHECK_INPUTS is
/// defined, it also throws that for inputs that are not sorted.
template <class Policy, class Core, class HasDuplicates>
void check_two_inputs(Policy& p, const Core& work, offset out_count, HasDuplicates has_duplicates) {
  base::check_not_null(work.a, work.a_count, "a");
  base::check_not_null(work.b, work.b_count, "b");
  base::check_not_null(work.a_values, work.a_count, "the values of a");
  base::check_not_null(work.b_values, work.b_count, "the values of b");
  base::check_not_null(work.keys_out, out_count, "the output of the keys");
  base::check_not_null(work.values_out, out_count, "the output of the values");
  plan::check_sorted(p, work.a, work.a_count, work.compare, has_duplicates, "a");
  plan::check_sorted(p, work.b, work.b_count, work.compare, has_duplicates, "b");
}

}  // namespace detail::plan
MGPU_NAMESPACE_END
