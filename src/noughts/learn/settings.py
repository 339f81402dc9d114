"""The settings of a training run: amounts that depend on the game, and how they are saved."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from noughts.games import Game
from noughts.games.quoting import quote

__all__ = ["TrainingSettings"]

CHUNKS = 20
"""The number of files that the playthroughs of a round are written to; the first is held back from training."""
MAX_DEFAULT_THREADS = 16
MIN_CELLS_FOR_TORCH_THREADS = 100


@dataclass(frozen=True)
class TrainingSettings:
    """All that determines the networks of a run, beside the version of the package."""

    game: Game
    rounds: int
    playthroughs: int
    """In each round."""
    nodes: int
    """For each move of self-play."""
    steps: int
    """In each round."""
    threads: int
    seed: int = 1
    device: str = "cpu"
    minutes: float | None = None
    """The time that the amounts were chosen for, if they were."""
    batch: int = 1024
    rate: float = 5e-3
    """The highest learning rate of the first round; later rounds start from a trained network, with half of it."""
    pairs: int = 60
    """Openings of a match, each played with both sides."""
    match_nodes: int = 1000
    """For each move of a match; in a small game one for each cell, since with a few more the engine solves it."""

    @classmethod
    def for_game(cls, game: Game) -> Self:
        """Return the default settings, by the size of the game."""
        threads = min(os.cpu_count() or 1, MAX_DEFAULT_THREADS)
        cells = game.cells
        if cells <= 25:
            return cls(game, 2, playthroughs=4000, nodes=500, steps=1000, threads=threads, match_nodes=cells)
        if cells <= 64:
            return cls(game, 3, playthroughs=2000, nodes=1000, steps=1500, threads=threads, match_nodes=500)
        return cls(game, 3, playthroughs=1000, nodes=2000, steps=2000, threads=threads, match_nodes=1000)

    def with_amounts(self, amounts: dict[str, Any]) -> Self:
        """Return the settings with those amounts replaced that are not None."""
        return replace(self, **{name: value for name, value in amounts.items() if value is not None})

    @property
    def torch_threads(self) -> int:
        """The threads of a training step; on small boards it is too short for more than one."""
        return self.threads if self.game.cells >= MIN_CELLS_FOR_TORCH_THREADS else 1

    @property
    def chunk_size(self) -> int:
        """The number of playthroughs in a file of rows; the last file of a round may have fewer."""
        return max(1, -(-self.playthroughs // CHUNKS))

    @property
    def chunks(self) -> int:
        """The number of files of rows of a round: at least two, since one is held back."""
        return max(2, -(-self.playthroughs // self.chunk_size))

    def chunk(self, round_number: int, chunk: int) -> tuple[int, int]:
        """Return the number of the first playthrough of a file of rows, and how many it has."""
        first = chunk * self.chunk_size
        count = max(1, min(self.chunk_size, self.playthroughs - first))
        return (round_number - 1) * self.chunks * self.chunk_size + first, count

    def conflict(self, game: Game, amounts: Mapping[str, object]) -> str | None:
        """Return how a game and amounts, where they are not None, differ from these settings; None if they do not."""
        if game != self.game:
            return f"the game {quote(self.game.id)}, not {quote(game.id)}"
        for name, value in amounts.items():
            mine = getattr(self, name)
            if value is not None and value != mine:
                return f"--{name} {mine if mine is not None else 'unset'}, not {value}"
        return None
