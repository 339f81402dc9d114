"""The solver equals brute force on random small games, and the second checker accepts its proofs."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

import noughts as no
import reference
from brute_force import (
    BruteForce,
    as_custom_game,
    marks_of,
    random_columns,
    random_hypergraph,
    random_polyomino,
    random_positions,
)
from exhaustive import OPPOSITE, Exhaustive, random_position
from second_checker import verdicts

EFFORT = 10 if os.environ.get("NOUGHTS_SLOW") else 1
VALUES = {1: "win", 0: "draw", -1: "loss"}

BOARDS = [
    "3x3", "4x3:3", "4x2:2+misere", "3x3+misere", "4x3:3+misere", "3x3+gravity", "4x3:3+gravity",
    "4x3:3+gravity+misere", "4x4+gravity", "4x3:3+exact", "5x3:3+gravity+exact", "3x3+wrap",
    "4x3:3+wrap", "4x3:3+exact+wrap",
    "4x3:3+gravity+wrap", "2x2x2", "3x2x2:2", "3x2x2:3+misere", "3x2x2:3+gravity", "3x2x2:3+wrap", "2x2x2x2+gravity",
    "9x1:3", "10x1:4+exact", "8x1:3+wrap",
]  # fmt: skip
ULTIMATE = [f"ultimate:2{options}" for options in ("", "+misere", "+count", "+open", "+misere+open", "+count+open")]
LATE = ["4x4", "4x4:3", "3x3x3", "4x4:3+wrap", "4x4:3+exact+wrap", "ultimate:3", "ultimate:3+open", "ultimate:3+count"]


def proved(position: no.Position) -> tuple[no.Solution, bytes]:
    """The solution and its proof as text."""
    solution = no.solve(position, no.Limit(seconds=30), memory_mb=1)
    assert solution.proof is not None, position.text
    assert (solution.value, solution.lower, solution.upper) == (solution.proof.value,) * 3
    return solution, solution.proof.text.encode()


def expect_proofs(checker: Path, solved: list[tuple[str, bytes]]) -> None:
    """The second checker finds the expected values."""
    for (value, text), verdict in zip(solved, verdicts(checker, [text for _, text in solved]), strict=True):
        assert verdict is not None, text
        assert verdict[0] == value, text


def flat_games(dice: random.Random) -> Iterator[tuple[no.Game, reference.FlatGame]]:
    while True:
        flat = random_polyomino(dice, 4, 3) if dice.random() < 0.2 else random_hypergraph(dice, dice.randint(6, 8))
        yield as_custom_game(flat), flat


def compare(
    game: no.Game, flat: reference.FlatGame, dice: random.Random, playthroughs: int, most_free: int = 8
) -> list[tuple[str, bytes]]:
    """Compare the values and the moves of random positions; returns the values with their proofs."""
    truth, found = BruteForce(flat), []
    for position in random_positions(game, dice, most_free, playthroughs):
        solution, text = proved(position)
        own, other = marks_of(position)
        value = truth.value(own, other)
        assert solution.value == VALUES[value], (game.to_data(), position.text)
        if solution.move is not None:
            assert truth.value_of_move(own, other, solution.move) == value, (game.to_data(), position.text)
        else:
            assert value == -1, (game.to_data(), position.text)
        found.append((VALUES[value], text))
    return found


def test_random_custom_games_have_the_values_and_moves_that_brute_force_finds(checker: Path) -> None:
    dice, solved = random.Random(17), list[tuple[str, bytes]]()
    games = flat_games(dice)
    while len(solved) < 4000 * EFFORT:
        solved += compare(*next(games), dice, 16)
    expect_proofs(checker, solved)
    assert {value for value, _ in solved} == {"win", "draw", "loss"}


def test_columns_of_different_heights_have_the_values_and_moves_that_brute_force_finds(checker: Path) -> None:
    dice, solved = random.Random(11), list[tuple[str, bytes]]()
    while len(solved) < 1000 * EFFORT:
        flat = random_columns(dice, dice.randint(8, 12))
        solved += compare(as_custom_game(flat), flat, dice, 4, most_free=12)
    expect_proofs(checker, solved)
    assert {value for value, _ in solved} == {"win", "draw", "loss"}


def test_boards_of_every_kind_have_the_values_and_moves_that_brute_force_finds(checker: Path) -> None:
    dice, solved = random.Random(3), list[tuple[str, bytes]]()
    for id in BOARDS:
        flat = reference.build(id)
        assert isinstance(flat, reference.FlatGame)
        solved += compare(no.Game(id), flat, dice, 16 * EFFORT)
    assert len(solved) > 1500 * EFFORT
    expect_proofs(checker, solved)


@pytest.mark.parametrize(("ids", "count"), [(ULTIMATE, 90), (LATE, 12)], ids=["ultimate", "late"])
def test_late_positions_have_the_values_that_exhaustive_search_finds(ids: list[str], count: int, checker: Path) -> None:
    dice, solved = random.Random(5), list[tuple[str, bytes]]()
    for id in ids:
        truth = Exhaustive()
        for _ in range(count * EFFORT):
            position = random_position(no.Game(id), dice, most_free=dice.randint(4, 8), careful=dice.random() < 0.3)
            solution, text = proved(position)
            value = truth.value(position)
            assert solution.value == value, position.text
            if solution.move is not None:
                assert truth.value(position.after(solution.move)) == OPPOSITE[value], position.text
            solved.append((value, text))
    expect_proofs(checker, solved)
