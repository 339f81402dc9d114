"""The interface of players and of opened players."""

from __future__ import annotations

from types import TracebackType
from typing import ClassVar, Protocol, Self

from noughts.engine import Limit, SearchResult
from noughts.games import Game, Position, Side
from noughts.process.failure import FailureReason, PlayerFailed
from noughts.process.limits import GRACE_SECONDS

__all__ = ["HostedPlayer", "Player"]


class Player(Protocol):
    """Anything that chooses moves: a level, the engine, a program, your own class."""

    def choose(self, position: Position, limit: Limit | None = None) -> int:
        """Return a legal move for a position that is not over, leaving the position unchanged.

        ``limit`` bounds the thinking time, depth or nodes; None means no bound. A fast player may ignore it.
        """


class HostedPlayer:
    """A player opened by ``open_player``. One thread at a time; only ``stop`` and ``kill`` may come from another."""

    protocol: ClassVar[str]
    """The protocol's name, as passed to ``open_player``."""
    takes_openings: ClassVar[bool] = True
    """Whether it can begin from positions other than the empty board."""
    name: str
    """The name it gives itself, or else the name or command it was opened by."""
    seed: int | None = None
    """Given to a program when it starts, as the environment variable ``NOUGHTS_SEED``."""
    last_seconds: float = 0.0
    """Duration of the latest ``choose``, from question to answer, even if it failed."""
    grace_seconds: float = GRACE_SECONDS
    """How late an answer may be before the player loses on time."""
    is_held_to_seconds: bool = True
    """Whether an answer after the ``seconds`` of its limit is late; the clock of a match binds every player."""

    def start(self, game: Game) -> None:
        """Start the player and prepare it for a game, unless it is ready. Raises PlayerFailed."""

    def settle(self) -> None:
        """After ``start``: wait briefly, in case a program without a greeting ends at once. Raises PlayerFailed."""

    def new_game(self, start: Position) -> None:
        """Announce a new playthrough from a position, usually ``game.start()``. Raises PlayerFailed."""

    def choose(self, position: Position, limit: Limit | None = None) -> int:
        """Return its move, which is legal; raises PlayerFailed. The position is left unchanged."""
        raise NotImplementedError

    def check_in_time(self, limit: Limit | None, side: Side) -> None:
        """Raise PlayerFailed if the latest answer, for ``side``, came later than the limit and the grace allow."""
        if limit is None:
            return
        charged = self.last_seconds - self.grace_seconds
        if limit.clock is not None and charged > limit.clock.left[side.number]:
            raise PlayerFailed("its clock ran out", FailureReason.TIME)
        if self.is_held_to_seconds and limit.seconds is not None and charged > limit.seconds:
            raise PlayerFailed(f"no answer within {limit.seconds:g} s", FailureReason.TIME)

    def stop(self) -> None:
        """Make an engine of this process answer soon with the best move so far; others ignore it."""

    def close(self) -> None:
        """End the player and every process it has started. It can be started again."""

    def kill(self) -> None:
        """End the player now, from any thread: a ``choose`` in progress raises PlayerFailed. Still call ``close``."""

    @property
    def latest(self) -> SearchResult | None:
        """The engine's result so far while it thinks; None for other players and between moves."""
        return None

    @property
    def stderr_tail(self) -> str:
        """The last lines a program wrote to standard error."""
        return ""

    @property
    def exchange(self) -> list[str]:
        """The last lines exchanged with a program: ``> `` to it, ``< `` from it."""
        return []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
