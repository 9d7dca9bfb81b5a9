# SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks what the compiler does not: include directions, where Thrust and CUB may be named, the head and the size of
each header, calls that a user's functions can take over, that cmake/families.json has every public function, that each
header of block/ has a test, that lines of sources are within 120 columns, how many lines the sorts have. Usage: rules.py
SOURCE_FOLDER; prints one line per violation."""

import json
import pathlib
import re
import sys

# Layer -> layers it may include beside itself. A layer is a folder of include/mgpu; `policy`, `argument` (the types of
# arguments) and `public` are the files directly in it, `thrust_ext` is the plug-in.
MAY_INCLUDE = {
    "base": set(),
    "tile": {"base"},
    "tuning": {"base"},
    "core": {"tile", "tuning", "base"},
    "block": {"tile", "base"},
    "exec": {"block", "tile", "base"},
    "policy": {"exec", "base"},
    "argument": {"exec", "base"},
    "plan": {"argument", "core", "exec", "tile", "tuning", "base"},
    "public": {"argument", "plan", "core", "exec", "base"},
    "thrust_ext": {"public", "exec", "base"},
}
POLICY_HEADERS = {"par.h", "omp.h", "tbb.h", "cpp.h"}
ARGUMENT_HEADERS = {"segments.h", "intervals.h", "runs.h", "sort_statistics.h"}
MAY_NAME_THRUST = {"exec", "block", "policy", "thrust_ext"}
KNOWS_PROXIES = "mgpu/base/compared.h"  # Thrust's
FORBIDDEN = {
    r"<thrust/execution_policy\.h>": "includes every system of Thrust",
    r"cub::detail": "is private to CUB",
    r"thrust/system/cuda/detail/core": "is private to Thrust",
}
PUBLIC_NAMESPACES = {"cpp", "omp", "tbb"}
MAX_LINES = 350
MAX_COLUMNS = 120
# The sort family: headers of include/mgpu by their paths. Its bar is 4,500 lines; the limit goes down to it.
SORT_FAMILY = "sort|radix|rank|digit|sampl|few_tiles|locality|segments|wide_pass|two_way_pass"
NOT_SORT_FAMILY = "odd_even|distributed"
SORT_FAMILY_LINES = 5914
SOURCES = ["include", "thrust_ext", "tests", "benchmarks", "examples", "docs"]  # whose lines are measured
HEAD = [
    r"// SPDX-FileCopyrightText: Copyright \(c\) \d{4} The mgpu authors",
    r"// SPDX-License-Identifier: Apache-2\.0 WITH LLVM-exception",
    r"#pragma once",
]


def layer(path):
    """The layer of an include path such as mgpu/tile/range.h."""
    parts = path.split("/")[1:]
    if len(parts) > 1:
        return parts[0]
    if parts[0] == "thrust_ext.h":
        return "thrust_ext"
    if parts[0] in ARGUMENT_HEADERS:
        return "argument"
    return "policy" if parts[0] in POLICY_HEADERS else "public"


def without_comments(text):
    """The text with comments blanked, line numbers kept."""
    return re.sub(r"//[^\n]*|/\*.*?\*/", lambda comment: "\n" * comment.group().count("\n"), text, flags=re.DOTALL)


def sort_family_lines(source):
    """The lines of the sort family without comments and blank lines."""
    root = source / "include/mgpu"
    names = [path.relative_to(root).as_posix() for path in root.rglob("*.*h")]
    family = [name for name in names if re.search(SORT_FAMILY, name) and not re.search(NOT_SORT_FAMILY, name)]
    texts = [without_comments((root / name).read_text()) for name in family]
    return sum(bool(line.strip()) for text in texts for line in text.splitlines())


def violations(name, text):
    """Yields (line number, message) for the header that is included as `name`."""
    own_layer = layer(name)
    if own_layer not in MAY_INCLUDE:
        yield 1, f"the folder {own_layer} is not in the table of layers"
        return
    lines = text.splitlines()
    for number, (pattern, line) in enumerate(zip(HEAD, lines + [""] * len(HEAD)), 1):
        if not re.fullmatch(pattern, line):
            yield number, f"the head of a header is two SPDX lines and #pragma once; expected {pattern}"
    if len(lines) > MAX_LINES:
        yield len(lines), f"{len(lines)} lines; a header has at most {MAX_LINES}"

    for number, line in enumerate(without_comments(text).splitlines(), 1):
        include = re.match(r'\s*#\s*include\s*[<"](mgpu/[^>"]*)[>"]', line)
        if include:
            included = layer(include.group(1))
            if included != own_layer and included not in MAY_INCLUDE[own_layer]:
                yield number, (f"{own_layer} may not include {included} ({include.group(1)}), only "
                               f"{', '.join(sorted(MAY_INCLUDE[own_layer]))}: move what is needed to one of these, or "
                               "the caller to a layer above (docs/design.md, The layers)")
        elif re.match(r'\s*#\s*include\s*"', line):
            yield number, "includes are spelled <...>"
        if own_layer not in MAY_NAME_THRUST and name != KNOWS_PROXIES and re.search(r"#\s*include\s*<(thrust|cub)/|\b(thrust|cub)::", line):
            yield number, f"Thrust and CUB are named only in {', '.join(sorted(MAY_NAME_THRUST))}"
        if name != "mgpu/base/config.h" and re.match(r"\s*#\s*(if|ifdef|ifndef|elif|else|endif)\b", line):
            yield number, "compiler conditionals are only in base/config.h"
        for pattern, reason in FORBIDDEN.items():
            if re.search(pattern, line):
                yield number, f"{pattern} {reason}"


def namespace_functions(text):
    """The names of the function templates of a header that are members of a namespace: nothing of them is indented."""
    template = r"^(?:MGPU_EXEC_CHECK_DISABLE\n)?template <(?:[^;{}]|\n)*?>\n"
    function = r"(?![\w ]*\b(?:struct|class|union|using|inline constexpr)\b)[\w:<>,&* ]*?\b(?<!::)(\w+)\((?![^;{]*\)\s*->)"
    return {match[1] for match in re.finditer(template + function, text, flags=re.MULTILINE)}


def own_names(text):
    """What hides functions of a namespace in a header: functions of its classes, and objects, such as lambdas."""
    members = r"^ +(?:[\w:<>,&*]+ )+[&*]*(\w+)\([^;{}]*\)(?: const)? *(?:\{|:|;|$)"
    objects = r"\bauto[&*]* (\w+) ="
    constructors = r"\b(?:struct|class|union) (\w+)"
    return {name for pattern in (members, objects, constructors) for name in re.findall(pattern, text, flags=re.MULTILINE)}


def unqualified_calls(text, functions):
    """Yields (line number, name) where one of `functions` is called by its name alone: a call with arguments of users' types
    finds functions of their namespaces, too, and may run one of them."""
    hidden = own_names(text)
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith(" "):
            continue
        for match in re.finditer(r"(?<![\w.:>~])(?<!template )(\w+)(?:<[^;(){}]*>)?\((?!\))", line):
            if match[1] in functions - hidden:
                yield number, match[1]


def column_violations(source):
    """The formatter breaks lines of code, and leaves comments as they are."""
    for path in sorted(path for folder in SOURCES for path in (source / folder).rglob("*")):
        if path.suffix in {".h", ".cuh", ".cu", ".cpp"}:
            for number, line in enumerate(path.read_text().splitlines(), 1):
                if len(line) > MAX_COLUMNS:
                    yield (f"{path.relative_to(source)}:{number}: {len(line)} columns; a line has at most "
                           f"{MAX_COLUMNS}: break the comment, or run tests/structure/format.py with --write")


def version_violations(source):
    """The version is written in base/config.h, where CMake and the wheel read it, and in what can only repeat it."""
    config = (source / "include/mgpu/base/config.h").read_text()
    parts = re.findall(r"^#define MGPU_VERSION_(\w+) (\d+)$", config, flags=re.MULTILINE)
    if [name for name, _ in parts] != ["MAJOR", "MINOR", "PATCH"]:
        yield "include/mgpu/base/config.h: CMakeLists.txt looks for MGPU_VERSION_MAJOR, _MINOR and _PATCH, in this order"
    version = ".".join(number for _, number in parts)
    for name, line in (("CMakeLists.txt", "project(mgpu VERSION ${version} "),
                       ("packaging/wheel/pyproject.toml", 'expression = "version()"'),
                       ("packaging/conda-forge/recipe.yaml", f"  version: {version}\n"),
                       ("packaging/vcpkg/mgpu/vcpkg.json", f'  "version": "{version}",\n')):
        if line not in (source / name).read_text():
            yield f"{name}: the version is not {version}, as base/config.h has it: there is no {line.strip()}"


def namespace_violations(source):
    """Internal namespaces are members of detail, and tests/arguments/user_namespaces.cpp has a user's of each name."""
    test = "tests/arguments/user_namespaces.cpp"
    users = set(re.findall(r"^namespace (\w+) \{ ", (source / test).read_text(), flags=re.MULTILINE))
    for path in sorted(path for root in ("include", "thrust_ext") for path in (source / root).rglob("*.*h")):
        text = path.read_text()
        internals = set(re.findall(r"^namespace detail::(\w+) \{", text, flags=re.MULTILINE))
        blocks = re.findall(r"^namespace (detail::\w+) \{$(.*?)^\}  // namespace \1$", text, flags=re.DOTALL | re.MULTILINE)
        inner = set(re.findall(r"^(?:inline )?namespace (\w+) \{", "".join(body for _, body in blocks), flags=re.MULTILINE))
        for name in sorted((internals | inner) - users):
            yield f"{path.relative_to(source)}: {test} has no namespace {name}"
        all_of_them = set(re.findall(r"^(?:inline )?namespace (\w+) \{", text, flags=re.MULTILINE))
        for name in sorted(all_of_them - inner - PUBLIC_NAMESPACES):
            yield f"{path.relative_to(source)}: the namespace {name} is no member of detail"


