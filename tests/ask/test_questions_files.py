"""The questions ``import`` and ``export``."""

from __future__ import annotations

import pytest

from questions import ask, refusal


@pytest.mark.parametrize("format", ["ngn", "sgf"])
def test_exported_playthrough_is_imported_again(format: str) -> None:
    play = {"game": "3x3", "moves": ["b2", "a1"], "tags": {"X": "Ann"}, "comments": {"1": "hm"}}
    file = ask("export", **play, result={"reason": "resign", "winner": "O"}, format=format)
    assert file["filename"] == f"tictactoe.{format}"
    (back,) = ask("import", text=file["text"])["plays"]
    assert (back["game"], back["line"], back["cells"]) == ("3x3", ["b2", "a1"], [4, 6])
    assert back["outcome"]["winner"] == "O"
    assert (back["tags"]["X"], back["comments"]) == ("Ann", {"1": "hm"})


@pytest.mark.parametrize("format", ["ngn", "sgf"])
def test_variations_are_exported_and_imported_again(format: str) -> None:
    variations = [
        {"moves": ["b2", "b1", "a3"], "comments": {"2": "An edge loses"}},
        {"moves": ["b2", "b1", "c3"]},
    ]
    file = ask("export", game="3x3", moves=["b2", "a1"], variations=variations, format=format)
    (back,) = ask("import", text=file["text"])["plays"]
    assert [line["line"] for line in back["variations"]] == [["b2", "b1", "a3"], ["b2", "b1", "c3"]]
    assert back["variations"][0]["comments"] == {"2": "An edge loses"}


def test_variation_that_continues_the_main_line_is_refused() -> None:
    assert "leaves the main line" in refusal("export", game="3x3", moves=["b2"], variations=[{"moves": ["b2", "a1"]}])


def test_moves_and_positions_are_read_for_a_board() -> None:
    board = {"game": "connect4", "moves": ["d"]}
    moves = ask("import", text="dd", board=board)
    assert (moves["kind"], moves["plays"][0]["line"]) == ("moves", ["d1", "d2", "d3"])
    position = ask("import", text="7/7/7/3x3/2xo3/1oxo3 x", board=board)
    assert (position["kind"], position["plays"][0]["start"]) == ("position", "7/7/7/3x3/2xo3/1oxo3 x")
    assert ask("import", text="(;GM[4]SZ[3];B[bb])", board=board)["kind"] == "file"


def test_text_that_is_no_file_is_refused_by_what_files_look_like() -> None:
    assert refusal("import", text="hello").startswith("expected the text of a .ngn file, which begins with [Game,")


def test_export_without_the_winner_of_a_resignation_is_refused() -> None:
    assert "expected a winner" in refusal("export", game="3x3", result={"reason": "resign"})


def file_of(games: int) -> str:
    return "\n".join(f'[Game "{width}x3"]\n\n*\n' for width in range(3, 3 + games))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[Game "3x3"] *\n' * 101, "expected at most 100 playthroughs"),
        ('[ Game "3x3"] *\n' * 101, "expected at most 100 playthroughs"),
        ("(;GaMe [4]SZ[3])" * 101, "expected at most 100 playthroughs"),
        ("[Game", "the file: line 1"),
        (file_of(11), "expected playthroughs of at most 10 different games in a file"),
        ("".join(f"(;GM[4]FF[4]SZ[{side}])" for side in range(3, 20)), "at most 10 different games"),
    ],
)
def test_file_that_is_too_much_is_refused_in_words(text: str, words: str) -> None:
    assert words in refusal("import", text=text)


def test_file_with_ten_different_games_is_read() -> None:
    assert len(ask("import", text=file_of(10))["plays"]) == 10
