"""Grading submissions: which property of a search, an order, an evaluation or a player fails, where, and why.

>>> from noughts.teaching import grade
>>> from noughts.textbook import alphabeta
>>> print(grade(alphabeta).passed)
True
"""

from typing import TYPE_CHECKING

from noughts.lazy import lazy_names

if TYPE_CHECKING:
    from noughts.teaching.grading.diagnosis.diagnoses import DIAGNOSES
    from noughts.teaching.grading.grader import grade
    from noughts.teaching.grading.report import Departure, Diagnosis, Grade, PropertyFailure
    from noughts.teaching.grading.styles import STYLES
    from noughts.teaching.grading.submission import Submission
    from noughts.teaching.grading.tasks import TASKS, Assignment, Property

__all__ = [
    "DIAGNOSES",
    "STYLES",
    "TASKS",
    "Assignment",
    "Departure",
    "Diagnosis",
    "Grade",
    "Property",
    "PropertyFailure",
    "Submission",
    "grade",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        ".diagnosis.diagnoses": ["DIAGNOSES"],
        ".grader": ["grade"],
        ".report": ["Departure", "Diagnosis", "Grade", "PropertyFailure"],
        ".styles": ["STYLES"],
        ".submission": ["Submission"],
        ".tasks": ["TASKS", "Assignment", "Property"],
    },
)
