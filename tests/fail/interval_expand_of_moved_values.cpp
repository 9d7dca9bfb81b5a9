// expect: pass iterators that do not move from them
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/interval.h>

#include <iterator>
#include <string>
#include <vector>

void expand(std::vector<std::string>& values, const std::vector<int>& offsets, std::vector<std::string>& out) {
#ifdef MGPU_TEST_FIXED
  const auto from = values.begin();
#else
  const auto from = std::make_move_iterator(values.begin());
#endif
  mgpu::interval_expand(mgpu::cpp::par, mgpu::interval_offsets(offsets.begin(), offsets.size(), out.size()), from,
                        out.begin());
}
