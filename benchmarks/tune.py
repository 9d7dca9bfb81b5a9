# SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tries shapes of tiles. scripts/tune runs this and explains the arguments.

A shape is tried without an edit: nvcc is told to include a header before all others, which specialises tuning::trial of
include/mgpu/tuning/trial.h for one kind of tiles.
"""

import argparse
import concurrent.futures
import dataclasses
import datetime
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import textwrap

from results import MICROSECONDS, without_settings

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDES = [f"-I{ROOT / folder}" for folder in ("include", "thrust_ext", "benchmarks")]
# For g++, which does not know where CCCL is: what MGPU_CCCL_INCLUDES names, else the folders of a toolkit.
CCCL = [f"-isystem{folder}" for folder in os.environ.get(
    "MGPU_CCCL_INCLUDES", "/usr/local/cuda/include:/usr/local/cuda/include/cccl").split(":")]


@dataclasses.dataclass
class Case:
    """Tiles of one kind for some types, and the rows of the benchmark that depend on their shape."""

    header: str  # in include/mgpu/tuning
    function: str  # of that header; its arguments are an architecture and a case
    kind: str
    example: str  # a case that has the shape
    holds: str  # whether `c` is such a case
    benchmark: str
    rows: tuple

    @property
    def declaration(self):
        return f"struct {self.kind};"


def merge(key_bytes, value_bytes, is_bulk, row):
    small = "true" if key_bytes + value_bytes <= 8 else "false"
    bulk = "true" if is_bulk else "false"
    return Case("merge.h", "merge", "merge_case",
                f"merge_case{{{key_bytes}, {value_bytes}, {value_bytes} <= 16, {small}, {bulk}, true}}",
                f"c.key_bytes == {key_bytes} && c.value_bytes == {value_bytes} && c.is_bulk == {bulk}", "merge", (row,))


def set_operation(key_bytes, has_output, in_registers, emits_b, rows, benchmark="set_operations"):
    values = [str(value).lower() for value in (has_output, in_registers, emits_b)]
    holds = (f"c.key_bytes == {key_bytes} && c.has_output == {values[0]} && c.in_registers == {values[1]}"
             + (f" && c.emits_b == {values[2]}" if benchmark.endswith("by_key") else ""))
    return Case("set_operation.h", "set_operation", "set_operation_case",
                f"set_operation_case{{{key_bytes}, {', '.join(values)}, true}}", holds, benchmark, tuple(rows))


def interval(fills, scatters, gathers, rows):
    fills, scatters, gathers = (str(value).lower() for value in (fills, scatters, gathers))
    return Case("interval.h", "interval", "interval_case", f"interval_case{{4, 4, {fills}, {scatters}, {gathers}}}",
                f"c.fills == {fills} && c.scatters == {scatters} && c.gathers == {gathers}", "interval", tuple(rows))


def sort(function, kind, value_bytes, rows):
    item_bytes = 4 + value_bytes
    return Case("sort.h", function, kind, f"sort_case{{4, {value_bytes}, {item_bytes}}}",
                f"c.key_bytes == 4 && c.value_bytes == {value_bytes}", "segmented_sort", tuple(rows))


SORTED_KEYS = [f"keys_u32/mean_{mean}/2^26/mgpu" for mean in (100, 1000, 1000000)]
SORTED_PAIRS = [f"pairs_u32_u32/mean_{mean}/2^26/mgpu_stable" for mean in (100, 1000, 1000000)]
FAMILIES = {
    "merge": {
        "keys_u32": merge(4, 0, True, "keys_u32/2^28/mgpu"),
        "keys_u64": merge(8, 0, True, "keys_u64/2^27/mgpu"),
        "keys_16_bytes": merge(16, 0, True, "keys_16_bytes/2^26/mgpu"),
        "pairs_u32_u32": merge(4, 4, True, "pairs_u32_u32/2^28/mgpu"),
        "pairs_u64_u64": merge(8, 8, True, "pairs_u64_u64/2^27/mgpu"),
        "pairs_u32_16_bytes": merge(4, 16, True, "pairs_u32_16_bytes/2^26/mgpu"),
        "transform_iterators_u32": merge(4, 0, False, "transform_iterators_u32/2^28/mgpu"),
    },
    "set_operations": {
        "keys_u32": set_operation(4, True, True, True,
                                  ["set_union/u32/rand/2^28/mgpu", "set_intersection/u32/rand/2^28/mgpu"]),
        "keys_u64": set_operation(8, True, True, True,
                                  ["set_union/u64/rand/2^27/mgpu", "set_intersection/u64/rand/2^27/mgpu"]),
        "size_u32": set_operation(4, False, True, True, ["set_union_size/u32/rand/2^28/mgpu"]),
        "pairs_u32_u32": set_operation(4, True, False, True, ["set_union_by_key/u32_u32/rand/2^28/mgpu"],
                                       "set_operations_by_key"),
        "pairs_u64_u64": set_operation(8, True, False, True, ["set_union_by_key/u64_u64/rand/2^27/mgpu"],
                                       "set_operations_by_key"),
        "pairs_u32_u32_of_a": set_operation(4, True, False, False, ["set_intersection_by_key/u32_u32/rand/2^28/mgpu"],
                                            "set_operations_by_key"),
    },
    "intervals": {
        "expand": interval(True, False, False, [f"expand/mean_{mean}/2^28/mgpu" for mean in (1, 10, 100, 1000)]),
        "gather": interval(False, False, True, [f"gather/mean_{mean}/2^28/mgpu" for mean in (10, 100, 1000, 10000)]),
        "scatter": interval(False, True, False, [f"scatter/mean_{mean}/2^28/mgpu" for mean in (10, 100, 1000, 10000)]),
        "move": interval(False, True, True, [f"move/mean_{mean}/2^28/mgpu" for mean in (10, 100, 1000, 10000)]),
    },
    "sorts": {
        "keys_u32": sort("sort", "sort_case", 0, SORTED_KEYS),
        "pairs_u32_u32": sort("sort", "sort_case", 4, SORTED_PAIRS),
        "two_way_keys_u32": sort("sort_two_way", "two_way_tiles", 0, SORTED_KEYS[1:]),
        "two_way_pairs_u32_u32": sort("sort_two_way", "two_way_tiles", 4, SORTED_PAIRS[1:]),
        "wide_keys_u32": sort("sort_wide", "wide_tiles", 0, SORTED_KEYS[2:]),
        "wide_pairs_u32_u32": sort("sort_wide", "wide_tiles", 4, SORTED_PAIRS[2:]),
    },
    "odd_even_merge_sort": {
        "keys_i32": Case("odd_even_merge_sort.h", "odd_even_steps", "odd_even_tiles", "4", "c == 4",
                         "odd_even_merge_sort", ("keys_i32/random/2^20/mgpu", "keys_i32/random/2^24/mgpu")),
    },
}


@dataclasses.dataclass(frozen=True)
class Shape:
    threads: int
    items: int
    blocks: int

    def __str__(self):
        return f"{self.threads} x {self.items} with {self.blocks}"

    @property
    def file_name(self):
        return f"{self.threads}x{self.items}x{self.blocks}"


def parsed_shape(text):
    found = re.fullmatch(r"(\d+)x(\d+)x(\d+)", text)
    if not found or int(found[1]) % 32 or not 32 <= int(found[1]) <= 1024:
        raise argparse.ArgumentTypeError(f"{text} is no shape <threads>x<items per thread>x<blocks per multiprocessor>")
    return Shape(*map(int, found.groups()))


def override(case, shape):
    """The header that puts a shape in the place of the case's."""
    return f"""#include <mgpu/tuning/trial.h>
MGPU_NAMESPACE_BEGIN
namespace detail::tuning {{
{case.declaration}
template <>
struct trial<{case.kind}> {{
  template <class Case>
  static MGPU_HOST_DEVICE constexpr base::tile_shape of(const base::tile_shape& chosen, const Case& c) {{
    if (!({case.holds})) return chosen;
    return {{{shape.threads}, {shape.items}, {shape.blocks}, chosen.single_launch_waves}};
  }}
}};
}}  // namespace detail::tuning
MGPU_NAMESPACE_END
"""


