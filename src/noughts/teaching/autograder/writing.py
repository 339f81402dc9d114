"""Writing an autograder for a system into a folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from noughts.teaching.autograder.check50 import make_check50
from noughts.teaching.autograder.github_classroom import make_github_classroom
from noughts.teaching.autograder.gradescope import make_gradescope
from noughts.teaching.autograder.notebooks import make_nbgrader, make_otter
from noughts.teaching.autograder.project import Project
from noughts.teaching.autograder.settings import AutograderSettings
from noughts.teaching.autograder.wheels import Wheels

__all__ = ["TARGETS", "Target", "write_autograder"]


class Target(NamedTuple):
    """A system that runs autograders."""

    title: str
    make: Callable[[Project, Wheels], dict[str, bytes]]
    """Returns the contents of the files by name."""
    next_step: str
    """How a teacher uses the files; ``{folder}`` stands for their folder, ``{name}`` for the task."""
    style: str | None = None
    """The style of submissions unless another is given; None accepts every style."""
    has_points: bool = True
    has_files: bool = True
    """Whether submissions are files, not notebooks."""
    has_hidden: bool = True
    """Whether tests can be hidden from students."""
    runs_on_linux: bool = False
    """Whether it runs on machines of its own, with Linux."""


TARGETS = {
    "gradescope": Target(
        "Gradescope", make_gradescope, "upload {folder}/autograder.zip in Configure Autograder", runs_on_linux=True
    ),
    "otter": Target(
        "Otter-Grader", make_otter, "otter assign {folder}/{name}.ipynb {folder}/dist", "noughts", has_files=False
    ),
    "nbgrader": Target(
        "nbgrader", make_nbgrader, "in {folder}: nbgrader generate_assignment {name}", "noughts", has_files=False
    ),
    "check50": Target(
        "check50",
        make_check50,
        "in the folder of a submission: check50 --dev {folder}",
        "cs50",
        has_points=False,
        has_hidden=False,
    ),
    "github-classroom": Target(
        "GitHub Classroom",
        make_github_classroom,
        "commit {folder}/.github to the template repository of the assignment",
        "noughts",
        has_hidden=False,
        runs_on_linux=True,
    ),
}
"""The systems by their id."""


def write_autograder(
    target: str, graded: AutograderSettings | Project, folder: Path, *, wheel: Path | None = None, force: bool = False
) -> list[Path]:
    """Write an autograder for a task or a project into a folder and return its files.

    Raises ValueError if the folder has files already, unless ``force`` is given: then those of the same name are
    replaced. With a wheel of noughts, the autograder carries it and the packages that noughts needs.
    """
    if target not in TARGETS:
        raise ValueError(f"expected an autograder, one of {', '.join(TARGETS)}, got {target!r}")
    chosen = TARGETS[target]
    if folder.is_dir() and any(folder.iterdir()) and not force:
        raise ValueError(f"expected an empty folder, got {folder}, which has files; --force replaces them")
    project = graded if isinstance(graded, Project) else Project.of_task(graded)
    if project.has_hidden and not chosen.has_hidden:
        raise ValueError(f"expected no hidden properties: {chosen.title} shows every check to students")
    if not (project.is_single or chosen.has_points):
        raise ValueError(f"expected a single task: {chosen.title} has no points for questions")
    wheels = Wheels(wheel)
    if wheel is not None and chosen.runs_on_linux and not wheels.fits_linux:
        raise ValueError(f"expected a wheel for Linux, which {chosen.title} runs, got {wheel.name}")
    files = chosen.make(project, wheels)
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return [folder / name for name in files]
