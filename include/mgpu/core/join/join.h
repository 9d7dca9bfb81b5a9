// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What joins add to searches and intervals: sinks of sorted searches that find partners, and a sink of intervals that
// writes the rows of both sides.

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/base/order.h>
#include <mgpu/core/interval/sink.h>
#include <mgpu/core/search_sink.h>
#include <mgpu/tile/binary_search.h>

#include <cuda/std/iterator>
#include <cuda/std/type_traits>

#include <cstdint>

MGPU_NAMESPACE_BEGIN

namespace detail::core {

/// mgpu::no_row.
inline constexpr offset no_row = -1;

/// The sink of a search for lower bounds that counts the rows which each left row gives.
template <class Left, class Right, class Compare>
struct partners_to {
  Left left;
  Right right;  // [right_count]
  offset right_count;
  base::order<Compare> compare;
  offset* first_partners;  // [left_count]; no_row for a row that is kept without a partner
  offset* counts;          // [left_count]
  bool keeps_left;         // a left row without partner gives one row

  static constexpr bool is_array = false, is_judge = false, is_forward = false, is_counted = true;
  static constexpr int bytes = 0;
  struct result {
    offset first_partner, count;
  };

  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE result answer(offset row, offset position) const {
    const auto is_partner = [&](offset i) { return !compare(left[row], right[i]); };
    if (position >= right_count) return {keeps_left ? no_row : position, keeps_left ? 1 : 0};
    // Most runs are short. So two rows are read at once, and there is one branch for both.
    const bool has_first = is_partner(position), has_next = is_partner(base::min(position + 1, right_count - 1));
    if (has_first & has_next & (position + 1 < right_count))
      return {position, end_of_run(row, position + 2) - position};
    return {has_first || !keeps_left ? position : no_row, has_first || keeps_left ? 1 : 0};
  }
  MGPU_HOST_DEVICE void store(offset row, const result& r) const {
    core::write_number(first_partners, row, r.first_partner);
    core::write_number(counts, row, r.count);
  }

 private:
  /// Where the partners of a row end, all those before `low` being some.
  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE offset end_of_run(offset row, offset low) const {
    return tile::partition_point_from(low, right_count, [&](offset i) { return !compare(left[row], right[i]); });
  }
};

/// The sink of a search for lower bounds that only asks whether there is a partner: counts[row] is 1 if the answer is
/// `wanted`, else 0.
template <class Rows, class Others, class Compare>
struct has_partner_to {
  Rows rows;
  Others others;  // [other_count]
  offset other_count;
  base::order<Compare> compare;
  offset* counts;
  bool wanted;

  static constexpr bool is_array = false, is_judge = false, is_forward = false, is_counted = true;
  static constexpr int bytes = 0;

  using result = offset;

  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE offset answer(offset row, offset position) const {
    const bool has_partner = position < other_count && !compare(rows[row], others[position]);
    return has_partner == wanted ? 1 : 0;
  }
  MGPU_HOST_DEVICE void store(offset row, offset count) const { core::write_number(counts, row, count); }
};

/// Says of all rows that they match.
struct always_matches {};

/// The sink of as_of_join: the row before an upper bound, or that at a lower bound, if it matches.
template <bool looks_forward, class Left, class Right, class Out, class Matches>
struct as_of_rows_to {
  Left left;
  Right right;  // [right_count]
  offset right_count;
  Out out;
  base::order<Matches> matches;

  using element = base::value_type<Out>;
  using result = offset;
  static constexpr bool is_array = is_array_of_numbers<Out>, is_judge = true, is_forward = looks_forward,
                        is_counted = false;
  static constexpr int bytes = sizeof(cuda::std::conditional_t<is_array, element, char>);
  static constexpr offset refused = no_row;

