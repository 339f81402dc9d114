"""Neither checker accepts a false leaf: random claims about random small games, true or not by brute force."""

from __future__ import annotations

import os
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, pairwise
from pathlib import Path

import noughts as no
from block_prover import BlockProver
from brute_force import BruteForce, MakerBreaker, as_custom_game, marks_of, random_hypergraph, random_positions
from second_checker import Verdict, verdicts

CLAIMS = 2_000_000 if os.environ.get("NOUGHTS_SLOW") else 20_000
BATCH = 20_000
CLAIMS_A_POSITION = 40
BLOCK_SHARE = 0.1

Leaf = Callable[[no.Position, random.Random], str]


def empty_cells(position: no.Position, dice: random.Random) -> list[int]:
    """The empty cells in random order; sometimes with a cell twice, a marked one or one that does not exist."""
    cells = [cell for cell, mark in enumerate(position.cells) if mark is None]
    dice.shuffle(cells)
    if dice.random() < 0.1:
        cells.insert(dice.randrange(len(cells)), dice.randrange(position.game.cells + 1))
    return cells


def pairs_of(position: no.Position, dice: random.Random) -> list[str]:
    cells = empty_cells(position, dice)
    return [f"{a}-{b}" for a, b in zip(cells[::2], cells[1::2], strict=False)]


def pairing(position: no.Position, dice: random.Random) -> str:
    pairs = pairs_of(position, dice)
    return " ".join(["p", *pairs[: dice.randrange(len(pairs) + 1) if dice.random() < 0.3 else len(pairs)]])


def set_matching(position: no.Position, dice: random.Random) -> str:
    cells, sets = empty_cells(position, dice), []
    while cells:
        size = dice.choice((2, 2, 3, 4, 5, 7)) if dice.random() < 0.95 else 1
        sets.append("-".join(map(str, cells[:size])))
        del cells[:size]
    return " ".join(["t", *sets[: len(sets) - dice.randrange(2)]])


def erdos_selfridge_sum(position: no.Position, dice: random.Random) -> str:
    return " ".join(["s", *pairs_of(position, dice)[: dice.choice((0, 1, 1, 2))]])


def strategy_stealing(position: no.Position, dice: random.Random) -> str:
    return "S"


def fixed_strategy(position: no.Position, dice: random.Random) -> str:
    cells = empty_cells(position, dice) + empty_cells(position, dice)
    items = [str(a) if dice.random() < 0.6 else f"{a}-{b}" for a, b in pairwise(cells)]
    return " ".join(["g", *items[: dice.randrange(len(items) + 1)]])


def forced_sequence(position: no.Position, dice: random.Random) -> str:
    return " ".join(["f", *map(str, empty_cells(position, dice)[: dice.randint(1, 3)])])


def replies(position: no.Position, dice: random.Random) -> str:
    """Some replies dominated, some ending the game, the others answered by a default."""
    moves = position.legal_moves
    items = [f"{a}<{dice.choice(moves)}" for a in moves if dice.random() < 0.3]
    items += [str(a) for a in moves if dice.random() < 0.05]
    return " ".join(["r", *items, "=", *map(str, empty_cells(position, dice)[: dice.randrange(3)])])


LEAVES: list[Leaf] = [
    pairing, set_matching, set_matching, erdos_selfridge_sum, strategy_stealing,
    fixed_strategy, fixed_strategy, forced_sequence, replies
]  # fmt: skip


def damaged(nodes: list[str], leaf: str, dice: random.Random) -> list[str]:
    """The nodes of a claim with one of them changed, replaced by another one or by a leaf."""
    at, kind = dice.randrange(len(nodes)), dice.randrange(4)
    numbers = list(re.finditer(r"\d+", nodes[at]))
    changed = nodes[at]
    if kind == 0 and numbers:
        number = dice.choice(numbers)
        changed = changed[: number.start()] + str(dice.randrange(9)) + changed[number.end() :]
    elif kind == 1:
        items = changed.split(" ")
        changed = " ".join(items[:1] + dice.sample(items[1:], max(0, len(items) - dice.choice((1, 2)))))
    elif kind == 2:
        changed = re.sub(r":\S+ (\d+)", r"+\1", changed, count=1)
    else:
        changed = dice.choice([leaf, dice.choice(nodes)])
    return [*nodes[:at], changed, *nodes[at + 1 :]]


