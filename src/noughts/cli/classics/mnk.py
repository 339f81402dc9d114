"""Generalized tic-tac-toe on m×m boards, k in a row: sixteen tests, a comparison of searches, and a game."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from time import perf_counter

from noughts.cli.classics import Console, is_number, parse_row_and_column
from noughts.games import Game, Position, Side
from noughts.games.quoting import quote
from noughts.textbook import alphabeta, center_first, evaluate_lines, minimax
from noughts.textbook import functional as course

__all__ = ["run"]

Check = Callable[[], bool]
RULE = "=" * 70
CENTER = 4
SMALLEST, LARGEST = 3, 5
DEPTHS = {3: None, 4: 6, 5: 4}
"""Search depth of the AI by board size: to the end, or as far as a person is willing to wait."""


def run(console: Console, tests: bool = True, plays: bool = True, asks: bool = True) -> int:
    """Run the requested parts; returns 1 if a test failed."""
    console.say(f"{RULE}\nGENERALIZED TIC-TAC-TOE\nAdversarial Search Implementation\n{RULE}\n")
    passed = run_tests(console) if tests else True
    if tests and plays:
        compare(console)
    if plays and (not asks or _wants_to_play(console)):
        play(console)
    return 0 if passed else 1


def run_tests(console: Console) -> bool:
    """Run the sixteen tests and print the result of each; returns whether all passed."""
    engine = _run_suite(console, "GAME ENGINE", "ENGINE", ENGINE_TESTS)
    algorithms = _run_suite(console, "ALGORITHMS", "ALGORITHM", ALGORITHM_TESTS)
    if engine and algorithms:
        console.say("🎉 ALL TESTS PASSED - Implementation is correct!\n")
    return engine and algorithms


def _run_suite(console: Console, title: str, name: str, checks: dict[str, Check]) -> bool:
    console.say(f"{RULE}\nTEST SUITE: {title}\n{RULE}\n")
    passed = 0
    for number, (what, check) in enumerate(checks.items(), start=1):
        result = console.think(check, what)
        passed += result
        console.say(f"[Test {number}] {what}\n{'✓ PASSED' if result else '✗ FAILED'}\n")
    console.say(f"{RULE}\n{name} TESTS: {passed}/{len(checks)} PASSED\n{RULE}\n")
    return passed == len(checks)


def compare(console: Console) -> None:
    """Measure three searches on the empty 3×3 board and print their nodes and times."""
    console.say(f"{RULE}\nPERFORMANCE COMPARISON\n{RULE}\n")
    console.say(f"{'Algorithm':<27}{'Nodes':>9}{'Time':>9}{'Reduction':>11}  Move")
    searches = {
        "Plain Minimax": lambda position: minimax(position),
        "Alpha-Beta (no ordering)": lambda position: alphabeta(position),
        "Alpha-Beta (with ordering)": lambda position: alphabeta(position, order=center_first),
    }
    baseline = 0
    for name, search in searches.items():
        began = perf_counter()
        result = console.think(partial(search, Game("3x3").start()), name)
        seconds = perf_counter() - began
        baseline = baseline or result.nodes
        saved = "Baseline" if result.nodes == baseline else f"{100 * (1 - result.nodes / baseline):.1f}%"
        assert result.move is not None
        row, column = divmod(result.move, 3)
        console.say(f"{name:<27}{result.nodes:>9,}{seconds:>8.3f}s{saved:>11}  ({row},{column})")
    console.say()


def _wants_to_play(console: Console) -> bool:
    def parse(text: str) -> bool:
        if text.lower() not in ("y", "yes", "n", "no"):
            raise ValueError(f"expected y or n, got {quote(text)}")
        return text.lower().startswith("y")

    return console.ask("Would you like to play against the AI? (y/n): ", parse)


def play(console: Console) -> None:
    """Ask for the board, then play a game; the person is X."""
    console.say("\nBoard configuration:")
    m = console.ask_number(f"Enter board size m ({SMALLEST}-{LARGEST}): ", SMALLEST, LARGEST)
    k = console.ask(f"Enter win condition k ({SMALLEST}-{LARGEST}): ", lambda text: _parse_k(text, m))
    console.say(f"\n{m}×{m} board, {k}-in-a-row to win\nYou are X, AI is O\nEnter moves as 'row col' (0-indexed)\n")
    position = Game(f"{m}x{m}:{k}").start()
    _show(console, position, m)
    while position.turn is not None:
        console.say(f"Current player: {position.turn}")
        if position.turn is Side.X:
            position.play(console.ask("Your move (row col): ", lambda text: _parse_move(text, position, m)))
        else:
            move = console.think(lambda: choose(position, DEPTHS[m]), "AI")
            position.play(move)
            console.say("AI plays: {} {}".format(*divmod(move, m)))
        console.say()
        _show(console, position, m)
    winner = position.winner
    console.say("It's a draw!" if winner is None else "X wins! You win!" if winner is Side.X else "O wins! AI wins!")


def choose(position: Position, depth: int | None) -> int:
    """Return the AI's move: the first best, from the centre outwards."""
    move = alphabeta(position.copy(), order=center_first, depth=depth, evaluate=evaluate_lines).move
    assert move is not None
    return move


