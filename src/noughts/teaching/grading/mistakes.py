"""Models of common mistakes: each predicts the answers of a search that makes it.

The mistake whose model predicts every observed answer, right and wrong, is the diagnosis.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from noughts.games import Position, Side
from noughts.teaching.grading.judge import MinimaxJudge, best_of
from noughts.textbook import evaluate_outcome

__all__ = ["Observation", "find_mistake"]

MIN_OBSERVATIONS = 8
"""With fewer, too many models fit."""


class Observation(NamedTuple):
    """An answer: the value from the submission, None if it returns none, and the cell of its move."""

    position: str
    value: object
    move: int | None
    is_right: bool


Values = Sequence[int]


def _sign(side: Side | None) -> int:
    return 1 if side is Side.X else -1


class Model:
    """A search with a mistake: minimax unless a method is replaced."""

    id: str
    only_at_depth = False

    def __init__(self, judge: MinimaxJudge) -> None:
        self.judge, self.depth = judge, judge.depth
        self.root: Side | None = None
        """The side to move at the root."""
        self._values: dict[tuple[int, int, Side | None], int] = {}

    def value(self, position: Position, ply: int = 0) -> int:
        """Return the value that the mistaken search finds for a node."""
        left = -1 if self.depth is None else self.depth - ply
        if position.is_over or self.is_leaf(ply):
            return self.leaf(position, ply)
        key = position.hash, (left if self.depth is not None else ply * self.counts_plies), self.root
        if key not in self._values:
            self._values[key] = self.combine(position.turn, self.children(position, ply))
        return self._values[key]

    counts_plies = 0

    def children(self, position: Position, ply: int) -> Values:
        values = []
        for move in position.legal_moves:
            position.play(move)
            values.append(self.value(position, ply + 1))
            position.undo()
        return values

    def is_leaf(self, ply: int) -> bool:
        """Whether it evaluates here although play is not over."""
        return self.depth is not None and ply >= self.depth

    def leaf(self, position: Position, ply: int) -> int:
        return self.judge.evaluate(position)

    def combine(self, turn: Side | None, values: Values) -> int:
        """Return the value of a node from those of its children."""
        return best_of(turn, values)

    def answer(self, position: Position) -> int:
        """Return the value that the search answers with."""
        return self.value(position)

    def predicts(self, position: Position, seen: Observation) -> bool:
        """Whether the model gives the observed answer."""
        self.root = position.turn
        if seen.value is not None:
            return bool(seen.value == self.answer(position))
        if seen.move is None or not position.is_legal(seen.move):
            return False
        values = dict(zip(position.legal_moves, self.children(position, 0), strict=True))
        return values[seen.move] == self.combine_root(position.turn, list(values.values()))

    def combine_root(self, turn: Side | None, values: Values) -> int:
        """Return the child's value that it chooses at the root."""
        return self.combine(turn, values)


class MoverSide(Model):
    id = "mover-side"

    def answer(self, position: Position) -> int:
        return _sign(position.turn) * self.value(position)


class WrongSign(Model):
    id = "wrong-sign"

    def answer(self, position: Position) -> int:
        return -self.value(position)


class Swapped(Model):
    id = "swapped-min-max"

    def combine(self, turn: Side | None, values: Values) -> int:
        return min(values) if turn is Side.X else max(values)


class AlwaysMax(Model):
    id = "always-max"

    def combine(self, turn: Side | None, values: Values) -> int:
        return max(values)


class RootMax(Model):
    id = "root-always-max"

    def combine_root(self, turn: Side | None, values: Values) -> int:
        return max(values)

    def answer(self, position: Position) -> int:
        return max(self.children(position, 0))


class RootSwapped(Model):
    id = "swapped-min-max"

    def combine_root(self, turn: Side | None, values: Values) -> int:
        return min(values) if turn is Side.X else max(values)

    def answer(self, position: Position) -> int:
        return self.combine_root(position.turn, self.children(position, 0))


class LeafForMover(Model):
    """Values of finished positions for the side that would move there, which has always lost."""

    id = "leaf-side"

    def leaf(self, position: Position, ply: int) -> int:
        return _sign(position.side_to_move) * self.judge.evaluate(position)


