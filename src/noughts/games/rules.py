"""The rules of any game in words, each rule with a short playthrough that shows it.

A game has a few steps: a sentence, the moves that lead to a board, and the moves to be shown on it. The moves are found
by playing the game, so a picture cannot contradict the rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from noughts.games.cache import once_per_game
from noughts.games.demonstrations import (
    back_to,
    full_board,
    is_straight,
    line_of_blocks,
    mark_all,
    moving_axes,
    random_end,
    way_off,
)
from noughts.games.game import Game
from noughts.games.outcome import Outcome, Side, Termination
from noughts.games.position import Position

__all__ = ["Rule", "rules_of", "spelled"]

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
MAX_SHOWN = 6
"""Moves shown in a step: more would take longer than the sentence."""
FIRST_SHOWN = 4
MAX_DRAWN_CELLS = 25
"""On larger boards no draw is shown: it takes too many marks to be seen at a glance."""
MAX_LINES_TRIED = 6

Line = tuple[int, ...]


class Rule(NamedTuple):
    """A rule: its name, a sentence, and a playthrough of which the last ``shown`` moves show it."""

    name: str
    text: str
    moves: tuple[int, ...]
    shown: int
    highlighted: tuple[int, ...] = ()
    """The cells to point out at the end; a complete line is found by the rules."""

    def position(self, game: Game) -> Position:
        """Return the position at the end."""
        position = game.start()
        position.play_all(self.moves)
        return position


def spelled(number: int) -> str:
    """Return a number as people write it in a sentence."""
    return NUMBERS[number] if number < len(NUMBERS) else f"{number:,}"


@once_per_game
def rules_of(game: Game) -> tuple[Rule, ...]:
    """Return the rules of a game, a step for each."""
    steps = _ultimate_steps(game) if game.is_ultimate else _flat_steps(game)
    return tuple(_with_boards(list(steps)))


def _with_boards(steps: list[Rule]) -> Iterator[Rule]:
    """The steps; the sentence of one whose rule could not be shown is added to the step before it."""
    kept: list[Rule] = []
    for step in steps:
        if step.moves or step.highlighted or not kept:
            kept.append(step)
        else:
            kept[-1] = kept[-1]._replace(text=f"{kept[-1].text} {step.text}")
    yield from kept


def _showing(name: str, text: str, moves: Sequence[int] | None, shown: int, highlighted: Sequence[int] = ()) -> Rule:
    moves = tuple(moves or ())
    return Rule(name, text, moves, min(shown, len(moves)), tuple(highlighted))


# Boards with one set of lines


class _Kind(NamedTuple):
    """Lines in one direction: how they are called in a sentence, and those best shown first."""

    words: str
    lines: list[Line]


def _flat_steps(game: Game) -> Iterator[Rule]:
    kinds = _kinds(game)
    shown = [(kind, moves) for kind in kinds if (moves := _first(game, kind.lines)) is not None]
    first = shown[0][1] if shown else []
    opening = first[:FIRST_SHOWN] if len(first) > FIRST_SHOWN else first[:1] or game.start().legal_moves[:1]
    yield _showing("turns", _turns(game), opening, FIRST_SHOWN)
    if shown:
        text = _first_line(game, shown[0][0].words)
        yield _showing("line", text, first, min(MAX_SHOWN, len(first) - len(opening)))
    else:
        yield Rule("line", _first_line(game, kinds[0].words), (), 0, kinds[0].lines[0])
    for kind, moves in shown[1:]:
        yield _showing("direction", _also(game, kind.words), moves, MAX_SHOWN)
    if any(game.guards):
        yield _guarded(game)
    yield _draw(game)


def _turns(game: Game) -> str:
    """How a move is made."""
    sides = game.dimensions or ()
    both = "X and O take turns."
    if game.is_custom:
        rest = " A cell can be marked once the cells below it are full." if game.has_gravity else ""
        return f"{both} Each marks an empty cell, and marks never move.{rest}"
    if game.has_gravity and len(sides) == 2:
        return f"{both} Choose a column: your disc drops to the lowest free space."
    if game.has_gravity:
        where = "peg" if len(sides) == 3 else "pile"
        return f"{both} Choose a {where}: your mark comes to rest on those that lie there."
    if len(sides) == 3:
        width, height, levels = sides
        board = f"The board has {spelled(levels)} levels of {width}×{height} cells."
        return f"{board} {both} Each marks an empty cell anywhere."
    if len(sides) > 3:
        count = spelled(game.cells // (sides[0] * sides[1]))
        return (
            f"Here are {count} boards of {sides[0]}×{sides[1]} cells. {both} Each marks an empty cell on any of them."
        )
    return f"{both} Each marks an empty cell, and marks never move."


def _kinds(game: Game) -> list[_Kind]:
    """The lines by direction as they are explained: at most three directions, and lines over the edges of a torus."""
    if game.is_custom:
        lines = sorted(game.lines, key=lambda line: (len(line), way_off(game, line)))
        return [_Kind("", lines[:1]), *([_Kind("", lines[1:])] if len(lines) > 1 else [])]
    found: dict[str, list[Line]] = {}
    for line in game.lines:
        found.setdefault(_direction(game, line), []).append(line)
    order = [name for name in ("across", "upright", "corners", "slanting", "edge") if name in found]
    if "corners" in order and "slanting" in order:
        order.remove("slanting")  # the sentence about corners names both
    if len(game.dimensions or ()) == 2 and order[:3] == ["across", "upright", "slanting"]:
        order.remove("upright")  # as does the one about diagonals
    return [_Kind(name, sorted(found[name], key=lambda line: way_off(game, line))) for name in order]


def _direction(game: Game, line: Line) -> str:
    """The direction of a line, one of those that are explained together."""
    if not is_straight(game, line):
        return "edge"
    axes, count = moving_axes(game, line), len(game.dimensions or ())
    if count == 2:
        return ("across", "upright", "slanting")[2 if len(axes) > 1 else axes[0]]
    if max(axes) < 2:
        return "across"
    return "upright" if len(axes) == 1 else "corners" if len(axes) == count else "slanting"


def _first(game: Game, lines: Sequence[Line]) -> list[int] | None:
    """Moves that complete the first of these lines that a short search can complete."""
    for line in lines[:MAX_LINES_TRIED]:
        moves = mark_all(game, line)
        if moves is not None:
            return moves
    return None


def _first_line(game: Game, direction: str) -> str:
    """What a complete line does, for the direction that is shown first."""
    if game.is_custom:
        return _custom_line(game)
    more = " or more" if not any(game.guards) and _fits_more(game) and not game.is_misere else ""
    row, count = f"{spelled(game.k)}{more} in a row", len(game.dimensions or ())
    where = {
        "across": "horizontally" if count == 2 else "on one level" if count == 3 else "on one board",
        "upright": "vertically" if count == 2 else "straight through the levels",
        "slanting": "diagonally",
        "edge": "over the edge",
    }.get(direction, "diagonally")
    if game.is_misere:
        return f"Avoid lines: the first to have {row} loses. Here X does, {where}."
    return f"The first to have {row} wins: here X does, {where}."


def _custom_line(game: Game) -> str:
    count = len(game.lines)
    lines = "one line" if count == 1 else f"{spelled(count)} lines"
    sizes = sorted({len(line) for line in game.lines})
    cells = (
        " or ".join(spelled(size) for size in sizes)
        if len(sizes) < 4
        else f"{spelled(sizes[0])} to {spelled(sizes[-1])}"
    )
    end = "The first to complete a line loses" if game.is_misere else "The first to complete a line wins"
    return f"This board has {lines} of {cells} cells. {end}."


def _fits_more(game: Game) -> bool:
    """Whether more marks in a row than a line needs are possible."""
    return game.dimensions is not None and max(game.dimensions) > game.k


def _also(game: Game, direction: str) -> str:
    """The sentence for a further direction."""
    if game.is_custom:
        return "Any of the lines counts, whichever way it runs on the board."
    verb = "lose" if game.is_misere else "count"
    count = len(game.dimensions or ())
    match direction:
        case "upright" if count == 2:
            return f"Vertical lines {verb}, too."
        case "upright":
            return f"The same place on {spelled(game.k)} {_floors(game)} in a row is a line, too."
        case "slanting" if count == 2:
            return f"Vertical and diagonal lines {verb}, too."
        case "slanting" | "corners" if count == 3:
            return f"Diagonals {verb}, too: on a level, up a side, or through the cube from corner to corner."
        case "slanting" | "corners":
            return "A line may also shift by one place from each board to the next, as diagonals do."
        case _:
            return "The edges are joined: a line that leaves the board on one side comes back on the other."


def _floors(game: Game) -> str:
    return "levels" if len(game.dimensions or ()) == 3 else "boards"


def _guarded(game: Game) -> Rule:
    """Runs that are too long, or that the owner of a line must not have."""
    if game.is_custom:
        text = "Some lines do not count for a side that also has a certain other cell."
    else:
        text = f"Exactly {spelled(game.k)}: a longer row does not {'lose' if game.is_misere else 'win'}."
    runs = [sorted([*line, guards[-1]]) for line, guards in zip(game.lines, game.guards, strict=True) if guards]
    for run in sorted(runs, key=lambda run: (_is_stacked(game, run), way_off(game, run)))[:MAX_LINES_TRIED]:
        last = run[len(run) // 2]
        moves = mark_all(game, [*[cell for cell in run if cell != last], last], ends=False)
        if moves is not None and moves[-1] == last:
            return _showing("exact", text, moves, FIRST_SHOWN, run)
    return Rule("exact", text, (), 0)


def _is_stacked(game: Game, cells: Sequence[int]) -> bool:
    """Whether one of these cells rests on another."""
    return game.has_gravity and any(below in cells for cell in cells for below in game.rests_on[cell])


def _draw(game: Game) -> Rule:
    text = "If the board is full and there is no line, the game is a draw."
    moves = full_board(game) if game.cells <= MAX_DRAWN_CELLS else None
    return _showing("draw", text, moves, FIRST_SHOWN)


# Ultimate


def _ultimate_steps(game: Game) -> Iterator[Rule]:
    n, size = game.block_size or 0, game.blocks
    centre = n // 2 * n + n // 2 if n % 2 else (n + 1) * (n // 2 - 1)
    line = next(line for line in game.lines if game.block_of(line[0]) == centre and centre * size + centre not in line)
    moves = back_to(game, centre, line)
    in_a_row = f"{spelled(n)} in a row"
    text = (
        f"{spelled(size).capitalize()} small boards make one large board. Your cell on the small board decides on which"
        " board your opponent plays next: top left sends to the top left board. Boards and their cells are numbered"
        " from 1 at the top left, row by row."
    )
    yield Rule("turns", text, tuple(moves[:2]), 2)
    yield _showing("board", f"{in_a_row.capitalize()} on a small board win it.", moves[:-1], 2 * n - 3, line)
    if game.keeps_won_blocks_open:
        text = "A board that is won stays in play until it is full. If you are sent to a full board, play on any other."
        own = tuple(cell for cell in range(centre * size, centre * size + size) if cell not in moves)
        yield _showing("sent", text, moves, 1, own)
    else:
        text = "A board that is won or full is closed: if you are sent there, play on any other."
        yield _showing("sent", text, moves, 1)
    ended = line_of_blocks(game)
    end = "loses: avoid it" if game.is_misere else "wins the game"
    yield _showing("line", f"A row of {spelled(n)} boards, horizontal, vertical or diagonal, {end}.", ended, 3)
    if game.counts_blocks:
        text = "If there is no such row at the end, the side with more boards wins."
        yield _showing("count", text, random_end(game, _is_counted), 2)
    else:
        yield Rule("draw", "If no move is left and there is no such row, the game is a draw.", (), 0)


def _is_counted(outcome: Outcome) -> bool:
    return outcome.reason is Termination.COUNT and outcome.winner is Side.X
