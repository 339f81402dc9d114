"""Programs as students write them: right ones, which are files, and faulty ones, each a right one with a small change.

A change replaces a text that the right program has exactly once.
"""

from __future__ import annotations

import sys
from pathlib import Path
from unittest.mock import patch

from noughts.teaching.grading import Grade, Submission
from noughts.teaching.grading.client import LocalClient
from noughts.teaching.grading.diagnosis.repairs import is_repairable
from noughts.teaching.grading.grader import GradingJob, GradingProgress
from noughts.teaching.grading.runtime.server import SubmissionQuestion, SubmissionServer
from noughts.teaching.grading.tasks import find_task
from paths import TESTS

Patch = tuple[str, str]
"""The text of the right program, and the text that replaces it."""

RIGHT_PROGRAMS = TESTS / "teaching" / "students"

ALPHABETA_CALLS = [
    f"(position, alpha, beta)\n            position.undo()\n            if child {each}" for each in "<>"
]
CS50_ROOT_X = "max(actions(board), key=lambda action: min_value(result(board, action)))"
CS50_ROOT_O = "min(actions(board), key=lambda action: max_value(result(board, action)))"
MINIMAX_CHOICE = 'choose = max if position.turn == "X" else min'
MINIMAX_LEAF = 'return {"X": 1, "O": -1, None: 0}[position.winner], None'
MINIMAX_RESULT = "results.append((minimax(position)[0], move))"
OPEN_LINES = [('total += marks.count("X") ** 2', "total += 1"), ('total -= marks.count("O") ** 2', "total -= 1")]
ORDER = "return [cell for cell in best_first if cell in position.legal_moves]"

