// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/exec/no_stream.h>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

/// A stream beside that of a policy, in which elements are exchanged while the policy's stream works on those that have
/// come. Policies without streams have none. CUDA's is in exec/cuda/side_stream.cuh.
template <class Stream>
class side_stream {
 public:
  static constexpr bool exists = false;

  void begin(const Stream&) {}
  Stream stream(const Stream& main) const { return main; }
  void step_is_queued(int) {}
  void await(int) {}
};

}  // namespace detail::exec
MGPU_NAMESPACE_END
