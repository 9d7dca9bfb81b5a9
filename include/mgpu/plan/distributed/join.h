// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Joins over ranks. Each rank joins its left rows with the right rows that may be their partners. So left rows stay
// where they are, and the ranks' results follow each other as those of one rank would:
//   1. each rank tells the others its first and its last left row;
//   2. each rank searches these rows in its right rows; the sums over the ranks say between which rows of the whole
//      right column the partners of each rank's left rows lie;
//   3. each rank sends the others what they need of its right rows;
//   4. each rank joins, and adds to its row numbers how many rows lie before its own.

#include <mgpu/base/check.h>
#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/base/order.h>
#include <mgpu/core/join/join.h>
#include <mgpu/exec/distributed/policy.h>
#include <mgpu/exec/iterator.h>
#include <mgpu/plan/distributed/call.h>
#include <mgpu/plan/distributed/memory.h>
#include <mgpu/plan/distributed/transfers.h>
#include <mgpu/plan/join/join.h>
#include <mgpu/plan/join/limits.h>

#include MGPU_CUDA_VERB_HEADER(copy)
#include MGPU_CUDA_VERB_HEADER(each)

#include <cuda/std/type_traits>
#include <cuda/std/utility>

#include <cstddef>
#include <new>
#include <optional>
#include <vector>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

/// Which right rows a rank needs.
enum class join_reach {
  partners,    // all that are equal to one of its left rows
  row_before,  // and the row before the first of them
  row_behind   // and the row behind the last of them
};

/// An output of row numbers, `begin` of which lie on the ranks before.
template <class Out>
struct numbers_from {
  struct place {
    const Out& out;
    offset i, begin;
    MGPU_EXEC_CHECK_DISABLE
    MGPU_HOST_DEVICE place& operator=(offset row) {
      core::write_number(out, i, row == core::no_row ? row : begin + row);
      return *this;
    }
  };
  using iterator_category = cuda::std::random_access_iterator_tag;
  using value_type = offset;
  using difference_type = offset;
  using pointer = void;
  using reference = place;

  Out out;
  offset begin;

  MGPU_HOST_DEVICE place operator[](offset i) const { return {out, i, begin}; }
  MGPU_HOST_DEVICE place operator*() const { return (*this)[0]; }
  MGPU_HOST_DEVICE numbers_from operator+(offset n) const { return {out + n, begin}; }
  MGPU_HOST_DEVICE offset operator-(const numbers_from& other) const { return static_cast<offset>(out - other.out); }
};

/// Writes the first and the last row of a column.
template <class Left, class Row>
struct take_ends {
  Left left;
  offset count;
  Row* ends;  // [2]
  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE void operator()(offset i) const { ::new (static_cast<void*>(ends + i)) Row(left[i * (count - 1)]); }
};

/// Searches the ends of each rank's left rows in this rank's right rows.
template <class LeftRow, class RightRow, class Compare>
struct search_ends {
  const LeftRow* ends;  // [ranks][2]; only those of ranks that have left rows
  const offset* left_counts;
  const RightRow* right;
  offset right_count;
  Compare compare;
  join_reach reach;
  offset* found;  // [ranks][2]

  MGPU_EXEC_CHECK_DISABLE
  template <class Search>
  MGPU_HOST_DEVICE offset find(offset i, const Search& search) const {
    const bool is_last = i % 2 != 0;
    // The last row not after the first left row, the first row not before the last one.
    const bool passes_equals = is_last ? reach != join_reach::row_behind : reach == join_reach::row_before;
    if (left_counts[i / 2] == 0) return 0;
    return search.partition_point(offset{0}, right_count, [&](offset k) {
      return passes_equals ? !compare(ends[i], right[k]) : static_cast<bool>(compare(right[k], ends[i]));
    });
  }

  MGPU_HOST_DEVICE void store(offset i, offset position) const { found[i] = position; }
};

