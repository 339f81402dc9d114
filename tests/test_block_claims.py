"""Claims ``block``: the checker accepts those that brute force writes, and none that is false."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

import noughts as no
from block_prover import BlockProver
from brute_force import MakerBreaker, as_custom_game, random_hypergraph, random_positions
from noughts.engine.verify import _check_of, _Theorem
from reference import FlatGame


def free_games(dice: random.Random) -> Iterator[FlatGame]:
    """Random games in which a claim ``block`` is valid."""
    while True:
        game = random_hypergraph(dice, dice.randint(5, 8))
        if not game.rests_on and not game.misere:
            yield game


def is_accepted(position: no.Position, side: str, nodes: list[str]) -> bool:
    """Whether a claim holds, beside one of the other side that is not checked."""
    other = "O" if side == "X" else "X"
    body = "\n".join([f"claim {side} block", *nodes, f"claim {other} draw", "S"])
    theorem = _Theorem(no.Proof(position.game, position.text, "draw", body, position.game.symmetry.elements))
    try:
        list(_check_of(theorem, theorem.claims[0], 0, 1).run())
    except no.InvalidProof:
        return False
    return True


def masks_of(position: no.Position, side: str) -> tuple[int, int]:
    own, other = (
        sum(1 << cell for cell, mark in enumerate(position.cells) if mark == each)
        for each in (side, "O" if side == "X" else "X")
    )
    return own, other


def positions(count: int, dice: random.Random) -> Iterator[tuple[no.Position, str, bool]]:
    """Positions with a side and whether it can block, by brute force."""
    for game in free_games(dice):
        truth = MakerBreaker(game)
        for position in random_positions(as_custom_game(game), dice, 8, 1):
            for side in "XO":
                count -= 1
                yield position, side, truth.blocks(*masks_of(position, side), position.turn == side)
        if count <= 0:
            return


def test_claims_written_by_brute_force_are_accepted() -> None:
    dice, kinds, items = random.Random(4), Counter[str](), Counter[str]()
    for position, side, is_true in positions(1500, dice):
        prover = BlockProver(position, side, dice)
        if position.game.guards and any(map(len, position.game.guards)):
            assert is_true or not prover.is_true()  # a guard may save a line that the claim gives up
        else:
            assert prover.is_true() == is_true
        if prover.is_true():
            nodes = prover.nodes()
            assert is_accepted(position, side, nodes), (position.game.to_data(), position.text, side, nodes)
            kinds.update(node[0] for node in nodes)
            items.update(letter for node in nodes for letter in node if letter in "+<")
    assert min(kinds[kind] for kind in "mrcpts") >= 10, kinds
    assert min(items[letter] for letter in "+<") >= 50


@pytest.mark.parametrize("lies", [0.05, 0.3])
def test_false_claims_are_rejected(lies: float) -> None:
    dice, seen = random.Random(6), Counter[tuple[bool, bool]]()
    for position, side, is_true in positions(800, dice):
        for _ in range(3):
            nodes = BlockProver(position, side, dice, lies).nodes()
            accepted = is_accepted(position, side, nodes)
            assert is_true or not accepted, (position.game.to_data(), position.text, side, nodes)
            seen[is_true, accepted] += 1
    assert min(seen[key] for key in ((True, True), (True, False), (False, False))) > 20
