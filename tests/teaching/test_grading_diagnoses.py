"""Mistakes are named in every style of program, order of moves and form of answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from random import Random

import pytest

from noughts.games import Position, Side
from noughts.process.sandbox import why_no_sandbox
from noughts.teaching.grading import Submission, grade
from noughts.textbook import evaluate_lines
from student_programs import RIGHT_PROGRAMS, apply_patches, grade_program
from student_shapes import programs_of_shapes

Answer = tuple[int, int | None]
Order = Callable[[Position], list[int]]
BOUND = 1_000_000


def outcome_of(position: Position) -> int:
    return 0 if position.winner is None else sign(position.winner)


def sign(side: Side | None) -> int:
    return 1 if side == "X" else -1


def best(turn: Side | None, results: Sequence[Answer]) -> Answer:
    return (max if turn == "X" else min)(results, key=lambda pair: pair[0])


def begins_with_max(order: Order, position: Position, is_max: bool = True) -> Answer:
    if position.is_over:
        return outcome_of(position), None
    results = [(begins_with_max(order, position.after(move), not is_max)[0], move) for move in order(position)]
    return best(Side.X if is_max else Side.O, results)


def begins_with_min(order: Order, position: Position) -> Answer:
    return begins_with_max(order, position, is_max=False)


def one_colour(order: Order, position: Position) -> Answer:
    """Negamax whose colour stays that of the root."""
    colour = sign(position.turn)

    def search(at: Position) -> Answer:
        if at.is_over:
            return colour * outcome_of(at), None
        return max(((-search(at.after(move))[0], move) for move in order(at)), key=lambda pair: pair[0])

    value, move = search(position)
    return colour * value, move


def negated_colour(order: Order, position: Position) -> Answer:
    """Negamax that begins with colour −1 where X is to move; the value is turned to X's side in the right way."""

    def search(at: Position, colour: int) -> Answer:
        if at.is_over:
            return colour * outcome_of(at), None
        return max(((-search(at.after(move), -colour)[0], move) for move in order(at)), key=lambda pair: pair[0])

    value, move = search(position, -sign(position.turn))
    return sign(position.turn) * value, move


def empty_window(order: Order, position: Position, alpha: int = 2, beta: int = -2) -> Answer:
    """Alpha-beta whose defaults are exchanged."""
    if position.is_over:
        return outcome_of(position), None
    results: list[Answer] = []
    for move in order(position):
        results.append((empty_window(order, position.after(move), alpha, beta)[0], move))
        value = best(position.turn, results)[0]
        alpha, beta = (max(alpha, value), beta) if position.turn == "X" else (alpha, min(beta, value))
        if alpha >= beta:
            break
    return best(position.turn, results)


def right(order: Order, position: Position) -> Answer:
    if position.is_over:
        return outcome_of(position), None
    return best(position.turn, [(right(order, position.after(move))[0], move) for move in order(position)])


def reply_of_the_opponent(order: Order, position: Position) -> Answer:
    """The root passes on the pair of its best child."""
    return best(position.turn, [right(order, position.after(move)) for move in order(position)])


def last_move(order: Order, position: Position, played: int | None = None) -> Answer:
    """Every node passes on the pair of its best child, and the leaf gives the move that led to it."""
    if position.is_over:
        return outcome_of(position), played
    return best(position.turn, [last_move(order, position.after(move), move) for move in order(position)])


def no_move(order: Order, position: Position) -> Answer:
    """Every node passes on the pair of its best child, and the leaf gives no move."""
    return last_move(order, position)[0], None


def overwritten(order: Order, position: Position) -> Answer:
    """Every call keeps its best move in the same place."""
    kept: list[int | None] = [None]

    def search(at: Position) -> int:
        if at.is_over:
            return outcome_of(at)
        value = -2 * sign(at.turn)
        for move in order(at):
            found = search(at.after(move))
            if found > value if at.turn == "X" else found < value:
                value, kept[0] = found, move
        return value

    return search(position), kept[0]


