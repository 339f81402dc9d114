"""The atlas: families of games, builds that resume, records, known values, and the records that come along."""

from __future__ import annotations

import csv
import io
import json
import os
import runpy
import signal
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from clusters import run_with_ray
from noughts.atlas import (
    DISAGREEMENTS,
    FAMILIES,
    Budget,
    Build,
    CertificateRefused,
    Checks,
    GameFamily,
    GameToSolve,
    InvalidRecords,
    Record,
    RecordComparison,
    Records,
    compare,
    contradiction,
    find_families,
    known_value,
    make_game,
    sample,
    solve_game,
)
from noughts.atlas.polyominoes import ANIMALS, draw
from noughts.cli.atlas import command
from noughts.games import InvalidGame, Value
from paths import HELPERS, ROOT
from terminals import PROGRAM, environment
from waiting import wait_until

SMALL = GameFamily("small", "Some small games.", lambda: ["3x3", "el:3x3", "4x3:3+misere"])
BUDGET = Budget(5.0, 16)
WAIT_SECONDS = 60
SAMPLE = 30
QUICK_NODES = 50_000


def run(*words: str) -> Result:
    return CliRunner().invoke(command, [*words], standalone_mode=False)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the records of some small games."""
    folder = tmp_path_factory.mktemp("atlas")
    Build([SMALL], Records(folder), BUDGET).run("local:2")
    return folder


# --- games ------------------------------------------------------------------------------------------------------------


def test_all_polyominoes_of_up_to_six_cells_have_names() -> None:
    assert Counter(map(len, ANIMALS.values())) == {2: 1, 3: 2, 4: 5, 5: 12, 6: 35}
    assert draw(ANIMALS["el"]) in ("##/#.", "#./##", ".#/##", "##/.#")


@pytest.mark.parametrize(
    ("name", "cells", "lines"),
    [
        ("el:3x3", 9, 16),
        ("fatty:4x3", 12, 6),
        ("tic:4x4", 16, 16),
        ("tic:4x4+wrap", 16, 32),
        ("snaky:6x6", 36, 2 * 4 * 2 * 5),
        ("affine:4", 16, 20),
        ("affine:5", 25, 30),
        ("projective:2", 7, 7),
        ("projective:4", 21, 21),
        ("progression:9:3", 9, 16),
        ("graph-triangle:6", 15, 20),
        ("graph-cycle-4:6", 15, 45),
        ("hexagon:2:3", 7, 3),
        ("triangle:3:3", 6, 3),
        ("4x4:3", 16, 24),
    ],
)
def test_games_have_the_lines_that_combinatorics_counts(name: str, cells: int, lines: int) -> None:
    game = make_game(name)
    assert (game.cells, len(game.lines)) == (cells, lines)


def test_two_points_of_a_plane_lie_on_one_line() -> None:
    for name in ("affine:4", "projective:4", "affine:5"):
        game = make_game(name)
        pairs = Counter((a, b) for line in game.lines for a in line for b in line if a < b)
        assert set(pairs.values()) == {1}
        assert len(pairs) == game.cells * (game.cells - 1) // 2


def test_no_two_games_have_the_same_rules() -> None:
    names = [name for family in FAMILIES.values() for name in family.games()]
    rules = Counter(_rules(name) for name in names)
    assert len(names) > 1500
    assert [key for key, times in rules.items() if times > 1] == []


def _rules(name: str) -> object:
    game = make_game(name)
    lines = frozenset(map(frozenset, game.lines))
    extra = (game.guards, game.rests_on) if any(game.guards) or game.has_gravity else ()
    return game.cells, lines, extra, game.is_misere, game.outer_lines, game.counts_blocks, game.keeps_won_blocks_open


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("ell:3x3", "did you mean"),
        ("el:3", "such as el:5x4"),
        ("el:99x99", "such as el:5x4"),
        ("affine:6", "such as affine:3"),
        ("graph-triangle:99", "such as graph-triangle:6"),
        ("progression:9", "such as progression:9:3"),
        ("el:2x1", "at least one line"),
        ("3x3:9", "longer than every side"),
    ],
)
def test_name_of_no_game_is_explained(name: str, words: str) -> None:
    with pytest.raises(InvalidGame, match=words):
        make_game(name)


# --- building ---------------------------------------------------------------------------------------------------------


def test_build_proves_games_and_records_them(built: Path) -> None:
    records = Records(built)
    assert {record.game: record.value for record in records} == {
        "3x3": Value.DRAW, "el:3x3": Value.WIN, "4x3:3+misere": Value.LOSS,
    }  # fmt: skip
    for record in records:
        assert record.certificate is not None
        assert record.certificate.checked_by == ("verify",)
        assert (record.opening is None) == (record.value is Value.LOSS)
        assert Record.from_data(json.loads(json.dumps(record.to_data()))) == record


def test_proven_games_are_not_solved_again(built: Path) -> None:
    assert not Build([SMALL], Records(built), Budget(1000.0, 1024)).left


def test_undecided_games_are_tried_again_only_with_a_larger_budget(tmp_path: Path) -> None:
    hard = GameFamily("hard", "", lambda: ["6x6:5+misere"])
    first = Build([hard], Records(tmp_path), Budget(0.05, 4))
    first.run()
    (record,) = Records(tmp_path)
    assert (record.value, record.certificate) == (None, None)
    assert record.reason == "not solved within the budget"
    assert record.seconds < 5
    left = {
        budget: len(Build([hard], Records(tmp_path), Budget(*budget)).left) for budget in ((0.05, 4), (1, 4), (9, 1))
    }
    assert left == {(0.05, 4): 0, (1, 4): 1, (9, 1): 0}


def test_killed_build_continues_where_it_was(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    words = ["atlas", "build", "graphs-misere", "-o", str(folder), "-j", "1"]
    file = folder / "games.jsonl"
    process = subprocess.Popen([sys.executable, "-c", PROGRAM, *words], env=environment(tmp_path), cwd=tmp_path)
    wait_until(lambda: file.exists() and file.read_bytes().count(b"\n") >= 3, WAIT_SECONDS)
    process.kill()
    assert process.wait(timeout=WAIT_SECONDS) != 0
    with file.open("a") as broken:
        broken.write('{"game": "graph-')  # as if the last line had not been written whole
    before = {record.game: record for record in Records(folder)}
    assert len(before) >= 3
    running = Build(find_families(["graphs-misere"]), Records(folder), Budget(1.0, 64))
    assert len(running.left) == len(running.tasks) - len(before)
    del running.left[2:]
    running.run()
    after = Records(folder)
    assert all(after.get(game) == record for game, record in before.items())
    assert len(after) == len(before) + len(running.left)


def test_second_build_in_the_same_folder_is_refused(tmp_path: Path) -> None:
    from noughts.games.file_lock import locked_file

    with locked_file(tmp_path / ".lock"):
        code = "import sys; from noughts.cli.main import main; main()"
        done = subprocess.run(
            [sys.executable, "-c", code, "atlas", "build", "planes", "-o", str(tmp_path)],
            capture_output=True, text=True, timeout=WAIT_SECONDS, check=False,
        )  # fmt: skip
    assert done.returncode == 2
    assert "another build is writing" in done.stderr


def test_process_that_dies_again_and_again_is_recorded(tmp_path: Path) -> None:
    deadly = tmp_path / "checker"
    deadly.write_text("#!/bin/sh\nkill -9 $PPID\n")
    deadly.chmod(0o755)
    running = Build([GameFamily("one", "", lambda: ["3x3"])], Records(tmp_path), BUDGET, Checks(deadly))
    running.run()
    assert [record.reason for record in Records(tmp_path)] == ["the process that solved it died"]


def test_process_exits_when_a_game_exceeds_its_time_by_far() -> None:
    code = """
