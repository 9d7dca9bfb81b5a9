# SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""README shows regions of compiled examples, word for word.

A line `<!-- examples/x.cu: name -->` in README.md stands above a code block that must equal the lines between
`// [snippet: name]` and `// [end]` of that file. With --write the blocks are brought up to date.
"""
import pathlib
import re
import sys
import textwrap

root = pathlib.Path(sys.argv[1])
readme = root / "README.md"
block = re.compile(r"(<!-- (\S+): ([^>]*?) -->\n```cpp\n)(.*?)(```)", re.S)


def region(match):
    text = (root / match[2]).read_text()
    found = re.search(r"// \[snippet: " + re.escape(match[3]) + r"\]\n(.*?)\n *// \[end\]", text, re.S)
    if not found:
        sys.exit(f"{match[2]} has no snippet '{match[3]}'")
    return match[1] + textwrap.dedent(found[1]) + "\n" + match[5]


text = readme.read_text()
updated, count = block.subn(region, text)
if "--write" in sys.argv:
    readme.write_text(updated)
elif updated != text:
    sys.exit("README.md differs from the examples; run: python3 tests/structure/snippets.py . --write")
print(f"{count} snippets")
sys.exit(0 if count else "no snippet found in README.md")
