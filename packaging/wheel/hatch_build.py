# SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import re

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


def version():
    """That of the headers. A source distribution has it in PKG-INFO."""
    config = pathlib.Path(__file__).parents[2] / "include/mgpu/base/config.h"
    return ".".join(re.findall(r"#define MGPU_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", config.read_text()))


class Headers(BuildHookInterface):
    """Puts the headers into the package. A source distribution has them there already."""

    def initialize(self, version, build_data):
        folder = pathlib.Path(self.root)
        if not (folder / "PKG-INFO").exists():
            source = folder.parents[1]
            build_data["force_include"].update({
                f"{source}/include/mgpu": "mgpu_headers/include/mgpu",
                f"{source}/thrust_ext/mgpu": "mgpu_headers/include/mgpu",
                f"{source}/LICENSE": "mgpu_headers/LICENSE",
            })
