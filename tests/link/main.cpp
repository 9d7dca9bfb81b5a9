// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <cstring>

int first();  // 0: passed, 77: skipped for want of a GPU, anything else: failed
int second();
int checked();
int other();

// The inline namespaces of the library.
const char* first_names();
const char* second_names();
const char* checked_names();
const char* other_names();

int main() {
  std::printf("first: %s, second: %s, checked: %s, other: %s\n", first_names(), second_names(), checked_names(),
              other_names());
  if (std::strcmp(first_names(), second_names()) != 0) return 4;
  if (std::strcmp(first_names(), checked_names()) == 0 || std::strcmp(first_names(), other_names()) == 0) return 5;
  const int results[] = {first(), second(), checked(), other()};
  std::printf("first: %d, second: %d, checked: %d, other: %d\n", results[0], results[1], results[2], results[3]);
  for (const int result : results) {
    if (result != 0) return result;
  }
  return 0;
}
