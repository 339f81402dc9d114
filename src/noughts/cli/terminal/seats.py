"""Who sits at the board: people and bots, by the names one types."""

from __future__ import annotations

from dataclasses import dataclass

from noughts.cli.groups import nearest
from noughts.engine import LEVELS, level
from noughts.games import Game
from noughts.games.quoting import quote
from noughts.players import Bot, BotFailed, EngineBot, ProcessBot, RandomBot
from noughts.players.loading import is_python_spec
from noughts.players.platforms import why_no_programs

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
COMPLAINTS = 5
"""Lines of a bot's standard error that are shown."""
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

    def start(self, game: Game) -> None:
        """Start the program of a bot that is one; raises ValueError with what it wrote to standard error."""
        start = getattr(self.bot, "start", None)
        if start is None:
            return
        try:
            start(game)
        except BotFailed as failed:
            self.close()
            raise ValueError(f"{self.name} does not start: {failed}{self.complaints}") from None

    @property
    def complaints(self) -> str:
        """The last lines that the program of a bot wrote to standard error, each on a line of its own."""
        lines = str(getattr(self.bot, "stderr_tail", "")).splitlines()[-COMPLAINTS:]
        return "".join(f"\n  stderr: {line}" for line in lines)

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

    Names are ``you``, ``friend``, those of bots, ``bot:COMMAND``, ``ugi:``, ``uci:`` or ``gomocup:COMMAND``, and
    ``file.py:name`` or ``module:name`` for a bot in Python.
    """
    word = name.strip().lower()
    if word in PEOPLE:
        return Seat(word)
    if word == "random":
        return Seat(word, RandomBot(seed))
    if word == "master":
        return Seat(word, EngineBot())
    if (word.startswith((COMMAND_PREFIX, *PROTOCOL_PREFIXES)) or is_python_spec(word)) and (why := why_no_programs()):
        raise ValueError(why)
    if word.startswith(COMMAND_PREFIX):
        command = name.strip()[len(COMMAND_PREFIX) :].strip()
        return Seat(f"{COMMAND_PREFIX}{command}", ProcessBot(command))
    if word.startswith(PROTOCOL_PREFIXES):
        protocol, _, command = name.strip().partition(":")
        return Seat(f"{protocol.lower()}:{command.strip()}", _program(protocol.lower(), command.strip()))
    if word in LEVELS:
        return Seat(word, level(word, seed))
    if is_python_spec(name.strip()):
        return Seat(name.strip(), _program("python", name.strip()))
    near = nearest(word, [*PEOPLE, *bot_names()])
    if near is not None:
        raise ValueError(f"expected a player, got {quote(name)}; did you mean {near}?")
    known = ", ".join([*PEOPLE, *bot_names()])
    programs = ", ".join(f"{prefix}COMMAND" for prefix in (COMMAND_PREFIX, *PROTOCOL_PREFIXES))
    raise ValueError(f"expected a player: {known}, or a program: {programs} or FILE.py:NAME, got {quote(name)}")


def _program(protocol: str, command: str) -> Bot:
    from noughts.players import Limits
    from noughts.players.protocols import open_bot

    return open_bot(command, protocol, Limits(grace=PATIENCE))
