// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// One merge, and how each peer is called with it.

#include <support/cub_storage.cuh>

#include <mgpu/merge.h>
#include <mgpu/par.h>

#include <thrust/merge.h>
#include <thrust/system/cuda/execution_policy.h>
#include <cub/device/device_merge.cuh>

#include <cuda/std/functional>

#include <cstddef>
#include <type_traits>

namespace bench {

struct keys_only {};

template <class KeysA, class KeysB, class KeysOut, class ValuesA, class ValuesB, class ValuesOut, class Compare>
struct merge_call {
  KeysA a;
  std::ptrdiff_t a_count;
  KeysB b;
  std::ptrdiff_t b_count;
  KeysOut keys_out;
  ValuesA a_values;
  ValuesB b_values;
  ValuesOut values_out;
  Compare compare;

  static constexpr bool has_values = !std::is_same_v<ValuesA, keys_only>;
  std::size_t size() const { return static_cast<std::size_t>(a_count + b_count); }
};

template <class A, class B, class Out, class Compare = cuda::std::less<>>
auto call_merge(A a, std::ptrdiff_t a_count, B b, std::ptrdiff_t b_count, Out out, Compare compare = {}) {
  return merge_call<A, B, Out, keys_only, keys_only, keys_only, Compare>{a,  a_count, b,  b_count, out,
                                                                         {}, {},      {}, compare};
}

template <class A, class B, class KeysOut, class ValuesA, class ValuesB, class ValuesOut>
auto call_merge_by_key(A a, std::ptrdiff_t a_count, B b, std::ptrdiff_t b_count, KeysOut keys_out, ValuesA a_values,
                       ValuesB b_values, ValuesOut values_out) {
  using call = merge_call<A, B, KeysOut, ValuesA, ValuesB, ValuesOut, cuda::std::less<>>;
  return call{a, a_count, b, b_count, keys_out, a_values, b_values, values_out, {}};
}

template <class Policy, class Call>
std::size_t merge_with_mgpu(const Policy& policy, const Call& c) {
  if constexpr (Call::has_values) {
    mgpu::merge_by_key(policy, c.a, c.a + c.a_count, c.b, c.b + c.b_count, c.a_values, c.b_values, c.keys_out,
                       c.values_out, c.compare);
  } else {
    mgpu::merge(policy, c.a, c.a + c.a_count, c.b, c.b + c.b_count, c.keys_out, c.compare);
  }
  return c.size();
}

/// mgpu::par_nosync: its kernels, as CUB's are called.
struct mgpu_peer {
  template <class Call>
  std::size_t operator()(const Call& c) const {
    return merge_with_mgpu(mgpu::par_nosync, c);
  }
};

/// mgpu::par: what a user of Thrust calls by default, nothing allocated before.
struct mgpu_par_peer {
  template <class Call>
  std::size_t operator()(const Call& c) const {
    return merge_with_mgpu(mgpu::par, c);
  }
};

struct thrust_peer {
  template <class Call>
  std::size_t operator()(const Call& c) const {
    if constexpr (Call::has_values) {
      thrust::merge_by_key(thrust::cuda::par, c.a, c.a + c.a_count, c.b, c.b + c.b_count, c.a_values, c.b_values,
                           c.keys_out, c.values_out, c.compare);
    } else {
      thrust::merge(thrust::cuda::par, c.a, c.a + c.a_count, c.b, c.b + c.b_count, c.keys_out, c.compare);
    }
    return c.size();
  }
};

/// CUB with its temporary storage allocated at the first call, which is not timed.
struct cub_peer {
  cub_storage storage;

  template <class Call>
  std::size_t operator()(const Call& c) {
    storage([&](void* memory, std::size_t& bytes) {
      if constexpr (Call::has_values) {
        return cub::DeviceMerge::MergePairs(memory, bytes, c.a, c.a_values, c.a_count, c.b, c.b_values, c.b_count,
                                            c.keys_out, c.values_out, c.compare);
      } else {
        return cub::DeviceMerge::MergeKeys(memory, bytes, c.a, c.a_count, c.b, c.b_count, c.keys_out, c.compare);
      }
    });
    return c.size();
  }
};

}  // namespace bench
