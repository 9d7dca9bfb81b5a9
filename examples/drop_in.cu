// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A drop-in for Thrust: the call stays thrust::merge_by_key, only the policy changes. Prints the time of both and compares
// their results.

#include "support/best_time.h"
#include "support/machine.h"

#include <mgpu/thrust_ext.h>

#include <thrust/device_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/sequence.h>
#include <thrust/transform.h>

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

/// What an application has today, with its policy as a parameter.
template <class Policy>
void merge_tables(const Policy& policy, const keys& a, const keys& b, const values& a_values, const values& b_values,
                  keys& keys_out, values& values_out) {
  thrust::merge_by_key(policy, a.begin(), a.end(), b.begin(), b.end(), a_values.begin(), b_values.begin(),
                       keys_out.begin(), values_out.begin());
}

}  // namespace

int main() {
  const std::uint32_t count = MGPU_CUDA_COMPILER ? 1u << 26 : 1u << 22;  // of each input
  const keys a = random_keys(count, 1), b = random_keys(count, 1u << 31);
  values a_values(count), b_values(count);
  thrust::sequence(a_values.begin(), a_values.end());
  thrust::sequence(b_values.begin(), b_values.end(), count);

  keys keys_out(2 * count), expected_keys(2 * count);
  values values_out(2 * count), expected_values(2 * count);
  const double thrust_seconds = best_seconds(
      7, [&] { merge_tables(machine::thrust_par, a, b, a_values, b_values, expected_keys, expected_values); });
  const double mgpu_seconds =
      best_seconds(7, [&] { merge_tables(machine::par, a, b, a_values, b_values, keys_out, values_out); });
  const bool is_equal = keys_out == expected_keys && values_out == expected_values;

  std::printf("thrust::merge_by_key of 2 x %u pairs on %s\n", count, machine::name().c_str());
  std::printf("  with Thrust's policy  %8.3f ms\n", thrust_seconds * 1e3);
  std::printf("  with mgpu's policy    %8.3f ms, %.2f times as fast, results %s\n", mgpu_seconds * 1e3,
              thrust_seconds / mgpu_seconds, is_equal ? "equal" : "DIFFERENT");
  return is_equal ? 0 : 1;
}
