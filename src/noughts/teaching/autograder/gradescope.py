"""Gradescope: a zip with ``setup.sh`` and ``run_autograder``, which writes ``results.json``."""

from __future__ import annotations

import json
import sys
import time
import zipfile
from collections.abc import Sequence
from dataclasses import asdict
from io import BytesIO
from pathlib import Path
from typing import Any

from noughts import __version__
from noughts.games.atomic_file import write_file
from noughts.json_types import JsonObject
from noughts.teaching.autograder.marks import Mark, mark
from noughts.teaching.autograder.running import grade_folder
from noughts.teaching.autograder.settings import AutograderSettings
from noughts.teaching.autograder.templates import read_template
from noughts.teaching.grading import Grade
from noughts.teaching.grading.html_report import failure_html, summary_html

__all__ = ["format_results", "main", "make_gradescope"]

ARCHIVE = "autograder.zip"
SETTINGS_FILE = "settings.json"
ENTRY_DATE = (1980, 1, 1, 0, 0, 0)
"""The date of every file in the archive, so that equal settings give equal bytes."""


def make_gradescope(settings: AutograderSettings, wheel: Path | None = None) -> dict[str, bytes]:
    """Return the archive to upload, which takes noughts from a wheel or from PyPI."""
    requirement = f"noughts=={__version__}" if wheel is None else f'"$source"/{wheel.name}'
    files = {
        "setup.sh": read_template("setup.sh", requirement=requirement).encode(),
        "run_autograder": read_template("run_autograder").encode(),
        SETTINGS_FILE: settings.to_json().encode(),
    }
    if wheel is not None:
        files[wheel.name] = wheel.read_bytes()
    archived = BytesIO()
    with zipfile.ZipFile(archived, "w") as archive:
        for name, content in files.items():
            archive.writestr(_entry(name, is_program=name in ("setup.sh", "run_autograder")), content)
    return {ARCHIVE: archived.getvalue()}


def _entry(name: str, is_program: bool) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, ENTRY_DATE)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.create_system = 3  # Unix, whose permissions follow
    entry.external_attr = (0o100755 if is_program else 0o100644) << 16
    return entry


def format_results(grade: Grade, settings: AutograderSettings, seconds: float) -> dict[str, Any]:
    """Return the content of ``results.json`` for a grade."""
    marks = mark(grade, settings.points, settings.weights)
    return {
        "score": round(sum(each.points for each in marks), 2),
        "execution_time": round(seconds, 1),
        "output": summary_html(grade),
        "output_format": "html",
        "test_output_format": "html",
        "test_name_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "extra_data": {
            "task": grade.task,
            "style": grade.style,
            "diagnosis": None if grade.diagnosis is None else asdict(grade.diagnosis),
            "sandbox": grade.sandbox,
        },
        "tests": [_test(number, each, grade) for number, each in enumerate(marks, 1)],
    }


def _test(number: int, each: Mark, grade: Grade) -> JsonObject:
    return {
        "number": str(number),
        "name": f"{each.id}: {each.description}",
        "score": each.points,
        "max_score": each.max_points,
        "status": "passed" if each.passed else "failed",
        "output": failure_html(grade, each.id, each.message) if each.message else "",
        "visibility": "visible",
    }


def main(arguments: Sequence[str]) -> None:
    """Grade a submission: the arguments are the file of settings, the submission's folder and the file to write."""
    settings, submission, results = map(Path, arguments)
    began = time.monotonic()
    loaded = AutograderSettings.load(settings)
    grade = grade_folder(loaded, submission)
    content = json.dumps(format_results(grade, loaded, time.monotonic() - began), indent=2)
    results.parent.mkdir(parents=True, exist_ok=True)
    write_file(results, content + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
