"""``noughts verify``: checks proofs that ``noughts solve --proof`` wrote."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from noughts.cli.options import json_option
from noughts.cli.output import print_result, show_status
from noughts.cli.progress import ProgressDisplay
from noughts.cli.types import GAME, File, WholeNumberRange
from noughts.games import Game, InvalidPosition
from noughts.games.quoting import count

if TYPE_CHECKING:
    from noughts.proof.proof import Proof

MAX_MB = 512
"""As in noughts.proof.proof, which --help need not import."""
MIN_SECONDS_FOR_SPEED = 0.1
VALUES = ("win", "draw", "loss")


@dataclass(frozen=True, kw_only=True)
class CheckedProof:
    """The theorem that a proof proves and the work of checking it, or the error."""

    file: str
    ok: bool
    error: str | None = None
    game: str | None = None
    position: str | None = None
    value: str | None = None
    claims: int = 0
    nodes: int = 0
    positions: int = 0
    seconds: float = 0.0

    @property
    def verdict(self) -> str:
        """The result in words."""
        if not self.ok:
            return f"not a proof: {self.error}"
        work = f"{count(self.nodes, 'node')}, {count(self.positions, 'position')}, {self.seconds:.2f} s"
        if self.seconds >= MIN_SECONDS_FOR_SPEED:
            work += f", {round(self.positions / self.seconds):,} a second"
        return f"ok: {self.game} {self.position} is a {self.value} ({work})"


class Statement(NamedTuple):
    """What a proof must prove, as far as it was given."""

    game: Game | None
    position: str | None
    value: str | None

    def check(self, proof: Proof) -> None:
        """Raise InvalidProof unless the proof states the same."""
        from noughts.proof.proof import InvalidProof

        game = proof.game
        try:
            position = game.parse(proof.position).text
        except InvalidPosition as error:
            raise InvalidProof(f"line 1: {error}") from None
        differs = (
            "game" if self.game is not None and _rules(self.game) != _rules(game)
            else "position" if self.position is not None and _text(game, self.position) != position
            else "value" if self.value is not None and proof.value != self.value
            else None
        )  # fmt: skip
        if differs is not None:
            asked = self.value if differs == "value" else differs
            claimed = f"{game.label} {proof.position} is a {proof.value}"
            raise InvalidProof(f"expected the {asked} that --{differs} asks for, got a proof that {claimed}")


@click.command(name="verify")
@click.argument("files", nargs=-1, required=True, type=File(".ngp"))
@click.option(
    "--most", type=WholeNumberRange(1, 1 << 20), default=MAX_MB, show_default=True, metavar="MB",
    help="Refuse files that unpack to more.",
)  # fmt: skip
@click.option(
    "--jobs", "-j", type=WholeNumberRange(1, 1024), default=1, show_default=True,
    help="Check in this many processes: several files at a time, or parts of a single one.",
)  # fmt: skip
@click.option("--game", type=GAME, help="Refuse proofs of any other game: an id, an alias or a game file.")
@click.option("--position", metavar="TEXT", help="Refuse proofs of any other position: a position string, or start.")
@click.option("--value", type=click.Choice(VALUES), help="Refuse proofs of any other value to the side to move.")
@json_option("Print JSON, one object per line and file.")
def command(
    files: tuple[Path, ...],
    most: int,
    jobs: int,
    game: Game | None,
    position: str | None,
    value: str | None,
    as_json: bool,
) -> int:
    """Check the proofs in FILES by the rules alone, without trusting the solver.

    Prints a line for each: the value proven and the work done, or the place where the proof fails. The exit code is 1
    if one fails.

    \b
    noughts solve qubic --proof qubic.ngp
    noughts verify qubic.ngp --jobs 2
    noughts verify qubic.ngp --game qubic --position start --value win
    """
    is_good = True
    for found in _check_all(files, most, jobs, Statement(game, position, value)):
        show_status("")
        print_result(found, f"{found.file}: {found.verdict}", as_json)
        is_good = is_good and found.ok
    return 0 if is_good else 1


def _check_all(files: tuple[Path, ...], most: int, jobs: int, statement: Statement) -> Iterator[CheckedProof]:
    """Yield the results in the order of the files."""
    if len(files) == 1 or jobs == 1:
        for path in files:
            with ProgressDisplay(str(path)) as display:
                display.show(["reading"])
                result = _check(path, most, statement, jobs, display)
            yield result
        return
    from noughts.process.tasks import LocalTasks, run_tasks

    workers = LocalTasks[int](_check, min(jobs, len(files)), lambda number: str(files[number]))
    found: dict[int, CheckedProof] = {}
    shown = 0
    display = ProgressDisplay("files")
    for done, result in run_tasks(workers, ((at, (file, most, statement)) for at, file in enumerate(files))):
        found[done] = result
        display.show_count(len(found), len(files))
        while shown in found:
            yield found[shown]
            shown += 1


def _check(
    path: Path, most: int, statement: Statement, jobs: int = 1, display: ProgressDisplay | None = None
) -> CheckedProof:
    from noughts.proof.proof import InvalidProof, Proof
    from noughts.proof.verify import verify

    try:
        proof = Proof.load(path, most)
        if any(statement):
            statement.check(proof)
        report = verify(proof, None if display is None else display.show_count, jobs)
    except InvalidProof as error:
        return CheckedProof(file=str(path), ok=False, error=str(error))
    work = report._replace(seconds=round(report.seconds, 3))._asdict()
    return CheckedProof(
        file=str(path), ok=True, game=proof.game.label, position=proof.position, value=proof.value, **work
    )


def _text(game: Game, position: str) -> str:
    """A position as it is written by noughts."""
    return (game.start() if position == "start" else game.parse(position)).text


def _rules(game: Game) -> object:
    """The id of a game; of a custom game everything but its name, its layout and the order of its lines."""
    if not game.is_custom:
        return game.id
    lines = {(frozenset(line), frozenset(guards)) for line, guards in zip(game.lines, game.guards, strict=True)}
    return game.cells, lines, [set(below) for below in game.rests_on], game.is_misere
