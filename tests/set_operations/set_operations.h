// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/set_operations.h>

#include <algorithm>
#include <string>

namespace test {

/// The four operations, each with its five forms of mgpu:: and its definition of std::. All by_key forms take the
/// values of b.
namespace op {

struct set_union {
  inline static const std::string name = "set_union";
  using tag = mgpu::detail::tile::set_union;

  template <class... Args>
  static auto keys(const Args&... args) {
    return mgpu::set_union(args...);
  }
  template <class Policy, class A, class B, class AValues, class BValues, class... Rest>
  static auto by_key(const Policy& p, A a, A a_end, B b, B b_end, AValues a_values, BValues b_values, Rest... rest) {
    return mgpu::set_union_by_key(p, a, a_end, b, b_end, a_values, b_values, rest...);
  }
  template <class... Args>
  static mgpu::offset size(const Args&... args) {
    return mgpu::set_union_size(args...);
  }
  template <class... Args>
  static void into(const Args&... args) {
    mgpu::set_union_into(args...);
  }
  template <class Policy, class A, class B, class AValues, class BValues, class... Rest>
  static void by_key_into(const Policy& p, A a, A a_end, B b, B b_end, AValues a_values, BValues b_values,
                          Rest... rest) {
    mgpu::set_union_by_key_into(p, a, a_end, b, b_end, a_values, b_values, rest...);
  }
  template <class... Args>
  static auto by_definition(const Args&... args) {
    return std::set_union(args...);
  }
};

struct set_intersection {
  inline static const std::string name = "set_intersection";
  using tag = mgpu::detail::tile::set_intersection;

  template <class... Args>
  static auto keys(const Args&... args) {
    return mgpu::set_intersection(args...);
  }
  template <class Policy, class A, class B, class AValues, class BValues, class... Rest>
  static auto by_key(const Policy& p, A a, A a_end, B b, B b_end, AValues a_values, BValues, Rest... rest) {
    return mgpu::set_intersection_by_key(p, a, a_end, b, b_end, a_values, rest...);
  }
  template <class... Args>
  static mgpu::offset size(const Args&... args) {
    return mgpu::set_intersection_size(args...);
  }
  template <class... Args>
  static void into(const Args&... args) {
    mgpu::set_intersection_into(args...);
  }
  template <class Policy, class A, class B, class AValues, class BValues, class... Rest>
  static void by_key_into(const Policy& p, A a, A a_end, B b, B b_end, AValues a_values, BValues, Rest... rest) {
    mgpu::set_intersection_by_key_into(p, a, a_end, b, b_end, a_values, rest...);
  }
  template <class... Args>
  static auto by_definition(const Args&... args) {
    return std::set_intersection(args...);
  }
};

struct set_difference {
  inline static const std::string name = "set_difference";
  using tag = mgpu::detail::tile::set_difference;

  template <class... Args>
  static auto keys(const Args&... args) {
    return mgpu::set_difference(args...);
  }
  template <class Policy, class A, class B, class AValues, class BValues, class... Rest>
  static auto by_key(const Policy& p, A a, A a_end, B b, B b_end, AValues a_values, BValues b_values, Rest... rest) {
    return mgpu::set_difference_by_key(p, a, a_end, b, b_end, a_values, b_values, rest...);
  }
  template <class... Args>
  static mgpu::offset size(const Args&... args) {
    return mgpu::set_difference_size(args...);
  }
  template <class... Args>
  static void into(const Args&... args) {
    mgpu::set_difference_into(args...);
  }
  template <class Policy, class A, class B, class AValues, class BValues, class... Rest>
  static void by_key_into(const Policy& p, A a, A a_end, B b, B b_end, AValues a_values, BValues b_values,
                          Rest... rest) {
    mgpu::set_difference_by_key_into(p, a, a_end, b, b_end, a_values, b_values, rest...);
  }
  template <class... Args>
  static auto by_definition(const Args&... args) {
    return std::set_difference(args...);
  }
};

struct set_symmetric_difference {
  inline static const std::string name = "set_symmetric_difference";
  using tag = mgpu::detail::tile::set_symmetric_difference;

  template <class... Args>
  static auto keys(const Args&... args) {
    return mgpu::set_symmetric_difference(args...);
  }
  template <class Policy, class A, class B, class AValues, class BValues, class... Rest>
  static auto by_key(const Policy& p, A a, A a_end, B b, B b_end, AValues a_values, BValues b_values, Rest... rest) {
    return mgpu::set_symmetric_difference_by_key(p, a, a_end, b, b_end, a_values, b_values, rest...);
  }
  template <class... Args>
  static mgpu::offset size(const Args&... args) {
    return mgpu::set_symmetric_difference_size(args...);
  }
  template <class... Args>
  static void into(const Args&... args) {
    mgpu::set_symmetric_difference_into(args...);
  }
  template <class Policy, class A, class B, class AValues, class BValues, class... Rest>
  static void by_key_into(const Policy& p, A a, A a_end, B b, B b_end, AValues a_values, BValues b_values,
                          Rest... rest) {
    mgpu::set_symmetric_difference_by_key_into(p, a, a_end, b, b_end, a_values, b_values, rest...);
  }
  template <class... Args>
  static auto by_definition(const Args&... args) {
    return std::set_symmetric_difference(args...);
  }
};

}  // namespace op

/// Calls f(operation) for each.
template <class F>
void for_each_operation(const F& f) {
  f(op::set_union{});
  f(op::set_intersection{});
  f(op::set_difference{});
  f(op::set_symmetric_difference{});
}

}  // namespace test
