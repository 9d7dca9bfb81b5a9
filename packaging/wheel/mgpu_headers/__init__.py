# SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The headers of mgpu. `python3 -m mgpu_headers --include-dir` prints their folder."""

import pathlib


def include_dir():
    """The folder that a compiler is given with -I."""
    return str(pathlib.Path(__file__).parent / "include")
