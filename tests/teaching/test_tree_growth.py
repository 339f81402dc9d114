"""Trees that a search grows: recorded step by step, drawn with their numbers, replayed in words."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from functools import cache
from math import inf, log, sqrt

import pytest

from noughts.games import Game, Position, Side
from noughts.teaching import Trace, TraceTooLarge, record, trace_from_json, trace_to_json
from noughts.teaching.tree import Family, Node, trace
from noughts.teaching.tree.animation import Animation
from noughts.teaching.tree.html import tree_html
from noughts.teaching.tree.replay import replay
from noughts.teaching.tree.svg import tree_svg
from noughts.teaching.tree.text import tree_dot, tree_text
from noughts.textbook import Phase, expectimax, mcts, proof_number_search

END_GAME = "xox/1o1/1x1 o"
FORK = "xo1/1x1/2o x"


@cache
def monte_carlo(simulations: int = 60) -> Trace:
    return record(mcts, Game("3x3").parse(END_GAME), simulations=simulations, seed=1)


@cache
def proof(position: str = FORK) -> Trace:
    return record(proof_number_search, Game("3x3").parse(position))


# Recording


def test_a_grown_tree_has_the_nodes_and_visits_that_the_search_counted() -> None:
    found = mcts(Game("3x3").parse(END_GAME), simulations=60, seed=1)
    tree = monte_carlo()
    assert tree.family is Family.MONTE_CARLO
    assert tree.visited == found.nodes == sum(1 for _ in tree.nodes)
    assert {child.move: child.numbers["visits"] for child in tree.root.children} == found.visits
    assert tree.root.value == found.value
    assert tree.root.best is not None
    assert tree.root.best.move == found.move


def test_the_principal_line_follows_the_most_visits() -> None:
    visits = [node.numbers["visits"] or 0 for node in monte_carlo().principal]
    assert visits == sorted(visits, reverse=True)
    assert visits[0] == 60


def test_each_rollout_starts_at_its_leaf_and_ends_the_playthrough() -> None:
    rollouts = [step for step in monte_carlo().steps if step.phase is Phase.SIMULATE]
    assert len(rollouts) == 60
    for step in rollouts:
        position = at(monte_carlo(), step.node)
        for move in step.rollout:
            position.play(move)
        assert position.is_over
        assert step.numbers["result"] == {Side.X: 1, Side.O: -1, None: 0}[position.winner]


def at(tree: Trace, node: Node) -> Position:
    moves: list[int] = []
    while node.parent is not None and node.move is not None:
        moves.insert(0, node.move)
        node = node.parent
    position = tree.start
    for move in moves:
        position.play(move)
    return position


def test_a_selection_compares_the_bounds_of_all_children() -> None:
    selections = [step for step in monte_carlo().steps if step.phase is Phase.SELECT]
    assert selections
    for step in selections:
        assert step.node.parent is not None
        bounds = {node.id: terms["ucb"] for node, terms in step.bounds}
        assert len(bounds) == len(step.node.parent.legal)
        assert max(ucb or -inf for ucb in bounds.values()) == pytest.approx(step.numbers["ucb"])


def test_bounds_of_another_formula_are_not_invented() -> None:
    tree, position = Trace(start=Game("3x3").start()), Game("3x3").start()
    for move, value in ((0, 0.5), (1, -0.5)):
        tree.step(Phase.EXPAND, position.after(move), {"visits": 4, "value": value})
    tree.step(Phase.BACKPROPAGATE, position, {"visits": 8, "value": 0.0})
    explore = sqrt(2 * log(8) / 4)
    numbers = {"visits": 4, "value": -0.5, "exploit": -0.5, "explore": explore, "ucb": explore - 0.5}
    tree.step(Phase.SELECT, position.after(1), numbers)
    assert tree.steps[-1].bounds == []
    tree.step(Phase.SELECT, position.after(0), numbers | {"value": 0.5, "exploit": 0.5, "ucb": explore + 0.5})
    assert len(tree.steps[-1].bounds) == 2


def test_a_proof_knows_its_attacker_and_ends_at_zero() -> None:
    tree = proof()
    assert tree.family is Family.PROOF_NUMBER
    assert (tree.root.attacker, tree.root.is_or) == (Side.X, True)
    assert (tree.root.numbers["proof"], tree.root.numbers["disproof"]) == (0, None)
    assert all(node.numbers["proof"] == 0 for node in tree.principal)


def test_a_second_question_about_the_opponent_is_a_second_tree() -> None:
    tree = proof(END_GAME)
    assert [root.attacker for root in tree.passes] == [Side.O, Side.X]
    assert [root.is_or for root in tree.passes] == [True, False]
    assert replay(tree)[0].node == tree.root.id


def test_json_of_a_grown_tree_survives_writing_and_reading() -> None:
    for tree in (monte_carlo(), proof(), proof(END_GAME)):
        data = trace_to_json(tree)
        assert [node["id"] for node in data["nodes"]] == list(range(tree.visited))
        again = trace_from_json(json.loads(json.dumps(data)))
        assert trace_to_json(again) == data
        assert tree_svg(again) == tree_svg(tree)


def test_version_1_is_still_read() -> None:
    data = trace_to_json(record(mcts, Game("3x3").start(), simulations=1, seed=1))
    for node in data["nodes"]:
        del node["numbers"], node["attacker"]
    del data["steps"], data["family"]
    assert trace_from_json(data | {"version": 1}).visited == 2


def test_a_step_above_the_root_or_two_moves_below_the_tree_is_refused() -> None:
    tree, position = Trace(), Game("3x3").start().after(0)
    tree.step(Phase.EXPAND, position, {})
    with pytest.raises(ValueError, match="expected the first step at the root"):
        tree.step(Phase.BACKPROPAGATE, Game("3x3").start(), {})
    with pytest.raises(ValueError, match="at most one move below the tree"):
        tree.step(Phase.EXPAND, position.after(1).after(2), {})


def test_too_many_steps_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trace, "MAX_STEPS", 50)
    with pytest.raises(TraceTooLarge, match="more than 50 steps to trace; give fewer simulations or a later position"):
        record(mcts, Game("3x3").start(), simulations=60, seed=1)


def test_progress_is_reported_while_a_tree_grows() -> None:
    counts: list[int] = []
    record(proof_number_search, Game("3x3").parse("x2/3/3 o"), counts.append)
    assert counts == list(range(1_000, 1_000 * len(counts) + 1, 1_000))
    assert counts


# Drawing


def test_the_drawing_shows_visits_values_and_bounds() -> None:
    svg = tree_svg(monte_carlo())
    ET.fromstring(svg)
    assert f"60 simulations · {monte_carlo().visited} nodes · mean result for X" in svg
    assert ">n 60<" in svg
    assert svg.count(">ucb ") == sum("ucb" in node.numbers for node in monte_carlo().nodes)


def test_the_nodes_with_the_most_visits_are_drawn_first() -> None:
    lines = tree_text(monte_carlo(), 12).splitlines()
    drawn = [int(line.split(" n ")[1].split()[0]) for line in lines if " n " in line]
    visits = sorted((int(node.numbers["visits"] or 0) for node in monte_carlo().nodes), reverse=True)
    assert sorted(drawn, reverse=True) == visits[: len(drawn)]
    assert len(drawn) == 12


def test_the_drawing_of_a_proof_shows_its_numbers_and_roles() -> None:
    svg, dot, text = tree_svg(proof()), tree_dot(proof()), tree_text(proof())
    assert "X wins: proven" in svg
    assert ">pn 0<" in svg
    assert ">dn ∞<" in svg
    assert text.startswith("OR ✓  pn 0  dn ∞ *\n")
    assert "AND" in text
    assert "shape=house" in dot


def test_expectimax_has_chance_nodes_with_a_shape_of_their_own() -> None:
    tree = record(expectimax, Game("3x3").parse(END_GAME), depth=2)
    svg, text, dot = tree_svg(tree), tree_text(tree), tree_dot(tree)
    assert svg.count('class="node chance') == 4
    assert "CHANCE (average)" in svg
    assert "a2 CHANCE " in text
    assert dot.count("shape=octagon") == 4
    assert "The average is " in " ".join(step.text for step in replay(tree))


# Replaying


def test_the_replay_goes_through_the_four_phases_of_each_round() -> None:
    steps = replay(monte_carlo(), 10_000)
    assert sum(step.kind == "simulate" for step in steps) == 60
    assert [step.text.split(".")[0] for step in steps[1:4]] == ["Expansion", "Simulation", "Backpropagation"]
    assert steps[-1].tally == f"60 simulations · {monte_carlo().visited} nodes"
    assert sum(step.mark for step in steps) == 59


def test_a_reader_can_predict_each_selection() -> None:
    steps = [step for step in replay(monte_carlo()) if step.kind == "select"]
    questions = [step.question for step in steps if step.question]
    assert len(questions) > 20
    first = questions[0]
    assert first.text == "At the root, O to move. Which move is selected next?"
    assert len(first.choices) == 4
    assert steps[0].text.split("takes ")[1][:2] == first.choices[first.right][:2]


def test_a_reader_can_predict_the_way_to_the_most_proving_node() -> None:
    steps = [step for step in replay(proof()) if step.question]
    assert steps
    assert steps[0].question is not None
    assert steps[0].question.text == "At the root, an OR node. Which move leads to the most proving node?"
    assert "pn " in steps[0].question.choices[0]


@pytest.mark.parametrize("most", [1, 5, 30])
def test_steps_at_nodes_that_are_not_drawn_happen_at_one_that_is(most: int) -> None:
    tree = monte_carlo()
    svg = ET.fromstring(tree_svg(tree, most))
    drawn = {int(e.get("data-id", -1)) for e in svg.iter() if "node" in e.get("class", "").split()}
    stubs = {int(e.get("data-parent", -1)) for e in svg.iter() if e.get("class") == "more"}
    for step in replay(tree, most):
        assert step.node in (stubs if step.part == "more" else drawn)
        assert step.writes.keys() <= drawn


@pytest.mark.parametrize("make", [monte_carlo, proof])
def test_the_last_frame_shows_what_the_picture_of_the_whole_search_shows(make: type) -> None:
    tree = make()
    *_, (last,) = Animation([tree], 10_000).frames()
    assert last.is_last
    for node in tree.nodes:
        assert ("node", node.id) in last.seen
        for text in last.texts[node.id].values():
            assert text in tree_text(tree, 10_000)


def test_two_searches_stand_side_by_side_in_one_page() -> None:
    page = tree_html(monte_carlo(), 50, versus=proof())
    assert page.count("<svg xmlns") >= 2
    assert "<title>mcts and proof_number_search on 3x3</title>" in page
    assert 'id="target"' in page


@pytest.mark.parametrize("make", [monte_carlo, proof])
def test_no_node_stays_open_after_the_last_round(make: type) -> None:
    *_, (last,) = Animation([make()], 10_000).frames()
    assert last.open == set()
