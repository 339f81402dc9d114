"""Steps per second of batches on many processors and on a GPU, next to pgx: python -m bench.measure.devices NAME ...

``scaling`` is Batch with 1 to 16 threads, ``tensors`` is TensorBatch on the GPU, ``pgx`` the games that pgx has, on the
same GPU. Prints lines of JSON. Random moves are drawn in every step, and observations and masks written.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from time import perf_counter
from typing import Any

from bench.measure.speed import loop_speed
from noughts import Game
from noughts.envs import Batch

GAMES = ("3x3", "7x6:4+gravity", "15x15:5", "ultimate:3")
PGX = {"3x3": "tic_tac_toe", "7x6:4+gravity": "connect_four"}
THREADS = (1, 2, 4, 8, 16)
BATCH_SIZES = (4096, 16384)
DEVICE_SIZES = (1 << 17, 1 << 20)
TENSOR_RUNS = ((1 << 20, "uint8"), (1 << 20, None), (1 << 17, "uint8"))
"""Sizes and types of the observations; each is compiled, which takes longer than the measurement."""
STEPS = 100
"""Steps in one measurement; the best of several counts."""
ROUNDS = 5
SECONDS = 0.25


def say(**record: object) -> None:
    print(json.dumps(record), flush=True)


def best_speed(run: Callable[[], int], seconds: float = SECONDS, rounds: int = ROUNDS) -> float:
    """The best steps per second of some rounds: disturbances only slow a round down."""
    best = 0.0
    for _ in range(rounds):
        made, start = 0, perf_counter()
        while perf_counter() - start < seconds:
            made += run()
        best = max(best, made / (perf_counter() - start))
    return best


def scaling() -> None:
    """Each game with each number of threads, and a loop without memory for comparison."""
    threads = [count for count in THREADS if count <= (os.cpu_count() or 1)]
    loops = {count: loop_speed(count, SECONDS) for count in threads}
    say(measured="loop", gain={count: round(speed / loops[1], 2) for count, speed in loops.items()})
    for id in GAMES:
        for size in BATCH_SIZES:
            speeds = {count: _batch_speed(Game(id), size, count) for count in threads}
            gain = {count: round(speed / speeds[1], 2) for count, speed in speeds.items()}
            bytes_a_step = _bytes_a_step(Game(id))
            say(measured="scaling", game=id, size=size, steps=speeds, gain=gain, bytes_a_step=bytes_a_step)


def _batch_speed(game: Game, size: int, threads: int) -> float:
    batch = Batch(game, size, seed=1, threads=threads)
    moves = batch.random_moves()

    def run() -> int:
        for _ in range(10):
            batch.step(batch.random_moves(moves))
        return 10 * size

    return best_speed(run)


def _bytes_a_step(game: Game) -> int:
    batch = Batch(game, 1, seed=1, threads=1)
    return sum(array.nbytes for array in batch.state)


def tensors() -> None:
    """Every game on the GPU, with observations as bytes and without."""
    torch: Any = import_module("torch")
    tensor_batch: Any = import_module("noughts.envs.torch").TensorBatch
    for id in GAMES:
        for size, dtype in TENSOR_RUNS:
            observations = None if dtype is None else getattr(torch, dtype)
            start = perf_counter()
            batch = tensor_batch(id, size, seed=1, illegal="lose", dtype=observations)
            batch.step(batch.random_moves())
            torch.cuda.synchronize()
            ready = round(perf_counter() - start, 1)
            speed = round(best_speed(partial(_device_steps, batch, torch)))
            written = sum(tensor.element_size() * tensor.numel() for tensor in batch.state) // size
            say(
                measured="tensors",
                game=id,
                size=size,
                observations=dtype,
                steps=speed,
                ready=ready,
                bytes_a_step=written,
            )
            del batch


def _device_steps(batch: Any, torch: Any) -> int:
    for _ in range(STEPS):
        batch.step(batch.random_moves())
    torch.cuda.synchronize()
    return STEPS * len(batch)


def pgx() -> None:
    """A compiled loop of pgx, which draws random moves and starts again where a playthrough ends."""
    jax: Any = import_module("jax")
    say(measured="pgx", devices=str(jax.devices()), jax=jax.__version__)
    for id, name in PGX.items():
        for size in DEVICE_SIZES:
            run = _pgx_loop(name, size)
            say(measured="pgx", game=id, size=size, steps=round(best_speed(run)))


def _pgx_loop(name: str, size: int) -> Callable[[], int]:
    jax: Any = import_module("jax")
    library: Any = import_module("pgx")
    auto_reset = import_module("pgx.experimental").auto_reset
    env = library.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    def one(carry: Any, _: Any) -> Any:
        state, key = carry
        key, drawn = jax.random.split(key)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        moves = jax.random.categorical(drawn, logits, axis=-1)
        return (step(state, moves, jax.random.split(drawn, size)), key), None

    loop = jax.jit(lambda carry: jax.lax.scan(one, carry, None, length=STEPS)[0])
    key = jax.random.PRNGKey(0)
    carry = loop((jax.jit(jax.vmap(env.init))(jax.random.split(key, size)), key))
    jax.block_until_ready(carry)

    def run() -> int:
        jax.block_until_ready(loop(carry))
        return STEPS * size

    return run


if __name__ == "__main__":
    for name in sys.argv[1:]:
        {"scaling": scaling, "tensors": tensors, "pgx": pgx}[name]()
