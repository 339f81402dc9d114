"""Every setting. The commands, ``noughts config``, the documentation and the tests read this table."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any, Literal

from noughts.schema import Flag, Range
from noughts.settings.kinds import Address, Folder, Printable, check_host_name, check_network
from noughts.settings.setting import Setting

MIN_WORKERS, MAX_WORKERS = 2, 64
MAX_DEFAULT_WORKERS = 8
MIN_WORKER_MB, MAX_WORKER_MB = 512, 1 << 20
MAX_LIMIT = 1_000_000


def _data_folder() -> Path:
    import platformdirs

    return Path(platformdirs.user_data_dir("noughts", appauthor=False))


def _default_workers() -> int:
    return max(MIN_WORKERS, min(MAX_DEFAULT_WORKERS, os.cpu_count() or 1))


def _limit(name: str, about: str) -> Setting[int | None]:
    """Return the setting of a limit, which depends on the address of the server if it is auto."""
    kind = Annotated[int, Range(1, MAX_LIMIT, ", or auto")]
    return Setting(name, kind, lambda: None, about, metavar="N|auto", none="auto")


DATA = Setting(
    "data",
    Folder,
    _data_folder,
    "Folder of the saved games, solved positions and tournaments.",
    "the user's data folder",
)
DRAWING = Setting(
    "drawing",
    Literal["auto", "ascii", "unicode"],
    lambda: "auto",
    "How boards are drawn: with letters and punctuation, with lines, or as the terminal allows.",
)
COLOUR = Setting("colour", Flag, lambda: True, "Colours on a terminal that has them.")

PLAY_GAME = Setting(
    "play.game",
    Annotated[str, Printable("a game: an id, an alias or a file")],
    lambda: "tictactoe",
    "The game that is offered first when none is named.",
)
PLAY_AGAINST = Setting(
    "play.against",
    Annotated[str, Printable("an opponent: friend, random, a level, elo:N or a program")],
    lambda: "difficult",
    "Your opponent; --first decides who begins.",
)
PLAY_FIRST = Setting("play.first", Literal["you", "friend", "engine", "coin"], lambda: "you", "Who begins.")
PLAY_SAVE = Setting("play.save", Flag, lambda: True, "Whether to save the game for noughts games and stats.")

WEB_HOST = Setting(
    "web.host", Annotated[str, Printable("an address")], lambda: "127.0.0.1", "Address to listen on.", metavar="ADDRESS"
)
WEB_PORT = Setting("web.port", Annotated[int, Range(0, 65535)], lambda: 8000, "Port to listen on; 0 takes a free one.")
WEB_OPEN = Setting("web.open", Flag, lambda: True, "Open the page in the browser.")
WEB_NAME: Setting[tuple[str, ...]] = Setting(
    "web.name",
    Annotated[str, Printable("a host name such as games.example.org", accepts=check_host_name)],
    tuple,
    "Host name to answer to, repeatable; * for any.",
    "addresses, own name",
    metavar="HOST",
    is_list=True,
)
WEB_PROXY: Setting[tuple[str, ...]] = Setting(
    "web.proxy",
    Annotated[str, Printable("an address or a network such as 10.0.0.0/8", accepts=check_network)],
    tuple,
    "Address or network of a proxy whose X-Forwarded-For is trusted, repeatable.",
    "none",
    metavar="ADDRESS",
    is_list=True,
)
WEB_LOBBY = Setting("web.lobby", Flag, lambda: False, "List open challenges: visitors meet without sending links.")
WEB_WORKERS = Setting(
    "web.workers",
    Annotated[int, Range(MIN_WORKERS, MAX_WORKERS)],
    _default_workers,
    "Number of engines for long questions.",
    f"one for each core, {MIN_WORKERS} to {MAX_DEFAULT_WORKERS}",
)
WEB_WORKER_MEMORY = Setting(
    "web.worker-memory",
    Annotated[int, Range(MIN_WORKER_MB, MAX_WORKER_MB)],
    lambda: 1024,
    "Megabytes of memory for each engine (Linux).",
)
WEB_MAX_CONNECTIONS = _limit("web.max-connections", "Connections of a client for requests.")
WEB_MAX_SOCKETS = _limit("web.max-sockets", "Websockets of a client.")
WEB_MAX_REQUESTS = _limit("web.max-requests", "Requests of a client a second.")
WEB_MAX_MESSAGES = _limit("web.max-messages", "Messages of a client a second, on all of its websockets.")
WEB_MAX_GAMES = Setting("web.max-games", Annotated[int, Range(1, MAX_LIMIT)], lambda: 20_000, "Friend games stored.")
WEB_LOG_LEVEL = Setting(
    "web.log-level",
    Literal["debug", "info", "warning", "error", "critical"],
    lambda: "warning",
    "Lowest level of messages to log.",
)
WEB_LOG_FORMAT = Setting("web.log-format", Literal["text", "json"], lambda: "text", "Log lines of text, or of JSON.")
WEB_ACCESS_LOG = Setting("web.access-log", Flag, lambda: False, "Log every request.")
WEB_LOG_ADDRESSES = Setting(
    "web.log-addresses",
    Literal["full", "network", "none"],
    lambda: "full",
    "Addresses of clients in the access log: in full, the network alone, or none.",
)
WEB_METRICS = Setting(
    "web.metrics",
    Address,
    lambda: None,
    "Serve /metrics for Prometheus on a port of its own, by default on loopback.",
    metavar="[HOST:]PORT|off",
    none="off",
)

SETTINGS: tuple[Setting[Any], ...] = tuple(each for each in [*globals().values()] if isinstance(each, Setting))
"""In the order of ``noughts config``: for all commands, for the terminal, for the server."""
WEB_SETTINGS = tuple(each for each in SETTINGS if each.name.startswith("web."))
