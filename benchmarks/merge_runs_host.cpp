// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// merge_runs and merge_runs_by_key (with u32 values) of 2^25 elements on the CPU, beside GNU's parallel multiway merge
// and a tree of mgpu::merge. Rows are <types>/<runs>/<peer>. The runs are
//   K_runs           K runs of equal length, random keys
//   K_runs_half      one run has half of the elements
//   K_runs_few       16 different keys
//   K_runs_in_order  every run lies before the next one
// Peers:
//   mgpu_omp, mgpu_tbb, mgpu_cpp   merge_runs
//   tree_omp, tree_cpp             mgpu::merge of neighbours, log2(K) times
//   gnu_parallel                   __gnu_parallel::stable_multiway_merge
//   gnu_serial                     the same by one thread

#include <support/host_row.h>

#include <mgpu/merge.h>
#include <mgpu/merge_runs.h>

#include <memory>
#include <type_traits>
#include <utility>

#ifdef MGPU_TEST_HAS_OMP
#include <parallel/multiway_merge.h>
#endif

namespace bench {

enum class runs_of { random, half, few, in_order };

struct runs_shape {
  std::size_t runs;
  runs_of kind;

  std::string name() const {
    constexpr const char* suffixes[] = {"", "_half", "_few", "_in_order"};
    return std::to_string(runs) + "_runs" + suffixes[static_cast<int>(kind)];
  }
  std::vector<std::int64_t> offsets(std::size_t count) const {
    std::vector<std::int64_t> result{0};
    const bool has_half = kind == runs_of::half;
    const std::size_t others = has_half ? count / 2 / (runs - 1) : count / runs;
    for (std::size_t i = 0; i < runs; ++i) {
      const bool is_half = has_half && i == runs / 3;
      result.push_back(result.back() + static_cast<std::int64_t>(is_half ? count - others * (runs - 1) : others));
    }
    result.back() = static_cast<std::int64_t>(count);
    return result;
  }
};

template <class Key>
struct runs_data {
  std::vector<std::int64_t> offsets;
  std::vector<Key> keys, out, scratch, expected;
  array values, values_out, values_scratch, expected_values;

  runs_data(std::size_t count, const runs_shape& shape) : offsets(shape.offsets(count)), keys(count), out(count) {
    std::mt19937_64 random(1);
    for (Key& x : keys) {
      const auto bits = shape.kind == runs_of::few ? random() >> 60 << 59 : random() >> 1;
      x = static_cast<Key>(std::is_same_v<Key, std::uint32_t> ? bits >> 31 : bits);
    }
    if (shape.kind == runs_of::in_order) std::sort(keys.begin(), keys.end());
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i) std::sort(begin(i), begin(i + 1));
    values = numbers(count, 0);
    std::vector<std::pair<Key, std::uint32_t>> elements;
    for (std::size_t i = 0; i < count; ++i) elements.push_back({keys[i], values[i]});
    std::sort(elements.begin(), elements.end());  // by key and number
    for (const auto& e : elements) {
      expected.push_back(e.first);
      expected_values.push_back(e.second);
    }
    scratch = out;
    values_out = values_scratch = array(count);
  }
  auto begin(std::size_t run) { return keys.begin() + offsets[run]; }
  std::size_t runs() const { return offsets.size() - 1; }
  auto cut() const { return mgpu::run_offsets(offsets.begin(), static_cast<std::int64_t>(runs())); }
};

struct live_data {
  std::string name;
  std::shared_ptr<void> data;
};
live_data live;

template <class Key>
runs_data<Key>& data_of(const runs_shape& shape) {
  const std::string name = shape.name() + std::to_string(sizeof(Key));
  if (live.name != name) {
    live = {};  // frees the memory of the input before
    live = {name, std::make_shared<runs_data<Key>>(std::size_t{1} << 25, shape)};
  }
  return *static_cast<runs_data<Key>*>(live.data.get());
}

template <class Key, bool has_values, class Run>
void add_checked_row(const runs_shape& shape, const std::string& peer, const Run& run) {
  const std::string types =
      (has_values ? "pairs_" : "keys_") + std::string(sizeof(Key) == 4 ? "u32" : "u64") + (has_values ? "_u32" : "");
  const auto runs_right = [=] {
    auto& d = data_of<Key>(shape);
    std::fill(d.out.begin(), d.out.end(), Key{});
    run(d);
    return d.out == d.expected && (!has_values || d.values_out == d.expected_values);
  };
  add_row(types + "/" + shape.name() + "/" + peer, runs_right, [=] { run(data_of<Key>(shape)); });
}

