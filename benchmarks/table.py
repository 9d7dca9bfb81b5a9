#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables of README.md that a results file of scripts/benchmark has the numbers of.

Usage: table.py [--write | --check] [RESULTS.json]
Prints the tables. With --write they replace the text between the lines `<!-- table: NAME -->` and `<!-- end table -->`
in README.md; with --check the exit status tells whether they are there. Without a file it takes the one in results/.
"""

import dataclasses
import pathlib
import re
import statistics
import sys

from results import FOLDER, LABELS, Results, compare, log2_of, microseconds, ratio_of, readable

README = FOLDER.parent.parent / "README.md"


@dataclasses.dataclass
class Cases:
    """Rows of a table: the cases of a benchmark that match, each at the size that comes first, or at these sizes."""

    benchmark: str
    pattern: str
    what: str = "{}"  # of the case in the first column
    sizes: tuple = ()

    def rows(self, results):
        """A label and the peers of every row."""
        if self.sizes:
            found = results.sizes(self.benchmark, self.pattern)
            cases = [(readable([self.pattern]), size, found[size]) for size in self.sizes if size in found]
        else:
            cases = results.matching(self.benchmark, self.pattern)
        for label, size, peers in cases:
            yield f"{self.what.format(label)}, {size_name(size)}", peers


TABLES = {
    "merge": [Cases("merge", r"(.+)"), Cases("merge", "keys_u32", sizes=(2**24, 2**20, 2**16))],
    "set_operations": [
        Cases("set_operations", r"set_(\w+(?<!size))/(\w+)/rand"),
        Cases("set_operations_by_key", r"set_(\w+)/(\w+)/rand"),
        Cases("set_operations", r"set_(\w+)_size/(u32)/rand", "size of {}"),
        Cases("set_operations", "set_union/u32/rand", "union u32", (2**24, 2**20, 2**16)),
    ],
    "intervals": [Cases("interval", r"(.+)")],
    "segmented_sort": [
        Cases("segmented_sort", r"(keys_u32/.+)"), Cases("segmented_sort", r"(pairs_u32_u32/.+)", "{}, stable"),
        Cases("segmented_sort", r"(.+u64/.+|keys_16.+|.+descending.+)", "{}, stable"),
    ],
    "locality_sort": [Cases("locality_sort", r"(keys_u32/.+)"), Cases("locality_sort", r"(pairs_u32_u32/.+)")],
    "odd_even_merge_sort": [
        Cases("odd_even_merge_sort", "keys_i32/random", sizes=(2**20, 2**24, 67_121_209, 10**9)),
        Cases("odd_even_merge_sort", "pairs_u32_u32/random", sizes=(2**24,)),
    ],
}
FAMILIES = {  # in the summary: all cases and sizes of these benchmarks
    "merge": "merge",
    "set operations": "set_operations|set_operations_by_key",
    "intervals": "interval",
    "segmented sort": "segmented_sort",
    "locality sort": "locality_sort",
    "odd-even merge sort": "odd_even_merge_sort",
}
ALSO = {  # columns behind the ratio
    "merge": ["mgpu_par", "thrust"],
    "odd_even_merge_sort": ["one_dispatch_per_layer"],
}


def label_of(peer, table=""):
    """With code marked as such."""
    label = "Thrust, scan and gather" if (table, peer) == ("intervals", "thrust") else LABELS[peer]
    return re.sub(r"\w+::\S+", r"`\g<0>`", label)


def size_name(size):
    return f"2^{log2_of(size)}" if log2_of(size) else f"{size:,}"


def time_of(row):
    time = microseconds(row)
    return f"{time:.1f} us" if time < 100 else f"{time:,.0f} us"


def rate_of(row):
    return f"{row['fraction_of_copy']:.2f}" if "fraction_of_copy" in row else f"{row['Gkeys/s']:.3g}"


def times_as_fast(ratio):
    return f"{ratio:.2f}" if ratio >= 1 else f"**{ratio:.2f}, slower**"


def bold_if(is_bold, text):
    return f"**{text}**" if is_bold else text


def lines_of_table(head, rows):
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [head, ["---"] * len(head), *rows])


def table_of_cases(name, results):
    rows, rate, also = [], "", ALSO.get(name, [])
    for cases in TABLES[name]:
        for label, peers in cases.rows(results):
            own, best = compare(peers)
            ratio = ratio_of(peers)
            rate = "fraction of a copy" if "fraction_of_copy" in peers[own] else "Gkeys/s"
            row = [label, bold_if(not best or ratio >= 1, time_of(peers[own])), rate_of(peers[own]), "–", "–"]
            if best:
                row[3:] = [f"{bold_if(ratio < 1, time_of(peers[best]))} {label_of(best, name)}", times_as_fast(ratio)]
            rows.append(row + [time_of(peers[peer]) if peer in peers else "–" for peer in also])
    return lines_of_table(["case", "mgpu", rate, "best peer", "mgpu / best peer", *map(label_of, also)], rows)


def table_of_small_sizes(results):
    """A cell is our time and the best peer's."""
    functions, rows = results.of.get("small_sizes", {}), []
    sizes = sorted({size for rows_of_size in functions.values() for size in rows_of_size})
    for policy in "mgpu_par", "mgpu_par_nosync":
        for function, by_size in functions.items():
            row = [f"`{function}`", label_of("mgpu" if policy.endswith("_nosync") else policy)]
            for size in sizes:
                peers = {peer: of for peer, of in by_size.get(size, {}).items()
                         if peer.endswith("_nosync") == policy.endswith("_nosync")}
                row.append(small_cell(peers) if policy in peers else "–")
            rows.append(row)
    return lines_of_table(["us, mgpu / best peer", "policy", *map(size_name, sizes)], rows)


