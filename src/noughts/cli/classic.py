"""``noughts classic``: the five console programs that noughts grew out of."""

from __future__ import annotations

import click

from noughts.cli.classics import Console
from noughts.cli.groups import HelpfulGroup
from noughts.cli.options import seed_option


@click.group(name="classic", cls=HelpfulGroup)
def command() -> None:
    """Play the console programs noughts grew out of, with their original dialogues."""


@command.command("cube", short_help="4x4x4 against the AI, three difficulties.")
@seed_option()
def cube(seed: int | None) -> int:
    """4x4x4 against the AI: difficulty 1 to 3, Level (1-4), Row (0-3), Column (0-3)."""
    from noughts.cli.classics.cube import play

    return Console().run(lambda console: play(console, seed))


@command.command("ox", short_help="3x3 against the computer: you are O.")
def ox() -> int:
    """3x3 against the computer, which begins: you are O, cells 1 to 9."""
    from noughts.cli.classics.tictactoe import play_ox

    return Console().run(play_ox)


@command.command("selfplay")
def selfplay() -> int:
    """3x3, alpha-beta against itself."""
    from noughts.cli.classics.tictactoe import play_selfplay

    return Console().run(play_selfplay)


@command.command("mnk", short_help="Boards of 3 to 5: tests, a comparison, a game.")
@click.option("--test", "only_test", is_flag=True, help="Run the tests only.")
@click.option("--play", "only_play", is_flag=True, help="Play only, without the tests.")
def mnk(only_test: bool, only_play: bool) -> int:
    """Boards of 3 to 5, k in a row: sixteen tests, a comparison of searches, and a game with moves as 'row col'."""
    from noughts.cli.classics.mnk import run

    if only_test and only_play:
        raise click.UsageError("expected --test or --play, not both")
    return Console().run(lambda console: run(console, tests=not only_play, plays=not only_test, asks=not only_play))


@command.command("ultimate", short_help="Ultimate on 4x4 of 4x4, with points.")
@click.argument("mode", required=False, type=click.Choice(["1", "2"]))
@seed_option()
def ultimate(mode: str | None, seed: int | None) -> int:
    """Ultimate on 4x4 of 4x4 with points: mode 1 against the bot, mode 2 the bot against a random player."""
    from noughts.cli.classics.ultimate import play

    return Console().run(lambda console: play(console, mode, seed))
