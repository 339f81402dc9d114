"""Courses for players: every move that is accepted is proven, and so is that no other move does what is asked."""

from __future__ import annotations

import pytest

from noughts.ask.courses import COURSES, CoursesAnswer, CoursesRequest
from noughts.ask.question import ask
from noughts.ask.requests import PositionRequest
from noughts.games import Game
from noughts.teaching.courses import (
    Course,
    Lesson,
    LessonGoal,
    LossCause,
    cause_of_loss,
    courses_text,
    prove,
    read_courses,
    shipped_courses,
    value_of_move,
)

BIG_GAMES = ("3x3", "7x6:4+gravity", "ultimate:3", "15x15:5", "4x4x4")
ALL = [(course, lesson) for course in shipped_courses() for lesson in course.lessons]


@pytest.mark.parametrize(("course", "lesson"), ALL, ids=[f"{c.game} {each.title}" for c, each in ALL])
def test_accepted_moves_are_proven(course: Course, lesson: Lesson) -> None:
    assert prove(course.game, lesson) == lesson


def test_there_is_a_course_of_six_to_eight_lessons_for_each_big_game() -> None:
    assert tuple(course.game for course in shipped_courses()) == BIG_GAMES
    for course in shipped_courses():
        assert 6 <= len(course.lessons) <= 8
        assert len({lesson.title for lesson in course.lessons}) == len(course.lessons)
        assert len({lesson.position for lesson in course.lessons}) == len(course.lessons)


@pytest.mark.parametrize(("course", "lesson"), ALL, ids=[f"{c.game} {each.title}" for c, each in ALL])
def test_a_task_names_the_side_to_move_and_its_line_can_be_played(course: Course, lesson: Lesson) -> None:
    position = Game(course.game).parse(lesson.position)
    assert lesson.task.startswith(f"{position.turn} to move: ")
    position.play_all(lesson.line)
    if lesson.goal is LessonGoal.WIN:
        assert position.is_over
        assert len(lesson.line) == 2 * lesson.moves - 1
    else:
        assert len(lesson.line) == 1


def test_each_lesson_says_its_idea_after_a_right_and_a_wrong_move() -> None:
    words = [text for _, lesson in ALL for text in (lesson.right, lesson.wrong)]
    assert all(text.endswith(".") for text in words)
    assert len(set(words)) == len(words)


def test_connect_four_lessons_on_the_end_have_one_move_that_wins() -> None:
    for lesson in shipped_courses()[1].lessons[5:]:
        position = Game("connect4").parse(lesson.position)
        values = {move: value_of_move(position, move) for move in position.legal_moves}
        assert [move for move, value in values.items() if value == "win"] == list(lesson.accepted)


def test_odd_threat_is_on_an_odd_row_and_even_threat_on_an_even_one() -> None:
    for lesson, parity in zip(shipped_courses()[1].lessons[5:7], (1, 0), strict=True):
        position = Game("connect4").parse(lesson.position)
        side, before = position.side_to_move, set(position.completing(position.side_to_move))
        after = set(position.after(lesson.accepted[0]).completing(side)) - before
        assert {int(position.format_move(cell)[1:]) % 2 for cell in after} == {parity}


def test_a_task_that_every_move_solves_is_refused() -> None:
    lesson = Lesson(title="t", text="", task="", position="3/3/3 x", goal=LessonGoal.BEST, moves=0, explains=None)
    with pytest.raises(ValueError, match="expected moves of which some are good, got 9"):
        prove("3x3", lesson)


def test_the_file_of_courses_is_read_and_written_without_loss() -> None:
    courses = shipped_courses()
    assert read_courses(courses_text(courses).encode()) == courses


BLOCKED = (
    "e5 e4 f1 g1 b3 d9 a7 c2 g6 c7 i3 g7 b1 e2 f5 i4 i1 g2 c4 h1 f3 g8 b5 d4 a2 b6 d8 a5 a6 b9 f8 h4 f2 h6 f9 i8 g4 b2"
    " e6 f7 h3 e8 d5 h8"
)
SENT = "c7 i3 h8 e6 f9 i8 g6 b9 d7 b1 d2 b4 d3 b8 f5 h4 d1 a2 a6 a9 a8 b5 f6 g9 a7 c1 g1 b2 f4 h2"
FORKED = (
    "d1 a2 b4 f3 h8 f5 g6 b7 f1 h3 f9 g9 b9 f7 h1 d2 c4 i2 h5 d5 a4 b2 e5 f4 i1 h2 f6 g7 c3 h7 d3 b8 d4 a1 a3 c7 g3 c9"
    " i8 i6 h9 d7 c1 i3 g8 b3 d9 a7"
)


@pytest.mark.parametrize(
    ("game", "moves", "cause"),
    [
        ("3x3", "b2 b3 a3 c1 a1 c3 a2", LossCause.FORK),
        ("3x3", "a3 c3 a2 b2 a1", LossCause.BLOCK),
        ("connect4", "d c d c d c d", LossCause.BLOCK),
        ("connect4", "c a c d d d a b b", LossCause.ABOVE),
        ("3x3", "a3 b3 c3 a2 c2 b2 a1 c1 b1", None),
        # O may play g5 itself; elsewhere, O could have sent to another board; in the last, every move decides for X.
        ("ultimate", f"{BLOCKED} g5", LossCause.BLOCK),
        ("ultimate", f"{SENT} e8", LossCause.SENDING),
        ("ultimate", f"{FORKED} c2", LossCause.FORK),
    ],
)
def test_cause_of_a_loss_is_read_from_its_last_moves(game: str, moves: str, cause: LossCause | None) -> None:
    position = Game(game).start()
    position.play_all(moves.split())
    assert position.is_over
    assert cause_of_loss(position) == cause


def test_lessons_that_explain_a_loss_are_named() -> None:
    lost = PositionRequest(game="3x3", moves=("b2", "b3", "a3", "c1", "a1", "c3", "a2"))
    answer: CoursesAnswer = ask(COURSES, CoursesRequest(lost=lost))
    assert answer.explaining == ("the-fork", "gain-time-with-a-threat", "stop-the-fork")
    assert ask(COURSES, CoursesRequest()).explaining == ()
