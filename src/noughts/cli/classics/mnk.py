"""Generalized tic-tac-toe: m×m boards, k in a row, sixteen tests, the searches compared, and a game."""

from __future__ import annotations

from time import perf_counter

from noughts.cli.classics.console import Console
from noughts.cli.classics.mnk_tests import ALGORITHM_TESTS, ENGINE_TESTS, Check
from noughts.games import Game, Position, Side
from noughts.textbook import alphabeta, center_first, evaluate_lines, minimax

__all__ = ["run"]

RULE = "=" * 70
SMALLEST, LARGEST = 3, 5
DEPTHS = {3: None, 4: 6, 5: 4}
"""How far the AI looks on each board: to the end, or as far as a person likes to wait."""


def run(console: Console, tests: bool = True, plays: bool = True, asks: bool = True) -> int:
    """Run what was asked for; returns 1 when a test failed."""
    console.say(f"{RULE}\nGENERALIZED TIC-TAC-TOE\nAdversarial Search Implementation\n{RULE}\n")
    passed = run_tests(console) if tests else True
    if tests and plays:
        compare(console)
    if plays and (not asks or _wants_to_play(console)):
        play(console)
    return 0 if passed else 1


def run_tests(console: Console) -> bool:
    """Run the sixteen tests and print how each went; returns whether all passed."""
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
    """Print the nodes and times of three searches on the empty 3×3 board, as measured now."""
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
        result = console.think(lambda search=search: search(Game("3x3").start()), name)  # type: ignore[misc]
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
            raise ValueError(f"expected y or n, got {text[:40]!r}")
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
    k = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
    if k > m:
        raise ValueError(f"k cannot be more than the board's {m}, got {k}")
    if k < SMALLEST:
        allowed = f"a number from {SMALLEST} to {m}" if m > SMALLEST else f"{m}, the only k on this board"
        raise ValueError(f"expected {allowed}, got {text[:40]!r}")
    return k


def _is_below(word: str, most: int) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 10 and int(word) < most


def _parse_move(text: str, position: Position, m: int) -> int:
    words = text.replace(",", " ").split()
    if len(words) != 2 or not all(_is_below(word, m) for word in words):
        raise ValueError(f"expected a row and a column from 0 to {m - 1}, such as 1 1, got {text[:40]!r}")
    move = int(words[0]) * m + int(words[1])
    if not position.is_legal(move):
        raise ValueError("that cell is taken")
    return move


def _show(console: Console, position: Position, m: int) -> None:
    marks = [mark or " " for mark in position.cells]
    rows = [" | ".join(marks[start : start + m]) for start in range(0, m * m, m)]
    console.say(f"\n{'-' * (4 * m - 3)}\n".join(rows) + "\n")
