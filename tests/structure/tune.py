# SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that benchmarks/tune.py puts the shapes it tries in the place of those in the tuning headers, and no others.
Usage: tune.py SOURCE_FOLDER"""

import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(SOURCE / "benchmarks"))
spec = importlib.util.spec_from_file_location("benchmarks_tune", SOURCE / "benchmarks" / "tune.py")
tune = importlib.util.module_from_spec(spec)
sys.modules["benchmarks_tune"] = tune
spec.loader.exec_module(tune)

ALL_CASES = [(family, name, case) for family, cases in tune.FAMILIES.items() for name, case in cases.items()]
CC = 90


class Tune(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def compiles(self, text, *options):
        source = self.folder / "check.cpp"
        source.write_text(text, encoding="utf-8")
        command = [os.environ.get("CXX", "g++"), "-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
        command += [*tune.INCLUDES, *tune.CCCL, *options, source]
        return subprocess.run(command, check=False, capture_output=True, text=True).returncode == 0

    def test_a_shape_on_trial_takes_the_place_of_the_chosen_one(self):
        tried = tune.Shape(96, 5, 2)
        header = self.folder / "override.h"
        for family, name, case in ALL_CASES:
            with self.subTest(family=family, case=name):
                now = tune.shape_now(case, CC, self.folder)
                header.write_text(tune.override(case, tried), encoding="utf-8")
                self.assertTrue(self.compiles(tune.check(case, now, CC)))
                self.assertTrue(self.compiles(tune.check(case, tried, CC), "-include", header))
                self.assertFalse(self.compiles(tune.check(case, now, CC), "-include", header))

    def test_other_cases_keep_their_shapes(self):
        cases = tune.FAMILIES["merge"]
        header = self.folder / "override.h"
        header.write_text(tune.override(cases["keys_u32"], tune.Shape(96, 5, 2)), encoding="utf-8")
        for name in cases.keys() - {"keys_u32"}:
            now = tune.shape_now(cases[name], CC, self.folder)
            self.assertTrue(self.compiles(tune.check(cases[name], now, CC), "-include", header), name)

    def test_benchmarks_have_the_rows(self):
        for family, name, case in ALL_CASES:
            with self.subTest(family=family, case=name):
                self.assertTrue((SOURCE / "benchmarks" / f"{case.benchmark}.cu").exists())
                results = (SOURCE / "benchmarks" / "results" / "nvidia_h200.json").read_text(encoding="utf-8")
                for row in case.rows:
                    self.assertIn(f'"{row}"', results)

    def test_neighbours_are_shapes(self):
        for now in tune.Shape(256, 31, 5), tune.Shape(32, 1, 1), tune.Shape(512, 32, 3), tune.Shape(1024, 3, 1):
            found = tune.neighbours(now)
            self.assertEqual(found[0], now)
            self.assertEqual(len(found), len(set(found)))
            for shape in found:
                self.assertEqual(tune.parsed_shape(shape.file_name), shape)
        self.assertTrue(all(shape.threads * shape.items & (shape.threads * shape.items - 1) == 0
                            for shape in tune.neighbours(tune.Shape(512, 32, 3))))

    def test_the_comment_is_as_headers_have_it(self):
        case = tune.FAMILIES["merge"]["keys_u32"]
        shapes = [(tune.Shape(256, 31, 5), [(500.0, 0.905)]), (tune.Shape(512, 15, 3), [(510.0, 0.9)])]
        text = tune.comment(case, shapes, "GPU")
        self.assertIn("// keys_u32/2^28, fraction of copy: 256 x 31 with 5 0.905, 512 x 15 with 3 0.900. GPU,", text)
        self.assertTrue(all(len(line) <= 120 for line in text.splitlines()))


if __name__ == "__main__":
    unittest.main()
