// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The only home of compiler conditionals. Everything else asks the names defined here.

#if !__has_include(<cuda/version>)
#error \
    "mgpu: the headers of CCCL (Thrust, CUB, libcu++) that the compiler finds are those of CUDA 12.3 or older, if any. \
mgpu needs CCCL 2.3 (CUDA 12.4) or newer: get them from https://github.com/NVIDIA/cccl or by 'pip install \
nvidia-cuda-cccl', and name their folder to the compiler by -I, which comes before the toolkit's"
#endif
#include <cuda/version>  // CCCL_VERSION
#if defined(min) || defined(max)
#error "mgpu: a macro has the name min or max; define NOMINMAX before <windows.h>, or undefine it before this header"
#endif
#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#endif

#define MGPU_VERSION_MAJOR 0
#define MGPU_VERSION_MINOR 1
#define MGPU_VERSION_PATCH 0

// g++ warns that an int may change its sign when it is the bound of an array in a template.
#if defined(__GNUC__) && !defined(__clang__)
#define MGPU_QUIET_BEGIN _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wsign-conversion\"")
#define MGPU_QUIET_END _Pragma("GCC diagnostic pop")
// As the compiler of CUDA, clang warns of a loop that it does not unroll.
#elif defined(__clang__) && defined(__CUDA__)
#define MGPU_QUIET_BEGIN _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wpass-failed\"")
#define MGPU_QUIET_END _Pragma("clang diagnostic pop")
#else
#define MGPU_QUIET_BEGIN
#define MGPU_QUIET_END
#endif

// The name of the namespace. Another library is called mgpu, too: a program with both defines MGPU_NAMESPACE as the
// name that this one gets, before the first include. Inside of it mgpu is a second name for it.
#ifdef MGPU_NAMESPACE
#define MGPU_SECOND_NAME namespace mgpu = MGPU_NAMESPACE;
#else
#define MGPU_NAMESPACE mgpu
#define MGPU_SECOND_NAME
#endif

// The inline namespace carries the versions of this library and of CCCL, and the architectures that are compiled for.
// So the shared libraries of one program can contain different ones. If .cpp and .cu files of a program pass a type of
// this library to each other, it must have one name in both: the program defines MGPU_ABI_TARGET as nothing, or as a
// name of its own, for all of its files.
// With MGPU_CHECK_INPUTS public functions verify what they can of their inputs. They then have other names,
// so that one program may contain both kinds.
#ifdef MGPU_CHECK_INPUTS
#define MGPU_ABI_CHECKED _checked
#define MGPU_INPUT_CHECKS_HEADER <mgpu/plan/checked_inputs.h>
#else
#define MGPU_ABI_CHECKED
#define MGPU_INPUT_CHECKS_HEADER <mgpu/plan/unchecked_inputs.h>
#endif
// With MGPU_ASSERTIONS defined, the verbs of executors stop the program if a plan has passed what they do not take: a
// tool for those who change the library. With MGPU_NVTX defined, each verb is an NVTX range with its core's name.
#ifdef MGPU_ASSERTIONS
#define MGPU_ABI_ASSERTED _asserted
#define MGPU_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : mgpu::detail::base::assertion_failed(#condition, __FILE__, __LINE__))
#else
#define MGPU_ABI_ASSERTED
#define MGPU_ASSERT(condition) static_cast<void>(0)
#endif
#ifdef MGPU_NVTX
#define MGPU_ABI_NVTX _nvtx
#define MGPU_VERB_RANGE_HEADER <mgpu/exec/nvtx_range.h>
#else
#define MGPU_ABI_NVTX
#define MGPU_VERB_RANGE_HEADER <mgpu/exec/no_range.h>
#endif
// The list of architectures, 750,900, as a part of a name, _sm750900. What is over after it is empty.
#define MGPU_SPLICED(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, ...) \
  _sm##a##b##c##d##e##f##g##h##i##j##k##l##m##n##o##p##q##r##s##t
#define MGPU_SPLICE(...) MGPU_SPLICED(__VA_ARGS__, , , , , , , , , , , , , , , , , , , , )
#ifdef MGPU_ABI_TARGET
#define MGPU_ABI_ARCHITECTURES MGPU_ABI_TARGET
#elif defined(__CUDACC__) && defined(__CUDA_ARCH_LIST__)
#define MGPU_ABI_ARCHITECTURES MGPU_SPLICE(__CUDA_ARCH_LIST__)
#else
#define MGPU_ABI_ARCHITECTURES
#endif
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM) || defined(__CUDA_API_PER_THREAD_DEFAULT_STREAM)
#define MGPU_ABI_STREAM _per_thread
#else
#define MGPU_ABI_STREAM
#endif
#define MGPU_JOINED(major, minor, cccl, target, stream, checked, asserted, nvtx) \
  v##major##_##minor##_cccl##cccl##target##stream##checked##asserted##nvtx
