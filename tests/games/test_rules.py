"""The rules in words: every sentence has a board that the rules of the game themselves produce."""

from __future__ import annotations

import pytest

from noughts.games import Game, Side, Termination
from noughts.games.demonstrations import is_straight
from noughts.games.rules import Rule, rules_of
from noughts.games.spec import BOARD_OPTIONS, ULTIMATE_OPTIONS
from sample_games import GAMES, make

OTHERS = ("1x6:4+gravity", "2x2", "5x1:3", "9x9:5+exact+gravity", "3x3x3x3+gravity", "ultimate:2+count", "ultimate:5")
SECONDS = 30
SHOWN_SECONDS, READ_SECONDS = 0.7, 3.5
"""How long a move is shown, and a sentence takes to be read."""


def step_of(game: Game, name: str) -> Rule:
    """The last step about something."""
    return [step for step in rules_of(game) if step.name == name][-1]


def all_games() -> list[Game]:
    """Games of every family and option, and the catalogue."""
    return [*map(make, GAMES), *map(Game, OTHERS)]


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_rules_are_a_few_steps_that_can_be_played_and_watched_in_half_a_minute(game: Game) -> None:
    steps = rules_of(game)
    assert 2 <= len(steps) <= 6
    assert steps[0].name == "turns"
    for step in steps:
        position = step.position(game)
        assert position.moves == list(step.moves)
        assert 0 <= step.shown <= len(step.moves)
        assert step.moves or step.highlighted
        assert step.text.endswith(".")
    shown = sum(step.shown * SHOWN_SECONDS + READ_SECONDS for step in steps)
    assert shown <= SECONDS + 6


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_a_step_about_lines_ends_with_a_complete_line(game: Game) -> None:
    loses = "loses" in step_of(game, "line").text
    assert loses is game.is_misere
    for step in rules_of(game):
        position = step.position(game)
        if step.name in ("line", "direction") and step.moves:
            assert position.winning_line is not None
            assert position.winner is (Side.O if game.is_misere else Side.X)
        elif step.name == "draw":
            assert position.is_over
            assert position.winner is None
        elif step.name in ("turns", "exact", "sent", "board"):
            assert not position.is_over


def test_every_option_is_explained() -> None:
    plain = {"3x3": "6x6:4", "ultimate": "ultimate:3"}
    for base, options in (("3x3", BOARD_OPTIONS), ("ultimate", ULTIMATE_OPTIONS)):
        without = " ".join(step.text for step in rules_of(Game(plain[base])))
        for option in options:
            assert " ".join(step.text for step in rules_of(Game(f"{plain[base]}+{option}"))) != without


def test_a_row_that_is_too_long_is_shown_and_does_not_win() -> None:
    game = Game("15x15:5+exact")
    step = step_of(game, "exact")
    assert len(step.highlighted) == 6
    marks = step.position(game).cells
    assert all(marks[cell] is Side.X for cell in step.highlighted)


def test_a_torus_shows_a_line_over_its_edge() -> None:
    game = Game("10x10:5+wrap")
    line = step_of(game, "direction").position(game).winning_line
    assert line is not None
    assert not is_straight(game, line)


@pytest.mark.parametrize("id", ["ultimate:2", "ultimate:3", "ultimate:4", "ultimate:5"])
def test_ultimate_shows_the_free_choice_after_a_won_board(id: str) -> None:
    closed, opened = Game(id), Game(f"{id}+open")
    assert step_of(closed, "sent").position(closed).block_to_play is None
    shown = step_of(opened, "sent").position(opened)
    assert shown.block_to_play is not None
    assert shown.blocks[shown.block_to_play] is Side.X


@pytest.mark.parametrize("id", ["ultimate:3+count", "ultimate:4+count", "ultimate:3+misere+count"])
def test_counting_shows_a_game_that_the_count_decides(id: str) -> None:
    game = Game(id)
    outcome = step_of(game, "count").position(game).outcome
    assert outcome is not None
    assert outcome.reason is Termination.COUNT


def test_a_rule_that_cannot_be_shown_is_still_said() -> None:
    [*_, last] = rules_of(Game("15x15:5"))
    assert last.name == "direction"
    assert last.text.endswith("the game is a draw.")
