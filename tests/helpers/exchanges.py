"""Conversations with the engine, in this process."""

from __future__ import annotations

import io

from noughts.players.protocols.background_search import SearchSettings
from noughts.players.protocols.serve import serve


def talk(
    *lines: str,
    protocol: str | None = None,
    seconds: float | None = None,
    seed: int | None = None,
    hash_mb: int = 1,
    book: bool = True,
    level: str = "master",
    complaints: list[str] | None = None,
    messages: bool = False,
) -> list[str]:
    """Return the engine's answers to lines, in this process; Gomocup's messages about the search only if asked for."""
    out = io.StringIO()
    complain = ([] if complaints is None else complaints).append
    chosen = SearchSettings(level=level, seed=seed, seconds=seconds, hash_mb=hash_mb, book=book)
    serve(io.StringIO("\n".join(lines) + "\n"), out, complain, chosen, protocol)
    return [line for line in out.getvalue().splitlines() if messages or not line.startswith("MESSAGE ")]
