"""The speed of the search: nodes per second, time to depth, the gain of a second thread, time to stop."""

from __future__ import annotations

import hashlib
import statistics
import threading
from functools import partial
from random import Random
from time import perf_counter, process_time, sleep

from bench.measure.scope import Scope
from bench.measure.timing import median_seconds, seconds_of
from bench.results import Record, Results
from noughts import Engine, Game, Limit, Position, _core, catalogue

__all__ = ["SCALING_TARGET", "loop_speed", "middle_positions", "run"]

TARGETS = {"4x4x4": 4e6, "ultimate:3": 2e6, "15x15:5": 1e6}
DEPTH_TARGET_SECONDS = {"4x4x4": 0.050, "5x5:4": 0.010}
STOP_TARGET_SECONDS = 0.010
SCALING_TARGET = 0.85
SCALING_GAMES = ("4x4x4", "ultimate:3", "15x15:5")


def run(results: Results, scope: Scope) -> None:
    """Measure everything about the speed of the search."""
    quick = scope.quick
    ids = list(TARGETS) if quick else [entry.id for entry in catalogue()]
    for id in ids:
        results.measure(f"nodes {id}", partial(_node_speed, id, 0.2 if quick else 1.0))
    for id in DEPTH_TARGET_SECONDS:
        results.measure(f"depth {id}", partial(_time_to_depth, id))
    for id in SCALING_GAMES:
        results.measure(f"threads {id}", partial(_second_thread, id, 0.3 if quick else 1.5))
    for id in SCALING_GAMES:
        results.measure(f"stop {id}", partial(_stop_latency, id, 5 if quick else 20))


def middle_positions(game: Game, count: int = 3, seed: int = 0) -> list[Position]:
    """Return up to ``count`` seeded random middle-game positions that a shallow search does not decide."""
    random, engine = Random(f"middle {game.id} {seed}"), Engine(hash_mb=1)
    found: list[Position] = []
    for _ in range(50 * count):
        position = _random_position(game, random, game.cells // 5)
        if position is not None and engine.search(position, Limit(nodes=3_000)).value is None:
            found.append(position)
        if len(found) == count:
            break
    return found


def _random_position(game: Game, random: Random, plies: int) -> Position | None:
    position = game.start()
    for _ in range(plies):
        position.play(random.choice(position.legal_moves))
        if position.is_over:
            return None
    return position


def _node_speed(id: str, seconds: float) -> Record:
    """Nodes per second on one core: from the start, and over positions of the middle game."""
    game = Game(id)
    start = _speed_of(game.start(), seconds)
    middle = [_speed_of(position, seconds / 3) for position in middle_positions(game)]
    found = {"start": start, "middle": statistics.fmean(middle) if middle else None}
    return found | {"target": TARGETS.get(id)}


def _speed_of(position: Position, seconds: float) -> float:
    """Nodes per second of processor time, one thread. A search that proves the root is repeated with an empty table."""
    engine, nodes, spent = Engine(hash_mb=16), 0, 0.0
    end = perf_counter() + 3 * seconds
    # If a search takes microseconds, clearing the table takes nearly all the time: then fewer searches are enough.
    while spent < seconds and perf_counter() < end:
        engine.clear()
        start = process_time()
        nodes += engine.search(position, Limit(seconds=seconds)).nodes
        spent += max(process_time() - start, 1e-5)
    return nodes / spent


def _clocked_speed(position: Position, seconds: float, threads: int) -> float:
    """Nodes per second of wall-clock time."""
    engine, nodes, spent = Engine(threads=threads), 0, 0.0
    while spent < seconds:
        engine.clear()
        result = engine.search(position, Limit(seconds=seconds - spent))
        nodes, spent = nodes + result.nodes, spent + max(result.seconds, 1e-5)
    return nodes / spent


def _time_to_depth(id: str) -> Record:
    """Seconds of the plain search of level insane, and of the whole engine, to six plies on the empty board."""
    position = Game(id).start()
    symmetry = position.game.symmetry
    plain = median_seconds(lambda: _core.fixed_depth_best_moves(position, 6, symmetry))
    engine = Engine(hash_mb=16)

    def whole() -> None:
        engine.clear()
        engine.search(position, Limit(depth=6))

    return {"plain": plain, "engine": median_seconds(whole), "target": DEPTH_TARGET_SECONDS[id]}


def _second_thread(id: str, seconds: float) -> Record:
    """The gain in nodes per second of a second thread, and that of a pure compute loop.

    The four are measured in turn, several times, and the best of each counts, since the machine is shared.
    """
    position = Game(id).start()
    one = two = loop_one = loop_two = 0.0
    for _ in range(12):
        one = max(one, _clocked_speed(position, seconds / 4, threads=1))
        two = max(two, _clocked_speed(position, seconds / 4, threads=2))
        loop_one = max(loop_one, loop_speed(1, seconds / 4))
        loop_two = max(loop_two, loop_speed(2, seconds / 4))
    gain, loop = two / one, loop_two / loop_one
    return {"one": one, "two": two, "gain": gain, "loop_gain": loop, "share": gain / loop, "target": SCALING_TARGET}


def loop_speed(threads: int, seconds: float) -> float:
    """Rounds per second of hashing (which holds no lock and little memory) in ``threads`` threads."""
    counts = [0] * threads
    block = bytes(1 << 18)

    def work(number: int) -> None:
        end = perf_counter() + seconds
        while perf_counter() < end:
            hashlib.sha256(block).digest()
            counts[number] += 1

    workers = [threading.Thread(target=work, args=(number,)) for number in range(threads)]
    spent = seconds_of(lambda: _run_all(workers))
    return sum(counts) / spent


def _run_all(workers: list[threading.Thread]) -> None:
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


def _stop_latency(id: str, runs: int) -> Record:
    """Seconds from the request to stop, or from the deadline, to the answer."""
    position, engine = Game(id).start(), Engine()
    stops, deadlines = [], []
    for _ in range(runs):
        stops.append(_stop_once(engine, position))
        spent = seconds_of(lambda: engine.search(position, Limit(seconds=0.05)))
        deadlines.append(max(0.0, spent - 0.05))
    found = {"stop": statistics.median(stops), "stop_worst": max(stops)}
    late = {"deadline": statistics.median(deadlines), "deadline_worst": max(deadlines)}
    return found | late | {"target": STOP_TARGET_SECONDS}


def _stop_once(engine: Engine, position: Position) -> float:
    search = threading.Thread(target=lambda: engine.search(position, Limit(seconds=5)))
    search.start()
    sleep(0.05)
    start = perf_counter()
    engine.stop()
    search.join()
    return perf_counter() - start
