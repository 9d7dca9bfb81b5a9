// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// mgpu::par and mgpu::par_nosync: the execution policies of the configured device system, which is CUDA under nvcc.
//   par                    runs on the default stream; the call returns when its work has finished
//   par_nosync             the same without waiting: the call returns when its work is in the stream
//   par.on(stream)         runs in a stream: anything convertible to cudaStream_t
//   par(allocator)         takes scratch from an allocator, as thrust::cuda::par(allocator) does; then .on(stream)
//   wrap(policy)           an mgpu policy made of another library's CUDA policy
//   wrap(stream)           par_nosync.on(stream), of a cudaStream_t, a cuda::stream_ref, or what converts to the first
//   wrap(stream, resource) the same with scratch from a cuda::mr memory resource; wrap(resource): on the default stream
//   wrap(environment)      the policy of an environment: see below
//
// The device system is CUDA unless THRUST_DEVICE_SYSTEM names a host system (THRUST_DEVICE_SYSTEM_CPP, _OMP or _TBB).
// par and par_nosync are then the policies of that host system. If the device system is CUDA and nvcc does not compile
// the file, a use of par is a compile error.
//
// The CUDA policies:
// Device: a call runs on the current device, in its primary context. The stream must belong to that device. The device
// must be able to access the memory. Iterators of a std::vector compile, since its memory may be managed. If the device
// cannot access it, the kernel fails: the call, or one after it, throws mgpu::cuda_error ("an illegal memory access"),
// and CUDA fails from then on in this process. If MGPU_CHECK_INPUTS is defined, the call throws std::invalid_argument
// with the name of the argument instead: see mgpu.h. Some devices can access all memory of the host
// (cudaDevAttrPageableMemoryAccess).
// Scratch: without an allocator it is stream-ordered and comes from a memory pool of the library's own
// (cudaMallocFromPoolAsync). A call with par_nosync then never synchronizes, unless the host needs a size. If the host
// needs none, the call can be captured into a CUDA graph. On a device without memory pools
// (cudaDevAttrMemoryPoolsSupported is 0) scratch comes from cudaMalloc and cudaFree. A call that takes scratch then
// always synchronizes, and throws mgpu::cuda_error during capture.
// Captures of other threads: while another thread captures a stream, in any mode, a call waits and takes memory from
// the library's pool as always, and that capture goes on. What an allocator calls is its own affair: CUDA refuses a
// cudaMalloc then, unless the allocator sets the thread's mode (cudaThreadExchangeStreamCaptureMode). While a stream
// that was made without cudaStreamNonBlocking is captured, CUDA refuses the default stream.
// Allocators: par_nosync(allocator) gives scratch back before the kernels that use it have run. Its allocator must
// therefore be stream-ordered: it must hand the memory on only to later work of the same stream. An allocator of
// par(allocator) need not be stream-ordered.
// Environments: a cuda::stream_ref or an environment can take the place of a policy in every call. An environment says
// where a call runs, and where its scratch comes from, by answering cuda::get_stream or cuda::mr::get_memory_resource:
// a cuda::std::execution::env, cuda::execution::gpu.with(...), or an object with the member functions get_stream() or
// get_memory_resource(), or both. Such a call does not synchronize, as with par_nosync. With cuda::execution::gpu it
// returns when its work has finished, as CCCL's algorithms do. CCCL has environments since 3.1, and
// cuda::execution::gpu since 3.4. Objects with the member functions can be used with every version.
// Memory resources: a resource is one of CCCL 3.1 and newer, allocate(stream, bytes, alignment), or of the versions
// before, allocate_async(bytes, alignment, stream). A call throws what the resource throws. wrap refers to the
// resource; it copies one that is a temporary or constant. A call copies the resource that an environment answers.
// wrap(policy) copies the policy. What the policy refers to, such as an allocator or a stream, must live as long as the
// copy, and as long as work that was launched with it runs.
// Launches: on sm_90 and newer, kernels carry the attribute programmatic stream serialization. Each kernel waits until
// the kernel before it has ended, whoever launched that, before it touches memory. A caller's kernel that follows them
// starts when they have ended, as always. If the caller launches it with that attribute, it may start while they still
// run: it must call cudaGridDependencySynchronize() before it touches what they read or write.
// Reset: after cudaDeviceReset the next call sets up again what the library keeps on the device. No call may run
// meanwhile.
// Throws: mgpu::cuda_bad_alloc, a std::bad_alloc, if memory is lacking; mgpu::cuda_error if a CUDA call fails for
//   another reason. A call that uses CUB also throws an error of the caller's own CUDA calls that nobody has read with
//   cudaGetLastError(), before it sorts or scans; other calls do not look at such an error. It stays what it is, unless
//   a policy of Thrust that is wrapped gives scratch memory back.

#include <mgpu/base/config.h>

#include MGPU_DEVICE_POLICY_HEADER

MGPU_NAMESPACE_BEGIN
/// Runs on the configured device system. The call returns when its work has finished.
using MGPU_DEVICE_SYSTEM::par;
/// par that never synchronizes, unless the host needs a size: the call returns when its work is in the stream.
using MGPU_DEVICE_SYSTEM::par_nosync;
MGPU_NAMESPACE_END
