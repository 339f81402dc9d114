"""Win trees with passes for small games: a slow twin of docs/proof-format.md that shares no code with the package.

A `PassProver` writes certificates for positions that brute force can decide. A liar leaves the replies that refute its
claim to a pass or a default, so that a checker with a zone that is too small would believe it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import noughts as no
from brute_force import as_custom_game, random_hypergraph, random_positions

__all__ = [
    "Branch",
    "LineGame",
    "PassProver",
    "Sample",
    "Strategy",
    "ThreatProver",
    "Tree",
    "Zones",
    "cells_of",
    "marks_of_sides",
    "random_samples",
    "trees_of",
    "written",
]

Permutation = Sequence[int]


def cells_of(mask: int) -> list[int]:
    return [cell for cell in range(mask.bit_length()) if mask >> cell & 1]


def mask_of(cells: Sequence[int]) -> int:
    return sum(1 << cell for cell in set(cells))


class LineGame:
    """The lines of a game, and the winner by brute force; each side's marks are a mask."""

    def __init__(self, game: no.Game) -> None:
        self.board = (1 << game.cells) - 1
        self.lines = [(mask_of(cells), mask_of(guards)) for cells, guards in zip(game.lines, game.guards, strict=True)]
        self._wins: dict[tuple[int, int, bool], bool] = {}

    def completing(self, own: int, other: int) -> int:
        """The cells that complete a line of the side with the marks ``own``."""
        found = 0
        for line, guards in self.lines:
            lacking = line & ~own
            if lacking.bit_count() == 1 and not lacking & other and not own & guards:
                found |= lacking
        return found

    def nearly(self, own: int, other: int, most: int) -> int:
        """The empty cells of lines open to ``other`` that lack at most some cells."""
        found = 0
        for line, guards in self.lines:
            lacking = line & ~other
            if not line & own and not guards & other and lacking.bit_count() <= most:
                found |= lacking
        return found

    def dominates(self, by: int, cell: int, own: int, other: int) -> bool:
        """Whether a reply is at least as good as another: it is on every line of the other that is not dead."""
        alive = [line for line, _ in self.lines if line >> cell & 1 and not (line & own and line & other)]
        return all(line >> by & 1 for line in alive) and not any(guards for _, guards in self.lines)

    def wins(self, own: int, other: int, is_own_turn: bool) -> bool:
        """Whether the prover wins by force; no line is complete."""
        key = own, other, is_own_turn
        if key not in self._wins:
            free = cells_of(self.board & ~(own | other))
            if is_own_turn:
                found = bool(self.completing(own, other)) or any(self.wins(own | 1 << c, other, False) for c in free)
            else:
                found = bool(free) and not self.completing(other, own)
                found = found and all(self.wins(own, other | 1 << cell, True) for cell in free)
            self._wins[key] = found
        return self._wins[key]

    def sequence_wins(self, own: int, other: int, moves: Sequence[int]) -> bool:
        """Whether the prover, to move, wins by a forced sequence; it completes a line as soon as it can."""
        for cell in moves:
            if self.completing(own, other):
                return True
            own |= 1 << cell
            wins = self.completing(own, other)
            if other >> cell & 1 or not wins or self.completing(other, own):
                return False
            if wins.bit_count() > 1:
                return True
            other |= wins
        return bool(self.completing(own, other))


@dataclass(frozen=True, eq=False)
class Branch:
    """A reference to a tree, or to its image under a symmetry with a number."""

    tree: Tree
    symmetry: int | None = None


@dataclass(eq=False)
class Tree:
    """A node: a move ``m``, a sequence ``f``, a fixed strategy ``g``, or replies ``r`` with passes and a default."""

    kind: str
    own: int
    other: int
    moves: list[int] = field(default_factory=list)
    after: Branch | None = None
    replies: dict[int, Branch] = field(default_factory=dict)
    dominated: dict[int, int] = field(default_factory=dict)
    passes: list[Branch] = field(default_factory=list)
    default: list[int] | None = None

    @property
    def branches(self) -> list[Branch]:
        return [*([self.after] if self.after else []), *self.replies.values(), *self.passes]


