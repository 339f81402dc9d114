"""A module that gets some of its names on first use."""

from __future__ import annotations

LOADED: list[str] = []


def __getattr__(name: str) -> object:
    if name.startswith("made_"):
        LOADED.append(name)
        return name.upper()
    raise AttributeError(f"no {name}")
