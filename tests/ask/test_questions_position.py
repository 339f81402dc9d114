"""The questions ``position`` and ``setup``."""

from __future__ import annotations

import pytest

from noughts import Game
from questions import ask, refusal


def test_position_says_everything_the_rules_say() -> None:
    moves: list[int | str] = ["b2", 0, "6", "a2", "b3"]
    found, position = ask("position", game="3x3", moves=moves, board=True), Game("3x3").start()
    position.play_all(moves)
    assert (found["position"], found["board"]) == (position.text, str(position))
    assert (found["legal_cells"], found["cells"]) == (position.legal_moves, position.moves)
    assert found["legal_moves"] == [position.format_move(cell) for cell in position.legal_moves]
    assert found["line"] == [position.format_move(cell) for cell in position.moves]
    assert found["marks"] == "".join(mark or "." for mark in position.cells)
    assert found["threats"] == {side: position.threats(side) for side in "XO"}
    assert ask("position", game="3x3", moves=moves)["board"] is None
    assert (found["last_cell"], found["announcement"]) == (position.moves[-1], "X plays b3.")


def test_finished_position_names_the_winning_line_and_its_cells() -> None:
    won = ask("position", game="3x3", moves=[4, 0, 2, 3, 6])
    assert (won["is_over"], won["winner"], won["turn"], won["legal_cells"]) == (True, "X", None, [])
    assert sorted(won["winning_cells"]) == [2, 4, 6]
    assert won["status"] == "X wins on the diagonal"
    outcome = {"winner": "X", "reason": "line", "points": [2, 0], "text": won["status"], "how": "on the diagonal"}
    assert won["outcome"] == outcome


def test_ultimate_position_has_blocks_and_the_block_to_play() -> None:
    found = ask("position", game="ultimate", moves=["5.1"])
    assert (found["block_to_play"], found["blocks"], found["open_blocks"]) == (0, "." * 9, list(range(9)))
    assert found["status"] == "O to move in the top left board"


def test_moves_and_position_must_agree() -> None:
    assert ask("position", game="3x3", moves=["b2"], position="3/1x1/3 o")["ply"] == 1
    assert "not to `position`" in refusal("position", game="3x3", moves=["b2"], position="3/3/3 x")


@pytest.mark.parametrize(
    ("request_data", "words"),
    [
        ({"moves": ["b2", "b2"]}, "move 2: b2 is taken by X"),
        ({"moves": [10**30]}, "move 1: there is no such cell"),
        ({"moves": [True]}, "expected a valid string for 'moves.0', got true"),
        ({"moves": ["b" * 41]}, "expected at most 40 letters for 'moves.0'"),
        ({"moves": [0] * 4097}, "expected at most 4096 entries for 'moves'"),
        ({"moves": {}}, "expected a valid list for 'moves'"),
        ({"start": "xx/3/3 o"}, "expected rows of 3 cells"),
        ({"start": "9" * 40 + "!/3/3 x"}, "expected rows of 3 cells"),
        ({"colour": 1}, "unknown field 'colour'"),
    ],
)
def test_position_that_cannot_be_is_refused_in_words(request_data: dict[str, object], words: str) -> None:
    assert words in refusal("position", game="3x3", **request_data)


def test_board_set_up_by_hand_is_a_position_to_start_from() -> None:
    found = ask("setup", game="3x3", marks="X...O....")
    assert (found["turn"], found["position"]) == ("X", "x2/1o1/3 x")
    assert ask("position", game="3x3", start=found["position"], moves=[1])["marks"] == "XX..O...."
    block = ask("setup", game="ultimate:2", marks="X" + 15 * ".", block_to_play=2)
    assert (block["turn"], block["block_to_play"]) == ("O", 2)


@pytest.mark.parametrize(
    ("game", "marks", "message"),
    [
        ("3x3", "XX.......", "place as many X as O, or one X more: now there are 2 X and 0 O"),
        ("3x3", "XXXOO....", "the game is over"),
        ("3x3", "X", "expected 9 cells, got 1"),
        ("3x3", "X.......\n", "expected a text like ^[XO.]*$ for 'marks', got 'X.......\\n'"),
        ("4x4:4+gravity", "X" + 15 * ".", "expected marks to rest on others"),
    ],
)
def test_impossible_board_is_refused_in_words(game: str, marks: str, message: str) -> None:
    assert refusal("setup", game=game, marks=marks).startswith(message)