import noughts.atlas.worker as worker, time
worker.OVERTIME_FACTOR, worker.OVERTIME_SECONDS = 0.0, 0.2
worker.solve_game = lambda task, checks: time.sleep(60)
worker.solve_within_limits(worker.GameToSolve("3x3", "boards", worker.Budget(1.0, 16)), worker.BY_VERIFY)
"""
    done = subprocess.run([sys.executable, "-c", code], timeout=WAIT_SECONDS, check=False)
    assert done.returncode == 1


def test_second_checker_checks_too(tmp_path: Path) -> None:
    checker = ROOT / "build" / "checker"
    if not checker.exists():
        pytest.skip("build/checker is not built")
    record = solve_game(GameToSolve("el:4x3", "animals", BUDGET), Checks(checker, proofs=tmp_path))
    assert record.certificate is not None
    assert record.certificate.checked_by == ("verify", "checker")
    assert (tmp_path / "el-4x3.ngp").exists()


def test_refused_certificate_ends_the_build_with_an_error(tmp_path: Path) -> None:
    refusing = tmp_path / "checker"
    refusing.write_text("#!/bin/sh\ncat >/dev/null; echo 0: wrong; exit 1\n")
    refusing.chmod(0o755)
    with pytest.raises(CertificateRefused, match="refuses the certificate of 3x3: 0: wrong"):
        solve_game(GameToSolve("3x3", "boards", BUDGET), Checks(refusing))
    with pytest.raises(CertificateRefused):
        Build([SMALL], Records(tmp_path), BUDGET, Checks(refusing)).run()


@pytest.mark.slow
def test_build_on_a_cluster_gives_the_same_certificates(built: Path, tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="ray is not installed")
    code = f"""
