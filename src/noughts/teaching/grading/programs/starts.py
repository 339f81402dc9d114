"""States at the start of a play: those that a program makes or keeps, and usual ones. Used in its own process only."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from functools import partial
from typing import Any

from noughts.teaching.grading.programs.boards import BoardReader, find_readers
from noughts.teaching.grading.programs.program_code import Constants, classes, functions
from noughts.teaching.grading.programs.trials import TrialFailed, trial
from noughts.teaching.grading.runtime.modules import Modules

__all__ = ["Start", "find_starts", "readers_of", "usual_starts"]

Start = Callable[[], tuple[object, object]]
"""Makes a state at the start, and the object whose methods know the rules, or None."""
START_NAMES = (
    "initial",
    "start",
    "new_board",
    "empty_board",
    "create",
    "make_board",
    "init",
    "new_game",
    "new_state",
    "reset",
    "get_board",
    "blank",
)
"""Parts of the names of functions that make a state at the start."""
BOARD_NAMES = (*START_NAMES, "board", "state")
"""Parts of the names of variables that keep one."""
METHOD_NAMES = (
    "initial",
    "initial_state",
    "get_initial_state",
    "start_state",
    "start",
    "init_state",
    "new_game",
    "initialState",
    "getInitialState",
)
"""Names under which a game object keeps or makes its first state."""
USUAL_BOARDS: tuple[object, ...] = (
    *([[empty] * 3 for _ in range(3)] for empty in (" ", None, "", "-", "_", ".", 0)),
    *([empty] * 9 for empty in (" ", None, "", "-", "_", ".", 0)),
    *(empty * 9 for empty in " -_."),
    *((empty,) * 9 for empty in (0, " ", None)),
    [str(i) for i in range(1, 10)], list(range(9)), list(range(1, 10)), [str(i) for i in range(9)],
    [" "] * 10, dict.fromkeys(range(1, 10), " "), dict.fromkeys(range(9), " "),
    {(row, column): " " for row in range(3) for column in range(3)}, {},
)  # fmt: skip


def find_starts(modules: Modules) -> Iterator[Start]:
    """Yield the states at the start that a program makes or keeps: in functions, variables, classes and objects."""
    for name, thing in functions(modules):
        if _has_part(name, START_NAMES):
            sizes = ((), (3, 3), (3,))
            yield from _first_with_board(partial(_make_state, partial(thing, *size)) for size in sizes)
    for name, kept in list(modules.items()):
        if isinstance(kept, list | tuple | str | dict) and _has_part(name, BOARD_NAMES) and not name.startswith("__"):
            yield from _first_with_board([partial(_make_state, partial(deepcopy, kept))])
    for _, kind in classes(modules):
        if (make := _maker(kind)) is not None:
            yield from _first_with_board([partial(_make_state, make)])
            yield from _first_with_board([partial(_make_game, make)])


def usual_starts(modules: Modules, constants: Constants) -> list[Start]:
    """Return the usual boards whose empty cells occur in a program, those of the commonest form first."""
    numpy: Any = next((each for each in modules.values() if getattr(each, "__name__", "") == "numpy"), None)
    arrays = () if numpy is None else (numpy.zeros((3, 3), int), numpy.zeros(9, int))

    def occurs(board: object) -> bool:
        first, second, *_ = next(find_readers(board)).empty
        return first != second or first is None or (type(first), first) in constants

    return [partial(_make_state, partial(deepcopy, board)) for board in (*arrays, *USUAL_BOARDS) if occurs(board)]


def readers_of(start: Start) -> list[BoardReader]:
    """Return the readers of the boards in a state at the start; none if it cannot be made."""
    try:
        with trial():
            return [*find_readers(start()[0])]
    except TrialFailed:
        return []


def _make_state(make: Callable[[], object]) -> tuple[object, object]:
    return make(), None


def _make_game(make: Callable[[], object]) -> tuple[object, object]:
    """Return the state at the start of a game object, and the object; raises AttributeError if it has none."""
    game = make()
    for name in METHOD_NAMES:
        found = getattr(game, name, None)
        if found is not None:
            return found() if callable(found) else found, game
    raise AttributeError(METHOD_NAMES[0])


def _first_with_board(starts: Iterable[Start]) -> Iterator[Start]:
    """Yield the first of several starts whose state has a board in it."""
    for start in starts:
        if readers_of(start):
            yield start
            return


def _maker(kind: type) -> Callable[[], object] | None:
    """Return a function that makes an object of a class, without arguments or of a size; None if there is none."""
    if issubclass(kind, BaseException):
        return None
    for size in ((), (3,), (3, 3), (3, 3, 3)):
        make: Callable[[], object] = partial(kind, *size)
        try:
            with trial():
                make()
        except TrialFailed:
            continue
        return make
    return None


def _has_part(name: str, parts: tuple[str, ...]) -> bool:
    return any(part in name.lower() for part in parts)
