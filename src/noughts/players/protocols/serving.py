"""noughts as an engine: finds out what its host speaks, and answers in it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING, Protocol, TextIO

from noughts.engine import Level
from noughts.games import Game
from noughts.games.quoting import quote

if TYPE_CHECKING:
    from noughts.players.protocols.thinker import Thinker

__all__ = ["SPOKEN", "Say", "Settings", "Spoken", "recognise", "serve"]

Say = Callable[[str], None]
SPOKEN = ("ugi", "uci", "gomocup", "codingame", "json")
"""The protocols there are."""
LONGEST = 1 << 20
"""Characters of a line that are read at once; what is longer is no line of a host."""
GOMOCUP_FIRST = ("start", "rectstart", "about", "info", "restart", "begin", "board", "end", "takeback", "turn")
UGI_FIRST = ("position", "go", "setoption", "isready", "uginewgame", "query", "stop", "quit", "d")
UCI_FIRST = ("ucinewgame", "debug", "ponderhit", "register")


class Settings:
    """How the engine plays; hosts may change them.

    ``game`` is played until the host names another, 3x3 when nobody does; ``seconds`` are for each move where the
    protocol gives none.
    """

    def __init__(
        self,
        game: Game | None = None,
        level: Level = Level.MASTER,
        seed: int | None = None,
        threads: int = 1,
        hash_mb: int = 64,
        seconds: float | None = None,
    ) -> None:
        self.game = game
        self.level = level
        self.seed = seed
        self.threads = threads
        self.hash_mb = hash_mb
        self.seconds = seconds


class Spoken(Protocol):
    """A protocol as an engine speaks it."""

    def receive(self, line: str) -> bool:
        """Obey a line; return False when the host says farewell. Never raises for what the host wrote."""

    def end(self) -> None:
        """Finish what is under way: no line will follow."""


def recognise(line: str) -> str | None:
    """Return the protocol that begins with a line, or None.

    >>> recognise("START 15"), recognise("-1 -1"), recognise('{"game": "3x3"}'), recognise("hello")
    ('gomocup', 'codingame', 'json', None)
    """
    words = line.split()
    first = words[0].lower() if words else ""
    if first.startswith("{"):
        return "json"
    if re.fullmatch(r"-?[0-9]+ +-?[0-9]+", line.strip()):
        return "codingame"
    if first in GOMOCUP_FIRST:
        return "gomocup"
    if first == "uci" or first in UCI_FIRST:
        return "uci"
    return "ugi" if first == "ugi" or first in UGI_FIRST else None


def serve(lines: TextIO, out: TextIO, complain: Say, settings: Settings, protocol: str | None = None) -> bool:
    """Answer a host until it says farewell or leaves; return False when it spoke no protocol that is known.

    The first line tells the protocol, unless it is given.

    ``complain`` gets what is no part of a protocol: a first line in no known one, and what a host without errors in
    its protocol did wrong.
    """
    from noughts.players.protocols.thinker import Thinker

    thinker = Thinker(settings)
    say = _writer(out, thinker)
    spoken = _speaker(protocol, say, complain, thinker) if protocol else None
    has_heard = False
    try:
        for line in iter(lambda: lines.readline(LONGEST), ""):
            if not line.strip():
                continue
            thinker.hear()
            has_heard = True
            if spoken is None:
                name = recognise(line)
                if name is None:
                    complain(
                        f"expected a first line of UGI, UCI, Gomocup, CodinGame or JSON, got {quote(line.strip())}"
                    )
                    continue
                spoken = _speaker(name, say, complain, thinker)
            if not spoken.receive(line.strip()):
                return True
        if spoken is not None:
            spoken.end()
        return spoken is not None or not has_heard
    finally:
        thinker.stop()


def _writer(out: TextIO, thinker: Thinker) -> Say:
    """What writes a whole answer at once, from any thread; a host that is gone is written to no more."""
    one_at_a_time = Lock()

    def say(text: str) -> None:
        with one_at_a_time:
            try:
                out.write(text + "\n")
                out.flush()
            except BrokenPipeError:
                os.dup2(os.open(os.devnull, os.O_WRONLY), out.fileno())
                thinker.give_up()

    return say


def _speaker(protocol: str, say: Say, complain: Say, thinker: Thinker) -> Spoken:
    if protocol in ("ugi", "uci"):
        from noughts.players.protocols.ugi_engine import UgiEngine

        return UgiEngine(say, thinker)
    if protocol == "gomocup":
        from noughts.players.protocols.gomocup_engine import GomocupEngine

        return GomocupEngine(say, thinker)
    if protocol == "codingame":
        from noughts.players.protocols.codingame_engine import CodingameEngine

        return CodingameEngine(say, complain, thinker)
    from noughts.players.protocols.json_engine import JsonEngine

    return JsonEngine(say, thinker)
