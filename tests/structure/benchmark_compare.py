# SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests benchmarks/compare.py, sort_grid_compare.py, scripts/benchmark and results.py --host with small results. Usage:
benchmark_compare.py SOURCE_FOLDER"""

import contextlib
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(SOURCE / "benchmarks"))
import compare  # noqa: E402  (found in that folder)
import sort_grid_compare  # noqa: E402


def gpu_results(rows, gpu="GPU", **row_values):
    """A file of scripts/benchmark with these times of rows of the benchmark `merge`."""
    listed = [{"name": name, "real_time": time, "time_unit": "us", **row_values} for name, time in rows.items()]
    return {"context": {"gpu": gpu, "copy_GB/s": 4000}, "benchmarks": {"merge": listed}}


def host_results(median, variation, name="merge/u32/16/mgpu_cpp"):
    """What the benchmark `merge_host` writes of one row."""
    row = {"run_name": f"{name}/iterations:1/repeats:11/real_time", "run_type": "aggregate", "repetitions": 11,
           "time_unit": "ms"}
    row["name"] = row["run_name"]
    return {"context": {"executable": "./merge_host_benchmark", "num_cpus": 2},
            "benchmarks": [{**row, "aggregate_name": "median", "real_time": median},
                           {**row, "aggregate_name": "cv", "real_time": variation}]}


# A benchmark that writes, for the rows it is asked for, the next of the times in times.json.
FAKE_BENCHMARK = """#!/usr/bin/env python3
import json, pathlib, re, sys
options = dict(argument[12:].split("=", 1) for argument in sys.argv[1:])
times = pathlib.Path(__file__).parent / "times.json"
rows = json.loads(times.read_text())
written = []
for name, values in rows.items():
    full_name = name + "/iterations:1/manual_time"
    if re.search(options.get("filter", ""), full_name):
        written.append({"name": full_name, "run_name": full_name, "run_type": "iteration", "time_unit": "us",
                        "real_time": values.pop(0)})
times.write_text(json.dumps(rows))
context = {"executable": sys.argv[0], "num_cpus": 2}
if "distributed" in sys.argv[0]:
    context.update(device="GPU", gpus=2)
    numbers = ("Gkeys/s", "before_ms", "exchange_ms", "after_ms", "least_ms", "noise")
    written = [{**row, "time_unit": "ms", **dict.fromkeys(numbers, 0.0)} for row in written]
