"""The table of questions: what each answers, how it refuses, and that requests and answers are JSON and back."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from dataclasses import fields
from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noughts as no
from noughts.analysis.puzzles import puzzle_of_day, shipped_puzzles
from noughts.ask import QUESTIONS, InvalidData, LocalContext, Stopped, ask, encode, read
from noughts.engine import LEVELS
from noughts.schema import loads
from noughts.teaching.comparison import ALGORITHMS

OPENING = {"game": "3x3", "moves": ["b2", 0]}
ENDING = {"game": "3x3", "moves": ["b2", 0, 1, 7]}
OVER = {"game": "3x3", "moves": [0, 3, 1, 4, 2]}
REQUESTS: dict[str, dict[str, Any]] = {
    "catalogue": {},
    "game": {"game": "4x4x4+gravity"},
    "position": {"game": "ultimate:3", "moves": ["e5"]},
    "setup": {"game": "3x3", "marks": "X...O...."},
    "puzzles": {},
    "daily_puzzle": {"date": "2026-11-16"},
    "move": OPENING | {"level": "easy", "seed": 1},
    "hint": OPENING | {"nodes": 1000, "move": "b3"},
    "analyse": OPENING | {"nodes": 1000},
    "judge": OPENING | {"nodes": 1000, "move": "b3"},
    "review": ENDING | {"nodes": 1000, "tags": {"X": "Ann"}},
    "solve": OPENING | {"nodes": 1000},
    "puzzle": {"game": "3x3", "start": "x1o/o2/x2 x"},
    "trace": ENDING | {"replay": True},
    "compare": ENDING | {"seconds": 5},
    "learn": {"game": "3x3", "playthroughs": 100},
    "import": {"text": '[Game "3x3"]\n[X "Ann"]\n\n1. b2 {the middle} a3 *\n'},
    "export": OPENING | {"format": "sgf", "comments": {"1": "the middle"}},
}
"""A request for each question, which its answer follows from: no limit in seconds."""
TIMED = {"compare"}
"""Questions whose answers contain measured times."""


def answer_of(name: str, /, **data: Any) -> Any:
    question = QUESTIONS[name]
    return ask(question, read(question.request, data))


def refusal(name: str, /, **data: Any) -> str:
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        answer_of(name, **data)
    return str(caught.value)


# Requests and answers


def test_there_is_a_request_for_every_question() -> None:
    assert REQUESTS.keys() == QUESTIONS.keys()


@pytest.mark.parametrize("name", REQUESTS)
def test_answer_and_request_survive_the_way_through_json(name: str) -> None:
    question = QUESTIONS[name]
    request = read(question.request, REQUESTS[name])
    assert read(question.request, loads(encode(request))) == request
    answer = ask(question, request)
    assert isinstance(answer, question.answer)
    text = encode(answer)
    assert text.isascii()
    assert "\n" not in text
    assert read(question.answer, loads(text)) == answer
    assert question.words is None or question.words(answer)


@pytest.mark.parametrize("name", [name for name in REQUESTS if name not in TIMED])
def test_answer_without_a_limit_in_seconds_is_reproducible(name: str) -> None:
    question, context = QUESTIONS[name], LocalContext()
    request = read(question.request, REQUESTS[name])
    first = encode(ask(question, request, context))
    ask(QUESTIONS["analyse"], read(QUESTIONS["analyse"].request, ENDING | {"nodes": 500}), context)
    assert encode(ask(question, request, context)) == first == encode(ask(question, request))


def field_names(name: str) -> list[str]:
    return [field.name for field in fields(QUESTIONS[name].request)]


NONSENSE = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-(10**400), 10**400)
    | st.floats()
    | st.text(max_size=50)
    | st.sampled_from(["3x3", "4x4x4", "fano", "3/1x1/3 o", "b2", "X", "O", "..", "time", "XX..OO...", "X.......\n"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


@pytest.mark.parametrize("name", QUESTIONS)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_nonsense_is_read_or_refused_in_one_line(name: str, data: st.DataObject) -> None:
    names = st.sampled_from([*field_names(name), "spam"])
    nonsense = data.draw(st.dictionaries(names, NONSENSE, max_size=6) | NONSENSE)
    if isinstance(nonsense, dict) and "game" in field_names(name):
        nonsense.setdefault("game", "3x3")
    problem = ""
    try:
        request = read(QUESTIONS[name].request, nonsense)
    except InvalidData as error:
        problem = str(error)
    else:
        try:
            QUESTIONS[name].prepare_public(request)
        except ValueError as error:
            problem = str(error)
    assert "\n" not in problem
    assert len(problem) < 1000


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "expected a JSON object"),
        ({}, "expected the field 'game'"),
        ({"game": "3x3", "mvoes": []}, "unknown field 'mvoes'; did you mean 'moves'?"),
        ({"game": 3}, "expected a JSON object for 'game', got 3"),
        ({"game": "3x3", "moves": "b2"}, "expected a valid list for 'moves', got 'b2'"),
        ({"game": "3x3", "moves": [[4]]}, "expected a valid string for 'moves.0'"),
        ({"game": "3x3", "seconds": 0}, "expected more than 0 for 'seconds', got 0"),
        ({"game": "3x3", "seconds": True}, "expected a valid number for 'seconds', got true"),
        ({"game": "3x3", "nodes": 1.5}, "expected a valid integer for 'nodes', got 1.5"),
        ({"game": "3x3", "nodes": float("inf")}, "expected a finite number for 'nodes', got Infinity"),
        ({"game": "3x3", "lines": 2000}, "expected at most 1024 for 'lines', got 2000"),
    ],
)
def test_wrong_data_is_refused_with_what_was_expected_and_where(data: object, message: str) -> None:
    with pytest.raises(InvalidData, match=rf"^{re.escape(message)}$"):
        read(QUESTIONS["analyse"].request, data)


@pytest.mark.parametrize("text", ["", "{", "NaN", '{"game": Infinity}', "[" * 100_000], ids=lambda text: text[:9])
def test_text_that_is_not_json_is_refused(text: str) -> None:
    with pytest.raises(InvalidData, match="expected JSON"):
        loads(text)


# Games and positions


def test_board_set_up_by_hand_is_a_position_to_start_from() -> None:
    found = answer_of("setup", game="3x3", marks="X...O....")
    assert (found.turn, found.position) == ("X", "x2/1o1/3 x")
    assert answer_of("position", game="3x3", start=found.position, moves=[1]).marks == "XX..O...."
    block = answer_of("setup", game="ultimate:2", marks="X" + 15 * ".", block_to_play=2)
    assert (block.turn, block.block_to_play) == ("O", 2)


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


def test_position_names_its_moves_threats_and_end() -> None:
    found = answer_of("position", game="3x3", moves=["b2", "a1", "a2"])
    assert (found.line, found.cells, found.legal_cells) == (("b2", "a1", "a2"), (4, 6, 3), (0, 1, 2, 5, 7, 8))
    assert (found.threats, found.announcement) == ({"X": (5,), "O": ()}, "X plays a2.")
    over = answer_of("position", **OVER)
    assert (over.turn, over.winner, over.status, over.winning_cells) == (None, "X", "X wins in the top row", (0, 1, 2))


@pytest.mark.parametrize("moves", [[4, 4], ["z9"], [9]])
def test_move_that_cannot_be_made_is_refused(moves: list[object]) -> None:
    assert refusal("position", game="3x3", moves=moves)


def test_moves_and_position_must_agree() -> None:
    assert answer_of("position", game="3x3", moves=["b2"], position="3/1x1/3 o").ply == 1
    assert "not to `position`" in refusal("position", game="3x3", moves=["b2"], position="3/3/3 x")


@pytest.mark.parametrize("name", ["move", "hint", "analyse", "judge", "solve", "puzzle", "trace", "compare"])
def test_question_about_a_finished_game_is_refused(name: str) -> None:
    assert refusal(name, **OVER) == "the game is over"


# Thinking


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_moves(level: str) -> None:
    found = answer_of("move", game="3x3", moves=["b2"], level=level, nodes=1000, seed=7)
    assert (found.level, found.position.ply, found.position.last_cell) == (level, 2, found.cell)


def test_engine_moves_and_hints() -> None:
    threat = {"game": "3x3", "moves": [0, 4, 1]}
    assert answer_of("move", **threat).cell == 2
    hint = answer_of("hint", **threat, nodes=2000, move="b1")
    assert (hint.move, hint.cell, hint.line[0]) == ("c3", 2, "c3")
    assert hint.idea == "X threatens to complete a line."
    assert "blocks the row" in hint.why[0]
    assert hint.proposal.verdict == "worse"
    assert QUESTIONS["hint"].words is not None


def test_analysis_lists_the_best_moves_first_with_their_lines() -> None:
    found = answer_of("analyse", game="3x3", moves=[4, 1], nodes=20_000, every=True)
    assert (found.turn, found.reason, len(found.moves)) == ("X", "proven", 7)
    best = found.moves[0]
    assert best.text == "win in 3 moves"
    assert len(best.line) == len(best.cells) == best.plies
    chances = [each.chance for each in found.moves]
    assert chances == sorted(chances, reverse=True)


def test_estimate_is_the_chance_to_win() -> None:
    best = answer_of("analyse", game="9x9:5", moves=[40], nodes=3000).moves[0]
    assert best.value is None
    assert best.score is not None
    assert re.fullmatch(r"\d\d? %", best.text)


def stopped(name: str, /, **data: Any) -> Iterator[Any]:
    """Ask, and stop at the first report of progress; yields the answer."""
    question, context = QUESTIONS[name], LocalContext()
    stop = threading.Timer(0.5, context.stop)
    stop.start()
    yield ask(question, read(question.request, data), context, lambda _: context.stop())
    stop.cancel()


def test_stopped_analysis_answers_with_what_it_has() -> None:
    (found,) = stopped("analyse", game="15x15:5", moves=[0], seconds=600)
    assert (found.reason, len(found.moves)) == ("stopped", 3)


def test_stopped_solve_answers_with_bounds() -> None:
    (found,) = stopped("solve", game="8x8:5", seconds=600)
    assert (found.value, found.upper) == (None, "win")


def test_stopped_work_without_a_partial_answer_ends() -> None:
    with pytest.raises(Stopped):
        list(stopped("review", game="15x15:5", moves=list(range(50)), seconds=600))


def test_reports_of_an_analysis_never_become_shallower() -> None:
    question, reports = QUESTIONS["analyse"], list[Any]()
    request = read(question.request, {"game": "15x15:5", "moves": [112, 113], "seconds": 0.5})
    last = ask(question, request, LocalContext(), reports.append)
    depths = [report.depth for report in (*reports, last)]
    assert depths == sorted(depths)
    assert {(type(report), report.reason) for report in reports} == {(question.progress, None)}
    assert last.reason == "limit"


def test_analysis_in_turns_continues_where_it_was_stopped() -> None:
    request = read(QUESTIONS["analyse"].request, {"game": "5x5:4", "seconds": 30, "lines": 1})
    job = QUESTIONS["analyse"].prepare(request)
    first = job.work(stopping_context(), lambda _: None)
    answer = job.work(LocalContext(), lambda _: None)
    assert answer.depth >= first.depth
    assert (answer.reason, answer.moves[0].value) == ("proven", "draw")


def stopping_context() -> LocalContext:
    context = LocalContext()
    threading.Timer(0.05, context.stop).start()
    return context


def test_judgement_names_every_move_and_what_it_gives_away() -> None:
    found = answer_of("judge", game="3x3", moves=["b2"], nodes=20_000, move="b3")
    assert (found.turn, found.value, sorted(found.best)) == ("O", "draw", ["a1", "a3", "c1", "c3"])
    assert {each.move: each.regret for each in found.moves if each.regret} == dict.fromkeys(["a2", "b1", "b3", "c2"], 1)
    assert (found.proposal.verdict, found.proposal.judged.move) == ("worse", "b3")


@pytest.mark.parametrize(
    ("move", "verdict", "message"),
    [("b2", "illegal", "b2 is taken by X"), ("d4", "invalid", "expected a square"), ([1], "invalid", "expected a")],
)
def test_proposal_that_cannot_be_played_has_a_reason(move: object, verdict: str, message: str) -> None:
    found = answer_of("judge", game="3x3", moves=["b2"], nodes=1000, move=move).proposal
    assert (found.verdict, found.judged) == (verdict, None)
    assert found.message.startswith(message)


def test_review_finds_the_blunder_and_what_was_better() -> None:
    play = {"game": "3x3", "moves": ["b2", "a2", "a1", "c3", "c1"], "tags": {"X": "Ann", "O": "Bob"}}
    found = answer_of("review", **play, nodes=5000, result={"reason": "resign", "winner": "X"})
    assert (found.x, found.o, found.result, found.termination) == ("Ann", "Bob", "1-0", "resign")
    blunder = found.moves[1]
    assert (blunder.side, blunder.move, blunder.label) == ("O", "a2", "blunder")
    assert blunder.best_cell in (0, 2, 6, 8)
    assert (blunder.before.value, blunder.after.value) == ("draw", "loss")
    assert [point.ply for point in found.graph] == list(range(6))
    assert found.labels["O"]["blunder"] == 1


def test_solve_proves_or_gives_bounds() -> None:
    found = answer_of("solve", game="4x4", nodes=100_000)
    assert (found.value, found.lower, found.upper, found.source) == ("draw", "draw", "draw", "solver")
    assert answer_of("solve", game="8x4:4", nodes=300).value is None
    assert answer_of("solve", game="connect4", nodes=10, book=True).source == "book"


# Puzzles


def test_puzzles_are_listed_in_the_order_of_the_file() -> None:
    found = answer_of("puzzles").puzzles
    assert [puzzle.id for puzzle in found] == [puzzle.id for puzzle in shipped_puzzles()]
    first = found[0]
    assert answer_of("position", game=first.game, start=first.start, moves=list(first.line)).cells == first.cells


def test_puzzle_of_the_day_is_that_of_the_date() -> None:
    for day in ("2026-11-16", "2026-11-17"):
        assert answer_of("daily_puzzle", date=day).id == puzzle_of_day(date.fromisoformat(day)).id
    assert refusal("daily_puzzle", date="today") == "expected a date such as 2026-11-16, got 'today'"


def test_position_with_one_solution_is_made_a_puzzle() -> None:
    made = answer_of("puzzle", game="3x3", start="x1o/o2/x2 x").puzzle
    assert (made.text, made.cells, made.title) == ("X wins in 2 moves", (8, 4, 7), "Tic-tac-toe")
    assert answer_of("puzzle", game="3x3").puzzle is None


# Learning


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_algorithm_has_a_trace(algorithm: str) -> None:
    found = answer_of("trace", game="3x3", start="xox/1o1/1x1 o", algorithm=algorithm, simulations=20)
    assert (found.algorithm, found.is_whole) == (algorithm, True)
    assert read(QUESTIONS["trace"].answer, loads(encode(found))) == found


def test_trace_is_whole_or_says_that_it_is_not() -> None:
    whole = answer_of("trace", **ENDING, algorithm="minimax")
    assert whole.is_whole
    assert whole.counts.visited == len(whole.nodes)
    part = answer_of("trace", game="3x3", nodes=50)
    assert (part.is_whole, len(part.nodes)) == (False, 50)


def test_comparison_has_a_row_for_every_search() -> None:
    found = answer_of("compare", **ENDING, seconds=5)
    assert found.rows[0].algorithm == "minimax"
    assert found.rows[0].nodes == found.tree.nodes
    assert {row.value for row in found.rows if row.algorithm == "alphabeta"} == {found.rows[0].value}


def test_learner_gets_better() -> None:
    found = answer_of("learn", game="3x3", playthroughs=2000)
    assert found.is_whole
    assert found.curve[-1].playthroughs == 2000
    assert found.curve[-1].wins > found.curve[0].wins


# Files


def test_exported_playthrough_is_imported_again() -> None:
    for format in ("ngn", "sgf"):
        file = answer_of("export", **OPENING, tags={"X": "Ann"}, comments={"1": "the middle"}, format=format)
        assert file.filename.endswith(f".{format}")
        (play,) = answer_of("import", text=file.text).plays
        assert (play.game, play.line, play.cells) == ("3x3", ("b2", "a3"), (4, 0))
        assert (play.tags["X"], play.comments) == ("Ann", {"1": "the middle"})


def test_file_with_too_many_playthroughs_is_refused() -> None:
    assert "at most 100 playthroughs" in refusal("import", text='[Game "3x3"]\n\n1. b2 *\n\n' * 101)
    games = "".join(f'[Game "{side}x{side}"]\n\n*\n\n' for side in range(3, 14))
    assert "at most 10 different games" in refusal("import", text=games)


# Strangers


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("analyse", {"game": "3x3", "seconds": 61}, "expected at most 60 for 'seconds', got 61"),
        ("hint", {"game": "3x3", "nodes": 10**7}, "expected at most 1000000 for 'nodes', got 10000000"),
        ("trace", {"game": "15x15:5"}, "expected a board of at most 100 cells for trace, got 225"),
    ],
)
def test_stranger_may_not_ask_for_more(name: str, data: dict[str, Any], message: str) -> None:
    question = QUESTIONS[name]
    request = read(question.request, data)
    with pytest.raises(InvalidData, match=re.escape(message)):
        question.prepare_public(request)
    assert question.prepare(request)


def test_custom_game_is_asked_about_like_any_other() -> None:
    game = no.Game.from_lines("strip", cells=4, lines=[[0, 1], [2, 3]]).to_data()
    assert answer_of("analyse", game=game, moves=[0], nodes=1000).moves[0].value == "draw"
    assert json.loads(encode(answer_of("game", game=game)))["family"] == "custom"
