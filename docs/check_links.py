# SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that every file which the pages of the documentation link to or show is there, and every place in a page that a
link names; Doxygen does not look.

Usage: check_links.py HTML_FOLDER
"""

import functools
import html
import pathlib
import re
import sys
from urllib.parse import unquote


@functools.lru_cache(maxsize=None)
def places_of(page):
    return set(re.findall(r'\b(?:id|name)="([^"]+)"', page.read_text()))


def missing_of(page):
    for target in re.findall(r'\b(?:href|src|data)="([^"]+)"', page.read_text()):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, place = html.unescape(target).partition("#")
        name = unquote(name.partition("?")[0])
        file = page.parent / name if name else page
        if not file.exists():
            yield f"{page.name}: no {name}"
        elif place and file.suffix == ".html" and unquote(place) not in places_of(file):
            yield f"{page.name}: no {place} in {file.name}"


def main():
    pages = sorted(pathlib.Path(sys.argv[1]).glob("*.html"))
    missing = sorted({line for page in pages for line in missing_of(page)})
    print(*missing, sep="\n", end="\n" if missing else "")
    return 1 if missing or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
