# SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Doxygen's input filter: prints a header or a Markdown page as Doxygen understands it, line by line.

A public function gets its example of docs/calls; what follows it in the header is then some lines further down. In a header the paragraphs of a contract (`/// Requires: ...`) get headings, the comment at its head becomes that of the
header's group, comments behind members are theirs, and namespaces of internals are left out.
In groups.dox the groups of the families are put in their place.
In pages, links to files that are no pages become text, bold code plain code, and pictures lose their folder. A page
gets a label, by which others link to it: Doxygen does not find it by its file where a folder has a space in its name.
"""

import json
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).parents[1]
FAMILIES = json.loads((ROOT / "cmake/families.json").read_text())["families"]
# The group of a header's names; docs/groups.dox has the titles of those that are no families.
GROUPS = {header: family["name"] for family in FAMILIES for header in family["headers"]}
GROUPS.update(dict.fromkeys(("par.h", "omp.h", "tbb.h", "cpp.h", "wrap.cuh", "error.cuh"), "policies"))
GROUPS.update(dict.fromkeys(("distributed.h", "distributed_join.h", "in_process.h", "nccl.h", "communicator.h",
                             "rank_error.h", "no_stream.h"), "distributed"))
# The examples of the functions: the lines between `// [snippet: name]` and `// [end]`.
EXAMPLES = {name: textwrap.dedent(code) for path in (ROOT / "docs/calls").glob("*.cu")
            for name, code in re.findall(r"// \[snippet: (\w+)\]\n(.*?\n) *// \[end\]", path.read_text(), re.S)}
ITEMS = "Stable|Order|Requires|Cost|Memory|Throws|Source"


def as_text(line):
    """Names with underscores around them are no bold text."""
    return re.sub(r"(?<![`\w])__(\w+)__(?![`\w])", r"`__\1__`", line)


def contract_line(line):
    """`/// Cost: ...` with a heading of its own (an alias of the Doxyfile)."""
    return as_text(re.sub(rf"^(\s*/// )({ITEMS}): ", r"\1@contract{\2} ", line))


def head_comment(lines, group):
    """The lines of the `//` comment at a header's head as a comment of the group. Tables in it, which are indented, are
    shown as they are; a line that is indented behind one of the items of a contract continues it."""
    result, in_item, in_table = [], False, False
    for line in lines:
        text = line[2:]
        is_item = re.match(rf" ({ITEMS}): ", text)
        is_table = text.startswith("   ") and not in_item
        if is_table and not in_table:
            result[-1] += " @verbatim"
        prefix = "@endverbatim " if in_table and not is_table else ""
        in_table = is_table
        in_item = bool(is_item) or (in_item and text.startswith("   "))
        result.append(text if is_table else contract_line("///" + prefix + text)[3:])
    if in_table:
        result[-1] += " @endverbatim"
    result[0] = f"/*! @addtogroup {group}"
    result[-1] += " */"
    return result


def without_internals(text):
    """The namespaces of internals blanked, the number of lines kept."""
    text = re.sub(r"^namespace (detail::\w+) \{$.*?^\}  // namespace \1$", lambda found: "\n" * found[0].count("\n"), text,
                  flags=re.MULTILINE | re.DOTALL)
    return text


def without_deduction_guides(text):
    return re.sub(r"^template <[^\n]*\n\w+\([^\n]*\) -> [^\n]*;$", "\n", text, flags=re.MULTILINE)


def with_examples(text):
    """The example of a function behind its comment; of several functions of a name the first has it."""
    shown = set()

    def add(found):
        name = found[2]
        if name in shown or name not in EXAMPLES:
            return found[0]
        shown.add(name)
        code = "".join(f"/// {line}\n" for line in EXAMPLES[name].splitlines())
        return f"///\n/// @par Example (vector is thrust::device_vector)\n/// @code{{.cpp}}\n{code}/// @endcode\n{found[1]}"

    return re.sub(r"(?<=\n)(template <[^;{]*?\b(\w+)\(const Policy&)", add, text)


def header(path):
    lines = with_examples(without_deduction_guides(without_internals(path.read_text()))).split("\n")
    group = "thrust_ext" if "thrust_ext" in (path.stem, path.parent.name) else GROUPS.get(path.name)
    # The head: two SPDX lines, #pragma once, an empty line, and perhaps a comment.
    if group and len(lines) > 4 and re.match(r"//( |$)", lines[4]):
        end = next(i for i in range(4, len(lines)) if not lines[i].startswith("//"))
        lines[3:end] = head_comment([""] + lines[4:end], group)
    for i, line in enumerate(lines):
        if re.match(r"\s*///", line):
            lines[i] = contract_line(line)
            continue
        # `using system::par;` of par.h: to its caller a constant.
        line = re.sub(r"^using \w+::(par|par_nosync);", r"inline constexpr policy \1;", line)
        # What stands behind a member is about it.
        line = re.sub(r"^((?:  (?! )|inline |    offset )[^/()]*;) +// ", r"\1 ///< ", line)
        if group and line.startswith("MGPU_NAMESPACE_BEGIN"):
            line += f" /*! @addtogroup {group} */ /*! @{{ */"
        elif group and line.startswith("MGPU_NAMESPACE_END"):
            line = "/*! @} */ " + line
        lines[i] = line
    return "\n".join(lines)


def label(target):
    """Of the page in a Markdown file."""
    return f"page_{pathlib.Path(target).stem}"


def page(path):
    """A link to what is neither a page nor a picture says where that is."""
    def link(found):
        text, target = found[1], found[2]
        if target.startswith(("http", "#")):
            return found[0]
        if target.endswith(".md"):
            return f"[{text}](@ref {label(target)})"
        target = target.removeprefix("../")
        return f"`{target}`" if text == target else f"{text} (`{target}`)"

    text = path.read_text()
    if path.name == "README.md":
        text = text.replace("# mgpu\n", "# Overview\n", 1)  # start.md has the name of the library
    text = text.replace("\n", f" {{#{label(path)}}}\n", 1)
    text = re.sub(r"\*\*(`[^`\n]*`)\*\*", r"\1", text)  # bold code is none to Doxygen
    text = re.sub(r"(!\[[^\]\n]*\]\()[^)\s]*/", r"\1", text)  # Doxygen finds pictures by their names
    return re.sub(r"(?<!!)\[([^\[\]]+)\]\(([^)\s]+)\)", link, text)


def groups(path):
    """The groups of the families in the place of a word."""
    def group(family):
        page = ROOT / family["page"]
        heading = re.search(r"^# (.*)", page.read_text(), flags=re.MULTILINE)[1]
        return (f"@defgroup {family['name']} {family['title']}\n"
                f"    @brief `mgpu/{family['headers'][0]}`. How it works: [{heading}](@ref {label(page)}).\n")

    return path.read_text().replace("FAMILIES\n", "\n    ".join(map(group, FAMILIES)), 1)


def main():
    path = pathlib.Path(sys.argv[1])
    as_read = {".h": header, ".cuh": header, ".md": page, ".dox": groups}.get(path.suffix, pathlib.Path.read_text)
    print(as_read(path), end="")


if __name__ == "__main__":
    main()
