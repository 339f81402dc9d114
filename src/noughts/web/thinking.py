"""What the workers do: moves, hints, analyses, reviews, proofs, traces and comparisons, as plain data.

Each function takes the task it belongs to, uses its engine, and ends early when the task says so.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from noughts.engine import Limit, SearchResult, level
from noughts.engine.solving import SolveProgress, Solver
from noughts.games import Playthrough, Position
from noughts.store import Solved
from noughts.study import hints
from noughts.study.comparison import (
    ALGORITHMS,
    CONTESTANTS,
    EVALUATIONS,
    Comparison,
    compare,
    label,
    search_options,
)
from noughts.study.known import KnowingEngine, improved
from noughts.study.review import Review, review
from noughts.study.trace import Trace, TraceTooLarge
from noughts.study.trace_json import trace_to_json
from noughts.study.worth import Worth
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
    found = task.engine.analyse(position, Limit(seconds=seconds), lines, watch=lambda _: task.goes_on)
    found = _with_what_is_known(task, position, found)
    best = hints.hint(position, found[0])
    area, area_name = _area(position, best.move)
    return {
        "idea": best.idea,
        "area": area,
        "area_name": area_name,
        "candidates": sorted((_candidate(position, each) for each in found), key=lambda each: int(each["move"])),
        "move": best.move,
        "name": position.format_move(best.move),
        "why": list(best.why),
        "worth": worth_data(Worth.found(position.game, found[0])),
    }


def _with_what_is_known(task: Task, position: Position, found: list[SearchResult]) -> list[SearchResult]:
    """Return what was found with the values kept in the store, of the position and of where its moves lead."""
    store = task.store
    if not store.has_values(position.game):
        return found
    return improved(position, found, store.value_of(position), store.value_of)


def _candidate(position: Position, found: SearchResult) -> dict[str, Any]:
    worth = worth_data(Worth.found(position.game, found))
    return {"move": found.move, "name": position.format_move(found.move), "worth": worth}


def _area(position: Position, move: int) -> tuple[list[int], str]:
    """Cells that do not give a move away: its block, or the fullest line through it that has more free cells."""
    game, cells = position.game, position.cells
    if game.is_ultimate:
        block = game.block_of(move)
        return [cell for cell in range(game.cells) if game.block_of(cell) == block], f"block {block + 1}"
    legal = set(position.legal_moves)
    lines = [line for line in game.lines_through(move) if len(legal & set(line)) > 1]
    if not lines:
        return sorted(legal), "the whole board"
    fullest = max(lines, key=lambda line: sum(cells[cell] is not None for cell in line))
    return list(fullest), hints.line_name(game, fullest)


def how_many(position: Position, ask: ThinkAsk) -> int:
    """Return how many lines an analysis shows: those asked for, or one for every legal move."""
    return min(MOST_LINES if ask.every else ask.lines, len(position.legal_moves))


def analyse(task: Task, position: Position, lines: int, seconds: float, report: Report = nothing) -> dict[str, Any]:
    """Return the best lines; news of each depth on the way."""

    def watch(found: list[SearchResult]) -> bool:
        report(_analysis(position, _with_what_is_known(task, position, found), done=False))
        return task.goes_on

    found = task.engine.analyse(position, Limit(seconds=seconds), lines, watch=watch)
    found = _with_what_is_known(task, position, found)
    is_proven = all(each.value is not None for each in found)
    reason = "proven" if is_proven else "time" if task.goes_on else "divided" if task.was_divided else "stopped"
    return _analysis(position, found, done=True) | {"reason": reason}


def _analysis(position: Position, found: list[SearchResult], done: bool) -> dict[str, Any]:
    best = found[0]
    effort = {"depth": best.depth, "nodes": best.nodes, "seconds": round(best.seconds, 3), "nps": best.nps}
    lines = [line_data(position, each) for each in found]
    return {"type": "analysis", "done": done, **effort, "turn": position.turn, "lines": lines}


def make_review(task: Task, play: Playthrough, seconds: float, report: Report = nothing) -> dict[str, Any]:
    """Return the review of a playthrough: each position gets an equal share of the time that is left."""

    def progress(done: int, total: int) -> None:
        task.check()
        report({"type": "progress", "done": done, "of": total})

    engine = KnowingEngine(hash_mb=REVIEW_MB, store=task.store)
    share = Limit(seconds=seconds / (len(play.moves) + 1))
    return {"type": "review"} | _review_data(review(play, share, engine, progress, seconds))


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
        return _solution(position, known.value, known.value, known.value, known.move, known.nodes, known.seconds)

    def progress(found: SolveProgress) -> bool:
        numbers = {"proof": found.proof, "disproof": found.disproof, "attacker": found.attacker}
        report(
            {"type": "progress", "nodes": found.nodes, "seconds": round(found.seconds, 1), "text": str(found)} | numbers
        )
        return task.goes_on

    found = Solver(position, SOLVER_MB).solve(Limit(seconds=seconds), progress)
    if found.value is not None:
        task.store.keep_value(position, Solved(found.value, found.move, None, found.nodes, found.seconds))
    return _solution(position, found.value, found.lower, found.upper, found.move, found.nodes, found.seconds)


def _solution(
    position: Position, value: str | None, lower: str, upper: str, move: int | None, nodes: int, seconds: float
) -> dict[str, Any]:
    name = None if move is None else position.format_move(move)
    bounds = {"type": "solution", "value": value, "lower": lower, "upper": upper}
    return bounds | {"move": move, "name": name, "nodes": nodes, "seconds": round(seconds, 3)}


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
