"""Variations: lines of play beside the main line of a playthrough, and the tree that all lines form together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Never

    from noughts.games.playthrough import Eval

__all__ = ["MAX_NESTING", "MAX_VARIATIONS", "Branch", "Variation"]

MAX_VARIATIONS = 2_000
"""Most variations of one playthrough."""
MAX_NESTING = 100
"""Depth of variations within variations that a file may have."""
NOTHING: Mapping[int, Never] = MappingProxyType({})


class Variation(NamedTuple):
    """A line of play that leaves the main line, or an earlier variation, before its end.

    ``moves`` begin at the first position. ``comments``, ``evals`` and ``clocks`` are those of the positions that no
    earlier line has, by the number of moves before them, as in a playthrough.
    """

    moves: tuple[int, ...]
    comments: Mapping[int, str] = NOTHING
    evals: Mapping[int, Eval] = NOTHING
    clocks: Mapping[int, float] = NOTHING


class Branch:
    """A position of a tree of moves, and the move that led to it; the first of ``kids`` continues the line."""

    __slots__ = ("clock", "comments", "eval", "kids", "move", "parent", "ply")

    def __init__(self, move: int = -1, parent: Branch | None = None) -> None:
        self.move = move
        self.parent = parent
        self.ply: int = 0 if parent is None else parent.ply + 1
        self.kids: list[Branch] = []
        self.comments: list[str] = []
        self.eval: Eval | None = None
        self.clock: float | None = None

    def child(self, move: int) -> Branch:
        """Return the branch after a move, added after the others if it is new."""
        for kid in self.kids:
            if kid.move == move:
                return kid
        made = Branch(move, self)
        self.kids.append(made)
        return made

    def annotate(self, line: Variation) -> None:
        """Give this position the notes that a line has on it."""
        self.comments = [line.comments[self.ply]] if self.ply in line.comments else []
        self.eval, self.clock = line.evals.get(self.ply), line.clocks.get(self.ply)

    def line(self) -> list[Branch]:
        """Return the branches of the line from here to its end, beginning with this one."""
        line = [self]
        while line[-1].kids:
            line.append(line[-1].kids[0])
        return line

    def path(self) -> list[int]:
        """Return the moves that lead here."""
        moves, at = [], self
        while at.parent is not None:
            moves.append(at.move)
            at = at.parent
        return moves[::-1]

    def variations(self, separator: str) -> Iterator[Variation]:
        """Yield the lines that leave the main line from here, each after the one that it leaves.

        Several comments on a position are joined by the separator.
        """
        left = _others(self.line())
        while left:
            line = left.pop().line()
            yield Variation(
                tuple(line[-1].path()),
                {at.ply: separator.join(at.comments) for at in line if at.comments},
                {at.ply: at.eval for at in line if at.eval is not None},
                {at.ply: at.clock for at in line if at.clock is not None},
            )
            left += _others(line)


def _others(line: list[Branch]) -> list[Branch]:
    """The branches that leave a line, the last one first."""
    return [kid for at in reversed(line) for kid in reversed(at.kids[1:])]
