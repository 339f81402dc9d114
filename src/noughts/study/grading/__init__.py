"""Grading submissions: which property of a search, an order, an evaluation or a player fails, where, and why.

>>> from noughts.study import grade
>>> from noughts.textbook import alphabeta
>>> print(grade(alphabeta).passed)
True
"""

from typing import TYPE_CHECKING

from noughts.lazy import lazy_names

if TYPE_CHECKING:
    from noughts.study.grading.diagnoses import DIAGNOSES
    from noughts.study.grading.grader import grade
    from noughts.study.grading.report import Departure, Diagnosis, Failure, Grade
    from noughts.study.grading.styles import STYLES
    from noughts.study.grading.submission import Submission
    from noughts.study.grading.tasks import TASKS, Property, Task

__all__ = [
    "DIAGNOSES",
    "STYLES",
    "TASKS",
    "Departure",
    "Diagnosis",
    "Failure",
    "Grade",
    "Property",
    "Submission",
    "Task",
    "grade",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "DIAGNOSES": ".diagnoses",
        "Departure": ".report",
        "Diagnosis": ".report",
        "Failure": ".report",
        "Grade": ".report",
        "Property": ".tasks",
        "STYLES": ".styles",
        "Submission": ".submission",
        "TASKS": ".tasks",
        "Task": ".tasks",
        "grade": ".grader",
    },
)
