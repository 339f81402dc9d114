"""``noughts judge``: the questions for other programs, by JSON lines."""

from __future__ import annotations

import sys
from io import TextIOWrapper

import click

from noughts.cli.options import EngineOptions, open_store, options_of


@click.command(name="judge")
@options_of(EngineOptions, "engine")
def command(engine: EngineOptions) -> None:
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
    from noughts.ask.judge_lines import serve_judge_lines

    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    if sys.stdin.isatty():
        click.echo('waiting for requests such as {"game": "3x3", "moves": ["b2"], "move": "b3"}', err=True)
    with open_store() as store:
        serve_judge_lines(sys.stdin, sys.stdout, lambda: engine.make_advisor(store), engine.limit)
