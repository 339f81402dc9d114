"""AlphaZero in one file, for any game of the family: self-play by tree search, in which all games share each batch.

    python examples/alphazero.py --game 3x3 --seconds 30
    python examples/alphazero.py --game connect4 --seconds 900 --out runs/c4     # again with --resume: 900 s more
    noughts bench agents runs/c4/alphazero.py:Agent

All games search at the same time, on the processor or on a GPU. In each simulation every game walks down its own tree
to a leaf, and the network evaluates the leaves of all games at once. The search is that of Gumbel AlphaZero (Danihelka
et al. 2022), which improves the policy with few simulations. The folder of a run gets a copy of this file,
`checkpoint.pt`, `curve.jsonl` and, if matplotlib is installed, `curve.png`; at the end `benchmark.json`.
"""

import argparse
import json
import math
import shutil
import time
from contextlib import suppress
from functools import cache, cached_property
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

import noughts as no
from noughts.arena.agents import bench_agent, exact_positions, measure_return, suite_games
from noughts.envs.torch.rules import TensorRules, TensorState
from noughts.players import open_player
from noughts.schema import encode

CONSIDERED = 16
"""Moves that the search tries at the root, at most."""
VISIT_SCALE, VALUE_SCALE = 50, 0.1
"""How much values count beside the logits of the policy, as in the paper."""
RESULT_SHARE = 0.9
"""The lambda of the returns: how much the results count beside the values of the search."""
NUMBERS = {
    "seconds": (900.0, "seconds of playing and learning, by the clock; measuring comes on top"),
    "steps": (10**12, "moves to play at most in every game"),
    "every": (60.0, "seconds between two points of the curve"),
    "threads": (2, "threads of the processor"),
    "seed": (1, "seed of everything random"),
    "games": (256, "games played at once"),
    "length": (16, "moves in every game between two phases of learning"),
    "simulations": (24, "simulations for a move"),
    "explore": (0.1, "share of random moves"),
    "batch": (512, "positions of a step of gradient descent"),
    "reuse": (4.0, "how often a position is learned from, on average"),
    "replay": (100_000, "positions to learn from"),
    "lr": (2e-3, "learning rate at the beginning; it falls to a tenth"),
    "channels": (16, "features of a cell and of a line"),
    "layers": (3, "layers from cells to lines and back"),
    "width": (128, "width of the layer that sees all cells"),
    "lookups": (128, "simulations for a move of the trained agent"),
    "pairs": (10, "openings against each level in the benchmark at the end"),
}
"""The options that are numbers: their defaults and their help."""
KEPT = ("channels", "layers", "width", "lookups", "lr")
"""Those that a checkpoint keeps."""


class LineNet(nn.Module):
    """Moves and values for any game: in each layer the lines of the game see their cells, and the cells their lines."""

    def __init__(self, game: no.Game, channels: int, layers: int, width: int) -> None:
        super().__init__()
        planes, cells = game.observation_shape[0], game.cells
        of_lines = torch.tensor([[float(cell in line) for cell in range(cells)] for line in game.lines])
        self.register_buffer("to_lines", of_lines)
        self.register_buffer("to_cells", (of_lines / of_lines.sum(0).clamp(min=1)).T.contiguous())
        self.enter, self.places = nn.Linear(planes, channels), nn.Parameter(torch.zeros(cells, channels))
        self.layers = nn.ModuleList(nn.ModuleList(nn.Linear(channels, channels) for _ in "abc") for _ in range(layers))
        self.all, self.local = nn.Linear(channels * cells, width), nn.Linear(channels, 1)
        self.moves, self.value = nn.Linear(width, cells), nn.Linear(width, 1)

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        """Return the logits of the moves and the values, from -1 to 1, for the side to move."""
        cells = torch.relu(self.enter(planes.flatten(2).float().transpose(1, 2)) + self.places)
        for to_line, to_cell, stay in self.layers:
            lines = torch.relu(self.to_lines @ to_line(cells))
            cells = cells + torch.relu(stay(cells) + self.to_cells @ to_cell(lines))
        hidden = torch.relu(self.all(cells.flatten(1)))
        return self.moves(hidden) + self.local(cells).squeeze(2), torch.tanh(self.value(hidden)).squeeze(1)


