"""From a command, a name or an object to a bot that can be driven."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from noughts.bots import BotFailed, Deadline, Limits, NotStarted, RandomBot
from noughts.bots.json_lines import check_greeting
from noughts.bots.loading import is_python_spec, load_bot
from noughts.bots.program import split_command
from noughts.engine import LEVELS, level
from noughts.games import Game
from noughts.protocol.clock import Clock
from noughts.protocol.codingame_host import CodingameHost
from noughts.protocol.gomocup_host import GomocupHost
from noughts.protocol.host import HostedBot, ProgramHost
from noughts.protocol.json_host import JsonHost
from noughts.protocol.local import LocalBot
from noughts.protocol.ugi_host import UciHost, UgiHost

__all__ = ["PROTOCOLS", "PythonHost", "built_in", "detect_protocol", "open_bot"]

PROBE_SECONDS = 2.0
"""How long a program may take to answer in a protocol before the next one is tried."""


class PythonHost(JsonHost):
    """A bot by ``module:name`` or ``file.py:name`` in a child process of ours, which sees to what is forbidden."""

    protocol: ClassVar[str] = "python"
    greets: ClassVar[bool] = True

    def _greet(self, deadline: Deadline) -> None:
        check_greeting(self._hear(deadline))

    def _words(self, command: str | Sequence[str]) -> str | Sequence[str]:
        (spec,) = [command] if isinstance(command, str) else command
        return [sys.executable, "-m", "noughts.bots.python_child", spec]


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
    from noughts.bots.sandbox import why_no_sandbox

    if why := why_no_sandbox():
        raise ValueError(why)


def detect_protocol(
    command: str | Sequence[str], limits: Limits | None = None, sandbox: bool = False, folder: Path | None = None
) -> str:
    """Return the protocol that a program answers in; raises BotFailed when there is none.

    Each protocol is tried on a fresh process: greetings first, then a question in a small game.
    """
    bounds = (limits or Limits())._replace(start_seconds=PROBE_SECONDS, quit_seconds=0.0)
    questions = {"json": "3x3", "codingame": "ultimate:3+count"}
    tails = ""
    for protocol in ("ugi", "uci", "gomocup", "json", "codingame"):
        with HOSTS[protocol](command, bounds, sandbox, folder) as bot:
            try:
                if protocol in questions:
                    bot.choose(Game(questions[protocol]).start(), Clock(seconds=PROBE_SECONDS))
                else:
                    bot.start(Game("15x15:5"))
            except NotStarted:
                raise
            except BotFailed:
                tails = tails or bot.stderr_tail
                continue
            return protocol
    last = f"; it said {tails.splitlines()[-1][:100]!r}" if tails else ""
    raise BotFailed(
        f"expected a program that speaks one of {', '.join(HOSTS)}, got one that answers none{last}", "start"
    )
