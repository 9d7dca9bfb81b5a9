#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Joins the JSON of the benchmarks (--benchmark_out=<benchmark>.json) of one run on one GPU, and reads what was joined.

Usage: results.py FOLDER NAME=VALUE... RAW.json...
Writes FOLDER/<gpu>.json and prints its path. Its context has the values named and those that the benchmarks tell; its
rows are those of the benchmarks, by benchmark, with the numbers that are used.
       results.py --host FOLDER NAME=VALUE... RAW.json...
Writes FOLDER/<benchmark>_<cores>_cores.json of what one benchmark on the CPU measured, in one run, part by part, or
several times, and prints its path. Of a row that was measured several times it keeps the medians.
"""

import json
import math
import pathlib
import re
import statistics
import sys

FOLDER = pathlib.Path(__file__).parent / "results"
FAMILIES = json.loads((FOLDER.parents[1] / "cmake/families.json").read_text(encoding="utf-8"))["families"]
NUMBERS = ("real_time", "GB/s", "fraction_of_copy", "Gkeys/s", "noise")  # of a row
HOST_CONTEXT = ("date", "commit", "published", "executable", "num_cpus", "mhz_per_cpu", "caches", "omp_threads")
MICROSECONDS = {"ns": 1e-3, "us": 1.0, "ms": 1e3, "s": 1e6}


def without_settings(name):
    """A row's name as the benchmark gave it: Google Benchmark appends /iterations:1/manual_time and its like."""
    return "/".join(part for part in name.split("/") if ":" not in part and not part.endswith("_time"))


def raw_rows(content):
    """The rows to keep: medians where there are repetitions."""
    repeated = {row["run_name"] for row in content["benchmarks"] if row.get("run_type") == "aggregate"}
    for row in content["benchmarks"]:
        if row.get("error_occurred"):
            print(f"failed: {row['name']}: {row['error_message']}", file=sys.stderr)
        elif row.get("run_type") == "aggregate" if row.get("run_name") in repeated else True:
            if row.get("aggregate_name", "median") == "median":
                yield row


def name_of(row):
    return without_settings(row.get("run_name", row["name"]))


def trimmed(row):
    kept = {"name": name_of(row)}
    kept.update((number, float(f"{row[number]:.5g}")) for number in NUMBERS if number in row)
    kept["time_unit"] = row["time_unit"]
    return kept


def version(number):
    """300001 is 3.0.1."""
    return f"{number // 100000}.{number // 100 % 1000}.{number % 100}"


def contents_of(paths):
    """The stem and the content of each file that has rows. They may end where a benchmark did not come to its end."""
    contents = []
    for path in map(pathlib.Path, paths):
        text = path.read_text(encoding="utf-8")
        try:
            contents.append((path.stem, json.loads(text)))
        except ValueError:
            print(f"failed: {path.stem} has not all rows", file=sys.stderr)
            head, start, rows = text.partition('"benchmarks": [')
            if "}" in rows:
                contents.append((path.stem, json.loads(head + start + rows[: rows.rindex("}") + 1] + "]}")))
    if not contents:
        sys.exit("no results")
    return contents


def join(paths, values):
    """The content of a results file."""
    contents = contents_of(paths)
    benchmarks = {name: [trimmed(row) for row in raw_rows(content)] for name, content in contents}
    contexts = [content["context"] for _, content in contents]
    first = contexts[0]
    context = {
        "gpu": first["device"],
        **values,
        "cccl": version(int(first["thrust_and_cub"])),
        "date": first["date"][:10],
        "copy_GB/s": round(statistics.median(float(context["copy_GB/s"]) for context in contexts)),
    }
    return {"context": context, "benchmarks": benchmarks}


def error_of(variation, count):
    """The relative standard error of the median of so many normally distributed values."""
    return 1.2533 * variation / math.sqrt(count) if count > 1 else 0.0


def join_host(paths, values):
    """The context and rows of what one benchmark on the CPU measured, by name; the noise of a row is that of its median."""
    context, measured = {}, {}
    for _, content in contents_of(paths):
        told = content["context"]
        told["executable"] = pathlib.Path(told["executable"]).name
        context = {**{name: told[name] for name in HOST_CONTEXT if name in told}, **values}
        variations = {row["run_name"]: row["real_time"] for row in content["benchmarks"]
                      if row.get("aggregate_name") == "cv"}
        for row in raw_rows(content):
            noise = error_of(variations.get(row.get("run_name"), 0.0), row.get("repetitions", 1))
            measured.setdefault(name_of(row), []).append({"noise": noise, **row})
    rows = {}
    for name, times in measured.items():
        medians = {number: statistics.median(row[number] for row in times) for number in NUMBERS if number in times[0]}
        rows[name] = trimmed({**times[0], **medians})
    return context, rows


