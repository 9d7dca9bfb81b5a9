// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The library, and a copy of scripts/vendor, in one file.
#include <mgpu/cpp.h>
#include <mgpu/merge.h>

#include <copied/cpp.h>
#include <copied/merge.h>

#include <vector>

int main() {
  const std::vector<int> a{1, 3, 5};
  const std::vector<int> b{2, 4};
  const std::vector<int> expected{1, 2, 3, 4, 5};
  std::vector<int> out(5), out_of_copy(5);
  mgpu::merge(mgpu::cpp::par, a.begin(), a.end(), b.begin(), b.end(), out.begin());
  copied::merge(copied::cpp::par, a.begin(), a.end(), b.begin(), b.end(), out_of_copy.begin());
  return out == expected && out_of_copy == expected ? 0 : 1;
}
