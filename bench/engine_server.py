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

from noughts import Engine, Game, Limit, Position, _core

__all__ = ["Server", "game_with_weights"]


def game_with_weights(id: str, weights: dict[str, Any] | None) -> Game:
    """Return a game that judges positions by other weights; None leaves them as they are."""
    base = Game(id)
    if weights is None:
        return base
    data = base._data
    core = _core.make_game(
        cells=data.cells,
        lines=list(zip(data.lines, data.guards, strict=True)),
        rests_on=data.rests_on,
        block_of=data.block_of,
        sends=data.sends,
        outer_lines=data.outer_lines,
        misere=data.misere,
        count=data.counts_blocks,
        open=data.open,
        weights=_core.Weights(**weights),
    )
    game = Game.__new__(Game)
    game._set(base.id, base.spec, data, core, base._notation)
    return game


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
