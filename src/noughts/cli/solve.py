"""``noughts solve``: what a position is worth, proven."""

from __future__ import annotations

import json
import os
import signal
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from signal import SIGINT
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from noughts.cli.options import find_position
from noughts.cli.output import show_status
from noughts.engine import Limit
from noughts.games import Position, find_game

if TYPE_CHECKING:
    from noughts.engine.solver import Solution, SolveProgress
    from noughts.games import ProvenValue, Value
    from noughts.store import Store

__all__ = ["command"]

MEMORY_MB = 1024
FROM_INPUT = "-"
PATIENCE = 1.0
"""How long to wait for the first position on a pipe without ``-``; then the game itself is solved."""
FAILED, UNDECIDED = 1, 3
"""Exit codes."""
SAVE_EVERY_SECONDS = 300.0
"""How often a long solve is saved, if --save or --resume names a file."""
MOST_SAVING = 20
"""A save is followed by at least this many times as much work."""


class Answer(NamedTuple):
    """What is said about one position: what was proven now, or what was kept from an earlier time."""

    position: Position
    value: Value | None
    lower: str
    upper: str
    move: int | None
    plies: int | None
    nodes: int
    seconds: float
    is_kept: bool
    move_is_proven: bool = True
    proof: str | None = None


class Options(NamedTuple):
    """What the user asked for, but the position."""

    limit: Limit | None
    memory: int
    proof: Path | None
    resume: Path | None
    save: Path | None
    fresh: bool
    as_json: bool


@click.command(name="solve")
@click.argument("game")
@click.argument("position", required=False)
@click.option("--seconds", "-s", type=click.FloatRange(0, 1e9, min_open=True), help="How long to try.")
@click.option("--nodes", "-n", type=click.IntRange(1, 1 << 62), help="How many positions to look at.")
@click.option(
    "--memory", "-m", type=click.IntRange(1, 1 << 20), default=MEMORY_MB, show_default=True, metavar="MB",
    help="How much to remember.",
)  # fmt: skip
@click.option("--proof", type=click.Path(path_type=Path, dir_okay=False), help="Write the proof to a file.")
@click.option("--resume", type=click.Path(path_type=Path, dir_okay=False), help="Go on from what was saved.")
@click.option("--save", type=click.Path(path_type=Path, dir_okay=False), help="Where to save what is not finished.")
@click.option("--fresh", is_flag=True, help="Solve again what is known from an earlier time.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, an object on a line for each position.")
def command(game: str, position: str | None, seconds: float | None, nodes: int | None, **rest: Any) -> int:
    """Prove whether GAME is a win, a draw or a loss for the side to move, from POSITION or the beginning.

    GAME is an id, an alias, a file with a game of your own, or a saved game (.ngn, .sgf), whose last position is taken.
    Positions one per line on standard input (POSITION may then be left out, or be -) give one answer per line.

    Without a limit it works until the value is proven. Ctrl-C, SIGTERM and a closed terminal save what was found out so
    far, and say how to continue; with --save or --resume it is also saved every few minutes.
    Values that were proven are kept, and known from then on to hint and analyse as well.
    The exit code is 3 when a limit ended the solve before there was a value.

    \b
    noughts solve 5x5:4
    noughts solve qubic --proof qubic.ngp
    noughts solve connect4 --seconds 60 < positions.txt
    """
    limit = None if seconds is None and nodes is None else Limit(seconds=seconds, nodes=nodes)
    options = Options(limit, **rest)
    for path in (options.proof, options.save):
        _expect_writable(path)
    if position == FROM_INPUT or (position is None and _input_has_positions()):
        lines = _input_lines()
        first = next(lines, None)
        if first is not None or position == FROM_INPUT:
            return _solve_lines(game, first, lines, options)
    return _solve_one(game, find_position(game, position), options)


def _expect_writable(path: Path | None) -> None:
    """Say so before the work, not after it, when a file cannot be written."""
    if path is None:
        return
    folder = path.absolute().parent
    if not folder.is_dir():
        raise click.UsageError(f"expected a folder to write {path} in, but there is no {folder}")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise click.UsageError(f"expected to be allowed to write {path}, but it is not")


# --- one position -------------------------------------------------------------------------------------------------


def _solve_one(game: str, place: Position, options: Options) -> int:
    with _Kept() as kept:
        answer = None if options.proof or options.fresh or options.resume else kept.answer(place)
        if answer is not None:
            _say(answer, options)
            return 0
        with _ending_by_signal():
            try:
                return _solve(place, options, kept, _ResumableSolve(game, place, options))
            except _Terminated as end:
                raise click.exceptions.Exit(end.code) from None


