"""Calls of a student's functions as the student would type them. Used in the process of the submission only.

Boards are written with the names that the student's file gives to the marks, if it has them:
``minimax([[X, O, X], [O, X, X], [O, EMPTY, EMPTY]])``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from noughts.games import Position
from noughts.teaching.grading.cells import cells_of
from noughts.teaching.grading.programs.aima_binding import AimaGame, AimaState
from noughts.teaching.grading.programs.bindings import Binding

__all__ = ["format_call"]

MARK_NAMES = ("X", "O", "EMPTY")
"""The names of the marks in files that define them."""
UNTYPABLE = " object at 0x"
"""In the ``repr`` of an object that cannot be typed."""


def format_call(
    binding: Binding, name: str, position: Position, more: Iterable[object], named: Mapping[str, int]
) -> str:
    """Return the call of a function, or of a rule, for a position; empty if an argument cannot be typed.

    It is empty, too, if the submission cannot build the position: earlier calls may have changed its boards.
    """
    state, *others = binding.arguments(position, is_watched=False).values
    if binding.cells_of(state) != cells_of(position):
        return ""
    texts = [_write(state, _mark_names(binding)), *map(_write_game, others)]
    if name in binding.style.rules and others:  # a method of the game
        name = f"{texts.pop()}.{name}"
    options = (f"{key}={value}" for key, value in named.items())
    call = f"{name}({', '.join([*texts, *map(repr, more), *options])})"
    return "" if UNTYPABLE in call else call


def _mark_names(binding: Binding) -> list[tuple[object, str]]:
    return [(binding.names[name], name) for name in MARK_NAMES if name in binding.names]


def _write(value: object, names: list[tuple[object, str]]) -> str:
    """Return an expression that evaluates to a value; a mark in a list is written by its name."""
    if type(value) is list:
        return f"[{', '.join(_write_item(item, names) for item in value)}]"
    if type(value) is dict:
        return "{" + ", ".join(f"{key!r}: {_write(item, names)}" for key, item in value.items()) + "}"
    if isinstance(value, Position):
        return f'Game("{value.game.id}").parse("{value.text}")'
    if isinstance(value, AimaState):
        return repr(value).replace(type(value).__name__, "GameState", 1)
    return repr(value)


def _write_item(item: object, names: list[tuple[object, str]]) -> str:
    found = (name for mark, name in names if type(mark) is type(item) and mark == item)
    return next(found, None) or _write(item, names)


def _write_game(game: object) -> str:
    """Return the game that AIMA's searches are given: one of ours, or one of the submission's class."""
    return "game" if isinstance(game, AimaGame) else f"{type(game).__name__}()"
