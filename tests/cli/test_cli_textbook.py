"""``noughts compare`` and ``noughts tree`` from the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from terminals import run

END_GAME = "xox/1o1/1x1 o"


def test_the_installed_command_knows_both() -> None:
    script = Path(sys.executable).parent / "noughts"
    done = subprocess.run([script, "tree", "3x3", END_GAME, "-d", "1"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    assert done.stdout.startswith("MIN ")


def test_compare_prints_the_table(tmp_path: Path) -> None:
    done = run(tmp_path, "compare", "3x3", columns=110)
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0] == "3x3, empty board: 3/3/3 x   (to the end, a tree of 549,946 nodes)"
    assert lines[1].split() == ["algorithm", "order", "nodes", "time", "nodes/s", "reduction", "move", "value"]
    assert any(line.split()[:3] == ["alphabeta", "corners_before_edges", "7,275"] for line in lines)
    assert len(lines) == 2 + 14 + 1


def test_compare_fits_80_columns_without_the_order_that_all_share(tmp_path: Path) -> None:
    lines = run(tmp_path, "compare", "3x3", columns=80).stdout.splitlines()
    assert lines[1] == "order of moves, unless named: corners_before_edges"
    assert lines[2].split() == ["algorithm", "nodes", "time", "reduction", "move", "value"]
    assert any(line.split()[:3] == ["alphabeta,", "center_first", "11,758"] for line in lines)
    assert max(map(len, lines)) <= 80


def test_compare_gives_the_size_of_a_tree_it_does_not_search(tmp_path: Path) -> None:
    done = run(tmp_path, "compare", "5x5:4", "--depth", "6", "--seconds", "0.05")
    assert done.returncode == 0
    assert "too long: its tree has about 1.3·10^8 nodes" in done.stdout
    assert len({line.index("stopped") for line in done.stdout.splitlines() if "stopped" in line}) == 1


def test_compare_chooses_a_depth_and_says_why(tmp_path: Path) -> None:
    done = run(tmp_path, "compare", "4x4x4", "--seconds", "0.05")
    assert done.returncode == 0
    assert "too many for plain minimax: depth 3 is compared" in done.stderr


def test_compare_prints_json_for_the_series(tmp_path: Path) -> None:
    done = run(tmp_path, "compare", "3x3", "--series", "--json")
    data = [json.loads(line) for line in done.stdout.splitlines()]
    assert [item["name"] for item in data][::5] == ["empty board", "a win to take"]
    assert data[0]["rows"][0]["nodes"] == data[0]["tree"]["nodes"] == 549_946
    assert done.stderr.count("answered in ") == len(data)
    assert {row["move"] for row in data[-1]["rows"][:-2]} == {"a1"}, "every search takes the win at once"
    win = run(tmp_path, "compare", "3x3", data[-1]["position"], "--evaluate", "sooner", columns=110)
    assert [line.split()[-2:] for line in win.stdout.splitlines()[-3:-1]] == [[">", "0"], ["≈", "+0.94"]]


def test_compare_plots(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    done = run(tmp_path, "compare", "3x3", "3/1x1/o2 x", "--depth", "3", "--plot", str(tmp_path / "nodes.svg"))
    assert done.returncode == 0
    assert (tmp_path / "nodes.svg").stat().st_size > 10_000


def test_tree_prints_text_and_counts(tmp_path: Path) -> None:
    done = run(tmp_path, "tree", "3x3", END_GAME, "--depth", "3", "--evaluate", "outcome")
    assert done.stdout.startswith("MIN 0 *\n├─ a2 MAX 0 *\n")
    assert done.stderr == "21 nodes visited, 8 branches pruned\n"


@pytest.mark.parametrize("suffix", ["svg", "html", "dot", "txt", "json", "png", "pdf"])
def test_tree_writes_files(suffix: str, tmp_path: Path) -> None:
    done = run(tmp_path, "tree", "3x3", END_GAME, "-d", "3", "-o", f"tree.{suffix}")
    assert done.returncode == 0
    assert done.stdout == ""
    assert (tmp_path / f"tree.{suffix}").stat().st_size > 500


def test_tree_chooses_a_depth_and_says_so(tmp_path: Path) -> None:
    done = run(tmp_path, "tree", "4x4x4", "--nodes", "5")
    assert done.returncode == 0
    assert "the whole tree has about 8.0·10^82 nodes: depth 3 is searched\n" in done.stderr


def test_tree_says_how_many_nodes_it_left_out(tmp_path: Path) -> None:
    done = run(tmp_path, "tree", "3x3", "--nodes", "100")
    assert "18,297 nodes visited, 6,930 branches pruned, 100 nodes drawn, 18,197 left out" in done.stderr


@pytest.mark.parametrize("algorithm", ["mcts", "proof_number_search"])
def test_tree_draws_searches_that_grow_a_tree(algorithm: str, tmp_path: Path) -> None:
    data = json.loads(run(tmp_path, "tree", "3x3", END_GAME, "--algorithm", algorithm, "--json").stdout)
    assert data["algorithm"] == algorithm
    assert data["steps"]
    done = run(tmp_path, "tree", "3x3", END_GAME, "--algorithm", algorithm)
    assert done.stderr.startswith(f"{algorithm}: {len(data['nodes']) if algorithm == 'mcts' else ''}")


def test_tree_shows_two_searches_and_their_steps(tmp_path: Path) -> None:
    both = ("tree", "3x3", END_GAME, "--versus", "mcts", "--simulations", "5")
    done = run(tmp_path, *both, "-o", "both.html", "--frames", "slides", "--nodes", "9")
    assert done.returncode == 0
    pictures = sorted(file.name for file in (tmp_path / "slides").iterdir())
    assert f"slides: {len(pictures)} pictures\n" in done.stderr
    assert pictures[0] == "001.svg"
    assert "mcts" in (tmp_path / "both.html").read_text(encoding="utf-8")


def test_a_custom_game_is_compared_and_drawn(tmp_path: Path) -> None:
    game = {"name": "triangle", "cells": 6, "lines": [[0, 1, 3], [0, 2, 5], [3, 4, 5]]}
    (tmp_path / "triangle.json").write_text(json.dumps(game))
    assert run(tmp_path, "compare", "triangle.json").returncode == 0
    assert run(tmp_path, "tree", "triangle.json", "-o", "tree.svg").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("tree", "3x3", "--algorithm", "magic"), "noughts: invalid value for '--algorithm' / '-a': 'magic' is not"),
        (("tree", "3x3", "--depth", "-1"), "expected a depth of 0 or more, got -1"),
        (("tree", "3x3", "xxx/oo1/3 -"), "the game is over"),
        (("tree", "3x3", "--nodes", "0"), "expected at least 1 node to draw, got 0"),
        (("tree", "3x3", "-o", "tree.jpg"), "expected a file ending in .svg"),
        (("tree", "3x3", "--animate"), "expected --output with --animate"),
        (("tree", "3x3", "--animate", "-d", "1", "-o", "a.png"), "expected an animation in a file ending in .svg or"),
        (("tree", "3x3", "--simulations", "5"), "an option of alphabeta (--depth, --evaluate, --order), got --simul"),
        (("tree", "3x3", "-a", "proof_number_search", "--depth", "3"), "proof_number_search (--order), got --depth"),
        (("tree", "3x3", "-a", "mcts", "--simulations", "0"), "expected a number of simulations of 1 or more, got 0"),
        (
            ("tree", "3x3", "-a", "mcts", "--exploration", "nan"),
            "expected a number, got 'nan'",
        ),
        (("tree", "3x3", "--versus", "mcts", "--json"), "expected one search for JSON and DOT, got --versus"),
        (("tree", "3x3", "-n", "600", "--frames", "f"), "expected a search of at most 1,000 steps to show, got"),
        (("tree", "3x3", "-o", "nowhere/tree.svg"), "noughts: nowhere/tree.svg: no such file or directory\n"),
        (("tree", "40x40:5", "--depth", "1500"), "the depth is too large for Python's stack"),
        (("compare", "3x3", "--depth", "-1"), "expected a depth of 0 or more, got -1"),
        (("compare", "3x3", "xxx/oo1/3 -"), "the game is over"),
        (("compare", "3x3", "--seconds", "0"), "expected a number of seconds above 0, got 0"),
        (("compare", "3x3", "3/3/3 x", "--series"), "expected a position or --series, got both"),
        (("compare", "3x3", "--plot", "nodes.gif"), "expected a plot file ending in"),
        (("compare", "chess"), "expected a game id"),
        (("compare", "20x60:5", "--depth", "1500"), "the depth is too large for Python's stack"),
        (("compare", "3x3", "--dept", "1"), "noughts: no such option '--dept'"),
        (("compare",), "noughts: missing argument 'GAME'\n"),
        (("grade",), "noughts: missing argument 'FILE.py[:FUNCTION]|FOLDER...'\n"),
        (("grade", "nowhere.py"), "noughts: there is no file 'nowhere.py'\n"),
        (("grade", __file__, "--evaluate", "lines"), "expected --depth with --evaluate"),
        (("grade", __file__, "--game", "4x4"), "expected a game of at most 20,000 positions"),
    ],
)
def test_bad_input_gets_one_clear_line(arguments: tuple[str, ...], message: str, tmp_path: Path) -> None:
    done = run(tmp_path, *arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert message in done.stderr


SEARCHES = """
from noughts.textbook import alphabeta, evaluate_lines

