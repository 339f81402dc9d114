"""The names of games for people: titles, and games found by what people call them."""

from __future__ import annotations

import pytest

from noughts import InvalidGame, catalogue, find_game
from noughts.games.titles import find_by_name, title_of_id


@pytest.mark.parametrize(
    ("name", "id"),
    [
        ("connect four", "7x6:4+gravity"),
        ("Connect-4", "7x6:4+gravity"),
        ("con", "7x6:4+gravity"),
        ("4 in a row", "7x6:4+gravity"),
        ("tic", "3x3"),
        ("Tic-Tac-Toe", "3x3"),
        ("Noughts and Crosses", "3x3"),
        ("score four", "4x4x4+gravity"),
        ("five in a row", "15x15:5"),
        ("gom", "15x15:5"),
        ("exactly", "15x15:5+exact"),
        ("ult", "ultimate:3"),
        ("small connect", "5x4+gravity"),
    ],
)
def test_games_are_found_by_what_people_call_them(name: str, id: str) -> None:
    assert find_game(name).id == id


@pytest.mark.parametrize(
    ("name", "candidates"),
    [
        ("3d tic tac toe", ["qubic (Qubic)", "3x3x3 (3×3×3)"]),
        ("misère", ["3x3+misere (3×3, misère)", "3x3x3+misere (3×3×3, misère)"]),
    ],
)
def test_an_ambiguous_name_lists_the_candidates(name: str, candidates: list[str]) -> None:
    with pytest.raises(InvalidGame, match="the name fits several") as refused:
        find_game(name)
    assert all(candidate in str(refused.value) for candidate in candidates)


@pytest.mark.parametrize("text", ["", " ", "x", "5", "44", "chess", "???", "n" * 1000])
def test_other_texts_are_no_names(text: str) -> None:
    assert find_by_name(text) is None


def test_every_game_of_the_catalogue_is_found_by_its_title_if_it_has_a_name() -> None:
    for entry in catalogue():
        if title_of_id(entry.id)[0].isalpha():
            assert find_game(title_of_id(entry.id)).id == entry.id
