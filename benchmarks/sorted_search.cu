// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// lower_bound_sorted_values on the GPU beside Thrust and, from CCCL 3.5 on, CUB. The size of a row is the number of
// elements of the range and of values together, half of them each where the row does not say otherwise; random keys.
// Results are u32. Peers:
//   mgpu      mgpu::par_nosync
//   mgpu_par  mgpu::par
//   thrust    the vectorised thrust::lower_bound with thrust::cuda::par_nosync, which takes values in any order
//   cub       cub::DeviceFind::LowerBoundSortedValues, temporary storage allocated before

#include <support/cub_storage.cuh>
#include <support/data.cuh>
#include <support/row.cuh>

#include <mgpu/par.h>
#include <mgpu/sorted_search.h>

#include <thrust/binary_search.h>
#include <thrust/system/cuda/execution_policy.h>

#if __has_include(<cub/device/device_find.cuh>)
#include <cub/device/device_find.cuh>
#endif
#if defined(CCCL_VERSION) && CCCL_VERSION >= 3005000
#define MGPU_BENCHMARK_HAS_CUB_SEARCH
#endif

namespace bench {

template <class Key>
struct search_call {
  const Key* range;
  std::ptrdiff_t element_count;
  const Key* values;
  std::ptrdiff_t value_count;
  u32* out;
  std::size_t size() const { return static_cast<std::size_t>(value_count); }
};

/// One of `share` keys is a value.
template <class Key, int share>
struct search_case {
  static constexpr const char* name = share == 16        ? "one_value_in_16_keys"
                                      : sizeof(Key) == 4 ? "lower_bound_u32"
                                                         : "lower_bound_u64";
  thrust::device_vector<Key> range, values;
  words out;

  explicit search_case(std::size_t count)
      : range(sorted_keys<Key>(count - count / share, 1)),
        values(sorted_keys<Key>(count / share, 2)),
        out(values.size()) {}
  auto call() {
    return search_call<Key>{range.data().get(), static_cast<std::ptrdiff_t>(range.size()), values.data().get(),
                            static_cast<std::ptrdiff_t>(values.size()), as<u32>(out)};
  }
  std::vector<output> outputs() { return {{&out, 1}}; }
  double traffic_bytes(std::size_t out_count) const {
    return static_cast<double>((range.size() + values.size()) * sizeof(Key) + out_count * sizeof(u32));
  }
};

template <class Policy, class Call>
std::size_t search_with_mgpu(const Policy& policy, const Call& c) {
  mgpu::lower_bound_sorted_values(policy, c.range, c.range + c.element_count, c.values, c.values + c.value_count,
                                  c.out);
  return c.size();
}
struct mgpu_peer {
  template <class Call>
  std::size_t operator()(const Call& c) const {
    return search_with_mgpu(mgpu::par_nosync, c);
  }
};
struct mgpu_par_peer {
  template <class Call>
  std::size_t operator()(const Call& c) const {
    return search_with_mgpu(mgpu::par, c);
  }
};
struct thrust_peer {
  template <class Call>
  std::size_t operator()(const Call& c) const {
    thrust::lower_bound(thrust::cuda::par_nosync, c.range, c.range + c.element_count, c.values,
                        c.values + c.value_count, c.out);
    return c.size();
  }
};

#ifdef MGPU_BENCHMARK_HAS_CUB_SEARCH
struct cub_peer {
  cub_storage storage;

  template <class Call>
  std::size_t operator()(const Call& c) {
    storage([&](void* memory, std::size_t& bytes) {
      return cub::DeviceFind::LowerBoundSortedValues(memory, bytes, c.range, c.element_count, c.values, c.value_count,
                                                     c.out, cuda::std::less<>{});
    });
    return c.size();
  }
};
#endif

template <class Case>
void add_case(int log2_count) {
  using checked = referenced<Case, thrust_peer>;
  add_row<checked, mgpu_peer>(Case::name, log2_count, "mgpu");
  add_row<checked, mgpu_par_peer>(Case::name, log2_count, "mgpu_par");
  add_row<checked, thrust_peer>(Case::name, log2_count, "thrust");
#ifdef MGPU_BENCHMARK_HAS_CUB_SEARCH
  add_row<checked, cub_peer>(Case::name, log2_count, "cub");
#endif
}

}  // namespace bench

int main(int argc, char** argv) {
  using namespace bench;
  for (const int log2_count : log2_of_sizes) add_case<search_case<u32, 2>>(log2_count);
  add_case<search_case<u64, 2>>(27);
  add_case<search_case<u32, 16>>(28);
  return run_rows(argc, argv);
}
