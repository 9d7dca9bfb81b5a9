// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// With MGPU_CHECK_INPUTS calls refuse inputs that are not in order, and say where. See tests/link for both kinds in one
// program.
#define MGPU_CHECK_INPUTS
#include "checked_calls.h"
#include "positions_at_the_end.h"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/reverse_iterator.h>

#include <algorithm>

namespace {

using namespace test;

constexpr int count = 5000;

bool says(const std::string& message, const std::string& what, int position) {
  return message.find("mgpu: " + what) == 0 && message.find("element " + std::to_string(position)) != message.npos;
}

/// 0, 1, 2, ... but with `value` at `position`.
numbers ascending_but(int count, int position, int value) {
  numbers x = ascending(count);
  x[static_cast<std::size_t>(position)] = value;
  return x;
}

/// Takes an element of each input, and no two of one.
struct of_two_inputs {
  MGPU_HOST_DEVICE bool operator()(const long& x, const int& y) const { return x < y; }
  bool operator()(const int&, const int&) const = delete;
  bool operator()(const long&, const long&) const = delete;
};

const auto merges = [](auto executor, const auto& a, const auto& b, int* out, int*, offset*) {
  mgpu::merge(executor.policy(), a.begin(), a.end(), b.begin(), b.end(), out, own_less{});
};
const auto merges_by_key = [](auto executor, const auto& a, const auto& b, int* out, int* values, offset*) {
  mgpu::merge_by_key(executor.policy(), a.begin(), a.end(), b.begin(), b.end(), a.begin(), b.begin(), out, values);
};

}  // namespace

TEST_CASE("merges of inputs that are not sorted") {
  CHECK(run(ascending(count), ascending(7), merges).empty());
  CHECK(run(ascending(count), {}, merges).empty());
  CHECK(run({3, 3, 3}, {3, 3}, merges_by_key).empty());
  CHECK(says(run(ascending_but(count, 4321, 5), ascending(7), merges), "a is not sorted", 4321));
  CHECK(says(run(ascending(count), ascending_but(9, 1, -1), merges), "b is not sorted", 1));
  CHECK(says(run(ascending_but(count, 10, count), numbers{1, 0}, merges_by_key), "a is not sorted", 11));
  numbers reversed = ascending(count);
  std::reverse(reversed.begin(), reversed.end());
  CHECK(says(run({}, reversed, merges_by_key), "b is not sorted", 1));
}

TEST_CASE("searches and joins of inputs that are not sorted") {
  const auto searches = [](auto executor, const auto& a, const auto& b, int* out, int*, offset*) {
    mgpu::lower_bound_sorted_values(executor.policy(), a.begin(), a.end(), b.begin(), b.end(), out, own_less{});
  };
  const auto joins = [](auto executor, const auto& a, const auto& b, int* out, int* values, offset* size) {
    mgpu::full_join_into(executor.policy(), a.begin(), a.end(), b.begin(), b.end(), out, values, 10, size);
  };
  const auto disordered = ascending_but(count, 4321, 5);
  CHECK(run(ascending(count), ascending(7), searches).empty());
  CHECK(run(ascending(count), ascending(7), joins).empty());
  CHECK(says(run(disordered, ascending(7), searches), "the range is not sorted", 4321));
  CHECK(says(run(ascending(7), disordered, searches), "the range of values is not sorted", 4321));
  CHECK(says(run(disordered, ascending(7), joins), "left is not sorted", 4321));
  CHECK(says(run(ascending(7), disordered, joins), "right is not sorted", 4321));
}

