"""The environment of a program that is not ours: an allow list, so that no token or password reaches it."""

from __future__ import annotations

import os
from collections.abc import Mapping

__all__ = ["allowed_environment"]

ALLOWED_NAMES = ("HOME", "LANG", "LANGUAGE", "PATH", "TZ")
ALLOWED_PREFIX = "LC_"


def allowed_environment(added: Mapping[str, str]) -> dict[str, str]:
    """Return the variables of this process that any program may know, and the added ones."""
    allowed = {name: value for name, value in os.environ.items() if _is_allowed(name)}
    return allowed | dict(added)


def _is_allowed(name: str) -> bool:
    return name in ALLOWED_NAMES or name.startswith(ALLOWED_PREFIX)
