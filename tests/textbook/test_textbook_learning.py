"""The learners: perfect play after a stated number of playthroughs, learning curves, and a policy network."""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from noughts.games import Game, Position, Side
from noughts.textbook import (
    Learned,
    Policy,
    PolicyNetwork,
    Score,
    Tablebase,
    expectimax,
    policy_network,
    q_learning,
    retrograde,
    symmetric_key,
    td_learning,
)

IS_SLOW = bool(os.environ.get("NOUGHTS_SLOW"))
GAME = Game("3x3")
TRIANGLE = Game.from_lines("triangle", cells=6, lines=[[0, 1, 3], [0, 2, 5], [3, 4, 5]])


@pytest.fixture(scope="module")
def table() -> Tablebase:
    return retrograde(GAME)


def count_losses(policy: Policy, side: Side) -> int:
    """Return how many positions a policy can be led to in which it has lost, for any moves of the opponent."""

    def walk(position: Position) -> int:
        if position.hash in seen:
            return 0
        seen.add(position.hash)
        if position.is_over:
            return position.winner is side.opponent
        moves = [policy(position)] if position.turn is side else position.legal_moves
        return sum(walk(position.after(move)) for move in moves)

    seen: set[int] = set()
    return walk(GAME.start())


def every_unfinished(position: Position, seen: set[int]) -> Iterator[Position]:
    if position.is_over or position.hash in seen:
        return
    seen.add(position.hash)
    yield position
    for move in position.legal_moves:
        yield from every_unfinished(position.after(move), seen)


def test_after_40000_playthroughs_a_learner_never_loses_to_the_perfect_player() -> None:
    """Nor to any other player: it is tried against every reply, the perfect ones among them."""
    for learn in (q_learning, td_learning) if IS_SLOW else (q_learning,):
        learned = learn(GAME, 40_000, seed=1, points=0)
        assert [count_losses(learned.choose, side) for side in Side] == [0, 0]


def test_with_symmetry_10000_playthroughs_suffice() -> None:
    learned = td_learning(GAME, 10_000, seed=1, points=0, key=symmetric_key)
    assert len(learned.values) <= 765
    assert [count_losses(learned.choose, side) for side in Side] == [0, 0]


def test_the_learning_curve_shows_fewer_losses() -> None:
    learned = td_learning(GAME, 3_000, seed=1, points=6)
    assert [score.playthroughs for score in learned.curve] == [500, 1_000, 1_500, 2_000, 2_500, 3_000]
    assert all(score.wins + score.draws + score.losses == 100 for score in learned.curve)
    untrained = q_learning(GAME, 1, seed=1, points=1).curve[0]
    assert learned.curve[-1].losses < untrained.losses / 2


def test_the_curve_is_reported_point_by_point() -> None:
    for learner in (q_learning, td_learning):
        points: list[Score] = []
        assert learner(GAME, 20, seed=1, points=4, report=points.append).curve == points
        assert [point.playthroughs for point in points] == [5, 10, 15, 20]


def test_the_curve_can_be_measured_against_any_opponent(table: Tablebase) -> None:
    learned = q_learning(GAME, 200, seed=1, points=1, opponent=lambda position: table.best_moves(position)[0])
    assert learned.curve[0].wins == 0


def test_the_same_seed_learns_the_same_table() -> None:
    first, second, other = (q_learning(GAME, 50, seed=seed, points=0) for seed in (1, 1, 2))
    assert first.values == second.values != other.values


def test_a_learned_win_is_worth_1_to_x() -> None:
    position = GAME.parse("xx1/oo1/3 x")
    for learned in (q_learning(GAME, 5_000, seed=1, points=0), td_learning(GAME, 5_000, seed=1, points=0)):
        assert 0.5 < learned.value_of(position, 2) <= 1
        assert learned.choose(position) == 2


@pytest.mark.parametrize("game", [TRIANGLE, Game("4x4:3+gravity"), Game("3x3+misere"), Game("ultimate:2")])
def test_every_game_can_be_learned(game: Game) -> None:
    for learned in (q_learning(game, 20, points=0), td_learning(game, 20, points=0), policy_network(game, 20)):
        assert learned.choose(game.start()) in game.start().legal_moves


def test_a_learned_table_can_be_saved() -> None:
    learned = td_learning(GAME, 20, seed=1, points=0)
    copy: Learned = pickle.loads(pickle.dumps(learned))
    assert (copy.values, copy.choose(GAME.start())) == (learned.values, learned.choose(GAME.start()))


@pytest.mark.parametrize("learn", [q_learning, td_learning, policy_network])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"playthroughs": 0}, "expected a number of playthroughs of 1 or more, got 0"),
        ({"points": -1}, "expected a number of points of 0 or more, got -1"),
        ({"learning_rate": float("nan")}, "expected a learning rate .*, got nan"),
        ({"exploration": 1.5}, "expected a probability of exploration from 0 to 1, got 1.5"),
    ],
)
def test_impossible_numbers_are_refused(learn: Callable[..., object], options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        learn(GAME, **options)


# The policy network


@pytest.fixture(scope="module")
def network() -> PolicyNetwork:
    """Of the stated number of playthroughs if NOUGHTS_SLOW is set, otherwise of a tenth."""
    return policy_network(GAME, 20_000 if IS_SLOW else 2_000, seed=1, points=4)


def test_the_network_keeps_the_value_in_most_positions(network: PolicyNetwork, table: Tablebase) -> None:
    positions = list(every_unfinished(GAME.start(), set()))[:: 1 if IS_SLOW else 5]
    kept = sum(table[p.after(network.choose(p))].value == table[p].value for p in positions)
    assert kept >= (0.93 if IS_SLOW else 0.72) * len(positions)


def test_the_network_loses_less_and_less(network: PolicyNetwork) -> None:
    untrained = policy_network(GAME, 1, batch=1, seed=1, points=1).curve[0]
    assert network.curve[-1].losses <= (5 if IS_SLOW else 15) < untrained.losses


def test_the_network_is_a_model_of_an_opponent(network: PolicyNetwork) -> None:
    position = GAME.parse("x2/1o1/2x o")
    assert sum(network.probabilities(position).values()) == pytest.approx(1)
    assert -1 <= expectimax(position, network.probabilities, depth=3).value <= 1


def test_only_the_network_needs_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    assert td_learning(GAME, 5, points=0).values
    with pytest.raises(ValueError, match="arrays need NumPy: python -m pip install"):
        policy_network(GAME, 5)