def search(position):
    print("noise")
    return alphabeta(position)

def lost(position):
    return -alphabeta(position).value, 0

def forever(position):
    while True:
        pass

def limited(position, depth):
    return alphabeta(position, depth=depth, evaluate=evaluate_lines)
"""


@pytest.mark.usefixtures("all_boards")
def test_grade_reports_on_a_search_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(SEARCHES)
    done = run(tmp_path, "grade", "mine.py")
    assert done.returncode == 0
    assert (
        "mine.py:search: 6 of 6 properties hold on 627 positions of 3x3, 54 of them before the fourth move\n"
        in done.stdout
    )
    done = run(tmp_path, "grade", "mine.py:forever", "--seconds", "0.5")
    assert done.returncode == 1
    assert "no answer: the search was stopped after " in done.stdout


def test_grade_takes_a_depth_on_any_game_and_prints_json(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(SEARCHES)
    done = run(tmp_path, "grade", "mine.py:limited", "--game", "4x4:3", "--depth", "2", "--json")
    assert done.returncode == 0
    data = json.loads(done.stdout)
    assert [each["passed"] for each in data] == [True]
    assert {each["id"]: each["state"] for each in data[0]["properties"]}["value"] == "holds"


def test_output_of_a_graded_search_stays_out_of_the_json(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(SEARCHES)
    words = [sys.executable, "-m", "noughts", "grade", "mine.py", "--json"]
    done = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path, timeout=60, check=True)
    assert json.loads(done.stdout)[0]["passed"]
    assert "noise" in done.stderr


def test_grade_of_several_searches_is_a_table(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(SEARCHES)
    (tmp_path / "broken.py").write_text("def search(position:\n")
    done = run(tmp_path, "grade", "mine.py:limited", "mine.py:lost", "broken.py", "mine.py:nothing")
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["submission", "points", "result", "why"]
    reason = 'runs: limited(Game("3x3").parse("xox/oxo/ox1 x")): TypeError: limited() missing 1 required positional'
    assert f"{reason} argument: 'depth'" in lines[1]
    assert "Every value has the wrong sign" in lines[2]
    assert "SyntaxError" in lines[3]
    assert "mine.py has no function nothing; it has alphabeta, evaluate_lines, forever, limited, lost" in lines[4]
    assert lines[5] == "0 of 4 passed"
