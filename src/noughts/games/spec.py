"""Game ids such as ``5x5:4+misere``, parsed and checked; aliases; the catalogue of games worth knowing."""

from __future__ import annotations

import re
from difflib import get_close_matches
from math import prod
from typing import NamedTuple

from noughts._core import MAX_CELLS, MAX_LINE_LENGTH, MAX_LINES
from noughts.games.errors import InvalidGame, UnknownGame
from noughts.games.quoting import quote

__all__ = ["ALIASES", "BoardSpec", "Entry", "Spec", "UltimateSpec", "add_option", "catalogue", "parse_id"]

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
"""Longer texts are not compared with the aliases."""
MAX_DIMENSIONS = 8
MAX_ID = 200
EXAMPLES = "for example 3x3, 5x5:4, 4x4x4, 7x6:4+gravity or ultimate:3"


class BoardSpec(NamedTuple):
    """A flat board: its sides (width first), the length of a line, and options."""

    sides: tuple[int, ...]
    k: int
    options: frozenset[str]

    @property
    def id(self) -> str:
        k = "" if self.k == min(self.sides) else f":{self.k}"
        return "x".join(map(str, self.sides)) + k + _suffix(self.options, BOARD_OPTIONS)


class UltimateSpec(NamedTuple):
    """An N×N board of N×N blocks, with options."""

    n: int
    options: frozenset[str]

    @property
    def id(self) -> str:
        return f"ultimate:{self.n}" + _suffix(self.options, ULTIMATE_OPTIONS)


Spec = BoardSpec | UltimateSpec


def parse_id(text: str) -> Spec:
    """Return the spec of a game id or alias; raises InvalidGame, which says what is wrong and gives an example."""
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


def add_option(text: str) -> list[str]:
    """Return a game id or alias, and the same with each option that it can still have; nothing if it is not valid.

    >>> add_option("ultimate:3+open")
    ['ultimate:3+open', 'ultimate:3+open+misere', 'ultimate:3+open+count']
    """
    try:
        spec = parse_id(text)
    except InvalidGame:
        return []
    known = BOARD_OPTIONS if isinstance(spec, BoardSpec) else ULTIMATE_OPTIONS
    return [text, *(f"{text}+{option}" for option in known if option not in spec.options)]


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
        hint = "; load_game reads a file" if name.endswith(".json") else hint
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
    """A valid id, on the same board if lines fit on it."""
    longest = max(spec.sides)
    return BoardSpec(spec.sides, min(longest, 5), frozenset()).id if longest > 1 else "3x3"


def line_bound(spec: BoardSpec) -> int:
    """The number of lines of a board; with ``+wrap``, where lines may coincide, an upper bound."""
    if "wrap" in spec.options:
        directions: int = (3 ** len(spec.sides) - 1) // 2
        return prod(spec.sides) * directions
    straight = prod(side + 2 * max(0, side - spec.k + 1) for side in spec.sides)
    return (straight - prod(spec.sides)) // 2


class Entry(NamedTuple):
    """A game of the catalogue: its id, its name (an alias, or the id again) and a one-line description."""

    id: str
    name: str
    about: str


_ABOUT = {
    "3x3": "Tic-tac-toe: three in a row on nine cells. A draw unless one side slips.",
    "3x3+misere": "Three in a row loses. The first player draws by the centre and mirror play.",
    "4x4:3": "Three in a row on sixteen cells. The first player wins quickly.",
    "4x4": "Four in a row on 4×4. A draw: every line is easily blocked.",
    "5x5:4": "Four in a row on 5×5. A draw, but not an easy one.",
    "6x6:4": "Four in a row on 6×6. A win for the first player.",
    "5x5": "Five in a row on 5×5: who makes the first mistake?",
    "7x7:5": "Five in a row on 7×7. A draw, and hard to prove.",
    "15x15:5": "Gomoku, freestyle: five or more in a row on 15×15.",
    "15x15:5+exact": "Standard Gomoku: exactly five in a row; six do not count.",
    "10x10:5+wrap": "Five in a row on a torus: the board has no edge to hide at.",
    "4x4+wrap": "Four in a row on a torus: broken diagonals count too.",
    "7x6:4+gravity": "Connect Four: discs drop to the lowest free space; four in a row wins.",
    "5x4+gravity": "A small Connect Four, quickly explored to the end.",
    "7x6:4+gravity+misere": "Connect Four the other way round: four in a row loses.",
    "3x3x3": "Three in a row in a cube of 27 cells. The first player wins by taking the centre.",
    "3x3x3+misere": "The cube of 27 cells where three in a row loses.",
    "4x4x4": "Qubic: four in a row in a cube of 64 cells, 76 lines.",
    "4x4x4+gravity": "Score Four: Qubic played with beads on sixteen pegs.",
    "5x5x5": "Five in a row in a cube of 125 cells: it is not known who wins.",
    "4x4x4x4": "Four dimensions, 256 cells, 520 lines. Bring coffee.",
    "ultimate:2": "Ultimate on 2×2 of 2×2: small enough to think through.",
    "ultimate:3": "Ultimate tic-tac-toe: nine boards in one; your move picks your opponent's next board.",
    "ultimate:3+count": "Ultimate where, with no line, more won boards win.",
    "ultimate:3+open": "Ultimate where won boards stay in play until full. A win for X.",
    "ultimate:3+misere": "Ultimate where a line of boards loses.",
    "ultimate:4": "Ultimate on 4×4 of 4×4: 256 cells.",
    "ultimate:4+count": "Ultimate on 4×4 of 4×4, the competition rules: 16 points for a line, else boards won.",
}


def catalogue() -> list[Entry]:
    """Return the catalogue, the named games first."""
    names = {id: alias for alias, id in ALIASES.items()}
    entries = [Entry(id, names.get(id, id), about) for id, about in _ABOUT.items()]
    return sorted(entries, key=lambda entry: entry.name == entry.id)