pathlib.Path(options["out"]).write_text(json.dumps({"context": context, "benchmarks": written}))
"""


class Compare(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def write(self, name, content):
        path = self.folder / name
        path.write_text(json.dumps(content), encoding="utf-8")
        return str(path)

    def build_folder(self, name, times, benchmark="merge"):
        """A folder with a benchmark that measures these times, one after another."""
        benchmarks = self.folder / name / "benchmarks"
        benchmarks.mkdir(parents=True)
        (benchmarks / "times.json").write_text(json.dumps(times), encoding="utf-8")
        program = benchmarks / f"{benchmark}_benchmark"
        program.write_text(FAKE_BENCHMARK, encoding="utf-8")
        program.chmod(0o755)
        return str(self.folder / name)

    def compare(self, old, new, *options):
        """The exit status, and what is printed."""
        paths = [self.write("old.json", old), self.write("new.json", new)]
        output = io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(io.StringIO()):
            status = compare.main([*paths, *options])
        return status, output.getvalue()

    def test_equal_results_pass(self):
        results = gpu_results({"keys/2^28/mgpu": 100.0, "keys/2^28/cub": 90.0})
        self.assertEqual(self.compare(results, results)[0], 0)

    def test_a_row_that_lost_is_named(self):
        old = gpu_results({"keys/2^28/mgpu": 100.0, "pairs/2^28/mgpu": 100.0})
        status, output = self.compare(old, gpu_results({"keys/2^28/mgpu": 100.9, "pairs/2^28/mgpu": 101.2}))
        self.assertEqual(status, 1)
        self.assertRegex(output, r"lost +merge +pairs/2\^28/mgpu .*\+1\.2 %")
        self.assertNotIn("keys/2^28", output)
        new = gpu_results({"keys/2^28/mgpu": 101, "pairs/2^28/mgpu": 101.2})
        self.assertEqual(self.compare(old, new, "--bound", "2")[0], 0)

    def test_only_own_rows_lose(self):
        old = gpu_results({"keys/2^28/mgpu": 100.0, "keys/2^28/cub": 100.0})
        status, output = self.compare(old, gpu_results({"keys/2^28/mgpu": 100.0, "keys/2^28/cub": 150.0}))
        self.assertEqual(status, 0)
        self.assertIn("1 rows of peers", output)

    def test_units_are_taken_into_account(self):
        old, new = gpu_results({"keys/2^28/mgpu": 1000.0}), gpu_results({"keys/2^28/mgpu": 1.005})
        new["benchmarks"]["merge"][0]["time_unit"] = "ms"
        self.assertEqual(self.compare(old, new)[0], 0)

    def test_a_missing_row_fails_unless_a_part_was_measured(self):
        old = gpu_results({"keys/2^28/mgpu": 100.0, "pairs/2^28/mgpu": 100.0})
        new = gpu_results({"keys/2^28/mgpu": 100.0})
        status, output = self.compare(old, new)
        self.assertEqual(status, 1)
        self.assertRegex(output, r"missing +merge +pairs/2\^28/mgpu")
        self.assertEqual(self.compare(old, new, "--part")[0], 0)

    def test_a_benchmark_that_was_not_measured_is_not_missing(self):
        old = gpu_results({"keys/2^28/mgpu": 100.0})
        old["benchmarks"]["interval"] = [{"name": "gather/2^28/mgpu", "real_time": 1.0, "time_unit": "us"}]
        self.assertEqual(self.compare(old, gpu_results({"keys/2^28/mgpu": 100.0}))[0], 0)

    def test_other_machines_and_other_rows_cannot_be_compared(self):
        old = gpu_results({"keys/2^28/mgpu": 100.0})
        self.assertEqual(self.compare(old, gpu_results({"keys/2^28/mgpu": 100.0}, gpu="another"))[0], 2)
        self.assertEqual(self.compare(old, gpu_results({"pairs/2^28/mgpu": 100.0}))[0], 2)

    def test_cpus_differ_by_processor_and_caches(self):
        old, new = host_results(10.0, 0.0), host_results(10.0, 0.0)
        old["context"]["processor"] = "one"
        self.assertEqual(self.compare(old, new)[0], 0)  # the other tells none
        new["context"]["processor"] = "another"
        self.assertEqual(self.compare(old, new)[0], 2)
        old, new = host_results(10.0, 0.0), host_results(10.0, 0.0)
        old["context"]["caches"], new["context"]["caches"] = [{"size": 1}], [{"size": 2}]
        self.assertEqual(self.compare(old, new)[0], 2)

    def test_results_over_several_gpus_are_compared(self):
        def results(time, gpus=4):
            row = {"name": f"sort/u32/uniform/{gpus}_gpus/2^28/mgpu", "real_time": time, "time_unit": "ms"}
            return {"context": {"device": "GPU", "gpus": gpus}, "benchmarks": [row]}

        self.assertEqual(self.compare(results(10.0), results(10.0))[0], 0)
        self.assertEqual(self.compare(results(10.0), results(11.0))[0], 1)
        self.assertEqual(self.compare(results(10.0), results(10.0, gpus=2))[0], 2)

    def test_what_cannot_be_compared_ends_with_2(self):
        results = self.write("results.json", gpu_results({"keys/2^28/mgpu": 100.0}))
        wrong = [["--help", results], [], ["--written-by"], [results, results, "--bound", "x"]]
        for text in "", "null", "{}", '{"context": {}, "benchmarks": []}', '{"context": {"gpu": "GPU"}, "bench':
            path = self.folder / f"wrong_{len(wrong)}.json"
            path.write_text(text, encoding="utf-8")
            wrong += [[results, path], ["--written-by", path]]
        wrong.append([results, self.folder / "nowhere.json"])
        for arguments in wrong:
            command = [sys.executable, SOURCE / "benchmarks" / "compare.py", *arguments]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0 if "--help" in arguments else 2, done.stderr)
            self.assertNotIn("Traceback", done.stderr)

    def test_the_noise_of_repetitions_is_granted(self):
        steady, noisy = 0.001, 0.05  # three errors of 11 repetitions with the latter: 8 % of the difference
        self.assertEqual(self.compare(host_results(10.0, steady), host_results(10.5, steady))[0], 1)
        self.assertEqual(self.compare(host_results(10.0, noisy), host_results(10.5, noisy))[0], 0)
        self.assertEqual(self.compare(host_results(10.0, noisy), host_results(11.0, noisy))[0], 1)

    def test_the_noise_of_a_row_is_granted(self):
        old, new = {"keys/2^16/mgpu": 10.0}, {"keys/2^16/mgpu": 10.3}
        self.assertEqual(self.compare(gpu_results(old, noise=0.001), gpu_results(new, noise=0.001))[0], 1)
        self.assertEqual(self.compare(gpu_results(old, noise=0.01), gpu_results(new, noise=0.01))[0], 0)

    def test_all_values_are_as_good_as_aggregates(self):
        def values(*times):
            name = "merge/u32/mgpu/repeats:3"
            rows = [{"name": name, "run_name": name, "run_type": "iteration", "real_time": time, "time_unit": "ms"}
                    for time in times]
            return {"context": {"executable": "merge_host_benchmark", "num_cpus": 2}, "benchmarks": rows}

        self.assertEqual(self.compare(values(10, 10.01, 99), values(10, 10.02, 10.03))[0], 0)
        self.assertEqual(self.compare(values(10, 10, 10), values(10.2, 10.2, 10.2))[0], 1)

    def test_rows_that_seem_to_have_lost_are_measured_again(self):
        old = gpu_results({"keys/2^28/mgpu": 100.0, "pairs/2^28/mgpu": 100.0, "table/2^28/mgpu": 100.0})
        new = gpu_results({"keys/2^28/mgpu": 103.0, "pairs/2^28/mgpu": 103.0, "table/2^28/mgpu": 100.0})
        folder = self.build_folder("new", {"keys/2^28/mgpu": [102.0, 100.5], "pairs/2^28/mgpu": [102.0, 104.0, 102.5],
                                           "keys/2^28/mgpu_par": [], "table/2^28/mgpu": []})
        status, output = self.compare(old, new, "--again", folder)
        self.assertEqual(status, 1)
        self.assertRegex(output, r"pairs/2\^28/mgpu .* 102 us, \+2\.0 %")
        self.assertNotIn("keys/2^28", output)

    def test_old_benchmarks_are_measured_in_turns(self):
        old, new = gpu_results({"keys/2^28/mgpu": 100.0}), gpu_results({"keys/2^28/mgpu": 103.0})
        old_folder = self.build_folder("old_build", {"keys/2^28/mgpu": [99.0]})
        folder = self.build_folder("new_build", {"keys/2^28/mgpu": [99.5]})
        self.assertEqual(self.compare(old, new, "--again", folder, "--old-again", old_folder)[0], 0)

    def test_several_runs_on_the_cpu_give_medians(self):
        runs = [self.write(f"{time}.json", host_results(time, 0.0)) for time in (12.0, 10.0, 99.0)]
        command = [sys.executable, SOURCE / "benchmarks" / "results.py", "--host", self.folder, "commit=c", *runs]
        subprocess.run(command, check=True, capture_output=True)
        written = json.loads((self.folder / "merge_host_2_cores.json").read_text(encoding="utf-8"))
        self.assertEqual([(row["name"], row["real_time"]) for row in written["benchmarks"]],
                         [("merge/u32/16/mgpu_cpp", 12.0)])
        self.assertEqual(written["context"]["commit"], "c")

    def run_script(self, *arguments, **options):
        command = [SOURCE / "scripts" / "benchmark", "--compare", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False, **options)

    def test_the_script_compares_files_without_a_gpu(self):
        old = self.write("a.json", gpu_results({"keys/2^28/mgpu": 100.0}))
        new = self.write("b.json", gpu_results({"keys/2^28/mgpu": 105.0}))
        self.assertEqual(self.run_script(old, old).returncode, 0)
        self.assertEqual(self.run_script(old, new).returncode, 1)
        self.assertIn("lost", self.run_script(old, new).stdout)
        self.assertEqual(self.run_script(old, new, "--bound", "6").returncode, 0)
        self.assertEqual(self.run_script(old, new, "--bound", "6%").returncode, 2)
        self.assertEqual(self.run_script(self.write("c.json", {}), "--bound", "6").returncode, 2)

    def test_the_script_measures_on_the_cpu_without_a_gpu(self):
        name, out = "merge/u32/16/mgpu_cpp", str(self.folder / "out")
        old = self.write("merge_host_2_cores.json", host_results(0.1, 0.0))
        for times, status in ([100.0], 0), ([103.0, 100.0], 0), ([103.0, 103.0, 103.0, 102.0], 1):
            build = self.build_folder(str(status) + str(len(times)), {name: times}, "merge_host")
            ran = self.run_script(old, "--build", build, "--out", out)
            self.assertEqual(ran.returncode, status, ran.stdout + ran.stderr)
        old_build = self.build_folder("old", {name: [100.0, 102.0]}, "merge_host")
        build = self.build_folder("new", {name: [103.0, 99.0]}, "merge_host")
        ran = self.run_script(old_build, "--build", build, "--out", out, "--only", "merge_host")
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)

    def test_the_script_measures_over_several_gpus(self):
        smi = self.folder / "nvidia-smi"
        smi.write_text("#!/bin/sh\n", encoding="utf-8")
        smi.chmod(0o755)
        name, out = "sort/u32/uniform/2_gpus/2^28/mgpu", str(self.folder / "out")
        row = {"name": name, "real_time": 100.0, "time_unit": "ms", "noise": 0.0}
        old = self.write("old.json", {"context": {"device": "GPU", "gpus": 2}, "benchmarks": [row]})
        for times, status in ([103.0, 100.0], 0), (4 * [103.0], 1):
            build = self.build_folder(f"new_{status}", {name: times}, "distributed")
            ran = self.run_script(old, "--build", build, "--out", out,
                                  env={**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}"})
            self.assertEqual(ran.returncode, status, ran.stdout + ran.stderr)

    def test_rows_on_the_cpu_are_medians_of_three_processes(self):
        out = self.folder / "out"
        build = self.build_folder("build", {"merge/u32/16/mgpu_cpp": [3.0, 9.0, 4.0]}, "merge_host")
        subprocess.run([SOURCE / "scripts" / "benchmark", "--only", "merge_host", "--build", build, "--out", out],
                       check=True, capture_output=True)
        written = json.loads((out / "merge_host_2_cores.json").read_text(encoding="utf-8"))
        self.assertEqual(written["benchmarks"][0]["real_time"], 4.0)
        self.assertIn("processor", written["context"])

    @unittest.skipUnless(shutil.which("git"), "no git")
    def test_the_commit_of_another_repository_is_not_recorded(self):
        sources, out = self.folder / "outer" / "sources", self.folder / "out"
        for name in "scripts", "benchmarks", "cmake":
            shutil.copytree(SOURCE / name, sources / name)
        for command in ["init"], ["-c", "user.name=n", "-c", "user.email=e", "commit", "--allow-empty", "-m", "outer"]:
            subprocess.run(["git", *command], cwd=sources.parent, check=True, capture_output=True)
        build = self.build_folder("build", {"merge/u32/16/mgpu_cpp": [1.0, 1.0, 1.0]}, "merge_host")
        subprocess.run([sources / "scripts" / "benchmark", "--only", "merge_host", "--build", build, "--out", out],
                       check=True, capture_output=True)
        written = json.loads((out / "merge_host_2_cores.json").read_text(encoding="utf-8"))
        self.assertEqual(written["context"]["commit"], "unknown")


class GridTest(unittest.TestCase):
    """sort_grid_compare.py: files of lines `name,ours_us,peer_us,peer,bytes`."""

    NATURAL, BY_USER = "stable_sort/u64/less/random/2.20", "stable_sort/u64/user/random/2.20"

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def files(self, side, *runs):
        paths = []
        for number, rows in enumerate(runs):
            lines = [f"{name},{ours},{peer},cub,8" for name, (ours, peer) in rows.items()]
            paths.append(self.folder / f"{side}{number}.csv")
            paths[-1].write_text("\n".join(["name,ours_us,peer_us,peer,bytes", *lines, ""]), encoding="utf-8")
        return [f"--{side}", *map(str, paths)]

    def status(self, *arguments):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            status = sort_grid_compare.main([argument for part in arguments for argument in part])
        return status, out.getvalue()

    def test_medians_of_the_files_are_compared(self):
        old = self.files("old", *({self.NATURAL: (time, "")} for time in (100, 101, 300)))
        new = self.files("new", *({self.NATURAL: (time, "")} for time in (104, 105, 103)))
        self.assertEqual(self.status(old, new)[0], 0)  # 104 of 101
        self.assertEqual(self.status(old, new, ["--bound", "2"])[0], 1)

    def test_a_row_that_is_missing_lost(self):
        old = self.files("old", {self.NATURAL: (100, ""), self.BY_USER: (100, "")})
        new = self.files("new", {self.NATURAL: (100, "")})
        self.assertEqual(self.status(old, new)[0], 1)
        self.assertEqual(self.status(old, new, ["--part"])[0], 0)

    def test_faster_peers_and_orders_are_listed(self):
        new = self.files("new", {self.NATURAL: (100, 90), self.BY_USER: (90, 89)})
        status, out = self.status(new)
        self.assertEqual(status, 0)
        self.assertIn("1 rows: of 2, a peer is faster", out)
        self.assertIn("90 us user", out)

    def test_files_without_a_common_row_cannot_be_compared(self):
        old, new = self.files("old", {self.NATURAL: (100, "")}), self.files("new", {self.BY_USER: (100, "")})
        with contextlib.redirect_stderr(io.StringIO()):
            self.assertEqual(self.status(old, new)[0], 2)


if __name__ == "__main__":
    unittest.main()
