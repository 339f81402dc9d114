"""What the workers do: moves, hints, analyses, reviews, proofs, traces and comparisons, as plain data.

Each function takes the task it belongs to, uses its engine, and ends early when the task says so.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from noughts.engine import Engine, Limit, level
from noughts.engine.solver import Solution, SolveProgress, Solver
from noughts.games import Playthrough, Position
from noughts.study import hints
from noughts.study.advice import Advice, Advisor
from noughts.study.comparison import (
    ALGORITHMS,
    CONTESTANTS,
    EVALUATIONS,
    Comparison,
    compare,
    label,
    search_options,
)
from noughts.study.reviews import Review, review
from noughts.study.trace import Trace, TraceTooLarge, trace_to_json
from noughts.web.errors import Refused
from noughts.web.scheduler import Task
from noughts.web.schemas import CompareAsk, EngineAsk, ThinkAsk, TraceAsk
from noughts.web.views import line_data, position_data, worth_data

Report = Callable[[dict[str, Any]], object]
"""Takes news of how far the work is; called from the worker's thread."""

MOST_LINES = 400
"""What a line for every move stops at: more would be the whole time spent on the first depth."""
CANDIDATES = 3
"""How many moves a hint offers before it says which."""
REVIEW_CELLS = 1024
"""The largest board for a review: beyond it even a glance at each position takes too long."""
GLANCE_SECONDS = 0.03
"""The shortest look at a position on the largest board, on a busy machine."""
SOLVE_CELLS = 400
"""The largest board to solve: beyond it nothing is proven in a minute but a win in a few moves, which analyses see."""
REVIEW_MB = 16
"""Memory for the engine of each review under way."""
TRACE_SECONDS = 5.0
SOLVER_MB = 128
"""Memory for each proof under way; there are at most as many as workers, less one."""


TEXTBOOK_CELLS = 100
"""The largest board for searches in plain Python: beyond it they neither end nor teach anything."""
SLOW, TOO_SLOW = 225, 1024
"""Cells above which a search to a fixed depth, which cannot be stopped, takes seconds, and minutes."""


def is_slow(position: Position, ask: EngineAsk) -> bool:
    """Return whether a move takes seconds that nobody can cut short; raises Refused where it would take minutes."""
    if ask.level in ("difficult", "insane") and position.game.cells > TOO_SLOW:
        raise Refused(422, f"expected at most {TOO_SLOW} cells for the level {ask.level}; master plays on any board")
    return ask.level in ("difficult", "insane") and position.game.cells > SLOW


def check_textbook(position: Position) -> Position:
    """Return a position on a board small enough for the textbook; raises Refused for another."""
    if position.game.cells > TEXTBOOK_CELLS:
        raise Refused(422, f"expected a board of at most {TEXTBOOK_CELLS} cells for a textbook search")
    return position


def check_review(play: Playthrough) -> Playthrough:
    """Return a playthrough on a board small enough for a review; raises Refused for another."""
    if play.game.cells > REVIEW_CELLS:
        raise Refused(422, f"expected a board of at most {REVIEW_CELLS} cells for a review; analyse takes any")
    return play


def check_solve(position: Position) -> Position:
    """Return a position on a board small enough to be solved here; raises Refused for another."""
    if position.game.cells > SOLVE_CELLS:
        raise Refused(422, f"expected a board of at most {SOLVE_CELLS} cells to solve; noughts solve takes any")
    return position


def review_seconds(play: Playthrough, seconds: float) -> float:
    """Return how long a review takes at most: the time asked for, and a glance at each position after it."""
    return seconds + GLANCE_SECONDS * len(play.moves)


def compare_seconds(ask: CompareAsk) -> float:
    """Return how long a comparison takes at most: each search gets the time asked for."""
    return ask.seconds * len(CONTESTANTS)


def nothing(_: dict[str, Any]) -> None:
    """Take news that nobody asked for."""


def engine_move(task: Task, position: Position, ask: EngineAsk) -> dict[str, Any]:
    """Return a move at a level and the position after it."""
    if ask.level == "master":
        move = task.engine.search(position, Limit(seconds=ask.seconds), lambda _: task.goes_on).move
    else:
        move = level(ask.level).choose(position, watch=task.check)
    name = position.format_move(move)
    return {"move": move, "name": name, "position": position_data(position.after(move))}


def hint(task: Task, position: Position, seconds: float) -> dict[str, Any]:
    """Return a hint in all its steps: the idea, the area, candidates, the move and why."""
    lines = min(CANDIDATES, len(position.legal_moves))
    advisor = Advisor(task.engine, task.store)
    found = advisor.advise(position, Limit(seconds=seconds), lines=lines, progress=lambda _: task.goes_on)
    best = hints.explain(position, found)
    return {
        "idea": best.idea,
        "area": list(best.area),
        "area_name": best.area_name,
        "candidates": [_candidate(position, each) for each in best.candidates],
        "move": best.move,
        "name": position.format_move(best.move),
        "why": list(best.why),
        "worth": worth_data(found[0].worth),
    }


def _candidate(position: Position, found: Advice) -> dict[str, Any]:
    worth = worth_data(found.worth)
    return {"move": found.move, "name": position.format_move(found.move), "worth": worth}


def how_many(position: Position, ask: ThinkAsk) -> int:
    """Return how many lines an analysis shows: those asked for, or one for every legal move."""
    return min(MOST_LINES if ask.every else ask.lines, len(position.legal_moves))


