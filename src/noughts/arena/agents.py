"""The benchmark of agents: fixed positions with exact values, and fixed openings against the rated levels.

``measure_regret`` and ``measure_return`` take any opened player; ``bench_agent`` runs all of it. The positions and the
openings are data of the package, made by ``python -m bench.train.agent_suite``, so that results of different
versions can be compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache
from itertools import cycle, islice
from statistics import fmean

from noughts.arena.openings import Opening
from noughts.arena.ratings import PairScore, rate_against
from noughts.engine import Limit
from noughts.engine.ratings import ratings_of
from noughts.games import Game, Position, Side, Value
from noughts.match import Match, play_out
from noughts.packaged import read_packaged
from noughts.players import HostedPlayer, PlayerFailed, open_player
from noughts.schema import loads, read

__all__ = [
    "OPPONENTS",
    "AgentScore",
    "ExactPosition",
    "GameScore",
    "OpponentScore",
    "RegretScore",
    "bench_agent",
    "exact_positions",
    "measure_regret",
    "measure_return",
    "suite_games",
    "suite_openings",
]

SUITE = "arena/agent_suite.json"
OPPONENTS = ("random", "beginner", "easy", "difficult", "insane")
"""The levels that an agent meets: ``master`` would take a second for each move."""
VALUES = {"w": Value.WIN, "d": Value.DRAW, "l": Value.LOSS}
"""The letters for values in the file of the suite."""

Progress = Callable[[int, int, str], object]
"""Called with the number of steps done, their total, and a word about the step; may raise to end the benchmark."""


@dataclass(frozen=True)
class ExactPosition:
    """A position in which some moves are better than others, with the proven value of every legal move."""

    position: Position
    values: dict[int, Value]
    """By move, for the side that makes it."""

    def regret(self, move: int | None) -> int:
        """Return how much of the value a move gives away: 0, 1 or 2; no move at all loses."""
        reached = Value.LOSS if move is None else self.values[move]
        return max(value.number for value in self.values.values()) - reached.number


@dataclass(frozen=True)
class RegretScore:
    """The answers of an agent in positions with exact values."""

    positions: int
    mistakes: int
    """Moves that gave something away."""
    failures: int
    """Positions without a legal answer in time; each counts as a lost game."""
    mean: float
    """The mean regret of a move."""


@dataclass(frozen=True)
class OpponentScore:
    """The results of an agent against a level."""

    opponent: str
    wins: int
    draws: int
    losses: int
    failures: int
    """Losses by an illegal move, a crash or a late answer."""

    mean_return: float
    """The mean of 1 for a win, 0 for a draw and -1 for a loss."""


@dataclass(frozen=True)
class GameScore:
    """The result of an agent in one game."""

    game: str
    mean_return: float
    """Over all opponents."""
    regret: RegretScore | None
    """None in a game without exact values."""
    elo: int
    error: int | None
    """Half the width of the 95% interval of the Elo; None if the agent won or lost everything, so it is a bound."""
    opponents: tuple[OpponentScore, ...]


@dataclass(frozen=True)
class AgentScore:
    """The result of the benchmark for one agent."""

    agent: str
    suite: int
    """The version of the positions and openings; results of different versions cannot be compared."""
    pairs: int
    """Openings against each opponent, each played with both sides."""
    seed: int
    seconds: float | None
    """The time for a move of the agent, if it had a limit."""
    games: tuple[GameScore, ...]


@dataclass(frozen=True)
class GameSuite:
    """The fixed openings and positions of a game, as the file of the suite has them."""

    openings: tuple[tuple[int, ...], ...] = ((),)
    positions: tuple[tuple[str, ...], ...] = ()
    """Each a position string, and the letter of the value of every legal move."""


@dataclass(frozen=True)
class AgentSuite:
    """The file of the suite."""

    version: int
    games: dict[str, GameSuite]


@cache
def _suite() -> AgentSuite:
    return read(AgentSuite, loads(read_packaged(SUITE)))


def _suite_game(game: Game) -> GameSuite:
    return _suite().games.get(game.id, GameSuite())


def suite_games() -> tuple[str, ...]:
    """Return the ids of the games in the benchmark.

    >>> suite_games()
    ('3x3', '7x6:4+gravity', '4x4x4', 'ultimate:3')
    """
    return tuple(_suite().games)


def suite_openings(game: Game) -> list[Opening]:
    """Return the openings of a game, which give neither side much of an advantage; else the empty board."""
    return [Opening(None, moves) for moves in _suite_game(game).openings]


def exact_positions(game: Game) -> list[ExactPosition]:
    """Return the positions with exact values of a game, none if it is not in the suite or cannot be solved quickly.

    >>> first = exact_positions(Game("7x6:4+gravity"))[0]
    >>> sorted({first.regret(move) for move in first.position.legal_moves})[0]
    0
    """
    return [_exact_position(game, *each) for each in _suite_game(game).positions]


def _exact_position(game: Game, text: str, letters: str) -> ExactPosition:
    position = game.parse(text)
    values = {move: VALUES[letter] for move, letter in zip(position.legal_moves, letters, strict=True)}
    return ExactPosition(position, values)


def measure_regret(
    player: HostedPlayer,
    positions: Sequence[ExactPosition],
    limit: Limit | None = None,
    progress: Callable[[], object] = lambda: None,
) -> RegretScore:
    """Return the regret of a player's moves; ``progress`` is called after each of them."""
    regrets, failures = [], 0
    for each in positions:
        try:
            player.new_game(each.position)
            move = player.choose(each.position, limit)
        except PlayerFailed:
            move, failures = None, failures + 1
        regrets.append(each.regret(move))
        progress()
    return RegretScore(len(regrets), sum(map(bool, regrets)), failures, round(fmean(regrets), 4))


