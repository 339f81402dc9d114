"""Autograders for other systems: Gradescope, Otter-Grader, nbgrader and check50.

Each is a folder of files around ``noughts.study.grading``, which alone judges; an autograder passes a submission to
it and translates the grade into points and messages of its system.

>>> from noughts.study.autograder import Settings, TARGETS
>>> sorted(TARGETS)
['check50', 'gradescope', 'nbgrader', 'otter']
>>> Settings("alphabeta", points=10).shares()["value"]
3.0
"""

from noughts.study.autograder.marks import Mark, mark, share_points
from noughts.study.autograder.notebook_check import check
from noughts.study.autograder.settings import Settings
from noughts.study.autograder.writing import TARGETS, Target, write_autograder

__all__ = ["TARGETS", "Mark", "Settings", "Target", "check", "mark", "share_points", "write_autograder"]