PATCHES: dict[str, dict[str, list[Patch]]] = {
    "minimax_right": {
        "minimax_swapped": [(MINIMAX_CHOICE, 'choose = min if position.turn == "X" else max')],
        "minimax_always_max": [(MINIMAX_CHOICE, "choose = max")],
        "minimax_mover_side": [
            (MINIMAX_LEAF, "return 0 if position.winner is None else -1, None  # the side to move has lost"),
            (MINIMAX_RESULT, "results.append((-minimax(position)[0], move))"),
            (MINIMAX_CHOICE, "choose = max"),
        ],
        "minimax_forgets_undo": [
            (
                MINIMAX_RESULT,
                "value = minimax(position)[0]\n"
                '        if value == (1 if position.turn == "O" else -1):\n'
                "            return value, move  # nothing can be better\n"
                "        results.append((value, move))",
            )
        ],
        "minimax_pair_swapped": [
            (MINIMAX_LEAF, 'return None, {"X": 1, "O": -1, None: 0}[position.winner]'),
            (MINIMAX_RESULT, "results.append((move, minimax(position)[1]))"),
            ("pair[0]", "pair[1]"),
        ],
        "minimax_last_move": [("key=lambda pair: pair[0])", "key=lambda pair: pair[0])[0], move")],
    },
    "alphabeta_right": {
        "alphabeta_wrong_cut": [("if value >= beta", "if value >= alpha")],
        "alphabeta_late_cut": [("if value >= beta", "if value > beta"), ("if value <= alpha", "if value < alpha")],
        "alphabeta_no_window": [(call, call.replace(", alpha, beta", "")) for call in ALPHABETA_CALLS],
        "alphabeta_later_ties": [("if child > value", "if child >= value"), ("if child < value", "if child <= value")],
        "table_bounds": [
            ("beta=2):\n", "beta=2, table=None):\n    table = {} if table is None else table\n"),
            (
                "    best_move = None\n",
                "    if position.hash in table:\n        return table[position.hash]\n    best_move = None\n",
            ),
            *((call, call.replace("beta", "beta, table")) for call in ALPHABETA_CALLS),
            ("    return value, best_move", "    table[position.hash] = value, best_move\n    return value, best_move"),
        ],
        "hostile_prints": [
            ("    best_move = None\n", '    best_move = None\n    print("visiting", position.text, alpha, beta)\n')
        ],
    },
    "limited_right": {
        "limited_one_less": [("depth == 0", "depth <= 1")],
        "limited_estimate_side": [
            (
                "    if position.is_over or depth == 0:",
                '    if not position.is_over and depth == 0 and position.turn == "O":\n'
                "        return -evaluate_lines(position), None\n"
                "    if position.is_over or depth == 0:",
            )
        ],
    },
    "order_right": {
        "order_none": [(ORDER, "return position.legal_moves.sort(key=best_first.index)")],
        "order_taken": [(ORDER, "return best_first")],
        "order_worst_first": [(ORDER, "return sorted(position.legal_moves, key=best_first.index, reverse=True)")],
    },
    "heuristic_right": {
        "heuristic_open_lines": OPEN_LINES,
        "heuristic_estimate_sign": [*OPEN_LINES, ("return total", "return -total")],
        "heuristic_one_sided": [('marks.count("O") ** 2', 'marks.count("O")')],
        "heuristic_unbounded": [('{"X": 100, "O": -100, None: 0}', '{"X": 1, "O": -1, None: 0}')],
        "heuristic_mover_side": [
            ('{"X": 100, "O": -100, None: 0}[position.winner]', "0 if position.winner is None else -100"),
            ("return total", 'return total if position.turn == "X" else -total'),
        ],
    },
    "mcts_right": {
        "mcts_last_move_first": [
            ("1.4 *", "0.5 *"),
            ("pop(random.randrange(len(node.untried)))", "pop()"),
            ("node.wins += 0.5", "pass"),
            ("node.wins += 1\n", "node.wins += 1\n            else:\n                node.wins -= 1\n"),
        ],
        "mcts_no_exploration": [(" + 1.4 * math.sqrt(math.log(parent.visits) / child.visits)", "")],
        "mcts_opponent_helps": [("== node.side", "== position.turn")],
        "mcts_picks_by_value": [("key=lambda c: c.visits", "key=lambda c: c.wins / c.visits")],
        "mcts_wrong_sign": [("== node.side", "!= node.side")],
    },
    "cs50_right": {
        "cs50_shallow_copy": [("copy.deepcopy(board)", "board.copy()")],
        "cs50_one_diagonal": [("    lines.append([board[i][2 - i] for i in range(3)])\n", "")],
        "cs50_no_draw": [(" or len(actions(board)) == 0", "")],
        "cs50_empty_line": [
            (
                "        if line[0] is not EMPTY and line[0] == line[1] == line[2]:",
                "        if line[0] == line[1] == line[2]:",
            )
        ],
        "cs50_taken_cells": [("if board[i][j] is EMPTY}", "if board[i][j] is not EMPTY}")],
        "cs50_forgets_mark": [("    new_board[i][j] = player(board)\n", "")],
        "cs50_mistypes_name": [("copy.deepcopy(board)", "copy.deepcopy(bord)")],
        "cs50_accepts_illegal": [
            ('    if action not in actions(board):\n        raise ValueError("invalid action")\n', "")
        ],
        "cs50_o_first": [("return X if marks % 2 == 0 else O", "return O if marks % 2 == 0 else X")],
        "cs50_returns_value": [
            ("        return None\n    if player", "        return utility(board)\n    if player"),
            (CS50_ROOT_X, "max_value(board)"),
            (CS50_ROOT_O, "min_value(board)"),
        ],
        "cs50_root_maximises": [(CS50_ROOT_O, CS50_ROOT_O.replace("min(", "max(", 1))],
        "cs50_one_ply": [
            (CS50_ROOT_X, CS50_ROOT_X.replace("min_value", "utility")),
            (CS50_ROOT_O, CS50_ROOT_O.replace("max_value", "utility")),
        ],
        "cs50_loops": [
            (
                "        return None\n    if player",
                "        return None\n    while not terminal(board):\n        for action in actions(board):\n"
                "            result(board, action)  # forgets to keep the new board\n    if player",
            )
        ],
    },
    "aima_right": {
        "aima_shared_board": [("state.board.copy()", "state.board")],
        "aima_plays_on": [("state.utility != 0 or ", "")],
    },
    "aima_without_rules": {
        "aima_min_at_root": [("return max(game.actions(state), key", "return min(game.actions(state), key")],
        "aima_wrong_player": [
            ("def alpha_beta_search", "def alphabeta_search"),
            ("player)\n        v = -math.inf", "game.to_move(state))\n        v = -math.inf"),
            ("player)\n        v = math.inf", "game.to_move(state))\n        v = math.inf"),
        ],
    },
    "course_right": {
        "course_mutates": [("copy.deepcopy(state)", "state")],
        "course_forgets_o": [('{"X": 1, "O": -1, None: 0}[winner(state)]', '1 if winner(state) == "X" else 0')],
        "course_small_win": [
            (
                "terminal(state) or depth == 0:",
                "terminal(state):\n        return utility(state), None\n    if depth == 0:",
            )
        ],
        "course_depth": [("depth == 0", "depth == 1")],
        "course_order_drops": [
            (
                "sorted(moves, key=lambda move: (abs(move[0] - center) + abs(move[1] - center), move))",
                "list({abs(move[0] - center) + abs(move[1] - center): move for move in moves}.values())",
            )
        ],
    },
}
OTHER_PROGRAMS = {
    "heuristic_constant": "def evaluate(position):\n    return 1\n",
    "negamax_leaf": """\
def alphabeta(position, alpha=-2, beta=2):
    if position.is_over:
        return {"X": 1, "O": -1, None: 0}[position.winner], None
    best_move = None
    for move in position.legal_moves:
        position.play(move)
        value = -alphabeta(position, -beta, -alpha)[0]
        position.undo()
        if value > alpha:
            alpha, best_move = value, move
        if alpha >= beta:
            break
    return alpha, best_move
""",
    "player_misses_win": '''\
def choose(position):
    """Blocks before it looks for its own line."""
    moves = position.legal_moves
    for line in position.game.lines:
        marks = [position.cells[cell] for cell in line]
        opponent = "O" if position.turn == "X" else "X"
        if marks.count(opponent) == 2 and marks.count(None) == 1:
            return line[marks.index(None)]
    return 4 if 4 in moves else moves[0]
''',
    "player_no_block": '''\
def choose(position):
    """Completes its own line, and does not look at the opponent's."""
    for move in position.legal_moves:
        if position.after(move).winner == position.turn:
            return position.format_move(move)
    for name in ("b2", "a1", "a3", "c1", "c3", "a2", "b1", "b3", "c2"):
        if position.is_legal(position.parse_move(name)):
            return name
''',
    "player_taken_cell": "import random\n\n\ndef choose(position):\n    return random.randrange(9)\n",
    "hostile_catches_all": """\
def search(position):
    while True:
        try:
            position.play(position.legal_moves[0])
            position.undo()
        except Exception:
            pass
""",
    "hostile_loops": "def search(position):\n    while True:\n        pass\n",
    "hostile_memory": "def search(position):\n    seen = []\n    while True:\n        seen += [bytearray(1 << 20)]\n",
    "hostile_os_exit": "import os\n\n\ndef search(position):\n    os._exit(3)\n",
    "hostile_reads_input": 'name = input("Your name? ")\n\n\ndef search(position):\n    return 0, 0\n',
    "hostile_recursion": "def search(position):\n    return search(position)\n",
    "hostile_syntax_error": "def search(position)\n    return 0, 0\n",
    "hostile_system_exit": """\
import sys


def search(position):
    if position.is_over:
        sys.exit("game over")
    return search(position.after(position.legal_moves[0]))
""",
}