/// The steps that bring each rank the right rows that its left rows need.
template <class Distributed, class Left, class Right, class Compare>
class right_rows_of_ranks {
  using left_row = base::value_type<Left>;
  using right_row = base::value_type<Right>;

 public:
  right_rows_of_ranks(const Distributed& d, const join_inputs<Left, Right, Compare>& in, join_reach reach)
      : d_(d),
        in_(in),
        reach_(reach),
        right_(in.right, in.right_count),
        messages_(d.size()),
        left_counts_(static_cast<std::size_t>(d.size())),
        have_(static_cast<std::size_t>(d.size()) + 1),
        own_found_(1 + 2 * static_cast<std::size_t>(d.size())),
        all_found_(own_found_.size() * static_cast<std::size_t>(d.size())),
        needs_(static_cast<std::size_t>(d.size())) {}

  void prepare() {
    memory_.take(policy(), [this](scratch_layout& layout) {
      ends_ = layout.take<left_row>(2 * d_.size());
      counts_ = layout.take<offset>(d_.size());
      found_ = layout.take<offset>(2 * d_.size());
      right_.place(layout);
    });
    right_.fill(policy());
  }

  /// Finds what each rank needs. counts[r].values[1] and [2] are how many left and right rows rank r has. Throws on
  /// every rank if one fails.
  void find_needs(exec::rank_failure& failure, const exec::rank_report* counts) {
    const int ranks = d_.size(), rank = d_.rank();
    for (int r = 0; r < ranks; ++r) {
      const auto i = static_cast<std::size_t>(r);
      left_counts_[i] = counts[r].values[1];
      have_[i + 1] = have_[i] + counts[r].values[2];
      if (r < rank) left_begin_ += left_counts_[i];
    }
    for (int r = 0; r < ranks; ++r) {
      if (r == rank) continue;
      if (in_.left_count > 0) messages_.send(r, ends_ + 2 * rank, 2);
      if (left_counts_[static_cast<std::size_t>(r)] > 0) messages_.receive(r, ends_ + 2 * r, 2);
    }
    failure.run([&] {
      if (in_.left_count > 0) executor().each(2, take_ends<Left, left_row>{in_.left, in_.left_count, ends_ + 2 * rank});
      executor().copy(counts_, left_counts_.data(), ranks * offset{sizeof(offset)});
    });
    messages_.run(d_);
    messages_.clear();
    failure.run([&] {
      executor().search_each(2 * offset{ranks},
                             search_ends<left_row, right_row, base::order<Compare>>{
                                 ends_, counts_, right_.data(), in_.right_count, in_.compare, reach_, found_});
      d_.fetch(own_found_.data() + 1, found_, offset{2} * ranks * offset{sizeof(offset)});
    });
    d_.agree_with(failure, own_found_.data(), all_found_.data(), static_cast<offset>(own_found_.size()));
    for (int r = 0; r < ranks; ++r) needs_[static_cast<std::size_t>(r)] = need_of(r);
  }

  /// Brings what this rank needs here. Throws on every rank if one has no memory for it; nothing has been sent then.
  void exchange(exec::rank_failure& failure) {
    const int rank = d_.rank();
    const stretch need = needs_[static_cast<std::size_t>(rank)];
    const stretch own = part(rank, rank);
    is_here_ = own.count() == need.count();
    failure.run([&] {
      if (is_here_) return;
      room_memory_.take(policy(), [&](scratch_layout& layout) { room_ = layout.take<right_row>(need.count()); });
    });
    d_.agree(failure);
    for (int r = 0; r < d_.size(); ++r) {
      if (r == rank) continue;
      const stretch out = part(rank, r), in = part(r, rank);
      if (out.count() > 0)
        messages_.send(r, right_.data() + (out.begin - have_[static_cast<std::size_t>(rank)]), out.count());
      if (in.count() > 0) messages_.receive(r, room_ + (in.begin - need.begin), in.count());
    }
    messages_.run(d_);
    failure.run([&] {
      if (!is_here_ && own.count() > 0) {
        executor().copy(room_ + (own.begin - need.begin),
                        right_.data() + (own.begin - have_[static_cast<std::size_t>(rank)]),
                        own.count() * offset{sizeof(right_row)});
      }
    });
    d_.await_messages();
  }

