"""Lines and blocks in words, as people say them: ``the diagonal a1–c3``, ``in the top row``, ``the middle board``."""

from __future__ import annotations

from noughts.games import Game
from noughts.games.quoting import count

__all__ = ["block_name", "describe_line", "line_name", "moves_to_end"]

Line = tuple[int, ...]
Point = tuple[float, ...]
AXES = ("row", "column", "pillar")
"""Names of lines along one axis; a line along several axes is a diagonal, one along a fourth axis just a line."""
PLACES = (("top", "middle", "bottom"), ("left", "middle", "right"))
"""Names of the rows and of the columns of a board of three."""
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def line_name(game: Game, line: Line) -> str:
    """Return the name of a line with its ends: ``the diagonal a1–c3``.

    >>> line_name(Game("4x4x4"), (0, 16, 32, 48))
    'the pillar 1a4–4a4'
    """
    ends = f"{game.format_cell(line[0])}–{game.format_cell(line[-1])}"
    if not game.coordinates:
        return f"the line {ends}"
    moving = _moving([game.coordinates[cell] for cell in line])
    if len(moving) > 1:
        return f"the diagonal {ends}"
    return f"the {AXES[moving[0]] if moving and moving[0] < len(AXES) and not game.is_custom else 'line'} {ends}"


def describe_line(game: Game, line: Line) -> str:
    """Return how a game is won with a line, to follow ``X wins``; in Ultimate the line is one of blocks.

    >>> describe_line(Game("3x3"), (0, 4, 8)), describe_line(Game("connect4"), (0, 1, 2, 3))
    ('on the diagonal', 'with four in a row')
    >>> describe_line(Game("ultimate"), (0, 1, 2))
    'with three boards in the top row'
    """
    if game.is_ultimate:
        size = game.block_size or 0
        where = _place_on_plane([(float(block % size), float(block // size)) for block in line], (size, size))
        return f"with {_number(len(line))} boards {where}"
    points, sides = [game.coordinates[cell] for cell in line] if game.coordinates else [], game.dimensions
    if game.is_custom or sides is None or len(sides) > 3:
        return f"with a line of {_number(len(line))}"
    where = _place_on_plane(points, sides) if len(sides) < 3 else _place_in_cube(points)
    return where if "the" in where.split() and len(sides) < 3 else f"with {_number(len(line))} {where}"


def block_name(game: Game, block: int) -> str:
    """Return the name of a block of Ultimate: ``the top left board``, or ``board 7`` on larger boards.

    >>> block_name(Game("ultimate"), 4), block_name(Game("ultimate"), 5)
    ('the middle board', 'the middle right board')
    """
    if game.block_size != len(PLACES[0]):
        return f"board {block + 1}"
    row, column = PLACES[0][block // 3], PLACES[1][block % 3]
    return f"the {row if row == column else f'{row} {column}'} board"


def moves_to_end(plies: int) -> str:
    """Return the number of moves that the winner makes in a forced win of this length: ``3 moves``."""
    return count((plies + 1) // 2, "move")


def _moving(points: list[Point]) -> list[int]:
    """The axes along which a line runs."""
    return [axis for axis, values in enumerate(zip(*points, strict=True)) if len(set(values)) > 1]


def _place_on_plane(points: list[Point], sides: tuple[int, ...]) -> str:
    moving = _moving(points)
    if len(moving) > 1:
        return "on the diagonal" if sides[0] == sides[1] == len(points) else "on a diagonal"
    along = moving[0] if moving else 0
    is_named = len(points) == len(PLACES[0]) and len(sides) == 2 and sides[0] == sides[1] == len(PLACES[0])
    if not is_named:
        return f"in a {AXES[along]}"
    return f"in the {PLACES[along][int(points[0][1 - along])]} {AXES[along]}"


def _place_in_cube(points: list[Point]) -> str:
    moving = _moving(points)
    if 2 not in moving:
        shape = "on a diagonal" if len(moving) > 1 else f"in a {AXES[moving[0]]}"
        return f"{shape} of level {int(points[0][2]) + 1}"
    return "straight through the levels" if len(moving) == 1 else "on a diagonal through the cube"


def _number(number: int) -> str:
    return NUMBERS[number] if number < len(NUMBERS) else str(number)
