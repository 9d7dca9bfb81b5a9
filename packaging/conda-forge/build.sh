#!/usr/bin/env bash
# Installs the headers and the CMake package into PREFIX: what recipe.yaml runs.
set -euo pipefail
cmake -S "${SRC_DIR:-.}" -B build_conda -G Ninja ${CMAKE_ARGS:-} -DCMAKE_INSTALL_PREFIX="$PREFIX" \
  -DCMAKE_INSTALL_LIBDIR=lib -DMGPU_BUILD_TESTS=OFF -DMGPU_BUILD_BENCHMARKS=OFF -DMGPU_BUILD_EXAMPLES=OFF -DMGPU_BUILD_DOCS=OFF
cmake --install build_conda
