"""A wrong call of the core from Python raises an exception, and never crashes."""

from __future__ import annotations

import gc
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable

import pytest

import noughts as no
from noughts import _core
from noughts.games.evaluation import Weights, network_of, weights_of
from paths import HELPERS

SLOW = bool(os.environ.get("NOUGHTS_SLOW"))
FUZZ_CALLS = 1_000_000 if SLOW else 4_000
FUZZ_PROCESSES = 10 if SLOW else 2
FUZZER = HELPERS / "core_fuzzer.py"


def start(id: str = "3x3") -> no.Position:
    return no.Game(id).start()


def search_knowing(*known: tuple[int, int]) -> object:
    return _core.Engine(1, 1).search(start(), 0.0, 2, 0, 1, None, None, list(known))


class Headless(no.Position):
    def __init__(self) -> None:
        """Leave out what Position does."""


class BrokenNumber:
    def __index__(self) -> int:
        raise ZeroDivisionError("no number")


def finished_position() -> no.Position:
    return no.Game("3x3").parse("xxx/oo1/3 -")


def game_of(cells: int = 4, **changes: object) -> _core.Game:
    weights = weights_of(None, 3, False).compiled()
    rules: dict[str, object] = {
        "cells": cells,
        "lines": [([0, 1], [])],
        "rests_on": [],
        "block_of": [],
        "sends": [],
        "outer_lines": [],
        "misere": False,
        "counts_blocks": False,
        "keeps_won_blocks_open": False,
        "weights": weights,
    }
    return _core.make_game(**(rules | changes))  # type: ignore[arg-type]


UNINITIALISED = "ignore:nanobind:RuntimeWarning"

