"""A build of the engine behind JSON lines, so that two versions can play each other.

Run by itself, with only that build on the path; it uses nothing but what every build has. First line in:
``{"threads", "hash_mb", "weights"}``; then ``{"new": true}`` forgets, and ``{"game", "moves", "seconds", "depth",
"nodes"}`` asks for a move, answered by ``{"move", "score", "value", "depth", "nodes", "seconds"}``.
"""

from __future__ import annotations

import json
import sys
from functools import cache
from typing import Any

from noughts import Engine, Game, Limit, Position
from noughts.games.evaluation import Weights

__all__ = ["Server", "game_with_weights"]


def game_with_weights(id: str, weights: dict[str, Any] | None) -> Game:
    """Return a game that judges positions by other weights; None leaves them as they are."""
    return Game(id, None if weights is None else Weights(**weights))


class Server:
    """The engine that answers requests; also used without a process of its own."""

    def __init__(self, setup: dict[str, Any]) -> None:
        self.engine = Engine(threads=setup.get("threads") or 1, hash_mb=setup.get("hash_mb") or 32)
        self.weights = setup.get("weights")
        self._game = cache(lambda id: game_with_weights(id, self.weights))

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to one request."""
        if request.get("new"):
            self.engine.clear()
            return {}
        limit = Limit(**{key: request[key] for key in ("seconds", "depth", "nodes") if request.get(key)})
        found = self.engine.search(self.position(request["game"], request["moves"]), limit)
        return {key: getattr(found, key) for key in ("move", "score", "value", "depth", "nodes", "seconds")}

    def position(self, id: str, moves: list[int]) -> Position:
        """Return the position after some moves."""
        position: Position = self._game(id).start()
        for move in moves:
            position.play(move)
        return position


def main() -> None:
    server = Server(json.loads(sys.stdin.readline()))
    for line in sys.stdin:
        print(json.dumps(server.answer(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
