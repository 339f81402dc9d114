"""Autograders for other systems: Gradescope, Otter-Grader, nbgrader, check50 and GitHub Classroom.

Each is a folder of files around ``noughts.teaching.grading``, which alone judges; an autograder passes a submission to
it and translates the grade into points and messages of its system.

>>> from noughts.teaching.autograder import AutograderSettings, TARGETS
>>> sorted(TARGETS)
['check50', 'github-classroom', 'gradescope', 'nbgrader', 'otter']
>>> AutograderSettings("alphabeta", points=10).shares()["value"]
3.0
"""

from typing import TYPE_CHECKING

from noughts.lazy import lazy_names

if TYPE_CHECKING:
    from noughts.teaching.autograder.marks import Mark, mark, share_points
    from noughts.teaching.autograder.notebook_check import check
    from noughts.teaching.autograder.project import Project, grade_project
    from noughts.teaching.autograder.settings import AutograderSettings
    from noughts.teaching.autograder.writing import TARGETS, Target, write_autograder

__all__ = [
    "TARGETS",
    "AutograderSettings",
    "Mark",
    "Project",
    "Target",
    "check",
    "grade_project",
    "mark",
    "share_points",
    "write_autograder",
]

# Loaded when they are used, so that the programs of this package can be started by ``python -m``.
__getattr__, __dir__ = lazy_names(
    __name__,
    {
        ".marks": ["Mark", "mark", "share_points"],
        ".notebook_check": ["check"],
        ".project": ["Project", "grade_project"],
        ".settings": ["AutograderSettings"],
        ".writing": ["TARGETS", "Target", "write_autograder"],
    },
)
