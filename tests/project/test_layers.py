"""The layers are a tree: each imports only those of its branch, and there are no import cycles."""

from __future__ import annotations

import subprocess
import sys
from graphlib import TopologicalSorter
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest

from paths import ROOT

TOOL = ROOT / "tools" / "import-cycles"
PACKAGE = ROOT / "src" / "noughts"
LAYERS = {
    "games": "",
    "limit": "games",
    "schema": "games",
    "toml_table": "games schema",
    "html_page": "games",
    "exclusive": "",
    "request_body": "",
    "settings": "games schema toml_table",
    "process": "games",
    "store": "games settings",
    "textbook": "games",
    "proof": "exclusive games limit process",
    "engine": "exclusive games limit proof",
    "analysis": "engine games limit proof store",
    "players": "engine games limit process",
    "match": "engine games players store",
    "arena": "engine games html_page match players process schema store toml_table",
    "teaching": "analysis arena games html_page limit players process schema textbook toml_table",
    "ask": "analysis engine games limit match proof schema teaching textbook",
    "atlas": "games process proof",
    "envs": "analysis engine games limit players",
    "learn": "analysis arena engine games html_page process schema teaching",
    "cli": (
        "analysis arena ask atlas engine games learn limit match players process proof schema settings store teaching"
        " textbook"
    ),
    "web": "analysis ask engine games match process request_body schema settings store teaching",
    "mcp": "analysis ask engine games request_body schema store",
}
"""The packages, and modules beside them, with those that each imports directly: a tree that has the core at its root.

Every module may import these, and the version of ``noughts``: the core and modules that know nothing of games.
"""
SHARED = {"_core", "invocation", "json_types", "lazy", "packaged"}


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


def layer_of(module: str) -> str:
    return module.split(".")[1]


def imports_of(graph: dict[str, set[str]], layer: str) -> dict[str, set[str]]:
    """Return the layers that each module of a layer imports."""
    inside = {module: imported for module, imported in graph.items() if module.split(".")[1:2] == [layer]}
    found = {module: {layer_of(each) for each in imported if "." in each} for module, imported in inside.items()}
    return {module: layers - SHARED - {layer} for module, layers in found.items()}


def test_every_module_is_in_a_layer(graph: dict[str, set[str]]) -> None:
    found = {layer_of(module) for module in graph if "." in module}
    assert found - SHARED - {"__main__"} == LAYERS.keys()


@pytest.mark.parametrize("layer", LAYERS)
def test_layer_imports_only_those_of_its_branch(graph: dict[str, set[str]], layer: str) -> None:
    allowed = {*LAYERS[layer].split()}
    wrong = {module: layers - allowed for module, layers in imports_of(graph, layer).items()}
    assert {module: layers for module, layers in wrong.items() if layers} == {}


@pytest.mark.parametrize("layer", LAYERS)
def test_layer_is_as_narrow_as_its_imports(graph: dict[str, set[str]], layer: str) -> None:
    assert {*LAYERS[layer].split()} <= set().union(*imports_of(graph, layer).values())


def test_layers_are_a_tree_without_cycles() -> None:
    order = list(TopologicalSorter({layer: above.split() for layer, above in LAYERS.items()}).static_order())
    assert {*order} == LAYERS.keys()


def find_cycles(package: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, TOOL, package], capture_output=True, text=True, timeout=60, check=False)


def test_there_are_no_import_cycles(graph: dict[str, set[str]]) -> None:
    TopologicalSorter(graph).prepare()


@pytest.mark.parametrize(
    "code",
    [
        "from package import b",
        "def f():\n    from package.b import g",
        "from package.lazy import lazy_names\n__getattr__, __dir__ = lazy_names('package', {'.b': ['g']})",
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


def test_questions_need_no_server() -> None:
    """They answer in the worker of a page without a server, too."""
    server = ["pydantic", "fastapi", "h11", "prometheus_client", "segno", "starlette", "uvicorn", "websockets"]
    code = f"import sys; sys.modules |= dict.fromkeys({server}); import noughts.ask, noughts.web.in_browser"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (found.returncode, found.stderr) == (0, "")