class Zones:
    """Zones by the letter of docs/proof-format.md, or without one of their parts, which ``omitted`` names."""

    PARTS = ("moves", "wins", "lines", "one more cell", "one more pass", "sequence", "listed", "default", "dominating")

    def __init__(self, game: LineGame, symmetries: Sequence[Permutation] = (), omitted: str = "") -> None:
        self.game = game
        self.symmetries = symmetries
        self.omitted = omitted
        self._known: dict[tuple[Tree, int], int] = {}

    def of(self, branch: Branch, tolerance: int) -> int:
        """The zone of a tree or of its image."""
        key = branch.tree, tolerance
        if key not in self._known:
            self._known[key] = self._find(branch.tree, tolerance)
        return self.image(self._known[key], branch.symmetry)

    def image(self, mask: int, symmetry: int | None) -> int:
        return mask if symmetry is None else mask_of([self.symmetries[symmetry][cell] for cell in cells_of(mask)])

    def back(self, mask: int, symmetry: int | None) -> int:
        """The cells whose image a mask is."""
        if symmetry is None:
            return mask
        return mask_of([cell for cell, image in enumerate(self.symmetries[symmetry]) if mask >> image & 1])

    def taken(self, tree: Tree) -> tuple[list[tuple[int, Branch]], int]:
        """The replies that each pass takes, and those that are left to the default."""
        left = self.game.board & ~(tree.own | tree.other | mask_of([*tree.replies, *tree.dominated]))
        found = []
        for branch in tree.passes:
            zone = self.of(branch, 1)
            found += [(cell, branch) for cell in cells_of(left & ~zone)]
            left &= zone
        return found, left

    def answers_all(self, tree: Tree) -> bool:
        """Whether all replies at a node with passes are answered."""
        taken, left = self.taken(tree)
        threats = self.game.completing(tree.other, tree.own)
        if threats & (left | mask_of([cell for cell, _ in taken])):
            return False
        return all(self.default_wins(tree, cell) for cell in cells_of(left))

    def default_wins(self, tree: Tree, reply: int) -> bool:
        default = tree.default
        return default is not None and self.game.sequence_wins(tree.own, tree.other | 1 << reply, default)

    def _find(self, tree: Tree, t: int) -> int:
        if tree.kind == "g":
            return self.game.board
        if tree.kind == "f":
            return self._of_sequence(tree.own, tree.other, tree.moves, t)
        if tree.kind == "m":
            below = self.of(tree.after, t) if tree.after is not None else 0
            return below | (0 if self.omitted == "moves" else 1 << tree.moves[0])
        zone = self._lines(tree.own, tree.other, t)
        if self.omitted != "listed":
            zone |= _union(self.of(branch, t) for branch in tree.replies.values())
        if self.omitted != "dominating":
            zone |= mask_of([*tree.dominated.values()])
        for branch in tree.passes:
            zone |= self.of(branch, t if self.omitted == "one more pass" else t + 1)
        left = self.taken(tree)[1]
        if left and tree.default is not None and self.omitted != "default":
            zone |= self._of_default(tree, left, tree.default, t)
        return zone

    def _of_default(self, tree: Tree, left: int, moves: list[int], t: int) -> int:
        own, other = tree.own, tree.other
        if not self.game.sequence_wins(own, other, moves):
            return self.game.board
        first = self._of_sequence(own, other, moves, 1, at_once=True)
        zone = self._of_sequence(own, other, moves, t + 1, at_once=True)
        return zone | _union(
            self._of_sequence(own, other | 1 << e, moves, t, at_once=True) for e in cells_of(left & first)
        )

    def _of_sequence(self, own: int, other: int, moves: Sequence[int], t: int, at_once: bool = False) -> int:
        if self.omitted == "sequence":
            return mask_of(moves)
        zone = 0
        for cell in moves:
            wins = self.game.completing(own, other)
            if wins and at_once:
                break
            zone |= 0 if self.omitted == "moves" else 1 << cell
            if wins >> cell & 1:
                return zone
            own |= 1 << cell
            wins = self.game.completing(own, other)
            zone |= (0 if self.omitted == "wins" else wins) | self._lines(own, other, t)
            if wins.bit_count() > 1:
                return zone
            other |= wins
        return zone | (0 if self.omitted == "wins" else self.game.completing(own, other))

    def _lines(self, own: int, other: int, t: int) -> int:
        if self.omitted == "lines":
            return 0
        return self.game.nearly(own, other, t if self.omitted == "one more cell" else t + 1)


