"""Who sits at the board: people and bots, by the names one types."""

from __future__ import annotations

from dataclasses import dataclass

from noughts.bots import Bot, EngineBot, ProcessBot, RandomBot
from noughts.bots.platforms import why_no_programs
from noughts.engine import LEVELS, level

__all__ = ["COMMAND_PREFIX", "PEOPLE", "Seat", "bot_names", "default_bot", "make_seat"]

PEOPLE = {"you": "you, at this keyboard", "friend": "a friend at this keyboard"}
"""The people there are, each with a line about them."""

ABOUT = {
    "random": "plays any legal move",
    "beginner": "makes mistakes on purpose",
    "easy": "looks 2 plies ahead",
    "difficult": "looks 4 plies ahead",
    "insane": "looks 6 plies ahead",
    "master": "the whole engine, a second for a move",
}
COMMAND_PREFIX = "bot:"
"""What is written before a command that plays, in JSON lines."""
PROTOCOL_PREFIXES = ("ugi:", "uci:", "gomocup:")
"""What is written before an engine that speaks such a protocol."""
PATIENCE = 0.5
"""Seconds beyond its time that an engine may take: people are patient."""
DEFAULT = "difficult"


@dataclass(frozen=True)
class Seat:
    """One of the two players: a name, and a bot unless it is a person."""

    name: str
    bot: Bot | None = None

    @property
    def is_person(self) -> bool:
        """Whether the moves come from the keyboard."""
        return self.bot is None

    def close(self) -> None:
        """End the program of a bot that is one."""
        close = getattr(self.bot, "close", None)
        if close is not None:
            close()


def bot_names() -> dict[str, str]:
    """Return the bots one can play against, weakest first, each with a line about it."""
    return {name: ABOUT[name] for name in ("random", *LEVELS)}


def default_bot() -> str:
    """Return the opponent of those who do not choose one."""
    return DEFAULT


def make_seat(name: str, seed: int | None = None) -> Seat:
    """Return the player of a name; raises ValueError that lists them.

    Names are ``you``, ``friend``, those of bots, ``bot:COMMAND``, and ``ugi:``, ``uci:`` or ``gomocup:COMMAND``.
    """
    word = name.strip().lower()
    if word in PEOPLE:
        return Seat(word)
    if word == "random":
        return Seat(word, RandomBot(seed))
    if word == "master":
        return Seat(word, EngineBot())
    if word.startswith((COMMAND_PREFIX, *PROTOCOL_PREFIXES)) and (why := why_no_programs()):
        raise ValueError(why)
    if word.startswith(COMMAND_PREFIX):
        command = name.strip()[len(COMMAND_PREFIX) :].strip()
        return Seat(f"{COMMAND_PREFIX}{command}", ProcessBot(command))
    if word.startswith(PROTOCOL_PREFIXES):
        protocol, _, command = name.strip().partition(":")
        return Seat(f"{protocol.lower()}:{command.strip()}", _engine(protocol.lower(), command.strip()))
    if word in LEVELS:
        return Seat(word, level(word, seed))
    known = ", ".join([*PEOPLE, *bot_names()])
    programs = ", ".join(f"{prefix}COMMAND" for prefix in (COMMAND_PREFIX, *PROTOCOL_PREFIXES))
    raise ValueError(f"expected a player: {known}, or a program: {programs}, got {name[:40]!r}")


def _engine(protocol: str, command: str) -> Bot:
    from noughts.bots import Limits
    from noughts.protocol import open_bot

    return open_bot(command, protocol, Limits(grace=PATIENCE))