template <class Key, bool has_values, class Policy>
void add_policy(const runs_shape& shape, const std::string& name, const Policy& policy) {
  add_checked_row<Key, has_values>(shape, "mgpu_" + name, [policy](auto& d) {
    if constexpr (has_values) {
      mgpu::merge_runs_by_key(policy, d.keys.begin(), d.keys.end(), d.values.begin(), d.cut(), d.out.begin(),
                              d.values_out.begin());
    } else {
      mgpu::merge_runs(policy, d.keys.begin(), d.keys.end(), d.cut(), d.out.begin());
    }
  });
}

/// Merges neighbours, two by two, until one run is left.
template <class Key, bool has_values, class Policy>
void merge_in_a_tree(const Policy& policy, runs_data<Key>& d) {
  auto offsets = d.offsets;
  int levels = 0;
  while ((std::size_t{1} << levels) < d.runs()) ++levels;
  const std::vector<Key>* from = &d.keys;
  const array* values_from = &d.values;
  for (int level = 0; level < levels; ++level) {
    const bool is_out = (levels - level) % 2 != 0;
    auto& to = is_out ? d.out : d.scratch;
    auto& values_to = is_out ? d.values_out : d.values_scratch;
    std::vector<std::int64_t> merged{0};
    for (std::size_t i = 0; i + 1 < offsets.size(); i += 2) {
      const auto begin = offsets[i], middle = offsets[i + 1], end = i + 2 < offsets.size() ? offsets[i + 2] : middle;
      const auto keys = from->begin();
      if constexpr (has_values) {
        const auto v = values_from->begin();
        mgpu::merge_by_key(policy, keys + begin, keys + middle, keys + middle, keys + end, v + begin, v + middle,
                           to.begin() + begin, values_to.begin() + begin);
      } else {
        mgpu::merge(policy, keys + begin, keys + middle, keys + middle, keys + end, to.begin() + begin);
      }
      merged.push_back(end);
    }
    offsets = merged;
    from = &to;
    values_from = &values_to;
  }
}

template <class Key, bool has_values, class Policy>
void add_tree(const runs_shape& shape, const std::string& name, const Policy& policy) {
  add_checked_row<Key, has_values>(shape, "tree_" + name,
                                   [policy](auto& d) { merge_in_a_tree<Key, has_values>(policy, d); });
}

#ifdef MGPU_TEST_HAS_OMP
template <class Tag>
void merge_by_gnu(runs_data<std::uint32_t>& d, const Tag& tag) {
  std::vector<std::pair<std::uint32_t*, std::uint32_t*>> runs;
  for (std::size_t i = 0; i < d.runs(); ++i) runs.push_back({&*d.begin(i), d.keys.data() + d.offsets[i + 1]});
  __gnu_parallel::stable_multiway_merge(runs.begin(), runs.end(), d.out.data(),
                                        static_cast<std::ptrdiff_t>(d.out.size()), std::less<std::uint32_t>(), tag);
}
#endif

template <class Key, bool has_values>
void add_case(const runs_shape& shape) {
#ifdef MGPU_TEST_HAS_OMP
  if constexpr (std::is_same_v<Key, std::uint32_t> && !has_values) {
    add_checked_row<Key, false>(shape, "gnu_parallel",
                                [](auto& d) { merge_by_gnu(d, __gnu_parallel::parallel_tag()); });
    add_checked_row<Key, false>(shape, "gnu_serial",
                                [](auto& d) { merge_by_gnu(d, __gnu_parallel::sequential_tag()); });
  }
  add_tree<Key, has_values>(shape, "omp", mgpu::omp::par);
  add_policy<Key, has_values>(shape, "omp", mgpu::omp::par);
#endif
#ifdef MGPU_TEST_HAS_TBB
  add_policy<Key, has_values>(shape, "tbb", mgpu::tbb::par);
#endif
  add_tree<Key, has_values>(shape, "cpp", mgpu::cpp::par);
  add_policy<Key, has_values>(shape, "cpp", mgpu::cpp::par);
}

void add_rows() {
  for (const std::size_t runs : {3, 8, 64, 1000}) add_case<std::uint32_t, false>({runs, runs_of::random});
  for (const runs_of kind : {runs_of::half, runs_of::few, runs_of::in_order}) {
    for (const std::size_t runs : {8, 64}) add_case<std::uint32_t, false>({runs, kind});
  }
  for (const std::size_t runs : {8, 64}) {
    add_case<std::uint64_t, false>({runs, runs_of::random});
    add_case<std::uint32_t, true>({runs, runs_of::random});
  }
}

}  // namespace bench

int main(int argc, char** argv) { return bench::run_rows(argc, argv, bench::add_rows); }
