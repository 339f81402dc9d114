"""Proximal policy optimisation in one file, for any game of the family: one network plays both sides against itself.

    python examples/ppo.py --game connect4 --seconds 900 --out runs/c4      # again with --resume: 900 s more
    noughts bench agents runs/c4/ppo.py:Agent

The folder gets a copy of this file, `checkpoint.pt`, `curve.jsonl`, with matplotlib `curve.png`, and `benchmark.json`.
"""

import argparse
import json
import shutil
import time
from contextlib import suppress
from functools import cached_property
from math import nan
from pathlib import Path

import torch
from torch import Tensor, nn

import noughts as no
from noughts.arena.agents import bench_agent, exact_positions, measure_regret, measure_return, suite_games
from noughts.envs import Batch
from noughts.players import open_player
from noughts.schema import encode

FEATURES = 16  # of a line, for the network
EPOCHS, CLIP, ENTROPY, DISCOUNT, TRACE = 3, 0.2, 0.02, 0.99, 0.9  # TRACE is the lambda of the advantages
NUMBERS = {
    "seconds": (900.0, "time to train, without measuring"),
    "steps": (1 << 60, "moves to play, over all games"),
    "every": (60.0, "seconds between two points of the curve"),
    "threads": (2, "threads of the processor"),
    "seed": (1, "seed of everything random"),
    "games": (256, "games played at once"),
    "length": (32, "steps of a rollout"),
    "batch": (1024, "positions of a step of gradient descent"),
    "lr": (1e-3, "learning rate"),
    "width": (256, "width of the layers"),
    "layers": (2, "layers"),
    "pairs": (10, "openings against each level in the benchmark at the end"),
}
"""The options that are numbers: their defaults and their help."""


class LineNet(nn.Module):
    """Values and moves for any game: the lines of the game see their cells, and cells see the lines through them."""

    def __init__(self, game: no.Game, width: int, layers: int) -> None:
        super().__init__()
        planes, cells = game.observation_shape[0], game.cells
        of_lines = [[float(cell in line) for cell in range(cells)] for line in game.lines]
        self.register_buffer("of_lines", torch.tensor(of_lines))
        self.lines = nn.Conv1d(planes, FEATURES, 1)
        self.enter = nn.Linear((planes + FEATURES) * cells, width)
        self.trunk = nn.ModuleList(nn.Linear(width, width) for _ in range(layers))
        self.moves = nn.Linear(width, cells)
        self.local = nn.Conv1d(planes + FEATURES, 1, 1)
        self.value = nn.Linear(width, 1)

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        """Return the logits of the moves and the values, from -1 to 1, for the side to move."""
        planes = planes.flatten(2).float()
        seen = nn.functional.relu(self.lines(planes @ self.of_lines.T)) @ self.of_lines / 4
        cells = torch.cat([planes, seen], dim=1)
        hidden = nn.functional.relu(self.enter(cells.flatten(1)))
        for layer in self.trunk:
            hidden = hidden + nn.functional.relu(layer(hidden))
        return self.moves(hidden) + self.local(cells).squeeze(1), torch.tanh(self.value(hidden)).squeeze(1)


class Run:
    """All that a checkpoint holds: the network, its optimiser, the curve, and counts."""

    def __init__(self, game: str, device: str, options: dict[str, int | float]) -> None:
        self.game, self.device, self.options = no.Game(game), device, options
        self.net = LineNet(self.game, int(options["width"]), int(options["layers"])).to(device)
        self.steps, self.seconds, self.curve = 0, 0.0, list[dict[str, float]]()

    @cached_property
    def optimiser(self) -> torch.optim.Optimizer:
        """Made when it is needed: an agent in the sandbox has none."""
        return torch.optim.Adam(self.net.parameters(), lr=float(self.options["lr"]), eps=1e-5)

    def save(self, path: Path) -> None:
        """Write the checkpoint in one step."""
        state = {"game": self.game.id, "options": self.options, "net": self.net.state_dict(), "steps": self.steps}
        state |= {"optimiser": self.optimiser.state_dict(), "seconds": self.seconds, "curve": self.curve}
        torch.save(state, path.with_suffix(".new"))
        path.with_suffix(".new").replace(path)

    @classmethod
    def load(cls, path: Path, device: str, trains: bool = True) -> "Run":
        """Return the run of a checkpoint."""
        state = torch.load(path, map_location=device, weights_only=True)
        run = cls(state["game"], device, state["options"])
        run.net.load_state_dict(state["net"])
        if trains:
            run.optimiser.load_state_dict(state["optimiser"])
        run.steps, run.seconds, run.curve = state["steps"], state["seconds"], state["curve"]
        return run