class Attack:
    """Random claims about a position, each in a file whose other claim, if it needs one, is right."""

    def __init__(self, position: no.Position, value: int, blocking: MakerBreaker | None) -> None:
        self.position = position
        self.x_value = value if position.turn == "X" else -value
        self.blocking = blocking
        self.headers: dict[tuple[str, bool], str] = {}
        proof = no.solve(position, memory_mb=1).proof
        assert proof is not None
        self.claims = {part[0]: part.split("\n", 1)[1] for part in proof.body.split("claim ")[1:]}

    def claim(self, dice: random.Random) -> tuple[bytes, str, bool]:
        """A file, the kind of its leaf, and whether the leaf's claim is true."""
        leaf = dice.choice(LEAVES)
        side, node = dice.choice("XO"), leaf(self.position, dice)
        other = "O" if side == "X" else "X"
        if dice.random() < BLOCK_SHARE and other in self.claims:
            return self.block(side, other, node, dice)
        value = self.x_value if side == "X" else -self.x_value
        if dice.random() < 0.4 or other not in self.claims:
            name = "win" if side == self.position.turn else "loss"
            return self.file(name, f"claim {side} win\n{node}\n"), node[0], value > 0
        return (
            self.file("draw", f"claim {side} draw\n{node}\nclaim {other} draw\n{self.claims[other]}"),
            node[0],
            value >= 0,
        )

    def block(self, side: str, other: str, leaf: str, dice: random.Random) -> tuple[bytes, str, bool]:
        """The same for a claim ``block``, most of whose nodes are right."""
        nodes = BlockProver(self.position, side, dice, dice.choice((0, 0.02, 0.1, 0.5))).nodes()
        if dice.random() < 0.7:
            nodes = damaged(nodes, leaf, dice)
        is_to_move = self.position.turn == side
        own, opponents = marks_of(self.position)[:: 1 if is_to_move else -1]
        is_true = self.blocking is not None and self.blocking.blocks(own, opponents, is_to_move)
        body = "\n".join([f"claim {side} block", *nodes, f"claim {other} draw", self.claims[other]])
        return self.file("draw", body, self.position.game.symmetry.elements), "block", is_true

    def file(self, value: str, body: str, symmetries: Iterable[Sequence[int]] = ()) -> bytes:
        key = value, bool(symmetries)
        if key not in self.headers:
            self.headers[key] = no.Proof(self.position.game, self.position.text, value, "", symmetries).text
        return f"{self.headers[key]}{body.rstrip()}\n".encode()


def attacks(dice: random.Random) -> Iterator[Attack]:
    while True:
        flat = random_hypergraph(dice, dice.randint(5, 8))
        truth = BruteForce(flat)
        blocking = None if flat.rests_on or flat.misere else MakerBreaker(flat)
        for position in random_positions(as_custom_game(flat), dice, 8, 4):
            yield Attack(position, truth.value(*marks_of(position)), blocking)


def agrees(file: bytes, verdict: Verdict) -> bool:
    proof = no.Proof.parse(file.decode())
    try:
        report = no.verify(proof)
    except no.InvalidProof:
        return verdict is None
    return verdict == (proof.value, report.nodes, report.positions)


def test_leaf_that_a_checker_accepts_is_true(checker: Path) -> None:
    dice, accepted = random.Random(11), Counter[str]()
    claims = (attack.claim(dice) for attack in attacks(dice) for _ in range(CLAIMS_A_POSITION))
    for _ in range(CLAIMS // BATCH):
        batch = list(islice(claims, BATCH))
        for (file, kind, is_true), verdict in zip(
            batch, verdicts(checker, [file for file, _, _ in batch]), strict=True
        ):
            if verdict is not None:
                assert is_true, file
                accepted[kind] += 1
            if dice.random() < (0.02 if verdict is None else 0.1):
                assert agrees(file, verdict), file
    assert min(accepted[kind] for kind in [*"rfgptsS", "block"]) > CLAIMS / 5000
