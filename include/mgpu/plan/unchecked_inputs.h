// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Stands for checked_inputs.h where MGPU_CHECK_INPUTS is not defined: nothing is verified. checked_inputs.h explains
// the functions.

#include <mgpu/base/math.h>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

inline constexpr bool checks_inputs = false;

template <class Policy, class Argument>
void check_accessible(Policy&, const Argument&) {}

template <class Written, class... Others>
void check_apart(const Written&, const Others&...) {}

template <class Policy, class Keys, class Order, class HasDuplicates>
void check_sorted(Policy&, const Keys&, offset, const Order&, HasDuplicates, const char*) {}

template <class Policy, class Positions>
void check_positions(Policy&, const Positions&, offset, offset, const char*) {}

template <class Policy, class Offsets>
void check_scan(Policy&, const Offsets&, offset, offset) {}

template <class Policy, class Runs, class Order>
void check_runs(Policy&, const Runs&, const Order&) {}

}  // namespace detail::plan
MGPU_NAMESPACE_END
