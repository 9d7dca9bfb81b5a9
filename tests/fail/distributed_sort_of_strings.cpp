// expect: static assert.*ranks send elements as bytes
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/distributed.h>
#include <mgpu/in_process.h>

#include <string>
#include <vector>

#ifdef MGPU_TEST_FIXED
using key = long;
#else
using key = std::string;
#endif

void misuse(std::vector<key>& keys, const mgpu::in_process_communicator& communicator) {
  mgpu::stable_sort(mgpu::distributed(mgpu::cpp::par, communicator), keys.begin(), keys.end());
}
