"""``noughts tree``: draws the search tree of a real run."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import click

from noughts.ask.trace import TRACE, TraceAnswer
from noughts.cli.options import json_option, options_of, seed_option
from noughts.cli.output import print_json
from noughts.cli.progress import ProgressDisplay
from noughts.cli.types import GAME, NUMBER, WHOLE_NUMBER, File
from noughts.games import Game, Position
from noughts.games.quoting import count
from noughts.teaching.comparison import (
    ALGORITHMS,
    EVALUATIONS,
    ORDERS,
    comfortable_depth,
    option_names,
    search_options,
)
from noughts.teaching.tree import tree_size, tree_text
from noughts.teaching.tree.files import FRAME_KINDS, SUFFIXES, check_suffix, save_frames, save_tree
from noughts.teaching.tree.trace import Trace, record, record_typed
from noughts.teaching.tree.typed_tree import TYPED_SEARCHES, TypedTree

DRAWN = 400
STEPPED = 40
"""Nodes drawn by default: in a picture, and in the pictures of all steps."""
SIMULATIONS = 100
GROWING = ("mcts", "proof_number_search")
"""Searches that grow a tree; a depth is not chosen for them."""


@dataclass(frozen=True, slots=True)
class GameTreeOptions:
    """The options of the searches; None is the default of the search."""

    order: Annotated[
        str | None,
        click.option("--order", type=click.Choice(list(ORDERS)), help="Order of moves. Default: row_by_row."),
    ]
    depth: Annotated[
        int | None,
        click.option(
            "--depth",
            "-d",
            type=WHOLE_NUMBER,
            help="Depth to search, or of rollouts. Default: to the end if that is quick.",
        ),
    ]
    evaluate: Annotated[
        str | None,
        click.option(
            "--evaluate",
            "-e",
            type=click.Choice(list(EVALUATIONS)),
            help="Evaluation at the depth. Default: outcome, or lines when a depth is given.",
        ),
    ]
    simulations: Annotated[
        int | None,
        click.option("--simulations", type=WHOLE_NUMBER, help=f"Simulations of mcts. Default: {SIMULATIONS}."),
    ]
    exploration: Annotated[
        float | None,
        click.option("--exploration", type=NUMBER, help="Exploration constant of mcts. Default: the square root of 2."),
    ]
    seed: Annotated[int | None, seed_option("Seed of the rollouts. Default: 1.")]

    def check(self, algorithms: list[str]) -> None:
        """Raise ValueError if an option was given that none of the searches takes."""
        taken = {name for algorithm in algorithms for name in option_names(algorithm)}
        for name, value in asdict(self).items():
            if value is not None and name not in taken:
                known = sorted(f"--{other.replace('_', '-')}" for other in asdict(self) if other in taken)
                option = f"--{name.replace('_', '-')}"
                raise ValueError(f"expected an option of {' or '.join(algorithms)} ({', '.join(known)}), got {option}")

    def arguments(self, algorithm: str, start: Position) -> dict[str, Any]:
        """Return the arguments for one of the searches."""
        grows = algorithm in GROWING
        depth = self.depth if grows else self._depth(start)
        evaluate = self.evaluate or ("outcome" if depth is None else "lines")
        arguments = search_options(algorithm, self.order or "row_by_row", evaluate, depth)
        if algorithm == "mcts":
            chosen = {"simulations": self.simulations, "exploration": self.exploration, "seed": self.seed}
            arguments |= {"simulations": SIMULATIONS} | {k: v for k, v in chosen.items() if v is not None}
        return arguments

    def _depth(self, start: Position) -> int | None:
        if self.depth is not None:
            return self.depth
        depth = comfortable_depth(start)
        if depth is not None:
            click.echo(f"the whole tree has {tree_size(start)} nodes: depth {depth} is searched", err=True)
        return depth


@click.command(name="tree")
@click.argument("game", type=GAME, required=False)
@click.argument("position", required=False)
@click.option(
    "--leaves",
    metavar="VALUES",
    help='Search a tree with these leaf values in place of a game: "3 12 8 / 2 4 6 / 14 5 2".',
)
@click.option(
    "--algorithm",
    "-a",
    type=click.Choice(list(ALGORITHMS)),
    default="alphabeta",
    show_default=True,
    metavar="ALGORITHM",
    help=f"Search to draw: {', '.join(ALGORITHMS)}.",
)
@click.option(
    "--versus",
    type=click.Choice(list(ALGORITHMS)),
    metavar="ALGORITHM",
    help="A second search, shown beside the first.",
)
@options_of(GameTreeOptions, "chosen")
@click.option(
    "--nodes",
    "-n",
    type=WHOLE_NUMBER,
    help=f"Nodes to draw at most. Default: {DRAWN}, or {STEPPED} if every step is drawn.",
)
@click.option(
    "--output",
    "-o",
    type=File(*SUFFIXES, ".json"),
    help="File to write: .svg, .html, .png, .pdf, .gif, .dot, .txt or .json.",
)
@click.option("--animate", is_flag=True, help="Show the search step by step in an .svg file, as a .gif always does.")
@click.option(
    "--frames", type=click.Path(path_type=Path, file_okay=False), help="Folder for a numbered picture of each step."
)
@click.option(
    "--format", "kind", type=click.Choice(FRAME_KINDS), default="svg", show_default=True, help="For --frames."
)
@json_option("Print the whole trace as JSON", TRACE)
def command(
    game: Game | None,
    position: str | None,
    leaves: str | None,
    algorithm: str,
    versus: str | None,
    nodes: int | None,
    output: Path | None,
    animate: bool,
    frames: Path | None,
    kind: str,
    chosen: GameTreeOptions,
    as_json: bool,
) -> None:
    """Search GAME (from POSITION, a position string, or the start) and draw the tree that was searched.

    Without --output the tree is printed as text. An .html file steps through the search; with --versus, through two
    searches side by side. --frames and .gif files show the steps on slides.

    --leaves draws the tree of an exercise: spaces separate the leaves of a node, / separates nodes, // nodes one level
    higher, and so on; brackets make other shapes: "[3 [2 4] 7]". Put min: before the values if MIN moves first.

    \b
    noughts tree 3x3 "xox/1o1/1x1 o" --depth 3 -o tree.svg
    noughts tree connect4 --algorithm negascout --depth 3 -o tree.html
    noughts tree 3x3 --algorithm mcts --simulations 50 -o tree.html
    noughts tree 3x3 "xox/1o1/1x1 o" --versus mcts -o both.html
    noughts tree 3x3 "xox/1o1/1x1 o" --frames slides --format png
    noughts tree --leaves "3 12 8 / 2 4 6 / 14 5 2" -o exam.html
    """
    algorithms = [algorithm] if versus is None else [algorithm, versus]
    chosen.check(algorithms)
    is_stepped = animate or frames is not None or (output is not None and output.suffix.lower() == ".gif")
    most = nodes if nodes is not None else (STEPPED if is_stepped else DRAWN)
    _check_output(output, animate, as_json, versus, most)
    if leaves is not None:
        traces = _search_leaves(leaves, game, algorithms, chosen)
    else:
        traces = _search_game(game, position, algorithms, chosen)
    if as_json:
        print_json(TraceAnswer.of_trace(traces[0], is_whole=True, has_replay=False))
    elif output is None and frames is None:
        click.echo("\n".join(tree_text(trace, most) for trace in traces), nl=False)
    if output is not None and output.suffix.lower() == ".json":
        traces[0].save(output)
    elif output is not None:
        with ProgressDisplay("pictures") as display:
            save_tree(output, traces, most, animate, display.show_count)
    if frames is not None:
        with ProgressDisplay("pictures") as display:
            written = save_frames(frames, traces, kind, most, display.show_count)
        click.echo(f"{frames}: {count(written, 'picture')}", err=True)
    for trace in traces:
        click.echo(_summary(trace, most, output), err=True)


def _search_game(
    game: Game | None, position: str | None, algorithms: list[str], chosen: GameTreeOptions
) -> list[Trace]:
    if game is None:
        raise ValueError("expected a game, such as 3x3, or --leaves")
    start = game.start_from(position).require_unfinished()
    with ProgressDisplay("nodes") as display:
        return [
            record(ALGORITHMS[name], start, lambda done: display.show([f"{done:,}"]), **chosen.arguments(name, start))
            for name in algorithms
        ]


def _search_leaves(leaves: str, game: Game | None, algorithms: list[str], chosen: GameTreeOptions) -> list[Trace]:
    if game is not None:
        raise ValueError(f"expected a game or --leaves, got both: {game.id}")
    given = [f"--{name}" for name, value in asdict(chosen).items() if value is not None]
    if given:
        raise ValueError(f"expected --leaves without options of searches of games, got {given[0]}")
    for name in algorithms:
        if name not in TYPED_SEARCHES:
            raise ValueError(f"expected a search of leaf values ({', '.join(TYPED_SEARCHES)}), got {name}")
    return [record_typed(ALGORITHMS[name], TypedTree.parse(leaves)) for name in algorithms]


def _check_output(output: Path | None, animate: bool, as_json: bool, versus: str | None, nodes: int) -> None:
    if nodes < 1:
        raise ValueError(f"expected at least 1 node to draw, got {nodes}")
    if animate and output is None:
        raise ValueError("expected --output with --animate: a file ending in .svg or .gif")
    if output is not None:
        check_suffix(output, (".json",))
    if versus is not None and (as_json or (output is not None and output.suffix.lower() in (".json", ".dot"))):
        raise ValueError("expected one search for JSON and DOT, got --versus; write a file for each")


def _summary(trace: Trace, nodes: int, output: Path | None) -> str:
    visited = sum(1 for _ in trace.root.walk())
    if trace.steps:
        parts = [f"{trace.algorithm}: {count(visited, 'node')}", f"{count(len(trace.steps), 'step')}"]
    else:
        parts = [f"{visited:,} nodes visited", f"{trace.count_pruned(trace.root):,} branches pruned"]
    if len(trace.passes) > 1:
        parts.append(f"in the last of {len(trace.passes)} passes")
    is_drawn = output is None or output.suffix.lower() != ".json"
    if is_drawn and visited > nodes:
        parts.append(f"{nodes:,} nodes drawn, {visited - nodes:,} left out (--nodes draws more)")
    return f"{output}: {', '.join(parts)}" if output else ", ".join(parts)
