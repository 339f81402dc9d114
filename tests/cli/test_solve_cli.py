"""``noughts solve`` and ``noughts verify`` from the user's side."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from functools import partial
from pathlib import Path
from unittest.mock import patch

import pytest

import noughts as no
from noughts.cli import resumable_solve
from noughts.cli.resumable_solve import default_file, signals_raise
from noughts.cli.solve import _StoredSolutions
from noughts.games import ProvenValue
from noughts.proof.proof import InvalidProof
from noughts.proof.solver import Solution
from noughts.store import Store, store_path
from terminals import PROGRAM, Process, Terminal, environment, run, through_pipe
from waiting import wait_until

SOLVED = {
    "3x3": "draw", "4x3:3": "win", "4x4:3": "win", "4x4": "draw", "5x5": "draw", "6x5:5": "draw", "3x3x3": "win",
    "3x3+misere": "draw", "4x3:3+misere": "loss", "5x5:4": "draw", "5x4:4": "draw", "6x5:4": "win", "6x6:4": "win",
    "6x6:5": "draw", "4x4+gravity": "draw", "ultimate:2": "win", "ultimate:2+misere": "win", "4x4:3+exact": "win",
    "4x4:3+wrap": "win",
}  # fmt: skip
"""Published values, or those of exhaustive search."""


@pytest.mark.parametrize(("id", "value"), SOLVED.items(), ids=SOLVED)
def test_every_certificate_is_right_and_a_damaged_one_is_not(id: str, value: str) -> None:
    solution = no.solve(no.Game(id).start(), no.Limit(seconds=60), memory_mb=64)
    assert solution.value == value
    proof = solution.proof
    assert proof is not None
    no.verify(proof)
    assert_damage_is_found(proof)


def assert_damage_is_found(proof: no.Proof) -> None:
    """A certificate with any reply dropped or any reference changed is rejected."""
    lines = proof.body.splitlines()
    step = max(1, len(lines) // (30 if len(lines) < 1000 else 6))
    tried = 0
    for at in range(0, len(lines), step):
        for damaged in damages(lines[at]):
            tried += 1
            body = "\n".join([*lines[:at], damaged, *lines[at + 1 :]])
            with pytest.raises(no.InvalidProof, match=r"^(claim|line|expected)"):
                no.verify(no.Proof(proof.game, proof.position, proof.value, body, proof.symmetries))
    assert tried > 0


def damages(line: str) -> list[str]:
    """The line without its first listed reply, and with another number in its place: neither can be right."""
    if line.startswith("claim"):
        return [line.replace("claim X", "claim Q").replace("claim O", "claim Q"), line + " too"]
    if line.startswith("r") and ":" in line and "=" not in line:
        return [re.sub(r" \d+:\S+", "", line, count=1), re.sub(r" (\d+):", r" \1:9", line, count=1)]
    if line.startswith("m"):
        return [line.replace("m ", "m 9999"), line + " 999999"]
    return [line + "x"]


def test_answer_says_value_move_nodes_and_time(tmp_path: Path) -> None:
    done = run(tmp_path, "solve", "4x3:3")
    assert done.returncode == 0
    assert re.fullmatch(r"4x3\s+4/4/4 x\nwin, best [abcd][123], [\d,]+ nodes, \d+\.\d\d s\n", done.stdout)
    assert done.stderr == ""


def test_position_given_is_the_one_solved(tmp_path: Path) -> None:
    data = json.loads(run(tmp_path, "solve", "3x3", "xx1/oo1/3 x", "--json").stdout)
    assert (data["value"], data["move"], data["cell"], data["turn"]) == ("win", "c3", 2, "X")
    assert data["lower"] == data["upper"] == "win"


def test_lost_position_has_no_best_move_but_one_that_resists(tmp_path: Path) -> None:
    done = run(tmp_path, "solve", "3x3", "x1x/1o1/x1o o")
    assert re.search(r"loss, all moves lose \((b3|a2) resists\), ", done.stdout)
    data = json.loads(run(tmp_path, "solve", "4x3:3+misere", "--json").stdout)
    assert (data["value"], data["cell"] in range(12)) == ("loss", True)


def test_limit_gives_bounds_and_no_value(tmp_path: Path) -> None:
    done = run(tmp_path, "solve", "8x4:4", "--nodes", "300")
    assert done.returncode == 3
    assert "not solved: at least a draw, at most a win" in done.stdout
    data = json.loads(run(tmp_path, "solve", "8x4:4", "--nodes", "300", "--json").stdout)
    assert (data["value"], data["lower"], data["upper"]) == (None, "draw", "win")


def test_unproven_position_says_that_nothing_is_proven(tmp_path: Path) -> None:
    assert "not solved: nothing is proven yet, " in run(tmp_path, "solve", "ultimate", "--nodes", "50").stdout


def test_file_that_cannot_be_written_is_refused_before_the_work(tmp_path: Path) -> None:
    began = time.monotonic()
    done = run(tmp_path, "solve", "15x15:5", "--proof", "no/such/folder/p.ngp")
    assert done.returncode == 2
    assert time.monotonic() - began < 60


def test_saved_game_is_solved_from_its_last_position(tmp_path: Path) -> None:
    no.save(no.Playthrough(no.Game("3x3"), ["b2", "b3", "a1"]), tmp_path / "game.ngn")
    data = json.loads(run(tmp_path, "solve", "game.ngn", "--json").stdout)
    assert data["position"] == "1o1/1x1/x2 o"
    assert data["value"] == "loss"


def test_custom_game_is_solved_and_its_proof_checked(tmp_path: Path) -> None:
    game = no.Game.from_lines("mine", cells=6, lines=[[0, 1, 2], [3, 4, 5], [0, 4]])
    no.save_game(game, tmp_path / "mine.json")
    done = run(tmp_path, "solve", "mine.json", "--proof", "p.ngp")
    assert "custom game: 6 cells, 3 lines, named 'mine'  6 x\ndraw, best " in done.stdout
    assert run(tmp_path, "verify", "p.ngp").returncode == 0


def test_no_proof_is_written_without_a_value(tmp_path: Path) -> None:
    done = run(tmp_path, "solve", "8x4:4", "--nodes", "300", "--proof", "p.ngp")
    assert done.returncode == 3
    assert "the limit was reached before" in done.stderr
    assert not (tmp_path / "p.ngp").exists()


def test_positions_on_standard_input_give_an_answer_each_and_bad_ones_an_error(tmp_path: Path) -> None:
    lines = ["3/1x1/o2 x", "rubbish", "", "xx1/oo1/3 x", "xxx/oo1/3 -", "\N{GREEK SMALL LETTER ALPHA}/3/3 x"]
    done = through_pipe(tmp_path, "solve", "3x3", typed="\n".join(lines))
    assert done.returncode == 1
    answers = done.stdout.splitlines()
    assert [answer.split(":")[0] for answer in answers] == ["3/1x1/o2 x", "xx1/oo1/3 x"]
    assert [answer.split(": ")[1].split(",")[0] for answer in answers] == ["draw", "win"]
    assert re.findall(r"line (\d)", done.stderr) == ["2", "5", "6"]
    assert len(done.stderr.splitlines()) == 3


def test_positions_on_standard_input_in_json_keep_their_order(tmp_path: Path) -> None:
    done = run(tmp_path, "solve", "3x3", "-", "--json", typed="3/3/3 x\nnonsense\n")
    first, second = (json.loads(line) for line in done.stdout.splitlines())
    assert first["value"] == "draw"
    assert second["line"] == 2
    assert "expected 2 fields" in second["error"]


def test_all_good_lines_leave_with_0(tmp_path: Path) -> None:
    assert run(tmp_path, "solve", "4x4+gravity", "-", typed="4/4/4/x3 o\n4/4/4/xo2 x\n").returncode == 0


def test_empty_pipe_solves_the_game_itself(tmp_path: Path) -> None:
    done = through_pipe(tmp_path, "solve", "3x3", typed="\n")
    assert done.stdout.startswith("3x3  3/3/3 x\ndraw")


def test_silent_pipe_is_not_waited_for(tmp_path: Path) -> None:
    with Process(tmp_path, "solve", "3x3") as process:
        assert process.stdout.readline() == "3x3  3/3/3 x\n"


def test_binary_input_is_refused_line_by_line(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "solve", "3x3"],
        env=environment(tmp_path), input=bytes(range(256)) * 3, capture_output=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr
    assert b"noughts: line 1: expected" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["solve"], "missing argument"),
        (["solve", "9y9"], "9y9"),
        (["solve", "3x3", "xxx"], "expected 2 fields"),
        (["solve", "3x3", "xxx/oo1/3 -"], "the game is over"),
        (["solve", "3x3", "--memory", "0"], "expected a whole number from 1 to 1,048,576, got '0'"),
        (["solve", "3x3", "--threads", "x"], "expected a whole number from 1 to 256, got 'x'"),
        (["solve", "3x3", "--seconds", "0"], "expected a number above 0 and up to 1,000,000,000, got '0'"),
        (["solve", "3x3", "--seconds", "nan"], "got 'nan'"),
        (["solve", "3x3", "--seconds", "-1"], "got '-1'"),
        (["solve", "3x3", "--resume", "missing.solve"], "missing.solve"),
        (["solve", "3x3", "--proof", "no/such/folder/p.ngp"], "no/such/folder"),
        (["verify"], "missing argument"),
        (["verify", "missing.ngp"], "missing.ngp"),
    ],
)
def test_bad_input_gets_one_clear_line(tmp_path: Path, arguments: list[str], said: str) -> None:
    done = run(tmp_path, *arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_one_proof_cannot_serve_many_positions(tmp_path: Path) -> None:
    done = run(tmp_path, "solve", "3x3", "-", "--proof", "p.ngp", typed="3/3/3 x\n")
    assert done.returncode == 2
    assert "expected one position with --proof" in done.stderr


# Proofs


def test_proof_written_is_verified_and_an_altered_one_is_not(tmp_path: Path) -> None:
    done = run(tmp_path, "solve", "5x4:4", "--proof", "p.ngp")
    assert "noughts verify p.ngp checks it" in done.stderr
    good = run(tmp_path, "verify", "p.ngp")
    assert good.returncode == 0
    assert re.match(r"p\.ngp: ok: 5x4 5/5/5/5 x is a draw \([\d,]+ nodes, [\d,]+ positions, ", good.stdout)
    proof = no.Proof.load(tmp_path / "p.ngp")
    lines = proof.body.splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("m ") and i > 5)
    lines[at] = re.sub(r"^m (\d+)", lambda m: f"m {(int(m[1]) + 1) % 20}", lines[at])
    no.Proof(proof.game, proof.position, proof.value, "\n".join(lines), proof.symmetries).save(tmp_path / "bad.ngp")
    bad = run(tmp_path, "verify", "bad.ngp", "p.ngp")
    assert bad.returncode == 1
    first, second = bad.stdout.splitlines()
    place = r"claim [XO] (draw|block), node \d+ \(line \d+\)(, after .*)?"
    assert re.match(rf"bad\.ngp: not a proof: {place}: expected ", first)
    assert second.startswith("p.ngp: ok")
    data = [json.loads(line) for line in run(tmp_path, "verify", "bad.ngp", "p.ngp", "--json").stdout.splitlines()]
    assert [each["ok"] for each in data] == [False, True]
    assert data[1]["value"] == "draw"
    both = run(tmp_path, "verify", "bad.ngp", "p.ngp", "--jobs", "2")
    assert both.returncode == 1
    assert [line.partition(" (")[0] for line in both.stdout.splitlines()] == [
        line.partition(" (")[0] for line in bad.stdout.splitlines()
    ]
    missing = run(tmp_path, "verify", "p.ngp", "none.ngp", "--jobs", "2")
    assert (missing.returncode, missing.stderr) == (2, "noughts: none.ngp: no such file or directory\n")


def test_file_that_is_not_a_proof_fails_the_check(tmp_path: Path) -> None:
    (tmp_path / "x.ngp").write_bytes(b"\x1f\x8bnothing")
    done = run(tmp_path, "verify", "x.ngp")
    assert done.returncode == 1
    assert "expected a whole compressed file" in done.stdout


# Stored values


def test_value_is_saved_and_known_the_next_time_for_symmetric_positions_too(tmp_path: Path) -> None:
    first = json.loads(run(tmp_path, "solve", "3x3", "x2/3/3 o", "--json").stdout)
    again = json.loads(run(tmp_path, "solve", "3x3", "2x/3/3 o", "--json").stdout)
    assert (first["source"], again["source"]) == ("solver", "store")
    assert first["value"] == again["value"] == "draw"
    assert first["move"] == again["move"] == "b2"
    fresh = json.loads(run(tmp_path, "solve", "3x3", "2x/3/3 o", "--json", "--fresh").stdout)
    assert fresh["source"] == "solver"
    assert "known from an earlier solve" in run(tmp_path, "solve", "3x3", "3/3/x2 o").stdout


def test_values_from_standard_input_are_saved(tmp_path: Path) -> None:
    run(tmp_path, "solve", "3x3", "-", typed="x2/3/3 o\n")
    with Store(tmp_path / "noughts.sqlite3") as store:
        found = store.solved.find(no.Game("3x3").parse("2x/3/3 o"))
    assert found is not None
    assert found.value == "draw"


def test_value_is_saved_in_a_store_that_could_not_be_opened_at_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NOUGHTS_DATA", str(tmp_path))
    position = no.Game("3x3").start()
    solution = Solution.from_proven(position, ProvenValue(no.Value.DRAW, 4))
    with closing(sqlite3.connect(store_path(), isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with patch("noughts.store.store.Store", partial(Store, busy_seconds=0.1)), _StoredSolutions() as solved:
            assert solved.find(position) is None
            solved.save(solution)
            other.execute("ROLLBACK")
            solved.save(solution)
    assert re.findall("; (.*)", capsys.readouterr().err) == [
        "try again; positions solved earlier are unknown",
        "try again; the value is not saved",
    ]
    with Store() as store:
        found = store.solved.find(position)
    assert found is not None
    assert found.value == "draw"


def test_bounded_win_is_printed_as_at_most(tmp_path: Path) -> None:
    with Store(tmp_path / "noughts.sqlite3") as store:
        store.solved.add(no.Game("4x3:3").start(), ProvenValue(no.Value.WIN, 5, 7, 12, 0.5))
    said = run(tmp_path, "solve", "4x3:3").stdout
    assert "win in at most 7 plies, best b2, known from an earlier solve of 12 nodes, 0.50 s" in said


def test_solving_continues_without_a_store(tmp_path: Path) -> None:
    (tmp_path / "noughts.sqlite3").write_text("not a database, but long enough to be mistaken for one by its size")
    done = run(tmp_path, "solve", "3x3")
    assert done.returncode == 0
    assert "draw, best b2" in done.stdout
    assert "continuing without saved games and solved positions" in done.stderr


# Interrupting


def test_interrupted_solve_saves_and_says_how_to_continue(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "solve", "8x8:5", "--memory", "64", columns=200)  # takes many minutes
    terminal.wait_for("to show it")
    terminal.child.kill(signal.SIGINT)
    terminal.wait_for("to continue: noughts ")
    assert terminal.end() == 130
    command = terminal.seen.split("to continue: noughts ")[1].split()
    assert command[:3] == ["solve", "8x8:5", "--memory"]
    assert Path(command[-1]).is_file()
    done = run(tmp_path, *command, "--nodes", "100")
    assert done.returncode == 3
    assert done.stderr.startswith("to continue: noughts solve 8x8:5 --memory 64 --resume ")


def test_state_saved_to_the_default_file_is_deleted_once_it_has_served(tmp_path: Path) -> None:
    place = no.Game("5x5:4").start()
    with patch.dict(os.environ, NOUGHTS_DATA=str(tmp_path)):
        path = default_file(place)
    path.parent.mkdir()
    run(tmp_path, "solve", "5x5:4", "--nodes", "50", "--save", str(path))
    assert path.is_file()
    assert "draw, best" in run(tmp_path, "solve", "5x5:4", "--resume", str(path)).stdout
    assert not path.exists()


def test_value_of_a_resumed_solve_is_stored_only_if_its_certificate_was_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = no.Game("5x5:4").start()
    words = ["solve", "5x5:4", "--resume", "s.solve"]
    run(tmp_path, "solve", "5x5:4", "--nodes", "50", "--save", "s.solve")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(resumable_solve, "CHECK_SECONDS", -1.0)
    with patch("noughts.proof.verify.verify", side_effect=InvalidProof("node 1")) as checked:
        found = run(tmp_path, *words)
        assert (found.returncode, found.stdout, checked.call_count) == (1, "", 1)
        assert found.stderr.endswith("the certificate is wrong (node 1); solve without it\n")
    with patch("noughts.proof.verify.verify", side_effect=lambda proof, progress, processes: progress(1, 2)):
        found = run(tmp_path, *words)
    assert found.stdout.splitlines()[1].startswith("draw, best")
    assert found.stderr == (
        "noughts: the value rests on s.solve and is not stored: its certificate takes too long to check here\n"
    )
    with Store(tmp_path / "noughts.sqlite3") as store:
        assert store.solved.find(start) is None
    monkeypatch.undo()
    assert run(tmp_path, *words).stderr == ""
    with Store(tmp_path / "noughts.sqlite3") as store:
        assert store.solved.find(start) is not None


def test_interrupted_search_to_the_end_continues_too(tmp_path: Path) -> None:
    first = run(tmp_path, "solve", "5x4:4+gravity", "--memory", "64", "--nodes", "1000", "--save", "state")
    assert "not solved: " in first.stdout
    done = run(tmp_path, "solve", "5x4:4+gravity", "--memory", "64", "--resume", "state", "--json")
    assert json.loads(done.stdout)["value"] == "draw"
    wrong = run(tmp_path, "solve", "4x4+gravity", "--resume", "state")
    assert wrong.returncode == 2
    assert len(wrong.stderr.splitlines()) == 1


def test_solve_in_many_small_steps_finds_the_same_value(tmp_path: Path) -> None:
    run(tmp_path, "solve", "5x5:4", "--nodes", "100", "--save", "state")
    for sitting in range(1, 60):
        done = run(tmp_path, "solve", "5x5:4", "--nodes", str(100 * sitting), "--resume", "state", "--json")
        data = json.loads(done.stdout)
        if data["value"] is not None:
            break
        assert "to continue: noughts solve 5x5:4 --resume state" in done.stderr
    assert data["value"] == "draw"
    proven = run(tmp_path, "solve", "5x5:4", "--resume", "state", "--proof", "p.ngp", "--events")
    assert json.loads(proven.stdout.splitlines()[-1])["proof"] == "p.ngp"
    assert run(tmp_path, "verify", "p.ngp").returncode == 0


def test_damaged_state_is_refused(tmp_path: Path) -> None:
    (tmp_path / "state").write_bytes(b"nonsense" * 50)
    done = run(tmp_path, "solve", "5x5:4", "--resume", "state")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(("name", "code"), [("SIGTERM", 143), ("SIGHUP", 129), ("SIGINT", 130)])
def test_signal_that_ends_the_solve_saves_and_prints_the_bounds(name: str, code: int, tmp_path: Path) -> None:
    usual = "default_int_handler" if name == "SIGINT" else "SIG_DFL"  # the tests may have been started with it ignored
    program = f"import signal; signal.signal(signal.{name}, signal.{usual})\n{PROGRAM}"
    words = ["solve", "8x8:5", "8/8/8/8/8/8/8/8 x", "--memory", "16", "--save", "state", "--events"]
    with Process(tmp_path, *words, program=program) as process:
        assert json.loads(process.stdout.readline())["event"] == "progress"
        process.send_signal(getattr(signal, name))
        out, err = process.communicate(timeout=60)
    assert process.returncode == code
    answer = json.loads(out.splitlines()[-1])["answer"]
    assert (answer["lower"], answer["upper"]) == ("draw", "win")
    assert err == "interrupted; to continue: noughts solve 8x8:5 '8/8/8/8/8/8/8/8 x' --memory 16 --resume state\n"
    no.Solver(no.Game("8x8:5").start(), memory_mb=16).load(tmp_path / "state")


def test_ignored_signal_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with signals_raise():
            assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_long_solve_is_saved_on_the_way(tmp_path: Path) -> None:
    program = f"from noughts.cli import resumable_solve as r; r.SAVE_EVERY_SECONDS = 0.1; {PROGRAM}"
    words = ["solve", "8x8:5", "8/8/8/8/8/8/8/8 x", "--memory", "16", "--save", "state"]
    with Process(tmp_path, *words, program=program):
        wait_until((tmp_path / "state").exists)
    no.Solver(no.Game("8x8:5").start(), memory_mb=16).load(tmp_path / "state")


def test_save_that_fails_says_so_and_prints_the_bounds(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    done = run(tmp_path, "solve", "8x4:4", "--nodes", "300", "--save", "state/deep")
    assert done.returncode == 3
    limited = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n{PROGRAM}"
    before = (tmp_path / "state" / "deep").read_bytes()
    process = subprocess.run(
        [sys.executable, "-c", limited, "solve", "8x4:4", "--nodes", "3000", "--resume", "state/deep"],
        env=environment(tmp_path, NOUGHTS_DATA=os.devnull), cwd=tmp_path, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert process.returncode == 1
    assert "not solved: at least a draw, at most a win" in process.stdout
    assert "cannot save to state/deep: file too large" in process.stderr
    assert (tmp_path / "state" / "deep").read_bytes() == before
    assert os.listdir(tmp_path / "state") == ["deep"]


def test_value_is_printed_and_saved_though_the_proof_cannot_be_written(tmp_path: Path) -> None:
    for more in ([], ["--json"]):
        done = run(tmp_path, "solve", "4x3:3", "--fresh", "--proof", "/dev/full", *more)
        assert done.returncode == 1
        assert "win" in done.stdout
        assert re.match(r"noughts: cannot write /dev/full: no space left on device; .*\n", done.stderr)
    assert "known from an earlier solve" in run(tmp_path, "solve", "4x3:3").stdout


def test_exit_code_3_says_that_some_position_stayed_undecided(tmp_path: Path) -> None:
    undecided, lines = "8/8/8/8 x", ("solve", "8x4:4", "-", "--nodes", "9")
    assert run(tmp_path, "solve", "8x4:4", "--nodes", "9", "--json").returncode == 3
    assert run(tmp_path, *lines, typed=f"xxx5/ooo5/8/8 x\n{undecided}\n").returncode == 3
    assert run(tmp_path, *lines, typed=f"{undecided}\nrubbish\n").returncode == 1


def test_custom_game_is_never_reported_by_its_name_alone(tmp_path: Path) -> None:
    name = "7\N{CYRILLIC SMALL LETTER HA}7:5"
    no.save_game(no.Game.from_lines(name, cells=3, lines=[[0, 1], [1, 2]]), tmp_path / "mine.json")
    label = "custom game: 3 cells, 2 lines, named '7\\u04457:5'"
    assert run(tmp_path, "solve", "mine.json", "--proof", "p.ngp").stdout.startswith(f"{label}  3 x\n")
    assert json.loads(run(tmp_path, "solve", "mine.json", "--json").stdout)["game"] == label
    assert f"ok: {label} 3 x is a win" in run(tmp_path, "verify", "p.ngp").stdout
    assert json.loads(run(tmp_path, "verify", "p.ngp", "--json").stdout)["game"] == label


def test_interrupt_while_reading_lines_leaves_with_130(tmp_path: Path) -> None:
    with Process(tmp_path, "solve", "8x8:5", "-") as process:
        process.stdin.write("xxxx4/oooo4/8/8/8/8/8/8 x\n8/8/8/8/8/8/8/8 x\n")
        assert "win, best e8" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
        assert process.stderr.read().strip() == "interrupted"
