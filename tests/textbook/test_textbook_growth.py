"""The best-first searches: Monte-Carlo tree search and proof-number search, and the steps they report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import log, sqrt
from random import Random
from typing import Any

import pytest

from noughts.games import Game, Position, Side
from noughts.textbook import (
    INFINITY,
    Phase,
    Result,
    alphabeta_with_table,
    best_lines_first,
    center_first,
    evaluate_lines,
    mcts,
    minimax,
    proof_number_search,
)
from plays import play_randomly, position_after

EMPTY = Game("3x3").start()
GAMES = ["3x3+misere", "4x4:3", "4x4:4+gravity", "5x5:4+exact", "ultimate:2", "3x3x2:3"]
TRIANGLE = Game.from_lines("triangle", cells=6, lines=[[0, 1, 3], [0, 2, 5], [3, 4, 5]])


def before_the_end(game: Game, seed: int) -> Position:
    """Return a position of a random playthrough, four plies before its end and with few empty cells."""
    random = Random(seed)
    while True:
        position = play_randomly(game.start(), random)
        for _ in range(4):
            position.undo()
        if len(position.legal_moves) <= 6:
            return position


def value_after(position: Position, move: int | None) -> float:
    assert move is not None
    return alphabeta_with_table(position.after(move)).value


class Steps:
    """Keeps the steps as (phase, moves, numbers)."""

    def __init__(self) -> None:
        self.steps: list[tuple[Phase, tuple[int, ...], Mapping[str, int | float]]] = []

    def step(self, phase: Phase, position: Position, numbers: Mapping[str, int | float]) -> None:
        self.steps.append((phase, tuple(position.moves), dict(numbers)))

    def at(self, phase: Phase) -> list[tuple[tuple[int, ...], Mapping[str, int | float]]]:
        return [(moves, numbers) for kept, moves, numbers in self.steps if kept is phase]


# Monte-Carlo tree search


def test_the_same_seed_gives_the_same_search() -> None:
    first, second, other = (mcts(EMPTY, 300, seed=seed) for seed in (7, 7, 8))
    assert first == second
    assert first.visits == second.visits
    assert first.visits != other.visits


def test_every_simulation_visits_one_move_of_the_root() -> None:
    found = mcts(EMPTY, 500, seed=1)
    assert found.visits is not None
    assert sum(found.visits.values()) == 500
    assert found.move == max(found.visits, key=lambda move: found.visits[move] if found.visits else 0)
    assert found.nodes <= 501


def test_mcts_finds_the_centre_and_estimates_a_small_advantage_of_x() -> None:
    found = mcts(EMPTY, 3_000, seed=1)
    assert found.move == 4
    assert 0 < found.value < 0.5


@pytest.mark.parametrize("game", [*(Game(id) for id in GAMES), TRIANGLE], ids=lambda game: game.id)
def test_mcts_takes_a_win_and_leaves_the_position_alone(game: Game) -> None:
    position = before_the_end(game, seed=1)
    before = position.moves
    expected = minimax(position).value
    assert value_after(position, mcts(position, 2_000, seed=1).move) == expected
    assert position.moves == before


def test_a_heuristic_replaces_the_rollouts() -> None:
    """With rollouts of 0 plies the search is deterministic: nothing is left to chance."""
    one, other = (mcts(EMPTY, 200, rollout_plies=0, evaluate=evaluate_lines, scale=1_000, seed=s) for s in (1, 2))
    assert one.visits == other.visits
    assert one.move == 4
    short = mcts(Game("15x15:5").start(), 50, order=center_first, rollout_plies=4, evaluate=evaluate_lines, scale=1_000)
    assert abs(short.value) <= 1


def test_mcts_reports_the_four_phases_in_order() -> None:
    steps = Steps()
    position = Game("3x3").parse("xo1/1xo/3 x")
    found = mcts(position, 40, seed=3, trace=steps)
    counts = Counter(phase for phase, _, _ in steps.steps)
    assert steps.steps[0] == (Phase.EXPAND, (), {})
    assert counts[Phase.SIMULATE] == 40
    assert counts[Phase.EXPAND] == found.nodes
    at_root = [numbers for moves, numbers in steps.at(Phase.BACKPROPAGATE) if not moves]
    assert [numbers["visits"] for numbers in at_root] == list(range(1, 41))
    assert at_root[-1]["value"] == found.value
    assert position.ply == 0


def test_the_selected_child_has_the_largest_upper_confidence_bound() -> None:
    """The numbers reported by backpropagation suffice to compute the bounds of all siblings."""
    steps, exploration = Steps(), 0.8
    mcts(EMPTY, 300, exploration=exploration, seed=3, trace=steps)
    known: dict[tuple[int, ...], Mapping[str, int | float]] = {}

    def bound(moves: tuple[int, ...]) -> float:
        sign, node, parent = 1 if len(moves) % 2 else -1, known[moves], known[moves[:-1]]
        return sign * node["value"] + exploration * sqrt(log(parent["visits"]) / node["visits"])

    selected = 0
    for phase, moves, numbers in steps.steps:
        if phase is Phase.BACKPROPAGATE:
            known[moves] = numbers
        if phase is Phase.SELECT:
            siblings = [other for other in known if other[:-1] == moves[:-1] and len(other) == len(moves)]
            assert numbers["ucb"] == pytest.approx(bound(moves)) == pytest.approx(max(map(bound, siblings)))
            assert numbers["ucb"] == numbers["exploit"] + numbers["explore"]
            assert numbers["visits"] == known[moves]["visits"]
            assert numbers["value"] == pytest.approx(known[moves]["value"])
            selected += 1
    assert selected > 300


def test_a_rollout_ends_where_play_is_over() -> None:
    steps = Steps()
    mcts(EMPTY, 20, seed=3, trace=steps)
    for moves, numbers in steps.at(Phase.SIMULATE):
        position = position_after("3x3", *moves)
        assert position.is_over
        assert numbers["result"] == {Side.X: 1, Side.O: -1, None: 0}[position.winner]


def test_a_finished_position_has_no_move_to_choose() -> None:
    position = Game("3x3").parse("xxx/oo1/3 -")
    assert (mcts(position, 10).value, mcts(position, 10).move) == (1, None)
    assert proof_number_search(position) == Result(1, None, 1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"simulations": 0}, "expected a number of simulations of 1 or more, got 0"),
        ({"rollout_plies": -1}, "expected a number of rollout plies of 0 or more, got -1"),
        ({"scale": 0}, "expected a scale of 1 or more, got 0"),
        ({"exploration": float("nan")}, "expected an exploration constant of 0 or more, got nan"),
    ],
)
def test_impossible_numbers_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        mcts(EMPTY, **options)


# Proof-number search


@pytest.mark.parametrize("game", [*(Game(id) for id in GAMES), TRIANGLE], ids=lambda game: game.id)
def test_proof_number_search_finds_the_exact_value_and_a_move_that_reaches_it(game: Game) -> None:
    for seed in range(5):
        position = before_the_end(game, seed)
        before, expected = position.moves, minimax(position).value
        found = proof_number_search(position, order=best_lines_first)
        assert (found.value, value_after(position, found.move)) == (expected, expected)
        assert position.moves == before


def test_one_question_is_answered_by_win_or_not_win() -> None:
    position = Game("3x3").parse("xx1/oo1/3 x")
    assert proof_number_search(position, side="X").value == 1
    assert proof_number_search(position, side="O").value == 0


def test_the_root_ends_with_a_number_of_0_and_an_infinite_one() -> None:
    steps = Steps()
    proof_number_search(Game("3x3").parse("x1x/1o1/2o x"), trace=steps)
    assert steps.steps[0] == (Phase.EXPAND, (), {"proof": 1, "disproof": 1})
    assert steps.steps[-1] == (Phase.BACKPROPAGATE, (), {"proof": 0, "disproof": INFINITY})


def test_a_step_down_keeps_the_number_of_the_parent() -> None:
    """Where the attacker moves, the selected child has its parent's proof number, elsewhere its disproof number."""
    steps = Steps()
    numbers_at: dict[tuple[int, ...], Mapping[str, int | float]] = {}
    proof_number_search(Game("4x4:3").start(), side="X", trace=steps)
    for phase, moves, numbers in steps.steps:
        if phase is Phase.SELECT:
            name = "proof" if len(moves) % 2 else "disproof"
            assert numbers[name] == numbers_at[moves[:-1]][name]
        numbers_at[moves] = numbers