def _parse_k(text: str, m: int) -> int:
    k = int(text) if is_number(text) else 0
    if k > m:
        raise ValueError(f"k cannot be more than the board's {m}, got {k}")
    if k < SMALLEST:
        allowed = f"a number from {SMALLEST} to {m}" if m > SMALLEST else f"{m}, the only k on this board"
        raise ValueError(f"expected {allowed}, got {quote(text)}")
    return k


def _parse_move(text: str, position: Position, m: int) -> int:
    row, column = parse_row_and_column(text, m, "1 1")
    move = row * m + column
    if not position.is_legal(move):
        raise ValueError("that cell is taken")
    return move


def _show(console: Console, position: Position, m: int) -> None:
    marks = [mark or " " for mark in position.cells]
    rows = [" | ".join(marks[start : start + m]) for start in range(0, m * m, m)]
    console.say(f"\n{'-' * (4 * m - 3)}\n".join(rows) + "\n")


# The sixteen tests of the course work, on the functions that the course names.


def _after(m: int, k: int, actions: Iterable[tuple[int, int]]) -> course.State:
    state = course.initial_state(m, k)
    for action in actions:
        state = course.result(state, action)
    return state


def _parse(text: str, game: str = "3x3") -> Position:
    return Game(game).parse(text)


def _initial_state() -> bool:
    state = course.initial_state(3, 3)
    return len(course.actions(state)) == 9 and all(mark is None for row in state["board"] for mark in row)


def _alternation() -> bool:
    return [course.player(_after(3, 3, [(0, 0), (0, 1)][:count])) for count in range(3)] == ["X", "O", "X"]


def _x_wins(m: int, k: int, *actions: tuple[int, int]) -> bool:
    state = _after(m, k, actions)
    return course.winner(state) == "X" and course.terminal(state) and course.utility(state) == 1


def _draw() -> bool:
    state = _after(3, 3, [(0, 0), (0, 1), (0, 2), (1, 1), (1, 0), (1, 2), (2, 1), (2, 0), (2, 2)])
    return course.terminal(state) and course.winner(state) is None and course.utility(state) == 0


def _immutability() -> bool:
    state = course.initial_state(3, 3)
    before = dict(state)
    course.result(state, (1, 1))
    return dict(state) == before


def _minimax_is_right() -> bool:
    """After X in the centre the value is a draw, and only the centre holds the draw against a corner."""
    return minimax(_parse("3/1x1/3 o")).value == 0 and minimax(_parse("x2/3/3 o")).move == CENTER


def _equivalence() -> bool:
    texts = ("3/3/3 x", "x2/1o1/3 x", "xo1/1x1/3 o", "xx1/oo1/3 x")
    return all(minimax(_parse(text)).value == alphabeta(_parse(text)).value for text in texts)


def _ordering_helps() -> bool:
    start = Game("3x3").start()
    return alphabeta(start, order=center_first).nodes < alphabeta(start).nodes


ENGINE_TESTS: dict[str, Check] = {
    "Initial state creation": _initial_state,
    "Player alternation": _alternation,
    "Horizontal win detection": lambda: _x_wins(3, 3, (0, 0), (1, 0), (0, 1), (1, 1), (0, 2)),
    "Vertical win detection": lambda: _x_wins(3, 3, (0, 0), (0, 1), (1, 0), (1, 1), (2, 0)),
    "Diagonal win detection": lambda: _x_wins(3, 3, (0, 0), (0, 1), (1, 1), (0, 2), (2, 2)),
    "Anti-diagonal win detection": lambda: _x_wins(3, 3, (0, 2), (0, 1), (1, 1), (0, 0), (2, 0)),
    "Draw detection": _draw,
    "Generalized m×m, k-in-a-row": lambda: _x_wins(4, 3, (1, 1), (0, 0), (1, 2), (0, 1), (1, 3)),
    "State immutability": _immutability,
}

ALGORITHM_TESTS: dict[str, Check] = {
    "Minimax correctness": _minimax_is_right,
    "Alpha-Beta equivalence": _equivalence,
    "Move ordering effectiveness": _ordering_helps,
    "Threat blocking": lambda: alphabeta(_parse("xx1/1o1/3 o")).move == 2,
    "Win taking": lambda: alphabeta(_parse("xx1/oo1/3 x")).move == 2,
    "Depth-limited search": lambda: (
        alphabeta(Game("4x4:3").start(), order=center_first, depth=2, evaluate=evaluate_lines).move is not None
    ),
    "Depth-limited threats": lambda: (
        alphabeta(_parse("xx2/1o2/4/4 o", "4x4:3"), depth=2, evaluate=evaluate_lines).move == 2
    ),
}
