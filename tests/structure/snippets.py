# SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""README and the pages of docs show regions of compiled files, word for word.

A line `<!-- examples/x.cu: name -->` in README.md or docs/*.md stands above a code block that must equal the lines
between `// [snippet: name]` and `// [end]` of that file. With --write the blocks are brought up to date.

Files and folders that docs/design.md and CONTRIBUTING.md name must exist, in the root or in include/mgpu; `foo` stands
for any. README.md links to the page of each family of cmake/families.json, and docs/calls/*.cu has an example of each
of its functions.
"""
import json
import pathlib
import re
import sys
import textwrap

root = pathlib.Path(sys.argv[1])
block = re.compile(r"(<!-- (\S+): ([^>]*?) -->\n```cpp\n)(.*?)(```)", re.S)


def region(match):
    text = (root / match[2]).read_text()
    found = re.search(r"// \[snippet: " + re.escape(match[3]) + r"\]\n(.*?)\n *// \[end\]", text, re.S)
    if not found:
        sys.exit(f"{match[2]} has no snippet '{match[3]}'")
    return match[1] + textwrap.dedent(found[1]) + "\n" + match[5]


def loose_blocks(text):
    """The number of C++ code blocks that no file is named for."""
    return text.count("```cpp\n") - len(block.findall(text))


def missing_files(text):
    """The files and folders named as code, such as `core/merge.h` and `core/`, that do not exist."""
    for name in re.findall(r"`((?:[\w.]+/)*[\w.]+\.(?:h|cuh|cu|cpp|py|txt|md)|(?:[\w.]+/)+)`", text):
        if "foo" not in name and not any((root / folder / name).exists() for folder in ("", "include/mgpu")):
            yield name


outdated, counts = [], {}
for page in [root / "README.md", *sorted((root / "docs").glob("*.md"))]:
    text = page.read_text()
    name = page.relative_to(root).as_posix()
    updated, counts[name] = block.subn(region, text)
    if page.parent != root and loose_blocks(text):
        sys.exit(f"{name} has C++ that is not compiled: name the file and the region above the block")
    if updated != text:
        outdated.append(name)
        if "--write" in sys.argv:
            page.write_text(updated)
for page in [root / "docs" / "design.md", root / "CONTRIBUTING.md"]:
    missing = sorted(set(missing_files(page.read_text())))
    if missing:
        sys.exit(f"{page.relative_to(root)} names {', '.join(missing)}: moved or renamed? Name it as it is now")
readme = (root / "README.md").read_text()
examples = "".join(path.read_text() for path in (root / "docs/calls").glob("*.cu"))
for family in json.loads((root / "cmake/families.json").read_text())["families"]:
    if f"]({family['page']})" not in readme:
        sys.exit(f"README.md has no link to {family['page']}: add {family['name']} to its table of families")
    for function in family["functions"]:
        if f"// [snippet: {function}]\n" not in examples:
            sys.exit(f"docs/calls/*.cu have no example of {function}: add the region '// [snippet: {function}]'")
if outdated and "--write" not in sys.argv:
    sys.exit(f"{', '.join(outdated)}: not as the compiled files; run: python3 tests/structure/snippets.py . --write")
print(f"{sum(counts.values())} snippets")
sys.exit(0 if counts["README.md"] else "no snippet found in README.md")
