#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the JSON of the benchmarks of one subject (--benchmark_out=FILE) as one picture.

The subjects are merge, the set operations, intervals and the sorts. As far as the files have the rows of a panel: large
inputs on the GPU as a fraction of the bandwidth of a copy, those of the sorts in keys per second, small ones in
microseconds, and the CPU in milliseconds. The set operations, which have more rows, are drawn so for random keys; the
speed-up over Thrust of every row is a table. A row that is in several files, or repeated in one, is its median.
"""

import argparse
import dataclasses
import json
import statistics
from collections import defaultdict

import matplotlib

matplotlib.use("Agg")
import matplotlib.colors
import matplotlib.pyplot as plt

SMALL_LOG2_COUNT = 24  # up to here time is what counts, above bandwidth

PEERS = {  # in the order of drawing: label, colour
    "mgpu": ("mgpu::par_nosync", "#1a7f37"),
    "mgpu_stable": ("mgpu::par_nosync, stable", "#1b7c83"),
    "cub": ("CUB, preallocated", "#8c959f"),
    "mgpu_par": ("mgpu::par", "#7bc98f"),
    "mgpu_unique_keys": ("mgpu::par, mgpu::unique_keys", "#7bc98f"),
    "cub_copy": ("cub::DeviceCopy", "#57606a"),
    "cub_memcpy": ("cub::DeviceMemcpy", "#8c959f"),
    "cub_segmented": ("cub::DeviceSegmentedSort", "#57606a"),
    "cub_segmented_radix": ("cub::DeviceSegmentedRadixSort", "#24292f"),
    "cub_fused": ("cub::DeviceRadixSort of (segment, key)", "#8c959f"),
    "cub_fused_whole": ("with packing and unpacking", "#d0d7de"),
    "cub_radix": ("cub::DeviceRadixSort", "#8c959f"),
    "cub_merge": ("cub::DeviceMergeSort", "#d0d7de"),
    "thrust": ("thrust::cuda::par", "#d0d7de"),
    "mgpu_omp": ("mgpu::omp::par", "#1a7f37"),
    "mgpu_stable_omp": ("mgpu::omp::par, stable", "#1b7c83"),
    "mgpu_tbb": ("mgpu::tbb::par", "#7bc98f"),
    "mgpu_stable_tbb": ("mgpu::tbb::par, stable", "#6cc4c9"),
    "mgpu_cpp": ("mgpu::cpp::par", "#b4e0c0"),
    "omp_loop": ("std:: in an OpenMP loop", "#8c959f"),
    "std_sort_parallel": ("std::sort, OpenMP loop", "#d0d7de"),
    "std_parallel": ("std::stable_sort, OpenMP loop", "#afb8c1"),
    "thrust_tbb": ("thrust::tbb::par", "#d0d7de"),
    "std_par": ("std::execution::par", "#8c959f"),
    "gnu_parallel": ("__gnu_parallel", "#57606a"),
    "thrust_omp": ("thrust::omp::par", "#eaeef2"),
    "std": ("std::merge, serial", "#24292f"),
}
MERGE_PEERS = {peer: drawn for peer, drawn in PEERS.items() if peer != "mgpu_cpp"}  # serial, and std is too
SET_PEERS = {**MERGE_PEERS, "mgpu": ("mgpu::par", "#1a7f37"), "std": ("std::, serial", "#24292f")}
INTERVAL_PEERS = {**PEERS, "thrust": ("Thrust, scan and gather", "#d0d7de"),
                  "std": ("std:: in a serial loop", "#24292f")}
SORT_PEERS = {**PEERS, "std": ("std::stable_sort, serial", "#24292f")}

CASES = {
    "keys_u32": "keys\nu32",
    "keys_u64": "keys\nu64",
    "keys_16_bytes": "keys\n16 bytes",
    "keys_u32_descending": "keys\nu32, descending",
    "pairs_u32_u32": "pairs\nu32, u32",
    "pairs_u64_u64": "pairs\nu64, u64",
    "pairs_u32_16_bytes": "pairs\nu32, 16 bytes",
    "transform_iterators_u32": "transform\niterators u32",
    "rows_of_tables": "counted rows,\nlook-up compare",
    "zip_values_discarded_keys": "zipped values,\ndiscarded keys",
}

DISTRIBUTIONS = {
    "rand": "uniform keys in [0, 4N)",
    "dup64": "64 equal keys per value",
    "alleq": "all keys equal",
    "unique": "unique keys",
    "wide": "uniform keys in [0, $2^{32}$)",
}

INTERVAL_FUNCTIONS = ["expand", "gather", "scatter", "move"]

SORTED = {"keys_u32": "u32 keys", "pairs_u32_u32": "u32 keys with values"}  # what has panels of its own

SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}


@dataclasses.dataclass
class Row:
    case: str
    types: str  # empty where the case says it
    distribution: str  # of merge empty
    log2_count: int  # 0 on the CPU
    peer: str
    seconds: float
    fraction: float  # of the bandwidth of a copy, 0 on the CPU
    gkeys: float  # per second, of the sorts on the GPU, else 0

    @classmethod
    def of(cls, name, *measured):
        """Its name is <case>[/<types>][/<distribution>][/2^<size>]/<peer>/<settings>."""
        parts = [part for part in name.split("/") if ":" not in part and part not in ("real_time", "manual_time")]
        case, *between, peer = parts
        log2_count = int(between.pop()[2:]) if between and between[-1].startswith("2^") else 0
        distribution = between.pop() if between else ""
        return cls(case, "/".join(between), distribution, log2_count, peer, *measured)

    @property
    def subject(self):
        if self.case in INTERVAL_FUNCTIONS:
            return "intervals"
        return "merge" if not self.distribution else "set operations" if self.case.startswith("set_") else "sorts"

    @property
    def is_extra(self):
        """Compares the library with itself."""
        return self.distribution == "unique" or self.case.endswith("_size")

    @property
    def sort(self):
        """What is sorted how, the title of a panel."""
        is_segmented = self.distribution.startswith(("mean_", "zipf", "one_segment"))
        call = ("segmented_sort" if is_segmented else "locality_sort") + " of "
        return (call if self.log2_count else f"CPU: {call}$2^{{24}}$ ") + SORTED.get(self.case, "other types")

    def label(self):
        size = f"\n$2^{{{self.log2_count}}}$" if self.log2_count else ""
        if self.subject == "merge":
            return CASES.get(self.case, self.case) + size
        distribution = "Zipf" if self.distribution == "zipf" else self.distribution.replace("_", " ")
        if self.subject == "intervals":
            return "\n".join(filter(None, [self.case, self.types.replace("_", " "), distribution])) + size
        if self.subject == "sorts":
            case = "" if self.case in SORTED else CASES[self.case] + "\n"
            return case + distribution.replace("mean", "mean length") + size
        is_unique = self.distribution == "unique"
        extra = "\nsize only" if self.case.endswith("_size") else "\nunique keys" if is_unique else ""
        by_key = "\nby key" if not self.types and self.case.endswith("_by_key") else ""
        types = "\n" + self.types.replace("_", ", ") if self.types else ""
        return operation(self.case).replace(" ", "\n") + by_key + extra + types + size


def operation(case):
    return case.removeprefix("set_").removesuffix("_size").removesuffix("_by_key").replace("_", " ")


def read(paths):
    """Returns the contexts of the files and their rows."""
    contexts, samples = [], defaultdict(list)
    for path in paths:
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
        contexts.append(content["context"])
        for row in content["benchmarks"]:
            if row.get("error_occurred") or row.get("aggregate_name", "median") != "median":
                continue
            samples[row.get("run_name", row["name"])].append(row)

    rows = []
    for name, found in samples.items():
        if any(row["run_type"] == "aggregate" for row in found):
            found = [row for row in found if row["run_type"] == "aggregate"]
        seconds = statistics.median(row["real_time"] * SECONDS[row["time_unit"]] for row in found)
        rates = [statistics.median(row.get(rate, 0) for row in found) for rate in ("fraction_of_copy", "Gkeys/s")]
        rows.append(Row.of(name, seconds, *rates))
    return contexts, rows


def text_colour(background):
    red, green, blue = matplotlib.colors.to_rgb(background)[:3]
    return "white" if 0.3 * red + 0.59 * green + 0.11 * blue < 0.5 else "#1f2328"


def draw(axes, groups, digits, known, short=0.0, **legend):
    """Grouped bars, each with its value in it, or above it if it is less than `short` of the highest."""
    highest = max(value for group in groups.values() for value in group.values())
    peers = [peer for peer in known if any(peer in group for group in groups.values())]
    width = 0.86 / len(peers)
    for i, group in enumerate(groups.values()):
        drawn = [peer for peer in peers if peer in group]
        for j, peer in enumerate(drawn):
            x, colour = i + (j - (len(drawn) - 1) / 2) * width, known[peer][1]
            axes.bar(x, group[peer], width * 0.94, color=colour, zorder=2)
            y, va, behind = (3, "bottom", "white") if group[peer] < short * highest else (-3, "top", colour)
            axes.annotate(f"{group[peer]:.{digits}f}", (x, group[peer]), xytext=(0, y), textcoords="offset points",
                          ha="center", va=va, rotation=90, fontsize=7.5, color=text_colour(behind), zorder=4)
    axes.set_xticks(range(len(groups)), list(groups), fontsize=8)
    axes.set_xlim(-0.55, len(groups) - 0.45)
    axes.set_ylim(bottom=0)
    axes.grid(axis="y", color="#d8dee4", linewidth=0.6, zorder=0)
    axes.spines[["top", "right"]].set_visible(False)
    if legend:
        handles = [plt.Rectangle((0, 0), 1, 1, color=known[peer][1]) for peer in peers]
        axes.legend(handles, [known[peer][0] for peer in peers], fontsize=8, frameon=False, **legend)


def draw_large(axes, groups, known=MERGE_PEERS):
    draw(axes, groups, 2, known, ncols=5, loc="lower left", bbox_to_anchor=(0, 1.0))
    axes.axhline(1, color="#cf222e", linewidth=1.2, zorder=3)
    axes.annotate("device copy", (len(groups) - 0.47, 1), xytext=(0, 3), textcoords="offset points", ha="right",
                  color="#cf222e", fontsize=8)
    axes.set_ylim(0, max(1.1, axes.get_ylim()[1]))
    axes.set_ylabel("bandwidth / bandwidth of a copy")


def draw_small(axes, groups, known=MERGE_PEERS):
    draw(axes, groups, 1, known)
    axes.set_ylabel("microseconds, less is better")


def draw_cpu(axes, groups, known=MERGE_PEERS, what="two inputs of $2^{24}$ u32 keys", digits=0, has_legend=True):
    draw(axes, groups, digits, known, **(dict(loc="center left", bbox_to_anchor=(1.0, 0.5)) if has_legend else {}))
    axes.set_ylabel("milliseconds, less is better")
    axes.set_title(f"CPU: {what}", fontsize=9)


def draw_sorts(axes, groups, title):
    digits, unit = (0, "milliseconds, less is better") if title.startswith("CPU") else (1, "Gkeys/s")
    draw(axes, groups, digits, SORT_PEERS, short=0.22, ncols=6, loc="lower left", bbox_to_anchor=(0, 1.0), title=title,
         title_fontsize=9, alignment="left", columnspacing=1, handlelength=1)
    axes.set_ylabel(unit)


def draw_speed_ups(axes, rows):
    """A table of thrust's time over mgpu's: operations and types by distributions and sizes."""
    seconds = defaultdict(dict)
    for row in rows:
        kind = operation(row.case) + (" by key" if row.case.endswith("_by_key") else "")
        seconds[f"{kind}, {row.types.replace('_', '+')}", row.distribution, row.log2_count][row.peer] = row.seconds
    cells = {key: of["thrust"] / of["mgpu"] for key, of in seconds.items() if {"mgpu", "thrust"} <= of.keys()}
    lines = list(dict.fromkeys(line for line, _, _ in cells))
    distributions = [d for d in DISTRIBUTIONS if any(d == key[1] for key in cells)]
    sizes = {line: sorted({size for key_line, _, size in cells if key_line == line}) for line in lines}
    most = max(len(s) for s in sizes.values())

    scale = matplotlib.colors.LinearSegmentedColormap.from_list("", ["#cf222e", "#ffffff", "#7bc98f", "#1a7f37"])
    shade = matplotlib.colors.Normalize(0.5, 2.0)  # white near 1
    for y, line in enumerate(lines):
        for d, distribution in enumerate(distributions):
            for s, size in enumerate(sizes[line]):
                speed_up = cells.get((line, distribution, size))
                if speed_up is None:
                    continue
                x, colour = d * (most + 0.3) + s, scale(shade(speed_up))
                axes.add_patch(plt.Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=colour, edgecolor="white"))
                axes.annotate(f"{speed_up:.2f}", (x, y), ha="center", va="center", fontsize=8,
                              color=text_colour(colour))
                axes.annotate(f"$2^{{{size}}}$", (x + 0.48, y + 0.42), ha="right", va="bottom", fontsize=6,
                              color=text_colour(colour))
    axes.set_xlim(-0.5, len(distributions) * (most + 0.3) - 0.8)
    axes.set_ylim(len(lines) - 0.5, -0.5)
    axes.set_yticks(range(len(lines)), lines, fontsize=8)
    axes.set_xticks([d * (most + 0.3) + (most - 1) / 2 for d in range(len(distributions))],
                    [DISTRIBUTIONS[d] for d in distributions], fontsize=8)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_title("mgpu::par, times as fast as thrust::cuda::par", fontsize=9)


# A layout is a list of rows, (height, panels); a panel is (relative width, function, its arguments after the axes).


def panel(f, rows, value, *arguments):
    """A list of one panel, with {label: {peer: value}} of these rows; empty without any."""
    groups = {}
    for row in rows:
        groups.setdefault(row.label(), {})[row.peer] = value(row)
    return [(len(groups) + 0.3, f, (groups, *arguments))] if groups else []


def merge_layout(rows):
    """The GPU in a row, the CPU below."""
    large = [row for row in rows if row.log2_count > SMALL_LOG2_COUNT]
    small = [row for row in rows if 0 < row.log2_count <= SMALL_LOG2_COUNT]
    cpu = [row for row in rows if row.log2_count == 0]
    gpu = panel(draw_large, large, lambda row: row.fraction) + panel(draw_small, small, lambda row: row.seconds * 1e6)
    return [(3.9, gpu), (3.9, panel(draw_cpu, cpu, lambda row: row.seconds * 1e3))]


def set_layout(rows):
    """Random keys on the GPU, the table of all rows, what the library's options gain, then the CPU."""
    def bars(f, selected, value, *arguments):
        return 3.9, panel(f, selected, value, SET_PEERS, *arguments)

    of_gpu = [row for row in rows if row.log2_count]
    grid = [row for row in of_gpu if not row.is_extra]
    random = [row for row in grid if row.distribution == "rand"]
    lines = {(row.case, row.types) for row in grid}
    layout = [
        bars(draw_large, [row for row in random if row.log2_count > SMALL_LOG2_COUNT], lambda row: row.fraction),
        bars(draw_small, [row for row in random if row.log2_count < SMALL_LOG2_COUNT], lambda row: row.seconds * 1e6),
        (0.6 + 0.26 * len(lines), [(1, draw_speed_ups, (grid,))] if grid else []),
        bars(draw_large, [row for row in of_gpu if row.is_extra], lambda row: row.fraction),
    ]
    for distribution, title in DISTRIBUTIONS.items():
        cpu = [row for row in rows if row.log2_count == 0 and row.distribution == distribution]
        what = f"two inputs of $2^{{24}}$ u32 keys, {title}"
        layout.append(bars(draw_cpu, cpu, lambda row: row.seconds * 1e3, what))
    return layout


