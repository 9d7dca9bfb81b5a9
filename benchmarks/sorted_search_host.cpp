// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// lower_bound_sorted_values of u32 with u32 results on the CPU, beside std::lower_bound and Thrust. Rows are
// lower_bound/<case>/<peer>. The cases, with 2^24 elements unless they say otherwise:
//   random      2^24 values
//   one_in_16   2^20 values
//   in_1000     2^24 values in 1,000 elements
//   skewed      2^24 values, half of them in a hundredth of the range
// Peers:
//   mgpu_omp, mgpu_tbb, mgpu_cpp   lower_bound_sorted_values
//   std                            a loop of std::lower_bound
//   thrust_omp, thrust_cpp         the vectorised thrust::lower_bound

#include <support/host_row.h>

#include <mgpu/sorted_search.h>

#include <thrust/binary_search.h>

namespace bench {

struct search_case {
  const char* name;
  std::size_t elements, values;
  bool is_skewed;
};

struct search_data {
  const search_case& in;
  array range, values, out, expected;

  explicit search_data(const search_case& c)
      : in(c), range(sorted_keys(c.elements, 1)), values(sorted_keys(c.values, 2)), out(c.values), expected(c.values) {
    if (c.is_skewed) {
      for (std::size_t i = 0; i < values.size(); i += 2) values[i] = (1u << 31) + values[i] / 100;
      std::sort(values.begin(), values.end());
    }
    for (std::size_t i = 0, at = 0; i < values.size(); ++i) {
      while (at < range.size() && range[at] < values[i]) ++at;
      expected[i] = static_cast<std::uint32_t>(at);
    }
  }
};

/// Adds the row of a peer; `search` is given the data and writes to their output.
template <class Search>
void add_checked_row(const search_case& c, const std::string& peer, const Search& search) {
  const auto runs_right = [&c, search] {
    search_data& d = live_data_of<search_data>(c);
    clear(d.out);
    search(d);
    return d.out == d.expected;
  };
  add_row(std::string("lower_bound/") + c.name + "/" + peer, runs_right,
          [&c, search] { search(live_data_of<search_data>(c)); });
}

template <class Policy>
void add_policy(const search_case& c, const std::string& name, const Policy& policy) {
  add_checked_row(c, "mgpu_" + name, [policy](search_data& d) {
    mgpu::lower_bound_sorted_values(policy, d.range.begin(), d.range.end(), d.values.begin(), d.values.end(),
                                    d.out.begin());
  });
}

template <class Policy>
void add_thrust(const search_case& c, const std::string& name, const Policy& policy) {
  add_checked_row(c, "thrust_" + name, [policy](search_data& d) {
    thrust::lower_bound(policy, d.range.begin(), d.range.end(), d.values.begin(), d.values.end(), d.out.begin());
  });
}

void add_case(const search_case& c) {
  add_checked_row(c, "std", [](search_data& d) {
    for (std::size_t i = 0; i < d.values.size(); ++i) {
      const auto at = std::lower_bound(d.range.begin(), d.range.end(), d.values[i]);
      d.out[i] = static_cast<std::uint32_t>(at - d.range.begin());
    }
  });
#ifdef MGPU_TEST_HAS_TBB
  add_policy(c, "tbb", mgpu::tbb::par);
#endif
#ifdef MGPU_TEST_HAS_OMP
  add_thrust(c, "omp", thrust::omp::par);
  add_policy(c, "omp", mgpu::omp::par);
#endif
  add_thrust(c, "cpp", thrust::cpp::par);
  add_policy(c, "cpp", mgpu::cpp::par);
}

void add_rows() {
  constexpr std::size_t many = std::size_t{1} << 24;
  static constexpr search_case cases[] = {{"random", many, many, false},
                                          {"one_in_16", many, many / 16, false},
                                          {"in_1000", 1000, many, false},
                                          {"skewed", many, many, true}};
  for (const search_case& c : cases) add_case(c);
}

}  // namespace bench

int main(int argc, char** argv) { return bench::run_rows(argc, argv, bench::add_rows); }
