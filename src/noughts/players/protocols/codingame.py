"""CodinGame's Ultimate: each turn the opponent's move, the number of legal moves, and the moves; one move answers.

Rows and columns count from 0 at the top left of the whole board.
"""

from __future__ import annotations

import re
from typing import ClassVar

from noughts.engine import Limit
from noughts.games import Game, Position
from noughts.games.quoting import quote
from noughts.players.protocols.background_search import BackgroundSearch, Say
from noughts.players.protocols.host import ProgramHost
from noughts.process.failure import FailureReason, PlayerFailed
from noughts.process.limits import Deadline

__all__ = ["CodingameEngine", "CodingameHost", "cell_at", "parse_answer", "row_and_column"]

GAME = "ultimate:3+count"
GAMES = ("ultimate:3", GAME)
"""The games that such a bot can play: without a line, the count of blocks may decide or not."""
N = 3
SIDE = N * N
FIRST_SECONDS, SECONDS = 1.0, 0.1
"""Time for the first turn, and for all others."""
NO_MOVE = (-1, -1)


def row_and_column(cell: int) -> tuple[int, int]:
    """Return the row and column of a cell.

    >>> row_and_column(10)
    (0, 4)
    """
    block, inner = divmod(cell, SIDE)
    return block // N * N + inner // N, block % N * N + inner % N


def cell_at(row: int, column: int) -> int:
    """Return the cell at a row and column.

    >>> cell_at(0, 4)
    10
    """
    return (row // N * N + column // N) * SIDE + row % N * N + column % N


def parse_answer(line: str) -> int:
    """Return the cell of a bot's answer; raises PlayerFailed."""
    match = re.match(r"\s*(-?[0-9]{1,4})\s+(-?[0-9]{1,4})(\s|$)", line)
    if match is None:
        raise PlayerFailed(f"expected a row and a column such as 4 4, got {quote(line)}", FailureReason.GARBAGE)
    row, column = int(match[1]), int(match[2])
    if not (0 <= row < SIDE and 0 <= column < SIDE):
        raise PlayerFailed(
            f"expected a row and a column from 0 to {SIDE - 1}, got {quote(line)}", FailureReason.ILLEGAL
        )
    return cell_at(row, column)


class CodingameHost(ProgramHost):
    """Host of a bot written for CodinGame, which plays once: every playthrough gets a new process.

    The bot sees only its opponent's moves, so it cannot begin from an opening.
    """

    protocol: ClassVar[str] = "codingame"
    greets: ClassVar[bool] = False
    takes_openings: ClassVar[bool] = False

    def _check_game(self, game: Game) -> None:
        if game.id not in GAMES:
            raise ValueError(f"expected {GAME} for the CodinGame protocol, got {game.id}")

    def _greet(self, deadline: Deadline) -> None:
        self._is_fresh = True

    def _begin(self, start: Position, deadline: Deadline) -> None:
        if start.start_text is not None or start.moves:
            raise ValueError("expected a playthrough from the empty board for the CodinGame protocol")
        if not self._is_fresh:
            self.program.close()
            self._start_program()
            self._is_fresh = True
            self._has_answered = False

    def _ask(self, position: Position, limit: Limit | None, deadline: Deadline) -> int:
        if not position.moves:
            self._begin(position, deadline)
        self._take_unasked()
        self._is_fresh = False
        last = position.last_move
        moves = [row_and_column(move) for move in position.legal_moves]
        rows = [NO_MOVE if last is None else row_and_column(last), (len(moves),), *moves]
        self._send("\n".join(" ".join(map(str, row)) for row in rows), deadline)
        return parse_answer(self._receive(deadline))


class CodingameEngine:
    """noughts as such a bot; ``say`` writes an answer.

    The protocol has no errors: ``complain`` gets the host's mistakes, and the turn is skipped.
    """

    def __init__(self, say: Say, complain: Say, search: BackgroundSearch) -> None:
        self._say = say
        self._complain = complain
        self._search = search
        self._position = Game(GAME).start()
        self._turn: list[tuple[int, int]] = []
        self._move_count: int | None = None
        self._is_first = True

    def receive(self, line: str) -> bool:
        """Take the next line of a turn, and answer the last one."""
        try:
            self._take(line)
        except ValueError as error:
            self._complain(str(error))
            self._turn, self._move_count = [], None
            return True
        if self._move_count is not None and len(self._turn) == self._move_count + 1:
            opponent, *legal = self._turn
            self._turn, self._move_count = [], None
            self._answer(opponent, legal)
        return True

    def _take(self, line: str) -> None:
        if self._turn and self._move_count is None:
            if not re.fullmatch("[0-9]{1,3}", line):
                raise ValueError(f"expected the number of legal moves, got {quote(line)}")
            self._move_count = int(line)
            return
        match = re.fullmatch(r"(-?[0-9]{1,3})\s+(-?[0-9]{1,3})", line)
        if match is None:
            raise ValueError(f"expected a row and a column such as 4 4, got {quote(line)}")
        square = int(match[1]), int(match[2])
        if not (square == NO_MOVE and not self._turn) and not all(0 <= at < SIDE for at in square):
            raise ValueError(f"expected a row and a column from 0 to {SIDE - 1}, got {quote(line)}")
        self._turn.append(square)

    def _answer(self, opponent: tuple[int, int], legal: list[tuple[int, int]]) -> None:
        if opponent == NO_MOVE:
            self._position = Game(GAME).start()
            self._search.clear()
        try:
            if opponent != NO_MOVE:
                self._position.play(cell_at(*opponent))
            move = self._choose(self._position, legal)
        except ValueError as error:
            self._complain(str(error))
            move = cell_at(*legal[0]) if legal else None
        if move is None:
            return
        if self._position.is_legal(move):
            self._position.play(move)
        self._say("{} {}".format(*row_and_column(move)))

    def _choose(self, position: Position, legal: list[tuple[int, int]]) -> int | None:
        """Return our move; raises ValueError unless the host agrees on which moves are legal."""
        ours = sorted(position.legal_moves)
        if ours != sorted(cell_at(*square) for square in legal):
            raise ValueError(
                f"expected {len(ours)} legal moves here, got {len(legal)}, or others; one of the host's is played"
            )
        if not ours:
            return None
        is_first, self._is_first = self._is_first, False
        seconds = self._search.settings.seconds or (FIRST_SECONDS if is_first else SECONDS)
        return self._search.think(position, Limit(seconds=seconds))
