"""Orders, evaluations and the course's seven functions."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from noughts.games import Game
from noughts.textbook import (
    Order,
    best_lines_first,
    center_first,
    corners_before_edges,
    evaluate_lines,
    evaluate_nothing,
    evaluate_outcome,
    functional,
    row_by_row,
)
from noughts.textbook.functional import (
    State,
    actions,
    initial_state,
    player,
    result,
    terminal,
    utility,
    winner,
)

GAMES = ["3x3", "4x4", "5x5:4", "3x3x3", "4x4x4x4", "7x6:4+gravity", "ultimate:3", "ultimate:2+open", "15x15:5+exact"]
OWN = Game.from_lines("triangle", cells=6, lines=[[0, 1, 3], [0, 2, 5], [3, 4, 5]])


def swap_sides(text: str) -> str:
    return text.translate(str.maketrans("xo", "ox"))


@pytest.mark.parametrize("order", [row_by_row, center_first, corners_before_edges, best_lines_first])
@pytest.mark.parametrize("game", GAMES)
def test_an_order_lists_every_legal_move_once(game: str, order: Order) -> None:
    position, random = Game(game).start(), Random(1)
    for _ in range(6):
        assert sorted(order(position)) == position.legal_moves
        position.play(random.choice(position.legal_moves))
    assert sorted(order(OWN.start())) == [0, 1, 2, 3, 4, 5]


def test_center_first_is_seed_003s_manhattan_order() -> None:
    assert center_first(Game("3x3").start()) == [4, 1, 3, 5, 7, 0, 2, 6, 8]
    assert center_first(Game("4x4").start())[:5] == [10, 6, 9, 11, 14]


def test_center_first_measures_on_every_axis() -> None:
    assert center_first(Game("3x3x3").start())[0] == 13
    assert center_first(Game("ultimate:3").start())[0] == 40
    assert center_first(Game("7x6:4+gravity").start())[0] == 38


def test_center_first_finds_the_centre_wherever_a_layout_begins() -> None:
    lines = [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
    for corner in (-1, 0, 10):
        layout = [(corner + x, corner + y) for y in range(3) for x in range(3)]
        game = Game.from_lines("moved", cells=9, lines=lines, layout=layout)
        assert center_first(game.start()) == [4, 1, 3, 5, 7, 0, 2, 6, 8]


def test_corners_come_before_edges_in_each_ring() -> None:
    assert corners_before_edges(Game("3x3").start()) == [4, 0, 2, 6, 8, 1, 3, 5, 7]
    assert corners_before_edges(Game("4x4").start())[:8] == [5, 6, 9, 10, 0, 3, 12, 15]
    assert corners_before_edges(Game("3x3x3").start())[:9] == [13, 0, 2, 6, 8, 18, 20, 24, 26]


def test_best_lines_first_looks_at_the_marks() -> None:
    assert best_lines_first(Game("3x3").start()) == [4, 0, 2, 6, 8, 1, 3, 5, 7]
    position = Game("3x3").parse("x2/1o1/3 x")
    assert best_lines_first(position)[-1] == 8


def test_seed_003s_table_values_each_line() -> None:
    def value(text: str) -> int:
        return evaluate_lines(Game("3x3").parse(text))

    assert value("3/1x1/3 o") == 40
    assert value("xx1/3/o1o x") == 500 + 10 - 500 - 10 - 10
    assert value("xox/xoo/oxx -") == 0
    assert value("xxx/oo1/3 -") == 10_000
    assert value("xx1/ooo/x2 -") == -10_000


def test_four_in_a_row_of_five_is_worth_more_than_three() -> None:
    three = Game("15x15:5").parse("xxx12" + "/15" * 13 + "/o1o1o10 x")
    four = Game("15x15:5").parse("xxxx11" + "/15" * 13 + "/o1o1o1o8 x")
    assert evaluate_lines(four) > evaluate_lines(three) + 3_000


@pytest.mark.parametrize("game", [*GAMES, "3x3+misere", "6x6:6", "8x8:7"])
def test_an_evaluation_changes_sign_with_the_sides_and_stays_below_a_win(game: str) -> None:
    random = Random(2)
    for _ in range(5):
        position = Game(game).start()
        while not position.is_over:
            value = evaluate_lines(position)
            assert abs(value) < max(10_000, 10 ** (position.game.k - 1))
            if position.ply % 2 == 0 and "ultimate" not in game:
                board, turn = position.text.split(" ", 1)
                assert evaluate_lines(position.game.parse(f"{swap_sides(board)} {turn}")) == -value
            position.play(random.choice(position.legal_moves))
        assert evaluate_lines(position) == evaluate_outcome(position) * max(10_000, 10 ** (position.game.k - 1))


def test_in_misere_lines_count_against_their_builder() -> None:
    plain, misere = (Game(id).parse("xx1/3/o1o x") for id in ("3x3", "3x3+misere"))
    plain.play("a2")
    misere.play("a2")
    assert evaluate_lines(misere) == -evaluate_lines(plain)


def test_a_guard_spoils_a_line_for_its_owner() -> None:
    position = Game.from_lines("guarded", cells=8, lines=[[0, 1, 2]], guards=[[3]]).start()
    position.play_all((0, 5, 1, 6))
    assert evaluate_lines(position) == 500
    position.play(3)
    assert evaluate_lines(position) == 0


def test_in_ultimate_a_won_block_is_worth_more_than_a_threat_in_one() -> None:
    game = Game("ultimate:3")
    won, threat = (game.parse(f"{row}/9/9/3o5/9/9/o8/9/8o x -") for row in ("xxx6", "xx5x1"))
    assert evaluate_lines(won) > evaluate_lines(threat) > evaluate_lines(game.start()) == 0


def test_a_dead_block_closes_the_lines_of_blocks_through_it() -> None:
    """X owns the first block; the second is dead, so only the column and the diagonal remain."""
    game = Game("ultimate:3")
    alive = game.parse("xxx6/9/9/9/9/9/ooo6/9/9 x -")
    dead = game.parse("xxxxox3/3xxo3/3oxo3/9/9/9/ooo6/9/8o x -")
    assert evaluate_lines(alive) == 0
    assert evaluate_lines(dead) < 0


def test_evaluate_nothing_says_nothing_until_play_is_over() -> None:
    assert evaluate_nothing(Game("3x3").parse("xx1/oo1/3 x")) == 0
    assert evaluate_nothing(Game("3x3").parse("xxx/oo1/3 -")) == 10
    assert evaluate_nothing(Game("3x3").parse("xx1/ooo/x2 -")) == -10


def test_the_seven_functions_play_a_game() -> None:
    state = initial_state(3, 3)
    assert state["board"] == [[None] * 3] * 3
    for action in [(0, 0), (1, 1), (0, 1), (2, 2), (0, 2)]:
        assert action in actions(state)
        state = result(state, action)
    assert (winner(state), terminal(state), utility(state), actions(state), player(state)) == ("X", True, 1, [], None)


def test_result_leaves_the_state_it_was_given() -> None:
    state = initial_state(4, 3)
    following = result(state, (3, 2))
    assert (state["moves"], following["moves"]) == (0, 1)
    assert (state["m"], state["k"]) == (4, 3)
    assert following["board"][3][2] == "X"
    assert player(state) == "X"
    assert player(following) == "O"


def test_a_state_written_by_hand_does_as_well() -> None:
    state = {"board": [["X", "O", None], [None, "X", None], [None, None, "O"]], "m": 3, "k": 3, "moves": 4}
    assert player(state) == "X"
    assert dict(result(state, (1, 0))) == {
        "board": [["X", "O", None], ["X", "X", None], [None, None, "O"]],
        "m": 3,
        "k": 3,
        "moves": 5,
    }
    won = {"board": [["O", "O", "O"], ["X", "X", None], ["X", None, None]], "m": 3, "k": 3, "moves": 6}
    assert (winner(won), terminal(won), utility(won)) == ("O", True, -1)


def test_a_board_that_is_not_square_is_refused() -> None:
    with pytest.raises(ValueError, match="expected a square board, got 2 rows of 2, 1"):
        player({"board": [["X", "O"], [None]], "m": 2, "k": 2, "moves": 2})


@pytest.mark.parametrize("action", [(1, 1), (3, 0), (-1, 0), (0, 5)])
def test_an_action_that_is_taken_or_off_the_board_is_refused(action: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match=r"taken|no such cell"):
        result(result(initial_state(), (1, 1)), action)


def test_minimax_written_against_the_seven_functions_solves_3x3() -> None:
    values: dict[str, int] = {}

    def value_of(state: State) -> int:
        if terminal(state):
            return utility(state)
        key = str(state["board"])
        if key not in values:
            children = [value_of(result(state, action)) for action in actions(state)]
            values[key] = max(children) if player(state) == "X" else min(children)
        return values[key]

    assert value_of(initial_state()) == 0
    assert len(values) == 5_478 - 958


def test_the_snippet_of_seed_003_runs_as_written() -> None:
    from noughts.textbook.functional import initial_state, search

    state = initial_state(4, 3)  # 4×4 board, 3-in-a-row
    value, move = search(state, depth=6, use_ordering=True)
    assert (value, move) == (10_000, (2, 2))
    assert state["moves"] == 0


def test_the_searches_of_seed_003_count_the_nodes_of_its_table() -> None:
    start = initial_state(3, 3)
    assert functional.minimax_ab(start)[0] == 0
    assert functional.nodes_explored == 18_297
    assert functional.minimax_ab(start, -1, 1, use_ordering=True)[0] == 0
    assert functional.nodes_explored < 11_758
    corner = result(start, (0, 0))
    assert functional.minimax(corner) == (0, (1, 1))
    assert functional.nodes_explored == 59_705
    assert functional.minimax_ab(corner) == (0, (1, 1))


def test_a_window_gives_bounds_as_alpha_beta_does() -> None:
    won = {"board": [["X", "X", None], ["O", "O", None], [None, None, None]], "m": 3, "k": 3, "moves": 4}
    assert functional.minimax_ab(won) == (1, (0, 2))
    assert functional.minimax_ab(won, -1.5, 0.5)[0] >= 1
    assert functional.minimax_ab(won, 1, 2)[0] <= 1


def test_values_of_search_are_those_of_evaluate_from_xs_side() -> None:
    threat = {"board": [["X", "X", None], [None, "O", None], [None, None, None]], "m": 3, "k": 3, "moves": 3}
    assert functional.evaluate(threat) == evaluate_lines(Game("3x3").parse("xx1/1o1/3 o"))
    assert functional.search(threat, depth=2)[1] == (0, 2)
    assert functional.search(threat, depth=0) == (functional.evaluate(threat), None)
    won = {"board": [["O", "O", "O"], ["X", "X", None], ["X", None, None]], "m": 3, "k": 3, "moves": 6}
    assert functional.search(won) == (-10_000, None)


def test_order_moves_sorts_by_distance_then_row_then_column() -> None:
    state = initial_state(3, 3)
    assert functional.order_moves(state, actions(state)) == [
        (1, 1), (0, 1), (1, 0), (1, 2), (2, 1), (0, 0), (0, 2), (2, 0), (2, 2)
    ]  # fmt: skip
    assert functional.order_moves(state, [(2, 2), (1, 1)]) == [(1, 1), (2, 2)]
    with pytest.raises(ValueError, match="expected rows and columns from 0 to 2, got"):
        functional.order_moves(state, [(3, 0)])


@pytest.mark.parametrize("action", ["x", "11", 4, None, (1,), (1, 1, 1), (1.0, 1.0), ("1", "1")])
def test_an_action_that_is_not_a_pair_of_numbers_is_refused_clearly(action: Any) -> None:
    with pytest.raises(ValueError, match=r"^expected an action as \(row, column\), two whole numbers from 0, got"):
        result(initial_state(), action)


def test_a_hand_written_state_with_a_wrong_mark_or_key_is_refused() -> None:
    board: list[list[Any]] = [["x", None, None], [None] * 3, [None] * 3]
    with pytest.raises(ValueError, match='expected "X", "O" or None in each cell of the board, got \'x\''):
        player({"board": board, "m": 3, "k": 3, "moves": 1})
    with pytest.raises(ValueError, match="expected a state with the keys board, m, k and moves, got one without 'k'"):
        player({"board": [[" "] * 3] * 3})
