// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/bad_input_flag.h>
#include <mgpu/base/math.h>
#include <mgpu/core/runs/runs.h>
#include <mgpu/exec/policy.h>
#include <mgpu/exec/workspace.h>
#include <mgpu/plan/clear_word.h>

#include MGPU_CUDA_VERB_HEADER(each)
#include MGPU_CUDA_VERB_HEADER(scan_offsets)

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

/// Raises two flags if run i is bad: the caller's and the plan's own.
template <class Runs>
struct find_bad_run {
  Runs runs;
  base::bad_input_flag for_caller, for_plan;

  MGPU_HOST_DEVICE void operator()(offset i) const {
    if (!runs.is_bad_run(i)) return;
    if (for_caller.is_asked()) for_caller.raise();
    if (for_plan.is_asked()) for_plan.raise();
  }
};

/// Makes bounds of lengths. A length is in [0, total], and so is a sum.
template <class Lengths>
struct bounds_of_lengths {
  Lengths lengths;  // [runs]
  offset total;
  offset* bounds;  // [runs + 1]

  static constexpr const char* name = "bounds of runs";  // in a profiler
  static constexpr offset zero = 0;
  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE offset value_at(offset i) const {
    return base::clamp<offset>(static_cast<offset>(lengths[i]), 0, total);
  }
  MGPU_HOST_DEVICE void put(offset i, offset end) const {
    if (i == 0) bounds[0] = 0;
    bounds[i + 1] = end;
  }
  MGPU_HOST_DEVICE offset sum(offset x, offset y) const { return base::min(x + y, total); }
};

/// Where the runs of a call begin in their merge: bounds that ascend from 0 and stay in the total, whatever the caller
/// gave. They are in scratch memory. Raises `bad_input` if the caller's offsets or lengths are bad.
template <class Policy, class Runs>
class run_bounds;

template <class Policy, class Keys, class Values, class Offsets>
class run_bounds<Policy, core::array_runs<Keys, Values, Offsets>> {
  using runs_type = core::array_runs<Keys, Values, Offsets>;

 public:
  run_bounds(Policy& p, const runs_type& runs, base::bad_input_flag bad_input) : is_bad_(p, 1), runs_(runs) {
    exec::executor(p).each(1, clear_word{is_bad_.data()});
    exec::executor(p).each(runs.count, find_bad_run<runs_type>{runs, bad_input, {is_bad_.data()}});
    runs_.is_bad = is_bad_.data();
  }

  const runs_type& runs() const { return runs_; }
  /// The runs after a pass, with their elements in other arrays.
  template <class KeysIn, class ValuesIn>
  auto merged(KeysIn keys, ValuesIn values) const {
    return core::array_runs<KeysIn, ValuesIn, Offsets>{keys,        values,      runs_.offsets,
                                                       runs_.count, runs_.total, runs_.is_bad};
  }

 private:
  exec::workspace<int, Policy> is_bad_;
  runs_type runs_;
};

template <class Policy, class Begins, class Lengths, class ValueBegins>
class run_bounds<Policy, core::separate_runs<Begins, Lengths, ValueBegins>> {
  using runs_type = core::separate_runs<Begins, Lengths, ValueBegins>;

 public:
  run_bounds(Policy& p, const runs_type& runs, base::bad_input_flag bad_input)
      : bounds_(p, runs.count + 1), runs_(runs) {
    exec::executor(p).scan_offsets(bounds_of_lengths<Lengths>{runs.lengths, runs.total, bounds_.data()}, runs.count);
    runs_.bounds = bounds_.data();
    if (bad_input.is_asked()) exec::executor(p).each(runs.count, find_bad_run<runs_type>{runs_, bad_input, {nullptr}});
  }

  const runs_type& runs() const { return runs_; }
  template <class KeysIn, class ValuesIn>
  auto merged(KeysIn keys, ValuesIn values) const {
    return core::array_runs<KeysIn, ValuesIn, const offset*>{keys,        values,      runs_.bounds,
                                                             runs_.count, runs_.total, nullptr};
  }

 private:
  exec::workspace<offset, Policy> bounds_;
  runs_type runs_;
};

}  // namespace detail::plan
MGPU_NAMESPACE_END
