"""Matches of paired playthroughs: each opening is played twice, with sides exchanged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from bench.elo import Estimate, estimate, likelihood_ratio
from bench.openings import TRIES, opening
from bench.players import Player, PlayerSpec, make_player
from bench.results import OUT, append, digest, load, say
from noughts import Game, Side

__all__ = ["Match", "play_match", "play_pair"]

Pair = tuple[float, float]
MATCHES = OUT / "matches"


@dataclass(frozen=True)
class Match:
    """Two players, a game, and how many pairs they play; ``seed`` chooses the openings."""

    game: str
    first: PlayerSpec
    second: PlayerSpec
    pairs: int
    seed: int = 0

    @property
    def key(self) -> dict[str, Any]:
        """What results depend on, apart from how many there are."""
        return {
            "game": self.game,
            "first": self.first.key,
            "second": self.second.key,
            "seed": self.seed,
            "tries": TRIES,
        }

    @property
    def path(self) -> Path:
        """Where the results are kept."""
        return MATCHES / f"{self.game.replace(':', '-')}-{digest(self.key)}.jsonl"

    def __str__(self) -> str:
        return f"{self.game}: {self.first} against {self.second}"


def play_pair(game: Game, first: Player, second: Player, moves: Sequence[int], seed: int) -> Pair:
    """Play one opening with both sides; return the first player's results as X and as O."""
    as_x = _play_one(game, {Side.X: first, Side.O: second}, moves, seed)
    as_o = _play_one(game, {Side.O: first, Side.X: second}, moves, seed)
    return as_x, 1 - as_o


def _play_one(game: Game, players: dict[Side, Player], moves: Sequence[int], seed: int) -> float:
    """X's result: 1, ½ or 0."""
    position = game.start()
    for move in moves:
        position.play(move)
    for side, player in players.items():
        player.new(2 * seed + (side is Side.O))
    while position.turn is not None:
        position.play(players[position.turn].choose(position))
    return 0.5 if position.winner is None else float(position.winner is Side.X)


def play_match(match: Match, concurrency: int = 1, sprt: tuple[float, float] | None = None) -> Estimate:
    """Play what is missing of a match and return what all its pairs say.

    With ``sprt`` it ends early once one of the two Elo differences is accepted over the other.
    """
    results = _known(match)
    missing = [index for index in range(match.pairs) if index not in results]
    if not match.path.exists():
        append(match.path, {"match": match.key, "title": str(match)})
    for record in _play_missing(match, missing, concurrency):
        append(match.path, record)
        results[record["pair"]] = tuple(record["results"])
        _report(match, results)
        if sprt and _is_settled(results, sprt):
            break
    # The sequence number decides which pairs count, so that a resumed match equals an uninterrupted one.
    return estimate([results[index] for index in sorted(results)])


def _known(match: Match) -> dict[int, Pair]:
    records = [record for record in load(match.path) if "pair" in record and record["pair"] < match.pairs]
    return {record["pair"]: tuple(record["results"]) for record in records}


def _is_settled(results: dict[int, Pair], sprt: tuple[float, float]) -> bool:
    scores = [sum(pair) / 2 for pair in results.values()]
    return len(scores) >= 10 and abs(likelihood_ratio(scores, *sprt)) >= 2.94


def _report(match: Match, results: dict[int, Pair]) -> None:
    step = max(1, match.pairs // 20)
    if len(results) % step == 0 or len(results) == match.pairs:
        say(f"{match}  {len(results)}/{match.pairs}  {estimate(list(results.values()))}")


def _play_missing(match: Match, missing: list[int], concurrency: int) -> Iterator[dict[str, Any]]:
    if concurrency == 1:
        table = _Table(match)
        try:
            for index in missing:
                yield table.play(index)
        finally:
            table.close()
        return
    with ProcessPoolExecutor(concurrency) as pool:
        yield from pool.map(partial(_play_in_pool, match), missing)


class _Table:
    """Two players who have sat down to a match."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.game = Game(match.game)
        self.players = make_player(match.first), make_player(match.second)

    def play(self, index: int) -> dict[str, Any]:
        seed = self.match.seed * 1_000_000 + index
        moves = opening(self.game, seed)
        results = play_pair(self.game, *self.players, moves, seed)
        return {"pair": index, "opening": moves, "results": results}

    def close(self) -> None:
        for player in self.players:
            player.close()


_tables: dict[str, _Table] = {}


def _play_in_pool(match: Match, index: int) -> dict[str, Any]:
    name = digest(match.key)
    if name not in _tables:
        _tables[name] = _Table(match)
    return _tables[name].play(index)
