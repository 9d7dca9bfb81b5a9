#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of docs/distributed.md, made of a results file of distributed_benchmark.

Usage: distributed_table.py [--write | --check] [RESULTS.json]
       distributed_table.py --results FOLDER RAW.json...
Prints the table. With --write it replaces the text between `<!-- table: distributed -->` and `<!-- end table -->` of the
page; with --check the exit status tells whether it is there. RESULTS.json is by default
results/distributed_nvidia_h200_x4.json. With --results it makes such a file, distributed_<gpu>_x<gpus>.json, of what
distributed_benchmark wrote with --benchmark_out, and prints its name.
"""

import json
import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
PAGE = FOLDER.parent / "docs" / "distributed.md"
COLUMNS = {"mgpu": "NCCL", "mgpu_in_process": "one process", "simple": "CUB and NCCL by hand"}
CONTEXT = ("date", "num_cpus", "device", "cuda_driver", "cuda_runtime", "thrust_and_cub", "copy_GB/s", "gpus", "nccl")
NUMBERS = ("Gkeys/s", "before_ms", "exchange_ms", "after_ms", "least_ms", "noise")


def rows_of(path):
    """{(case, keys on a GPU): {GPUs: {peer: row}}} in the order of the file."""
    found = {}
    for row in json.loads(path.read_text())["benchmarks"]:
        if "error_occurred" in row:
            continue
        match = re.match(r"(.+)/(\d+)_gpus?/2\^(\d+)/(\w+)", row["name"])
        case, gpus, log2, peer = match.groups()
        found.setdefault((case, int(log2)), {}).setdefault(int(gpus), {})[peer] = row
    return found


def run_of(path):
    """What measured a results file."""
    context = json.loads(path.read_text())["context"]
    nccl = int(context["nccl"])
    return f"{context['device']}, NCCL {nccl // 10000}.{nccl // 100 % 100}.{nccl % 100}, {context['date'][:10]}"


def write_results(folder, sources):
    """One row a line, those of the last source that has a row."""
    context, rows = {}, {}
    for source in sources:
        raw = json.loads(pathlib.Path(source).read_text())
        context.update({name: raw["context"][name] for name in CONTEXT if name in raw["context"]})
        for row in raw["benchmarks"]:
            if "error_occurred" in row:
                sys.exit(f"{row['name']}: {row.get('error_message')}")
            name = row["name"].replace("/iterations:1/manual_time", "")
            numbers = {number: float(f"{row[number]:.4g}") for number in NUMBERS}
            rows[name] = {"name": name, "real_time": round(row["real_time"], 4), "time_unit": "ms", **numbers}
    gpu = re.sub(r"\W+", "_", re.sub(r" \d+gb.*", "", context["device"].lower()))
    path = pathlib.Path(folder) / f"distributed_{gpu}_x{context['gpus']}.json"
    lines = ",\n".join("    " + json.dumps(row) for row in rows.values())
    path.write_text(f'{{\n  "context": {json.dumps(context)},\n  "benchmarks": [\n{lines}\n  ]\n}}\n')
    print(path)


def milliseconds(row):
    return f"{row['real_time']:.2f}" if row else ""


def phases(row):
    """Before, in and behind the exchange."""
    return " + ".join(f"{row[f'{phase}_ms']:.2f}" for phase in ("before", "exchange", "after"))


def readable(case):
    function, types, distribution = case.split("/")
    types = " + ".join(types.split("_"))
    return f"`{function}` {types}" + ("" if distribution == "uniform" else f", {distribution}")


def table(path):
    lines = ["| | GPUs | " + " | ".join(COLUMNS.values()) + " | NCCL: before, in and behind the exchange | Gkeys/s | of 1 GPU |",
             "|---|---|" + "---|" * (len(COLUMNS) + 3)]
    for (case, log2), by_gpus in rows_of(path).items():
        for gpus, peers in by_gpus.items():
            own = peers.get("mgpu")
            if gpus == 1 or not own:
                continue
            alone = by_gpus.get(1, {}).get("mgpu")
            cells = [f"{readable(case)}, 2^{log2}", str(gpus)]
            cells += [milliseconds(peers.get(peer)) for peer in COLUMNS]
            cells += [phases(own), f"{own['Gkeys/s']:.1f}"]
            cells.append(f"{alone['real_time'] / own['real_time']:.2f}" if alone else "")
            lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def main():
    if "--results" in sys.argv[1:2] and len(sys.argv) > 3:
        return write_results(sys.argv[2], sys.argv[3:])
    arguments = [a for a in sys.argv[1:] if not a.startswith("--")]
    if len(arguments) > 1 or {*sys.argv[1:]} - {*arguments, "--write", "--check"}:
        sys.exit(__doc__)
    path = pathlib.Path(arguments[0]) if arguments else FOLDER / "results" / "distributed_nvidia_h200_x4.json"
    made = table(path)
    if "--write" not in sys.argv and "--check" not in sys.argv:
        print(made, end="")
        return
    text = PAGE.read_text()
    marked = re.compile(r"(<!-- table: distributed -->\n)(.*?)(<!-- end table -->)", re.S)
    if not marked.search(text):
        sys.exit(f"{PAGE} has no place for the table")
    new = marked.sub(lambda m: m[1] + made + m[3], text)
    if "--check" in sys.argv:
        sys.exit(0 if new == text else f"{PAGE}: the table is not that of {path}; run distributed_table.py --write")
    PAGE.write_text(new)


if __name__ == "__main__":
    main()
