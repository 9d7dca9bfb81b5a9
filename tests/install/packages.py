# SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gets the library as one kind of package, and compiles a program with what that installed. Run by ctest.

Usage: packages.py subproject|pkg_config|wheel|vcpkg|conda_forge|vendor --source ... (see CMakeLists.txt)
"""

import argparse
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import zipfile

SKIPPED = 77
WITHOUT_PROGRAMS = [f"-DMGPU_BUILD_{what}=OFF" for what in ("TESTS", "BENCHMARKS", "EXAMPLES", "DOCS")]


def run(*command, **options):
    return subprocess.run([str(part) for part in command], check=True, text=True, **options)


def output_of(*command, **options):
    return run(*command, stdout=subprocess.PIPE, **options).stdout.strip()


def skip(reason):
    print("skipped:", reason)
    sys.exit(SKIPPED)


def check(is_right, message):
    if not is_right:
        sys.exit(f"packages.py: {message}")


def compile_consumer(args, flags):
    """Compiles a program that includes the library by `flags` alone."""
    run(args.compiler, "-std=c++17", "-fsyntax-only", "-DTHRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_CPP", *flags,
        f"-isystem{args.cccl}", args.source / "tests/install/consumer/consumer_host.cpp")


PARENT = """
cmake_minimum_required(VERSION 3.24)
project(parent LANGUAGES CXX)
include(GNUInstallDirs)
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")
add_subdirectory("${SOURCE}" mgpu)
"""


def subproject(args):
    """Installs a project that has the library in it, and a license of its own."""
    (args.build / "CMakeLists.txt").write_text(PARENT)
    (args.build / "LICENSE").write_text("the parent's")
    for choice in ("ON", "OFF"):
        build, prefix = args.build / f"build_{choice}", args.build / f"prefix_{choice}"
        run(args.cmake, "-S", args.build, "-B", build, f"-DSOURCE={args.source}", f"-DMGPU_INSTALL={choice}",
            f"-DCMAKE_CXX_COMPILER={args.compiler}", f"-DMGPU_CCCL_INCLUDE_DIR={args.cccl}")
        run(args.cmake, "--install", build, "--prefix", prefix, stdout=subprocess.DEVNULL)
        license_text = (prefix / "share/doc/parent/LICENSE").read_text()
        check(license_text == "the parent's", "the parent's license was overwritten")
        files = [path for path in prefix.rglob("*") if path.is_file()]
        check((len(files) > 1) == (choice == "ON"), f"MGPU_INSTALL={choice} installs {len(files)} files")


def pkg_config(args):
    if not args.pkg_config or args.pkg_config.endswith("NOTFOUND"):
        skip("no pkg-config")
    environment = {**os.environ, "PKG_CONFIG_PATH": str(args.prefix / "share/pkgconfig")}
    version = output_of(args.pkg_config, "--modversion", "mgpu", env=environment)
    check(version == args.version, f"mgpu.pc says version {version}")
    compile_consumer(args, shlex.split(output_of(args.pkg_config, "--cflags", "mgpu", env=environment)))
    # Folders that do not lie in the prefix.
    for name, flags in (("INCLUDEDIR", "-I/elsewhere"), ("DATADIR", "-I/prefix/include")):
        run(args.cmake, "-S", args.source, "-B", args.build, *WITHOUT_PROGRAMS, f"-DCMAKE_CXX_COMPILER={args.compiler}",
            f"-DMGPU_CCCL_INCLUDE_DIR={args.cccl}", "-DCMAKE_INSTALL_PREFIX=/prefix",
            "-DCMAKE_INSTALL_INCLUDEDIR=include", f"-DCMAKE_INSTALL_{name}=/elsewhere", stdout=subprocess.DEVNULL)
        environment["PKG_CONFIG_PATH"] = str(args.build)
        found = output_of(args.pkg_config, "--cflags", "mgpu", env=environment)
        check(found == flags, f"an absolute CMAKE_INSTALL_{name} gives {found}")


def wheel(args):
    environment = dict(os.environ, PIP_DISABLE_PIP_VERSION_CHECK="1", PIP_ROOT_USER_ACTION="ignore")
    if args.hatchling:
        environment["PYTHONPATH"] = args.hatchling
    if subprocess.run([sys.executable, "-c", "import hatchling, pip, venv, ensurepip"], env=environment,
                      stderr=subprocess.DEVNULL).returncode != 0:
        skip("no hatchling, pip or venv in " + sys.executable)
    make = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir"]
    run(*make, args.build, args.source / "packaging/wheel", env=environment)
    run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", args.build, env=environment,
        cwd=args.source / "packaging/wheel")
    run(*make, args.build / "again", *args.build.glob("*.tar.gz"), env=environment)
    environment.pop("PYTHONPATH", None)
    wheels = [*args.build.glob("*.whl"), *args.build.glob("again/*.whl")]
    check([w.name for w in wheels] == 2 * [f"mgpu_headers-{args.version}-py3-none-any.whl"], f"made {wheels}")
    names = [sorted(zipfile.ZipFile(wheel).namelist()) for wheel in wheels]
    check(names[0] == names[1], "the wheel of the source distribution has other files")
    run(sys.executable, "-m", "venv", args.build / "venv", env=environment)
    python = args.build / "venv/bin/python"
    run(python, "-m", "pip", "install", "--quiet", "--no-index", wheels[0], env=environment)
    compile_consumer(args, ["-I" + output_of(python, "-m", "mgpu_headers", "--include-dir", cwd=args.build)])


STAND_INS = """
# What vcpkg offers to portfile.cmake, as far as it is used.
function(vcpkg_cmake_configure)
  cmake_parse_arguments(arg "" "SOURCE_PATH" "OPTIONS" ${ARGN})
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${arg_SOURCE_PATH} -B ${CURRENT_PACKAGES_DIR}-build ${arg_OPTIONS}
    -DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR} -DCMAKE_INSTALL_LIBDIR=lib COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
