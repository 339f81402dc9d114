"""Positions that record the moves a search tries on them."""

from __future__ import annotations

from noughts.games import Position, Side

__all__ = ["NodeCount", "RecordingPosition", "TooManyNodes", "VisitedNode"]


class TooManyNodes(BaseException):
    """Stops a search; not an Exception, so that a search which catches those is stopped too."""


UNLIMITED = 1 << 60


class NodeCount:
    """Counts nodes over all copies of a watched position and stops a search that visits too many."""

    def __init__(self, limit: int) -> None:
        self.limit, self.nodes = limit, 1

    @property
    def is_limited(self) -> bool:
        """Whether the nodes matter."""
        return self.limit < UNLIMITED

    def add(self) -> None:
        """Count a node; raises TooManyNodes beyond the limit."""
        self.nodes += 1
        if self.nodes > self.limit:
            raise TooManyNodes


class VisitedNode:
    """A node of the tree that a search visited: the moves it tried, each with the node after it."""

    __slots__ = ("copies", "tried", "visits")

    def __init__(self) -> None:
        self.tried: dict[int, VisitedNode] = {}
        self.visits = 0
        self.copies = 0
        """How often the position was copied: a search that keeps its positions copies one for each rollout."""

    def step(self, move: int) -> VisitedNode:
        """Return the node after a move, which is new the first time, and count a visit to it."""
        following = self.tried.setdefault(move, VisitedNode())
        following.visits += 1
        return following


class RecordingPosition:
    """Wraps a position and records every move that a search tries on it."""

    def __init__(self, position: Position, count: NodeCount, tree: VisitedNode | None = None) -> None:
        self._position, self._count = position, count
        self.tree = tree or VisitedNode()
        self._path = [self.tree]

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):  # so that copy and pickle see a plain object
            raise AttributeError(name)
        attribute: object = getattr(self._position, name)
        return attribute

    # Used at every node: written out, because __getattr__ is three times as slow.

    @property
    def is_over(self) -> bool:
        return self._position.is_over

    @property
    def turn(self) -> Side | None:
        return self._position.turn

    @property
    def cells(self) -> list[Side | None]:
        return self._position.cells

    @property
    def legal_moves(self) -> list[int]:
        return self._position.legal_moves

    def __str__(self) -> str:
        return str(self._position)

    def play(self, move: int | str) -> None:
        self._position.play(move)
        self._count.add()
        self._path.append(self._path[-1].step(move if isinstance(move, int) else self._position.moves[-1]))

    def undo(self) -> None:
        self._position.undo()
        self._path.pop()

    def copy(self) -> RecordingPosition:
        """Return a copy that is watched too."""
        self._path[-1].copies += 1
        return RecordingPosition(self._position.copy(), self._count, self._path[-1])

    def __copy__(self) -> RecordingPosition:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, object]) -> RecordingPosition:
        return self.copy()

    def after(self, move: int | str) -> RecordingPosition:
        """Return the position after a move, watched too."""
        following = RecordingPosition(self._position.copy(), self._count, self._path[-1])
        following.play(move)
        following.tree = following._path[-1]
        return following
