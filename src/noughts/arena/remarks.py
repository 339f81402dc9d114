"""What is worth saying about a tournament besides its table."""

from __future__ import annotations

from noughts.arena.plan import Plan
from noughts.arena.schedule import Knockout, Match, Schedule, SprtSchedule
from noughts.arena.standings import Standing, Standings
from noughts.players import REASONS

__all__ = ["bracket_lines", "remarks", "sprt_line"]

STAGES = {1: "final", 2: "semi-final", 4: "quarter-final"}


def remarks(plan: Plan, standings: Standings, schedule: Schedule) -> list[str]:
    """Return sentences, without a full stop, on who won, first moves, ratings and failures."""
    lines = []
    if isinstance(schedule, Knockout):
        lines += bracket_lines(schedule)
    if isinstance(schedule, SprtSchedule):
        lines.append(sprt_line(schedule))
    first = standings.first_move
    if first.played:
        lines.append(f"who moves first scores {first.share:.1%} ({first}, won–drawn–lost)")
    if standings.ratings.has_prior:
        lines.append(
            "ratings: a bot won or lost every game, so no finite rating fits; one draw was added to each pairing,"
            " and the extreme ratings are bounds"
        )
    return lines + [_failures(bot) for bot in standings.ranking if bot.failures]


def _failures(bot: Standing) -> str:
    kinds = ", ".join(f"{count} × {reason}" for reason, count in bot.failures.most_common())
    commonest = REASONS[bot.failures.most_common(1)[0][0]]
    return f"{bot.name} forfeited {sum(bot.failures.values())}: {kinds} ({commonest})"


def bracket_lines(schedule: Knockout) -> list[str]:
    """Return a line for each match whose two sides are known, and who has won it all."""
    lines = []
    for stage in schedule.stages:
        name = STAGES.get(len(stage), f"round of {2 * len(stage)}")
        lines += [f"{name}: {_match(schedule, match)}" for match in stage if None not in match.sides]
    if schedule.champion is not None:
        lines.append(f"{schedule.plan.names[schedule.champion]} wins the knock-out")
    return lines


def _match(schedule: Knockout, match: Match) -> str:
    names = schedule.plan.names
    first, second = (names[side] for side in match.sides if side is not None)
    if match.winner is None:
        return f"{first} against {second}"
    winner, loser = (first, second) if names[match.winner] == first else (second, first)
    if match.is_drawn:
        return f"{winner} drew with {loser} and goes on, being listed first"
    return f"{winner} beat {loser}"


def sprt_line(schedule: SprtSchedule) -> str:
    """Return where a sequential test stands."""
    test, sprt = schedule.test, schedule.sprt
    ratio = f"log-likelihood ratio {test.ratio:.2f} in [{test.lower:.2f}, {test.upper:.2f}]"
    pairs = f"{test.pairs} pairs {tuple(test.counts)}"
    if test.accepted is None:
        return f"undecided: {ratio} after {pairs}"
    accepted, rejected = (sprt.elo1, sprt.elo0) if test.accepted == "H1" else (sprt.elo0, sprt.elo1)
    bound = "at least" if accepted > rejected else "at most"
    first, second = schedule.plan.names
    claim = f"{first} looks {bound} {accepted:g} Elo stronger than {second} (rather than {rejected:g})"
    return f"{test.accepted} accepted: {claim}; {ratio} after {pairs}"
