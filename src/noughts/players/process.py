"""A program of one's own as a bot: one JSON object a line in, one out, in any language."""

from __future__ import annotations

from noughts.engine import Limit
from noughts.games import Game, Position
from noughts.players.failure import BotFailed
from noughts.players.json_lines import parse_answer, question
from noughts.players.limits import Limits
from noughts.players.program import Deadline, Program

__all__ = ["ProcessBot"]

SECONDS = 10.0
"""How long a program may think when no limit is given."""
SETTLE_SECONDS = 0.3
"""How long to watch whether a new program ends at once: JSON lines have no greeting to wait for."""
GRACE = 0.5
"""Seconds beyond its limit before a program counts as hanging: people are patient."""


class ProcessBot:
    """Runs a command and asks it for moves.

    It gets ``{"game": ..., "position": ..., "moves": [...], "legal": [...], "time_ms": ...}`` on one line and answers
    ``{"move": "b2"}`` on one line. It runs from the first question to ``close``.
    """

    def __init__(self, command: str) -> None:
        self.command = command
        self._program = Program(command, Limits(grace=GRACE))

    @property
    def pid(self) -> int | None:
        """The number of its process, or None when it does not run."""
        return self._program.pid

    @property
    def stderr_tail(self) -> str:
        """The last lines it wrote to standard error."""
        return self._program.stderr_tail

    def start(self, game: Game) -> None:
        """Start the program and see that it does not end at once; raises BotFailed. The game makes no difference."""
        self._program.start()
        try:
            self._program.settle(SETTLE_SECONDS)
        except BotFailed:
            self.close()
            raise

    def choose(self, position: Position, limit: Limit | None = None) -> int:
        """Return the program's move, which may be illegal; raises BotFailed, and then starts it again the next time."""
        seconds = limit.seconds if limit is not None and limit.seconds is not None else SECONDS
        self._program.start()
        deadline = Deadline.within(seconds, GRACE)
        try:
            self._program.send(question(position, seconds), deadline)
            return parse_answer(position, self._program.read_line(deadline))
        except BotFailed:
            self.close()  # what it answers later must not be taken for the answer to another question
            raise

    def close(self) -> None:
        """End the program and whatever it has started."""
        self._program.close(0)
