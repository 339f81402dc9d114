"""Courses for players: small steps, each an idea with a board on which the reader must find the move.

The texts are written by people; the good moves are found and proven by ``prove``, and a test proves them again. A task
asks for a win within a number of moves, for a move that does not lose within one, or for a move that keeps the value of
the position to the end of the game.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from functools import cache
from typing import Any

from noughts.analysis.exact import ExactValues
from noughts.analysis.puzzles import WinSearch
from noughts.games import Game, Position, Value
from noughts.json_types import JsonObject
from noughts.limit import Limit
from noughts.packaged import read_packaged

__all__ = [
    "COURSES",
    "Course",
    "Lesson",
    "LessonGoal",
    "LossCause",
    "cause_of_loss",
    "courses_text",
    "prove",
    "read_courses",
    "shipped_courses",
]

COURSES = "teaching/courses.json"
NODES = 50_000_000
"""Bounds for the proof of one task, far more than any of them needs."""


class LessonGoal(StrEnum):
    """What a task asks for."""

    WIN = "win"
    """Force a win within a number of moves, in as few as possible."""
    HOLD = "hold"
    """Do not lose within a number of moves of the opponent."""
    BEST = "best"
    """Keep the value of the position."""


class LossCause(StrEnum):
    """What a lost game may have been lost by, and a lesson explains."""

    BLOCK = "block"
    """A threat was not stopped, though the loser could play the cell."""
    FORK = "fork"
    """Two threats at once cannot both be stopped; in Ultimate, every move sent to a board that decides."""
    ABOVE = "above"
    """A move made it possible to play on the cell above it."""
    SENDING = "sending"
    """The loser sent the winner to the board that decided the game, and could send elsewhere."""


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """A step of a course: an idea in a sentence or two, and a position with a task.

    ``accepted`` are all moves that do what is asked, ``line`` one way to finish, which begins with the first of them.
    ``right`` and ``wrong`` say of a try what it has to do with the idea.
    """

    title: str
    text: str
    task: str
    right: str = ""
    wrong: str = ""
    position: str
    goal: LessonGoal
    moves: int
    explains: LossCause | None
    accepted: tuple[int, ...] = ()
    line: tuple[int, ...] = ()

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Lesson:
        """Return the lesson with this data; it is not checked, see ``prove``."""
        cause = data.get("explains")
        return cls(
            title=data["title"],
            text=data["text"],
            task=data["task"],
            right=data.get("right", ""),
            wrong=data.get("wrong", ""),
            position=data["position"],
            goal=LessonGoal(data["goal"]),
            moves=data.get("moves", 0),
            explains=None if cause is None else LossCause(cause),
            accepted=tuple(data.get("accepted", ())),
            line=tuple(data.get("line", ())),
        )

    def to_data(self) -> JsonObject:
        """Return the lesson as plain data, for JSON."""
        return {name: value for name, value in asdict(self).items() if value not in (None, 0)}


@dataclass(frozen=True, kw_only=True)
class Course:
    """The lessons on one game, easy ones first."""

    game: str
    about: str
    lessons: tuple[Lesson, ...]


@cache
def shipped_courses() -> tuple[Course, ...]:
    """Return the courses that come with the package."""
    return read_courses(read_packaged(COURSES))


def read_courses(data: bytes) -> tuple[Course, ...]:
    """Return the courses of a file."""
    return tuple(
        [
            Course(game=each["game"], about=each["about"], lessons=tuple(map(Lesson.from_data, each["lessons"])))
            for each in json.loads(data)
        ]
    )


def courses_text(courses: tuple[Course, ...]) -> str:
    """Return the text of the file with these courses, a line for each lesson."""
    parts = []
    for course in courses:
        lessons = ",\n".join(json.dumps(lesson.to_data(), ensure_ascii=False) for lesson in course.lessons)
        head = json.dumps({"game": course.game, "about": course.about}, ensure_ascii=False)
        parts.append(f'{head[:-1]}, "lessons": [\n{lessons}\n]}}')
    return "[\n" + ",\n".join(parts) + "\n]\n"


# --- proofs ---------------------------------------------------------------------------------------------------------


def prove(game: str, lesson: Lesson, nodes: int = NODES) -> Lesson:
    """Return a lesson with its good moves and a line of play, all proven; raises ValueError if the task makes no sense.

    For wins and for holding on, an exhaustive search to that number of moves decides about every legal move; for the
    best move, the solver proves the value after each.
    """
    position = Game(game).parse(lesson.position)
    accepted = _ACCEPTED[lesson.goal](position, lesson, nodes)
    if not accepted or len(accepted) == len(position.legal_moves):
        raise ValueError(f"{lesson.title}: expected moves of which some are good, got {len(accepted)} good ones")
    return replace(lesson, accepted=tuple(accepted), line=tuple(_line(position, lesson, accepted[0], nodes)))


def _winning(position: Position, lesson: Lesson, nodes: int) -> list[int]:
    search = WinSearch(nodes)
    if lesson.moves > 1 and search.wins(position, lesson.moves - 1):
        raise ValueError(f"{lesson.title}: there is a win in {lesson.moves - 1}")
    return [move for move in position.legal_moves if search.wins_by(position, move, lesson.moves)]


def _holding(position: Position, lesson: Lesson, nodes: int) -> list[int]:
    search = WinSearch(nodes)
    after = {move: position.after(move) for move in position.legal_moves}
    return [move for move, each in after.items() if each.is_over or not search.wins(each, lesson.moves)]


def _keeping(position: Position, lesson: Lesson, nodes: int) -> list[int]:
    values = {move: value_of_move(position, move, nodes) for move in position.legal_moves}
    best = max(values.values(), key=lambda value: value.number)
    if best is Value.LOSS:
        raise ValueError(f"{lesson.title}: every move loses")
    return [move for move, value in values.items() if value is best]


_ACCEPTED = {LessonGoal.WIN: _winning, LessonGoal.HOLD: _holding, LessonGoal.BEST: _keeping}


def value_of_move(position: Position, move: int, nodes: int = NODES) -> Value:
    """Return the value of a move for the side that makes it; raises ValueError if the nodes are not enough."""
    value = ExactValues(Limit(nodes=nodes)).of_move(position, move)
    if value is None:
        raise ValueError(f"expected a proof within {nodes} nodes after {position.format_move(move)}")
    return value


def _line(position: Position, lesson: Lesson, move: int, nodes: int) -> list[int]:
    """The move; for a win, the longest defence and the moves that finish."""
    line, position = [move], position.copy()
    position.play(move)
    search = WinSearch(nodes)
    for left in range(lesson.moves - 1, 0, -1) if lesson.goal is LessonGoal.WIN else ():
        if position.is_over:
            break
        position.play(_longest_defence(position, left, search))
        line.append(position.moves[-1])
        position.play(next(each for each in position.legal_moves if search.wins_by(position, each, left)))
        line.append(position.moves[-1])
    return line


def _longest_defence(position: Position, left: int, search: WinSearch) -> int:
    """A reply after which the winner needs all the moves that are left, one that stops a threat if possible."""
    assert position.turn is not None
    threats = [] if position.game.is_ultimate else position.threats(position.turn.opponent)
    replies = sorted(position.legal_moves, key=lambda reply: reply not in threats)
    return next((each for each in replies if not search.wins(position.after(each), left - 1)), replies[0])


# --- lost games -----------------------------------------------------------------------------------------------------


def cause_of_loss(position: Position) -> LossCause | None:
    """Return what a finished game was lost by, as its last moves show; None for a draw or a misère game."""
    winner, game = position.winner, position.game
    if winner is None or game.is_misere or position.winning_line is None or position.ply < 2:
        return None
    mistake, last = position.moves[-2:]
    before = position.copy()
    before.undo()
    before.undo()
    if game.is_ultimate:
        search = WinSearch(NODES)
        safe = [move for move in before.legal_moves if not search.wins(before.after(move), 1)]
        return LossCause.FORK if not safe else LossCause.BLOCK if last in safe else LossCause.SENDING
    if len(before.threats(winner)) > 1:
        return LossCause.FORK
    return LossCause.ABOVE if mistake in game.rests_on[last] else LossCause.BLOCK
