"""Solves one game of the atlas and verifies the certificate."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from threading import Event, Thread, Timer
from time import process_time
from typing import NamedTuple

from noughts import __version__
from noughts.atlas.families import make_game
from noughts.atlas.records import Budget, Certificate, Record
from noughts.games import Value
from noughts.proof.proof import InvalidProof, Proof
from noughts.proof.solver import Solution, Solver
from noughts.proof.verify import verify

__all__ = ["BY_VERIFY", "CertificateRefused", "Checks", "GameToSolve", "solve_game", "solve_within_limits"]

VERIFY, CHECKER = "verify", "checker"
"""The names of the two checkers in records: ``noughts verify`` and ``tools/checker``."""
POLL_SECONDS = 0.01
CHECKER_SECONDS = 600.0
OVERTIME_FACTOR, OVERTIME_SECONDS = 20.0, 60.0
"""The most time by the clock is this many times the budget of processor time, and this much more: the certificate must
be checked too, and other programs may need the processors."""
MEMORY_BESIDE_TABLES_MB = 3072
"""Address space for a worker beyond its tables: Python, the core, and a certificate while it is written."""


class GameToSolve(NamedTuple):
    """A game to be solved."""

    game: str
    family: str
    budget: Budget


class Checks(NamedTuple):
    """How certificates are checked, and the folder in which they are kept.

    With a ``checker``, the path of ``build/checker``, the slower checker in Python checks only certificates of at most
    ``verify_nodes`` nodes; otherwise it checks all.
    """

    checker: Path | None = None
    verify_nodes: int = 5_000
    proofs: Path | None = None


BY_VERIFY = Checks()
"""Every certificate is checked by ``noughts verify``."""


class CertificateRefused(RuntimeError):
    """A checker refused a certificate, so solver or checker has a bug."""


def solve_within_limits(task: GameToSolve, checks: Checks) -> Record:
    """Return the record of a game as ``solve_game`` does, in a process that serves only this purpose.

    Its memory is limited, and it exits if the game takes far more time than its budget allows.
    """
    _limit_memory(task.budget.memory_mb)
    timer = Timer(OVERTIME_FACTOR * task.budget.seconds + OVERTIME_SECONDS, os._exit, [1])
    timer.daemon = True
    timer.start()
    try:
        return solve_game(task, checks)
    except MemoryError:
        return _record(task, reason="out of memory")
    finally:
        timer.cancel()


def _limit_memory(tables_mb: int) -> None:
    """Limit the address space, on systems where that is possible."""
    if sys.platform == "win32":
        return
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    with suppress(ValueError, OSError):  # a lower limit of the system stays
        resource.setrlimit(resource.RLIMIT_AS, ((tables_mb + MEMORY_BESIDE_TABLES_MB) << 20, hard))


def solve_game(task: GameToSolve, checks: Checks = BY_VERIFY) -> Record:
    """Return the record of a game; raises CertificateRefused if a checker does not accept the certificate."""
    game = make_game(task.game)
    began = process_time()
    solver = Solver(game.start(), task.budget.memory_mb)
    with _stop_after(solver, began + task.budget.seconds):
        solution = solver.solve()
        seconds = round(process_time() - began, 4)
        try:
            proof = solution.proof
        except ValueError as error:
            return _record(task, solution, seconds, reason=str(error))
    if proof is None:
        return _record(task, solution, seconds, reason="not solved within the budget")
    return _record(task, solution, seconds, _check(proof, task.game, checks))


@contextmanager
def _stop_after(solver: Solver, end: float) -> Iterator[None]:
    """Stop the solver when this process has used its processor time, which other processes do not shorten."""
    is_done = Event()

    def watch() -> None:
        while not is_done.wait(POLL_SECONDS):
            if process_time() > end:
                solver.stop()
                return

    thread = Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_done.set()
        thread.join()


def _record(
    task: GameToSolve,
    solution: Solution | None = None,
    seconds: float = 0.0,
    certificate: Certificate | None = None,
    reason: str | None = None,
) -> Record:
    return Record(
        task.game,
        task.family,
        task.budget,
        __version__,
        value=None if solution is None else solution.value,
        opening=None if solution is None else _opening(solution),
        nodes=0 if solution is None else solution.nodes,
        seconds=seconds,
        certificate=certificate,
        reason=reason,
    )


def _opening(solution: Solution) -> str | None:
    if solution.value in (None, Value.LOSS) or solution.move is None or not solution.move_is_proven:
        return None
    return solution.position.format_move(solution.move)


def _check(proof: Proof, name: str, checks: Checks) -> Certificate:
    text = proof.text.encode()
    nodes = len(proof)
    checked_by = []
    if checks.checker is None or nodes <= checks.verify_nodes:
        _verify(proof, name)
        checked_by.append(VERIFY)
    if checks.checker is not None:
        _run_checker(checks.checker, text, proof.value, name)
        checked_by.append(CHECKER)
    if checks.proofs is not None:
        proof.save(checks.proofs / f"{name.replace(':', '-')}.ngp")
    return Certificate(sha256(text).hexdigest(), len(text), nodes, tuple(checked_by))


def _verify(proof: Proof, name: str) -> None:
    """Check a certificate as it would be read from a file."""
    try:
        verify(Proof.parse(proof.text))
    except InvalidProof as error:
        raise CertificateRefused(f"noughts verify refuses the certificate of {name}: {error}") from None


def _run_checker(checker: Path, text: bytes, value: Value, name: str) -> None:
    done = subprocess.run(
        [checker, "--batch", "--position", "start", "--value", value],
        input=str(len(text)).encode() + b"\n" + text,
        capture_output=True,
        timeout=CHECKER_SECONDS,
        check=False,
    )
    answer = done.stdout.decode(errors="replace").strip() or done.stderr.decode(errors="replace").strip()
    if done.returncode != 0 or not answer.startswith(f"0: {value},"):
        raise CertificateRefused(f"{checker} refuses the certificate of {name}: {answer}")
