// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/core/join.h>
#include <mgpu/exec/policy.h>
#include <mgpu/exec/workspace.h>
#include <mgpu/plan/clear_word.h>

#include MGPU_CUDA_VERB_HEADER(each)
#include MGPU_CUDA_VERB_HEADER(read)
#include MGPU_CUDA_VERB_HEADER(scan)

#include <cuda/std/functional>

#include <cstdint>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

/// Writes how much is counted in all to one or two places.
template <class SizeOut>
struct write_total {
  core::counted_before sums;
  offset row_count;
  offset* total;
  SizeOut out;  // or base::no_values

  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE void operator()(offset) const {
    *total = sums[row_count];
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
      : policy_(p), partner_count_(partner_count), row_count_(row_count), memory_(p, partner_count + row_count + 2) {
    exec::executor(p).each(1, clear_word{bad_input()});
  }

  offset row_count() const { return row_count_; }
  offset* first_partners() const { return memory_.data(); }               // [partner_count]
  offset* counts() const { return memory_.data() + partner_count_; }      // [row_count]
  int* bad_input() const { return reinterpret_cast<int*>(total() + 1); }  // not 0: nothing is counted

  /// What is counted before a row, after scan(). `most` limits it.
  core::counted_before sums(offset most = core::counted_before::no_limit) const {
    return {reinterpret_cast<const std::uint64_t*>(counts()), most, bad_input()};
  }

  /// Adds to each count those before it, and notes the total; also at size_out, if it is none of base::no_values.
  template <class SizeOut>
  void scan(const SizeOut& size_out) {
    if (row_count_ > 0) {
      exec::executor(policy_).scan_in_place(reinterpret_cast<std::uint64_t*>(counts()), row_count_,
                                            cuda::std::plus<>{});
    }
    exec::executor(policy_).each(1, write_total<SizeOut>{sums(), row_count_, total(), size_out});
  }

  offset read_total() const { return exec::executor(policy_).read(total()); }

 private:
  offset* total() const { return counts() + row_count_; }

  Policy& policy_;
  offset partner_count_, row_count_;
  exec::workspace<offset, Policy> memory_;
};

}  // namespace detail::plan
MGPU_NAMESPACE_END
