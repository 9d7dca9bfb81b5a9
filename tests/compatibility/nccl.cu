// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls over ranks that talk through NCCL. Compiled, not run.
#include <mgpu/distributed.h>
#include <mgpu/nccl.h>
#include <mgpu/par.h>

mgpu::offset sort_and_unite(ncclComm_t comm, cudaStream_t stream, int* a, int* b, int count, int* out) {
  const auto everywhere = mgpu::distributed(mgpu::par_nosync.on(stream), mgpu::nccl_communicator(comm));
  mgpu::stable_sort(everywhere, a, a + count);
  mgpu::stable_sort(everywhere, b, b + count);
  return mgpu::set_union(everywhere, a, a + count, b, b + count, out) - out;
}
