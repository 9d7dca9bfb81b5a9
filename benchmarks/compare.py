#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares new results with old ones, row by row. The exit status is 0 if no row lost, 1 if one did, 2 if they
cannot be compared.

Usage: compare.py OLD.json NEW.json [--bound PERCENT] [--part] [--again FOLDER] [--old-again FOLDER] [--rounds COUNT]
OLD.json and NEW.json are files of scripts/benchmark, or what one benchmark wrote by --benchmark_out.
  --bound      the change that every row is granted, by default 1 %
  --part       NEW.json has a part of the rows only
  --again      the build folder of NEW.json. Rows that seem to have lost are measured again, by default up to 3 times.
               The best medians are compared
  --old-again  the build folder of OLD.json, of which the same rows are measured in turns with the others
  --rounds     measure at most so many times
       compare.py --written-by RESULTS.json
Prints which benchmark wrote a file: one on the CPU, or distributed. Nothing of the results of one GPU.

A row is granted more than the bound if its results vary within a run: three standard errors of the difference. They
follow from the repetitions of a row, or from its "noise". Only the library's rows can lose. The rows of its peers tell
how much two runs differ by themselves.
"""

import argparse
import dataclasses
import json
import math
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

from results import MICROSECONDS, error_of, is_own, without_settings


@dataclasses.dataclass
class Row:
    """A row of a benchmark, measured once or several times."""

    medians: list  # microseconds
    error: float = 0.0  # the standard error of a median, as a part of it

    @property
    def best(self):
        return min(self.medians)


def repeated_rows(rows):
    """The rows that one benchmark wrote, by name: all values, or aggregates of them."""
    values, medians, variations, counts, noise = {}, {}, {}, {}, {}
    for row in rows:
        if row.get("error_occurred"):
            continue
        name, time = without_settings(row.get("run_name", row["name"])), row["real_time"]
        if row.get("run_type") != "aggregate":
            values.setdefault(name, []).append(time * MICROSECONDS[row["time_unit"]])
            noise[name] = row.get("noise", 0.0)
        elif row["aggregate_name"] == "median":
            medians[name], counts[name] = time * MICROSECONDS[row["time_unit"]], row.get("repetitions", 1)
        elif row["aggregate_name"] == "cv":
            variations[name] = time  # a number, whatever its unit says
    for name, times in values.items():
        if name not in medians:
            variation = statistics.stdev(times) / statistics.mean(times) if len(times) > 1 else 0.0
            medians[name], variations[name], counts[name] = statistics.median(times), variation, len(times)
    return {name: Row([median], max(error_of(variations.get(name, 0.0), counts[name]), noise.get(name, 0.0)))
            for name, median in medians.items()}


class Measured:
    """A file of results, and its rows by benchmark and name."""

    def __init__(self, path):
        content = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
        self.context, self.rows = content["context"], {}
        # What is told of the machine. Not the clock of a CPU, which on some is that at the moment.
        told = {"gpu": self.context.get("device"), "gpus": 1, **self.context}
        names = ["gpu", "gpus"] if told["gpu"] else ["num_cpus", "caches", "processor"]
        self.machine = {name: told[name] for name in names if name in told}
        if isinstance(content["benchmarks"], dict):
            for benchmark, rows in content["benchmarks"].items():
                for row in rows:
                    median = row["real_time"] * MICROSECONDS[row["time_unit"]]
                    self.rows[benchmark, row["name"]] = Row([median], row.get("noise", 0.0))
        else:
            program = "distributed" if "gpus" in self.context else self.context["executable"]
            benchmark = pathlib.Path(program).name.removesuffix("_benchmark")
            for name, row in repeated_rows(content["benchmarks"]).items():
                self.rows[benchmark, name] = row

    @property
    def benchmarks(self):
        return sorted({benchmark for benchmark, _ in self.rows})


def differences(old, new):
    """What two files tell of their machines, and is not the same."""
    return [f"{name} {value}, {new.machine[name]}" for name, value in old.machine.items()
            if new.machine.get(name, value) != value]


def grant(old, new, bound):
    """By how much a row may be slower."""
    return max(bound, 3 * math.hypot(old.error, new.error))


def change(old, new):
    """By how much a row is slower."""
    return new.best / old.best - 1


def lost_rows(old, new, bound):
    """Of the library's rows those that both have and that are slower than granted."""
    return [key for key, row in old.rows.items() if key in new.rows and is_own(key[1].split("/")[-1])
            and change(row, new.rows[key]) > grant(row, new.rows[key], bound)]


