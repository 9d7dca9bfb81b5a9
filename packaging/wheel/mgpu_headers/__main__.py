# SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: python3 -m mgpu_headers --include-dir"""

import sys

import mgpu_headers

if sys.argv[1:] != ["--include-dir"]:
    sys.exit(__doc__)
print(mgpu_headers.include_dir())