def small_cell(peers):
    own, best = compare(peers)
    if not best:
        return f"{microseconds(peers[own]):.1f}"
    ours, theirs, ratio = f"{microseconds(peers[own]):.1f}", f"{microseconds(peers[best]):.1f}", ratio_of(peers)
    return f"{bold_if(ratio >= 1, ours)} / {bold_if(ratio < 1, theirs)}"


def table_of_families(results):
    rows = []
    for family, pattern in FAMILIES.items():
        ratios = [ratio for name, cases in results.of.items() if re.fullmatch(pattern, name)
                  for sizes in cases.values() for peers in sizes.values() if (ratio := ratio_of(peers))]
        if ratios:
            faster = sum(ratio >= 1 for ratio in ratios)
            rows.append([family, str(len(ratios)), bold_if(faster == len(ratios), f"{faster}"),
                         *(f"{f(ratios):.2f}" for f in (min, statistics.median, max))])
    return lines_of_table(["mgpu / best peer", "cases and sizes", "mgpu is faster", "least", "median", "most"], rows)


def tables(results, path):
    """{name: text}"""
    link = f"[numbers](benchmarks/results/{path.name})"
    texts = {"run": f"{results.run} ({link}).", "summary": table_of_families(results)}
    texts.update((name, table_of_cases(name, results)) for name in TABLES)
    texts["small_sizes"] = table_of_small_sizes(results)
    return texts


def with_tables(text, texts):
    """README.md with the tables brought up to date."""
    def table(found):
        if found[1] not in texts:
            sys.exit(f"README.md asks for a table {found[1]}; there are {', '.join(texts)}")
        return f"<!-- table: {found[1]} -->\n{texts[found[1]]}\n<!-- end table -->"

    return re.sub(r"<!-- table: (\S+) -->\n.*?<!-- end table -->", table, text, flags=re.DOTALL)


def main():
    options = {argument for argument in sys.argv[1:] if argument.startswith("--")}
    paths = [pathlib.Path(argument) for argument in sys.argv[1:] if not argument.startswith("--")]
    paths = paths or list(FOLDER.glob("nvidia_*.json"))
    if len(paths) != 1 or options - {"--write", "--check"}:
        sys.exit(__doc__)
    texts = tables(Results(paths[0]), paths[0])
    if not options:
        for name, text in texts.items():
            print(f"<!-- table: {name} -->\n{text}\n<!-- end table -->\n")
        return
    text = README.read_text(encoding="utf-8")
    updated = with_tables(text, texts)
    if "--write" in options:
        README.write_text(updated, encoding="utf-8")
    elif updated != text:
        sys.exit("README.md differs from the results; run: python3 benchmarks/table.py --write")


if __name__ == "__main__":
    main()
