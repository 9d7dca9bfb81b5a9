# SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that every file which the pages of the documentation link to or show is there; Doxygen does not look.

Usage: check_links.py HTML_FOLDER
"""

import pathlib
import re
import sys
from urllib.parse import unquote


def missing_of(page):
    for target in re.findall(r'\b(?:href|src|data)="([^"#?]+)', page.read_text()):
        if not re.match(r"[a-z]+:", target) and not (page.parent / unquote(target)).exists():
            yield f"{page.name}: no {target}"


def main():
    pages = sorted(pathlib.Path(sys.argv[1]).glob("*.html"))
    missing = sorted({line for page in pages for line in missing_of(page)})
    print(*missing, sep="\n", end="\n" if missing else "")
    return 1 if missing or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
