"""The questions ``trace``, ``compare`` and ``learn``."""

from __future__ import annotations

from typing import Any

import pytest

from noughts.ask import QUESTIONS, read
from noughts.schema import plain
from noughts.teaching import trace_from_json
from noughts.teaching.comparison import ALGORITHMS
from questions import ask, refusal

START = "xox/1o1/1x1 o"


def test_trace_is_the_documented_format_and_bounded() -> None:
    whole = ask("trace", game="3x3", start=START, algorithm="alphabeta", order="center_first")
    assert whole["is_whole"]
    assert trace_from_json(whole).visited == len(whole["nodes"])
    minimax = ask("trace", game="3x3", start=START, algorithm="minimax")
    assert whole["counts"]["visited"] < minimax["counts"]["visited"]
    cut = ask("trace", game="3x3", algorithm="minimax", nodes=50, replay=True)
    assert (cut["is_whole"], len(cut["nodes"])) == (False, 50)
    assert "leave" not in {step["kind"] for step in cut["replay"] if step["node"] == 0}


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_algorithm_has_a_trace(algorithm: str) -> None:
    found = ask("trace", game="3x3", start=START, algorithm=algorithm, simulations=20)
    assert (found["algorithm"], found["is_whole"]) == (algorithm, True)
    assert plain(read(QUESTIONS["trace"].answer, found)) == found


@pytest.mark.parametrize(("algorithm", "passes"), [("mcts", 1), ("proof_number_search", 2), ("iterative_deepening", 4)])
def test_replay_tells_the_steps_of_all_passes(algorithm: str, passes: int) -> None:
    asked: dict[str, Any] = {"game": "3x3", "start": START, "algorithm": algorithm, "simulations": 20}
    assert ask("trace", **asked)["replay"] == []
    found = ask("trace", **asked, replay=True)
    trace = trace_from_json(found)
    assert len(trace.passes) == passes
    assert {step["node"] for step in found["replay"]} == set(range(trace.visited))
    assert all(step["text"] for step in found["replay"])
    questions = [step["question"] for step in found["replay"] if step["question"]]
    assert questions
    assert all(0 <= question["right"] < len(question["choices"]) for question in questions)
    rollouts = [step["rollout"] for step in found["replay"] if step["kind"] == "simulate"]
    assert len(rollouts) == (20 if algorithm == "mcts" else 0)
    assert not rollouts or rollouts[0][0]["side"] == "X"


@pytest.mark.parametrize("algorithm", ["q_learning", "td_learning"])
def test_learning_curve_ends_with_the_last_playthrough(algorithm: str) -> None:
    found = ask("learn", game="3x3+gravity", algorithm=algorithm, playthroughs=1000)
    assert [point["playthroughs"] for point in found["curve"]] == list(range(50, 1001, 50))
    assert all(point["wins"] + point["draws"] + point["losses"] == 100 for point in found["curve"])
    assert found["curve"][-1]["losses"] < found["curve"][0]["losses"]
    assert found["is_whole"]


def test_comparison_counts_fewer_nodes_with_pruning() -> None:
    found = ask("compare", game="3x3", moves=[4, 0], seconds=2)
    nodes = {row["label"]: row["nodes"] for row in found["rows"]}
    assert nodes["minimax"] == found["tree"]["nodes"]
    assert nodes["alphabeta, row_by_row"] < nodes["minimax"]
    assert len({row["value"] for row in found["rows"] if row["algorithm"] in ("minimax", "alphabeta")}) == 1


@pytest.mark.parametrize(
    ("name", "request_data", "words"),
    [
        ("trace", {"game": "3x3", "nodes": 10**9}, "expected at most 5000 for 'nodes'"),
        ("trace", {"game": "3x3", "simulations": 10**6}, "expected at most 1000 for 'simulations'"),
        ("trace", {"game": "11x11:5"}, "expected a board of at most 100 cells for trace"),
        ("compare", {"game": "11x11:5"}, "expected a board of at most 100 cells for compare"),
        ("learn", {"game": "3x3", "playthroughs": 10**6}, "expected at most 40000 for 'playthroughs'"),
        ("learn", {"game": "4x4:3"}, "expected a board of at most 9 cells for learn"),
    ],
)
def test_search_that_would_not_end_is_refused(name: str, request_data: dict[str, Any], words: str) -> None:
    assert refusal(name, **request_data).startswith(words)