#define MGPU_JOIN(major, minor, cccl, target, stream, checked, asserted, nvtx) \
  MGPU_JOINED(major, minor, cccl, target, stream, checked, asserted, nvtx)
#define MGPU_ABI                                                                                           \
  MGPU_JOIN(MGPU_VERSION_MAJOR, MGPU_VERSION_MINOR, CCCL_VERSION, MGPU_ABI_ARCHITECTURES, MGPU_ABI_STREAM, \
            MGPU_ABI_CHECKED, MGPU_ABI_ASSERTED, MGPU_ABI_NVTX)
#define MGPU_NAMESPACE_BEGIN                  \
  MGPU_QUIET_BEGIN namespace MGPU_NAMESPACE { \
    MGPU_SECOND_NAME                          \
    inline namespace MGPU_ABI {
#define MGPU_NAMESPACE_END \
  }                        \
  }                        \
  MGPU_QUIET_END

// 1 if the compiler has gcc's builtins and attributes, as clang has, also where it stands in for cl.exe.
#if defined(__GNUC__) || defined(__clang__)
#define MGPU_GNU_SPELLING 1
#else
#define MGPU_GNU_SPELLING 0
#endif

#ifdef __CUDACC__
#define MGPU_CUDA_COMPILER 1
#define MGPU_HOST_DEVICE __host__ __device__
#define MGPU_DEVICE __device__
#define MGPU_FORCE_INLINE __forceinline__
#else
#define MGPU_CUDA_COMPILER 0
#define MGPU_HOST_DEVICE
#define MGPU_DEVICE
#define MGPU_FORCE_INLINE inline
#endif
// A caller's comparator or iterator may be for the host or the device only. The executor that calls it decides which it
// must be. clang does not ask before code is generated.
#ifdef __NVCC__
#define MGPU_EXEC_CHECK_DISABLE _Pragma("nv_exec_check_disable")
#else
#define MGPU_EXEC_CHECK_DISABLE
#endif

// Prefetches memory that will be read. Harmless for any address.
#if MGPU_GNU_SPELLING
#define MGPU_PREFETCH(address) __builtin_prefetch(address)
#else
#define MGPU_PREFETCH(address) static_cast<void>(address)
#endif

// Whether the CPU can store past its caches. Then 16 bytes, their store to a multiple of 16, and what ends such stores
// before another thread may read their results.
#if MGPU_GNU_SPELLING && defined(__x86_64__) && !defined(__CUDA_ARCH__)
#define MGPU_CAN_STREAM true
#define MGPU_STREAM_WORD long long __attribute__((vector_size(16), may_alias))
#if defined(__clang__)
#define MGPU_STREAM(to, word) __builtin_nontemporal_store(word, to)
#else
#define MGPU_STREAM(to, word) __builtin_ia32_movntdq(to, word)
#endif
#define MGPU_STREAM_END() __builtin_ia32_sfence()
#else
#define MGPU_CAN_STREAM false
#define MGPU_STREAM_WORD    \
  struct {                  \
    unsigned char part[16]; \
  }
#define MGPU_STREAM(to, word) static_cast<void>(*(to) = (word))
#define MGPU_STREAM_END() static_cast<void>(0)
#endif

// Hides from the compiler where the value of an integer variable comes from.
#if MGPU_GNU_SPELLING && !defined(__CUDA_ARCH__)
#define MGPU_HIDE_VALUE(variable) __asm__("" : "+r"(variable))
#else
#define MGPU_HIDE_VALUE(variable) static_cast<void>(variable)
#endif

// A function that is compiled by itself: its machine code does not depend on its callers.
#if MGPU_GNU_SPELLING
#define MGPU_NO_INLINE __attribute__((noinline))
#elif defined(_MSC_VER)
#define MGPU_NO_INLINE __declspec(noinline)
#else
#define MGPU_NO_INLINE
#endif

// The same for a loop of the CPU. It begins with a line of 64 bytes: its speed does not depend on the linker, either.
// set_symmetric_difference, 2 x 2^22 u32 interleaving regularly, one thread of an EPYC 9004, the same instructions, ms:
// 32 bytes behind the beginning of a line 4.4, 16 bytes behind it 6.3 (benchmarks/set_operations_host.cpp, 2026-11-26)
#if MGPU_GNU_SPELLING
#define MGPU_LOOP __attribute__((noinline, aligned(64)))
#else
#define MGPU_LOOP MGPU_NO_INLINE
#endif

