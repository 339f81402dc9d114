"""Chooses the amounts of a run for a time, by measuring each stage for a moment."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import cycle, islice
from time import monotonic
from typing import Any

from noughts import _core
from noughts.engine import Limit
from noughts.learn.matches import Contest, distinct_openings, play_contest
from noughts.learn.settings import TrainingSettings

__all__ = ["calibrate"]

SELF_PLAY_SHARE, TRAINING_SHARE, MATCH_SHARE = 0.45, 0.35, 0.1
"""Of the time; the rest is for calibration and the report."""
SAMPLE_SHARE, MIN_SAMPLE_SECONDS, MAX_SAMPLE_SECONDS = 0.01, 0.5, 5.0
MINUTES_PER_ROUND, MAX_ROUNDS = 5, 10
MIN_PLAYTHROUGHS, MIN_STEPS, MIN_PAIRS = 40, 50, 10


def calibrate(settings: TrainingSettings, given: dict[str, Any]) -> TrainingSettings:
    """Return the settings with rounds, playthroughs, steps and pairs for ``minutes``, except those that are given."""
    assert settings.minutes is not None
    seconds = settings.minutes * 60
    sample = min(max(seconds * SAMPLE_SHARE, MIN_SAMPLE_SECONDS), MAX_SAMPLE_SECONDS)
    rounds = given.get("rounds") or max(1, min(MAX_ROUNDS, round(settings.minutes / MINUTES_PER_ROUND)))
    found = replace(settings, rounds=rounds)
    if given.get("playthroughs") is None:
        a_playthrough = _seconds_of(sample, lambda at, count: _play(settings, at, count))
        found = replace(
            found, playthroughs=_amount(seconds * SELF_PLAY_SHARE / rounds, a_playthrough, MIN_PLAYTHROUGHS)
        )
    if given.get("steps") is None:
        step = _step_of(settings)
        found = replace(found, steps=_amount(seconds * TRAINING_SHARE / rounds, _seconds_of(sample, step), MIN_STEPS))
    limit = Limit(nodes=settings.match_nodes)
    openings = distinct_openings(settings.game, settings.seed, settings.threads, settings.threads)
    contest = Contest(settings.game, openings, None, None, limit)
    a_pair = _seconds_of(sample, lambda _, count: _play_pairs(contest, count))
    matches = 2 * rounds - 1
    return replace(found, pairs=min(settings.pairs, _amount(seconds * MATCH_SHARE / matches, a_pair, MIN_PAIRS)))


def _amount(seconds: float, each: float, least: int) -> int:
    return max(least, round(seconds / each))


def _seconds_of(sample: float, work: Callable[[int, int], object]) -> float:
    """The time of one piece of work; ``work`` is called with the number of the first and how many, until it is enough.

    The first call is not counted: it includes what happens only once.
    """
    work(0, 1)
    done, size, began = 0, 2, monotonic()
    while (elapsed := monotonic() - began) < sample:
        work(done, size)
        done += size
        size *= 2
    return elapsed / done


def _play_pairs(contest: Contest, count: int) -> None:
    openings = list(islice(cycle(contest.openings), count))
    play_contest(contest._replace(openings=openings), len(contest.openings))


def _play(settings: TrainingSettings, first: int, count: int) -> bytes:
    core = settings.game._core
    return _core.self_play(core, None, first, count, settings.seed, settings.nodes, settings.threads)


def _step_of(settings: TrainingSettings) -> Callable[[int, int], object]:
    """A function that trains for some steps."""
    import torch

    from noughts.learn.rows import Rows
    from noughts.learn.trainer import Trainer, make_net

    torch.set_num_threads(settings.torch_threads)
    rows = Rows(_core.rows_header(settings.game._core, False) + _play(settings, 0, 4 * settings.threads))
    device = torch.device(settings.device)
    trainer = Trainer(make_net(rows, 1), [rows], [rows], settings.batch, settings.rate, 1, device)

    def train(_: int, count: int) -> None:
        for _step in range(count):
            trainer.step(0.5)

    return train
