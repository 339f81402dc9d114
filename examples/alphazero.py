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
import copy
import json
import math
import shutil
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache, cached_property
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

import noughts as no
from noughts.arena.agents import bench_agent, exact_positions, measure_regret, measure_return, suite_games
from noughts.envs.torch.rules import TensorRules, TensorState
from noughts.players import open_player
from noughts.schema import encode

CONSIDERED = 16
"""Moves that the search tries at the root, at most."""
DEEPEST = 10
"""A simulation ends at most so far from the root, where the tree has been built already."""
ILLEGAL = -1e9
"""The logit of an illegal move."""
VISIT_SCALE, VALUE_SCALE = 50, 0.1
"""How much values count beside the logits of the policy, as in the paper."""
RESULT_SHARE = 0.9
"""The lambda of the returns: how much the results count beside the values of the search."""
NUMBERS = {
    "seconds": (900.0, "seconds of playing and learning, by the clock; measuring comes on top"),
    "steps": (10**12, "moves to play at most in every game"),
    "every": (60.0, "seconds between two points of the curve"),
    "threads": (2, "threads of the processor: one plays, the others learn"),
    "seed": (1, "seed of everything random"),
    "games": (256, "games played at once"),
    "length": (32, "moves in every game between two phases of learning"),
    "simulations": (24, "simulations for a move"),
    "explore": (0.15, "share of random moves"),
    "batch": (512, "positions of a step of gradient descent"),
    "reuse": (6.0, "how often a position is learned from, on average"),
    "replay": (200_000, "positions to learn from"),
    "lr": (2e-3, "learning rate at the beginning; it falls to a fiftieth"),
    "channels": (24, "features of a cell and of a line"),
    "layers": (3, "layers from cells to lines and back"),
    "width": (128, "width of the layer that sees all cells"),
    "lookups": (1000, "simulations for a move of the trained agent"),
    "pairs": (10, "openings against each level in the benchmark at the end"),
}
"""The options that are numbers: their defaults and their help."""
KEPT = ("channels", "layers", "width", "lookups", "lr")
"""Those that a checkpoint keeps."""


class Groups(nn.Module):
    """The mean of each group of rows, for example of the cells of each line."""

    def __init__(self, groups: Sequence[Sequence[int]], rows: int) -> None:
        super().__init__()
        matrix = torch.tensor([[(row in group) / max(1, len(group)) for row in range(rows)] for group in groups])
        self.register_buffer("matrix", matrix)
        self.register_buffer("members", torch.tensor([row for group in groups for row in group]))
        self.register_buffer("starts", torch.tensor([0, *accumulate(map(len, groups))][:-1]))

    def forward(self, rows: Tensor) -> Tensor:
        """Return the means; the first axis has the rows. A GPU multiplies faster than it adds some rows."""
        flat, bag = rows.flatten(1), nn.functional.embedding_bag
        found = self.matrix @ flat if rows.is_cuda else bag(self.members, flat, self.starts, mode="mean")
        return found.view(-1, *rows.shape[1:])


class LineNet(nn.Module):
    """Moves and values for any game: in each layer the lines of the game see their cells, and the cells their lines."""

    def __init__(self, game: no.Game, channels: int, layers: int, width: int) -> None:
        super().__init__()
        planes, cells = game.observation_shape[0], game.cells
        through = [[number for number, line in enumerate(game.lines) if cell in line] for cell in range(cells)]
        self.of_lines, self.of_cells = Groups(game.lines, cells), Groups(through, len(game.lines))
        self.enter, self.places = nn.Linear(planes, channels), nn.Parameter(torch.zeros(cells, channels))
        self.layers = nn.ModuleList(nn.ModuleList(nn.Linear(channels, channels) for _ in "abc") for _ in range(layers))
        self.all, self.local = nn.Linear(channels * cells, width), nn.Linear(channels, 1)
        self.moves, self.value = nn.Linear(width, cells), nn.Linear(width, 1)

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        """Return the logits of the moves and the values, from -1 to 1, for the side to move.

        Inside, cells and lines come first and positions second: one product of matrices then serves all positions.
        """
        places, (games, _, number) = self.places, planes.flatten(2).shape
        cells = torch.relu_(self.enter(planes.flatten(2).to(places.dtype).permute(2, 0, 1)) + places[:, None])
        for to_line, to_cell, stay in self.layers:
            lines = torch.relu_(self.of_lines(to_line(cells)))
            cells = cells + torch.relu_(stay(cells) + self.of_cells(to_cell(lines)))
        hidden = torch.relu_(self.all(cells.transpose(0, 1).reshape(games, -1)))
        logits = self.moves(hidden) + self.local(cells).view(number, games).T
        return logits.float(), torch.tanh(self.value(hidden).float()).squeeze(1)


