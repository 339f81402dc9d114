"""From a command, a name or an object to a bot that can be driven."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic
from typing import ClassVar, NamedTuple

from noughts.engine import LEVELS, level
from noughts.games import Game
from noughts.games.quoting import quote
from noughts.players import BotFailed, Deadline, Limits, NotStarted, RandomBot
from noughts.players.json_lines import check_greeting
from noughts.players.loading import is_python_spec, load_bot
from noughts.players.program import split_command
from noughts.players.protocols.clock import Clock
from noughts.players.protocols.codingame_host import CodingameHost
from noughts.players.protocols.gomocup_host import GomocupHost
from noughts.players.protocols.host import HostedBot, ProgramHost
from noughts.players.protocols.json_host import JsonHost
from noughts.players.protocols.local import LocalBot
from noughts.players.protocols.ugi_host import UciHost, UgiHost

__all__ = ["PROTOCOLS", "NoProtocol", "PythonHost", "built_in", "detect_protocol", "open_bot"]

PROBE_SECONDS = 2.0
"""How long a program may take to answer in a protocol before the next one is tried."""
SLOW_SECONDS = 1.0
"""An attempt that takes longer is reported."""
PROBED = ("ugi", "uci", "gomocup", "json", "codingame")
QUESTIONS = {"json": "3x3", "codingame": "ultimate:3+count"}
"""The protocols without a greeting, and the game in which a move is asked for."""


class PythonHost(JsonHost):
    """A bot by ``module:name`` or ``file.py:name`` in a child process of ours, which sees to what is forbidden."""

    protocol: ClassVar[str] = "python"
    greets: ClassVar[bool] = True

    def _greet(self, deadline: Deadline) -> None:
        check_greeting(self._hear(deadline))

    def _words(self, command: str | Sequence[str]) -> str | Sequence[str]:
        (spec,) = [command] if isinstance(command, str) else command
        return [sys.executable, "-m", "noughts.players.python_child", spec]


HOSTS: dict[str, type[ProgramHost]] = {
    host.protocol: host for host in (JsonHost, UgiHost, UciHost, GomocupHost, CodingameHost, PythonHost)
}
PROTOCOLS = (*HOSTS, "in-process", "auto")
"""What ``open_bot`` takes as a protocol."""


def open_bot(
    bot: object,
    protocol: str = "auto",
    limits: Limits | None = None,
    sandbox: bool = False,
    folder: Path | None = None,
    seed: int | None = None,
) -> HostedBot:
    """Return a bot that can be driven; it is started when it is first needed.

    ``bot`` is a command (text, or a list of words), ``module:name`` or ``file.py:name`` of a bot in Python, the name
    of one of ours (``random`` or a level, with ``seed``), or any object with ``choose`` and any function, which play
    in this process. ``auto`` finds out: names first, then a program is run to see which protocol it speaks. With
    ``sandbox`` a program runs in bubblewrap; ``folder`` is where it runs. Raises ValueError, also when there is no
    bubblewrap, and BotFailed when ``auto`` finds no protocol.
    """
    if protocol not in PROTOCOLS:
        raise ValueError(f"expected a protocol of {', '.join(PROTOCOLS)}, got {protocol!r}")
    if not isinstance(bot, str | Sequence):
        return LocalBot(bot)
    if isinstance(bot, str) and protocol in ("auto", "in-process"):
        if (ours := built_in(bot, seed)) is not None:
            return ours
        if protocol == "in-process":
            return LocalBot(load_bot(bot), bot)
        if is_python_spec(bot):
            protocol = "python"
    command = bot if isinstance(bot, str) else [str(word) for word in bot]
    split_command(command)
    _check_sandbox(sandbox)
    if protocol == "auto":
        protocol = detect_protocol(command, limits, sandbox, folder)
    return HOSTS[protocol](command, limits, sandbox, folder)


def built_in(name: str, seed: int | None = None) -> LocalBot | None:
    """Return the bot of ours of that name, ``random`` or a level; None when there is none such."""
    if name == "random":
        return LocalBot(RandomBot(seed), name)
    return LocalBot(level(name, seed), name) if name in LEVELS else None


def _check_sandbox(sandbox: bool) -> None:
    if not sandbox:
        return
    from noughts.players.sandbox import why_no_sandbox

    if why := why_no_sandbox():
        raise ValueError(why)


class Attempt(NamedTuple):
    """How a program failed in a protocol: the failure, the exchange, and its standard error."""

    protocol: str
    failed: BotFailed
    exchange: list[str]
    stderr: str


class NoProtocol(BotFailed):
    """A program answers in no protocol. ``attempt`` is the one that tells most: in JSON lines."""

    def __init__(self, message: str, reason: str = "start", attempt: Attempt | None = None) -> None:
        super().__init__(message, reason)
        self.attempt = attempt


def detect_protocol(
    command: str | Sequence[str],
    limits: Limits | None = None,
    sandbox: bool = False,
    folder: Path | None = None,
    say: Callable[[str], object] = lambda line: None,
) -> str:
    """Return the protocol that a program answers in; raises NoProtocol, or NotStarted where it cannot be run.

    Each protocol is tried on a fresh process: greetings first, then a question in a small game. ``say`` gets
    a line about each that takes long.
    """
    bounds = (limits or Limits())._replace(start_seconds=PROBE_SECONDS, quit_seconds=0.0)
    attempts = {}
    for protocol in PROBED:
        began = monotonic()
        attempts[protocol] = attempt = _attempt(HOSTS[protocol](command, bounds, sandbox, folder))
        if attempt is None:
            return protocol
        if monotonic() - began > SLOW_SECONDS and protocol != PROBED[-1]:
            say(f"no answer in {protocol}; trying the next protocol ...")
    json_attempt = attempts["json"]
    assert json_attempt is not None
    raise NoProtocol(_why_no_protocol(json_attempt), attempt=json_attempt)


def _attempt(host: ProgramHost) -> Attempt | None:
    """Try a program in a protocol; None when it answers. Raises NotStarted when it cannot be run at all."""
    with host as bot:
        try:
            if host.protocol in QUESTIONS:
                bot.choose(Game(QUESTIONS[host.protocol]).start(), Clock(seconds=PROBE_SECONDS))
            else:
                bot.start(Game("15x15:5"))
        except NotStarted:
            raise
        except BotFailed as failed:
            return Attempt(host.protocol, failed, bot.exchange, bot.stderr_tail)
    return None


def _why_no_protocol(attempt: Attempt) -> str:
    """What to tell an author, most of whom mean to speak JSON lines."""
    said = f"; its standard error ends with {quote(attempt.stderr.splitlines()[-1], 100)}" if attempt.stderr else ""
    answers = [line[2:] for line in attempt.exchange if line.startswith("<")]
    if answers and answers[-1].lstrip().startswith("{"):
        return f"it speaks json, but asked for a move in 3x3 it failed: {attempt.failed}{said}"
    protocols = ", ".join(HOSTS)
    return f"expected a program that speaks one of {protocols}; asked in json it failed: {attempt.failed}{said}"
