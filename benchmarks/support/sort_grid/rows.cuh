// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What the rows of the grid of sorts have in common, and the sorts of whole arrays.

#include <support/sort_grid/grid.h>
#include <support/kept_memory.cuh>
#include <support/sort_grid/check.cuh>
#include <support/sort_grid/peers.cuh>

#include <mgpu/locality_sort.h>
#include <mgpu/par.h>
#include <mgpu/sort.h>

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>

namespace bench {

/// The largest arrays of the grid have 2 GiB. Those that are compared have 2^26 elements, but for one type.
template <class Key, class Value, class Compare>
bool is_of_the_grid(std::size_t count) {
  constexpr bool is_compared = !std::is_same_v<Compare, cuda::std::less<>> || !has_digits<Key>;
  constexpr int most_log2 = is_compared && !std::is_same_v<Key, u32> ? 26 : 28;
  return count <= std::size_t{1} << most_log2 && count * grid_call<Key, Value, Compare>::element_bytes <= std::size_t{1}
                                                                                                              << 31;
}

template <class Key, class Value, class Compare>
std::string name_of_row(const std::string& function, const distribution& keys, const grid_size& size) {
  return function + "/" + names_of<Key, Value>() + "/" + name_of_order<Compare>() + "/" + keys.name + "/" + size.name;
}

/// A row without ways.
template <class Key, class Value, class Compare>
grid_row make_row(const std::string& name, const grid_call<Key, Value, Compare>& call, ties order, cuts_are cuts) {
  using call_type = grid_call<Key, Value, Compare>;
  grid_row row;
  row.name = name;
  row.bytes = 2 * call.count * call_type::element_bytes;
  row.prepare = [call] {
    const auto copy = [](void* to, const void* from, std::size_t bytes) {
      check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice));
    };
    copy(kept_on_device(kept::keys, 0), kept_on_device(kept::unsorted_keys, 0), call.count * sizeof(Key));
    if constexpr (call_type::has_values) copy(call.values, call.unsorted_values, call.count * sizeof(Value));
  };
  row.is_right = [=] { return bench::is_right(call, order, cuts); };
  return row;
}

struct mgpu_stable_sort {
  kept_memory scratch;

  template <class Call>
  void operator()(const Call& c) {
    const auto policy = mgpu::par_nosync(scratch);
    const auto end = c.keys + static_cast<std::ptrdiff_t>(c.count);
    if constexpr (Call::has_values) mgpu::stable_sort_by_key(policy, c.keys, end, c.values, c.compare);
    else mgpu::stable_sort(policy, c.keys, end, c.compare);
  }
};

struct mgpu_locality_sort {
  kept_memory scratch;

  template <class Call>
  void operator()(const Call& c) {
    const auto policy = mgpu::par_nosync(scratch);
    const auto end = c.keys + static_cast<std::ptrdiff_t>(c.count);
    if constexpr (Call::has_values) mgpu::locality_sort_by_key(policy, c.keys, end, c.values, c.compare);
    else mgpu::locality_sort(policy, c.keys, end, c.compare);
  }
};

/// The rows of a sort of whole arrays.
template <class Sorter, class Key, class Value, class Compare, class Distributions>
void add_sorts_of_arrays(grid& rows, const std::string& function, const Distributions& distributions) {
  for (const grid_size& size : grid_sizes()) {
    if (!is_of_the_grid<Key, Value, Compare>(size.count)) continue;
    for (const distribution& keys : distributions) {
      const std::string name = name_of_row<Key, Value, Compare>(function, keys, size);
      if (!rows.takes(name, size.count)) continue;
      const auto call = make_call<Key, Value, Compare>(size.count, bits_of_keys{keys, size.count});
      grid_row row = make_row(name, call, ties::keep_order, cuts_are::runs);
      row.add<Sorter>("mgpu", call);
      if (rows.takes_peers()) {
        row.add<cub_merge>("cub_merge", call);
        if constexpr (has_digits<Key> && std::is_same_v<Compare, cuda::std::less<>>) {
          row.add<cub_radix>("cub_radix", call);
        }
      }
      rows.measure(row);
    }
  }
}

template <class Key, class Value = no_values, class Compare = cuda::std::less<>>
void add_stable_sorts(grid& rows) {
  add_sorts_of_arrays<mgpu_stable_sort, Key, Value, Compare>(rows, "stable_sort", all_distributions);
}

template <class Key, class Value = no_values>
void add_locality_sorts(grid& rows) {
  add_sorts_of_arrays<mgpu_locality_sort, Key, Value, cuda::std::less<>>(rows, "locality_sort", local_distributions);
}

}  // namespace bench
