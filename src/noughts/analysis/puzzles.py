"""Puzzles: positions in which exactly one move reaches the goal, with a proof that no other move does.

There are two kinds. "Win in 3 moves": only one move forces a win within that number of moves, which an exhaustive
search to that depth shows; other moves may win more slowly. "Only one move holds the draw": the solver proves the value
after every move.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from enum import StrEnum
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from noughts.analysis.advice import is_worth_solving
from noughts.analysis.themes import Theme, find_themes
from noughts.engine import Limit
from noughts.games import Game, Position, Value
from noughts.games.atomic_file import write_file
from noughts.json_types import JsonObject
from noughts.packaged import read_packaged
from noughts.proof.solver import Solver

__all__ = [
    "Goal",
    "Puzzle",
    "Theme",
    "WinSearch",
    "check_puzzle",
    "load_puzzles",
    "make_puzzle",
    "puzzle_of_day",
    "save_puzzles",
    "shipped_puzzles",
]

SHIPPED = "analysis/puzzles.jsonl"
MIN_MOVES, MAX_MOVES = 2, 4
"""Lengths of puzzles that ask for a win, in moves of the winner."""
DEFAULT_NODES = 200_000
SOLVER_MB = 16
ID_BYTES = 5
EPOCH = date(1970, 1, 1).toordinal()
DAY_STEP = 7919
"""A day's step through the puzzles: a prime, so that every puzzle has its day before one comes again."""


class Goal(StrEnum):
    """The task of a puzzle."""

    WIN = "win"
    DRAW = "draw"


@dataclass(frozen=True)
class Puzzle:
    """A position with one solution.

    ``line`` is the solution with the replies to it, to the end of the game if the goal is to win. The first ``steps``
    moves of the solver in it are the only ones that reach the goal; after them there are several ways to finish.
    """

    game: str
    start: str
    goal: Goal
    line: tuple[int, ...]
    steps: int
    rating: int
    themes: tuple[Theme, ...] = ()
    """What the solution uses."""

    @property
    def id(self) -> str:
        """A name that stays the same as long as the position does."""
        return blake2b(f"{self.game} {self.start}".encode(), digest_size=ID_BYTES).hexdigest()

    @property
    def moves(self) -> int:
        """The number of moves that the solver makes."""
        return (len(self.line) + 1) // 2

    @property
    def text(self) -> str:
        """The task in words: ``You play X: win in 3 moves``."""
        task = "only one move holds the draw" if self.goal is Goal.DRAW else f"win in {self.moves} moves"
        return f"You play {self.position().turn}: {task}"

    def position(self) -> Position:
        """Return the position to solve."""
        return Game(self.game).parse(self.start)

    def to_data(self) -> JsonObject:
        """Return the puzzle as plain data, for JSON."""
        return asdict(self)

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Puzzle:
        """Return the puzzle with this data; it is not checked, see ``check_puzzle``."""
        themes = tuple([Theme(theme) for theme in data["themes"]])
        goal, line = Goal(data["goal"]), tuple(data["line"])
        return cls(data["game"], data["start"], goal, line, data["steps"], data["rating"], themes)


class _TooLong(Exception):
    """The search needs more nodes than it was given."""


def make_puzzle(position: Position, nodes: int = DEFAULT_NODES, most_moves: int = MAX_MOVES) -> Puzzle | None:
    """Return the puzzle of a position, or None unless ``nodes`` are enough to prove that it has exactly one solution.

    >>> puzzle = make_puzzle(Game("3x3").parse("x1o/o2/x2 x"))
    >>> puzzle and (puzzle.text, puzzle.line)
    ('You play X: win in 2 moves', (8, 4, 7))
    """
    if position.is_over or position.game.is_custom:
        return None
    try:
        if not position.game.is_misere:
            found = _win_puzzle(position, WinSearch(nodes), most_moves)
            if found is not None:
                return found
        return _draw_puzzle(position, nodes)
    except _TooLong:
        return None