  /// The right rows that this rank needs, after the exchange.
  const right_row* right() const {
    const offset begin = needs_[static_cast<std::size_t>(d_.rank())].begin;
    if (!is_here_) return room_;
    return right_count() == 0 ? nullptr : right_.data() + (begin - have_[static_cast<std::size_t>(d_.rank())]);
  }
  offset right_count() const { return needs_[static_cast<std::size_t>(d_.rank())].count(); }

  template <class Out>
  numbers_from<Out> left_numbers(const Out& out) const {
    return {out, left_begin_};
  }
  template <class Out>
  numbers_from<Out> right_numbers(const Out& out) const {
    return {out, needs_[static_cast<std::size_t>(d_.rank())].begin};
  }

  auto& policy() const { return exec::mutable_policy(d_.local()); }
  auto executor() const { return exec::executor(d_.local()); }

 private:
  /// What rank `to` needs of the right rows of rank `from`.
  stretch part(int from, int to) const {
    const auto f = static_cast<std::size_t>(from);
    const stretch& need = needs_[static_cast<std::size_t>(to)];
    return {base::max(have_[f], need.begin), base::min(have_[f + 1], need.end)};
  }

  stretch need_of(int rank) const {
    if (left_counts_[static_cast<std::size_t>(rank)] == 0) return {0, 0};
    stretch need{0, 0};
    for (std::size_t r = 0; r < needs_.size(); ++r) {
      const offset* const found = all_found_.data() + r * own_found_.size() + 1 + offset{2} * rank;
      need.begin += found[0];
      need.end += found[1];
    }
    if (reach_ == join_reach::row_before) need.begin = base::max<offset>(0, need.begin - 1);
    if (reach_ == join_reach::row_behind) need.end = base::min(need.end + 1, have_.back());
    return {need.begin, base::max(need.begin, need.end)};  // also if an input is not sorted
  }

  const Distributed& d_;
  join_inputs<Left, Right, Compare> in_;
  join_reach reach_;
  sendable<Right> right_;
  transfers messages_;
  std::vector<offset> left_counts_;  // [ranks]
  rank_borders have_;                // of right rows
  std::vector<offset> own_found_;    // a place for the rank's state, and [ranks][2]
  std::vector<offset> all_found_;    // [ranks] of these
  std::vector<stretch> needs_;       // [ranks], of the whole right column
  offset left_begin_ = 0;
  bool is_here_ = true;
  rank_memory<typename Distributed::local_policy> memory_{d_.are_ranks_lost()}, room_memory_{d_.are_ranks_lost()};
  left_row* ends_ = nullptr;   // [ranks][2]
  offset* counts_ = nullptr;   // [ranks]
  offset* found_ = nullptr;    // [ranks][2]
  right_row* room_ = nullptr;  // [right_count()]
};

/// A join over ranks. check(left_count) throws if an output is null and needs room. run(left, left_count, steps) joins
/// this rank's left rows with steps.right(), and returns how many rows it writes or counts.
template <class Distributed, class Left, class Right, class Compare, class Check, class Run>
offset join_of_ranks(const Distributed& d, distributed_call call, join_reach reach, Left left, Left left_end,
                     Right right, Right right_end, const Compare& compare, const Check& check, const Run& run) {
  using steps_type = right_rows_of_ranks<Distributed, exec::unwrapped<Left>, exec::unwrapped<Right>, Compare>;
  d.check_usable();
  exec::rank_failure failure;
  std::optional<steps_type> steps;
  offset left_count = 0, right_count = 0, size = 0;
  failure.run([&] {
    auto& p = exec::mutable_policy(d.local());
    const auto in = plan::checked_join_inputs(p, left, left_end, right, right_end, compare);
    left_count = in.left_count;
    right_count = in.right_count;
    check(left_count);
    steps.emplace(d, in, reach);
    steps->prepare();
  });
  const auto* const counts =
      plan::agree_on_call<Left, Right>(d, failure, {call, static_cast<offset>(reach)}, left_count, right_count);
  plan::check_input_rows(plan::sum_over_ranks(counts, d.size(), 1), plan::sum_over_ranks(counts, d.size(), 2));
  if (plan::total_count(counts, d.size()) == 0) return 0;
  steps->find_needs(failure, counts);
  steps->exchange(failure);
  failure.run([&] { size = run(left, left_count, *steps); });
  d.agree_at_end(failure);
  return size;
}

