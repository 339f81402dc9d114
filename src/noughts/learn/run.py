"""A training run: rounds of self-play, training and matches, in a folder from which it continues after any end."""

from __future__ import annotations

import os
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from pickle import UnpicklingError
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol

from noughts import _core
from noughts.arena.openings import Opening
from noughts.arena.ratings import PairScore, Rating, Ratings, rate
from noughts.engine import Limit
from noughts.games.quoting import count
from noughts.invocation import install_line
from noughts.learn.folder import TrainingError, TrainingFolder
from noughts.learn.losses import Losses
from noughts.learn.matches import (
    START,
    Contest,
    distinct_openings,
    elo_difference,
    elo_text,
    play_contest,
    score_text,
)
from noughts.learn.regret import Regret, measure_regret
from noughts.learn.self_play import Chunk, LocalSelfPlay, SelfPlayer
from noughts.learn.settings import TrainingSettings
from noughts.schema import plain

if TYPE_CHECKING:
    from noughts.learn.rows import Rows
    from noughts.learn.trainer import Trainer

__all__ = ["Round", "TrainingResult", "TrainingRun", "TrainingWatcher", "check_device", "import_torch"]

WINDOW = 3
"""Rounds whose rows are trained on: the last ones."""
CHECKPOINT_SECONDS = 5.0
SAVE_MATCH_SECONDS = 5.0
CURVE_POINTS = 20
"""Validations in each round."""
LATER_RATE_SHARE = 0.5
TIME_MATCH_SECONDS, TIME_MATCH_PAIRS = 0.02, 20
MIN_CELLS_FOR_STRIPS = 100
REGRET_PLAYTHROUGHS, MAX_REGRET_CELLS = 1000, 64
REGRET_SECONDS, REGRET_SHARE = 20.0, 0.03
"""The most for each of the two evaluations; with ``--minutes`` not more than this share of the time."""


class TrainingWatcher(Protocol):
    def begin(self, run: TrainingRun) -> None:
        """The run begins or continues."""

    def stage(self, round_number: int | None, name: str, total: int, done: int) -> None:
        """A stage of a round, or of the end for None, begins or continues with ``done`` of ``total``."""

    def advance(self, done: int, note: str = "") -> None:
        """The stage has advanced."""

    def result(self, round_number: int | None, text: str) -> None:
        """A stage has ended, with a result in words."""

    def end(self) -> None:
        """The run has ended or was interrupted."""


@dataclass
class Round:
    """The results of a round: losses by step, and the points of matches by pair."""

    number: int
    rows: int
    spread: float
    losses: list[Losses]
    against_player: list[float]
    against_start: list[float]
    player: int
    """The round of the network that played, and that it met; 0 for the evaluation that the game comes with."""

    @property
    def elo(self) -> Rating:
        """How much stronger it is than the network that played."""
        return elo_difference(self.against_player)

    @property
    def is_accepted(self) -> bool:
        """Whether it did not lose the match against the network that played."""
        return sum(self.against_player) >= len(self.against_player)


@dataclass
class TrainingResult:
    """The results of a run so far."""

    settings: TrainingSettings
    rounds: list[Round]
    seconds: float
    """The time spent, in this and earlier processes."""
    time_match: list[float]
    regret: Regret | None
    start_regret: Regret | None

    @property
    def best(self) -> int:
        """The round of the best network: the last one that was accepted, else the last one."""
        accepted = [each.number for each in self.rounds if each.is_accepted]
        return (accepted or [each.number for each in self.rounds] or [0])[-1]

    @property
    def elo(self) -> Rating:
        """How much stronger the best network is than the evaluation that the game comes with, at equal nodes."""
        return elo_difference(self.rounds[self.best - 1].against_start)

    @property
    def ratings(self) -> Ratings:
        """The ratings of the evaluation that the game comes with, and of the network of each round, by all matches."""
        pairs = []
        for each in self.rounds:
            pairs += [PairScore(each.number, each.player, points, 2) for points in each.against_player]
            if each.player:
                pairs += [PairScore(each.number, 0, points, 2) for points in each.against_start]
        return rate(len(self.rounds) + 1, pairs)


