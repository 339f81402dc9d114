"""The exact algorithms of the textbook against the value of every position of 3x3, and what each of them adds."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from random import Random

import pytest

from noughts.games import Game, Position, Side
from noughts.textbook import (
    Evaluate,
    Result,
    alphabeta,
    alphabeta_with_killers,
    alphabeta_with_quiescence,
    alphabeta_with_symmetry,
    alphabeta_with_table,
    aspiration_windows,
    corners_before_edges,
    evaluate_lines,
    evaluate_lines_sooner,
    evaluate_outcome,
    evaluate_sooner,
    expectimax,
    iterative_deepening,
    mcts,
    minimax,
    negamax,
    negascout,
    proof_number_search,
    retrograde,
    urgent_moves,
)
from plays import play_randomly

IS_SLOW = bool(os.environ.get("NOUGHTS_SLOW"))
EMPTY = Game("3x3").start()
Search = Callable[..., Result]
NEW: list[Search] = [alphabeta_with_killers, alphabeta_with_quiescence, alphabeta_with_symmetry]
Table = dict[int, tuple[Position, int]]


def collect(position: Position, table: Table) -> int:
    """Add the position and all that follow to a table of positions and values, by plain minimax; return the value."""
    if position.hash not in table:
        copy = position.copy()
        values = [collect(position.after(move), table) for move in position.legal_moves]
        table[position.hash] = (
            copy,
            (evaluate_outcome(copy) if not values else max(values) if position.turn is Side.X else min(values)),
        )
    return table[position.hash][1]


@pytest.fixture(scope="module")
def table() -> Table:
    found: Table = {}
    collect(EMPTY, found)
    assert len(found) == 5_478
    return found


def unfinished(table: Table) -> Iterator[tuple[Position, int]]:
    return ((position, value) for position, value in table.values() if not position.is_over)


@pytest.mark.parametrize("search", [*NEW, proof_number_search])
def test_a_search_finds_the_value_of_every_kind_of_position_of_3x3_and_a_move_to_it(
    search: Search, table: Table
) -> None:
    kinds = {position.canonical_hash: (position, value) for position, value in table.values()}
    assert len(kinds) == 765
    for position, value in kinds.values():
        found = search(position, order=corners_before_edges)
        assert found.value == value, position.text
        if not position.is_over:
            assert found.move is not None
            assert table[position.after(found.move).hash][1] == value, position.text


def test_against_a_perfect_opponent_expectimax_is_minimax(table: Table) -> None:
    def perfect(position: Position) -> dict[int, float]:
        value = table[position.hash][1]
        best = [move for move in position.legal_moves if table[position.after(move).hash][1] == value]
        return dict.fromkeys(best[:2], 1 / len(best[:2]))

    for position, value in table.values():
        if position.cells.count(None) <= 7:
            assert expectimax(position, perfect).value == value, position.text


def test_retrograde_analysis_has_the_value_of_every_position_of_3x3(table: Table) -> None:
    solved = retrograde(Game("3x3"))
    assert len(solved) == 5_478
    for position, value in table.values():
        assert solved[position].value == value
        assert (solved[position].distance is None) == (value == 0)


def test_the_distance_is_that_of_a_search_that_prefers_the_sooner_win(table: Table) -> None:
    """The value of a win is 1 and the cells left empty: those now less the plies still to be played."""
    solved = retrograde(Game("3x3"))
    for position, value in table.values():
        found = alphabeta_with_table(position, corners_before_edges, evaluate=evaluate_sooner).value
        distance = solved[position].distance
        assert found == (0 if distance is None else value * (1 + position.cells.count(None) - distance))


# How much each idea saves


def test_there_are_765_positions_of_3x3_up_to_symmetry() -> None:
    assert len(retrograde(Game("3x3"), symmetry=True)) == 765


@pytest.mark.parametrize(
    ("search", "row_by_row_nodes", "corner_nodes"),
    [
        (alphabeta_with_killers, 7_107, 5_392),
        (alphabeta_with_quiescence, 18_297, 7_275),
        (alphabeta_with_symmetry, 1_084, 475),
        (proof_number_search, 16_460, 15_992),
    ],
)
def test_the_number_of_nodes_on_the_empty_board_is_known(
    search: Search, row_by_row_nodes: int, corner_nodes: int
) -> None:
    assert search(EMPTY).nodes == row_by_row_nodes
    assert search(EMPTY, order=corners_before_edges).nodes == corner_nodes


@pytest.mark.parametrize("game", ["4x4:3", "3x3x3", "ultimate:3", "7x6:4+gravity", "3x3+misere", "5x5:4+exact"])
def test_killers_and_symmetry_equal_depth_limited_minimax_on_other_games(game: str) -> None:
    random = Random(5)
    for moves in (2, 5, 6):
        position = play_randomly(Game(game).start(), random, moves)
        expected = minimax(position, depth=2, evaluate=evaluate_lines)
        for search in (alphabeta_with_killers, alphabeta_with_symmetry):
            found = search(position, depth=2, evaluate=evaluate_lines)
            assert (found.value, found.move) == (expected.value, expected.move), (search, position.text)


CUSTOM = [
    Game.from_lines("triangle", cells=6, lines=[[0, 1, 3], [0, 2, 5], [3, 4, 5]]),
    Game.from_lines("stack", cells=6, lines=[[0, 3], [1, 4], [2, 5], [3, 4]], rests_on=[[], [], [], [0], [1], [2]]),
]


STARTS = [
    *(game.start() for game in CUSTOM),
    Game("3x2:2+misere").start(),
    Game("ultimate:2").parse("xox1/1o2/ox2/4 x -"),
]


@pytest.mark.parametrize("start", STARTS, ids=lambda start: start.game.id)
def test_every_exact_algorithm_solves_custom_games_and_the_rest_of_the_family(start: Position) -> None:
    solved, random, position = retrograde(start), Random(2), start.copy()
    while not position.is_over:
        expected = minimax(position).value
        searches = [*NEW, proof_number_search]
        assert {search(position).value for search in searches} == {solved[position].value} == {expected}
        position.play(random.choice(position.legal_moves))
    assert position.ply > 1


# Quiescence


def test_a_win_beyond_the_horizon_is_seen() -> None:
    """X completes its column at once, but a search of no plies only sees that it lacks one mark."""
    position = Game("4x4:3").parse("4/2x1/2x1/oo2 x")
    assert abs(alphabeta(position, depth=0, evaluate=evaluate_lines).value) < 1_000
    assert alphabeta_with_quiescence(position, depth=0, evaluate=evaluate_lines).value == 10_000


def test_a_side_that_faces_two_threats_has_lost_for_quiescence() -> None:
    position = Game("4x4:3").parse("4/1xx1/4/oxo1 o")
    assert abs(alphabeta(position, depth=0, evaluate=evaluate_lines).value) < 10_000
    assert alphabeta_with_quiescence(position, depth=0, evaluate=evaluate_lines).value == 10_000


def test_quiescence_plays_the_forced_block_before_it_judges() -> None:
    position = Game("5x5:4").parse("5/1xxx1/o4/o4/5 o")
    forced = position.threats("X")
    assert len(forced) == 2
    assert alphabeta_with_quiescence(position, depth=0, evaluate=evaluate_lines).value == 10_000
    closed = Game("5x5:4").parse("5/oxxx1/5/o4/5 o")
    after_the_block = closed.after(closed.threats("X")[0])
    found = alphabeta_with_quiescence(closed, depth=0, evaluate=evaluate_lines)
    assert (found.value, found.move) == (evaluate_lines(after_the_block), closed.threats("X")[0])


def test_urgent_moves_complete_a_line_or_block_one() -> None:
    assert urgent_moves(Game("3x3").parse("xx1/oo1/3 x")) == ([2], True)
    assert urgent_moves(Game("3x3").parse("xx1/o2/3 o")) == ([2], True)
    assert urgent_moves(EMPTY) == ([], False)
    assert urgent_moves(Game("3x3+misere").parse("xx1/oo1/3 x")) == ([], False)
    assert urgent_moves(Game("3x3").parse("xxx/oo1/3 -")) == ([], False)
    block = Game("ultimate:3").parse("xx7/9/9/oo7/9/9/9/9/9 x 1")
    assert urgent_moves(block) == ([2], False)


# Expectimax


def test_best_play_against_a_random_opponent_is_worth_191_of_192() -> None:
    found = expectimax(EMPTY)
    assert found.value == pytest.approx(191 / 192)
    assert (found.move, found.nodes) == (0, 549_946)


def test_expectimax_sets_a_trap_where_minimax_sees_only_draws() -> None:
    position = Game("3x3").parse("3/1x1/2o x")
    assert minimax(position).value == 0
    assert expectimax(position).value > 0.8


def test_expectimax_is_from_xs_side_for_o_as_well() -> None:
    position = Game("3x3").parse("x2/3/3 o")
    found = expectimax(position)
    assert found.move is not None
    assert -1 < found.value < minimax(position).value == 0


def test_a_model_that_always_errs_is_exploited() -> None:
    """O is expected to play the last move in order, so X wins a position that is a draw."""
    position = Game("3x3").parse("3/1x1/2o x")
    found = expectimax(position, lambda position: {position.legal_moves[-1]: 1.0})
    assert found.value == 1


@pytest.mark.parametrize("model", [{}, {0: 0.5}, {0: 1.5, 1: -0.5}])
def test_a_model_whose_probabilities_are_not_ones_is_refused(model: dict[int, float]) -> None:
    with pytest.raises(ValueError, match="expected probabilities that sum to 1 from the opponent's model, got"):
        expectimax(Game("3x3").parse("3/xo1/3 x"), lambda position: model, depth=2)


# Retrograde analysis


def test_connect_four_on_4x4_is_a_draw_of_161029_positions() -> None:
    game = Game("4x4:4+gravity")
    solved = retrograde(game)
    assert len(solved) == 161_029
    assert solved[game.start()] == (0, None)
    random, position = Random(1), game.start()
    while not position.is_over:
        if position.ply > 6:
            assert solved[position].value == alphabeta_with_table(position).value
        position.play(random.choice(position.legal_moves))


def test_a_table_takes_the_soonest_win_and_the_latest_loss() -> None:
    solved = retrograde(Game("3x3"))
    assert solved.best_moves(Game("3x3").parse("oox/1x1/3 x")) == [6]
    lost = Game("3x3").parse("x1x/3/xoo o")
    assert solved[lost].value == 1
    distances = {move: solved[lost.after(move)].distance or 0 for move in lost.legal_moves}
    assert solved.best_moves(lost) == [move for move in distances if distances[move] == max(distances.values())]


def test_a_table_knows_which_positions_it_has() -> None:
    solved = retrograde(Game("3x3").parse("xo1/3/3 x"))
    assert Game("3x3").parse("xo1/1x1/3 o") in solved
    assert EMPTY not in solved


def test_a_game_too_large_for_a_table_is_refused() -> None:
    with pytest.raises(ValueError, match="expected at most 1,000 positions, got more"):
        retrograde(Game("4x4"), most_positions=1_000)


# The sooner win


@pytest.mark.parametrize(
    "search",
    [minimax, alphabeta, negamax, negascout, alphabeta_with_table, *NEW, aspiration_windows, iterative_deepening],
)
@pytest.mark.parametrize("evaluate", [evaluate_sooner, evaluate_lines_sooner])
def test_every_search_takes_the_win_it_can_take_now(search: Search, evaluate: Evaluate) -> None:
    """X could also win two plies later by a move that comes first in order."""
    position = Game("3x3").parse("oox/1x1/3 x")
    assert alphabeta(position).move == 3
    assert search(position, evaluate=evaluate).move == 6


def test_a_sooner_win_counts_more_for_either_side() -> None:
    game = Game("3x3")
    assert evaluate_sooner(game.parse("xxx/oo1/3 -")) == 5
    assert evaluate_sooner(game.parse("ooo/xx1/x2 -")) == -4
    assert evaluate_sooner(game.parse("xx1/oo1/3 x")) == 0
    assert evaluate_lines_sooner(game.parse("xxx/oo1/3 -")) == 10_004


# Monte-Carlo tree search converges


def test_mcts_plays_perfectly_from_99_percent_of_the_positions_of_3x3(table: Table) -> None:
    """All positions with 10,000 simulations each if NOUGHTS_SLOW is set, otherwise a sample with 1,000."""
    positions = list(unfinished(table))
    simulations, sample = (10_000, positions) if IS_SLOW else (1_000, Random(1).sample(positions, 60))
    moves = [(position, value, mcts(position, simulations, seed=1).move) for position, value in sample]
    perfect = sum(move is not None and table[p.after(move).hash][1] == value for p, value, move in moves)
    assert perfect >= 0.99 * len(sample)
