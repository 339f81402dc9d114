"""Tournaments between bots of any kind: played, stored, rated and reported.

>>> from pathlib import Path
>>> from noughts.arena import read_plan
>>> plan = read_plan({"game": "3x3", "rounds": 2, "bots": [{"run": "random"}, {"run": "insane"}]}, Path("."))
>>> plan.names, plan.limits.text
(['random', 'insane'], '1 s a move')

``Tournaments(store).add(plan)`` stores a tournament and returns its number. ``Run(tournaments, number, plan)`` is its
run: ``run.play(LocalWorkers(plan, 2))`` plays it, and ``Standings(plan, run.counted)`` has the scores and ratings.
"""

from typing import TYPE_CHECKING

from noughts.lazy import lazy_names

if TYPE_CHECKING:
    from noughts.arena.check import check_bot
    from noughts.arena.plan import InvalidPlan, Plan, load_plan, read_plan
    from noughts.arena.ratings import SequentialTest, likelihood_ratio, rate
    from noughts.arena.report import report_html
    from noughts.arena.runner import Run
    from noughts.arena.standings import Standings
    from noughts.arena.tournaments import Result, Tournaments
    from noughts.arena.worker import ArenaError, LocalWorkers, probe_entrants

__all__ = [
    "ArenaError",
    "InvalidPlan",
    "LocalWorkers",
    "Plan",
    "Result",
    "Run",
    "SequentialTest",
    "Standings",
    "Tournaments",
    "check_bot",
    "likelihood_ratio",
    "load_plan",
    "probe_entrants",
    "rate",
    "read_plan",
    "report_html",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        ".check": ["check_bot"],
        ".plan": ["InvalidPlan", "Plan", "load_plan", "read_plan"],
        ".ratings": ["SequentialTest", "likelihood_ratio", "rate"],
        ".report": ["report_html"],
        ".runner": ["Run"],
        ".standings": ["Standings"],
        ".tournaments": ["Result", "Tournaments"],
        ".worker": ["ArenaError", "LocalWorkers", "probe_entrants"],
    },
)
