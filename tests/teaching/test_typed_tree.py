"""Trees with typed leaf values: reading them, searching them, and which values are only bounds."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from noughts.cli.tree import command
from noughts.games import Game
from noughts.teaching import load_trace, record
from noughts.teaching.comparison import ALGORITHMS
from noughts.teaching.tree import Node, tree_text
from noughts.teaching.tree.pseudocode import CODES
from noughts.teaching.tree.replay import replay
from noughts.teaching.tree.svg import tree_svg
from noughts.teaching.tree.text import tree_dot
from noughts.teaching.tree.trace import Trace, record_typed, trace_to_json
from noughts.teaching.tree.typed_tree import TYPED_SEARCHES, TypedTree
from noughts.textbook import alphabeta, alphabeta_with_table, minimax, negascout

EXAM = "3 12 8 / 2 4 6 / 14 5 2"
Nested = int | list["Nested"]


def shape(tree: TypedTree, number: int = 0) -> Nested:
    node = tree.nodes[number]
    return node.value if node.value is not None else [shape(tree, child) for child in node.children]


def brute_force(nested: Nested, is_max: bool) -> int:
    if isinstance(nested, int):
        return nested
    return (max if is_max else min)(brute_force(child, not is_max) for child in nested)


def random_tree(random: Random, depth: int) -> Nested:
    if depth == 0 or (depth < 4 and random.random() < 0.2):
        return random.randint(-9, 9)
    return [random_tree(random, depth - 1) for _ in range(random.randint(1, 4))]


def written(nested: Nested) -> str:
    return str(nested) if isinstance(nested, int) else f"[{' '.join(map(written, nested))}]"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (EXAM, [[3, 12, 8], [2, 4, 6], [14, 5, 2]]),
        ("3 5 / 6 9 // 1 2 / 0 -1", [[[3, 5], [6, 9]], [[1, 2], [0, -1]]]),
        ("1 // 2 / 3", [[[1]], [[2], [3]]]),
        ("1 /// 2", [[[[1]]], [[[2]]]]),
        ("[3 [2 4] 7]", [3, [2, 4], 7]),
        ("3, [2, 4], −7", [3, [2, 4], -7]),
        ("[1 2 / 3] 4", [[[1, 2], [3]], 4]),
        ("5", [5]),
    ],
)
def test_slashes_and_brackets_give_the_levels_of_a_tree(text: str, expected: Nested) -> None:
    assert shape(TypedTree.parse(text)) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected leaf values such as"),
        ("3 / ", "got a node without any"),
        ("3 / // 4", "got a node without any"),
        ("3 four", "expected whole numbers as leaf values, such as 3 or -2, got 'four'"),
        ("3 4.5", "got '4.5'"),
        ("99999999999", "expected whole numbers"),
        ("[3 4", r"expected as many \] as \["),
        ("3] 4", r"expected as many \[ as \]"),
        ("mid: 3", "expected max: or min: before the leaf values, got 'mid'"),
        ("1 " * 1001, "expected a tree of at most 1,000 nodes and depth 12"),
        ("[" * 900 + "1 2" + "]" * 900, "expected a tree of at most"),
        ("1 " + "/" * 5000 + " 2", "expected a tree of at most"),
    ],
)
def test_bad_leaf_values_get_one_clear_line(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message) as raised:
        TypedTree.parse(text)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("seed", range(40))
def test_typed_trees_have_the_value_of_brute_force(seed: int) -> None:
    nested = random_tree(Random(seed), 4)
    nested = nested if isinstance(nested, list) else [nested]
    first = "min" if seed % 2 else "max"
    tree = TypedTree.parse(f"{first}: {written([nested, 0])}")
    exact = brute_force([nested, 0], first == "max")
    for name in TYPED_SEARCHES[:-1]:
        trace = record_typed(ALGORITHMS[name], tree)
        assert trace.root.value == exact, name
        for node in trace.nodes:
            check_bound(node, shape(tree, node.move or 0))


def check_bound(node: Node, nested: Nested) -> None:
    """A value without a sign is exact; ≥ and ≤ are true of the exact value."""
    exact = brute_force(nested, node.is_max)
    assert node.value is not None
    assert {"": node.value == exact, "≥": exact >= node.value, "≤": exact <= node.value}[node.bound]


@pytest.mark.parametrize("search", [alphabeta, negascout, alphabeta_with_table])
def test_values_of_cut_nodes_are_bounds_of_the_exact_values(search: type) -> None:
    position = Game("3x3").parse("xo1/1x1/o2 x")
    for node in record(search, position).nodes:
        moves, at = [], node
        while at.parent is not None and at.move is not None:
            moves.append(at.move)
            at = at.parent
        here = position.copy()
        here.play_all(moves[::-1])
        exact, value = minimax(here).value, node.value or 0
        assert {"": value == exact, "≥": exact >= value, "≤": exact <= value}[node.bound], (node.value, node.bound)


def test_the_exercise_of_the_textbook_shows_its_one_bound() -> None:
    text = tree_text(record_typed(alphabeta, TypedTree.parse(EXAM)))
    assert "├─ b MIN ≤ 2  α 3 β +∞" in text
    assert "✕ b2 4, b3 6 pruned: 2 ≤ α 3" in text
    assert "└─ c MIN 2  α 3 β +∞" in text
    assert text.count("≤ 2") == 1


def test_a_typed_tree_is_saved_and_read_back(tmp_path: Path) -> None:
    trace = record_typed(alphabeta, TypedTree.parse("min: " + EXAM))
    trace.save(tmp_path / "exam.json")
    assert tree_text(load_trace(tmp_path / "exam.json")) == tree_text(trace)


@pytest.mark.parametrize("algorithm", list(CODES))
def test_every_step_marks_a_line_of_the_pseudocode(algorithm: str) -> None:
    options: dict[str, Any] = {"simulations": 20} if algorithm == "mcts" else {}
    trace = record(ALGORITHMS[algorithm], Game("3x3").parse("xox/1o1/1x1 o"), **options)
    lines = CODES[algorithm].lines
    steps = replay(trace)
    assert all(step.code for step in steps)
    assert all(line < len(lines) for step in steps for line in step.code)
    assert all("cutoff" in lines[step.code[0]] for step in steps if step.kind == "cut")


def test_a_wide_tree_can_be_scrolled_in_a_notebook() -> None:
    bundle, _ = record(minimax, Game("3x3").parse("xox/1o1/1x1 o"))._repr_mimebundle_()
    assert bundle["text/html"].startswith('<div style="overflow-x:auto')
    assert "max-width:none" in bundle["text/html"]


@pytest.mark.parametrize("name", ["exam.svg", "exam.html", "exam.png", "exam.pdf", "exam.gif", "exam.dot", "exam.txt"])
def test_the_command_draws_a_typed_tree_in_every_kind_of_file(tmp_path: Path, name: str) -> None:
    result = CliRunner().invoke(command, ["--leaves", EXAM, "-o", str(tmp_path / name)])
    assert result.exit_code == 0, result.output
    assert (tmp_path / name).stat().st_size > 100


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--leaves", "3 x"], "expected whole numbers as leaf values"),
        (["3x3", "--leaves", EXAM], "expected a game or --leaves, got both"),
        (["--leaves", EXAM, "--depth", "2"], "got --depth"),
        (["--leaves", EXAM, "-a", "mcts"], "expected a search of leaf values"),
        ([], "expected a game, such as 3x3, or --leaves"),
    ],
)
def test_the_command_refuses_leaves_with_a_game_in_one_line(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(command, arguments)
    assert isinstance(result.exception, ValueError)
    assert message in str(result.exception)


def test_pruned_leaves_keep_their_values_in_pictures_and_in_the_trace() -> None:
    trace = record_typed(alphabeta, TypedTree.parse(EXAM))
    pruned = re.search(r'<g class="pruned".*?</g>', tree_svg(trace))
    assert pruned is not None
    assert re.findall(r">([^<>]+)</text>", pruned[0]) == ["b2", "b3", "4", "6", "2 ≤ α 3"]
    assert 'label="b2 4: 2 ≤ α 3"' in tree_dot(trace)
    branches = trace_to_json(trace)["branches"]
    assert [each["value"] for each in branches if not each["children"]] == [3, 12, 8, 2, 4, 6, 14, 5, 2]
    assert branches[0]["children"] == [1, 5, 9]


def test_the_trace_of_a_typed_tree_has_no_game() -> None:
    assert Trace("alphabeta", typed=TypedTree.parse(EXAM)).subject == EXAM
