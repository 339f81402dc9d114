"""Traces: they record exactly the reports of a search, and survive writing and reading."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from noughts.games import Game, Position, Side
from noughts.teaching import Trace, TraceTooLarge, load_trace, record, trace_from_json, trace_to_json
from noughts.teaching.tree import trace
from noughts.textbook import (
    alphabeta,
    alphabeta_with_history,
    alphabeta_with_table,
    aspiration_windows,
    center_first,
    evaluate_lines,
    iterative_deepening,
    minimax,
    negamax,
    negascout,
)
from paths import ROOT
from student_searches import utility

END_GAME = "xox/1o1/1x1 o"


def end_game() -> Position:
    return Game("3x3").parse(END_GAME)


@pytest.mark.parametrize(
    "search", [minimax, alphabeta, negamax, alphabeta_with_table, alphabeta_with_history, negascout]
)
def test_a_trace_has_as_many_nodes_as_the_search_counted(search: Any) -> None:
    plain = search(end_game())
    trace = record(search, end_game())
    assert trace.visited == plain.nodes == sum(1 for _ in trace.nodes)
    assert trace.root.value == plain.value
    assert trace.root.best is not None
    assert trace.root.best.move == plain.move


def test_tracing_changes_nothing_about_a_search() -> None:
    position = Game("3x3").parse("3/1x1/o2 x")
    assert alphabeta(position, trace=Trace()) == alphabeta(position)


def test_minimax_prunes_nothing_and_alphabeta_prunes_the_rest() -> None:
    full, cut = record(minimax, end_game()), record(alphabeta, end_game())
    assert full.count_pruned() == full.count_cutoffs() == 0
    assert cut.count_pruned() > 0
    for node in cut.nodes:
        if node.children:
            assert len(node.children) + len(node.pruned) == len(node.legal)


def test_a_cutoff_says_which_bound_it_met() -> None:
    cuts = [node for node in record(alphabeta, end_game()).nodes if node.pruned]
    for node in cuts:
        assert node.cutoff.count("≥ β" if node.is_max else "≤ α") == 1
    assert any(node.cutoff == "−1 ≤ α 0" for node in cuts)


def test_the_principal_line_carries_the_value_of_the_root_to_a_leaf() -> None:
    trace = record(alphabeta, Game("3x3").parse("xo1/1xo/3 x"), order=center_first)
    assert {node.value for node in trace.principal} == {trace.root.value}
    assert not trace.principal[-1].children


def test_alpha_and_beta_are_those_of_the_run_seen_by_x() -> None:
    windows = [
        [(node.move, node.alpha, node.beta, node.value) for node in record(search, end_game()).nodes]
        for search in (alphabeta, negamax)
    ]
    assert windows[0] == windows[1]


def test_nodes_answered_by_the_table_say_so() -> None:
    assert any(node.note == "table" for node in record(alphabeta_with_table, Game("3x3").parse("3/1x1/o2 x")).nodes)


def test_every_start_at_the_root_is_a_pass_of_its_own() -> None:
    assert len(record(iterative_deepening, end_game(), seconds=60).passes) == 4
    assert len(record(aspiration_windows, end_game()).passes) >= 4


def test_a_search_that_is_given_up_leaves_a_trace_that_is_right_so_far() -> None:
    trace, position = Trace("given up"), end_game()
    calls = 0

    def evaluate_until_bored(position: Position) -> int:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise TimeoutError
        return utility(position)

    with pytest.raises(TimeoutError):
        minimax(position, evaluate=evaluate_until_bored, trace=trace)
    again = end_game()
    minimax(again, trace=trace)
    first, second = trace.passes
    assert first.value is None
    unfinished = [node for node in first.walk() if node.left is None]
    assert all(node.value is None for node in unfinished)
    assert [node.parent for node in unfinished] == [None, *unfinished[:-1]]
    assert second.value == 0


def test_a_students_own_search_is_traced_by_two_calls() -> None:
    def search(position: Position, trace: Trace) -> int:
        trace.enter(position)
        children = [search(position.after(move), trace) for move in position.legal_moves]
        value = (max if position.turn is Side.X else min)(children, default=utility(position))
        trace.leave(value)
        return value

    trace = Trace("mine")
    assert search(end_game(), trace) == trace.root.value == 0
    assert trace.visited == minimax(end_game()).nodes


def test_leaving_before_entering_is_refused() -> None:
    with pytest.raises(ValueError, match="expected enter before leave"):
        Trace().leave(0)


def test_entering_a_position_that_is_not_a_child_is_refused() -> None:
    trace, position = Trace(), end_game()
    trace.enter(position)
    position.play("a2")
    position.play("c2")
    with pytest.raises(ValueError, match="one move below"):
        trace.enter(position)


def test_a_trace_of_nothing_says_so() -> None:
    with pytest.raises(ValueError, match="nothing recorded"):
        Trace()._repr_svg_()


def test_a_trace_that_grows_too_large_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trace, "MAX_NODES", 100)
    with pytest.raises(TraceTooLarge, match="more than 100 nodes"):
        record(alphabeta, Game("3x3").start())


@pytest.mark.parametrize("game", ["3x3", "ultimate:3", "4x4x4"])
def test_json_survives_writing_and_reading(game: str, tmp_path: Path) -> None:
    original = record(alphabeta, Game(game).start(), depth=2, evaluate=evaluate_lines)
    original.save(tmp_path / "trace.json")
    again = load_trace(tmp_path / "trace.json")
    assert trace_to_json(again) == trace_to_json(original)
    assert again._repr_svg_() == original._repr_svg_()


def test_json_of_a_custom_game_contains_the_game() -> None:
    own = Game.from_lines("triangle", cells=6, lines=[[0, 1, 3], [0, 2, 5], [3, 4, 5]])
    data = json.loads(json.dumps(trace_to_json(record(alphabeta, own.start()))))
    assert trace_from_json(data).game == own


def test_json_has_the_documented_keys() -> None:
    data = trace_to_json(record(alphabeta, end_game(), depth=3))
    documented = (ROOT / "docs" / "trace-format.md").read_text(encoding="utf-8")
    for key in [*data, *data["game"], *data["counts"], *data["nodes"][0]]:
        assert f"`{key}`" in documented, key
    assert data["counts"] == {"visited": 21, "pruned": 8, "cutoffs": 5, "passes": 1}
    ticks = [node[when] for node in data["nodes"] for when in ("entered", "left")]
    assert sorted(ticks) == list(range(1, 43))


def test_json_of_something_else_is_refused() -> None:
    with pytest.raises(ValueError, match="expected a file whose format is 'noughts-trace', got null"):
        trace_from_json({})
    with pytest.raises(ValueError, match="expected version 1 or 2 or 3 or 4 of noughts-trace, got 5"):
        trace_from_json({"format": "noughts-trace", "version": 5})
