// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/config.h>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

/// The base of every mgpu policy. It derives from Thrust's own base of the same system, so that what the library does
/// not replace still runs Thrust's code. The hooks of thrust_hooks.h replace some of Thrust's algorithms for it.
/// Because it is more derived than Thrust's base, it wins the overload resolution for every system, stream and
/// allocator.
template <class Derived, template <class> class ThrustBase>
struct policy : ThrustBase<Derived> {
  using ThrustBase<Derived>::ThrustBase;
  policy() = default;
  MGPU_HOST_DEVICE constexpr policy(const ThrustBase<Derived>& base) : ThrustBase<Derived>(base) {}
};

template <class Derived, template <class> class ThrustBase>
Derived derived_type(const policy<Derived, ThrustBase>*);

template <class Policy, class = void>
inline constexpr bool is_policy = false;

template <class Policy>
inline constexpr bool is_policy<Policy, decltype(void(derived_type(static_cast<const Policy*>(nullptr))))> = true;

/// What may be the first argument of a call without being a policy: see cuda/environment.cuh.
template <class Argument, class = void>
inline constexpr bool stands_for_policy = false;

/// What every algorithm requires of its first argument: see requirements.h.
template <class Policy>
struct mgpu_policy {
  static constexpr bool value = is_policy<Policy> || stands_for_policy<Policy>;
  static_assert(value,
                "an mgpu algorithm takes an mgpu policy, a cuda::stream_ref or an environment; make a policy of "
                "another CUDA policy or of a cudaStream_t by mgpu::wrap(policy); on the CPU pass mgpu::omp::par, "
                "mgpu::tbb::par or mgpu::cpp::par");
};

/// The policy that is meant by the first argument of a call: a policy means itself.
template <class Policy, class = void>
class meant_policy {
 public:
  using type = Policy;
  using executor_type = typename Policy::executor_type;

  explicit meant_policy(Policy& p) : policy_(p) {}
  Policy& get() const { return policy_; }

 private:
  Policy& policy_;
};

/// The policy that an executor works with. Policies are taken by const reference, so that a temporary can be passed. As
/// in Thrust, the executor may still call the policy's allocator, which may be non-const.
template <class Policy>
Policy& mutable_policy(const Policy& p) {
  static_assert(mgpu_policy<Policy>::value);
  return const_cast<Policy&>(p);
}

/// The class that runs cores with a policy. It has the verbs; a policy has none. Each system's policies name their
/// class.
template <class Policy>
using executor_of = typename meant_policy<Policy>::executor_type;

/// The executor of a policy, which it refers to. An executor may call the policy's allocator, so it takes the policy as
/// non-const, as Thrust does.
template <class Policy>
executor_of<Policy> executor(const Policy& p) {
  return executor_of<Policy>(exec::mutable_policy(p));
}

}  // namespace detail::exec
MGPU_NAMESPACE_END

#include <mgpu/exec/thrust_hooks.h>