HOSTILE: dict[str, Callable[[], object]] = {
    "cells far out of range": lambda: no.Position(no.Game("3x3"), [2_000_000] * 9),
    "cells out of range": lambda: no.Position(no.Game("3x3"), [7] * 9),
    "cells below range": lambda: no.Position(no.Game("3x3"), [-2] * 9),
    "too few cells": lambda: no.Position(no.Game("3x3"), [-1] * 8),
    "too many marks of X": lambda: no.Position(no.Game("3x3"), [0, 0, -1, -1, -1, -1, -1, -1, -1]),
    "no owners where they count": lambda: no.Position(no.Game("ultimate:3+open"), [-1] * 81),
    "owners out of range": lambda: no.Position(no.Game("ultimate:3+open"), [-1] * 81, owners=[70] * 9),
    "dead owners": lambda: no.Position(no.Game("ultimate:3+open"), [-1] * 81, owners=[2] * 9),
    "too few owners": lambda: no.Position(no.Game("ultimate:3+open"), [-1] * 81, owners=[-1] * 8),
    "block out of range": lambda: no.Position(no.Game("ultimate:3"), [-1] * 81, block_to_play=9),
    "block below range": lambda: no.Position(no.Game("ultimate:3"), [-1] * 81, block_to_play=-2),
    "side out of range": lambda: _core.Position(no.Game("3x3")._core, [-1] * 9, 5, -1, []),
    "turn that is not a side": lambda: no.Position(no.Game("3x3"), [-1] * 9, turn="Z"),  # type: ignore[arg-type]
    "no game": lambda: no.Position("3x3"),  # type: ignore[arg-type]
    "position without init": lambda: no.Position.__new__(no.Position).play(0),
    "text without init": lambda: no.Position.__new__(no.Position).play("b2"),
    "legality without init": lambda: no.Position.__new__(no.Position).is_legal(0),
    "undo without init": lambda: no.Position.__new__(no.Position).undo(),
    "subclass without init": lambda: Headless().play(0),
    "copy without init": lambda: Headless().copy(),
    "play on something else": lambda: no.Position.play(3, 4),  # type: ignore[arg-type]
    "legality of something else": lambda: no.Position.is_legal([], 4),  # type: ignore[arg-type]
    "engine without init": lambda: _core.Engine.__new__(_core.Engine).stop(),
    "solver without init": lambda: _core.Solver.__new__(_core.Solver).solve(1.0, 1, None),
    "symmetry without init": lambda: _core.Symmetry.__new__(_core.Symmetry).size,
    "game without init": lambda: _core.Position(_core.Game.__new__(_core.Game)),
    "side to complete": lambda: start()._completing(2, False),
    "side below": lambda: start()._completing(-1, True),
    "negative perft": lambda: start().perft(-1),
    "perft beyond integers": lambda: start().perft(1 << 40),
    "illegal playthrough": lambda: _core._time_playthroughs(start(), [[0, 0]], 1),
    "playthrough off the board": lambda: _core._time_playthroughs(start(), [[0, 9]], 1),
    "playthrough below the board": lambda: _core._time_playthroughs(start(), [[-5]], 1),
    "negative repeats": lambda: _core._time_playthroughs(start(), [[0]], -1),
    "plain search of depth 0": lambda: _core.fixed_depth_best_moves(start(), 0, None),
    "plain search too deep": lambda: _core.fixed_depth_best_moves(start(), 33, None),
    "plain search when over": lambda: _core.fixed_depth_best_moves(finished_position(), 2, None),
    "estimate when over": lambda: _core.estimate(finished_position()),
    "forced win with blocks": lambda: _core.forced_win(start("ultimate:3"), 10),
    "forced win in misere": lambda: _core.forced_win(start("3x3+misere"), 10),
    "forced win below no nodes": lambda: _core.forced_win(start(), -1),
    "fork threats with gravity": lambda: _core.fork_threat_win(start("7x6:4+gravity"), 10),
    "fork threats when over": lambda: _core.fork_threat_win(finished_position(), 10),
    "fork threats below no nodes": lambda: _core.fork_threat_win(start("6x6:4"), -1),
    "symmetry of another game": lambda: no.Game("3x3").symmetry.canonical_hash(start("15x15:5")),
    "image by another game": lambda: no.Game("ultimate:3").symmetry.least_image(start("15x15:5")),
    "plain search by another game": lambda: _core.fixed_depth_best_moves(start("15x15:5"), 2, no.Game("3x3").symmetry),
    "solver by another game": lambda: _core.Solver(start("4x4"), no.Game("3x3").symmetry, 16),
    "solver of nothing": lambda: _core.Solver(finished_position(), no.Game("3x3").symmetry, 16),
    "solver without memory": lambda: _core.Solver(start(), no.Game("3x3").symmetry, 0),
    "certificate before solving": lambda: _core.Solver(start("4x4"), no.Game("4x4").symmetry, 16).certificate(),
    "solving for no time": lambda: _core.Solver(start(), no.Game("3x3").symmetry, 16).solve(float("nan"), 0, None),
    "symmetries without limit": lambda: _core.Symmetry(no.Game("3x3")._core, [], 0),
    "symmetries beyond the limit": lambda: _core.Symmetry(no.Game("3x3")._core, [], 1 << 40),
    "engine without threads": lambda: _core.Engine(0, 16),
    "engine with too many threads": lambda: _core.Engine(257, 16),
    "engine without memory": lambda: _core.Engine(1, 0),
    "engine beyond memory": lambda: _core.Engine(1, 1 << 60),
    "search for negative time": lambda: _core.Engine(1, 1).search(start(), -1.0, 0, 1, 1, None),
    "search for infinite time": lambda: _core.Engine(1, 1).search(start(), float("inf"), 0, 1, 1, None),
    "search of negative depth": lambda: _core.Engine(1, 1).search(start(), 0.0, -1, 1, 1, None),
    "search for no lines": lambda: _core.Engine(1, 1).search(start(), 0.0, 1, 1, 0, None),
    "search for too many lines": lambda: _core.Engine(1, 1).search(start(), 0.0, 1, 1, 10, None),
    "search when over": lambda: _core.Engine(1, 1).search(finished_position(), 0.0, 1, 1, 1, None),
    "known move below the board": lambda: search_knowing((-5, 0)),
    "known move off the board": lambda: search_knowing((10**6, 0)),
    "known move beyond integers": lambda: search_knowing((1 << 40, 0)),
    "known move twice": lambda: search_knowing((4, 0), (4, 0)),
    "known move that is taken": lambda: _core.Engine(1, 1).search(
        no.Game("3x3").parse("3/1x1/3 o"), 0.0, 2, 0, 1, None, None, [(4, 0)]
    ),
    "known score that proves nothing": lambda: search_knowing((4, 17)),
    "known score above a win": lambda: search_knowing((4, _core.WIN + 1)),
    "known score below a loss": lambda: search_knowing((4, -(1 << 31))),
    "weights far out of range": lambda: game_of(weights=Weights(line=(0, 1 << 30)).compiled()),
    "too many cells": lambda: game_of(cells=(1 << 31) - 1),
    "too few cells for a game": lambda: game_of(cells=-5),
    "line over two blocks": lambda: game_of(block_of=[0, 1, 0, 1]),
    "support over two blocks": lambda: game_of(block_of=[0, 0, 1, 1], rests_on=[[], [], [], [1]]),
    "block without cells": lambda: game_of(block_of=[0, 0, 2, 2]),
    "block that is not there": lambda: game_of(sends=[3, 0, 0, 0]),
    "outer line without blocks": lambda: game_of(outer_lines=[[]]),
    "too many outer lines": lambda: game_of(outer_lines=[[0]] * 70_000),
    "move as a fraction": lambda: start().play(4.0),  # type: ignore[arg-type]
    "move as nothing": lambda: start().play(None),  # type: ignore[arg-type]
    "move as a truth": lambda: start().play(True),
    "move beyond integers": lambda: start().play(1 << 80),
    "network for another game": lambda: _core.estimate(_core.Position(game_of(network=b"NNN2" + b"\1\0\0\0" * 900))),
    "network of noise": lambda: _core.estimate(_core.Position(game_of(network=os.urandom(40_000)))),
}


