// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// inner_join and as_of_join of u32 with u32 row numbers on the CPU, beside merge joins written as one loop. Rows are
// <join>/<case>/<peer>. The cases:
//   unique   2^24 rows on either side, random below 2^24: one partner on average
//   dup64    2^19 rows on either side, each key 64 times: 2^25 pairs
// Peers:
//   mgpu_omp, mgpu_tbb, mgpu_cpp   mgpu
//   loop                           a merge join by one thread

#include <support/host_row.h>

#include <mgpu/join.h>

namespace bench {

struct join_case {
  const char* name;
  int log2_rows, log2_keys;
};

struct join_data {
  const join_case& in;
  array left, right, left_rows, right_rows, expected_left, expected_right, last_rows;  // last_rows: of the as-of join

  explicit join_data(const join_case& c)
      : in(c),
        left(sorted_keys(std::size_t{1} << c.log2_rows, 1, c.log2_keys)),
        right(sorted_keys(std::size_t{1} << c.log2_rows, 2, c.log2_keys)),
        last_rows(left.size()) {
    for (std::size_t i = 0, j = 0; i < left.size(); ++i) {
      while (j < right.size() && right[j] < left[i]) ++j;
      std::size_t end = j;
      for (; end < right.size() && right[end] == left[i]; ++end) {
        expected_left.push_back(static_cast<std::uint32_t>(i));
        expected_right.push_back(static_cast<std::uint32_t>(end));
      }
      last_rows[i] = static_cast<std::uint32_t>(end) - 1;
    }
    left_rows.resize(expected_left.size());
    right_rows.resize(std::max(expected_left.size(), left.size()));
  }
};

/// A join is its call with a policy, the same as a loop, and whether its outputs are right.

struct inner {
  static constexpr const char* name = "inner_join";
  static bool is_right(const join_data& d) {
    return d.left_rows == d.expected_left &&
           std::equal(d.expected_right.begin(), d.expected_right.end(), d.right_rows.begin());
  }
  template <class Policy>
  static void all(const Policy& policy, join_data& d) {
    mgpu::inner_join(policy, d.left.begin(), d.left.end(), d.right.begin(), d.right.end(), d.left_rows.begin(),
                     d.right_rows.begin());
  }
  static void loop(join_data& d) {
    std::size_t to = 0;
    for (std::size_t i = 0, j = 0; i < d.left.size() && j < d.right.size();) {
      if (d.left[i] < d.right[j]) {
        ++i;
      } else if (d.right[j] < d.left[i]) {
        ++j;
      } else {
        for (std::size_t partner = j; partner < d.right.size() && d.right[partner] == d.left[i]; ++partner, ++to) {
          d.left_rows[to] = static_cast<std::uint32_t>(i);
          d.right_rows[to] = static_cast<std::uint32_t>(partner);
        }
        ++i;
      }
    }
  }
};

struct as_of {
  static constexpr const char* name = "as_of_join";
  static bool is_right(const join_data& d) {
    return std::equal(d.last_rows.begin(), d.last_rows.end(), d.right_rows.begin());
  }
  template <class Policy>
  static void all(const Policy& policy, join_data& d) {
    mgpu::as_of_join(policy, d.left.begin(), d.left.end(), d.right.begin(), d.right.end(), d.right_rows.begin(),
                     mgpu::backward);
  }
  static void loop(join_data& d) {
    for (std::size_t i = 0, j = 0; i < d.left.size(); ++i) {
      while (j < d.right.size() && d.right[j] <= d.left[i]) ++j;
      d.right_rows[i] = static_cast<std::uint32_t>(j) - 1;
    }
  }
};

template <class Join, class Run>
void add_checked_row(const join_case& c, const std::string& peer, const Run& run) {
  const auto runs_right = [&c, run] {
    join_data& d = live_data_of<join_data>(c);
    clear(d.left_rows);
    clear(d.right_rows);
    run(d);
    return Join::is_right(d);
  };
  add_row(std::string(Join::name) + "/" + c.name + "/" + peer, runs_right,
          [&c, run] { run(live_data_of<join_data>(c)); });
}

template <class Join, class Policy>
void add_policy(const join_case& c, const std::string& name, const Policy& policy) {
  add_checked_row<Join>(c, "mgpu_" + name, [policy](join_data& d) { Join::all(policy, d); });
}

template <class Join>
void add_join(const join_case& c) {
  add_checked_row<Join>(c, "loop", Join::loop);
#ifdef MGPU_TEST_HAS_TBB
  add_policy<Join>(c, "tbb", mgpu::tbb::par);
#endif
#ifdef MGPU_TEST_HAS_OMP
  add_policy<Join>(c, "omp", mgpu::omp::par);
#endif
  add_policy<Join>(c, "cpp", mgpu::cpp::par);
}

void add_rows() {
  static constexpr join_case unique{"unique", 24, 24}, dup64{"dup64", 19, 13};
  add_join<inner>(unique);
  add_join<as_of>(unique);
  add_join<inner>(dup64);
}

}  // namespace bench

int main(int argc, char** argv) { return bench::run_rows(argc, argv, bench::add_rows); }
