"""The speed of the rules: play and undo, perft, building games, start-up; with OpenSpiel for comparison."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from random import Random
from statistics import median

from bench.measure.libraries import SpielGame, spiel_name
from bench.measure.scope import Scope
from bench.measure.timing import best_seconds, children_seconds, median_seconds, seconds_of
from bench.results import Record, Results
from noughts import Game, Position, _core, catalogue
from noughts.games import game as game_module

__all__ = ["run"]

TARGETS = {"4x4x4": 20e6, "ultimate:3": 20e6, "15x15:5": 5e6}
PERFT_LEAVES = 2_000_000
IMPORT_TARGET_SECONDS, HELP_TARGET_SECONDS, BUILD_TARGET_SECONDS = 0.1, 0.2, 0.1


def run(results: Results, scope: Scope) -> None:
    """Measure everything about the rules."""
    quick = scope.quick
    ids = [entry.id for entry in catalogue()]
    for id in ids[:4] if quick else ids:
        results.measure(f"build {id}", partial(_build, id))
        results.measure(f"play {id}", partial(_play_speed, id, quick))
        results.measure(f"perft {id}", partial(_perft_speed, id, quick))
    results.measure(
        "start import", partial(_start_up, [sys.executable, "-c", "import noughts"], IMPORT_TARGET_SECONDS, quick)
    )
    results.measure("start help", partial(_start_up, [_command(), "--help"], HELP_TARGET_SECONDS, quick))
    results.measure("start python", partial(_start_up, [sys.executable, "-c", "pass"], None, quick))


def random_playthroughs(game: Game, count: int, seed: int = 0) -> list[list[int]]:
    """Return the moves of ``count`` seeded random playthroughs."""
    random = Random(seed)
    found = []
    for _ in range(count):
        position = game.start()
        while not position.is_over:
            position.play(random.choice(position.legal_moves))
        found.append(position.moves)
    return found


def _play_speed(id: str, quick: bool) -> Record:
    """Moves per second: in the core, from Python, and with OpenSpiel from Python on the same moves."""
    game = Game(id)
    games = random_playthroughs(game, 20 if quick else 100)
    plies = sum(map(len, games))
    repeats = max(1, (200_000 if quick else 1_000_000) // plies)
    core = plies * repeats / best_seconds(partial(_core._time_playthroughs, game.start(), games, repeats))
    python = plies / best_seconds(partial(_step, game, games))
    found: Record = {"core": core, "target": TARGETS.get(id), "python": python}
    if spiel_name(game) and find_spec("pyspiel"):
        spiel = SpielGame(game)
        actions = [_actions(spiel, moves) for moves in games]
        found["open_spiel"] = plies / best_seconds(partial(_spiel_step, spiel, actions))
        found["ratio_python"] = found["python"] / found["open_spiel"]
        found["ratio_core"] = found["core"] / found["open_spiel"]
    return found


def _step(game: Game, playthroughs: list[list[int]]) -> None:
    """Step through playthroughs as a user would, from Python: legal moves, then the move."""
    for moves in playthroughs:
        position = game.start()
        for move in moves:
            position.legal_moves  # noqa: B018
            position.play(move)


def _actions(spiel: SpielGame, moves: list[int]) -> list[int]:
    position: Position = spiel.game.start()
    actions = []
    for move in moves:
        actions += spiel.actions(move, position.block_to_play is None)
        position.play(move)
    return actions


def _spiel_step(spiel: SpielGame, playthroughs: list[list[int]]) -> None:
    for actions in playthroughs:
        state = spiel.spiel.new_initial_state()
        for action in actions:
            state.legal_actions()
            state.apply_action(action)


def _perft_speed(id: str, quick: bool) -> Record:
    """Leaves per second, at the depth with about two million leaves."""
    position = Game(id).start()
    wanted = PERFT_LEAVES // 20 if quick else PERFT_LEAVES
    depth, leaves = 1, position.perft(1)
    while leaves < wanted and depth < position.game.cells:
        more = position.perft(depth + 1) if leaves * position.game.cells < 50 * wanted else 0
        if more == 0:
            break
        depth, leaves = depth + 1, more
    return {"depth": depth, "leaves": leaves, "per_second": leaves / median_seconds(lambda: position.perft(depth), 3)}


def _build(id: str) -> Record:
    """Seconds to build a game without its cache, and the bytes of one of its positions."""

    def build() -> None:
        game_module._COMPILED.clear()
        Game(id)

    seconds = median_seconds(build, 3)
    return {
        "seconds": seconds,
        "bytes": Game(id).start()._bytes,
        "target": 1.0 if id == "4x4x4x4" else BUILD_TARGET_SECONDS,
    }


def _command() -> str:
    return str(Path(sys.executable).with_name("noughts"))


def _start_up(command: list[str], target: float | None, quick: bool) -> Record:
    clocks, processor = [], []
    for _ in range(4 if quick else 16):
        before = children_seconds()
        clocks.append(seconds_of(partial(subprocess.run, command, check=True, stdout=subprocess.DEVNULL)))
        processor.append(children_seconds() - before)
    # The first run fills the caches and is left out.
    return {"seconds": median(processor[1:]), "clock": median(clocks[1:]), "target": target}
