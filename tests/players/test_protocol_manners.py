"""What managers and their users see of the engine: messages, scores, and answers to what it does not play."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exchanges import talk
from noughts import Game, SearchResult
from noughts.games import Value
from noughts.players.protocols.scores import centipawns, moves_to_mate, plies_to_end

ENGINE = [str(Path(sys.executable).parent / "noughts"), "engine"]
WIN = 1_000_000
MESSAGE = re.compile(
    r"MESSAGE Depth \d+ \| Eval ([+-]\d+|[+-]M\d+) \| Node \d+K? \| Speed \d+K? \| Time \d+ms \| Line [a-o]\d+.*"
)


# Gomocup


def test_gomocup_move_is_preceded_by_a_message_about_the_search() -> None:
    answers = talk("START 15", "INFO timeout_turn 300", "TURN 7,7", messages=True)
    assert answers[0] == "OK"
    assert re.fullmatch(r"\d+,\d+", answers[-1])
    assert 1 <= len(answers[1:-1]) <= 4  # one in a tenth of a second at most
    for line in answers[1:-1]:
        assert MESSAGE.fullmatch(line)


def test_gomocup_message_shows_a_proven_win_in_plies() -> None:
    board = ["3,3,1", "0,0,2", "4,3,1", "0,2,2", "5,3,1", "0,4,2", "6,3,1", "2,3,2"]
    assert "| Eval +M1 |" in talk("START 15", "BOARD", *board, "DONE", messages=True)[-2]


def test_gomocup_level_writes_no_messages() -> None:
    assert len(talk("START 15", "TURN 7,7", level="easy", messages=True)) == 2


@pytest.mark.parametrize("bound", ["MAX_DEPTH 2", "Max_Node 300", "max_depth 1"])
def test_gomocup_info_ignores_case(bound: str) -> None:
    answers = talk("START 15", "INFO TIMEOUT_TURN 3600000", f"INFO {bound}", "TURN 7,7")
    assert len(answers) == 2


def test_gomocup_rule_that_is_not_played_is_announced_at_once() -> None:
    answers = talk("START 15", "INFO rule 4", "INFO rule 1", messages=True)
    assert answers == ["OK", "MESSAGE expected rule 0 (five or more win) or 1 (exactly five win), got 4 (renju)"]


def test_gomocup_yxstop_ends_the_search_with_a_move() -> None:
    with subprocess.Popen(ENGINE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        engine.stdin.write("START 15\nINFO timeout_turn 3600000\nTURN 7,7\n")
        while not (line := engine.stdout.readline()).startswith("MESSAGE"):
            assert line
        engine.stdin.write("YXSTOP\n")
        while (line := engine.stdout.readline()).startswith("MESSAGE"):
            pass
        assert re.fullmatch(r"\d+,\d+\n", line)
        engine.stdin.write("YXSTOP\nEND\n")
        assert engine.stdout.read() == ""
    assert engine.returncode == 0


# UGI and UCI


def result(score: int, value: Value | None = None, plies: int | None = None) -> SearchResult:
    return SearchResult(0, score, value, plies, 1, 1, [0])


@given(score=st.integers(-WIN, WIN), other=st.integers(-WIN, WIN))
def test_scores_stay_within_100_pawns_and_in_order(score: int, other: int) -> None:
    assert -10_000 <= centipawns(score) <= 10_000
    assert centipawns(-score) == -centipawns(score)
    assert (centipawns(score) - centipawns(other)) * (score - other) >= 0


def test_ordinary_scores_are_shown_as_they_are() -> None:
    assert [centipawns(score) for score in (-300, 0, 17, 5000)] == [-300, 0, 17, 5000]


def test_proven_wins_and_losses_are_shown_in_moves() -> None:
    start = Game("3x3").start()
    expected = {
        (Value.WIN, 1): (1, 1), (Value.WIN, 5): (3, 5), (Value.WIN, None): (5, 9), (Value.LOSS, 2): (-1, -2),
        (Value.LOSS, 4): (-2, -4), (Value.LOSS, 0): (0, 0),
    }  # fmt: skip
    for (value, plies), shown in expected.items():
        found = result(WIN * value.number, value, plies)
        assert (moves_to_mate(start, found), plies_to_end(start, found)) == shown
    assert moves_to_mate(start, result(0, Value.DRAW)) is None
    assert moves_to_mate(start, result(987_709)) is None


CHESS = [
    "position startpos moves e2e4",
    "position startpos moves e2e4 e7e5 a7a8q",
    "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
]


@pytest.mark.parametrize("line", CHESS)
def test_chess_is_refused_once_and_clearly(line: str) -> None:
    answers = talk("uci", line, "go movetime 10", line, "go movetime 10")
    after = answers[answers.index("uciok") + 1 :]
    assert len(after) == 3
    assert after[0].startswith("info string error: noughts does not play chess; set the option UCI_Variant (tictactoe,")
    assert after[1:] == ["bestmove (none)", "bestmove (none)"]


def test_game_can_be_set_after_chess_was_refused() -> None:
    answers = talk("uci", CHESS[0], "setoption name UCI_Variant value tictactoe", "go depth 1")
    assert answers[-1].startswith("bestmove P@")


def test_move_like_one_of_chess_is_an_ordinary_mistake_in_a_chosen_game() -> None:
    answers = talk("ugi", "setoption name Game value 8x8:5", CHESS[0], "go depth 1")
    assert "chess" not in "".join(answers)
    assert answers[-1].startswith("bestmove ")


# Strength


def test_uci_host_limits_the_strength_by_a_rating() -> None:
    limit = ["setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 900"]
    answers = talk("uci", "setoption name Game value 4x4x4", *limit, "position startpos moves 2b2", "go depth 9")
    assert "option name UCI_LimitStrength type check default false" in answers
    assert "option name UCI_Elo type spin default 1200 min 0 max 3000" in answers
    assert not any(line.startswith("info depth") for line in answers)
    assert answers[-1].startswith("bestmove ")


def test_rating_counts_only_while_strength_is_limited() -> None:
    limited, unlimited = "setoption name UCI_LimitStrength value true", "setoption name UCI_LimitStrength value false"
    game = ["setoption name Game value 9x9:5", "position startpos moves e5"]
    answers = talk("ugi", "setoption name UCI_Elo value 900", limited, unlimited, *game, "go depth 2")
    assert any(line.startswith("info depth 2") for line in answers)


def test_engine_started_with_a_rating_says_so() -> None:
    answers = talk("uci", level="elo:1750")
    assert "option name UCI_LimitStrength type check default true" in answers
    assert "option name UCI_Elo type spin default 1750 min 0 max 3000" in answers


@pytest.mark.parametrize(
    ("option", "complaint"),
    [
        ("UCI_Elo value 9000", "info string error: expected UCI_Elo from 0 to 3000, got '9000'"),
        ("UCI_LimitStrength value yes", "info string error: expected UCI_LimitStrength as true or false, got 'yes'"),
    ],
)
def test_rating_that_does_not_exist_is_refused(option: str, complaint: str) -> None:
    assert talk("ugi", f"setoption name {option}")[-1] == complaint
