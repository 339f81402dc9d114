"""How fast the search is: nodes a second, time to depth, what a second thread gains, how soon it stops."""

from __future__ import annotations

import hashlib
import statistics
import threading
from collections.abc import Callable
from functools import partial
from random import Random
from time import perf_counter, process_time, sleep

from bench.clock import median_seconds, seconds_of
from bench.plan import Plan
from bench.results import Record, Store, say
from noughts import Engine, Game, Limit, Position, _core, catalogue

__all__ = ["middle_positions", "run"]

TARGETS = {"4x4x4": 4e6, "ultimate:3": 2e6, "15x15:5": 1e6}
DEPTH_TARGETS = {"4x4x4": 0.050, "5x5:4": 0.010}
STOP_TARGET = 0.010
SCALING_TARGET = 0.85
SCALING_GAMES = ("4x4x4", "ultimate:3", "15x15:5")


def run(store: Store, plan: Plan) -> None:
    """Measure everything about the speed of the search."""
    quick = plan.quick
    ids = list(TARGETS) if quick else [entry.id for entry in catalogue()]
    for id in ids:
        _keep(store, f"nodes {id}", partial(_node_speed, id, 0.2 if quick else 1.0))
    for id in DEPTH_TARGETS:
        _keep(store, f"depth {id}", partial(_time_to_depth, id))
    for id in SCALING_GAMES:
        _keep(store, f"threads {id}", partial(_second_thread, id, 0.3 if quick else 1.5))
    for id in SCALING_GAMES:
        _keep(store, f"stop {id}", partial(_stop_latency, id, 5 if quick else 20))


def _keep(store: Store, name: str, function: Callable[[], Record]) -> None:
    found = store.measure(name, function)
    say(f"{name}: " + ", ".join(f"{key} {value}" for key, value in found.items() if key not in ("name", "build")))


def middle_positions(game: Game, count: int = 3, seed: int = 0) -> list[Position]:
    """Return seeded random positions of the middle game that no shallow search decides; fewer when there are none."""
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
    """Nodes a second on one core: from the start, and over positions of the middle game."""
    game = Game(id)
    start = _speed_of(game.start(), seconds)
    middle = [_speed_of(position, seconds / 3) for position in middle_positions(game)]
    found = {"start": start, "middle": statistics.fmean(middle) if middle else None}
    return found | {"target": TARGETS.get(id)}


def _speed_of(position: Position, seconds: float) -> float:
    """Nodes per second of processor time, one thread. A search that proves the root is begun again on a fresh table."""
    engine, nodes, spent = Engine(hash_mb=16), 0, 0.0
    end = perf_counter() + 3 * seconds
    # Where a search takes microseconds, forgetting takes all the time there is: then fewer will do.
    while spent < seconds and perf_counter() < end:
        engine.clear()
        start = process_time()
        nodes += engine.search(position, Limit(seconds=seconds)).nodes
        spent += max(process_time() - start, 1e-5)
    return nodes / spent


def _clocked_speed(position: Position, seconds: float, threads: int) -> float:
    """Nodes a second by the clock."""
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

    return {"plain": plain, "engine": median_seconds(whole), "target": DEPTH_TARGETS[id]}


def _second_thread(id: str, seconds: float) -> Record:
    """What two threads gain over one in nodes a second, and what a pure compute loop gains from the second core.

    The four are taken in turns, several times, and the best of each is kept: others use this machine too.
    """
    position = Game(id).start()
    one = two = loop_one = loop_two = 0.0
    for _ in range(12):
        one = max(one, _clocked_speed(position, seconds / 4, threads=1))
        two = max(two, _clocked_speed(position, seconds / 4, threads=2))
        loop_one = max(loop_one, _loop_speed(1, seconds / 4))
        loop_two = max(loop_two, _loop_speed(2, seconds / 4))
    gain, loop = two / one, loop_two / loop_one
    return {"one": one, "two": two, "gain": gain, "loop_gain": loop, "share": gain / loop, "target": SCALING_TARGET}


def _loop_speed(threads: int, seconds: float) -> float:
    """Rounds a second of hashing (which holds no lock and little memory) in so many threads."""
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
    """Seconds from asking a search to stop, or from its deadline, to its answer."""
    position, engine = Game(id).start(), Engine()
    stops, deadlines = [], []
    for _ in range(runs):
        stops.append(_stop_once(engine, position))
        spent = seconds_of(lambda: engine.search(position, Limit(seconds=0.05)))
        deadlines.append(max(0.0, spent - 0.05))
    found = {"stop": statistics.median(stops), "stop_worst": max(stops)}
    late = {"deadline": statistics.median(deadlines), "deadline_worst": max(deadlines)}
    return found | late | {"target": STOP_TARGET}


def _stop_once(engine: Engine, position: Position) -> float:
    search = threading.Thread(target=lambda: engine.search(position, Limit(seconds=5)))
    search.start()
    sleep(0.05)
    start = perf_counter()
    engine.stop()
    search.join()
    return perf_counter() - start
