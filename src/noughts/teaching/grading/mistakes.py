"""Models of common mistakes: each predicts the answers of a search that makes it.

The mistake whose model predicts every observed answer, right and wrong, is the diagnosis.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from noughts.games import Position, Side
from noughts.teaching.grading.judge import MinimaxJudge, best_of
from noughts.textbook import Evaluate, evaluate_outcome

__all__ = ["Observation", "find_mistake"]

MIN_OBSERVATIONS = 8
"""With fewer, too many models fit."""


class Observation(NamedTuple):
    """An answer: the value from the submission, None if it returns none, and the cell of its move."""

    position: str
    value: object
    move: int | None
    is_right: bool


def _sign(side: Side | None) -> int:
    return 1 if side is Side.X else -1


# Values of leaves

Leaf = Callable[[Evaluate, Position], int]
"""Returns the value of a leaf with the evaluation that the task asks for."""


def _evaluated(evaluate: Evaluate, position: Position) -> int:
    return evaluate(position)


def _for_mover(evaluate: Evaluate, position: Position) -> int:
    """The value for the side that would move here, which has always lost if play is over."""
    return _sign(position.side_to_move) * evaluate(position)


def _estimate_for_mover(evaluate: Evaluate, position: Position) -> int:
    return evaluate(position) if position.is_over else _for_mover(evaluate, position)


def _without_losses(evaluate: Evaluate, position: Position) -> int:
    return max(0, evaluate(position))


def _small_win(evaluate: Evaluate, position: Position) -> int:
    return evaluate_outcome(position) if position.is_over else evaluate(position)


def _no_estimate(evaluate: Evaluate, position: Position) -> int:
    return evaluate(position) if position.is_over else 0


def _outcome(evaluate: Evaluate, position: Position) -> int:
    return evaluate_outcome(position)


# Choices between the children of a node

Choose = Callable[[Side | None, Side | None, Sequence[int]], int]
"""Returns the value of the child that is chosen: called with the sides to move here and at the root, and the values."""


def _best(turn: Side | None, root: Side | None, values: Sequence[int]) -> int:
    return best_of(turn, values)


def _worst(turn: Side | None, root: Side | None, values: Sequence[int]) -> int:
    return min(values) if turn is Side.X else max(values)


def _largest(turn: Side | None, root: Side | None, values: Sequence[int]) -> int:
    return max(values)


def _smallest(turn: Side | None, root: Side | None, values: Sequence[int]) -> int:
    return min(values)


def _best_for_root(turn: Side | None, root: Side | None, values: Sequence[int]) -> int:
    """The choice of a search that maximises for the side to move at the root."""
    return max(values) if turn is root else min(values)


class Mistake(NamedTuple):
    """Minimax with some parts replaced by wrong ones."""

    id: str
    leaf: Leaf = _evaluated
    choose: Choose = _best
    choose_at_root: Choose | None = None
    """The choice at the root, if it is made in another way there."""
    negates: bool = False
    """Whether the value of a node is that of the chosen child with the opposite sign, as in negamax."""
    answers_for: Callable[[Side | None], int] = lambda turn: 1
    """Returns the sign of its answer, by the side to move at the root."""
    depth: Callable[[int | None], int | None] = lambda depth: depth
    """Returns the depth it searches to, from the depth that it should search to."""
    needs_depth: bool = False
    """Whether only a search to a depth can make it."""


MISTAKES = (
    Mistake("mover-side", answers_for=_sign),
    Mistake("wrong-sign", answers_for=lambda turn: -1),
    Mistake("swapped-min-max", choose=_worst),
    Mistake("swapped-min-max", choose_at_root=_worst),
    Mistake("root-always-max", choose_at_root=_largest),
    Mistake("always-max", choose=_largest),
    Mistake("negamax-leaf", choose=_smallest, negates=True),
    Mistake("negamax-leaf", choose=_smallest, negates=True, answers_for=_sign),
    Mistake("negamax-no-minus", _for_mover, choose=_largest),
    Mistake("negamax-no-minus", _for_mover, choose=_largest, answers_for=_sign),
    Mistake("forgets-loss", _without_losses),
    Mistake("leaf-side", _for_mover),
    Mistake("leaf-side", _for_mover, choose=_best_for_root),
    Mistake("depth-one-less", depth=lambda depth: (depth or 1) - 1, needs_depth=True),
    Mistake("depth-one-more", depth=lambda depth: (depth or 1) + 1, needs_depth=True),
    Mistake("estimate-side", _estimate_for_mover, needs_depth=True),
    Mistake("estimate-side", _for_mover, needs_depth=True),
    Mistake("small-win", _small_win, needs_depth=True),
    Mistake("no-estimate", _no_estimate, needs_depth=True),
    Mistake("no-estimate", _outcome, needs_depth=True),
    Mistake("one-ply", depth=lambda depth: 1),
)
"""In the order in which they are tried."""


class Model:
    """The search that makes a mistake; it remembers the values that it has found."""

    def __init__(self, mistake: Mistake, judge: MinimaxJudge) -> None:
        self.mistake, self.judge = mistake, judge
        self.depth = mistake.depth(judge.depth)
        self._root: Side | None = None
        self._values: dict[tuple[int, int, Side | None], int] = {}

    def predicts(self, seen: Observation) -> bool:
        """Whether the model gives the observed answer."""
        position = self.judge.game.parse(seen.position)
        self._root = position.turn
        if seen.value is not None:
            return bool(seen.value == self.mistake.answers_for(position.turn) * self._value_at_root(position))
        if seen.move is None or not position.is_legal(seen.move):
            return False
        values = dict(zip(position.legal_moves, self._children(position, 0), strict=True))
        return values[seen.move] == self._choose_at_root(list(values.values()))

    def _value_at_root(self, position: Position) -> int:
        if self.mistake.choose_at_root is None:
            return self._value(position, 0)
        return self._choose_at_root(self._children(position, 0))

    def _choose_at_root(self, values: Sequence[int]) -> int:
        choose = self.mistake.choose_at_root or self.mistake.choose
        return choose(self._root, self._root, values)

    def _value(self, position: Position, ply: int) -> int:
        """Return the value that the mistaken search finds for a node."""
        if position.is_over or (self.depth is not None and ply >= self.depth):
            return self.mistake.leaf(self.judge.evaluate, position)
        key = position.hash, (-1 if self.depth is None else self.depth - ply), self._root
        if key not in self._values:
            chosen = self.mistake.choose(position.turn, self._root, self._children(position, ply))
            self._values[key] = -chosen if self.mistake.negates else chosen
        return self._values[key]

    def _children(self, position: Position, ply: int) -> list[int]:
        values = []
        for move in position.legal_moves:
            position.play(move)
            values.append(self._value(position, ply + 1))
            position.undo()
        return values


def find_mistake(judge: MinimaxJudge, observations: Sequence[Observation]) -> str | None:
    """Return the id of the mistake that explains all the answers, or None."""
    if len(observations) < MIN_OBSERVATIONS or all(seen.is_right for seen in observations):
        return None
    possible = (mistake for mistake in MISTAKES if judge.depth is not None or not mistake.needs_depth)
    return next((mistake.id for mistake in possible if _explains(Model(mistake, judge), observations)), None)


def _explains(model: Model, observations: Iterable[Observation]) -> bool:
    wrong_first = sorted(observations, key=lambda seen: seen.is_right)
    return all(map(model.predicts, wrong_first))
