"""Game ids: from text such as ``5x5:4+misere`` to a checked description, and back."""

from __future__ import annotations

import re
from difflib import get_close_matches
from math import prod
from typing import NamedTuple

from noughts._core import MAX_CELLS, MAX_LINE_LENGTH, MAX_LINES
from noughts.games.errors import InvalidGame, UnknownGame
from noughts.games.quoting import quote

__all__ = ["ALIASES", "BoardSpec", "Spec", "UltimateSpec", "parse_id"]

ALIASES = {
    "connect4": "7x6:4+gravity",
    "gomoku": "15x15:5",
    "qubic": "4x4x4",
    "tictactoe": "3x3",
    "ultimate": "ultimate:3",
    "ultimate4": "ultimate:4+count",
}

BOARD_OPTIONS = ("gravity", "misere", "exact", "wrap")
ULTIMATE_OPTIONS = ("misere", "count", "open")
REFUSED = {
    "renju": "renju's forbidden moves are not supported; try 15x15:5+exact",
    "swap": "swap openings are not supported; try 15x15:5",
    "swap2": "swap openings are not supported; try 15x15:5",
    "pro": "restricted openings are not supported; try 15x15:5",
    "caro": "caro rules are not supported; try 15x15:5+exact",
}
LONGEST_ALIAS = 20
"""What is longer is not compared with the aliases."""
MAX_DIMENSIONS = 8
MAX_ID = 200
EXAMPLES = "for example 3x3, 5x5:4, 4x4x4, 7x6:4+gravity or ultimate:3"


class BoardSpec(NamedTuple):
    """A flat board: its sides (width first), how many in a row, and options."""

    sides: tuple[int, ...]
    k: int
    options: frozenset[str]

    @property
    def id(self) -> str:
        """The canonical id."""
        k = "" if self.k == min(self.sides) else f":{self.k}"
        return "x".join(map(str, self.sides)) + k + _suffix(self.options, BOARD_OPTIONS)


class UltimateSpec(NamedTuple):
    """An N×N board of N×N blocks, with options."""

    n: int
    options: frozenset[str]

    @property
    def id(self) -> str:
        """The canonical id."""
        return f"ultimate:{self.n}" + _suffix(self.options, ULTIMATE_OPTIONS)


Spec = BoardSpec | UltimateSpec


def parse_id(text: str) -> Spec:
    """Return the description of a game id or alias; raises InvalidGame saying what is wrong, with an example."""
    if len(text) > MAX_ID:
        raise InvalidGame(f"expected a game id of at most {MAX_ID} characters, {EXAMPLES}, got {quote(text)}")
    name, *options = text.strip().lower().replace("×", "x").split("+")
    name = name.strip()
    if name in REFUSED:
        raise InvalidGame(REFUSED[name])
    if name in ALIASES:
        name, *implied = ALIASES[name].split("+")
        options = implied + options
    if name.startswith("ultimate:"):
        return _parse_ultimate(name, _check_options(options, ULTIMATE_OPTIONS, BOARD_OPTIONS, "Ultimate"))
    return _parse_board(name, text, _check_options(options, BOARD_OPTIONS, ULTIMATE_OPTIONS, "a flat board"))


def _suffix(options: frozenset[str], order: tuple[str, ...]) -> str:
    return "".join(f"+{option}" for option in order if option in options)


def _check_options(options: list[str], known: tuple[str, ...], others: tuple[str, ...], what: str) -> frozenset[str]:
    options = [option.strip() for option in options]
    choices = ", ".join(f"+{option}" for option in known)
    example = "ultimate:3+open" if known is ULTIMATE_OPTIONS else "7x6:4+gravity"
    for option in options:
        if option in REFUSED:
            raise InvalidGame(REFUSED[option])
        if option in others and option not in known:
            raise InvalidGame(f"+{option} makes no sense for {what}; its options are {choices}; for example {example}")
        if option not in known:
            raise InvalidGame(f"expected an option of {choices}, got {quote('+' + option)}; for example {example}")
        if options.count(option) > 1:
            raise InvalidGame(f"expected each option once, got +{option} twice; for example {example}")
    return frozenset(options)


def _parse_ultimate(name: str, options: frozenset[str]) -> UltimateSpec:
    size = name.removeprefix("ultimate:")
    if size not in {"2", "3", "4", "5"}:
        raise InvalidGame(f"expected ultimate:N with N from 2 to 5, got {quote(name)}; for example ultimate:3")
    return UltimateSpec(int(size), options)


def _parse_board(name: str, text: str, options: frozenset[str]) -> BoardSpec:
    match = re.fullmatch(r"([0-9]{1,9}(?:x[0-9]{1,9})+)(?::([0-9]{1,9}))?", name, re.ASCII)
    if match is None:
        near = get_close_matches(name[:LONGEST_ALIAS], ALIASES, n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise UnknownGame(f"expected a game id, {EXAMPLES}, got {quote(text)}{hint}")
    sides = tuple(int(side) for side in match[1].split("x"))
    k = int(match[2]) if match[2] is not None else min(sides)
    spec = BoardSpec(sides, k, options)
    _check_size(spec)
    return spec


def _check_size(spec: BoardSpec) -> None:
    name = "x".join(map(str, spec.sides))
    if min(spec.sides) < 1:
        raise InvalidGame(f"expected sides of at least 1, got {name}; for example 3x3")
    if len(spec.sides) > MAX_DIMENSIONS:
        raise InvalidGame(f"expected at most {MAX_DIMENSIONS} dimensions, got {len(spec.sides)}; for example 4x4x4x4")
    if prod(spec.sides) > MAX_CELLS:
        raise InvalidGame(f"expected a board of at most {MAX_CELLS} cells, got {name}; for example 15x15:5")
    if spec.k < 2:
        raise InvalidGame(f"expected at least 2 in a row, got {spec.k}; for example {_nearby(spec)}")
    if spec.k > MAX_LINE_LENGTH:
        raise InvalidGame(f"expected at most {MAX_LINE_LENGTH} in a row, got {spec.k}; for example {_nearby(spec)}")
    if spec.k > max(spec.sides) and "wrap" not in spec.options:
        misfit = f"{spec.k} in a row is longer than every side of {name}"
        raise InvalidGame(f"expected a line that fits, but {misfit}; for example {_nearby(spec)}")
    if line_bound(spec) > (MAX_LINES if "wrap" not in spec.options else 4 * MAX_LINES):
        got = f"{name}:{spec.k} with {line_bound(spec)}"
        raise InvalidGame(f"expected a board of at most {MAX_LINES} lines, got {got}; for example 4x4x4")


def _nearby(spec: BoardSpec) -> str:
    """An id that works, on the same board where lines fit on it."""
    longest = max(spec.sides)
    return BoardSpec(spec.sides, min(longest, 5), frozenset()).id if longest > 1 else "3x3"


def line_bound(spec: BoardSpec) -> int:
    """How many lines the board has; with ``+wrap``, where lines may coincide, an upper bound."""
    if "wrap" in spec.options:
        directions: int = (3 ** len(spec.sides) - 1) // 2
        return prod(spec.sides) * directions
    straight = prod(side + 2 * max(0, side - spec.k + 1) for side in spec.sides)
    return (straight - prod(spec.sides)) // 2
