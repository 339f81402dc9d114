"""The web API: games, positions, engine questions, files, saved games."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from noughts.web.questions import QUESTIONS
from noughts.web.requests import MoveRequest

from noughts import Game, catalogue
from noughts.engine import ClockReading
from noughts.games.formats.ngn import parse_ngn
from noughts.limit import DEFAULT_LIMIT
from noughts.teaching import trace_from_json
from web_servers import open_socket, post, refusal, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("web") / "store.sqlite3") as address:
        yield address


def test_every_game_of_the_catalogue_is_described_and_can_be_begun(server: str) -> None:
    listed = httpx.get(f"{server}/api/catalogue").json()["games"]
    assert [entry["id"] for entry in listed] == [entry.id for entry in catalogue()]
    for entry in listed:
        game = Game(entry["id"])
        described = post(server, "/api/game", game=entry["id"])
        assert described["names"] == [game.format_cell(cell) for cell in range(game.cells)]
        assert [tuple(line) for line in described["lines"]] == list(game.lines)
        drawn = sorted(cell for panel in described["panels"] for row in panel["cells"] for cell in row)
        assert drawn == list(range(game.cells))
        begun = post(
            server,
            "/api/position",
            game=entry["id"],
            moves=[0 if not game.has_gravity else game.start().legal_moves[0]],
        )
        assert begun["turn"] == "O"


def test_every_game_of_the_catalogue_has_a_sample_playthrough(server: str) -> None:
    for entry in httpx.get(f"{server}/api/catalogue").json()["games"]:
        assert len(entry["sample"]) >= 7
        post(server, "/api/position", game=entry["id"], moves=entry["sample"])
        assert not entry["about"].startswith(f"{entry['title']}:")


def test_position_says_everything_the_rules_say(server: str) -> None:
    found = post(server, "/api/position", game="3x3", moves=["b2", 0, "6", "a2", "b3"])
    position = Game("3x3").start()
    for move in ("b2", 0, "6", "a2", "b3"):
        position.play(move)
    assert found["position"] == position.text
    assert found["legal"] == position.legal_moves
    assert found["cells"] == "".join(mark or "." for mark in position.cells)
    assert found["threats"] == {side: position.threats(side) for side in "XO"}
    assert found["names"] == [position.format_move(move) for move in position.moves]


def test_finished_positions_name_the_winning_line_and_its_cells(server: str) -> None:
    won = post(server, "/api/position", game="3x3", moves=[4, 0, 2, 3, 6])
    assert (won["is_over"], won["winner"], won["turn"], won["legal"]) == (True, "X", None, [])
    assert sorted(won["winning_cells"]) == [2, 4, 6]
    assert won["status"] == "X wins on the diagonal"
    assert won["outcome"] == {
        "winner": "X",
        "reason": "line",
        "points": [2, 0],
        "text": won["status"],
        "how": "on the diagonal",
    }


def test_ultimate_position_has_blocks_and_the_block_to_play(server: str) -> None:
    found = post(server, "/api/position", game="ultimate", moves=["5.1"])
    assert (found["block_to_play"], found["blocks"], found["open_blocks"]) == (0, "." * 9, list(range(9)))
    assert found["status"] == "O to move in the top left block"


def test_custom_games_are_sent_as_data(server: str) -> None:
    own = {"name": "fan", "cells": 5, "lines": [[0, 1, 2], [0, 3, 4]]}
    described = post(server, "/api/game", game=own)
    assert described["family"] == "custom"
    assert len(described["coordinates"]) == 5
    assert post(server, "/api/position", game=described["data"], moves=[0, 1, 3, 2, 4])["winner"] == "X"
    assert post(server, "/api/move", game=own, moves=[0], level="easy")["position"]["ply"] == 2


@pytest.mark.parametrize(
    ("path", "body", "status", "words"),
    [
        ("game", {"game": "99x99:5"}, 422, "expected a board of at most"),
        ("game", {"game": "renju"}, 422, "renju"),
        ("game", {"game": {"name": "y"}}, 422, "expected the key 'cells'"),
        ("game", {}, 422, "expected the field 'game'"),
        ("game", {"game": "3x3", "colour": 1}, 422, "unknown field 'colour'"),
        ("position", {"game": "3x3", "moves": ["b2", "b2"]}, 422, "ply 2: b2 is taken by X"),
        ("position", {"game": "3x3", "moves": [10**30]}, 422, "ply 1: there is no such cell"),
        ("position", {"game": "3x3", "moves": [True]}, 422, "expected a valid integer for 'moves.0', got true"),
        ("position", {"game": "3x3", "moves": ["b" * 41]}, 422, "expected"),
        ("games", {"game": "3x3", "key": "short"}, 422, "expected a text like"),
        ("position", {"game": "3x3", "start": "xx/3/3 o"}, 422, "expected rows of 3 cells"),
        ("position", {"game": "3x3", "moves": [0] * 4097}, 422, "at most 4096"),
        ("move", {"game": "3x3", "level": "godlike"}, 422, "beginner"),
        ("move", {"game": "3x3", "seconds": 1e9}, 422, "expected at most 10 for 'seconds', got 1000000000.0"),
        ("move", {"game": "3x3", "level": "elo:9999"}, 422, "a rating from elo:0 to elo:3000"),
        ("hint", {"game": "3x3", "moves": [4, 0, 2, 3, 6]}, 422, "the game is over"),
        ("trace", {"game": "3x3", "nodes": 10**9}, 422, "expected at most 5000 for 'nodes'"),
        ("trace", {"game": "3x3", "simulations": 10**6}, 422, "expected at most 1000 for 'simulations'"),
        ("learn", {"game": "3x3", "playthroughs": 10**6}, 422, "expected at most 40000 for 'playthroughs'"),
        ("trace", {"game": "40x40:5"}, 422, "expected a board of at most 100 cells"),
        ("compare", {"game": "gomoku"}, 422, "expected a board of at most 100 cells"),
        ("import", {"text": '[Game "3x3"] *\n' * 101}, 422, "expected at most 100 playthroughs"),
        ("import", {"text": '[ Game "3x3"] *\n' * 101}, 422, "expected at most 100 playthroughs"),
        ("import", {"text": "(;GaMe [4]SZ[3])" * 101}, 422, "expected at most 100 playthroughs"),
        ("import", {"text": "[Game"}, 422, "the file: line 1"),
        ("export", {"game": "3x3", "result": {"reason": "resign"}}, 422, "expected a winner"),
        ("friends/nonsense/claim", {"invite": "x"}, 404, "there is no such friend game"),
    ],
)
def test_nonsense_gets_one_clear_line(server: str, path: str, body: Any, status: int, words: str) -> None:
    got, line = refusal(server, f"/api/{path}", **body)
    assert got == status
    assert words in line
    assert "\n" not in line


def test_request_that_is_not_a_json_object_gets_an_answer_that_says_what_to_send(server: str) -> None:
    for sent in ({"data": {"game": "3x3"}}, {"json": [1]}, {}):
        answer = httpx.post(f"{server}/api/game", **sent)
        assert answer.status_code == 422
        assert answer.json()["error"].startswith("expected a JSON object")


def test_broken_json_and_lone_surrogates_are_refused_in_one_line(server: str) -> None:
    for body in (b'{"game": ', b"\xff\xfe", b'{"game": "\\ud800"}', b"[" * 100_000, b"1" * 5000, b'{"game": NaN}'):
        answer = httpx.post(f"{server}/api/game", content=body, headers={"content-type": "application/json"})
        assert 400 <= answer.status_code < 500, body[:20]
        assert "\n" not in answer.json()["error"]


def test_levels_move_legally_and_master_takes_a_win(server: str) -> None:
    for level in httpx.get(f"{server}/api/about").json()["levels"]:
        answer = post(server, "/api/move", game="connect4", moves=["d"], level=level, seconds=0.1)
        assert answer["move"] in Game("connect4").start().after("d").legal_moves
        assert answer["position"]["last"] == answer["move"]
    won = post(server, "/api/move", game="3x3", moves=[4, 0, 2, 3], level="master", seconds=0.1)
    assert won["position"]["winner"] == "X"


def test_move_and_analysis_say_that_they_are_from_the_book(server: str) -> None:
    move = post(server, "/api/move", game="connect4", level="master", seconds=0.1)
    assert (move["name"], move["book"]) == ("d1", "proven")
    assert post(server, "/api/move", game="connect4", level="easy")["book"] is None
    best = post(server, "/api/analyse", game="connect4", seconds=0.1)["lines"][0]
    assert (best["name"], best["worth"]["value"], best["source"]) == ("d1", "win", "book")


def test_engine_divides_the_time_on_its_clock(server: str) -> None:
    began = time.perf_counter()
    clock = {"control": "5s", "left": {"X": 0.5, "O": 5}}
    post(server, "/api/move", game="15x15:5", level="master", seconds=10, clock=clock)
    assert time.perf_counter() - began < 8
    for wrong, words in (
        ({"control": "soon", "left": {"X": 1, "O": 1}}, "expected a time control such as 5+3"),
        ({"control": "5s", "left": {"X": 1}}, "expected the time left of X and O"),
    ):
        status, line = refusal(server, "/api/move", game="3x3", clock=wrong)
        assert status == 422
        assert line.startswith(words)


@pytest.mark.parametrize(("plies", "moves_to_go"), [(0, 3), (1, 3), (2, 2), (5, 1), (6, 3)])
def test_engine_knows_how_many_moves_are_left_until_time_is_added(plies: int, moves_to_go: int) -> None:
    clock = {"control": "3/5", "left": {"X": 100, "O": 200}}
    request = MoveRequest.model_validate({"game": "4x4", "moves": list(range(plies)), "clock": clock})
    reading = request.find_limit(request.find_position()).clock
    assert reading == ClockReading((100, 200), (0, 0), moves_to_go)


def test_engine_thinks_as_long_as_at_the_prompt_by_default() -> None:
    request = MoveRequest.model_validate({"game": "3x3"})
    assert request.find_limit(request.find_position()) == DEFAULT_LIMIT


LIVE_REQUESTS: dict[str, dict[str, Any]] = {
    "analyse": {"game": "3x3", "moves": [0, 1], "every": True, "seconds": 5},
    "review": {"game": "3x3", "moves": [0, 1, 6, 3, 8, 4, 7], "seconds": 2},
    "solve": {"game": "3x3", "moves": [0, 1], "seconds": 10},
    "compare": {"game": "3x3", "moves": [4, 0], "depth": 2},
}


@pytest.mark.parametrize("name", [name for name, question in QUESTIONS.items() if question.is_live])
def test_live_question_has_the_same_answer_by_rest_and_by_websocket(server: str, name: str) -> None:
    async def ask() -> dict[str, Any]:
        async with open_socket(server, "/api/think") as client:
            await client.send(type=name, id=1, **LIVE_REQUESTS[name])
            while True:
                answer = await client.receive()
                assert answer["id"] == 1
                if answer["type"] not in ("queued", "progress") and answer.get("done", True):
                    return answer

    live, rest = asyncio.run(ask()), post(server, f"/api/{name}", **LIVE_REQUESTS[name])
    assert live.keys() == rest.keys() | {"id"}
    for field in ("type", "reason", "value", "labels", "position", "game"):
        assert live.get(field) == rest.get(field)


def test_hint_comes_in_steps_that_do_not_give_the_move_away(server: str) -> None:
    hint = post(server, "/api/hint", game="3x3", moves=[4, 1], seconds=0.2)
    assert hint["name"] not in hint["idea"]
    assert hint["move"] in hint["area"]
    assert len(set(hint["area"]) & set(Game("3x3").start().after(4).after(1).legal_moves)) > 1
    assert hint["move"] in [candidate["move"] for candidate in hint["candidates"]]
    assert [c["move"] for c in hint["candidates"]] == sorted(c["move"] for c in hint["candidates"])
    assert hint["worth"]["value"] == "win"
    assert hint["why"]


def test_analysis_of_every_move_proves_tic_tac_toe(server: str) -> None:
    found = post(server, "/api/analyse", game="3x3", moves=[0, 1], every=True, seconds=5)
    values = {line["name"]: line["worth"]["value"] for line in found["lines"]}
    assert len(values) == 7
    assert found["reason"] == "proven"
    assert values["a1"] == "win"
    assert all(line["pv"][0] == line["move"] for line in found["lines"])
    assert all(line["x_chance"] == line["worth"]["chance"] for line in found["lines"])


def test_review_labels_the_losing_move(server: str) -> None:
    found = post(server, "/api/review", game="3x3", moves=[0, 1, 6, 3, 8, 4, 7], seconds=1)
    assert [move["label"] for move in found["moves"]][1] == "blunder"
    assert found["moves"][1]["best_cell"] == 4
    assert len(found["graph"]) == 8
    assert found["graph"][-1]["value"] == "win"


def test_solving_proves_values_and_gives_bounds_when_time_is_up(server: str) -> None:
    found = post(server, "/api/solve", game="3x3", seconds=10)
    assert (found["value"], found["lower"], found["upper"]) == ("draw", "draw", "draw")
    won = post(server, "/api/solve", game="3x3", moves=[0, 1], seconds=10)
    assert won["value"] == "win"
    assert won["name"] == Game("3x3").format_cell(won["move"])
    hard = post(server, "/api/solve", game="5x5x5", seconds=0.2)
    assert (hard["value"], hard["upper"]) == (None, "win")

    async def watch() -> None:
        async with open_socket(server, "/api/think") as talk:
            await talk.send(type="solve", id=1, game="8x8:5", seconds=30)
            progress = await talk.receive("progress")
            assert progress["nodes"] > 0
            assert progress["share"] is None or sorted(progress["share"]) == [progress["share"][at] for at in (1, 0, 2)]
            began = time.perf_counter()
            await talk.send(type="stop", id=1)
            assert (await talk.receive("solution"))["id"] == 1
            assert time.perf_counter() - began < 20

    asyncio.run(watch())


def test_values_solved_once_are_known_to_analysis_and_hint(server: str) -> None:
    place = {"game": "7x4:4+exact", "start": "7/7/x6/7 o"}  # not solved in a moment, and not in the book
    before = post(server, "/api/analyse", **place, seconds=0.05)["lines"][0]["worth"]
    assert before["value"] is None
    solved = post(server, "/api/solve", **place, seconds=30)
    assert solved["value"] == "draw"
    assert post(server, "/api/solve", **place, seconds=30)["seconds"] == solved["seconds"]
    assert post(server, "/api/analyse", **place, seconds=0.05)["lines"][0]["worth"]["value"] == "draw"
    assert post(server, "/api/hint", **place, seconds=0.05)["worth"]["value"] == "draw"


def test_trace_is_the_documented_format_and_bounded(server: str) -> None:
    start = "xox/1o1/1x1 o"
    whole = post(server, "/api/trace", game="3x3", start=start, algorithm="alphabeta", order="center_first")
    assert whole["is_whole"]
    trace = trace_from_json(whole)
    assert trace.visited == len(whole["nodes"])
    minimax = post(server, "/api/trace", game="3x3", start=start, algorithm="minimax")
    assert whole["counts"]["visited"] < minimax["counts"]["visited"]
    cut = post(server, "/api/trace", game="3x3", algorithm="minimax", nodes=50, replay=True)
    assert (cut["is_whole"], len(cut["nodes"])) == (False, 50)
    assert "leave" not in {step["kind"] for step in cut["replay"] if step["node"] == 0}


@pytest.mark.parametrize(("algorithm", "passes"), [("mcts", 1), ("proof_number_search", 2), ("iterative_deepening", 4)])
def test_replay_tells_the_steps_of_all_passes(server: str, algorithm: str, passes: int) -> None:
    asked = {"game": "3x3", "start": "xox/1o1/1x1 o", "algorithm": algorithm, "simulations": 20}
    assert post(server, "/api/trace", **asked)["replay"] == []
    found = post(server, "/api/trace", **asked, replay=True)
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
def test_learning_curve_ends_with_the_last_playthrough(server: str, algorithm: str) -> None:
    found = post(server, "/api/learn", game="3x3+gravity", algorithm=algorithm, playthroughs=1000)
    assert [point["playthroughs"] for point in found["curve"]] == list(range(50, 1001, 50))
    assert all(point["wins"] + point["draws"] + point["losses"] == 100 for point in found["curve"])
    assert found["curve"][-1]["losses"] < found["curve"][0]["losses"]
    assert found["is_whole"]


def test_comparison_counts_fewer_nodes_with_pruning(server: str) -> None:
    found = post(server, "/api/compare", game="3x3", moves=[4, 0], seconds=2)
    nodes = {row["label"]: row["nodes"] for row in found["rows"]}
    assert nodes["minimax"] == found["tree"]["nodes"]
    assert nodes["alphabeta, row_by_row"] < nodes["minimax"]


def test_export_and_import_give_the_same_play(server: str) -> None:
    play = {"game": "3x3", "moves": ["b2", "a1"], "tags": {"X": "Ann"}, "comments": {"1": "hm"}}
    text = post(server, "/api/export", **play, result={"reason": "resign", "winner": "O"})
    assert text["filename"] == "tictactoe.ngn"
    assert parse_ngn(text["text"])[0].moves == (4, 6)
    back = post(server, "/api/import", text=text["text"])["plays"]
    assert [p["moves"] for p in back] == [[4, 6]]
    assert back[0]["outcome"]["winner"] == "O"
    assert back[0]["comments"] == {"1": "hm"}
    sgf = post(server, "/api/export", game="15x15:5", moves=["h8"], format="sgf")["text"]
    assert post(server, "/api/import", text=sgf)["plays"][0]["names"] == ["h8"]


def test_saved_games_are_listed_changed_and_deleted(server: str) -> None:
    number = post(server, "/api/games", game="3x3", moves=[4, 0], x="you", o="easy")["id"]
    address = f"{server}/api/games/{number}"
    changed = httpx.put(address, json={"game": "3x3", "moves": [4, 1, 2], "x": "you", "o": "easy"})
    assert changed.status_code == 200
    assert httpx.get(address).json()["moves"] == [4, 1, 2]
    ended = {"game": "3x3", "moves": [4, 1, 2, 3, 6], "x": "you", "o": "easy"}
    assert httpx.put(address, json=ended).status_code == 200
    listed = httpx.get(f"{server}/api/games", params={"game": "tictactoe"}).json()["games"]
    assert (listed[0]["id"], listed[0]["plies"], listed[0]["outcome"]["winner"]) == (number, 5, "X")
    assert httpx.get(f"{server}/api/games?unfinished=true").json()["games"] == []
    assert httpx.put(address, json={"game": "4x4", "moves": []}).status_code == 409
    assert httpx.put(address, json=ended).status_code == 200
    refused = httpx.put(address, json={"game": "3x3", "moves": [4, 1, 2]})
    assert refused.status_code == 409
    assert refused.json() == {"error": f"game {number} is finished and cannot be changed; save a new one"}
    assert httpx.get(address).json()["moves"] == [4, 1, 2, 3, 6]
    assert httpx.delete(address).status_code == 200
    assert httpx.get(address).status_code == 404
    assert httpx.delete(address).json() == {"error": f"there is no saved game {number}"}


def test_saved_games_keep_their_clocks(server: str) -> None:
    timed = {"game": "3x3", "x": "you", "o": "easy", "time_control": "5+3"}
    number = post(server, "/api/games", **timed, moves=[4, 0], clocks=[301.5, None])["id"]
    kept = f"{server}/api/games/{number}"
    assert httpx.put(kept, json={**timed, "moves": [4, 0, 8], "clocks": [301.5, None, 299.25]}).status_code == 200
    saved = httpx.get(kept).json()
    assert (saved["tags"]["TimeControl"], saved["clocks"]) == ("300+3", [301.5, None, 299.25])
    wrong = httpx.put(kept, json={**timed, "moves": [4, 0, 8], "clocks": [1]})
    assert (wrong.status_code, wrong.json()["error"]) == (422, "expected a clock for each of 3 moves, got 1")


def test_ends_that_only_the_page_knows_have_their_wording_with_the_game(server: str) -> None:
    forfeits = post(server, "/api/game", game="3x3")["forfeits"]
    assert [(outcome["text"], outcome["how"]) for outcome in forfeits] == [
        ("X wins by resignation", "by resignation"),
        ("O wins by resignation", "by resignation"),
        ("X wins on time", "on time"),
        ("O wins on time", "on time"),
    ]


def test_time_controls_to_choose_from_are_in_seconds(server: str) -> None:
    controls = httpx.get(f"{server}/api/about").json()["time_controls"]
    assert {"text": "5+3", "seconds": 300, "increment": 3} in controls


def test_live_analysis_streams_is_replaced_and_stopped(server: str) -> None:
    async def talk() -> None:
        async with open_socket(server, "/api/think") as talk:
            await talk.send(type="analyse", id="a", game="5x5x5", seconds=30)
            assert (await talk.receive("analysis"))["done"] is False
            await talk.send(type="analyse", id="b", game="5x5x5", moves=[0], lines=2, seconds=30)
            while (news := await talk.receive("analysis"))["id"] != "b":
                pass
            assert len(news["lines"]) == 2
            await talk.send(type="stop", id="b")
            while not (news := await talk.receive("analysis"))["done"]:
                assert news["id"] == "b"
            assert news["reason"] == "stopped"

    asyncio.run(talk())


def test_live_review_reports_progress_and_errors_name_the_question(server: str) -> None:
    async def talk() -> None:
        async with open_socket(server, "/api/think") as talk:
            await talk.send(type="review", id=7, game="4x4", moves=[0, 1, 2, 3, 4, 5], seconds=1)
            progress = await talk.receive("progress")
            assert (progress["id"], progress["of"]) == (7, 7)
            assert len((await talk.receive("review"))["moves"]) == 6
            error = await talk.ask("error", type="analyse", id=8, game="3x3", moves=[4, 4])
            assert (error["id"], error["error"]) == (8, "ply 2: b2 is taken by X")
            error = await talk.ask("error", type="dance", id=9)
            assert error["error"].startswith("expected 'analyse', 'review', 'solve', 'compare' or 'stop' for 'type'")

    asyncio.run(talk())


def test_page_is_served_compressed_and_only_when_it_has_changed(server: str) -> None:
    first = httpx.get(server)
    assert first.headers["content-type"] == "text/html; charset=utf-8"
    assert first.headers["content-encoding"] == "gzip"
    again = httpx.get(server, headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    for path in ("/../app.py", "/..%2fapp.py", "/js/%00", "/app.py", "/nothing.js", "/js"):
        assert httpx.get(server + path).status_code == 404, path


def test_huge_game_is_built_without_delaying_other_requests(server: str) -> None:
    async def race() -> tuple[float, float]:
        async with httpx.AsyncClient(base_url=server, timeout=30) as client:
            await client.get("/api/about")
            huge = asyncio.create_task(client.post("/api/game", json={"game": "2x2x2x2x2x2x2x2"}))
            slowest = 0.0
            began = time.perf_counter()
            while not huge.done():
                asked = time.perf_counter()
                assert (await client.get("/api/about")).status_code == 200
                slowest = max(slowest, time.perf_counter() - asked)
            assert (await huge).status_code == 200
            return slowest, time.perf_counter() - began

    slowest, took = asyncio.run(race())
    assert slowest < max(2.0, 0.8 * took)  # in the event loop it would have taken as long as the work


def test_command_serves_until_interrupted_and_ends_at_once(tmp_path: Path) -> None:
    environment = os.environ | {"NOUGHTS_DATA": str(tmp_path)}
    code = "from noughts.cli import main; main()"
    command = [sys.executable, "-c", code, "web", "--port", "0", "--no-open"]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        address = process.stdout.readline().strip()
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", address)

        async def interrupt_in_mid_thought() -> float:
            async with open_socket(address.rstrip("/"), "/api/think") as talk:
                await talk.send(type="analyse", id=1, game="qubic", seconds=60)
                await talk.receive("analysis")
                process.send_signal(signal.SIGINT)
                began = time.perf_counter()
                await asyncio.to_thread(process.wait, 60)
                return time.perf_counter() - began

        took = asyncio.run(interrupt_in_mid_thought())
        said = process.stderr.read()
    assert took < 30  # a second on an idle machine
    assert process.returncode == 130
    assert "Traceback" not in said


def test_port_that_is_taken_is_one_line(server: str, tmp_path: Path) -> None:
    port = server.rpartition(":")[2]
    code = "from noughts.cli import main; main()"
    environment = os.environ | {"NOUGHTS_DATA": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", code, "web", "--port", port, "--no-open"],
        env=environment, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr == f"noughts: cannot listen on 127.0.0.1:{port}: address already in use\n"


def test_missing_packages_are_named_in_one_line() -> None:
    code = "import sys; sys.modules['fastapi'] = None; from noughts.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code, "web"], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "noughts: noughts web needs more packages: pip install 'noughts[web]'\n"
