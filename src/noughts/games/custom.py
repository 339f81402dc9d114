"""Custom games: validates the arguments of ``Game.from_lines`` and the data given to ``Game.from_data``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import index
from typing import Annotated, Any

from noughts import _core
from noughts.games.errors import InvalidGame
from noughts.games.geometry import Data
from noughts.games.quoting import quote
from noughts.games.spec import parse_id

__all__ = ["GameData", "check_keys", "check_name", "custom_data"]

GameData = Annotated[
    str | dict[str, Any],
    "A game as requests name it: an id, or the object of a custom game.",
]
"""The type of ``Game.to_data()`` in requests and answers."""

MAX_NAME = 60
REQUIRED = ("name", "cells", "lines")
KEYS = (*REQUIRED, "guards", "rests_on", "layout", "misere")


def check_keys(data: object) -> dict[str, Any]:
    """Return the data; raises InvalidGame unless it is an object with the keys of a custom game."""
    if not isinstance(data, dict):
        raise InvalidGame(f"expected a game id or an object with name, cells and lines, got {type(data).__name__}")
    for key in REQUIRED:
        if key not in data:
            raise InvalidGame(f"expected the key {key!r} in a custom game")
    unknown = sorted(str(key) for key in data if key not in KEYS)
    if unknown:
        raise InvalidGame(f"expected only the keys {', '.join(KEYS)}, got {quote(unknown[0])}")
    return data


def check_name(name: object) -> None:
    """Raise InvalidGame or TypeError unless this can name a custom game: short, printable, and not a game id."""
    if not isinstance(name, str):
        raise TypeError(f"expected a name as text, got {type(name).__name__}")
    if not name.strip() or len(name) > MAX_NAME or not name.isprintable() or name != name.strip():
        raise InvalidGame(f"expected a name of 1 to {MAX_NAME} printable characters")
    try:
        parse_id(name)
    except InvalidGame:
        return
    raise InvalidGame(f"expected a name that is not a game id, got {quote(name)}")


def custom_data(
    cells: int,
    lines: Iterable[Iterable[int]],
    guards: Iterable[Iterable[int]] | None,
    rests_on: Mapping[int, int | Iterable[int]] | Sequence[int | Iterable[int] | None] | None,
    layout: Iterable[Iterable[float]] | None,
    misere: bool,
) -> Data:
    """Return the data of a custom game; raises InvalidGame when the arguments are inconsistent."""
    count = _number(cells, "a number of cells")
    if not 1 <= count <= _core.MAX_CELLS:
        raise InvalidGame(f"expected 1 to {_core.MAX_CELLS} cells, got {count}")
    checked_lines = [_cells(line, "a line") for line in _items(lines, "lines as a list")]
    if not checked_lines:
        raise InvalidGame("expected at least one line")
    if len({frozenset(line) for line in checked_lines}) < len(checked_lines):
        raise InvalidGame("expected distinct lines, got the same line twice")
    given_guards = [()] * len(checked_lines) if guards is None else _items(guards, "guards as a list")
    checked_guards = [_cells(line_guards, "guards") for line_guards in given_guards]
    if len(checked_guards) != len(checked_lines):
        raise InvalidGame(f"expected guards for each of {len(checked_lines)} lines, got {len(checked_guards)}")
    return Data(
        cells=count,
        lines=checked_lines,
        guards=checked_guards,
        coordinates=_layout(layout, count) if layout is not None else [],
        rests_on=_supports(rests_on, count) if rests_on is not None else [],
        misere=_yes_or_no(misere, "misere"),
    )


def _items(value: object, what: str) -> list[object]:
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise InvalidGame(f"expected {what}, got {type(value).__name__}")
    return list(value)


def _number(value: object, what: str) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise InvalidGame(f"expected {what}, got {type(value).__name__}")
    number = index(value)
    if not -(2**31) < number < 2**31:
        raise InvalidGame(f"expected {what}, got a number out of range")
    return number


def _yes_or_no(value: object, what: str) -> bool:
    if not isinstance(value, bool):  # the text "false" in a game file would be truthy
        raise InvalidGame(f"expected {what} as true or false, got {quote(str(value))}")
    return value


def _cells(values: object, what: str) -> tuple[int, ...]:
    items = _items(values, f"{what} as a list of cells")
    return tuple(_number(item, f"cells of {what} as numbers") for item in items)


def _supports(rests_on: object, count: int) -> list[tuple[int, ...]]:
    if isinstance(rests_on, Mapping):
        numbered = {_number(cell, "cells as numbers"): below for cell, below in rests_on.items()}
        for cell in numbered:
            if not 0 <= cell < count:
                raise InvalidGame(f"expected cells from 0 to {count - 1} in rests_on, got {cell}")
        rests_on = [numbered.get(cell) for cell in range(count)]
    supports = _items(rests_on, "rests_on as a list or a mapping")
    if len(supports) != count:
        raise InvalidGame(f"expected what each of {count} cells rests on, got {len(supports)}")
    return [_support(below) for below in supports]


def _support(below: object) -> tuple[int, ...]:
    if below is None:
        return ()
    return _cells([below] if hasattr(below, "__index__") else below, "what a cell rests on")


def _layout(layout: object, count: int) -> list[tuple[float, ...]]:
    given = _items(layout, "layout as a list")
    points = [tuple(_coordinate(at) for at in _items(point, "a point as a list")) for point in given]
    if len(points) != count:
        raise InvalidGame(f"expected coordinates for each of {count} cells, got {len(points)}")
    if {len(point) for point in points} not in ({2}, {3}):
        raise InvalidGame("expected two or three coordinates for every cell")
    if len(set(points)) < count:
        raise InvalidGame("expected different coordinates for every cell")
    return points


def _coordinate(at: object) -> float:
    if isinstance(at, bool) or not isinstance(at, int | float) or not abs(at) < 1e6:
        raise InvalidGame(f"expected coordinates as numbers below a million, got {quote(str(at))}")
    return at