def measure_again(folder, measured, keys):
    """Adds a median to each of the rows `keys`, which the benchmarks in a build folder measure."""
    for benchmark in sorted({benchmark for benchmark, _ in keys}):
        names = [re.escape(name).replace("\\-", "-").replace("\\=", "=") for of, name in keys if of == benchmark]
        program = pathlib.Path(folder) / "benchmarks" / f"{benchmark}_benchmark"
        with tempfile.TemporaryDirectory() as scratch:
            out = pathlib.Path(scratch) / "again.json"
            subprocess.run([program, f"--benchmark_filter=^({'|'.join(names)})(/|$)", f"--benchmark_out={out}",
                            "--benchmark_out_format=json"], check=True, stdout=subprocess.DEVNULL)
            content = json.loads(out.read_text(encoding="utf-8"))
        for name, row in repeated_rows(content["benchmarks"]).items():
            if (benchmark, name) in keys:
                measured.rows[benchmark, name].medians += row.medians


def settle(old, new, options):
    """The rows that lost, after those that seemed to have were measured again."""
    lost = lost_rows(old, new, options.bound)
    for measuring in range(options.rounds if options.again else 0):
        if not lost:
            break
        print(f"measuring again {len(lost)} rows that seem to have lost, {measuring + 1} of at most {options.rounds} "
              "times", file=sys.stderr)
        if options.old_again:
            measure_again(options.old_again, old, lost)
        measure_again(options.again, new, lost)
        lost = lost_rows(old, new, options.bound)
    return lost


def percent(part):
    return f"{100 * part:+.1f} %"


def line(verdict, key, old, new, bound):
    before, after = old.rows[key], new.rows[key]
    return (f"{verdict:8} {key[0]:22} {key[1]:52} {before.best:12,.5g} -> {after.best:,.5g} us, "
            f"{percent(change(before, after))} (granted {100 * grant(before, after, bound):.1f} %)")


def report(old, new, lost, bound, part):
    """Prints the rows that changed, and returns whether none lost and none is missing."""
    own = [key for key in old.rows if key in new.rows and is_own(key[1].split("/")[-1])]
    peers = sorted(change(old.rows[key], new.rows[key]) for key in old.rows if key in new.rows and key not in set(own))
    gained = [key for key in own if change(old.rows[key], new.rows[key]) < -grant(old.rows[key], new.rows[key], bound)]
    missing = [] if part else [key for key in old.rows if key not in new.rows and key[0] in new.benchmarks]
    for verdict, keys in (("gained", gained), ("lost", lost)):
        for key in sorted(keys, key=lambda key: change(old.rows[key], new.rows[key])):
            print(line(verdict, key, old, new, bound))
    for key in missing:
        print(f"missing  {key[0]:22} {key[1]}")
    grants = [grant(old.rows[key], new.rows[key], bound) for key in own]
    noisy = [granted for granted in grants if granted > bound]
    print(f"{len(own)} rows: {len(lost)} lost, {len(gained)} gained, {len(missing)} missing; {len(noisy)} were granted "
          f"more than {100 * bound:g} % for their noise" + (f", at most {100 * max(noisy):.1f} %" if noisy else ""))
    if peers:
        low, high = (peers[round(at * (len(peers) - 1))] for at in (0.05, 0.95))
        print(f"{len(peers)} rows of peers, which did not change: {percent(low)} to {percent(high)}, without a tenth")
    return not lost and not missing


def read(path):
    try:
        return Measured(path)
    except (OSError, ValueError, LookupError, TypeError) as error:
        print(f"{path} is no results file: {error!r}", file=sys.stderr)
        sys.exit(2)


def written_by(path):
    """The name of the benchmark that wrote a file, or an empty one for the results of one GPU."""
    measured = read(path)
    return "" if measured.machine.get("gpus") == 1 else measured.benchmarks[0]


def parsed(arguments):
    parser = argparse.ArgumentParser(usage=__doc__.replace("%", "%%"))
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--bound", type=lambda text: float(text) / 100, default=0.01)
    parser.add_argument("--part", action="store_true")
    parser.add_argument("--again")
    parser.add_argument("--old-again")
    parser.add_argument("--rounds", type=int, default=3)
    return parser.parse_args(arguments)


def main(arguments):
    if arguments[:1] == ["--written-by"] and len(arguments) == 2:
        print(written_by(arguments[1]))
        return 0
    options = parsed(arguments)
    old, new = read(options.old), read(options.new)
    if differences(old, new):
        print(f"they are of different machines: {'; '.join(differences(old, new))}", file=sys.stderr)
        return 2
    if not any(key in new.rows for key in old.rows):
        print("they have no row in common", file=sys.stderr)
        return 2
    copies = [float(of.context.get("copy_GB/s", 0)) for of in (old, new)]
    if all(copies) and abs(copies[1] / copies[0] - 1) > 0.01:
        print(f"a copy moves {copies[0]:,.0f} GB/s there and {copies[1]:,.0f} here: two GPUs, or not an idle one")
    lost = settle(old, new, options)
    return 0 if report(old, new, lost, options.bound, options.part) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
