// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>

int first();  // 0: passed, 77: skipped for want of a GPU, anything else: failed
int second();
int checked();

int main() {
  const int results[] = {first(), second(), checked()};
  std::printf("first: %d, second: %d, checked: %d\n", results[0], results[1], results[2]);
  for (const int result : results) {
    if (result != 0) return result;
  }
  return 0;
}
