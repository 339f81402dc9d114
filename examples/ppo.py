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
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.distributions import Categorical

import noughts as no
from noughts.arena.agents import bench_agent, exact_positions, measure_regret, measure_return, suite_games
from noughts.envs import Batch
from noughts.players import open_player
from noughts.schema import encode

EPOCHS, CLIP, ENTROPY, DISCOUNT, TRACE = 3, 0.2, 0.02, 0.99, 0.9  # TRACE is the lambda of the advantages
NUMBERS = {
    "seconds": (900.0, "seconds of playing and learning, by the clock; measuring comes on top"),
    "steps": (10**12, "moves to play at most, over all games"),
    "every": (60.0, "seconds between two points of the curve"),
    "threads": (2, "threads of the processor"),
    "seed": (1, "seed of everything random"),
    "games": (256, "games played at once"),
    "length": (32, "steps of a rollout"),
    "batch": (1024, "positions of a step of gradient descent"),
    "explore": (0.25, "share of random moves, which are learned from, too"),
    "lr": (1e-3, "learning rate at the beginning; it falls to a tenth"),
    "channels": (16, "features of a cell and of a line"),
    "layers": (3, "layers from cells to lines and back"),
    "width": (128, "width of the layer that sees all cells"),
    "lookups": (1000, "simulations for a move of the trained agent"),
    "pairs": (10, "openings against each level in the benchmark at the end"),
}  # the options that are numbers: their defaults and their help


class LineNet(nn.Module):
    """Moves and values for any game: in each layer the lines of the game see their cells, and the cells their lines."""

    def __init__(self, game: no.Game, channels: int, layers: int, width: int) -> None:
        super().__init__()
        planes, cells = game.observation_shape[0], game.cells
        of_lines = torch.tensor([[float(cell in line) for cell in range(cells)] for line in game.lines])
        self.register_buffer("to_lines", of_lines / of_lines.sum(1, keepdim=True))
        self.register_buffer("to_cells", (of_lines / of_lines.sum(0).clamp(min=1)).T.contiguous())
        self.enter, self.places = nn.Linear(planes, channels), nn.Parameter(torch.zeros(cells, channels))
        self.layers = nn.ModuleList(nn.ModuleList(nn.Linear(channels, channels) for _ in "abc") for _ in range(layers))
        self.all, self.local = nn.Linear(channels * cells, width), nn.Linear(channels, 1)
        self.moves, self.value = nn.Linear(width, cells), nn.Linear(width, 1)

    def forward(self, planes: Tensor, masks: Tensor) -> tuple[Categorical, Tensor]:
        """Return the probabilities of the legal moves and the values, from -1 to 1, for the side to move."""
        cells = torch.relu(self.enter(planes.flatten(2).float().permute(2, 0, 1)) + self.places[:, None])
        shape = (-1, *cells.shape[1:])  # cells or lines come first: one product of matrices serves all positions
        for to_line, to_cell, stay in self.layers:
            lines = torch.relu((self.to_lines @ to_line(cells).flatten(1)).view(shape))
            cells = cells + torch.relu(stay(cells) + (self.to_cells @ to_cell(lines).flatten(1)).view(shape))
        hidden = torch.relu(self.all(cells.transpose(0, 1).flatten(1)))
        logits = (self.moves(hidden) + self.local(cells).squeeze(2).T).masked_fill(~masks, -1e9)
        return Categorical(logits=logits, validate_args=False), torch.tanh(self.value(hidden)).squeeze(1)


class Run:
    """All that a checkpoint holds: the network, its optimiser, the curve, and counts."""

    def __init__(self, game: str, device: str, options: dict[str, int | float]) -> None:
        self.game, self.device, self.options = no.Game(game), device, options
        self.net = LineNet(self.game, *(int(options[name]) for name in ("channels", "layers", "width"))).to(device)
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
    """The trained network with the tree search of the core, or by its policy alone if `simulations` is 0."""

    def __init__(self, run: Run | None = None, simulations: int | None = None) -> None:
        if run is None:
            torch.set_num_threads(1)
            run = Run.load(Path(__file__).with_name("checkpoint.pt"), "cpu", trains=False)
        self.run, self.simulations = run, int(run.options["lookups"]) if simulations is None else simulations
        self.engine = no.Engine(search="mcts", evaluator=self.evaluate, book=False, seed=1)

    def choose(self, position: no.Position, limit: no.Limit | None = None) -> int:
        """Return the best move, after as many simulations as the limit has nodes."""
        if nodes := (limit and limit.nodes) or self.simulations:
            return self.engine.search(position, no.Limit(nodes=nodes)).move
        return int(self.evaluate([position])[1].argmax())

    def evaluate(self, positions: list[no.Position]) -> tuple[Tensor, Tensor]:
        """Return the values of positions for the side to move, and the probabilities of their moves."""
        stacks = (np.stack(each) for each in zip(*((p.planes(), p.legal_mask()) for p in positions), strict=True))
        with torch.no_grad():
            policy, values = self.run.net(*(torch.from_numpy(stack).to(self.run.device) for stack in stacks))
        return values.cpu(), policy.probs.cpu()


