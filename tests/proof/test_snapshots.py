"""Saved solves: damaged files and those of other games are refused, and a failed save loses nothing."""

from __future__ import annotations

import os
import pickle
import random
import signal
import subprocess
import sys
from hashlib import blake2b
from pathlib import Path

import pytest

import noughts as no
from exhaustive import Exhaustive, random_position
from noughts.proof.solver import CHECKSUM_BYTES

SLOW = bool(os.environ.get("NOUGHTS_SLOW"))
FLIPS = 12_000 if SLOW else 80
CRAFTED = 8_000 if SLOW else 80
HEADER = len(b"noughts solve 2\n") + 1 + 8
KINDS = {
    "proof numbers": "4x4",
    "narrow": "4x4+gravity",
    "wide": "4x4x4+gravity",
    "blocks": "ultimate:2",
    "open blocks": "ultimate:2+open",
}
"""A game for every kind of table, by name."""


def with_checksum(body: bytes) -> bytes:
    return body + blake2b(body, digest_size=CHECKSUM_BYTES).digest()


def save_solver(id: str, path: Path, nodes: int = 400) -> no.Solver:
    solver = no.Solver(no.Game(id).start(), memory_mb=4)
    solver.solve(no.Limit(nodes=nodes))
    solver.save(path)
    return solver


@pytest.mark.parametrize("id", KINDS.values(), ids=KINDS)
def test_every_damaged_save_is_refused(id: str, tmp_path: Path) -> None:
    path, dice = tmp_path / "save", random.Random(1)
    save_solver(id, path)
    whole = path.read_bytes()
    solver = no.Solver(no.Game(id).start(), memory_mb=4)
    for _ in range(FLIPS):
        damaged = bytearray(whole)
        for _ in range(dice.choice((1, 1, 2, 8))):
            damaged[dice.randrange(len(damaged))] ^= 1 << dice.randrange(8)
        path.write_bytes(damaged if dice.random() < 0.8 else whole[: dice.randrange(len(whole))])
        if path.read_bytes() == whole:
            continue
        with pytest.raises(OSError, match=r"is damaged|expected a saved solve"):
            solver.load(path)
    path.write_bytes(whole)
    solver.load(path)


@pytest.mark.parametrize("id", KINDS.values(), ids=KINDS)
def test_crafted_save_with_a_right_checksum_is_refused_or_harmless(id: str, tmp_path: Path) -> None:
    """No file content leads to an illegal move or an access outside the tables."""
    path, dice, refused, reasons = tmp_path / "save", random.Random(2), 0, set[str]()
    save_solver(id, path)
    body = path.read_bytes()[:-CHECKSUM_BYTES]
    position = no.Game(id).start()
    for _ in range(CRAFTED):
        crafted = bytearray(body)
        for _ in range(dice.choice((1, 4, 40))):
            at = dice.randrange(HEADER, min(len(crafted), HEADER + 64) if dice.random() < 0.5 else len(crafted))
            crafted[at] = dice.choice((0, 1, 2, 0x7F, 0x80, 0x9C, 0xEC, 0xFF, dice.randrange(256)))
        path.write_bytes(with_checksum(bytes(crafted)))
        solver = no.Solver(position, memory_mb=1)
        try:
            solver.load(path)
        except OSError as error:
            reasons.add(str(error).removeprefix(f"{path}: "))
            refused += 1
            continue
        assert solver.solve(no.Limit(nodes=50)).move in position.legal_moves
    assert all(reason.startswith("expected ") and "\n" not in reason for reason in reasons)
    assert refused > CRAFTED // 8


def test_numbers_out_of_range_in_a_crafted_save_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "save"
    save_solver("ultimate:2", path, nodes=1)
    body = path.read_bytes()[:-CHECKSUM_BYTES]
    for at in range(HEADER + 1, HEADER + 1 + 16 + 4):  # a mark for every cell, an owner for every block
        for value in (0x80, 0x9C, 0xEC, 3, 100, 127):
            path.write_bytes(with_checksum(body[:at] + bytes([value]) + body[at + 1 :]))
            with pytest.raises(OSError, match=r"expected .* of the saved solve, got something else"):
                no.Solver(no.Game("ultimate:2").start(), memory_mb=1).load(path)


def test_save_with_more_after_its_end_or_of_an_older_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "save"
    solver = save_solver("4x4", path)
    body = path.read_bytes()[:-CHECKSUM_BYTES]
    for crafted, said in [
        (body + b"\0", "more follows"),
        (body[:-1], "ends early"),
        (body.replace(b"solve 2", b"solve 1", 1), "version 2"),
    ]:
        path.write_bytes(with_checksum(crafted))
        with pytest.raises(OSError, match=said):
            solver.load(path)


