"""Who sits at the board: people and bots, by the names one types."""

from __future__ import annotations

from dataclasses import dataclass

from noughts.bots import Bot, RandomBot

__all__ = ["PEOPLE", "Seat", "bot_names", "default_bot", "make_seat"]

PEOPLE = {"you": "you, at this keyboard", "friend": "a friend at this keyboard"}
"""The people there are, each with a line about them."""

DEFAULT = "difficult"
BOTS = {"random": "moves at random, for a first game"}


@dataclass(frozen=True)
class Seat:
    """One of the two players: a name, and a bot unless it is a person."""

    name: str
    bot: Bot | None = None

    @property
    def is_person(self) -> bool:
        """Whether the moves come from the keyboard."""
        return self.bot is None


def bot_names() -> dict[str, str]:
    """Return the bots one can play against, weakest first, each with a line about it."""
    return dict(BOTS)


def default_bot() -> str:
    """Return the opponent of those who do not choose one."""
    names = [*bot_names()]
    return DEFAULT if DEFAULT in names else names[0]


def make_seat(name: str, seed: int | None = None) -> Seat:
    """Return the player of a name: ``you``, ``friend`` or a bot; raises ValueError that lists them."""
    word = name.strip().lower()
    if word in PEOPLE:
        return Seat(word)
    if word == "random":
        return Seat(word, RandomBot(seed))
    raise ValueError(f"expected a player: {', '.join([*PEOPLE, *bot_names()])}, got {name[:40]!r}")
