"""Matches between players: plans for ``noughts.arena``, which plays, stores and rates them.

All matches are tournaments in ``bench/out/matches.sqlite3`` (``noughts arena list --store`` shows them). A match that
was interrupted is resumed; one that was played with the same build is not played again.
"""

from __future__ import annotations

import json
import shlex
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import Any

from bench.builds import commit_of, current_build, engine_command
from bench.results import OUT, ROOT, Record, say
from noughts.arena.plan import Plan, Scoring, read_plan
from noughts.arena.ratings import PAIR_SCORES, rate
from noughts.arena.runner import Run
from noughts.arena.schedule import SprtSchedule
from noughts.arena.standings import Tally, pair_scores, sprt_note
from noughts.arena.tournaments import Result, Tournaments
from noughts.arena.worker import LocalWorkers
from noughts.games.evaluation import Weights
from noughts.players import is_builtin_name
from noughts.store import Store

__all__ = ["Match", "MatchResult", "Pairing", "Player", "engine", "opponent", "play_match", "play_plan"]

STORE = OUT / "matches.sqlite3"
OPPONENTS = {
    "easyai": "bench.measure.libraries:EasyAi",
    "spiel-mcts": "bench.measure.libraries:SpielMcts",
    "spiel-alphabeta": "bench.measure.libraries:SpielAlphaBeta",
}
"""Players of other libraries to measure against."""
MARGIN_SECONDS = 10.0
"""A player may be this late: a busy machine must not decide a match."""
MEMORY_MB = 4096


@dataclass(frozen=True)
class Player:
    """A player of a match: the command or name that the arena runs, and the limit of each move."""

    name: str
    run: str
    protocol: str = "auto"
    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None
    clock: str | None = None
    restart: bool = True

    def to_data(self) -> dict[str, Any]:
        """Return the player as a bot of a tournament file."""
        limit = {"seconds": self.seconds, "nodes": self.nodes, "depth": self.depth, "clock": self.clock}
        return {
            "name": self.name,
            "run": self.run,
            "protocol": self.protocol,
            "limit": {key: value for key, value in limit.items() if value is not None} | {"margin": MARGIN_SECONDS},
            "restart": self.restart,
            "memory_mb": MEMORY_MB,
        }


def engine(
    revision: str | None = None,
    threads: int = 1,
    hash_mb: int = 32,
    weights: Weights | None = None,
    network: str | None = None,
    book: bool = True,
    **limit: Any,
) -> Player:
    """Return the engine of a revision, or of this package, as a program.

    ``weights`` and ``network``, a file or ``none``, replace the evaluation of the game.
    """
    words = [*engine_command(revision), "--protocol", "ugi", "--threads", str(threads), "--hash", str(hash_mb)]
    if weights is not None:
        words += ["--weights", json.dumps(weights._asdict())]
    if network is not None:
        words += ["--network", network]
    if not book:
        words.append("--no-book")
    version = f"@{commit_of(revision)}" if revision else ""
    name = f"engine{version}{'*' if weights else ''}{f' x{threads}' if threads > 1 else ''}"
    if network is not None:
        name += f" ({Path(network).stem})"
    return Player(name, shlex.join(words), "ugi", restart=False, **limit)


def opponent(name: str, **limit: Any) -> Player:
    """Return a built-in player, such as a level or ``mcts``, or that of another library, by its name."""
    if is_builtin_name(name):
        return Player(name, name, **limit)
    return Player(name, OPPONENTS[name], "python", **limit)


@dataclass(frozen=True)
class Match:
    """Two players, a game and the number of pairs; ``sprt`` ends it early once one of two Elo differences is accepted.

    ``openings`` is a file of openings; without one they are random, with ``plies`` moves or the game's usual number.
    """

    game: str
    first: Player
    second: Player
    pairs: int
    seed: int = 1
    sprt: tuple[float, float] | None = None
    plies: int | None = None
    openings: str | None = None

    def plan(self) -> Plan:
        """Return the tournament that plays the match."""
        bots = [self.first.to_data(), self.second.to_data()]
        if self.first.name == self.second.name:
            bots[1]["name"] += " (2)"
        data: dict[str, Any] = {"game": self.game, "seed": self.seed, "bots": bots}
        if self.openings is not None:
            data["openings"] = {"file": self.openings}
        elif self.plies is not None:
            data["openings"] = {"plies": self.plies}
        if self.sprt is None:
            data["rounds"] = self.pairs
        else:
            data |= {"format": "sprt", "sprt": {"elo0": self.sprt[0], "elo1": self.sprt[1], "pairs": self.pairs}}
        return read_plan(data, ROOT)

    def __str__(self) -> str:
        return f"{self.game}: {self.first.name} against {self.second.name}"