// MGPU_NO_INLINE for a function that kernels call. Not in relocatable code (-rdc=true): there the launch bounds of its
// callers do not hold for it, and ptxas refuses a function that takes more registers than they allow.
#if defined(__CUDACC_RDC__)
#define MGPU_NO_INLINE_IN_KERNELS
#else
#define MGPU_NO_INLINE_IN_KERNELS MGPU_NO_INLINE
#endif

// Sets an int to 1. Several threads may do so at the same time.
#if defined(__CUDA_ARCH__)
#define MGPU_SET_FLAG(flag) static_cast<void>(*(flag) = 1)
#elif MGPU_GNU_SPELLING
#define MGPU_SET_FLAG(flag) __atomic_store_n(flag, 1, __ATOMIC_RELAXED)
#else
#define MGPU_SET_FLAG(flag) static_cast<void>(_InterlockedExchange(reinterpret_cast<volatile long*>(flag), 1))
#endif

// The same, by what <cuda/std/atomic> would compile to on the GPU: that header is a tenth of all that nvcc reads for a
// call.
#if defined(__CUDA_ARCH__)
#define MGPU_RAISE_FLAG(flag) asm volatile("st.relaxed.sys.b32 [%0],%1;" : : "l"(flag), "r"(1) : "memory")
#else
#define MGPU_RAISE_FLAG(flag) MGPU_SET_FLAG(flag)
#endif

// Adds 1 to an int. Several threads may do so at the same time. Returns the value before.
#ifdef __CUDA_ARCH__
#define MGPU_FETCH_INCREMENT(counter) atomicAdd(counter, 1)
#elif MGPU_GNU_SPELLING
#define MGPU_FETCH_INCREMENT(counter) __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED)
#else
#define MGPU_FETCH_INCREMENT(counter) \
  static_cast<int>(_InterlockedExchangeAdd(reinterpret_cast<volatile long*>(counter), 1))
#endif

// The lightest headers with std::less and std::greater, with std::copy and std::fill, and with std::mutex and
// std::lock_guard. The standard ones are many times as long as the parts of them that libstdc++ has in files of their
// own, and nvcc reads each three times.
#if __has_include(<bits/stl_function.h>)
#define MGPU_STD_LESS_HEADER <bits/stl_function.h>
#else
#define MGPU_STD_LESS_HEADER <functional>
#endif
#if __has_include(<bits/stl_algobase.h>)
#define MGPU_STD_COPY_HEADER <bits/stl_algobase.h>
#else
#define MGPU_STD_COPY_HEADER <algorithm>
#endif
#if __has_include(<bits/std_mutex.h>)
#define MGPU_STD_MUTEX_HEADER <bits/std_mutex.h>
#else
#define MGPU_STD_MUTEX_HEADER <mutex>
#endif

// How many threads OpenMP gives a call: inside a parallel region one, unless regions are nested. A compiler without
// OpenMP may have no header of it, and one with OpenMP 2.0 does not know how deep regions are.
#if defined(_OPENMP) && _OPENMP >= 200805
#define MGPU_OPENMP_HEADER <omp.h>
#define MGPU_OPENMP_THREADS() (omp_get_active_level() < omp_get_max_active_levels() ? omp_get_max_threads() : 1)
#else
#define MGPU_OPENMP_HEADER <mgpu/base/config.h>
#define MGPU_OPENMP_THREADS() 1
#endif

// 1 if nvcc compiles constexpr functions of the host for the device, too.
#ifdef __CUDACC_RELAXED_CONSTEXPR__
#define MGPU_RELAXED_CONSTEXPR 1
#else
#define MGPU_RELAXED_CONSTEXPR 0
#endif

// A kernel, and what is remembered about it, is private to the shared library that contains it. A kernel over a type of
// a caller's unnamed namespace is private anyway, and the front end warns about the attribute there.
#if defined(_WIN32)
#define MGPU_PRIVATE  // as everything is that is not exported
#else
#define MGPU_PRIVATE __attribute__((visibility("hidden")))
#endif
#ifdef __NVCC__
#define MGPU_PRIVATE_BEGIN _Pragma("nv_diagnostic push") _Pragma("nv_diag_suppress attribute_requires_external_linkage")
#define MGPU_PRIVATE_END _Pragma("nv_diagnostic pop")
#else
#define MGPU_PRIVATE_BEGIN
#define MGPU_PRIVATE_END
#endif

