"""The named games and a good choice of others, each with a line about it."""

from __future__ import annotations

from typing import NamedTuple

from noughts.games.ids import ALIASES

__all__ = ["Entry", "catalogue"]


class Entry(NamedTuple):
    """A game worth knowing: its id, its name (an alias, or the id again) and a line about it."""

    id: str
    name: str
    about: str


_ABOUT = {
    "3x3": "Tic-tac-toe: three in a row on nine cells. A draw unless one side slips.",
    "3x3+misere": "Three in a row loses. The first player draws by the centre and mirror play.",
    "4x4:3": "Three in a row on sixteen cells. The first player wins quickly.",
    "4x4": "Four in a row on 4×4. A draw: every line is easily blocked.",
    "5x5:4": "Four in a row on 5×5. A draw, but not an easy one.",
    "6x6:4": "Four in a row on 6×6. A win for the first player.",
    "5x5": "Five in a row on 5×5: who makes the first mistake?",
    "7x7:5": "Five in a row on 7×7. A draw, and hard to prove.",
    "15x15:5": "Gomoku, freestyle: five or more in a row on 15×15.",
    "15x15:5+exact": "Standard Gomoku: exactly five in a row; six do not count.",
    "10x10:5+wrap": "Five in a row on a torus: the board has no edge to hide at.",
    "4x4+wrap": "Four in a row on a torus: broken diagonals count too.",
    "7x6:4+gravity": "Connect Four: marks fall to the bottom; four in a row wins.",
    "5x4:4+gravity": "A small Connect Four, quickly explored to the end.",
    "7x6:4+gravity+misere": "Connect Four the other way round: four in a row loses.",
    "3x3x3": "Three in a row in a cube of 27 cells. The first player wins by taking the centre.",
    "3x3x3+misere": "The cube of 27 cells where three in a row loses.",
    "4x4x4": "Qubic: four in a row in a cube of 64 cells, 76 lines.",
    "4x4x4+gravity": "Score Four: Qubic played with beads on sixteen pegs.",
    "5x5x5": "Five in a row in a cube of 125 cells: it is not known who wins.",
    "4x4x4x4": "Four dimensions, 256 cells, 520 lines. Bring coffee.",
    "ultimate:2": "Ultimate on 2×2 of 2×2: small enough to think through.",
    "ultimate:3": "Ultimate tic-tac-toe: nine boards in one, each move sends the opponent.",
    "ultimate:3+count": "Ultimate where, with no line, more won boards win.",
    "ultimate:3+open": "Ultimate where won boards stay in play until full. A win for X.",
    "ultimate:3+misere": "Ultimate where a line of boards loses.",
    "ultimate:4": "Ultimate on 4×4 of 4×4: 256 cells.",
    "ultimate:4+count": "Ultimate on 4×4 of 4×4, the competition rules: 16 points for a line, else boards won.",
}


def catalogue() -> list[Entry]:
    """Return the catalogue, the named games first."""
    names = {id: alias for alias, id in ALIASES.items()}
    entries = [Entry(id, names.get(id, id), about) for id, about in _ABOUT.items()]
    return sorted(entries, key=lambda entry: entry.name == entry.id)