/// inner_join over ranks. Returns the ends of this rank's part of the result.
template <class Distributed, class Left, class Right, class LeftRows, class RightRows, class Compare>
cuda::std::pair<LeftRows, RightRows> inner_join_of_ranks(const Distributed& d, Left left, Left left_end, Right right,
                                                         Right right_end, LeftRows left_rows, RightRows right_rows,
                                                         const Compare& compare) {
  const auto run = [&](Left rows, offset count, const auto& steps) {
    const auto left_to = exec::unwrap(left_rows, 1);
    const auto right_to = exec::unwrap(right_rows, 1);
    const auto *const begin = steps.right(), *const end = begin + steps.right_count();
    if (!plan::is_place(left_to) || !plan::is_place(right_to)) {
      const offset needed =
          plan::join_size<inner_rows>(steps.policy(), rows, base::advanced(rows, count), begin, end, compare);
      base::check_not_null(left_to, needed, "the output of left rows");
      base::check_not_null(right_to, needed, "the output of right rows");
      return offset{0};
    }
    const auto numbers = steps.left_numbers(left_to);
    const auto ends = plan::join<inner_rows>(steps.policy(), rows, base::advanced(rows, count), begin, end, numbers,
                                             steps.right_numbers(right_to), compare);
    return ends.first - numbers;
  };
  const offset size = plan::join_of_ranks(
      d, distributed_call::inner_join, join_reach::partners, left, left_end, right, right_end, compare, [](offset) {},
      run);
  return {base::advanced(left_rows, size), base::advanced(right_rows, size)};
}

/// The number of pairs that this rank gets.
template <class Distributed, class Left, class Right, class Compare>
offset inner_join_size_of_ranks(const Distributed& d, Left left, Left left_end, Right right, Right right_end,
                                const Compare& compare) {
  const auto run = [&](Left rows, offset count, const auto& steps) {
    const auto* const begin = steps.right();
    return plan::join_size<inner_rows>(steps.policy(), rows, base::advanced(rows, count), begin,
                                       begin + steps.right_count(), compare);
  };
  return plan::join_of_ranks(
      d, distributed_call::inner_join_size, join_reach::partners, left, left_end, right, right_end, compare,
      [](offset) {}, run);
}

/// as_of_join over ranks. Returns the end of this rank's output.
template <bool is_forward, class Distributed, class Left, class Right, class Out, class Compare, class Matches>
Out as_of_join_of_ranks(const Distributed& d, Left left, Left left_end, Right right, Right right_end, Out out,
                        const Compare& compare, const Matches& matches) {
  const auto check = [&](offset count) { base::check_not_null(exec::unwrap(out, count), count, "the output"); };
  const auto run = [&](Left rows, offset count, const auto& steps) {
    const auto* const begin = steps.right();
    plan::as_of_join<is_forward>(steps.policy(), rows, base::advanced(rows, count), begin, begin + steps.right_count(),
                                 steps.right_numbers(exec::unwrap(out, count)), compare, matches);
    return count;
  };
  const join_reach reach = is_forward ? join_reach::row_behind : join_reach::row_before;
  const offset size = plan::join_of_ranks(d, distributed_call::as_of_join, reach, left, left_end, right, right_end,
                                          compare, check, run);
  return base::advanced(out, size);
}

}  // namespace detail::plan
MGPU_NAMESPACE_END
