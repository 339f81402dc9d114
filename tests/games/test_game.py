"""Games as data, weights of the evaluation, and the public parts of a game that other packages use."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

import noughts as no
import noughts.match
import noughts.store
import noughts.textbook
from noughts.games.evaluation import Weights
from plays import fano, position_after, tower


@pytest.mark.parametrize("id", ["3x3", "ultimate:3+open", "7x6:4+gravity"])
def test_named_game_as_data_is_its_id(id: str) -> None:
    game = no.Game(id)
    assert game.to_data() == game.id
    assert no.Game.from_data(game.to_data()) == game
    assert not game.is_custom


@pytest.mark.parametrize("game", [fano(), tower()], ids=lambda game: game.id)
def test_custom_game_as_data_is_a_dict(game: no.Game) -> None:
    data = game.to_data()
    assert isinstance(data, dict)
    assert no.Game.from_data(data) == game
    assert game.is_custom


def test_rules_key_ignores_the_name_and_layout_of_a_custom_game() -> None:
    lines = [[0, 1], [2, 3]]
    games = [
        no.Game.from_lines("a", cells=4, lines=lines),
        no.Game.from_lines("b", cells=4, lines=lines, layout=[[0, 0], [1, 0], [0, 1], [1, 1]]),
    ]
    assert games[0].rules_key == games[1].rules_key
    assert games[0].rules_key != no.Game.from_lines("a", cells=4, lines=lines[:1]).rules_key
    assert no.Game("tictactoe").rules_key == "3x3"


def test_weights_replace_the_evaluation_and_keep_the_rules() -> None:
    plain = no.Game("4x4x4")
    other = no.Game("4x4x4", weights=Weights(line=(0, 1, 2, 3, 4)))
    assert other == plain
    assert plain.weights != other.weights == Weights(line=(0, 1, 2, 3, 4))
    assert pickle.loads(pickle.dumps(other)).weights == other.weights
    scores = {
        game.weights: no.Engine(book=False).search(game.start(), no.Limit(depth=1)).score for game in (plain, other)
    }
    assert scores[plain.weights] != scores[other.weights]


def test_how_moves_are_typed_is_public() -> None:
    assert no.Game("3x3").how_to_type == "a square from a1 to c3, or 1 to 9"


def test_symmetry_elements_are_permutations_of_the_cells() -> None:
    game = no.Game("3x3")
    assert len(game.symmetry.elements) == game.symmetries == 8
    assert all(sorted(element) == list(range(9)) for element in game.symmetry.elements)


def test_lazy_names_are_listed_and_unknown_names_refused() -> None:
    assert {"Proof", "solve", "Game", "games"} <= set(dir(no))
    assert not {"lazy", "lazy_names", "packaged", "TYPE_CHECKING", "_core"} & set(dir(no))
    assert "lazy_names" not in dir(noughts.match)
    for package in (noughts.engine, noughts.games, noughts.store, noughts.textbook):
        assert not {"public_names", "database", "quoting", "orders", "results"} & set(dir(package))
    assert "minimax" in dir(noughts.textbook)
    with pytest.raises(AttributeError, match="module 'noughts' has no attribute 'nothing'"):
        no.nothing  # noqa: B018


def test_things_in_the_wrong_place_are_told_where_they_belong(tmp_path: Path) -> None:
    with pytest.raises(no.UnknownGame, match=r"got 'mygame.json'; load_game reads a file"):
        no.Game("mygame.json")
    position: Any = no.Game("3x3").start()
    with pytest.raises(TypeError, match=r"expected a Playthrough, got a Position; Playthrough\(game, moves\)"):
        no.save(position, tmp_path / "game.ngn")


def test_mark_lands_on_the_lowest_free_cell_of_its_stack() -> None:
    position = position_after("4x4x4+gravity", "b2", "b2")
    over = position.game.parse_cell("4b2")
    assert [position.format_move(cell) for cell in position.game.stack_of(over)] == ["1b2", "2b2", "3b2", "4b2"]
    assert position.landing(over) == position.game.parse_cell("3b2")
    position.play_all(["b2", "b2"])
    assert position.landing(over) is None


def test_cell_that_rests_on_several_others_stands_alone() -> None:
    pyramid = no.Game.from_lines("pyramid", 5, [[0, 4]], rests_on={4: [0, 1, 2, 3]})
    assert pyramid.stack_of(4) == (4,)
    assert pyramid.start().landing(4) == 4
