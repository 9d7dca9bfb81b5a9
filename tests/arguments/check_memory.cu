// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// With MGPU_CHECK_INPUTS calls refuse memory of the host under a policy of the GPU, and outputs that overlap an input
// or another output.
#define MGPU_CHECK_INPUTS
#include "checked_calls.h"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/reverse_iterator.h>

#include <algorithm>

namespace {

using namespace test;

/// What a call throws if one argument overlaps another one.
std::string overlap(const std::string& written, const std::string& other) {
  return "mgpu: " + written + " overlaps " + other;
}

}  // namespace

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
static int pageable_memory_access = -1;  // what the device is said to have; -1: what it has

extern "C" {
cudaError_t __real_cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
cudaError_t __wrap_cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  if (attribute != cudaDevAttrPageableMemoryAccess || pageable_memory_access == -1)
    return __real_cudaDeviceGetAttribute(value, attribute, device);
  return *value = pageable_memory_access, cudaSuccess;
}
}

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
#endif