def measure_return(
    player: HostedPlayer,
    game: Game,
    opponent: str,
    pairs: int,
    seed: int = 1,
    limit: Limit | None = None,
    progress: Callable[[], object] = lambda: None,
) -> tuple[OpponentScore, list[float]]:
    """Play against a level, each opening with both sides; returns the results and the points of each pair, 0 to 2.

    ``progress`` is called after each playthrough.
    """
    results, points = [], list[float]()
    for number, opening in enumerate(_openings_for(player, game, pairs)):
        pair = [_play(player, game, opening, side, opponent, f"{seed} {number}", limit, progress) for side in Side]
        results += pair
        points.append(sum((result + 1) / 2 for result, _ in pair))
    wins, draws, losses = (sum(result == wanted for result, _ in results) for wanted in (1, 0, -1))
    failures, mean = sum(failed for _, failed in results), round(fmean(result for result, _ in results), 4)
    return OpponentScore(opponent, wins, draws, losses, failures, mean), points


def _openings_for(player: HostedPlayer, game: Game, pairs: int) -> Iterator[Opening]:
    openings = suite_openings(game) if player.takes_openings else [Opening()]
    return islice(cycle(openings), pairs)


def _play(
    player: HostedPlayer,
    game: Game,
    opening: Opening,
    side: Side,
    opponent: str,
    seed: str,
    limit: Limit | None,
    progress: Callable[[], object],
) -> tuple[int, bool]:
    """The player's result, 1, 0 or -1, and whether it failed."""
    with open_player(opponent, seed=_seed_of(game, opponent, side, seed)) as level:
        match = Match(opening.position(game), {side: player.name, side.opponent: opponent}, limits={side: limit})
        failure = play_out(match, {side: player, side.opponent: level}, opening.start_position(game))
    progress()
    assert match.outcome is not None
    winner = match.outcome.winner
    return 0 if winner is None else 1 if winner is side else -1, failure is not None and failure.side is side


def _seed_of(game: Game, opponent: str, side: Side, seed: str) -> int:
    return int.from_bytes(f"{game.id} {opponent} {side} {seed}".encode()) % (1 << 61)


def bench_agent(
    name: str,
    open_agent: Callable[[], AbstractContextManager[HostedPlayer]],
    games: Sequence[Game] = (),
    *,
    pairs: int = 10,
    seed: int = 1,
    limit: Limit | None = None,
    opponents: Sequence[str] = OPPONENTS,
    progress: Progress = lambda done, total, what: None,
) -> AgentScore:
    """Return the benchmark's result for an agent; raises ValueError for another game, PlayerFailed if it cannot start.

    ``open_agent`` opens it, once for each game, by default all of the suite. ``limit`` bounds its moves.
    """
    games = games or [Game(id) for id in suite_games()]
    steps = [len(exact_positions(game)) + 2 * pairs * len(opponents) for game in games]
    done, found = 0, []
    for game in games:

        def advance(what: str = game.label) -> None:
            nonlocal done
            done += 1
            progress(done, sum(steps), what)

        with open_agent() as player:
            player.start(game)
            found.append(_bench_game(player, game, pairs, seed, limit, opponents, advance))
    seconds = None if limit is None else limit.seconds
    return AgentScore(name, _suite().version, pairs, seed, seconds, tuple(found))


def _bench_game(
    player: HostedPlayer,
    game: Game,
    pairs: int,
    seed: int,
    limit: Limit | None,
    opponents: Sequence[str],
    progress: Callable[[], object],
) -> GameScore:
    positions = exact_positions(game)
    regret = measure_regret(player, positions, limit, progress) if positions else None
    scores, pair_scores = [], []
    for number, opponent in enumerate(opponents):
        score, points = measure_return(player, game, opponent, pairs, seed, limit, progress)
        scores.append(score)
        pair_scores += [PairScore(0, number, each, 2) for each in points]
    ratings = ratings_of(game)
    rating = rate_against([ratings[opponent] for opponent in opponents], pair_scores)
    mean_return = round(fmean(score.mean_return for score in scores), 4)
    error = None if rating.is_bound else round(rating.error)
    return GameScore(game.id, mean_return, regret, round(rating.elo), error, tuple(scores))
