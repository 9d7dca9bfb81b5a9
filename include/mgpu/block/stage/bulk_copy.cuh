// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Hopper's bulk copies between global and shared memory, one instruction each. They are written out here because
// <cuda/ptx> would more than double the compile time of a translation unit with one call. Addresses and sizes must be
// multiples of 16 bytes. Only code for sm_90 and newer may instantiate a caller.

#include <mgpu/base/config.h>

MGPU_NAMESPACE_BEGIN
namespace detail::block {

/// Counts the bytes of the bulk loads under way, phase after phase. Lies in shared memory.
using arrival = unsigned long long;

MGPU_DEVICE inline unsigned shared_address(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

/// One thread calls it before any other thread uses the arrival. A barrier of the block must stand between.
MGPU_DEVICE inline void open_arrival(arrival* a) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(a)) : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/// The one arrival of the thread that opened it, with the number of bytes that its loads will bring.
MGPU_DEVICE inline void expect_bytes(arrival* a, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(a)), "r"(bytes)
               : "memory");
}

MGPU_DEVICE inline void bulk_load(void* to_shared, const void* from_global, int bytes, arrival* a) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   shared_address(to_shared)),
               "l"(__cvta_generic_to_global(from_global)), "r"(bytes), "r"(shared_address(a))
               : "memory");
}

MGPU_DEVICE inline void wait_for_bytes(arrival* a, int phase) {
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "again:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
      "@!done bra again;\n"
      "}\n" ::"r"(shared_address(a)),
      "r"(phase & 1)
      : "memory");
}

/// Makes this thread's ordinary stores to shared memory visible to bulk stores after the block's next barrier.
MGPU_DEVICE inline void publish_to_bulk_store() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

MGPU_DEVICE inline void bulk_store(void* to_global, const void* from_shared, int bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(__cvta_generic_to_global(to_global)),
               "r"(shared_address(from_shared)), "r"(bytes)
               : "memory");
}

/// Waits until this thread's bulk stores have read their shared memory. It may then be used for something else.
MGPU_DEVICE inline void finish_bulk_stores() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}

}  // namespace detail::block
MGPU_NAMESPACE_END