  MGPU_HOST_DEVICE Out array() const { return out; }
  MGPU_EXEC_CHECK_DISABLE
  template <class LeftRow, class RightRow>
  MGPU_HOST_DEVICE bool takes(LeftRow&& left_row, RightRow&& right_row) const {
    if constexpr (cuda::std::is_same_v<Matches, always_matches>) return true;
    else return matches(static_cast<LeftRow&&>(left_row), static_cast<RightRow&&>(right_row));
  }
  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE offset answer(offset row, offset position) const {
    const offset partner = is_forward ? position : position - 1;
    if (partner < 0 || partner >= right_count) return no_row;
    return takes(left[row], right[partner]) ? partner : no_row;
  }
  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE void store(offset row, offset partner) const { core::write_number(out, row, partner); }
};

/// How much is counted before each row: where the intervals of a join begin.
struct counted_before {
  using iterator_category = cuda::std::random_access_iterator_tag;
  using value_type = offset;
  using difference_type = offset;
  using pointer = void;
  using reference = offset;
  static constexpr offset no_limit = base::max_offset;

  const std::uint64_t* sums;  // of the counts up to each row
  offset limit;
  const int* bad_input;  // if it is not 0, the sums are wrong: nothing is counted

  MGPU_HOST_DEVICE offset operator[](offset i) const {
    if (i == 0 || *bad_input != 0) return 0;
    return static_cast<offset>(base::min(sums[i - 1], static_cast<std::uint64_t>(limit)));
  }
};

/// The sink that writes the rows of a join. Interval i < left_count is left row i with its partners. Then follow the
/// right rows that have a place of their own, and an interval for what is behind the join's last row.
template <class LeftRows, class RightRows>
struct join_rows : whole_elements<8> {
  const offset* first_partners;  // [left_count]
  offset left_count, right_count;
  offset row_count;  // intervals before the last one
  LeftRows left_rows;
  RightRows right_rows;

  MGPU_HOST_DEVICE join_rows(const offset* partners, offset left, offset right, offset rows, LeftRows left_to,
                             RightRows right_to)
      : first_partners(partners),
        left_count(left),
        right_count(right),
        row_count(rows),
        left_rows(left_to),
        right_rows(right_to) {}

  static constexpr bool gathers = false, scatters = false;
  struct nothing {};
  using fetched = offset;  // the first partner
  struct staged {
    offset left;      // not_a_row for the last interval
    offset distance;  // from an item to its right row
  };
  using loaded = nothing;
  static constexpr offset not_a_row = no_row - 1;

  MGPU_HOST_DEVICE offset first_partner(offset interval) const {
    return interval < left_count ? first_partners[interval] : interval - left_count;
  }
  MGPU_HOST_DEVICE staged describe(offset first, offset interval, offset begin) const {
    const offset left = interval < left_count ? interval : interval < row_count ? no_row : not_a_row;
    return {left, first - begin};
  }
  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE void write(const staged& s, offset item) const {
    if (s.left == not_a_row) return;
    core::write_number(left_rows, item, s.left);
    core::write_number(right_rows, item, base::clamp(item + s.distance, no_row, right_count - 1));
  }

  struct in_tile {
    const join_rows& all;
    offset item_begin;
    static constexpr int pad = 0;

    MGPU_DEVICE void fetch(offset interval, fetched& first) const { first = all.first_partner(interval); }
    MGPU_DEVICE void stage(const fetched& first, offset interval, offset begin, staged& to) const {
      to = all.describe(first, interval, begin);
    }
    MGPU_DEVICE void load(const staged&, int, int, loaded&) const {}
    MGPU_DEVICE void store(const staged& s, int position, int step, const loaded&) const {
      all.write(s, item_begin + position + step);
    }
  };
  MGPU_DEVICE in_tile at(offset item_begin) const { return {*this, item_begin}; }

  void visit(offset interval, offset begin, offset first, offset last, offset) const {
    const staged s = describe(first_partner(interval), interval, begin);
    for (offset item = first; item < last; ++item) write(s, item);
  }
};

}  // namespace detail::core
MGPU_NAMESPACE_END
