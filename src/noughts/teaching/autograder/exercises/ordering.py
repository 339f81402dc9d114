"""
Write a move order. `order(position)` returns the legal moves of a position, those first that are most often best.

Alpha-beta visits the fewest nodes if it tries the best move first. The order must contain every legal move once, must
not change from call to call, and must let alpha-beta visit fewer nodes than the order row by row does.
`position.legal_moves` are cells, numbered from 0 row by row; `position.game.lines` are the lines of cells that win.
"""

from noughts.games import Position


def order(position: Position) -> list[int]:
    """Return every legal move once, the most promising first."""
    # BEGIN SOLUTION
    lines_through = [sum(cell in line for line in position.game.lines) for cell in range(position.game.cells)]
    return sorted(position.legal_moves, key=lambda move: -lines_through[move])
    # END SOLUTION
