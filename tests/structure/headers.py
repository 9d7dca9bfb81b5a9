# SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that every header has what it needs: each compiles alone. Usage:
headers.py SOURCE_FOLDER SUFFIX HEADER... -- COMMAND...
COMMAND compiles the file that comes last, whose name ends with SUFFIX. A header that includes nothing but what another
one includes too stands before that one in the same file: that is as good as alone, in a third of the files."""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile


def closures(source, headers):
    """Header -> all that it includes, itself too; what is not the library's own is not looked into."""
    found = {}

    def closure(name):
        if name not in found:
            found[name] = {name}
            paths = [path for path in (source / "include" / name, source / "thrust_ext" / name) if path.exists()]
            for path in paths:
                for include in re.findall(r"^\s*#\s*include\s*(\S+)", path.read_text(encoding="utf-8"), re.M):
                    found[name] |= closure(include.strip('<>"'))
        return found[name]

    return {header: closure(header) for header in headers}


def chains(included):
    """The headers in as few chains as possible, in each of which every header includes less than the next one."""
    headers = sorted(included, key=lambda header: (len(included[header]), header))
    before = {}

    def is_put_before_another(header, tried):
        for other in headers:
            if other not in tried and included[header] < included[other]:
                tried.add(other)
                if other not in before or is_put_before_another(before[other], tried):
                    before[other] = header
                    return True
        return False

    lasts = [header for header in headers if not is_put_before_another(header, set())]
    for last in lasts:
        chain = [last]
        while chain[0] in before:
            chain.insert(0, before[chain[0]])
        yield chain


def main(source, suffix, *arguments):
    command = list(arguments[arguments.index("--") + 1:])
    headers = arguments[:arguments.index("--")]
    files = list(chains(closures(pathlib.Path(source), headers)))

    def compile_file(names):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / ("headers" + suffix)
            file.write_text("".join(f"#include <{name}>\n" for name in names), encoding="utf-8")
            return subprocess.run(command + [file.name], check=False, cwd=folder).returncode

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        failed = [names for names, code in zip(files, pool.map(compile_file, files)) if code != 0]
    for names in failed:
        print("does not compile: a file that includes", ", ".join(names))
    print(f"{len(files)} files of headers, {len(failed)} do not compile")
    return 1 if failed or not files else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
