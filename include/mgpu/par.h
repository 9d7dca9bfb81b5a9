// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// mgpu::par and mgpu::par_nosync: the execution policies of the configured device system, CUDA under nvcc.
//   par                    runs on the default stream and has finished when the call returns
//   par_nosync             the same without waiting: the call returns when its work is in the stream
//   par.on(stream)         in a stream: anything convertible to cudaStream_t
//   par(allocator)         scratch from an allocator, as thrust::cuda::par(allocator) takes it; then .on(stream)
//   wrap(policy)           an mgpu policy of a CUDA policy of another library
// Without an allocator scratch is stream-ordered (cudaMallocFromPoolAsync), so that a call with par_nosync waits for nothing but
// a size that the host is to have, and one without such a size can be captured into a CUDA graph.

#include <mgpu/base/config.h>

#include MGPU_DEVICE_POLICY_HEADER

MGPU_NAMESPACE_BEGIN
/// Runs on the configured device system and has finished when the call returns.
using MGPU_DEVICE_SYSTEM::par;
/// par without waiting: the call returns when its work is in the stream.
using MGPU_DEVICE_SYSTEM::par_nosync;
MGPU_NAMESPACE_END