def student_programs() -> dict[str, str]:
    """The source of every program by its name."""
    programs = {path.stem: path.read_text(encoding="utf-8") for path in RIGHT_PROGRAMS.glob("*.py")}
    searches = programs["aima_right"].index("def minmax_decision")
    programs["aima_without_rules"] = f"import math\n\n\n{programs['aima_right'][searches:]}"
    faulty = {
        name: apply_patches(name, programs[right], patches)
        for right, each in PATCHES.items()
        for name, patches in each.items()
    }
    return programs | faulty | OTHER_PROGRAMS


def apply_patches(name: str, source: str, patches: list[Patch]) -> str:
    for old, new in patches:
        assert source.count(old) == 1, f"{name}: expected to find this once, got {source.count(old)}: {old}"
        source = source.replace(old, new)
    return source


def write_student_programs(folder: Path) -> None:
    for name, source in student_programs().items():
        (folder / f"{name}.py").write_text(source, encoding="utf-8")


def grade_program(program: Path, task: str, repairs: bool = False) -> Grade:
    """Grade a program in this process, which it must not harm: starting another takes longer than most gradings.

    Perhaps look for a repair of it, too.
    """
    submission = Submission(program).read()
    job = GradingJob(submission, find_task(task))
    before = set(sys.modules)
    with submission.unpack() as folder, patch.object(sys, "path", sys.path.copy()):
        question: SubmissionQuestion = {"file": str(folder / submission.main), "function": None}
        progress = GradingProgress()
        grade = job.run(LocalClient(SubmissionServer()), question, progress)
        if repairs and progress.exam is not None and is_repairable(grade):
            job.repair(LocalClient(SubmissionServer()), question, progress.exam, grade, submission)
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(folder)):
            del sys.modules[name]
    return grade
