"""Every game of the catalogue and three made by hand, each with one of its symmetries. A new game is one line."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import noughts as no
import reference
from plays import played_at_random

Permutation = list[int]


def fano() -> no.Game:
    """Seven points and seven lines; any two points are on a line."""
    return no.Game.from_lines("fano", cells=7, lines=[[i, (i + 1) % 7, (i + 3) % 7] for i in range(7)])


def triangle_places(side: int) -> list[tuple[int, int]]:
    return [(row, place) for row in range(side) for place in range(row + 1)]


def triangle_lines(side: int, k: int) -> list[list[int]]:
    """Runs of k along the three directions of a triangular board, the tip at the top."""
    places = triangle_places(side)
    runs = [
        [(row + dr * step, place + dp * step) for step in range(k)]
        for row, place in places
        for dr, dp in ((0, 1), (1, 0), (1, 1))
    ]
    return [[places.index(at) for at in run] for run in runs if all(at in places for at in run)]


def triangle() -> no.Game:
    layout = [(2 * place - row, row) for row, place in triangle_places(5)]
    return no.Game.from_lines("triangle", cells=15, lines=triangle_lines(5, 3), layout=layout)


def pyramid() -> no.Game:
    """A triangle built from its base: every mark rests on the two below it."""
    places = triangle_places(5)
    rests_on = [
        [places.index((row + 1, place)), places.index((row + 1, place + 1))] if row < 4 else [] for row, place in places
    ]
    return no.Game.from_lines("pyramid", cells=15, lines=triangle_lines(5, 3), rests_on=rests_on)


def shift(game: no.Game) -> Permutation:
    return [(cell + 1) % game.cells for cell in range(game.cells)]


def mirror_triangle(game: no.Game) -> Permutation:
    places = triangle_places(5)
    return [places.index((row, row - place)) for row, place in places]


def mirror(game: no.Game) -> Permutation:
    """Left and right exchanged, a symmetry of every game with an id."""
    twin = reference.build(game.id)
    if isinstance(twin, reference.UltimateGame):
        side, size = twin.side, twin.block_size
        flat = [cell - cell % side + side - 1 - cell % side for cell in range(size)]
        return [flat[cell // size] * size + flat[cell % size] for cell in range(twin.cells)]
    width = twin.sides[0]
    return [cell - cell % width + width - 1 - cell % width for cell in range(twin.cells)]


# A game's id or data, and one of its symmetries.
GAMES: dict[str, tuple[Callable[[], no.Game], Callable[[no.Game], Permutation]]] = {
    **{entry.id: (partial(no.Game, entry.id), mirror) for entry in no.catalogue()},
    "fano": (fano, shift),
    "triangle": (triangle, mirror_triangle),
    "pyramid": (pyramid, mirror_triangle),
}


def make(name: str) -> no.Game:
    return GAMES[name][0]()


def random_moves(game: no.Game, seed: int) -> list[int]:
    """The moves of one random playthrough, to the end."""
    position = played_at_random(game, seed)
    assert position.is_over, "every playthrough ends once the board is full"
    return position.moves
