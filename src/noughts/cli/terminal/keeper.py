"""What a session tells the keeper of its playthrough. ``NoKeeper`` keeps nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from noughts.games import Game, Outcome, Side
from noughts.store import Record

if TYPE_CHECKING:
    from noughts.cli.terminal.session import Session

__all__ = ["Keeper", "NoKeeper"]


class Keeper(Protocol):
    """Keeps a playthrough as it is played: each call is on disk when it returns."""

    @property
    def kept(self) -> int | None:
        """The number under which the playthrough is kept; None before its first move or when nothing is kept."""

    def moved(self, session: Session, seconds: float) -> None:
        """A move was made, after ``seconds`` of thought; it is the last of the session's position."""

    def cut(self, session: Session) -> None:
        """Moves were taken back, to the session's position; a result there was no longer holds."""

    def ended(self, session: Session, outcome: Outcome) -> None:
        """The playthrough is over."""

    def seated(self, session: Session) -> None:
        """The players have changed."""

    def paused(self, session: Session) -> None:
        """The session stops in mid-game: what the clocks show now is what they will show when it goes on."""

    def reviewed(self, accuracy: dict[Side, float | None]) -> None:
        """A review found how well each side played, in percent."""

    def records(self, game: Game) -> list[Record]:
        """Return the results so far of the person at the keyboard, by opponent."""

    def renew(self) -> None:
        """What follows is another playthrough."""

    def close(self) -> None:
        """Nothing follows."""


class NoKeeper:
    """Keeps nothing: for sessions that are not to be kept."""

    kept: int | None = None

    def moved(self, session: Session, seconds: float) -> None:
        """Keep nothing."""

    def cut(self, session: Session) -> None:
        """Keep nothing."""

    def ended(self, session: Session, outcome: Outcome) -> None:
        """Keep nothing."""

    def seated(self, session: Session) -> None:
        """Keep nothing."""

    def paused(self, session: Session) -> None:
        """Keep nothing."""

    def reviewed(self, accuracy: dict[Side, float | None]) -> None:
        """Keep nothing."""

    def records(self, game: Game) -> list[Record]:
        """Return nothing."""
        return []

    def renew(self) -> None:
        """Keep nothing."""

    def close(self) -> None:
        """Keep nothing."""
