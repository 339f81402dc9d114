"""Trees as files: every searched or pruned node is drawn, or else counted."""

from __future__ import annotations

import re
import time
import xml.etree.ElementTree as ET
from functools import cache
from pathlib import Path

import pytest

from noughts.games import Game
from noughts.teaching import Trace, record
from noughts.teaching.tree.html import tree_html
from noughts.teaching.tree.replay import replay
from noughts.teaching.tree.svg import MAX_WIDTH, tree_svg
from noughts.teaching.tree.text import tree_dot, tree_text
from noughts.textbook import alphabeta, alphabeta_with_table, evaluate_lines, iterative_deepening, minimax

SVG = "{http://www.w3.org/2000/svg}"
GAMES = ["3x3", "5x5:4", "4x4x4", "3x3x3x3", "7x6:4+gravity", "ultimate:3", "15x15:5", "4x4:3+misere"]


def small_trace() -> Trace:
    return record(alphabeta, Game("3x3").parse("xox/1o1/1x1 o"), depth=3)


@cache
def large_trace() -> Trace:
    return record(alphabeta, Game("3x3").start())


def elements(svg: str, kind: str) -> list[ET.Element]:
    return [e for e in ET.fromstring(svg).iter(f"{SVG}g") if kind in e.get("class", "").split()]


def text_of(element: ET.Element) -> str:
    return " ".join("".join(text.itertext()) for text in element.iter(f"{SVG}text"))


def test_every_visited_node_of_a_small_tree_is_drawn() -> None:
    trace = small_trace()
    drawn = {int(e.get("data-id", -1)) for e in elements(tree_svg(trace), "node")}
    assert drawn == {node.id for node in trace.nodes}


def test_pruned_branches_are_drawn_with_the_cutoff_that_removed_them() -> None:
    trace = small_trace()
    groups = elements(tree_svg(trace), "pruned")
    assert len(groups) == trace.count_cutoffs() == 5
    assert sum(len(g.findall(f"{SVG}path[@class='cross']")) for g in groups) == trace.count_pruned() == 8
    cutoffs = {node.id: node.cutoff for node in trace.nodes}
    for group in groups:
        assert cutoffs[int(group.get("data-parent", -1))] in text_of(group)


def outlines(svg: str, kind: str) -> set[str]:
    """Return the outlines of all nodes of a kind, without their numbers."""
    frames = [frame for e in elements(svg, kind) for frame in e.findall(f"{SVG}path[@class='frame']")]
    return {re.sub(r"[-\d. ]+", " ", frame.get("d", "")) for frame in frames}


def test_max_and_min_have_different_outlines() -> None:
    shapes = [outlines(tree_svg(small_trace()), kind) for kind in ("max", "min", "leaf")]
    assert [len(shape) for shape in shapes] == [1, 1, 1]
    assert len(set.union(*shapes)) == 3


def test_the_principal_line_is_highlighted() -> None:
    trace = small_trace()
    drawn = {int(e.get("data-id", -1)) for e in elements(tree_svg(trace), "pv")}
    assert drawn == {node.id for node in trace.principal}


def test_alpha_beta_and_value_stand_at_each_searched_node() -> None:
    root = next(e for e in elements(tree_svg(small_trace()), "node") if e.get("data-id") == "0")
    assert text_of(root) == "0 α −∞ β +∞"
    for e in elements(tree_svg(small_trace()), "node"):
        assert "α " in text_of(e)
        assert "β " in text_of(e)


def test_counts_are_in_the_picture() -> None:
    svg = tree_svg(small_trace())
    assert "21 nodes visited · 8 branches pruned by 5 cutoffs · value 0 · best move a2" in svg


@pytest.mark.parametrize("most", [1, 10, 400])
def test_nodes_left_out_are_counted_in_stubs(most: int) -> None:
    trace = large_trace()
    svg = tree_svg(trace, most)
    assert len(elements(svg, "node")) == most
    stubs = [int(re.sub(r"\D", "", text_of(e))) for e in elements(svg, "more")]
    assert sum(stubs) == trace.visited - most
    assert f"{most:,} nodes drawn, {trace.visited - most:,} left out" in svg


def test_two_thousand_nodes_are_drawn_in_under_two_seconds() -> None:
    trace = large_trace()
    started = time.process_time()
    tree_svg(trace, 2_000)
    assert time.process_time() - started < 2


@pytest.mark.parametrize("position", ["xox/1o1/1x1 o", "xo1/1xo/3 x", "x2/1o1/2x o"])
@pytest.mark.parametrize("search", [minimax, alphabeta])
def test_an_end_game_at_depth_3_fits_the_window(position: str, search: type) -> None:
    svg = tree_svg(record(search, Game("3x3").parse(position), depth=3))
    assert float(ET.fromstring(svg).get("width", "inf")) <= MAX_WIDTH


