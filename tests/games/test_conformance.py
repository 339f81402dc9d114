"""Properties of every game, independent of its rules. A new game is one line in `GAMES`."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator
from math import isqrt
from typing import Any

import pytest

import noughts as no
from plays import position_after
from sample_games import GAMES, make, random_moves

every_game = pytest.mark.parametrize("name", GAMES)


def positions_of(game: no.Game, seed: int, count: int = 12) -> Iterator[no.Position]:
    """About ``count`` positions spread over one random playthrough, including the first and the last."""
    moves = random_moves(game, seed)
    plies = {len(moves) * step // count for step in range(count + 1)}
    position = game.start()
    for ply, move in enumerate(moves):
        if ply in plies:
            yield position
        position.play(move)
    yield position


def everything(position: no.Position) -> tuple[object, ...]:
    """All properties of a position, as plain values."""
    return (
        position.text,
        position.hash,
        position.canonical_hash,
        list(position.cells),
        position.turn,
        position.blocks,
        position.block_to_play,
        position.legal_moves,
        position.moves,
        position.winner,
        position.is_over,
        position.winning_line,
        position.outcome,
        str(position),
    )


@every_game
def test_legal_moves_are_sorted_distinct_cells_that_are_empty(name: str) -> None:
    game = make(name)
    for position in positions_of(game, seed=1):
        moves = position.legal_moves
        assert moves == sorted(set(moves))
        assert all(type(move) is int and 0 <= move < game.cells for move in moves)
        assert all(position.cells[move] is None for move in moves)


@every_game
def test_sides_take_turns_and_x_moves_first(name: str) -> None:
    for position in positions_of(make(name), seed=2):
        marks = [position.cells[move] for move in position.moves]
        assert marks == ["XO"[ply % 2] for ply in range(len(marks))]
        assert position.turn == (None if position.is_over else "XO"[len(marks) % 2])


@every_game
def test_undo_takes_back_every_play(name: str) -> None:
    position = make(name).start()
    moves = random_moves(position.game, seed=3)
    before = []
    for move in moves:
        before.append(everything(position))
        position.play(move)
    for expected in reversed(before):
        position.undo()
        assert everything(position) == expected


@every_game
def test_undo_at_the_start_is_an_error(name: str) -> None:
    start = make(name).start()
    with pytest.raises(ValueError, match=r"\w"):
        start.undo()
    assert everything(start) == everything(make(name).start())


@every_game
def test_after_leaves_the_original_alone(name: str) -> None:
    for position in positions_of(make(name), seed=4):
        before = everything(position)
        for move in position.legal_moves[:3]:
            child = position.after(move)
            assert child.moves == [*position.moves, move]
            assert child != position
        assert everything(position) == before


@every_game
@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda position: pickle.loads(pickle.dumps(position))])
def test_copies_are_equal_and_independent(name: str, duplicate: Callable[[no.Position], no.Position]) -> None:
    for position in positions_of(make(name), seed=5, count=4):
        before = everything(position)
        twin = duplicate(position)
        assert twin == position
        assert twin.hash == position.hash
        assert everything(twin) == before
        if not position.is_over:
            twin.play(twin.legal_moves[-1])
        elif position.moves:
            twin.undo()
        assert twin != position
        assert everything(position) == before


@every_game
def test_text_parses_back_to_an_equal_position(name: str) -> None:
    game = make(name)
    for position in positions_of(game, seed=6):
        parsed = game.parse(position.text)
        assert parsed.text == position.text
        assert parsed == position
        assert parsed.moves == []
        # Moves and data derived from them may differ; marks and legal moves may not.
        for what in ("hash", "canonical_hash", "turn", "blocks", "block_to_play", "legal_moves", "winner"):
            assert getattr(parsed, what) == getattr(position, what), what
        assert parsed.is_over == position.is_over
        assert parsed.outcome == position.outcome


@every_game
def test_a_parsed_position_continues_like_the_original(name: str) -> None:
    game = make(name)
    moves = random_moves(game, seed=7)
    position = position_after(game, *moves[: len(moves) // 2])
    parsed = game.parse(position.text)
    for move in moves[len(moves) // 2 :]:
        position.play(move)
        parsed.play(move)
        assert parsed.text == position.text
        assert parsed.hash == position.hash
        assert parsed.outcome == position.outcome


@every_game
def test_text_of_every_legal_move_parses_back_to_it(name: str) -> None:
    for position in positions_of(make(name), seed=8):
        texts = [position.format_move(move) for move in position.legal_moves]
        assert [position.parse_move(text) for text in texts] == position.legal_moves
        assert len(set(texts)) == len(texts)


@every_game
def test_playing_the_text_of_a_move_plays_the_move(name: str) -> None:
    game = make(name)
    by_number, by_text = game.start(), game.start()
    for move in random_moves(game, seed=9):
        by_text.play(by_text.format_move(move))
        by_number.play(move)
        assert by_text == by_number


@every_game
def test_illegal_moves_raise_and_change_nothing(name: str) -> None:
    game = make(name)
    for position in positions_of(game, seed=10, count=6):
        before = everything(position)
        legal = set(position.legal_moves)
        illegal = [cell for cell in range(game.cells) if cell not in legal]
        illegal += [-1, -(2**31), -(2**63), game.cells, 2**31, 2**32, 2**63, 2**64, 10**100]
        for move in illegal:
            assert not position.is_legal(move)
            for attempt in (position.play, position.after):
                with pytest.raises(no.IllegalMove) as error:
                    attempt(move)
                assert_one_line(str(error.value))
        assert everything(position) == before


@pytest.mark.parametrize("move", [None, 1.0, True, b"b2"])
def test_move_that_is_neither_number_nor_text_is_a_type_error_of_one_line(move: Any) -> None:
    position = no.Game("3x3").start()
    for attempt in (position.play, position.after, position.is_legal):
        with pytest.raises(TypeError, match="expected a move as a cell number") as error:
            attempt(move)
        assert_one_line(str(error.value))


@every_game
@pytest.mark.parametrize("text", ["", " ", "?", "zz999999999999999999999", "-1", "b2b2", "0x1", "٣", "a\n1"])
def test_text_that_is_not_a_move_is_invalid_notation_and_changes_nothing(name: str, text: str) -> None:
    position = make(name).start()
    before = everything(position)
    with pytest.raises(ValueError, match=r"\w") as error:
        position.play(text)
    assert isinstance(error.value, no.InvalidNotation | no.IllegalMove)
    assert_one_line(str(error.value))
    assert everything(position) == before


def assert_one_line(message: str) -> None:
    assert message.strip()
    assert len(message.splitlines()) == 1


@every_game
def test_over_means_no_moves_no_turn_and_an_outcome(name: str) -> None:
    for position in positions_of(make(name), seed=11):
        assert position.is_over == (position.legal_moves == [])
        assert position.is_over == (position.turn is None)
        assert position.is_over == (position.outcome is not None)


@every_game
@pytest.mark.parametrize("seed", range(5))
def test_winner_reason_and_points_fit_each_other(name: str, seed: int) -> None:
    *_, position = positions_of(make(name), seed)
    outcome = position.outcome
    assert outcome is not None
    x, o = outcome.points
    assert position.winner == outcome.winner
    assert outcome.winner == ("X" if x > o else "O" if o > x else None)
    assert outcome.reason in ("line", "full", "count")
    assert (outcome.reason == "line") == (position.winning_line is not None)
    assert outcome.reason != "full" or outcome.winner is None


@every_game
def test_hash_depends_on_the_position_and_not_on_the_order_of_moves(name: str) -> None:
    game = make(name)
    compared = 0
    for moves, reordered in reorderings(game):
        one, other = replay(game, moves), replay(game, reordered)
        if one is None or other is None or one.text != other.text:
            continue
        compared += 1
        assert other == one
        assert other.hash == one.hash
        assert other.canonical_hash == one.canonical_hash
    assert compared, "no two orders led to the same position"


def test_two_ways_to_the_same_end_of_ultimate_give_the_same_hash() -> None:
    """The block that the last move sends to is not part of a finished position."""
    game = no.Game("ultimate:2")
    one, other = replay(game, [1, 4, 0, 5, 8, 12, 11]), replay(game, [1, 4, 0, 5, 11, 12, 8])
    assert one is not None
    assert other is not None
    assert one.is_over
    assert one == other == game.parse(one.text)
    assert one.hash == other.hash == game.parse(one.text).hash


def reorderings(game: no.Game) -> Iterator[tuple[list[int], list[int]]]:
    """Beginnings of playthroughs and the same moves in another order, which may be illegal."""
    for seed in range(8):
        moves = random_moves(game, seed)
        for at in range(min(8, len(moves) - 3)):
            a, b, c, d = moves[at : at + 4]
            yield moves[: at + 4], [*moves[:at], c, b, a, d]
            yield moves[: at + 4], [*moves[:at], a, d, c, b]
    # In Ultimate: from block 0 to block 1 and back, then to block 2 and back; or the other way round.
    block = isqrt(game.cells)
    yield [1, block, 2, 2 * block], [2, 2 * block, 1, block]


def replay(game: no.Game, moves: list[int]) -> no.Position | None:
    """The position after these moves, or None when one of them is illegal."""
    position = game.start()
    for move in moves:
        if move not in position.legal_moves:
            return None
        position.play(move)
    return position


@every_game
def test_hash_tells_positions_apart(name: str) -> None:
    texts: dict[int, str] = {}
    for seed in range(4):
        for position in positions_of(make(name), seed, count=40):
            assert texts.setdefault(position.hash, position.text) == position.text
    assert len(texts) == len(set(texts.values())) > 4


@every_game
def test_canonical_hash_is_the_same_for_the_mirror_image(name: str) -> None:
    game = make(name)
    image = GAMES[name][1](game)
    original, mirrored = game.start(), game.start()
    for move in random_moves(game, seed=12):
        original.play(move)
        mirrored.play(image[move])
        assert mirrored.canonical_hash == original.canonical_hash
        assert mirrored.outcome == original.outcome


@every_game
def test_drawing_shows_every_mark_or_who_won_its_block(name: str) -> None:
    """A block that is won may be drawn as one large mark; all other marks must be there."""
    game = make(name)
    for position in positions_of(game, seed=13, count=3):
        drawing = str(position)
        for side in no.Side:
            shown = [cell for cell, mark in enumerate(position.cells) if mark == side]
            if game.is_ultimate:
                shown = [cell for cell in shown if position.blocks[game.block_of(cell)] is None]
            assert drawing.count(side) >= len(shown) + position.blocks.count(side) * game.is_ultimate


@every_game
def test_games_are_equal_when_their_rules_are(name: str) -> None:
    game = make(name)
    assert make(name) == game
    assert hash(make(name)) == hash(game)
    assert pickle.loads(pickle.dumps(game)) == game
    assert game.start() == make(name).start()
    assert game != no.Game("3x3+wrap+misere")
