"""The submissions of a cup: which files of a folder are submissions, and how each is run."""

from __future__ import annotations

import hashlib
import os
import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from noughts.arena.check import TRIAL, Check
from noughts.games.quoting import count, escape_control_characters, quote, shorten
from noughts.process.regular_files import RegularFile, TooLarge, copy_files, regular_files

__all__ = ["CupSubmission", "InvalidSubmission", "copy_submission", "digest_of", "find_submissions", "name_submissions"]

MAX_SUBMISSIONS = 500
MAX_NAME_CHARACTERS = 40
MAX_SLUG_CHARACTERS = 40
MAX_FILES = 2_000
MAX_MEGABYTES = 64
IGNORED_SUFFIXES = (".md", ".txt", ".pyc", ".log", ".csv", ".html")
IGNORED_NAMES = ("__pycache__", "readme", "node_modules")
OBVIOUS_CHECKS = ("can be entered", "can be run", "speaks a protocol")
"""Checks whose details make sense without the name of the check."""


class InvalidSubmission(ValueError):
    """A submission that cannot be run; the message tells its author what to fix."""


@dataclass(frozen=True)
class CupSubmission:
    """One submission, and all that is known about it so far. ``name`` and ``slug`` are unique in the cup."""

    name: str
    """Its file or folder, with a suffix only where others have the same stem; at most 40 printable characters."""
    slug: str
    """Names its folder and its pages."""
    source: str
    """Its file or folder, control characters escaped."""
    digest: str
    """Changes with its contents."""
    run: str = ""
    """The command or ``file.py:name``; empty until it is known, and if there is none."""
    typed: str = ""
    """The command as its author would type it, in the folder of the submission."""
    folder: str = ""
    """Where it runs, relative to the folder of the cup."""
    protocol: str = "auto"
    checks: tuple[Check, ...] = ()
    """Empty until it has been checked."""

    @property
    def is_checked(self) -> bool:
        return bool(self.checks)

    @property
    def is_ready(self) -> bool:
        """Whether it passed all its checks."""
        return self.is_checked and not self.failed_checks

    @property
    def failed_checks(self) -> list[Check]:
        return [check for check in self.checks if not check.passed]

    @property
    def _trial(self) -> Check | None:
        """The trial with more time, which only those that missed a deadline get."""
        return next((check for check in self.checks if check.name.endswith(TRIAL)), None)

    @property
    def was_late(self) -> bool:
        """Whether it missed a deadline in its check."""
        return self._trial is not None

    @property
    def trial_seconds(self) -> float | None:
        """The time of its first move in a trial with more time, after it missed a deadline."""
        return None if self._trial is None else self._trial.trial_seconds

    @property
    def verdict(self) -> str:
        """One line: ``ready``, ``waiting``, or the first thing to fix."""
        if not self.is_checked:
            return "waiting"
        if self.is_ready:
            return "ready"
        failed = self.failed_checks[0]
        return failed.detail if failed.name in OBVIOUS_CHECKS else f"{failed.name}: {failed.detail}"


def find_submissions(folder: Path) -> list[Path]:
    """Return the submissions in a folder, in the order of their names: its files and folders, without notes.

    Hidden files, ``README``, text files and caches are no submissions. Raises ValueError without submissions, and
    OSError.
    """
    found = sorted((path for path in folder.iterdir() if _is_submission(path)), key=lambda path: os.fsencode(path.name))
    if not found:
        raise ValueError(f"expected a folder with submissions, got {quote(str(folder))}, which has none")
    if len(found) > MAX_SUBMISSIONS:
        raise ValueError(f"expected at most {MAX_SUBMISSIONS} submissions, got {len(found)}")
    return found


def _is_submission(path: Path) -> bool:
    name = path.name.lower()
    if name.startswith((".", "~")) or path.stem.lower() in IGNORED_NAMES or name in IGNORED_NAMES:
        return False
    return path.is_dir() or not name.endswith(IGNORED_SUFFIXES)


def name_submissions(paths: list[Path], others: Collection[str] = ()) -> list[tuple[str, str]]:
    """Return a unique name and slug for each path; no name is one of the others.

    >>> name_submissions([Path("Ann Lee.py"), Path("bob.c"), Path("bob.js")])
    [('Ann Lee', '01-ann-lee'), ('bob.c', '02-bob-c'), ('bob.js', '03-bob-js')]
    """
    found: list[tuple[str, str]] = []
    taken = set(others)
    stems = Counter(path.stem for path in paths)
    for number, path in enumerate(paths, 1):
        is_whole = path.is_dir() or stems[path.stem] > 1
        text = printable(path.name if is_whole else path.stem).strip() or "nameless"
        name, copy = shorten(text, MAX_NAME_CHARACTERS), 1
        while name in taken:
            copy += 1
            name = f"{shorten(text, MAX_NAME_CHARACTERS - 6)} ({copy})"
        taken.add(name)
        plain = re.sub(r"[^a-z0-9]+", "-", text.lower())[:MAX_SLUG_CHARACTERS].strip("-")
        found.append((name, f"{number:02}-{plain}".rstrip("-")))
    return found


def printable(text: str) -> str:
    """Return a file name that can be shown: bytes that are not UTF-8 replaced, control characters escaped."""
    return escape_control_characters(os.fsencode(text).decode(errors="replace"))


def digest_of(path: Path) -> str:
    """Return a hash of the contents of a submission: its regular files and their names."""
    digest = hashlib.sha256()
    for file in _files(path):
        digest.update(os.fsencode(file.name) + b"\0")
        for chunk in file.chunks():
            digest.update(chunk)
        digest.update(b"\0")
    return digest.hexdigest()


def copy_submission(path: Path, target: Path) -> None:
    """Copy the regular files of a submission; links and devices are left out.

    Raises InvalidSubmission if it is too large, cannot be read or has no file.
    """
    copy_files(_files(path), target)


def _files(path: Path) -> Iterator[RegularFile]:
    """Yield the regular files of a submission, without those whose names no command or report could repeat."""
    is_empty = True
    try:
        for file in regular_files(path, MAX_FILES, MAX_MEGABYTES << 20, _is_ignored):
            if file.name.isprintable():
                is_empty = False
                yield file
    except TooLarge as error:
        raise InvalidSubmission(f"{error}; hand in the program alone") from None
    except OSError as error:
        raise InvalidSubmission(f"cannot be read: {error.strerror or error}") from None
    if is_empty:
        raise InvalidSubmission("expected a program, got no file with a printable name")


def _is_ignored(folder: str) -> bool:
    return folder in IGNORED_NAMES or folder.startswith(".")


def describe_files(names: list[str]) -> str:
    """Return a few file names for a message."""
    shown = ", ".join(quote(name) for name in names[:4])
    return f"{shown} and {count(len(names) - 4, 'other')}" if len(names) > 4 else shown or "nothing"
