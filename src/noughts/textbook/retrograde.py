"""Retrograde analysis: solve every position of a small game, from the ends of play backwards."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import NamedTuple

from noughts.games import Game, Position, Side
from noughts.textbook.common import Key
from noughts.textbook.table import plain_key, symmetric_key

MOST_POSITIONS = 500_000
"""Largest table unless asked for: a few seconds, and about 250 MB while it is made."""


class Solved(NamedTuple):
    """The value of a position from X's side, and the plies to the end of play if it is decided, None if it is drawn.

    The winner takes the shortest way, the loser the longest.
    """

    value: int
    distance: int | None


@dataclass(frozen=True, slots=True)
class Tablebase:
    """The solved positions of a game, by position: ``table[position].value``, ``table[position].distance``."""

    entries: dict[int, Solved]
    key: Key

    def __getitem__(self, position: Position) -> Solved:
        """Return the value and the distance of a position; raises KeyError if it cannot be reached from the first."""
        return self.entries[self.key(position)]

    def __contains__(self, position: Position) -> bool:
        return self.key(position) in self.entries

    def __len__(self) -> int:
        return len(self.entries)

    def best_moves(self, position: Position) -> list[int]:
        """Return the moves that reach the best value in the best time: the soonest win, or the latest loss."""
        ranks = {move: self._rank(position, move) for move in position.legal_moves}
        return [move for move, rank in ranks.items() if rank == max(ranks.values())]

    def _rank(self, position: Position, move: int) -> tuple[int, int]:
        """Return the value of a move for the side that makes it, then how soon it wins or how late it loses."""
        sign = -1 if position.turn is Side.O else 1
        value, distance = self[position.after(move)]
        return sign * value, -sign * value * (distance or 0)


def retrograde(start: Game | Position, symmetry: bool = False, most_positions: int = MOST_POSITIONS) -> Tablebase:
    """Return the value and the distance of every position that can be reached from a position or in a game.

    The positions are collected first, each with its predecessors. Then the result of every finished one is passed
    backwards: a predecessor whose mover wins there is a win, one move further from the end; a predecessor all of whose
    moves are known to lose is a loss. Positions are taken by their distance from the end, so the first winning move
    found is the quickest and the last losing one the slowest. Positions that no result reaches are draws.

    With ``symmetry``, positions that are rotated or mirrored share an entry. Raises ValueError if there are more than
    ``most_positions``.
    """
    position = start.start() if isinstance(start, Game) else start.copy()
    key = symmetric_key if symmetry else plain_key
    predecessors: dict[int, list[int]] = {}
    open_moves: dict[int, int] = {}
    winning: dict[int, int] = {}
    solved: dict[int, Solved] = {}

    def collect() -> int:
        here = key(position)
        if here in predecessors:
            return here
        if len(predecessors) >= most_positions:
            raise ValueError(
                f"expected at most {most_positions:,} positions, got more; start later or give a larger most_positions"
            )
        predecessors[here] = []
        winning[here] = 1 if position.turn is Side.X else -1
        if position.winner is not None:
            solved[here] = Solved(1 if position.winner is Side.X else -1, 0)
        successors = set()
        for move in position.legal_moves:
            position.play(move)
            successors.add(collect())
            position.undo()
        for successor in successors:
            predecessors[successor].append(here)
        open_moves[here] = len(successors)
        return here

    collect()
    queue = deque(solved)
    while queue:
        here = queue.popleft()
        value, distance = solved[here]
        assert distance is not None
        for before in predecessors[here]:
            open_moves[before] -= 1
            if before not in solved and (value == winning[before] or open_moves[before] == 0):
                solved[before] = Solved(value, distance + 1)
                queue.append(before)
    draw = Solved(0, None)
    return Tablebase({here: solved.get(here, draw) for here in predecessors}, key)