TEST_CASE("set operations of inputs that are not sorted, or not unique as promised") {
  const auto disordered = ascending_but(count, count - 1, 0), repeated = ascending_but(count, 100, 99);
  const auto check = [&](const auto& f, const auto& f_unique) {
    CHECK(run(ascending(count), repeated, f).empty());
    CHECK(run(ascending(count), ascending(9), f_unique).empty());
    CHECK(says(run(disordered, ascending(9), f), "a is not sorted", count - 1));
    CHECK(says(run(ascending(9), disordered, f_unique), "b is not sorted", count - 1));
    CHECK(says(run(ascending(9), repeated, f_unique), "b has equal keys", 100));
  };
  check([](auto e, const auto& a, const auto& b, int* out, int*,
           offset*) { mgpu::set_union(e.policy(), a.begin(), a.end(), b.begin(), b.end(), out, own_less{}); },
        [](auto e, const auto& a, const auto& b, int* out, int*, offset*) {
          mgpu::set_intersection(e.policy(), a.begin(), a.end(), b.begin(), b.end(), out, mgpu::unique_keys);
        });
  check([](auto e, const auto& a, const auto& b, int*, int*,
           offset*) { mgpu::set_difference_size(e.policy(), a.begin(), a.end(), b.begin(), b.end()); },
        [](auto e, const auto& a, const auto& b, int* out, int* values, offset* size) {
          mgpu::set_symmetric_difference_by_key_into(e.policy(), a.begin(), a.end(), b.begin(), b.end(), a.begin(),
                                                     b.begin(), out, values, size, own_less{}, mgpu::unique_keys);
        });
  // An intersection with nothing is empty whatever the other input is, and still checked.
  CHECK(says(run({}, disordered,
                 [](auto e, const auto& a, const auto& b, int* out, int*, offset*) {
                   mgpu::set_intersection(e.policy(), a.begin(), a.end(), b.begin(), b.end(), out);
                 }),
             "b is not sorted", count - 1));
}

TEST_CASE("inputs by other iterators, and a comparator that takes no two elements of one input") {
  const auto from_counting = [](auto e, const auto& a, const auto&, int* out, int*, offset*) {
    const thrust::counting_iterator<int> b(0);
    mgpu::merge(e.policy(), thrust::make_reverse_iterator(a.end()), thrust::make_reverse_iterator(a.begin()), b, b + 1,
                out, cuda::std::greater<>{});
  };
  CHECK(run(ascending(50), {0}, from_counting).empty());
  CHECK(says(run(ascending_but(50, 20, 99), {0}, from_counting), "a is not sorted", 29));
  CHECK(run({2, 1}, {0}, [](auto e, const auto& a, const auto&, int* out, int*, offset*) {
          const thrust::counting_iterator<long> b(0);
          mgpu::merge(e.policy(), a.begin(), a.end(), b, b + 1, out, of_two_inputs{});
        }).empty());
}

TEST_CASE("segments that do not ascend") {
  const auto sorts = [](const auto& make) {
    return [&make](auto executor, const auto& a, const auto&, int* out, int*, offset*) {
      mgpu::segmented_sort(executor.policy(), out, out + 1000, make(a));
    };
  };
  const auto heads = [](const auto& a) { return mgpu::segment_heads(a.begin(), a.end()); };
  const auto offsets = [](const auto& a) {
    return mgpu::segment_offsets(a.begin(), static_cast<offset>(a.end() - a.begin()) - 1);
  };
  const auto gaps = [](const auto& a) {
    const auto segments = static_cast<offset>(a.end() - a.begin()) / 2;
    return mgpu::segment_offsets(a.begin(), a.begin() + segments, segments);
  };
  const numbers room(1000);
  CHECK(run({0, 5, 5, 999}, room, sorts(heads)).empty());
  CHECK(run({0, 5, 1000, 1000}, room, sorts(heads)).empty());
  CHECK(says(run({0, 5, 1001}, room, sorts(heads)), "the segment heads", 2));
  CHECK(says(run({0, 5, 1000, 999}, room, sorts(heads)), "the segment heads", 3));
  CHECK(says(run({0, 9, 5, 3}, room, sorts(heads)), "the segment heads", 2));
  CHECK(says(run({-1, 9}, room, sorts(heads)), "the segment heads", 0));
  CHECK(run({3, 5, 5, 1000}, room, sorts(offsets)).empty());
  CHECK(says(run({3, 5, 4, 1000}, room, sorts(offsets)), "the segments' offsets", 2));
  CHECK(says(run({3, 5, 1001}, room, sorts(offsets)), "the segments' offsets", 2));
  CHECK(run({0, 7, 7, 1000}, room, sorts(gaps)).empty());
  CHECK(says(run({0, 7, 8, 1000}, room, sorts(gaps)), "the segments' begins and ends", 2));
}

TEST_CASE("offsets that are no scan") {
  const auto expands = [](auto executor, const auto& a, const auto& b, int* out, int*, offset*) {
    const auto intervals = mgpu::interval_offsets(a.begin(), static_cast<offset>(a.end() - a.begin()), 10);
    mgpu::interval_expand(executor.policy(), intervals, b.begin(), out);
  };
  const numbers values(20, 1);
  CHECK(run({0, 0, 3, 10}, values, expands).empty());
  CHECK(says(run({1, 2, 3}, values, expands), "the offsets of the intervals", 0));
  CHECK(says(run({0, 4, 3}, values, expands), "the offsets of the intervals", 2));
  CHECK(says(run({0, 4, 11}, values, expands), "the offsets of the intervals", 2));
}