class TrainingRun:
    """A training run in a folder whose settings are saved."""

    def __init__(
        self,
        folder: TrainingFolder,
        settings: TrainingSettings,
        watcher: TrainingWatcher,
        self_player: SelfPlayer | None = None,
    ) -> None:
        self.folder, self.settings, self.watcher = folder, settings, watcher
        self.torch = import_torch()
        check_device(settings.device)
        self.device = self._prepare_torch()
        self.is_resumed = (folder.path / "round-1").exists()
        self._self_player = self_player or LocalSelfPlay(settings.game, settings.seed, settings.nodes, settings.threads)
        self._strips = _uses_strips(settings)
        self._began = monotonic()

    def _prepare_torch(self) -> Any:
        """Set the options of PyTorch on which the result depends; return the device."""
        torch, settings = self.torch, self.settings
        torch.set_num_threads(settings.torch_threads)
        torch.use_deterministic_algorithms(settings.device == "cpu")
        return torch.device(settings.device)

    def run(self) -> TrainingResult:
        """Do all that is left; if it is interrupted or killed, the same call continues."""
        with self.folder.lock():
            self.watcher.begin(self)
            try:
                return self._run()
            finally:
                self._save_time()
                self.watcher.end()

    def _run(self) -> TrainingResult:
        rounds: list[Round] = []
        for number in range(1, self.settings.rounds + 1):
            player = max((each.number for each in rounds if each.is_accepted), default=0)
            self._play(number, self._network(player))
            self._train(number, player or number - 1)
            rounds.append(self._match(number, player))
        outcome = TrainingResult(self.settings, rounds, 0.0, [], None, None)
        self._finish(outcome)
        return outcome

    def _network(self, number: int) -> bytes | None:
        """The network of a round; None for the evaluation that the game comes with."""
        return (self.folder.round(number) / "network.net").read_bytes() if number else None

    # --- self-play ---------------------------------------------------------------------------------------------------

    def _play(self, number: int, network: bytes | None) -> None:
        settings, folder = self.settings, self.folder
        chunks = [Chunk(chunk, *settings.chunk(number, chunk)) for chunk in range(settings.chunks)]
        missing = [chunk for chunk in chunks if not folder.rows(number, chunk.number).exists()]
        total = sum(chunk.size for chunk in chunks)
        done = total - sum(chunk.size for chunk in missing)
        if not missing:
            return
        self.watcher.stage(number, "self-play", total, done)
        header = _core.rows_header(settings.game._core, self._strips)
        found = self._self_player.play(missing, network, lambda more: self.watcher.advance(done + more))
        for chunk, rows in found:
            folder.write_bytes(folder.rows(number, chunk.number), header + rows)
        rows_count = len(self._rows(range(number, number + 1), range(settings.chunks)))
        self.watcher.result(number, f"{count(rows_count, 'position')} of {count(total, 'playthrough')}")

    def _rows(self, numbers: range, chunks: range) -> Rows:
        from noughts.learn.rows import Rows

        try:
            return Rows.read([self.folder.rows(number, chunk) for number in numbers for chunk in chunks])
        except ValueError as error:
            raise TrainingError(f"{self.folder.path}: {error}") from None

    # --- training ----------------------------------------------------------------------------------------------------

    def _train(self, number: int, base: int) -> None:
        path = self.folder.round(number)
        if (path / "network.net").exists():
            return
        trainer, curve, trained = self._make_trainer(number, base)
        steps = self.settings.steps
        every = max(1, steps // CURVE_POINTS)
        self.watcher.stage(number, "training", steps, trainer.step_number)
        saved = monotonic()
        while trainer.step_number < steps:
            trained.append(float(trainer.step(trainer.step_number / steps)))
            is_done = trainer.step_number == steps
            if trainer.step_number % every == 0 or is_done:
                curve.append(trainer.validate()._replace(trained=sum(trained) / len(trained)))
                trained.clear()
            if monotonic() - saved >= CHECKPOINT_SECONDS or is_done:
                self._save_checkpoint(path, trainer, curve, trained)
                saved = monotonic()
            self.watcher.advance(trainer.step_number, f"loss {curve[-1].loss:.4f}" if curve else "")
        results = {"rows": trainer.rows, "spread": trainer.spread, "losses": _to_data(curve)}
        self.folder.write(path / "training.json", results)
        self.folder.write_bytes(path / "network.net", trainer.to_bytes())
        last = curve[-1]
        self.watcher.result(number, f"loss {last.loss:.4f}, of the evaluation that played {last.played_loss:.4f}")

    def _window(self, number: int) -> range:
        return range(max(1, number - WINDOW + 1), number + 1)

    def _make_trainer(self, number: int, base: int) -> tuple[Trainer, list[Losses], list[float]]:
        """The trainer of a round as its checkpoint left it, with its curve and the losses since the last point."""
        from noughts.learn.trainer import Trainer, make_net

        settings = self.settings
        rows = self._rows(self._window(number), range(1, settings.chunks))
        held_back = self._rows(range(number, number + 1), range(1))
        if not len(rows) or not len(held_back):
            raise TrainingError(
                f"self-play found no quiet position of {settings.game.id} to learn from; more playthroughs may, unless "
                "the game is too small"
            )
        try:
            net = make_net(rows, settings.seed)
        except ValueError as error:
            raise TrainingError(str(error)) from None
        spread = None
        if base:
            net.load_state_dict(self._load_checkpoint(base)["trainer"]["net"])
            spread = self.folder.read(self.folder.round(base) / "training.json")["spread"]
        rate = settings.rate * (LATER_RATE_SHARE if base else 1.0)
        seed = settings.seed * 1000 + number
        trainer = Trainer(net, [rows], [held_back], settings.batch, rate, seed, self.device, spread)
        if not (self.folder.round(number) / "checkpoint.pt").exists():
            return trainer, [], []
        saved = self._load_checkpoint(number)
        trainer.restore(saved["trainer"])
        return trainer, _from_data(saved["curve"]), saved["trained"]

    def _save_checkpoint(self, path: Path, trainer: Trainer, curve: list[Losses], trained: list[float]) -> None:
        buffer = BytesIO()
        self.torch.save({"trainer": trainer.state(), "curve": _to_data(curve), "trained": trained}, buffer)
        self.folder.write_bytes(path / "checkpoint.pt", buffer.getvalue())

    def _load_checkpoint(self, number: int) -> Any:
        path = self.folder.round(number) / "checkpoint.pt"
        try:
            return self.torch.load(path, map_location="cpu", weights_only=True)
        except (OSError, RuntimeError, ValueError, EOFError, UnpicklingError) as error:
            raise TrainingError(f"{path}: expected a checkpoint ({error})") from None

    # --- matches -----------------------------------------------------------------------------------------------------

    def _match(self, number: int, player: int) -> Round:
        training = self.folder.read(self.folder.round(number) / "training.json")
        against_player = self._contest(number, "player", player)
        against_start = self._contest(number, "start", 0) if player else against_player
        losses = _from_data(training["losses"])
        return Round(number, training["rows"], training["spread"], losses, against_player, against_start, player)

    def _contest(self, number: int, name: str, other: int) -> list[float]:
        """The points of a network, by nodes, against that of another round; played so far as it is missing."""
        settings, path = self.settings, self.folder.round(number) / f"match-{name}.json"
        limit = Limit(nodes=settings.match_nodes)
        contest = Contest(settings.game, self._openings(), self._network(number), self._network(other), limit)
        opponent = f"round {other}" if other else START
        return self._play_contest(path, contest, number, f"match against {opponent}", settings.threads)

    def _openings(self) -> list[Opening]:
        """The openings of all matches, found once."""
        path, settings = self.folder.path / "openings.json", self.settings
        data = self.folder.read(path)
        if data is None:
            self.watcher.stage(None, "openings", settings.pairs, 0)
            found = distinct_openings(settings.game, settings.seed, settings.pairs, settings.threads)
            data = [opening.moves for opening in found]
            self.folder.write(path, data)
            self.watcher.result(None, count(len(data), "even opening"))
        return [Opening(None, tuple(moves)) for moves in data]

    def _play_contest(self, path: Path, contest: Contest, number: int | None, name: str, threads: int) -> list[float]:
        points: list[float] = self.folder.read(path) or []
        pairs = len(contest.openings)
        if len(points) >= pairs:
            return points
        self.watcher.stage(number, name, pairs, len(points))
        saved = monotonic()

        def report(found: list[float]) -> None:
            nonlocal saved
            if monotonic() - saved >= SAVE_MATCH_SECONDS:
                self.folder.write(path, found)
                saved = monotonic()
            self.watcher.advance(len(found), score_text(found))

        points = play_contest(contest, threads, points, report)
        self.folder.write(path, points)
        self.watcher.result(number, f"{score_text(points)}, {elo_text(points)}")
        return points

    # --- the end -----------------------------------------------------------------------------------------------------

    def _finish(self, outcome: TrainingResult) -> None:
        from noughts.learn.report import report_html, summary_text

        settings, folder = self.settings, self.folder
        network = self._network(outcome.best)
        assert network is not None
        folder.write_bytes(folder.network(settings), network)
        limit, openings = Limit(seconds=TIME_MATCH_SECONDS), self._openings()[:TIME_MATCH_PAIRS]
        contest = Contest(settings.game, openings, network, None, limit)
        outcome.time_match = self._play_contest(folder.time_match, contest, None, "match at equal time", 1)
        outcome.regret, outcome.start_regret = self._measure_regret(network)
        self._save_time()
        outcome.seconds = folder.read(folder.path / "time.json")
        folder.write_text(folder.summary, summary_text(outcome))
        folder.write_text(folder.report, report_html(outcome))

    def _measure_regret(self, network: bytes) -> tuple[Regret | None, Regret | None]:
        """The regret of the network, and of the evaluation that the game comes with; None where it is not measured."""
        settings, found = self.settings, self.folder.read(self.folder.regret)
        if settings.game.cells > MAX_REGRET_CELLS:
            return None, None
        if found is None:
            self.watcher.stage(None, "regret against the solver", 2 * REGRET_PLAYTHROUGHS, 0)
            share = REGRET_SECONDS if settings.minutes is None else REGRET_SHARE * settings.minutes * 60
            seconds = min(REGRET_SECONDS, share)
            measured = [
                measure_regret(settings.game, each, REGRET_PLAYTHROUGHS, settings.seed, seconds, report)
                for each, report in ((network, self.watcher.advance), (None, self._advance_after_first))
            ]
            found = plain(measured)
            self.folder.write(self.folder.regret, found)
            self.watcher.result(None, measured[0].text)
        of_network, of_start = (Regret(**data) for data in found)
        return of_network, of_start

    def _advance_after_first(self, done: int) -> None:
        self.watcher.advance(REGRET_PLAYTHROUGHS + done)

    def _save_time(self) -> None:
        path = self.folder.path / "time.json"
        self.folder.write(path, round((self.folder.read(path) or 0.0) + monotonic() - self._began, 1))
        self._began = monotonic()


def _to_data(curve: list[Losses]) -> list[dict[str, float]]:
    return [losses._asdict() for losses in curve]


def _from_data(data: list[dict[str, Any]]) -> list[Losses]:
    return [Losses(**losses) for losses in data]


def _uses_strips(settings: TrainingSettings) -> bool:
    """Whether the network is one for strips: on large boards, where all places look alike."""
    from noughts.learn.rows import Rows

    core = settings.game._core
    return settings.game.cells >= MIN_CELLS_FOR_STRIPS and Rows(_core.rows_header(core, True)).sight.kinds > 0


def check_device(name: str) -> None:
    """Raise TrainingError if PyTorch cannot use a device."""
    if name == "cuda" and not import_torch().cuda.is_available():
        raise TrainingError("--device cuda needs a GPU that PyTorch can use; there is none")


def import_torch() -> Any:
    """Return the module ``torch``; raises TrainingError if it is not installed."""
    # Threads that wait in a loop for each other take many times as long on a busy machine.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    try:
        import numpy  # noqa: F401
        import torch
    except ImportError:
        raise TrainingError(f"training needs PyTorch, which is not installed: {install_line('train')}") from None
    return torch
