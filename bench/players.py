"""Who plays in matches: the engine as it is, earlier builds of it, the levels, and peers."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

from bench.builds import build_of, current_build, name_of
from bench.engine_server import Server
from noughts import LEVELS, Limit, Position, level
from noughts.engine import Level

__all__ = ["Player", "PlayerSpec", "make_player"]

SERVER = Path(__file__).with_name("engine_server.py")


class Player(Protocol):
    """Whoever plays a match. It may remember what it learned from move to move, but not beyond ``new``."""

    def new(self, seed: int) -> None:
        """Begin a new playthrough, forgetting the last."""

    def choose(self, position: Position) -> int:
        """Return a legal move."""

    def close(self) -> None:
        """Give back what it holds."""


@dataclass(frozen=True)
class PlayerSpec:
    """A player as plain data.

    ``kind`` is ``engine`` (of ``revision``, or as it is here), a level's name, ``uct``, ``easyai``, ``mcts`` or
    ``alphabeta`` (the last two are OpenSpiel's).
    """

    kind: str = "engine"
    revision: str | None = None
    weights: dict[str, Any] | None = None
    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None
    threads: int = 1
    hash_mb: int = 32

    @property
    def limit(self) -> dict[str, Any]:
        """The limits that are given."""
        given = {"seconds": self.seconds, "nodes": self.nodes, "depth": self.depth}
        return {key: value for key, value in given.items() if value is not None}

    @property
    def key(self) -> dict[str, Any]:
        """What tells this player from others, the build it runs on included."""
        build = name_of(self.revision) if self.revision else current_build()
        given = {key: value for key, value in asdict(self).items() if value is not None}
        return given | ({"build": build} if self.kind == "engine" or self.kind in LEVELS else {})

    def __str__(self) -> str:
        of = f"@{self.revision}" if self.revision else ""
        limits = ",".join(f"{key}={value:g}" for key, value in self.limit.items())
        threads = f" x{self.threads}" if self.threads > 1 else ""
        return f"{self.kind}{of}{'*' if self.weights else ''}{threads}({limits})"


def make_player(spec: PlayerSpec) -> Player:
    """Return the player a description asks for."""
    if spec.kind == "engine":
        setup = {"threads": spec.threads, "hash_mb": spec.hash_mb, "weights": spec.weights}
        if spec.revision:
            return _Remote(build_of(spec.revision), setup, spec.limit)
        return _Local(setup, spec.limit)
    if spec.kind in LEVELS:
        return _Level(Level(spec.kind), spec)
    if spec.kind == "uct":
        from bench.uct import UctPlayer

        return UctPlayer(spec.seconds, spec.nodes)
    from bench.peers import make_peer

    peer: Player = make_peer(spec.kind, spec.seconds, spec.nodes, spec.depth)
    return peer


class _Local:
    def __init__(self, setup: dict[str, Any], limit: dict[str, Any]) -> None:
        self._server = Server(setup)
        self._limit = limit

    def new(self, seed: int) -> None:
        self._server.answer({"new": True})

    def choose(self, position: Position) -> int:
        request = {"game": position.game.id, "moves": position.moves} | self._limit
        return int(self._server.answer(request)["move"])

    def close(self) -> None:
        pass


class _Remote:
    """A build in a process of its own, with nothing but that build on its path."""

    def __init__(self, build: Path, setup: dict[str, Any], limit: dict[str, Any]) -> None:
        # -S keeps the site packages out, where the build under development would come first.
        self._process = subprocess.Popen(
            [sys.executable, "-S", str(SERVER)],
            env={"PYTHONPATH": str(build), "PATH": ""},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._limit = limit
        self._send(setup)

    def _send(self, request: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdout is not None
        self._send(request)
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def new(self, seed: int) -> None:
        self._ask({"new": True})

    def choose(self, position: Position) -> int:
        return int(self._ask({"game": position.game.id, "moves": position.moves} | self._limit)["move"])

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()


class _Level:
    def __init__(self, name: Level, spec: PlayerSpec) -> None:
        self._name = name
        self._limit = Limit(**spec.limit) if spec.limit else None
        self._level = level(self._name)

    def new(self, seed: int) -> None:
        self._level = level(self._name, seed=seed, limit=self._limit)

    def choose(self, position: Position) -> int:
        return self._level.choose(position)

    def close(self) -> None:
        pass
