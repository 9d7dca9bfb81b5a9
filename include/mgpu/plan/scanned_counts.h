// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/exec/policy.h>
#include <mgpu/exec/workspace.h>

#include MGPU_CUDA_VERB_HEADER(read)
#include MGPU_CUDA_VERB_HEADER(scan)

#include <cstdint>
#include <stdexcept>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

/// counts[i] for i < size, else 0. A negative count becomes -1. So does one too large for an offset: its conversion is
/// negative.
template <class Counts>
struct count_of {
  Counts counts;
  offset size;

  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE offset operator()(offset i) const {
    if (i >= size) return 0;
    return base::max<offset>(static_cast<offset>(counts[i]), -1);
  }
};

/// x + y. It is -1 if the sum does not fit, or if x or y is -1. This is associative, so the scan itself finds bad
/// counts.
struct checked_sum {
  MGPU_HOST_DEVICE offset operator()(offset x, offset y) const {
    const auto sum = static_cast<offset>(static_cast<std::uint64_t>(x) + static_cast<std::uint64_t>(y));
    return x < 0 || y < 0 || sum < 0 ? -1 : sum;
  }
};

/// The exclusive scan of counts in scratch memory, with their total behind it. Synchronizes, to read the total.
template <class Policy>
class scanned_counts {
 public:
  template <class Counts>
  scanned_counts(Policy& p, Counts counts, offset count) : memory_(p, count + 1) {
    exec::executor(p).exclusive_scan(count_of<Counts>{counts, count}, count + 1, memory_.data(), checked_sum{});
    total_ = exec::executor(p).read(memory_.data() + count);
    if (total_ < 0) {
      throw std::invalid_argument("mgpu: a count of an interval is negative, or the counts' sum does not fit");
    }
  }

  const offset* data() const { return memory_.data(); }
  offset total() const { return total_; }

 private:
  exec::workspace<offset, Policy> memory_;
  offset total_;
};

}  // namespace detail::plan
MGPU_NAMESPACE_END
