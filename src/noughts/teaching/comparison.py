"""Compares the textbook searches on one position: nodes, time, and the reduction compared with plain minimax.

Also the one place that knows which searches, orders and evaluations there are, and which options a search takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from inspect import signature
from random import Random
from time import perf_counter

from noughts.games import Game, Position, Side
from noughts.games.quoting import quote
from noughts.teaching.tree.search_tree import TreeSize, tree_size
from noughts.textbook import (
    Evaluate,
    Order,
    Phase,
    Result,
    alphabeta,
    alphabeta_with_history,
    alphabeta_with_killers,
    alphabeta_with_quiescence,
    alphabeta_with_symmetry,
    alphabeta_with_table,
    aspiration_windows,
    best_lines_first,
    center_first,
    corners_before_edges,
    evaluate_lines,
    evaluate_lines_sooner,
    evaluate_nothing,
    evaluate_outcome,
    evaluate_sooner,
    expectimax,
    iterative_deepening,
    mcts,
    minimax,
    negamax,
    negascout,
    proof_number_search,
    row_by_row,
)

ALGORITHMS: dict[str, Callable[..., Result]] = {
    "minimax": minimax,
    "alphabeta": alphabeta,
    "negamax": negamax,
    "alphabeta_with_table": alphabeta_with_table,
    "alphabeta_with_symmetry": alphabeta_with_symmetry,
    "alphabeta_with_history": alphabeta_with_history,
    "alphabeta_with_killers": alphabeta_with_killers,
    "alphabeta_with_quiescence": alphabeta_with_quiescence,
    "negascout": negascout,
    "iterative_deepening": iterative_deepening,
    "aspiration_windows": aspiration_windows,
    "expectimax": expectimax,
    "proof_number_search": proof_number_search,
    "mcts": mcts,
}
ORDERS: dict[str, Order] = {
    order.__name__: order for order in (row_by_row, center_first, corners_before_edges, best_lines_first)
}
EVALUATIONS: dict[str, Evaluate] = {
    "outcome": evaluate_outcome,
    "sooner": evaluate_sooner,
    "nothing": evaluate_nothing,
    "lines": evaluate_lines,
    "lines_sooner": evaluate_lines_sooner,
}
INCOMPARABLE = ("negamax", "alphabeta_with_quiescence", "expectimax")
"""Searches that are not compared: one that visits the nodes of alphabeta, and two that ask for another value."""
CONTESTANTS: list[tuple[str, str]] = [
    ("minimax", "row_by_row"),
    *(("alphabeta", order) for order in ORDERS),
    *((name, "corners_before_edges") for name in list(ALGORITHMS)[2:] if name not in INCOMPARABLE),
]
"""The searches that are compared: algorithm and order."""

SIMULATIONS = 1_000
SEED = 1
"""Simulations of ``mcts`` and the seed of its rollouts, so that a comparison can be repeated."""

TOO_MANY = 3_000_000
"""Largest tree that plain minimax searches, in nodes: a few seconds at a million nodes per second."""

COMFORTABLE = 300_000
"""If the whole tree is too large, a depth is proposed: the largest whose tree has at most this many nodes."""


class Precision(StrEnum):
    """How the value of a row compares with that of minimax: equal, an estimate, or of the same sign."""

    EXACT = "exact"
    ESTIMATE = "estimate"
    SIGN = "sign"


@dataclass(frozen=True, slots=True)
class Row:
    """The result of one algorithm. If the value is None, it was stopped or not run; ``note`` says why.

    An estimate has no reduction: the number of simulations alone sets the size of its search.
    """

    algorithm: str
    order: str
    nodes: int | None
    seconds: float | None
    reduction: float | None
    move: str | None
    cell: int | None
    value: float | None
    note: str = ""
    precision: Precision = Precision.EXACT

    @property
    def nodes_per_second(self) -> int | None:
        """Nodes per second, or None if the search was too fast to measure."""
        return round(self.nodes / self.seconds) if self.nodes and self.seconds else None


@dataclass(frozen=True, slots=True)
class Comparison:
    """All rows for one position, with the size of its whole tree and of its tree down to the depth compared."""

    name: str
    game: str
    position: str
    depth: int | None
    evaluate: str
    tree: TreeSize
    whole_tree: TreeSize
    rows: list[Row]


class _Stop(Exception):
    pass


Progress = Callable[[str, int], None]
"""Called regularly with the name of the running search and the number of positions it has evaluated so far."""


def compare(
    position: Position,
    depth: int | None = None,
    evaluate: str = "outcome",
    seconds: float = 10.0,
    name: str = "",
    progress: Progress | None = None,
) -> Comparison:
    """Run every algorithm on a position, each for at most ``seconds``, and return the comparison.

    Raises ValueError when play is over, the depth is below 0 or the evaluation is unknown.
    """
    position.require_unfinished()
    if evaluate not in EVALUATIONS:
        raise ValueError(f"expected an evaluation out of {', '.join(EVALUATIONS)}, got {quote(evaluate)}")
    tree = tree_size(position, depth)
    rows = [
        run(position, algorithm, order, depth, evaluate, seconds, tree, progress) for algorithm, order in CONTESTANTS
    ]
    whole = tree if depth is None else tree_size(position)
    return Comparison(name, position.game.id, position.text, depth, evaluate, tree, whole, rows)


def run(
    position: Position,
    algorithm: str,
    order: str,
    depth: int | None,
    evaluate: str,
    seconds: float,
    tree: TreeSize,
    progress: Progress | None = None,
) -> Row:
    """Return the row of one algorithm, which works on a copy of the position."""
    if algorithm == "minimax" and tree.nodes > TOO_MANY:
        return _not_run(algorithm, order, f"too long: its tree has {tree} nodes")
    if algorithm == "proof_number_search" and depth is not None:
        return _not_run(algorithm, order, "not run: it searches to the end")
    if algorithm == "mcts":
        depth, evaluate = None, "outcome"
    watch = _Watch(EVALUATIONS[evaluate], seconds, algorithm, progress)
    options = search_options(algorithm, order, evaluate, depth)
    options |= {"trace": watch} if algorithm == "proof_number_search" else {"evaluate": watch}
    if "order" in options:
        options["order"] = watch.ordering(ORDERS[order])
    started = perf_counter()
    try:
        result = ALGORITHMS[algorithm](position.copy(), **options)
    except _Stop:
        return _not_run(algorithm, order, f"stopped after {seconds:g} s and {watch.count:,} evaluations")
    elapsed = perf_counter() - started
    move = None if result.move is None else position.format_move(result.move)
    precision = _precision(algorithm, evaluate)
    reduction = None if precision is Precision.ESTIMATE else 1 - result.nodes / tree.nodes
    note = f"{SIMULATIONS:,} simulations" if algorithm == "mcts" else ""
    return Row(algorithm, order, result.nodes, elapsed, reduction, move, result.move, result.value, note, precision)


def _not_run(algorithm: str, order: str, note: str) -> Row:
    return Row(algorithm, order, None, None, None, None, None, None, note)


def _precision(algorithm: str, evaluate: str) -> Precision:
    if algorithm == "mcts":
        return Precision.ESTIMATE
    is_sign = algorithm == "proof_number_search" and evaluate != "outcome"
    return Precision.SIGN if is_sign else Precision.EXACT


def search_options(
    algorithm: str, order: str, evaluate: str, depth: int | None = None, simulations: int = SIMULATIONS
) -> dict[str, object]:
    """Return the arguments of an algorithm for an order, an evaluation and a depth, as far as it takes them.

    For ``mcts`` the depth is that of the rollouts, at whose end the evaluation judges; ``proof_number_search`` takes
    neither.
    """
    if algorithm == "mcts":
        return _mcts_options(order, evaluate, depth, simulations)
    options: dict[str, object] = {} if algorithm == "minimax" else {"order": ORDERS[order]}
    if algorithm == "proof_number_search":
        return options
    if depth is not None:
        options["depth"] = depth
    if algorithm == "iterative_deepening":
        options["seconds"] = float("inf")
    if algorithm == "aspiration_windows" and evaluate.startswith("lines"):
        options["width"] = 200
    return options | {"evaluate": EVALUATIONS[evaluate]}


def _mcts_options(order: str, evaluate: str, depth: int | None, simulations: int) -> dict[str, object]:
    options: dict[str, object] = {"simulations": simulations, "order": ORDERS[order], "seed": SEED}
    if depth is None:
        return options
    scale = 1_000 if evaluate.startswith("lines") else 1
    return options | {"rollout_plies": depth, "evaluate": EVALUATIONS[evaluate], "scale": scale}


def option_names(algorithm: str) -> frozenset[str]:
    """Return the names of the options that an algorithm takes, with ``depth`` for the plies of rollouts."""
    names = frozenset(signature(ALGORITHMS[algorithm]).parameters) - {"position", "trace"}
    return names | {"depth"} if "rollout_plies" in names else names


class _Watch:
    """An evaluation, an order of moves and a tracer that check the time, so that any search can be stopped."""

    def __init__(self, evaluate: Evaluate, seconds: float, name: str, progress: Progress | None) -> None:
        self.evaluate, self.deadline, self.name, self.progress = evaluate, perf_counter() + seconds, name, progress
        self.count = 0

    def __call__(self, position: Position) -> int:
        self._count()
        return self.evaluate(position)

    def ordering(self, order: Order) -> Order:
        """Return the order with a check of the time: on a large board it is called long before a first evaluation."""

        def ordered(position: Position) -> Sequence[int]:
            self._check()
            return order(position)

        return ordered

    def step(self, phase: Phase, position: Position, numbers: Mapping[str, int | float]) -> None:
        if phase is Phase.EXPAND:
            self._count()

    def _count(self) -> None:
        self.count += 1
        self._check()
        if not self.count & 255 and self.progress is not None:
            self.progress(self.name, self.count)

    def _check(self) -> None:
        if perf_counter() > self.deadline:
            raise _Stop


def comfortable_depth(position: Position) -> int | None:
    """Return None if plain minimax can search the whole tree in seconds, otherwise a depth to which it can."""
    if tree_size(position).nodes <= TOO_MANY:
        return None
    depth = 1
    while tree_size(position, depth + 1).nodes <= COMFORTABLE:
        depth += 1
    return depth


def series(game: Game) -> Iterator[tuple[str, Position]]:
    """Yield the positions of the series: empty, after one, two and three moves, a threat to block, a win to take.

    The moves are the first ones by ``corners_before_edges``. The last two positions come from random playthroughs with
    a fixed seed; they are left out if none are found, as in misère, where completing a line does not win.
    """
    position = game.start()
    for moves in range(4):
        if position.is_over:
            return
        yield ("empty board", "after 1 move", "after 2 moves", "after 3 moves")[moves], position.copy()
        position.play(corners_before_edges(position)[0])
    if not game.is_misere:
        wanted = {"a threat to block": (False, True), "a win to take": (True, False)}
        for name, (can_win, must_block) in wanted.items():
            found = _find(game, can_win, must_block)
            if found is not None:
                yield name, found


def _find(game: Game, can_win: bool, must_block: bool) -> Position | None:
    """Return the first position of random playthroughs that has exactly these properties, or None."""
    random = Random(1)
    for _ in range(200):
        position = game.start()
        while not position.is_over:
            own, other = (position.threats(side) for side in _sides(position))
            if (bool(own), bool(other)) == (can_win, must_block) and not _is_lost(position):
                return position
            position.play(random.choice(position.legal_moves))
    return None


def _is_lost(position: Position) -> bool:
    """Return whether a quick search finds that the side to move loses, so that no block would help."""
    found = alphabeta_with_table(position, corners_before_edges, comfortable_depth(position))
    return found.value == (-1 if position.turn == "X" else 1)


def _sides(position: Position) -> tuple[Side, Side]:
    assert position.turn is not None
    return position.turn, position.turn.opponent


def nodes_by_depth(
    position: Position, deepest: int, evaluate: str, seconds: float = 5.0, progress: Progress | None = None
) -> dict[str, list[int | None]]:
    """Return the nodes of each depth-first search at depth 1, 2 and so on; None once it takes too long.

    Plain minimax visits the whole tree, so its nodes are counted (or, for large trees, estimated), not searched.
    """
    trees = [tree_size(position, depth) for depth in range(1, deepest + 1)]
    nodes: dict[str, list[int | None]] = {"minimax": [tree.nodes for tree in trees]}
    for algorithm, order in CONTESTANTS[1:]:
        if algorithm in ("proof_number_search", "mcts"):
            continue
        counts: list[int | None] = []
        for depth, tree in enumerate(trees, 1):
            if counts and counts[-1] is None:
                counts.append(None)
            else:
                counts.append(run(position, algorithm, order, depth, evaluate, seconds, tree, progress).nodes)
        nodes[label(algorithm, order)] = counts
    return nodes


def label(algorithm: str, order: str) -> str:
    """Return the name of a contestant in tables: the algorithm, and for alphabeta its move order."""
    return f"alphabeta, {order}" if algorithm == "alphabeta" else algorithm