def chance(order: Order, position: Position) -> Answer:
    return right(order, position)[0], Random().choice(position.legal_moves)


def row_by_row(position: Position) -> list[int]:
    return position.legal_moves


def backwards(position: Position) -> list[int]:
    return position.legal_moves[::-1]


def shuffled(position: Position) -> list[int]:
    return sorted(position.legal_moves, key=lambda move: move * 7 % 10)


ORDERS = (row_by_row, backwards, shuffled)
MISTAKES = {
    begins_with_max: "starts-as-max",
    begins_with_min: "starts-as-min",
    one_colour: "colour-kept",
    negated_colour: "leaf-sign",
    empty_window: "window-empty",
    reply_of_the_opponent: "later-move",
    last_move: "later-move",
    no_move: "returns-no-move",
    overwritten: "move-overwritten",
    chance: "random-move",
}
EVERY_MISTAKE_IN_EVERY_ORDER = [
    pytest.param(search, diagnosis, order, marks=() if n % len(ORDERS) == m else pytest.mark.slow)
    for n, (search, diagnosis) in enumerate(MISTAKES.items())
    for m, order in enumerate(ORDERS)
]
"""Each mistake is tried in one order in every run."""


@pytest.mark.parametrize(("search", "diagnosis", "order"), EVERY_MISTAKE_IN_EVERY_ORDER)
def test_a_mistake_is_named_whatever_the_order_of_the_moves(
    search: Callable[[Order, Position], Answer], diagnosis: str, order: Order
) -> None:
    outcome = grade(partial(search, order), task="minimax")
    assert outcome.diagnosis is not None, outcome
    assert outcome.diagnosis.id == diagnosis, outcome


def keeps_its_depth(position: Position, depth: int, alpha: int = -BOUND, beta: int = BOUND) -> Answer:
    """Alpha-beta that passes on its depth as it is."""
    if position.is_over or depth == 0:
        return evaluate_lines(position), None
    results: list[Answer] = []
    for move in position.legal_moves:
        results.append((keeps_its_depth(position.after(move), depth, alpha, beta)[0], move))
        value = best(position.turn, results)[0]
        alpha, beta = (max(alpha, value), beta) if position.turn == "X" else (alpha, min(beta, value))
        if alpha >= beta:
            break
    return best(position.turn, results)


def test_a_depth_that_is_not_reduced_is_named() -> None:
    outcome = grade(keeps_its_depth, game="3x3", depth=2)
    assert outcome.diagnosis is not None, outcome
    assert outcome.diagnosis.id == "depth-not-reduced", outcome


CS50 = (RIGHT_PROGRAMS / "cs50_right.py").read_text(encoding="utf-8")
PAIRS = (RIGHT_PROGRAMS / "shapes" / "cs50_pairs.py").read_text(encoding="utf-8")
COURSE = (RIGHT_PROGRAMS / "course_right.py").read_text(encoding="utf-8")
TEXT = (RIGHT_PROGRAMS / "shapes" / "string_negamax.py").read_text(encoding="utf-8")
CHANGES = [
    ("winner-sees-none", CS50, [("line[0] is not EMPTY and line[0] == line[1] == line[2]", 'line == ["x", "x", "x"]')]),
    (
        "terminal-inverted",
        CS50,
        [
            ("return winner(board) is not None or len", "return winner(board) is None and len"),
            ("actions(board)) == 0", "actions(board)) > 0"),
        ],
    ),
    ("result-marks-given", CS50, [("    new_board[i][j] = player(board)", "    board[i][j] = player(board)")]),
    (
        "root-calls-max",
        CS50,
        [
            (
                "return min(actions(board), key=lambda action: max_value",
                "return min(actions(board), key=lambda action: min_value",
            )
        ],
    ),
    ("starts-at-zero", PAIRS, [("    v = -math.inf\n", "    v = 0\n")]),
    (
        "returns-nothing-for-side",
        PAIRS,
        [
            (
                "        value, move = min_value(board, -math.inf, math.inf)\n        return move\n",
                "        return None\n",
            )
        ],
    ),
    (
        "value-and-move-swapped",
        COURSE,
        [
            ("return utility(state), None\n    scored", "return None, utility(state)\n    scored"),
            ("[(minimax(result(state, action))[0], action)", "[(action, minimax(result(state, action))[1])"),
            ("    return best(scored, key=lambda pair: pair[0])", "    return best(scored, key=lambda pair: pair[1])"),
        ],
    ),
    ("returns-infinity", PAIRS, [("        if score > v:", "        if score < v:")]),
    ("lines-miss-diagonals", TEXT, [(', "246"]', "]")]),
]


