// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The tests of tiles once more. They are as large as those of millions of rows.
#include <mgpu/tuning/trial.h>

MGPU_NAMESPACE_BEGIN
namespace detail::tuning {

struct join_case;
template <>
struct count_trial<join_case> {
  static constexpr offset of(offset) { return 1 << 10; }
};

}  // namespace detail::tuning
MGPU_NAMESPACE_END

#include "tiles.cu"
