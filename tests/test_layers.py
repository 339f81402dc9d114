"""Each layer imports only those above it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "src" / "noughts"
LAYERS = ["_core", "games", "store", "textbook", "engine", "study", "players", "match", "arena", "cli", "web"]
FACES = {"cli", "web"}


def imported_layers(path: Path) -> set[str]:
    """The layers of noughts a module imports, wherever in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return {name.split(".")[1] for name in names if name.startswith("noughts.") and name.split(".")[1] in LAYERS}


@pytest.mark.parametrize("layer", LAYERS[1:])
def test_layer_imports_only_layers_above_it(layer: str) -> None:
    above = set(LAYERS[: LAYERS.index(layer) + 1]) - (FACES - {layer})
    for path in sorted((PACKAGE / layer).rglob("*.py")):
        assert imported_layers(path) <= above, path.relative_to(PACKAGE)


def test_library_needs_nothing_beyond_python_and_the_core() -> None:
    import subprocess
    import sys

    code = "import noughts, sys; print([m for m in ('click', 'rich', 'platformdirs', 'numpy') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "[]\n"
