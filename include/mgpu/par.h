// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// mgpu::par and mgpu::par_nosync: the execution policies of the configured device system, CUDA under nvcc.
//   par                    runs on the default stream and has finished when the call returns
//   par_nosync             the same without waiting: the call returns when its work is in the stream
//   par.on(stream)         in a stream: anything convertible to cudaStream_t
//   par(allocator)         scratch from an allocator, as thrust::cuda::par(allocator) takes it; then .on(stream)
//   wrap(policy)           an mgpu policy of a CUDA policy of another library
//
// The device system is CUDA unless THRUST_DEVICE_SYSTEM names a host system (THRUST_DEVICE_SYSTEM_CPP, _OMP or _TBB),
// whose policies par and par_nosync then are. Where it is CUDA, a use in a file that nvcc does not compile is a compile
// error.
//
// Of the policies for CUDA:
// Device: a call runs on the current device. The stream must belong to it, and the memory must be accessible from it.
// Scratch: without an allocator it is stream-ordered, from a memory pool of the library's own
// (cudaMallocFromPoolAsync). A call with par_nosync then waits for nothing but a size that the host is to have, and one
// without such a size can be captured into a CUDA graph. On a device without memory pools
// (cudaDevAttrMemoryPoolsSupported is 0) it is cudaMalloc and cudaFree: a call that takes scratch then always waits,
// and throws mgpu::cuda_error during capture.
// Allocators: par_nosync(allocator) gives scratch back before the kernels that use it have run. The allocator must be
// stream-ordered: it hands the memory on only to later work of the same stream. One for par(allocator) need not be.
// wrap(policy) copies the policy. What the policy refers to, such as an allocator or a stream, must live as long as the
// copy, and as long as work that was launched with it runs.
// Launches: on sm_90 and newer kernels carry the attribute programmatic stream serialization. Each of them waits for
// the end of the kernel before it, whoever launched that, before it touches memory. A kernel of the caller's behind
// them starts when they have ended, as always. One that is launched with that attribute may start while they still run:
// it must call cudaGridDependencySynchronize() before it touches what they read or write.
// Reset: after cudaDeviceReset the next call sets up again what the library keeps on the device. No call may run
// meanwhile.
// Throws: mgpu::cuda_bad_alloc, a std::bad_alloc, for lack of memory; mgpu::cuda_error for any other failure of a CUDA
// call.

#include <mgpu/base/config.h>

#include MGPU_DEVICE_POLICY_HEADER

MGPU_NAMESPACE_BEGIN
/// Runs on the configured device system and has finished when the call returns.
using MGPU_DEVICE_SYSTEM::par;
/// par without waiting: the call returns when its work is in the stream.
using MGPU_DEVICE_SYSTEM::par_nosync;
MGPU_NAMESPACE_END
