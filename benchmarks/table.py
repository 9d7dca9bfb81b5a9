#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables of README.md and docs/performance.md, made of the files in results/.

Usage: table.py [--write | --check] [RESULTS.json]
Prints the tables. With --write they replace the text between the lines `<!-- table: NAME -->` and `<!-- end table -->`
of the two pages; with --check the exit status tells whether they are there, and all of them in docs/performance.md.
RESULTS.json is a file of scripts/benchmark, by default the one in results/. A family that was measured in a run of its own
has results/<family>_<gpu>.json beside it. Files of other GPUs, and of other versions of CCCL, are in results/elsewhere.
The CPU's tables are of the files results/<benchmark>_host_<cores>_cores.json,
each of them by the name of its file.
"""

import dataclasses
import pathlib
import re
import statistics
import sys

from results import FAMILIES, FOLDER, LABELS, Results, compare, host_ratio, host_results, log2_of, microseconds
from results import picture_of, ratio_of, readable
from table_text import bold_if, in_lines, label_of, lines_of_table, number_in
from table_text import number_of, rate_of, ratio_text, size_name, time_of, times_as_fast

ROOT = FOLDER.parent.parent
PAGES = [ROOT / "README.md", ROOT / "docs" / "performance.md"]  # the last one has all tables


@dataclasses.dataclass
class Cases:
    """Rows of a table: the cases of a benchmark that match, each at one size (see Results.matching), or at these sizes."""

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


@dataclasses.dataclass
class HostCases:
    """Rows of a table of the CPU: the cases of a benchmark that match and that no entry before has, of all sizes or of
    this one."""

    pattern: str
    what: str = "{}"
    size: int = 0


TABLES = {  # a family without an entry has one table, of all its cases
    "set_operations": [
        Cases("set_operations", r"set_(\w+(?<!size))/(\w+)/rand"),
        Cases("set_operations_by_key", r"set_(\w+)/(\w+)/rand"),
        Cases("set_operations", r"set_(\w+)_size/(u32)/rand", "size of {}"),
    ],
    "set_operations_of_duplicates": [
        Cases("set_operations.*", r"set_(\w+)/(\w+)/dup64", "{}, 64 of each key"),
        Cases("set_operations.*", r"set_(\w+)/(\w+)/alleq", "{}, all keys equal"),
        Cases("set_operations.*", r"set_(\w+)/(\w+)/unique", "{}, no key twice"),
    ],
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
SIZES = {"set_operations": r"set_(.+)"}  # the cases of the table of sizes; without an entry all
HOST = {  # by benchmark; without an entry all cases
    "segmented_sort": [HostCases(r"keys_(\w+/(?:mean|one).*)", "segmented {}"), HostCases(r"keys_(.+)", "locality {}")],
    "odd_even_merge_sort": [HostCases(r"(.+)", "{}, 2^22")],
}
GRID = {  # the columns of a grid: the distributions of benchmarks/support/host_grid.h
    "rand": "random", "wide": "random, 32 bits", "regular": "a b a b", "a_first": "a < b", "blocks": "blocks of 1,000",
    "few": "16 values", "equal": "equal inputs", "short_b": "1,000 : 1",
}
SERIAL = ("mgpu_cpp", "std", "thrust_cpp")  # peers that are one thread
ALSO = {  # columns behind the ratio
    "merge": ["mgpu_par", "thrust"],
    "set_operations_of_duplicates": ["mgpu_unique_keys"],
    "odd_even_merge_sort": ["one_dispatch_per_layer"],
}


def pattern_of(family):
    """Of the names of a family's benchmarks."""
    return "|".join(family["benchmarks"])


def measured(results):
    """The families with results: a new one has no tables before it has figures."""
    return [family for family in FAMILIES if any(re.fullmatch(pattern_of(family), name) for name in results.of)]


def tables_of_cases(results):
    """TABLES, and the tables of families that have none there."""
    return {**{family["name"]: [Cases(pattern_of(family), r"(.+)")] for family in measured(results)}, **TABLES}


def tables_of_sizes(results):
    """Tables of the cases that were measured at several sizes: the benchmarks, and the pattern of a case. A family whose
    table names sizes has none."""
    return {f"{family['name']}_sizes": (pattern_of(family), SIZES.get(family["name"], r"(.+)"))
            for family in measured(results) if not any(cases.sizes for cases in TABLES.get(family["name"], []))}


def host_families(measured_there):
    """What the summary calls the results of a benchmark on a CPU. They are those of all families with its picture, unless
    several of these were measured."""
    pictures = [picture_of(family) for family in FAMILIES]
    alone = [picture for family, picture in zip(FAMILIES, pictures) if measured_there.intersection(family["benchmarks"])]
    return {benchmark: picture if pictures.count(picture) > 1 and alone.count(picture) == 1 else family["title"].lower()
            for family, picture in zip(FAMILIES, pictures) for benchmark in family["benchmarks"]}


