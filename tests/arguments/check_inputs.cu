// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// With MGPU_CHECK_INPUTS calls refuse inputs that are not in order, and say where. See tests/link for both kinds in one
// program.
#define MGPU_CHECK_INPUTS
#include "positions_at_the_end.h"
#include "support/arrays.h"

#include <doctest/doctest.h>

#include <mgpu/mgpu.h>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/reverse_iterator.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#ifdef MGPU_TEST_CUDA
#include "support/cuda.h"

static int pageable_memory_access = -1;  // what the device is said to have; -1: what it has

extern "C" {
cudaError_t __real_cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
cudaError_t __wrap_cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  if (attribute != cudaDevAttrPageableMemoryAccess || pageable_memory_access == -1)
    return __real_cudaDeviceGetAttribute(value, attribute, device);
  return *value = pageable_memory_access, cudaSuccess;
}
}
#endif

namespace {

using namespace test;
using numbers = std::vector<int>;

/// What the call throws as std::invalid_argument, or nothing.
template <class F>
std::string complaint(const F& f) {
  try {
    f();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

bool says(const std::string& message, const std::string& what, int position) {
  return message.find("mgpu: " + what) == 0 && message.find("element " + std::to_string(position)) != message.npos;
}

numbers ascending(int count) {
  numbers x(static_cast<std::size_t>(count));
  std::iota(x.begin(), x.end(), 0);
  return x;
}
/// 0, 1, 2, ... but with `value` at `position`.
numbers ascending_but(int count, int position, int value) {
  numbers x = ascending(count);
  x[static_cast<std::size_t>(position)] = value;
  return x;
}

/// What a call throws if one argument overlaps another one.
std::string overlap(const std::string& written, const std::string& other) {
  return "mgpu: " + written + " overlaps " + other;
}

#ifdef MGPU_TEST_CUDA
/// Only the GPU can say whether its inputs are sorted.
struct own_less {
  __device__ bool operator()(int x, int y) const { return x < y; }
};
#else
using own_less = std::less<int>;
#endif

/// Takes an element of each input, and no two of one.
struct of_two_inputs {
  MGPU_HOST_DEVICE bool operator()(const long& x, const int& y) const { return x < y; }
  bool operator()(const int&, const int&) const = delete;
  bool operator()(const long&, const long&) const = delete;
};

constexpr int count = 5000;

/// f(a, b, values, out, size_out, executor): pointers to the executor's memory. Returns what it throws; then nothing is
/// written.
template <class F>
std::string run(const numbers& a, const numbers& b, const F& f) {
  std::string message;
  bool is_first = true;
  for_each_executor([&](auto executor) {
    using executor_type = decltype(executor);
    INFO(executor.name);
    const input<executor_type, int> a_in(a), b_in(b);
    const output<executor_type, int> out(static_cast<offset>(a.size() + b.size())),
        values(static_cast<offset>(a.size() + b.size()));
    const output<executor_type, offset> size_out(1);
    const auto told = complaint([&] { f(executor, a_in, b_in, out.begin(), values.begin(), size_out.begin()); });
    CHECK((is_first || told == message));
    CHECK((told.empty() || (out.untouched() && values.untouched() && size_out.untouched())));
    CHECK(a_in.unchanged());
    CHECK(b_in.unchanged());
    message = told;
    is_first = false;
  });
  return message;
}

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

TEST_CASE("merges and set operations whose outputs overlap something") {
  const numbers a{1, 3, 3, 8, 9, 9, 12, 15}, b{2, 3, 9, 20};
  const auto merge_to = [&](const auto& place) {
    return run(a, b, [&](auto e, const auto& x, const auto& y, int* out, int*, offset*) {
      mgpu::merge(e.policy(), x.begin(), x.end(), y.begin(), y.end(), place(x, y, out));
    });
  };
  CHECK(merge_to([](const auto&, const auto&, int* out) { return out; }).empty());
  CHECK(merge_to([](const auto& x, const auto&, int*) { return x.begin(); }) == overlap("the output of the keys", "a"));
  CHECK(merge_to([](const auto& x, const auto&, int*) { return x.end() - 1; }) ==
        overlap("the output of the keys", "a"));
  CHECK(merge_to([](const auto&, const auto& y, int*) { return y.begin() + 1; }) ==
        overlap("the output of the keys", "b"));
  const auto merge_by_key_to = [&](const auto& f) {
    return run(a, b, [&](auto e, const auto& x, const auto& y, int* out, int* values, offset*) {
      const auto call = [&](int* keys_out, int* values_out) {
        mgpu::merge_by_key(e.policy(), x.begin(), x.end(), y.begin(), y.end(), out, out + 8, keys_out, values_out);
      };
      f(call, x, y, out, values);
    });
  };
  CHECK(merge_by_key_to([](const auto& call, const auto&, const auto&, int* out, int* values) {
          call(out + 7, values);
        }) == overlap("the output of the keys", "the values of a"));
  CHECK(merge_by_key_to([](const auto& call, const auto&, const auto& y, int*, int* values) {
          call(values, y.end() - 1);
        }) == overlap("the output of the values", "b"));
  CHECK(merge_by_key_to([](const auto& call, const auto&, const auto&, int*, int* values) { call(values, values); }) ==
        overlap("the output of the keys", "the output of the values"));

  CHECK(run(a, b, [](auto e, const auto& x, const auto& y, int*, int*, offset*) {
          mgpu::set_union(e.policy(), x.begin(), x.end(), y.begin(), y.end(), x.begin());
        }) == overlap("the output of the keys", "a"));
  CHECK(run(a, b, [](auto e, const auto& x, const auto& y, int*, int*, offset*) {
          mgpu::set_difference(e.policy(), x.begin(), x.end(), y.begin(), y.end(), x.begin() + 1);
        }) == overlap("the output of the keys", "a"));
  CHECK(run(a, b, [](auto e, const auto& x, const auto& y, int*, int*, offset* size) {
          mgpu::set_intersection_into(e.policy(), x.begin(), x.end(), y.begin(), y.end(), y.begin(), size);
        }) == overlap("the output of the keys", "b"));
  CHECK(run(a, b, [](auto e, const auto& x, const auto& y, int*, int* values, offset*) {
          mgpu::set_difference_by_key(e.policy(), x.begin(), x.end(), y.begin(), y.end(), x.begin(), y.begin(),
                                      x.begin(), values);
        }) == overlap("the output of the keys", "a"));
}

TEST_CASE("a difference and an intersection over their first input") {
  for_each_executor([](auto executor) {
    using executor_type = decltype(executor);
    const input<executor_type, offset> b({2, 3, 9});
    const auto write_over = [&](const auto& call, const std::vector<offset>& expected) {
      const output<executor_type, offset> a(5), size(1);
      const std::vector<offset> keys{1, 3, 3, 8, 9};
      executor.copy_in(a.begin(), keys.data(), keys.size() * sizeof(offset));
      CHECK(complaint([&] { call(a, size); }).empty());
      CHECK(size.first_difference({static_cast<offset>(expected.size())}) == -1);
      std::vector<offset> found(expected.size());
      executor.copy_out(found.data(), a.begin(), found.size() * sizeof(offset));
      CHECK(found == expected);
    };
    write_over(
        [&](const auto& a, const auto& size) {
          mgpu::set_difference_into(executor.policy(), a.begin(), a.end(), b.begin(), b.end(), a.begin(), size.begin());
        },
        {1, 3, 8});
    write_over(
        [&](const auto& a, const auto& size) {
          mgpu::set_intersection_into(executor.policy(), a.begin(), a.end(), b.begin(), b.end(), a.begin(),
                                      size.begin());
        },
        {3, 9});
    const output<executor_type, offset> out(3);
    CHECK(complaint([&] {
            mgpu::set_union_into(executor.policy(), b.begin(), b.end(), b.begin(), b.begin(), out.begin(),
                                 out.begin() + 2);
          }) == overlap("the output of the size", "the output of the keys"));
    CHECK(out.untouched());
  });
}

TEST_CASE("sorts and merges of runs whose arrays overlap something") {
  const numbers keys{3, 1, 2, 5, 4, 6}, offsets{0, 3, 6};
  const auto check_sort = [&](const auto& sort) {
    CHECK(run(keys, offsets, [&](auto e, const auto& x, const auto& y, int*, int*, offset*) {
            sort(e.policy(), x.begin(), x.end() - 2, x.begin() + 3, y);
          }) == overlap("the array of values", "the array of keys"));
  };
  check_sort([](const auto& p, int* first, int* last, int* values, const auto&) {
    mgpu::stable_sort_by_key(p, first, last, values);
  });
  check_sort([](const auto& p, int* first, int* last, int* values, const auto&) {
    mgpu::stable_sort_by_key(p, first, last, values, own_less{});
  });
  check_sort([](const auto& p, int* first, int* last, int* values, const auto&) {
    mgpu::locality_sort_by_key(p, first, last, values);
  });
  check_sort([](const auto& p, int* first, int* last, int* values, const auto&) {
    mgpu::odd_even_merge_sort_by_key(p, first, last, values);
  });
  check_sort([](const auto& p, int* first, int* last, int* values, const auto& offsets_in) {
    mgpu::segmented_sort_by_key(p, first, last, values, mgpu::segment_offsets(offsets_in.begin(), 1));
  });

  const numbers runs{1, 5, 9, 2, 3, 3};
  const auto merges_to = [&](const auto& place) {
    return run(runs, offsets, [&](auto e, const auto& x, const auto& y, int* out, int*, offset*) {
      mgpu::merge_runs(e.policy(), x.begin(), x.end(), mgpu::run_offsets(y.begin(), 2), place(x, y, out));
    });
  };
  CHECK(merges_to([](const auto&, const auto&, int* out) { return out; }).empty());
  CHECK(merges_to([](const auto& x, const auto&, int*) { return x.begin(); }) ==
        overlap("the output of the keys", "the array of keys"));
  CHECK(merges_to([](const auto&, const auto& y, int*) { return y.end() - 1; }) ==
        overlap("the output of the keys", "the offsets of the runs"));
}

TEST_CASE("intervals, searches and joins whose outputs overlap something") {
  const numbers x{0, 0, 3, 9}, y{1, 3, 3, 5, 7, 8, 9, 10, 11, 12};
  using mgpu::interval_offsets;
  const auto check = [&](const std::string& expected, const auto& f) { CHECK(run(x, y, f) == expected); };
  check(overlap("the output", "the values"), [](auto e, const auto& a, const auto& b, int*, int*, offset*) {
    mgpu::interval_expand(e.policy(), interval_offsets(a.begin(), 4, 10), b.begin(), b.begin());
  });
  check(overlap("the output", "the offsets of the intervals"),
        [](auto e, const auto& a, const auto& b, int*, int*, offset*) {
          mgpu::interval_expand(e.policy(), interval_offsets(a.begin(), 4, 10), b.begin(), a.end() - 1);
        });
  check(overlap("the output", "gather"), [](auto e, const auto& a, const auto& b, int* out, int*, offset*) {
    mgpu::interval_gather(e.policy(), interval_offsets(a.begin(), 4, 10), b.begin(), out, b.begin() + 3);
  });
  check(overlap("the output", "the range"), [](auto e, const auto& a, const auto& b, int*, int*, offset*) {
    mgpu::lower_bound_sorted_values(e.policy(), a.begin(), a.end(), b.begin(), b.end(), a.begin());
  });
  check(overlap("the output", "the values"), [](auto e, const auto& a, const auto& b, int*, int*, offset*) {
    mgpu::upper_bound_sorted_values(e.policy(), a.begin(), a.end(), b.begin(), b.end(), b.begin());
  });
  check(overlap("the output of left rows", "left"), [](auto e, const auto& a, const auto& b, int* out, int*, offset*) {
    mgpu::inner_join(e.policy(), a.begin(), a.end(), b.begin(), b.end(), a.begin(), out);
  });
  check(overlap("the output of right rows", "right"),
        [](auto e, const auto& a, const auto& b, int* out, int*, offset*) {
          mgpu::full_join(e.policy(), a.begin(), a.end(), b.begin(), b.end(), out, b.end() - 1);
        });
  check(overlap("the output of left rows", "the output of right rows"),
        [](auto e, const auto& a, const auto& b, int* out, int*, offset*) {
          mgpu::inner_join(e.policy(), a.begin(), a.end(), b.begin(), b.end(), out, out + 2);  // 3 rows
        });
  check({}, [](auto e, const auto& a, const auto& b, int* out, int*, offset*) {  // no rows
    mgpu::inner_join(e.policy(), a.begin(), a.begin() + 2, b.begin(), b.end(), a.begin() + 1, out);
    mgpu::inner_join(e.policy(), a.begin(), a.begin() + 2, b.begin(), b.end(), out, out);
  });
  check(overlap("the output of left rows", "the output of right rows"),
        [](auto e, const auto& a, const auto& b, int* out, int*, offset* size) {
          mgpu::left_join_into(e.policy(), a.begin(), a.end(), b.begin(), b.end(), out, out + 6, 7, size);
        });
  check(overlap("the output", "left"), [](auto e, const auto& a, const auto& b, int*, int*, offset*) {
    mgpu::semi_join(e.policy(), a.begin(), a.end(), b.begin(), b.end(), a.begin());
  });
  check(overlap("the output", "right"), [](auto e, const auto& a, const auto& b, int*, int*, offset*) {
    mgpu::as_of_join(e.policy(), a.begin(), a.end(), b.begin(), b.end(), b.begin() + 2, mgpu::backward);
  });
}

#ifdef MGPU_TEST_CUDA
TEST_CASE("memory of the host, on a device that cannot access it") {
  pageable_memory_access = 0;
  numbers host{0, 3, 3, 8};
  std::vector<offset> host_rows(8);
  offset host_size = 0;
  const input<cuda_executor, int> x(host);
  const output<cuda_executor, int> out(8), values(8);
  const output<cuda_executor, offset> size(1);
  const auto& p = mgpu::par;
  const auto& late = mgpu::par_nosync;
  const auto refused = [](const std::string& name, const auto& call) {
    INFO(name);
    CHECK(complaint(call).find("mgpu: " + name + " lies in memory of the host") == 0);
  };
  refused("a", [&] { mgpu::merge(p, host.begin(), host.end(), x.begin(), x.end(), out.begin()); });
  refused("b", [&] { mgpu::merge(late, x.begin(), x.end(), host.cbegin(), host.cend(), out.begin()); });
  refused("the output of the keys", [&] { mgpu::merge(p, x.begin(), x.end(), x.begin(), x.end(), host_rows.begin()); });
  refused("the values of b", [&] {
    mgpu::merge_by_key(p, x.begin(), x.end(), x.begin(), x.end(), x.begin(), host.data(), out.begin(), values.begin());
  });
  refused("a", [&] { mgpu::set_union_size(p, host.begin(), host.end(), x.begin(), x.end()); });
  refused("the output of the size",
          [&] { mgpu::set_union_into(late, x.begin(), x.end(), x.begin(), x.end(), out.begin(), &host_size); });
  refused("the array of keys", [&] { mgpu::stable_sort(p, host.begin(), host.end()); });
  refused("the array of keys", [&] { mgpu::stable_sort(p, host.begin(), host.end(), own_less{}); });
  refused("the array of keys", [&] { mgpu::odd_even_merge_sort(p, host.begin(), host.end()); });
  refused("the array of values", [&] { mgpu::locality_sort_by_key(p, out.begin(), out.begin() + 4, host.begin()); });
  refused("the segment heads", [&] {
    mgpu::segmented_sort(p, out.begin(), out.end(), mgpu::segment_heads(host.begin(), host.begin() + 2));
  });
  refused("the segments' offsets",
          [&] { mgpu::segmented_sort(p, out.begin(), out.end(), mgpu::segment_offsets(host.begin(), 3)); });
  refused("the offsets of the runs",
          [&] { mgpu::merge_runs(p, x.begin(), x.end(), mgpu::run_offsets(host.begin(), 3), out.begin()); });
  refused("the offsets of the intervals",
          [&] { mgpu::interval_expand(p, mgpu::interval_offsets(host.begin(), 4, 8), x.begin(), out.begin()); });
  refused("the counts of the intervals",
          [&] { mgpu::interval_expand(p, mgpu::interval_counts(host.begin(), host.end()), x.begin(), out.begin()); });
  refused("gather", [&] {
    mgpu::interval_gather(p, mgpu::interval_offsets(x.begin(), 4, 8), host.begin(), x.begin(), out.begin());
  });
  refused("the values",
          [&] { mgpu::lower_bound_sorted_values(p, x.begin(), x.end(), host.begin(), host.end(), out.begin()); });
  refused("left", [&] { mgpu::inner_join_size(p, host.begin(), host.end(), x.begin(), x.end()); });
  refused("the output of left rows",
          [&] { mgpu::inner_join(p, x.begin(), x.end(), x.begin(), x.end(), host_rows.begin(), out.begin()); });
  refused("the output of the size", [&] {
    mgpu::full_join_into(late, x.begin(), x.end(), x.begin(), x.end(), out.begin(), values.begin(), 8, &host_size);
  });
  CHECK(out.untouched());
  CHECK(values.untouched());
  CHECK(host == numbers{0, 3, 3, 8});
  pageable_memory_access = -1;
}

TEST_CASE("memory of the host that the device can access") {
  const numbers keys{0, 3, 3, 8}, merged{0, 0, 3, 3, 3, 3, 8, 8};
  const auto check = [&](int* memory) {
    std::copy(keys.begin(), keys.end(), memory);
    pageable_memory_access = 0;
    CHECK(complaint([&] { mgpu::merge(mgpu::par, memory, memory + 4, memory, memory + 4, memory + 4); }).empty());
    pageable_memory_access = -1;
    CHECK(numbers(memory + 4, memory + 12) == merged);
  };
  int* memory = nullptr;
  require_cuda(cudaMallocManaged(&memory, 12 * sizeof(int)));
  check(memory);
  require_cuda(cudaFree(memory));
  require_cuda(cudaHostAlloc(&memory, 12 * sizeof(int), cudaHostAllocDefault));
  check(memory);
  require_cuda(cudaFreeHost(memory));
  if (device_attribute(cudaDevAttrPageableMemoryAccess) != 0) {
    numbers out(8);
    mgpu::merge(mgpu::par, keys.begin(), keys.end(), keys.begin(), keys.end(), out.begin());
    CHECK(out == merged);
  }
}

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