class Pairing:
    """The playthroughs of two players, from the side of the first one."""

    def __init__(self, plan: Plan, results: Iterable[Result], first: str, second: str) -> None:
        self.first, self.second = first, second
        self.results = [result for result in results if {result.x, result.o} == {first, second}]
        self.record, self.as_x = Tally(), Tally()
        for result in self.results:
            score = result.scores(Scoring.RESULT)[0 if result.x == first else 1]
            self.record.add(score)
            if result.x == first:
                self.as_x.add(score)
        # Numbers of the plan follow its order, which is that of `first` and `second`.
        scores = [replace(pair, first=0, second=1) for pair in pair_scores(plan, self.results)]
        whole = Counter(pair.points / 2 for pair in scores if pair.played == 2)
        self.pairs = [whole[score] for score in PAIR_SCORES]
        """The number of pairs in which the first player scored 0, ½, 1, 1½ and 2 points."""
        self._ratings = rate(2, scores)

    @property
    def elo(self) -> tuple[float | None, float | None, float | None]:
        """The Elo difference and the ends of its 95 % interval; None is infinite."""
        difference = self._ratings.difference(0, 1)
        low, high = round(difference.elo - difference.error, 1), round(difference.elo + difference.error, 1)
        if not self._ratings.has_prior:
            return round(difference.elo, 1), low, high
        # All won or all lost: no finite rating fits, and the interval is bounded on one side only.
        return (None, low, None) if self.record.share > 0.5 else (None, None, high)

    @property
    def elo_text(self) -> str:
        """The Elo difference with its interval, as in ``+35 [-2, +71]``."""
        elo, low, high = ("∞" if each is None else f"{each:+.0f}" for each in self.elo)
        return f"{elo} [{low}, {high}]"

    def forfeits_of(self, name: str) -> int:
        """Return how many playthroughs a player lost by a failure: a crash, a late or an illegal move."""
        return sum(result.failure is not None and result.loser == name for result in self.results)


class MatchResult:
    """The results of a match, from the first player's side."""

    def __init__(self, match: Match, run: Run) -> None:
        self.match = match
        self.pairing = Pairing(run.plan, run.counted, *run.plan.names)
        self.note = sprt_note(run.schedule) if isinstance(run.schedule, SprtSchedule) else ""

    @property
    def results(self) -> list[Result]:
        """The playthroughs."""
        return self.pairing.results

    @property
    def score(self) -> float:
        return self.pairing.record.share

    @property
    def wins_as_x(self) -> int:
        """The number of playthroughs that the first player won moving first."""
        return self.pairing.as_x.won

    @property
    def elo(self) -> tuple[float | None, float | None, float | None]:
        """The Elo difference and the ends of its 95 % interval; None is infinite."""
        return self.pairing.elo

    def to_data(self) -> Record:
        """Return the match and its result as plain data."""
        record = self.pairing.record
        elo, low, high = self.elo
        return {
            "game": self.match.game,
            "first": self.match.first.name,
            "second": self.match.second.name,
            "score": self.score,
            "pairs": record.played // 2,
            "wins": record.won,
            "draws": record.drawn,
            "losses": record.lost,
            "elo": elo,
            "elo_low": low,
            "elo_high": high,
        }

    def __str__(self) -> str:
        record = self.pairing.record
        text = f"{self.score:.1%} +{record.won} ={record.drawn} -{record.lost}  Elo {self.pairing.elo_text}"
        return f"{text}\n{self.note}" if self.note else text


def play_match(match: Match, concurrency: int = 1, path: Path | None = None) -> MatchResult:
    """Play a match, or what is left of it, and return its result; raises RuntimeError if a player failed."""
    run = play_plan(match.plan(), concurrency, path)
    failed = next((result for result in run.counted if result.failure is not None), None)
    if failed is not None:
        raise RuntimeError(f"{match}: {failed.loser} failed: {failed.detail}")
    return MatchResult(match, run)


def play_plan(plan: Plan, concurrency: int = 1, path: Path | None = None, seconds: float = inf) -> Run:
    """Play a tournament, or what is left of it, and return it; after ``seconds`` no playthrough begins."""
    source = f"bench {current_build()}"
    with Store(path or STORE) as store:
        tournaments = Tournaments(store)
        number = tournaments.find(plan, source) or tournaments.add(plan, source)
        run = Run(tournaments, number, plan)
        run.play(LocalWorkers(plan, concurrency), [_Progress()], seconds)
    return run


class _Progress:
    """Prints the score of the first player twenty times."""

    def begin(self, run: Run) -> None:
        pass

    def on_result(self, run: Run, result: Result) -> None:
        done = len(run.results)
        if done % max(2, run.total // 20) == 0 or done == run.total:
            name = run.plan.names[0]
            scores = [dict(zip((r.x, r.o), r.scores(Scoring.RESULT), strict=True)) for r in run.results.values()]
            own = [each[name] for each in scores if name in each]
            share = f"{sum(own) / len(own):.1%}" if own else "–"
            say(f"{run.plan.game.id}: {' against '.join(run.plan.names)}  {done}/{run.total}  {share}")

    def tick(self, run: Run) -> None:
        pass

    def end(self, run: Run) -> None:
        pass
