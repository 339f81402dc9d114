"""Opens the bots of a tournament, and probes them before it begins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from noughts.arena.plan import BotLimits, Entrant, InvalidPlan, Plan
from noughts.games import Game
from noughts.players import HostedPlayer, Limits, PlayerFailed, detect_protocol, open_player

__all__ = ["open_entrant", "probe_entrants"]


def open_entrant(entrant: Entrant, limits: BotLimits, folder: Path, seed: int) -> HostedPlayer:
    """Return the bot of an entrant, not yet started; raises ValueError if it cannot be run here at all."""
    return open_player(
        entrant.run,
        protocol="auto" if entrant.is_built_in else entrant.protocol,
        limits=_program_limits(entrant, limits),
        sandbox=entrant.sandbox,
        folder=folder,
        seed=seed,
    )


def _program_limits(entrant: Entrant, limits: BotLimits) -> Limits:
    found = Limits(grace_seconds=limits.margin, hang_seconds=limits.patience, first_seconds=limits.startup)
    return found if entrant.memory_mb is None else found._replace(memory_mb=entrant.memory_mb)


def probe_entrants(plan: Plan, warn: Callable[[str], object]) -> Plan:
    """Start every bot once and return the plan with the protocols filled in.

    ``warn`` gets a line about each bot that fails to start and will forfeit. Raises InvalidPlan for a bot that
    could never play: the sandbox is not available, or its protocol cannot describe the game.
    """
    mistakes, entrants, without_openings = [], [], []
    for number, entrant in enumerate(plan.entrants):
        try:
            probed, takes_openings, problem = _probe(entrant, plan.limits_of(number), Path(plan.folder), plan.game)
        except (ValueError, OSError) as error:
            mistakes.append(f"bots[{number + 1}] ({entrant.name}): {error}")
            continue
        entrants.append(probed)
        if not takes_openings:
            without_openings.append(entrant.name)
        if problem is not None:
            warn(f"{entrant.name} will forfeit: {problem}")
    if without_openings and (plan.openings or plan.plies):
        given = "a file" if plan.openings else f"plies = {plan.plies}"
        mistakes.append(
            f"openings: expected plies = 0, because the protocol of {without_openings[0]} has no openings, got {given}"
        )
    if mistakes:
        raise InvalidPlan(mistakes)
    return replace(plan, entrants=tuple(entrants), plies=0 if without_openings else plan.plies)


def _probe(entrant: Entrant, limits: BotLimits, folder: Path, game: Game) -> tuple[Entrant, bool, str | None]:
    """The entrant with its protocol, whether it takes openings, and why it cannot start, or None."""
    if entrant.is_built_in:
        return entrant, True, None
    try:
        if entrant.protocol == "auto":
            program_limits = _program_limits(entrant, limits)
            protocol = detect_protocol(entrant.run, program_limits, entrant.sandbox, folder)
            entrant = replace(entrant, protocol=protocol)
        with open_entrant(entrant, limits, folder, 0) as bot:
            bot.start(game)
            return entrant, bot.takes_openings, None
    except PlayerFailed as failed:
        # JSON has no greeting and is what most beginners mean, so it is the best guess for a bot that fails.
        protocol = "json" if entrant.protocol == "auto" else entrant.protocol
        return replace(entrant, protocol=protocol), protocol != "codingame", str(failed)
