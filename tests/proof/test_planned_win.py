"""A win by a plan: first moves are given, others chosen, jobs answer every reply, and the parts are joined."""

from __future__ import annotations

import gzip
import json
import lzma
import operator
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import pytest

import noughts as no
from inline_tasks import InlineTasks
from noughts import _core
from noughts.engine.candidates import choose_moves
from noughts.games.position_text import canonical
from noughts.proof.jobs.journal import Journal
from noughts.proof.jobs.openings import OpeningSolver, PlannedOpening, read_openings
from noughts.proof.jobs.planned_win import ROUNDS, PlannedWin, answer_quietly
from noughts.proof.jobs.tree import JobNode
from noughts.proof.jobs.worker import Answer
from paths import ROOT
from second_checker import build_checker, verdicts


def opening(game: str, moves: str, folder: Path) -> PlannedOpening:
    (only,) = read_openings(no.Game(game), [moves], folder)
    return only


def winning_moves(game: str, position: str) -> list[int]:
    """Stands for the engine."""
    move = no.solve(no.Game.from_data(json.loads(game)).parse(position)).move
    assert move is not None
    return [move]


def solver(
    openings: list[PlannedOpening],
    function: Callable[..., object] = operator.call,
    most: int = 1 << 30,
    size: int = 1,
    choose: Callable[[str, str], list[int]] = winning_moves,
) -> OpeningSolver:
    return OpeningSolver(openings, InlineTasks(function, size, most), choose, memory_mb=64)


def solve(
    openings: list[PlannedOpening], function: Callable[..., object] = operator.call, **options: Any
) -> OpeningSolver:
    solving = solver(openings, function, **options)
    solving.solve(seconds=60)
    return solving


def replies(win: PlannedWin) -> list[JobNode]:
    """The positions after the first answer and a reply."""
    edges = win.tree.root.edges
    assert edges is not None
    assert edges[0].node is not None
    return edges[0].node.children


def refuse_some(refuses: Callable[[str, tuple[float, ...]], bool]) -> Callable[..., object]:
    """Return workers that do not find the wins of some positions with some settings."""

    def call(function: Callable[..., object], *arguments: Any) -> object:
        if function is answer_quietly and refuses(arguments[1], arguments[3]):
            return Answer(None, 1, 1, 10, 0.1, None)
        return function(*arguments)

    return call


def record_rounds(rounds: list[tuple[float, ...]]) -> Callable[..., object]:
    """Return workers that add the settings of each search, without its time, to a list."""

    def refuses(text: str, settings: tuple[float, ...]) -> bool:
        rounds.append(settings[:-1])
        return False

    return refuse_some(refuses)


def check(proof: no.Proof) -> None:
    """Check a certificate by both checkers."""
    report = no.verify(proof)
    assert verdicts(build_checker(), [proof.text.encode()]) == [(proof.value, report.nodes, report.positions)]


def test_every_reply_to_the_planned_move_is_answered(tmp_path: Path) -> None:
    centre = opening("7x7:4", "d4", tmp_path)
    assert len(replies(centre.load())) < 48  # symmetric replies are answered once
    assert solve([centre]).are_proven
    check(no.Proof.load(tmp_path / "d4.ngp.xz"))


def test_answers_of_an_interrupted_run_are_kept(tmp_path: Path) -> None:
    centre = opening("7x7:4", "d4", tmp_path)
    interrupted = solver([centre], most=4)
    with pytest.raises(KeyboardInterrupt):
        interrupted.solve(60)
    interrupted.flush()
    resumed = centre.load()
    assert len(replies(resumed)) - len(resumed.open_replies) == 4
    rounds: list[tuple[float, ...]] = []
    solve([centre], record_rounds(rounds))
    assert len(rounds) == len(replies(resumed)) - 4
    check(no.Proof.load(tmp_path / "d4.ngp.xz"))


def test_run_without_time_searches_nothing(tmp_path: Path) -> None:
    solving = solver([opening("7x7:4", "d4", tmp_path)], most=0)
    solving.solve(0)
    assert not solving.are_proven


def test_answer_about_a_symmetric_position_fits_as_it_stands(tmp_path: Path) -> None:
    centre = opening("7x7:4", "d4", tmp_path)
    start = centre.position
    reached = {leaf.position.text for leaf in replies(centre.load())}
    image = next(
        leaf for cell in start.after("d4").legal_moves if (leaf := start.after("d4").after(cell)).text not in reached
    )
    other = Journal(tmp_path / "other", start, is_new=True)
    other.write(image.text, answer_quietly(json.dumps(start.game.to_data()), image.text, 0, ROUNDS[0], 64))
    other.flush()
    solve([centre])
    journals = [Journal(path, start, is_new=False) for path in (centre.journal, other.path)]
    joined = PlannedWin(start, centre.answers, journals[0], journals[1:])
    assert image.text in {leaf.position.text for leaf in replies(joined)}
    check(joined.proof())


