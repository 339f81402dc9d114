"""Mirror strategies of misère games: both checkers accept them only if the prover reaches its goal."""

from __future__ import annotations

import os
import random
from functools import cache

import pytest

import noughts as no
from noughts.proof.proof_walk import ProofWalk
from second_checker import build_checker, verdicts

ATTEMPTS = 20_000 if os.environ.get("NOUGHTS_SLOW") else 1500


def opposite(cells: int) -> list[int]:
    return list(range(cells))[::-1]


def mirror_proof(game: no.Game, position: str, value: no.Value, body: str, symmetries: list[list[int]]) -> no.Proof:
    return no.Proof(game, position, value, body, symmetries)


def centre_and_opposite(id: str) -> no.Proof:
    """Return the proof that X wins by the centre, and then by the opposite cell of each reply."""
    game = no.Game(id)
    return mirror_proof(
        game, game.start().text, no.Value.WIN, f"claim X win\nm {game.cells // 2} 1\no 0\n", [opposite(game.cells)]
    )


def check(proof: no.Proof) -> bool:
    """Whether the checkers accept a proof; they must agree, also in the number of positions."""
    try:
        report = no.verify(proof)
    except no.InvalidProof:
        assert verdicts(build_checker(), [proof.text.encode()]) == [None]
        return False
    assert verdicts(build_checker(), [proof.text.encode()]) == [(proof.value, report.nodes, report.positions)]
    return True


def test_first_player_wins_the_misere_cube_by_the_centre() -> None:
    proof = centre_and_opposite("3x3x3+misere")
    assert check(proof)
    assert proof.plies == 27


def test_mirror_beats_random_replies() -> None:
    proof = centre_and_opposite("3x3x3+misere")
    for seed in range(200):
        walk, rng = ProofWalk(proof, proof.claims[0]), random.Random(seed)
        while not walk.position.is_over:
            cell = walk.move.cell if walk.is_prover_to_move else rng.choice(walk.position.legal_moves)
            assert cell is not None
            walk.play(cell)
        assert walk.position.winner is no.Side.X


def test_second_player_wins_by_opposite_cells() -> None:
    game = no.Game("2x2+misere")
    proof = mirror_proof(game, game.start().text, no.Value.LOSS, "claim O win\no 0\n", [opposite(4)])
    assert check(proof)
    assert no.solve(game.start()).value is no.Value.LOSS


@pytest.mark.parametrize(
    ("id", "body", "reason"),
    [
        ("3x3x3+misere", "claim X win\nm 12 1\no 0\n", "marks of the prover"),
        ("3x3x3+misere", "claim X win\nm 13 1\no 1\n", "a symmetry below 1"),
        ("3x3x3+misere", "claim X win\no 0\n", "O to move"),
        ("3x3x3", "claim X win\nm 13 1\no 0\n", "an argument that holds"),
        ("3x3+misere", "claim X win\nm 4 1\no 0\n", "it can avoid that"),
        ("5x5:3+misere+exact", "claim X win\nm 12 1\no 0\n", "an argument that holds"),
        ("3x3+gravity+misere", "claim X win\nm 7 1\no 0\n", "symmetry"),
        ("7x5:5+misere", "claim X win\nm 17 1\no 0\n", "at most 16 pairs"),
    ],
)
def test_mirror_that_does_not_fit_is_refused(id: str, body: str, reason: str) -> None:
    game = no.Game(id)
    proof = mirror_proof(game, game.start().text, no.Value.WIN, body, [opposite(game.cells)])
    assert not check(proof)
    with pytest.raises(no.InvalidProof, match=reason):
        no.verify(proof)


def test_symmetry_must_be_its_own_inverse() -> None:
    game = no.Game("3x3+misere")
    turn = [2, 5, 8, 1, 4, 7, 0, 3, 6]
    proof = mirror_proof(game, game.start().text, no.Value.WIN, "claim X win\nm 4 1\no 0\n", [turn])
    assert not check(proof)
    with pytest.raises(no.InvalidProof, match="its own inverse"):
        no.verify(proof)


def test_draw_by_a_mirror_needs_no_pairs() -> None:
    game = no.Game("3x3+misere")
    assert no.solve(game.start()).value is no.Value.DRAW
    second = no.solve(game.start()).proof
    assert second is not None
    (other,) = [claim for claim in second.claims if claim.side is no.Side.O]
    first = len(second.symmetries)
    body = "\n".join(["claim X draw", "m 4 1", f"o {first}", "claim O draw", *other.nodes]) + "\n"
    assert check(
        mirror_proof(game, game.start().text, no.Value.DRAW, body, [*map(list, second.symmetries), opposite(9)])
    )


@cache
def value_of(lines: frozenset[frozenset[int]], cells: int, own: frozenset[int], other: frozenset[int]) -> int:
    """The value of a misère position for the side to move, by brute force."""
    free = [cell for cell in range(cells) if cell not in own | other]
    if not free:
        return 0
    best = -1
    for cell in free:
        after = own | {cell}
        lost = any(line <= after for line in lines if cell in line)
        best = max(best, -1 if lost else -value_of(lines, cells, other, after))
    return best


def random_claim(rng: random.Random) -> tuple[no.Proof, frozenset[frozenset[int]], no.Position] | None:
    """Return a random mirror strategy in a random game with a random involution, valid or not."""
    cells = rng.randint(3, 7)
    order = rng.sample(range(cells), cells)
    image = list(range(cells))
    for a, b in zip(order[::2], order[1::2], strict=False):
        if rng.random() < 0.9:
            image[a], image[b] = b, a
    lines = set()
    for _ in range(rng.randint(1, 5)):
        line = frozenset(rng.sample(range(cells), rng.randint(2, min(3, cells))))
        lines |= {line, frozenset(image[cell] for cell in line)}
    game = no.Game.from_lines("random", cells, [sorted(line) for line in sorted(lines, key=sorted)], misere=True)
    position = game.start()
    for _ in range(rng.randint(0, 3)):
        if position.is_over:
            break
        reply = image[position.moves[-1]] if position.moves and rng.random() < 0.6 else rng.choice(position.legal_moves)
        position.play(reply if reply in position.legal_moves else rng.choice(position.legal_moves))
    if position.is_over:
        return None
    assert position.turn is not None
    prover = position.turn.opponent
    proof = mirror_proof(game, position.text, no.Value.LOSS, f"claim {prover} win\no 0\n", [image])
    return proof, frozenset(lines), position


def test_accepted_mirrors_of_random_games_win_by_brute_force() -> None:
    rng, accepted = random.Random(1), 0
    made = [claim for _ in range(ATTEMPTS) if (claim := random_claim(rng)) is not None]
    found = verdicts(build_checker(), [proof.text.encode() for proof, _, _ in made])
    for (proof, lines, position), verdict in zip(made, found, strict=True):
        try:
            no.verify(proof)
        except no.InvalidProof:
            assert verdict is None
            continue
        accepted += 1
        assert verdict is not None
        marks = [frozenset(c for c, mark in enumerate(position.cells) if mark is side) for side in no.Side]
        own, other = marks if position.turn is no.Side.X else marks[::-1]
        assert value_of(lines, position.game.cells, own, other) == -1
    assert accepted > ATTEMPTS // 100