def check(case, shape, cc):
    """A C++ file that compiles if the case has the shape: `override` is included before it, or nothing."""
    return f"""#include <mgpu/tuning/{case.header}>
namespace tuning = mgpu::detail::tuning;
using namespace mgpu::detail::tuning;
constexpr mgpu::detail::base::tile_shape shape = tuning::{case.function}({cc}, {case.example});
static_assert(shape.threads == {shape.threads} && shape.items_per_thread == {shape.items}, "another shape");
"""


def shape_now(case, cc, folder):
    """The shape that the tuning header has for the case."""
    source, program = folder / "now.cpp", folder / "now"
    source.write_text(f"""#include <mgpu/tuning/{case.header}>
#include <cstdio>
int main() {{
  using namespace mgpu::detail::tuning;
  const mgpu::detail::base::tile_shape shape = mgpu::detail::tuning::{case.function}({cc}, {case.example});
  std::printf("%dx%dx%d", shape.threads, shape.items_per_thread, shape.blocks_per_sm);
}}
""", encoding="utf-8")
    compiler = os.environ.get("CXX", "g++").split()
    subprocess.run([*compiler, "-std=c++17", *INCLUDES, *CCCL, source, "-o", program], check=True)
    return parsed_shape(subprocess.run([program], check=True, capture_output=True, text=True).stdout)


