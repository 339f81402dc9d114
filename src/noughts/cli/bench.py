"""``noughts bench``: the signature of the search, and its speed; ``noughts bench agents`` measures agents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from noughts.cli.bench_agents import command as agents_command
from noughts.cli.groups import HelpfulGroup
from noughts.cli.options import json_option
from noughts.cli.output import print_json, show_status, table_width
from noughts.cli.tables import format_table
from noughts.cli.types import WholeNumberRange

if TYPE_CHECKING:
    from noughts.engine.signature import Case, Measurement


@click.group(name="bench", cls=HelpfulGroup, invoke_without_command=True)
@click.option("--signature", "only_signature", is_flag=True, help="Print only the signature.")
@click.option("--repeat", type=WholeNumberRange(1, 100), default=3, show_default=True, help="Runs; the fastest counts.")
@click.option(
    "--instructions",
    metavar="NAME",
    help="Instruction set of the networks, such as avx2 or portable; by default the fastest of this machine.",
)
@json_option()
@click.pass_context
def command(context: click.Context, only_signature: bool, repeat: int, instructions: str | None, as_json: bool) -> None:
    """Search a fixed set of positions to fixed depths, and print the signature of the search (its nodes) and its speed.

    The signature is the same on every run and machine; it changes when the search does. Seconds are processor time.
    noughts bench agents measures agents.
    """
    if context.invoked_subcommand is None:
        _measure_search(only_signature, repeat, instructions, as_json)


def _measure_search(only_signature: bool, repeat: int, instructions: str | None, as_json: bool) -> None:
    from noughts import _core
    from noughts.engine.signature import measure_cases

    if instructions is not None:
        try:
            _core.set_instruction_set(instructions)
        except ValueError as error:
            raise click.BadParameter(f"{error}.", param_hint="--instructions") from None
    found = measure_cases(_show, 1 if only_signature else repeat)
    show_status("")
    benchmark = Benchmark.of(found, _core.instruction_set())
    if as_json:
        print_json(benchmark)
    elif only_signature:
        click.echo(benchmark.signature)
    else:
        click.echo(_table(found, benchmark))


command.add_command(agents_command)


def _show(number: int, total: int, case: Case) -> None:
    show_status(f"position {number} of {total}: {case.game}")


@dataclass(frozen=True)
class Effort:
    """The nodes of some positions, and the processor time that they took."""

    positions: int
    nodes: int
    seconds: float
    nps: int

    @classmethod
    def of(cls, found: Sequence[Measurement]) -> Effort:
        """Return the sums of some measurements."""
        nodes, seconds = sum(each.nodes for each in found), sum(each.seconds for each in found)
        return cls(len(found), nodes, round(seconds, 4), round(nodes / max(seconds, 1e-9)))


@dataclass(frozen=True)
class Benchmark:
    """The signature of the search, and its speed."""

    signature: int
    instructions: str
    seconds: float
    nps: int
    games: dict[str, Effort]

    @classmethod
    def of(cls, found: Sequence[Measurement], instructions: str) -> Benchmark:
        """Return the result of all measurements."""
        games: dict[str, list[Measurement]] = {}
        for each in found:
            games.setdefault(each.case.game, []).append(each)
        total, efforts = Effort.of(found), {game: Effort.of(measured) for game, measured in games.items()}
        return cls(total.nodes, instructions, total.seconds, total.nps, efforts)


def _table(found: Sequence[Measurement], benchmark: Benchmark) -> str:
    efforts = {**benchmark.games, "all": Effort.of(found)}
    rows = [
        (game, str(each.positions), f"{each.nodes:,}", f"{each.seconds:.3f}", f"{each.nps:,}")
        for game, each in efforts.items()
    ]
    last = f"signature {benchmark.signature}, networks use {benchmark.instructions}"
    return f"{format_table(('game', 'positions', 'nodes', 'CPU s', 'nodes/s'), rows, table_width())}\n{last}"
