"""A tiny prover that writes certificates by exhaustive search of the reference rules: slow, obvious, small games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import noughts as no
import reference
from reference import opponent

Place = Any
Leaf = Callable[[Place, str, str], str | None]


class Prover:
    """Solves a position of the reference rules and writes its certificate.

    ``symmetries`` are permutations to refer by; ``leaf`` may answer for a node (position, prover, goal) with a line;
    ``dominate`` leaves out replies whose open lines all go through another one.
    """

    def __init__(
        self,
        id: str,
        moves: Sequence[int] = (),
        symmetries: Sequence[Sequence[int]] = (),
        leaf: Leaf | None = None,
        dominate: bool = False,
    ) -> None:
        self.game = no.Game(id)
        self.place: Place = reference.build(id).start()
        for move in moves:
            self.place.play(move)
        self.symmetries = [list(numbers) for numbers in symmetries]
        self.leaf = leaf
        self.dominate = dominate
        self.winners: dict[object, str | None] = {}

    def proof(self) -> no.Proof:
        mover = self.place.turn
        winner = self.winner()
        if winner is None:
            value, claims = "draw", [("X", "draw"), ("O", "draw")]
        else:
            value, claims = "win" if winner == mover else "loss", [(winner, "win")]
        body = "".join(f"claim {side} {goal}\n" + "\n".join(self.nodes(side, goal)) + "\n" for side, goal in claims)
        return no.Proof(self.game, self.place.text, value, body, self.symmetries)

    def winner(self) -> str | None:
        """The winner with best play from the current position."""
        place = self.place
        if place.is_over:
            won: str | None = place.winner
            return won
        key = self.key()
        if key not in self.winners:
            mover, found = place.turn, set()
            for move in place.legal_moves:
                place.play(move)
                found.add(self.winner())
                place.undo()
                if mover in found:
                    break
            self.winners[key] = mover if mover in found else None if None in found else opponent(mover)
        return self.winners[key]

    def key(self, numbers: Sequence[int] | None = None) -> object:
        """The key of the position or, for flat games, of its image under a permutation."""
        cells = list(self.place.cells)
        if numbers is not None:
            cells = [None] * len(numbers)
            for cell, image in enumerate(numbers):
                cells[image] = self.place.cells[cell]
        return tuple(cells), tuple(self.place.blocks or ()), self.place.block_to_play

    def nodes(self, side: str, goal: str) -> list[str]:
        lines: list[str] = []
        known: dict[object, str] = {}
        self._write(side, goal, lines, known)
        return lines

    def _write(self, side: str, goal: str, lines: list[str], known: dict[object, str]) -> str:
        """Write the nodes of this position and of those below it; returns a reference to it."""
        key = self.key()
        if key in known:
            return known[key]
        number = len(lines)
        lines.append("")
        for name, numbers in enumerate(self.symmetries):
            known.setdefault(self.key(numbers), f"{number}/{name}")
        known[key] = str(number)
        written = self.leaf(self.place, side, goal) if self.leaf is not None else None
        if written is None:
            own = self.place.turn == side
            written = (self._move if own else self._replies)(side, goal, lines, known)
        lines[number] = written
        return str(number)

    def _holds(self, side: str, goal: str) -> bool:
        winner = self.winner()
        return winner == side if goal == "win" else winner != opponent(side)

    def _move(self, side: str, goal: str, lines: list[str], known: dict[object, str]) -> str:
        for move in self.place.legal_moves:
            self.place.play(move)
            try:
                if self._holds(side, goal):
                    return f"m {move}" if self.place.is_over else f"m {move} {self._write(side, goal, lines, known)}"
            finally:
                self.place.undo()
        raise AssertionError("nothing to write: the claim is not true")

    def _replies(self, side: str, goal: str, lines: list[str], known: dict[object, str]) -> str:
        dominated = self._dominated_replies() if self.dominate else {}
        items = ["r", *(f"{move}<{by}" for move, by in dominated.items())]
        for move in self.place.legal_moves:
            if move in dominated:
                continue
            self.place.play(move)
            items.append(str(move) if self.place.is_over else f"{move}:{self._write(side, goal, lines, known)}")
            self.place.undo()
        return " ".join(items)

    def _dominated_replies(self) -> dict[int, int]:
        place, found = self.place, {}
        lines = [line.cells for line in place.game.lines]
        alive = [set(line) for line in lines if len({place.cells[cell] for cell in line} - {None}) < 2]
        for move in place.legal_moves:
            for by in place.legal_moves:
                if move != by and by not in found and all(by in line for line in alive if move in line):
                    found[move] = by
                    break
            if move in found.values():
                found.pop(move, None)
        return found
