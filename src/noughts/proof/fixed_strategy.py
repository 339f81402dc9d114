"""Plays out the fixed strategies of proofs against every reply; docs/proof-format.md defines them.

Like ``verify``, this uses only ``reference_rules``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from noughts.proof.reference_rules import FlatRules, cells_in

__all__ = ["MAX_POSITIONS", "FixedStrategy", "parse_items"]

MAX_POSITIONS = 1 << 14
"""The most positions that playing out one strategy may visit."""
MAX_REPLIES = 1 << 20
"""The most positions times cells."""
MAX_ITEMS = 4096

Item = tuple[int, ...]
"""One cell, or two of which the strategy wants one."""


def parse_items(text: str) -> list[Item]:
    """Return the items of a node's text, ``12 3-4 …``."""
    return [tuple(int(cell) for cell in item.split("-")) for item in text.split()]


class _Marks(NamedTuple):
    """The marks of a position with the opponent to move, and the cells that would complete lines, guards aside."""

    own: int
    other: int
    playable: int
    hopes: int
    fears: int


class _Lost(Exception):
    """The strategy fails; the message says why."""


class FixedStrategy:
    """A strategy of the prover: complete a line, else stop one, else play the first item that applies and is safe."""

    def __init__(self, rules: FlatRules, items: Sequence[Item], wants_win: bool) -> None:
        if len(items) > MAX_ITEMS:
            raise ValueError(f"expected at most {MAX_ITEMS:,} items, got {len(items):,}")
        for item in items:
            if len(set(item)) != len(item) or max(item) >= rules.cells:
                got = "-".join(map(str, item))
                raise ValueError(f"expected cells, or pairs of different cells, of the board, got {got}")
        self.rules = rules
        self.wants_win = wants_win
        self.options = _options(rules.cells, items)
        self.carries = _carries(rules)
        self.positions = 0
        self.most_positions = min(MAX_POSITIONS, MAX_REPLIES // rules.cells)

    def play_out(self, own: int, other: int, prover_moves: bool) -> str | None:
        """Return None if the strategy reaches the goal against every reply, else the reason why not."""
        start = self._marks(own, other)
        try:
            self._explore(self._answer(start) if prover_moves else start)
        except _Lost as lost:
            return str(lost)
        return None

    def choose(self, own: int, other: int) -> int:
        """Return the move of the prover, who is to move, given the marks of a position that the strategy reaches."""
        marks = self._marks(own, other)
        completing = self.rules.completing(marks.hopes & marks.playable, own)
        return completing.bit_length() - 1 if completing else self._choose(marks)

    def _marks(self, own: int, other: int) -> _Marks:
        rules = self.rules
        return _Marks(
            own, other, rules.playable(rules.board & ~(own | other)),
            rules.lacking(rules.lines, own, other), rules.lacking(rules.lines, other, own),
        )  # fmt: skip

    def _explore(self, start: _Marks | None) -> None:
        """Visit every position that the opponent can reach, once each."""
        waiting = [] if start is None else [start]
        seen = {(marks.own, marks.other) for marks in waiting}
        while waiting:
            marks = waiting.pop()
            for cell in cells_in(marks.playable):
                following = self._reply(marks, cell)
                if following is not None and (following.own, following.other) not in seen:
                    seen.add((following.own, following.other))
                    waiting.append(following)
                if len(seen) > self.most_positions:
                    raise _Lost(f"expected a strategy that visits at most {self.most_positions:,} positions")
        self.positions += len(seen)

    def _reply(self, marks: _Marks, cell: int) -> _Marks | None:
        """The position after a reply and the answer to it, or None if the goal is reached."""
        own, other, playable, hopes, fears = marks
        rules, bit = self.rules, 1 << cell
        if rules.completing(fears & bit, other):
            raise _Lost(f"expected a strategy that stops every line, but {self._name(cell)} completes one")
        other |= bit
        playable = self._playable_after(playable, cell, own | other)
        if not playable:
            self._accept_draw()
            return None
        fears = fears & ~bit | rules.lacking(rules.through[cell], other, own)
        return self._answer(_Marks(own, other, playable, hopes & ~bit, fears))

    def _answer(self, marks: _Marks) -> _Marks | None:
        """The position after the prover's move, or None if the goal is reached."""
        own, other, playable, hopes, fears = marks
        rules = self.rules
        if rules.completing(hopes & playable, own):
            return None
        cell = self._choose(marks)
        bit = 1 << cell
        own |= bit
        playable = self._playable_after(playable, cell, own | other)
        if not playable:
            self._accept_draw()
            return None
        hopes = hopes & ~bit | rules.lacking(rules.through[cell], own, other)
        return _Marks(own, other, playable, hopes, fears & ~bit)

    def _choose(self, marks: _Marks) -> int:
        own, other, playable, _, fears = marks
        threats = self.rules.completing(fears & playable, other)
        if threats:
            if threats & threats - 1:
                raise _Lost("expected a strategy that stops every line, but the opponent threatens two")
            return threats.bit_length() - 1
        filled, best, choice = own | other, -1, -1
        for cell in cells_in(playable):
            for rank, partner in self.options[cell]:
                if 0 <= best < rank:
                    break
                if not partner & ~filled:
                    if self._is_safe(marks, cell):
                        best, choice = rank, cell
                    break
        if choice < 0:
            raise _Lost("expected a strategy that stops every line, but each move lets the opponent complete one")
        return choice

    def _is_safe(self, marks: _Marks, cell: int) -> bool:
        """Whether the move leaves the opponent, who has no threat, without one."""
        fears = marks.fears & ~(1 << cell)
        if not any(fears >> above & 1 for above in self.carries[cell]):
            return True
        playable = self._playable_after(marks.playable, cell, marks.own | marks.other | 1 << cell)
        return not self.rules.completing(fears & playable, marks.other)

    def _playable_after(self, playable: int, cell: int, filled: int) -> int:
        playable &= ~(1 << cell)
        for above in self.carries[cell]:
            if not self.rules.below[above] & ~filled:
                playable |= 1 << above
        return playable

    def _accept_draw(self) -> None:
        if self.wants_win:
            raise _Lost("expected a strategy that wins, but the board is filled without a line")

    def _name(self, cell: int) -> str:
        return self.rules.game.format_cell(cell)


def _options(cells: int, items: Sequence[Item]) -> list[list[tuple[int, int]]]:
    """For each cell the ranks of its items, the best first, each with the mask that must be filled before."""
    options: list[list[tuple[int, int]]] = [[] for _ in range(cells)]
    for rank, item in enumerate(items):
        for cell in item:
            options[cell].append((rank, sum(1 << partner for partner in item if partner != cell)))
    for cell in range(cells):
        options[cell].append((len(items) + cell, 0))
    return options


def _carries(rules: FlatRules) -> list[list[int]]:
    """For each cell the cells that rest on it."""
    carries: list[list[int]] = [[] for _ in range(rules.cells)]
    for cell, below in enumerate(rules.below):
        for support in cells_in(below):
            carries[support].append(cell)
    return carries
