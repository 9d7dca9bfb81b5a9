// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/exec/policy.h>
#include <mgpu/exec/workspace.h>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/scan.h>

#include <cstdint>
#include <stdexcept>

MGPU_NAMESPACE_BEGIN
namespace exec {

/// counts[i], and 0 behind the last. -1 where a count is negative, as one that is too large for an offset is after conversion.
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

/// The sum, or -1 where it does not fit or one of the two is -1 already: associative, so that the scan itself finds bad counts.
struct checked_sum {
  MGPU_HOST_DEVICE offset operator()(offset x, offset y) const {
    const auto sum = static_cast<offset>(static_cast<std::uint64_t>(x) + static_cast<std::uint64_t>(y));
    return x < 0 || y < 0 || sum < 0 ? -1 : sum;
  }
};

/// The exclusive scan of counts in scratch memory, with their total behind it. Waits for the total.
template <class Policy>
class scanned_counts {
 public:
  template <class Counts>
  scanned_counts(Policy& p, Counts counts, offset count) : memory_(p, count + 1) {
    const THRUST_NS_QUALIFIER::counting_iterator<offset> numbers(0);
    const auto extended = THRUST_NS_QUALIFIER::make_transform_iterator(numbers, count_of<Counts>{counts, count});
    THRUST_NS_QUALIFIER::exclusive_scan(p, extended, extended + (count + 1), memory_.data(), offset{0}, checked_sum{});
    total_ = exec::executor(p).read(memory_.data() + count);
    if (total_ < 0)
      throw std::invalid_argument("mgpu: a count of an interval is negative, or the counts' sum does not fit");
  }

  const offset* data() const { return memory_.data(); }
  offset total() const { return total_; }

 private:
  workspace<offset, Policy> memory_;
  offset total_;
};

}  // namespace exec
MGPU_NAMESPACE_END
