// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/executors.h"

#include <doctest/doctest.h>

namespace test {

/// Calls f(executor, policy) for policies that wait and, on the GPU, for one that does not.
template <class F>
void for_each_policy(const F& f) {
  for_each_executor([&](auto executor) {
    INFO(executor.name);
    f(executor, executor.policy());
#ifdef MGPU_TEST_CUDA
    INFO("par_nosync");
    f(executor, mgpu::par_nosync);
#endif
  });
}

}  // namespace test
