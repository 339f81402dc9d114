"""Steps per second of environments, with observations and legal moves: ours, and those of other libraries."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from time import perf_counter, process_time
from typing import Any

from bench.measure.libraries import spiel_name
from bench.measure.scope import Scope
from bench.measure.speed import SCALING_TARGET, loop_speed
from bench.results import Record, Results
from noughts import Game
from noughts.envs import Batch

__all__ = ["run"]

TARGETS = {"3x3": 10e6, "7x6:4+gravity": 8e6, "ultimate:3": 4e6, "15x15:5": 2e6}
SIZES = (64, 256, 1024)
"""Sizes of batches; the best one counts, since it depends on the caches."""
PGX = {"3x3": "tic_tac_toe", "7x6:4+gravity": "connect_four"}
PETTINGZOO = {"3x3": "tictactoe_v3", "7x6:4+gravity": "connect_four_v3"}
PGX_SIZE, PGX_STEPS = 1024, 100
ROUNDS = 5

Steps = Callable[[], int]
"""Makes some steps and returns how many."""


def run(results: Results, scope: Scope) -> None:
    """Measure every game, each library on the games it has."""
    seconds = 0.1 if scope.quick else 1.0
    for id in TARGETS:
        results.measure(f"steps {id}", partial(_steps, Game(id), seconds))
    for id in TARGETS:
        results.measure(f"threads {id}", partial(_second_thread, Game(id), seconds))


def _steps(game: Game, seconds: float) -> Record:
    """Steps per second of processor time: ours and theirs, in turn; the best call of each counts."""
    kinds: dict[str, Steps] = {f"batch {size}": _batch(game, size) for size in SIZES}
    kinds |= {f"random {size}": _random_play(game, size) for size in SIZES}
    if find_spec("pgx") and game.id in PGX:
        kinds["pgx"] = _pgx(PGX[game.id])
    if find_spec("pettingzoo") and find_spec("pygame") and game.id in PETTINGZOO:
        kinds["pettingzoo"] = _pettingzoo(PETTINGZOO[game.id])
    if find_spec("pyspiel") and spiel_name(game):
        kinds["open_spiel"] = _open_spiel(str(spiel_name(game)))
    speeds = dict.fromkeys(kinds, 0.0)
    for _ in range(ROUNDS):
        for kind, steps in kinds.items():
            speeds[kind] = max(speeds[kind], _speed(steps, seconds / ROUNDS))
    best = max(SIZES, key=lambda size: speeds[f"batch {size}"])
    ours = {"steps": speeds[f"batch {best}"], "random": max(speeds[f"random {size}"] for size in SIZES), "size": best}
    sizes = {str(size): speeds[f"batch {size}"] for size in SIZES}
    peers = {kind: speeds[kind] for kind in ("pgx", "pettingzoo", "open_spiel") if kind in speeds}
    return ours | {"by_size": sizes, "target": TARGETS[game.id]} | peers


def _speed(steps: Steps, seconds: float) -> float:
    """The speed of the best call: on a shared machine, cold caches and other disturbances only slow a call down."""
    best, end = 0.0, process_time() + seconds
    while process_time() < end:
        start = process_time()
        made = steps()
        best = max(best, made / max(process_time() - start, 1e-7))
    return best


def _batch(game: Game, size: int) -> Steps:
    """Steps of a batch on one thread, over moves that were drawn before."""
    batch, drawn = Batch(game, size, seed=1, threads=1), []
    for _ in range(max(40, 20_000 // size)):
        drawn.append(batch.random_moves())
        batch.step(drawn[-1])

    def steps() -> int:
        batch.reset()
        for moves in drawn:
            batch.step(moves)
        return size * len(drawn)

    return steps


def _random_play(game: Game, size: int) -> Steps:
    """The same, with the drawing of the moves."""
    batch = Batch(game, size, seed=1, threads=1)
    moves = batch.random_moves()

    def steps() -> int:
        for _ in range(20):
            batch.step(batch.random_moves(moves))
        return 20 * size

    return steps


def _pgx(name: str) -> Steps:
    """Steps of a compiled loop in JAX, which draws random moves and starts again where a playthrough ends."""
    jax: Any = import_module("jax")
    pgx: Any = import_module("pgx")
    auto_reset = import_module("pgx.experimental").auto_reset
    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    def play(state: Any, key: Any) -> Any:
        def one(carry: Any, _: Any) -> Any:
            state, key = carry
            key, drawn = jax.random.split(key)
            logits = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
            moves = jax.random.categorical(drawn, logits, axis=-1)
            state = step(state, moves, jax.random.split(drawn, PGX_SIZE))
            return (state, key), state.observation.sum()

        return jax.lax.scan(one, (state, key), None, length=PGX_STEPS)

    compiled, key = jax.jit(play), jax.random.PRNGKey(0)
    start = jax.jit(jax.vmap(env.init))(jax.random.split(key, PGX_SIZE))
    jax.block_until_ready(compiled(start, key))

    def steps() -> int:
        jax.block_until_ready(compiled(start, key))
        return PGX_SIZE * PGX_STEPS

    return steps


def _pettingzoo(name: str) -> Steps:
    env: Any = import_module(f"pettingzoo.classic.{name}").env()
    chance = random.Random(1)

    def steps() -> int:
        env.reset(seed=1)
        made = 0
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            env.step(chance.choice(observation["action_mask"].nonzero()[0]))
            made += 1
        return made

    return steps


def _open_spiel(name: str) -> Steps:
    """Actions per second; a move of Ultimate can take two."""
    game: Any = import_module("pyspiel").load_game(name)
    chance = random.Random(1)

    def steps() -> int:
        state, made = game.new_initial_state(), 0
        while not state.is_terminal():
            state.observation_tensor(0)
            state.apply_action(chance.choice(state.legal_actions()))
            made += 1
        return made

    return steps


def _second_thread(game: Game, seconds: float) -> Record:
    """The gain of a second thread in steps per second of wall-clock time, and that of a pure compute loop."""
    batches = [Batch(game, 4096, seed=1, threads=threads) for threads in (1, 2)]
    best, loops = [0.0, 0.0], [0.0, 0.0]
    for _ in range(ROUNDS):
        for number, batch in enumerate(batches):
            best[number] = max(best[number], _clocked_speed(batch, seconds / ROUNDS))
            loops[number] = max(loops[number], loop_speed(number + 1, seconds / ROUNDS))
    gain, loop = best[1] / best[0], loops[1] / loops[0]
    return {"gain": gain, "loop_gain": loop, "share": gain / loop, "target": SCALING_TARGET}


def _clocked_speed(batch: Batch, seconds: float) -> float:
    made, start = 0, perf_counter()
    while perf_counter() - start < seconds:
        batch.step(batch.random_moves())
        made += len(batch)
    return made / (perf_counter() - start)
