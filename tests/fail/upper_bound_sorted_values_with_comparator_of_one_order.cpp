// expect: compare.x, y. takes two keys
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/sorted_search.h>

struct row {
  int id;
};
#ifdef MGPU_TEST_FIXED
struct is_before {
  bool operator()(int id, const row& x) const { return id < x.id; }
};
#else
struct is_before {
  bool operator()(const row& x, int id) const { return x.id < id; }
};
#endif

void misuse(const row* range, const int* ids, int count, int* out) {
  mgpu::upper_bound_sorted_values(mgpu::cpp::par, range, range + count, ids, ids + count, out, is_before{});
}
