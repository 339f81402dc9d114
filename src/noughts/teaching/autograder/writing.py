"""Writing an autograder for a system into a folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from noughts.teaching.autograder.check50 import make_check50
from noughts.teaching.autograder.gradescope import make_gradescope
from noughts.teaching.autograder.notebooks import make_nbgrader, make_otter
from noughts.teaching.autograder.settings import AutograderSettings

__all__ = ["TARGETS", "Target", "write_autograder"]


class Target(NamedTuple):
    """A system that runs autograders."""

    title: str
    make: Callable[..., dict[str, bytes]]
    """Called with the settings, and with a wheel if it takes one; returns the contents of the files by name."""
    next_step: str
    """How a teacher uses the files; ``{folder}`` stands for their folder, ``{name}`` for the task."""
    style: str | None = None
    """The style of submissions unless another is given; None accepts every style."""
    has_points: bool = True
    takes_wheel: bool = False
    has_files: bool = True
    """Whether submissions are files, not notebooks."""


TARGETS = {
    "gradescope": Target(
        "Gradescope", make_gradescope, "upload {folder}/autograder.zip in Configure Autograder", takes_wheel=True
    ),
    "otter": Target(
        "Otter-Grader", make_otter, "otter assign {folder}/{name}.ipynb {folder}/dist", "noughts", has_files=False
    ),
    "nbgrader": Target(
        "nbgrader", make_nbgrader, "in {folder}: nbgrader generate_assignment {name}", "noughts", has_files=False
    ),
    "check50": Target(
        "check50", make_check50, "in the folder of a submission: check50 --dev {folder}", "cs50", has_points=False
    ),
}
"""The systems by their id."""


def write_autograder(
    target: str, settings: AutograderSettings, folder: Path, *, wheel: Path | None = None, force: bool = False
) -> list[Path]:
    """Write an autograder into a folder and return its files.

    Raises ValueError if the folder has files already, unless ``force`` is given: then those of the same name are
    replaced. A wheel of noughts is included for Gradescope.
    """
    if target not in TARGETS:
        raise ValueError(f"expected an autograder, one of {', '.join(TARGETS)}, got {target!r}")
    chosen = TARGETS[target]
    if folder.is_dir() and any(folder.iterdir()) and not force:
        raise ValueError(f"expected an empty folder, got {folder}, which has files; --force replaces them")
    if wheel is not None and not chosen.takes_wheel:
        raise ValueError(f"expected no wheel: {chosen.title} takes noughts from the machine that runs it")
    files = chosen.make(settings) if wheel is None else chosen.make(settings, wheel)
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return [folder / name for name in files]
