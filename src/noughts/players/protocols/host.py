"""The face of every bot that the arena drives, and what hosts of all protocols have in common.

>>> from noughts import Game
>>> from noughts.players.protocols import Clock, open_bot
>>> with open_bot("noughts engine", protocol="ugi") as bot:  # doctest: +SKIP
...     position = Game("3x3").start()
...     bot.new_game(position)
...     position.play(bot.choose(position, Clock(seconds=0.1)))

A bot that fails raises ``BotFailed`` with a reason and is ended at once; ``start`` begins anew.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from types import TracebackType
from typing import TYPE_CHECKING, ClassVar, Self

from noughts.engine import Limit
from noughts.games import Game, Position
from noughts.games.quoting import escape_control_characters
from noughts.players import BotFailed, Deadline, Limits, Program
from noughts.players.protocols.clock import Clock

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["HostedBot", "ProgramHost"]

EXCHANGE_LINES = 60
"""Of what was said, the last so many lines are kept."""
LONGEST_SHOWN = 400
LONGEST_NAME = 80


class HostedBot:
    """A bot in a tournament. Used by one thread at a time; only ``kill`` may come from another."""

    protocol: ClassVar[str]
    """The protocol's name, as ``open_bot`` takes it."""
    takes_openings: ClassVar[bool] = True
    """Whether it can be told of moves that it has not made itself, and of positions to begin from."""
    name: str
    """What it calls itself, or else its command."""
    last_seconds: float = 0.0
    """How long the latest ``choose`` took, from the question sent to the answer read, also when it failed."""

    def start(self, game: Game) -> None:
        """Start it and get it ready for a game; does nothing when it is. Raises BotFailed."""

    def new_game(self, start: Position) -> None:
        """Tell it that a playthrough begins, from a position that usually is ``game.start()``. Raises BotFailed."""

    def choose(self, position: Position, clock: Clock | Limit | None = None) -> int:
        """Return its move, which is legal; raises BotFailed. The position is left as it is."""
        raise NotImplementedError

    def close(self) -> None:
        """End it, and whatever it has started. It may be started again."""

    def kill(self) -> None:
        """End it now, from any thread; a ``choose`` under way raises BotFailed soon. ``close`` is still needed."""

    @property
    def stderr_tail(self) -> str:
        """The last lines it wrote to standard error."""
        return ""

    @property
    def exchange(self) -> list[str]:
        """The last lines said: ``> `` to the bot, ``< `` from it."""
        return []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


