// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The peers mgpu and mgpu_par of a benchmark of a sort in place. The benchmark has
//   void sort_with_mgpu(policy, call)   sorts in the call's arrays

#include <support/kept_memory.cuh>
#include <support/sort_row.cuh>

#include <mgpu/par.h>

namespace bench {

struct mgpu_peer : plain_peer {
  kept_memory scratch;

  template <class Call>
  void operator()(const Call& c) {
    sort_with_mgpu(mgpu::par_nosync(scratch), c);
  }
};

struct mgpu_par_peer : plain_peer {
  template <class Call>
  void operator()(const Call& c) const {
    sort_with_mgpu(mgpu::par, c);
  }
};

}  // namespace bench
