// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `using namespace mgpu;` beside namespaces of a user's that have the names of the library's internal ones: each of
// those is a member of mgpu::detail (tests/structure/rules.py holds this list against the headers).

#include <mgpu/cpp.h>
#include <mgpu/in_process.h>
#include <mgpu/mgpu.h>
#ifdef MGPU_TEST_HAS_OMP
#include <mgpu/omp.h>
#endif

#include <doctest/doctest.h>

#include <vector>

// clang-format off
namespace base { inline int version() { return 1; } }
namespace block { inline int version() { return 2; } }
namespace communicator_member { inline int version() { return 3; } }
namespace core { inline int version() { return 4; } }
namespace device { inline int version() { return 5; } }
namespace exec { inline int version() { return 6; } }
namespace member { inline int version() { return 7; } }
namespace plan { inline int version() { return 8; } }
namespace scratch { inline int version() { return 9; } }
namespace thrust_cuda { inline int version() { return 10; } }
namespace tile { inline int version() { return 11; } }
namespace tuning { inline int version() { return 12; } }
namespace without_nvcc { inline int version() { return 13; } }
// clang-format on

using namespace mgpu;

// A user's functions that have the names of the hooks of <mgpu/thrust_ext.h>, which is not included here.
namespace users {

template <class Policy, class A, class B, class Out>
Out merge(Policy& p, A a, A a_end, B b, B b_end, Out out) {
  return mgpu::merge(p, a, a_end, b, b_end, out);
}
template <class Policy, class A, class B, class Out>
Out set_union(Policy& p, A a, A a_end, B b, B b_end, Out out) {
  return mgpu::set_union(p, a, a_end, b, b_end, out);
}

}  // namespace users

TEST_CASE("internal namespaces leave a user's alone") {
  const std::vector<int> a{1, 3}, b{2};
  std::vector<int> out(3);
  merge(cpp::par, a.begin(), a.end(), b.begin(), b.end(), out.begin());
  CHECK(out == std::vector<int>{1, 2, 3});
  const int sum = base::version() + block::version() + communicator_member::version() + core::version() +
                  device::version() + exec::version() + member::version() + plan::version() + scratch::version() +
                  thrust_cuda::version() + tile::version() + tuning::version() + without_nvcc::version();
  CHECK(sum == 13 * 14 / 2);
}

TEST_CASE("hooks that are missing leave a user's functions alone") {
  const std::vector<int> a{1, 3}, b{2};
  std::vector<int> merged(3), united(3);
  auto policy = cpp::par;
  using users::merge;
  using users::set_union;
  merge(policy, a.begin(), a.end(), b.begin(), b.end(), merged.begin());
  set_union(policy, a.begin(), a.end(), b.begin(), b.end(), united.begin());
  CHECK(merged == std::vector<int>{1, 2, 3});
  CHECK(united == merged);
}
