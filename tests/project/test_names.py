"""A public class name stands for one thing."""

from __future__ import annotations

import ast
from collections import defaultdict

from paths import ROOT

PACKAGE = ROOT / "src" / "noughts"
SHARED = {
    "Node": "a node of a recorded search; one of an exercise, which students read",
    "Result": "the result of a textbook search; that of a playthrough in a tournament",
}
"""Names that two classes have."""


def test_no_public_class_name_is_used_twice_without_need() -> None:
    places: defaultdict[str, set[str]] = defaultdict(set)
    for path in PACKAGE.rglob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].add(path.relative_to(PACKAGE).as_posix())
    assert {name for name, paths in places.items() if len(paths) > 1} == SHARED.keys()