@cache
def visit_table(simulations: int, device: torch.device) -> Tensor:
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
    return torch.tensor(rows, device=device)


class Found(NamedTuple):
    """What the search of a position returns: the improved policy, the value, and the best move."""

    policies: Tensor
    values: Tensor
    moves: Tensor


class Trees:
    """A search tree for each game. Node 0 is the root; simulation s adds node s, the position after a new move.

    A node keeps its likeliest moves, at most CONSIDERED. The tensors have a row for each node of each game, and a
    column for each of its moves.
    """

    def __init__(self, rules: TensorRules, net: LineNet, roots: TensorState, simulations: int, noise: Tensor) -> None:
        games, self.nodes, device = len(roots.to_move), simulations + 1, rules.device
        columns = min(CONSIDERED, len(rules.game.start().legal_moves))
        self.rules, self.net = rules, net
        self.rows = torch.arange(games, device=device) * self.nodes
        self.states = roots.map(lambda tensor: tensor.new_zeros(games * self.nodes))
        self.logits, self.visits, self.totals = torch.zeros(3, games * self.nodes, columns, device=device)
        self.moves, self.children = torch.zeros(2, games * self.nodes, columns, dtype=torch.int64, device=device)
        self.values, self.is_over = self.logits.new_zeros(len(self.moves)), self.children.new_zeros(len(self.moves))
        self.noise = self.add(self.rows, roots, noise)[0]
        self.is_legal = self.logits[self.rows] > ILLEGAL / 2
        table = visit_table(simulations, device)[self.is_legal.sum(1)]
        for number in range(1, self.nodes):
            self.simulate(number, table[:, number - 1, None])

    def add(self, rows: Tensor, states: TensorState, noise: Tensor | float = 0.0) -> tuple[Tensor, Tensor]:
        """Add a node to each tree; returns the noise of the moves that it keeps, and the values of the network."""
        logits, values = self.net(self.rules.observations(states, self.net.places.dtype))
        logits = logits.masked_fill(~self.rules.masks(states), ILLEGAL)
        noisy, moves = (logits + noise).topk(self.logits.shape[1])
        self.moves[rows], self.logits[rows], self.values[rows] = moves, logits.gather(1, moves), values
        self.states.map(lambda all, new: all.index_copy_(0, rows, new), states)
        return noisy - self.logits[rows], values

    def improved(self, rows: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return the logits of a node's moves, corrected by their values, the value of the node, and the visits.

        A move that was not tried counts as much as the node: the mean of the network and of the moves that were.
        """
        logits, visits, value = self.logits[rows], self.visits[rows], self.values[rows]
        found = self.totals[rows] / visits.clamp(min=1)
        tried, count = logits.softmax(1) * (visits > 0), visits.sum(1)
        mean = (tried * found).sum(1) / tried.sum(1).clamp(min=1e-9)
        value = (value + count * mean) / (1 + count)
        completed = torch.where(visits > 0, found, value[:, None])
        scale = VALUE_SCALE * (VISIT_SCALE + visits.amax(1, keepdim=True))
        return logits + scale * completed, value, visits

    def best(self, wanted: Tensor | None = None) -> Tensor:
        """Return the best of the root's moves that have had this number of visits, by default the most."""
        logits, _, visits = self.improved(self.rows)
        fits = self.is_legal & (visits == (visits.amax(1, keepdim=True) if wanted is None else wanted))
        return (logits + self.noise).masked_fill(~fits, -torch.inf).argmax(1, keepdim=True)

    def simulate(self, number: int, visits: Tensor) -> None:
        """Play from the root to a new leaf or the end in all games, and back up the values."""
        rows, column = self.rows, self.best(visits)
        active = torch.ones_like(column[:, 0], dtype=torch.bool)
        path = [(rows, column, active)]
        for _ in range(min(number - 1, DEEPEST)):
            children = self.children[rows].gather(1, column)[:, 0]
            active = active & (children > 0) & (self.is_over[children] == 0)
            if rows.device.type == "cpu" and not active.any():
                break
            rows = torch.where(active, children, rows)
            logits, _, tried = self.improved(rows)
            wanted = logits.softmax(1) - tried / (1 + tried.sum(1, keepdim=True))
            column = torch.where(active[:, None], wanted.argmax(1, keepdim=True), column)
            path.append((rows, column, active))
        moves = self.moves[rows].gather(1, column)[:, 0]
        after = self.rules.play(self.states.map(lambda tensor: tensor[rows]), moves)
        leaves = self.rows + number
        values = torch.where(after.is_over, after.reward, -self.add(leaves, after.state)[1])
        self.is_over[leaves] = after.is_over.long()
        self.children[rows] = self.children[rows].scatter(1, column, leaves[:, None])
        for rows, column, active in reversed(path):
            counts = active.float()
            self.visits[rows] = self.visits[rows].scatter_add(1, column, counts[:, None])
            self.totals[rows] = self.totals[rows].scatter_add(1, column, (values * counts)[:, None])
            values = torch.where(active, -values, values)

    def found(self) -> Found:
        """Return the result: the best move is one of those with the most visits."""
        logits, values, _ = self.improved(self.rows)
        moves, policies = self.moves[self.rows], logits.new_zeros(len(logits), self.rules.game.cells)
        return Found(policies.scatter(1, moves, logits.softmax(1)), values, moves.gather(1, self.best())[:, 0])


class Search:
    """Searches positions; on a GPU a recorded graph, because starting thousands of kernels takes longer than they."""

    def __init__(self, rules: TensorRules, net: LineNet, simulations: int) -> None:
        self.rules, self.net, self.simulations = rules, net, simulations
        self.graph: torch.cuda.CUDAGraph | None = None

    def __call__(self, roots: TensorState, noise: Tensor) -> Found:
        """Return the results of the search; noise is added to the logits of the moves at the root."""
        if self.rules.device.type == "cpu":
            return Trees(self.rules, self.net, roots, self.simulations, noise).found()
        if self.graph is None:
            self.capture(roots, noise)
        assert self.graph is not None
        self.roots.map(lambda kept, new: kept.copy_(new), roots)
        self.noise.copy_(noise)
        self.graph.replay()
        return Found(*(each.clone() for each in self.result))

    def capture(self, roots: TensorState, noise: Tensor) -> None:
        """Search twice and record a third time."""
        self.roots, self.noise, self.graph = roots.map(Tensor.clone), noise.clone(), torch.cuda.CUDAGraph()
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(2):
                Trees(self.rules, self.net, self.roots, self.simulations, self.noise).found()
        torch.cuda.current_stream().wait_stream(stream)
        with torch.cuda.graph(self.graph):
            self.result = Trees(self.rules, self.net, self.roots, self.simulations, self.noise).found()


class Agent:
    """The network with the tree search of the core, or without any if `simulations` is 0; from `checkpoint.pt`."""

    def __init__(self, run: "Run | None" = None, simulations: int | None = None) -> None:
        if run is None:
            torch.set_num_threads(1)
            run = Run.load(Path(__file__).with_name("checkpoint.pt"), "cpu", trains=False)
        self.run, self.simulations = run, int(run.options["lookups"]) if simulations is None else simulations
        self.engine = no.Engine(search="mcts", evaluator=self.evaluate, book=False, seed=1)

    def choose(self, position: no.Position, limit: no.Limit | None = None) -> int:
        """Return the best move, after as many simulations as the limit has nodes."""
        if nodes := (limit and limit.nodes) or self.simulations:
            return self.engine.search(position, no.Limit(nodes=nodes)).move
        likely = self.evaluate([position])[1][0]
        return max(position.legal_moves, key=lambda move: float(likely[move]))

    def evaluate(self, positions: list[no.Position]) -> tuple[Tensor, Tensor]:
        """Return the values of positions for the side to move, and the probabilities of their cells."""
        planes = torch.from_numpy(np.stack([position.planes() for position in positions]))
        with torch.no_grad():
            logits, values = self.run.net(planes.to(self.run.device))
        return values.cpu(), logits.softmax(1).cpu()


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

    def __init__(self, run: Run, net: LineNet, games: int, simulations: int, explore: float, seed: int) -> None:
        self.run, self.rules, self.explore = run, run.rules, explore
        self.search = Search(run.rules, net, simulations)
        self.generator = torch.Generator(run.device).manual_seed(seed)
        self.first = self.states = run.rules.start(games)
        for _ in range(run.game.cells):  # so that the games do not all end at the same time
            self.play(self.random_moves())

    def noise(self) -> Tensor:
        """Return random numbers of the Gumbel distribution: the largest of logits with noise is drawn by the policy."""
        shape = (len(self.states.to_move), self.run.game.cells)
        uniform = torch.rand(shape, generator=self.generator, device=self.rules.device)
        return -torch.log(-torch.log(uniform.clamp(1e-9, 1 - 1e-7)))

    def random_moves(self) -> Tensor:
        """Return a random legal move for each game."""
        return self.noise().masked_fill(~self.rules.masks(self.states), -torch.inf).argmax(1)

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
            found = self.search(self.states, self.noise())
            planes.append(self.rules.observations(self.states, torch.uint8))
            policies.append(found.policies)
            uniform = torch.rand(found.values.shape, generator=self.generator, device=self.rules.device)
            is_random = uniform < self.explore
            rewards, ended = self.play(torch.where(is_random, self.random_moves(), found.moves))
            rows.append((found.values, rewards, ended, is_random))
        returns = [rows[-1][0]]
        for values, rewards, ended, is_random in reversed(rows[:-1]):
            result = torch.where(ended, rewards, -returns[-1])
            returns.append(torch.where(is_random, values, values + RESULT_SHARE * (result - values)))
        return torch.cat(planes), torch.cat(policies), torch.cat(returns[::-1])


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


def measure(run: Run, loss: float, pairs: int) -> dict[str, float]:
    """A point of the curve: the return against easy and the regret, both with search, and that of the network alone."""
    player, policy, positions = open_player(Agent(run)), open_player(Agent(run, 0)), exact_positions(run.game)
    point = {"steps": run.steps, "seconds": round(run.seconds, 1), "loss": round(loss, 4)}
    point["return"] = measure_return(player, run.game, "easy", pairs)[0].mean_return
    if positions:
        point |= {
            "regret": measure_regret(player, positions).mean,
            "policy_regret": measure_regret(policy, positions).mean,
        }
    return point


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


def prepare_player() -> None:
    """Let the thread that plays use one processor, and no gradients."""
    torch.set_num_threads(1)
    torch.set_grad_enabled(False)


def learn(run: Run, options: argparse.Namespace) -> None:
    """Play and learn at the same time until the seconds or the steps are used up; one step is a move in every game."""
    replay, loss, owed = Replay(run, options.replay), torch.zeros(()), 0.0
    net = copy.deepcopy(run.net).to(torch.float32 if options.device == "cpu" else torch.bfloat16)
    play = SelfPlay(run, net, options.games, options.simulations, options.explore, options.seed + run.steps)
    player = ThreadPoolExecutor(1, initializer=prepare_player)
    last_step, end, next_point = run.steps + options.steps, run.seconds + options.seconds, run.seconds + options.every
    while run.seconds < end and run.steps < last_step:
        began = time.monotonic()
        steps = min(options.length, last_step - run.steps)
        playing = player.submit(play.advance, steps)
        left = min((end - run.seconds) / options.seconds, (last_step - run.steps) / options.steps)
        run.optimiser.param_groups[0]["lr"] = run.options["lr"] * (0.02 + 0.98 * left)
        owed += options.reuse * options.games * steps / options.batch if len(replay) else 0
        while owed >= 1:
            loss, owed = train(run, replay, options.batch), owed - 1
        replay.add(*playing.result())
        net.load_state_dict(run.net.state_dict())
        if options.device == "cuda":
            torch.cuda.synchronize()
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
    torch.set_num_threads(max(1, options.threads - 1))
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
