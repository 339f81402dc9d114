"""docs/api.md lists every public name, and only names that exist."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import noughts as no

PAGE = (Path(__file__).parent.parent / "docs" / "api.md").read_text(encoding="utf-8")
MODULES = dict(re.findall(r"^## `([\w.]+)`\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
PUBLIC_MODULES = (
    "noughts",
    "noughts.arena",
    "noughts.match",
    "noughts.match.events",
    "noughts.players",
    "noughts.store",
    "noughts.study",
    "noughts.study.hints",
    "noughts.study.reviews",
    "noughts.textbook",
    "noughts.textbook.functional",
)
CLASSES = dict(re.findall(r"^### `(\w+)`\n(.*?)(?=^##|\Z)", PAGE, re.MULTILINE | re.DOTALL))


def names_in(table: str) -> set[str]:
    return set(re.findall(r"^\| `(\w+)` \| \S", table, re.MULTILINE))


def examples() -> dict[str, Any]:
    """An object of each class that has attributes beyond those of its class."""
    position = no.Game("3x3").parse("xox/oxo/1x1 o")
    solution = no.solve(position)
    bots = {"Engine": no.Engine(hash_mb=1), "LevelPlayer": no.LevelPlayer(no.Level.EASY), "Solver": no.Solver(position)}
    bots |= {"Side": no.Side.X, "Value": no.Value.WIN}
    play = no.Playthrough.of(no.Game("3x3").start())
    return bots | {type(each).__name__: each for each in (position, position.game, play, solution, solution.proof)}


def members(name: str) -> set[str]:
    found: Any = getattr(no, name, None) or getattr(import_module("noughts.study"), name)
    inherited = {each for base in found.__mro__ if base.__module__ in ("builtins", "enum") for each in dir(base)}
    own = {*dir(found), *getattr(found, "__dataclass_fields__", {}), *dir(examples().get(name, object()))}
    return {each for each in own - inherited if not each.startswith("_")}


@pytest.mark.parametrize("module", PUBLIC_MODULES)
def test_every_public_name_of_a_module_has_its_line(module: str) -> None:
    listed = names_in(MODULES[module].partition("###")[0])
    assert listed == set(import_module(module).__all__), "docs/api.md lists these names, one line each"


@pytest.mark.parametrize("name", sorted(CLASSES))
def test_every_member_of_a_class_has_its_line(name: str) -> None:
    assert names_in(CLASSES[name]) == members(name), "docs/api.md lists these members, one line each"


def test_the_classes_most_used_are_listed_with_their_members() -> None:
    assert {"Game", "Position", "Playthrough", "Engine", "SearchResult", "Solution", "Proof"} <= set(CLASSES)
