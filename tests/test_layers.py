"""Each layer imports only those above it, and there are no import cycles."""

from __future__ import annotations

import subprocess
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent
TOOL = ROOT / "tools" / "import-cycles"
PACKAGE = ROOT / "src" / "noughts"
LIBRARY = ["_core", "games", "process", "settings", "store", "textbook", "engine", "study"]
LAYERS = [*LIBRARY, "players", "match", "arena", "atlas", "envs", "learn", "cli", "web", "mcp"]
USER_INTERFACES = {"cli", "web", "mcp"}


def load_tool() -> ModuleType:
    spec = spec_from_loader("import_cycles", SourceFileLoader("import_cycles", str(TOOL)))
    assert spec is not None
    assert spec.loader is not None
    tool = module_from_spec(spec)
    spec.loader.exec_module(tool)
    return tool


@pytest.fixture(scope="module")
def graph() -> dict[str, set[str]]:
    found: dict[str, set[str]] = load_tool().import_graph(PACKAGE)
    return found


def layer_of(module: str) -> str | None:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in LAYERS else None


@pytest.mark.parametrize("layer", LAYERS[1:])
def test_layer_imports_only_layers_above_it(graph: dict[str, set[str]], layer: str) -> None:
    above = {*LAYERS[: LAYERS.index(layer) + 1]} - (USER_INTERFACES - {layer})
    modules = [module for module in graph if layer_of(module) == layer]
    assert modules
    for module in modules:
        assert {layer_of(imported) for imported in graph[module]} - {None} <= above, module


def find_cycles(package: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, TOOL, package], capture_output=True, text=True, timeout=60, check=False)


def test_there_are_no_import_cycles() -> None:
    found = find_cycles(PACKAGE)
    assert (found.returncode, found.stderr) == (0, "")


@pytest.mark.parametrize(
    "code",
    [
        "from package import b",
        "def f():\n    from package.b import g",
        "from package.lazy import lazy_names\n__getattr__, __dir__ = lazy_names('package', {'g': '.b'})",
    ],
    ids=["at the top", "in a function", "lazily"],
)
def test_cycle_is_found_wherever_the_import_stands(code: str, tmp_path: Path) -> None:
    package = tmp_path / "package"
    package.mkdir()
    (package / "__init__.py").write_text(code if "lazy" in code else "")
    (package / "a.py").write_text(code if "lazy" not in code else "")
    (package / "b.py").write_text("import package.a" if "lazy" not in code else "from package import f")
    assert find_cycles(package).stderr.startswith("import cycle: package")


def test_import_for_type_checkers_only_does_not_count(tmp_path: Path) -> None:
    package = tmp_path / "package"
    package.mkdir()
    code = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from package import b\n"
    (package / "a.py").write_text(code)
    (package / "b.py").write_text("from package import a")
    assert find_cycles(package).returncode == 0


def test_library_needs_nothing_beyond_python_and_the_core() -> None:
    code = "import noughts, sys; print([m for m in ('click', 'rich', 'platformdirs', 'numpy') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "[]\n"


def test_questions_and_lookups_need_no_server() -> None:
    """They answer in the worker of a page without a server, too."""
    server = ["fastapi", "h11", "prometheus_client", "segno", "starlette", "uvicorn", "websockets"]
    code = f"import sys; sys.modules |= dict.fromkeys({server}); import noughts.web.lookups, noughts.web.questions"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (found.returncode, found.stderr) == (0, "")
