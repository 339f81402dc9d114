"""The textbook searches: exact counts, the seeds' transcripts, and agreement with plain minimax."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest

from noughts.games import Game, Position
from noughts.teaching import Trace
from noughts.teaching.comparison import ALGORITHMS
from noughts.teaching.tree import Node
from noughts.textbook import (
    Order,
    Result,
    alphabeta,
    alphabeta_with_history,
    alphabeta_with_table,
    aspiration_windows,
    best_lines_first,
    center_first,
    corners_before_edges,
    evaluate_lines,
    evaluate_nothing,
    iterative_deepening,
    minimax,
    negamax,
    negascout,
    row_by_row,
)
from plays import played_at_random

Search = Callable[..., Result]
ORDERS = [row_by_row, center_first, corners_before_edges, best_lines_first]
IMPROVED: list[Search] = [negamax, alphabeta_with_table, alphabeta_with_history, negascout]
EMPTY = Game("3x3").start()


def every_kind(position: Position, seen: set[int]) -> Iterator[Position]:
    """Yield the position, changed in place, as one of each symmetric kind of positions that can be reached."""
    if position.canonical_hash in seen:
        return
    seen.add(position.canonical_hash)
    yield position
    for move in position.legal_moves:
        position.play(move)
        yield from every_kind(position, seen)
        position.undo()


def test_plain_minimax_visits_every_node_of_3x3() -> None:
    assert minimax(EMPTY) == Result(value=0, move=0, nodes=549_946)


@pytest.mark.parametrize(
    ("order", "nodes", "move"),
    [
        (row_by_row, 18_297, 0),
        (center_first, 11_758, 4),
        (corners_before_edges, 7_275, 4),
        (best_lines_first, 3_532, 4),
    ],
)
def test_alphabeta_visits_the_known_number_of_nodes(order: Order, nodes: int, move: int) -> None:
    assert alphabeta(EMPTY, order=order) == Result(value=0, move=move, nodes=nodes)


def test_each_root_move_with_a_full_window_takes_as_long_as_in_the_seeds() -> None:
    assert 1 + sum(alphabeta(EMPTY.after(move)).nodes for move in EMPTY.legal_moves) == 30_710


def test_negamax_visits_the_nodes_of_alphabeta() -> None:
    for order in ORDERS:
        assert negamax(EMPTY, order=order) == alphabeta(EMPTY, order=order)


def test_each_added_idea_saves_nodes_on_the_empty_board() -> None:
    plain = alphabeta(EMPTY).nodes
    assert alphabeta_with_table(EMPTY).nodes < plain / 3
    assert alphabeta_with_history(EMPTY).nodes < plain
    assert negascout(EMPTY).nodes < plain


def test_every_search_equals_minimax_on_all_kinds_of_positions_of_3x3() -> None:
    count = 0
    for position in every_kind(Game("3x3").start(), set()):
        expected = minimax(position)
        for order in ORDERS[1:]:
            assert alphabeta(position, order=order).value == expected.value, (position.text, order)
        for search in [alphabeta, *IMPROVED]:
            found = search(position)
            assert (found.value, found.move) == (expected.value, expected.move), (position.text, search)
        count += 1
    assert count == 765


@pytest.mark.parametrize(
    "game", ["4x4:3", "5x5:4", "3x3x3", "ultimate:3", "7x6:4+gravity", "3x3+misere", "5x5:4+exact"]
)
@pytest.mark.parametrize("seed", range(3))
def test_every_search_equals_depth_limited_minimax(game: str, seed: int) -> None:
    position = played_at_random(game, seed, 4 + 3 * seed)
    before = position.text
    expected = minimax(position, depth=2, evaluate=evaluate_lines)
    for order in ORDERS:
        assert alphabeta(position, order, 2, evaluate_lines).value == expected.value
    for search in [alphabeta, *IMPROVED]:
        found = search(position, depth=2, evaluate=evaluate_lines)
        assert (found.value, found.move) == (expected.value, expected.move), search
    for found in (
        aspiration_windows(position, width=200, depth=2, evaluate=evaluate_lines),
        iterative_deepening(position, seconds=60, depth=2, evaluate=evaluate_lines),
    ):
        assert (found.value, found.move) == (expected.value, expected.move)
    assert position.text == before


@pytest.mark.parametrize("game", ["4x4:3", "3x3x3"])
def test_to_the_end_of_larger_games_the_searches_agree(game: str) -> None:
    position = played_at_random(game, 3, Game(game).cells - 8)
    expected = minimax(position)
    searches: list[Search] = [alphabeta, *IMPROVED, aspiration_windows]
    for search in searches:
        found = search(position)
        assert (found.value, found.move) == (expected.value, expected.move), search


def test_transcript_of_seed_001_comes_out_move_for_move() -> None:
    """The human answers 2, 7, 6; the computer plays 1, 4, 5, 9 and wins."""
    position, played = Game("3x3").start(), []
    for reply in ("2", "7", "6", None):
        move = alphabeta(position).move
        assert move is not None
        position.play(move)
        played.append(move + 1)
        if reply is not None:
            position.play(reply)
    assert played == [1, 4, 5, 9]
    assert position.winner == "X"


@pytest.mark.parametrize("search", [minimax, alphabeta])
def test_self_play_of_seed_002_comes_out_move_for_move(search: Callable[[Position], Result]) -> None:
    position = Game("3x3").start()
    while not position.is_over:
        move = search(position).move
        assert move is not None
        position.play(move)
    assert position.moves == [0, 4, 1, 2, 6, 3, 5, 7, 8]
    assert position.winner is None


@pytest.mark.parametrize("text", ["xxx/oo1/3 -", "xox/xoo/oxx -"])
def test_a_finished_position_has_a_value_and_no_move(text: str) -> None:
    position = Game("3x3").parse(text)
    expected = 1 if position.winner else 0
    searches: list[Search] = [minimax, alphabeta, *IMPROVED, aspiration_windows, iterative_deepening]
    for search in searches:
        found = search(position)
        assert (found.value, found.move) == (expected, None)


def test_depth_0_evaluates_the_root() -> None:
    position = Game("3x3").parse("3/1x1/3 o")
    assert alphabeta(position, depth=0, evaluate=evaluate_lines) == Result(evaluate_lines(position), None, 1, 0)


@pytest.mark.parametrize("search", [minimax, alphabeta, *IMPROVED, aspiration_windows, iterative_deepening])
def test_a_depth_that_is_below_0_or_not_a_whole_number_is_refused(search: Callable[..., Result]) -> None:
    with pytest.raises(ValueError, match="expected a depth of 0 or more, got -1"):
        search(EMPTY, depth=-1)
    with pytest.raises(TypeError, match="expected a depth as a whole number, got float"):
        search(EMPTY, depth=1.5)


@pytest.mark.parametrize("seconds", [-1.0, float("nan")])
def test_a_time_that_never_comes_is_refused(seconds: float) -> None:
    with pytest.raises(ValueError, match="expected a number of seconds of 0 or more, got"):
        iterative_deepening(EMPTY, seconds=seconds)


def test_a_window_turns_the_value_into_a_bound() -> None:
    """The value is 0: asked whether it is above 0 or below 0, alpha-beta answers with a bound on the right side."""
    assert alphabeta(EMPTY, alpha=0, beta=1).value <= 0
    assert alphabeta(EMPTY, alpha=-1, beta=0).value >= 0


def test_evaluate_applies_to_finished_positions_too() -> None:
    position = Game("3x3").parse("xx1/oo1/3 x")
    assert minimax(position, depth=1, evaluate=evaluate_lines).value == 10_000
    assert minimax(position, depth=1, evaluate=evaluate_nothing).value == 10


def test_iterative_deepening_keeps_to_its_time_and_leaves_the_position_alone() -> None:
    position = Game("15x15:5").start()
    position.play("h8")
    started = time.monotonic()
    result = iterative_deepening(position, seconds=0.2, order=center_first)
    assert time.monotonic() - started < 10
    assert position.moves == [112]
    assert result.move in position.legal_moves
    assert result.depth is not None
    assert result.depth >= 1


class Interrupting(Trace):
    """Raises at the thirtieth node, as Ctrl-C or an error in ``evaluate`` does at any."""

    def _add(self, position: Position, parent: Node | None) -> Node:
        if self.visited == 30:
            raise KeyboardInterrupt
        return super()._add(position, parent)


@pytest.mark.parametrize("search", ALGORITHMS.values(), ids=ALGORITHMS)
def test_an_interrupted_search_leaves_the_position_alone(search: Search) -> None:
    position = Game("3x3").parse("3/1x1/o2 x")
    position.play("a3")
    with pytest.raises(KeyboardInterrupt):
        search(position, trace=Interrupting())
    assert (position.moves, position.text) == ([0], "x2/1x1/o2 o")


@pytest.mark.parametrize("search", ALGORITHMS.values(), ids=ALGORITHMS)
def test_something_else_than_a_position_is_refused_in_one_line(search: Search) -> None:
    with pytest.raises(TypeError, match=r"expected a position, such as Game\(\"3x3\"\).start\(\), got '3x3'"):
        search("3x3")


def test_an_order_given_by_its_name_is_refused_in_one_line() -> None:
    with pytest.raises(TypeError, match=r"expected a function, such as .*center_first, got .center"):
        alphabeta(EMPTY, order="center_first")  # type: ignore[arg-type]


def test_aspiration_searches_again_when_the_value_leaves_the_window() -> None:
    position = Game("5x5:4").start()
    narrow = aspiration_windows(position, width=1, depth=3, evaluate=evaluate_lines)
    wide = aspiration_windows(position, width=100_000, depth=3, evaluate=evaluate_lines)
    assert (narrow.value, narrow.move) == (wide.value, wide.move)
    assert narrow.nodes > wide.nodes


def test_speed_is_as_stated_in_the_readme() -> None:
    """Minimax in under 2 s and alpha-beta in under 0.1 s, of processor time: other tests may be running."""
    started = time.process_time()
    minimax(EMPTY)
    assert time.process_time() - started < 2
    started = time.process_time()
    alphabeta(EMPTY)
    assert time.process_time() - started < 0.1
