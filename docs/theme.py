# SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts the scripts of Doxygen Awesome into the header that Doxygen gives to all pages.

Usage: theme.py HEADER
"""

import pathlib
import sys

EXTENSIONS = {
    "darkmode-toggle": "DoxygenAwesomeDarkModeToggle",
    "fragment-copy-button": "DoxygenAwesomeFragmentCopyButton",
    "paragraph-link": "DoxygenAwesomeParagraphLink",
}


def main():
    header = pathlib.Path(sys.argv[1])
    lines = [f'<script src="$relpath^doxygen-awesome-{name}.js"></script>' for name in EXTENSIONS]
    lines += ["<script>", *(f"{extension}.init()" for extension in EXTENSIONS.values()), "</script>", "</head>"]
    text = header.read_text()
    if "</head>" not in text:
        sys.exit(f"theme.py: {header} has no end of its head")
    header.write_text(text.replace("</head>", "\n".join(lines), 1))


if __name__ == "__main__":
    main()
