"""The core in WebAssembly computes what the native core does. `make build/site/noughts.wasm` builds it."""

from __future__ import annotations

from pathlib import Path

import pytest

import noughts as no
import wasm_core
from noughts.engine.signature import CASES
from test_conformance import GAMES, make, random_moves

SIGNATURE = Path(__file__).parent.parent / "bench" / "signature"

pytestmark = pytest.mark.skipif(not wasm_core.WASM.exists(), reason="build/site/noughts.wasm is not built")


def state(position: no.Position) -> list[object]:
    """Everything that JavaScript asks of a position, in the order of `stateOf` in tests/js/wasm_scenarios.mjs."""
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
