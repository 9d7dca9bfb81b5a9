# SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests how scripts begin, what they keep, and what they say of wrong arguments. Usage: scripts.py SOURCE_FOLDER"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()


def run(*command, **options):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, **options)


class Scripts(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def test_scripts_are_found_through_links(self):
        link = self.folder / "demo"
        link.symlink_to(SOURCE / "scripts" / "demo")
        done = run(link, "--wrong", cwd=self.folder)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("Usage: scripts/demo", done.stderr)

    def test_the_compiler_may_have_a_launcher_and_options(self):
        done = run("bash", "-c", "source scripts/setup; has_header vector && ! has_header no_such", cwd=SOURCE,
                   env={**os.environ, "CXX": "env g++ -O1"})
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_apt_is_waited_for_while_another_program_has_its_lock(self):
        lock = self.folder / "lock"
        environment = self.fake("apt-get", f'''#!/bin/sh
if [ "$1" = update ] || ! [ -s {lock} ]; then exit; fi
sed -i 1d {lock}
echo "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 1 (apt)" >&2
exit 100
''')
        self.fake("sudo", '#!/bin/sh\nexec "$@"\n')
        for seconds, tries, code, said in (300, 0, 0, 0), (300, 2, 0, 1), (0, 1, 100, 0):
            lock.write_text("a try\n" * tries, encoding="utf-8")
            done = run("bash", "-c", f"source scripts/setup; apt_wait={seconds}; apt_install package", cwd=SOURCE,
                       env=environment)
            self.assertEqual((done.returncode, done.stderr.count("another program uses apt")), (code, said), done.stderr)
            self.assertEqual("Could not get lock" in done.stderr, code != 0)

    def copy(self, *names):
        """A folder with these files of the sources."""
        for name in names:
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(SOURCE / name, self.folder / name)

    def fake(self, name, text):
        """Puts a program into the first folder of the PATH of the environment that is returned."""
        program = self.folder / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(text, encoding="utf-8")
        program.chmod(0o755)
        return {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}"}

    def test_compile_times_of_one_family_leave_the_others(self):
        self.copy("scripts/compile_time", "docs/performance.md")
        environment = self.fake("nvcc", '#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\necho object > "$2"\n')
        page = self.folder / "docs" / "performance.md"
        before = page.read_text(encoding="utf-8").splitlines()
        done = run(self.folder / "scripts" / "compile_time", "--only", "set_union", "--write", env=environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        after = page.read_text(encoding="utf-8").splitlines()
        self.assertEqual([line[:14] for line in before], [line[:14] for line in after])
        self.assertEqual([line[:13] for line in before if line not in after], ["| `set_union`"])

    def test_compile_times_and_objects_have_bars(self):
        environment = self.fake("nvcc", """#!/bin/sh
while [ "$1" != -o ]; do shift; done
case $2 in *$SLOW.o) i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done ;; esac
head -c $SIZE /dev/zero > "$2"
""")
        seconds, kib = "of the peer's seconds, the bar is", "KiB, the bar is"
        for options, slow, size, code, said in (
                ([], "_peer", 1024, 0, ""), ([], "_union", 1024, 1, seconds), ([], "_peer", 10 ** 7, 1, kib),
                (["--bytes"], "_union", 1024, 0, ""), (["--bytes"], "_union", 10 ** 7, 1, kib)):
            done = run(SOURCE / "scripts" / "compile_time", "--only", "set_union", "--runs", "1", "--check", *options,
                       env={**environment, "SLOW": slow, "SIZE": str(size)})
            self.assertEqual((done.returncode, done.stderr.count("\n")), (code, code), done.stderr)
            self.assertIn(said, done.stderr)
            self.assertEqual("thrust::set_union" in done.stdout, not options)

    def test_counts_are_positive(self):
        for command in (["scripts/compile_time", "--runs", "0"], ["benchmarks/tune.py", "merge", "--jobs", "0"],
                        ["benchmarks/tune.py", "merge", "--rounds", "0"]):
            done = run(sys.executable, SOURCE / command[0], *command[1:])
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("at least 1", done.stderr)

    def joined(self, *options, **texts):
        """Runs results.py on files with these texts."""
        paths = [self.folder / f"{name}.json" for name in texts]
        for path, text in zip(paths, texts.values()):
            path.write_text(text, encoding="utf-8")
        return run(sys.executable, SOURCE / "benchmarks" / "results.py", *options, self.folder, "commit=c", *paths)

    def test_a_benchmark_that_ended_early_leaves_the_rows_before(self):
        context = {"device": "GPU", "thrust_and_cub": "300001", "date": "2026-11-27", "copy_GB/s": "4000",
                   "executable": "merge_host_benchmark", "num_cpus": 2, "caches": [{"size": 1}]}
        row = {"name": "keys/2^28/mgpu", "real_time": 1.0, "time_unit": "us"}
        head = f'{{\n"context": {json.dumps(context)},\n"benchmarks": [\n'
        cut_row, no_row = head + json.dumps(row) + ',\n{"name": "keys', head
        done = self.joined(merge=cut_row, joins=no_row, interval="", sorted_search=head + json.dumps(row) + "]}")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.count("has not all rows"), 3)
        of_gpu = json.loads((self.folder / "gpu.json").read_text(encoding="utf-8"))["benchmarks"]
        self.assertEqual(of_gpu, {"merge": [row], "sorted_search": [row]})
        done = self.joined("--host", merge_host=cut_row)
        self.assertEqual(done.returncode, 0, done.stderr)
        of_host = json.loads((self.folder / "merge_host_2_cores.json").read_text(encoding="utf-8"))["benchmarks"]
        self.assertEqual(of_host, [{"noise": 0.0, **row}])
        done = self.joined(joins=no_row)
        self.assertEqual((done.returncode, done.stderr.splitlines()[-1]), (1, "no results"))

    def summary(self, *cases):
        """The exit status and the lines of summary.py for these testcases."""
        path = self.folder / "all.xml"
        path.write_text(f"<testsuite>{''.join(cases)}</testsuite>", encoding="utf-8")
        done = run(sys.executable, SOURCE / "tests" / "structure" / "summary.py", path)
        return done.returncode, done.stdout.splitlines()

    def test_what_was_skipped_or_not_run_has_not_passed(self):
        passed = '<testcase name="a" status="run"/>'
        skipped = ('<testcase name="b" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/>'
                   "<system-out>skipped: no GPU\n</system-out></testcase>")
        failed = '<testcase name="c" status="fail"><failure message=""/></testcase>'
        missing = '<testcase name="d" status="notrun"><skipped message="Unable to find executable"/></testcase>'
        self.assertEqual(self.summary(passed, skipped), (0, ["skipped 1: no GPU", "1 passed, 0 failed, 1 skipped"]))
        self.assertEqual(self.summary(passed, failed), (1, ["failed: c", "1 passed, 1 failed, 0 skipped"]))
        self.assertEqual(self.summary(passed, missing), (1, ["failed: d", "1 passed, 1 failed, 0 skipped"]))
        self.assertEqual(self.summary(skipped)[0], 1)
        for printed, reason in (('[doctest] doctest version is "2.4.9"\n====\na.cu:9: MESSAGE: skipped: no TBB\n', "no TBB"),
                                ("There is no CCCL.\n", "There is no CCCL."), ("[doctest] run\n", "no reason given")):
            self.assertEqual(self.summary(passed, skipped.replace("skipped: no GPU\n", printed)),
                             (0, [f"skipped 1: {reason}", "1 passed, 0 failed, 1 skipped"]))

    def test_tables_say_what_is_wrong(self):
        for name in "table.py", "distributed_table.py":
            done = run(sys.executable, SOURCE / "benchmarks" / name, "--wirte")
            self.assertEqual(done.returncode, 1)
            self.assertIn("Usage: ", done.stderr)
        done = run(sys.executable, SOURCE / "benchmarks" / "distributed_table.py", "--results")
        self.assertIn("Usage: ", done.stderr)
        done = run(sys.executable, SOURCE / "benchmarks" / "table.py", "one.json", "two.json")
        self.assertEqual(done.returncode, 1)
        self.assertIn("not one results file: one.json, two.json", done.stderr)


if __name__ == "__main__":
    unittest.main()
