"""``noughts train``: a network for any game, by self-play."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from noughts.cli.options import Flags, json_option, on_option
from noughts.cli.output import print_event, print_message, say
from noughts.cli.resumable_solve import Terminated, signals_raise
from noughts.cli.types import GAME, PLOT_FILE, NumberRange, WholeNumberRange
from noughts.games import Game

if TYPE_CHECKING:
    from noughts.learn.folder import TrainingFolder
    from noughts.learn.self_play import RaySelfPlay
    from noughts.learn.settings import TrainingSettings

LARGE = WholeNumberRange(1, 1 << 30)


@click.command(name="train")
@click.argument("game", type=GAME)
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER",
    help="The folder of the run, by default train-GAME; an unfinished run in it continues.",
)  # fmt: skip
@click.option(
    "--minutes", type=NumberRange(0, 1e5, min_open=True),
    help="Choose rounds, playthroughs, steps and openings for a run of this many minutes.",
)  # fmt: skip
@click.option("--rounds", type=WholeNumberRange(1, 1000), help="Rounds of self-play, training and a match.")
@click.option("--playthroughs", type=WholeNumberRange(2, 1 << 24), help="Playthroughs of a round.")
@click.option("--nodes", "-n", type=LARGE, help="Nodes of a move in self-play.")
@click.option("--steps", type=LARGE, help="Training steps of a round.")
@click.option(
    "--threads", "-t", type=WholeNumberRange(1, 256), help="Threads, by default one for each processor, at most 16."
)
@click.option("--seed", type=WholeNumberRange(0, 1 << 31), help="Seed of everything random.")
@click.option("--device", type=click.Choice(["cpu", "cuda"]), help="Where to train, by default cpu.")
@on_option("Self-play on this machine or on a Ray cluster.")
@click.option("--plot", type=PLOT_FILE, metavar="FILE", help="Also plot loss and Elo.")
@json_option("Print events as JSON, one per line.")
def command(game: Game, out: Path | None, on: str, plot: Path | None, as_json: bool, **amounts: object) -> int:
    """Train a network for GAME by self-play: an id, an alias, or a file with a custom game.

    Each round plays the engine against itself, trains a network on the positions, and plays it against the last one.
    The result is a file NAME.net for --network, no.Engine(network=...) and the arena, with a report beside it.

    Everything is in one folder. Ctrl-C or a crash loses at most a twentieth of a round of self-play, or a few seconds
    of training: the same command continues, and the network is the same as without the interruption. The defaults
    depend on the size of the game.

    \b
    noughts train 5x5:4
    noughts train pyramid.json --minutes 20
    noughts train connect4 --rounds 5 --playthroughs 5000 --nodes 2000
    """
    from noughts.learn.folder import TrainingError, TrainingFolder, default_folder
    from noughts.process.tasks import TaskError

    folder = TrainingFolder(out or default_folder(game))
    try:
        with signals_raise():
            return _train(game, folder, on, plot, as_json, amounts)
    except (TrainingError, TaskError) as error:
        raise click.ClickException(str(error)) from None
    except (KeyboardInterrupt, Terminated) as end:
        print_message(f"interrupted; the same command continues from {folder.path}")
        return Terminated.of(end).code


def _train(rules: Game, folder: TrainingFolder, on: str, plot: Path | None, as_json: bool, amounts: Flags) -> int:
    from noughts.cli.train_output import make_watcher
    from noughts.learn.report import plot_training, summary_text
    from noughts.learn.run import TrainingRun, import_torch

    import_torch()
    settings = _find_settings(rules, folder, amounts)
    outcome = TrainingRun(folder, settings, make_watcher(as_json), _self_player(settings, on)).run()
    if plot is not None:
        plot_training(outcome, plot)
    network = folder.network(settings)
    if as_json:
        elo, error = round(outcome.elo.elo, 1), round(outcome.elo.error, 1)
        print_event("end", network=str(network), elo=elo, error=error, report=str(folder.report))
    else:
        say(f"{summary_text(outcome)}{network}\n{folder.report}")
    return 0


def _find_settings(rules: Game, folder: TrainingFolder, amounts: Flags) -> TrainingSettings:
    """The saved settings of the folder, which the options must not contradict, or new ones."""
    from noughts.learn.calibration import calibrate
    from noughts.learn.run import check_device
    from noughts.learn.settings import TrainingSettings

    settings = folder.load_settings()
    if settings is not None:
        conflict = settings.conflict(rules, amounts)
        if conflict is not None:
            raise click.UsageError(f"{folder.path} has a run with {conflict}; choose another folder with --out")
        return settings
    settings = TrainingSettings.for_game(rules).with_amounts(amounts)
    check_device(settings.device)
    if settings.minutes is not None:
        print_message("measuring how long each stage takes ...")
        settings = calibrate(settings, amounts)
    folder.start(settings)
    return settings


def _self_player(settings: TrainingSettings, on: str) -> RaySelfPlay | None:
    if on == "local":
        return None
    from noughts.learn.self_play import RaySelfPlay
    from noughts.process.tasks import import_ray

    import_ray()
    return RaySelfPlay(settings.game, settings.seed, settings.nodes)
