// expect: static assert.*a communicator has exchange
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/distributed.h>

struct own_communicator {
  int rank() const;
  int size() const;
  void all_gather(const void* from, void* to, mgpu::offset bytes, mgpu::no_stream) const;
#ifdef MGPU_TEST_FIXED
  void exchange(const mgpu::outgoing* sends, mgpu::offset send_count, const mgpu::incoming* receives,
                mgpu::offset receive_count, mgpu::no_stream) const;
#endif
};

void misuse(int* keys, int count, const own_communicator& communicator) {
  mgpu::stable_sort(mgpu::distributed(mgpu::cpp::par, communicator), keys, keys + count);
}
