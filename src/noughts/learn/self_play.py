"""Self-play for the rows of a round: on this machine, or on a Ray cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, Protocol

from noughts import _core
from noughts.games import Game
from noughts.json_types import JsonObject
from noughts.process.tasks import RayTasks, run_tasks

__all__ = ["Chunk", "LocalSelfPlay", "RaySelfPlay", "SelfPlayer"]


class Chunk(NamedTuple):
    """The playthroughs of one file: the number of the file in its round, of its first playthrough, and their number."""

    number: int
    first: int
    size: int


class SelfPlayer(Protocol):
    def play(
        self, chunks: Sequence[Chunk], network: bytes | None, progress: Callable[[int], object]
    ) -> Iterator[tuple[Chunk, bytes]]:
        """Yield each chunk with its rows, without a header; ``progress`` is called with the playthroughs done."""


class LocalSelfPlay:
    """Plays in threads of this process."""

    def __init__(self, game: Game, seed: int, nodes: int, threads: int) -> None:
        self._game, self._seed, self._nodes, self._threads = game, seed, nodes, threads

    def play(
        self, chunks: Sequence[Chunk], network: bytes | None, progress: Callable[[int], object]
    ) -> Iterator[tuple[Chunk, bytes]]:
        """Yield the chunks one after the other."""
        before = 0
        for chunk in chunks:

            def report(done: int, before: int = before) -> None:
                progress(before + done)

            rows = _core.self_play(
                self._game._core, network, chunk.first, chunk.size, self._seed, self._nodes, self._threads, report
            )
            before += chunk.size
            progress(before)
            yield chunk, rows


class RaySelfPlay:
    """Plays chunks on a Ray cluster, each on one core."""

    def __init__(self, game: Game, seed: int, nodes: int) -> None:
        self._game, self._seed, self._nodes = game, seed, nodes

    def play(
        self, chunks: Sequence[Chunk], network: bytes | None, progress: Callable[[int], object]
    ) -> Iterator[tuple[Chunk, bytes]]:
        """Yield the chunks in the order in which they are done."""
        tasks = RayTasks[Chunk](_play_chunk, lambda chunk: f"self-play, file {chunk.number + 1}")
        game, done = self._game.to_data(), 0
        calls = ((chunk, (game, network, self._seed, self._nodes, chunk.first, chunk.size)) for chunk in chunks)
        for chunk, rows in run_tasks(tasks, calls):
            done += chunk.size
            yield chunk, rows
            progress(done)


def _play_chunk(game: str | JsonObject, network: bytes | None, seed: int, nodes: int, first: int, count: int) -> bytes:
    return _core.self_play(Game.from_data(game)._core, network, first, count, seed, nodes, 1)