@pytest.mark.filterwarnings(UNINITIALISED)
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_call_raises(name: str) -> None:
    with pytest.raises((ValueError, TypeError)):
        HOSTILE[name]()


@pytest.mark.parametrize(
    ("move", "kind"), [(4.0, "float"), (None, "None"), (True, "bool"), ([4], "list"), (b"b2", "bytes")]
)
def test_error_for_a_bad_move_says_what_it_got(move: object, kind: str) -> None:
    with pytest.raises(TypeError, match=f"expected a move as a cell number or as text, got {kind}$"):
        start().play(move)  # type: ignore[arg-type]


def test_error_of_a_broken_number_is_passed_on() -> None:
    position = start()
    for call in (position.play, position.is_legal):
        with pytest.raises(ZeroDivisionError):
            call(BrokenNumber())
    assert position.moves == []


def test_text_reader_that_returns_no_number_is_refused() -> None:
    class Lying(no.Position):
        def parse_move(self, text: str) -> int:
            return "four"  # type: ignore[return-value]

    with pytest.raises(TypeError):
        Lying(no.Game("3x3")).play("b2")


@pytest.mark.filterwarnings(UNINITIALISED)
def test_second_init_leaves_the_position_as_it_was() -> None:
    position = start()
    with pytest.raises(TypeError):
        position.__init__(no.Game("15x15:5"))  # type: ignore[misc]
    assert position.game.id == "3x3"
    assert position.text == "3/3/3 x"


def test_network_of_one_shape_is_not_used_for_another() -> None:
    ultimate = no.Game("ultimate:3")
    network = _network_bytes()
    _core.estimate(ultimate.start())
    with pytest.raises(ValueError, match="network for a game of this shape"):
        _core.estimate(_core.Position(game_of(network=network)))


def _network_bytes() -> bytes:
    from noughts.games.spec import parse_id

    return network_of(parse_id("ultimate:3"))


def test_results_outlive_what_they_came_from() -> None:
    report = _core.Engine(1, 1).search(start(), 0.0, 3, 0, 3, None)
    lines = report.lines
    del report
    gc.collect()
    assert [len(line.pv) > 0 for line in lines] == [True] * 3


def test_solver_keeps_the_symmetries_it_uses() -> None:
    solver = _core.Solver(start(), _core.Symmetry(no.Game("3x3")._core, []), 16)
    gc.collect()
    assert solver.solve(0.0, 0, None).lower == 0


def test_engine_and_solver_of_the_core_refuse_a_second_thread() -> None:
    engine, solver = _core.Engine(1, 1), _core.Solver(start("15x15:5"), no.Game("15x15:5").symmetry, 16)
    second: list[BaseException] = []

    def intrude(use: Callable[[], object]) -> None:
        try:
            use()
        except RuntimeError as error:
            second.append(error)

    def with_intruder(*uses: Callable[[], object]) -> Callable[[object], bool]:
        def progress(_: object) -> bool:
            for use in uses:
                thread = threading.Thread(target=intrude, args=(use,))
                thread.start()
                thread.join(60)
            return False

        return progress

    again = (lambda: engine.search(start(), 0.0, 1, 0, 1, None), engine.clear)
    engine.search(start("15x15:5"), 0.0, 2, 0, 1, with_intruder(*again))
    solver.solve(30.0, 0, with_intruder(lambda: solver.solve(0.0, 1, None), solver.certificate))
    assert [str(error) for error in second] == [
        *["this engine is in use by another thread"] * 2,
        *["this solver is in use by another thread"] * 2,
    ]


