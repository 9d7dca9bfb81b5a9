#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares results of sort_grid. The exit status is 0 if no row lost, 1 if one did, 2 if they cannot be compared.

Usage: sort_grid_compare.py [--old A.csv ...] --new B.csv ... [--bound PERCENT] [--peers PERCENT] [--part]
Each side may have several files: runs of the whole grid, of parts of it, or both. A row's time is the median of those
that a side has of it.
  --bound   the change that every row is granted, by default 3 %
  --peers   by how much a peer may be faster, by default 3 %
With --old it prints the median of new / old of each function, types and order, then the rows that lost, and those that
one side lacks: a row that is only in OLD counts as lost unless --part is given.
Where NEW has peers it prints the rows in which a peer is faster, and those that the library sorts faster with a
comparator of the user than in the natural order.
"""

import argparse
import csv
import statistics
import sys


def times_of(paths):
    """The median times of rows by name, in microseconds, and those of the fastest peer with its name."""
    own, peers = {}, {}
    for path in paths:
        with open(path, encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                own.setdefault(row["name"], []).append(float(row["ours_us"]))
                if row["peer_us"]:
                    peers.setdefault(row["name"], []).append((float(row["peer_us"]), row["peer"]))
    fastest = {name: (statistics.median(time for time, _ in times), min(times)[1]) for name, times in peers.items()}
    return {name: statistics.median(times) for name, times in own.items()}, fastest


def percent(part):
    return f"{100 * part:+.1f} %"


def print_rows(title, rows):
    """Prints (name, time, other time, note) of rows, the worst first."""
    print(f"\n{len(rows)} rows: {title}")
    for name, time, other, note in sorted(rows, key=lambda row: row[2] / row[1]):
        print(f"  {name:64} {time:12,.5g} us, {other:12,.5g} us{note}, {percent(time / other - 1)}")


def compare(old, new, bound):
    """Prints the changes of the rows that both have, and returns those that lost."""
    groups = {}
    for name in new.keys() & old.keys():
        groups.setdefault("/".join(name.split("/")[:3]), []).append(new[name] / old[name])
    print(f"{'new / old':60} {'rows':>5} {'median':>7} {'least':>7} {'most':>7}")
    for group, ratios in sorted(groups.items()):
        print(f"{group:60} {len(ratios):5} {statistics.median(ratios):7.3f} {min(ratios):7.3f} {max(ratios):7.3f}")
    both = [ratio for ratios in groups.values() for ratio in ratios]
    gained = sum(ratio < 1 - bound for ratio in both)
    print(f"{'all':60} {len(both):5} {statistics.median(both):7.3f} {min(both):7.3f} {max(both):7.3f}; "
          f"{gained} gained more than {100 * bound:g} %")
    return [(name, new[name], old[name], "") for name in new.keys() & old.keys() if new[name] > (1 + bound) * old[name]]


def slower_in_natural_order(times, bound):
    """The rows that are faster by a comparator that does the same and that the library does not know."""
    pairs = ((name, name.replace("/less/", "/user/")) for name in times if "/less/" in name)
    return [(name, times[name], times[other], " user") for name, other in pairs
            if other in times and times[name] > (1 + bound) * times[other]]


def parsed(arguments):
    parser = argparse.ArgumentParser(usage=__doc__.replace("%", "%%"))
    parser.add_argument("--old", nargs="+", default=[])
    parser.add_argument("--new", nargs="+", required=True)
    parser.add_argument("--part", action="store_true")
    for name in "--bound", "--peers":
        parser.add_argument(name, type=lambda text: float(text) / 100, default=0.03)
    return parser.parse_args(arguments)


def main(arguments):
    options = parsed(arguments)
    try:
        (old, _), (new, peers) = times_of(options.old), times_of(options.new)
    except (OSError, ValueError, LookupError, TypeError) as error:
        print(f"not results of sort_grid: {error!r}", file=sys.stderr)
        return 2
    if options.old and not old.keys() & new.keys():
        print("they have no row in common", file=sys.stderr)
        return 2
    lost, missing = [], []
    if options.old:
        lost = compare(old, new, options.bound)
        print_rows(f"slower than before by more than {100 * options.bound:g} % (new, old)", lost)
        missing = [] if options.part else sorted(old.keys() - new.keys())
        for name in missing:
            print(f"missing  {name}")
    behind = [(name, new[name], time, f" {peer}") for name, (time, peer) in peers.items()
              if new[name] > (1 + options.peers) * time]
    if peers:
        print_rows(f"of {len(peers)}, a peer is faster by more than {100 * options.peers:g} % (ours, the peer)", behind)
    print_rows("slower in the natural order than by a comparator of the user",
               slower_in_natural_order(new, options.bound))
    return 1 if lost or missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
