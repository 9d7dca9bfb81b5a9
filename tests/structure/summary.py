# SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints why tests were skipped, and in the last line how many have passed, failed and been skipped.
Usage: summary.py FILE...; the files are those of ctest's --output-junit. The exit status is 1 if a test has failed, if none
has passed, or if a file is missing."""

import collections
import pathlib
import sys
import xml.etree.ElementTree


def outcome(case):
    """Of a testcase of a file."""
    skipped = case.find("skipped")
    # A program that is missing counts as not run for ctest, too.
    if skipped is not None and skipped.get("message", "").startswith("SKIP_"):
        return "skipped"
    return "passed" if case.get("status") == "run" else "failed"


def reason(case):
    """What a skipped test has printed behind "skipped: ", which may follow other output; or else its first line."""
    lines = (case.findtext("system-out") or "").strip().splitlines()
    reasons = [line.partition("skipped: ")[2] for line in lines if "skipped: " in line]
    if reasons or not lines or lines[0].startswith("[doctest]"):
        return reasons[0] if reasons else "no reason given"
    return lines[0]


def main(*paths):
    counts, reasons = collections.Counter(), collections.Counter()
    for path in paths:
        if not pathlib.Path(path).exists():
            print(f"ctest has not written {path}")
            counts["failed"] += 1
            continue
        for case in xml.etree.ElementTree.parse(path).getroot().iter("testcase"):
            counts[outcome(case)] += 1
            if outcome(case) == "skipped":
                reasons[reason(case)] += 1
            elif outcome(case) == "failed":
                print(f"failed: {case.get('name')}")
    for why, count in sorted(reasons.items()):
        print(f"skipped {count}: {why}")
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    return 1 if counts["failed"] or not counts["passed"] else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
