"""Judging: the value of every move of a position, and the regret of a move that a player proposes.

For evaluating players of any kind: students' bots, learned policies, language models. Values are exact where they can
be proven and estimated elsewhere; every answer says which.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from noughts import _core
from noughts.analysis.advice import DEFAULT_LINES, Advice, Advisor, Known, is_worth_solving
from noughts.analysis.evaluation import Evaluation, chance_of_score
from noughts.engine import Limit
from noughts.games import IllegalMove, InvalidNotation, Position, Value
from noughts.games.quoting import quote
from noughts.limit import DEFAULT_LIMIT

__all__ = ["Judge", "JudgedMove", "Judgement", "Proposal", "Verdict"]

FEW_MOVES = 8
"""With more legal moves, the best ones get a search of their own, which is deeper than that of all moves."""
LEAST_SECONDS = 0.001
PROOF_SECONDS, PROOF_NODES = 0.02, 200
"""The least that is worth spending on the proof of a move: making a solver alone takes some milliseconds."""
REGRET_DIGITS = 4


class Verdict(StrEnum):
    """The judgement of a proposed move. Prints as and equals its text."""

    BEST = "best"
    """No legal move is better."""
    WORSE = "worse"
    ILLEGAL = "illegal"
    """A move of the game that may not be played in this position."""
    INVALID = "invalid"
    """Not a move of the game in any notation."""

    @property
    def is_legal(self) -> bool:
        """Whether the move can be played."""
        return self in (Verdict.BEST, Verdict.WORSE)


@dataclass(frozen=True)
class JudgedMove:
    """A legal move and its evaluation for the side that makes it."""

    move: int
    evaluation: Evaluation
    line: tuple[int, ...]
    """The expected line of play, beginning with the move."""
    regret: float = 0.0
    """What the move gives away: 1 turns a win into a draw or a draw into a loss; 2 turns a win into a loss."""
    is_exact: bool = False
    """Whether the regret is proven, not estimated."""


@dataclass(frozen=True)
class Proposal:
    """A proposed move with its verdict; ``judged`` is None and ``message`` says why if it cannot be played."""

    proposed: object
    verdict: Verdict
    judged: JudgedMove | None = None
    message: str = ""

    @property
    def regret(self) -> float | None:
        """The regret of the move; None if it cannot be played."""
        return None if self.judged is None else self.judged.regret


@dataclass(frozen=True)
class Judgement:
    """All legal moves of a position with their values and regrets, best first."""

    position: Position
    evaluation: Evaluation
    """The evaluation of the position for the side to move."""
    moves: tuple[JudgedMove, ...]
    limit: Limit
    seconds: float = field(default=0.0, compare=False)
    """The time that it took."""

    @property
    def best(self) -> JudgedMove:
        """The best move."""
        return self.moves[0]

    @property
    def best_moves(self) -> tuple[JudgedMove, ...]:
        """All moves that give nothing away, the best first."""
        return tuple(each for each in self.moves if each.regret == 0)

    def of(self, move: object) -> Proposal:
        """Return the verdict on a move: text in any notation of the game, or the number of a cell.

        Anything else is ``invalid``, so that the answer of a program or a model can be passed as it is.
        """
        try:
            cell = _parse_move(self.position, move)
        except IllegalMove as error:
            return Proposal(move, Verdict.ILLEGAL, message=str(error))
        except InvalidNotation as error:
            return Proposal(move, Verdict.INVALID, message=str(error))
        judged = next(each for each in self.moves if each.move == cell)
        return Proposal(move, Verdict.BEST if judged in self.best_moves else Verdict.WORSE, judged)


class Judge:
    """Judges the moves of positions. One thread at a time; only ``stop`` may come from another.

    Judgements with a limit on nodes or depth and one thread are the same every time, and do not depend on earlier ones.

    >>> from noughts import Game
    >>> position = Game("3x3").parse("x2/3/2o x")
    >>> judgement = Judge().judge(position)
    >>> judgement.evaluation.value, [position.format_move(each.move) for each in judgement.best_moves]
    (<Value.WIN: 'win'>, ['c3', 'a1'])
    >>> [(each.verdict.value, each.regret) for each in map(judgement.of, ("c3", "b3", "a3", "z9"))]
    [('best', 0.0), ('worse', 2.0), ('illegal', None), ('invalid', None)]
    """

    def __init__(self, limit: Limit = DEFAULT_LIMIT, *, advisor: Advisor | None = None) -> None:
        """Judge with an advisor, by default a new one. ``limit`` holds for a position unless it is given another."""
        self.limit = limit
        self._advisor = advisor or Advisor()
        self._is_stopped = False

    def judge(
        self,
        position: Position,
        limit: Limit | None = None,
        *,
        proposed: object = None,
        progress: Callable[[object], bool] | None = None,
        known: Known | None = None,
    ) -> Judgement:
        """Return the evaluation and the regret of every legal move; raises GameOver.

        A share of the limit is spent on a closer look at the ``proposed`` move, if it is legal and its value is not
        proven otherwise. ``progress`` is called regularly; returning False stops the work.
        ``known`` is a value of the position that was proven before.
        """
        position.require_unfinished()
        self._is_stopped = False
        self._advisor.engine.clear()
        began, limit = time.monotonic(), limit or self.limit
        known, moves = _Inquiry(self, position, limit, _legal_move(position, proposed), progress, known).answer()
        evaluation = _evaluate_position(known, moves)
        judged = tuple(_with_regret(each, evaluation, moves[0].evaluation) for each in moves)
        return Judgement(position.copy(), evaluation, judged, limit, time.monotonic() - began)

    def stop(self) -> None:
        """End the running work soon, from another thread; it returns the judgement so far."""
        self._is_stopped = True
        self._advisor.stop()

    @property
    def advisor(self) -> Advisor:
        """The advisor that it asks."""
        return self._advisor

    @property
    def is_stopped(self) -> bool:
        """Whether the running work (or the last, if none is running) was stopped."""
        return self._is_stopped


class _Budget:
    """A limit that is divided evenly between steps; the time that a step leaves over is for the following ones."""

    def __init__(self, limit: Limit, steps: int) -> None:
        self._depth, self._nodes, self._steps = limit.depth, limit.nodes, steps
        self._deadline = None if limit.seconds is None else time.monotonic() + limit.seconds

    def next(self) -> Limit:
        seconds = None if self._deadline is None else max(LEAST_SECONDS, self._left / self._steps)
        nodes = None if self._nodes is None else max(1, self._nodes // self._steps)
        self._nodes = None if self._nodes is None or nodes is None else self._nodes - nodes
        self._steps = max(1, self._steps - 1)
        return Limit(seconds, self._depth, nodes)

    @property
    def is_spent(self) -> bool:
        return (self._deadline is not None and self._left <= 0) or (self._nodes is not None and self._nodes <= 0)

    @property
    def _left(self) -> float:
        return 0.0 if self._deadline is None else self._deadline - time.monotonic()


class _Inquiry:
    """The work on one position, in up to five steps.

    Prove the value of the position; search its best moves; search all moves; look closer at the proposed move; prove
    the values of moves that are still open. A limit on depth is one for searches, so it leaves out the proofs.
    """

    def __init__(
        self,
        judge: Judge,
        position: Position,
        limit: Limit,
        proposed: int | None,
        progress: Callable[[object], bool] | None,
        known: Known | None,
    ) -> None:
        self._judge, self._advisor, self._position, self._proposed = judge, judge.advisor, position, proposed
        self._progress = progress
        self._known = known or self._advisor.look_up(position)
        self._may_prove = limit.depth is None and is_worth_solving(position)
        self._has_many_moves = len(position.legal_moves) > FEW_MOVES
        proofs = 0 if not self._may_prove else 1 if self._known is not None else 2
        self._budget = _Budget(limit, 1 + proofs + self._has_many_moves + (proposed is not None))

    def answer(self) -> tuple[Known | None, list[JudgedMove]]:
        """Return the proven value of the position, if there is one, and all moves, best first."""
        if self._known is None and self._may_prove and not self._judge.is_stopped:
            self._known = self._prove(self._position, self._budget.next())
        moves = self._search()
        if self._proposed is not None and moves[self._proposed].evaluation.value is None and not self._judge.is_stopped:
            moves[self._proposed] = self._look_closer(self._proposed)
        if self._may_prove and not all(each.evaluation.value is not None for each in moves.values()):
            self._prove_moves(moves)
        value = None if self._known is None else self._known.proven.value
        return self._known, sorted(moves.values(), key=lambda each: (_is_below(each, value), *_order(each)))

    def _search(self) -> dict[int, JudgedMove]:
        """Search the best moves deeply, if there are many moves, and then all of them."""
        deep = self._advise(DEFAULT_LINES) if self._has_many_moves else []
        wide = self._advise(len(self._position.legal_moves))
        best, most = {each.move: _judged(each) for each in deep}, _most_of_others(deep)
        return {each.move: best.get(each.move) or self._cap(_judged(each), most) for each in wide}

    def _advise(self, lines: int) -> list[Advice]:
        limit = Limit(depth=1) if self._judge.is_stopped else self._budget.next()
        return self._advisor.advise(
            self._position, limit, lines=lines, progress=self._wants_more, is_resumed=True, known=self._known
        )

    def _cap(self, judged: JudgedMove, most: int | None) -> JudgedMove:
        """The move with its estimate, reduced to ``most`` if it is higher."""
        score = judged.evaluation.score
        if most is None or score is None or score <= most:
            return judged
        scale = self._advisor.engine.scale_of(self._position.game)
        return replace(judged, evaluation=Evaluation.of_score(most, chance_of_score(most, scale)))

    def _look_closer(self, move: int) -> JudgedMove:
        """Search the position after the proposed move, which the search of all moves saw less deeply than the best."""
        after, limit = self._position.after(move), self._budget.next()
        reply = self._advisor.advise(after, limit, progress=self._wants_more, is_resumed=not self._may_prove)[0]
        judged = JudgedMove(move, reply.evaluation.for_opponent().one_ply_earlier(), (move, *reply.pv))
        is_draw = self._known is not None and self._known.proven.value is Value.DRAW
        return self._cap(judged, 0 if is_draw else None)

    def _prove_moves(self, moves: dict[int, JudgedMove]) -> None:
        """Prove the values of moves, the best first and only one of several symmetric ones."""
        groups: dict[int, list[JudgedMove]] = {}
        for each in sorted(moves.values(), key=_order):
            if each.evaluation.value is None:
                groups.setdefault(self._position.after(each.move).canonical_hash, []).append(each)
        limit = self._budget.next()
        tried = list(groups.values())[: _most_proofs(limit)]
        budget = _Budget(limit, len(tried))
        for group in tried:
            if self._judge.is_stopped or budget.is_spent:
                return
            found = self._prove(self._position.after(group[0].move), budget.next())
            if found is None:
                continue
            evaluation = _evaluation_of(found).for_opponent().one_ply_earlier()
            moves |= {each.move: replace(each, evaluation=evaluation) for each in group}

    def _prove(self, position: Position, limit: Limit) -> Known | None:
        return self._advisor.solve(position, limit, self._wants_more)

    def _wants_more(self, found: object) -> bool:
        if self._progress is not None and not self._progress(found):
            self._judge.stop()
        return not self._judge.is_stopped


def _most_proofs(limit: Limit) -> int:
    """The number of proofs that a limit pays for; at least one."""
    by_time = math.inf if limit.seconds is None else limit.seconds / PROOF_SECONDS
    by_nodes = math.inf if limit.nodes is None else limit.nodes / PROOF_NODES
    return max(1, int(min(by_time, by_nodes, _core.MAX_CELLS)))


def _parse_move(position: Position, move: object) -> int:
    """The cell of a legal move; raises IllegalMove or InvalidNotation."""
    if isinstance(move, bool) or not isinstance(move, str | int):
        raise InvalidNotation(f"expected {position.game.how_to_type}, got {quote(move)}")
    return position.after(move).moves[-1]


def _legal_move(position: Position, proposed: object) -> int | None:
    """The cell of a proposed move, or None if it is not a legal move."""
    try:
        return _parse_move(position, proposed)
    except (IllegalMove, InvalidNotation):
        return None


def _judged(advice: Advice) -> JudgedMove:
    return JudgedMove(advice.move, advice.evaluation, tuple(advice.pv))


def _most_of_others(deep: Sequence[Advice]) -> int | None:
    """The score that no move outside of a deep search of the best moves exceeds; None if there is no such bound."""
    if not deep or deep[-1].value in (Value.WIN, Value.LOSS):
        return None
    return 0 if deep[-1].value is Value.DRAW else deep[-1].score


def _is_below(judged: JudgedMove, value: Value | None) -> bool:
    """Whether a move is proven to be worse than the value of its position, so that another one is the best."""
    return value is not None and judged.evaluation.value is not None and judged.evaluation.value.number < value.number


def _order(judged: JudgedMove) -> tuple[float, bool, bool, int]:
    """A key that sorts the best move first: by chance, then proven moves, then short wins."""
    found = judged.evaluation
    is_won = found.value is Value.WIN
    return -found.chance, found.value is None, is_won and found.plies is None, (found.plies or 0) if is_won else 0


def _evaluate_position(known: Known | None, moves: Sequence[JudgedMove]) -> Evaluation:
    """The evaluation of a position: proven before, by a winning move, or by the values of all moves; else estimated."""
    best = moves[0].evaluation
    if best.value is Value.WIN or all(each.evaluation.value is not None for each in moves):
        return best
    if known is not None:
        return _evaluation_of(known)
    return best if best.value is None else Evaluation.of_score(0, best.chance)


def _evaluation_of(known: Known) -> Evaluation:
    return Evaluation.of_value(known.proven.value, known.proven.plies, known.source)


def _with_regret(judged: JudgedMove, position: Evaluation, best: Evaluation) -> JudgedMove:
    """The move with its regret, on the scale from 0 to 2 of a value from -1 to 1.

    An estimate is compared with that of the best move: the value of the position may be proven where no move is.
    """
    value = judged.evaluation.value
    if position.value is Value.LOSS or value is Value.WIN:
        return replace(judged, regret=0.0, is_exact=True)
    is_exact = None not in (position.value, value)
    most = position.chance if is_exact else min(position.chance, best.chance)
    return replace(
        judged, regret=round(max(0.0, 2 * (most - judged.evaluation.chance)), REGRET_DIGITS), is_exact=is_exact
    )