@pytest.mark.parametrize(("diagnosis", "program", "changes"), CHANGES, ids=[each[0] for each in CHANGES])
def test_a_small_change_is_named(diagnosis: str, program: str, changes: list[tuple[str, str]], tmp_path: Path) -> None:
    (tmp_path / "tictactoe.py").write_text(apply_patches(diagnosis, program, changes), encoding="utf-8")
    outcome = grade_program(tmp_path / "tictactoe.py", "minimax")
    assert outcome.diagnosis is not None, outcome
    assert outcome.diagnosis.id == diagnosis, outcome


SHAPES = {program.name: program for program in programs_of_shapes()}


@pytest.mark.parametrize(
    ("name", "diagnosis"),
    [
        ("gives_no_move_where_every_move_loses", "no-move-when-lost"),
        ("raises_where_every_move_loses", "raises-when-lost"),
        ("min_nodes_return_infinity", "returns-infinity"),
        ("always_takes_the_centre", "always-centre"),
    ],
)
def test_a_search_whose_moves_fail_in_one_way_is_named(name: str, diagnosis: str, tmp_path: Path) -> None:
    outcome = grade_program(SHAPES[name].write(tmp_path / "submission"), "minimax")
    assert outcome.diagnosis is not None, outcome
    assert outcome.diagnosis.id == diagnosis, outcome


CELLS = "(i, j) for i in range(3) for j in range(3) if board[i][j] is EMPTY"
AS_CS50_DOES_NOT_WANT = [
    (f"{{{CELLS}}}", f"[{CELLS}]"),
    ("    if terminal(board):\n        return None\n", '    if terminal(board):\n        return "over"\n'),
]


def test_what_only_cs50_wants_is_noted_and_costs_nothing(tmp_path: Path) -> None:
    program = tmp_path / "tictactoe.py"
    program.write_text(apply_patches("unwanted", CS50, AS_CS50_DOES_NOT_WANT), encoding="utf-8")
    outcome = grade_program(program, "minimax")
    assert outcome.passed, outcome
    first, second = outcome.notes
    assert first.startswith("CS50's own checks want a set from actions; this is [(")
    assert second == "CS50's own checks want None from minimax where play is over; this gives 'over'."


def starter(program: str) -> str:
    """Return a program whose functions are not written yet; the constants and the first board stay."""
    start, *functions = program.split("\n\n\ndef ")
    names = [each.partition(":")[0] for each in functions[1:]]
    return "\n\n\ndef ".join([start, functions[0], *(f"{name}:\n    raise NotImplementedError" for name in names)])


def test_a_starter_is_not_written_and_does_not_raise(tmp_path: Path) -> None:
    program = tmp_path / "tictactoe.py"
    program.write_text(starter(CS50), encoding="utf-8")
    outcome = grade_program(program, "minimax")
    named = {id: failure.diagnosis.id for id, failure in outcome.failures.items() if failure.diagnosis}
    assert set(named) == {"player", "actions", "result", "winner", "terminal", "utility", "runs"}
    assert set(named.values()) == {"not-written"}


@pytest.mark.skipif(why_no_sandbox() is not None, reason=str(why_no_sandbox()))
def test_grading_prints_nothing_of_its_own(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "tictactoe.py"
    program.write_text(starter(CS50), encoding="utf-8")
    assert not grade(Submission(program), task="minimax", seconds=60).passed
    assert capfd.readouterr() == ("", "")
