"""Measures how many wins by threats the engine finds, on a suite of positions from self-play.

``python -m bench.measure.threat_suite`` gives the engine one second for each position of ``bench/suites/threats.txt``
and prints the share it proves won, and the median time; ``--positions 30`` takes an even sample. ``--make`` generates
the suite: it plays the engine against itself and keeps positions that a long search for threats and threats of a fork
has proven won, at most two of a playthrough, without those that threats alone or a short search win.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import perf_counter

from bench.results import ROOT, say
from noughts import Engine, Game, Limit, Position, Value, _core
from noughts.arena.openings import random_opening

__all__ = ["SUITE", "Problem", "Solved", "collect", "main", "read_suite", "solve"]

SUITE = ROOT / "bench" / "suites" / "threats.txt"
SHARES = {"15x15:5": 260, "15x15:5+exact": 20, "20x20:5": 20}
"""The number of positions of each game in the suite."""
LEAST_PLIES, MOST_PLIES = 9, 21
PLAYING = Limit(nodes=12_000)
LONG_SEARCH_NODES, SHORT_SEARCH_NODES, CHAIN_NODES = 500_000, 500, 20_000
MOST_OF_A_PLAYTHROUGH, APART_PLIES, LAST_PLY = 2, 4, 90


@dataclass(frozen=True)
class Problem:
    """A won position and the number of plies in which a long search has proven the win."""

    game: str
    text: str
    plies: int

    def position(self) -> Position:
        return Game(self.game).parse(self.text)

    def __str__(self) -> str:
        return f"{self.plies} {self.game} {self.text}"


@dataclass(frozen=True)
class Solved:
    """The result of a run: the number of positions, those proven won, and the seconds for each of these."""

    positions: int
    seconds: tuple[float, ...]

    @property
    def share(self) -> float:
        return len(self.seconds) / self.positions

    def __str__(self) -> str:
        median = f"{statistics.median(self.seconds) * 1000:.0f} ms" if self.seconds else "none"
        return f"{len(self.seconds)} of {self.positions} solved ({self.share:.1%}), median {median}"


def read_suite(path: Path = SUITE, positions: int | None = None) -> list[Problem]:
    """Return the problems of a suite, or an even sample of them."""
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    count = min(positions or len(lines), len(lines))
    chosen = [lines[i * len(lines) // count] for i in range(count)]
    found = []
    for line in chosen:
        plies, game, text = line.split(" ", 2)
        found.append(Problem(game, text, int(plies)))
    return found


def solve(problems: list[Problem], limit: Limit) -> Solved:
    """Return how many problems a fresh engine proves won within a limit each."""
    seconds = []
    for number, problem in enumerate(problems, 1):
        start = perf_counter()
        result = Engine(hash_mb=64).search(problem.position(), limit)
        if result.value == Value.WIN:
            seconds.append(perf_counter() - start)
        if number % 25 == 0:
            say(f"{number}/{len(problems)}  {len(seconds) / number:.1%}")
    return Solved(len(problems), tuple(seconds))


def collect(game_id: str, count: int, seed: str = "suite") -> Iterator[Problem]:
    """Generate problems of a game from self-play."""
    number = found = 0
    while found < count:
        for problem in _problems_of(_playthrough(Game(game_id), f"{seed} {number}"), Random(f"{seed} {number}")):
            if found < count:
                yield problem
            found += 1
        number += 1


def _playthrough(game: Game, seed: str) -> Position:
    position = random_opening(game, seed).position(game)
    engines = Engine(hash_mb=8, book=False), Engine(hash_mb=8, book=False)
    while not position.is_over and len(position.moves) < LAST_PLY:
        position.play(engines[len(position.moves) % 2].search(position, PLAYING).move)
    return position


def _problems_of(played: Position, random: Random) -> Iterator[Problem]:
    """Generate the problems of a playthrough, its plies taken in random order."""
    moves, taken = played.moves, list[int]()
    plies = list(range(6, len(moves) - 4))
    random.shuffle(plies)
    for ply in plies:
        if len(taken) == MOST_OF_A_PLAYTHROUGH:
            return
        if any(abs(ply - other) < APART_PLIES for other in taken):
            continue
        position = played.game.start()
        for move in moves[:ply]:
            position.play(move)
        if _core.forced_win(position, CHAIN_NODES) or _core.fork_threat_win(position, SHORT_SEARCH_NODES)[0]:
            continue
        win, _ = _core.fork_threat_win(position, LONG_SEARCH_NODES)
        if LEAST_PLIES <= win <= MOST_PLIES:
            taken.append(ply)
            yield Problem(played.game.id, position.text, win)


def _make(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        print("# Won by threats: plies, game, position. By python -m bench.measure.threat_suite --make", file=file)
        for game, count in SHARES.items():
            for number, problem in enumerate(collect(game, count), 1):
                print(problem, file=file, flush=True)
                if number % 10 == 0:
                    say(f"{game}: {number}/{count}")


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.measure.threat_suite",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--positions", type=int, help="take an even sample of this size")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each position")
    parser.add_argument("--suite", type=Path, default=SUITE)
    parser.add_argument("--make", action="store_true", help="generate the suite instead")
    options = parser.parse_args(arguments)
    if options.make:
        _make(options.suite)
    else:
        print(solve(read_suite(options.suite, options.positions), Limit(seconds=options.seconds)))


if __name__ == "__main__":
    main()
