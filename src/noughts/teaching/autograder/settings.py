"""The settings of an autograder: the task, the limits and the points."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field, replace
from pathlib import Path

from noughts.schema import plain, read
from noughts.teaching.autograder.marks import share_points
from noughts.teaching.grading import STYLES, Grade, Property, Submission
from noughts.teaching.grading.client import DEFAULT_MEMORY_MB, DEFAULT_SECONDS, WALL_CLOCK
from noughts.teaching.grading.grader import GradingJob
from noughts.teaching.grading.styles import SubmissionStyle
from noughts.teaching.grading.tasks import RULES, Assignment, find_task

__all__ = ["DEFAULT_POINTS", "SANDBOX_MODES", "AutograderSettings"]

DEFAULT_POINTS = 100.0
MAX_POINTS = 1_000_000.0
SANDBOX_MODES = ("always", "if-available", "never")
"""Whether files are graded in a sandbox on the machine of the autograder, which may have none."""


@dataclass(frozen=True)
class AutograderSettings:
    """The task, the limits and the points of an autograder; raises ValueError if they make no sense."""

    task: str
    style: str | None = None
    """The id of the style that submissions must have; None accepts every style."""
    game: str | None = None
    depth: int | None = None
    file: str | None = None
    """The name of the file to grade; None takes the main file of the submission."""
    points: float = DEFAULT_POINTS
    weights: dict[str, float] = field(default_factory=dict)
    """Weights of properties by their id, in place of the points that the task gives them."""
    seconds: float = DEFAULT_SECONDS
    memory_mb: int = DEFAULT_MEMORY_MB
    sandbox: str = "if-available"
    """One of ``SANDBOX_MODES``; results say whether there was one. With ``never``, root grades as root."""
    hidden: tuple[str, ...] = ()
    """Properties whose tests students see only when their grades are published."""

    @property
    def wall_seconds(self) -> float:
        """The longest time of a submission by the wall clock."""
        return WALL_CLOCK * self.seconds

    def __post_init__(self) -> None:
        task = find_task(self.task)
        if self.depth is not None and task.depth is None:
            raise ValueError(f"expected no depth for the task {self.task}, got {self.depth}")
        GradingJob(lambda: None, task, self.game, self.depth).check()
        if not 0 < self.points <= MAX_POINTS:
            raise ValueError(f"expected a number of points above 0 and up to {MAX_POINTS:,.0f}, got {self.points:g}")
        if self.file is not None and (Path(self.file).name != self.file or not self.file.endswith(".py")):
            raise ValueError(f"expected the name of a Python file, without a folder, got {self.file!r}")
        if self.sandbox not in SANDBOX_MODES:
            raise ValueError(f"expected a sandbox, one of {', '.join(SANDBOX_MODES)}, got {self.sandbox!r}")
        if self.style is not None:
            self._check_style(self.style, task)
        self._check_weights()

    def _check_weights(self) -> None:
        known = self.property_ids
        for id in (*self.weights, *self.hidden):
            if id not in known:
                raise ValueError(f"expected a property, one of {', '.join(sorted(known))}, got {id!r}")
        for id, weight in self.weights.items():
            if not (math.isfinite(weight) and weight >= 0):
                raise ValueError(f"expected a weight of 0 or more for {id}, got {weight:g}")
        possible = {**(RULES if self.style is None else {}), **{each.id: each for each in self.properties}}
        if not any(self.weights.get(each.id, each.points) for each in possible.values()):
            raise ValueError("expected a weight above 0 for at least one property")

    def _check_style(self, id: str, task: Assignment) -> None:
        try:
            _style(id).function_names(task)
        except ImportError as error:
            raise ValueError(str(error)) from None

    @property
    def properties(self) -> tuple[Property, ...]:
        """The properties that are graded in the style, or in that of noughts."""
        return _style(self.style or "noughts").properties(find_task(self.task))

    @property
    def property_ids(self) -> set[str]:
        """The ids of all properties that a submission may be graded by, those of every style if none is required."""
        return {each.id for each in self.properties} | (RULES.keys() if self.style is None else set())

    def with_equal_weights(self) -> AutograderSettings:
        """Return these settings with a weight of 1 for every property that has none."""
        return replace(self, weights=dict.fromkeys(sorted(self.property_ids), 1.0) | self.weights)

    @property
    def name(self) -> str:
        """The task as a name in Python."""
        return self.task.replace("-", "_")

    @property
    def function(self) -> str:
        """The preferred name of the function to write."""
        return _style(self.style or "noughts").function_names(find_task(self.task))[0]

    def shares(self) -> dict[str, float]:
        """Return the points of each property; their sum is ``points``."""
        weights = {each.id: self.weights.get(each.id, each.points) for each in self.properties}
        return dict(zip(weights, share_points(self.points, list(weights.values())), strict=True))

    def ungraded(self, message: str, diagnosis: str) -> Grade:
        """Return the grade of a submission that could not be graded."""
        submission = Submission(Path(self.file or "submission"))
        job = GradingJob(submission, find_task(self.task), self.game, self.depth)
        return job.incomplete_grade("", message, diagnosis)

    def require_style(self, grade: Grade) -> Grade:
        """Return a grade, or that of an ungraded submission if its style is not the expected one."""
        if self.style in (None, grade.style) or "runs" in grade.failures:
            return grade
        wanted, got = (STYLES[id].title for id in (self.style or "", grade.style))
        return self.ungraded(f"expected functions in the style of {wanted}, got {got}", "not-found")

    def to_json(self) -> str:
        """Return the settings as JSON; see ``load``."""
        return json.dumps(plain(self), indent=2) + "\n"

    @classmethod
    def load(cls, path: Path) -> AutograderSettings:
        """Return the settings of a JSON file; raises ValueError."""
        return read(cls, json.loads(path.read_text(encoding="utf-8")))


def _style(id: str) -> SubmissionStyle:
    """Return a style; raises ValueError if there is none with this id."""
    if id not in STYLES:
        raise ValueError(f"expected a style, one of {', '.join(STYLES)}, got {id!r}")
    return STYLES[id]
