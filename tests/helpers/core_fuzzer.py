"""Calls every binding of the compiled core with random nonsense: ``python core_fuzzer.py SEED CALLS``.

A separate program, since the defects it looks for end the process. Every call may return, or raise one of a few
exceptions; a call that takes too long is interrupted by a signal, as by Ctrl-C. Prints how often each binding was
called, and how the calls ended.
"""

from __future__ import annotations

import io
import random
import signal
import sys
import warnings
from collections import Counter
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np

import noughts as no
from noughts import _core
from noughts.games.evaluation import Weights, network_of
from noughts.games.geometry import build
from noughts.games.spec import parse_id

CALL_SECONDS = 0.02
"""A call that takes longer is interrupted."""
REFUSALS = (ValueError, TypeError, RuntimeError, OSError, MemoryError, ArithmeticError)
"""ArithmeticError is raised by hostile arguments themselves."""
NONSENSE_SHARE = 0.25
"""Share of arguments of a random kind, in every second call."""
GAMES = (
    *("3x3", "4x3:3", "7x6:4+gravity", "5x5:4+exact", "3x3+misere", "4x4x4", "15x15:5", "4x4+wrap", "3x3x3+gravity"),
    *("ultimate:2", "ultimate:3", "ultimate:3+open", "ultimate:2+open+misere", "ultimate:4+count"),
)
NUMBERS = (0, 1, -1, 2, 3, 7, 8, 9, 10, 31, 32, 33, 63, 64, 65, 80, 81, 255, 256, 257, 4095, 4096, 10_000)
LARGE = (40_000, 65_535, 65_536, 2**31 - 1, 2**31, -(2**31), 2**32, 2**63 - 1, 2**63, 2**64, -(2**63), 10**30)
FRACTIONS = (0.0, -0.0, 0.5, 1e-300, -1.0, 1e308, float("inf"), float("-inf"), float("nan"))
SCORES = (0, 0, _core.WIN - 3, 5 - _core.WIN, 1, _core.WIN + 1, -(2**31))
CLASSES: list[Any] = [no.Position, *(value for value in vars(_core).values() if isinstance(value, type))]
MEGABYTES = (0, 1, 1, 1, 2, 3, -1, 2**20 + 1, 2**44, 2**64)


class TookTooLong(Exception):
    """Raised in a call by the signal."""


class Hostile:
    """Answers every question wrongly."""

    def __index__(self) -> int:
        raise ArithmeticError("no number")

    def __len__(self) -> int:
        return 1 << 40

    def __getitem__(self, _: object) -> object:
        return self


