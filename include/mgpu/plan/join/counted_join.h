// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The inputs of joins, and joins whose rows are counted but not yet written: full joins, and on the GPU any join of few
// left rows. They search each left row in the right ones, which says how many partners it has; scan these counts; and
// visit the rows of the result as items of intervals, one interval for each left row.

#include <mgpu/base/check.h>
#include <mgpu/core/interval/interval.h>
#include <mgpu/core/join/join.h>
#include <mgpu/exec/iterator.h>
#include <mgpu/plan/argument.h>
#include <mgpu/plan/join/limits.h>
#include <mgpu/plan/join/row_counts.h>
#include <mgpu/plan/sorted_search.h>

#include MGPU_CUDA_VERB_HEADER(visit_intervals)

#include <cuda/std/type_traits>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

/// Which rows a join has beside the pairs of equal rows.
struct inner_rows {
  static constexpr bool keeps_left = false, keeps_right = false;
};
struct left_and_inner_rows {
  static constexpr bool keeps_left = true, keeps_right = false;
};
struct all_rows {
  static constexpr bool keeps_left = true, keeps_right = true;
};

/// The checked inputs of a join.
template <class Left, class Right, class Compare>
struct join_inputs {
  Left left;    // [left_count], sorted
  Right right;  // [right_count], sorted
  offset left_count, right_count;
  base::order<Compare> compare;

  using comparator = Compare;
};

template <class Left, class Right, class Compare>
join_inputs(Left, Right, offset, offset, base::order<Compare>) -> join_inputs<Left, Right, Compare>;

template <class Policy, class Left, class Right, class Compare>
auto checked_join_inputs(Policy& p, Left left, Left left_end, Right right, Right right_end, const Compare& compare) {
  const offset left_count = base::checked_count(left, left_end, "left");
  const offset right_count = base::checked_count(right, right_end, "right");
  const join_inputs<exec::unwrapped<Left>, exec::unwrapped<Right>, Compare> in{
      exec::unwrap(left, left_count), exec::unwrap(right, right_count), left_count, right_count, {compare}};
  plan::check_arguments(p, argument{in.left, left_count, "left"}, argument{in.right, right_count, "right"});
  plan::check_sorted(p, in.left, left_count, in.compare, cuda::std::true_type{}, "left");
  plan::check_sorted(p, in.right, right_count, in.compare, cuda::std::true_type{}, "right");
  return in;
}

/// Whether a join may be made of tiles that emit rows. The rows of a full join come from two sides.
template <class Kind, class Policy, class Inputs>
inline constexpr bool may_go_by_tiles =
    !Kind::keeps_right &&
    (!exec::executor_of<Policy>::has_shared_memory ||
     base::max(sizeof(base::value_type<decltype(Inputs::left)>), sizeof(base::value_type<decltype(Inputs::right)>)) <=
         tuning::most_joined_row_bytes);

/// Whether a join is made of such tiles. On the GPU few left rows are searched for themselves.
template <class Kind, class Policy, class Inputs>
bool goes_by_tiles(const Inputs& in) {
  if constexpr (!may_go_by_tiles<Kind, Policy, Inputs>) return false;
  else if constexpr (exec::executor_of<Policy>::has_shared_memory)
    return !plan::are_few_values(in.left_count, in.right_count);
  else return true;
}

/// Searches each left row in the right ones, or with Order as upper_bound_order their ends. If they are known to be
/// few, what searches many of them is not compiled.
template <template <class> class Order, bool are_few = false, class Policy, class Left, class Right, class Compare,
          class Sink>
void search_rows(Policy& p, const join_inputs<Left, Right, Compare>& in, const Sink& sink, int* bad_input) {
  const core::sorted_search search{in.left,
                                   in.right,
                                   in.left_count,
                                   in.right_count,
                                   sink,
                                   Order<Compare>{in.compare},
                                   base::bad_input_flag{bad_input}};
  if constexpr (are_few) plan::search_each(p, search);
  else plan::run_search(p, search);
}

template <class Left, class Right, class Compare>
auto has_partner_sink(const join_inputs<Left, Right, Compare>& in, offset* counts, bool wanted) {
  return core::has_partner_to<Left, Right, Compare>{in.left, in.right, in.right_count, in.compare, counts, wanted};
}

/// A join whose rows are counted but not yet written.
template <class Kind, class Policy, class Inputs>
class counted_join {
 public:
  template <class SizeOut>
  counted_join(Policy& p, const Inputs& in, const SizeOut& size_out, base::bad_input_flag overflow = {nullptr})
      : policy_(p), in_(in), rows_(p, in.left_count, in.left_count + (Kind::keeps_right ? in.right_count : 0)) {
    constexpr bool are_few = may_go_by_tiles<Kind, Policy, Inputs>;  // many rows go by tiles
    plan::search_rows<base::lower_bound_order, are_few>(p, in, partners_sink(), rows_.bad_input());
    if constexpr (Kind::keeps_right) {
      const join_inputs mirrored{in.right, in.left, in.right_count, in.left_count, in.compare};
      plan::search_rows<base::lower_bound_order>(
          p, mirrored, plan::has_partner_sink(mirrored, rows_.counts() + in.left_count, false), rows_.bad_input());
    }
    rows_.scan();
    if (plan::may_overflow(in.left_count, in.right_count)) rows_.check_sums();
    rows_.note_total(size_out, overflow);
  }

  /// Throws std::invalid_argument if there are too many rows to be counted.
  offset read_size() const { return plan::checked_size(rows_.read_total()); }

  /// Writes the first rows, at most `room`.
  template <class LeftRows, class RightRows>
  void write_rows(const LeftRows& left_rows, const RightRows& right_rows, offset room) const {
    const offset capacity = base::min(room, base::max_offset / 2);  // which is added to the number of intervals
    const core::join_rows<LeftRows, RightRows> sink(rows_.first_partners(), in_.left_count, in_.right_count,
                                                    rows_.row_count(), left_rows, right_rows);
    exec::executor(policy_).run(
        core::interval{rows_.sums(capacity), rows_.row_count() + 1, capacity, sink, base::bad_input_flag{nullptr}});
  }

 private:
  auto partners_sink() const {
    using inputs = cuda::std::remove_cv_t<Inputs>;
    return core::partners_to<decltype(inputs::left), decltype(inputs::right), typename inputs::comparator>{
        in_.left, in_.right, in_.right_count, in_.compare, rows_.first_partners(), rows_.counts(), Kind::keeps_left};
  }

  Policy& policy_;
  Inputs in_;
  row_counts<Policy> rows_;
};

}  // namespace detail::plan
MGPU_NAMESPACE_END
