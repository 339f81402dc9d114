"""Training of a network on rows, step by step. Needs torch."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, Protocol, Self, TypeVar

import numpy as np
import torch
from torch import Tensor, nn

from noughts.learn.block_net import BlockNet
from noughts.learn.block_parameters import NetShape, Parameters
from noughts.learn.labels import Labels, log_loss
from noughts.learn.line_net import LineNet
from noughts.learn.losses import Losses
from noughts.learn.rows import Rows

__all__ = ["Net", "Positions", "Trainer", "make_net"]

LANES = 32
WARM_UP_STEPS = 100
ROUNDED_FROM = 0.6
"""The share of the training after which parameters are rounded as in the core."""
VALIDATION_BATCH = 1024
LIMITED_EVERY = 20
"""Steps between corrections of parameters that could make sums in the core overflow."""


class Positions(Protocol):
    """The rows of a game on a device, as a network takes them."""

    labels: Labels


P = TypeVar("P", bound=Positions)


class Net(Protocol[P]):
    """A network in floating point: a ``torch.nn.Module`` that the core can read in integers."""

    result_share: float
    """The weight of the result in the target, where it is known and the score does not decide."""
    weight_decay: float

    def prepare(self, rows: Rows, device: torch.device) -> P:
        """Return rows as positions on the device."""

    def loss(self, positions: P, chosen: Tensor, target: Tensor, rounded: bool, random: torch.Generator) -> Tensor:
        """Return the loss of the chosen rows, given their chances of a win.

        ``rounded`` asks for parameters rounded as in the core; a network whose rounding matters little may ignore it.
        """

    def value(self, positions: P, chosen: Tensor) -> Tensor:
        """Return the logits of a win for the side to move, close to those of the core."""

    def keep_in_range(self) -> None:
        """Limit each parameter to what the core can use."""

    def limit_sums(self) -> None:
        """Limit the parameters so that no sum in the core overflows."""

    def to_bytes(self, spread: float) -> bytes:
        """Return the network as the core reads it."""

    def to(self, device: torch.device, /) -> Self:
        """Move the parameters to a device; see ``torch.nn.Module``, also for the following."""

    def parameters(self) -> Iterator[nn.Parameter]: ...

    def state_dict(self) -> dict[str, object]: ...

    def load_state_dict(self, state: dict[str, object], /) -> object: ...


def make_net(rows: Rows, seed: int, lanes: int = LANES, shape: NetShape | None = None) -> Net[Any]:
    """Return a network for the game of the rows, with random parameters; raises ValueError if there is none for it.

    ``lanes`` is for games of one block, ``shape`` for others.
    """
    if rows.blocks > 1:
        random = np.random.default_rng(seed)
        return BlockNet(Parameters.random(shape or NetShape(), rows.cells // rows.blocks, rows.blocks, 1.0, random))
    if rows.sight.kinds == 0:
        raise ValueError("expected a game whose cells see fewer states; there is no network for this one")
    torch.manual_seed(seed)
    return LineNet(rows.sight, lanes)


class Trainer:
    """A network in training, its optimizer, and the rows of one or more games.

    ``state`` is all that changes from step to step. ``spread`` is fitted to the rows if it is not given. Rows whose
    result contradicts a chance of ``clear_chance`` or more are left out.
    """

    def __init__(
        self,
        net: Net[Any],
        games: Sequence[Rows],
        held_back: Sequence[Rows],
        batch: int,
        rate: float,
        seed: int,
        device: torch.device,
        spread: float | None = None,
        clear_chance: float = 1.0,
    ) -> None:
        self.net, self.device, self.batch, self.rate = net.to(device), device, batch, rate
        self._games: list[Positions] = [net.prepare(rows, device) for rows in games]
        self._held_back: list[Positions] = [net.prepare(rows, device) for rows in held_back]
        self.spread = Labels.fitted_spread([each.labels for each in self._games]) if spread is None else spread
        self._targets = [each.labels.target(self.spread, net.result_share) for each in self._games]
        self._used = [each.labels.agrees(self.spread, clear_chance).nonzero()[:, 0] for each in self._games]
        is_fused = device.type == "cuda"
        self._optimizer = torch.optim.AdamW(net.parameters(), rate, weight_decay=net.weight_decay, fused=is_fused)
        self._random = torch.Generator().manual_seed(seed)
        self.step_number = 0

    @property
    def rows(self) -> int:
        """The number of rows that are trained on."""
        return sum(map(len, self._used))

    def step(self, share: float) -> Tensor:
        """Train on one batch of random rows and return its loss; ``share`` of the training is done, from 0 to 1."""
        for group in self._optimizer.param_groups:
            group["lr"] = self._rate_at(share)
        game = self._random_game()
        used = self._used[game]
        numbers = torch.randint(len(used), (self.batch,), generator=self._random).to(self.device)
        chosen = used[numbers]
        target = self._targets[game][chosen]
        self._optimizer.zero_grad(set_to_none=True)
        loss = self.net.loss(self._games[game], chosen, target, share >= ROUNDED_FROM, self._random)
        loss.backward()
        self._optimizer.step()
        self.net.keep_in_range()
        if self.step_number % LIMITED_EVERY == 0:
            self.net.limit_sums()
        self.step_number += 1
        return loss.detach()

    def _rate_at(self, share: float) -> float:
        """The learning rate: it rises for a short time, then falls along a cosine."""
        warm_up = min(1.0, (self.step_number + 1) / WARM_UP_STEPS)
        return self.rate * (0.5 + 0.5 * math.cos(math.pi * share)) * warm_up + 1e-6

    def _random_game(self) -> int:
        if len(self._used) == 1:
            return 0
        at = int(torch.randint(self.rows, (), generator=self._random))
        return int(np.searchsorted(np.cumsum([len(used) for used in self._used]), at, side="right"))

    def validate(self) -> Losses:
        """Return the losses on the rows held back."""
        parts = [self._predictions(positions) for positions in self._held_back]
        value, played, search, target, result, known = (torch.cat(each) for each in zip(*parts, strict=True))
        won = (result[known] + 1) / 2
        return Losses(
            self.step_number,
            log_loss(value, target),
            log_loss(played, target),
            log_loss(value[known], won),
            log_loss(played[known], won),
            log_loss(search[known], won),
        )

    def _predictions(self, positions: Positions) -> tuple[Tensor, ...]:
        """Logits of the network, of the evaluation that played and of the search; targets, results, which are known."""
        labels = positions.labels
        with torch.no_grad():
            parts = torch.arange(len(labels), device=self.device).split(VALIDATION_BATCH)
            value = torch.cat([self.net.value(positions, part) for part in parts])
        target = labels.target(self.spread, self.net.result_share)
        return value, labels.played_logits(), labels.score / self.spread, target, labels.result, labels.is_known

    def to_bytes(self) -> bytes:
        """Return the network as the core reads it."""
        self.net.limit_sums()
        return self.net.to_bytes(self.spread)

    def state(self) -> dict[str, object]:
        """Return the state of parameters, optimizer and randomness."""
        return {
            "step": self.step_number,
            "net": self.net.state_dict(),
            "optimizer": self._optimizer.state_dict(),
            "random": self._random.get_state(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        self.step_number = state["step"]
        self.net.load_state_dict(state["net"])
        self._optimizer.load_state_dict(state["optimizer"])
        self._random.set_state(state["random"])