def _solve(place: Position, options: Options, kept: _Kept, running: _ResumableSolve) -> int:
    """Solve, show progress and write the proof; save if a limit or a signal ends the solve before there is a value."""
    try:
        solution = running.solver.solve(options.limit, running.watch)
    except (KeyboardInterrupt, _Terminated) as end:
        is_saved = running.save()
        with suppress(OSError):  # a closed terminal
            _say(_answer(place, running.solver.solve(Limit(nodes=1))), options)
        if is_saved:
            running.tell_how_to_continue("interrupted; to continue")
        raise _Terminated.of(end) from None
    _wipe()
    answer = _answer(place, solution)
    kept.keep(answer)
    if solution.value is None:
        _say(answer, options)
        if options.proof:
            _tell("noughts: expected a value to write a proof of, but the limit was reached before")
        if not (options.save or options.resume):
            return UNDECIDED
        if not running.save():
            return FAILED
        running.tell_how_to_continue("to continue")
        return UNDECIDED
    try:
        code = _finish(answer, solution, options, kept)
    except (KeyboardInterrupt, _Terminated) as end:
        if running.save():
            running.tell_how_to_continue("interrupted; to continue")
        raise _Terminated.of(end) from None
    if code == 0:
        running.remove_default_file()
    return code


def _finish(answer: Answer, solution: Solution, options: Options, kept: _Kept) -> int:
    """Print the value, which is kept already, and write the proof. JSON, which names the proof, comes after it."""
    if not options.as_json:
        _say(answer, options)
    written = False
    try:
        written = options.proof is not None and _write_proof(solution, options.proof)
    finally:
        answer = answer._replace(plies=solution.plies, proof=str(options.proof) if written else None)
        if written:
            kept.keep(answer)
        if options.as_json:
            _say(answer, options)
    return 0 if written or options.proof is None else FAILED


def _write_proof(solution: Solution, path: Path) -> bool:
    """Write the certificate and return whether that worked; a line on standard error says so, or why not."""
    show_status("writing the proof ...")
    try:
        proof = solution.proof
        assert proof is not None
        proof.save(path)
    except (OSError, ValueError, MemoryError) as error:
        _wipe()
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error) or "out of memory"
        _tell(f"noughts: cannot write {path}: {reason}; the value stands and is kept")
        return False
    _wipe()
    size = path.stat().st_size
    shown = f"{size / 1e6:.1f} MB" if size >= 100_000 else f"{size / 1000:.1f} kB"
    plies = "" if proof.plies is None else f", a {proof.value} in at most {_plies(proof.plies)}"
    _tell(f"proof written to {path}: {len(proof):,} nodes, {shown}{plies}; noughts verify {path} checks it")
    return True


def _say(answer: Answer, options: Options) -> None:
    click.echo(json.dumps(_data(answer)) if options.as_json else _text(answer))
    sys.stdout.flush()


def _tell(text: str) -> None:
    """Write a message, if there is still a terminal to write it to."""
    with suppress(OSError):
        click.echo(text, err=True)


def _wipe() -> None:
    with suppress(OSError):
        show_status("")


class _Terminated(BaseException):
    """A signal has asked the command to end; ``code`` is the exit code."""

    def __init__(self, number: int) -> None:
        self.code = 128 + number

    @classmethod
    def of(cls, end: BaseException) -> _Terminated:
        """Return the exception itself, or the one that stands for Ctrl-C."""
        return end if isinstance(end, _Terminated) else cls(SIGINT)


@contextmanager
def _ending_by_signal() -> Iterator[None]:
    """Within the block SIGTERM and SIGHUP raise _Terminated, where they exist and are not ignored."""

    def end(number: int, frame: object) -> None:
        raise _Terminated(number)

    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    handled = [number for number in numbers if signal.getsignal(number) == signal.SIG_DFL]
    for number in handled:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in handled:
            signal.signal(number, signal.SIG_DFL)