@pytest.mark.parametrize("id", KINDS.values(), ids=KINDS)
def test_save_read_into_a_fresh_table_keeps_what_was_found(id: str, tmp_path: Path) -> None:
    """Entries are loaded in the order of their slots, and once displaced each other in a table that had not grown."""
    nodes = 60_000 if id != "4x4" else 400
    save_solver(id, tmp_path / "first", nodes)
    second = no.Solver(no.Game(id).start(), memory_mb=4)
    second.load(tmp_path / "first")
    second.save(tmp_path / "second")
    first, second_size = (os.path.getsize(tmp_path / name) for name in ("first", "second"))
    assert second_size > 0.9 * first


@pytest.mark.parametrize(
    ("saved_as", "loaded_as"),
    [
        ({0: [6]}, {5: [6]}),
        ({1: [0, 2]}, {1: [0], 3: [2]}),
        ({5: [3, 4]}, {6: [3, 4]}),
    ],
)
def test_games_with_other_supports_do_not_share_a_save(
    saved_as: dict[int, list[int]], loaded_as: dict[int, list[int]], tmp_path: Path
) -> None:
    lines = [[0, 4], [0, 1, 2]]
    first, second = (no.Game.from_lines("y", 7, lines, rests_on=below) for below in (saved_as, loaded_as))
    assert first.start().hash != second.start().hash
    solver = no.Solver(first.start(), memory_mb=1)
    solver.solve()
    solver.save(tmp_path / "save")
    with pytest.raises(OSError, match="of this game, got one of another"):
        no.Solver(second.start(), memory_mb=1).load(tmp_path / "save")


def test_different_custom_games_start_from_different_hashes() -> None:
    dice = random.Random(3)
    seen: dict[int, str] = {}
    for _ in range(100_000 if SLOW else 3_000):
        data = random_rules(dice)
        game = no.Game.from_data({"name": "random", **data})
        assert seen.setdefault(game.start().hash, game.rules_key) == game.rules_key
    assert len(seen) > 500


def random_rules(dice: random.Random) -> dict[str, object]:
    """A small game; few numbers, so that games with nearly the same data are frequent."""
    cells = dice.randint(2, 5)
    some = (dice.sample(range(cells), dice.randint(1, 2)) for _ in range(dice.randint(1, 3)))
    lines = list({frozenset(line): line for line in some}.values())
    rests_on = [[below for below in range(cell) if dice.random() < 0.3] for cell in range(cells)]
    guards = [[cell for cell in range(cells) if cell not in line and dice.random() < 0.2] for line in lines]
    return {"cells": cells, "lines": lines, "guards": guards, "rests_on": rests_on, "misere": dice.random() < 0.3}


SAVE_FOR_EVER = """
import sys
import noughts as no
solver = no.Solver(no.Game("6x5:4+gravity").start(), memory_mb=64)
solver.solve(no.Limit(nodes=300_000))
while True:
    solver.save(sys.argv[1])
    print("saved", flush=True)
"""


def test_kill_while_saving_leaves_a_whole_file(tmp_path: Path) -> None:
    path, dice = tmp_path / "save", random.Random(4)
    for _ in range(20 if SLOW else 4):
        process = subprocess.Popen([sys.executable, "-c", SAVE_FOR_EVER, str(path)], stdout=subprocess.PIPE, text=True)
        with process:
            assert process.stdout is not None
            for _ in range(dice.randint(1, 6)):
                assert process.stdout.readline() == "saved\n"
            process.send_signal(signal.SIGKILL)
            process.wait(30)
        no.Solver(no.Game("6x5:4+gravity").start(), memory_mb=64).load(path)


def test_save_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "save"
    solver = save_solver("4x4", path)
    before = path.read_bytes()

    def refuse(write: object) -> None:
        raise OSError(28, "No space left on device")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solver, "_core", type("Core", (), {"save": staticmethod(refuse)}))
        with pytest.raises(OSError, match="No space left"):
            solver.save(path)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["save"]


def test_progress_may_save_but_not_solve(tmp_path: Path) -> None:
    solver, said = no.Solver(no.Game("7x6:4+gravity").start(), memory_mb=16), []

    def watch(progress: object) -> bool:
        solver.save(tmp_path / "save")
        with pytest.raises(RuntimeError, match="progress callback") as refused:
            solver.solve()
        said.append(refused)
        return False

    solver.solve(no.Limit(seconds=30), watch)
    assert said
    no.Solver(no.Game("7x6:4+gravity").start(), memory_mb=16).load(tmp_path / "save")


