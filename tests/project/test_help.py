"""``help()`` says something about every public name, and the stub of the core describes all of it."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path
from typing import Any

import pytest

import noughts as no
from noughts import _core

STUB = ast.parse((Path(no.__file__).parent / "_core.pyi").read_text())
CORE = [name for name in dir(_core) if not name.startswith("__")]
CLASSES = {name: value for name, value in vars(_core).items() if inspect.isclass(value)}


def stub_names(body: list[ast.stmt]) -> set[str]:
    names = {node.name for node in body if isinstance(node, ast.ClassDef | ast.FunctionDef)}
    return names | {
        node.target.id for node in body if isinstance(node, ast.AnnAssign) if isinstance(node.target, ast.Name)
    }


def own_names(kind: type) -> set[str]:
    return {name for name in vars(kind) if not name.startswith("__")}


@pytest.mark.parametrize("name", sorted(no.__all__))
def test_every_public_name_and_member_has_help(name: str) -> None:
    value: Any = getattr(no, name)
    if not callable(value):
        return
    assert inspect.getdoc(value), f"noughts.{name} has no help"
    if not inspect.isclass(value):
        return
    members = [member for member in dir(value) if not member.startswith("_") and not hasattr(object, member)]
    bases = (tuple, dict, list, str, Exception)
    inherited = {member for base in bases if issubclass(value, base) for member in dir(base)}
    described = [member for member in members if member not in inherited and getattr(value, member) is not None]
    silent = [member for member in described if not inspect.getdoc(getattr(value, member))]
    assert silent == [], f"members of noughts.{name} without help"


@pytest.mark.parametrize("member", ["play", "undo", "is_legal", "perft", "legal_moves", "turn", "winner", "hash"])
def test_methods_of_the_core_explain_themselves(member: str) -> None:
    text = inspect.getdoc(getattr(no.Position, member)) or ""
    assert text.splitlines()[-1].endswith("."), text


def test_stub_lists_exactly_the_names_of_the_core() -> None:
    assert stub_names(STUB.body) == set(CORE)


@pytest.mark.parametrize("name", sorted(CLASSES))
def test_stub_lists_exactly_the_members_of_a_class(name: str) -> None:
    (described,) = [node for node in STUB.body if isinstance(node, ast.ClassDef) and node.name == name]
    assert stub_names(described.body) - {"__init__"} == own_names(CLASSES[name])
