"""The folder of a training run: all files, each written in one step, so that a run can be killed at any moment.

::

    settings.json               the settings, which never change
    round-1/rows-01.rows        rows of self-play, by number of playthrough
    round-1/checkpoint.pt       the training in progress
    round-1/training.json       its losses
    round-1/network.net         the network it ends with
    round-1/match-player.json   the match against the network, or the evaluation, that played
    round-1/match-start.json    the match against the evaluation that the game comes with
    openings.json               the openings of all matches
    time-match.json, regret.json, report.html, summary.txt, NAME.net
    time.json                   the seconds spent so far
    lock                        held by the process that trains
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from noughts.games import Game
from noughts.games.atomic_file import atomic_file, write_file
from noughts.games.file_lock import locked_file
from noughts.learn.settings import TrainingSettings
from noughts.schema import plain, read

__all__ = ["TrainingError", "TrainingFolder", "default_folder", "file_name"]


class TrainingError(RuntimeError):
    """The run cannot continue; everything that was finished is in its folder."""


def file_name(game: Game) -> str:
    """Return the name of a game as a part of file names.

    >>> file_name(Game("7x6:4+gravity"))
    'connect4'
    >>> file_name(Game("5x5:4"))
    '5x5-4'
    """
    return re.sub(r"[^a-z0-9+]+", "-", game.name.lower()).strip("-") or "game"


def default_folder(game: Game) -> Path:
    """Return the folder of a run without ``--out``: in the current folder, named after the game."""
    return Path(f"train-{file_name(game)}")


class TrainingFolder:
    """The files of a run."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.settings_file = path / "settings.json"
        self.report = path / "report.html"
        self.summary = path / "summary.txt"
        self.regret = path / "regret.json"
        self.time_match = path / "time-match.json"

    def network(self, settings: TrainingSettings) -> Path:
        """The result: the best network."""
        return self.path / f"{file_name(settings.game)}.net"

    def round(self, number: int) -> Path:
        """The folder of a round, counted from 1; it exists."""
        path = self.path / f"round-{number}"
        path.mkdir(exist_ok=True)
        return path

    def rows(self, number: int, chunk: int) -> Path:
        """A file of rows; chunks are counted from 0, files from 1."""
        return self.round(number) / f"rows-{chunk + 1:02}.rows"

    def load_settings(self) -> TrainingSettings | None:
        """Return the settings of a run that was started, else None."""
        data = self.read(self.settings_file)
        if data is None:
            return None
        try:
            return read(TrainingSettings, data)
        except ValueError as error:
            raise TrainingError(f"{self.settings_file}: expected the settings of a training run ({error})") from None

    def start(self, settings: TrainingSettings) -> None:
        """Create the folder and save the settings."""
        self.path.mkdir(parents=True, exist_ok=True)
        self.write(self.settings_file, plain(settings))

    @staticmethod
    def read(path: Path) -> Any:
        """Return the data of a JSON file, or None if there is none; raises TrainingError if it is damaged."""
        if not path.exists():
            return None
        try:
            return json.loads(path.read_text(encoding="utf-8"))
        except ValueError:
            raise TrainingError(f"{path}: expected JSON, got something else") from None

    @staticmethod
    def write(path: Path, data: object) -> None:
        write_file(path, json.dumps(data, indent=2) + "\n")

    @staticmethod
    def write_text(path: Path, text: str) -> None:
        write_file(path, text)

    @staticmethod
    def write_bytes(path: Path, data: bytes) -> None:
        with atomic_file(path) as file:
            file.write(data)

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Keep other processes out of the folder, which must exist; raises TrainingError if one is at work."""
        with ExitStack() as held:
            try:
                held.enter_context(locked_file(self.path / "lock"))
            except BlockingIOError:
                raise TrainingError(f"another process is training in {self.path}") from None
            yield