# Positions without an open line


@pytest.mark.parametrize(
    ("id", "text"),
    [("4x4", "ooxx/xoxo/1xox/oo1x x"), ("5x5", "1ooox/1xxxo/oxxxo/xxxox/ooxoo o")],
)
def test_draw_without_open_lines_has_a_move_a_proof_and_keeps_its_value(id: str, text: str, tmp_path: Path) -> None:
    position = no.Game(id).parse(text)
    solver = no.Solver(position, memory_mb=1)
    solution = solver.solve()
    assert solution.value == "draw"
    assert solution.move in position.legal_moves
    assert solution.proof is not None
    no.verify(solution.proof)
    solver.save(tmp_path / "save")
    again = no.Solver(position, memory_mb=1)
    again.load(tmp_path / "save")
    assert again.solve().value == "draw"


@pytest.mark.parametrize("id", ["3x3", "4x4", "4x3:3", "4x4:3+exact", "4x4:3+wrap", "3x3+misere", "4x4+gravity"])
def test_value_survives_a_save_and_the_move_keeps_it(id: str, tmp_path: Path) -> None:
    game, dice, truth = no.Game(id), random.Random(6), Exhaustive()
    for _ in range(400 if SLOW else 25):
        position = random_position(game, dice, most_free=dice.randint(1, 6))
        solver = no.Solver(position, memory_mb=1)
        solution = solver.solve()
        assert solution.value == truth.value(position)
        assert solution.move in position.legal_moves
        assert solution.proof is not None
        solver.save(tmp_path / "save")
        again = no.Solver(position, memory_mb=1)
        again.load(tmp_path / "save")
        assert again.solve().value == solution.value


def test_unsolved_position_has_a_legal_move_that_is_not_called_proven() -> None:
    for id in ("8x4:4", "connect4", "ultimate", "15x15:5+exact"):
        position = no.Game(id).start()
        solution = no.solve(position, no.Limit(nodes=3), memory_mb=1)
        assert solution.value is None
        assert solution.move in position.legal_moves
        assert not solution.move_is_proven


# Pickling


def test_solution_is_pickled_with_its_proof() -> None:
    solution = no.solve(no.Game("4x3:3").start(), memory_mb=1)
    copy = pickle.loads(pickle.dumps(solution))
    assert (copy.value, copy.move, str(copy)) == (solution.value, solution.move, str(solution))
    assert copy.proof == solution.proof
    no.verify(copy.proof)
    unsolved = pickle.loads(pickle.dumps(no.solve(no.Game("8x4:4").start(), no.Limit(nodes=3), memory_mb=1)))
    assert (unsolved.value, unsolved.proof) == (None, None)


POOL = """
import multiprocessing, sys
import noughts as no
if __name__ == "__main__":
    positions = [no.Game("3x3").start(), no.Game("4x3:3").start(), no.Game("3x3").parse("x2/3/3 o")]
    with multiprocessing.get_context(sys.argv[1]).Pool(2) as pool:
        for solution in pool.map_async(no.solve, positions).get(60):
            print(solution.value, no.verify(solution.proof).claims)
"""


@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_positions_are_solved_in_other_processes(method: str, tmp_path: Path) -> None:
    program = tmp_path / "pool.py"
    program.write_text(POOL)
    done = subprocess.run([sys.executable, program, method], capture_output=True, text=True, timeout=90, check=True)
    assert done.stdout.splitlines() == ["draw 2", "win 1", "draw 2"]


# Memory and time


@pytest.mark.parametrize(("id", "threads"), [("connect4", 1), ("connect4", 2), ("ultimate:3+open", 1), ("8x4:4", 1)])
def test_solve_stays_within_its_memory_and_its_time(id: str, threads: int) -> None:
    program = (
        "import resource, sys, time, noughts as no\n"
        "solver = no.Solver(no.Game(sys.argv[1]).start(), memory_mb=16, threads=int(sys.argv[2]))\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "began = time.monotonic()\n"
        "solver.solve(no.Limit(seconds=1.5))\n"
        "print(time.monotonic() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)"
    )
    words = [sys.executable, "-c", program, id, str(threads)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=True)
    seconds, grown_kb = map(float, done.stdout.split())
    assert seconds < 10
    assert grown_kb / 1024 < 16 + 8
