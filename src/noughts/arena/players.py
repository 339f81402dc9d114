"""The bots of a tournament, as the arena drives them: noughts' own, Python files and commands have one face."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from math import inf
from pathlib import Path

from noughts.arena.plan import Entrant, Pace, Plan
from noughts.arena.reading import BadPlan
from noughts.engine import LEVELS, level
from noughts.games import Game, Side
from noughts.players import BotFailed, Limits, RandomBot
from noughts.players.loading import is_python_spec
from noughts.players.protocols import Clock, HostedBot, LocalBot, detect_protocol, open_bot

__all__ = ["clock_of", "open_entrant", "seeded", "try_bots"]

SEED_VARIABLE = "NOUGHTS_SEED"
"""Tells a program the seed of its playthrough, for those who want to be repeatable."""


def open_entrant(entrant: Entrant, pace: Pace, folder: Path, seed: int) -> HostedBot:
    """Return the bot of an entrant, not yet started; raises ValueError when it cannot be run here at all."""
    if entrant.is_ours:
        bot = level(entrant.run, seed) if entrant.run in LEVELS else RandomBot(seed)
        # Never late: a level takes what its depth takes, and master keeps to its time as far as a busy machine lets it.
        return LocalBot(bot, entrant.run, grace=inf)
    return open_bot(entrant.run, entrant.protocol, _limits(entrant, pace), entrant.sandbox, folder)


def _limits(entrant: Entrant, pace: Pace) -> Limits:
    limits = Limits(grace=pace.margin, hang_seconds=pace.patience, first_seconds=pace.startup)
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


def try_bots(plan: Plan, say: Callable[[str], object]) -> Plan:
    """Start every bot once and return the plan with their protocols found out; ``say`` hears of those that fail.

    Raises BadPlan for what no second try could mend: there is no sandbox, or a protocol cannot tell of the game.
    """
    mistakes, entrants, needs_empty_board = [], [], []
    for number, entrant in enumerate(plan.entrants):
        try:
            found, takes_openings, why = _tried(entrant, plan.pace_of(number), Path(plan.folder), plan.game)
        except (ValueError, OSError) as error:
            mistakes.append(f"bots[{number + 1}] ({entrant.name}): {error}")
            continue
        entrants.append(found)
        if not takes_openings:
            needs_empty_board.append(entrant.name)
        if why is not None:
            say(f"{entrant.name} does not start and will forfeit: {why}")
    if needs_empty_board and (plan.openings or plan.plies):
        given = "a file" if plan.openings else f"plies = {plan.plies}"
        who = needs_empty_board[0]
        mistakes.append(f"openings: expected plies = 0, for {who} cannot be told of moves, got {given}")
    if mistakes:
        raise BadPlan(mistakes)
    return replace(plan, entrants=tuple(entrants), plies=0 if needs_empty_board else plan.plies)


def _tried(entrant: Entrant, pace: Pace, folder: Path, game: Game) -> tuple[Entrant, bool, str | None]:
    """The bot with its protocol, whether it can be told of an opening, and why it does not start, or None."""
    if entrant.is_ours:
        return entrant, True, None
    try:
        if entrant.protocol == "auto":
            entrant = replace(entrant, protocol=_protocol_of(entrant, pace, folder))
        with open_entrant(entrant, pace, folder, 0) as bot:
            bot.start(game)
            return entrant, bot.takes_openings, None
    except BotFailed as failed:
        # Beginners' bots fail in so many ways that JSON, which greets nobody, is the best guess.
        protocol = "json" if entrant.protocol == "auto" else entrant.protocol
        return replace(entrant, protocol=protocol), protocol != "codingame", str(failed)


def _protocol_of(entrant: Entrant, pace: Pace, folder: Path) -> str:
    if is_python_spec(entrant.run):
        return "python"
    return detect_protocol(entrant.run, _limits(entrant, pace), entrant.sandbox, folder)
