"""Tournament files: their keys, and a line for every mistake."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts import Game, Playthrough, save, save_game
from noughts.arena.openings import Opening, random_opening, read_openings
from noughts.arena.plan import (
    BotLimits,
    BotTable,
    InvalidPlan,
    OpeningTable,
    Plan,
    PlanTable,
    load_plan,
    override,
    read_plan,
)
from noughts.engine import Engine, Limit
from noughts.match import TimeControl
from noughts.players import FailureReason
from noughts.process.sandbox import Sandbox
from noughts.schema import plain, read
from paths import ROOT

KEYS, BOT_KEYS, LIMIT_KEYS, OPENING_KEYS = (
    tuple(each.name for each in fields(kind)) for kind in (PlanTable, BotTable, BotLimits, OpeningTable)
)
BOTS = [{"run": "random"}, {"run": "insane"}]


def plan_of(tmp_path: Path, **data: Any) -> Plan:
    return read_plan({"game": "3x3", "bots": BOTS, **data}, tmp_path)


def mistakes(tmp_path: Path, data: dict[str, Any]) -> list[str]:
    with pytest.raises(InvalidPlan) as caught:
        read_plan(data, tmp_path)
    return caught.value.mistakes


def test_file_says_everything_about_a_tournament(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(
        """
        game = "ultimate4"
        format = "gauntlet"
        rounds = 3
        seed = 7
        scoring = "points"
        concurrency = 2
        challengers = ["ann"]
        [limit]
        clock = "1+0.5"
        margin = 0.2
        [openings]
        plies = 0
        [[bots]]
        name = "ann"
        run = "python3 ann.py"
        protocol = "json"
        limit = { nodes = 1000 }
        memory_mb = 256
        [[bots]]
        run = "easy"
        """
    )
    plan = load_plan(file)
    assert (plan.name, plan.game.id, plan.format, plan.rounds, plan.seed) == (
        "cup",
        "ultimate:4+count",
        "gauntlet",
        3,
        7,
    )
    assert (plan.scoring, plan.concurrency, plan.plies, plan.challengers) == ("points", 2, 0, ("ann",))
    assert plan.limits.clock == TimeControl(60.0, 0.5)
    assert plan.limits.margin == 0.2
    assert plan.limits_of(0).nodes == 1000
    assert plan.limits_of(1) == plan.limits
    assert plan.entrants[0].memory_mb == 256
    assert plan.folder == str(tmp_path.resolve())


def test_plan_survives_as_plain_data(tmp_path: Path) -> None:
    (tmp_path / "lines.txt").write_text("b2 a1\n3/1x1/3 o\n")
    plan = plan_of(
        tmp_path, limit={"clock": "10s+1s"}, openings={"file": "lines.txt"}, format="sprt", sprt={"elo1": 20}
    )
    assert read(Plan, plain(plan)) == plan


def test_stored_plan_of_an_earlier_version_is_read(tmp_path: Path) -> None:
    """Its sandbox is only on or off, and fields that it lacks have their defaults."""
    data = plain(plan_of(tmp_path, limit={"clock": "1+0.5"}))
    assert data["limits"]["clock"] == "1+0.5"
    for entrant in data["entrants"]:
        entrant["sandbox"] = False
        del entrant["folder"]
    plan = read(Plan, data)
    assert [(entrant.sandbox, entrant.folder) for entrant in plan.entrants] == [(Sandbox(is_on=False), ".")] * 2


def test_plan_contains_its_custom_game(tmp_path: Path) -> None:
    game = Game.from_lines("corner game", cells=4, lines=[[0, 1], [2, 3]])
    save_game(game, tmp_path / "corner.json")
    plan = read_plan({"game": "corner.json", "bots": BOTS}, tmp_path)
    assert plan.game == game
    assert read(Plan, plain(plan)).game == game


def test_values_override_a_file_each_in_its_table() -> None:
    data = {"rounds": 5, "limit": {"nodes": 10}, "bots": [{"run": "cat", "sandbox": False}, {"run": "easy"}]}
    override(data, {"rounds": 7, "seconds": 2.0, "elo1": None, "sandbox": True, "file": "a.txt", "depth": None})
    assert data == {
        "rounds": 7,
        "limit": {"nodes": 10, "seconds": 2.0},
        "openings": {"file": "a.txt"},
        "bots": [{"run": "cat", "sandbox": True}, {"run": "easy", "sandbox": True}],
    }
    override(data, {"plies": 0})
    assert data["openings"] == {"plies": 0}


def test_every_mistake_gets_a_line_that_names_its_key(tmp_path: Path) -> None:
    found = mistakes(
        tmp_path,
        {
            "game": "3x3x",
            "rounds": 0,
            "format": "swiss",
            "scoring": 3,
            "sed": 1,
            "limit": {"seconds": -1, "clock": "soon", "node": 5},
            "openings": {"plies": 2.5, "file": ""},
            "concurrency": True,
            "bots": [{"name": "a", "run": "x"}, {"name": "a"}, {"name": "b", "run": "y", "protocol": "telepathy"}, 7],
        },
    )
    keys = {line.split("`")[1] if line.startswith("unknown key") else line.split(":")[0] for line in found}
    assert keys == {
        *("game", "rounds", "format", "scoring", "sed", "concurrency", "limit.seconds", "limit.clock", "limit.node"),
        *("openings.plies", "openings.file", "bots[2].run", "bots[2].name", "bots[3].protocol", "bots[4]"),
    }
    assert len(found) == len(keys)
    assert all("\n" not in line for line in found)
    assert all("expected" in line or "unknown key" in line for line in found)
    assert "unknown key `sed`; did you mean `seed`?" in found
    assert "unknown key `limit.node`; did you mean `nodes`?" in found
    assert "rounds: expected a whole number from 1 to 1000000, got 0" in found


def test_mistake_in_a_setting_for_all_bots_is_reported_once(tmp_path: Path) -> None:
    found = mistakes(tmp_path, {"game": "3x3", "bots": BOTS, "memory_mb": 1, "restart": 0, "sandbox": "yes"})
    assert sorted(line.split(":")[0] for line in found) == ["memory_mb", "restart", "sandbox"]


def test_setting_for_all_bots_can_differ_for_one(tmp_path: Path) -> None:
    bots = [{"run": "random"}, {"run": "easy", "restart": True, "memory_mb": 64}]
    plan = read_plan({"game": "3x3", "bots": bots, "restart": False, "memory_mb": 128}, tmp_path)
    assert [(bot.restart, bot.memory_mb) for bot in plan.entrants] == [(False, 128), (True, 64)]


def test_sequential_test_is_named_after_its_bots_even_if_their_commands_are_long(tmp_path: Path) -> None:
    bots = [{"run": "python3 " + "long " * 30}, {"name": "old", "run": "easy"}]
    plan = read_plan({"game": "3x3", "bots": bots, "format": "sprt"}, tmp_path)
    assert plan.name == f"{plan.names[0]} against old"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({}, "game: expected a game"),
        ({"game": "3x3"}, "bots: expected at least two"),
        ({"game": "3x3", "bots": BOTS[:1]}, "bots: expected 2 to 1000 bots, got 1"),
        (
            {"game": "3x3", "bots": "random"},
            "bots: expected at least two [[bots]], each with run = \"...\", got 'random'",
        ),
        ({"game": "3x3", "bots": BOTS, "limit": 3}, "limit: expected a table, got 3"),
        (
            {"game": "3x3", "bots": BOTS, "name": "two\nlines"},
            "name: expected a name of at most 100 printable",
        ),
        (
            {"game": "3x3", "bots": [*BOTS, {"run": "/tmp/\udcff"}]},
            "bots[3].run: expected text in UTF-8, got '/tmp/\\udcff'",
        ),
        ({"game": "3x3", "bots": BOTS, "challengers": ["zoe"], "format": "gauntlet"}, "challengers: expected names"),
        ({"game": "3x3", "bots": BOTS, "challengers": ["random"]}, 'challengers: expected format = "gauntlet"'),
        ({"game": "3x3", "bots": BOTS, "sprt": {}}, 'sprt: expected format = "sprt"'),
        ({"game": "3x3", "bots": BOTS, "format": "sprt", "sprt": {"elo0": 5, "elo1": 1}}, "sprt.elo1: expected more"),
        ({"game": "3x3", "bots": [*BOTS, {"run": "easy"}], "format": "sprt"}, "bots: expected two bots"),
        ({"game": "no.json", "bots": BOTS}, "game: expected a game file"),
        (
            {"game": "3x3", "bots": BOTS, "openings": {"file": "no.txt"}},
            "openings.file: cannot read 'no.txt'",
        ),
        ({"game": "3x3", "bots": BOTS, "openings": {"file": "no.txt", "plies": 2}}, "openings.plies: expected either"),
    ],
)
def test_mistake_says_what_was_expected(tmp_path: Path, data: dict[str, Any], said: str) -> None:
    assert any(line.startswith(said) for line in mistakes(tmp_path, data)), mistakes(tmp_path, data)


def test_file_that_is_not_toml_gives_one_line(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text("game = \n")
    with pytest.raises(InvalidPlan, match=r"cup\.toml: expected TOML: invalid value") as caught:
        load_plan(file)
    assert len(caught.value.mistakes) == 1
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(InvalidPlan, match="expected text in UTF-8"):
        load_plan(file)


def test_openings_are_moves_or_positions_one_per_line(tmp_path: Path) -> None:
    file = tmp_path / "openings.txt"
    file.write_text("# the usual ones\nb2 a1   # centre, corner\n\n3/1x1/3 o\n")
    assert read_openings(file, Game("3x3")) == [Opening(None, (4, 6)), Opening("3/1x1/3 o", ())]


def test_openings_come_from_saved_playthroughs_too(tmp_path: Path) -> None:
    game = Game("3x3")
    save([Playthrough(game, ["b2"]), Playthrough(game, ["a1", "c3"])], tmp_path / "openings.ngn")
    assert [opening.moves for opening in read_openings(tmp_path / "openings.ngn", game)] == [(4,), (6, 2)]
    with pytest.raises(ValueError, match=r"playthrough 1: expected the game 4x4, got 3x3"):
        read_openings(tmp_path / "openings.ngn", Game("4x4"))


def test_every_bad_opening_gets_a_line(tmp_path: Path) -> None:
    file = tmp_path / "openings.txt"
    file.write_text("b2 b2\na1 z9\na1 b1 a2 b2 a3\n3/3 x\nb2\n")
    found = mistakes(tmp_path, {"game": "3x3", "bots": BOTS, "openings": {"file": "openings.txt"}})
    assert [line.split(": ")[2] for line in found] == ["line 1", "line 2", "line 3", "line 4"]
    assert "does not end the game" in found[2]
    file.write_text("# nothing\n")
    assert (
        "expected openings, got none"
        in mistakes(tmp_path, {"game": "3x3", "bots": BOTS, "openings": {"file": "openings.txt"}})[0]
    )


@pytest.mark.parametrize("id", ["3x3", "5x5:4", "4x4x4", "7x6:4+gravity", "15x15:5", "ultimate:3"])
def test_random_openings_are_even_different_and_repeatable(id: str) -> None:
    game = Game(id)
    openings = [random_opening(game, seed) for seed in range(3)]
    assert openings[0] == random_opening(game, 0)
    assert len(set(openings)) > 1
    for opening in openings:
        position = opening.position(game)
        assert not position.is_over
        found = Engine(hash_mb=1, book=False).search(position, Limit(nodes=2_000))
        assert found.value not in ("win", "loss")
        assert abs(found.score) <= 200  # the most even of forty may exceed 120


def test_random_opening_is_not_won_a_little_deeper_than_the_quick_search_sees() -> None:
    game, engine = Game("5x5:4"), Engine(hash_mb=1, book=False)
    for seed in range(8):
        engine.clear()
        assert engine.search(random_opening(game, seed).position(game), Limit(nodes=20_000)).value != "win"


def test_opening_is_the_most_even_one_if_none_is_even() -> None:
    # On 4x3 three in a row the first player always wins, but an opening must not end the game.
    assert not random_opening(Game("4x3:3"), 1, plies=2).position(Game("4x3:3")).is_over
    assert random_opening(Game("3x3"), 1, plies=0) == Opening()


def test_tournament_file_of_the_documentation_is_read(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "arena.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    (tmp_path / "cup.toml").write_text(example)
    plan = load_plan(tmp_path / "cup.toml")
    assert (plan.name, plan.game.id, plan.names) == ("autumn cup", "ultimate:4+count", ["ann", "insane", "slow master"])
    described = set(re.findall(r"^(?:# )?(\w+) = ", example, re.MULTILINE))
    assert {*LIMIT_KEYS, *OPENING_KEYS, *BOT_KEYS} <= described
    for key in KEYS:
        assert (
            key in described or f"[{key}]" in page or f"[[{key}]]" in page or f"`{key}`" in page or f"`{key} =" in page
        )


def test_documentation_lists_all_reasons_of_failures() -> None:
    page = (ROOT / "docs" / "protocols.md").read_text(encoding="utf-8")
    _, _, failures = page.partition("## When a player fails")
    assert set(re.findall(r"^\| `(\w+)` \|", failures, re.MULTILINE)) == set(FailureReason)


VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(["3x3", "random"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*KEYS, *LIMIT_KEYS, *BOT_KEYS, *OPENING_KEYS, "elo0"]), inner, max_size=4)
    ),
    max_leaves=12,
)


@settings(max_examples=80)
@given(st.dictionaries(st.sampled_from(KEYS), VALUES))
def test_nonsense_is_always_a_list_of_mistakes(data: dict[str, Any]) -> None:
    plan, found = None, []
    try:
        plan = read_plan({"game": "3x3", "bots": BOTS, **data}, Path("/nowhere"))
    except InvalidPlan as error:
        found = error.mistakes
    assert all(line.strip() and "\n" not in line for line in found)
    assert found or plan == read(Plan, plain(plan))
