"""``noughts tree``: draws the search tree of a real run."""

from __future__ import annotations

import json
from pathlib import Path

import click

from noughts.cli.options import complete_game
from noughts.games import Position, find_game
from noughts.study.comparison import ALGORITHMS, EVALUATIONS, ORDERS, comfortable_depth, search_options
from noughts.study.trace import Trace, check_suffix, record, trace_to_json
from noughts.study.tree import tree_size, tree_text

__all__ = ["command"]


@click.command(name="tree")
@click.argument("game", shell_complete=complete_game)
@click.argument("position", required=False)
@click.option("--algorithm", "-a", type=click.Choice(list(ALGORITHMS)), default="alphabeta", show_default=True)
@click.option("--order", type=click.Choice(list(ORDERS)), default="row_by_row", show_default=True)
@click.option("--depth", "-d", type=int, help="Depth to search. Default: to the end if that is quick.")
@click.option(
    "--evaluate", "-e", type=click.Choice(list(EVALUATIONS)), help="Default: outcome, or lines when a depth is given."
)
@click.option("--nodes", "-n", type=int, default=400, show_default=True, help="Nodes to draw at most.")
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File to write: .svg, .html, .dot, .txt or .json.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the whole trace as JSON.")
def command(
    game: str,
    position: str | None,
    algorithm: str,
    order: str,
    depth: int | None,
    evaluate: str | None,
    nodes: int,
    output: Path | None,
    as_json: bool,
) -> None:
    """Search GAME (from POSITION, a position string, or the start) and draw the tree that was searched.

    Without --output the tree is printed as text. An .html file steps through the search.

    \b
    noughts tree 3x3 "xox/1o1/1x1 o" --depth 3 -o tree.svg
    noughts tree connect4 --algorithm negascout --depth 3 -o tree.html
    """
    if output is not None:
        check_suffix(output)
    if nodes < 1:
        raise ValueError(f"expected at least 1 node to draw, got {nodes}")
    start = find_game(game).start_from(position)
    trace = _search(start, algorithm, order, depth, evaluate)
    if as_json:
        click.echo(json.dumps(trace_to_json(trace)))
    elif output is None:
        click.echo(tree_text(trace, nodes), nl=False)
    if output is not None:
        trace.save(output, nodes)
    click.echo(_summary(trace, nodes, output), err=True)


def _search(start: Position, algorithm: str, order: str, depth: int | None, evaluate: str | None) -> Trace:
    if start.is_over:
        raise ValueError("expected a position with a side to move, but the game is over")
    if depth is None:
        depth = comfortable_depth(start)
        if depth is not None:
            click.echo(f"the whole tree has {tree_size(start)} nodes: depth {depth} is searched", err=True)
    evaluate = evaluate or ("outcome" if depth is None else "lines")
    return record(ALGORITHMS[algorithm], start, **search_options(algorithm, order, evaluate, depth))


def _summary(trace: Trace, nodes: int, output: Path | None) -> str:
    visited = sum(1 for _ in trace.root.walk())
    parts = [f"{visited:,} nodes visited", f"{trace.count_pruned(trace.root):,} branches pruned"]
    if len(trace.passes) > 1:
        parts.append(f"in the last of {len(trace.passes)} passes")
    is_drawn = output is None or output.suffix.lower() != ".json"
    if is_drawn and visited > nodes:
        parts.append(f"{nodes:,} nodes drawn, {visited - nodes:,} left out (--nodes draws more)")
    return f"{output}: {', '.join(parts)}" if output else ", ".join(parts)