def test_position_that_fails_is_searched_in_another_way(tmp_path: Path) -> None:
    centre, seen = opening("7x7:4", "d4", tmp_path), []

    def is_first_round(text: str, settings: tuple[float, ...]) -> bool:
        seen.append(settings[:-1])
        return settings[:-1] == ROUNDS[0][:-1]

    assert solve([centre], refuse_some(is_first_round)).are_proven
    leaves = len(replies(centre.load()))
    assert seen == [ROUNDS[0][:-1]] * leaves + [ROUNDS[1][:-1]] * leaves


def test_position_that_no_search_wins_is_divided(tmp_path: Path) -> None:
    centre = opening("7x7:4", "d4", tmp_path)
    hard = replies(centre.load())[0].position.text
    assert solve([centre], refuse_some(lambda text, settings: text == hard)).are_proven
    win = centre.load()
    assert win.is_proven
    assert win.tree.find(no.Game("7x7:4").parse(hard)).edges
    check(no.Proof.load(tmp_path / "d4.ngp.xz"))


def test_better_move_replaces_one_that_was_chosen(tmp_path: Path) -> None:
    centre, game = opening("7x7:4", "d4", tmp_path), no.Game("7x7:4")
    hard = replies(centre.load())[0].position
    (best,) = winning_moves(json.dumps(game.to_data()), hard.text)
    worst = next(cell for cell in hard.legal_moves if cell != best)
    after_worst = {canonical(hard.after(worst).after(cell)).text for cell in hard.after(worst).legal_moves}

    def is_hard(text: str, settings: tuple[float, ...]) -> bool:
        return text == hard.text or canonical(game.parse(text)).text in after_worst

    assert solve([centre], refuse_some(is_hard), choose=lambda game, text: [worst, best]).are_proven
    win = centre.load()
    assert win.is_proven
    edges = win.tree.find(hard).edges
    assert edges is not None
    assert [edge.node is not None and edge.node.is_solved for edge in edges] == [False, True]


def test_job_cut_short_by_the_end_of_the_time_is_not_a_failure(tmp_path: Path) -> None:
    centre = opening("7x7:4", "d4", tmp_path)
    solving = solver([centre], refuse_some(lambda text, settings: True))
    solving.solve(seconds=ROUNDS[0].seconds / 100)
    win = centre.load()
    assert not win.is_proven
    assert not any(map(win.failures, replies(win)))


def test_other_answer_is_tried_where_one_fails(tmp_path: Path) -> None:
    (both,) = read_openings(no.Game("7x7:4"), ["d4 c3 c4", "d4 c3 d5"], tmp_path)
    game = both.position.game
    c4 = game.parse_cell("c4")

    def is_after_c4(text: str, settings: tuple[float, ...]) -> bool:
        return game.parse(text).cells[c4] is no.Side.X

    assert solve([both], refuse_some(is_after_c4)).are_proven
    check(no.Proof.load(tmp_path / "d4-c3-d5.ngp.xz"))


def test_openings_up_to_symmetry_answer_the_same_position(tmp_path: Path) -> None:
    lines = ["d4 c3 d3", "d4 e5 c3", "d4 c4 d3", "", "d4 c3 c4"]
    openings = read_openings(no.Game("7x7:4"), lines, tmp_path)
    assert [opening.name for opening in openings] == ["d4-c3", "d4-c4"]
    assert len(openings[0].answers) == 2


def test_easiest_opening_comes_first(tmp_path: Path) -> None:
    easy, hard = opening("7x7:4", "a1 d4", tmp_path), opening("7x7:4", "d4", tmp_path)
    hardest, seen = {leaf.position.text for leaf in replies(hard.load())}, []

    def is_hard(text: str, settings: tuple[float, ...]) -> bool:
        seen.append(text in hardest)
        return text in hardest

    assert solve([hard, easy], refuse_some(is_hard)).are_proven
    begin = seen.index(False)
    assert begin < 2 * len(hardest)  # before the second search of each is over
    assert not any(seen[begin : begin + len(replies(easy.load()))])


def test_finished_opening_is_not_proven_again(tmp_path: Path) -> None:
    centre = opening("7x7:4", "d4", tmp_path)
    solve([centre])
    assert centre.written is not None
    written = centre.written.stat().st_mtime_ns
    assert solver([centre], most=0).are_proven
    solve([centre], refuse_some(lambda text, settings: pytest.fail("searched again")))
    assert centre.written.stat().st_mtime_ns == written


def test_certificate_is_written_from_the_journal_of_a_killed_run(tmp_path: Path) -> None:
    centre = opening("7x7:4", "d4", tmp_path)
    solve([centre])
    assert centre.written is not None
    written = centre.written.read_bytes()
    centre.written.unlink()
    solve([centre], refuse_some(lambda text, settings: pytest.fail("searched again")))
    assert centre.written.read_bytes() == written