def neighbours(now):
    """The present shape and those around it: with more and fewer items, blocks, threads. Networks sort powers of two."""
    if now.items & (now.items - 1) == 0 and now.items > 1:
        tried = [(now.threads * factor // 2, now.items * 2 // factor) for factor in (1, 4)]
        tried += [(now.threads, now.items // 2), (now.threads, now.items * 2)]
    else:
        tried = [(now.threads, now.items + more) for more in (-8, -6, -4, -2, 2, 4, 6, 8)]
        for threads in (now.threads // 2, now.threads * 3 // 4, now.threads * 3 // 2, now.threads * 2):
            tried += [(threads, now.items), (threads, (now.threads * now.items // threads - 1) | 1)]
    shapes = [now, *(Shape(now.threads, now.items, now.blocks + more) for more in (-2, -1, 1, 2))]
    shapes += [Shape(threads, items, max(1, now.blocks * now.threads * now.items // (threads * items)))
               for threads, items in tried]
    return list(dict.fromkeys(shape for shape in shapes if shape.items > 0 and shape.blocks > 0
                              and 32 <= shape.threads <= 1024 and shape.threads % 32 == 0))


def build(case, shape, folder, options):
    """Compiles the benchmark with a shape; returns what the compiler says if it cannot."""
    header = folder / f"{shape.file_name}.h"
    header.write_text(override(case, shape), encoding="utf-8")
    command = ["nvcc", "-std=c++17", "-O3", "-DNDEBUG", f"-arch={options.arch}", *INCLUDES, "-include", header,
               ROOT / "benchmarks" / f"{case.benchmark}.cu", "-o", folder / shape.file_name]
    command += ["-c"] if options.compile_only else ["-lbenchmark", "-lpthread"]
    compiled = subprocess.run(command, capture_output=True, text=True, check=False)
    return "" if compiled.returncode == 0 else compiled.stderr


def measured(case, program):
    """The microseconds and, if the benchmark tells it, the fraction of copy of each row of the case, in their order."""
    names = "|".join(re.escape(row).replace("\\-", "-") for row in case.rows)
    out = program.with_suffix(".json")
    out.unlink(missing_ok=True)
    ran = subprocess.run([program, f"--benchmark_filter=^({names})/", f"--benchmark_out={out}",
                          "--benchmark_out_format=json"], capture_output=True, text=True, check=False)
    rows = json.loads(out.read_text(encoding="utf-8"))["benchmarks"] if ran.returncode == 0 else []
    rows = {without_settings(row["run_name"]): row for row in rows if not row.get("error_occurred")}
    if any(row not in rows for row in case.rows):
        return None
    return [(rows[row]["real_time"] * MICROSECONDS[rows[row]["time_unit"]], rows[row].get("fraction_of_copy"))
            for row in case.rows]


def best_of(case, program, rounds):
    """The best of several measurements of each row; None if one fails."""
    tries = [measured(case, program) for _ in range(rounds)]
    return [min(row) for row in zip(*tries)] if all(tries) else None


def figures(values):
    """Of all rows: fractions of copy, or else microseconds."""
    return " / ".join(f"{fraction:.3f}" if fraction else f"{time:,.0f}" for time, fraction in values)


def mean_time(values):
    return math.exp(sum(math.log(time) for time, _ in values) / len(values))


def comment(case, shapes, device):
    """What a tuning header says of the shapes, best first."""
    unit = "fraction of copy" if shapes[0][1][0][1] else "us"
    text = (f"{', '.join(row.rsplit('/', 1)[0] for row in case.rows)}, {unit}: "
            + ", ".join(f"{shape} {figures(values)}" for shape, values in shapes)
            + f". {device}, benchmarks/{case.benchmark}.cu, {datetime.date.today().isoformat()}")
    return textwrap.fill(text, 116, initial_indent="    // ", subsequent_indent="    // ", break_on_hyphens=False)


def device_line(query):
    answer = subprocess.run(["nvidia-smi", f"--query-gpu={query}", "--format=csv,noheader"], check=True,
                            capture_output=True, text=True)
    return answer.stdout.splitlines()[0].strip()


def tune(name, case, options):
    folder = options.folder / name
    folder.mkdir(parents=True, exist_ok=True)
    now = shape_now(case, int(re.sub(r"\D", "", options.arch)), folder)
    shapes = options.shapes or neighbours(now)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        answers = dict(zip(shapes, pool.map(lambda shape: build(case, shape, folder, options), shapes)))
    for shape, answer in answers.items():
        if answer:
            print(f"{name}: {shape} does not compile:\n{answer.strip().splitlines()[0]}", file=sys.stderr)
    compiled = [shape for shape in shapes if not answers[shape]]
    if options.compile_only:
        print(f"{name}: {len(compiled)} of {len(shapes)} shapes compile; the header has {now}")
        return len(compiled) == len(shapes)
    found = []
    for shape in compiled:
        values = best_of(case, folder / shape.file_name, options.rounds)
        if values:
            found.append((shape, values))
        else:
            print(f"{name}: {shape} does not run", file=sys.stderr)
    found.sort(key=lambda entry: mean_time(entry[1]))
    print(f"\n{name}, of tuning::{case.function}:")
    for shape, values in found:
        print(f"  {str(shape):20} {figures(values):40} {mean_time(values):12,.2f} us"
              + ("  as it is" if shape == now else ""))
    if found:
        print(comment(case, found, options.device))
    return bool(found)


def main(arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("family", choices=FAMILIES)
    parser.add_argument("--case", action="append", default=[])
    parser.add_argument("--shapes", type=lambda text: [parsed_shape(one) for one in text.split(",")])
    parser.add_argument("--arch")
    parser.add_argument("--compile-only", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build" / "tune")
    options = parser.parse_args(arguments)
    if options.jobs < 1 or options.rounds < 1:
        parser.error("--jobs and --rounds are at least 1")
    cases = FAMILIES[options.family]
    for name in options.case:
        if name not in cases:
            parser.error(f"{options.family} has the cases {', '.join(cases)}")
    options.folder /= options.family
    if not options.compile_only:
        options.device = device_line("name")
        options.arch = options.arch or "sm_" + device_line("compute_cap").replace(".", "")
    options.arch = options.arch or "sm_90"
    done = [tune(name, cases[name], options) for name in options.case or cases]
    return 0 if all(done) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