def family_violations(source):
    """cmake/families.json has every public function: those that take a policy, directly in the library's namespace. Its traits are
    those that the harness asks for, and the files that it names exist."""
    families = json.loads((source / "cmake/families.json").read_text())["families"]
    listed = {name for family in families for name in family["functions"]}
    public = set()
    for header in (source / "include/mgpu").glob("*.h"):
        text = re.sub(r"^namespace ([\w:]+) {$.*?^}  // namespace \1$", "", header.read_text(), flags=re.DOTALL | re.MULTILINE)
        public |= set(re.findall(r"^[\w:<>, ]+ (\w+)\(const Policy& ", text, flags=re.MULTILINE))
    for name in sorted(public - listed):
        yield f"cmake/families.json: the public function {name} is missing: add it to the functions of its family"
    for name in sorted(listed - public):
        yield f"cmake/families.json: there is no public function {name}"

    harness = "".join(path.read_text() for path in (source / "tests/harness").iterdir())
    asked = set(re.findall(r'[.:]has\("(\w+)"\)', harness))
    given = {trait for family in families for traits in (family["traits"], *family["functions"].values()) for trait in traits.split()}
    for trait in sorted(given ^ asked):
        yield f"cmake/families.json: {trait}: {'no header of tests/harness asks for it' if trait in given else 'no function has it'}"

    for family in families:
        files = [family["page"], "tests/" + family["name"], f"tests/harness/{family['harness']}.h"]
        files += ["include/mgpu/" + header for header in family["headers"]]
        files += [f"benchmarks/{name}.cu" for name in family["benchmarks"]]
        for name in files:
            if not (source / name).exists():
                yield f"cmake/families.json: {family['name']} names {name}, which is missing"


