// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// stable_sort and stable_sort_by_key of 2^22 random keys on the CPU, beside the stable sorts of other libraries, as far
// as this build has them. Rows are <types>/random/<peer>. Peers:
//   mgpu_omp, mgpu_tbb, mgpu_cpp
//   std             std::stable_sort, of pairs as structs
//   gnu_parallel    stable_sort of GNU's parallel mode, of pairs as structs
//   std_par         std::stable_sort with std::execution::par, of pairs as structs

#include <support/host_row.h>

#include <mgpu/sort.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace bench {

constexpr std::size_t count = std::size_t{1} << 22;

template <class Key>
struct pair_of {
  Key key;
  std::uint32_t value;
  friend bool operator<(const pair_of& x, const pair_of& y) { return x.key < y.key; }
};

/// What the peers of one type of keys are given and have to find: keys, keys with their numbers, and pairs of both.
template <class Key>
struct stable_data {
  std::vector<Key> unsorted, keys;
  array values;
  std::vector<pair_of<Key>> pairs, expected;

  stable_data() : unsorted(count), values(count), pairs(count) {
    std::mt19937_64 random(1);
    for (Key& key : unsorted) key = static_cast<Key>(random() >> 8);
    restore();
    expected = pairs;
    std::stable_sort(expected.begin(), expected.end());
  }

  void restore() {
    keys = unsorted;
    values = numbers(count, 0);
    for (std::size_t i = 0; i < count; ++i) pairs[i] = {unsorted[i], static_cast<std::uint32_t>(i)};
  }
  bool has_sorted_keys() const {
    return has([this](std::size_t i) { return keys[i] == expected[i].key; });
  }
  bool has_sorted_values() const {
    return has_sorted_keys() && has([this](std::size_t i) { return values[i] == expected[i].value; });
  }
  bool has_sorted_pairs() const {
    return has([this](std::size_t i) { return pairs[i].value == expected[i].value; });
  }

 private:
  template <class IsRight>
  static bool has(const IsRight& is_right) {
    for (std::size_t i = 0; i < count; ++i) {
      if (!is_right(i)) return false;
    }
    return true;
  }
};

/// The data of a type, made when they are first asked for.
template <class Key>
stable_data<Key>& data_of() {
  static stable_data<Key> data;
  return data;
}

/// Adds the row of a peer, which sorts in place. Every run begins with the unsorted data.
template <class Key, class Run>
void add_checked_row(const std::string& name, bool (stable_data<Key>::*is_sorted)() const, const Run& run) {
  const auto restore = [] { data_of<Key>().restore(); };
  const auto runs_right = [=] {
    auto& d = data_of<Key>();
    d.restore();
    run(d);
    return (d.*is_sorted)();
  };
  add_row(name, runs_right, restore, [=] { run(data_of<Key>()); });
}

template <class Key, class Policy>
void add_policy(const std::string& type, const std::string& name, const Policy& policy) {
  using data = stable_data<Key>;
  add_checked_row<Key>("keys_" + type + "/random/mgpu_" + name, &data::has_sorted_keys,
                       [policy](data& d) { mgpu::stable_sort(policy, d.keys.begin(), d.keys.end()); });
  add_checked_row<Key>("pairs_" + type + "_u32/random/mgpu_" + name, &data::has_sorted_values, [policy](data& d) {
    mgpu::stable_sort_by_key(policy, d.keys.begin(), d.keys.end(), d.values.begin());
  });
}

/// sort(first, last)
template <class Key, class Sort>
void add_peer(const std::string& type, const std::string& name, const Sort& sort) {
  using data = stable_data<Key>;
  add_checked_row<Key>("keys_" + type + "/random/" + name, &data::has_sorted_keys,
                       [sort](data& d) { sort(d.keys.begin(), d.keys.end()); });
  add_checked_row<Key>("pairs_" + type + "_u32/random/" + name, &data::has_sorted_pairs,
                       [sort](data& d) { sort(d.pairs.begin(), d.pairs.end()); });
}

template <class Key>
void add_type(const std::string& type) {
  add_peer<Key>(type, "std", [](auto first, auto last) { std::stable_sort(first, last); });
#ifdef MGPU_TEST_HAS_TBB
  add_peer<Key>(type, "std_par", [](auto first, auto last) { std::stable_sort(std::execution::par, first, last); });
  add_policy<Key>(type, "tbb", mgpu::tbb::par);
#endif
#ifdef MGPU_TEST_HAS_OMP
  add_peer<Key>(type, "gnu_parallel", [](auto first, auto last) { __gnu_parallel::stable_sort(first, last); });
  add_policy<Key>(type, "omp", mgpu::omp::par);
#endif
  add_policy<Key>(type, "cpp", mgpu::cpp::par);
}

void add_rows() {
  add_type<std::uint32_t>("u32");
  add_type<double>("f64");
}

}  // namespace bench

int main(int argc, char** argv) { return bench::run_rows(argc, argv, bench::add_rows); }
