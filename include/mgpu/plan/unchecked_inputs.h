// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Without MGPU_CHECK_INPUTS inputs are what a caller says. The functions are explained in checked_inputs.h.

#include <mgpu/base/math.h>

MGPU_NAMESPACE_BEGIN
namespace exec {

template <class Policy, class Keys, class Order, class HasDuplicates>
void check_sorted(Policy&, const Keys&, offset, const Order&, HasDuplicates, const char*) {}

template <class Policy, class Positions>
void check_positions(Policy&, const Positions&, offset, offset, const char*) {}

template <class Policy, class Offsets>
void check_scan(Policy&, const Offsets&, offset, offset) {}

}  // namespace exec
MGPU_NAMESPACE_END
