"""``noughts judge``: the questions for other programs, by JSON lines."""

from __future__ import annotations

import sys
from io import TextIOWrapper

import click

from noughts.cli.options import engine_options, open_store
from noughts.cli.output import warn
from noughts.engine import Engine, Limit
from noughts.engine.evaluator import EngineSearch
from noughts.engine.network import Network

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

    A request has the fields of a question, such as a game and a position. It asks for the value of every move and the
    regret of a proposed "move" ("ask": "judge", the default), for the move of a rated opponent ("move", with a "level"
    such as easy or elo:1300), for the board and the legal moves ("position"), or any other question: hint, analyse,
    solve, review and more. --seconds, --depth and --nodes limit requests that have no limit of their own; the default
    for a judgement is one second.

    \b
    echo '{"id": 1, "game": "3x3", "moves": ["b2"], "move": "b3"}' | noughts judge
    echo '{"game": "connect4", "moves": ["d"], "ask": "move", "level": "elo:1200"}' | noughts judge
    noughts judge --nodes 20000 < requests.jsonl > answers.jsonl
    """
    from noughts.analysis.advice import ENGINE_MB, Advisor
    from noughts.ask.judge_lines import serve_judge_lines

    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    if sys.stdin.isatty():
        click.echo('waiting for requests such as {"game": "3x3", "moves": ["b2"], "move": "b3"}', err=True)
    with open_store() as store:

        def make_advisor() -> Advisor:
            engine = Engine(
                threads, ENGINE_MB, book=book, network=network, search=search.name, evaluator=search.evaluator
            )
            return Advisor(engine, store, warn)

        has_limit = any(option is not None for option in (seconds, depth, nodes))
        serve_judge_lines(sys.stdin, sys.stdout, make_advisor, Limit(seconds, depth, nodes) if has_limit else None)
