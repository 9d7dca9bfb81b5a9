# SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that sources are as clang-format makes them. Usage: format.py SOURCE_FOLDER [--write] [CLANG_FORMAT]
With --write it formats them. CLANG_FORMAT is the program. Without the version that .clang-format names the exit status
is 77."""

import pathlib
import re
import shutil
import subprocess
import sys

FOLDERS = ["include", "thrust_ext", "tests", "benchmarks", "examples", "docs"]
SUFFIXES = {".h", ".cuh", ".cu", ".cpp"}


def main(source, *arguments):
    source = pathlib.Path(source)
    options = ["-i"] if "--write" in arguments else ["--dry-run", "-Werror"]
    program = next((shutil.which(name) for name in arguments if name != "--write"), shutil.which("clang-format"))
    wanted = re.search(r"clang-format (\S+):", (source / ".clang-format").read_text(encoding="utf-8"))[1]
    version = "none"
    if program:
        version = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout
    if f"version {wanted}" not in version:
        print(f"skipped: clang-format {wanted} is needed, found is: {version.strip()}")
        return 77
    files = sorted(path for folder in FOLDERS for path in (source / folder).rglob("*") if path.suffix in SUFFIXES)
    status = subprocess.run([program, *options, *files], check=False).returncode
    print(f"{len(files)} files" + (": `python3 tests/structure/format.py . --write` formats them" if status else ""))
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