def test_self_play_that_its_callback_stops_raises() -> None:
    raised: list[BaseException] = []

    def play() -> None:
        try:
            _core.self_play(no.Game("3x3")._core, None, 0, 100, 1, 100, 1, lambda _: False)
        except RuntimeError as error:
            raised.append(error)

    thread = threading.Thread(target=play, daemon=True)
    thread.start()
    thread.join(60)
    assert [str(error) for error in raised] == ["stopped before there was a result"]


def test_search_from_a_position_that_another_thread_changes_is_sound() -> None:
    position, done = start("15x15:5"), threading.Event()

    def change() -> None:
        while not done.is_set():
            position.play(position.legal_moves[0])
            position.undo()

    thread = threading.Thread(target=change)
    thread.start()
    try:
        engine = _core.Engine(1, 1)
        for _ in range(30):
            engine.search(position, 0.0, 1, 200, 1, None)
            _core.fixed_depth_best_moves(position, 1, None)
    finally:
        done.set()
        thread.join(60)


def test_pickled_nonsense_is_refused() -> None:
    from noughts.games.position import _rebuild

    for moves in ([9], [0, 0], [-1], ["zz"]):
        with pytest.raises((no.IllegalMove, no.InvalidNotation)):
            _rebuild(no.Game("3x3"), None, moves)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        pickle.dumps(_core.Engine(1, 1))


def test_game_of_many_lines_through_two_cells_ranks_its_cells() -> None:
    lines = [[0, 1, 2 + i % 200, 202 + i // 200] for i in range(_core.MAX_LINES)]
    game = no.Game.from_lines("fan", cells=402, lines=lines)
    assert _core.fixed_depth_best_moves(game.start(), 1, None)[1] == [0, 1]


def test_deep_search_of_a_large_board_with_one_line_stays_within_its_memory() -> None:
    game = no.Game.from_lines("lost in space", cells=_core.MAX_CELLS, lines=[[0, 1, 2]])
    assert no.Engine(hash_mb=1).search(game.start(), no.Limit(nodes=20_000)).move is not None


@pytest.mark.parametrize("number", range(FUZZ_PROCESSES))
def test_random_calls_never_break_the_core(number: int) -> None:
    """In a separate process, so that a crash is a failed test."""
    command = [sys.executable, str(FUZZER), str(number), str(FUZZ_CALLS // FUZZ_PROCESSES)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=3_600 if SLOW else 300, check=False)
    assert run.returncode == 0, f"{run.returncode}: {run.stdout[-1000:]}{run.stderr[-3000:]}"


def test_fuzzer_knows_every_binding() -> None:
    import core_fuzzer

    for name in core_fuzzer.bindings():
        assert core_fuzzer.kinds_of(name) is not None


def test_position_is_not_hashable_but_has_keys() -> None:
    position = start()
    with pytest.raises(TypeError, match="unhashable"):
        hash(position)
    seen = {position.hash: "start", position.text: "start"}
    position.play(4)
    position.undo()
    assert seen[position.hash] == seen[position.text] == "start"


@pytest.mark.parametrize("name", ["play", "undo", "is_legal", "perft", "legal_moves", "turn", "cells", "hash"])
def test_help_explains_what_the_core_provides(name: str) -> None:
    assert len(str(getattr(no.Position, name).__doc__).split()) > 6


@pytest.mark.parametrize("kind", [no.SearchResult, no.Limit, no.Outcome])
def test_help_explains_the_fields_of_results(kind: type) -> None:
    for name in kind._fields:  # type: ignore[attr-defined]
        assert "Alias for field" not in getattr(kind, name).__doc__


def test_search_without_a_limit_thinks_for_a_second() -> None:
    assert no.Engine(hash_mb=1).search(start()).value == "draw"
    with pytest.raises(TypeError, match=r"expected a Limit such as Limit\(seconds=1\), got int"):
        no.Engine(hash_mb=1).search(start(), 1)  # type: ignore[arg-type]
