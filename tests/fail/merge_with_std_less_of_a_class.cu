// expect: std::less<T> and std::greater<T> of a class are functions of the host
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/merge.h>
#include <mgpu/par.h>

#include <functional>

struct key {
  int x;
  friend MGPU_HOST_DEVICE bool operator<(const key& a, const key& b) { return a.x < b.x; }
};

void misuse(const key* a, const key* b, int count, key* out) {
#ifdef MGPU_TEST_FIXED
  mgpu::merge(mgpu::cpp::par, a, a + count, b, b + count, out, std::less<key>{});  // the host calls it
  mgpu::merge(mgpu::par, a, a + count, b, b + count, out, std::less<>{});
#else
  mgpu::merge(mgpu::par, a, a + count, b, b + count, out, std::less<key>{});
#endif
}
