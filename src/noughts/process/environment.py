"""The environment of a program that is not ours: an allow list, so that no token or password reaches it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping

__all__ = ["allowed_environment", "find_command", "find_commands"]

ALLOWED_NAMES = ("HOME", "LANG", "LANGUAGE", "PATH", "TZ")
ALLOWED_PREFIX = "LC_"


def allowed_environment(added: Mapping[str, str]) -> dict[str, str]:
    """Return the variables of this process that any program may know, and the added ones."""
    allowed = {name: value for name, value in os.environ.items() if _is_allowed(name)}
    return allowed | {"PATH": os.pathsep.join(_search_path())} | dict(added)


def find_command(name: str) -> str | None:
    """Return the absolute path of a command, or None."""
    return next(iter(find_commands(name)), None)


def find_commands(name: str) -> list[str]:
    """Return the absolute paths of all commands of a name, in the order of the search path."""
    found = (shutil.which(name, path=folder) for folder in _search_path())
    return [path for path in dict.fromkeys(found) if path is not None]


def _search_path() -> list[str]:
    """Return the folders in which commands are found, without relative ones: those may be a stranger's."""
    return [folder for folder in os.environ.get("PATH", os.defpath).split(os.pathsep) if os.path.isabs(folder)]


def _is_allowed(name: str) -> bool:
    return name in ALLOWED_NAMES or name.startswith(ALLOWED_PREFIX)