class _ResumableSolve:
    """A solve and the file to resume it from, saved every few minutes if one was named, and when the solve must end."""

    def __init__(self, game: str, place: Position, options: Options) -> None:
        from noughts.engine.solver import Solver

        self.solver = Solver(place, options.memory)
        if options.resume:
            self.solver.load(options.resume)
        self._game, self._place, self._options = game, place, options
        self._pause, self._saved = SAVE_EVERY_SECONDS, monotonic()

    def watch(self, progress: SolveProgress) -> None:
        """Show the progress, and save when it is time."""
        _show(progress)
        if (self._options.save or self._options.resume) and monotonic() - self._saved >= self._pause:
            began = monotonic()
            self.save()
            self._saved = monotonic()
            self._pause = max(SAVE_EVERY_SECONDS, MOST_SAVING * (self._saved - began))

    def save(self) -> bool:
        """Save what was found out and return whether that worked; a failure is reported on standard error."""
        path = self._path()
        with suppress(OSError):
            show_status(f"saving to {path} ...")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self.solver.save(path)
        except OSError as error:
            _wipe()
            _tell(f"noughts: cannot save to {path}: {error.strerror or error}; an earlier save there is unchanged")
            return False
        _wipe()
        return True

    def tell_how_to_continue(self, message: str) -> None:
        """Print the command that continues from the file just saved."""
        _tell(f"{message}: {_command(self._game, self._place, self._options, self._path())}")

    def remove_default_file(self) -> None:
        """Remove the file that a finished solve was resumed from, if we chose its place."""
        if self._options.resume and self._options.resume == _default_file(self._place):
            self._options.resume.unlink(missing_ok=True)

    def _path(self) -> Path:
        return self._options.save or self._options.resume or _default_file(self._place)


def _answer(place: Position, solution: Solution) -> Answer:
    return Answer(
        place, solution.value, solution.lower, solution.upper, solution.move, solution.plies, solution.nodes,
        solution.seconds,
        is_kept=False, move_is_proven=solution.move_is_proven,
    )  # fmt: skip


def _default_file(place: Position) -> Path:
    from hashlib import sha1

    from noughts.store import data_folder

    name = "".join(letter if letter.isalnum() or letter in "x+-" else "-" for letter in place.game.id)
    what = json.dumps([place.game.to_data(), place.text])  # two custom games may share a name
    return data_folder() / "unfinished" / f"{name}-{sha1(what.encode()).hexdigest()[:8]}.solve"


def _command(game: str, place: Position, options: Options, path: Path) -> str:
    """The command that goes on, as it can be typed."""
    from shlex import join

    words = ["noughts", "solve", game]
    if place.start_text is not None or place.moves:
        is_file = game.lower().endswith((".ngn", ".sgf"))
        words += [] if is_file else [place.text]
    words += ["--memory", str(options.memory)] if options.memory != MEMORY_MB else []
    words += ["--proof", str(options.proof)] if options.proof else []
    return join([*words, "--resume", str(path)])


def _show(progress: SolveProgress) -> None:
    from noughts.cli.capabilities import terminal_width

    show_status(str(progress)[: terminal_width() - 1])


# --- positions on standard input ----------------------------------------------------------------------------------


def _input_has_positions() -> bool:
    """Whether standard input is a file or a pipe on which something comes, or ends, soon."""
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
        return bool(select([sys.stdin], [], [], PATIENCE)[0])
    except OSError:  # Windows selects sockets only: there a pipe is read when POSITION is -
        return False


def _input_lines() -> Iterator[tuple[int, str]]:
    """The lines that are not empty, with their numbers; what is no text will be no position either."""
    for number, line in enumerate(sys.stdin.buffer, start=1):
        text = line.decode(errors="replace").strip()
        if text:
            yield number, text


def _solve_lines(game: str, first: tuple[int, str] | None, rest: Iterator[tuple[int, str]], options: Options) -> int:
    for name in ("proof", "resume", "save"):
        if getattr(options, name) is not None:
            raise click.UsageError(f"expected one position with --{name}, got positions on standard input")
    rules = find_game(game)
    failed = undecided = False
    with _Kept() as kept:
        for number, text in (line for lines in ([first] if first else [], rest) for line in lines):
            try:
                answer = _solve_line(rules.parse(text), options, kept)
            except ValueError as error:
                failed = True
                _refuse(number, text, str(error), options)
                continue
            undecided = undecided or answer.value is None
            said = json.dumps(_data(answer)) if options.as_json else f"{answer.position.text}: {_verdict(answer)}"
            click.echo(said)
            sys.stdout.flush()
    return FAILED if failed else UNDECIDED if undecided else 0