class Agent:
    """Plays the move that the trained network prefers; loaded from `checkpoint.pt` beside this file."""

    def __init__(self, run: Run | None = None) -> None:
        if run is None:
            torch.set_num_threads(1)
            run = Run.load(Path(__file__).with_name("checkpoint.pt"), "cpu", trains=False)
        self.run = run

    def choose(self, position: no.Position, limit: no.Limit | None = None) -> int:
        """Return the most likely legal move."""
        with torch.no_grad():
            logits, _ = self.run.net(torch.from_numpy(position.planes()[None]).to(self.run.device))
        return int(logits[0].cpu().masked_fill(~torch.from_numpy(position.legal_mask()), -torch.inf).argmax())


class Rollout:
    """Some steps of all games: tensors of shape (steps, games, ...)."""

    def __init__(self, batch: Batch, steps: int, device: str) -> None:
        shape = (steps, len(batch))
        self.observations = torch.zeros(*shape, *batch.game.observation_shape, dtype=torch.uint8, device=device)
        self.masks = torch.zeros(*shape, batch.game.cells, dtype=torch.bool, device=device)
        self.moves = torch.zeros(shape, dtype=torch.int64, device=device)
        self.logs, self.values, self.rewards, self.discounts = (torch.zeros(shape, device=device) for _ in range(4))

    def fill(self, batch: Batch, net: LineNet) -> None:
        """Let the network play both sides; call it without gradients."""
        for step in range(len(self.moves)):
            self.observations[step] = torch.from_numpy(batch.observations)
            self.masks[step] = torch.from_numpy(batch.masks)
            logits, self.values[step] = net(self.observations[step])
            policy = policy_of(logits, self.masks[step])
            self.moves[step] = policy.sample()
            self.logs[step] = policy.log_prob(self.moves[step])
            batch.step(self.moves[step].cpu().numpy())
            self.rewards[step] = torch.from_numpy(batch.rewards)
            self.discounts[step] = DISCOUNT * torch.from_numpy(~batch.terminated)
        self.last = net(torch.from_numpy(batch.observations).to(self.moves.device))[1]

    def advantages(self) -> Tensor:
        """Generalised advantage estimates. The next position is the opponent's, so its values change their sign."""
        found = self.rewards - self.discounts * torch.cat([self.values[1:], self.last[None]]) - self.values
        for step in reversed(range(len(found) - 1)):
            found[step] -= TRACE * self.discounts[step] * found[step + 1]
        return found


def policy_of(logits: Tensor, masks: Tensor) -> torch.distributions.Categorical:
    """The probabilities of the legal moves."""
    return torch.distributions.Categorical(logits=logits.masked_fill(~masks, -1e9), validate_args=False)


def learn_from(run: Run, rollout: Rollout, size: int) -> float:
    """Take the steps of gradient descent on a rollout; returns the last loss."""
    advantages = rollout.advantages()
    targets = (advantages + rollout.values).flatten()
    advantages = ((advantages - advantages.mean()) / (advantages.std() + 1e-8)).flatten()
    observations, masks = rollout.observations.flatten(0, 1), rollout.masks.flatten(0, 1)
    moves, logs, loss = rollout.moves.flatten(), rollout.logs.flatten(), torch.zeros(())
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(moves), device=moves.device).split(size):
            logits, values = run.net(observations[rows])
            policy = policy_of(logits, masks[rows])
            ratios = (policy.log_prob(moves[rows]) - logs[rows]).exp()
            gains = torch.min(ratios * advantages[rows], ratios.clamp(1 - CLIP, 1 + CLIP) * advantages[rows])
            loss = nn.functional.mse_loss(values, targets[rows]) - gains.mean() - ENTROPY * policy.entropy().mean()
            run.optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(run.net.parameters(), 0.5)
            run.optimiser.step()
    return float(loss.item())


