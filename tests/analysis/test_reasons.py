"""Reasons are true: on random positions they agree with a search of the board that knows nothing but lines."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from noughts import Game, Position, Side
from noughts.analysis.reasons import MoveReason, ReasonKind, reasons
from plays import play_randomly

Marks = list[Side | None]


class Board:
    """Marks on a game, without turns: the slow twin of what reasons are found from."""

    def __init__(self, game: Game, marks: Marks) -> None:
        self.game, self.marks = game, marks

    @classmethod
    def of(cls, position: Position) -> Board:
        return cls(position.game, list(position.cells))

    def with_mark(self, cell: int, side: Side) -> Board:
        return Board(self.game, [side if at == cell else mark for at, mark in enumerate(self.marks)])

    def playable(self) -> list[int]:
        return [
            cell
            for cell, mark in enumerate(self.marks)
            if mark is None and all(self.marks[below] is not None for below in self.game.rests_on[cell])
        ]

    def has_line(self, side: Side) -> bool:
        return any(
            all(self.marks[at] is side for at in line) and all(self.marks[at] is not side for at in guards)
            for line, guards in zip(self.game.lines, self.game.guards, strict=True)
        )

    def wins(self, cell: int, side: Side) -> bool:
        return self.with_mark(cell, side).has_line(side)

    def threats(self, side: Side) -> set[int]:
        return {cell for cell in self.playable() if self.wins(cell, side)}

    def can_fork(self, cell: int, side: Side) -> bool:
        """Whether a mark makes two threats that this side does not have without it."""
        return len(self.with_mark(cell, side).threats(side)) >= 2 and not self.wins(cell, side)


def is_true(reason: MoveReason, position: Position, move: int) -> bool:
    side, before = position.side_to_move, Board.of(position)
    other = side.opponent
    after = before.with_mark(move, side)
    match reason.kind:
        case ReasonKind.COMPLETES:
            return after.has_line(side)
        case ReasonKind.BLOCKS:
            return before.wins(move, other) and move in before.playable()
        case ReasonKind.FORKS:
            return len(set(reason.cells) & after.threats(side)) == 2
        case ReasonKind.THREATENS:
            (cell,) = reason.cells
            return cell in after.threats(side) - before.threats(side)
        case ReasonKind.STACKS:
            cell, above = reason.cells
            blocked = after.with_mark(cell, other)
            return cell in after.threats(side) and above in blocked.threats(side) - after.threats(side)
        case ReasonKind.PREVENTS:
            return all(before.can_fork(cell, other) for cell in reason.cells) and (
                reason.cells == (move,) or not any(made_by(after, cell, other) for cell in reason.cells)
            )
        case ReasonKind.PREPARES:
            return all(after.can_fork(cell, side) and cell in after.playable() for cell in reason.cells)
        case ReasonKind.OPENS:
            return set(reason.cells) <= after.threats(other) - before.threats(other)
        case ReasonKind.LEAVES:
            return set(reason.cells) <= after.threats(other) & before.threats(other)
        case ReasonKind.STANDS:
            number = sum(
                move in line
                and all(before.marks[at] is not other for at in line)
                and all(before.marks[at] is not side for at in guards)
                for line, guards in zip(position.game.lines, position.game.guards, strict=True)
            )
            return reason.text.startswith(f"is on {number} line")
    raise AssertionError(reason)


def made_by(board: Board, cell: int, side: Side) -> bool:
    """Whether a mark makes two new threats."""
    if board.marks[cell] is not None:
        return False
    return len(board.with_mark(cell, side).threats(side) - board.threats(side)) >= 2


@pytest.mark.parametrize("id", ["3x3", "4x4:3", "5x5:4", "6x5:4+gravity", "3x3x3", "7x7:4+exact", "4x4x4+gravity"])
def test_reasons_are_true_on_random_positions(id: str) -> None:
    game, chance, seen = Game(id), random.Random(id), Counter[ReasonKind]()
    for _ in range(40):
        position = play_randomly(game.start(), chance, chance.randrange(game.cells * 2 // 3))
        if position.is_over:
            continue
        for move in chance.sample(position.legal_moves, min(6, len(position.legal_moves))):
            for reason in reasons(position, move):
                assert is_true(reason, position, move), (position.text, game.format_cell(move), reason)
                seen[reason.kind] += 1
    assert len(seen) >= 6, seen


def kinds(id: str, text: str, move: str) -> dict[ReasonKind, str]:
    position = Game(id).parse(text)
    return {reason.kind: reason.text for reason in reasons(position, position.parse_move(move))}


def test_block_that_also_threatens_says_both() -> None:
    found = kinds("4x4:3", "4/1o1x/1oxx/4 o", "a2")
    assert found[ReasonKind.THREATENS].startswith("threatens to complete")
    found = kinds("3x3", "o2/ox1/2x x", "a1")
    assert found[ReasonKind.BLOCKS] == "blocks the column a3–a1"
    assert found[ReasonKind.FORKS] == "makes two threats: c3 and b1"


def test_open_three_prepares_two_threats() -> None:
    found = kinds("15x15:5", "15/15/15/15/15/15/6oo7/15/6xx7/15/15/15/15/15/15 x", "i7")
    assert found[ReasonKind.PREPARES].startswith("prepares two threats at once with ")


def test_mark_on_which_the_other_side_completes_a_line_is_a_reason_against_it() -> None:
    found = kinds("7x6:4+gravity", "7/7/7/7/ooo4/xxxo2x x", "f1")
    assert found[ReasonKind.LEAVES] == "leaves d2 to O, who completes the row a2–d2 there"
    found = kinds("7x6:4+gravity", "7/7/7/ooo4/xxo4/oxxx3 x", "d2")
    assert found[ReasonKind.OPENS] == "opens d3 to O, who completes the row a3–d3 there"


def test_move_that_leaves_a_threat_says_so() -> None:
    assert kinds("3x3", "xx1/o2/3 o", "a1")[ReasonKind.LEAVES] == "leaves c3 to X, who completes the row a3–c3 there"