def interval_layout(rows):
    """The functions on the GPU, items other than u32, then the CPU, a panel for every mean of the counts."""
    def large(*cases, types):
        selected = [row for row in rows if row.log2_count and row.case in cases and bool(row.types) == types]
        return panel(draw_large, selected, lambda row: row.fraction, INTERVAL_PEERS)

    cpu_rows = [row for row in rows if not row.log2_count]
    means = list(dict.fromkeys(row.distribution for row in cpu_rows))
    cpu = [panel(draw_cpu, [row for row in cpu_rows if row.distribution == mean], lambda row: row.seconds * 1e3,
                 INTERVAL_PEERS, "$2^{24}$ u32 items", 1, mean == means[-1]) for mean in means]
    layout = [large("expand", "gather", types=False), large("scatter", "move", types=False),
              large(*INTERVAL_FUNCTIONS, types=True), sum(cpu, [])]
    return [(3.9, panels_of_row) for panels_of_row in layout]


def sort_layout(rows):
    """On the GPU u32 keys and pairs in segments, more or less sorted ones, segments of other types, then the CPU."""
    def bars(*titles):
        of = {title: sorted((row for row in rows if row.sort == title), key=lambda row: row.case) for title in titles}
        return sum((panel(draw_sorts, of[title], lambda row: row.gkeys or row.seconds * 1e3, title)
                    for title in titles), [])

    return [
        (3.9, bars("segmented_sort of u32 keys")),
        (3.9, bars("segmented_sort of u32 keys with values")),
        (3.9, bars("locality_sort of u32 keys", "locality_sort of u32 keys with values")),
        (2.9, bars("segmented_sort of other types")),
        (3.9, bars("CPU: segmented_sort of $2^{24}$ u32 keys")),
        (3.9, bars("CPU: locality_sort of $2^{24}$ u32 keys")),
    ]