TEST_CASE("runs that are not sorted, and offsets that are not those of runs") {
  const auto merges = [](auto executor, const auto& a, const auto& b, int* out, int*, offset*) {
    const mgpu::run_offsets runs(b.begin(), static_cast<offset>(b.end() - b.begin()) - 1);
    mgpu::merge_runs(executor.policy(), a.begin(), a.end(), runs, out);
  };
  const numbers two_runs{1, 5, 9, 2, 3, 3};
  CHECK(run(two_runs, {0, 3, 6}, merges).empty());
  CHECK(run(two_runs, {0, 0, 3, 3, 6, 6}, merges).empty());
  CHECK(says(run(two_runs, {0, 4, 6}, merges), "a run is not sorted", 3));
  CHECK(says(run(two_runs, {0, 6}, merges), "a run is not sorted", 3));
  CHECK(run(two_runs, {0, 4, 3, 6}, merges).find("see elements 1 and 2") != std::string::npos);
  CHECK(run(two_runs, {0, 3, 5}, merges).find("see elements 1 and 2") != std::string::npos);
  CHECK(run(two_runs, {1, 3, 6}, merges).find("see elements 0 and 1") != std::string::npos);
}

TEST_CASE("runs of their own that are not sorted, and lengths that are no parts of the total") {
  for_each_executor([](auto executor) {
    using executor_type = decltype(executor);
    const input<executor_type, int> a(numbers{1, 5, 9}), b(numbers{4, 3});
    const input<executor_type, const int*> begins({a.begin(), b.begin(), a.begin()});
    const output<executor_type, int> out(6);
    const auto merge = [&](const numbers& lengths) {
      const input<executor_type, int> lengths_in(lengths);
      return complaint([&] {
        mgpu::merge_runs(executor.policy(), mgpu::run_ranges(begins.begin(), lengths_in.begin(), 3, 6), out.begin());
      });
    };
    CHECK(merge({3, 2, 1}) == "mgpu: run 1 is not sorted");
    CHECK(merge({3, 2, 2}).find("mgpu: a length of a run") == 0);
    CHECK(merge({3, -1, 3}).find("mgpu: a length of a run") == 0);
    CHECK(out.untouched());
    CHECK(merge({3, 1, 2}).empty());
    CHECK(out.first_difference({1, 1, 4, 5, 5, 9}) == -1);
  });
}

TEST_CASE("sorts of whole arrays have nothing to check") {
  for_each_executor([](auto executor) {
    const input<decltype(executor), int> keys(numbers{3, 1, 2});
    mgpu::locality_sort(executor.policy(), keys.begin(), keys.end());
    mgpu::odd_even_merge_sort(executor.policy(), keys.begin(), keys.end());
    numbers sorted(3);
    executor.copy_out(sorted.data(), keys.begin(), 3 * sizeof(int));
    CHECK(sorted == numbers{1, 2, 3});
  });
}

#ifdef MGPU_TEST_CUDA
TEST_CASE("a policy that does not wait finds them, too") {
  const stream s;
  const auto merges_late = [&](auto, const auto& a, const auto& b, int* out, int*, offset*) {
    mgpu::merge(mgpu::par_nosync.on(s), a.begin(), a.end(), b.begin(), b.end(), out);
    s.wait();
  };
  CHECK(says(run(ascending_but(count, 4321, 5), ascending(7), merges_late), "a is not sorted", 4321));
  CHECK(run(ascending(count), ascending(7), merges_late).empty());
}

TEST_CASE("a capture is refused, and goes on") {
  const stream s;
  const input<cuda_executor, int> a(ascending(count)), b(ascending(count));
  const output<cuda_executor, int> out(2 * count);
  const graph captured(s, [&] {
    CHECK_THROWS_AS(mgpu::merge(mgpu::par_nosync.on(s), a.begin(), a.end(), b.begin(), b.end(), out.begin()),
                    std::logic_error);
    require_cuda(cudaMemsetAsync(out.begin(), 0, 2 * count * sizeof(int), s));
  });
  require_cuda(cudaDeviceSynchronize());  // the stream does not wait for the copy that filled `out`
  captured.launch(s);
  s.wait();
  CHECK(out.first_difference(numbers(2 * count, 0)) == -1);
}
#endif