from pathlib import Path
from test_atlas import BUDGET, SMALL, Build, Records
Build([SMALL], Records(Path({str(tmp_path)!r})), BUDGET).run("ray")
"""
    run_with_ray("-c", code, PYTHONPATH=os.pathsep.join([str(Path(__file__).parent), str(HELPERS)]))
    certificates = [{each.game: each.certificate for each in Records(folder)} for folder in (built, tmp_path)]
    assert certificates[0] == certificates[1]


def test_interrupted_build_says_how_to_continue(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PROGRAM, "atlas", "build", "boards", "-o", "out", "-j", "1", "--json"]
    process = subprocess.Popen(
        command, env=environment(tmp_path), cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert json.loads(process.stdout.readline())["game"] == "3x3"
    process.terminate()
    _, error = process.communicate(timeout=WAIT_SECONDS)
    assert (process.returncode, error) == (128 + signal.SIGTERM, "interrupted; the same command continues in out\n")


# --- records ----------------------------------------------------------------------------------------------------------


def test_damaged_records_are_refused_with_their_line(tmp_path: Path, built: Path) -> None:
    text = (built / "games.jsonl").read_text()
    (tmp_path / "games.jsonl").write_text(text + '{"game": 1}\n')
    with pytest.raises(InvalidRecords, match="line 4: expected a record"):
        Records(tmp_path)


def test_record_with_a_wrong_checksum_is_refused_and_one_without_is_read(tmp_path: Path, built: Path) -> None:
    first, *rest = (built / "games.jsonl").read_bytes().splitlines(keepends=True)
    without = first.rpartition(b',"check"')[0] + b"}\n"
    (tmp_path / "games.jsonl").write_bytes(b"".join([without, *rest]))
    assert list(Records(tmp_path)) == list(Records(built))
    (tmp_path / "games.jsonl").write_bytes(b"".join([first.replace(b'"nodes":', b'"nodes":1'), *rest]))
    with pytest.raises(InvalidRecords, match="line 1: expected a record"):
        Records(tmp_path)


def test_reader_does_not_touch_a_line_that_a_build_is_writing(tmp_path: Path, built: Path) -> None:
    data = (built / "games.jsonl").read_bytes()
    path = tmp_path / "games.jsonl"
    path.write_bytes(data[:-9])
    records = Records(tmp_path)
    assert path.read_bytes() == data[:-9]
    assert len(records) == 2
    last = list(Records(built))[2]
    records.add(last)
    assert path.read_bytes() == data


def test_comparison_names_the_parts_that_differ(built: Path) -> None:
    record = Records(built).get("el:3x3")
    assert record is not None
    assert compare(record).differences == []
    other = RecordComparison(replace(record, value=Value.DRAW, nodes=1_000), record)
    assert not other.is_confirmed
    assert other.differences[0] == "value win instead of draw"
    assert "instead of 1,000" in other.differences[1]


def test_contradiction_of_a_published_value_is_found(built: Path) -> None:
    record = Records(built).get("3x3")
    assert record is not None
    assert contradiction(record) is None
    assert contradiction(replace(record, value=Value.WIN)) == "3x3: win, but published as a draw (Uiterwijk 2000)"


@pytest.mark.parametrize(
    ("game", "value"),
    [
        ("9x4:4", "win"), ("8x4:4", "draw"), ("6x5:4", "win"), ("6x6:5", "draw"), ("7x7:5", "draw"), ("3x3x3", "win"),
        ("3x3x3+misere", "win"), ("6x4:4+gravity", "loss"), ("7x6:4+gravity", "win"), ("tippy:3x3", "win"),
        ("el:2x2", "draw"), ("fatty:7x7", "draw"), ("snaky:8x8", "draw"), ("affine:4", "win"), ("affine:5", "draw"),
        ("projective:3", "draw"), ("3x3+wrap", "win"), ("graph-triangle:6+misere", "loss"), ("graph-triangle:5", "win"),
        ("snaky:9x9", None), ("11x4", None), ("el:4x3", None), ("el:3x3+wrap", None), ("5x5:4+exact", None),
        ("7x5:5+gravity", None),
    ],
)  # fmt: skip
def test_published_values(game: str, value: str | None) -> None:
    known = known_value(game)
    assert (None if known is None else known.value) == value


# --- commands ---------------------------------------------------------------------------------------------------------


def test_show_filters_and_sorts(built: Path) -> None:
    folder = str(built)
    assert "4x3:3+misere" in run("show", "--from", folder).output
    lost = run("show", "--from", folder, "--value", "loss", "--json").stdout.splitlines()
    assert [json.loads(line)["game"] for line in lost] == ["4x3:3+misere"]
    known = run("show", "--from", folder, "--known", "--json").stdout.splitlines()
    assert {json.loads(line)["source"] for line in known} == {"Uiterwijk 2000", "Gardner 1979"}
    by_nodes = [
        json.loads(line)["nodes"]
        for line in run("show", "--from", folder, "--sort", "nodes", "--json").stdout.splitlines()
    ]
    assert by_nodes == sorted(by_nodes, reverse=True)
    rows = list(csv.DictReader(io.StringIO(run("show", "el:*", "--from", folder, "--csv").stdout)))
    assert [(row["game"], row["value"]) for row in rows] == [("el:3x3", "win")]
    assert rows[0]["command"].startswith("noughts atlas game el:3x3 -o game.json && noughts solve")


def test_check_solves_again_and_reports_differences(built: Path, tmp_path: Path) -> None:
    done = run("check", "--all", "--from", str(built))
    assert done.return_value == 0
    assert "3 games: 3 confirmed, 3 of them with the same certificate" in done.stderr
    records = Records(built)
    wrong = Records(tmp_path)
    for record in records:
        wrong.add(replace(record, value=Value.DRAW))
    done = run("check", "2", "--from", str(tmp_path), "--json")
    assert done.return_value == 1
    assert len(done.stdout.splitlines()) == 2


def test_game_of_a_record_is_solved_by_its_command(built: Path, tmp_path: Path) -> None:
    record = Records(built).get("el:3x3")
    assert record is not None
    for part in record.command.split(" && "):
        words = part.split()
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, *words[1:]],
            env=environment(tmp_path), cwd=tmp_path, capture_output=True, text=True, timeout=WAIT_SECONDS, check=True,
        )  # fmt: skip
    assert "win" in done.stdout
    assert (tmp_path / "game.ngp").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["build", "bords", "-o", "x"], "no such family 'bords'; did you mean boards?"),
        (["show", "--from", "nowhere"], "there are no records in nowhere"),
        (["check", "3", "--all"], "expected N or --all, got both"),
        (["show", "--json", "--csv"], "expected --json or --csv, got both"),
        (["game", "ell:3x3"], "no such kind of game 'ell'"),
    ],
)
def test_bad_input_gets_one_line(words: list[str], message: str) -> None:
    done = run(*words)
    assert message in str(done.exception)


def test_families_are_listed() -> None:
    lines = run("families", "--json").stdout.splitlines()
    assert [json.loads(line)["family"] for line in lines] == list(FAMILIES)


# --- the records that come along --------------------------------------------------------------------------------------


def test_sample_of_the_records_is_proven_again() -> None:
    proven = [record for record in Records() if record.is_proven]
    chosen = sample([record for record in proven if record.nodes < QUICK_NODES], SAMPLE)
    assert {record.family for record in chosen} == {record.family for record in proven}
    for record in chosen:
        again = compare(record)
        assert again.is_confirmed, (record.game, again.differences)


def test_records_contradict_only_the_published_values_that_were_investigated() -> None:
    wrong = [record.game for record in Records() if contradiction(record) is not None]
    assert wrong == list(DISAGREEMENTS)


def test_records_are_those_of_the_families_in_their_order() -> None:
    listed = [(game, family.name) for family in FAMILIES.values() for game in family.games()]
    assert [(record.game, record.family) for record in Records()] == listed


def test_page_lists_every_record() -> None:
    root = ROOT
    tool = runpy.run_path(str(root / "tools" / "atlas.py"))
    records = [*sample(Records(), SAMPLE), *(record for record in Records() if record.game in DISAGREEMENTS)]
    page = tool["fill_in"]((root / "docs" / "atlas" / "index.md").read_text(), records)
    assert "<!-- atlas:" not in page
    assert all(page.count(f"<summary>{record.game}</summary>") == 1 for record in records)
    assert page.count('<a href="#disagreements">draw</a>') == len(DISAGREEMENTS)
