"""noughts as a bot of CodinGame's Ultimate: the opponent's move, the number of legal moves, the moves; an answer.

The protocol has no word for mistakes: they are told on standard error, and the turn is skipped.
"""

from __future__ import annotations

import re

from noughts.engine import Limit
from noughts.games import Game, Position
from noughts.games.quoting import quote
from noughts.players.protocols.places import SIDE, cell_at, row_and_column
from noughts.players.protocols.serving import Say
from noughts.players.protocols.thinker import Thinker

__all__ = ["CodingameEngine"]

GAME = "ultimate:3+count"
FIRST_SECONDS, SECONDS = 0.9, 0.085
"""Of the second for the first turn, and of the tenth of one for all others: the rest goes on the way."""
NO_MOVE = (-1, -1)


class CodingameEngine:
    """Reads turns line by line; ``say`` writes an answer, ``complain`` what the host did wrong."""

    def __init__(self, say: Say, complain: Say, thinker: Thinker) -> None:
        self._say = say
        self._complain = complain
        self._thinker = thinker
        self._position = Game(GAME).start()
        self._turn: list[tuple[int, int]] = []
        self._awaited: int | None = None
        self._is_first = True

    def receive(self, line: str) -> bool:
        """Take the next line of a turn, and answer when it was the last."""
        try:
            self._take(line)
        except ValueError as error:
            self._complain(str(error))
            self._turn, self._awaited = [], None
            return True
        if self._awaited is not None and len(self._turn) == self._awaited + 1:
            opponent, *legal = self._turn
            self._turn, self._awaited = [], None
            self._answer(opponent, legal)
        return True

    def end(self) -> None:
        """Nothing is under way between two lines."""

    def _take(self, line: str) -> None:
        if self._turn and self._awaited is None:
            if not re.fullmatch("[0-9]{1,3}", line):
                raise ValueError(f"expected the number of legal moves, got {quote(line)}")
            self._awaited = int(line)
            return
        match = re.fullmatch(r"(-?[0-9]{1,3})\s+(-?[0-9]{1,3})", line)
        if match is None:
            raise ValueError(f"expected a row and a column such as 4 4, got {quote(line)}")
        place = int(match[1]), int(match[2])
        if not (place == NO_MOVE and not self._turn) and not all(0 <= at < SIDE for at in place):
            raise ValueError(f"expected a row and a column from 0 to {SIDE - 1}, got {quote(line)}")
        self._turn.append(place)

    def _answer(self, opponent: tuple[int, int], legal: list[tuple[int, int]]) -> None:
        if opponent == NO_MOVE:
            self._position = Game(GAME).start()
            self._thinker.forget()
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
        """Our move, when the host and we agree on what is legal."""
        ours = sorted(position.legal_moves)
        if ours != sorted(cell_at(*place) for place in legal):
            raise ValueError(
                f"expected {len(ours)} legal moves here, got {len(legal)}, or others; one of the host's is played"
            )
        if not ours:
            return None
        first, self._is_first = self._is_first, False
        seconds = self._thinker.settings.seconds or (FIRST_SECONDS if first else SECONDS)
        return self._thinker.think(position, Limit(seconds=seconds))
