// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// interval_expand and interval_gather on the CPU: 2^24 u32 items in intervals whose counts are uniform in [0, 2 N],
// beside the loops over the intervals that one writes by hand, as far as this build has them. Rows are
// <function>/mean_N/<peer>; peers:
//   mgpu_omp, mgpu_tbb, mgpu_cpp
//   std        std::fill_n or std::copy_n of one interval after another
//   omp_loop   the same loop under #pragma omp parallel for

#include <support/host_row.h>

#include <mgpu/interval.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace bench {

/// What the peers of one function and one mean, which run one after another, are given and have to find.
struct interval_data {
  static constexpr std::size_t total = std::size_t{1} << 24;
  array offsets;  // [count + 1], offsets[count] == total
  array places;   // [count], those of the intervals in a random order
  array values, in = numbers(total, 7), out = array(total);
  array expanded = array(total), gathered = array(total);

  explicit interval_data(unsigned mean) {
    std::mt19937 random(mean);
    for (std::size_t end = 0; end < total; end += random() % (2 * mean + 1)) {
      offsets.push_back(static_cast<std::uint32_t>(end));
    }
    offsets.push_back(static_cast<std::uint32_t>(total));
    values = numbers(count(), 3);
    make_places(random);
    for (std::size_t item = 0, interval = 0; item < total; ++item) {
      while (offsets[interval + 1] <= item) ++interval;
      expanded[item] = values[interval];
      gathered[item] = in[places[interval] + item - offsets[interval]];
    }
  }

  std::size_t count() const { return offsets.size() - 1; }
  std::size_t size(std::size_t interval) const { return offsets[interval + 1] - offsets[interval]; }
  auto intervals() const { return mgpu::interval_offsets(offsets.begin(), count(), total); }

 private:
  void make_places(std::mt19937& random) {
    array order = numbers(count(), 0);
    std::shuffle(order.begin(), order.end(), random);
    places.resize(count());
    std::uint32_t begin = 0;
    for (const std::uint32_t interval : order) {
      places[interval] = begin;
      begin += static_cast<std::uint32_t>(size(interval));
    }
  }
};

struct live_data {
  unsigned mean = 0;
  std::unique_ptr<interval_data> data;
};
live_data live;

interval_data& data_of(unsigned mean) {
  if (live.mean != mean) live = {mean, std::make_unique<interval_data>(mean)};
  return *live.data;
}

// A function is its call with a policy, the same for one interval by the standard library, and what its output has to
// be.

struct expand {
  static constexpr const char* name = "expand";
  static constexpr const array interval_data::*expected = &interval_data::expanded;
  static void one(interval_data& d, std::size_t interval) {
    std::fill_n(d.out.begin() + d.offsets[interval], d.size(interval), d.values[interval]);
  }
  template <class Policy>
  static void all(const Policy& policy, interval_data& d) {
    mgpu::interval_expand(policy, d.intervals(), d.values.begin(), d.out.begin());
  }
};

struct gather {
  static constexpr const char* name = "gather";
  static constexpr const array interval_data::*expected = &interval_data::gathered;
  static void one(interval_data& d, std::size_t interval) {
    std::copy_n(d.in.begin() + d.places[interval], d.size(interval), d.out.begin() + d.offsets[interval]);
  }
  template <class Policy>
  static void all(const Policy& policy, interval_data& d) {
    mgpu::interval_gather(policy, d.intervals(), d.places.begin(), d.in.begin(), d.out.begin());
  }
};

/// Adds the row of a peer; `run` is given the data and writes to their output.
template <class Function, class Run>
void add_checked_row(unsigned mean, const std::string& peer, const Run& run) {
  const auto runs_right = [=] {
    interval_data& d = data_of(mean);
    clear(d.out);
    run(d);
    return d.out == d.*Function::expected;
  };
  const std::string name = std::string(Function::name) + "/mean_" + std::to_string(mean) + "/" + peer;
  add_row(name, runs_right, [=] { run(data_of(mean)); });
}

template <class Function, class Policy>
void add_policy(unsigned mean, const std::string& name, const Policy& policy) {
  add_checked_row<Function>(mean, "mgpu_" + name, [policy](interval_data& d) { Function::all(policy, d); });
}

template <class Function>
void add_function(unsigned mean) {
  add_checked_row<Function>(mean, "std", [](interval_data& d) {
    for (std::size_t i = 0; i < d.count(); ++i) Function::one(d, i);
  });
#ifdef MGPU_TEST_HAS_TBB
  add_policy<Function>(mean, "tbb", mgpu::tbb::par);
#endif
#ifdef MGPU_TEST_HAS_OMP
  add_checked_row<Function>(mean, "omp_loop", [](interval_data& d) {
#pragma omp parallel for
    for (std::size_t i = 0; i < d.count(); ++i) Function::one(d, i);
  });
  add_policy<Function>(mean, "omp", mgpu::omp::par);
#endif
  add_policy<Function>(mean, "cpp", mgpu::cpp::par);
}

void add_rows() {
  for (const unsigned mean : {10, 100, 1000}) {
    add_function<expand>(mean);
    add_function<gather>(mean);
  }
}

}  // namespace bench

int main(int argc, char** argv) { return bench::run_rows(argc, argv, bench::add_rows); }
