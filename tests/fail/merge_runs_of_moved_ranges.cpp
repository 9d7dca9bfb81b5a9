// expect: pass iterators that do not move from them
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/merge_runs.h>

#include <iterator>
#include <string>
#include <vector>

#ifdef MGPU_TEST_FIXED
using iterator = std::vector<std::string>::iterator;
#else
using iterator = std::move_iterator<std::vector<std::string>::iterator>;
#endif

void merge(const std::vector<iterator>& begins, const std::vector<int>& lengths, std::vector<std::string>& out) {
  mgpu::merge_runs(mgpu::cpp::par, mgpu::run_ranges(begins.begin(), lengths.begin(), begins.size(), out.size()),
                   out.begin());
}