def measure(run: Run, loss: float, pairs: int) -> dict[str, float]:
    """A point of the curve: the return against easy and, if the benchmark has the game, the regret."""
    player, positions = open_player(Agent(run)), exact_positions(run.game)
    point = {"steps": run.steps, "seconds": round(run.seconds, 1), "loss": round(loss, 4)}
    point["return"] = round(measure_return(player, run.game, "easy", pairs)[0].mean_return, 4)
    return point | ({"regret": measure_regret(player, positions).mean} if positions else {})


def record(run: Run, out: Path, point: dict[str, float]) -> None:
    """Add a point to the curve, print it, save everything, and draw the curve if matplotlib is installed."""
    run.curve.append(point)
    print(json.dumps(point), flush=True)
    (out / "curve.jsonl").write_text("".join(json.dumps(each) + "\n" for each in run.curve))
    run.save(out / "checkpoint.pt")
    with suppress(ImportError):
        from matplotlib.figure import Figure

        figure = Figure(layout="constrained")
        axes = figure.add_subplot(xlabel="seconds of training")
        for name in ("return", "regret"):
            axes.plot(
                [point["seconds"] for point in run.curve], [point.get(name, nan) for point in run.curve], label=name
            )
        axes.legend()
        figure.savefig(out / "curve.png")


def learn(run: Run, options: argparse.Namespace) -> None:
    """Play and learn until the seconds or the steps are used up; one step is a move in one game."""
    batch = Batch(run.game, options.games, seed=options.seed + run.steps, threads=options.threads)
    rollout, loss = Rollout(batch, options.length, run.device), 0.0
    last_step, end, next_point = run.steps + options.steps, run.seconds + options.seconds, run.seconds + options.every
    while run.seconds < end and run.steps < last_step:
        began = time.monotonic()
        with torch.no_grad():
            rollout.fill(batch, run.net)
        loss = learn_from(run, rollout, options.batch)
        run.steps, run.seconds = run.steps + rollout.moves.numel(), run.seconds + time.monotonic() - began
        if run.seconds > next_point:
            record(run, options.out, measure(run, loss, pairs=10))
            next_point += options.every
    record(run, options.out, measure(run, loss, pairs=50))


def main() -> None:
    """Train, then run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", type=no.Game, default="connect4")
    parser.add_argument("--out", type=Path, default=Path("runs/ppo"), help="folder of the run")
    parser.add_argument("--resume", action="store_true", help="continue the run in the folder")
    parser.add_argument("--device", choices=["cpu", "cuda"][: 1 + torch.cuda.is_available()], default="cpu")
    for name, (default, about) in NUMBERS.items():
        parser.add_argument(f"--{name}", type=type(default), default=default, help=about)
    options = parser.parse_args()
    if options.resume and not (options.out / "checkpoint.pt").exists():
        parser.error(f"expected a run to resume in {options.out}, got none")
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    options.out.mkdir(parents=True, exist_ok=True)
    if options.resume:
        run = Run.load(options.out / "checkpoint.pt", options.device)
    else:
        run = Run(options.game.id, options.device, {name: getattr(options, name) for name in ("width", "layers", "lr")})
        shutil.copy(__file__, options.out / "ppo.py")
    learn(run, options)
    if options.pairs and run.game.id in suite_games():
        score = bench_agent("ppo", lambda: open_player(Agent(run)), [run.game], pairs=options.pairs)
        (options.out / "benchmark.json").write_text(encode(score) + "\n")


if __name__ == "__main__":
    main()