def table_of_cases(name, results):
    rows, rate, also = [], "", ALSO.get(name, [])
    for cases in tables_of_cases(results)[name]:
        for label, peers in cases.rows(results):
            own, best = compare(peers)
            ratio = ratio_of(peers)
            rate = "fraction of a copy" if "fraction_of_copy" in peers[own] else "Gkeys/s"
            row = [label, bold_if(not best or ratio >= 1, time_of(peers[own])), rate_of(peers[own]), "–", "–"]
            if best:
                row[3:] = [f"{bold_if(ratio < 1, time_of(peers[best]))} {label_of(best, name)}", times_as_fast(ratio)]
            rows.append(row + [time_of(peers[peer]) if peer in peers else "–" for peer in also])
    return lines_of_table(["case", "mgpu", rate, "best peer", "mgpu / best peer", *map(label_of, also)], rows)


def distribution_in(label):
    """The name of a benchmark's distribution in words."""
    for name, words in ((" random", ""), (" rand", ""), (" dup64", ", 64 of each key"), (" alleq", ", all keys equal")):
        label = label.replace(name, words)
    return label


def table_of_sizes(name, results):
    """A cell is our time and the best peer's."""
    benchmark, pattern = tables_of_sizes(results)[name]
    cases = {found[1]: sizes for measured, of in results.of.items() if re.fullmatch(benchmark, measured)
             for case, sizes in of.items() if len(sizes) > 1 and (found := re.fullmatch(pattern, case))}
    columns = sorted({size for sizes in cases.values() for size in sizes if log2_of(size)})
    rows = []
    for case, sizes in cases.items():
        cells = [small_cell(sizes[size]) if size in sizes else "–" for size in columns]
        rows.append([distribution_in(readable([case])), *cells])
    return lines_of_table(["us, mgpu / best peer", *map(size_name, columns)], rows)


def is_grid(results):
    """True if a benchmark's cases are <operation>/<type>/<distribution>, of more distributions than the random ones."""
    return any(case.split("/")[-1] == "regular" for case, _ in results.of)


def table_of_host(results):
    """Milliseconds, of small sizes microseconds; the least of a row is bold. Of a grid, the longest inputs."""
    unit = "us" if results.benchmark == "small_sizes" else "ms"
    measured = {peer: True for peers in results.of.values() for peer in peers}
    columns = sorted(measured, key=lambda peer: list(LABELS).index(peer) if peer in LABELS else len(LABELS))
    longest = max((size or 0 for _, size in results.of), default=0)
    all_cases = [HostCases(r"(.+)", size=longest if is_grid(results) else 0)]
    rows, shown = [], set()
    for cases in HOST.get(results.benchmark, all_cases):
        for (case, size), peers in results.of.items():
            found = re.fullmatch(cases.pattern, case)
            if not found or (case, size) in shown or cases.size not in (0, size):
                continue
            shown.add((case, size))
            least, ratio = min(map(microseconds, peers.values())), host_ratio(peers)
            label = cases.what.format(readable(found.groups())) + (f", {size_name(size)}" if size else "")
            times = {peer: bold_if(microseconds(row) == least, number_in(unit, row)) for peer, row in peers.items()}
            rows.append([label, *(times.get(peer, "–") for peer in columns), times_as_fast(ratio) if ratio else "–"])
    run = in_lines(f"{results.run} ([numbers](../benchmarks/results/{results.path.name})).")
    return run + "\n\n" + lines_of_table([unit, *map(label_of, columns), "mgpu / best peer"], rows)


def grids_of_host(results):
    """How many times as fast as the best peer the library is, by distribution: the lesser figure of the sizes. By one
    thread, then by all."""
    tables = []
    for head, is_serial in (("one thread", True), (f"{results.cores} threads", False)):
        rows = {}
        for (case, _), peers in results.of.items():
            *kind, distribution = case.split("/")
            chosen = {peer: row for peer, row in peers.items() if not is_serial or peer in SERIAL}
            rows.setdefault(readable(kind), {}).setdefault(distribution, []).append(host_ratio(chosen))
        cells = [[label, *(grid_cell(of.get(name, [])) for name in GRID)] for label, of in rows.items()]
        tables.append(lines_of_table([f"mgpu / best peer, {head}", *GRID.values()], cells))
    return "\n\n".join(tables)


def grid_cell(ratios):
    ratios = [ratio for ratio in ratios if ratio]
    return bold_if(min(ratios) < 1, ratio_text(min(ratios))) if ratios else "–"


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
        return number_of(microseconds(peers[own]))
    ours, theirs, ratio = number_of(microseconds(peers[own])), number_of(microseconds(peers[best])), ratio_of(peers)
    return f"{bold_if(ratio >= 1, ours)} / {bold_if(ratio < 1, theirs)}"


SUMMARY_COLUMNS = ["cases and sizes", "mgpu is faster", "least", "median", "most"]


def summary_row(label, machine, ratios):
    faster = sum(ratio >= 1 for ratio in ratios)
    return [label, machine, str(len(ratios)), bold_if(faster == len(ratios), f"{faster}"),
            *(ratio_text(f(ratios)) for f in (min, statistics.median, max))]


