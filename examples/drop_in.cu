// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A drop-in for Thrust: the calls stay thrust::merge_by_key and thrust::set_intersection_by_key, only the policy
// changes. Prints the times of both and compares their results.

#include "support/best_time.h"
#include "support/machine.h"

#include <mgpu/thrust_ext.h>

#include <thrust/device_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/merge.h>
#include <thrust/sequence.h>
#include <thrust/set_operations.h>
#include <thrust/transform.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace {

using keys = thrust::device_vector<std::uint32_t>;
using values = thrust::device_vector<std::uint32_t>;

/// Ascending keys with random gaps: the i-th is in [16 i, 16 i + 16).
struct random_gaps {
  std::uint32_t seed;
  MGPU_HOST_DEVICE std::uint32_t operator()(std::uint32_t i) const {
    std::uint32_t bits = (i + seed) * 2654435769u;
    bits = (bits ^ (bits >> 16)) * 2246822507u;
    bits = (bits ^ (bits >> 13)) * 3266489909u;
    return 16 * i + (bits >> 28);
  }
};

keys random_keys(std::uint32_t count, std::uint32_t seed) {
  keys made(count);
  const thrust::counting_iterator<std::uint32_t> first(0);
  thrust::transform(first, first + count, made.begin(), random_gaps{seed});
  return made;
}

/// Two tables of an application, and what it makes of them.
struct tables {
  keys a, b;
  values a_values, b_values;

  explicit tables(std::uint32_t count)
      : a(random_keys(count, 1)), b(random_keys(count, 1u << 31)), a_values(count), b_values(count) {
    thrust::sequence(a_values.begin(), a_values.end());
    thrust::sequence(b_values.begin(), b_values.end(), count);
  }
};

struct result {
  keys keys_out;
  values values_out;

  explicit result(std::size_t count) : keys_out(count), values_out(count) {}
  bool operator==(const result& other) const { return keys_out == other.keys_out && values_out == other.values_out; }
};

// What the application calls today, with its policy as a parameter.

struct merge_tables {
  static constexpr const char* name = "thrust::merge_by_key";
  template <class Policy>
  void operator()(const Policy& policy, const tables& t, result& out) const {
    thrust::merge_by_key(policy, t.a.begin(), t.a.end(), t.b.begin(), t.b.end(), t.a_values.begin(), t.b_values.begin(),
                         out.keys_out.begin(), out.values_out.begin());
  }
};

struct intersect_tables {
  static constexpr const char* name = "thrust::set_intersection_by_key";
  template <class Policy>
  void operator()(const Policy& policy, const tables& t, result& out) const {
    thrust::set_intersection_by_key(policy, t.a.begin(), t.a.end(), t.b.begin(), t.b.end(), t.a_values.begin(),
                                    out.keys_out.begin(), out.values_out.begin());
  }
};

template <class Call>
bool compare_policies(const Call& call, const tables& t) {
  const std::size_t count = t.a.size();
  result expected(2 * count), got(2 * count);
  const double thrust_seconds = best_seconds(7, [&] { call(machine::thrust_par, t, expected); });
  const double mgpu_seconds = best_seconds(7, [&] { call(machine::par, t, got); });
  const bool is_equal = got == expected;
  std::printf("%s of 2 x %zu pairs on %s\n", Call::name, count, machine::name().c_str());
  std::printf("  with Thrust's policy  %8.3f ms\n", thrust_seconds * 1e3);
  std::printf("  with mgpu's policy    %8.3f ms, results %s\n", mgpu_seconds * 1e3, is_equal ? "equal" : "DIFFERENT");
  return is_equal;
}

}  // namespace

int main() {
  const tables t(MGPU_CUDA_COMPILER ? 1u << 26 : 1u << 22);
  const bool merges_alike = compare_policies(merge_tables{}, t);
  const bool intersects_alike = compare_policies(intersect_tables{}, t);
  return merges_alike && intersects_alike ? 0 : 1;
}