@pytest.mark.parametrize("game", GAMES)
def test_any_game_is_drawn_in_every_format(game: str, tmp_path: Path) -> None:
    depth = 1 if game == "15x15:5" else 2
    trace = record(alphabeta, Game(game).start(), depth=depth, evaluate=evaluate_lines)
    for suffix in ("svg", "html", "dot", "txt", "json"):
        trace.save(tmp_path / f"tree.{suffix}", most_nodes=30)
        assert (tmp_path / f"tree.{suffix}").stat().st_size > 500
    ET.parse(tmp_path / "tree.svg")


def test_a_game_without_coordinates_is_drawn_too() -> None:
    own = Game.from_lines("triangle", cells=6, lines=[[0, 1, 3], [0, 2, 5], [3, 4, 5]])
    assert len(elements(tree_svg(record(minimax, own.start(), depth=1)), "node")) == 7


def test_names_are_escaped() -> None:
    trace = record(minimax, Game("3x3").start(), depth=1)
    trace.algorithm = "<b>&"
    ET.fromstring(tree_svg(trace))
    assert "<b>&" not in tree_html(trace)


def test_another_kind_of_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"expected a file ending in .*, got 'tree.jpg'"):
        small_trace().save(tmp_path / "tree.jpg")


def test_dot_tells_max_from_min_and_dashes_what_was_pruned() -> None:
    dot = tree_dot(small_trace())
    assert dot.count("shape=house") == 4
    assert dot.count("shape=invhouse") == 7
    assert dot.count("style=dashed") == 8
    assert dot.count("penwidth=3") == 2 * len(small_trace().principal) - 1
    assert 'label="c1: −1 ≤ α 0"' in dot


def test_text_shows_the_same_tree() -> None:
    lines = tree_text(small_trace()).splitlines()
    assert len(lines) == 21 + 5
    assert lines[0] == "MIN 0 *"
    assert "│  │  ├─ c2 O has won −1" in "\n".join(lines)
    assert sum("pruned: " in line for line in lines) == 5


def test_text_of_a_table_and_of_a_cut_tree() -> None:
    trace = record(alphabeta_with_table, Game("3x3").parse("3/1x1/o2 x"))
    assert " table " in tree_text(trace, 10_000)
    assert "… " in tree_text(trace, 5)


def test_the_replay_enters_and_leaves_every_node_and_makes_every_cut() -> None:
    trace = small_trace()
    steps = replay(trace)
    assert [step.node for step in steps if step.kind == "enter"] == [node.id for node in trace.nodes]
    order = sorted(trace.nodes, key=lambda node: node.left or 0)
    assert [step.node for step in steps if step.kind == "leave"] == [node.id for node in order]
    assert sum(step.count for step in steps if step.kind == "cut") == trace.count_pruned()


def test_every_cut_and_every_later_branch_can_be_predicted() -> None:
    steps = replay(small_trace())
    assert all(step.question for step in steps if step.kind == "cut")
    later = [step for step in steps if step.kind == "enter" and step.question]
    assert len(later) == 21 - 1 - 11
    assert later[0].question is not None
    assert later[0].question.text == "MIN has 0 so far, α −∞, β 0. Is c1 searched or pruned?"


def test_without_a_window_the_reader_predicts_the_value_that_is_taken() -> None:
    steps = replay(record(minimax, Game("3x3").parse("xox/1o1/1x1 o")))
    asked = [(step.question, step.text) for step in steps if step.question]
    assert asked
    assert {step.kind for step in steps if step.question} == {"leave"}
    for question, text in asked:
        assert question.choices[question.right].startswith("take") is ("takes it" in text)
    assert asked[0][0].text == "MIN above has +1 so far, and c1 is worth 0. What does MIN do?"


def test_the_replay_of_a_cut_tree_mentions_what_is_not_drawn() -> None:
    trace = large_trace()
    steps = replay(trace, 50)
    assert sum(step.count for step in steps if step.kind in ("enter", "more")) == trace.visited


def test_the_picture_of_several_passes_says_which_one_it_is() -> None:
    trace = record(iterative_deepening, Game("3x3").parse("xox/1o1/1x1 o"), seconds=60)
    assert "pass 4 of 4" in tree_svg(trace)
    assert "pass 1 of 4" in tree_svg(trace, root=trace.passes[0])


def test_a_trace_shows_itself_in_a_notebook() -> None:
    assert small_trace()._repr_svg_().startswith("<svg")
    assert repr(small_trace()) == "<Trace of alphabeta: 21 nodes visited, 8 branches pruned>"


def test_pictures_in_a_notebook_have_a_text_alternative() -> None:
    for shown, words in ((small_trace(), "nodes visited"), (Game("3x3").start(), "3x3: 3/3/3 x")):
        picture, about = shown._repr_mimebundle_()
        assert picture["image/svg+xml"] == shown._repr_svg_()
        assert picture["text/plain"] == repr(shown)
        assert words in about["image/svg+xml"]["alt"]
