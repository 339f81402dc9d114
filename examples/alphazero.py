"""AlphaZero in one file, for any game of the family: self-play by tree search, in which many games share each batch.

    python examples/alphazero.py --game 3x3 --seconds 30
    python examples/alphazero.py --game connect4 --seconds 900 --out runs/c4     # again with --resume: 900 s more
    noughts bench agents runs/c4/alphazero.py:Agent

All games search at the same time. In each simulation every game walks down its own tree to a leaf, and the network
evaluates the leaves of all games at once. The folder of a run gets a copy of this file, `checkpoint.pt`,
`curve.jsonl` and, if matplotlib is installed, `curve.png`; at the end `benchmark.json`.
"""

import argparse
import json
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cached_property
from math import nan
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

import noughts as no
from noughts.arena.agents import bench_agent, exact_positions, measure_return, suite_games
from noughts.envs import Batch
from noughts.players import open_player
from noughts.schema import encode

FEATURES = 16  # of a line, for the network
EXPLORATION = 1.5
"""The constant of PUCT."""
NOISE_SHARE = 0.25
MOST_SIMULATIONS = 400
BATCHES_BEFORE_TRAINING = 4
"""Positions to wait for at the beginning, in batches: the first few say little."""
NUMBERS = {
    "seconds": (900.0, "time to train, without measuring"),
    "steps": (1 << 60, "moves to play in every game"),
    "every": (60.0, "seconds between two points of the curve"),
    "threads": (2, "threads, each with its share of the games"),
    "seed": (1, "seed of everything random"),
    "games": (256, "games played at once"),
    "simulations": (48, "simulations for a move"),
    "batch": (256, "positions of a step of gradient descent"),
    "reuse": (6.0, "how often a position is learned from, on average"),
    "replay": (100_000, "positions to learn from"),
    "lr": (1e-3, "learning rate"),
    "width": (256, "width of the layers"),
    "layers": (2, "layers"),
    "pairs": (10, "openings against each level in the benchmark at the end"),
}
"""The options that are numbers: their defaults and their help."""
KEPT = ("simulations", "width", "layers", "lr")
"""Those that a checkpoint keeps."""


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