class Fuzzer:
    """Random arguments, and the objects of the core that they are taken from."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.nonsense = 0.0
        self.positions: list[Any] = [no.Game(id).start() for id in GAMES]
        self.games: list[Any] = [position.game._core for position in self.positions]
        self.symmetries: list[Any] = [position.game.symmetry for position in self.positions]
        self.engines: list[Any] = [_core.Engine(1, 1), _core.Engine(2, 1)]
        self.trees: list[Any] = [
            _core.Mcts(1, 1, None, "rollouts", 1, 1.5, seed),
            _core.Mcts(2, 1, None, "weights", 16, 1.5, seed),
            _core.Mcts(1, 1, None, "network", 4, 1.5, seed),
            _core.Mcts(1, 1, None, "function", 4, 1.5, seed),
        ]
        self.solvers: list[Any] = [self.new_solver(0), self.new_solver(1)]
        self.batches: list[Any] = [
            _core.Batch(self.dice.choice(self.games), size, seed, 2, kind) for kind, size in enumerate((150, 1, 3))
        ]
        self.weights: list[Any] = [Weights(line=(0, 1, 2, 3)).compiled()]
        self.networks = [network_of(parse_id("ultimate:3")), b"", b"NNN2", b"NNN2" + b"\x03\0\0\0" * 8]
        self.reports: list[Any] = [_core.Engine(1, 1).search(self.positions[0], 0.0, 2, 0, 2, None)]
        self.progress: list[Any] = []
        self.made: list[Any] = []
        self.solved: list[Any] = [self.solvers[0].solve(0.0, 100, self.keep_progress)]

    def keep_progress(self, found: object) -> bool:
        self.progress = [*self.progress[-3:], found]
        return self.dice.random() < 0.5

    def new_solver(self, number: int) -> Any:
        return _core.Solver(self.positions[number], self.symmetries[number], 1)

    # --- arguments ---

    def integer(self) -> int:
        return self.dice.choice(NUMBERS if self.dice.random() < 0.8 else LARGE)

    def small(self) -> int:
        return self.dice.randrange(-2, 12)

    def fraction(self) -> float:
        return self.dice.choice(FRACTIONS)

    def text(self) -> str:
        return self.dice.choice(["", "a1", "b2", "5", "2b3", "5.5", "0,1,2", "\0", "\ud800", "é" * 50, "9" * 300])

    def integers(self) -> list[int]:
        count = self.dice.choice((0, 1, 2, 3, 4, 8, 9, 16, 42, 64, 81, 225))
        low, high = self.dice.choice(((-1, 1), (0, 8), (-1, 1), (-5, 90), (0, 4095), (-(2**31), 2**31 - 1)))
        return [self.dice.randint(low, high) for _ in range(count)]

    def lists(self) -> list[list[int]]:
        return [self.integers() for _ in range(self.dice.randrange(4))]

    def marks(self) -> list[int]:
        """Cells of a position, usually a possible one."""
        position = self.dice.choice(self.positions)
        marks = [-1 if mark is None else mark.number for mark in position.cells]
        for _ in range(self.dice.choice((0, 0, 1, 3))):
            marks[self.dice.randrange(len(marks))] = self.dice.choice((-2, -1, 0, 1, 2, 3, 200))
        return marks

    def starts(self) -> list[Any]:
        """Positions to begin playthroughs with, usually without moves and of one game."""
        position = self.dice.choice(self.positions)
        own = [position.game.start()] if self.dice.random() < 0.7 else self.positions
        return self.dice.choices(own, k=self.dice.randrange(4))

    def quiet_settings(self) -> tuple[int, ...]:
        moves = self.dice.choices((-1, 0, 1, 20, 100, 3_000, 1_000_001), weights=(1, 1, 9, 9, 9, 9, 1), k=3)
        return self.dice.randrange(-1, 42), *moves, self.dice.randrange(-1, 9)

    def reader(self) -> Any:
        """Reads a save of some solver, often damaged; or returns nonsense."""
        pieces: list[bytes] = []
        self.dice.choice(self.solvers).save(pieces.append)
        data = bytearray(b"".join(pieces))
        for _ in range(self.dice.choice((0, 1, 1, 20))):
            data[self.dice.randrange(len(data))] = self.dice.randrange(256)
        whole = io.BytesIO(data[: self.dice.choice((None, None, self.dice.randrange(len(data))))])
        return self.dice.choice([whole.read, whole.read, whole.read, lambda _: b"", lambda _: 1 // 0, lambda _: 7, 7])

    def array(self) -> Any:
        """Usually an array that fits some position or batch; possibly of another type, with gaps, or read-only."""
        sizes = [batch.size for batch in self.batches] + [9, 36, 42, 64, 81, 168, 567, 0]
        dtype = self.dice.choice((np.int64, np.uint8, np.bool_, np.float32, np.int32))
        array = np.array([self.dice.randrange(10) for _ in range(self.dice.choice(sizes))]).astype(dtype)
        match self.dice.randrange(12):
            case 0:
                return array[::-1]
            case 1:
                array.flags.writeable = False
            case 2:
                return array.reshape(1, -1)
        return array

    def saved(self) -> Any:
        """The bytes of some batch, often damaged."""
        data = bytearray(self.dice.choice(self.batches).save())
        for _ in range(self.dice.choice((0, 1, 1, 20))):
            data[self.dice.randrange(len(data))] = self.dice.randrange(256)
        return bytes(data[: self.dice.choice((None, None, self.dice.randrange(len(data))))])

    def callback(self) -> Any:
        return self.dice.choice([None, None, self.keep_progress, lambda _: False, lambda: 1, lambda _: 1 // 0, 7])

    def evaluator(self) -> str:
        return self.dice.choice(("rollouts", "network", "weights", "function", "magic"))

    def evaluate(self) -> Any:
        """Nothing, or a function that gives good or bad answers."""
        size = self.dice.choice((9, 42, 64, 81))
        value = self.dice.choice((0.0, 0.5, -1.0, 2.0, float("nan")))
        answers: list[Callable[[list[Any]], object]] = [
            lambda found: (np.full(len(found), value), None),
            lambda found: (np.full(len(found), value), np.full(len(found) * size, value)),
            lambda found: (np.zeros(len(found) + 1), None),
            lambda found: (np.zeros(len(found), np.float32), np.zeros(size)),
            lambda found: 1 // 0,
            lambda found: found,
        ]
        return self.dice.choice([None, None, *answers, 7])

    def anything(self) -> Any:
        kinds: list[Callable[[], Any]] = [
            self.integer,
            self.fraction,
            self.text,
            self.integers,
            self.lists,
            lambda: self.dice.choice((None, True, False, b"", Hostile(), Hostile, object(), {}, (), {1: 2}, range(9))),
            lambda: self.dice.choice(self.positions + self.games + self.symmetries + self.engines + self.solvers),
            lambda: self.dice.choice(self.batches),
            self.array,
            lambda: self.dice.choice([kind.__new__(kind) for kind in CLASSES]),
            lambda: self.dice.randbytes(self.dice.randrange(60)),
        ]
        return self.dice.choice(kinds)()

    def arguments(self, name: str) -> list[Any]:
        self.nonsense = self.dice.choice((0.0, NONSENSE_SHARE))
        if name == "make_game" and self.dice.random() < 0.8:
            return self.rules_of_a_game()
        arguments = [self.argument(kind) for kind in kinds_of(name)]
        if name.startswith("Position.") and self.dice.random() < 0.1:
            arguments[0] = self.dice.choice(self.made or self.positions)
        if "symmetry" in kinds_of(name) and self.dice.random() < 0.7:
            place = self.dice.randrange(len(GAMES))
            own = {"position": self.positions[place], "symmetry": self.symmetries[place]}
            arguments = [own.get(kind, value) for kind, value in zip(kinds_of(name), arguments, strict=True)]
        if "array" in kinds_of(name) and self.dice.random() < 0.5:
            return self.arrays_that_fit(name)
        if self.dice.random() < 0.02:
            return arguments[:-1] if self.dice.random() < 0.5 else [*arguments, self.anything()]
        return arguments

    def arrays_that_fit(self, name: str) -> list[Any]:
        """A position or a batch with arrays of the right types and sizes; moves are often legal."""
        batch, position = self.dice.choice(self.batches), self.dice.choice(self.positions)
        match name:
            case "fill_planes":
                return [position, np.zeros(position.game.observation_shape, np.uint8)]
            case "fill_legal_mask":
                return [position, np.zeros(position.game.cells, np.bool_)]
            case "Batch.roll_out":
                return [batch, np.zeros(batch.size, np.float32)]
        moves = np.zeros(batch.size, np.int64)
        batch.choose_randomly(moves)
        if name == "Batch.choose_randomly":
            return [batch, moves]
        if name == "Batch.restart":
            return [batch, moves % 2 == 0]
        if self.dice.random() < 0.2:
            moves[self.dice.randrange(batch.size)] = self.integer() % 2**63
        return [batch, moves, self.dice.choice((None, moves % 2 == 0))]

    def rules_of_a_game(self) -> list[Any]:
        """A small game, valid except for at most one detail."""
        dice = self.dice
        blocks, size = dice.choice((1, 1, 2, 4, 9)), dice.randint(1, 9)
        cells = blocks * size
        if dice.random() < 0.1:
            return self.ultimate_with_damaged_network()

        def some(block: int) -> list[int]:
            return dice.sample(range(block * size, (block + 1) * size), dice.randint(1, size))

        lines: list[Any] = [(some(dice.randrange(blocks)), []) for _ in range(dice.randint(0, 6))]
        below = [[cell - 1] if cell % size and dice.random() < 0.3 else [] for cell in range(cells)]
        sends = [dice.randrange(-1, blocks) for _ in range(cells)]
        outer = [dice.sample(range(blocks), dice.randint(1, min(3, blocks))) for _ in range(dice.randint(0, 3))]
        flags = [dice.random() < 0.3 for _ in range(3)]
        rules: list[Any] = [cells, lines, below, [c // size for c in range(cells)], sends, outer, *flags]
        odd = dice.random() < 0.2
        rules += [dice.choice(self.weights), dice.choice(self.networks)] if odd else [self.weights[0], b""]
        if dice.random() < 0.5:
            rules[dice.randrange(len(rules))] = self.anything()
        return rules

    def ultimate_with_damaged_network(self) -> list[Any]:
        data, network = build(parse_id("ultimate:3")), bytearray(self.networks[0])
        for _ in range(self.dice.choice((0, 1, 100, 5000))):
            network[self.dice.randrange(len(network))] = self.dice.randrange(256)
        lines = list(zip(data.lines, data.guards, strict=True))
        shape = [data.rests_on, data.block_of, data.sends, data.outer_lines]
        return [81, lines, *shape, False, False, False, self.weights[0], bytes(network)]

    def argument(self, kind: str) -> Any:
        if self.dice.random() < self.nonsense:
            return self.anything()
        if kind in POOLS:
            return self.dice.choice(getattr(self, POOLS[kind]) or [None])
        match kind:
            case "root variation":
                return self.dice.choice(self.reports[-1].lines or [None])
            case "megabytes":
                return self.dice.choice(MEGABYTES)
            case "known":
                return [(move, self.dice.choice(SCORES)) for move in self.integers()]
            case "flag":
                return self.dice.choice((True, False))
            case "lines":
                return [(self.integers(), self.integers() if self.dice.random() < 0.3 else []) for _ in range(4)]
            case _:
                return getattr(self, kind)()


POOLS = {
    "position": "positions",
    "game": "games",
    "symmetry": "symmetries",
    "engine": "engines",
    "tree": "trees",
    "solver": "solvers",
    "batch": "batches",
    "report": "reports",
    "progress": "progress",
    "solved": "solved",
    "weights": "weights",
    "network": "networks",
}
"""The objects of the fuzzer that arguments of each kind are taken from."""

BINDINGS: dict[str, tuple[str, ...]] = {
    "register_sides": (),  # would change the sides of every position
    "estimate": ("position", "network"),
    "instruction_set": (),
    "instruction_sets": (),
    "set_instruction_set": ("text",),
    "_time_playthroughs": ("position", "lists", "small"),
    "make_game": (
        *("small", "lines", "lists", "integers", "integers", "lists", "flag", "flag", "flag", "weights", "network"),
    ),
    "planes_of": ("game",),
    "fill_planes": ("position", "array"),
    "fill_legal_mask": ("position", "array"),
    "Batch": ("game", "small", "integer", "small"),
    "Batch.arrays": ("batch",),
    "Batch.step": ("batch", "array", "array"),
    "Batch.reset": ("batch",),
    "Batch.set_starts": ("batch", "starts"),
    "Batch.restart": ("batch", "array"),
    "Batch.start_of": ("batch", "small"),
    "Batch.seed": ("batch", "integer"),
    "Batch.choose_randomly": ("batch", "array"),
    "Batch.roll_out": ("batch", "array"),
    "Batch.clone": ("batch",),
    "Batch.save": ("batch",),
    "Batch.load": ("batch", "saved"),
    "Batch.position": ("batch", "small"),
    "rows_header": ("game", "flag"),
    "self_play": ("game", "network", "integer", "small", "integer", "small", "small", "callback"),
    "fixed_depth_best_moves": ("position", "small", "symmetry", "callback"),
    "forced_win": ("position", "small"),
    "fork_threat_win": ("position", "small"),
    "find_quiet_win": ("position", "small", "quiet_settings", "fraction", "megabytes"),
    "Engine": ("small", "megabytes", "network"),
    "Engine.spread": ("engine", "game"),
    "Mcts": ("small", "megabytes", "network", "evaluator", "small", "fraction", "integer"),
    "Mcts.search": (
        *("tree", "position", "fraction", "small", "integer", "small", "callback", "symmetry", "known", "flag"),
        *("fraction", "small", "evaluate"),
    ),
    "Mcts.stop": ("tree",),
    "Mcts.spread": ("tree", "game"),
    "Engine.search": (
        *("engine", "position", "fraction", "small", "integer", "small", "callback", "symmetry", "known", "flag"),
    ),
    "Engine.stop": ("engine",),
    "Engine.clear": ("engine",),
    "Game": (),
    "Position": ("game", "marks", "small", "small", "integers"),
    "Position.play": ("position", "integer"),
    "Position.undo": ("position",),
    "Position.is_legal": ("position", "integer"),
    "Position.perft": ("position", "small"),
    "Position._completing": ("position", "small", "flag"),
    "Position._same": ("position", "position"),
    "Solver": ("position", "symmetry", "megabytes"),
    "Solver.solve": ("solver", "fraction", "integer", "callback"),
    "Solver.certificate": ("solver",),
    "Solver.turn_to": ("solver", "position"),
    "Solver.ask_only": ("solver", "small"),
    "Solver.stop": ("solver",),
    "Solver.save": ("solver", "callback"),
    "Solver.load": ("solver", "reader"),
    "Symmetry": ("game", "lists", "integer"),
    "Symmetry.canonical_hash": ("symmetry", "position"),
    "Symmetry.least_image": ("symmetry", "position"),
    "Weights": ("integers", "integers", *("integer",) * 6),
    "Report": (),
    "RootVariation": (),
    "SolveProgress": (),
    "SolveResult": (),
}
PROPERTIES: dict[str, str] = {
    "Batch": "batch",
    "Position": "position",
    "Symmetry": "symmetry",
    "Report": "report",
    "RootVariation": "root variation",
    "SolveProgress": "progress",
    "SolveResult": "solved",
}
RARE = (
    "Batch",
    "Engine",
    "Mcts",
    "self_play",
    "Solver",
    "Symmetry",
    "Engine.clear",
    "make_game",
    "Solver.certificate",
    "Solver.save",
    "Solver.load",
    "find_quiet_win",
)
"""Slower than the rest, so called less often."""


def bindings() -> dict[str, Callable[..., object]]:
    """Return all bindings of the core by name, including properties."""
    found: dict[str, Callable[..., object]] = {}
    for name, value in vars(_core).items():
        if name.startswith("__") or not callable(value):
            continue
        found[name] = value
        for part, member in vars(value).items() if isinstance(value, type) else ():
            if isinstance(member, property):
                found[f"{name}.{part}"] = member.fget or repr
            elif not part.startswith("__"):
                found[f"{name}.{part}"] = getattr(value, part)
    return found


def kinds_of(name: str) -> tuple[str, ...]:
    if name in BINDINGS:
        return BINDINGS[name]
    return (PROPERTIES[name.split(".")[0]],)


def keep(fuzzer: Fuzzer, result: object) -> None:
    """Use some results as arguments of later calls."""
    if isinstance(result, _core.Game):
        check_made(fuzzer, result)
    pools: dict[type, list[Any]] = {
        _core.Position: fuzzer.made,
        _core.Game: fuzzer.games,
        _core.Symmetry: fuzzer.symmetries,
        _core.Batch: fuzzer.batches,
        _core.Engine: fuzzer.engines,
        _core.Mcts: fuzzer.trees,
        _core.Solver: fuzzer.solvers,
        _core.Weights: fuzzer.weights,
        _core.Report: fuzzer.reports,
        _core.SolveResult: fuzzer.solved,
    }
    pool = pools.get(type(result))
    if pool is None:
        return
    if len(pool) > 40:
        pool.pop(fuzzer.dice.randrange(len(GAMES), len(pool)))  # the first ones are paired by their place
    pool.append(result)


def check_made(fuzzer: Fuzzer, game: _core.Game) -> None:
    """Play a random game to its end and back, and run all searches on the way."""
    position, symmetry = _core.Position(game), _core.Symmetry(game, [])
    engine = fuzzer.dice.choice(fuzzer.engines)
    while not position.is_over and fuzzer.dice.random() < 0.95:
        engine.search(position, 0.0, 3, 300, 1, None)
        _core.fixed_depth_best_moves(position, 2, symmetry)
        symmetry.least_image(position)
        if fuzzer.dice.random() < 0.2:
            _core.Solver(position, symmetry, 1).solve(0.0, 200, None)
        position.play(fuzzer.dice.choice(position.legal_moves))
    for _ in range(position.ply):
        position.undo()
    keep(fuzzer, position)


def play_on(fuzzer: Fuzzer) -> None:
    """Play moves, so that calls see all stages of a game."""
    position = fuzzer.dice.choice(fuzzer.positions)
    moves = position.legal_moves
    if moves and fuzzer.dice.random() < 0.9:
        position.play(fuzzer.dice.choice(moves))
    else:
        while position.ply:
            position.undo()


def call_once(fuzzer: Fuzzer, name: str, binding: Callable[..., object]) -> str:
    arguments = fuzzer.arguments(name)
    signal.setitimer(signal.ITIMER_REAL, CALL_SECONDS)
    try:
        keep(fuzzer, binding(*arguments))
    except (*REFUSALS, TookTooLong) as error:
        return type(error).__name__
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return "returned"


def took_too_long(_: int, __: FrameType | None) -> None:
    raise TookTooLong


def fuzz(seed: int, calls: int) -> Counter[str]:
    fuzzer = Fuzzer(seed)
    offered = bindings()
    often = [name for name in offered if name not in RARE and name != "register_sides"]
    counted: Counter[str] = Counter()
    for number in range(calls):
        if number % 4 == 0:
            play_on(fuzzer)
        name = fuzzer.dice.choice(RARE if fuzzer.dice.random() < 0.03 else often)
        try:
            counted[f"{name}: {call_once(fuzzer, name, offered[name])}"] += 1
        except TookTooLong:  # between the call and the end of the timer
            counted[f"{name}: late"] += 1
    return counted


def main(seed: int, calls: int) -> None:
    signal.signal(signal.SIGALRM, took_too_long)
    warnings.simplefilter("ignore")
    if not _core.SANITIZED:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    for name, count in sorted(fuzz(seed, calls).items()):
        print(f"{count:8} {name}")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
