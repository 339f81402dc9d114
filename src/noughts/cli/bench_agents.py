"""``noughts bench agents``: the return, the exact regret and the Elo of any agent, on fixed positions and openings."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import click

from noughts.cli.groups import BotCommand
from noughts.cli.options import json_option, sandbox_of, sandbox_options, seconds_option, seed_option
from noughts.cli.output import print_json, say, table_width
from noughts.cli.progress import ProgressDisplay
from noughts.cli.tables import format_table
from noughts.cli.types import BOT, GAME, WholeNumberRange
from noughts.games import Game
from noughts.games.quoting import quote

if TYPE_CHECKING:
    from noughts.arena.agents import AgentScore, GameScore
    from noughts.players import HostedPlayer
    from noughts.process.sandbox import Sandbox

START_SECONDS = 60.0
"""Time for an agent to start: importing a library for networks may take long."""
MEMORY_MB = 4096


@click.command(name="agents", cls=BotCommand, short_help="Measure agents: return, exact regret and Elo.")
@click.argument("agents", type=BOT, nargs=-1, required=True, metavar="AGENT...")
@click.option(
    "--game", "games", type=GAME, multiple=True, metavar="GAME",
    help="A game of the benchmark, by default all of them; may be repeated.",
)  # fmt: skip
@click.option(
    "--pairs", type=WholeNumberRange(1, 1000), default=10, show_default=True,
    help="Openings against each level; each is played with both sides.",
)  # fmt: skip
@seconds_option("Time for a move of a program or a Python agent.", default=1.0)
@seed_option("Seed of the levels' random choices and of built-in agents.", default=1)
@sandbox_options
@json_option("Print JSON, one line for each agent.")
def command(
    agents: tuple[str, ...],
    games: tuple[Game, ...],
    pairs: int,
    seconds: float,
    seed: int,
    sandbox: bool | None,
    readable: tuple[str, ...],
    allow_root: bool | None,
    as_json: bool,
) -> None:
    """Measure agents on fixed positions and openings: mean return, exact regret, and Elo on the scale of the levels.

    AGENT is random, a level, elo:1500, mcts:200 (tree search with 200 simulations for a move), FILE.py:CLASS or
    module:CLASS with choose(position, limit), or a program that speaks one of our protocols. Other people's code runs
    in the sandbox.

    Regret is how much of a position's proven value a move gives away: 1 turns a win into a draw or a draw into a
    loss. It is measured where every move has a proven value. Return is the mean of 1 for a win, 0 for a draw and -1 for
    a loss against random, beginner, easy, difficult and insane. An answer that fails counts as a loss.

    \b
    noughts bench agents random easy mcts:200
    noughts bench agents runs/ppo/ppo.py:Agent --game connect4
    noughts bench agents "json:python3 bot.py" --pairs 25 --json
    """
    confined = sandbox_of(sandbox, readable, allow_root)
    for score in _measure(agents, list(games), pairs, seconds, seed, confined):
        if as_json:
            print_json(score)
        else:
            say(score_table(score))


def _measure(
    agents: tuple[str, ...], games: list[Game], pairs: int, seconds: float, seed: int, sandbox: Sandbox
) -> Iterator[AgentScore]:
    """Yield the result of each agent; a mistake in the name of any of them is reported before the first is measured."""
    from noughts.arena.agents import bench_agent, suite_games
    from noughts.engine import Limit
    from noughts.players import PlayerFailed, is_builtin_name, normalise_name, open_player
    from noughts.process.limits import Limits

    for game in games:
        if game.id not in suite_games():
            raise click.UsageError(f"expected a game of {', '.join(suite_games())}, got {quote(game.id)}")
    limits = Limits(start_seconds=START_SECONDS, memory_mb=MEMORY_MB)

    def open_agent(agent: str) -> HostedPlayer:
        return open_player(agent, limits=limits, sandbox=sandbox, seed=seed)

    for agent in agents:
        try:
            open_agent(agent).close()
        except PlayerFailed as failed:
            raise click.ClickException(f"{agent} cannot be measured: {failed}") from None
    for agent in agents:
        name = normalise_name(agent)
        with ProgressDisplay(name) as display:
            try:
                yield bench_agent(
                    name,
                    partial(open_agent, agent),
                    games,
                    pairs=pairs,
                    seed=seed,
                    limit=None if is_builtin_name(agent) else Limit(seconds=seconds),
                    progress=display.show_count,
                )
            except PlayerFailed as failed:
                raise click.ClickException(f"{agent} cannot be measured: {failed}") from None


def score_table(score: AgentScore) -> str:
    """Return a table with a row for each game."""
    opponents = [each.opponent for each in score.games[0].opponents]
    header = ("game", "regret", "mistakes", "return", *opponents, "Elo", "failures")
    return f"{score.agent}\n{format_table(header, [_row(game) for game in score.games], table_width())}"


def _row(game: GameScore) -> tuple[str, ...]:
    regret = game.regret
    returns = [f"{each.mean_return:+.2f}" for each in game.opponents]
    failures = sum(each.failures for each in game.opponents) + (regret.failures if regret else 0)
    elo = (
        f"{game.elo} ± {game.error}" if game.error is not None else f"{'≥' if game.mean_return > 0 else '≤'} {game.elo}"
    )
    known = ("–", "–") if regret is None else (f"{regret.mean:.3f}", f"{regret.mistakes} of {regret.positions}")
    return (game.game, *known, f"{game.mean_return:+.2f}", *returns, elo, str(failures))
