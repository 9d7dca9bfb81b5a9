// expect: compare\(x, y\) takes two keys
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/merge.h>

struct key {
  int x;
};
#ifdef MGPU_TEST_FIXED
bool operator<(const key& x, const key& y) { return x.x < y.x; }
#endif

void misuse(const key* a, const key* b, int count, key* out) {
  mgpu::merge(mgpu::cpp::par, a, a + count, b, b + count, out);
}
