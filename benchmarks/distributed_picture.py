#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws a results file of distributed_benchmark: distributed.svg.

Usage: distributed_picture.py RESULTS.json FOLDER
Shows the rates of sorts against the size, the times of all cases on the most GPUs, and these beside the time that one
GPU takes for as many elements as each of these has.
"""

import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

import plot
from distributed_table import readable, rows_of, run_of

PEERS = {"mgpu": "nccl_communicator", "mgpu_in_process": "in_process_group", "simple": "CUB and NCCL by hand",
         "mgpu_alone": "one GPU"}
plot.STYLES.update({"mgpu_in_process": (plot.SKY, "o"), "simple": (plot.VERMILION, "s"), "mgpu_alone": (plot.GREY, "v")})


def rates(axes, rows, gpus):
    """Sorts of u32 on one GPU and on all."""
    lines = {}
    for (case, log2), by_gpus in rows.items():
        if case == "stable_sort/u32/uniform":
            for number, peers in by_gpus.items():
                for peer, row in peers.items():
                    if number == gpus or peer == "mgpu_alone":
                        lines.setdefault(peer, []).append((log2, row["Gkeys/s"]))
    for peer, line in lines.items():
        axes.plot(*zip(*sorted(line)), **plot.style(peer))
    axes.set_title("stable_sort, u32", fontsize=9, loc="left")
    axes.set_ylabel("Gkeys/s")
    axes.set_ylim(bottom=0)
    axes.xaxis.set_major_locator(plot.MultipleLocator(2))
    axes.xaxis.set_major_formatter(lambda x, _: plot.power(x))
    axes.set_xlabel("elements on a GPU", labelpad=1)


def dots(axes, title, label, lines, ratios):
    """{case: {peer: x}}, with a number beside each case."""
    for peer in PEERS:
        points = [(values[peer], y) for y, values in enumerate(lines.values()) if peer in values]
        if points:
            axes.plot(*zip(*points), **{**plot.style(peer), "linestyle": ""})
    for y, ratio in enumerate(ratios):
        if ratio:
            how = dict(color=plot.VERMILION, weight="bold") if ratio < 1 else {}
            axes.annotate(f"{ratio:.2f}×", (1, y), xytext=(4, 0), xycoords=("axes fraction", "data"), va="center",
                          textcoords="offset points", annotation_clip=False, **how)
    axes.set_title(title, fontsize=9, loc="left")
    axes.set_yticks(range(len(lines)), list(lines))
    axes.set_ylim(len(lines) - 0.4, -0.6)
    axes.set_xlabel(label, labelpad=1)


def draw(path):
    rows = rows_of(path)
    gpus = max(number for by_gpus in rows.values() for number in by_gpus)
    times, faster, shares = {}, [], {}
    for (case, log2), by_gpus in rows.items():
        peers, alone = by_gpus.get(gpus, {}), by_gpus.get(1, {}).get("mgpu_alone")
        if "mgpu" not in peers:
            continue
        name = f"{readable(case).replace('`', '')}, {plot.power(log2)}"
        times[name] = {peer: row["real_time"] for peer, row in peers.items()}
        faster.append(times[name]["simple"] / times[name]["mgpu"] if "simple" in peers else None)
        if alone:
            shares[name] = {peer: alone["real_time"] / time for peer, time in times[name].items()}
    figure = plt.figure(figsize=(13, 4.6), layout="constrained")
    title, strip, part = figure.subfigures(3, 1, height_ratios=[0.3, 0.26, 4.0])
    title.text(0.006, 0.5, f"{gpus} GPUs: {run_of(path)}", va="center", fontsize=10)
    strip.legend(handles=[plot.Line2D([], [], label=label, **plot.style(peer)) for peer, label in PEERS.items()],
                 loc="center left", ncol=len(PEERS), frameon=False, columnspacing=1.2)
    panels = part.subplots(1, 3)
    rates(panels[0], rows, gpus)
    dots(panels[1], "time, and how many times that of CUB and NCCL by hand", "milliseconds, less is better", times,
         faster)
    plot.use_log_scale(panels[1], "x")
    dots(panels[2], "weak scaling", "one GPU's time for as much / this time", shares, [])
    panels[2].set_xlim(0, 1.02)
    if list(shares) == list(times):
        panels[2].set_yticklabels([])
    for axes in panels:
        axes.tick_params(length=0)
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(color="#e1e5ea", linewidth=0.6)
        axes.set_axisbelow(True)
    return figure


def main():
    source, folder = map(pathlib.Path, sys.argv[1:3])
    plot.set_text_style()
    figure = draw(source)
    path = folder / "distributed.svg"
    figure.savefig(path, dpi=100, metadata=dict.fromkeys(("Creator", "Date", "Format", "Type")))
    path.write_text(plot.compact(path.read_text(encoding="utf-8")), encoding="utf-8")
    print(path)


if __name__ == "__main__":
    main()
