// expect: this core runs on the GPU alone
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>

/// A tile core that only thread blocks run.
struct core {
  static constexpr mgpu::detail::base::tile_shape shape(int) { return {128, 1, 1, 0}; }
  static constexpr int shared_bytes(const mgpu::detail::base::tile_shape&) { return 0; }
  template <class Block>
  void run(Block&, mgpu::offset) const {}
#ifdef MGPU_TEST_FIXED
  void run(mgpu::detail::tile::host_thread, mgpu::offset) const {}
#endif
};

void misuse() { mgpu::detail::exec::executor(mgpu::cpp::par).run_each(core{}, 2); }
