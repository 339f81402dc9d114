"""Models of common mistakes: each predicts the answers of a search that makes it.

The mistake whose model predicts every observed answer, right and wrong, is the diagnosis; of several, the one that
makes the answers most probable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import inf, log
from typing import NamedTuple

from noughts.games import Game, Position, Side
from noughts.teaching.grading.cells import cells_of, kind_of_line, moves_to
from noughts.teaching.grading.judge import MinimaxJudge, best_of
from noughts.textbook import Evaluate, evaluate_outcome

__all__ = ["LOOKING_AHEAD", "Observation", "find_missing_lines", "find_mistakes"]

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


def _wrong_sign(evaluate: Evaluate, position: Position) -> int:
    return -evaluate(position)


def _drawn_for_x(evaluate: Evaluate, position: Position) -> int:
    return 1 if position.is_over and position.winner is None else evaluate(position)


def _drawn_for_o(evaluate: Evaluate, position: Position) -> int:
    return -1 if position.is_over and position.winner is None else evaluate(position)


def _small_win(evaluate: Evaluate, position: Position) -> int:
    return evaluate_outcome(position) if position.is_over else evaluate(position)


def _no_estimate(evaluate: Evaluate, position: Position) -> int:
    return evaluate(position) if position.is_over else 0


def _outcome(evaluate: Evaluate, position: Position) -> int:
    return evaluate_outcome(position)


def _zero(evaluate: Evaluate, position: Position) -> int:
    return 0


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


def _worst_for_root(turn: Side | None, root: Side | None, values: Sequence[int]) -> int:
    """The choice of negamax, before the value is negated, if every leaf is judged from the side of the root."""
    return min(values) if root is Side.X else max(values)


def _from_zero(turn: Side | None, root: Side | None, values: Sequence[int]) -> int:
    return max(0, *values) if turn is Side.X else min(0, *values)


def _max_from_zero(turn: Side | None, root: Side | None, values: Sequence[int]) -> int:
    return max(0, *values) if turn is Side.X else min(values)


def _min_from_zero(turn: Side | None, root: Side | None, values: Sequence[int]) -> int:
    return max(values) if turn is Side.X else min(0, *values)


# Functions that call each other

NextKind = Callable[[bool, int], bool]
"""Returns whether a child is a MAX node: called with whether its parent is one, and the ply of the parent."""


def _only_max(is_max: bool, ply: int) -> bool:
    return True


def _only_max_below_root(is_max: bool, ply: int) -> bool:
    return not is_max if ply == 0 else True


def _only_min(is_max: bool, ply: int) -> bool:
    return False


def _only_min_below_root(is_max: bool, ply: int) -> bool:
    return not is_max if ply == 0 else False


def _alternating(is_max: bool, ply: int) -> bool:
    return not is_max


def _root_twice(is_max: bool, ply: int) -> bool:
    return is_max if ply == 0 else not is_max


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
    needs_depth: bool | None = None
    """Whether only a search to a depth can make it, or only one to the end of the game."""
    next_kind: NextKind | None = None
    """The kinds of nodes, MAX or MIN, if they do not follow the turns."""
    is_for_root: bool = False
    """Whether MAX is the side to move at the root, with values for it, instead of X."""
    starts_as_max: bool | None = None
    """Whether every root is a MAX node, or a MIN node, whichever side is to move."""


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
    Mistake("leaf-sign", _wrong_sign),
    Mistake("leaf-sign", _wrong_sign, answers_for=_sign),
    Mistake("draw-value", _drawn_for_x),
    Mistake("draw-value", _drawn_for_o),
    Mistake("starts-at-zero", choose=_from_zero, choose_at_root=_best),
    Mistake("starts-at-zero", choose=_max_from_zero, choose_at_root=_best),
    Mistake("starts-at-zero", choose=_min_from_zero, choose_at_root=_best),
    Mistake("starts-at-zero", choose=_from_zero),
    Mistake("starts-at-zero", choose=_max_from_zero),
    Mistake("starts-at-zero", choose=_min_from_zero),
    *(
        Mistake(id, next_kind=kind, is_for_root=is_for_root)
        for id, kind in (
            ("max-calls-max", _only_max),
            ("max-calls-max", _only_max_below_root),
            ("min-calls-min", _only_min),
            ("min-calls-min", _only_min_below_root),
            ("root-calls-max", _root_twice),
        )
        for is_for_root in (False, True)
    ),
    Mistake("starts-as-max", next_kind=_alternating, starts_as_max=True),
    Mistake("starts-as-min", next_kind=_alternating, starts_as_max=False),
    Mistake("leaf-side", _for_mover),
    Mistake("leaf-side", _for_mover, choose=_best_for_root),
    Mistake("colour-kept", choose=_worst_for_root, negates=True),
    Mistake("depth-one-less", depth=lambda depth: (depth or 1) - 1, needs_depth=True),
    Mistake("depth-one-more", depth=lambda depth: (depth or 1) + 1, needs_depth=True),
    Mistake("estimate-side", _estimate_for_mover, needs_depth=True),
    Mistake("estimate-side", _for_mover, needs_depth=True),
    Mistake("small-win", _small_win, needs_depth=True),
    Mistake("no-estimate", _no_estimate, needs_depth=True),
    Mistake("no-estimate", _outcome, needs_depth=True),
    Mistake("no-estimate", _zero, needs_depth=True),
    Mistake("one-ply", depth=lambda depth: 1),
    Mistake("shallow", depth=lambda depth: 2, needs_depth=False),
    Mistake("shallow", depth=lambda depth: 3, needs_depth=False),
    Mistake("shallow", depth=lambda depth: 4, needs_depth=False),
    Mistake("shallow", depth=lambda depth: 5, needs_depth=False),
)
"""Of those that explain all answers, the first of the most probable ones is the diagnosis."""


class Model:
    """The search that makes a mistake; it remembers the values that it has found."""

    def __init__(self, mistake: Mistake, judge: MinimaxJudge) -> None:
        self.mistake, self.judge = mistake, judge
        self.depth = mistake.depth(judge.depth)
        self._root: Side | None = None
        self._values: dict[tuple[int, int, Side | None, bool, bool], int] = {}

    def count_predicted(self, seen: Observation) -> int:
        """Return the number of answers that the model allows if the observed one is among them, else 0."""
        position = self.judge.game.parse(seen.position)
        self._root = position.turn
        if seen.value is not None:
            return int(seen.value == self.mistake.answers_for(position.turn) * self._value_at_root(position))
        if seen.move is None or not position.is_legal(seen.move):
            return 0
        values = dict(zip(position.legal_moves, self._children(position, 0, self._is_max(position)), strict=True))
        chosen = self._choose_at_root(position, list(values.values()))
        return list(values.values()).count(chosen) if values[seen.move] == chosen else 0

    def _is_max(self, position: Position) -> bool:
        """Whether the root is a MAX node, of X or of the side to move."""
        if self.mistake.starts_as_max is not None:
            return self.mistake.starts_as_max
        return self.mistake.is_for_root or position.turn is Side.X

    def _value_at_root(self, position: Position) -> int:
        if self.mistake.choose_at_root is None:
            return self._value(position, 0, self._is_max(position))
        return self._choose_at_root(position, self._children(position, 0, self._is_max(position)))

    def _choose_at_root(self, position: Position, values: Sequence[int]) -> int:
        if self.mistake.next_kind is not None:
            return self._choose(position, values, self._is_max(position))
        choose = self.mistake.choose_at_root or self.mistake.choose
        return choose(self._root, self._root, values)

    def _choose(self, position: Position, values: Sequence[int], is_max: bool) -> int:
        """Return the value that a node takes from its children."""
        if self.mistake.next_kind is None:
            return self.mistake.choose(position.turn, self._root, values)
        is_for_o = self.mistake.is_for_root and self._root is Side.O
        return max(values) if is_max is not is_for_o else min(values)

    def _value(self, position: Position, ply: int, is_max: bool) -> int:
        """Return the value that the mistaken search finds for a node."""
        if position.is_over or (self.depth is not None and ply >= self.depth):
            return self.mistake.leaf(self.judge.evaluate, position)
        key = position.hash, (-1 if self.depth is None else self.depth - ply), self._root, is_max, ply == 0
        if key not in self._values:
            chosen = self._choose(position, self._children(position, ply, is_max), is_max)
            self._values[key] = -chosen if self.mistake.negates else chosen
        return self._values[key]

    def _children(self, position: Position, ply: int, is_max: bool) -> list[int]:
        next_kind = self.mistake.next_kind
        is_next_max = not is_max if next_kind is None else next_kind(is_max, ply)
        values = []
        for move in position.legal_moves:
            position.play(move)
            values.append(self._value(position, ply + 1, is_next_max))
            position.undo()
        return values


LOOKING_AHEAD = ("one-ply", "shallow", "depth-one-less")
"""Mistakes of searches that end too soon."""


def find_mistakes(judge: MinimaxJudge, observations: Sequence[Observation]) -> list[str]:
    """Return the ids of the mistakes that explain all the answers, the most probable one first.

    A function of MIN or MAX that is called in the wrong place may be called for one side only.
    """
    if len(observations) < MIN_OBSERVATIONS or all(seen.is_right for seen in observations):
        return []
    possible = [mistake for mistake in MISTAKES if mistake.needs_depth in (None, judge.depth is not None)]
    wrong_first = sorted(observations, key=lambda seen: seen.is_right)
    found = _most_probable(possible, judge, wrong_first)
    turns = {judge.game.parse(seen.position).turn for seen in observations if not seen.is_right}
    if found or len(turns) > 1:
        return found
    of_side = [seen for seen in wrong_first if judge.game.parse(seen.position).turn in turns]
    return _most_probable([each for each in possible if each.next_kind is not None], judge, of_side)


def _most_probable(mistakes: Iterable[Mistake], judge: MinimaxJudge, observations: Sequence[Observation]) -> list[str]:
    """Return the ids of the mistakes that explain all of these answers, the most probable one first."""
    scores = [(_log_likelihood(Model(mistake, judge), observations), mistake.id) for mistake in mistakes]
    return [id for score, id in sorted(scores, key=lambda pair: -pair[0]) if score > -inf]


def _log_likelihood(model: Model, observations: Iterable[Observation]) -> float:
    """Return the logarithm of the probability of the answers if one of those that the model allows is drawn."""
    total = 0.0
    for seen in observations:
        allowed = model.count_predicted(seen)
        if not allowed:
            return -inf
        total -= log(allowed)
    return total


BOARD = Game("3x3")


def find_missing_lines(judge: MinimaxJudge, observations: Sequence[Observation]) -> str | None:
    """Return the mistake of a search that gives right answers in the game without one line, or one kind of lines."""
    if judge.game != BOARD or judge.depth is not None or len(observations) < MIN_OBSERVATIONS:
        return None
    wrong_first = sorted(observations, key=lambda seen: seen.is_right)
    for kind in ("rows", "columns", "diagonals"):
        lines = [line for line in BOARD.lines if kind_of_line(line) == kind]
        for missing in (*([line] for line in lines), lines):
            others = [line for line in BOARD.lines if line not in missing]
            if _is_right_in(Game.from_lines(f"3x3 without {kind}", BOARD.cells, others), wrong_first):
                return f"lines-miss-{kind}"
    return None


def _is_right_in(game: Game, observations: Iterable[Observation]) -> bool:
    """Whether all answers are right in another game on the same board."""
    judge = MinimaxJudge(game, None, evaluate_outcome)
    for seen in observations:
        position = game.start()
        for move in moves_to(cells_of(BOARD.parse(seen.position)), BOARD):
            position.play(move)
        if seen.value not in (None, judge.value(position)) or seen.move not in judge.best_moves(position):
            return False
    return True
