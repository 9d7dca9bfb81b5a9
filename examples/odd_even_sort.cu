// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// odd_even_sort [N]: sorts N random ints by odd_even_merge_sort and by std::sort, compares the results and prints the
// time; on a GPU, which the network is for, the times of both and their ratio. Without N it sorts 10 million, on the
// CPU 1 million. The experiment is that of "Parallel Sorting on GPU: Part 2", which sorts 1,000,000,000 ints so and
// counts the copies to the GPU and back.

#include "support/machine.h"
#include "support/text_lines.h"

#include <mgpu/odd_even_merge_sort.h>

#include <thrust/copy.h>
#include <thrust/device_vector.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <random>
#include <stdexcept>
#include <system_error>
#include <vector>

namespace {

// [snippet: odd_even_sort]
/// Ascending; the array is all the memory it takes.
void sort_in_place(thrust::device_vector<int>& keys) {
  mgpu::odd_even_merge_sort(machine::par, keys.begin(), keys.end());
}
// [end]

/// Seconds of a call that has finished when it returns.
template <class Call>
double seconds_of(Call&& call) {
  using clock = std::chrono::steady_clock;
  const auto begin = clock::now();
  call();
  return std::chrono::duration<double>(clock::now() - begin).count();
}

/// Whether all of `text` is the number of elements of an array.
bool parse_count(const char* text, std::ptrdiff_t& count) {
  const char* const last = text + std::strlen(text);
  const auto [end, error] = std::from_chars(text, last, count);
  return error == std::errc{} && end == last && count > 0;
}

std::vector<int> random_ints(std::ptrdiff_t count) {
  std::mt19937 random(1);
  std::vector<int> made(static_cast<std::size_t>(count));
  std::generate(made.begin(), made.end(), [&] { return static_cast<int>(random()); });
  return made;
}

void sort_both_ways(std::ptrdiff_t count) {
  std::vector<int> keys = random_ints(count), found(keys.size());
  thrust::device_vector<int> device_keys = keys;
  sort_in_place(device_keys);  // the first call of a kernel loads it

  double sort_seconds = 0;
  const double seconds = seconds_of([&] {
    thrust::copy(keys.begin(), keys.end(), device_keys.begin());
    sort_seconds = seconds_of([&] { sort_in_place(device_keys); });
    thrust::copy(device_keys.begin(), device_keys.end(), found.begin());
  });
  const double std_seconds = seconds_of([&] { std::sort(keys.begin(), keys.end()); });

  std::printf("%td random ints on %s\n", count, machine::name().c_str());
  std::printf("odd_even_merge_sort:     %10.4f s, %.4f s with the copies there and back\n", sort_seconds, seconds);
  if (machine::is_gpu) {
    std::printf("std::sort on one core:   %10.4f s\n", std_seconds);
    std::printf("The speedup is %.1fx, %.1fx with the copies.\n", std_seconds / sort_seconds, std_seconds / seconds);
  }
  if (found != keys) throw std::runtime_error("odd_even_merge_sort and std::sort differ");
  std::printf("both sorts: equal\n");
}

}  // namespace

int main(int argc, char** argv) {
  std::ptrdiff_t count = MGPU_CUDA_COMPILER ? 10'000'000 : 1'000'000;
  if (argc > 2 || (argc == 2 && !parse_count(argv[1], count))) {
    std::fprintf(stderr, "usage: %s [N], where N is how many ints to sort, a whole number from 1\n", argv[0]);
    return 2;
  }
  return text::exit_code(argv[0], [&] { sort_both_ways(count); });
}