def families_apart():
    """The results of families that were measured in a run of their own, by their paths."""
    names = [family["name"] for family in FAMILIES]
    return {path: Results(path) for path in sorted(FOLDER.glob("*_nvidia_*.json"))
            if path.stem.split("_nvidia_")[0] in names}


def results_elsewhere():
    """The results of other GPUs, and of other versions of CCCL."""
    return [Results(path) for path in sorted((FOLDER / "elsewhere").glob("nvidia_*.json"))]


def ratios_of(family, results):
    return [ratio for name, cases in results.of.items() if re.fullmatch(pattern_of(family), name)
            for sizes in cases.values() for peers in sizes.values() if (ratio := ratio_of(peers))]


def table_of_machines(all_results):
    rows = [summary_row(family["title"].lower(), f"{results.gpu}, CCCL {results.context['cccl']}", ratios)
            for family in FAMILIES for results in all_results if (ratios := ratios_of(family, results))]
    return lines_of_table(["mgpu / best peer", "on", *SUMMARY_COLUMNS], rows)


def table_of_families(on_gpu, on_host):
    rows = []
    for family in FAMILIES:
        for results in on_gpu:
            ratios = ratios_of(family, results)
            if ratios:
                rows.append(summary_row(family["title"].lower(), results.gpu, ratios))
    names = host_families({host.benchmark for host in on_host})
    order = {benchmark: number for number, benchmark in enumerate(names)}
    for host in sorted(on_host, key=lambda host: order.get(host.benchmark, len(order))):
        ratios = [ratio for peers in host.of.values() if (ratio := host_ratio(peers))]
        if ratios:
            family = names.get(host.benchmark, host.benchmark.replace("_", " "))
            rows.append(summary_row(family, f"{host.cores} CPU cores", ratios))
    return lines_of_table(["mgpu / best peer", "on", *SUMMARY_COLUMNS], rows)


def text_of_run(results, path):
    return in_lines(f"{results.run} ([numbers](../benchmarks/results/{path.name})).")


def tables(results, path):
    """{name: text}, with links as docs/performance.md has them."""
    on_host, apart = host_results(), families_apart()
    elsewhere = results_elsewhere()
    alike = [other for other in elsewhere if other.context["cccl"] == results.context["cccl"]]
    texts = {"run": text_of_run(results, path),
             "summary": table_of_families([results, *alike, *apart.values()], on_host),
             "machines": table_of_machines([results, *elsewhere]),
             "machines_runs": "\n".join(f"- {other.run}" for other in elsewhere)}
    for own_path, own in apart.items():
        family = measured(own)[0]["name"]
        texts[f"{family}_run"] = text_of_run(own, own_path)
        texts[family] = table_of_cases(family, own)
        texts[f"{family}_sizes"] = table_of_sizes(f"{family}_sizes", own)
    texts.update((name, table_of_cases(name, results)) for name in tables_of_cases(results))
    texts.update((name, table_of_sizes(name, results)) for name in tables_of_sizes(results))
    texts["small_sizes"] = table_of_small_sizes(results)
    texts.update((host.path.stem, table_of_host(host)) for host in on_host)
    texts.update((f"{host.path.stem}_grid", grids_of_host(host)) for host in on_host if is_grid(host))
    return texts


def with_tables(page, texts):
    """A page with the tables brought up to date."""
    def table(found):
        if found[1] not in texts:
            sys.exit(f"{page.name} asks for a table {found[1]}; there are {', '.join(texts)}")
        shown.add(found[1])
        return f"<!-- table: {found[1]} -->\n{text_for(page, texts[found[1]])}\n<!-- end table -->"

    shown, text = set(), page.read_text(encoding="utf-8")
    text = re.sub(r"<!-- table: (\S+) -->\n.*?<!-- end table -->", table, text, flags=re.DOTALL)
    missing = [name for name in texts if name not in shown]
    if page == PAGES[-1] and missing:
        sys.exit(f"{page.name} lacks {', '.join(missing)}: write `<!-- table: NAME -->` and `<!-- end table -->` there")
    return text


def text_for(page, text):
    return text.replace("](../", "](") if page.parent == ROOT else text


def main():
    options = {argument for argument in sys.argv[1:] if argument.startswith("--")}
    paths = [pathlib.Path(argument) for argument in sys.argv[1:] if not argument.startswith("--")]
    paths = paths or sorted(FOLDER.glob("nvidia_*.json"))
    if options - {"--write", "--check"}:
        sys.exit(__doc__)
    if len(paths) != 1:
        sys.exit(f"not one results file: {', '.join(map(str, paths))}; those of other GPUs belong into elsewhere/")
    texts = tables(Results(paths[0]), paths[0])
    if not options:
        for name, text in texts.items():
            print(f"<!-- table: {name} -->\n{text}\n<!-- end table -->\n")
        return
    for page in PAGES:
        updated = with_tables(page, texts)
        if "--write" in options:
            page.write_text(updated, encoding="utf-8")
        elif updated != page.read_text(encoding="utf-8"):
            sys.exit(f"{page.name} differs from the results; run: python3 benchmarks/table.py --write")


if __name__ == "__main__":
    main()
