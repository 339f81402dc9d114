"""Themes of puzzles: what the proof of a win uses, each decided by a test on the positions of the solution.

A theme is named only if the win depends on it: in a zugzwang the other side could hold if it could pass, and with
sending it could hold if it could choose its board.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import NamedTuple

from noughts.games import Game, Position, Side

__all__ = ["Theme", "find_themes"]

Loses = Callable[[Position, int], bool]
"""Whether the side to move loses to at most this many moves of its opponent."""
MIN_FORCED = 3
"""Moves of a forced sequence: of two moves, the first always forces."""


class Theme(StrEnum):
    """What the solution of a puzzle uses."""

    FORK = "fork"
    """A move makes two threats at once."""
    STACK = "stacked threats"
    """A threat is blocked by a mark on which the next one completes a line."""
    FORCED = "forced sequence"
    """Every reply but the last is the only one that stops a threat."""
    QUIET = "quiet move"
    """The first move threatens nothing."""
    BLOCK = "block and threaten"
    """A move stops a threat and makes one."""
    ZUGZWANG = "zugzwang"
    """The other side loses because it must move."""
    SENDING = "sending"
    """The other side loses because it may not choose its board."""
    FREE_MOVE = "free choice of board"
    """A move of the solution is played when every open board is allowed, and in another one than before."""
    ONLY_MOVE = "only move"
    """All other moves lose."""


class _Step(NamedTuple):
    """A move of the winner in the solution."""

    before: Position
    move: int
    after: Position
    left: int
    """The number of moves that the winner needs after it."""


def find_themes(position: Position, line: Sequence[int], moves: int, loses: Loses) -> tuple[Theme, ...]:
    """Return the themes of a line that wins in a number of moves, in the order of ``Theme``."""
    side, steps = position.side_to_move, _steps(position, line, moves)
    found = _of_boards(steps, loses) if position.game.is_ultimate else _of_threats(steps, side, loses)
    return tuple(theme for theme in Theme if theme in found)


def _steps(position: Position, line: Sequence[int], moves: int) -> list[_Step]:
    """The moves of the winner in a line, but the last one, which ends the game."""
    steps, position = [], position.copy()
    for at, move in enumerate(line[:-1]):
        before = position.copy()
        position.play(move)
        if at % 2 == 0:
            steps.append(_Step(before, move, position.copy(), moves - at // 2 - 1))
    return steps


def _of_boards(steps: Sequence[_Step], loses: Loses) -> set[Theme]:
    found = set()
    if any(
        step.after.block_to_play is not None and not loses(_with_free_choice(step.after), step.left) for step in steps
    ):
        found.add(Theme.SENDING)
    if any(step.before.block_to_play is None for step in steps[1:]):
        found.add(Theme.FREE_MOVE)
    return found


def _with_free_choice(position: Position) -> Position:
    """The same position with the right to play in any open board."""
    cells = [-1 if mark is None else mark.number for mark in position.cells]
    owners = [-1 if owner is None else owner.number for owner in position.blocks]
    return Position(position.game, cells, position.side_to_move, None, owners)


def _of_threats(steps: Sequence[_Step], side: Side, loses: Loses) -> set[Theme]:
    found = set()
    forcing = [bool(step.after.threats(side)) for step in steps]
    if any(len(step.after.threats(side)) > 1 for step in steps):
        found.add(Theme.FORK)
    if any(_is_stack(step.after, side) for step in steps):
        found.add(Theme.STACK)
    if len(steps) + 1 >= MIN_FORCED and all(forcing):
        found.add(Theme.FORCED)
    if not forcing[0]:
        found.add(Theme.QUIET)
    if any(
        step.move in step.before.threats(side.opponent) and is_forcing
        for step, is_forcing in zip(steps, forcing, strict=True)
    ):
        found.add(Theme.BLOCK)
    if steps[0].before.game.has_gravity and any(
        not is_forcing and not _loses_after_pass(step, loses) for step, is_forcing in zip(steps, forcing, strict=True)
    ):
        found.add(Theme.ZUGZWANG)
    return found


def _is_stack(position: Position, side: Side) -> bool:
    """Whether the only threat of a side is blocked by a mark that makes the next threat playable."""
    threats = position.threats(side)
    if len(threats) != 1:
        return False
    blocked = position.after(threats[0])
    return not blocked.is_over and bool(blocked.threats(side))


def _loses_after_pass(step: _Step, loses: Loses) -> bool:
    """Whether the side to move after a step would lose as fast if it could pass."""
    game, position = step.after.game, step.after
    spare = _game_with_spare_cell(game)
    cells = [-1 if mark is None else mark.number for mark in position.cells]
    with_spare = Position(spare, [*cells, -1], position.side_to_move)
    with_spare.play(game.cells)
    return not with_spare.is_over and _wins(with_spare, step.left, loses)


def _wins(position: Position, moves: int, loses: Loses) -> bool:
    """Whether the side to move wins within this many moves."""
    side = position.side_to_move
    if position.threats(side):
        return True
    return moves > 1 and any(loses(position.after(move), moves - 1) for move in position.legal_moves)


def _game_with_spare_cell(game: Game) -> Game:
    """The game with one more cell on no line: playing there is passing."""
    return Game.from_lines(
        "with a spare cell",
        cells=game.cells + 1,
        lines=game.lines,
        guards=game.guards,
        rests_on=[*game.rests_on, ()],
    )
