"""OpenSpiel as a second opinion on the rules; bench/notes/openspiel.md has the findings."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

import noughts as no

pyspiel: Any = pytest.importorskip("pyspiel", reason="open_spiel is not installed (it is in the dev group)")

RETURNS = {"X": [1.0, -1.0], "O": [-1.0, 1.0], None: [0.0, 0.0]}

SAME_NUMBERS = [
    ("tic_tac_toe", "3x3"),
    ("mnk(m=3,n=3,k=3)", "3x3"),
    ("mnk(m=4,n=3,k=3)", "4x3:3"),
    ("mnk(m=3,n=4,k=3)", "3x4:3"),
    ("mnk(m=5,n=5,k=4)", "5x5:4"),
    ("mnk(m=9,n=7,k=5)", "9x7:5"),
    ("mnk(m=15,n=15,k=5)", "15x15:5"),
    ("gomoku(dims=3,size=3,connect=3)", "3x3x3"),
    ("gomoku(dims=3,size=4,connect=4)", "4x4x4"),
    ("gomoku(dims=4,size=3,connect=3)", "3x3x3x3"),
    ("gomoku(dims=2,size=6,connect=3,anti=True)", "6x6:3+misere"),
    ("gomoku(dims=2,size=4,connect=4,wrap=True)", "4x4+wrap"),
    ("gomoku(dims=2,size=5,connect=4,wrap=True)", "5x5:4+wrap"),
    ("gomoku(dims=3,size=3,connect=3,wrap=True,anti=True)", "3x3x3+misere+wrap"),
]
COLUMNS = [
    ("connect_four", "7x6:4+gravity"),
    ("connect_four(rows=4,columns=5,x_in_row=3)", "5x4:3+gravity"),
    ("connect_four(rows=3,columns=9,x_in_row=5)", "9x3:5+gravity"),
]
PLAYTHROUGHS = 40


def compare(spiel_name: str, game_id: str, to_action: Callable[[int, no.Game], int], rng: random.Random) -> None:
    """Play one random playthrough in both systems side by side."""
    game = no.Game(game_id)
    position, state = game.start(), pyspiel.load_game(spiel_name).new_initial_state()
    while not position.is_over:
        assert not state.is_terminal()
        assert state.current_player() == len(position.moves) % 2
        assert state.legal_actions() == sorted(to_action(move, game) for move in position.legal_moves)
        move = rng.choice(position.legal_moves)
        state.apply_action(to_action(move, game))
        position.play(move)
    assert state.is_terminal()
    assert state.returns() == RETURNS[position.winner]


@pytest.mark.parametrize(("spiel_name", "game_id"), SAME_NUMBERS)
def test_openspiel_agrees_on_rows_of_any_kind(spiel_name: str, game_id: str) -> None:
    rng = random.Random(spiel_name)
    for _ in range(PLAYTHROUGHS):
        compare(spiel_name, game_id, lambda move, game: move, rng)


@pytest.mark.parametrize(("spiel_name", "game_id"), COLUMNS)
def test_openspiel_agrees_on_falling_marks(spiel_name: str, game_id: str) -> None:
    rng = random.Random(spiel_name)
    width = int(game_id.partition("x")[0])
    for _ in range(PLAYTHROUGHS):
        compare(spiel_name, game_id, lambda move, game: move % width, rng)


def ultimate_actions(position: no.Position, move: int) -> list[int]:
    """A free move is two actions in OpenSpiel: the block, then the cell."""
    block, cell = divmod(move, 9)
    return [block, cell] if position.block_to_play is None else [cell]


def ultimate_marks(state: Any) -> str:
    """The marks of the whole board, row by row."""
    board = str(state).partition("Current player")[0]
    return "".join(mark for mark in board if mark in "xo.")


def expected_marks(position: no.Position) -> str:
    return "".join(
        "." if (mark := position.cells[block * 9 + cell]) is None else str(mark).lower()
        for row in range(9)
        for column in range(9)
        for block in [row // 3 * 3 + column // 3]
        for cell in [row % 3 * 3 + column % 3]
    )


def assert_same_choice(position: no.Position, state: Any, move: int) -> None:
    """The blocks on offer are the same, and so are the cells of the block of this move."""
    if position.block_to_play is None:
        assert state.legal_actions() == sorted({legal // 9 for legal in position.legal_moves})
        state = state.child(move // 9)
    assert state.legal_actions() == [legal % 9 for legal in position.legal_moves if legal // 9 == move // 9]


def test_openspiel_agrees_on_ultimate() -> None:
    rng = random.Random("ultimate")
    game, spiel = no.Game("ultimate:3"), pyspiel.load_game("ultimate_tic_tac_toe")
    for _ in range(PLAYTHROUGHS):
        position, state = game.start(), spiel.new_initial_state()
        while not position.is_over:
            assert not state.is_terminal()
            assert state.current_player() == len(position.moves) % 2
            move = rng.choice(position.legal_moves)
            assert_same_choice(position, state, move)
            for action in ultimate_actions(position, move):
                state.apply_action(action)
            position.play(move)
            assert ultimate_marks(state) == expected_marks(position)
        assert state.is_terminal()
        assert state.returns() == RETURNS[position.winner]


def test_free_move_leaves_the_mark_of_the_side_that_made_it() -> None:
    """The shortest sequence on which OpenSpiel up to 2.0 was wrong."""
    position = no.Game("ultimate:3").start()
    for move in (1, 9, 2, 18, 0, 40):
        position.play(move)
    assert position.blocks[0] == "X"
    assert position.cells[40] == "O"


def test_openspiel_lets_a_run_lap_a_torus_and_noughts_refuses_it() -> None:
    state = pyspiel.load_game("gomoku(dims=2,size=4,connect=5,wrap=True)").new_initial_state()
    for action in (0, 4, 1, 5, 2, 8, 3):
        state.apply_action(action)
    assert state.returns() == [1.0, -1.0]
    with pytest.raises(ValueError, match=r"\w"):
        no.Game("4x4:5+wrap")
