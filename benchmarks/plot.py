#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the JSON of the merge benchmarks (--benchmark_out=FILE) as one picture.

Up to three panels, as far as the files have their rows: large inputs on the GPU as a fraction of the bandwidth of a copy, small
ones in microseconds, and the CPU in milliseconds. A row that is in several files, or repeated in one, is drawn as its median.
"""

import argparse
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
    "cub": ("CUB, preallocated", "#8c959f"),
    "mgpu_par": ("mgpu::par", "#7bc98f"),
    "thrust": ("thrust::cuda::par", "#d0d7de"),
    "mgpu_omp": ("mgpu::omp::par", "#1a7f37"),
    "mgpu_tbb": ("mgpu::tbb::par", "#7bc98f"),
    "thrust_tbb": ("thrust::tbb::par", "#d0d7de"),
    "std_par": ("std::execution::par", "#8c959f"),
    "gnu_parallel": ("__gnu_parallel", "#57606a"),
    "thrust_omp": ("thrust::omp::par", "#eaeef2"),
    "std": ("std::merge, serial", "#24292f"),
}

CASES = {
    "keys_u32": "keys\nu32",
    "keys_u64": "keys\nu64",
    "keys_16_bytes": "keys\n16 bytes",
    "pairs_u32_u32": "pairs\nu32, u32",
    "pairs_u64_u64": "pairs\nu64, u64",
    "pairs_u32_16_bytes": "pairs\nu32, 16 bytes",
    "transform_iterators_u32": "transform\niterators u32",
    "rows_of_tables": "counted rows,\nlook-up compare",
    "zip_values_discarded_keys": "zipped values,\ndiscarded keys",
}

SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}


def read(paths):
    """Returns the contexts of the files and, for each of the two machines, {case: {peer: value}}."""
    contexts, samples = [], defaultdict(list)
    for path in paths:
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
        contexts.append(content["context"])
        for row in content["benchmarks"]:
            if row.get("error_occurred") or row.get("aggregate_name", "median") != "median":
                continue
            samples[row.get("run_name", row["name"])].append(row)

    large, small, cpu = {}, {}, {}
    for name, rows in samples.items():
        if any(row["run_type"] == "aggregate" for row in rows):
            rows = [row for row in rows if row["run_type"] == "aggregate"]
        seconds = statistics.median(row["real_time"] * SECONDS[row["time_unit"]] for row in rows)
        parts = name.split("/")
        if "fraction_of_copy" not in rows[0]:
            cpu.setdefault(parts[0], {})[parts[1]] = seconds * 1e3
            continue
        case, size, peer = parts[:3]
        label = f"{CASES.get(case, case)}\n$2^{{{size[2:]}}}$"
        if int(size[2:]) <= SMALL_LOG2_COUNT:
            small.setdefault(label, {})[peer] = seconds * 1e6
        else:
            large.setdefault(label, {})[peer] = statistics.median(row["fraction_of_copy"] for row in rows)
    return contexts, large, small, cpu


def text_colour(background):
    red, green, blue = matplotlib.colors.to_rgb(background)
    return "white" if 0.3 * red + 0.59 * green + 0.11 * blue < 0.5 else "#1f2328"


def draw(axes, groups, digits, **legend):
    """Grouped bars, each with its value in it."""
    peers = [peer for peer in PEERS if any(peer in group for group in groups.values())]
    width = 0.86 / len(peers)
    for i, group in enumerate(groups.values()):
        drawn = [peer for peer in peers if peer in group]
        for j, peer in enumerate(drawn):
            x, colour = i + (j - (len(drawn) - 1) / 2) * width, PEERS[peer][1]
            axes.bar(x, group[peer], width * 0.94, color=colour, zorder=2)
            axes.annotate(f"{group[peer]:.{digits}f}", (x, group[peer]), xytext=(0, -3), textcoords="offset points",
                          ha="center", va="top", rotation=90, fontsize=7.5, color=text_colour(colour), zorder=4)
    axes.set_xticks(range(len(groups)), list(groups), fontsize=8)
    axes.set_xlim(-0.55, len(groups) - 0.45)
    axes.set_ylim(bottom=0)
    axes.grid(axis="y", color="#d8dee4", linewidth=0.6, zorder=0)
    axes.spines[["top", "right"]].set_visible(False)
    if legend:
        handles = [plt.Rectangle((0, 0), 1, 1, color=PEERS[peer][1]) for peer in peers]
        axes.legend(handles, [PEERS[peer][0] for peer in peers], fontsize=8, frameon=False, **legend)


def draw_large(axes, groups):
    draw(axes, groups, 2, ncols=4, loc="lower left", bbox_to_anchor=(0, 1.0))
    axes.axhline(1, color="#cf222e", linewidth=1.2, zorder=3)
    axes.annotate("device copy", (len(groups) - 0.47, 1), xytext=(0, 3), textcoords="offset points", ha="right",
                  color="#cf222e", fontsize=8)
    axes.set_ylim(0, max(1.1, axes.get_ylim()[1]))
    axes.set_ylabel("bandwidth / bandwidth of a copy")


def draw_small(axes, groups):
    draw(axes, groups, 1)
    axes.set_ylabel("microseconds, less is better")


def draw_cpu(axes, groups):
    draw(axes, groups, 0, loc="center left", bbox_to_anchor=(1.0, 0.5))
    axes.set_ylabel("milliseconds, less is better")
    axes.set_title("CPU: two inputs of $2^{24}$ u32 keys", fontsize=9)


def draw_panels(large, small, cpu):
    """The GPU in a row, the CPU below."""
    rows = [[(f, groups) for f, groups in row if groups] for row in (((draw_large, large), (draw_small, small)), ((draw_cpu, cpu),))]
    rows = [row for row in rows if row]
    figure = plt.figure(figsize=(13, 3.9 * len(rows)), layout="constrained")
    for part, row in zip(figure.subfigures(len(rows), 1, squeeze=False)[:, 0], rows):
        panels = part.subplots(1, len(row), width_ratios=[len(groups) + 0.3 for _, groups in row], squeeze=False)[0]
        for axes, (f, groups) in zip(panels, row):
            f(axes, groups)
    return figure


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("json", nargs="+", help="output of merge_benchmark or merge_host_benchmark")
    parser.add_argument("-o", "--output", required=True, help="the picture: .svg or .png")
    arguments = parser.parse_args()

    contexts, large, small, cpu = read(arguments.json)
    if not (large or small or cpu):
        parser.error("no results in " + ", ".join(arguments.json))

    plt.rcParams["svg.hashsalt"] = "mgpu"  # the same picture for the same numbers
    figure = draw_panels(large, small, cpu)
    gpu = next((context for context in contexts if "copy_GB/s" in context), None)
    if gpu:
        figure.suptitle(f"mgpu merge on {gpu['device']}: a device copy reads and writes {float(gpu['copy_GB/s']):,.0f} GB/s",
                        fontsize=11)
    figure.savefig(arguments.output, dpi=160, metadata={"Date": None} if arguments.output.endswith(".svg") else None)


if __name__ == "__main__":
    main()
