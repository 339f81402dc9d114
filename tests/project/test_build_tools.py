"""Missing requirements of a build are reported in one line, before the build."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from paths import ROOT

CHECK = ROOT / "tools" / "check-build-tools"


def check(compiler: str, python: str = sys.executable) -> subprocess.CompletedProcess[str]:
    """Run the check for a compiler and a Python."""
    environment = os.environ | {"CXX": compiler}
    return subprocess.run([CHECK, python], env=environment, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize(
    ("compiler", "message"),
    [
        ("nonexistent", "no C++ compiler (nonexistent); on Debian: apt-get install g++"),
        ("false", "false does not compile C++20; GCC 10 or Clang 13 or later is needed"),
    ],
)
def test_missing_compiler_is_one_line(compiler: str, message: str) -> None:
    done = check(compiler)
    assert (done.returncode, done.stderr) == (1, f"noughts cannot be built: {message}\n")


def test_missing_python_is_one_line() -> None:
    done = check("c++", "nopython")
    assert done.stderr == "noughts cannot be built: no nopython found; install Python 3.11 or later\n"


@pytest.mark.skipif(shutil.which("c++") is None, reason="no C++ compiler")
def test_compiler_behind_another_program_or_with_options_is_accepted() -> None:
    assert "compiler" not in check("env c++ -O1").stderr


INSTALL = CHECK.with_name("install-system-packages")
INSTALLED = dict.fromkeys(("bwrap", "zsh", "fish", "mandoc"), "")
"""All programs that are looked for except chromium."""


def install(folder: Path, **programs: str) -> subprocess.CompletedProcess[str]:
    """Run the installation with only the shell's built-in commands and these programs."""
    folder.mkdir(exist_ok=True)
    for name in ("bash", "mktemp", "rm", "tail", "env"):
        (folder / name).symlink_to(shutil.which(name) or name)
    for name, source in ({"id": "echo 0"} | programs).items():
        (folder / name).write_text(f"#!/usr/bin/env bash\n{source}\n")
        (folder / name).chmod(0o755)
    return subprocess.run(
        [folder / "bash", INSTALL], env={"PATH": str(folder)}, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize("browser", ["chromium", "chromium-headless-shell"])
def test_installed_packages_are_not_installed_again(tmp_path: Path, browser: str) -> None:
    done = install(tmp_path, **INSTALLED, **{browser: "", "apt-get": "exit 1"})
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("programs", "reason"),
    [
        ({}, "apt-get is not available"),
        ({"apt-get": "", "id": "echo 1000"}, "only root may install packages"),
        ({"apt-get": "echo E: no space left >&2; exit 100"}, "apt-get failed"),
        ({"apt-get": ""}, "apt-get installed it, but it is not on the path"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_packages_that_could_not_be_installed_are_named_with_the_reason(
    tmp_path: Path, programs: dict[str, str], reason: str
) -> None:
    done = install(tmp_path, **INSTALLED, **programs)
    assert done.returncode == 1
    *log, line = done.stderr.splitlines()
    assert line == f"not installed: chromium-headless-shell ({reason}); the tests that need it will be skipped"
    assert log == (["E: no space left"] * 3 if reason == "apt-get failed" else [])


def test_package_list_that_cannot_be_fetched_does_not_prevent_installation(tmp_path: Path) -> None:
    chromium = tmp_path / "chromium"
    apt = f'case "$*" in *update*) exit 100;; esac\necho >"{chromium}"\n/bin/chmod +x "{chromium}"'
    assert install(tmp_path, **INSTALLED, **{"apt-get": apt}).returncode == 0


@pytest.mark.parametrize("strict", [False, True])
def test_warnings_are_errors_only_in_our_own_checks(strict: bool, tmp_path: Path) -> None:
    cmake = Path(sys.executable).with_name("cmake")
    options = ["-DNOUGHTS_PYTHON=OFF", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", *["-DNOUGHTS_WERROR=ON"] * strict]
    command = [cmake if cmake.exists() else "cmake", "-S", CHECK.parent.parent, "-B", tmp_path, *options]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    assert ("-Werror" in (tmp_path / "compile_commands.json").read_text()) == strict


def requirements(folder: Path, **programs: str) -> list[str]:
    """What a build installs, if only these programs are on the path."""
    folder.mkdir(exist_ok=True)
    for name, source in programs.items():
        (folder / name).write_text(f"#!/bin/sh\n{source}\n")
        (folder / name).chmod(0o755)
    done = subprocess.run(
        [sys.executable, CHECK.with_name("build-requirements")],
        cwd=CHECK.parent.parent, env={"PATH": str(folder)}, capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    ("programs", "installed"),
    [
        ({}, {"cmake", "ninja"}),
        ({"cmake": "echo cmake version 3.18.4", "ninja": ""}, {"cmake"}),
        ({"cmake": "echo cmake version 3.20.0", "ninja": ""}, set()),
    ],
    ids=["none", "too old", "both"],
)
def test_build_programs_of_the_system_are_used_if_they_are_recent(
    tmp_path: Path, programs: dict[str, str], installed: set[str]
) -> None:
    found = requirements(tmp_path / "path", **programs)
    assert {"cmake", "ninja"} & set(found) == installed
    assert any(line.startswith("nanobind") for line in found)
    assert not any(line.startswith("fastapi") for line in found)


def test_failed_build_shows_its_log(tmp_path: Path) -> None:
    (tmp_path / "pip").write_text('#!/bin/sh\necho "[1/2] Building it"\necho "error: no"\nexit 1\n')
    (tmp_path / "pip").chmod(0o755)
    done = subprocess.run(
        [CHECK.with_name("build-in-place"), tmp_path, "build"], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (1, "[1/2] Building it\nerror: no\n")
    assert "compiling noughts: 1 of 2" in done.stdout
