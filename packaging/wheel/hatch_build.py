# SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


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
