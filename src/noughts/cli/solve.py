"""``noughts solve``: what a position is worth, proven."""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from noughts.cli.searching import find_position, say_while_thinking
from noughts.engine import Limit
from noughts.games import Position, find_game

if TYPE_CHECKING:
    from noughts.engine.solving import Solution, SolveProgress, Solver
    from noughts.games.values import Value
    from noughts.store import Solved, Store

__all__ = ["command"]

MEMORY_MB = 1024
FROM_INPUT = "-"
PATIENCE = 1.0
"""How long to wait for the first position on a pipe that nobody named; then the game itself is solved."""
BOUNDS = {"win": "a win", "draw": "a draw", "loss": "a loss"}


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

    Without a limit it goes on until the value is proven. Ctrl-C saves what was found out so far, and says how to go on.
    Values that were proven are kept, and known from then on to hint and analyse as well.

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
        if answer is None:
            answer = _solve(game, place, options)
            kept.keep(answer)
    click.echo(json.dumps(_data(answer)) if options.as_json else _text(answer))
    if options.proof and answer.proof is None:
        click.echo("noughts: expected a value to write a proof of, but the limit was reached before", err=True)
        return 1
    return 0


def _solve(game: str, place: Position, options: Options) -> Answer:
    """Solve with everything that goes with it: progress, the proof, and a file to go on from when it must end."""
    solver = _solver(place, options)
    try:
        solution = solver.solve(options.limit, _show)
        written = _write_proof(solution, options.proof) if options.proof and solution.value is not None else None
    except KeyboardInterrupt:
        say_while_thinking("")
        click.echo(f"interrupted; to go on: {_command(game, place, options, _saved(solver, place, options))}", err=True)
        raise click.exceptions.Exit(130) from None
    say_while_thinking("")
    if solution.value is not None and options.resume == _default_file(place):
        options.resume.unlink(missing_ok=True)  # we chose the place, so we clear it up
    if solution.value is None and (options.save or options.resume):
        click.echo(f"to go on: {_command(game, place, options, _saved(solver, place, options))}", err=True)
    return _answer(place, solution, written)


def _solver(place: Position, options: Options) -> Solver:
    from noughts.engine.solving import Solver

    solver = Solver(place, options.memory)
    if options.resume:
        solver.load(options.resume)
    return solver


def _answer(place: Position, solution: Solution, proof: str | None = None) -> Answer:
    return Answer(
        place, solution.value, solution.lower, solution.upper, solution.move, solution.plies, solution.nodes,
        solution.seconds,
        is_kept=False, proof=proof,
    )  # fmt: skip


def _write_proof(solution: Solution, path: Path) -> str:
    say_while_thinking("writing the proof ...")
    proof = solution.proof
    assert proof is not None
    proof.save(path)
    say_while_thinking("")
    size = path.stat().st_size
    shown = f"{size / 1e6:.1f} MB" if size >= 100_000 else f"{size / 1000:.1f} kB"
    click.echo(f"proof written to {path}: {len(proof):,} nodes, {shown}; noughts verify {path} checks it", err=True)
    return str(path)


def _saved(solver: Solver, place: Position, options: Options) -> Path:
    """Save what was found out; returns where."""
    path = options.save or options.resume or _default_file(place)
    path.parent.mkdir(parents=True, exist_ok=True)
    say_while_thinking(f"saving to {path} ...")
    solver.save(path)
    say_while_thinking("")
    return path


def _default_file(place: Position) -> Path:
    from hashlib import sha1

    from noughts.store import data_folder

    name = "".join(letter if letter.isalnum() or letter in "x+-" else "-" for letter in place.game.id)
    return data_folder() / "unfinished" / f"{name}-{sha1(place.text.encode()).hexdigest()[:8]}.solve"


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
    from noughts.cli.session.terminal import terminal_width

    say_while_thinking(str(progress)[: terminal_width() - 1])


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

    return bool(select([sys.stdin], [], [], PATIENCE)[0])


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
    failed = False
    with _Kept() as kept:
        for number, text in (line for lines in ([first] if first else [], rest) for line in lines):
            try:
                answer = _solve_line(rules.parse(text), options, kept)
            except ValueError as error:
                failed = True
                _refuse(number, text, str(error), options)
                continue
            said = json.dumps(_data(answer)) if options.as_json else f"{answer.position.text}: {_verdict(answer)}"
            click.echo(said)
            sys.stdout.flush()
    return 1 if failed else 0


def _solve_line(place: Position, options: Options, kept: _Kept) -> Answer:
    from noughts.engine.solving import Solver

    known = None if options.fresh else kept.answer(place)
    if known is not None:
        return known
    found = _answer(place, Solver(place, options.memory).solve(options.limit, _show))
    say_while_thinking("")
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
    """The store, as far as it can be had: without it nothing is known from before, and that is said once."""

    def __init__(self) -> None:
        self._store: Store | None = None

    def __enter__(self) -> _Kept:
        from noughts.store import Store

        try:
            self._store = Store()
        except OSError as error:
            self._give_up(error)
        return self

    def __exit__(self, *_: object) -> None:
        if self._store is not None:
            self._store.close()

    def answer(self, place: Position) -> Answer | None:
        """Return what is known of a position."""
        found: Solved | None = None
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
        from noughts.store import Solved

        if self._store is None or answer.value is None:
            return
        solved = Solved(answer.value, answer.move, answer.plies, answer.nodes, answer.seconds)
        try:
            self._store.keep_value(answer.position, solved)
        except OSError as error:
            self._give_up(error)

    def _give_up(self, error: OSError) -> None:
        self._store = None
        click.echo(f"noughts: {error}; values are neither known nor kept", err=True)


# --- what is said -------------------------------------------------------------------------------------------------


def _text(answer: Answer) -> str:
    return f"{answer.position.game.id}  {answer.position.text}\n{_verdict(answer)}"


def _verdict(answer: Answer) -> str:
    effort = f"{answer.nodes:,} node{'' if answer.nodes == 1 else 's'}, {answer.seconds:.2f} s"
    effort = f"known from an earlier solve of {effort}" if answer.is_kept else effort
    if answer.value is None:
        return f"not solved: {_bounds(answer.lower, answer.upper)}{_best(answer)}, {effort}"
    plies = f" in at most {answer.plies} {'ply' if answer.plies == 1 else 'plies'}" if answer.plies else ""
    return f"{answer.value}{plies}{_best(answer)}, {effort}"


def _bounds(lower: str, upper: str) -> str:
    if (lower, upper) == ("loss", "win"):
        return "nothing is proven yet"
    return f"at least {BOUNDS[lower]}, at most {BOUNDS[upper]}"


def _best(answer: Answer) -> str:
    name = None if answer.move is None else answer.position.format_move(answer.move)
    if answer.value == "loss":
        return ", all moves lose" + (f" ({name} resists)" if name else "")
    return f", best {name}" if name else ""


def _data(answer: Answer) -> dict[str, Any]:
    place = answer.position
    return {
        "game": place.game.id,
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
