"""Claims ``block``: the checker accepts those that brute force writes, and none that is false."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

import noughts as no
from block_prover import BlockProver
from brute_force import MakerBreaker, as_custom_game, random_hypergraph, random_positions
from noughts.proof.verify import _check_of, _Theorem
from reference import FlatGame
from verify_parts import check_in_three_parts, verdict


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


EXAMPLE = ["c 1 1/0", "r 0+1+2:2 3<0", "m 3 3", "p"]
"""O can complete the top row or the bottom row; see docs/proof-format.md."""


def example(nodes: list[str], game: str = "4x3:4") -> no.Proof:
    body = "\n".join(["claim X block", *nodes, "claim O block", "s"])
    return no.Proof(no.Game(game), "4/oxx1/4 o", "draw", body, [[8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3]])


@pytest.mark.parametrize(
    ("at", "node", "said"),
    [
        (0, "c 1", "node 0 (line 3): expected c NODE NODE"),
        (0, "c 1 1", "expected node 1, but it stands at another position"),
        (0, "c 1 1/0 2", "expected a node for each of 2 components, got 3"),
        (0, "c 1 1/1", "expected a symmetry below 1, got 1"),
        (0, "m 0 1", "expected X to move, but it is O's turn"),
        (0, "p 0-1", "but not a1 b1 c1 d1"),
        (0, "p 0-1 1-2", "each cell in one set, got b3-c3"),
        (0, "p 0-12", "each cell in one set, got a3-cell 12"),
        (0, "S", "expected a node of kind m, r, c, p, t, s"),
        (1, "r 0+1+2:2", "expected an answer to d3, got none"),
        (1, "r 0+1:2 2+3:2", "expected node 2 after c3, but it stands at another position"),
        (1, "r 0+1+2+3:2", "to keep a cell, but one is complete"),
        (1, "r 0+1+1:2 3<0", "expected a cell of a set that is not answered yet, got b3"),
        (1, "r 0+1+2:2 3<0 4<0", "expected a cell of a set that is not answered yet, got a2"),
        (1, "r 0+1+2:2 3<8", "expected a1 in every set that contains d3"),
        (1, "r 0+1:2 2<3 3<2", "expected d3, which dominates c3, to be answered itself"),
        (1, "r 0+1+2:2 3:9", "expected a node up to 3 after d3, got 9"),
        (1, "r 0+1+2:2 =", "expected r CELL:NODE CELL+CELL:NODE CELL<CELL"),
        (1, "c 1 1", "expected a node for each of 1 components, got 2"),
        (2, "m 0 3", "node 2 (line 5), after a3: expected a cell of a set that is not answered yet, got a3"),
        (2, "m 3", "expected m CELL NODE"),
        (2, "r 3:3", "expected O to move, but it is X's turn"),
        (3, "s 1-1", "each cell in one set"),
    ],
)
def test_rejection_says_what_is_wrong(at: int, node: str, said: str) -> None:
    assert no.verify(example(EXAMPLE))[:3] == (2, 5, 9)
    with pytest.raises(no.InvalidProof) as refused:
        no.verify(example([*EXAMPLE[:at], node, *EXAMPLE[at + 1 :]]))
    assert said in str(refused.value)


@pytest.mark.parametrize("game", ["4x3:4+misere", "4x3:4+gravity", "ultimate:2"])
def test_claim_is_refused_where_a_mark_may_hurt_or_cells_are_not_free(game: str) -> None:
    proof = example(EXAMPLE)
    position = no.Game(game).start().text
    with pytest.raises(no.InvalidProof, match="got a claim block"):
        no.verify(no.Proof(no.Game(game), position, "draw", proof.body))


def test_node_is_forgotten_only_after_its_last_reference() -> None:
    rows = no.Game.from_lines("rows", 9, [[0, 1, 2], [3, 4, 5], [6, 7, 8]])
    turns = [[3, 4, 5, 6, 7, 8, 0, 1, 2], [6, 7, 8, 0, 1, 2, 3, 4, 5]]
    nodes = ["c 1 1/0 1/1", "r 0+1:2 2<0", "m 2 3", "p"]
    body = "\n".join(["claim O block", *nodes, "claim X draw", "S"])
    assert no.verify(no.Proof(rows, "9 x", "draw", body, turns))[:3] == (2, 5, 10)


def test_parts_give_the_result_of_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    dice, proofs = random.Random(8), []
    for position, side, _ in positions(80, dice):
        prover = BlockProver(position, side, dice, dice.choice((0, 0.1)))
        body = "\n".join([f"claim {side} block", *prover.nodes(), f"claim {'O' if side == 'X' else 'X'} block", "p"])
        proofs.append(no.Proof(position.game, position.text, "draw", body, position.game.symmetry.elements))
    said = [verdict(proof) for proof in proofs]
    check_in_three_parts(monkeypatch)
    assert [verdict(proof) for proof in proofs] == said
    assert len(set(said)) > 20
