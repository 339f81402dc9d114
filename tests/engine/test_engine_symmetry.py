"""Moves that are equivalent by symmetry have the same score."""

from __future__ import annotations

import random

import pytest

import noughts as no
from noughts.analysis import advise
from noughts.games import ProvenValue
from plays import play_randomly

GAMES = (
    "3x3", "4x4", "5x5:4", "15x15:5", "4x4x4", "3x3x3x3", "6x6:4+wrap", "7x6:4+gravity", "4x4x4+gravity", "3x3+misere",
    "ultimate:2", "ultimate:3", "ultimate:3+count", "ultimate:3+open", "ultimate:2+misere",
)  # fmt: skip


def star() -> no.Game:
    """Five arms of two cells round a centre."""
    return no.Game.from_lines("star", cells=11, lines=[[0, 2 * arm + 1, 2 * arm + 2] for arm in range(5)])


def stabiliser(position: no.Position) -> list[list[int]]:
    """The symmetries of the game that leave the position unchanged."""
    return [turn for turn in position.game.symmetry.elements if keeps(position, turn)]


def keeps(position: no.Position, turn: list[int]) -> bool:
    """Whether a symmetry preserves marks, legal moves and owners of blocks."""
    marks = position.cells
    if any(marks[cell] != marks[image] for cell, image in enumerate(turn)):
        return False
    legal = position.legal_moves
    if sorted(turn[move] for move in legal) != legal:
        return False
    game, owners = position.game, position.blocks
    return game.blocks == 1 or all(
        owners[game.block_of(cell)] == owners[game.block_of(image)] for cell, image in enumerate(turn)
    )


def orbit_of(move: int, turns: list[list[int]]) -> frozenset[int]:
    return frozenset(turn[move] for turn in turns)


def symmetric_positions(game: no.Game, count: int) -> list[no.Position]:
    """The start, and positions of few marks that a symmetry other than the identity leaves as they are."""
    dice, found = random.Random(game.id), [game.start()]
    for _ in range(200):
        position = play_randomly(game.start(), dice, dice.randint(1, 4))
        if not position.is_over and len(stabiliser(position)) > 1:
            found.append(position)
        if len(found) == count:
            break
    return found


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("id", [*GAMES, "star"])
def test_symmetric_moves_have_equal_scores(id: str, threads: int) -> None:
    game = star() if id == "star" else no.Game(id)
    engine = no.Engine(threads=threads, hash_mb=1, book=False)
    for position in symmetric_positions(game, 4):
        turns, every = stabiliser(position), len(position.legal_moves)
        assert len(turns) > 1
        found = {each.move: each for each in engine.analyse(position, no.Limit(nodes=3000), lines=every)}
        assert sorted(found) == position.legal_moves
        for move, result in found.items():
            worths = {(found[image].score, found[image].value, found[image].plies) for image in orbit_of(move, turns)}
            assert len(worths) == 1, f"{position.text}: {position.format_move(move)}"
            assert_playable(position, result)


def assert_equal_worths(position: no.Position, found: list[no.SearchResult]) -> None:
    """Moves of an orbit have the same score, value and number of plies, as far as they are listed."""
    turns, by_move = stabiliser(position), {each.move: each for each in found}
    for move in by_move:
        images = [by_move[image] for image in orbit_of(move, turns) if image in by_move]
        worths = {(each.score, each.value, each.plies) for each in images}
        assert len(worths) == 1, f"{position.text}: {position.format_move(move)}: {worths}"


@pytest.mark.parametrize("id", ["4x4", "5x5:4", "15x15:5", "4x4x4", "7x6:4+gravity", "ultimate:3", "6x6:4"])
def test_symmetric_moves_are_equal_beside_a_move_from_the_book(id: str) -> None:
    engine = no.Engine(hash_mb=1)
    for position in symmetric_positions(no.Game(id), 3):
        for lines in (3, len(position.legal_moves)):
            assert_equal_worths(position, engine.analyse(position, no.Limit(nodes=1000), lines))


@pytest.mark.parametrize("value", [no.Value.WIN, no.Value.DRAW, no.Value.LOSS])
@pytest.mark.parametrize("id", ["4x4", "15x15:5", "4x4x4", "ultimate:3", "5x5"])
def test_symmetric_moves_are_equal_beside_a_known_move(id: str, value: no.Value) -> None:
    engine = no.Engine(hash_mb=1, book=False)
    for position in symmetric_positions(no.Game(id), 3):
        move = engine.search(position, no.Limit(depth=1)).move
        known = ProvenValue(value, move, 30 if value is no.Value.LOSS else None)
        every = len(position.legal_moves)
        assert_equal_worths(position, engine.analyse(position, no.Limit(nodes=1000), every, known=known))


def test_symmetric_moves_have_equal_advice() -> None:
    position = no.Game("4x4").start()
    found = advise(position, no.Limit(seconds=0.05), lines=16)
    assert_equal_worths(position, [each.result for each in found])


def assert_playable(position: no.Position, result: no.SearchResult) -> None:
    assert result.pv[0] == result.move
    after = position.copy()
    after.play_all(result.pv)


@pytest.mark.parametrize("id", GAMES)
def test_search_names_the_first_of_symmetric_moves(id: str) -> None:
    for position in symmetric_positions(no.Game(id), 3):
        move = no.Engine(hash_mb=1, book=False).search(position, no.Limit(depth=3)).move
        assert move == min(orbit_of(move, stabiliser(position)))


def test_lines_asked_for_are_lines_given() -> None:
    position = no.Game("4x4x4").start()
    for lines in (1, 2, 9, 64):
        found = no.Engine(hash_mb=1, book=False).analyse(position, no.Limit(depth=2), lines)
        assert len({each.move for each in found}) == lines
        assert [each.score for each in found] == sorted((each.score for each in found), reverse=True)


def test_connect_four_is_not_opened_beside_the_middle() -> None:
    """The edges once had unequal scores by chance in the table, and depth 16 opened with b1, which loses."""
    position = no.Game("connect4").start()
    found = {each.move: each.score for each in no.Engine(book=False).analyse(position, no.Limit(depth=12), lines=7)}
    by_column = [found[position.parse_move(column)] for column in "abcdefg"]
    assert by_column == by_column[::-1]