def check_puzzle(puzzle: Puzzle, nodes: int = 100 * DEFAULT_NODES) -> None:
    """Raise ValueError unless the solution of the puzzle is right and the only one, and its themes are right.

    The rating is not compared: it depends on the work of the solver, which changes from version to version.
    """
    found = make_puzzle(puzzle.position(), nodes)
    if found is None or replace(found, rating=puzzle.rating) != puzzle:
        raise ValueError(f"expected {puzzle}, got {found}")


# --- wins -----------------------------------------------------------------------------------------------------------


class WinSearch:
    """Exhaustive search for wins within a number of moves; it changes positions and restores them."""

    def __init__(self, nodes: int) -> None:
        self._nodes = nodes

    def wins(self, position: Position, moves: int) -> bool:
        """Whether the side to move can force a win with at most this many moves of its own."""
        return any(self.wins_by(position, move, moves) for move in self._candidates(position, moves))

    def wins_by(self, position: Position, move: int, moves: int) -> bool:
        """Whether a move forces a win with at most this many moves, itself included."""
        side = position.turn
        self._count()
        position.play(move)
        try:
            if position.is_over:
                return position.winner is side
            return moves > 1 and self.loses(position, moves - 1)
        finally:
            position.undo()

    def loses(self, position: Position, moves: int) -> bool:
        """Whether the side to move loses to at most this many moves of its opponent."""
        assert position.turn is not None
        if winning_moves(position):
            return False
        replies = position.legal_moves
        if _is_plain(position.game):
            # The opponent completes a line next: only a reply on that cell changes anything.
            threats = position.threats(position.turn.opponent)
            if len(threats) > 1:
                return True
            if not threats and moves == 1 and not position.game.has_gravity:
                return False
            replies = threats or replies
        return all(self._still_loses(position, reply, moves) for reply in replies)

    def _still_loses(self, position: Position, reply: int, moves: int) -> bool:
        side = position.turn
        self._count()
        position.play(reply)
        try:
            if position.is_over:
                return position.winner is not None and position.winner is not side
            return self.wins(position, moves)
        finally:
            position.undo()

    def _candidates(self, position: Position, moves: int) -> Sequence[int]:
        at_once = winning_moves(position)
        if at_once or moves == 1:
            return at_once
        assert position.turn is not None
        if _is_plain(position.game):
            return position.threats(position.turn.opponent) or position.legal_moves
        return position.legal_moves

    def _count(self) -> None:
        self._nodes -= 1
        if self._nodes < 0:
            raise _TooLong


def _is_plain(game: Game) -> bool:
    """Whether completing a line wins the game."""
    return not (game.is_misere or game.is_ultimate)


def winning_moves(position: Position) -> list[int]:
    """Return the moves that win the game at once."""
    side = position.turn
    assert side is not None
    if _is_plain(position.game):
        return position.threats(side)
    return [move for move in position.legal_moves if position.after(move).winner is side]


def _win_puzzle(position: Position, search: WinSearch, most_moves: int) -> Puzzle | None:
    if winning_moves(position):
        return None
    for moves in range(MIN_MOVES, most_moves + 1):
        solutions = [move for move in position.legal_moves if search.wins_by(position, move, moves)]
        if len(solutions) > 1:
            return None
        if solutions:
            found = _winning_line(position, solutions[0], moves, search)
            if found is None:
                return None
            line, steps = found
            return Puzzle(
                position.game.id,
                position.text,
                Goal.WIN,
                tuple(line),
                steps,
                _win_rating(position, line, steps),
                find_themes(position, line, moves, search.loses),
            )
    return None


def _winning_line(position: Position, first: int, moves: int, search: WinSearch) -> tuple[list[int], int] | None:
    """The solution against the reply that resists longest, and the number of its moves that are the only ones.

    None if only a reply that ends the game, and loses it, resists so long.
    """
    position, line, steps = position.copy(), [first], 1
    position.play(first)
    is_single = True
    for left in range(moves - 1, 0, -1):
        best = _best_reply(position, left, search)
        if best is None:
            return None
        reply, solutions = best
        is_single = is_single and len(solutions) == 1
        steps += is_single
        for move in (reply, solutions[0]):
            position.play(move)
            line.append(move)
        if position.is_over:
            break
    return line, steps


