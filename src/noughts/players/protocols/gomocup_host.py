"""Host of Gomoku engines that speak the Gomocup protocol."""

from __future__ import annotations

import re
from typing import ClassVar

from noughts.games import Game, Position
from noughts.games.ids import BoardSpec
from noughts.games.quoting import quote
from noughts.players import BotFailed, Deadline
from noughts.players.limits import MEGABYTE
from noughts.players.protocols.clock import Clock
from noughts.players.protocols.host import ProgramHost

__all__ = ["FIVE", "GomocupHost", "is_gomoku"]

FIVE = 5
TALK = ("MESSAGE", "DEBUG", "SUGGEST")
"""What an engine may say at any time."""
EXACT_RULE = 1
"""The bit of ``INFO rule`` that says that more than five in a row do not win."""
DEFAULT_MS = 1000
"""For a move that no clock bounds: the protocol knows no other limits."""


def is_gomoku(game: Game) -> bool:
    """Whether the Gomocup protocol can tell of a game: five in a row on a flat board, overlines winning or not."""
    spec = game.spec
    return isinstance(spec, BoardSpec) and len(spec.sides) == 2 and spec.k == FIVE and spec.options <= {"exact"}


class GomocupHost(ProgramHost):
    """Speaks with one engine; it is told of each move, or of the whole board where moves alone would not do."""

    protocol: ClassVar[str] = "gomocup"
    farewell: ClassVar[str] = "END"

    def _check_game(self, game: Game) -> None:
        if not is_gomoku(game):
            raise ValueError(f"expected five in a row on a flat board for the Gomocup protocol, got {game.id}")

    def _greet(self, deadline: Deadline) -> None:
        self._known: list[int] | None = None
        self._told: dict[str, int] = {}
        self._say("ABOUT", deadline)
        about = self._answer(deadline)
        if match := re.search(r'name\s*=\s*"([^"]*)"', about):
            self._take_name(match[1])

    def _set_game(self, game: Game, deadline: Deadline) -> None:
        self._start_board(game, deadline)

    def _start_board(self, game: Game, deadline: Deadline) -> None:
        assert game.dimensions is not None
        width, height = game.dimensions
        self._say(f"START {width}" if width == height else f"RECTSTART {width},{height}", deadline)
        self._expect_ok(deadline)
        self._told = {}
        memory = (self.limits.memory_mb or 0) * MEGABYTE
        rule = EXACT_RULE if any(game.guards) else 0
        for name, value in {"rule": rule, "game_type": 1, "max_memory": memory}.items():
            self._tell(name, value, deadline)

    def _expect_ok(self, deadline: Deadline) -> None:
        if (line := self._answer(deadline)).upper() != "OK":
            raise BotFailed(f"expected OK, got {quote(line)}", "garbage")

    def _begin(self, start: Position, deadline: Deadline) -> None:
        if self._known is not None:
            self._say("RESTART", deadline)
            if self._answer(deadline).upper() != "OK":  # rectangular boards and old engines may lack it
                self._start_board(start.game, deadline)
        self._known = []

    def _tell(self, name: str, value: int, deadline: Deadline) -> None:
        """Say what is new only."""
        if self._told.get(name) != value:
            self._told[name] = value
            self._say(f"INFO {name} {value}", deadline)

    def _ask(self, position: Position, clock: Clock, deadline: Deadline) -> int:
        self._hush()
        if self._known and position.start_text is None and not position.moves:
            self._begin(position, deadline)  # only an empty board can be begun
        self._tell_time(position, clock, deadline)
        self._say(self._question(position), deadline)
        move = _parse(position, self._answer(deadline))
        self._known = [*position.moves, move]
        return move

    def _tell_time(self, position: Position, clock: Clock, deadline: Deadline) -> None:
        assert position.turn is not None
        share = clock.seconds if clock.seconds is not None else clock.share(position)
        self._tell("timeout_turn", DEFAULT_MS if share is None else max(1, round(share * 1000)), deadline)
        if clock.remaining is not None:
            left = max(0, round(clock.remaining[position.turn.number] * 1000))
            self._told.setdefault("timeout_match", -1)
            if self._told["timeout_match"] < 0:
                self._tell("timeout_match", left, deadline)
            self._tell("time_left", left, deadline)

    def _question(self, position: Position) -> str:
        moves = position.moves
        if position.start_text is None and not moves:
            return "BEGIN"
        if position.start_text is None and moves[:-1] == self._known:
            return f"TURN {_point(position.game, moves[-1])}"
        cells = position.moves if position.start_text is None else range(position.game.cells)
        rows = [
            f"{_point(position.game, cell)},{1 if mark is position.turn else 2}"
            for cell in cells
            if (mark := position.cells[cell]) is not None
        ]
        return "\n".join(["BOARD", *rows, "DONE"])

    def _answer(self, deadline: Deadline) -> str:
        """Its next line that is no talk."""
        while True:
            line = self._hear(deadline).strip()
            if line and line.split()[0].upper() not in TALK:
                return line


def _point(game: Game, cell: int) -> str:
    assert game.dimensions is not None
    y, x = divmod(cell, game.dimensions[0])
    return f"{x},{y}"


def _parse(position: Position, line: str) -> int:
    match = re.fullmatch(r"(-?[0-9]{1,4})\s*,\s*(-?[0-9]{1,4})", line)
    if match is None:
        raise BotFailed(f"expected a move such as 7,7, got {quote(line)}", "garbage")
    assert position.game.dimensions is not None
    x, y = int(match[1]), int(match[2])
    width, height = position.game.dimensions
    if not (0 <= x < width and 0 <= y < height):
        raise BotFailed(f"expected a move from 0,0 to {width - 1},{height - 1}, got {quote(line)}", "illegal")
    return y * width + x