endfunction()
function(vcpkg_cmake_install)
  execute_process(COMMAND ${CMAKE_COMMAND} --install ${CURRENT_PACKAGES_DIR}-build COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
endfunction()
function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(arg "" "CONFIG_PATH" "" ${ARGN})
  file(RENAME ${CURRENT_PACKAGES_DIR}/${arg_CONFIG_PATH} ${CURRENT_PACKAGES_DIR}/share/mgpu)
endfunction()
function(vcpkg_fixup_pkgconfig)
endfunction()
function(vcpkg_install_copyright)
  cmake_parse_arguments(arg "" "" "FILE_LIST" ${ARGN})
  file(INSTALL ${arg_FILE_LIST} DESTINATION ${CURRENT_PACKAGES_DIR}/share/mgpu RENAME copyright)
endfunction()
"""


def vcpkg(args):
    """Runs the port with stand-ins for vcpkg's own functions."""
    port = args.source / "packaging/vcpkg/mgpu"
    manifest = json.loads((port / "vcpkg.json").read_text())
    check((manifest["name"], manifest["version"]) == ("mgpu", args.version), "vcpkg.json: another name or version")
    (args.build / "stand_ins.cmake").write_text(STAND_INS + f'include("{port}/portfile.cmake")\n')
    package = args.build / "package"
    run(args.cmake, f"-DCURRENT_PACKAGES_DIR={package}", "-DPORT=mgpu", "-P", args.build / "stand_ins.cmake")
    check(not (package / "lib").exists() and (package / "share/mgpu/usage").exists(), "the port's files are not in place")
    for name in ("mgpu-config.cmake", "mgpu-targets.cmake", "copyright"):
        check((package / "share/mgpu" / name).exists(), f"the port does not install {name}")
    compile_consumer(args, [f"-I{package}/include"])


def conda_forge(args):
    """Runs the recipe's script, and looks for the files that the recipe tests for."""
    if not shutil.which("ninja"):
        skip("no ninja")
    recipe = (args.source / "packaging/conda-forge/recipe.yaml").read_text()
    check(f"\n  version: {args.version}\n" in recipe, "recipe.yaml: another version")
    prefix = args.build / "prefix"
    run("bash", args.source / "packaging/conda-forge/build.sh", cwd=args.build, stdout=subprocess.DEVNULL,
        env={**os.environ, "SRC_DIR": str(args.source), "PREFIX": str(prefix)})
    listed = re.search(r"package_contents:\n(.*?)\n\n", recipe, flags=re.DOTALL)[1]
    include, files = listed.split("files:")
    names = [f"include/{name}" for name in re.findall(r"- (\S+)", include)] + re.findall(r"- (\S+)", files)
    for name in names:
        check((prefix / name).exists(), f"the recipe does not install {name}")
    compile_consumer(args, [f"-I{prefix}/include"])


def vendor(args):
    """A copy under another name, and the library, in one file."""
    script = args.source / "scripts/vendor"
    run(sys.executable, script, "copied", args.build)
    check((args.build / "copied/LICENSE").exists(), "the copy has no license")
    for name in ("std", "class", "Copied"):
        done = subprocess.run([sys.executable, script, name, args.build], capture_output=True, check=False)
        check(done.returncode != 0 and not (args.build / name).exists(), f"a copy by the name {name} was made")
    run(args.compiler, "-std=c++17", "-Wall", "-Wextra", "-Werror", "-DTHRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_CPP",
        f"-I{args.prefix}/include", f"-I{args.build}", f"-isystem{args.cccl}",
        args.source / "tests/install/two_copies.cpp", "-o", args.build / "two_copies")
    run(args.build / "two_copies")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=["subproject", "pkg_config", "wheel", "vcpkg", "conda_forge", "vendor"])
    for name in ("source", "build", "prefix"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    for name in ("version", "cmake", "compiler", "cccl", "pkg-config", "hatchling"):
        parser.add_argument(f"--{name}", required=True)
    args = parser.parse_args()
    shutil.rmtree(args.build, ignore_errors=True)
    args.build.mkdir(parents=True)
    globals()[args.kind](args)


if __name__ == "__main__":
    main()
