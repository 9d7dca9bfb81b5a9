// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls with small arrays of u32 on the CPU: what it costs to begin with threads, and from which size on they help.
// Rows are <call>/<elements of an input>/<peer>. Calls follow one another, so threads of OpenMP may still spin when the
// next one begins. They take other random keys each time, as many as fit a cache, since a processor learns the branches
// of a short input that it sees again. A sort begins with a copy of its input. Peers:
//   mgpu_omp, mgpu_tbb, mgpu_cpp   the library
//   std                            std::, serial; of segments and of values a loop of its calls
//   std_par                        std:: with std::execution::par
//   gnu_parallel                   GNU's parallel mode

#include <support/host_row.h>

#include <mgpu/merge.h>
#include <mgpu/segmented_sort.h>
#include <mgpu/segments.h>
#include <mgpu/set_operations.h>
#include <mgpu/sort.h>
#include <mgpu/sorted_search.h>

namespace bench {

/// An input and the output of each call.
struct small_arrays {
  array a, b, unsorted, out;
};

struct small_data {
  const std::size_t& in;  // elements of an input
  std::vector<small_arrays> inputs;
  std::vector<std::ptrdiff_t> offsets;  // of segments of ten elements
  std::size_t next = 0;

  explicit small_data(const std::size_t& count) : in(count), inputs(std::clamp<std::size_t>(300'000 / count, 1, 1000)) {
    unsigned seed = 0;
    for (small_arrays& x : inputs) {
      x.a = sorted_keys(count, ++seed);
      x.b = sorted_keys(count, ++seed);
      x.unsorted = x.a;
      std::shuffle(x.unsorted.begin(), x.unsorted.end(), std::mt19937(seed));
      x.out.resize(2 * count);
    }
    for (std::size_t i = 0; i < count; i += 10) offsets.push_back(static_cast<std::ptrdiff_t>(i));
    offsets.push_back(static_cast<std::ptrdiff_t>(count));
  }

  std::ptrdiff_t segments() const { return static_cast<std::ptrdiff_t>(offsets.size()) - 1; }
  small_arrays& take() { return inputs[next = (next + 1) % inputs.size()]; }
};

/// Adds the row of a peer. call(arrays, data) writes to the arrays' output, as `expected` does.
template <class Expected, class Call>
void add_small_row(const std::string& name, const std::size_t& count, const std::string& peer, const Expected& expected,
                   const Call& call) {
  const auto measure = [&count, expected, call](benchmark::State& state) {
    auto& d = live_data_of<small_data>(count);
    small_arrays &x = d.inputs.front(), right = x;
    clear(x.out);
    clear(right.out);
    call(x, d);
    expected(right, d);
    if (x.out != right.out) return state.SkipWithError("the results differ from those of a serial computation");
    for (auto _ : state) {
      call(d.take(), d);
      benchmark::ClobberMemory();
    }
  };
  benchmark::RegisterBenchmark((name + "/" + std::to_string(count) + "/" + peer).c_str(), measure)
      ->UseRealTime()
      ->Unit(benchmark::kMicrosecond)
      ->MinTime(0.02)
      ->Repetitions(11)
      ->ReportAggregatesOnly();
}

#ifdef MGPU_TEST_HAS_OMP
namespace gnu = __gnu_parallel;
#else
namespace gnu = std;  // adds no rows
#endif

/// Adds the rows of a call with a policy.
template <class Expected, class Own>
void add_policies(const std::string& name, const std::size_t& count, const Expected& expected, const Own& own) {
  add_small_row(name, count, "std", expected, expected);
  for_each_policy([&](const std::string& system, const auto& policy) {
    add_small_row(name, count, "mgpu_" + system, expected, [own, policy](auto& x, auto& d) { own(policy, x, d); });
  });
}

/// Adds the rows of a call that std:: and GNU's parallel mode have, too. run(f, x, policy...) calls f with the policy.
template <class Run, class Std, class Gnu, class Own>
void add_algorithm(const std::string& name, const std::size_t& count, const Run& run, const Std& standard,
                   [[maybe_unused]] const Gnu& parallel, const Own& own) {
  const auto expected = [run, standard](auto& x, auto&) { run(standard, x); };
  add_policies(name, count, expected, [run, own](const auto& policy, auto& x, auto&) { run(own, x, policy); });
#ifdef MGPU_TEST_HAS_TBB
  add_small_row(name, count, "std_par", expected,
                [run, standard](auto& x, auto&) { run(standard, x, std::execution::par); });
#endif
#ifdef MGPU_TEST_HAS_OMP
  add_small_row(name, count, "gnu_parallel", expected, [run, parallel](auto& x, auto&) { run(parallel, x); });
#endif
}

void add_calls(const std::size_t& count) {
  const auto with_two_inputs = [](const auto& f, auto& x, const auto&... policy) {
    f(policy..., x.a.begin(), x.a.end(), x.b.begin(), x.b.end(), x.out.begin());
  };
  const auto with_copy = [](const auto& f, auto& x, const auto&... policy) {
    f(policy..., x.out.begin(), std::copy(x.unsorted.begin(), x.unsorted.end(), x.out.begin()));
  };
  add_algorithm(
      "merge", count, with_two_inputs, [](const auto&... x) { std::merge(x...); },
      [](const auto&... x) { gnu::merge(x...); }, [](const auto&... x) { mgpu::merge(x...); });
  add_algorithm(
      "set_union", count, with_two_inputs, [](const auto&... x) { std::set_union(x...); },
      [](const auto&... x) { gnu::set_union(x...); }, [](const auto&... x) { mgpu::set_union(x...); });
  add_algorithm(
      "stable_sort", count, with_copy, [](const auto&... x) { std::stable_sort(x...); },
      [](const auto&... x) { gnu::stable_sort(x...); }, [](const auto&... x) { mgpu::stable_sort(x...); });

  const auto sort_segments = [with_copy](auto& x, auto& d) {
    with_copy(
        [&d](auto first, auto) {
          for (std::size_t i = 1; i < d.offsets.size(); ++i) std::sort(first + d.offsets[i - 1], first + d.offsets[i]);
        },
        x);
  };
  add_policies("sort_of_segments_of_10", count, sort_segments, [with_copy](const auto& policy, auto& x, auto& d) {
    with_copy(
        [&](auto first, auto last) {
          mgpu::segmented_sort(policy, first, last, mgpu::segment_offsets(d.offsets.data(), d.segments()));
        },
        x);
  });

  const auto search = [](auto& x, auto&) {
    std::transform(x.b.begin(), x.b.end(), x.out.begin(), [&x](std::uint32_t value) {
      return static_cast<std::uint32_t>(std::lower_bound(x.a.begin(), x.a.end(), value) - x.a.begin());
    });
  };
  add_policies("lower_bound", count, search, [](const auto& policy, auto& x, auto&) {
    mgpu::lower_bound_sorted_values(policy, x.a.begin(), x.a.end(), x.b.begin(), x.b.end(), x.out.begin());
  });
}

void add_rows() {
  static constexpr std::size_t counts[] = {10, 1'000, 10'000, 30'000, 100'000, 300'000};
  for (const std::size_t& count : counts) add_calls(count);
}

}  // namespace bench

int main(int argc, char** argv) { return bench::run_rows(argc, argv, bench::add_rows); }