// The compute capability that a device pass compiles for (90 for sm_90); 0 in host passes.
#ifdef __CUDA_ARCH__
#define MGPU_DEVICE_CC (__CUDA_ARCH__ / 10)
#define MGPU_UNROLL _Pragma("unroll")
#define MGPU_UNROLL_4 _Pragma("unroll 4")
#define MGPU_UNROLL_1 _Pragma("unroll 1")
#else
#define MGPU_UNROLL
#define MGPU_UNROLL_4
#define MGPU_UNROLL_1
#define MGPU_DEVICE_CC 0
#endif

// Looks up a function of the CUDA driver as it was in one version of CUDA. Newer versions of CUDA deprecate the older
// form of the call. Each compiler for CUDA includes <cuda_runtime.h>, which has CUDART_VERSION, before the first line.
#if defined(CUDART_VERSION) && CUDART_VERSION < 12050
#define MGPU_DRIVER_ENTRY_POINT(name, version, function, result) \
  cudaGetDriverEntryPoint(name, function, cudaEnableDefault, result)
#else
#define MGPU_DRIVER_ENTRY_POINT(name, version, function, result) \
  cudaGetDriverEntryPointByVersion(name, function, version, cudaEnableDefault, result)
#endif

// How an environment is asked for its stream and its memory resource. CCCL has functions for that since 3.1.
#if CCCL_VERSION >= 3001000
#define MGPU_ENVIRONMENT_QUERIES_HEADER <mgpu/exec/cuda/environment_queries.cuh>
#else
#define MGPU_ENVIRONMENT_QUERIES_HEADER <mgpu/exec/cuda/no_environment_queries.cuh>
#endif

// What declares thrust::raw_pointer_cast. thrust/memory.h does, too, but includes a kernel of CUB's and NVTX: 105 KiB
// in each object. Older versions need it for their own allocations.
#if CCCL_VERSION >= 2008000
#define MGPU_RAW_POINTER_HEADER <thrust/detail/raw_pointer_cast.h>
#else
#define MGPU_RAW_POINTER_HEADER <thrust/memory.h>
#endif

// What par.h includes: the policies of the configured device system. That is CUDA unless THRUST_DEVICE_SYSTEM names
// another. It must be the same in every file of a program, also in files that nvcc does not compile. The values are
// defined here as Thrust defines them, so that headers may be included in either order.
// MGPU_CUDA_VERB_HEADER(verb) is what an algorithm includes for each verb of an executor that it calls. If the device
// system is CUDA, it is the verb's part of the CUDA executor, with its kernels. The executor of host systems is one
// header, which their policies include.
#define THRUST_DEVICE_SYSTEM_CUDA 1
#define THRUST_DEVICE_SYSTEM_OMP 2
#define THRUST_DEVICE_SYSTEM_TBB 3
#define THRUST_DEVICE_SYSTEM_CPP 4
#if defined(THRUST_DEVICE_SYSTEM) && THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_OMP
#define MGPU_DEVICE_SYSTEM omp
#define MGPU_DEVICE_POLICY_HEADER <mgpu/omp.h>
#elif defined(THRUST_DEVICE_SYSTEM) && THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_TBB
#define MGPU_DEVICE_SYSTEM tbb
#define MGPU_DEVICE_POLICY_HEADER <mgpu/tbb.h>
#elif defined(THRUST_DEVICE_SYSTEM) && THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CPP
#define MGPU_DEVICE_SYSTEM cpp
#define MGPU_DEVICE_POLICY_HEADER <mgpu/cpp.h>
#elif MGPU_CUDA_COMPILER
#define MGPU_DEVICE_SYSTEM detail::exec::device
#define MGPU_CUDA_VERB_HEADER(verb) <mgpu/exec/cuda/verb.cuh>
#define MGPU_DEVICE_POLICY_HEADER <mgpu/exec/cuda/wrap.cuh>
#else
#define MGPU_DEVICE_SYSTEM detail::exec::without_nvcc
#define MGPU_DEVICE_POLICY_HEADER <mgpu/exec/without_nvcc.h>
#endif
#ifndef MGPU_CUDA_VERB_HEADER
#define MGPU_CUDA_VERB_HEADER(verb) <mgpu/exec/policy.h>
#endif

// For a library that compiles a call once. A header with MGPU_EXTERN_CALL says that a call with these types is compiled
// elsewhere; one file has MGPU_INSTANTIATE_CALL with the same arguments. Both stand outside of namespaces.
//   MGPU_EXTERN_CALL(int*, merge, decltype(mgpu::par)&, const int*, const int*, const int*, const int*, int*,
//                    cuda::std::less<>);
#define MGPU_EXTERN_CALL(result, function, ...) extern template result MGPU_NAMESPACE::function(__VA_ARGS__)
#define MGPU_INSTANTIATE_CALL(result, function, ...) template result MGPU_NAMESPACE::function(__VA_ARGS__)
