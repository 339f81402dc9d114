"""Where the server listens and how much it grants to each client."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path

from noughts._core import MAX_CELLS

__all__ = ["Allowance", "Settings", "is_loopback"]

BODY_BYTES = 256 * 1024
"""The largest request and the largest websocket frame: a game of one's own with some thousand lines fits."""

MOST = {
    "move_seconds": 10.0,
    "analysis_seconds": 60.0,
    "review_seconds": 30.0,
    "solve_seconds": 60.0,
    "compare_seconds": 2.0,
    "trace_nodes": 5000,
    "moves": MAX_CELLS,
}
"""The most one request may ask for."""


@dataclass(frozen=True)
class Allowance:
    """What one client may use: a rate is so many at once and so many a second after that."""

    files: tuple[float, float]
    """Files of the page, some thirty each time it is opened."""
    requests: tuple[float, float]
    games_made: tuple[float, float]
    """Friend games made, joined or begun again."""
    games_kept: tuple[float, float]
    messages: tuple[float, float]
    """On one websocket."""
    all_messages: tuple[float, float]
    """On all of them, those that were closed as well."""
    engine_seconds: tuple[float, float]
    sockets: int
    connections: int
    """Connections for requests; a browser opens some six."""
    waiting: int
    """Jobs for the engine that may wait at a time."""
    workers_left: int = 0
    """Workers that a client leaves to others, however much it asks."""
    friend_games: int = 20_000
    """How many friend games are kept in all."""
    shelf: int = 500
    """How many games one shelf holds."""
    shelved: int = 50_000
    """How many games all shelves hold."""


AT_HOME = Allowance(
    files=(2000, 500),
    requests=(2000, 500),
    games_made=(2000, 50),
    games_kept=(2000, 50),
    messages=(100, 50),
    all_messages=(10_000, 2000),
    engine_seconds=(7200, 2),
    sockets=1000,
    connections=1000,
    waiting=16,
)
"""On loopback every client is the person at this machine: enough to stop a script gone wild."""

ON_A_NETWORK = Allowance(
    files=(2000, 200),
    requests=(300, 40),
    games_made=(100, 0.5),
    games_kept=(200, 0.2),
    messages=(40, 10),
    all_messages=(300, 100),
    engine_seconds=(600, 1),
    sockets=128,
    connections=256,
    waiting=16,
    workers_left=1,
)
"""Enough for a classroom behind one address."""


def is_loopback(host: str) -> bool:
    """Return whether an address or name can only be reached from this machine."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True)
class Settings:
    """How the server runs. ``names`` are the host names it answers to on a network; none means any."""

    host: str = "127.0.0.1"
    port: int = 8000
    names: tuple[str, ...] = ()
    behind_proxy: bool = False
    store: Path | None = None
    longest_answer: float = 10.0
    """Seconds an analysis without a websocket may take."""
    workers: int = field(default_factory=lambda: max(2, min(8, os.cpu_count() or 1)))
    allowance: Allowance | None = None

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach it."""
        return is_loopback(self.host) and not self.behind_proxy

    @property
    def granted(self) -> Allowance:
        """What each client may use."""
        return self.allowance or (AT_HOME if self.is_local else ON_A_NETWORK)
