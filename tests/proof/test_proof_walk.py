"""Walks through proofs: the moves they play reach the goal against every reply, and their parts are proofs."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import noughts as no
from noughts import _core
from noughts.proof.proof import Claim
from noughts.proof.proof_walk import NotInProof, ProofWalk, count_kinds, extract_proof
from paths import ROOT
from sample_proofs import PASSES
from terminals import run_here


def solved(game: str) -> no.Proof:
    proof = no.solve(no.Game(game).start()).proof
    assert proof is not None
    return proof


def quiet(game: str, move: str) -> no.Proof:
    """Return a proof with passes: the win after a move, with the opponent to move."""
    position = no.Game(game).start().after(move)
    text, _ = _core.find_quiet_win(position, 0, (10, 1_000, 20_000, 10_000, 0), 20.0, 64)
    assert text is not None
    return no.Proof(position.game, position.text, no.Value.LOSS, text)


def play_out(proof: no.Proof, claim: Claim, seed: int) -> no.Side | None:
    """Play the proof against random replies, and return the winner."""
    walk, rng = ProofWalk(proof, claim), random.Random(seed)
    while not walk.position.is_over:
        cell = walk.move.cell if walk.is_prover_to_move else rng.choice(walk.position.legal_moves)
        assert cell is not None, walk.move.reason
        walk.play(cell)
    return walk.position.winner


def reach_all(walk: ProofWalk) -> int:
    """Play the proof against every reply; return the number of games, all of which the prover must win."""
    if walk.position.is_over:
        assert walk.position.winner is walk.claim.side
        return 1
    if not walk.is_prover_to_move:
        games = 0
        for reply in walk.position.legal_moves:
            after = walk.copy()
            after.play(reply)
            games += reach_all(after)
        return games
    cell = walk.move.cell
    assert cell is not None
    walk.play(cell)
    return reach_all(walk)


@pytest.mark.parametrize("game", ["4x3:3", "3x3x3", "4x4:3", "4x4:3+wrap", "ultimate:2"])
def test_moves_of_a_win_beat_every_reply(game: str) -> None:
    proof = solved(game)
    assert reach_all(ProofWalk(proof, proof.claims[0])) > 10


def test_reply_outside_of_the_zone_is_answered_like_a_pass() -> None:
    proof = no.Proof.parse(PASSES)
    assert reach_all(ProofWalk(proof, proof.claims[0])) > 20
    walk = ProofWalk(proof, proof.claims[0])
    walk.play("a1")
    assert walk.move == (9, "a forced sequence of 1 move, node 1, which answers a1 like a pass")
    assert walk.node is None


@pytest.mark.parametrize(("game", "move"), [("7x7:4", "d4"), ("6x6:4", "c4"), ("8x8:4", "d4")])
def test_moves_of_a_quiet_win_beat_random_replies(game: str, move: str) -> None:
    proof = quiet(game, move)
    assert " ~ " in proof.body
    no.verify(proof)
    for seed in range(60):
        assert play_out(proof, proof.claims[0], seed) is no.Side.X


@pytest.mark.parametrize("game", ["6x5:4", "6x6:4", "6x4:4+gravity", "4x3:3+misere", "5x5:4+wrap"])
def test_moves_of_a_win_beat_random_replies(game: str) -> None:
    proof = solved(game)
    for seed in range(40):
        assert play_out(proof, proof.claims[0], seed) is proof.claims[0].side


def test_fixed_strategies_of_connect_four_beat_random_replies() -> None:
    proof = no.Proof.load(ROOT / "examples" / "proofs" / "connect4.ngp")
    for seed in range(20):
        assert play_out(proof, proof.claims[0], seed) is no.Side.X


@pytest.mark.parametrize(("game", "games"), [("4x4", 40), ("5x5", 40), ("9x9:9", 10), ("6x5:5", 40), ("8x8x8", 2)])
def test_moves_of_a_draw_do_not_lose(game: str, games: int) -> None:
    proof = solved(game)
    claim = proof.claims[1]
    moves = 0
    for seed in range(games):
        walk, rng = ProofWalk(proof, claim), random.Random(seed)
        while not walk.position.is_over:
            cell = walk.move.cell if walk.is_prover_to_move else rng.choice(walk.position.legal_moves)
            if cell is None:
                break
            walk.play(cell)
            moves += 1
        assert walk.position.winner is not claim.side.opponent
    assert moves


def test_other_move_of_the_prover_is_not_in_the_proof() -> None:
    proof = solved("3x3x3")
    walk = ProofWalk(proof, proof.claims[0])
    with pytest.raises(NotInProof, match="expected X to play 2b2, as the proof does, got 1a1"):
        walk.play("1a1")


def test_argument_without_moves_is_named() -> None:
    proof = no.Proof.load(ROOT / "examples" / "proofs" / "6x6x6.ngp")
    walk = ProofWalk(proof, proof.claims[0])
    while not walk.is_prover_to_move or walk.move.cell is not None:
        walk.play(
            walk.move.cell if walk.is_prover_to_move and walk.move.cell is not None else walk.position.legal_moves[0]
        )
    assert "which names no move" in walk.move.reason


def test_length_of_a_proof_counts_replies_answered_like_a_pass() -> None:
    assert no.Proof.parse(PASSES.replace(" ~ 1\nf 9\n", " ~ 1\nm 9 5\n") + "r 8:6 11:7 =\nf 11\nf 8\n").plies == 6


@pytest.mark.parametrize("game", ["6x5:4", "7x7:4", "5x5:4+wrap"])
def test_part_of_a_proof_is_a_proof(game: str) -> None:
    proof = solved(game)
    for seed in range(12):
        walk, rng = ProofWalk(proof, proof.claims[0]), random.Random(seed)
        for _ in range(rng.randrange(1, 6)):
            after = walk.copy()
            cell = after.move.cell if after.is_prover_to_move else rng.choice(after.position.legal_moves)
            assert cell is not None
            after.play(cell)
            if after.node is None or after.position.is_over:
                break
            walk = after
        part = extract_proof(walk, proof)
        assert part.position == walk.position.text
        assert no.verify(part).nodes <= len(proof)


def test_position_after_a_pass_has_no_part() -> None:
    proof = no.Proof.parse(PASSES)
    walk = ProofWalk(proof, proof.claims[0])
    walk.play("a1")
    with pytest.raises(NotInProof, match="after a pass"):
        extract_proof(walk, proof)


def test_kinds_of_nodes_are_counted() -> None:
    proof = no.Proof.parse(PASSES)
    assert count_kinds(proof.claims[0]) == {"forced sequences": 4, "replies": 1}


# The command


@pytest.fixture
def file(tmp_path: Path) -> str:
    quiet("7x7:4", "d4").save(tmp_path / "d4.ngp")
    return str(tmp_path / "d4.ngp")


def test_command_shows_the_move_of_the_proof(file: str) -> None:
    said = run_here("proof", "play", file)
    assert said.stdout == "X wins: O is to move; the proof answers every reply\n"
    assert run_here("proof", "play", file, "c3").stdout.startswith("X wins: ")


def test_command_shows_what_a_proof_contains(file: str) -> None:
    said = run_here("proof", "stats", file).stdout
    assert "7x7:4 7/7/7/3x3/7/7/7 o is a loss" in said
    assert "forced sequences" in said


def test_command_writes_a_part(file: str, tmp_path: Path) -> None:
    part, proof = tmp_path / "part.ngp", no.Proof.load(file)
    cell = int(proof.claims[0].nodes[0].split(" ")[1].partition(":")[0])
    assert "is a win" in run_here("proof", "extract", file, proof.game.format_cell(cell), "-o", str(part)).stdout
    no.verify(no.Proof.load(part))


def test_tree_names_each_reply_once(file: str) -> None:
    said = run_here("proof", "tree", file).stdout
    assert said.startswith("X wins\n  X ")
    assert len(run_here("proof", "tree", file, "--depth", "2").stdout.splitlines()) > 48


@pytest.mark.parametrize("moves", [("z9",), ("d4",), ("c3", "a1", "a1")])
def test_command_refuses_nonsense_moves_in_one_line(file: str, moves: tuple[str, ...]) -> None:
    done = run_here("proof", "play", file, *moves)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
