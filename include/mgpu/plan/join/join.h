// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The calls of join.h: inner and left joins are compacting cores (core/join/pairs.h; on the CPU core/join/tiles.h),
// full joins count their rows and write them (plan/join/counted_join.h), the others are searches with sinks of their
// own.

#include <mgpu/base/check.h>
#include <mgpu/base/iterator.h>
#include <mgpu/core/join/deferred_pairs.h>
#include <mgpu/core/join/join.h>
#include <mgpu/core/join/pairs.h>
#include <mgpu/core/join/tiles.h>
#include <mgpu/plan/join/counted_join.h>
#include <mgpu/plan/join/limits.h>
#include <mgpu/plan/join/outputs.h>
#include <mgpu/plan/join/row_counts.h>
#include <mgpu/plan/sorted_search.h>

#include MGPU_CUDA_VERB_HEADER(compact)
#include MGPU_CUDA_VERB_HEADER(each)

#include <cuda/std/type_traits>
#include <cuda/std/utility>

#include <stdexcept>
#include <string>

MGPU_NAMESPACE_BEGIN

struct backward_direction;
struct forward_direction;

namespace detail::plan {

/// Whether the types of a join's inputs meet its requirements.
template <class Policy, class Left, class Right, class Compare>
inline constexpr bool is_sound_join =
    exec::meets<exec::mgpu_policy<Policy>, exec::random_access_inputs<Left, Right>,
                exec::comparator_of<Compare, Right, Left>, exec::comparator_of<Compare, Left, Right>,
                exec::callable_comparator<Policy, Compare>>;

template <class... Outs>
inline constexpr bool takes_rows = exec::meets<exec::random_access_outputs<Outs...>, writable_numbers<Outs...>>;

/// False for a null pointer.
template <class Out>
bool is_place(const Out& out) {
  if constexpr (cuda::std::is_pointer_v<Out>) return out != nullptr;
  else return true;
}

/// No limit of an output.
inline constexpr offset no_limit = core::counted_before::no_limit;

/// Whether a join may count its rows before it writes them.
template <class Kind, class Policy>
inline constexpr bool may_count_rows = Kind::keeps_right || exec::executor_of<Policy>::has_shared_memory;

template <class Kind, class Policy, class Left, class Right, class Compare, class LeftRows, class RightRows>
auto tiles_of_join(const join_inputs<Left, Right, Compare>& in, const LeftRows& left_rows, const RightRows& right_rows,
                   offset capacity) {
  if constexpr (exec::executor_of<Policy>::has_shared_memory) {
    return core::join_pairs<Left, Right, Compare, LeftRows, RightRows>{
        {{in.left, in.right, in.left_count, in.right_count, {}, {in.compare}, base::bad_input_flag{nullptr}},
         {in.compare},
         Kind::keeps_left,
         0},
        left_rows,
        right_rows,
        capacity};
  } else {
    return core::join_tiles<Left, Right, LeftRows, RightRows, Compare>{
        in.left,      in.right,  in.left_count, in.right_count, {in.compare},
        {in.compare}, left_rows, right_rows,    capacity,       Kind::keeps_left};
  }
}

/// The rows of a join by tiles are only counted.
template <class Kind, class Policy, class Inputs>
offset count_by_tiles(Policy& p, const Inputs& in) {
  constexpr base::no_values unwritten;
  return plan::checked_size(
      exec::executor(p).count(plan::tiles_of_join<Kind, Policy>(in, unwritten, unwritten, no_limit)));
}

/// Writes a join by tiles. Returns its size.
template <class Kind, class Policy, class Inputs, class LeftRows, class RightRows>
offset write_by_tiles(Policy& p, const Inputs& in, const LeftRows& left_rows, const RightRows& right_rows) {
  const bool is_counted_first = checks_inputs || plan::may_overflow(in.left_count, in.right_count);
  if (is_counted_first || !plan::is_place(left_rows) || !plan::is_place(right_rows)) {
    // The same core, so that less is compiled.
    const offset needed = plan::checked_size(
        exec::executor(p).count(plan::tiles_of_join<Kind, Policy>(in, left_rows, right_rows, no_limit)));
    base::check_not_null(left_rows, needed, "the output of left rows");
    base::check_not_null(right_rows, needed, "the output of right rows");
    plan::check_join_outputs(p, in, argument{left_rows, needed, "the output of left rows"},
                             argument{right_rows, needed, "the output of right rows"});
    if (needed == 0) return 0;
    return exec::executor(p).compact(plan::tiles_of_join<Kind, Policy>(in, left_rows, right_rows, needed));
  }
  return exec::executor(p).compact(plan::tiles_of_join<Kind, Policy>(in, left_rows, right_rows, no_limit));
}

template <class Kind, class Policy, class Left, class Right, class LeftRows, class RightRows, class Compare>
cuda::std::pair<LeftRows, RightRows> join(const Policy& policy, Left left, Left left_end, Right right, Right right_end,
                                          LeftRows left_rows, RightRows right_rows, const Compare& compare) {
  if constexpr (is_sound_join<Policy, Left, Right, Compare>) {
    if constexpr (takes_rows<LeftRows, RightRows>) {
      Policy& p = exec::mutable_policy(policy);
      const auto in = plan::checked_join_inputs(p, left, left_end, right, right_end, compare);
      plan::check_input_rows(in.left_count, in.right_count);
      offset size = 0;
      if (plan::goes_by_tiles<Kind, Policy>(in)) {
        if constexpr (may_go_by_tiles<Kind, Policy, decltype(in)>) {
          if constexpr (exec::executor_of<Policy>::has_shared_memory)
            size = plan::write_by_tiles<Kind>(p, in, exec::unwrap(left_rows, 1), exec::unwrap(right_rows, 1));
          else size = plan::write_by_tiles<Kind>(p, in, base::with_offsets(left_rows), base::with_offsets(right_rows));
        }
      } else if constexpr (may_count_rows<Kind, Policy>) {
        const counted_join<Kind, Policy, decltype(in)> counted(p, in, base::no_values{});
        size = counted.read_size();
        if (size > 0) {
          const auto left_to = exec::unwrap(left_rows, size);
          const auto right_to = exec::unwrap(right_rows, size);
          base::check_not_null(left_to, size, "the output of left rows");
          base::check_not_null(right_to, size, "the output of right rows");
          plan::check_join_outputs(p, in, argument{left_to, size, "the output of left rows"},
                                   argument{right_to, size, "the output of right rows"});
          counted.write_rows(left_to, right_to, size);
        }
      }
      return {base::advanced(left_rows, size), base::advanced(right_rows, size)};
    }
  }
  return {left_rows, right_rows};
}

template <class Kind, class Policy, class Left, class Right, class Compare>
offset join_size(const Policy& policy, Left left, Left left_end, Right right, Right right_end, const Compare& compare) {
  if constexpr (is_sound_join<Policy, Left, Right, Compare>) {
    Policy& p = exec::mutable_policy(policy);
    const auto in = plan::checked_join_inputs(p, left, left_end, right, right_end, compare);
    plan::check_input_rows(in.left_count, in.right_count);
    if constexpr (may_go_by_tiles<Kind, Policy, decltype(in)>) {
      if (plan::goes_by_tiles<Kind, Policy>(in)) return plan::count_by_tiles<Kind>(p, in);
    }
    if constexpr (may_count_rows<Kind, Policy>)
      return counted_join<Kind, Policy, decltype(in)>(p, in, base::no_values{}).read_size();
  }
  return 0;
}

/// The outputs of a join that leaves its size on the device.
template <class LeftRows, class RightRows, class SizeOut>
struct join_outputs {
  LeftRows left_rows;
  RightRows right_rows;
  offset capacity;
  SizeOut size;
};
template <class LeftRows, class RightRows, class SizeOut>
join_outputs(LeftRows, RightRows, offset, SizeOut) -> join_outputs<LeftRows, RightRows, SizeOut>;

/// join_into of checked arguments. If there are too many rows to be counted, it throws, or raises the flag on the GPU.
template <class Kind, class Policy, class Inputs, class Outputs>
void write_within_capacity(Policy& p, const Inputs& in, const Outputs& out, base::bad_input_flag overflow) {
  constexpr bool is_size_on_device = exec::executor_of<Policy>::has_shared_memory;
  if constexpr (may_go_by_tiles<Kind, Policy, Inputs>) {
    if (plan::goes_by_tiles<Kind, Policy>(in)) {
      const auto tiles = [&](offset capacity) {
        return plan::tiles_of_join<Kind, Policy>(in, out.left_rows, out.right_rows, capacity);
      };
      if constexpr (is_size_on_device) {
        exec::executor(p).compact_into(tiles(out.capacity), out.size, overflow);
      } else {
        const offset size = plan::count_by_tiles<Kind>(p, in);
        exec::executor(p).compact(tiles(base::min(size, out.capacity)));
        base::write_number_to(out.size, size);
      }
      return;
    }
  }
  if constexpr (may_count_rows<Kind, Policy>) {
    const counted_join<Kind, Policy, Inputs> counted(p, in, out.size, overflow);
    // Rows without a partner are at most those of the inputs.
    offset most =
        base::saturated_sum(base::saturated_product(in.left_count, in.right_count), in.left_count + in.right_count);
    if constexpr (!is_size_on_device) most = counted.read_size();
    counted.write_rows(out.left_rows, out.right_rows, base::min(out.capacity, most));
  }
}

template <class Kind, class Policy, class Left, class Right, class LeftRows, class RightRows, class SizeOut,
          class Compare>
void join_into(const Policy& policy, Left left, Left left_end, Right right, Right right_end,
               const join_outputs<LeftRows, RightRows, SizeOut>& out, const Compare& compare) {
  if constexpr (is_sound_join<Policy, Left, Right, Compare>) {
    if constexpr (takes_rows<LeftRows, RightRows> && exec::meets<exec::writable_size<SizeOut>>) {
      Policy& p = exec::mutable_policy(policy);
      if (out.capacity < 0) {
        throw std::invalid_argument("mgpu: the outputs of a join have room for " + std::to_string(out.capacity) +
                                    " rows");
      }
      const auto in = plan::checked_join_inputs(p, left, left_end, right, right_end, compare);
      const auto left_to = exec::unwrap(out.left_rows, out.capacity);
      const auto right_to = exec::unwrap(out.right_rows, out.capacity);
      const auto size_to = exec::unwrap(out.size, 1);
      base::check_not_null(left_to, out.capacity, "the output of left rows");
      base::check_not_null(right_to, out.capacity, "the output of right rows");
      base::check_not_null(size_to, 1, "the output of the size");
      plan::check_join_outputs(p, in, argument{left_to, out.capacity, "the output of left rows"},
                               argument{right_to, out.capacity, "the output of right rows"},
                               argument{size_to, 1, "the output of the size"});
      plan::check_input_rows(in.left_count, in.right_count);
      typename exec::executor_of<Policy>::bad_input_report report(p, plan::may_overflow(in.left_count, in.right_count));
      plan::write_within_capacity<Kind>(p, in, join_outputs{left_to, right_to, out.capacity, size_to}, report.flag());
      if (report.is_raised()) plan::throw_too_many_rows();
    }
  }
}

/// semi_join, or without has_partner anti_join. Returns the end of `out`.
template <class Policy, class Left, class Right, class Out, class Compare>
Out filter_left(const Policy& policy, Left left, Left left_end, Right right, Right right_end, Out out,
                const Compare& compare, bool has_partner) {
  if constexpr (is_sound_join<Policy, Left, Right, Compare>) {
    if constexpr (takes_rows<Out>) {
      Policy& p = exec::mutable_policy(policy);
      const auto in = plan::checked_join_inputs(p, left, left_end, right, right_end, compare);
      const auto to = exec::unwrap(out, in.left_count);
      base::check_not_null(to, in.left_count, "the output");
      plan::check_join_outputs(p, in, argument{to, in.left_count, "the output"});
      if (in.left_count == 0) return out;
      row_counts<Policy> rows(p, 0, in.left_count);
      plan::search_rows<base::lower_bound_order>(p, in, plan::has_partner_sink(in, rows.counts(), has_partner),
                                                 rows.bad_input());
      rows.scan();
      rows.note_total(base::no_values{});
      exec::executor(p).each(in.left_count, place_row<exec::unwrapped<Out>>{rows.sums(in.left_count), to});
      return base::advanced(out, rows.read_total());
    }
  }
  return out;
}

/// What an as-of join takes as its direction.
template <class Direction>
inline constexpr bool is_direction = false;
template <>
inline constexpr bool is_direction<backward_direction> = true;
template <>
inline constexpr bool is_direction<forward_direction> = true;

template <class Direction>
struct known_direction {
  static constexpr bool value = is_direction<Direction>;
  static_assert(value, "the direction of an as-of join is mgpu::backward or mgpu::forward");
};

template <class Matches, class Left, class Right>
struct matching_rows {
  static constexpr bool value = cuda::std::is_same_v<Matches, core::always_matches> ||
                                base::is_comparator<Matches, exec::unwrapped<Left>, exec::unwrapped<Right>>();
  static_assert(value, "matches(left, right) takes a left row and a right row, and returns what converts to bool");
};

template <bool is_forward, class Policy, class Left, class Right, class Out, class Compare, class Matches>
Out as_of_join(const Policy& policy, Left left, Left left_end, Right right, Right right_end, Out out,
               const Compare& compare, const Matches& matches) {
  Policy& p = exec::mutable_policy(policy);
  const auto in = plan::checked_join_inputs(p, left, left_end, right, right_end, compare);
  const auto to = exec::unwrap(out, in.left_count);
  base::check_not_null(to, in.left_count, "the output");
  plan::check_join_outputs(p, in, argument{to, in.left_count, "the output"});
  using sink_type =
      core::as_of_rows_to<is_forward, exec::unwrapped<Left>, exec::unwrapped<Right>, exec::unwrapped<Out>, Matches>;
  const sink_type sink{in.left, in.right, in.right_count, to, {matches}};
  if constexpr (is_forward) plan::search_rows<base::lower_bound_order>(p, in, sink, nullptr);
  else plan::search_rows<base::upper_bound_order>(p, in, sink, nullptr);
  return base::advanced(out, in.left_count);
}

}  // namespace detail::plan
MGPU_NAMESPACE_END
