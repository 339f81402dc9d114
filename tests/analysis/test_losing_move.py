"""The move that lost is found by exact values, with a line of play that refutes it."""

from __future__ import annotations

from random import Random

import pytest

from noughts import Game, Limit
from noughts.analysis.exact import ExactValues
from noughts.analysis.losing_move import LosingMove, find_losing_move
from noughts.games import Position, ProvenValue, Side, Value
from noughts.textbook import retrograde

TRUTH = retrograde(Game("3x3"))


def random_game(seed: int, id: str = "3x3") -> tuple[Position, list[int], Side]:
    """Return the start of a random playthrough that was lost, its moves, and the loser."""
    random = Random(seed)
    start = Game(id).start()
    while True:
        position = start.copy()
        while not position.is_over:
            position.play(random.choice(position.legal_moves))
        if position.winner is not None:
            return start, list(position.moves), position.winner.opponent


def check_refutation(start: Position, moves: list[int], found: LosingMove, side: Side) -> None:
    """Check that the line of play begins after the move and ends with the opponent's win."""
    position = start.copy()
    for move in [*moves[: found.ply], found.move, *found.refutation]:
        position.play(move)
    assert position.winner is side.opponent


@pytest.mark.parametrize("seed", range(40))
def test_losing_move_is_the_last_one_before_which_the_game_was_not_lost(seed: int) -> None:
    start, moves, side = random_game(seed)
    lost_value = 1 if side is Side.O else -1
    values = []
    position = start.copy()
    for move in moves:
        values.append(TRUTH[position].value)
        position.play(move)
    own = [ply for ply in range(len(moves)) if (ply % 2 == 0) is (side is Side.X)]
    expected = max(ply for ply in own if values[ply] != lost_value)
    found = find_losing_move(start, moves, side, ExactValues())
    assert found is not None
    assert (found.ply, found.move) == (expected, moves[expected])
    assert found.before is (Value.DRAW if values[expected] == 0 else Value.WIN)
    check_refutation(start, moves, found, side)


@pytest.mark.parametrize("id", ["4x4:3", "connect4", "3x3+misere", "5x5:4"])
def test_losing_move_of_other_games_is_refuted(id: str) -> None:
    for seed in range(3):
        start, moves, side = random_game(seed, id)
        values = ExactValues(Limit(nodes=50_000))
        found = find_losing_move(start, moves, side, values)
        if found is None:
            first = start if side is Side.X else start.after(moves[0])
            assert values.of(first) is Value.LOSS
            continue
        assert found.move == moves[found.ply]
        check_refutation(start, moves, found, side)


def test_move_of_the_opening_is_not_to_blame() -> None:
    start = Game("3x3").start()
    moves = [start.parse_move(name) for name in ("a3", "c1", "c3", "b3", "a1", "a2", "b2")]
    assert find_losing_move(start, moves, Side.O, ExactValues()) == LosingMove(
        1, moves[1], Value.DRAW, start.parse_move("b2"), tuple(moves[2:])
    )
    assert find_losing_move(start, moves, Side.O, ExactValues(), first=2) is None
    assert find_losing_move(start, moves, Side.X, ExactValues()) is None


class ShortSighted(ExactValues):
    """Proves nothing with more than five empty cells."""

    def proven(self, position: Position) -> ProvenValue | None:
        return super().proven(position) if position.is_over or position.cells.count(None) <= 5 else None


def test_earlier_move_that_may_have_lost_is_not_passed_over_in_silence() -> None:
    start = Game("3x3").start()
    moves = [start.parse_move(name) for name in ("a3", "c1", "c3", "b3", "a1", "a2", "b2")]
    found = find_losing_move(start, moves, Side.O, ShortSighted())
    assert found is not None
    assert (found.ply, found.before, found.better) == (3, None, None)
