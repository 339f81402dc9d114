"""Trained networks that judge positions where line counts alone see too little: data, made by ``bench/network``."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from noughts.games.ids import Spec, UltimateSpec

__all__ = ["network_of"]

FILES = {3: "ultimate3.net", 4: "ultimate4.net"}
"""By the number of blocks a side. Each was trained with and without ``count``, and with no other option."""


def network_of(spec: Spec | None) -> bytes:
    """Return the network of a game as the core reads it, empty where it has none."""
    if isinstance(spec, UltimateSpec) and spec.options <= {"count"} and spec.n in FILES:
        return _read(FILES[spec.n])
    return b""


@cache
def _read(name: str) -> bytes:
    return (Path(__file__).parent / name).read_bytes()
