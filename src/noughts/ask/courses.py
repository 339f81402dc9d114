"""The question ``courses``: lessons for players, and those that explain a lost game."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated

from noughts.ask.evaluations import line_of
from noughts.ask.question import Tag, lookup
from noughts.ask.requests import PositionRequest
from noughts.games import Game, Side
from noughts.games.titles import title_of
from noughts.schema import Shape
from noughts.teaching.courses import Course, Lesson, LessonGoal, LossCause, cause_of_loss, shipped_courses

__all__ = ["COURSES", "CoursesAnswer", "CoursesRequest"]


@dataclass(frozen=True, kw_only=True)
class CoursesRequest(Shape):
    """Which lessons are wanted."""

    lost: Annotated[PositionRequest | None, "A game that was lost, with its moves, to find the lessons about it."] = (
        None
    )


@dataclass(frozen=True, kw_only=True)
class LessonAnswer(Shape):
    """A step of a course: an idea, and a position in which to find a move. All its values are proven."""

    id: Annotated[str, "A name that stays the same as long as the title does."]
    title: str
    text: Annotated[str, "The idea, in a sentence or two."]
    task: Annotated[str, "What to find: `X to move: win in two moves.`"]
    right: Annotated[str, "What a right move has to do with the idea."]
    wrong: Annotated[str, "What a wrong move misses."]
    start: str
    turn: Side
    goal: LessonGoal
    within: Annotated[int, "The number of moves in which to win, or not to lose; 0 for the best move."]
    explains: LossCause | None
    accepted: Annotated[tuple[int, ...], "The cells of all moves that do what is asked."]
    line: Annotated[tuple[str, ...], "One way to do it; for a win, with the longest defence to the end."]
    cells: tuple[int, ...]

    @classmethod
    def of(cls, game: Game, lesson: Lesson) -> LessonAnswer:
        return cls.from_attributes(
            lesson,
            id=_id(lesson),
            start=lesson.position,
            turn=game.parse(lesson.position).side_to_move,
            within=lesson.moves,
            **line_of(game, lesson.line),
        )


def _id(lesson: Lesson) -> str:
    return re.sub(r"[^a-z]+", "-", lesson.title.lower()).strip("-")


@dataclass(frozen=True, kw_only=True)
class CourseAnswer(Shape):
    """The lessons on a game, easy ones first."""

    game: str
    title: str
    about: str
    lessons: tuple[LessonAnswer, ...]

    @classmethod
    def of(cls, course: Course) -> CourseAnswer:
        game = Game.shared(course.game)
        lessons = tuple([LessonAnswer.of(game, lesson) for lesson in course.lessons])
        return cls.from_attributes(course, title=title_of(game), lessons=lessons)


@dataclass(frozen=True, kw_only=True)
class CoursesAnswer(Shape):
    """The courses for players."""

    courses: tuple[CourseAnswer, ...]
    explaining: Annotated[tuple[str, ...], "The ids of the lessons that explain why the game was lost."]


def _find(request: CoursesRequest) -> CoursesAnswer:
    courses = tuple([CourseAnswer.of(course) for course in shipped_courses()])
    return CoursesAnswer(courses=courses, explaining=() if request.lost is None else _explaining(request.lost))


def _explaining(lost: PositionRequest) -> tuple[str, ...]:
    position = lost.find_position()
    cause = cause_of_loss(position)
    course = next((course for course in shipped_courses() if course.game == position.game.id), None)
    if cause is None or course is None:
        return ()
    return tuple([_id(lesson) for lesson in course.lessons if lesson.explains is cause])


def _words(answer: CoursesAnswer) -> str:
    lessons = [
        f"{course.title} ({course.game}): {lesson.title}. {lesson.text} {lesson.task} {lesson.start}."
        f" Answer: {' '.join(lesson.line)}"
        for course in answer.courses
        for lesson in course.lessons
        if not answer.explaining or lesson.id in answer.explaining
    ]
    return "\n".join(lessons)


COURSES = lookup(
    "courses",
    CoursesRequest,
    CoursesAnswer,
    _find,
    "List the lessons for players, and find those that explain a lost game.",
    words=_words,
    tag=Tag.LEARNING,
)
