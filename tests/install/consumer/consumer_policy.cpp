// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/merge.h>
#include CONSUMER_HEADER

#include <vector>

int main() {
  const std::vector<int> a{1, 3, 5};
  const std::vector<int> b{2, 4};
  std::vector<int> out(5);
  mgpu::merge(mgpu::CONSUMER_POLICY::par, a.begin(), a.end(), b.begin(), b.end(), out.begin());
  return out == std::vector<int>{1, 2, 3, 4, 5} ? 0 : 1;
}
