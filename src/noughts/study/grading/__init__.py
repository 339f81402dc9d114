"""Grading submissions: which property of a search, an order, an evaluation or a player fails, where, and why.

>>> from noughts.study import grade
>>> from noughts.textbook import alphabeta
>>> print(grade(alphabeta).passed)
True
"""

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
