"""The core in WebAssembly computes what the native core does. `make build/wasm/noughts.wasm` builds it."""

from __future__ import annotations

import gzip
import re

import pytest

import noughts as no
import wasm_core
from noughts import _core
from noughts.engine.signature import CASES
from paths import ROOT
from sample_games import GAMES, make, random_moves

SIGNATURE = ROOT / "bench" / "signature"
MIN_SPEED = 0.4
"""Of the native core; about 0.5 to 0.7 on a machine that does nothing else."""

pytestmark = pytest.mark.skipif(not wasm_core.WASM.exists(), reason="build/wasm/noughts.wasm is not built")


def state(position: no.Position) -> list[object]:
    """Everything that JavaScript asks of a position, in the order of `stateOf` in tests/site/js/wasm_scenarios.mjs."""
    number = wasm_core.number
    sides = [position.turn, position.side_to_move, position.is_over, position.winner, position._line_winner]
    completing = [position._completing(side, playable) for side in (0, 1) for playable in (False, True)]
    return [
        *[side if isinstance(side, bool) else number(side) for side in sides],
        *[[number(side) for side in sides] for sides in (position.cells, position.blocks)],
        *[position.legal_moves, position.moves, position.ply, position.last_move, position.open_blocks],
        *[position.block_to_play, position._winning_line, completing],
        *[str(position.hash), str(position._key), position._score],
    ]


def test_perft_is_that_of_the_native_core() -> None:
    depths = {"3x3": 9, "7x6:4+gravity": 6, "4x4x4": 3, "ultimate:3": 4, "15x15:5": 2, "ultimate:3+open": 4}
    games = {no.Game(id): depth for id, depth in depths.items()}
    found = wasm_core.run("perft", [[wasm_core.described(game), depth] for game, depth in games.items()])
    assert found == [game.start().perft(depth) for game, depth in games.items()]


def test_rules_are_those_of_the_native_core_in_every_game() -> None:
    played = {name: [random_moves(make(name), seed) for seed in (1, 2)] for name in GAMES}
    found = wasm_core.run("replay", [[wasm_core.described(make(name)), played[name]] for name in GAMES])
    for name, states in zip(GAMES, found, strict=True):
        assert states == [replayed(make(name), moves) for moves in played[name]], name


def replayed(game: no.Game, moves: list[int]) -> list[list[object]]:
    """The states of a position before the first move, after each, and again while all are taken back."""
    position = game.start()
    states = [state(position)]
    for move in moves:
        position.play(move)
        states.append(state(position))
    return [*states, *states[-2::-1]]


def test_signature_of_the_search_is_that_of_the_native_core() -> None:
    cases = [(case.parse(), case.depth) for case in CASES]
    found = wasm_core.run(
        "nodes",
        [[wasm_core.described(position.game), wasm_core.set_up(position), depth] for position, depth in cases],
    )
    assert sum(nodes for nodes, _ in found) == int(SIGNATURE.read_text())


@pytest.mark.slow
@pytest.mark.parametrize(("id", "depth"), [("15x15:5", 15), ("6x6:4+gravity", 19), ("ultimate:3", 13)])
def test_speed_of_the_search_is_about_half_that_of_the_native_core(id: str, depth: int) -> None:
    position = no.Game(id).start()
    case = [wasm_core.described(position.game), wasm_core.set_up(position), depth]
    rates = [nodes / seconds for nodes, seconds in wasm_core.run("nodes", 4 * [case])]
    searches = [no.Engine(threads=1).search(position, no.Limit(depth=depth)) for _ in range(4)]
    assert max(rates) / max(each.nodes / each.seconds for each in searches) > MIN_SPEED


def test_networks_estimate_what_they_do_in_the_native_core() -> None:
    for id in ("15x15:5", "ultimate:3", "7x6:4+gravity"):
        game = no.Game(id)
        moves = random_moves(game, seed=3)[:40]
        found = dict(wasm_core.run("estimates", wasm_core.described(game), moves))
        assert list(found) == ["simd128", "portable"]
        expected = [estimate_after(game, moves[:ply]) for ply in range(1, len(moves) + 1)]
        assert found["simd128"] == found["portable"] == expected, id


def estimate_after(game: no.Game, moves: list[int]) -> int | None:
    position = game.start()
    position.play_all(moves)
    return None if position.is_over else _core.estimate(position)