class LeafForMoverSeenByRoot(LeafForMover):
    """The same in a search that maximises for the side to move at the root."""

    def combine(self, turn: Side | None, values: Values) -> int:
        return max(values) if turn is self.root else min(values)


class UnsignedLeaf(Model):
    """Negamax whose leaves are from X's side instead of the side to move."""

    id = "negamax-leaf"

    def combine(self, turn: Side | None, values: Values) -> int:
        return max(-value for value in values)

    def combine_root(self, turn: Side | None, values: Values) -> int:
        return min(values)


class UnsignedLeafSeenByX(UnsignedLeaf):
    def answer(self, position: Position) -> int:
        return _sign(position.turn) * self.value(position)


class NoMinus(Model):
    """Negamax that forgets to negate the values of its children."""

    id = "negamax-no-minus"

    def leaf(self, position: Position, ply: int) -> int:
        return _sign(position.side_to_move) * self.judge.evaluate(position)

    def combine(self, turn: Side | None, values: Values) -> int:
        return max(values)


class NoMinusSeenByX(NoMinus):
    def answer(self, position: Position) -> int:
        return _sign(position.turn) * self.value(position)


class ForgetsLoss(Model):
    id = "forgets-loss"

    def leaf(self, position: Position, ply: int) -> int:
        return max(0, self.judge.evaluate(position))


class OnePly(Model):
    id = "one-ply"
    counts_plies = 1

    def is_leaf(self, ply: int) -> bool:
        return ply >= 1


class DepthLess(Model):
    id = "depth-one-less"
    only_at_depth = True

    def __init__(self, judge: MinimaxJudge) -> None:
        super().__init__(judge)
        self.depth = (judge.depth or 1) - 1


class DepthMore(Model):
    id = "depth-one-more"
    only_at_depth = True

    def __init__(self, judge: MinimaxJudge) -> None:
        super().__init__(judge)
        self.depth = (judge.depth or 1) + 1


class EstimateForMover(Model):
    """Estimates from the side to move at the horizon."""

    id = "estimate-side"
    only_at_depth = True

    def leaf(self, position: Position, ply: int) -> int:
        return _sign(position.side_to_move) * self.judge.evaluate(position)


class EstimateForMoverOnly(EstimateForMover):
    def leaf(self, position: Position, ply: int) -> int:
        sign = 1 if position.is_over else _sign(position.side_to_move)
        return sign * self.judge.evaluate(position)


class SmallWin(Model):
    id = "small-win"
    only_at_depth = True

    def leaf(self, position: Position, ply: int) -> int:
        return evaluate_outcome(position) if position.is_over else self.judge.evaluate(position)


class NothingAtDepth(Model):
    id = "no-estimate"
    only_at_depth = True

    def leaf(self, position: Position, ply: int) -> int:
        return self.judge.evaluate(position) if position.is_over else 0


class OutcomeAtDepth(NothingAtDepth):
    def leaf(self, position: Position, ply: int) -> int:
        return evaluate_outcome(position)


MODELS: tuple[type[Model], ...] = (
    MoverSide,
    WrongSign,
    Swapped,
    RootSwapped,
    RootMax,
    AlwaysMax,
    UnsignedLeaf,
    UnsignedLeafSeenByX,
    NoMinus,
    NoMinusSeenByX,
    ForgetsLoss,
    LeafForMover,
    LeafForMoverSeenByRoot,
    DepthLess,
    DepthMore,
    EstimateForMoverOnly,
    EstimateForMover,
    SmallWin,
    NothingAtDepth,
    OutcomeAtDepth,
    OnePly,
)


def find_mistake(judge: MinimaxJudge, observations: Sequence[Observation]) -> str | None:
    """Return the id of the mistake that explains all the answers, or None."""
    if len(observations) < MIN_OBSERVATIONS or all(seen.is_right for seen in observations):
        return None
    fitting = (kind for kind in MODELS if judge.depth is not None or not kind.only_at_depth)
    return next((kind.id for kind in fitting if _explains(kind(judge), observations)), None)


def _explains(model: Model, observations: Iterable[Observation]) -> bool:
    wrong_first = sorted(observations, key=lambda seen: seen.is_right)
    return all(model.predicts(model.judge.game.parse(seen.position), seen) for seen in wrong_first)
