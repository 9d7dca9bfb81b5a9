// expect: pass iterators that do not move from them
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/merge.h>

#include <iterator>
#include <vector>

#ifdef MGPU_TEST_FIXED
template <class Iterator>
Iterator moving(Iterator i) {
  return i;
}
#else
template <class Iterator>
std::move_iterator<Iterator> moving(Iterator i) {
  return std::make_move_iterator(i);
}
#endif

void merge(std::vector<int>& a, std::vector<int>& b, std::vector<int>& out) {
  mgpu::merge(mgpu::cpp::par, moving(a.begin()), moving(a.end()), moving(b.begin()), moving(b.end()), out.begin());
}
