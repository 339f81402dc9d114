"""The functions of a program that make a move, and ways to call them. Used in its own process only."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from noughts.teaching.grading.programs.boards import BoardReader, Marks
from noughts.teaching.grading.programs.move_forms import FORMS, MoveForm
from noughts.teaching.grading.programs.program_code import functions, methods
from noughts.teaching.grading.programs.starts import Start
from noughts.teaching.grading.programs.trials import TrialFailed, trial
from noughts.teaching.grading.runtime.modules import Modules

__all__ = ["USUAL_MARKS", "MoveMaker", "find_move_makers"]

USUAL_MARKS: tuple[Marks, ...] = (("X", "O"), ("x", "o"), (1, -1), (1, 2), (0, 1), (True, False))
MOVE_NAMES = (
    "result",
    "move",
    "play",
    "place",
    "put",
    "apply",
    "next",
    "succ",
    "mark",
    "set",
    "do",
    "update",
    "after",
    "push",
    "child",
)
"""Parts of the names of functions that make a given move."""
OTHER_NAMES = (
    "best",
    "minimax",
    "search",
    "ai_",
    "computer",
    "human",
    "undo",
    "available",
    "possible",
    "legal",
    "valid",
    "random",
    "check",
    "is_",
    "get_",
)
"""Parts of the names of functions that do something else."""
MoveMaker = Callable[[object, object, int, int], object]
"""Makes a move: called with the state, its game, the cell, and 0 for X or 1 for O; returns the new state."""
Function = Callable[[object, object], Callable[..., object]]
"""Returns a function that makes a move in a state, given the state and its game."""


def find_move_makers(modules: Modules, start: Start, readers: list[BoardReader]) -> Iterator[tuple[str, MoveMaker]]:
    """Yield functions and methods that may make a move, by name; each in the ways in which it may be called."""
    found: list[tuple[str, Function]] = [(name, partial(_by_function, each)) for name, each in functions(modules)]
    try:
        with trial():
            state, game = start()
    except TrialFailed:
        return
    found += [(name, partial(_by_state, name)) for name, _ in methods(type(state))]
    found += [(name, partial(_by_game, name)) for name, _ in methods(type(game))]
    for name, function in found:
        if _has_part(name, MOVE_NAMES) and not _has_part(name, OTHER_NAMES):
            yield from ((name, make) for make in _ways(function, readers))


def _by_function(function: Callable[..., object], state: object, game: object) -> Callable[..., object]:
    return partial(function, state)


def _by_state(name: str, state: object, game: object) -> Callable[..., object]:
    return partial(getattr(state, name))


def _by_game(name: str, state: object, game: object) -> Callable[..., object]:
    return partial(getattr(game, name), state)


def _ways(function: Function, readers: list[BoardReader]) -> Iterator[MoveMaker]:
    """Yield ways to call a function that makes a move: with a mark or without, row and column together or apart."""
    pairs = [form for form in FORMS if form.has_pairs]
    for form in FORMS:
        yield partial(_make, function, form, "move", ("X", "O"), readers)
    for marks in USUAL_MARKS:
        for order, forms in (("move mark", FORMS), ("mark move", FORMS), ("row mark", pairs), ("mark row", pairs)):
            for form in forms:
                yield partial(_make, function, form, order, marks, readers)
    for form in pairs:
        yield partial(_make, function, form, "row", ("X", "O"), readers)


def _make(
    function: Function,
    form: MoveForm,
    order: str,
    marks: Marks,
    readers: list[BoardReader],
    state: object,
    game: object,
    cell: int,
    side: int,
) -> object:
    move = form.write(cell)
    row = move if isinstance(move, tuple) else ()
    parts: dict[str, tuple[object, ...]] = {"move": (move,), "row": row, "mark": (marks[side],)}
    answer = function(state, game)(*(part for name in order.split() for part in parts[name]))
    more = answer[:1] if isinstance(answer, tuple) else ()  # a new state, and such as whether the game is over
    for after in (answer, *more):
        if after is not None and any(reader.read(after) is not None for reader in readers):
            return after
    return state


def _has_part(name: str, parts: tuple[str, ...]) -> bool:
    return any(part in name.lower() for part in parts)