class ProgramHost(HostedBot):
    """A bot that is a program; a protocol is what its subclasses say and understand."""

    greets: ClassVar[bool] = True
    """Whether the protocol tells when the program has started; otherwise its first answer may take longer."""
    farewell: ClassVar[str] = ""
    """What is said to let it leave by itself, besides closing its input."""

    def __init__(
        self,
        command: str | Sequence[str],
        limits: Limits | None = None,
        sandbox: bool = False,
        folder: Path | None = None,
    ) -> None:
        self.limits = (limits or Limits()).checked()
        self.command = command if isinstance(command, str) else " ".join(command)
        self.name = self.command
        self.program = Program(self._words(command), self.limits, sandbox, folder)
        self._exchange: deque[str] = deque(maxlen=EXCHANGE_LINES)
        self._game: Game | None = None
        self._has_answered = False

    def _words(self, command: str | Sequence[str]) -> str | Sequence[str]:
        """What is run for a command."""
        return command

    @property
    def stderr_tail(self) -> str:
        """The last lines it wrote to standard error."""
        return self.program.stderr_tail

    @property
    def exchange(self) -> list[str]:
        """The last lines said: ``> `` to the bot, ``< `` from it."""
        return list(self._exchange)

    @property
    def pid(self) -> int | None:
        """The number of its process, or None when it does not run."""
        return self.program.pid

    def start(self, game: Game) -> None:
        """Start it and get it ready for a game; does nothing when it is. Raises BotFailed."""
        if self.program.is_running and self._game == game:
            return
        self._check_game(game)
        with self._ended_on_failure():
            if not self.program.is_running:
                self._exchange.clear()
                self._has_answered = False
                self.program.start()
                self._in_time(self._greet)
            self._in_time(lambda deadline: self._set_game(game, deadline))
        self._game = game

    def new_game(self, start: Position) -> None:
        """Tell it that a playthrough begins, from a position that usually is ``game.start()``. Raises BotFailed."""
        self.start(start.game)
        with self._ended_on_failure():
            self._in_time(lambda deadline: self._begin(start, deadline))

    def choose(self, position: Position, clock: Clock | Limit | None = None) -> int:
        """Return its move, which is legal; raises BotFailed. The position is left as it is."""
        side = position.turn
        if side is None:
            raise ValueError("expected a position to move in, but the game is over")
        if not isinstance(clock, Clock):
            clock = Clock.of(clock)
        self.start(position.game)
        with self._ended_on_failure():
            move = self._timed(position, clock, clock.allowed(side))
            if not position.is_legal(move):
                raise BotFailed(_reason_against(position, move), "illegal")
        return move

    def _timed(self, position: Position, clock: Clock, allowed: float | None) -> int:
        """Ask for a move within its time. What starting took beyond that is not the bot's fault, nor on its clock."""
        is_starting = not (self.greets or self._has_answered)
        grace = self.limits.grace + (self.limits.first_seconds if is_starting else 0.0)
        began = perf_counter()
        try:
            deadline = Deadline.within(self.limits.hang_seconds if allowed is None else allowed, grace)
            move = self._ask(position, clock, deadline)
        finally:
            self.last_seconds = perf_counter() - began
        if is_starting and allowed is not None:
            self.last_seconds = min(self.last_seconds, allowed)
        self._has_answered = True
        return move

    def close(self) -> None:
        """Let it leave by itself for a moment, then end it and whatever it has started."""
        self._end(self.limits.quit_seconds)

    def kill(self) -> None:
        """End it now, from any thread."""
        self.program.kill()

    def _end(self, quit_seconds: float) -> None:
        if self.program.is_running and self.farewell and quit_seconds:
            try:
                self._say(self.farewell, Deadline.within(quit_seconds))
            except BotFailed:
                quit_seconds = 0  # it does not listen
        self.program.close(quit_seconds)
        self._game = None

    @contextmanager
    def _ended_on_failure(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self._end(0)
            raise

    def _in_time(self, task: Callable[[Deadline], None]) -> None:
        """Do what belongs to getting ready; what fails there has not started, unless it is worse than that."""
        try:
            task(Deadline.within(self.limits.start_seconds))
        except BotFailed as failed:
            if failed.reason in ("flood", "limit", "forbidden"):
                raise
            raise BotFailed(f"expected a bot that speaks {self.protocol}, got {failed}", "start") from None

    def _say(self, text: str, deadline: Deadline) -> None:
        """Send lines; ``text`` is without the last end of line."""
        self._note(">", text.split("\n"))
        self.program.send(text + "\n", deadline)

    def _hear(self, deadline: Deadline) -> str:
        """Return its next line."""
        line = self.program.read_line(deadline)
        self._note("<", [line])
        return line

    def _hush(self) -> list[str]:
        """Take what it said without being asked, and return it."""
        lines = self.program.unasked().splitlines()
        self._note("<", lines)
        return lines

    def _note(self, sign: str, lines: list[str]) -> None:
        self._exchange.extend(
            f"{sign} {escape_control_characters(line[:LONGEST_SHOWN])}" for line in lines[-EXCHANGE_LINES:]
        )

    def _take_name(self, text: str) -> None:
        self.name = escape_control_characters(text.strip()[:LONGEST_NAME]) or self.name

    def _check_game(self, game: Game) -> None:
        """Raise ValueError when the protocol cannot tell of such a game."""

    def _greet(self, deadline: Deadline) -> None:
        """Say the first words and wait for the answer."""

    def _set_game(self, game: Game, deadline: Deadline) -> None:
        """Tell which game is played."""

    def _begin(self, start: Position, deadline: Deadline) -> None:
        """Tell that a playthrough begins."""

    def _ask(self, position: Position, clock: Clock, deadline: Deadline) -> int:
        """Ask for a move and return it, legal or not."""
        raise NotImplementedError


def _reason_against(position: Position, move: int) -> str:
    try:
        position.copy().play(move)
    except ValueError as error:
        return f"an illegal move: {error}"
    return "an illegal move"
