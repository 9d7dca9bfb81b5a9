// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every macro of base/config.h that stands for an attribute, a builtin or a pragma, as clang-cl and cl.exe see it: with
// no header of Windows. stand_ins/ has what config.h includes.
#include <mgpu/base/config.h>

MGPU_NAMESPACE_BEGIN

MGPU_PRIVATE extern int flag;

MGPU_NO_INLINE MGPU_HOST_DEVICE inline int twice(int x) { return 2 * x; }

MGPU_EXEC_CHECK_DISABLE
MGPU_DEVICE MGPU_FORCE_INLINE int all(int* counter) {
  MGPU_PREFETCH(counter);
  MGPU_SET_FLAG(counter);
  MGPU_RAISE_FLAG(counter);
  int x = MGPU_FETCH_INCREMENT(counter);
  MGPU_HIDE_VALUE(x);
  MGPU_ASSERT(x > 0);
  MGPU_UNROLL
  for (int i = 0; i < 2; ++i) x += mgpu::twice(x);
  return x;
}

MGPU_NAMESPACE_END

int use(int* counter) { return MGPU_NAMESPACE::all(counter); }