LAYOUTS = {"merge": merge_layout, "set operations": set_layout, "intervals": interval_layout, "sorts": sort_layout}


def draw_panels(layout):
    """One row of panels below the other, but those without panels."""
    layout = [(height, panels) for height, panels in layout if panels]
    figure = plt.figure(figsize=(13, sum(height for height, _ in layout)), layout="constrained")
    parts = figure.subfigures(len(layout), 1, squeeze=False, height_ratios=[height for height, _ in layout])[:, 0]
    for part, (_, panels) in zip(parts, layout):
        axes_of_row = part.subplots(1, len(panels), width_ratios=[width for width, _, _ in panels], squeeze=False)[0]
        for axes, (_, f, arguments) in zip(axes_of_row, panels):
            f(axes, *arguments)
    return figure


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("json", nargs="+", help="output of the benchmarks of one subject")
    parser.add_argument("-o", "--output", required=True, help="the picture: .svg or .png")
    arguments = parser.parse_args()

    contexts, rows = read(arguments.json)
    if not rows:
        parser.error("no results in " + ", ".join(arguments.json))
    subject, *others = sorted({row.subject for row in rows})
    if others:
        parser.error(f"results of {', '.join([subject] + others)}; draw them one by one")

    plt.rcParams["svg.hashsalt"] = "mgpu"  # the same picture for the same numbers
    figure = draw_panels(LAYOUTS[subject](rows))
    gpu = next((context for context in contexts if "copy_GB/s" in context), None)
    if gpu:
        figure.suptitle(f"mgpu {subject} on {gpu['device']}: a device copy reads and writes {float(gpu['copy_GB/s']):,.0f} GB/s",
                        fontsize=11)
    figure.savefig(arguments.output, dpi=160, metadata={"Date": None} if arguments.output.endswith(".svg") else None)


if __name__ == "__main__":
    main()
