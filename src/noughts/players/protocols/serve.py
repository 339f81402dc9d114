"""noughts as an engine: recognises the protocol of its host and answers in it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from threading import Lock
from typing import TextIO

from noughts.games.quoting import quote
from noughts.players.protocols.background_search import BackgroundSearch, Say, SearchSettings

__all__ = ["SERVED_PROTOCOLS", "recognise", "serve"]

SERVED_PROTOCOLS = ("ugi", "uci", "gomocup", "codingame", "json")
MAX_LINE_CHARACTERS = 1 << 20
"""Characters read at once; no host writes longer lines."""
GOMOCUP_COMMANDS = ("start", "rectstart", "about", "info", "restart", "begin", "board", "end", "takeback", "turn")
UGI_COMMANDS = ("ugi", "position", "go", "setoption", "isready", "uginewgame", "query", "stop", "quit", "d")
UCI_COMMANDS = ("uci", "ucinewgame", "debug", "ponderhit", "register")
Receive = Callable[[str], bool]
"""Obeys a line of the host; returns False for the command that quits. Never raises because of the host's input."""


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
    commands = {"gomocup": GOMOCUP_COMMANDS, "uci": UCI_COMMANDS, "ugi": UGI_COMMANDS}
    return next((protocol for protocol, known in commands.items() if first in known), None)


def serve(lines: TextIO, out: TextIO, complain: Say, settings: SearchSettings, protocol: str | None = None) -> bool:
    """Answer a host until it quits or its input ends; return False when it spoke no known protocol.

    The first line shows the protocol, unless it is given. ``complain`` gets messages that have no place in a protocol:
    about a first line in no known protocol, and mistakes of a host whose protocol has no errors.
    """
    search = BackgroundSearch(settings)
    say = _make_writer(out, search)
    receive = _make_engine(protocol, say, complain, search) if protocol else None
    is_silent = True
    try:
        for line in iter(lambda: lines.readline(MAX_LINE_CHARACTERS), ""):
            if not line.strip():
                continue
            search.note_command()
            is_silent = False
            if receive is None:
                name = recognise(line)
                if name is None:
                    complain(
                        f"expected a first line of UGI, UCI, Gomocup, CodinGame or JSON, got {quote(line.strip())}"
                    )
                    continue
                receive = _make_engine(name, say, complain, search)
            if not receive(line.strip()):
                return True
        search.finish()
        return receive is not None or is_silent
    finally:
        search.stop()


def _make_writer(out: TextIO, search: BackgroundSearch) -> Say:
    """Return a function that writes a whole answer at once, from any thread, until the host is gone."""
    lock = Lock()

    def say(text: str) -> None:
        with lock:
            try:
                out.write(text + "\n")
                out.flush()
            except BrokenPipeError:
                os.dup2(os.open(os.devnull, os.O_WRONLY), out.fileno())
                search.abandon()

    return say


def _make_engine(protocol: str, say: Say, complain: Say, search: BackgroundSearch) -> Receive:
    if protocol in ("ugi", "uci"):
        from noughts.players.protocols.ugi import UgiEngine

        return UgiEngine(say, search).receive
    if protocol == "gomocup":
        from noughts.players.protocols.gomocup import GomocupEngine

        return GomocupEngine(say, search).receive
    if protocol == "codingame":
        from noughts.players.protocols.codingame import CodingameEngine

        return CodingameEngine(say, complain, search).receive
    from noughts.players.protocols.json_protocol import JsonEngine

    return JsonEngine(say, search).receive