def test_engine_chooses_different_moves_that_are_legal() -> None:
    start = no.Game("15x15:5").parse("15/15/15/15/15/15/7ox6/7xo6/15/15/15/15/15/15/15 x")
    moves = choose_moves(json.dumps(start.game.to_data()), start.text)
    assert len(set(moves)) == len(moves) == 3
    assert set(moves) <= set(start.legal_moves)


@pytest.mark.parametrize(
    "settings", [(0, 9, 9, 9, 0), (41, 9, 9, 9, 0), (8, 0, 9, 9, 0), (8, 9, 9, 1_000_001, 0), (8, 9, 9, 9, -1)]
)
def test_settings_out_of_range_are_refused(settings: tuple[int, int, int, int, int]) -> None:
    with pytest.raises(ValueError, match=r"expected (a width|searches) of 1 to"):
        _core.find_quiet_win(no.Game("7x7:4").start(), 0, settings, 1.0, 16)


def test_limit_of_a_search_counts_processor_time() -> None:
    position, began = no.Game("15x15:5").parse("15/15/15/15/15/15/8x6/4o2x7/7o7/15/15/15/15/15/15 x"), process_time()
    assert (
        _core.find_quiet_win(position, 0, (10, 1_000, 20_000, 10_000, 0), 0.3, 64)[0] is None
    )  # it takes more than 30 s
    assert process_time() - began >= 0.3


def test_certificates_of_all_replies_are_joined_to_that_of_the_game(tmp_path: Path) -> None:
    start = no.Game("7x7:4").start()
    for number, leaf in enumerate(replies(opening("7x7:4", "d4", tmp_path).load())):
        text, _ = _core.find_quiet_win(leaf.position, 0, (10, 1_000, 20_000, 10_000, 0), 20.0, 64)
        assert text is not None
        no.Proof(start.game, leaf.position.text, no.Value.WIN, text).save(tmp_path / f"{number}.ngp")
    files, whole = sorted(tmp_path.glob("*.ngp")), tmp_path / "whole"
    command = [sys.executable, str(ROOT / "tools" / "join-openings"), "7x7:4", "d4", "--output", str(whole)]
    subprocess.run([*command, *map(str, files)], check=True, timeout=60)
    proof = no.Proof.load(whole)
    assert proof.position == start.text
    check(proof)
    refused = subprocess.run([*command, *map(str, files[1:])], capture_output=True, text=True, check=False, timeout=60)
    assert refused.stderr.startswith("expected a proof for each reply, got none for ")


def prove_openings(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        str(ROOT / "tools" / "prove-openings"),
        *arguments,
        "--folder",
        str(folder),
        "--on",
        "local:1",
    ]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def test_command_writes_the_certificates_of_the_openings_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "plan.txt").write_text("d4\n\na1 d4\n")
    done = prove_openings("7x7:4", f"@{tmp_path}/plan.txt", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "start: proven, 11 positions, 9 jobs" in done.stdout
    check(no.Proof.load(tmp_path / "d4.ngp.xz"))
    check(no.Proof.load(tmp_path / "a1-d4.ngp.xz"))


def test_command_names_the_replies_that_are_open(tmp_path: Path) -> None:
    done = prove_openings("5x5:4", "c3", "--seconds", "3", folder=tmp_path)
    assert done.returncode == 3
    assert "; open: " in done.stdout


@pytest.mark.parametrize("arguments", [("7x7:4", "d4 d4"), ("7x7:4", "z9"), ("nonsense", "d4"), ("7x7:4", "@missing")])
def test_command_refuses_nonsense_in_one_line(arguments: tuple[str, ...], tmp_path: Path) -> None:
    done = prove_openings(*arguments, folder=tmp_path)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


@pytest.mark.skipif("NOUGHTS_SLOW" not in os.environ, reason="NOUGHTS_SLOW is not set")
def test_second_checker_accepts_the_certificates_of_15x15() -> None:
    files = sorted((ROOT / "proofs" / "15x15").glob("*.ngp*"))
    done = subprocess.run([build_checker(), *files], capture_output=True, text=True, timeout=1_800, check=False)
    assert done.returncode == 0, done.stdout
    assert done.stdout.count(": win, ") == len(files) > 0


def test_openings_of_15x15_answer_every_second_move() -> None:
    game = no.Game("15x15:5")
    lines = (ROOT / "proofs" / "15x15" / "openings.txt").read_text().splitlines()
    images = {opening.image for opening in read_openings(game, lines, ROOT)}
    after = game.start().after("h8")
    assert images == {canonical(after.after(cell)).text for cell in after.legal_moves}


def test_certificate_of_15x15_is_of_the_opening_that_names_its_file() -> None:
    files = sorted((ROOT / "proofs" / "15x15").glob("*.ngp*"))
    assert files
    for path in files:
        moves = path.name.partition(".")[0].replace("-", " ")
        with (lzma if path.suffix == ".xz" else gzip).open(path) as file:
            header = json.loads(file.readline())
        expected = ("15x15:5", opening("15x15:5", moves, ROOT).position.text, "win")
        assert (header["game"], header["position"], header["value"]) == expected
