// expect: compare.x, y. takes two keys
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/join.h>

struct row {
  int id;
};
struct is_before {
  bool operator()(const row& x, int id) const { return x.id < id; }
#ifdef MGPU_TEST_FIXED
  bool operator()(int id, const row& x) const { return id < x.id; }
#endif
};

mgpu::offset misuse(const row* left, const int* right, int count) {
  return mgpu::full_join_size(mgpu::cpp::par, left, left + count, right, right + count, is_before{});
}
