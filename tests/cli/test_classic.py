"""The five classic console programs, word for word as in their papers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from noughts import Game
from noughts.cli.classics import mnk
from noughts.cli.classics.cube import choose, threats_first
from noughts.cli.classics.ultimate import parse_move
from noughts.textbook import alphabeta, evaluate_nothing
from plays import position_after
from terminals import Terminal, check_golden, golden, in_process, through_pipe

CUBE_MOVE = "Enter your move (X):\n  Level (1-4): 1\n  Row (0-3): 0\n  Column (0-3): 0\n"
SELFPLAY_MOVES = ["X", "X   O", "XX  O", "XXO O", "XXO O X", "XXOOO X", "XXOOOXX", "XXOOOXXO"]


def test_cube_begins_word_for_word(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "classic", "cube", "--seed", "1")
    terminal.answer("Enter choice (1-3): ", "2")
    terminal.answer("Enter choice (1-2): ", "1")
    terminal.answer("Level (1-4): ", "1")
    terminal.answer("Row (0-3): ", "0")
    terminal.answer("Column (0-3): ", "0")
    terminal.wait_for("AI (O) plays: Level ")
    terminal.wait_for("Level (1-4): ")
    terminal.child.sendeof()
    assert terminal.end() == 0
    assert terminal.text.startswith(golden("cube_beginning.txt"))
    assert CUBE_MOVE in terminal.text


def test_cube_lets_the_ai_begin_as_o_without_other_rules(tmp_path: Path) -> None:
    result = in_process(tmp_path, "classic", "cube", "--seed", "1", typed="1\n2\n")
    board = result.stdout.rpartition("Level 4\n")[2]
    assert "AI (O) goes first!" in result.stdout
    assert (board.count("O"), board.count("X.")) == (1, 0)


def test_cube_is_played_to_its_end_and_wrong_input_is_asked_again(tmp_path: Path) -> None:
    cells = [f"{level + 1}\n{row}\n{column}\n" for level in range(4) for row in range(4) for column in range(4)]
    typed = "7\n1\n1\n5\n" + "".join(cells)
    result = in_process(tmp_path, "classic", "cube", "--seed", "5", typed=typed)
    assert "expected a number from 1 to 3, got '7'" in result.stdout
    assert "expected a number from 1 to 4, got '5'" in result.stdout
    assert "That position is already taken. Try again." in result.stdout
    assert result.stdout.rstrip().endswith(("AI (O) wins!", "You (X) win!", "It's a draw!"))


def test_cube_moves_at_random_while_sixty_cells_are_free() -> None:
    import random

    position = Game("4x4x4").start()
    assert len({choose(position, 2, random.Random(seed)) for seed in range(20)}) > 5
    for move in range(5):
        position.play([0, 20, 1, 40, 2][move])
    assert {choose(position, 2, random.Random(seed)) for seed in range(5)} == {3}


@pytest.mark.parametrize("moves", ["1a1 2b2 1a2 3c3", "1a1 2b2 3c3 4a4 1b2 4d1", "1a1 4a4 1a2 4b4 1a3 4c4 2c2"])
def test_order_of_the_cube_changes_no_value(moves: str) -> None:
    position = position_after("4x4x4", *moves.split())
    fast = alphabeta(position, order=threats_first, depth=3, evaluate=evaluate_nothing)
    assert fast.value == alphabeta(position, depth=3, evaluate=evaluate_nothing).value


def test_ox_plays_the_game_of_its_paper_word_for_word(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "classic", "ox")
    terminal.answer("Enter your move (1-9): ", "2", "7", "6")
    assert terminal.end() == 0
    check_golden("ox.txt", re.sub(r" +$", "", terminal.text, flags=re.MULTILINE))
    assert "\nX . . \n" in terminal.text


def test_ox_never_loses_and_asks_again_for_a_taken_cell(tmp_path: Path) -> None:
    result = in_process(tmp_path, "classic", "ox", typed="1\nx\n5\n3\n4\n8\n6\n7\n2\n9\n")
    assert "That cell is taken, try again." in result.stdout
    assert "expected a number from 1 to 9, got 'x'" in result.stdout
    assert "You (O) win!" not in result.stdout


def test_selfplay_goes_as_its_paper_shows(tmp_path: Path) -> None:
    result = in_process(tmp_path, "classic", "selfplay")
    for number, cells in enumerate((marks.ljust(9) for marks in SELFPLAY_MOVES), start=1):
        rows = "".join(f"{' | '.join(cells[start : start + 3])}\n-----\n" for start in (0, 3, 6))
        player = "Player X's turn (Maximizing)" if number % 2 else "Player O's turn (Minimizing)"
        assert f"\nMove {number}:\n{player}\n{rows}" in result.stdout
    assert result.stdout.startswith("Initial Board:\n  |   |  \n-----\n")
    assert result.stdout.endswith("\nGame Over!\nX | X | O\n-----\nO | O | X\n-----\nX | O | X\n-----\n")


def test_mnk_passes_its_sixteen_tests(tmp_path: Path) -> None:
    result = in_process(tmp_path, "classic", "mnk", "--test")
    assert result.returncode == 0
    check_golden("mnk_test.txt", result.stdout)


def test_mnk_test_that_fails_is_reported_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    from click.testing import CliRunner

    from noughts.cli.classic import command

    monkeypatch.setitem(mnk.ENGINE_TESTS, "Draw detection", lambda: False)
    result = CliRunner().invoke(command, ["mnk", "--test"], standalone_mode=False)
    assert result.return_value == 1
    assert "ENGINE TESTS: 8/9 PASSED" in result.output
    assert "ALL TESTS PASSED" not in result.output


def test_mnk_compares_by_what_it_measures_and_asks_to_play(tmp_path: Path) -> None:
    result = in_process(tmp_path, "classic", "mnk", typed="maybe\nn\n")
    assert re.search(r"Plain Minimax +549,946 .* Baseline  \(0,0\)", result.stdout)
    assert re.search(r"no ordering\) +18,297 .* 96.7%", result.stdout)
    assert re.search(r"with ordering\) +11,758 .* 97.9%", result.stdout)
    assert "Would you like to play against the AI? (y/n): maybe\nexpected y or n, got 'maybe'\n" in result.stdout


def test_mnk_is_played_with_rows_and_columns(tmp_path: Path) -> None:
    result = in_process(tmp_path, "classic", "mnk", "--play", typed="6\n3\n4\n3\n1 1\n1 1\n9 9\none\n0 1\n1 0\n2 2\n")
    check_golden("mnk_play.txt", result.stdout)


def test_ultimate_mode_2_is_the_bot_against_a_random_player(tmp_path: Path) -> None:
    result = in_process(tmp_path, "classic", "ultimate", "2", "--seed", "1")
    assert re.match(r"Coin flip: (Bot|Random) will play first, with x; (Bot|Random) plays with o\.", result.stdout)
    assert re.search(r"Points: \w+ \(x\) \d+, \w+ \(o\) \d+\n$", result.stdout)
    assert "Bot wins" in result.stdout


def test_ultimate_mode_1_takes_rows_and_columns(tmp_path: Path) -> None:
    result = in_process(tmp_path, "classic", "ultimate", "--seed", "0", typed="3\n1\n99 0\n0 0\na1\n")
    assert "expected a number from 1 to 2, got '3'" in result.stdout
    assert "you're playing with" in result.stdout
    assert "expected a row and a column from 0 to 15, such as 4 11, got '99 0'" in result.stdout


def test_ultimate_rows_and_columns_count_from_the_top_left() -> None:
    position = Game("ultimate4").start()
    assert position.format_move(parse_move("0 0", position)) == "a16"
    assert position.format_move(parse_move("15 2", position)) == "c1"
    with pytest.raises(ValueError, match="expected a row and a column from 0 to 15, such as 4 11, got '0'"):
        parse_move("0", position)


def test_ultimate_is_drawn_with_the_rows_and_columns_its_prompt_asks_for(tmp_path: Path) -> None:
    shown = in_process(tmp_path, "classic", "ultimate", "1", "--seed", "0", typed="foo\n").stdout
    assert [line.split()[0] for line in shown.splitlines() if re.match(r" ?\d+ [|#]", line)] == [*map(str, range(16))]
    assert "    0 1 2 3   4 5 6 7   8 9 1 1   1 1 1 1" in shown
    assert "expected a row and a column from 0 to 15, such as 4 11, got 'foo'" in shown
    assert "a1" not in shown


def test_ultimate_says_why_a_cell_cannot_be_played_in_rows_and_columns() -> None:
    position = Game("ultimate4").start()
    position.play(parse_move("0 0", position))
    with pytest.raises(ValueError, match=r"^row 0, column 0 is taken$"):
        parse_move("0 0", position)
    where = r"play in board 1 \(rows 0 to 3, columns 0 to 3\)$"
    with pytest.raises(ValueError, match=f"^row 5, column 9 is elsewhere; {where}"):
        parse_move("5 9", position)


def test_ultimate_flips_a_coin_and_speaks_to_the_person_in_the_second_person(tmp_path: Path) -> None:
    flips = [in_process(tmp_path, "classic", "ultimate", "1", "--seed", str(seed)).stdout for seed in range(4)]
    assert any("Bot will play first, with x; you play with o." in flip for flip in flips)
    assert any("You will play first, with x; Bot plays with o." in flip for flip in flips)


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("3\n5\n", "k cannot be more than the board's 3, got 5"),
        ("3\nx\n", "expected 3, the only k on this board, got 'x'"),
    ],
)
def test_mnk_says_why_a_k_does_not_fit(typed: str, message: str, tmp_path: Path) -> None:
    assert message in in_process(tmp_path, "classic", "mnk", "--play", typed=typed).stdout


@pytest.mark.parametrize("columns", ["40", "51", "80"])
def test_cube_fits_the_terminal(columns: str, tmp_path: Path) -> None:
    shown = through_pipe(tmp_path, "classic", "cube", "--seed", "1", typed="1\n1\n1\n0\n0\n", COLUMNS=columns).stdout
    boards = [line for line in shown.splitlines() if re.match(r"[0-3] [.XO] |  (Level 1|0 1)", line)]
    assert len(boards) >= 3 * 6
    assert max(map(len, boards)) <= int(columns)
