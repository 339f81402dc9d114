"""The question ``rules``, and the page of games made of the same data."""

from __future__ import annotations

from noughts.ask.games import kind_of
from noughts.ask.games_page import with_games
from noughts.ask.question import ask
from noughts.ask.requests import GameRequest
from noughts.ask.rules import RULES, RulesAnswer
from noughts.games import Game
from paths import ROOT
from sample_games import make


def rules(game: str) -> RulesAnswer:
    answer: RulesAnswer = ask(RULES, GameRequest(game=game))
    return answer


def test_each_step_has_a_board_before_its_moves_and_after_each() -> None:
    for id in ("3x3", "connect4", "4x4x4", "ultimate", "ultimate:3+count", "15x15:5+exact"):
        game = Game(id)
        for step in rules(id).steps:
            position = game.start()
            position.play_all(step.cells)
            assert position.text == step.position
            assert len(step.boards) == len(step.line) + 1
            for board in reversed(step.boards):
                assert board.marks == "".join(mark or "." for mark in position.cells)
                assert board.last_cell == position.last_move
                if position.moves:
                    position.undo()


def test_lines_and_boards_to_play_in_are_those_of_the_rules() -> None:
    [turns, board, sent, line] = rules("ultimate").steps
    assert [each.block_to_play for each in turns.boards] == [None, 0, 4]
    assert board.boards[-1].blocks == "....X...."
    assert len(board.boards[-1].winning_cells) == 3
    assert sent.boards[-1].block_to_play is None
    assert len(line.boards[-1].winning_cells) == 27


def test_pictures_are_told_in_words() -> None:
    [_, board, *_, line] = rules("ultimate").steps
    assert "O to move in the top middle board" in board.picture
    assert line.picture.endswith("X wins with three boards in the top row.")
    assert "board" in RULES.words(rules("ultimate"))
    assert not any("block" in step.text + step.picture for step in rules("ultimate:3+count").steps)


def test_the_page_of_games_is_current() -> None:
    page = (ROOT / "docs" / "games.md").read_text(encoding="utf-8")
    assert page == with_games(page), "make reference brings docs/games.md up to date"


def test_kinds_are_the_same_for_boards_of_other_sizes() -> None:
    assert kind_of(Game("3x3")) == kind_of(Game("15x15:5")) == "flat"
    assert kind_of(Game("connect4")) == kind_of(Game("5x4+gravity")) == "flat+gravity"
    assert kind_of(Game("ultimate4")) == "ultimate+count"
    assert kind_of(make("fano")) == "custom"
