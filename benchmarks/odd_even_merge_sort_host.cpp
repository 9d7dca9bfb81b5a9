// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// odd_even_merge_sort of 2^22 random int32 keys on the CPU, beside std::sort. Rows are keys_i32/random/<peer>:
//   mgpu_omp, mgpu_tbb   all cores, as far as this build has them
//   mgpu_cpp             the same network on one thread
//   std_sort             std::sort

#include <support/host_row.h>

#include <mgpu/odd_even_merge_sort.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace bench {

using signed_array = std::vector<std::int32_t>;

/// What the peers, which run one after another, are given and have to find.
struct sort_data {
  signed_array unsorted, keys, expected;

  explicit sort_data(std::size_t count) : unsorted(count) {
    std::mt19937 random(1);
    std::generate(unsorted.begin(), unsorted.end(), [&] { return static_cast<std::int32_t>(random()); });
    keys = expected = unsorted;
    std::sort(expected.begin(), expected.end());
  }
};

sort_data& data() {
  static sort_data made(std::size_t{1} << 22);
  return made;
}

/// Adds the row of a peer; `run` is given the keys and sorts them. Every run begins with the unsorted keys.
template <class Run>
void add_checked_row(const std::string& peer, const Run& run) {
  const auto restore = [] { data().keys = data().unsorted; };
  const auto runs_right = [=] {
    restore();
    run(data().keys);
    return data().keys == data().expected;
  };
  add_row("keys_i32/random/" + peer, runs_right, restore, [=] { run(data().keys); });
}

void add_rows() {
  for_each_policy([](const std::string& name, const auto& policy) {
    add_checked_row("mgpu_" + name,
                    [policy](signed_array& keys) { mgpu::odd_even_merge_sort(policy, keys.begin(), keys.end()); });
  });
  add_checked_row("std_sort", [](signed_array& keys) { std::sort(keys.begin(), keys.end()); });
}

}  // namespace bench

int main(int argc, char** argv) { return bench::run_rows(argc, argv, bench::add_rows); }