class Evaluator:
    """The network as a function from observations and masks to priors and values, in NumPy."""

    def __init__(self, net: LineNet, device: str) -> None:
        self.net, self.device = net, device

    def __call__(self, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the priors, -1 for illegal moves, and the values for the side to move."""
        legal = torch.from_numpy(masks).to(self.device)
        with torch.no_grad():
            logits, values = self.net(torch.from_numpy(observations).to(self.device))
            priors = logits.masked_fill(~legal, -torch.inf).softmax(1).masked_fill(~legal, -1)
        return priors.cpu().numpy(), values.cpu().numpy()


class Trees:
    """A search tree for each game of a batch, in arrays of shape (games, nodes, cells). Node 0 is the root.

    Each simulation adds at most one node to each tree, so node `s` is that of simulation `s`.
    """

    def __init__(self, games: int, nodes: int, cells: int) -> None:
        self.rows = np.arange(games)
        self.priors = np.full((games, nodes, cells), -1, np.float32)
        self.visits = np.zeros((games, nodes, cells), np.float32)
        self.totals = np.zeros((games, nodes, cells), np.float32)
        self.children = np.zeros((games, nodes, cells), np.int32)  # 0: none, as the root is no child

    def select(self, nodes: np.ndarray) -> np.ndarray:
        """Return the move with the highest upper confidence bound (PUCT) in a node of each tree."""
        priors, visits = self.priors[self.rows, nodes], self.visits[self.rows, nodes]
        means = self.totals[self.rows, nodes] / np.maximum(visits, 1)
        scale = EXPLORATION * np.sqrt(1 + visits.sum(1, keepdims=True))
        best: np.ndarray = np.where(priors < 0, -np.inf, means + scale * priors / (1 + visits)).argmax(1)
        return best

    def descend(self, batch: Batch, number: int, evaluate: Evaluator) -> None:
        """Simulation `number`: play from the root to a new leaf or the end in all games, and back up the values."""
        nodes, active = np.zeros(len(batch), np.int64), np.ones(len(batch), bool)
        values, is_leaf = np.zeros(len(batch), np.float32), np.zeros(len(batch), bool)
        path = []
        while active.any():
            moves = self.select(nodes)
            path.append((nodes, moves, active))
            step = batch.step(moves, active)
            ended = active & step.terminated
            values[ended] = step.rewards[ended]
            children = self.children[self.rows, nodes, moves]
            new = active & ~ended & (children == 0)
            self.children[self.rows[new], nodes[new], moves[new]] = number
            is_leaf |= new
            active = active & ~ended & ~new
            nodes = np.where(active, children, nodes)
        if is_leaf.any():
            priors, found = evaluate(batch.observations[is_leaf], batch.masks[is_leaf])
            self.priors[is_leaf, number] = priors
            values[is_leaf] = -found  # for the side that moved to the leaf
        for nodes, moves, active in reversed(path):
            rows = self.rows[active]
            self.visits[rows, nodes[active], moves[active]] += 1
            self.totals[rows, nodes[active], moves[active]] += values[active]
            values = np.where(active, -values, values)


def search(batch: Batch, evaluate: Evaluator, simulations: int, noise: np.random.Generator | None = None) -> Trees:
    """Search all games of a batch, which stays as it is; `noise` makes the search try other moves as well."""
    trees = Trees(len(batch), simulations + 1, batch.game.cells)
    priors, _ = evaluate(batch.observations, batch.masks)
    if noise is not None:
        gamma = noise.gamma(10 / batch.masks.sum(1).mean(), size=priors.shape).astype(np.float32)
        gamma = (gamma + 1e-9) * batch.masks
        mixed = (1 - NOISE_SHARE) * priors + NOISE_SHARE * gamma / gamma.sum(1, keepdims=True)
        priors = np.where(batch.masks, mixed, -1)
    trees.priors[:, 0] = priors
    for number in range(1, simulations + 1):
        trees.descend(batch.clone(), number, evaluate)
    return trees


class Agent:
    """The trained network with search, or without any if `simulations` is 0; loaded from `checkpoint.pt` beside it."""

    def __init__(self, run: "Run | None" = None, simulations: int | None = None) -> None:
        if run is None:
            torch.set_num_threads(1)
            run = Run.load(Path(__file__).with_name("checkpoint.pt"), "cpu", trains=False)
        self.game, self.evaluate = run.game, Evaluator(run.net, run.device)
        self.simulations = run.simulations if simulations is None else simulations

    def choose(self, position: no.Position, limit: no.Limit | None = None) -> int:
        """Return the best move, after as many simulations as the limit has nodes."""
        simulations = self.simulations if limit is None or limit.nodes is None else limit.nodes
        return self.choose_all([position], min(simulations, MOST_SIMULATIONS))[0]

    def choose_all(self, positions: list[no.Position], simulations: int | None = None) -> list[int]:
        """Return the best move of each position, all searched at once."""
        batch = Batch(self.game, len(positions), seed=0, threads=1, starts=positions)
        simulations = self.simulations if simulations is None else simulations
        trees = search(batch, self.evaluate, simulations)
        best = trees.visits[:, 0] + trees.priors[:, 0]
        return [int(move) for move in best.argmax(1)]


class Run:
    """All that a checkpoint holds: the network, its optimiser, the positions to learn from, and counts."""

    def __init__(self, game: str, device: str, options: dict[str, int | float]) -> None:
        self.game, self.device, self.options = no.Game(game), device, options
        self.simulations = int(options["simulations"])
        self.net = LineNet(self.game, int(options["width"]), int(options["layers"])).to(device)
        self.steps, self.seconds, self.curve = 0, 0.0, list[dict[str, float]]()

    @cached_property
    def optimiser(self) -> torch.optim.Optimizer:
        """Made when it is needed: an agent in the sandbox has none."""
        return torch.optim.AdamW(self.net.parameters(), lr=float(self.options["lr"]), weight_decay=1e-4)

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


Row = tuple[np.ndarray, np.ndarray, float]
"""Planes, shares of visits and a value: the mean of the search, later mixed with the result of the game."""


class Replay:
    """The latest positions of finished games, in arrays that are filled round and round."""

    def __init__(self, game: no.Game, size: int) -> None:
        self.symmetries = np.array(game.symmetry.elements)
        self.planes = np.zeros((size, game.observation_shape[0], game.cells), np.uint8)
        self.policies = np.zeros((size, game.cells), np.float32)
        self.values = np.zeros(size, np.float32)
        self.added = 0

    def __len__(self) -> int:
        return min(self.added, len(self.values))

    def add(self, rows: list[Row], reward: float) -> None:
        """Add the positions of a game that ended with a reward for the last mover."""
        for planes, policy, mean in reversed(rows):
            at = self.added % len(self.values)
            self.planes[at], self.policies[at], self.values[at] = planes, policy, (reward + mean) / 2
            self.added, reward = self.added + 1, -reward

    def sample(self, size: int, chance: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return planes, policies and values of random positions, each turned or mirrored at random."""
        rows = chance.integers(len(self), size=size)
        turns = self.symmetries[chance.integers(len(self.symmetries), size=size)]
        planes = np.take_along_axis(self.planes[rows], turns[:, None], axis=2)
        return planes, np.take_along_axis(self.policies[rows], turns, axis=1), self.values[rows]


def train(run: Run, replay: Replay, chance: np.random.Generator, size: int) -> float:
    """Take one step of gradient descent; returns the loss."""
    planes, policies, values = (torch.from_numpy(each).to(run.device) for each in replay.sample(size, chance))
    logits, found = run.net(planes)
    loss = nn.functional.cross_entropy(logits, policies) + nn.functional.mse_loss(found, values)
    run.optimiser.zero_grad()
    loss.backward()
    run.optimiser.step()
    return float(loss.item())


def regret_of(agent: Agent) -> float | None:
    """The mean regret of the agent's moves in the positions of the benchmark; None if it lacks the game."""
    positions = exact_positions(agent.game)
    moves = agent.choose_all([each.position for each in positions]) if positions else []
    return float(np.mean([each.regret(move) for each, move in zip(positions, moves, strict=True)])) if moves else None


def measure(run: Run, loss: float, pairs: int) -> dict[str, float]:
    """A point of the curve: the return against easy and the regret, both with search, and that of the network alone."""
    agent, policy = Agent(run), Agent(run, simulations=0)
    score, _ = measure_return(open_player(agent), run.game, "easy", pairs)
    point = {"steps": run.steps, "seconds": round(run.seconds, 1), "loss": round(loss, 4)}
    found = {"return": score.mean_return, "regret": regret_of(agent), "policy_regret": regret_of(policy)}
    return point | {name: round(value, 4) for name, value in found.items() if value is not None}


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
        for name in ("return", "regret", "policy_regret"):
            axes.plot(
                [point["seconds"] for point in run.curve], [point.get(name, nan) for point in run.curve], label=name
            )
        axes.legend()
        figure.savefig(out / "curve.png")


class Group:
    """Games that are searched together, in a thread of their own."""

    def __init__(self, run: Run, games: int, seed: np.random.SeedSequence) -> None:
        self.chance = np.random.default_rng(seed)
        self.batch = Batch(run.game, games, seed=int(self.chance.integers(1 << 62)), threads=1)
        self.evaluate, self.simulations = Evaluator(run.net, run.device), run.simulations
        self.plies = np.zeros(games, int)
        self.pending: list[list[Row]] = [[] for _ in range(games)]
        for _ in range(run.game.cells // 2):  # so that the games do not all end at the same time
            self.play(self.batch.random_moves(), self.chance.random(games) < 0.5)

    def play(self, moves: np.ndarray, active: np.ndarray | None = None) -> list[tuple[list[Row], float]]:
        """Play a move in every game; returns the positions and the last rewards of games that ended."""
        step, ended = self.batch.step(moves, active), []
        self.plies += True if active is None else active
        for number in np.flatnonzero(step.terminated):
            ended.append((self.pending[number], float(step.rewards[number])))
            self.pending[number], self.plies[number] = [], 0
        return ended

    def advance(self) -> list[tuple[list[Row], float]]:
        """Search and play a move in every game: a likely one in the first plies, then the best; as `play`."""
        trees = search(self.batch, self.evaluate, self.simulations, self.chance)
        visits = trees.visits[:, 0]
        sums = visits.cumsum(1)
        sampled = (sums > sums[:, -1:] * self.chance.random((len(visits), 1))).argmax(1)
        moves = np.where(self.plies < self.batch.game.cells // 3, sampled, visits.argmax(1))
        policies, means = visits / sums[:, -1:], trees.totals[:, 0].sum(1) / sums[:, -1]
        planes = self.batch.observations.reshape(*self.batch.observations.shape[:2], -1)
        for number, pending in enumerate(self.pending):
            pending.append((planes[number].copy(), policies[number], float(means[number])))
        return self.play(moves)


def learn(run: Run, options: argparse.Namespace) -> None:
    """Play, search and learn until the seconds or the steps are used up; one step is a move in every game."""
    seeds = np.random.SeedSequence([options.seed, run.steps]).spawn(options.threads + 1)
    chance, replay = np.random.default_rng(seeds.pop()), Replay(run.game, options.replay)
    groups = [Group(run, -(-options.games // options.threads), seed) for seed in seeds]
    last_step, end, next_point = run.steps + options.steps, run.seconds + options.seconds, run.seconds + options.every
    loss = owed = 0.0
    with ThreadPoolExecutor(options.threads, initializer=torch.set_num_threads, initargs=(1,)) as pool:
        while run.seconds < end and run.steps < last_step:
            began = time.monotonic()
            for ended in pool.map(Group.advance, groups):
                for rows, reward in ended:
                    replay.add(rows, reward)
            torch.set_num_threads(options.threads)
            if len(replay) >= BATCHES_BEFORE_TRAINING * options.batch:
                owed += options.reuse * options.games / options.batch
            while owed >= 1:
                loss, owed = train(run, replay, chance, options.batch), owed - 1
            run.steps, run.seconds = run.steps + 1, run.seconds + time.monotonic() - began
            if run.seconds > next_point:
                record(run, options.out, measure(run, loss, pairs=5))
                next_point += options.every
    record(run, options.out, measure(run, loss, pairs=20))


def main() -> None:
    """Train, then run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", type=no.Game, default="connect4")
    parser.add_argument("--out", type=Path, default=Path("runs/alphazero"))
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
        run = Run(options.game.id, options.device, {name: getattr(options, name) for name in KEPT})
        shutil.copy(__file__, options.out / "alphazero.py")
    learn(run, options)
    if options.pairs and run.game.id in suite_games():
        score = bench_agent("alphazero", lambda: open_player(Agent(run)), [run.game], pairs=options.pairs)
        (options.out / "benchmark.json").write_text(encode(score) + "\n")


if __name__ == "__main__":
    main()
