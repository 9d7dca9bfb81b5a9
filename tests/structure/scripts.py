# SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests how scripts begin, what they keep, and what they say of wrong arguments. Usage: scripts.py SOURCE_FOLDER"""

import os
import pathlib
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


if __name__ == "__main__":
    unittest.main()
