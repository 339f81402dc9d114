"""Work that Python does and, translated, node with the core in WebAssembly. Arguments and results are JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from noughts import _core
from noughts.engine import Engine, Limit
from noughts.engine.signature import CASES
from noughts.games import Game, Position
from noughts.proof.solver import Solver
from noughts.web.in_browser import BrowserWorker

__all__ = ["run"]

Scenario = Callable[..., Any]


def run(asked: str) -> str:
    """Return the result of a scenario, given as a list of its name and its arguments."""
    name, *arguments = json.loads(asked)
    return json.dumps(SCENARIOS[name](*arguments))


def after(game: object, moves: list[int]) -> Position:
    position = Game.from_data(game).start()
    position.play_all(moves)
    return position


# The same results as natively


def answers(cases: list[dict[str, Any]]) -> list[list[str]]:
    """Answer questions; return for each the text of the answer and of the error."""
    return [answer(case["name"], case["request"]) for case in cases]


def answer(name: str, request: str) -> list[str]:
    running = BrowserWorker().ask(name, request, len)
    while (reply := running.work()) is None:
        pass
    return [reply.text, reply.error]


def perft(games: list[list[Any]]) -> list[int]:
    return [Game(id).start().perft(depth) for id, depth in games]


def replay(playthroughs: list[list[Any]]) -> list[list[list[object]]]:
    """The states of positions before the first move, after each, and again while all are taken back."""
    return [states(Game.from_data(game).start(), moves) for game, moves in playthroughs]


def states(position: Position, moves: list[int]) -> list[list[object]]:
    found = [state(position)]
    for move in moves:
        position.play(move)
        found.append(state(position))
    for _ in moves:
        position.undo()
        found.append(state(position))
    return found


def state(position: Position) -> list[object]:
    completing = [position._completing(side, playable) for side in (0, 1) for playable in (False, True)]
    return [
        *[position.turn, position.side_to_move, position.is_over, position.winner, position._line_winner],
        *[position.cells, position.blocks, position.legal_moves, position.moves, position.ply, position.last_move],
        *[position.open_blocks, position.block_to_play, position._winning_line, completing],
        *[position.hash, position._key, position._score],
    ]


def estimates(game: str, moves: list[int]) -> list[tuple[str, list[int]]]:
    """Estimates by the network of the game, with each instruction set."""
    used = _core.instruction_set()
    found = []
    for name in _core.instruction_sets():
        _core.set_instruction_set(name)
        positions = [after(game, moves[:ply]) for ply in range(len(moves))]
        found.append((_core.instruction_set(), [_core.estimate(position) for position in positions]))
    _core.set_instruction_set(used)
    return found


def symmetries(game: str, openings: list[list[int]]) -> list[object]:
    """The group of a game, and images and fixed-depth searches of positions."""
    symmetry = Game(game).symmetry
    positions = [after(game, moves) for moves in openings]
    images = [[symmetry.canonical_hash(each), symmetry.least_image(each)] for each in positions]
    best = [_core.fixed_depth_best_moves(each, 3, symmetry) for each in positions]
    return [symmetry.orbit_sizes, symmetry.generators, symmetry.elements, symmetry.size, symmetry.note, images, best]


def solve(games: list[str]) -> list[list[object]]:
    """Bounds, moves and certificates of the starts of games."""
    found = []
    for id in games:
        solver = start_solver(id)
        result = solver.solve(0, 0, None)
        found.append([result.lower, result.upper, result.move, result.move_is_proven, *solver.certificate()])
    return found


def start_solver(game: str) -> _core.Solver:
    return _core.Solver(Game(game).start(), Game(game).symmetry, 16)


# For WebAssembly alone


def nodes() -> int:
    searches = [
        Engine(threads=1, hash_mb=16, book=False).search(case.parse(), Limit(depth=case.depth)) for case in CASES
    ]
    return sum(search.nodes for search in searches)


def speeds(game: str, depth: int) -> list[float]:
    """Nodes a second of four searches."""
    searches = [Engine(threads=1).search(Game(game).start(), Limit(depth=depth)) for _ in range(4)]
    return [search.nodes / search.seconds for search in searches]


def resume(game: str, limit: int) -> list[object]:
    """A solve that is saved after some nodes and continued by another solver, and the refusals of damaged saves."""
    first, second = start_solver(game), start_solver(game)
    begun = first.solve(0, limit, None)
    pieces: list[bytes] = []
    first.save(pieces.append)
    saved = bytes([byte for piece in pieces for byte in piece])
    second.load(reader_of(saved))
    ended = second.solve(0, 0, None)
    refusals = [
        failure_of(lambda: first.load(reader_of(saved[:100]))),
        failure_of(lambda: first.load(reader_of(b"no"))),
    ]
    return [begun.lower == begun.upper, ended.lower, ended.nodes, refusals]


def reader_of(data: bytes) -> Callable[[int], bytes]:
    at = 0

    def read(size: int) -> bytes:
        nonlocal at
        at += size
        return data[at - size : at]

    return read


def failure_of(work: Callable[[], object]) -> list[str]:
    """The class and the message of an exception, empty if there is none."""
    try:
        work()
    except BaseException as error:
        return [type(error).__name__, str(error)]
    return ["", ""]


def progress(game: str) -> list[object]:
    """Reports of a search, and the ways to end one."""
    position, engine = Game(game).start(), _core.Engine(1, 16)
    depths: list[list[int]] = []

    def search(report: Callable[[Any], Any] | None, seconds: float = 0, depth: int = 0) -> _core.Report:
        return engine.search(position, seconds, depth, 0, 2, report)

    search(lambda report: depths.append([report.depth, len(report.lines)]), 0, 6)
    ended = search(lambda report: report.depth < 3)
    thrown = failure_of(lambda: search(lambda report: 1 // 0))
    watched = failure_of(lambda: _core.fixed_depth_best_moves(position, 20, None, lambda: 1 // 0))
    nested = failure_of(lambda: search(lambda report: search(None)))
    timed = search(None, 0.2)
    return [depths, ended.depth, thrown[0], watched[0], nested, timed.seconds, len(timed.lines)]


def deep(game: str) -> list[int]:
    """Bounds of a solve that would recurse deeper than the stack of a browser, for a second."""
    result = start_solver(game).solve(1, 0, None)
    return [result.lower, result.upper]


def use_many_tables(count: int) -> list[object]:
    """Use engines and solvers in turns, with more memory than a page has; return the moves and values."""
    engines = [Engine(hash_mb=64, book=False) for _ in range(count)]
    solvers = [Solver(Game("3x3").start(), 64) for _ in range(count)]
    moves = [engine.search(Game("3x3").start(), Limit(depth=9)).move for engine in engines * 2]
    values = [solver.solve(Limit(nodes=nodes)).value for nodes in (10, 10**6) for solver in solvers]
    return [moves, values]


# Wrong arguments


def nonsense() -> list[object]:
    """The failures of calls with wrong arguments, and a number that shows that the core still works."""
    position, other = Game("4x4").start(), Game.from_lines("other", cells=4, lines=[[0, 1]])
    calls = [*wrong_games(position.game), *wrong_positions(position, other), *wrong_searches(position, other)]
    return [[failure_of(call) for call in [*calls, *wrong_solvers(position, other)]], position.perft(3)]


def wrong_games(game: Any) -> list[Callable[[], object]]:
    even = _core.Weights([1], [1], 0, 0, 0, 0, 0, 0)
    pair: list[Any] = [([0, 1], [])]

    def make(cells: Any = 4, lines: Any = pair, weights: Any = even, network: Any = b"") -> object:
        return _core.make_game(cells, lines, [], [], [], [], False, False, False, weights, network)

    return [
        lambda: make(weights={}),
        lambda: make(cells=-1),
        lambda: make(cells=10**6),
        lambda: make(lines=[([0, 99999], [])]),
        lambda: make(lines=[7]),
        lambda: make(lines=[([0, 1],)]),
        lambda: make(network="network"),
        lambda: _core.Symmetry(game._core, [[70000]]),
        lambda: _core.Symmetry(game._core, wrong("geometric")),
        lambda: _core.Symmetry(game._core, [], 0),
        lambda: _core.Symmetry(wrong(game.start()), []),
        lambda: game.symmetry.canonical_hash(wrong(None)),
        lambda: game.symmetry.least_image(wrong(None)),
    ]


def wrong(value: object) -> Any:
    """The value, of which the type checker knows nothing."""
    return value


def wrong_positions(position: Position, other: Game) -> list[Callable[[], object]]:
    numbers: list[Any] = ["", "1", None, float("nan"), 0.5, 2**40, 2**70, -1, 99, {}, []]
    game, empty = position.game._core, 16 * [-1]
    return [
        *[lambda move=move: position.play(move) for move in numbers],
        *[lambda depth=depth: position.perft(depth) for depth in numbers[:8]],
        lambda: position.undo(),
        lambda: position._completing(2, False),
        lambda: position._same(wrong(None)),
        lambda: other.start().play(4),
        lambda: position.game.symmetry.canonical_hash(other.start()),
        lambda: _core.Position(wrong(None)),
        lambda: _core.Position(game, [0, 0], 0, -1, []),
        lambda: _core.Position(game, 16 * [7], 0, -1, []),
        lambda: _core.Position(game, wrong("xo"), 0, -1, []),
        lambda: _core.Position(game, empty, 5, -1, []),
        lambda: _core.Position(game, empty, 0, -1),
    ]


def wrong_searches(position: Position, other: Game) -> list[Callable[[], object]]:
    over = other.start()
    over.play_all([0, 2, 1])
    engine = _core.Engine(1, 1)

    def search(
        position: Position = position, seconds: float = 0, depth: int = 1, nodes: Any = 0, lines: int = 1
    ) -> object:
        return engine.search(position, seconds, depth, nodes, lines, None)

    return [
        lambda: _core.Engine(0, 16),
        lambda: _core.Engine(1000, 16),
        lambda: _core.Engine(1, 0),
        lambda: _core.Engine(1, 10**9),
        lambda: _core.Engine(1, 4095),
        lambda: _core.Engine(1, 16, b"\1\2\3"),
        lambda: _core.Engine(1, 16, wrong("network")),
        lambda: _core.Engine(4, 16).search(position, 0, 1, 0, 1, None),
        lambda: search(over),
        lambda: search(seconds=-1),
        lambda: search(seconds=float("nan")),
        lambda: search(seconds=float("inf")),
        lambda: search(seconds=wrong("soon")),
        lambda: search(depth=-1),
        lambda: search(nodes=-5),
        lambda: search(nodes=0.5),
        lambda: search(lines=0),
        lambda: engine.search(position, 0, 1, 0, 1, None, other.symmetry),
        lambda: engine.search(position, 0, 1, 0, 1, None, None, [(99, 0)]),
        lambda: engine.search(position, 0, 1, 0, 1, None, None, [(0, 5)]),
        lambda: engine.search(position, 0, 1, 0, 1, None, None, wrong(5)),
        lambda: engine.search(position, 0, 1, 0, 1, wrong("progress")),
        lambda: _core.fixed_depth_best_moves(position, 0, None),
        lambda: _core.fixed_depth_best_moves(position, 100, None),
        lambda: _core.fixed_depth_best_moves(over, 1, None),
        lambda: _core.forced_win(position, -1),
        lambda: _core.fork_threat_win(over, 10),
        lambda: _core.estimate(over),
        lambda: _core.estimate(position, b"\1\2\3"),
        lambda: _core.set_instruction_set("mmx"),
    ]


def wrong_solvers(position: Position, other: Game) -> list[Callable[[], object]]:
    symmetry, solver = position.game.symmetry, start_solver("4x4")
    over = other.start()
    over.play_all([0, 2, 1])
    return [
        lambda: _core.Solver(over, other.symmetry, 1),
        lambda: _core.Solver(position, other.symmetry, 1),
        lambda: _core.Solver(position, wrong(None), 1),
        lambda: _core.Solver(position, symmetry, 0),
        lambda: solver.solve(-1, 0, None),
        lambda: solver.certificate(),
        lambda: solver.turn_to(over),
        lambda: solver.load(lambda size: wrong("text")),
        lambda: solver.load(lambda size: b"\1\2"),
    ]


SCENARIOS: dict[str, Scenario] = {
    scenario.__name__: scenario
    for scenario in (
        *(answers, perft, replay, estimates, symmetries, solve, nodes, speeds, resume, progress),
        *(deep, use_many_tables, nonsense),
    )
}
