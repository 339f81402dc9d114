"""Puzzles: each has one solution, by proof."""

from __future__ import annotations

import random
from collections import Counter
from datetime import date, timedelta
from pathlib import Path

import pytest

from noughts.analysis.puzzles import (
    Goal,
    Puzzle,
    Theme,
    WinSearch,
    check_puzzle,
    load_puzzles,
    make_puzzle,
    puzzle_of_day,
    save_puzzles,
    shipped_puzzles,
)
from noughts.games import Game, Position, Side
from plays import play_randomly

NODES = 1_000_000


def wins(position: Position, moves: int, side: Side) -> bool:
    """Whether a side forces a win with at most this many moves of its own: plain minimax, the slow twin."""
    if position.is_over:
        return position.winner is side
    if position.turn is side:
        return moves > 0 and any(wins(position.after(move), moves - 1, side) for move in position.legal_moves)
    return all(wins(position.after(move), moves, side) for move in position.legal_moves)


@pytest.mark.parametrize("id", ["3x3", "4x3:3", "4x4:3+gravity", "4x4:3+exact", "ultimate:2"])
def test_search_for_short_wins_agrees_with_plain_minimax(id: str) -> None:
    chance = random.Random(1)
    for _ in range(25):
        position = play_randomly(Game(id).start(), chance, chance.randrange(2, 7))
        if position.turn is None:
            continue
        for moves in (1, 2):
            before = position.text
            assert WinSearch(NODES).wins(position, moves) == wins(position, moves, position.turn), (before, moves)
            assert position.text == before


def test_position_with_one_short_win_is_a_puzzle() -> None:
    puzzle = make_puzzle(Game("3x3").parse("x1o/o2/x2 x"))
    assert puzzle is not None
    assert (puzzle.text, puzzle.line, puzzle.steps) == ("You play X: win in 2 moves", (8, 4, 7), 2)


def test_position_with_one_drawing_move_is_a_puzzle() -> None:
    puzzle = make_puzzle(Game("3x3").parse("3/3/2x o"))
    assert puzzle is not None
    assert (puzzle.text, puzzle.line) == ("You play O: only one move holds the draw", (4,))


@pytest.mark.parametrize(
    ("id", "position"),
    [("3x3", "3/3/3 x"), ("3x3", "3/1x1/3 o"), ("3x3", "xx1/oo1/3 x"), ("3x3", "xxo/oox/xox -"), ("4x4x4", None)],
)
def test_position_with_several_solutions_or_none_is_not_a_puzzle(id: str, position: str | None) -> None:
    assert make_puzzle(Game(id).start_from(position), nodes=10_000) is None


def test_puzzles_are_the_same_after_writing_and_reading(tmp_path: Path) -> None:
    puzzles = list(shipped_puzzles()[:3])
    save_puzzles(puzzles, tmp_path / "some.jsonl")
    assert load_puzzles(tmp_path / "some.jsonl") == puzzles


def test_wrong_puzzle_is_refused() -> None:
    with pytest.raises(ValueError, match="expected Puzzle"):
        check_puzzle(Puzzle("3x3", "3/3/2x o", Goal.DRAW, (0,), 1, 800))


def test_shipped_puzzles_are_many_different_and_of_many_games() -> None:
    puzzles = shipped_puzzles()
    assert len(puzzles) >= 1000
    assert len({puzzle.id for puzzle in puzzles}) == len(puzzles)
    assert len(Counter(puzzle.game for puzzle in puzzles)) >= 15
    assert {puzzle.goal for puzzle in puzzles} == set(Goal)


def test_every_puzzle_has_its_day_before_one_comes_again() -> None:
    first = date(2026, 11, 16)
    days = [puzzle_of_day(first + timedelta(days=days)) for days in range(len(shipped_puzzles()) + 1)]
    assert len(set(days)) == len(shipped_puzzles())
    assert days[0] == days[-1]


def test_lines_of_shipped_puzzles_reach_their_goals() -> None:
    for puzzle in shipped_puzzles():
        position = puzzle.position()
        side = position.turn
        position.play_all(puzzle.line)
        assert (position.winner is side) == (puzzle.goal is Goal.WIN), puzzle
        assert 1 <= puzzle.steps <= puzzle.moves


@pytest.mark.slow
def test_all_shipped_puzzles_have_one_solution_each() -> None:
    for puzzle in shipped_puzzles():
        check_puzzle(puzzle)


@pytest.mark.parametrize(
    ("id", "position", "themes"),
    [
        ("3x3", "x1o/o2/x2 x", [Theme.FORK]),
        ("3x3", "3/3/2x o", [Theme.ONLY_MOVE]),
    ],
)
def test_themes_are_those_of_the_proof(id: str, position: str, themes: list[Theme]) -> None:
    puzzle = make_puzzle(Game(id).parse(position))
    assert puzzle is not None
    assert list(puzzle.themes) == themes


def of_theme(theme: Theme) -> list[Puzzle]:
    found = [puzzle for puzzle in shipped_puzzles() if theme in puzzle.themes]
    return random.Random(str(theme)).sample(found, 8)


def after_own_moves(puzzle: Puzzle) -> list[Position]:
    """The positions of the solution after each move of the solver but the last."""
    position, found = puzzle.position(), []
    for at, move in enumerate(puzzle.line[:-1]):
        position.play(move)
        if at % 2 == 0:
            found.append(position.copy())
    return found


def test_forks_make_two_threats_and_forced_sequences_threaten_each_time() -> None:
    for puzzle in of_theme(Theme.FORK):
        side = puzzle.position().side_to_move
        assert max(len(after.threats(side)) for after in after_own_moves(puzzle)) >= 2
    for puzzle in of_theme(Theme.FORCED):
        side = puzzle.position().side_to_move
        assert all(after.threats(side) for after in after_own_moves(puzzle))


def test_zugzwang_is_won_only_because_the_other_side_must_move() -> None:
    for puzzle in of_theme(Theme.ZUGZWANG):
        side = puzzle.position().side_to_move
        assert puzzle.position().game.has_gravity
        quiet = [after for after in after_own_moves(puzzle) if not after.threats(side)]
        assert quiet  # with a threat on the board a pass would lose at once


def test_sending_matters_where_it_is_a_theme() -> None:
    for puzzle in of_theme(Theme.SENDING):
        assert any(after.block_to_play is not None for after in after_own_moves(puzzle))


@pytest.mark.parametrize("puzzle", random.Random(20).sample(shipped_puzzles(), 12), ids=lambda puzzle: puzzle.id)
def test_sample_of_shipped_puzzles_has_one_solution_each(puzzle: Puzzle) -> None:
    check_puzzle(puzzle)