def analyse(task: Task, position: Position, lines: int, seconds: float, report: Report = nothing) -> dict[str, Any]:
    """Return the best lines; news of each depth on the way."""

    def progress(found: list[Advice]) -> bool:
        report(_analysis(position, found, done=False))
        return task.goes_on

    advisor = Advisor(task.engine, task.store)
    found = advisor.advise(position, Limit(seconds=seconds), lines=lines, progress=progress)
    is_proven = all(each.value is not None for each in found)
    reason = "proven" if is_proven else "time" if task.goes_on else "divided" if task.was_divided else "stopped"
    return _analysis(position, found, done=True) | {"reason": reason}


def _analysis(position: Position, found: list[Advice], done: bool) -> dict[str, Any]:
    best = found[0].result
    effort = {"depth": best.depth, "nodes": best.nodes, "seconds": round(best.seconds, 3), "nps": best.nps}
    lines = [line_data(position, each) for each in found]
    return {"type": "analysis", "done": done, **effort, "turn": position.turn, "lines": lines}


def make_review(task: Task, play: Playthrough, seconds: float, report: Report = nothing) -> dict[str, Any]:
    """Return the review of a playthrough: each position gets an equal share of the time that is left."""

    def progress(done: int, total: int) -> None:
        task.check()
        report({"type": "progress", "done": done, "of": total})

    advisor = Advisor(Engine(hash_mb=REVIEW_MB), task.store)
    share = Limit(seconds=seconds / (len(play.moves) + 1))
    return {"type": "review"} | _review_data(review(play, share, advisor=advisor, progress=progress, seconds=seconds))


def _review_data(found: Review) -> dict[str, Any]:
    data = found.to_data()
    for entry, move in zip(data["moves"], found.moves, strict=True):
        entry |= {"cell": move.move, "best_cell": move.best, "line_cells": list(move.line)}
        for name in ("before", "after", "before_for_x", "after_for_x"):
            entry[name] = worth_data(getattr(move, name))
    data["graph"] = [{"ply": point.ply} | worth_data(point.worth) for point in found.graph]
    return data


def solve(task: Task, position: Position, seconds: float, report: Report = nothing) -> dict[str, Any]:
    """Return the proven value of a position, or the bounds found in the time. What is proven is kept for next time."""
    known = task.store.value_of(position)
    if known is not None:
        return _solution(Solution.from_proven(position, known))

    def progress(found: SolveProgress) -> bool:
        numbers = {"proof": found.proof, "disproof": found.disproof, "attacker": found.attacker}
        report(
            {"type": "progress", "nodes": found.nodes, "seconds": round(found.seconds, 1), "text": str(found)} | numbers
        )
        return task.goes_on

    found = Solver(position, SOLVER_MB).solve(Limit(seconds=seconds), progress)
    if found.proven is not None:
        task.store.keep_value(position, found.proven)
    return _solution(found)


def _solution(found: Solution) -> dict[str, Any]:
    name = None if found.move is None else found.position.format_move(found.move)
    bounds = {"type": "solution", "value": found.value, "lower": found.lower, "upper": found.upper}
    return bounds | {"move": found.move, "name": name, "nodes": found.nodes, "seconds": round(found.seconds, 3)}


def make_trace(task: Task, position: Position, ask: TraceAsk) -> dict[str, Any]:
    """Return the search tree of a textbook algorithm: all of it, or its first nodes."""
    options = search_options(ask.algorithm, ask.order, ask.evaluate)
    if ask.depth is not None:
        options["depth"] = ask.depth
    shown = {name: getattr(option, "__name__", option) for name, option in options.items()}
    shown.pop("seconds", None)
    trace = _BoundedTrace(task, ask.algorithm, shown | {"evaluate": ask.evaluate}, ask.nodes)
    is_whole = True
    try:
        ALGORITHMS[ask.algorithm](position, trace=trace, evaluate=EVALUATIONS[ask.evaluate], **options)
    except TraceTooLarge:
        is_whole = False
    return trace_to_json(trace) | {"is_whole": is_whole}


class _BoundedTrace(Trace):
    """A trace that ends the search after so many nodes or seconds, or when nobody waits for it."""

    def __init__(self, task: Task, algorithm: str, options: dict[str, Any], most: int) -> None:
        super().__init__(algorithm, options)
        self._task, self._most, self._deadline = task, most, time.monotonic() + TRACE_SECONDS

    def enter(self, position: Position, alpha: int | None = None, beta: int | None = None) -> None:
        """Record a node, unless there are enough."""
        self._task.check()
        if self.visited >= self._most or time.monotonic() > self._deadline:
            raise TraceTooLarge(f"more than {self._most} nodes")
        super().enter(position, alpha, beta)


def make_comparison(task: Task, position: Position, ask: CompareAsk, report: Report = nothing) -> dict[str, Any]:
    """Return how many nodes each textbook search needs; none gets more than the seconds asked for."""

    def progress(name: str, count: int) -> None:
        task.check()
        report({"type": "progress", "text": name, "nodes": count})

    found = compare(position, ask.depth, ask.evaluate, ask.seconds, progress=progress)
    return {"type": "comparison"} | _comparison_data(found)


def _comparison_data(found: Comparison) -> dict[str, Any]:
    data = found.to_json()
    for row in data["rows"]:
        row["label"] = label(row["algorithm"], row["order"])
    return data
