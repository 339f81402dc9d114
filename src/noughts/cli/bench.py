"""``noughts bench``: the signature of the search, and its speed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from noughts.cli.options import json_option
from noughts.cli.output import print_json, show_status
from noughts.cli.types import WholeNumberRange

if TYPE_CHECKING:
    from noughts.engine.signature import Case, Measurement


@click.command(name="bench")
@click.option("--signature", "only_signature", is_flag=True, help="Print only the signature.")
@click.option("--repeat", type=WholeNumberRange(1, 100), default=3, show_default=True, help="Runs; the fastest counts.")
@click.option(
    "--instructions",
    metavar="NAME",
    help="Instruction set of the networks, such as avx2 or portable; by default the fastest of this machine.",
)
@json_option()
def command(only_signature: bool, repeat: int, instructions: str | None, as_json: bool) -> None:
    """Search a fixed set of positions to fixed depths, and print the signature of the search (its nodes) and its speed.

    The signature is the same on every run and machine; it changes when the search does. Seconds are processor time.
    """
    from noughts import _core
    from noughts.engine.signature import measure_cases

    if instructions is not None:
        try:
            _core.set_instruction_set(instructions)
        except ValueError as error:
            raise click.BadParameter(f"{error}.", param_hint="--instructions") from None
    found = measure_cases(_show, 1 if only_signature else repeat)
    show_status("")
    if as_json:
        print_json(_data(found))
    elif only_signature:
        click.echo(sum(each.nodes for each in found))
    else:
        click.echo(_table(found))


def _show(number: int, total: int, case: Case) -> None:
    show_status(f"position {number} of {total}: {case.game}")


def _by_game(found: list[Measurement]) -> dict[str, tuple[int, int, float]]:
    """Positions, nodes and seconds of each game."""
    sums: dict[str, tuple[int, int, float]] = {}
    for each in found:
        positions, nodes, seconds = sums.get(each.case.game, (0, 0, 0.0))
        sums[each.case.game] = positions + 1, nodes + each.nodes, seconds + each.seconds
    return sums


def _table(found: list[Measurement]) -> str:
    from noughts import _core

    rows = [_row(game, *sums) for game, sums in _by_game(found).items()]
    head = f"{'game':22}  {'positions':>9}  {'nodes':>10}  {'CPU s':>7}  {'nodes/s':>10}"
    nodes, seconds = sum(each.nodes for each in found), sum(each.seconds for each in found)
    last = f"signature {nodes}, networks use {_core.instruction_set()}"
    return "\n".join([head, *rows, _row("all", len(found), nodes, seconds), last])


def _row(game: str, positions: int, nodes: int, seconds: float) -> str:
    return f"{game:22}  {positions:>9}  {nodes:>10,}  {seconds:>7.3f}  {_speed(nodes, seconds):>10,}"


def _speed(nodes: int, seconds: float) -> int:
    return round(nodes / max(seconds, 1e-9))


def _data(found: list[Measurement]) -> dict[str, object]:
    from noughts import _core

    games = {
        game: {"positions": count, "nodes": nodes, "seconds": round(seconds, 4), "nps": _speed(nodes, seconds)}
        for game, (count, nodes, seconds) in _by_game(found).items()
    }
    nodes, seconds = sum(each.nodes for each in found), sum(each.seconds for each in found)
    return {
        "signature": nodes,
        "instructions": _core.instruction_set(),
        "seconds": round(seconds, 3),
        "nps": _speed(nodes, seconds),
        "games": games,
    }