def _union(masks: Iterator[int]) -> int:
    found = 0
    for mask in masks:
        found |= mask
    return found


class PassProver:
    """Writes win trees with passes at random; a liar also for positions that are not won."""

    def __init__(
        self,
        game: LineGame,
        dice: random.Random,
        zones: Zones,
        lies: bool = False,
        allows: str = "fgm=~<",
    ) -> None:
        self.game = game
        self.dice = dice
        self.zones = zones
        self.lies = lies
        self.allows = allows
        self.known: dict[tuple[int, int, bool], Branch] = {}

    def prove(self, own: int, other: int, is_own_turn: bool) -> Branch | None:
        """A tree of a position that is not over, or None if there seems to be none."""
        key = own, other, is_own_turn
        if key in self.known and self.dice.random() < 0.8:
            return self.known[key]
        if not self.game.board & ~(own | other) or not (self.lies or self.game.wins(*key)):
            return None
        tree = self._attack(own, other) if is_own_turn else self._defend(own, other)
        if tree is None:
            return None
        for number in range(len(self.zones.symmetries)):
            image = self.zones.image(own, number), self.zones.image(other, number), is_own_turn
            self.known.setdefault(image, Branch(tree, number))
        self.known[key] = Branch(tree)
        return Branch(tree)

    def _attack(self, own: int, other: int) -> Tree | None:
        wins = cells_of(self.game.completing(own, other))
        if wins:
            return Tree("m", own, other, [self.dice.choice(wins)])
        sequence = self._sequence(own, other, 3) if "f" in self.allows and self.dice.random() < 0.6 else None
        if sequence is not None:
            return Tree("f", own, other, sequence)
        moves = cells_of(self.game.board & ~(own | other))
        self.dice.shuffle(moves)
        moves.sort(key=lambda cell: not self.game.wins(own | 1 << cell, other, False))
        for cell in moves[: 2 if self.lies else len(moves)]:
            branch = self.prove(own | 1 << cell, other, False)
            if branch is not None:
                return Tree("m", own, other, [cell], branch)
        return None

    def _defend(self, own: int, other: int) -> Tree | None:
        if self.game.completing(other, own):
            return None
        tree = Tree("r", own, other)
        for _ in range(self.dice.choice((0, 1, 1, 1, 2)) if "~" in self.allows else 0):
            branch = self.prove(own, other, True)
            if branch is not None:
                tree.passes.append(branch)
        if "=" in self.allows and self.dice.random() < 0.5:
            tree.default = self._sequence(own, other, 2) if not self.game.completing(own, other) else []
        if "<" in self.allows:
            self._dominate(tree)
        left = self.zones.taken(tree)[1]
        for cell in cells_of(self.game.board & ~(own | other)):
            if cell not in tree.dominated and self._is_needed(tree, cell, left):
                branch = self._answer(own, other | 1 << cell)
                if branch is not None:
                    tree.replies[cell] = branch
        return tree if tree.passes or tree.default is not None or self._lists_all(tree) else None

    def _dominate(self, tree: Tree) -> None:
        """Leave some replies to others that are at least as good."""
        free = cells_of(self.game.board & ~(tree.own | tree.other))
        for cell, by in zip(free, self.dice.sample(free, len(free)), strict=True):
            is_free = cell not in tree.dominated.values() and by not in tree.dominated
            if cell != by and is_free and self.game.dominates(by, cell, tree.own, tree.other):
                tree.dominated[cell] = by

    def _lists_all(self, tree: Tree) -> bool:
        return mask_of([*tree.replies, *tree.dominated]) == self.game.board & ~(tree.own | tree.other)

    def _is_needed(self, tree: Tree, cell: int, left: int) -> bool:
        """Whether a reply must be listed, or is by chance."""
        if left >> cell & 1 and not self.zones.default_wins(tree, cell):
            return True
        return self.dice.random() < 0.1

    def _answer(self, own: int, other: int) -> Branch | None:
        return self.prove(own, other, True) if self.game.wins(own, other, True) else None

    def _sequence(self, own: int, other: int, length: int) -> list[int] | None:
        """A forced sequence that wins, if there is one; no line can be completed at once."""
        moves = cells_of(self.game.board & ~(own | other))
        self.dice.shuffle(moves)
        for cell in moves:
            with_move = own | 1 << cell
            wins = self.game.completing(with_move, other)
            if not wins or self.game.completing(other, with_move):
                continue
            if wins.bit_count() > 1 or self.game.completing(with_move, other | wins):
                return [cell]
            rest = self._sequence(with_move, other | wins, length - 1) if length > 1 else None
            if rest is not None:
                return [cell, *rest]
        return None