def _solve_line(place: Position, options: Options, kept: _Kept) -> Answer:
    from noughts.engine.solver import Solver

    known = None if options.fresh else kept.answer(place)
    if known is not None:
        return known
    found = _answer(place, Solver(place, options.memory).solve(options.limit, _show))
    show_status("")
    kept.keep(found)
    return found


def _refuse(number: int, text: str, reason: str, options: Options) -> None:
    """One line about a line that is no position to solve: among the answers in JSON, else where talk goes."""
    if options.as_json:
        click.echo(json.dumps({"line": number, "position": text[:200], "error": reason}))
        sys.stdout.flush()
    else:
        click.echo(f"noughts: line {number}: {reason}", err=True)


# --- what is kept -------------------------------------------------------------------------------------------------


class _Kept:
    """The store, if it can be opened; otherwise earlier values are unknown, and one line says so.

    A store that was locked is opened again when there is a value to keep.
    """

    def __init__(self) -> None:
        self._store: Store | None = None
        self._is_given_up = False

    def __enter__(self) -> _Kept:
        self._open("solved positions are not known")
        return self

    def _open(self, without: str) -> None:
        from noughts.store import Busy, open_store_if_possible

        try:
            self._store = open_store_if_possible(warn=_warn, raise_busy=True)
            self._is_given_up = self._store is None
        except Busy as error:
            _warn(f"{error}; {without}")

    def __exit__(self, *_: object) -> None:
        if self._store is not None:
            self._store.close()

    def answer(self, place: Position) -> Answer | None:
        """Return what is known of a position."""
        found: ProvenValue | None = None
        if self._store is not None and not place.is_over:
            try:
                found = self._store.value_of(place)
            except OSError as error:
                self._give_up(error)
        if found is None:
            return None
        value, effort = found.value, (found.nodes, found.seconds)
        return Answer(place, value, value, value, found.move, found.plies, *effort, is_kept=True)

    def keep(self, answer: Answer) -> None:
        """Keep what was proven."""
        from noughts.games import ProvenValue
        from noughts.store import Busy

        if answer.value is None or self._is_given_up:
            return
        if self._store is None:
            self._open("the value is not saved")
        if self._store is None:
            return
        solved = ProvenValue(answer.value, answer.move, answer.plies, answer.nodes, answer.seconds)
        try:
            self._store.keep_value(answer.position, solved)
        except Busy as error:
            _warn(f"{error}; the value is not saved")
        except OSError as error:
            self._give_up(error)

    def _give_up(self, error: OSError) -> None:
        self._store, self._is_given_up = None, True
        _warn(f"continuing without solved positions: {error}")


def _warn(message: str) -> None:
    click.echo(f"noughts: {message}", err=True)


# --- what is said -------------------------------------------------------------------------------------------------


def _text(answer: Answer) -> str:
    return f"{answer.position.game.label}  {answer.position.text}\n{_verdict(answer)}"


def _verdict(answer: Answer) -> str:
    effort = f"{answer.nodes:,} node{'' if answer.nodes == 1 else 's'}, {answer.seconds:.2f} s"
    effort = f"known from an earlier solve of {effort}" if answer.is_kept else effort
    if answer.value is None:
        return f"not solved: {_bounds(answer.lower, answer.upper)}{_best(answer)}, {effort}"
    plies = f" in at most {_plies(answer.plies)}" if answer.plies else ""
    return f"{answer.value}{plies}{_best(answer)}, {effort}"


def _plies(count: int) -> str:
    return f"{count} {'ply' if count == 1 else 'plies'}"


def _bounds(lower: str, upper: str) -> str:
    if (lower, upper) == ("loss", "win"):
        return "nothing is proven yet"
    return f"at least a {lower}, at most a {upper}"


def _best(answer: Answer) -> str:
    is_known = answer.move is not None and answer.move_is_proven
    name = answer.position.format_move(answer.move) if answer.move is not None and is_known else None
    if answer.value == "loss":
        return ", all moves lose" + (f" ({name} resists)" if name else "")
    return f", best {name}" if name else ""


def _data(answer: Answer) -> dict[str, Any]:
    place = answer.position
    return {
        "game": place.game.label,
        "position": place.text,
        "turn": place.turn,
        "value": answer.value,
        "lower": answer.lower,
        "upper": answer.upper,
        "move": None if answer.move is None else place.format_move(answer.move),
        "cell": answer.move,
        "plies_at_most": answer.plies,
        "nodes": answer.nodes,
        "seconds": round(answer.seconds, 3),
        "known": answer.is_kept,
        "proof": answer.proof,
    }