def _best_reply(position: Position, left: int, search: WinSearch) -> tuple[int, list[int]] | None:
    """The reply that leaves fewest of the longest wins to the winner, and those wins; None if each ends the game."""
    best: tuple[int, list[int]] | None = None
    for reply in position.legal_moves:
        after = position.after(reply)
        if after.is_over or (left > 1 and search.wins(after, left - 1)):
            continue
        solutions = [move for move in after.legal_moves if search.wins_by(after, move, left)]
        if best is None or len(solutions) < len(best[1]):
            best = reply, solutions
    return best


def _win_rating(position: Position, line: Sequence[int], steps: int) -> int:
    """An estimate: longer wins among more moves are harder to see, and so is a first move that threatens nothing."""
    assert position.turn is not None
    after = position.after(line[0])
    is_quiet = not (_is_plain(position.game) and after.threats(position.turn))
    choices = len(position.legal_moves)
    return round(250 * (len(line) + 1) / 2 + 60 * math.log2(choices) + 50 * steps + 150 * is_quiet)


# --- draws ----------------------------------------------------------------------------------------------------------


def _draw_puzzle(position: Position, nodes: int) -> Puzzle | None:
    """The puzzle of a position in which one move draws and all others lose."""
    if len(position.legal_moves) < 3 or not is_worth_solving(position):
        return None
    holding, effort = [], 0
    for move in position.legal_moves:
        after = position.after(move)
        value, work = _value(after, nodes - effort)
        effort += work
        if value is Value.LOSS:
            return None
        if value is Value.DRAW:
            holding.append(move)
        if len(holding) > 1:
            return None
    if not holding:
        return None
    rating = 500 + 60 * math.log2(len(position.legal_moves)) + 30 * math.log2(1 + effort)
    themes = (Theme.ONLY_MOVE,)
    return Puzzle(position.game.id, position.text, Goal.DRAW, (holding[0],), 1, round(rating), themes)


def _value(position: Position, nodes: int) -> tuple[Value, int]:
    """The value of a position to the side to move, and the nodes of its proof."""
    if position.is_over:
        if position.winner is None:
            return Value.DRAW, 1
        return Value.LOSS if position.winner is not _mover(position) else Value.WIN, 1
    if nodes <= 0:
        raise _TooLong
    found = Solver(position, SOLVER_MB).solve(Limit(nodes=nodes))
    if found.value is None:
        raise _TooLong
    return found.value, found.nodes


def _mover(position: Position) -> object:
    """The side that would be to move in a finished position."""
    before = position.copy()
    before.undo()
    assert before.turn is not None
    return before.turn.opponent


# --- files ----------------------------------------------------------------------------------------------------------


def load_puzzles(path: Path) -> list[Puzzle]:
    """Return the puzzles of a file, one line of JSON each."""
    return _parse_puzzles(path.read_bytes())


def _parse_puzzles(data: bytes) -> list[Puzzle]:
    return [Puzzle.from_data(json.loads(line)) for line in data.decode().splitlines()]


def save_puzzles(puzzles: Iterable[Puzzle], path: Path) -> None:
    write_file(path, "".join(f"{json.dumps(puzzle.to_data(), separators=(',', ':'))}\n" for puzzle in puzzles))


@cache
def shipped_puzzles() -> tuple[Puzzle, ...]:
    """Return the puzzles that come with the package."""
    return tuple(_parse_puzzles(read_packaged(SHIPPED)))


def puzzle_of_day(day: date) -> Puzzle:
    """Return the puzzle of a day, the same for everyone.

    >>> puzzle_of_day(date(2026, 11, 16)) == puzzle_of_day(date(2026, 11, 17))
    False
    """
    puzzles = shipped_puzzles()
    return puzzles[(day.toordinal() - EPOCH) * DAY_STEP % len(puzzles)]