class ThreatProver(PassProver):
    """Finds wins by forced sequences and a few quiet moves, on boards that are too large for brute force."""

    def __init__(
        self, game: LineGame, dice: random.Random, zones: Zones, quiet: int = 1, nodes: int = 1000, allows: str = "f=~"
    ) -> None:
        super().__init__(game, dice, zones, allows=allows)
        self.quiet = quiet
        self.nodes = nodes

    def prove(self, own: int, other: int, is_own_turn: bool) -> Branch | None:
        key = own, other, is_own_turn
        if key not in self.known and self.nodes > 0:
            self.nodes -= 1
            tree = self._attack(own, other) if is_own_turn else self._defend(own, other)
            if tree is not None:
                self.known[key] = Branch(tree)
        return self.known.get(key)

    def _attack(self, own: int, other: int) -> Tree | None:
        wins, threats = self.game.completing(own, other), self.game.completing(other, own)
        if wins:
            return Tree("m", own, other, [self.dice.choice(cells_of(wins))])
        sequence = self._sequence(own, other, 3)
        if sequence is not None:
            return Tree("f", own, other, sequence)
        if threats:
            return self._move(own, other, threats.bit_length() - 1)
        moves = cells_of(self.game.nearly(other, own, 3) if self.quiet > 0 else 0)
        self.dice.shuffle(moves)
        self.quiet -= 1
        tree = next(filter(None, (self._move(own, other, cell) for cell in moves)), None)
        self.quiet += 1
        return tree

    def _move(self, own: int, other: int, cell: int) -> Tree | None:
        branch = self.prove(own | 1 << cell, other, False)
        return Tree("m", own, other, [cell], branch) if branch is not None else None

    def _defend(self, own: int, other: int) -> Tree | None:
        if self.game.completing(other, own) or not self.game.board & ~(own | other):
            return None
        tree = Tree("r", own, other)
        sequence = self._sequence(own, other, 3) if "=" in self.allows else None
        if self.game.completing(own, other) or (sequence is not None and self.dice.random() < 0.5):
            tree.default = sequence or []
        else:
            branch = self.prove(own, other, True)
            if branch is None:
                return None
            tree.passes.append(branch)
        for cell in cells_of(self.zones.taken(tree)[1]):
            if not self.zones.default_wins(tree, cell):
                branch = self.prove(own, other | 1 << cell, True)
                if branch is None:
                    return None
                tree.replies[cell] = branch
        return tree


def trees_of(branch: Branch) -> list[Tree]:
    """All nodes of a tree, depth first."""
    order: list[Tree] = []
    waiting = [branch.tree]
    while waiting:
        tree = waiting.pop()
        if tree not in order:
            order.append(tree)
            waiting += [each.tree for each in reversed(tree.branches)]
    return order


def written(branch: Branch) -> list[str]:
    """The lines of the nodes of a tree, which is not an image."""
    order = trees_of(branch)
    numbers = {tree: number for number, tree in enumerate(order)}

    def reference(each: Branch) -> str:
        return str(numbers[each.tree]) + ("" if each.symmetry is None else f"/{each.symmetry}")

    return [_line(tree, reference) for tree in order]


def _line(tree: Tree, reference: object) -> str:
    assert callable(reference)
    if tree.kind != "r":
        return " ".join([tree.kind, *map(str, tree.moves), *([reference(tree.after)] if tree.after else [])])
    items = [f"{cell}:{reference(branch)}" for cell, branch in tree.replies.items()]
    items += [f"{cell}<{by}" for cell, by in tree.dominated.items()]
    items += [f"~ {reference(branch)}" for branch in tree.passes]
    if tree.default is not None:
        items += ["=", *map(str, tree.default)]
    return " ".join(["r", *items])


