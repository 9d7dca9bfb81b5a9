// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>

MGPU_NAMESPACE_BEGIN
namespace tuning {

/// A sort over ranks exchanges its elements in so many steps, and merges beside, if all ranks together have so many
/// bytes of keys. 2 x 2^28 u32 take 7.24 ms in one process. Through NCCL they take 8.68 ms in four steps, and 9.26 in
/// one (2 H200, 2026-11-23; an older form of the exchange took 8.18 in one step and 9.9 in four).
inline constexpr int overlapped_steps = 4;
inline constexpr offset least_overlapped_bytes = offset{1} << 26;

/// A rank looks for what it need not copy if it has kept so many elements. On the GPU to look takes some 20 us, to copy
/// 2^23 elements of 4 bytes 15 us.
inline constexpr offset least_elements_left_in_place = offset{1} << 23;
inline constexpr offset least_host_elements_left_in_place = 1;

}  // namespace tuning
MGPU_NAMESPACE_END