def text_of_host(context, rows):
    lines = ",\n".join(map(json.dumps, rows.values()))
    return f'{{\n"context": {json.dumps(context)},\n"benchmarks": [\n{lines}\n]}}\n'


def text_of(content):
    """JSON with a row per line."""
    lines = [f'{{\n"context": {json.dumps(content["context"])},\n"benchmarks": {{']
    for i, (benchmark, rows) in enumerate(content["benchmarks"].items()):
        lines.append(("," if i else "") + f'"{benchmark}": [')
        lines.append(",\n".join(json.dumps(row) for row in rows))
        lines.append("]")
    return "\n".join(lines) + "\n}}\n"


class Results:
    """The rows of a results file: of[benchmark][case][size][peer], a size being a number of elements."""

    def __init__(self, path):
        content = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
        self.context, self.of = content["context"], {}
        for benchmark, rows in content["benchmarks"].items():
            for row in rows:
                *case, size, peer = row["name"].split("/")
                sizes = self.of.setdefault(benchmark, {}).setdefault("/".join(case), {})
                sizes.setdefault(2 ** int(size[2:]) if size.startswith("2^") else int(size), {})[peer] = row

    def sizes(self, benchmark, case):
        return self.of.get(benchmark, {}).get(case, {})

    def matching(self, benchmark, pattern):
        """The label, size and peers of every case that matches, its label being the groups of the pattern, at the size
        that comes first, as those that a case is drawn against come behind it, or at the greatest if sizes ascend."""
        for name, cases in self.of.items():
            for case, sizes in cases.items() if re.fullmatch(benchmark, name) else ():
                found = re.fullmatch(pattern, case)
                if found:
                    size = max(sizes) if list(sizes) == sorted(sizes) else next(iter(sizes))
                    yield readable(found.groups()), size, sizes[size]

    @property
    def gpu(self):
        return self.context["gpu"].removeprefix("NVIDIA ").split()[0]

    @property
    def machine(self):
        of = self.context
        return f"{of['gpu']}, driver {of['driver']}, CUDA {of['toolkit']} with CCCL {of['cccl']}"

    @property
    def run(self):
        """What was measured where."""
        of = self.context
        return f"{self.machine}, commit {of['commit']}, {of['date']}; a copy moves {of['copy_GB/s']:,} GB/s"


class HostResults:
    """The rows of a benchmark on a CPU: of[case][peer]. A case is (name, size), the size None where no row tells it."""

    def __init__(self, path):
        content = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
        self.path, self.context, self.of = pathlib.Path(path), content["context"], {}
        self.benchmark = self.path.stem.split("_host_")[0]
        for row in raw_rows(content):
            *case, peer = name_of(row).split("/")
            size = int(case.pop()) if case[-1].isdigit() else None
            self.of.setdefault(("/".join(case), size), {})[peer] = row

    @property
    def cores(self):
        return self.context["num_cpus"]

    @property
    def run(self):
        """What was measured where. Runs that did not record their commit name the one that brought the file."""
        of = self.context
        cache = max(cache["size"] for cache in of["caches"]) >> 20
        published = f"published with commit {of.get('published', 'unknown')}"
        commit = f"commit {of['commit']}" if "commit" in of else published
        has_tbb = any(peer.endswith("tbb") for peers in self.of.values() for peer in peers)
        processor = f"{of['processor']}, " if of.get("processor") else ""
        return (f"{processor}{self.cores} cores of {of['mhz_per_cpu'] / 1000:.1f} GHz, {cache} MiB of last-level cache, "
                f"{of['date'][:10]}, {commit}{'' if has_tbb else '; measured without TBB'}")


def picture_of(family):
    """The picture that shows a family's results."""
    return family.get("picture", family["name"])


def host_results():
    return sorted(map(HostResults, FOLDER.glob("*_host_*_cores.json")), key=lambda host: (host.benchmark, host.cores))


