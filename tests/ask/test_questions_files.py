"""The questions ``import`` and ``export``."""

from __future__ import annotations

import pytest

from noughts.games.formats.ngn import parse_ngn
from questions import ask, refusal


def test_export_and_import_give_the_same_play() -> None:
    play = {"game": "3x3", "moves": ["b2", "a1"], "tags": {"X": "Ann"}, "comments": {"1": "hm"}}
    written = ask("export", **play, result={"reason": "resign", "winner": "O"})
    assert written["filename"] == "tictactoe.ngn"
    assert parse_ngn(written["text"])[0].moves == (4, 6)
    (back,) = ask("import", text=written["text"])["plays"]
    assert (back["line"], back["cells"]) == (["b2", "a1"], [4, 6])
    assert back["outcome"]["winner"] == "O"
    assert back["comments"] == {"1": "hm"}
    sgf = ask("export", game="15x15:5", moves=["h8"], format="sgf")["text"]
    assert ask("import", text=sgf)["plays"][0]["line"] == ["h8"]


def test_export_without_the_winner_of_a_resignation_is_refused() -> None:
    assert "expected a winner" in refusal("export", game="3x3", result={"reason": "resign"})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[Game "3x3"] *\n' * 101, "expected at most 100 playthroughs"),
        ('[ Game "3x3"] *\n' * 101, "expected at most 100 playthroughs"),
        ("(;GaMe [4]SZ[3])" * 101, "expected at most 100 playthroughs"),
        ("[Game", "the file: line 1"),
        ("".join(f"(;GM[4]FF[4]SZ[{side}])" for side in range(3, 20)), "at most 10 different games"),
    ],
)
def test_file_that_is_too_much_is_refused_in_words(text: str, words: str) -> None:
    assert words in refusal("import", text=text)


def test_import_of_many_different_games_is_refused() -> None:
    def text(games: int) -> str:
        return "\n".join(f'[Game "{width}x3"]\n\n*\n' for width in range(3, 3 + games))

    assert len(ask("import", text=text(10))["plays"]) == 10
    assert refusal("import", text=text(11)) == "expected playthroughs of at most 10 different games in a file"
