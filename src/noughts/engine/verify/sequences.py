"""Replays the forced sequences of proofs, for the checker."""

from __future__ import annotations

from collections.abc import Sequence

from noughts.engine.verify.reference_rules import FlatRules, cells_in

__all__ = ["Sequences"]


class Sequences:
    """Replays forced sequences: each move of the prover leaves the opponent one reply, until no reply helps.

    ``hopes`` are the cells that would complete a line of the prover, ``fears`` those that would complete one of the
    opponent.
    """

    def __init__(self, rules: FlatRules) -> None:
        self.rules = rules
        self.positions = 0
        self.names = rules.game.format_cell

    def lacking(self, own: int, other: int) -> int:
        """Return the empty cells that would complete a line, regardless of guards."""
        return _lacking(self.rules.lines, own, other)

    def _completing(self, cells: int, own: int) -> int:
        """Those of the cells that complete a line that is not spoiled by a guard."""
        if not self.rules.has_guards:
            return cells
        return sum(1 << cell for cell in cells_in(cells) if self.rules.completes(own | 1 << cell, cell))

    def replay_after(
        self, cell: int, own: int, other: int, hopes: int, fears: int, sequence: Sequence[int]
    ) -> str | None:
        """Replay after a reply of the opponent; returns None if the prover wins, else the reason why not."""
        bit = 1 << cell
        if self._completing(fears & bit, other):
            return "expected a reply that does not win, but it completes a line"
        self.positions += 1
        other |= bit
        fears = fears & ~bit | _lacking(self.rules.through[cell], other, own)
        return self.replay(own, other, hopes & ~bit, fears, sequence, at_once=True)

    def replay(
        self, own: int, other: int, hopes: int, fears: int, sequence: Sequence[int], at_once: bool
    ) -> str | None:
        """Replay with the prover to move; returns None if it wins, else the reason why not.

        With ``at_once`` the first line that can be completed ends the sequence; otherwise every move must be played.
        """
        rules = self.rules
        free = rules.board & ~(own | other)
        playable = rules.playable(free)
        for number, cell in enumerate(sequence):
            wins = self._completing(hopes & playable, own)
            if at_once and wins:
                return None
            bit = 1 << cell if cell < rules.cells else 0
            if not playable & bit:
                return f"expected a legal move in the sequence, got {self._name(cell)}"
            self.positions += 1
            own |= bit
            free ^= bit
            playable = rules.playable(free)
            ended = bool(wins & bit)
            if not ended:
                hopes, fears = hopes & ~bit | _lacking(rules.through[cell], own, other), fears & ~bit
                if self._completing(fears & playable, other):
                    return f"expected no line open to the opponent after {self._name(cell)}, but one can be completed"
                wins = self._completing(hopes & playable, own)
                if not wins:
                    return f"expected {self._name(cell)} to threaten a line, but it does not"
                ended = wins & wins - 1 != 0
            if ended:
                spare = len(sequence) - number - 1
                return None if at_once or not spare else f"expected the sequence to end with {self._name(cell)}"
            self.positions += 1
            other |= wins
            free ^= wins
            playable = rules.playable(free)
            forced = rules.through[wins.bit_length() - 1]
            hopes, fears = hopes & ~wins, fears & ~wins | _lacking(forced, other, own)
        if self._completing(hopes & playable, own):
            return None
        return "expected a sequence that ends in a win, but it stops before"

    def indifferent(self, own: int, other: int, hopes: int, fears: int, sequence: Sequence[int]) -> int:
        """Return replies after which the same moves win as if the opponent had passed; not necessarily all of them.

        A reply matters if it takes a cell the sequence uses, completes a line, or makes a threat, that is, lies on a
        line without a mark of the prover that has two empty cells or fewer at any time during the sequence.
        """
        rules = self.rules
        if rules.has_gravity or rules.has_guards:
            return 0
        free = rules.board & ~(own | other)
        replies = free & ~(fears | _nearly(rules.lines, other, own))
        for cell in sequence:
            if hopes & free:
                break
            bit = 1 << cell if cell < rules.cells else 0
            if not free & bit:
                return 0
            own |= bit
            free ^= bit
            hopes, fears = hopes & ~bit | _lacking(rules.through[cell], own, other), fears & ~bit
            wins = hopes & free
            if fears & free or not wins:
                return 0
            replies &= ~(bit | wins)
            if wins & wins - 1:
                return replies
            other |= wins
            free ^= wins
            forced = rules.through[wins.bit_length() - 1]
            hopes, fears = hopes & ~wins, fears & ~wins | _lacking(forced, other, own)
            replies &= ~_nearly(forced, other, own)
        return replies & ~hopes if hopes & free else 0

    def _name(self, cell: int) -> str:
        return self.names(cell) if cell < self.rules.cells else f"cell {cell}"


def _lacking(lines: Sequence[tuple[int, int]], own: int, other: int) -> int:
    """The empty cells that would complete one of the lines."""
    found = 0
    for line, _ in lines:
        if not line & other:
            rest = line & ~own
            if rest & rest - 1 == 0:
                found |= rest
    return found


def _nearly(lines: Sequence[tuple[int, int]], own: int, other: int) -> int:
    """The empty cells of those lines that lack at most two cells."""
    found = 0
    for line, _ in lines:
        if not line & other:
            rest = line & ~own
            if rest.bit_count() <= 2:
                found |= rest
    return found
