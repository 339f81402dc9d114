"""Short playthroughs that show a rule: both sides play together until it can be seen. The rules check every move."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from random import Random

from noughts.games.cache import once_per_game
from noughts.games.game import Game
from noughts.games.outcome import Outcome, Side
from noughts.games.position import Position

__all__ = ["back_to", "full_board", "is_straight", "line_of_blocks", "mark_all", "moving_axes", "random_end", "way_off"]

Line = Sequence[int]

MAX_VISITED = 3000
"""Positions that a search for a playthrough visits before it gives up."""
MAX_LINES_TRIED = 12
RANDOM_PLAYTHROUGHS = 40


def moving_axes(game: Game, line: Line) -> tuple[int, ...]:
    """Return the axes along which a line runs: ``(0,)`` for a row, ``(0, 1)`` for a diagonal.

    >>> moving_axes(Game("3x3"), (0, 4, 8))
    (0, 1)
    """
    points = _points(game, line)
    return tuple([axis for axis in range(len(points[0])) if len({point[axis] for point in points}) > 1])


def is_straight(game: Game, line: Line) -> bool:
    """Return whether a line runs without crossing an edge of the board.

    >>> is_straight(Game("4x4:3+wrap"), (0, 1, 2)), is_straight(Game("4x4:3+wrap"), (0, 1, 3))
    (True, False)
    """
    points = sorted(_points(game, line))
    steps = {tuple([b - a for a, b in zip(one, other, strict=True)]) for one, other in pairwise(points)}
    return len(steps) == 1


def _points(game: Game, cells: Line) -> list[tuple[float, ...]]:
    """The coordinates of some cells."""
    points = _coordinates(game)
    return [points[cell] for cell in cells]


@once_per_game
def _coordinates(game: Game) -> tuple[tuple[float, ...], ...]:
    return game.coordinates


@once_per_game
def _middle(game: Game) -> tuple[float, ...]:
    return tuple([(min(axis) + max(axis)) / 2 for axis in zip(*_coordinates(game), strict=True)])


def mark_all(game: Game, cells: Line, ends: bool = True) -> list[int] | None:
    """Return moves after which X has marked all these cells, the last of them with the last move, or None.

    No line is complete before. ``ends`` says whether the last move ends the game.
    """
    return _Search(game, cells, ends).find()


class _Search:
    """A depth-first search for moves after which X has marked all of some cells, in their order if possible."""

    def __init__(self, game: Game, goal: Line, ends: bool) -> None:
        self.goal, self.ends = list(goal), ends
        self.position = game.start()
        self.wanted = _supports(game, goal)
        near = _distance_to(game, goal)
        self.others = sorted(set(range(game.cells)) - set(goal) - set(self.wanted), key=lambda cell: (near(cell), cell))
        self.left = MAX_VISITED

    def find(self) -> list[int] | None:
        """The moves, or None if there are none or too many positions."""
        return self.position.moves if self._continue() else None

    def _continue(self) -> bool:
        position, self.left = self.position, self.left - 1
        marks = position.cells
        if all(marks[cell] is Side.X for cell in self.goal):
            return position.is_over is self.ends
        if position.is_over or self.left < 0:
            return False
        for move in list(self._candidates(position)):
            position.play(move)
            if self._continue():
                return True
            position.undo()
            if self.left < 0:
                return False
        return False

    def _candidates(self, position: Position) -> Iterator[int]:
        """The moves worth trying: X takes a cell of the goal if it can, O prepares the next one or plays near."""
        legal = set(position.legal_moves)
        mine = [cell for cell in self.goal if cell in legal] if position.turn is Side.X else []
        if mine:
            yield from mine[:2]
            return
        yield from (cell for cell in self.wanted if cell in legal)
        yield from [cell for cell in self.others if cell in legal][:4]


def _supports(game: Game, cells: Line) -> list[int]:
    """The cells that must be filled before these can be played, from the floor up."""
    below, found, left = game.rests_on, [], list(cells)
    while left:
        for cell in below[left.pop()]:
            if cell not in cells and cell not in found:
                found.append(cell)
                left.append(cell)
    return sorted(found, key=lambda cell: (_height(game, cell), cell))


def _height(game: Game, cell: int) -> int:
    """How many cells lie below a cell."""
    seen, left = {cell}, [cell]
    while left:
        for below in game.rests_on[left.pop()]:
            if below not in seen:
                seen.add(below)
                left.append(below)
    return len(seen) - 1


def _distance_to(game: Game, cells: Line) -> Callable[[int], float]:
    """The distance of a cell from the nearest of these; 0 for all in a game without coordinates."""
    points = _coordinates(game)
    if not points:
        return lambda cell: 0
    near = _points(game, cells)
    return lambda cell: min(max(abs(a - b) for a, b in zip(points[cell], other, strict=True)) for other in near)


def way_off(game: Game, line: Line) -> tuple[float, float]:
    """Return how unsuitable a line is for a picture: what must be filled below it, and its distance from the middle."""
    supports = len(_supports(game, line)) if game.has_gravity else 0
    if not _coordinates(game):
        return supports, 0
    middle = _middle(game)
    return supports, sum(abs(a - b) for point in _points(game, line) for a, b in zip(point, middle, strict=True))


def full_board(game: Game) -> list[int] | None:
    """Return the moves of a draw on a full board, or None if a short search finds none."""
    position, left = game.start(), MAX_VISITED

    def continued() -> bool:
        nonlocal left
        left -= 1
        if position.is_over or left < 0:
            return position.is_over and position.winner is None
        for move in position.legal_moves:
            position.play(move)
            if continued():
                return True
            position.undo()
        return False

    return position.moves if continued() else None


def random_end(game: Game, is_wanted: Callable[[Outcome], bool]) -> list[int] | None:
    """Return the moves of a random playthrough with an outcome that is wanted, or None if none of a few has one."""
    for seed in range(RANDOM_PLAYTHROUGHS):
        position, generator = game.start(), Random(seed)
        while not position.is_over:
            legal = position.legal_moves
            position.play(legal[generator.randrange(len(legal))])
        outcome = position.outcome
        if outcome is not None and is_wanted(outcome):
            return position.moves
    return None


def back_to(game: Game, block: int, line: Line) -> list[int]:
    """Return moves in Ultimate with which X marks a line of a block: each reply of O sends X back to that block.

    The last move is O's, which sends X there once more. The line must not contain the place of the block in itself.
    """
    size = game.blocks
    return [move for cell in line for move in (cell, cell % size * size + block)]


def line_of_blocks(game: Game) -> list[int] | None:
    """Return the moves of a playthrough of Ultimate in which X completes a line of blocks, or None.

    O helps: it sends X to the blocks of that line, and wins none itself.
    """
    size = game.blocks
    lines = [line for line in game.lines if game.block_of(line[0]) == 0]
    for outer in game.outer_lines[:MAX_LINES_TRIED]:
        for shift in range(len(lines)):
            goal = {block * size + cell for at, block in enumerate(outer) for cell in lines[(shift + at) % len(lines)]}
            position = _helped(game, outer, goal)
            if position.is_over and position.winning_line is not None and set(position.winning_line) == set(outer):
                return position.moves
    return None


def _helped(game: Game, outer: Collection[int], goal: Collection[int]) -> Position:
    """A playthrough in which X takes cells of the goal if it can, and O sends X to the blocks that it needs."""
    position = game.start()
    while not position.is_over:
        owners = position.blocks
        needed = {block for block in outer if owners[block] is None}
        move: int | None
        if position.turn is Side.X:
            move = min(position.legal_moves, key=lambda cell: (cell not in goal, game.block_of(cell) in needed, cell))
        else:
            move = _quiet(position, [cell for cell in position.legal_moves if cell not in goal], needed)
        if move is None:
            break
        position.play(move)
    return position


def _quiet(position: Position, moves: Iterable[int], needed: Collection[int]) -> int | None:
    """The first move that completes no line, if possible one that sends the opponent to a block that is needed."""
    sends, won = position.game.sends, position.blocks
    for move in sorted(moves, key=lambda cell: (sends[cell] not in needed, cell)):
        if position.after(move).blocks == won:
            return move
    return None
