"""The bots of a tournament, as the arena drives them: noughts' own, Python files and commands have one face."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from noughts.arena.plan import Entrant, Pace
from noughts.bots import BotFailed, Limits, RandomBot
from noughts.bots.loading import is_python_spec
from noughts.engine import level
from noughts.games import Game, Side
from noughts.protocol import Clock, HostedBot, LocalBot, detect_protocol, open_bot

__all__ = ["clock_of", "open_entrant", "seeded", "tried"]

SEED_VARIABLE = "NOUGHTS_SEED"
"""Tells a program the seed of its playthrough, for those who want to be repeatable."""


def open_entrant(entrant: Entrant, pace: Pace, folder: Path, seed: int) -> HostedBot:
    """Return the bot of an entrant, not yet started; raises ValueError when it cannot be run here at all."""
    if entrant.is_ours:
        bot = RandomBot(seed) if entrant.run == "random" else level(entrant.run, seed)
        return LocalBot(bot, entrant.run, pace.margin)
    return open_bot(entrant.run, entrant.protocol, _limits(entrant, pace), entrant.sandbox, folder)


def _limits(entrant: Entrant, pace: Pace) -> Limits:
    limits = Limits(grace=pace.margin, hang_seconds=pace.patience)
    return limits if entrant.memory_mb is None else limits._replace(memory_mb=entrant.memory_mb)


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Tell programs that start within this block their seed."""
    before = os.environ.get(SEED_VARIABLE)
    os.environ[SEED_VARIABLE] = str(seed)
    try:
        yield
    finally:
        if before is None:
            del os.environ[SEED_VARIABLE]
        else:
            os.environ[SEED_VARIABLE] = before


def clock_of(pace: Pace, left: dict[Side, float]) -> Clock:
    """Return what a bot is told about its time."""
    if pace.clock is None:
        return Clock(seconds=pace.seconds, nodes=pace.nodes, depth=pace.depth)
    increment = pace.clock[1]
    return Clock(
        seconds=pace.seconds,
        remaining=(left[Side.X], left[Side.O]),
        increment=(increment, increment),
        nodes=pace.nodes,
        depth=pace.depth,
    )


def tried(entrant: Entrant, pace: Pace, folder: Path, game: Game) -> tuple[Entrant, str | None]:
    """Start a bot once; return it with its protocol found out, and why it does not start, or None.

    Raises ValueError when no second try could mend it: there is no sandbox, or its protocol cannot tell of the game.
    """
    if entrant.is_ours:
        return entrant, None
    try:
        if entrant.protocol == "auto":
            entrant = replace(entrant, protocol=_protocol_of(entrant, pace, folder))
        with open_entrant(entrant, pace, folder, 0) as bot:
            bot.start(game)
    except BotFailed as failed:
        # Beginners' bots fail in so many ways that JSON, which greets nobody, is the best guess.
        return replace(entrant, protocol="json") if entrant.protocol == "auto" else entrant, str(failed)
    return entrant, None


def _protocol_of(entrant: Entrant, pace: Pace, folder: Path) -> str:
    if is_python_spec(entrant.run):
        return "python"
    return detect_protocol(entrant.run, _limits(entrant, pace), entrant.sandbox, folder)
