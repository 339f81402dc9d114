"""The solver from Python: values, bounds, interruption, files, and certificates that the checker accepts."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from pathlib import Path

import pytest

import noughts as no
from exhaustive import Exhaustive, random_position
from noughts.proof.solver import SolveProgress

VALUES = {
    "3x3": "draw",
    "4x3:3": "win",
    "5x3:3": "win",
    "4x4:3": "win",
    "4x4": "draw",
    "5x5": "draw",
    "6x5:5": "draw",
    "5x4:4": "draw",
    "6x4:4": "draw",
    "7x4:4": "draw",
    "5x5:4": "draw",
    "6x5:4": "win",
    "6x6:4": "win",
    "6x6:5": "draw",
    "7x7:5": "draw",
    "3x3x3": "win",
    "7x7x7": "draw",
    "8x8x8": "draw",
    "3x3+misere": "draw",
    "4x3:3+misere": "loss",
    "4x4:3+misere": "loss",
    "4x4+misere": "draw",
    "4x4:4+gravity": "draw",
    "ultimate:2": "win",
    "ultimate:3+open": "win",
} | ({"8x4:4": "draw", "4x4x4": "win", "6x6x6": "draw"} if os.environ.get("NOUGHTS_SLOW") else {})


@pytest.mark.parametrize(("game", "value"), VALUES.items())
def test_empty_boards_have_the_published_values_and_a_proof_that_holds(game: str, value: str) -> None:
    position = no.Game(game).start()
    solution = no.solve(position, memory_mb=64)
    assert (solution.value, solution.lower, solution.upper) == (value, value, value)
    assert solution.move in position.legal_moves
    assert solution.proof is not None
    assert solution.proof.value == value
    no.verify(solution.proof)


@pytest.mark.parametrize("game", ["5x5:4+exact", "4x4:3+exact", "4x3:3+wrap", "4x4:3+exact+wrap"])
def test_guards_and_tori_are_proved_too(game: str) -> None:
    solution = no.solve(no.Game(game).start(), no.Limit(seconds=30), memory_mb=64)
    assert solution.proof is not None
    no.verify(solution.proof)


def test_lines_that_overlap_are_stopped_by_pairs() -> None:
    corners = [7 * row + column for row in range(6) for column in range(6)]
    squares = no.Game.from_lines("squares", cells=49, lines=[[c, c + 1, c + 7, c + 8] for c in corners])
    solution = no.solve(squares.start(), no.Limit(nodes=2000))
    assert solution.value is no.Value.DRAW


def test_custom_game_is_solved() -> None:
    game = no.Game.from_lines("y", cells=7, lines=[[0, 1, 2], [2, 3, 4], [4, 5, 6], [0, 3, 6], [1, 3, 5]])
    solution = no.solve(game.start(), memory_mb=16)
    assert solution.value in ("win", "draw")
    assert solution.proof is not None
    no.verify(solution.proof)


def test_move_that_wins_keeps_the_win() -> None:
    position = no.Game("6x5:4").start()
    for _ in range(3):
        solution = no.solve(position, memory_mb=64)
        assert solution.value == "win"
        assert solution.move is not None
        position.play(solution.move)
        if position.is_over:
            break
        reply = no.solve(position, memory_mb=64)
        assert reply.value == "loss"
        position.play(position.legal_moves[0])
        if position.is_over:
            break


@pytest.mark.parametrize("id", ["5x4:4", "5x4:4+gravity", "3x3+misere", "ultimate:2"])
def test_value_does_not_depend_on_the_number_of_threads(id: str) -> None:
    position = no.Game(id).start()
    one, three = (no.solve(position, memory_mb=4, threads=threads) for threads in (1, 3))
    assert one.value is not None
    assert one.value is three.value


def test_limit_gives_bounds_and_no_proof() -> None:
    position = no.Game("4x4x4").start()
    solution = no.solve(position, no.Limit(nodes=50), memory_mb=16)
    assert (solution.value, solution.lower, solution.upper) == (None, "draw", "win")
    assert solution.proof is None
    assert "between draw and win" in str(solution)
    solution = no.solve(no.Game("15x15:5+exact").start(), no.Limit(nodes=3), memory_mb=16)
    assert (solution.lower, solution.upper) == ("loss", "win")


def test_position_is_left_as_it_was() -> None:
    position = no.Game("5x5:4").parse("5/5/2x2/1o3/5 x")
    before = position.text, position.hash
    assert no.solve(position, memory_mb=16).value is not None
    assert (position.text, position.hash) == before


def test_solver_continues_where_it_stopped() -> None:
    solver = no.Solver(no.Game("5x5:4").start(), memory_mb=64)
    solution = solver.solve(no.Limit(nodes=100))
    assert solution.value is None
    while solution.value is None:
        solution = solver.solve(no.Limit(nodes=100))
    assert solution.value == "draw"


def test_search_for_sets_that_a_limit_ended_continues() -> None:
    start = no.Game("7x7x7").start()
    whole = no.solve(start, memory_mb=16)
    solver = no.Solver(start, memory_mb=16)
    slices = 0
    while (solution := solver.solve(no.Limit(nodes=5))).value is None:
        slices += 1
        assert slices < whole.nodes
    assert slices > 1
    assert solution.value == "draw"


@pytest.mark.parametrize("game", ["5x5:4", "4x4:3+misere"])
def test_file_saves_the_work_already_done(game: str, tmp_path: Path) -> None:
    position, path = no.Game(game).start(), tmp_path / "solve.part"
    whole = no.solve(position, memory_mb=64)
    first = no.Solver(position, memory_mb=64)
    first.solve()
    first.save(path)
    second = no.Solver(position, memory_mb=64)
    second.load(path)
    solution = second.solve()
    assert solution.value == whole.value
    assert solution.nodes < whole.nodes
    assert solution.proof is not None
    no.verify(solution.proof)


def test_unsuitable_files_are_refused(tmp_path: Path) -> None:
    solver = no.Solver(no.Game("5x5:4").start(), memory_mb=16)
    with pytest.raises(FileNotFoundError):
        solver.load(tmp_path / "missing")
    (tmp_path / "text").write_text("hello")
    with pytest.raises(OSError, match="expected a saved solve, got another file"):
        solver.load(tmp_path / "text")
    other = no.Solver(no.Game("4x4").start(), memory_mb=16)
    other.save(tmp_path / "other")
    with pytest.raises(OSError, match="expected a saved solve of this game, got one of another"):
        solver.load(tmp_path / "other")
    with pytest.raises(FileNotFoundError, match="no/such/folder"):
        solver.save(tmp_path / "no" / "such" / "folder")


@pytest.mark.parametrize("game", ["4x4x4", "7x6:4+gravity"])
def test_progress_is_reported_and_may_end_the_solve(game: str) -> None:
    seen: list[SolveProgress] = []

    def watch(progress: SolveProgress) -> bool:
        seen.append(progress)
        return False

    solution = no.solve(no.Game(game).start(), no.Limit(seconds=30), memory_mb=64, progress=watch)
    assert len(seen) == 1
    assert solution.value is None
    assert seen[0].nodes > 0
    assert f"{seen[0].nodes:,} nodes" in str(seen[0])


@pytest.mark.parametrize("game", ["4x4x4", "7x6:4+gravity", "9x9:5+exact"])
def test_other_threads_run_and_may_stop_the_solve(game: str) -> None:
    solver = no.Solver(no.Game(game).start(), memory_mb=64)
    asked: list[float] = []
    is_running = threading.Event()

    def stop() -> None:
        is_running.wait(50)
        asked.append(time.perf_counter())
        solver.stop()

    thread = threading.Thread(target=stop)
    thread.start()
    solver.solve(no.Limit(seconds=60), progress=lambda _: is_running.set())
    late = time.perf_counter() - asked[0]
    thread.join(60)
    assert late < 10  # 10 ms on an idle machine


def test_signal_ends_the_solve_with_its_exception() -> None:
    def alarm(number: int, frame: object) -> None:
        raise InterruptedError("enough")

    before = signal.signal(signal.SIGALRM, alarm)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with pytest.raises(InterruptedError, match="enough"):
            no.solve(no.Game("4x4x4").start(), no.Limit(seconds=30), memory_mb=64)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_exception_in_progress_ends_the_solve() -> None:
    def fail(progress: SolveProgress) -> None:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        no.solve(no.Game("4x4x4").start(), no.Limit(seconds=30), memory_mb=64, progress=fail)


def test_nonsense_is_refused() -> None:
    position = no.Game("3x3").start()
    with pytest.raises(ValueError, match="expected memory_mb from 1"):
        no.solve(position, memory_mb=0)
    with pytest.raises(ValueError, match="expected threads from 1 to 256, got 0"):
        no.Solver(position, threads=0)
    with pytest.raises(TypeError, match="expected memory_mb as a whole number"):
        no.solve(position, memory_mb=True)
    with pytest.raises(TypeError, match="expected a Limit"):
        no.solve(position, 5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="a proof has no depth"):
        no.solve(position, no.Limit(depth=3))
    with pytest.raises(TypeError, match="expected a Position"):
        no.solve("3x3")  # type: ignore[arg-type]
    position.play_all((0, 3, 1, 4, 2))
    with pytest.raises(ValueError, match="the game is over"):
        no.solve(position)


def test_little_memory_gives_the_same_value() -> None:
    assert no.solve(no.Game("5x5:4").start(), memory_mb=1).value == "draw"


@pytest.mark.parametrize("game_id", ["3x3", "4x3:3", "4x4:3", "3x3+misere"])
def test_proof_of_a_win_says_in_how_many_plies_it_comes_at_most(game_id: str) -> None:
    game, dice, truth, decided = no.Game(game_id), random.Random(game_id), Exhaustive(), 0
    for _ in range(60):
        position = random_position(game, dice, most_free=dice.randint(4, 7), careful=False)
        solution = no.solve(position)
        assert solution.plies is None
        if solution.value in (None, "draw"):
            continue
        assert solution.proof is not None
        assert solution.plies is not None
        assert position.turn is not None
        winner = position.turn if solution.value == "win" else position.turn.opponent
        assert truth.wins_within(position, winner, solution.plies)
        decided += 1
    assert decided > 5


@pytest.mark.parametrize(
    "position",
    [
        "15/15/15/15/6o8/5xxo7/4xoo8/5x1xo6/6o1xx5/6xox6/6ox7/5ooxo6/15/15/15 x",
        "15/15/15/15/15/5o1o7/4x1x8/5x9/4xoxxxo5/5o1o1x5/6oxo1o4/6oox6/15/4x10/15 x",
    ],
)
def test_a_win_by_open_threes_is_found_at_once_and_proved(position: str) -> None:
    solution = no.solve(no.Game("15x15:5").parse(position), no.Limit(nodes=100))
    assert solution.value == "win"
    assert solution.proof is not None
    no.verify(solution.proof)


def test_limit_may_be_given_in_seconds_or_nodes() -> None:
    assert no.solve(no.Game("7x7:5").start(), nodes=10).value is None
    assert no.solve(no.Game("4x3:3").start(), seconds=60).value is no.Value.WIN
    with pytest.raises(ValueError, match="expected a limit, or seconds and nodes, got both"):
        no.solve(no.Game("4x3:3").start(), no.Limit(seconds=1), nodes=10)