def test_symmetries_and_searches_of_fixed_depth_are_those_of_the_native_core() -> None:
    for id in ("4x4x4", "ultimate:3", "5x4:4+gravity"):
        game, symmetry = no.Game(id), no.Game(id).symmetry
        positions = [after(game, random_moves(game, seed)[:7]) for seed in range(4)]
        found = wasm_core.run(
            "symmetries", wasm_core.described(game), [wasm_core.set_up(position) for position in positions]
        )
        images = [[str(symmetry.canonical_hash(each)), list(symmetry.least_image(each))] for each in positions]
        moves = [list(_core.fixed_depth_best_moves(each, 3, symmetry)) for each in positions]
        group = [symmetry.orbit_sizes, symmetry.generators, symmetry.elements, symmetry.size, symmetry.note]
        assert found == [*group, images, moves], id


def after(game: no.Game, moves: list[int]) -> no.Position:
    position = game.start()
    position.play_all(moves)
    return position


def test_solved_positions_have_proofs_that_both_checkers_accept() -> None:
    ids = ["3x3", "4x3:3", "5x4:4+gravity", "4x4+misere", "3x3x3", "6x5:4", "ultimate:2+open", "4x4:3+wrap"]
    positions = [no.Game(id).start() for id in ids]
    found = wasm_core.run("solve", [[wasm_core.described(each.game), wasm_core.set_up(each)] for each in positions])
    proofs = []
    for position, (lower, upper, move, is_proven, body, symmetries) in zip(positions, found, strict=True):
        assert no.Value.from_number(lower) is no.solve(position).value
        assert lower == upper
        assert is_proven == (move in position.legal_moves)
        proof = no.Proof(position.game, position.text, no.Value.from_number(lower), body, symmetries)
        assert no.verify(proof).nodes == len(proof)
        proofs.append(proof.text.encode())
    for verdict, text in zip(wasm_core.run("check", proofs), proofs, strict=True):
        assert verdict["accepted"], verdict
        assert f" {len(no.Proof.parse(text.decode()))} nodes" in verdict["line"]


def test_damaged_proof_is_refused() -> None:
    proof = no.solve(no.Game("4x3:3").start()).proof
    assert proof is not None
    text = proof.text.encode()
    lines = text.splitlines(keepends=True)
    damaged = [b"", b"nonsense", text[:-20], gzip.compress(text)[:-3], text.replace(b'"win"', b'"loss"')]
    damaged += [b"".join(lines[:-1]), text + lines[-1], b"\xff" * 100]
    for data, verdict in zip(damaged, wasm_core.run("check", damaged), strict=True):
        assert not verdict["accepted"], data
        assert re.fullmatch(r"not (a proof|checked): .+", verdict["line"])


def test_solve_is_saved_and_continued() -> None:
    game = no.Game("6x5:4")
    was_solved, value, nodes, refusals = wasm_core.run(
        "resume", wasm_core.described(game), wasm_core.set_up(game.start()), 200
    )
    assert not was_solved
    assert value == 1
    assert nodes > 0
    assert [kind for kind, _ in refusals] == ["RuntimeError", "RuntimeError"]


def test_search_reports_progress_and_ends_when_it_is_asked_to() -> None:
    game = wasm_core.described(no.Game("15x15:5"))
    depths, ended, interrupted, thrown, nested, seconds, lines = wasm_core.run("progress", game)
    assert depths == [[depth, 2] for depth in range(1, 7)]
    assert ended == 3
    assert interrupted == lines == 2
    assert thrown == "TypeError"
    assert nested == ["RuntimeError", "this object is in use"]
    assert seconds >= 0.2


def test_wrong_arguments_are_errors_of_one_line_and_the_core_works_afterwards() -> None:
    game = no.Game("4x4")
    found, perft = wasm_core.run("nonsense", wasm_core.described(game))
    assert perft == game.start().perft(3)
    for call, kind, message in found:
        assert kind in ("TypeError", "ValueError", "RuntimeError", "OSError"), (call, kind)
        assert re.fullmatch(r"(?!the core has failed)\S.*", message), (call, message)


def test_solve_ends_before_it_recurses_too_deep() -> None:
    game = no.Game("50x50:5+misere")
    assert wasm_core.run("deep", wasm_core.described(game), wasm_core.set_up(game.start())) == [-1, 1]
