"""``noughts solve``: the proven value of a position."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from noughts.analysis.solutions import Solutions
from noughts.ask.solve import SOLVE, SolutionAnswer, describe_solution
from noughts.cli.options import (
    find_position,
    json_option,
    memory_option,
    nodes_option,
    seconds_option,
    threads_option,
)
from noughts.cli.output import filled, print_event, print_json, print_message, say, system_reason, warn
from noughts.cli.resumable_solve import (
    MEMORY_MB,
    ResumableSolve,
    SolveOptions,
    Terminated,
    signals_raise,
)
from noughts.cli.solve_output import SolveWatcher
from noughts.cli.types import START, WORKERS, File, Start
from noughts.engine import Limit
from noughts.games import Game, Position
from noughts.games.quoting import count
from noughts.invocation import command_line
from noughts.proof.proof import InvalidProof
from noughts.proof.solver import Solution
from noughts.store import Busy, open_store_if_possible

FROM_INPUT = "-"
INPUT_WAIT_SECONDS = 1.0
"""Time to wait for the first position on a pipe without ``-``; after that the game itself is solved."""
FAILED, UNDECIDED = 1, 3
"""Exit codes."""

PROOF_FILE, STATE_FILE = File(".ngp"), File(".solve")


@click.command(name="solve")
@click.argument("game", type=START)
@click.argument("position", required=False)
@seconds_option("Time limit in seconds.")
@nodes_option("Limit on positions to visit.")
@memory_option(MEMORY_MB)
@threads_option
@click.option(
    "--on", type=WORKERS,
    help="Solve by jobs in N processes (local:N), or on a Ray cluster (ray), each with tables of its own.",
)  # fmt: skip
@click.option("--proof", type=PROOF_FILE, help="Write the proof to a file.")
@click.option("--resume", type=STATE_FILE, help="Continue a saved solve.")
@click.option("--save", type=STATE_FILE, help="Save an unfinished solve to this file.")
@click.option("--fresh", is_flag=True, help="Solve again, even if the value is known from an earlier solve.")
@json_option("Print JSON, one line a position", SOLVE)
@click.option("--events", is_flag=True, help="Print JSON events: progress every two seconds, then the result.")
def command(game: Start, position: str | None, seconds: float | None, nodes: int | None, **rest: Any) -> int:
    """Prove whether GAME is a win, a draw or a loss for the side to move, from POSITION or the start.

    GAME is an id, an alias, a file with a custom game, or a saved playthrough (.ngn, .sgf), whose last position is
    used. Without POSITION, or with -, positions can come from standard input, one per line; each gets a line of output.

    Without a limit it works until the value is proven. Ctrl-C, SIGTERM and a closed terminal save the state and print
    the command that continues; with --save or --resume it is also saved every few minutes.
    Proven values are stored; analyse, hint, review and the page use them.
    --seconds limits the solve; writing the proof comes after it.
    The exit code is 3 if a limit ended the solve before there was a value.

    Meanwhile standard error shows an estimate of the share of the work that is done, with a range that contains the
    true share in about four of five cases: as a bar on a terminal, otherwise as a line a minute.

    \b
    noughts solve 5x5:4
    noughts solve qubic --proof qubic.ngp
    noughts solve connect4 --seconds 60 < positions.txt
    noughts solve 7x7:5 --on local:4 --proof 7x7.ngp
    """
    limit = None if seconds is None and nodes is None else Limit(seconds=seconds, nodes=nodes)
    options = SolveOptions(limit, **rest)
    if options.on and options.threads > 1:
        raise click.UsageError("expected --threads or --on, got both: a job has one thread")
    for path in (options.proof, options.save):
        _check_writable(path)
    if position == FROM_INPUT or (position is None and _input_has_positions()):
        lines = _input_lines()
        first = next(lines, None)
        if first is not None or position == FROM_INPUT:
            return _solve_lines(game.game, first, lines, options)
    return _solve_one(game, find_position(game, position), options)


def _check_writable(path: Path | None) -> None:
    """Fail before the work, not after it, if a file cannot be written."""
    if path is None:
        return
    folder = path.absolute().parent
    if not folder.is_dir():
        raise click.UsageError(f"cannot write {path}: folder {folder} does not exist")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise click.UsageError(f"cannot write {path}: permission denied")


# --- one position ----------------------------------------------------------------------------------------------------


def _solve_one(game: Start, position: Position, options: SolveOptions) -> int:
    with _StoredSolutions() as solved:
        known = None if options.proof or options.fresh or options.resume else solved.find(position)
        if known is not None:
            _print_solution(Solution.from_proven(position, known), options)
            return 0
        with signals_raise():
            try:
                return _solve(options, solved, _start(game, position, options))
            except Terminated as end:
                raise click.exceptions.Exit(end.code) from None


def _start(game: Start, position: Position, options: SolveOptions) -> ResumableSolve:
    if options.on is None:
        return ResumableSolve(game, position, options)
    from noughts.cli.distributed_solve import DistributedSolve

    return DistributedSolve(game, position, options)


def _solve(options: SolveOptions, solved: _StoredSolutions, running: ResumableSolve) -> int:
    """Solve, show progress and write the proof; save if a limit or a signal ends the solve before there is a value."""
    try:
        solution = running.solve()
    except (KeyboardInterrupt, Terminated) as end:
        running.clear()
        is_saved = running.save()
        with suppress(OSError):  # a closed terminal
            _print_solution(running.bounds(), options)
        if is_saved:
            running.print_how_to_continue("interrupted; to continue")
        raise Terminated.of(end) from None
    running.clear()
    if solution.value is None:
        return _end_undecided(solution, options, running)
    is_kept = False
    try:
        is_kept = _is_checked(solution, options, running)
        if is_kept:
            solved.save(solution)
        code = _finish(solution, options, solved if is_kept else None)
    except InvalidProof as error:
        warn(f"{options.resume}: the value is not proven, since the certificate is wrong ({error}); solve without it")
        return FAILED
    except (KeyboardInterrupt, Terminated) as end:
        if running.save():
            stored = "; the value is stored" if is_kept else ""
            running.print_how_to_continue(f"interrupted{stored}; to {'write the proof' if is_kept else 'continue'}")
        raise Terminated.of(end) from None
    if code == 0:
        running.remove_default_file()
    return code


def _is_checked(solution: Solution, options: SolveOptions, running: ResumableSolve) -> bool:
    """Whether the value may be stored; if not, one line says so. Raises InvalidProof."""
    if running.is_checked(solution):
        return True
    warn(f"the value rests on {options.resume} and is not stored: its certificate takes too long to check here")
    return False


def _end_undecided(solution: Solution, options: SolveOptions, running: ResumableSolve) -> int:
    _print_solution(solution, options)
    if options.proof:
        warn("no proof is written: the limit was reached before there was a value")
    if options.save or options.resume:
        if not running.save():
            return FAILED
        running.print_how_to_continue("to continue")
    return UNDECIDED


def _finish(solution: Solution, options: SolveOptions, solved: _StoredSolutions | None) -> int:
    """Print the value and write the proof. JSON, which names the proof, comes after it.

    ``solved`` is None if the value is not to be stored.
    """
    if not options.is_json:
        _print_solution(solution, options)
    is_written = False
    try:
        is_written = options.proof is not None and _write_proof(solution, options, is_stored=solved is not None)
    finally:
        if is_written and solved is not None:
            solved.save(solution)  # now with the number of plies
        if options.is_json:
            _print_solution(solution, options, options.proof if is_written else None)
    return 0 if is_written or options.proof is None else FAILED


def _write_proof(solution: Solution, options: SolveOptions, is_stored: bool) -> bool:
    """Write the certificate and report on standard error; returns whether it was written."""
    path = options.proof
    assert path is not None
    watcher = SolveWatcher(solution.position, options.events, name="writing the proof")
    try:
        proof = solution.prove(watcher.report_proof)
        assert proof is not None
        proof.save(path)
    except (OSError, ValueError, MemoryError) as error:
        reason = system_reason(error) if isinstance(error, OSError) else str(error) or "out of memory"
        warn(f"cannot write {path}: {reason}{'; the value is proven and stored' if is_stored else ''}")
        return False
    finally:
        watcher.clear()
    size = path.stat().st_size
    size_text = f"{size / 1e6:.1f} MB" if size >= 100_000 else f"{size / 1000:.1f} kB"
    plies = "" if proof.plies is None else f", a {proof.value} in at most {count(proof.plies, 'ply')}"
    size_text = f"{count(len(proof), 'node')}, {size_text}{plies}"
    print_message(f"proof written to {path}: {size_text}; {command_line('verify', path)} checks it")
    return True


# --- positions on standard input -------------------------------------------------------------------------------------


def _input_has_positions() -> bool:
    """Whether standard input is a file, or a pipe that has a line or ends soon."""
    try:
        kind = os.fstat(sys.stdin.fileno()).st_mode
    except (OSError, ValueError, AttributeError):
        return False
    if stat.S_ISREG(kind):
        return True
    if not (stat.S_ISFIFO(kind) or stat.S_ISSOCK(kind)):
        return False
    from select import select

    try:
        return bool(select([sys.stdin], [], [], INPUT_WAIT_SECONDS)[0])
    except OSError:  # Windows selects sockets only: there a pipe is read when POSITION is -
        return False


def _input_lines() -> Iterator[tuple[int, str]]:
    """Yield the lines that are not empty, with their numbers; bytes that are not text will not parse as a position."""
    for number, line in enumerate(sys.stdin.buffer, start=1):
        text = line.decode(errors="replace").strip()
        if text:
            yield number, text


def _solve_lines(
    game: Game, first: tuple[int, str] | None, rest: Iterator[tuple[int, str]], options: SolveOptions
) -> int:
    for name in ("proof", "resume", "save", "on"):
        if getattr(options, name) is not None:
            raise click.UsageError(f"expected one position with --{name}, got positions on standard input")
    has_failed = is_undecided = False
    with _StoredSolutions() as solved:
        for number, text in (line for lines in ([first] if first else [], rest) for line in lines):
            try:
                solution = _solve_line(game.parse(text), options, solved)
            except ValueError as error:
                has_failed = True
                _report_bad_line(number, text, str(error), options)
                continue
            is_undecided = is_undecided or solution.value is None
            _print(solution, f"{solution.position.text}: {_verdict(solution)}", options)
    return FAILED if has_failed else UNDECIDED if is_undecided else 0


def _solve_line(position: Position, options: SolveOptions, solved: _StoredSolutions) -> Solution:
    watcher = SolveWatcher(position, options.events)
    try:
        return solved.solve(
            position,
            options.limit,
            watcher.report,
            memory_mb=options.memory,
            threads=options.threads,
            is_fresh=options.fresh,
        )
    finally:
        watcher.clear()


def _report_bad_line(number: int, text: str, reason: str, options: SolveOptions) -> None:
    """Report a line that cannot be solved: among the answers in JSON, else on standard error."""
    if options.is_json:
        event = {"event": "error"} if options.events else {}
        print_json(event | {"line": number, "position": text[:200], "error": reason})
    else:
        warn(f"line {number}: {reason}")


# --- solved positions ------------------------------------------------------------------------------------------------


class _StoredSolutions(Solutions):
    """The solutions in the store, if it can be opened; otherwise one line says so.

    A store that was busy is opened again when there is a value to save.
    """

    def __init__(self) -> None:
        super().__init__(warn=warn)
        self._was_busy = False

    def __enter__(self) -> _StoredSolutions:
        self._open("positions solved earlier are unknown")
        return self

    def __exit__(self, *_: object) -> None:
        if self.store is not None:
            self.store.close()

    def _open(self, consequence: str) -> None:
        try:
            self.store = open_store_if_possible(warn=warn, raise_busy=True)
            self._was_busy = False
        except Busy as error:
            self._was_busy = True
            warn(f"{error}; {consequence}")

    def save(self, solution: Solution) -> None:
        """Save the value of a solution, if it is proven."""
        if self._was_busy and solution.proven is not None:
            self._open("the value is not saved")
        super().save(solution)


# --- output ----------------------------------------------------------------------------------------------------------


def _print_solution(solution: Solution, options: SolveOptions, proof: Path | None = None) -> None:
    position = solution.position
    text = f"{position.game.label}  {position.text}\n{_verdict(solution)}"
    _print(solution, text, options, proof)
    if options.as_json and not options.events:
        print_message(f"answered in {solution.seconds:.3f} s")


def _print(solution: Solution, text: str, options: SolveOptions, proof: Path | None = None) -> None:
    if options.events:
        file = None if proof is None else str(proof)
        print_event("result", seconds=round(solution.seconds, 3), answer=SolutionAnswer.of(solution), proof=file)
    elif options.as_json:
        print_json(SolutionAnswer.of(solution))
    else:
        say(filled(text))
        sys.stdout.flush()


def _verdict(solution: Solution) -> str:
    effort = f"{count(solution.nodes, 'node')}, {solution.seconds:.2f} s"
    effort = f"known from an earlier solve of {effort}" if solution.is_stored else effort
    return f"{describe_solution(SolutionAnswer.of(solution))}, {effort}"
