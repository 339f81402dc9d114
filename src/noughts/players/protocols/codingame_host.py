"""Host of bots written for Ultimate on CodinGame."""

from __future__ import annotations

import re
from typing import ClassVar

from noughts.games import Game, Position
from noughts.games.quoting import quote
from noughts.players import BotFailed, Deadline
from noughts.players.protocols.clock import Clock
from noughts.players.protocols.host import ProgramHost
from noughts.players.protocols.places import SIDE, cell_at, is_codingame, row_and_column

__all__ = ["CodingameHost"]


class CodingameHost(ProgramHost):
    """Runs a bot for one playthrough, as CodinGame does; the next one gets a fresh process.

    The bot learns of nothing but the opponent's moves, so it cannot begin from an opening.
    """

    protocol: ClassVar[str] = "codingame"
    greets: ClassVar[bool] = False
    takes_openings: ClassVar[bool] = False

    def _check_game(self, game: Game) -> None:
        if not is_codingame(game):
            raise ValueError(f"expected ultimate:3+count for the CodinGame protocol, got {game.id}")

    def _greet(self, deadline: Deadline) -> None:
        self._is_fresh = True

    def _begin(self, start: Position, deadline: Deadline) -> None:
        if start.start_text is not None or start.moves:
            raise ValueError("expected a playthrough from the empty board for the CodinGame protocol")
        if not self._is_fresh:
            self.program.close()
            self.program.start()
            self._is_fresh = True
            self._has_answered = False

    def _ask(self, position: Position, clock: Clock, deadline: Deadline) -> int:
        if not position.moves:
            self._begin(position, deadline)
        self._hush()
        self._is_fresh = False
        last = position.last_move
        moves = [row_and_column(move) for move in position.legal_moves]
        rows = [(-1, -1) if last is None else row_and_column(last), (len(moves),), *moves]
        self._say("\n".join(" ".join(map(str, row)) for row in rows), deadline)
        return _parse(self._hear(deadline))


def _parse(line: str) -> int:
    match = re.match(r"\s*(-?[0-9]{1,4})\s+(-?[0-9]{1,4})(\s|$)", line)
    if match is None:
        raise BotFailed(f"expected a row and a column such as 4 4, got {quote(line)}", "garbage")
    row, column = int(match[1]), int(match[2])
    if not (0 <= row < SIDE and 0 <= column < SIDE):
        raise BotFailed(f"expected a row and a column from 0 to {SIDE - 1}, got {quote(line)}", "illegal")
    return cell_at(row, column)
