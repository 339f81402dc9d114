"""Comparisons: the table of seed 003, tree sizes, and searches that would take too long."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from noughts.games import Game
from noughts.teaching import compare, tree_size
from noughts.teaching.comparison import CONTESTANTS, comfortable_depth, nodes_by_depth, series
from noughts.teaching.plots import check_plot, plot_comparison
from noughts.teaching.tree.search_tree import estimate_nodes
from noughts.textbook import minimax


def test_the_table_of_3x3_has_the_known_counts_and_progress_is_reported() -> None:
    reported: set[tuple[str, int]] = set()
    comparison = compare(Game("3x3").start(), progress=lambda *step: reported.add(step))
    nodes = {(row.algorithm, row.order): row.nodes for row in comparison.rows}
    assert comparison.tree.nodes == nodes["minimax", "row_by_row"] == 549_946
    assert nodes["alphabeta", "row_by_row"] == 18_297
    assert nodes["alphabeta", "center_first"] == 11_758
    assert nodes["alphabeta", "corners_before_edges"] == 7_275
    assert {row.value for row in comparison.rows if row.precision == "exact"} == {0}
    assert [row.move for row in comparison.rows[:4]] == ["a3", "a3", "b2", "b2"]
    plain, ordered = comparison.rows[0], comparison.rows[3]
    assert plain.reduction == 0
    assert ordered.reduction == pytest.approx(1 - 7_275 / 549_946)
    assert ("minimax", 256) in reported
    assert {name for name, _ in reported} >= {algorithm for algorithm, _ in CONTESTANTS} - {"alphabeta_with_symmetry"}


def test_a_comparison_leaves_the_position_alone() -> None:
    position = Game("3x3").start()
    position.play("b2")
    position.play("a3")
    compare(position)
    assert position.moves == [4, 0]


def test_a_tree_of_3x3_is_counted_exactly() -> None:
    assert tree_size(Game("3x3").start()).nodes == 549_946
    for depth in range(4):
        position = Game("5x5:4").start()
        assert tree_size(position, depth).nodes == minimax(position, depth=depth).nodes


def test_an_estimate_is_near_the_truth_and_always_the_same() -> None:
    position = Game("3x3").start()
    estimate = estimate_nodes(position, 9)
    assert abs(estimate - 549_946) < 0.05 * 549_946
    assert estimate_nodes(position, 9) == estimate
    assert position.moves == []


def test_a_tree_too_large_to_count_is_estimated_and_says_so() -> None:
    size = tree_size(Game("15x15:5").start())
    assert not size.is_exact
    assert str(size).startswith("about ")
    assert str(tree_size(Game("3x3").start())) == "549,946"


def test_minimax_that_would_take_too_long_is_not_started() -> None:
    started = time.monotonic()
    comparison = compare(Game("15x15:5").start(), depth=4, evaluate="lines", seconds=0.01)
    assert time.monotonic() - started < 60
    first = comparison.rows[0]
    assert (first.nodes, first.value) == (None, None)
    assert first.note.startswith("too long: its tree has about ")


def test_any_search_is_stopped_when_its_time_is_up() -> None:
    comparison = compare(Game("4x4").start(), seconds=0.02)
    stopped = [row for row in comparison.rows[1:] if row.nodes is None]
    assert stopped
    assert all(row.note.startswith("stopped after 0.02 s and ") for row in stopped)


def test_a_depth_is_proposed_where_the_whole_tree_is_too_large() -> None:
    assert comfortable_depth(Game("3x3").start()) is None
    assert comfortable_depth(Game("5x5:4").start()) == 3
    assert comfortable_depth(Game("15x15:5").start()) == 2


@pytest.mark.parametrize("game", ["3x3", "5x5:4", "7x6:4+gravity", "ultimate:3", "4x4x4"])
def test_the_series_goes_from_the_empty_board_to_a_block_and_a_win(game: str) -> None:
    positions = dict(series(Game(game)))
    assert list(positions) == [
        "empty board",
        "after 1 move",
        "after 2 moves",
        "after 3 moves",
        "a threat to block",
        "a win to take",
    ]
    block, win = positions["a threat to block"], positions["a win to take"]
    assert block.turn is not None
    assert win.turn is not None
    assert block.threats(block.turn.opponent)
    assert not block.threats(block.turn)
    assert win.threats(win.turn)


def test_the_series_of_3x3_blocks_and_wins() -> None:
    positions = dict(series(Game("3x3")))
    block = positions["a threat to block"]
    assert block.turn is not None
    rows = compare(block).rows
    threats = {block.format_move(move) for move in block.threats(block.turn.opponent)}
    assert {row.move for row in rows} <= threats
    win = positions["a win to take"]
    assert {row.value for row in compare(win).rows[:-1]} == {1 if win.turn == "X" else -1}
    now = {win.format_move(move) for move in win.threats(win.turn or "X")}
    assert {row.move for row in compare(win, evaluate="sooner").rows} <= now


def test_an_estimate_and_a_sign_are_marked_as_such() -> None:
    rows = {row.algorithm: row for row in compare(Game("3x3").parse("oox/1x1/3 x"), evaluate="sooner").rows}
    assert (rows["minimax"].value, rows["minimax"].precision) == (5, "exact")
    assert (rows["proof_number_search"].value, rows["proof_number_search"].precision) == (1, "sign")
    assert (rows["mcts"].note, rows["mcts"].precision, rows["mcts"].reduction) == (
        "1,000 simulations",
        "estimate",
        None,
    )
    assert 0.5 < (rows["mcts"].value or 0) < 1


def test_proof_number_search_is_not_run_to_a_depth_and_is_stopped_in_time() -> None:
    limited = compare(Game("4x4").start(), depth=1, evaluate="lines").rows[-2]
    assert (limited.nodes, limited.note) == (None, "not run: it searches to the end")
    stopped = compare(Game("5x5:4").start(), seconds=0.02).rows[-2]
    assert (stopped.algorithm, stopped.note[:19]) == ("proof_number_search", "stopped after 0.02 ")


def test_a_finished_position_and_an_unknown_evaluation_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^the game is over$"):
        compare(Game("3x3").parse("xxx/oo1/3 -"))
    with pytest.raises(ValueError, match=r"expected an evaluation out of outcome, sooner, .*, got 'magic'"):
        compare(Game("3x3").start(), evaluate="magic")


def test_a_plot_is_written(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    position = Game("4x4:3").start()
    by_depth = nodes_by_depth(position, 3, "lines")
    assert by_depth["minimax"] == [17, 257, 3_617]
    assert all(len(counts) == 3 for counts in by_depth.values())
    plot_comparison(compare(position, 3, "lines"), by_depth, tmp_path / "nodes.png")
    assert (tmp_path / "nodes.png").read_bytes().startswith(b"\x89PNG")


def test_a_plot_without_matplotlib_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ValueError, match=r"plots need matplotlib: python -m pip install 'noughts\[plot\]'"):
        check_plot(Path("nodes.png"))
    with pytest.raises(ValueError, match="expected a plot file ending in"):
        check_plot(Path("nodes.gif"))
    with pytest.raises(ValueError, match=r"expected a plot file in a folder that exists, got 'nowhere/nodes.png'"):
        check_plot(Path("nowhere/nodes.png"))