LABELS = {  # of the peers, in the order of the legends
    "mgpu": "mgpu::par_nosync",
    "mgpu_stable": "mgpu::par_nosync, stable",
    "mgpu_par": "mgpu::par",
    "mgpu_omp": "mgpu::omp::par",
    "mgpu_tbb": "mgpu::tbb::par",
    "mgpu_cpp": "mgpu::cpp::par",
    "mgpu_stable_omp": "mgpu::omp::par, stable",
    "mgpu_stable_tbb": "mgpu::tbb::par, stable",
    "mgpu_unique_keys": "with mgpu::unique_keys",
    "tree": "a tree of mgpu::merge",
    "tree_omp": "a tree of mgpu::merge, omp",
    "tree_cpp": "a tree of mgpu::merge, cpp",
    "cub": "cub::DeviceMerge",
    "cub_tree": "a tree of cub::DeviceMerge",
    "cub_copy": "cub::DeviceCopy",
    "cub_memcpy": "cub::DeviceMemcpy",
    "cub_segmented": "cub::DeviceSegmentedSort",
    "cub_segmented_radix": "cub::DeviceSegmentedRadixSort",
    "cub_fused": "cub::DeviceRadixSort of (segment, key)",
    "cub_fused_whole": "with packing and unpacking",
    "cub_merge": "cub::DeviceMergeSort",
    "cub_radix": "cub::DeviceRadixSort",
    "one_dispatch_per_layer": "one launch per layer",
    "thrust": "thrust::cuda::par",
    "thrust_par": "thrust::cuda::par",
    "thrust_scan_gather": "Thrust, scan and gather",
    "thrust_tbb": "thrust::tbb::par",
    "std_par": "std::execution::par",
    "gnu_parallel": "GNU parallel mode",
    "gnu_serial": "GNU multiway merge, one core",
    "omp_loop": "std:: in an OpenMP loop",
    "loop": "a loop, one core",
    "std_parallel": "std::stable_sort in an OpenMP loop",
    "std_sort_parallel": "std::sort in an OpenMP loop",
    "thrust_omp": "thrust::omp::par",
    "thrust_cpp": "thrust::cpp::par",
    "std": "std::, serial",
    "std_sort": "std::sort, one core",
}


def readable(words):
    text = " ".join(words).replace("/", " ").replace("_by_key", " by key")
    text = re.sub(r"(u\d+)_(u\d+|16)", r"\1 + \2", text).replace("_", " ").replace("zipf", "Zipf")
    return re.sub(r"\d{4,}", lambda digits: f"{int(digits[0]):,}", text)


def log2_of(size):
    """Of a power of two, else None."""
    return size.bit_length() - 1 if size & (size - 1) == 0 else None


def microseconds(row):
    return row["real_time"] * MICROSECONDS[row["time_unit"]]


def is_own(peer):
    return peer.startswith("mgpu")


def compare(peers):
    """The library's row to hold against the others', the stable one where there is a choice, and the fastest of these:
    two names, the second None where the library is alone."""
    own = next(peer for peer in ("mgpu_stable", "mgpu", "mgpu_par", "mgpu_par_nosync") if peer in peers)
    others = [peer for peer in peers if not is_own(peer)]
    return own, min(others, key=lambda peer: microseconds(peers[peer]), default=None)


def ratio_of(peers):
    """How many times as fast as the fastest other one the library is, or None."""
    own, best = compare(peers)
    return microseconds(peers[best]) / microseconds(peers[own]) if best else None


def fastest(peers, own):
    candidates = [peer for peer in peers if is_own(peer) == own]
    return min(candidates, key=lambda peer: microseconds(peers[peer]), default=None)


def host_ratio(peers):
    """How many times as fast as the fastest other one the library is on a CPU, or None."""
    own, best = fastest(peers, True), fastest(peers, False)
    return microseconds(peers[best]) / microseconds(peers[own]) if own and best else None


def main():
    is_host = sys.argv[1:2] == ["--host"]
    arguments = sys.argv[2 if is_host else 1:]
    paths = [argument for argument in arguments if argument.endswith(".json")]
    if not paths:
        sys.exit(__doc__)
    folder, *arguments = arguments
    values = dict(argument.split("=", 1) for argument in arguments if not argument.endswith(".json"))
    if is_host:
        context, rows = join_host(paths, values)
        benchmark = context["executable"].removesuffix("_benchmark")
        name, text = f"{benchmark}_{context['num_cpus']}_cores", text_of_host(context, rows)
    else:
        content = join(paths, values)
        name, text = content["context"]["gpu"].lower().replace(" ", "_"), text_of(content)
    path = pathlib.Path(folder) / f"{name}.json"
    path.write_text(text, encoding="utf-8")
    print(path)


if __name__ == "__main__":
    main()
