// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/bad_input_flag.h>
#include <mgpu/base/iterator.h>
#include <mgpu/core/join/join.h>
#include <mgpu/exec/policy.h>
#include <mgpu/exec/workspace.h>

#include MGPU_CUDA_VERB_HEADER(each)
#include MGPU_CUDA_VERB_HEADER(read)
#include MGPU_CUDA_VERB_HEADER(scan)

#include <cuda/std/functional>

#include <cstdint>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

/// What is wrong with counts.
struct count_flags {
  int* first;  // [count]

  static constexpr offset count = 2;
  MGPU_HOST_DEVICE int* bad_input() const { return first; }     // some counts were never written, or there is overflow
  MGPU_HOST_DEVICE int* overflow() const { return first + 1; }  // a sum is base::max_offset or more
};

struct clear_flags {
  count_flags flags;
  MGPU_HOST_DEVICE void operator()(offset i) const { flags.first[i] = 0; }
};

/// Raises the flag of overflow if the counts up to row i are base::max_offset or more. One count is less than 2^63. So
/// the first such row has a sum that has not wrapped.
struct find_overflow {
  const std::uint64_t* sums;
  count_flags flags;
  MGPU_HOST_DEVICE void operator()(offset i) const {
    if (sums[i] >= static_cast<std::uint64_t>(base::max_offset)) base::bad_input_flag{flags.overflow()}.raise();
  }
};

/// Writes how much is counted in all to one or two places. After an overflow that is base::max_offset, and the sums are
/// bad from now on.
template <class SizeOut>
struct write_total {
  core::counted_before sums;
  offset row_count;
  count_flags flags;
  offset* total;
  SizeOut out;                    // or base::no_values
  base::bad_input_flag overflow;  // the caller's

  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE void operator()(offset) const {
    const bool overflows = *flags.bad_input() == 0 && *flags.overflow() != 0;
    *total = overflows ? base::max_offset : sums[row_count];
    if (overflows) *flags.bad_input() = 1;
    if (overflows && overflow.is_asked()) overflow.raise();
    if constexpr (base::has_values<SizeOut>) base::write_number_to(out, *total);
  }
};

/// out[counted before i] = i for each row i that is counted.
template <class Out>
struct place_row {
  core::counted_before sums;
  Out out;
  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE void operator()(offset i) const {
    const offset at = sums[i];
    if (at < sums[i + 1]) core::write_number(out, at, i);
  }
};

/// What is counted of rows, in scratch memory.
template <class Policy>
class row_counts {
 public:
  /// For the rows whose first partners are noted, and all rows that are counted.
  row_counts(Policy& p, offset partner_count, offset row_count)
      : policy_(p),
        partner_count_(partner_count),
        row_count_(row_count),
        memory_(p, base::saturated_sum(partner_count, base::saturated_sum(row_count, 2))) {
    exec::executor(p).each(count_flags::count, clear_flags{flags()});
  }

  offset row_count() const { return row_count_; }
  offset* first_partners() const { return memory_.data(); }           // [partner_count]
  offset* counts() const { return memory_.data() + partner_count_; }  // [row_count]
  int* bad_input() const { return flags().bad_input(); }              // if it is not 0, nothing is counted

  /// What is counted before a row, after note_total(). `limit` limits it.
  core::counted_before sums(offset limit = core::counted_before::no_limit) const {
    return {unsigned_counts(), limit, bad_input()};
  }

  /// Adds to each count those before it.
  void scan() {
    if (row_count_ > 0) exec::executor(policy_).scan_in_place(unsigned_counts(), row_count_, cuda::std::plus<>{});
  }
  /// Looks for overflow, where there may be some. The scan wraps: CUB has tuned that of cuda::std::plus, and a sum that
  /// saturates would need a scan of its own.
  void check_sums() {
    if (row_count_ > 0) exec::executor(policy_).each(row_count_, find_overflow{unsigned_counts(), flags()});
  }
  /// Notes the total; also at size_out, if it is none of base::no_values. After an overflow it is base::max_offset,
  /// nothing is counted before any row, and the flag is raised.
  template <class SizeOut>
  void note_total(const SizeOut& size_out, base::bad_input_flag overflow = {nullptr}) {
    exec::executor(policy_).each(1, write_total<SizeOut>{sums(), row_count_, flags(), total(), size_out, overflow});
  }

  offset read_total() const { return exec::executor(policy_).read(total()); }

 private:
  std::uint64_t* unsigned_counts() const { return reinterpret_cast<std::uint64_t*>(counts()); }
  offset* total() const { return counts() + row_count_; }
  count_flags flags() const { return {reinterpret_cast<int*>(total() + 1)}; }

  Policy& policy_;
  offset partner_count_, row_count_;
  exec::workspace<offset, Policy> memory_;
};

}  // namespace detail::plan
MGPU_NAMESPACE_END
