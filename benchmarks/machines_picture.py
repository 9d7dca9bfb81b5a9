#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws how many times as fast as its best peer each family is, in all runs of results/ and results/elsewhere:
machines.svg.

Usage: machines_picture.py FOLDER
A line reaches from the least to the most of a family's cases and sizes; the mark is the median.
"""

import itertools
import pathlib
import statistics
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

import plot
from table import FAMILIES, FOLDER, Results, ratios_of, results_elsewhere

COLORS = [plot.BLUE, plot.VERMILION, plot.ORANGE, plot.SKY]
MARKERS = ["o", "s", "D", "^", "v"]
MOST = 20  # ratios beyond are drawn at the edge


def draw(runs):
    figure, axes = plt.subplots(figsize=(9, 4.6), layout="constrained")
    families = [family for family in FAMILIES if any(ratios_of(family, run) for run in runs)]
    styles = zip(itertools.cycle(COLORS), itertools.cycle(MARKERS))
    distance = 0.68 / max(len(runs), 4)
    for number, (run, (color, marker)) in enumerate(zip(runs, styles)):
        label = f"{run.gpu}, CCCL {run.context['cccl']}"
        for y, family in enumerate(families):
            ratios = [min(ratio, MOST) for ratio in ratios_of(family, run)]
            if ratios:
                place = y + distance * (number - (len(runs) - 1) / 2)
                axes.plot([min(ratios), max(ratios)], [place, place], color=color, linewidth=1.2)
                axes.plot(statistics.median(ratios), place, color=color, marker=marker, markersize=5, linestyle="",
                          label=label)
                label = None
    axes.axvline(1, color=plot.GREY, linewidth=1)
    plot.use_log_scale(axes, "x")
    axes.set_xlim(0.08, MOST)
    axes.set_xticks([0.1, 0.2, 0.5, 1, 2, 5, 10, 20], ["0.1", "0.2", "0.5", "1", "2", "5", "10", "20 and more"])
    axes.set_xlabel("the best peer's time / that of mgpu", labelpad=1)
    axes.set_yticks(range(len(families)), [family["title"].lower() for family in families])
    axes.set_ylim(len(families) - 0.5, -0.5)
    axes.legend(loc="lower left", frameon=False)
    axes.tick_params(length=0)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="x", color="#e1e5ea", linewidth=0.6)
    axes.set_axisbelow(True)
    return figure


def main():
    published = [Results(path) for path in sorted(FOLDER.glob("nvidia_*.json"))]
    plot.set_text_style()
    path = pathlib.Path(sys.argv[1]) / "machines.svg"
    draw([*published, *results_elsewhere()]).savefig(
        path, dpi=100, metadata=dict.fromkeys(("Creator", "Date", "Format", "Type")))
    path.write_text(plot.compact(path.read_text(encoding="utf-8")), encoding="utf-8")
    print(path)


if __name__ == "__main__":
    main()
