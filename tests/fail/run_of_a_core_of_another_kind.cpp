// expect: a path core has diagonals: size\(\) says how many
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>

/// A tile core: its tiles are called by their numbers.
struct core {
  static constexpr mgpu::detail::base::tile_shape shape(int) { return {128, 1, 1, 0}; }
  static constexpr int shared_bytes(const mgpu::detail::base::tile_shape&) { return 0; }
  static constexpr mgpu::offset host_items_per_tile = 128;
  void run(mgpu::detail::tile::host_thread, mgpu::offset) const {}
};

void misuse() {
#ifdef MGPU_TEST_FIXED
  mgpu::detail::exec::executor(mgpu::cpp::par).run_each(core{}, 2);
#else
  mgpu::detail::exec::executor(mgpu::cpp::par).run(core{});
#endif
}
