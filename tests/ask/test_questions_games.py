"""The questions ``catalogue`` and ``game``."""

from __future__ import annotations

import pytest

from noughts import Game, catalogue
from questions import ask, refusal


@pytest.mark.parametrize("id", [entry.id for entry in catalogue()])
def test_game_of_the_catalogue_is_described_and_can_be_begun(id: str) -> None:
    game, described = Game(id), ask("game", game=id)
    assert described["names"] == [game.format_cell(cell) for cell in range(game.cells)]
    assert [tuple(line) for line in described["lines"]] == list(game.lines)
    drawn = sorted(cell for panel in described["panels"] for row in panel["cells"] for cell in row)
    assert drawn == list(range(game.cells))
    assert ask("position", game=id, moves=[game.start().legal_moves[0]])["turn"] == "O"


def test_every_game_of_the_catalogue_has_a_sample_playthrough() -> None:
    listed = ask("catalogue")["games"]
    assert [entry["id"] for entry in listed] == [entry.id for entry in catalogue()]
    for entry in listed:
        assert len(entry["sample"]) >= 7
        assert ask("position", game=entry["id"], moves=entry["sample"])["cells"] == entry["sample"]
        assert not entry["about"].startswith(f"{entry['title']}:")


def test_custom_game_is_described_with_points_to_draw_it_at() -> None:
    own = {"name": "fan", "cells": 5, "lines": [[0, 1, 2], [0, 3, 4]]}
    described = ask("game", game=own)
    assert described["family"] == "custom"
    assert len(described["coordinates"]) == 5
    assert ask("position", game=described["data"], moves=[0, 1, 3, 2, 4])["winner"] == "X"
    assert ask("move", game=own, moves=[0], level="easy")["position"]["ply"] == 2


def test_ends_that_only_an_interface_knows_have_their_wording_with_the_game() -> None:
    assert [(outcome["text"], outcome["how"]) for outcome in ask("game", game="3x3")["forfeits"]] == [
        ("X wins by resignation", "by resignation"),
        ("O wins by resignation", "by resignation"),
        ("X wins on time", "on time"),
        ("O wins on time", "on time"),
    ]


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("99x99:5", "expected a board of at most"),
        ("renju", "renju"),
        ({"name": "y"}, "expected the key 'cells'"),
        (3, "expected a JSON object for 'game', got 3"),
    ],
)
def test_game_that_does_not_exist_is_refused_in_words(game: object, words: str) -> None:
    assert words in refusal("game", game=game)


def test_games_of_the_catalogue_differ_in_their_titles_and_do_not_repeat_them_in_the_description() -> None:
    listed = ask("catalogue")["games"]
    assert len({entry["title"] for entry in listed}) == len(listed)
    for entry in listed:
        head, colon, _ = entry["about"].partition(": ")
        assert not (colon and head.startswith(entry["title"])), entry["about"]