def play(run: Run, batch: Batch, steps: int, explore: float) -> list[Tensor]:
    """Let the network play both sides, with some random moves; returns what it learns from, a row for each move."""
    rows = []
    for _ in range(steps):
        observations, masks = (torch.tensor(each, device=run.device) for each in (batch.observations, batch.masks))
        policy, values = run.net(observations, masks)
        played = Categorical((1 - explore) * policy.probs + explore * masks / masks.sum(1, keepdim=True))
        logs, shares = played.log_prob(moves := played.sample()), policy.log_prob(moves)
        step = batch.step(moves.cpu().numpy())
        rewards, ended = (torch.tensor(each, device=run.device) for each in (step.rewards, step.terminated))
        rows.append((observations, masks, moves, logs, values, (shares - logs).exp().clamp(max=1), rewards, ended))
    _, following = run.net(*(torch.tensor(each, device=run.device) for each in (batch.observations, batch.masks)))
    trace, learned = torch.zeros_like(following), list[tuple[Tensor, ...]]()
    for *row, values, shares, rewards, ended in reversed(rows):
        # The next position is the opponent's, so its value and advantage change their sign.
        advantages = rewards - DISCOUNT * ~ended * (following + TRACE * trace) - values
        following, trace = values, advantages * shares  # a move that the policy would hardly make says little of others
        learned.append((*row, values + trace, advantages))
    return [torch.cat(column) for column in zip(*learned, strict=True)]


def learn_from(run: Run, rollout: list[Tensor], size: int, entropy: float) -> float:
    """Take the steps of gradient descent on a rollout; returns the last loss."""
    scale, loss = rollout[5].std() + 1e-8, torch.zeros(())
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(rollout[0]), device=scale.device).split(size):
            observations, masks, moves, logs, targets, advantages = (column[rows] for column in rollout)
            policy, values = run.net(observations, masks)
            ratios = (policy.log_prob(moves) - logs).exp()
            gains = torch.min(ratios * advantages, ratios.clamp(1 - CLIP, 1 + CLIP) * advantages) / scale
            loss = nn.functional.mse_loss(values, targets) - gains.mean() - entropy * policy.entropy().mean()
            run.optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(run.net.parameters(), 0.5)
            run.optimiser.step()
    return float(loss.item())


def measure(run: Run, loss: float, pairs: int) -> dict[str, float]:
    """A point of the curve: the return against easy, the regret in the benchmark, and those of the policy alone."""
    point, positions = {"steps": run.steps, "seconds": round(run.seconds, 1)}, exact_positions(run.game)
    for prefix, agent in (("", Agent(run)), ("policy_", Agent(run, 0))):
        player = open_player(agent)
        point[prefix + "return"] = measure_return(player, run.game, "easy", pairs)[0].mean_return
        if positions:
            point[prefix + "regret"] = measure_regret(player, positions).mean
    return point | {"loss": round(loss, 4)}


def record(run: Run, out: Path, point: dict[str, float]) -> None:
    """Add a point to the curve, print it, save everything, and draw the curve if matplotlib is installed."""
    run.curve.append(point)
    print(json.dumps(point), flush=True)
    (out / "curve.jsonl").write_text("".join(json.dumps(each) + "\n" for each in run.curve))
    run.save(out / "checkpoint.pt")
    with suppress(ImportError):
        from matplotlib.figure import Figure

        axes = (figure := Figure(layout="constrained")).add_subplot(xlabel="seconds of training")
        for name in point.keys() - {"steps", "seconds", "loss"}:
            axes.plot([each["seconds"] for each in run.curve], [each[name] for each in run.curve], label=name)
        axes.legend()
        figure.savefig(out / "curve.png")


def learn(run: Run, options: argparse.Namespace) -> None:
    """Play and learn until the seconds or the steps are used up; one step is a move in one game."""
    batch, loss = Batch(run.game, options.games, seed=options.seed + run.steps, threads=options.threads), 0.0
    last_step, end, next_point = run.steps + options.steps, run.seconds + options.seconds, run.seconds + options.every
    while run.seconds < end and run.steps < last_step:
        began = time.monotonic()
        left = min((end - run.seconds) / options.seconds, (last_step - run.steps) / options.steps)
        run.optimiser.param_groups[0]["lr"] = run.options["lr"] * (0.1 + 0.9 * left)
        with torch.no_grad():
            rollout = play(run, batch, options.length, options.explore)
        loss = learn_from(run, rollout, options.batch, ENTROPY * (0.1 + 0.9 * left))
        run.steps, run.seconds = run.steps + len(rollout[0]), run.seconds + time.monotonic() - began
        if run.seconds > next_point:
            record(run, options.out, measure(run, loss, pairs=5))
            next_point += options.every
    record(run, options.out, measure(run, loss, pairs=20))


def main() -> None:
    """Train, then run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", type=no.Game, default="connect4", help="(default: connect4)")
    parser.add_argument("--out", type=Path, default=Path("runs/ppo"), help="folder (default: runs/ppo)")
    parser.add_argument("--resume", action="store_true", help="continue the run in the folder")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu", help="cuda: a GPU (default: cpu)")
    for name, (default, about) in NUMBERS.items():
        parser.add_argument(f"--{name}", type=type(default), default=default, help=about + " (default: %(default)s)")
    options = parser.parse_args()
    if options.device == "cuda" and not torch.cuda.is_available():
        parser.error("expected a GPU for --device cuda, found none")
    if options.resume and not (options.out / "checkpoint.pt").exists():
        parser.error(f"expected a run to resume in {options.out}, got none")
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    torch.set_float32_matmul_precision("high")
    options.out.mkdir(parents=True, exist_ok=True)
    if options.resume:
        run = Run.load(options.out / "checkpoint.pt", options.device)
    else:
        run = Run(options.game.id, options.device, {name: getattr(options, name) for name in NUMBERS})
        shutil.copy(__file__, options.out / "ppo.py")
    print(f"{run.game.id}: training; a line every {options.every:g} seconds, and at the end", flush=True)
    learn(run, options)
    if options.pairs and run.game.id in suite_games():
        score = bench_agent("ppo", lambda: open_player(Agent(run)), [run.game], pairs=options.pairs)
        (options.out / "benchmark.json").write_text(encode(score) + "\n")


if __name__ == "__main__":
    main()