class Strategy:
    """Plays the moves of a tree against every reply, with the marks that the tree does not know on the board."""

    def __init__(self, zones: Zones) -> None:
        self.zones = zones
        self.game = zones.game
        self._known: dict[tuple[Tree, int, int], bool] = {}

    def wins(self, branch: Branch, own: int, other: int) -> bool:
        """Whether the prover wins from the marks of the real board by the moves of a tree."""
        own, other = self.zones.back(own, branch.symmetry), self.zones.back(other, branch.symmetry)
        key = branch.tree, own, other
        if key not in self._known:
            self._known[key] = self._wins(branch.tree, own, other)
        return self._known[key]

    def _wins(self, tree: Tree, own: int, other: int) -> bool:
        if tree.kind == "f":
            return self.game.sequence_wins(own, other, tree.moves) or self._completes(own, other, tree.moves[0])
        if tree.kind == "m":
            if other >> tree.moves[0] & 1:
                return False
            return tree.after is None or self.wins(tree.after, own | 1 << tree.moves[0], other)
        free = self.game.board & ~(own | other)
        return free != 0 and all(self._answers(tree, own, other, cell) for cell in cells_of(free))

    def _completes(self, own: int, other: int, cell: int) -> bool:
        return bool(self.game.completing(own, other) >> cell & 1)

    def _pretends(self, tree: Tree, own: int, other: int, cell: int, by: int) -> bool:
        """Whether the prover may act as if the opponent had taken a cell that is at least as good."""
        is_legal = not (own | other) >> by & 1 and self.game.dominates(by, cell, own, other)
        return is_legal and self._answers(tree, own, other, by)

    def _answers(self, tree: Tree, own: int, other: int, cell: int) -> bool:
        if self._completes(other, own, cell):
            return False
        other |= 1 << cell
        if cell in tree.replies:
            return self.wins(tree.replies[cell], own, other)
        if cell in tree.dominated:
            return self._pretends(tree, own, other ^ 1 << cell, cell, tree.dominated[cell])
        for taken, branch in self.zones.taken(tree)[0]:
            if taken == cell:
                return self.wins(branch, own, other)
        return tree.default is not None and self.game.sequence_wins(own, other, tree.default)


@dataclass
class Sample:
    """A tree of a claim about a position of a game, true or false."""

    position: no.Position
    side: str
    branch: Branch
    zones: Zones

    @property
    def proof(self) -> no.Proof:
        value = "win" if self.position.turn == self.side else "loss"
        body = "\n".join([f"claim {self.side} win", *written(self.branch)])
        return no.Proof(self.position.game, self.position.text, value, body, [list(s) for s in self.zones.symmetries])

    @property
    def marks(self) -> tuple[int, int]:
        """The marks of the prover and of the opponent."""
        return marks_of_sides(self.position, self.side)

    def is_valid(self) -> bool:
        """Whether the zones of the sample leave every reply answered."""
        return all(self.zones.answers_all(tree) for tree in trees_of(self.branch) if tree.kind == "r")

    def holds(self) -> bool:
        """Whether the prover wins by the moves of the tree, against every reply."""
        return Strategy(self.zones).wins(self.branch, *self.marks)


def marks_of_sides(position: no.Position, side: str) -> tuple[int, int]:
    """The marks of a side and of its opponent, as masks."""
    own, other = (mask_of([c for c, mark in enumerate(position.cells) if mark == each]) for each in "XO")
    return (own, other) if side == "X" else (other, own)


def random_samples(dice: random.Random, lies: bool, omitted: str = "") -> Iterator[Sample]:
    """Trees with passes for positions that are won or, if the prover lies, that are not."""
    boards = [no.Game(id) for id in ("3x3", "4x3:3", "4x4:3", "5x3:3", "4x4:3+exact", "5x4:3+exact", "3x3+wrap")]
    while True:
        game = dice.choice(boards)
        if dice.random() < 0.6:
            flat = random_hypergraph(dice, dice.randint(8, 12))
            if flat.rests_on or flat.misere:
                continue
            game = as_custom_game(flat)
        lines = LineGame(game)
        symmetries = list(game.symmetry.elements)[: dice.choice((0, 8))]
        for position in random_positions(game, dice, 9, 3):
            for side in "XO" if position.cells.count(None) > 3 else "":
                key = *marks_of_sides(position, side), position.turn == side
                if lines.wins(*key) != lies:
                    zones = Zones(lines, symmetries, omitted)
                    branch = PassProver(lines, dice, zones, lies).prove(*key)
                    if branch is not None and any(tree.passes for tree in trees_of(branch)):
                        yield Sample(position, side, branch, zones)
