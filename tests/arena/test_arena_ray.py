"""The arena on a real Ray cluster of two nodes, one of which dies; the short form is in ``test_tasks``."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from pathlib import Path

import pytest

from arenas import results_in, run_plan
from clusters import run_with_ray
from noughts.arena.plan import load_plan
from noughts.store import Store
from paths import HELPERS
from terminals import in_process

RAY = pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="ray is not installed")

CUP = """
game = "4x4:3"
rounds = 25
limit = { nodes = 200 }
bots = [{ run = "random" }, { run = "easy" }, { run = "master" }]
"""


FAILED_NODES_ARE_NOTICED = {"RAY_health_check_period_ms": "500", "RAY_health_check_failure_threshold": "3"}


@RAY
@pytest.mark.slow
def test_tournament_on_a_cluster_survives_the_death_of_a_node(tmp_path: Path) -> None:
    cup, there = tmp_path / "cup.toml", tmp_path / "there.sqlite3"
    cup.write_text(CUP)
    with Store(tmp_path / "here.sqlite3") as store:
        run_plan(store, load_plan(cup))
    script = HELPERS / "ray_cluster.py"
    printed = run_with_ray(str(script), str(cup), str(there), "20", **FAILED_NODES_ARE_NOTICED)
    killed = re.search(r"killed a node after (\d+) results", printed)
    assert killed is not None
    assert 20 <= int(killed[1]) < 150, "the node was to die in the middle"
    assert results_in(there) == results_in(tmp_path / "here.sqlite3")


def test_without_ray_there_is_no_tournament(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    found = in_process(tmp_path, "arena", "run", "--bot", "random", "--bot", "easy", "--game", "3x3", "--on", "ray")
    assert found.returncode == 2
    missing = "--on ray needs Ray, which is not installed: python -m pip install 'noughts[ray]'"
    assert missing in " ".join(found.stderr.split())
    assert json.loads(in_process(tmp_path, "arena", "list", "--json").stdout) == []
