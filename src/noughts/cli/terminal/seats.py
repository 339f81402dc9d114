"""The two players of a session: people and opened players, by the names one types."""

from __future__ import annotations

from dataclasses import dataclass

from noughts.games import Game
from noughts.players import HostedPlayer, PlayerFailed, is_person_name, open_player
from noughts.players.registry import normalise_name

__all__ = ["Seat", "default_bot", "make_seat"]

COMPLAINTS = 5
"""Lines of a bot's standard error that are shown."""
DEFAULT = "difficult"


@dataclass(frozen=True)
class Seat:
    """One of the two players: a name, and a bot unless it is a person."""

    name: str
    bot: HostedPlayer | None = None

    @property
    def is_person(self) -> bool:
        """Whether the moves come from the keyboard."""
        return self.bot is None

    def start(self, game: Game) -> None:
        """Start the program of a bot that is one; raises ValueError with what it wrote to standard error."""
        if self.bot is None:
            return
        try:
            self.bot.start(game)
        except PlayerFailed as failed:
            self.close()
            raise ValueError(f"{self.name} does not start: {failed}{self.complaints}") from None

    @property
    def complaints(self) -> str:
        """The last lines that the program of a bot wrote to standard error, each on a line of its own."""
        lines = [] if self.bot is None else self.bot.stderr_tail.splitlines()[-COMPLAINTS:]
        return "".join(f"\n  stderr: {line}" for line in lines)

    def close(self) -> None:
        """End the program of a bot that is one."""
        if self.bot is not None:
            self.bot.close()


def default_bot() -> str:
    """Return the opponent of those who do not choose one."""
    return DEFAULT


def make_seat(name: str, seed: int | None = None) -> Seat:
    """Return the player of a name; raises ValueError for an unknown name or a program that does not start."""
    shown_name = normalise_name(name)
    if is_person_name(name):
        return Seat(shown_name)
    try:
        return Seat(shown_name, open_player(name, seed=seed))
    except PlayerFailed as failed:
        raise ValueError(f"{shown_name} does not start: {failed}") from None
