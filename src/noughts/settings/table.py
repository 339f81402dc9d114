"""Every setting. The commands, ``noughts config``, the documentation and the tests read this table."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from noughts.settings.kinds import (
    AddressKind,
    Choice,
    Flag,
    Folder,
    Integer,
    IntegerOrAuto,
    Many,
    Text,
    check_host_name,
    check_network,
)
from noughts.settings.setting import Setting

__all__ = [
    "COLOUR",
    "DATA",
    "DRAWING",
    "PLAY_AGAINST",
    "PLAY_FIRST",
    "PLAY_GAME",
    "PLAY_SAVE",
    "SETTINGS",
    "WEB_ACCESS_LOG",
    "WEB_HOST",
    "WEB_LOG_ADDRESSES",
    "WEB_LOG_FORMAT",
    "WEB_LOG_LEVEL",
    "WEB_MAX_CONNECTIONS",
    "WEB_MAX_GAMES",
    "WEB_MAX_MESSAGES",
    "WEB_MAX_REQUESTS",
    "WEB_MAX_SOCKETS",
    "WEB_METRICS",
    "WEB_NAME",
    "WEB_OPEN",
    "WEB_PORT",
    "WEB_PROXY",
    "WEB_WORKERS",
    "WEB_WORKER_MEMORY",
]

MIN_WORKERS, MAX_WORKERS = 2, 64
MAX_DEFAULT_WORKERS = 8
MIN_WORKER_MB, MAX_WORKER_MB = 512, 1 << 20
MAX_LIMIT = 1_000_000


def _data_folder() -> Path:
    import platformdirs

    return Path(platformdirs.user_data_dir("noughts", appauthor=False))


def _default_workers() -> int:
    return max(MIN_WORKERS, min(MAX_DEFAULT_WORKERS, os.cpu_count() or 1))


DATA = Setting(
    "data",
    Folder(),
    _data_folder,
    "Folder of the saved games, solved positions and tournaments.",
    "the user's data folder",
)
DRAWING = Setting(
    "drawing",
    Choice("auto", "ascii", "unicode"),
    lambda: "auto",
    "How boards are drawn: with letters and punctuation, with lines, or as the terminal allows.",
)
COLOUR = Setting("colour", Flag(), lambda: True, "Colours on a terminal that has them.")

PLAY_GAME = Setting(
    "play.game",
    Text("a game: an id, an alias or a file", "GAME"),
    lambda: "tictactoe",
    "The game that is offered first when none is named.",
)
PLAY_AGAINST = Setting(
    "play.against",
    Text("an opponent: friend, random, a level, elo:N or a program", "WHO"),
    lambda: "difficult",
    "Your opponent; --first decides who begins.",
)
PLAY_FIRST = Setting("play.first", Choice("you", "friend", "engine", "coin"), lambda: "you", "Who begins.")
PLAY_SAVE = Setting("play.save", Flag(), lambda: True, "Whether to save the game for noughts games and stats.")

WEB_HOST = Setting("web.host", Text("an address", "ADDRESS"), lambda: "127.0.0.1", "Address to listen on.")
WEB_PORT = Setting("web.port", Integer(0, 65535), lambda: 8000, "Port to listen on; 0 takes a free one.")
WEB_OPEN = Setting("web.open", Flag(), lambda: True, "Open the page in the browser.")
WEB_NAME = Setting(
    "web.name",
    Many(Text("a host name such as games.example.org", "HOST", check_host_name)),
    tuple,
    "Host name to answer to, repeatable; * for any.",
    "addresses, own name",
)
WEB_PROXY = Setting(
    "web.proxy",
    Many(Text("an address or a network such as 10.0.0.0/8", "ADDRESS", check_network)),
    tuple,
    "Address or network of a proxy whose X-Forwarded-For is trusted, repeatable.",
    "none",
)
WEB_WORKERS = Setting(
    "web.workers",
    Integer(MIN_WORKERS, MAX_WORKERS),
    _default_workers,
    "Number of engines for long questions.",
    f"one for each core, {MIN_WORKERS} to {MAX_DEFAULT_WORKERS}",
)
WEB_WORKER_MEMORY = Setting(
    "web.worker-memory",
    Integer(MIN_WORKER_MB, MAX_WORKER_MB),
    lambda: 1024,
    "Megabytes of memory for each engine (Linux).",
)
WEB_MAX_CONNECTIONS = Setting(
    "web.max-connections", IntegerOrAuto(1, MAX_LIMIT), lambda: None, "Connections of a client for requests."
)
WEB_MAX_SOCKETS = Setting("web.max-sockets", IntegerOrAuto(1, MAX_LIMIT), lambda: None, "Websockets of a client.")
WEB_MAX_REQUESTS = Setting(
    "web.max-requests", IntegerOrAuto(1, MAX_LIMIT), lambda: None, "Requests of a client a second."
)
WEB_MAX_MESSAGES = Setting(
    "web.max-messages",
    IntegerOrAuto(1, MAX_LIMIT),
    lambda: None,
    "Messages of a client a second, on all of its websockets.",
)
WEB_MAX_GAMES = Setting("web.max-games", Integer(1, MAX_LIMIT), lambda: 20_000, "Friend games stored.")
WEB_LOG_LEVEL = Setting(
    "web.log-level",
    Choice("debug", "info", "warning", "error", "critical"),
    lambda: "warning",
    "Least important messages to log.",
)
WEB_LOG_FORMAT = Setting("web.log-format", Choice("text", "json"), lambda: "text", "Log lines of text, or of JSON.")
WEB_ACCESS_LOG = Setting("web.access-log", Flag(), lambda: False, "Log every request.")
WEB_LOG_ADDRESSES = Setting(
    "web.log-addresses",
    Choice("full", "network", "none"),
    lambda: "full",
    "Addresses of clients in the access log: in full, the network alone, or none.",
)
WEB_METRICS = Setting(
    "web.metrics",
    AddressKind(),
    lambda: None,
    "Serve /metrics for Prometheus on a port of its own, by default on loopback.",
)

SETTINGS: tuple[Setting[Any], ...] = (
    DATA,
    DRAWING,
    COLOUR,
    PLAY_GAME,
    PLAY_AGAINST,
    PLAY_FIRST,
    PLAY_SAVE,
    WEB_HOST,
    WEB_PORT,
    WEB_OPEN,
    WEB_NAME,
    WEB_PROXY,
    WEB_WORKERS,
    WEB_WORKER_MEMORY,
    WEB_MAX_CONNECTIONS,
    WEB_MAX_SOCKETS,
    WEB_MAX_REQUESTS,
    WEB_MAX_MESSAGES,
    WEB_MAX_GAMES,
    WEB_LOG_LEVEL,
    WEB_LOG_FORMAT,
    WEB_ACCESS_LOG,
    WEB_LOG_ADDRESSES,
    WEB_METRICS,
)
"""In the order of ``noughts config``: for all commands, for the terminal, for the server."""
