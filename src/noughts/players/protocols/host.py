"""A program as an opened player; the protocols are its subclasses.

>>> from noughts import Game, Limit
>>> from noughts.players import open_player
>>> with open_player("ugi:noughts engine") as player:  # doctest: +SKIP
...     position = Game("3x3").start()
...     player.new_game(position)
...     position.play(player.choose(position, Limit(seconds=0.1)))

A program that fails raises ``PlayerFailed`` with a reason and is ended at once; ``start`` starts it again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import ClassVar

from noughts.engine import Limit
from noughts.games import Game, Position
from noughts.games.quoting import escape_control_characters
from noughts.players.player import HostedPlayer
from noughts.process.failure import FailureReason, PlayerFailed
from noughts.process.limits import Deadline, Limits
from noughts.process.sandbox import Sandbox

__all__ = ["ProgramHost"]

EXCHANGE_LINES = 60
"""Number of lines in ``exchange``."""
MAX_LINE_CHARACTERS = 400
"""Characters of each of those lines."""
MAX_NAME_CHARACTERS = 80
SETTLE_SECONDS = 0.3
"""Time to wait whether a program without a greeting ends at once."""
SEED_VARIABLE = "NOUGHTS_SEED"
"""Environment variable with the seed of the playthrough, for programs that want to be repeatable."""
WORSE_THAN_NOT_STARTING = (FailureReason.FLOOD, FailureReason.LIMIT, FailureReason.FORBIDDEN)


class ProgramHost(HostedPlayer):
    """A player that is a program; subclasses implement the protocol."""

    greets: ClassVar[bool] = True
    """Whether the protocol shows when the program is ready; otherwise its first answer may take longer."""
    quit_command: ClassVar[str] = ""
    """Sent before its input is closed, to let it leave by itself."""

    def __init__(
        self,
        command: str | Sequence[str],
        limits: Limits | None = None,
        sandbox: Sandbox | None = None,
        folder: Path | None = None,
        seed: int | None = None,
        limit: Limit | None = None,
    ) -> None:
        from noughts.process.program import Program  # not at the top: noughts engine has no use for it

        self.limits = (limits or Limits()).check()
        self.grace_seconds = self.limits.grace_seconds
        self.command = command if isinstance(command, str) else " ".join(command)
        self.name = self.command
        self.seed = seed
        self.program = Program(self._words(command), self.limits, sandbox, folder)
        self._default_limit = limit
        self._exchange: deque[str] = deque(maxlen=EXCHANGE_LINES)
        self._game: Game | None = None
        self._has_answered = False

    def _words(self, command: str | Sequence[str]) -> str | Sequence[str]:
        """Return the command line to run for a command."""
        return command

    @property
    def stderr_tail(self) -> str:
        return self.program.stderr_tail

    @property
    def exchange(self) -> list[str]:
        return list(self._exchange)

    def start(self, game: Game) -> None:
        if self.program.is_running and self._game == game:
            return
        self._check_game(game)
        with self._ended_on_failure():
            if not self.program.is_running:
                self._exchange.clear()
                self._has_answered = False
                self._start_program()
                self._run_in_start_time(self._greet)
            self._run_in_start_time(lambda deadline: self._set_game(game, deadline))
        self._game = game

    def _start_program(self) -> None:
        self.program.environment = {} if self.seed is None else {SEED_VARIABLE: str(self.seed)}
        self.program.start()

    def settle(self) -> None:
        if not (self.greets or self._has_answered):
            with self._ended_on_failure():
                self.program.settle(SETTLE_SECONDS)

    def new_game(self, start: Position) -> None:
        self.start(start.game)
        with self._ended_on_failure():
            self._run_in_start_time(lambda deadline: self._begin(start, deadline))

    def choose(self, position: Position, limit: Limit | None = None) -> int:
        position.require_unfinished()
        self.start(position.game)
        with self._ended_on_failure():
            move = self._ask_in_time(position, limit or self._default_limit)
            if not position.is_legal(move):
                raise PlayerFailed(_why_illegal(position, move), FailureReason.ILLEGAL)
        return move

    def _ask_in_time(self, position: Position, limit: Limit | None) -> int:
        """Ask for a move by its deadline. Extra time for starting is not charged to its clock."""
        assert position.turn is not None
        allowed = None if limit is None else limit.deadline(position.turn)
        is_starting = not (self.greets or self._has_answered)
        grace = self.grace_seconds + (self.limits.first_seconds if is_starting else 0.0)
        began = perf_counter()
        try:
            deadline = Deadline.within(self.limits.hang_seconds if allowed is None else allowed, grace)
            move = self._ask(position, limit, deadline)
        finally:
            self.last_seconds = perf_counter() - began
        if is_starting and allowed is not None:
            self.last_seconds = min(self.last_seconds, allowed)
        self._has_answered = True
        return move

    def close(self) -> None:
        """Let it leave by itself for a moment, then end it and everything it has started."""
        self._end(self.limits.quit_seconds)

    def kill(self) -> None:
        self.program.kill()

    def _end(self, quit_seconds: float) -> None:
        if self.program.is_running and self.quit_command and quit_seconds:
            try:
                self._send(self.quit_command, Deadline.within(quit_seconds))
            except PlayerFailed:
                quit_seconds = 0  # it does not read its input
        self.program.close(quit_seconds)
        self._game = None

    @contextmanager
    def _ended_on_failure(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self._end(0)
            raise

    def _run_in_start_time(self, task: Callable[[Deadline], None]) -> None:
        """Run a step of getting ready; its failure counts as a failure to start, unless it is worse."""
        try:
            task(Deadline.within(self.limits.start_seconds))
        except PlayerFailed as failed:
            if failed.reason in WORSE_THAN_NOT_STARTING:
                raise
            raise PlayerFailed(self._describe_start_failure(failed), FailureReason.START) from None

    def _describe_start_failure(self, failed: PlayerFailed) -> str:
        return f"does not speak {self.protocol}: {failed}"

    def _send(self, text: str, deadline: Deadline) -> None:
        """Send lines; ``text`` is without the last end of line."""
        self._log(">", text.split("\n"))
        self.program.send(text + "\n", deadline)

    def _receive(self, deadline: Deadline) -> str:
        line = self.program.receive(deadline)
        self._log("<", [line])
        return line

    def _take_unasked(self) -> list[str]:
        """Take and return the lines it wrote without being asked."""
        lines = self.program.take_output().splitlines()
        self._log("<", lines)
        return lines

    def _log(self, sign: str, lines: list[str]) -> None:
        self._exchange.extend(
            f"{sign} {escape_control_characters(line[:MAX_LINE_CHARACTERS])}" for line in lines[-EXCHANGE_LINES:]
        )

    def _set_name(self, text: str) -> None:
        self.name = escape_control_characters(text.strip()[:MAX_NAME_CHARACTERS]) or self.name

    def _check_game(self, game: Game) -> None:
        """Raise ValueError when the protocol cannot describe the game."""

    def _greet(self, deadline: Deadline) -> None:
        """Exchange greetings."""

    def _set_game(self, game: Game, deadline: Deadline) -> None:
        """Tell the program which game is played."""

    def _begin(self, start: Position, deadline: Deadline) -> None:
        """Announce a new playthrough."""

    def _ask(self, position: Position, limit: Limit | None, deadline: Deadline) -> int:
        """Ask for a move and return it, legal or not."""
        raise NotImplementedError


def _why_illegal(position: Position, move: int) -> str:
    try:
        position.copy().play(move)
    except ValueError as error:
        return f"an illegal move: {error}"
    return "an illegal move"
