"""``noughts judge``: values, regrets and rated opponents for other programs, by JSON lines."""

from __future__ import annotations

import sys
from io import TextIOWrapper

import click

from noughts.cli.options import engine_options, make_limit, open_advisor
from noughts.engine.evaluator import EngineSearch
from noughts.engine.network import Network
from noughts.limit import DEFAULT_SECONDS

__all__ = ["command"]


@click.command(name="judge")
@engine_options
def command(
    seconds: float | None,
    depth: int | None,
    nodes: int | None,
    threads: int,
    book: bool,
    network: Network,
    search: EngineSearch,
) -> None:
    """Judge moves for another program: a JSON request on each line of standard input, an answer on each line of output.

    A request has a game and a position. It asks for the value of every move and the regret of a proposed "move"
    ("ask": "judge", the default), for the move of a rated opponent ("play", with a "level" such as easy or elo:1300),
    or for the board and the legal moves ("show"). --seconds, --depth and --nodes limit requests that have no limit of
    their own; the default is one second.

    \b
    echo '{"id": 1, "game": "3x3", "moves": ["b2"], "move": "b3"}' | noughts judge
    echo '{"game": "connect4", "moves": ["d"], "ask": "play", "level": "elo:1200"}' | noughts judge
    noughts judge --nodes 20000 < requests.jsonl > answers.jsonl
    """
    from noughts.analysis.judging import Judge
    from noughts.players.protocols.judge_lines import serve_judge

    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    if sys.stdin.isatty():
        click.echo('waiting for requests such as {"game": "3x3", "moves": ["b2"], "move": "b3"}', err=True)
    with open_advisor(threads, book, network, search) as advisor:
        limit = make_limit(seconds, depth, nodes, DEFAULT_SECONDS)
        serve_judge(sys.stdin, sys.stdout, Judge(limit, advisor=advisor))
