#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws a results file of scripts/benchmark: the pictures of the families that it has rows of.

Usage: plot.py RESULTS.json FOLDER [svg|png]
A picture shows rates against the size of the input, then those of all cases, with how many times as fast as the best
peer the library is. Times on the CPU are those of results/*_host_<cores>_cores.json.
"""

import dataclasses
import math
import pathlib
import re
import sys
from collections import defaultdict

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, MultipleLocator, NullLocator

from results import FAMILIES, FOLDER, LABELS, HostResults, Results, host_ratio, is_own, log2_of, microseconds
from results import picture_of, ratio_of, readable

# Okabe and Ito's colours, which the colour-blind tell apart, and a shape for each.
BLUE, SKY, ORANGE, VERMILION, GREEN, PURPLE, GREY = (
    "#0072b2", "#56b4e9", "#e69f00", "#d55e00", "#009e73", "#cc79a7", "#6e7781")
STYLES = {peer: style for style, peers in {
    (BLUE, "o"): "mgpu mgpu_omp",
    (SKY, "o"): "mgpu_stable mgpu_par mgpu_tbb",
    (VERMILION, "s"): "cub cub_tree cub_copy cub_segmented thrust_tbb std_parallel",
    (PURPLE, "D"): "cub_memcpy cub_radix std_par",
    (GREEN, "P"): "cub_segmented_radix cub_merge gnu_parallel omp_loop",
    (ORANGE, "^"): "tree tree_omp cub_fused one_dispatch_per_layer thrust thrust_par thrust_scan_gather thrust_omp",
    (GREY, "v"): "cub_fused_whole gnu_serial tree_cpp std std_sort",
}.items() for peer in peers.split()}
FRACTION = "bandwidth / that of a copy"
SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def power(log2):
    return "2" + str(int(log2)).translate(SUPERSCRIPTS)


def quantity(rows):
    """What a GPU's row is drawn by, and its name."""
    if any("fraction_of_copy" in row for row in rows):
        return "fraction_of_copy", FRACTION
    return "Gkeys/s", "Gkeys/s"


# A panel selects what it shows, {peer: [(x, y)]} or {label: {peer: value}}, and draws it.


@dataclasses.dataclass
class Curves:
    """Rates of a case against its size."""

    title: str
    benchmark: str
    case: str
    scale: str = "linear"
    axis = ""

    def select(self, results, hidden):
        sizes, lines = results.sizes(self.benchmark, self.case), defaultdict(list)
        number, self.axis = quantity(row for peers in sizes.values() for row in peers.values())
        for size, peers in sorted(sizes.items()):
            for peer in peers if log2_of(size) or size == max(sizes) else ():
                if peer not in hidden:
                    lines[peer].append((math.log2(size), peers[peer][number]))
        return {peer: line for peer, line in lines.items() if len(line) > 1}

    def draw(self, axes, lines):
        for peer, line in lines.items():
            axes.plot(*zip(*line), "--" if peer.endswith("_nosync") else "-", **style(peer.removesuffix("_nosync")))
        axes.set_ylabel(self.axis)
        if self.scale == "log":
            use_log_scale(axes, "y")
        else:
            axes.set_ylim(bottom=0)
        axes.xaxis.set_major_locator(MultipleLocator(2))
        axes.xaxis.set_major_formatter(lambda x, _: power(x))
        axes.set_xlabel("elements", labelpad=1)


class Times(Curves):
    """Microseconds of a call of small_sizes against the size."""

    axis = "microseconds per call"

    def __init__(self, function):
        super().__init__(function, "small_sizes", function, "log")

    def select(self, results, hidden):
        lines = defaultdict(list)
        for size, peers in sorted(results.sizes(self.benchmark, self.case).items()):
            for peer, row in peers.items():
                lines[peer.replace("mgpu_par", "mgpu")].append((math.log2(size), microseconds(row)))
        return lines


@dataclasses.dataclass
class Dots:
    """Rates of the cases that match."""

    title: str
    benchmark: str
    pattern: str
    axis = ""

    def select(self, results, hidden):
        lines, self.ratios = {}, {}
        for label, size, peers in results.matching(self.benchmark, self.pattern):
            number, self.axis = quantity(peers.values())
            label += f", {power(log2_of(size))}"
            lines[label] = {peer: row[number] for peer, row in peers.items() if peer not in hidden}
            self.ratios[label] = ratio_of(peers)
        return lines

    def draw(self, axes, lines):
        for peer in dict.fromkeys(peer for values in lines.values() for peer in values):
            points = [(values[peer], y) for y, values in enumerate(lines.values()) if peer in values]
            axes.plot(*zip(*points), **{**style(peer), "linestyle": ""})
        for y, ratio in enumerate(self.ratios.values()):
            if ratio:
                how = dict(color=VERMILION, weight="bold") if ratio < 1 else {}
                axes.annotate(f"{ratio:.2f}×", (1, y), xytext=(4, 0), xycoords=("axes fraction", "data"), va="center",
                              textcoords="offset points", annotation_clip=False, **how)
        axes.set_yticks(range(len(lines)), list(lines))
        axes.set_ylim(len(lines) - 0.4, -0.6)
        axes.set_xlabel(self.axis, labelpad=1)
        if self.axis != FRACTION:
            use_log_scale(axes, "x")
        else:
            axes.set_xlim(left=0)


@dataclasses.dataclass
class Host(Dots):
    """Milliseconds of the cases of a host's results that match."""

    axis = "milliseconds, less is better"

    def select(self, results, hidden):
        path, lines, self.ratios = FOLDER / f"{self.benchmark}.json", {}, {}
        for (case, _), peers in HostResults(path).of.items() if path.exists() else ():
            found = re.fullmatch(self.pattern, case)
            if found:
                label, shown = readable(found.groups()), {peer: row for peer, row in peers.items() if peer in STYLES}
                lines[label] = {peer: microseconds(row) * 1e-3 for peer, row in shown.items()}
                self.ratios[label] = host_ratio(shown)
        return lines


def use_log_scale(axes, axis):
    axes.set(**{f"{axis}scale": "log"})
    drawn = axes.yaxis if axis == "y" else axes.xaxis
    drawn.set_major_locator(LogLocator(subs=(1, 2, 5)))
    drawn.set_major_formatter(lambda value, _: f"{value:g}")
    drawn.set_minor_locator(NullLocator())


def cpu(title, file, pattern):
    """The panels of a host's results with 2 and with 16 cores."""
    return [Host(f"{title}, CPU, {cores} cores", f"{file}_host_{cores}_cores", pattern) for cores in (2, 16)]


# The rows of panels of a picture, each with its height in inches. A picture without an entry shows all cases of its
# families' benchmarks.
PICTURES = {
    "merge": (
        (2.9, [Curves("keys u32", "merge", "keys_u32"), Curves("pairs u32 + u32", "merge", "pairs_u32_u32"),
               Dots("all cases", "merge", r"(.+)")]),
        (1.3, cpu("2 × 2²⁴ u32 keys", "merge", r"(merge\w*)/u32/rand")),
    ),
    "merge_runs": (
        (2.9, [Curves("8 runs of u32", "merge_runs", "keys_u32/8_runs"), Dots("u32", "merge_runs", r"keys_u32/(.+)"),
               Dots("other types", "merge_runs", r"(keys_(?!u32/).+|pairs.+)")]),
        (1.9, cpu("2²⁵ u32 keys", "merge_runs", r"keys_u32/(.+)")),
    ),
    "set_operations": (
        (2.7, [Curves("union, u32", "set_operations", "set_union/u32/rand"),
               Curves("intersection, u32", "set_operations", "set_intersection/u32/rand"),
               Curves("union by key, u32 + u32", "set_operations_by_key", "set_union_by_key/u32_u32/rand")]),
        (3.6, [Dots("random keys in [0, 4N)", "set_operations.*", r"set_(\w+(?<!size))/(\w+)/rand"),
               Dots("64 of each key", "set_operations.*", r"set_(\w+)/(\w+)/dup64"),
               Dots("all keys equal", "set_operations.*", r"set_(\w+)/(\w+)/alleq")]),
        (1.4, [Dots("the size only, random keys", "set_operations", r"set_(\w+)_size/(u32)/rand")]),
        (2.0, cpu("2 × 2²⁴ u32 keys in [0, 4N)", "set_operations", r"set_(\w+)(?:/u32)?/rand")),
    ),
    "intervals": (
        (2.7, [Curves("expand, runs of 100 on average", "interval", "expand/mean_100"),
               Curves("gather, the same", "interval", "gather/mean_100"),
               Curves("move, the same", "interval", "move/mean_100")]),
        (2.3, [Dots("expand", "interval", r"expand/(mean.+|zipf)"), Dots("gather", "interval", r"gather/(.+)")]),
        (1.7, [Dots("scatter", "interval", r"scatter/(.+)"), Dots("move", "interval", r"move/(.+)")]),
        (1.9, cpu("2²⁴ u32 items", "interval", r"(.+)")),
    ),
    "sorts": (
        (2.7, [Curves("segmented, u32, mean 300", "segmented_sort", "keys_u32/mean_300"),
               Curves("stable segmented, u32 + u32, mean 1,000", "segmented_sort", "pairs_u32_u32/mean_1000"),
               Curves("locality, u32, i + random in [0, 1,000]", "locality_sort", "keys_u32/within_1000")]),
        (2.3, [Dots("segmented, u32", "segmented_sort", r"keys_u32/(.+)"),
               Dots("segmented, u32 + u32", "segmented_sort", r"pairs_u32_u32/(.+)"),
               Dots("segmented, other types", "segmented_sort", r"(keys_(?!u32/).+|pairs_u64.+)")]),
        (1.9, [Dots("locality, u32", "locality_sort", r"keys_u32/(.+)"),
               Dots("locality, u32 + u32", "locality_sort", r"pairs_u32_u32/(.+)")]),
        (2.2, cpu("2²⁴ u32 keys", "segmented_sort", r"keys_u32/(.+)")),
    ),
    "odd_even_merge_sort": (
        (2.8, [Curves("keys i32", "odd_even_merge_sort", "keys_i32/random", "log")]),
    ),
    "small_sizes": (
        (2.4, [Times("merge"), Times("merge_by_key"), Times("set_union"), Times("set_intersection")]),
        (2.4, [Times("merge_runs"), Times("set_union_by_key"), Times("interval_expand"), Times("interval_gather")]),
        (2.4, [Times("segmented_sort"), Times("stable_segmented_sort_by_key"), Times("locality_sort"),
               Times("odd_even_merge_sort")]),
    ),
}
OWN_LABELS = {("set_operations", "mgpu"): "mgpu::par", ("intervals", "thrust"): "Thrust, scan and gather",
              ("small_sizes", "mgpu"): "mgpu::par"}
SHOWS_PAR = {"merge"}  # its Thrust rows wait, as mgpu::par does
MOST_IN_LINE = 6


def style(peer):
    """The library's lines are thick, on top and have filled points."""
    colour, shape = STYLES[peer]
    own = is_own(peer)
    return dict(color=colour, marker=shape, markersize=5.5 if own else 5, markeredgecolor=colour,
                markerfacecolor=colour if own else "white", linewidth=2.2 if own else 1.2, zorder=4 if own else 3)


def legend_of(picture, shown):
    peers = {peer for panel, lines in shown for line in ([lines] if isinstance(panel, Curves) else lines.values())
             for peer in line}
    handles = [Line2D([], [], label=OWN_LABELS.get((picture, peer), LABELS[peer]), **style(peer))
               for peer in LABELS if peer in {peer.removesuffix("_nosync") for peer in peers}]
    if any(peer.endswith("_nosync") for peer in peers):
        handles += [Line2D([], [], color="black", linestyle=line, label=label) for line, label in
                    (("-", "waited for call by call"), ("--", "par_nosync, or no wait, 20 calls in a queue"))]
    return handles


def panels_of(picture):
    """Rows of panels, each with its height."""
    benchmarks = [name for family in FAMILIES if picture_of(family) == picture for name in family["benchmarks"]]
    everything = [(3.0, [Dots(name.replace("_", " "), name, r"(.+)")]) for name in benchmarks]
    return PICTURES.get(picture, everything)


def rows_of(picture, results):
    """[(height, [(panel, lines)])], without what there are no results of; nothing without any of the GPU."""
    hidden = () if picture in SHOWS_PAR else ("mgpu_par",)
    rows = [(height, [(panel, lines) for panel in panels if (lines := panel.select(results, hidden))])
            for height, panels in panels_of(picture)]
    if all(isinstance(panel, Host) for _, shown in rows for panel, _ in shown):
        return []
    return [(height, shown) for height, shown in rows if shown]


def draw(picture, rows, machine):
    legends = [legend_of(picture, shown) for _, shown in rows]
    heights = [0.3]
    for (height, _), handles in zip(rows, legends):
        heights += [0.26 if len(handles) <= MOST_IN_LINE else 0.42, height]
    figure = plt.figure(figsize=(13, sum(heights)), layout="constrained")
    title, *parts = figure.subfigures(len(heights), 1, height_ratios=heights)
    title.text(0.006, 0.5, f"{picture.replace('_', ' ')}: {machine}", va="center", fontsize=10)

    for handles, strip, part, (_, shown) in zip(legends, parts[::2], parts[1::2], rows):
        columns = len(handles) if len(handles) <= MOST_IN_LINE else (len(handles) + 1) // 2
        strip.legend(handles=handles, loc="center left", ncol=columns, frameon=False, columnspacing=1.2)
        labels = None
        for axes, (panel, lines) in zip(part.subplots(1, len(shown), squeeze=False)[0], shown):
            panel.draw(axes, lines)
            axes.set_title(panel.title, fontsize=9, loc="left")
            axes.tick_params(length=0)
            axes.spines[["top", "right"]].set_visible(False)
            axes.grid(axis="both" if isinstance(panel, Dots) else "y", color="#e1e5ea", linewidth=0.6)
            axes.set_axisbelow(True)
            if isinstance(panel, Dots) and labels == list(lines):
                axes.set_yticklabels([])
            labels = list(lines)
    return figure


def compact(svg):
    """Without comments and indentation."""
    return re.sub(r"\n\s*", "\n", re.sub(r"<!--.*?-->", "", svg, flags=re.DOTALL))


def set_text_style():
    """Text stays text, and the same numbers give the same file."""
    plt.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "mgpu", "font.size": 8, "legend.fontsize": 8,
                         "font.sans-serif": ["DejaVu Sans", "Verdana"]})


def main():
    source, folder, kind = (sys.argv[1:] + ["svg"])[:3]
    set_text_style()
    results = Results(source)
    for picture in dict.fromkeys([*map(picture_of, FAMILIES), *PICTURES]):
        rows = rows_of(picture, results)
        if not rows:
            continue
        path = pathlib.Path(folder) / f"{picture}.{kind}"
        figure = draw(picture, rows, results.machine)
        left_out = ("Creator", "Date", "Format", "Type") if kind == "svg" else ()
        figure.savefig(path, dpi=100, metadata=dict.fromkeys(left_out))
        plt.close(figure)
        if kind == "svg":
            path.write_text(compact(path.read_text(encoding="utf-8")), encoding="utf-8")
        print(path)


if __name__ == "__main__":
    main()
