"""Learning by self-play: tables of values that improve from playthrough to playthrough, and their learning curves."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from noughts.games import Game, Position, Side
from noughts.textbook.common import Key, check_amount, check_count
from noughts.textbook.evaluations import evaluate_outcome
from noughts.textbook.table import plain_key

Policy = Callable[[Position], int]
"""A policy: chooses a move of a position."""


class Score(NamedTuple):
    """A point of a learning curve: results against an opponent after ``playthroughs`` of training."""

    playthroughs: int
    wins: int
    draws: int
    losses: int


Report = Callable[[Score], object]
"""Receives the points of a learning curve."""


def move_entry(position: Position, move: int) -> tuple[int, int]:
    """Return the key of a move in the table of ``q_learning``: the position and the move."""
    return position.hash, move


@dataclass(frozen=True, slots=True)
class AfterstateEntry:
    """Returns the key of a move in the table of ``td_learning``: the key of the position it leads to."""

    key: Key

    def __call__(self, position: Position, move: int) -> int:
        position.play(move)
        found = self.key(position)
        position.undo()
        return found


@dataclass(slots=True)
class Learned:
    """A learned table of values from X's side, and the learning curve.

    ``choose`` plays the best move according to the table, so this is a bot.
    """

    values: dict[Hashable, float]
    entry: Callable[[Position, int], Hashable]
    """Returns the key of a move in the table."""
    curve: list[Score] = field(default_factory=list)

    def value_of(self, position: Position, move: int) -> float:
        """Return the learned value of a move, from X's side; 0 if it was never played."""
        return self.values.get(self.entry(position, move), 0.0)

    def best_moves(self, position: Position) -> list[int]:
        """Return the moves with the best value for the side to move."""
        sign = -1 if position.turn is Side.O else 1
        values = {move: sign * self.value_of(position, move) for move in position.legal_moves}
        return [move for move, value in values.items() if value == max(values.values())]

    def choose(self, position: Position, limit: object = None) -> int:
        """Return the first best move; a table needs no time, so the limit is ignored."""
        return self.best_moves(position)[0]


def q_learning(
    game: Game,
    playthroughs: int = 40_000,
    learning_rate: float = 0.5,
    exploration: float = 0.3,
    seed: int | None = None,
    opponent: Policy | None = None,
    points: int = 20,
    report: Report | None = None,
) -> Learned:
    """Return the values of moves, learned by playing both sides: Q-learning.

    ``Q(position, move)`` is the value of a move if both sides play their best afterwards. After each move it is moved
    towards its target by ``learning_rate``: the result if play is over, otherwise the best Q of the replies, the
    highest for X and the lowest for O. With probability ``exploration`` a move is random, otherwise it is a best one;
    the target does not depend on it (Q-learning is *off-policy*), so the values converge to those of minimax. On 3x3,
    40,000 playthroughs suffice to never lose.

    The curve has ``points`` scores of 100 playthroughs each against ``opponent``, a random player unless given.
    ``report`` gets each score as soon as it is known, and ends the training if it raises. The same seed gives the same
    table.
    """
    check_amount("a learning rate", learning_rate, most=1)
    learned = Learned({}, move_entry)

    def update(position: Position, move: int, is_exploring: bool) -> None:
        position.play(move)
        if position.is_over:
            target = float(evaluate_outcome(position))
        else:
            target = learned.value_of(position, learned.choose(position))
        position.undo()
        value = learned.value_of(position, move)
        learned.values[move_entry(position, move)] = value + learning_rate * (target - value)

    _play_and_learn(learned, game, update, playthroughs, exploration, seed, opponent, points, report)
    return learned


def td_learning(
    game: Game,
    playthroughs: int = 40_000,
    learning_rate: float = 0.3,
    exploration: float = 0.2,
    seed: int | None = None,
    opponent: Policy | None = None,
    points: int = 20,
    key: Key = plain_key,
    report: Report | None = None,
) -> Learned:
    """Return the values of positions, learned by playing both sides: TD(0), as in chapter 1 of Sutton and Barto.

    A move is judged by the position it leads to (its *afterstate*). After each move that was not exploring, the value
    of the position before is moved towards that of the position after by ``learning_rate``; a finished position has
    its result. Exploring moves teach nothing, because their result is not that of good play. Positions with the same
    ``key`` share a value: ``symmetric_key`` learns faster. On 3x3, 40,000 playthroughs suffice to never lose, with
    symmetry 10,000.

    The curve, the opponent, the report and the seed are those of ``q_learning``.
    """
    check_amount("a learning rate", learning_rate, most=1)
    learned = Learned({}, AfterstateEntry(key))

    def update(position: Position, move: int, is_exploring: bool) -> None:
        following = position.after(move)
        if following.is_over:
            learned.values[key(following)] = float(evaluate_outcome(following))
        if not is_exploring:
            value = learned.values.get(key(position), 0.0)
            target = learned.values.get(key(following), 0.0)
            learned.values[key(position)] = value + learning_rate * (target - value)

    _play_and_learn(learned, game, update, playthroughs, exploration, seed, opponent, points, report)
    return learned


def _play_and_learn(
    learned: Learned,
    game: Game,
    update: Callable[[Position, int, bool], None],
    playthroughs: int,
    exploration: float,
    seed: int | None,
    opponent: Policy | None,
    points: int,
    report: Report | None,
) -> None:
    """Play both sides; call ``update`` before each move with the move and whether it is exploring."""
    check_count("a number of playthroughs", playthroughs, least=1)
    check_count("a number of points", points, least=0)
    check_amount("a probability of exploration", exploration, most=1)
    random = Random(seed)
    for number in range(1, playthroughs + 1):
        position = game.start()
        while not position.is_over:
            is_exploring = random.random() < exploration
            moves = position.legal_moves if is_exploring else learned.best_moves(position)
            move = random.choice(moves)
            update(position, move, is_exploring)
            position.play(move)
        if is_measured(number, 1, playthroughs, points):
            learned.curve.append(play_against(learned.choose, game, opponent, number, seed))
            if report is not None:
                report(learned.curve[-1])


def is_measured(played: int, step: int, playthroughs: int, points: int) -> bool:
    """Return whether a point of the curve was reached by the last step of the training."""
    return played * points // playthroughs > (played - step) * points // playthroughs


def play_against(
    policy: Policy, game: Game, opponent: Policy | None, trained: int, seed: int | None, playthroughs: int = 100
) -> Score:
    """Return the score of a policy against an opponent, None for a random one, half of the time as X."""
    random = Random(seed)
    chooses = {True: policy, False: opponent or (lambda position: random.choice(position.legal_moves))}
    results = {1: 0, 0: 0, -1: 0}
    for number in range(playthroughs):
        side = (Side.X, Side.O)[number % 2]
        position = game.start()
        while not position.is_over:
            position.play(chooses[position.turn is side](position))
        results[evaluate_outcome(position) * (1 if side is Side.X else -1)] += 1
    return Score(trained, results[1], results[0], results[-1])