def block_test_violations(source):
    """Each header of block/ has a test of its stem, which calls the block directly, and each such test has a header."""
    headers = {path.stem: path for path in (source / "include/mgpu/block").rglob("*.cuh")}
    tests = {path.stem.removesuffix("_cuda"): path for path in (source / "tests/block").glob("*_cuda.cu")}
    for stem in sorted(headers.keys() - tests.keys()):
        yield f"{headers[stem].relative_to(source)}: it has no test: write tests/block/{stem}_cuda.cu"
    for stem in sorted(tests.keys() - headers.keys()):
        yield f"{tests[stem].relative_to(source)}: include/mgpu/block has no header {stem}.cuh"


def main():
    source = pathlib.Path(sys.argv[1])
    found = [*version_violations(source), *column_violations(source), *namespace_violations(source),
             *family_violations(source), *block_test_violations(source)]
    headers = [(root, path) for root in (source / "include", source / "thrust_ext")
               for path in sorted(root.rglob("*")) if path.suffix in {".h", ".cuh"}]
    functions = set().union(*(namespace_functions(without_comments(path.read_text())) for _, path in headers))
    functions.add("check_cuda")  # no template, but many programs have one of their own, and its arguments are CUDA's
    for root, path in headers:
        for number, name in unqualified_calls(without_comments(path.read_text()), functions):
            found.append(f"{path.relative_to(source)}:{number}: {name} is called without its namespace: "
                         "a user's function of that name may be called instead. Write it before the name, as in "
                         "exec::launch(...)")
        for number, message in violations(path.relative_to(root).as_posix(), path.read_text()):
            found.append(f"{path.relative_to(source)}:{number}: {message}")
    sort_lines = sort_family_lines(source)
    if sort_lines > SORT_FAMILY_LINES:
        found.append(f"include/mgpu: the sort family has {sort_lines} lines, at most {SORT_FAMILY_LINES}: lines that go to a "
                     "file of another name are no fewer")
    print(*found, sep="\n")
    print(f"{len(headers)} headers, {sort_lines} lines of the sort family, {len(found)} violations")
    return 1 if found or not headers else 0


if __name__ == "__main__":
    sys.exit(main())