@cache
def visit_table(simulations: int) -> Tensor:
    """Sequential halving: row m tells how many visits the root's move of each simulation has had, with m moves."""
    rows = []
    for moves in range(CONSIDERED + 1):
        visits, left, row = [0] * moves, max(moves, 1), list[int]()
        rounds = max(1, math.ceil(math.log2(max(moves, 1))))
        while len(row) < simulations and moves:
            for _ in range(max(1, simulations // (rounds * left))):
                row += visits[:left]
                visits[:left] = [number + 1 for number in visits[:left]]
            left = max(min(2, moves), left // 2)
        rows.append((row + [0] * simulations)[:simulations])
    return torch.tensor(rows)


class Trees:
    """A search tree for each game, in tensors of shape (games, nodes) or (games, nodes, cells). Node 0 is the root.

    Simulation s adds node s: the position after the move that it tried last, which may be over.
    """

    def __init__(self, rules: TensorRules, net: LineNet, roots: TensorState, simulations: int, noise: float) -> None:
        games, nodes, cells, device = len(roots.to_move), simulations + 1, rules.game.cells, rules.device
        self.rules, self.net = rules, net
        self.rows = torch.arange(games, device=device)
        self.states = roots.map(lambda tensor: tensor.new_zeros(games, nodes))
        self.logits, self.visits, self.totals = (torch.zeros(games, nodes, cells, device=device) for _ in range(3))
        self.children = torch.zeros(games, nodes, cells, dtype=torch.int64, device=device)  # 0: none
        self.values, self.is_over = torch.zeros(games, nodes, device=device), self.children[:, :, 0] > 0
        self.masks = rules.masks(roots)
        self.add(0, roots, *self.evaluate(roots))
        uniform = torch.rand(games, cells, device=device).clamp(1e-9, 1 - 1e-7)
        self.noisy = self.logits[:, 0] - noise * torch.log(-torch.log(uniform))
        table = visit_table(simulations).to(device)[self.masks.sum(1).clamp(max=CONSIDERED)]
        for number in range(1, nodes):
            self.simulate(number, table[:, number - 1])

    def evaluate(self, states: TensorState) -> tuple[Tensor, Tensor]:
        """Return the logits of the network, -1e9 for illegal moves, and its values for the side to move."""
        logits, values = self.net(self.rules.observations(states, torch.float32))
        return logits.masked_fill(~self.rules.masks(states), -1e9), values

    def add(self, number: int, states: TensorState, logits: Tensor, values: Tensor) -> None:
        """Add a node to each tree."""
        self.logits[:, number], self.values[:, number] = logits, values
        self.states.map(lambda all, new: all[:, number].copy_(new), states)

    def improved(self, nodes: Tensor | int) -> tuple[Tensor, Tensor]:
        """Return the logits of a node's moves, corrected by their values, and the value of the node.

        A move that was not tried counts as much as the node: the mean of the network and of the moves that were.
        """
        logits, visits, value = (each[self.rows, nodes] for each in (self.logits, self.visits, self.values))
        found = self.totals[self.rows, nodes] / visits.clamp(min=1)
        tried = logits.softmax(1) * (visits > 0)
        mean = (tried * found).sum(1) / tried.sum(1).clamp(min=1e-9)
        count = visits.sum(1)
        value = (value + count * mean) / (1 + count)
        completed = torch.where(visits > 0, found, value[:, None])
        scale = VALUE_SCALE * (VISIT_SCALE + visits.amax(1, keepdim=True))
        return logits + scale * completed, value

    def best(self, visits: Tensor) -> Tensor:
        """Return the best of the root's moves that have had this number of visits."""
        scores = self.improved(0)[0] + self.noisy - self.logits[:, 0]
        return scores.masked_fill((self.visits[:, 0] != visits[:, None]) | ~self.masks, -torch.inf).argmax(1)

    def simulate(self, number: int, visits: Tensor) -> None:
        """Play from the root to a new leaf or the end in all games, and back up the values."""
        nodes, moves, active = (
            torch.zeros_like(self.rows),
            self.best(visits),
            torch.ones_like(self.rows, dtype=torch.bool),
        )
        path = [(nodes, moves, active)]
        while True:
            children = self.children[self.rows, nodes, moves]
            active = active & (children > 0) & ~self.is_over[self.rows, children]
            if not active.any():
                break
            nodes = torch.where(active, children, nodes)
            tried = self.visits[self.rows, nodes]
            wanted = self.improved(nodes)[0].softmax(1) - tried / (1 + tried.sum(1, keepdim=True))
            moves = torch.where(active, wanted.argmax(1), moves)
            path.append((nodes, moves, active))
        after = self.rules.play(self.states.map(lambda tensor: tensor[self.rows, nodes]), moves)
        logits, found = self.evaluate(after.state)
        self.add(number, after.state, logits, found)
        self.is_over[:, number] = after.is_over
        self.children[self.rows, nodes, moves] = number
        values = torch.where(after.is_over, after.reward, -found)
        for nodes, moves, active in reversed(path):
            self.visits[self.rows, nodes, moves] += active
            self.totals[self.rows, nodes, moves] += values * active
            values = torch.where(active, -values, values)

    def chosen(self) -> Tensor:
        """Return the best move of each game, one of those with the most visits."""
        visits: Tensor = self.visits[:, 0].amax(1)
        return self.best(visits)


class Agent:
    """The trained network with search, or without any if `simulations` is 0; loaded from `checkpoint.pt` beside it."""

    def __init__(self, run: "Run | None" = None, simulations: int | None = None) -> None:
        if run is None:
            torch.set_num_threads(1)
            run = Run.load(Path(__file__).with_name("checkpoint.pt"), "cpu", trains=False)
        self.run, self.simulations = run, int(run.options["lookups"]) if simulations is None else simulations

    def choose(self, position: no.Position, limit: no.Limit | None = None) -> int:
        """Return the best move, after as many simulations as the limit has nodes."""
        return self.choose_all([position], None if limit is None else limit.nodes)[0]

    def choose_all(self, positions: list[no.Position], simulations: int | None = None) -> list[int]:
        """Return the best move of each position, all searched at once."""
        roots = self.run.rules.states_of(positions)
        with torch.no_grad():
            trees = Trees(self.run.rules, self.run.net, roots, simulations or self.simulations, noise=0)
        moves: list[int] = trees.chosen().tolist()
        return moves


class Run:
    """All that a checkpoint holds: the network, its optimiser, and counts."""

    def __init__(self, game: str, device: str, options: dict[str, int | float]) -> None:
        self.game, self.device, self.options = no.Game(game), device, options
        self.rules = TensorRules(self.game, torch.device(device))
        self.net = LineNet(self.game, *(int(options[name]) for name in ("channels", "layers", "width"))).to(device)
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


class Replay:
    """The latest positions, in tensors that are filled round and round."""

    def __init__(self, run: Run, size: int) -> None:
        game, device = run.game, run.device
        self.symmetries = torch.tensor(game.symmetry.elements, device=device)
        self.planes = torch.zeros(size, game.observation_shape[0], game.cells, dtype=torch.uint8, device=device)
        self.policies = torch.zeros(size, game.cells, device=device)
        self.values = torch.zeros(size, device=device)
        self.added = 0

    def __len__(self) -> int:
        return min(self.added, len(self.values))

    def add(self, planes: Tensor, policies: Tensor, values: Tensor) -> None:
        """Add positions in place of the oldest."""
        rows = torch.arange(self.added, self.added + len(values), device=values.device) % len(self.values)
        self.planes[rows], self.policies[rows], self.values[rows] = planes, policies, values
        self.added += len(values)

    def sample(self, size: int) -> tuple[Tensor, Tensor, Tensor]:
        """Return planes, policies and values of random positions, each turned or mirrored at random."""
        rows = torch.randint(len(self), (size,), device=self.values.device)
        turns = self.symmetries[torch.randint(len(self.symmetries), (size,), device=rows.device)]
        planes = self.planes[rows].gather(2, turns[:, None].expand(-1, self.planes.shape[1], -1))
        return planes, self.policies[rows].gather(1, turns), self.values[rows]


class SelfPlay:
    """Games that the network plays against itself."""

    def __init__(self, run: Run, games: int, simulations: int, explore: float) -> None:
        self.run, self.rules, self.simulations, self.explore = run, run.rules, simulations, explore
        self.first = self.states = run.rules.start(games)
        for _ in range(run.game.cells):  # so that the games do not all end at the same time
            self.play(self.random_moves())

    def random_moves(self) -> Tensor:
        """Return a random legal move for each game."""
        moves: Tensor = self.rules.masks(self.states).float().multinomial(1)[:, 0]
        return moves

    def play(self, moves: Tensor) -> tuple[Tensor, Tensor]:
        """Play a move in every game and start those that ended again; returns the rewards and which ended."""
        after = self.rules.play(self.states, moves)
        self.states = self.first.map(lambda first, new: torch.where(after.is_over, first, new), after.state)
        return after.reward, after.is_over

    def advance(self, steps: int) -> tuple[Tensor, Tensor, Tensor]:
        """Play; returns the planes, the improved policies and the returns, mixed from results and searched values.

        A random move says nothing about its position, whose return is then the value of the search.
        """
        planes, policies, rows = list[Tensor](), list[Tensor](), list[tuple[Tensor, ...]]()
        for _ in range(steps):
            trees = Trees(self.rules, self.run.net, self.states, self.simulations, noise=1)
            logits, values = trees.improved(0)
            planes.append(self.rules.observations(self.states, torch.uint8))
            policies.append(logits.softmax(1))
            is_random = torch.rand_like(values) < self.explore
            rewards, ended = self.play(torch.where(is_random, self.random_moves(), trees.chosen()))
            rows.append((values, rewards, ended, is_random))
        found = [rows[-1][0]]
        for values, rewards, ended, is_random in reversed(rows[:-1]):
            result = torch.where(ended, rewards, -found[-1])
            found.append(torch.where(is_random, values, values + RESULT_SHARE * (result - values)))
        return torch.cat(planes), torch.cat(policies), torch.cat(found[::-1])


def train(run: Run, replay: Replay, size: int) -> Tensor:
    """Take one step of gradient descent; returns the loss."""
    planes, policies, values = replay.sample(size)
    logits, found = run.net(planes)
    loss: Tensor = nn.functional.cross_entropy(logits, policies) + nn.functional.mse_loss(found, values)
    run.optimiser.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(run.net.parameters(), 1)
    run.optimiser.step()
    return loss.detach()


def regret_of(agent: Agent) -> float | None:
    """The mean regret of the agent's moves in the positions of the benchmark; None if it lacks the game."""
    positions = exact_positions(agent.run.game)
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

        axes = (figure := Figure(layout="constrained")).add_subplot(xlabel="seconds of training")
        for name in point.keys() - {"steps", "seconds", "loss"}:
            axes.plot([each["seconds"] for each in run.curve], [each[name] for each in run.curve], label=name)
        axes.legend()
        figure.savefig(out / "curve.png")


def learn(run: Run, options: argparse.Namespace) -> None:
    """Play, search and learn until the seconds or the steps are used up; one step is a move in every game."""
    replay, loss, owed = Replay(run, options.replay), torch.zeros(()), 0.0
    with torch.no_grad():
        play = SelfPlay(run, options.games, options.simulations, options.explore)
    last_step, end, next_point = run.steps + options.steps, run.seconds + options.seconds, run.seconds + options.every
    while run.seconds < end and run.steps < last_step:
        began = time.monotonic()
        with torch.no_grad():
            replay.add(*play.advance(steps := min(options.length, last_step - run.steps)))
        left = min((end - run.seconds) / options.seconds, (last_step - run.steps) / options.steps)
        run.optimiser.param_groups[0]["lr"] = run.options["lr"] * (0.1 + 0.9 * left)
        owed += options.reuse * options.games * steps / options.batch
        while owed >= 1:
            loss, owed = train(run, replay, options.batch), owed - 1
        run.steps, run.seconds = run.steps + steps, run.seconds + time.monotonic() - began
        if run.seconds > next_point:
            record(run, options.out, measure(run, loss.item(), pairs=5))
            next_point += options.every
    record(run, options.out, measure(run, loss.item(), pairs=20))


def main() -> None:
    """Train, then run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", type=no.Game, default="connect4", help="(default: connect4)")
    parser.add_argument("--out", type=Path, default=Path("runs/alphazero"), help="folder (default: runs/alphazero)")
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
        run = Run(options.game.id, options.device, {name: getattr(options, name) for name in KEPT})
        shutil.copy(__file__, options.out / "alphazero.py")
    print(f"{run.game.id}: training; a line every {options.every:g} seconds, and at the end", flush=True)
    learn(run, options)
    if options.pairs and run.game.id in suite_games():
        score = bench_agent("alphazero", lambda: open_player(Agent(run)), [run.game], pairs=options.pairs)
        (options.out / "benchmark.json").write_text(encode(score) + "\n")


if __name__ == "__main__":
    main()
