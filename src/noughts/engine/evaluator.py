"""How a tree search evaluates positions, and functions in Python that do."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from typing import Any, NamedTuple, SupportsFloat, SupportsIndex

from noughts import _core
from noughts.engine.network import Network
from noughts.games import Position
from noughts.games.planes import require_numpy
from noughts.games.quoting import quote
from noughts.limit import as_float, as_int

__all__ = [
    "DEFAULT_SEARCH",
    "MAX_SEED",
    "SEARCHES",
    "EngineSearch",
    "Evaluate",
    "Evaluator",
    "Search",
    "TreeOptions",
    "batch_function",
    "parse_search",
    "tree_options",
]

DEFAULT_EXPLORATION = 2.0
FUNCTION_BATCH = 16
"""Positions that a function is asked about at once: a call of Python costs as much as some simulations."""
BATCH_PER_THREAD = 8
MAX_EXPLORATION = 1000
MAX_SEED = (1 << 64) - 1

Evaluate = Callable[[list[Position]], tuple[object, object]]
"""Takes positions with a side to move and returns their values and priors; see ``Engine``."""


class Search(StrEnum):
    """The searches of the engine. The members print as and equal their text."""

    ALPHABETA = "alphabeta"
    MCTS = "mcts"


class Evaluator(StrEnum):
    """The evaluators of the tree search that need no function. The members print as and equal their text."""

    ROLLOUTS = "rollouts"
    """Random play to the end of the game, in which a side completes its line if it can."""
    NETWORK = "network"
    WEIGHTS = "weights"
    """The hand-written evaluation, of which the engine's scores are made in games without a network."""


class EngineSearch(NamedTuple):
    """A search, and its evaluator if that is named; prints as ``mcts:network``."""

    name: Search
    evaluator: Evaluator | None = None

    def __str__(self) -> str:
        return ":".join(filter(None, self))


DEFAULT_SEARCH = EngineSearch(Search.ALPHABETA)
SEARCHES = (DEFAULT_SEARCH, EngineSearch(Search.MCTS), *(EngineSearch(Search.MCTS, each) for each in Evaluator))
"""All that have a name; the tree search without one has the default evaluator."""


def parse_search(text: str) -> EngineSearch:
    """Return the search of a text such as ``mcts:network``; raises ValueError.

    >>> parse_search("mcts:network")
    EngineSearch(name=<Search.MCTS: 'mcts'>, evaluator=<Evaluator.NETWORK: 'network'>)
    """
    name, colon, evaluator = text.strip().lower().partition(":")
    if name == Search.ALPHABETA and not colon:
        return DEFAULT_SEARCH
    if name == Search.MCTS and (not colon or evaluator in tuple(Evaluator)):
        return EngineSearch(Search.MCTS, Evaluator(evaluator) if colon else None)
    raise ValueError(f"expected a search of {', '.join(map(str, SEARCHES))}, got {quote(text)}")


class TreeOptions(NamedTuple):
    """The options of a tree search; ``function`` is set if there is no evaluator of the core."""

    evaluator: Evaluator | None
    function: Evaluate | None
    batch: int
    exploration: float
    seed: int

    def start(self, threads: int, megabytes: int, network: bytes | None) -> _core.Mcts:
        """Return the search; raises MemoryError, and ValueError if the network is not one."""
        name = "function" if self.evaluator is None else self.evaluator.value
        return _core.Mcts(threads, megabytes, network, name, self.batch, self.exploration, self.seed)


def tree_options(
    search: Search | str,
    evaluator: Evaluator | str | Evaluate | None,
    *,
    batch: SupportsIndex | None,
    exploration: SupportsFloat | None,
    seed: SupportsIndex | None,
    threads: int,
    network: Network,
) -> TreeOptions | None:
    """Return the checked options of a tree search, or None for alpha-beta; raises ValueError and TypeError."""
    if search not in tuple(Search):
        raise ValueError(f"expected a search of {', '.join(Search)}, got {quote(search)}")
    given = {"evaluator": evaluator, "batch": batch, "exploration": exploration, "seed": seed}
    if search == Search.ALPHABETA:
        for name, value in given.items():
            if value is not None:
                raise ValueError(f"expected {name} only with search='mcts'")
        return None
    if evaluator is None:
        evaluator = Evaluator.ROLLOUTS if network is None or network is False else Evaluator.NETWORK
    is_function = callable(evaluator)
    if not is_function and evaluator not in tuple(Evaluator):
        raise ValueError(f"expected an evaluator of {', '.join(Evaluator)}, or a function, got {quote(evaluator)}")
    if evaluator == Evaluator.NETWORK and network is False:
        raise ValueError("expected a network for the evaluator 'network', got network=False")
    if batch is None:
        batch = FUNCTION_BATCH if is_function else 1 if threads == 1 else BATCH_PER_THREAD * threads
    return TreeOptions(
        None if is_function else Evaluator(str(evaluator)),
        evaluator if callable(evaluator) else None,
        as_int("batch", batch, 1, _core.MAX_BATCH),
        as_float("exploration", DEFAULT_EXPLORATION if exploration is None else exploration, 0, MAX_EXPLORATION),
        as_int("seed", 0 if seed is None else seed, 0, MAX_SEED),
    )


def batch_function(
    evaluate: Evaluate, root: Position
) -> Callable[[list[_core.Position]], tuple[Sequence[float], Sequence[float] | None]]:
    """Return a function for the core that asks ``evaluate`` about positions of the game of ``root``."""

    def answer(found: list[_core.Position]) -> tuple[Sequence[float], Sequence[float] | None]:
        answered = evaluate([root._copy_of(position) for position in found])
        if not isinstance(answered, tuple) or len(answered) != 2:
            raise TypeError(f"expected the evaluator to return values and priors, got {type(answered).__name__}")
        values, priors = answered
        numbers = _numbers("values", values, len(found))
        if priors is None:
            return numbers, None
        return numbers, _numbers("priors", priors, len(found), root.game.cells)

    return answer


def _numbers(name: str, found: Any, count: int, each: int | None = None) -> Sequence[float]:
    """Return numbers as one array; ``each`` is how many belong to a position, if it is not a single one."""
    if hasattr(found, "__array__"):
        try:
            flat: Sequence[float] = require_numpy().ascontiguousarray(found, dtype="float64").reshape(-1)
        except RuntimeError as error:  # a tensor of PyTorch with gradients
            raise TypeError(f"cannot read the {name} that the evaluator returned: {error}") from None
    else:
        rows = list(found)
        flat = array("d", rows if each is None else _joined(rows))
        _check_size(f"{name} of {count} positions", len(rows), count)
    _check_size(f"{count * (each or 1)} {name}", len(flat), count * (each or 1))
    return flat


def _joined(rows: Iterable[Iterable[float]]) -> list[float]:
    return [number for row in rows for number in row]


def _check_size(expected: str, size: int, wanted: int) -> None:
    if size != wanted:
        raise ValueError(f"expected the evaluator to return {expected}, got {size}")
