// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The set operations, and how each peer is called with one. The peers allocate nothing beforehand and wait for the size
// of the result, which they return.

#include <mgpu/par.h>
#include <mgpu/set_operations.h>

#include <thrust/iterator/discard_iterator.h>
#include <thrust/set_operations.h>
#include <thrust/system/cuda/execution_policy.h>

#include <cstddef>

namespace bench {

// An operation is its functions under names that are the same for all, and
//   emits_b          its result can have elements of b
//   takes_b_values   its by-key form has a parameter for the values of b

struct set_union {
  static constexpr const char* name = "set_union";
  static constexpr bool emits_b = true, takes_b_values = true;
  static constexpr auto mgpu = [](const auto&... arguments) { return ::mgpu::set_union(arguments...); };
  static constexpr auto mgpu_by_key = [](const auto&... arguments) { return ::mgpu::set_union_by_key(arguments...); };
  static constexpr auto mgpu_size = [](const auto&... arguments) { return ::mgpu::set_union_size(arguments...); };
  static constexpr auto thrust = [](const auto&... arguments) { return ::thrust::set_union(arguments...); };
  static constexpr auto thrust_by_key = [](const auto&... arguments) {
    return ::thrust::set_union_by_key(arguments...);
  };
};

struct set_intersection {
  static constexpr const char* name = "set_intersection";
  static constexpr bool emits_b = false, takes_b_values = false;
  static constexpr auto mgpu = [](const auto&... arguments) { return ::mgpu::set_intersection(arguments...); };
  static constexpr auto mgpu_by_key = [](const auto&... arguments) {
    return ::mgpu::set_intersection_by_key(arguments...);
  };
  static constexpr auto mgpu_size = [](const auto&... arguments) {
    return ::mgpu::set_intersection_size(arguments...);
  };
  static constexpr auto thrust = [](const auto&... arguments) { return ::thrust::set_intersection(arguments...); };
  static constexpr auto thrust_by_key = [](const auto&... arguments) {
    return ::thrust::set_intersection_by_key(arguments...);
  };
};

struct set_difference {
  static constexpr const char* name = "set_difference";
  static constexpr bool emits_b = false, takes_b_values = true;
  static constexpr auto mgpu = [](const auto&... arguments) { return ::mgpu::set_difference(arguments...); };
  static constexpr auto mgpu_by_key = [](const auto&... arguments) {
    return ::mgpu::set_difference_by_key(arguments...);
  };
  static constexpr auto mgpu_size = [](const auto&... arguments) { return ::mgpu::set_difference_size(arguments...); };
  static constexpr auto thrust = [](const auto&... arguments) { return ::thrust::set_difference(arguments...); };
  static constexpr auto thrust_by_key = [](const auto&... arguments) {
    return ::thrust::set_difference_by_key(arguments...);
  };
};

struct set_symmetric_difference {
  static constexpr const char* name = "set_symmetric_difference";
  static constexpr bool emits_b = true, takes_b_values = true;
  static constexpr auto mgpu = [](const auto&... arguments) { return ::mgpu::set_symmetric_difference(arguments...); };
  static constexpr auto mgpu_by_key = [](const auto&... arguments) {
    return ::mgpu::set_symmetric_difference_by_key(arguments...);
  };
  static constexpr auto mgpu_size = [](const auto&... arguments) {
    return ::mgpu::set_symmetric_difference_size(arguments...);
  };
  static constexpr auto thrust = [](const auto&... arguments) {
    return ::thrust::set_symmetric_difference(arguments...);
  };
  static constexpr auto thrust_by_key = [](const auto&... arguments) {
    return ::thrust::set_symmetric_difference_by_key(arguments...);
  };
};

template <class Key>
struct set_call {
  const Key *a, *a_end, *b, *b_end;
  Key* out;
};

template <class Key, class Value>
struct set_by_key_call {
  const Key *a, *a_end, *b, *b_end;
  const Value *a_values, *b_values;
  Key* keys_out;
  Value* values_out;

  /// Calls the by-key form of an operation and returns the size of the result.
  template <class Operation, class Function, class Policy>
  std::size_t with(const Function& f, const Policy& policy) const {
    if constexpr (Operation::takes_b_values) {
      return f(policy, a, a_end, b, b_end, a_values, b_values, keys_out, values_out).first - keys_out;
    } else {
      return f(policy, a, a_end, b, b_end, a_values, keys_out, values_out).first - keys_out;
    }
  }
};

template <class Operation>
struct mgpu_set_peer {
  template <class Key>
  std::size_t operator()(const set_call<Key>& c) const {
    return Operation::mgpu(mgpu::par, c.a, c.a_end, c.b, c.b_end, c.out) - c.out;
  }
  template <class Key, class Value>
  std::size_t operator()(const set_by_key_call<Key, Value>& c) const {
    return c.template with<Operation>(Operation::mgpu_by_key, mgpu::par);
  }
};

template <class Operation>
struct thrust_set_peer {
  template <class Key>
  std::size_t operator()(const set_call<Key>& c) const {
    return Operation::thrust(thrust::cuda::par, c.a, c.a_end, c.b, c.b_end, c.out) - c.out;
  }
  template <class Key, class Value>
  std::size_t operator()(const set_by_key_call<Key, Value>& c) const {
    return c.template with<Operation>(Operation::thrust_by_key, thrust::cuda::par);
  }
};

/// With the promise that neither input has equal keys.
template <class Operation>
struct mgpu_unique_keys_peer {
  template <class Key>
  std::size_t operator()(const set_call<Key>& c) const {
    return Operation::mgpu(mgpu::par, c.a, c.a_end, c.b, c.b_end, c.out, mgpu::unique_keys) - c.out;
  }
};

/// The size only.
template <class Operation>
struct mgpu_size_peer {
  template <class Key>
  std::size_t operator()(const set_call<Key>& c) const {
    return Operation::mgpu_size(mgpu::par, c.a, c.a_end, c.b, c.b_end);
  }
};

/// The size only, as Thrust can be asked for it.
template <class Operation>
struct thrust_size_peer {
  template <class Key>
  std::size_t operator()(const set_call<Key>& c) const {
    const auto out = thrust::make_discard_iterator();
    return Operation::thrust(thrust::cuda::par, c.a, c.a_end, c.b, c.b_end, out) - out;
  }
};

}  // namespace bench
