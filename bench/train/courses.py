"""Proves the lessons of the courses again and writes them: ``python -m bench.train.courses [FILE]``.

The texts, positions and goals of the file are kept; the moves that are accepted and the lines are found by proof.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from time import process_time

from noughts.games import Game
from noughts.packaged import packaged_path
from noughts.teaching.courses import COURSES, courses_text, prove, read_courses


def main(path: Path) -> None:
    courses = []
    for course in read_courses(path.read_bytes()):
        game, lessons = Game(course.game), []
        for lesson in course.lessons:
            began = process_time()
            lessons.append(prove(course.game, lesson))
            good = " ".join(map(game.format_cell, lessons[-1].accepted))
            print(f"{course.game}  {lesson.title}: {good}  {process_time() - began:.1f} s", flush=True)
        courses.append(replace(course, lessons=tuple(lessons)))
    path.write_text(courses_text(tuple(courses)), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else Path(packaged_path(COURSES)))
