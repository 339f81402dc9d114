"""The commands of the arena, as typed."""

from __future__ import annotations

import json
import re
import shutil
import signal
import sys
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from arenas import noughts, results_in
from mocks import command, nothing_left
from noughts import load_all
from noughts.arena.check import check_bot
from noughts.cli.arena_output import fit_columns
from noughts.players.registry import PROBED
from paths import ROOT
from terminals import Process, Result, Terminal, in_process
from waiting import wait_until


def arena(data: Path, *arguments: str) -> Result:
    return in_process(data, "arena", *arguments)


QUICK = ("--bot", "random", "--bot", "insane", "--game", "3x3")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    """A data folder with a finished tournament, and the output of its run."""
    data = tmp_path_factory.mktemp("played")
    return data, arena(data, "run", *QUICK, "--rounds", "2")


def test_run_prints_the_table_on_stdout_and_each_result_on_stderr(played: tuple[Path, Result]) -> None:
    _, found = played
    assert found.returncode == 0
    lines = found.stdout.splitlines()
    assert lines[0].split()[:6] == ["#", "bot", "score", "played", "won", "drawn"]
    assert lines[1].split()[1] == "insane"
    assert "the side that moves first scores" in found.stdout
    assert len(found.stderr.splitlines()) == 1 + 4
    assert "4/4" in found.stderr


def test_json_events_are_one_object_per_line(tmp_path: Path) -> None:
    found = arena(tmp_path, "run", *QUICK, "--rounds", "2", "--json")
    events = [json.loads(line) for line in found.stdout.splitlines()]
    assert [event["event"] for event in events] == ["begin", *["played"] * 4, "end"]
    assert [event["done"] for event in events[1:-1]] == [1, 2, 3, 4]
    assert events[1]["moves"][0].isalnum()
    assert events[-1]["bots"][0]["name"] == "insane"
    assert set(events[-1]["superiority"]["random"]) == {"insane"}
    assert found.stderr == ""


@pytest.mark.parametrize(
    ("name", "said"), [("cup.pdf", "expected a file name that ends in"), ("no/cup.html", "cannot write ")]
)
def test_report_that_cannot_be_written_is_refused_before_anything_is_played(
    tmp_path: Path, name: str, said: str
) -> None:
    found = arena(tmp_path, "run", *QUICK, "--report", str(tmp_path / name))
    assert found.returncode == 2
    assert said in found.stderr
    assert not (tmp_path / "noughts.sqlite3").exists()


def test_sequential_test_whose_output_is_closed_accepts_nothing(tmp_path: Path) -> None:
    words = ("sprt", "a=random", "b=random", "--game", "3x3", "--json")
    process = noughts(tmp_path, "arena", *words)
    assert process.stdout is not None
    assert process.stderr is not None
    assert json.loads(process.stdout.readline())["event"] == "begin"
    process.stdout.close()
    with process.stderr:
        assert "noughts arena resume 1 plays the rest" in process.stderr.read()
    assert process.wait(60) == 3


def test_check_shows_the_exchange_with_a_bot_that_speaks_no_protocol(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("noughts.players.registry.PROBE_SECONDS", 1.0)
    script = tmp_path / "bot.py"
    script.write_text(
        "import sys\nprint('who are you?', file=sys.stderr)\nfor line in sys.stdin: print('b2 maybe', flush=True)\n"
    )
    check, *others = check_bot(f"{sys.executable} {script}", [])
    assert not check.passed
    assert not others
    assert check.exchange[0].startswith('> {"game": "3x3"')
    assert check.exchange[-1] == "< b2 maybe"
    assert "who are you?" in check.stderr


@pytest.mark.parametrize(
    ("way", "said"),
    [
        ("crash-at-start", ["exit code 3", "cannot find my opening book"]),
        ("nowhere", ["speaks json, but failed", "got 'z99'"]),
        ("number-for-a-move", ["speaks json, but failed", "expected an answer such as"]),
        ("segfault-at-once", ["SIGSEGV"]),
        ("complain", ["AttributeError", "exit code 1"]),
    ],
)
def test_check_says_how_the_bot_failed_in_json(way: str, said: list[str]) -> None:
    with nothing_left():
        check, *others = check_bot(command(way), [])
    assert not check.passed
    assert not others
    for text in said:
        assert text in check.detail
    assert "JSONDecodeError" not in check.detail + check.stderr


def test_check_that_takes_long_says_what_it_tries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.players.registry.PROBE_SECONDS", 0.9)
    monkeypatch.setattr("noughts.players.registry.SLOW_SECONDS", 0.3)
    found = arena(tmp_path, "check", command("deaf"), "--startup", "0")
    assert found.returncode == 1
    tried = [f"no answer in {protocol}; trying the next protocol ..." for protocol in PROBED]
    assert len(found.stderr.splitlines()) == 4
    assert {*found.stderr.splitlines()} < {*tried}
    assert "no answer within 0.9 s" in found.stdout


def test_check_refuses_an_unknown_protocol_at_once(tmp_path: Path) -> None:
    found = arena(tmp_path, "check", "cat", "--protocol", "telepathy")
    assert (found.returncode, found.stdout) == (2, "")
    assert "expected a protocol of json" in found.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("arena", "run", "--game", "3x3", "--bot", "nobodyx", "--bot", "random"),
        ("arena", "check", "nobodyx"),
        ("play", "3x3", "--o", "nobodyx"),
    ],
)
def test_word_that_names_no_player_is_refused_everywhere(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    found = in_process(tmp_path, *arguments)
    assert (found.returncode, found.stdout) == (2, "")
    assert (
        f"unknown player 'nobodyx'; choose {'you, friend, ' if arguments[0] == 'play' else ''}random, beginner"
        in found.stderr
    )


def test_flags_override_a_file(tmp_path: Path) -> None:
    cup = tmp_path / "cup.toml"
    cup.write_text('game = "3x3"\nrounds = 50\nbots = [{ run = "random" }, { run = "easy" }]\n')
    found = arena(tmp_path, "run", str(cup), "--rounds", "1", "--game", "4x4", "--json")
    assert found.returncode == 0
    begin = json.loads(found.stdout.splitlines()[0])
    assert (begin["total"], begin["plan"]["game"], begin["plan"]["name"]) == (2, "4x4", "cup")


def test_flags_for_programs_and_openings_override_a_file(tmp_path: Path) -> None:
    (tmp_path / "openings.txt").write_text("a1 b2\n")
    cup = tmp_path / "cup.toml"
    cup.write_text(
        'game = "3x3"\nopenings = { file = "openings.txt" }\nbots = [{ run = "random" }, { name = "mock", '
        f'run = "{command("good")}", protocol = "ugi" }}]\n'
    )
    found = arena(tmp_path, "run", str(cup), "--plies", "1", "--protocol", "json", "--json")
    assert found.returncode == 0, found.stderr
    begin, *played, end = map(json.loads, found.stdout.splitlines())
    assert {each["opening"] for each in played} == {1}
    assert begin["plan"]["entrants"][1]["protocol"] == "json"
    assert end["bots"][0]["failures"] == end["bots"][1]["failures"] == {}
    both = arena(tmp_path, "run", *QUICK, "--openings", str(tmp_path / "openings.txt"), "--plies", "1")
    assert both.returncode == 2
    assert "openings.plies: expected either a file or random plies, got both" in both.stderr


def test_every_mistake_of_a_file_is_a_line_and_the_exit_code_is_2(tmp_path: Path) -> None:
    cup = tmp_path / "cup.toml"
    cup.write_text('game = "9"\nrounds = "x"\nbots = []\n')
    found = arena(tmp_path, "run", str(cup))
    assert found.returncode == 2
    lines = found.stderr.splitlines()
    assert len(lines) == 3
    assert all(line.startswith(f"noughts: {cup}: ") for line in lines)
    assert not (tmp_path / "noughts.sqlite3").exists()


@pytest.mark.parametrize("flag", ["rounds", "seconds", "nodes", "depth"])
def test_flag_of_zero_is_a_mistake_and_not_ignored(tmp_path: Path, flag: str) -> None:
    found = arena(tmp_path, "run", *QUICK, f"--{flag}", "0")
    assert found.returncode == 2
    assert re.fullmatch(rf"noughts: (limit\.)?{flag}: expected a .*number from .*, got 0(\.0)?\n", found.stderr)


def test_flags_with_an_invalid_file_give_no_traceback(tmp_path: Path) -> None:
    cup = tmp_path / "cup.toml"
    cup.write_text('game = "3x3"\nlimit = 3\nbots = [{ run = "random" }, { run = "easy" }]\n')
    found = arena(tmp_path, "run", str(cup), "--seconds", "1")
    assert (found.returncode, found.stderr) == (2, f"noughts: {cup}: limit: expected a table, got 3\n")


def test_tournaments_are_listed_shown_reported_and_deleted(played: tuple[Path, Result], tmp_path: Path) -> None:
    shutil.copytree(played[0], tmp_path / "data")
    data = tmp_path / "data"
    assert in_process(data, "arena", "list", columns=120).stdout.splitlines()[1].split()[3:5] == ["finished", "4"]
    assert "state finished, played 4, game Tic-tac-toe (3x3)," in arena(data, "list").stdout
    assert json.loads(arena(data, "list", "--json").stdout)[0]["played"] == 4
    shown = json.loads(arena(data, "show", "1", "--json").stdout)
    assert shown["played"] == 4
    assert "insane" in arena(data, "show", "1").stdout
    plays, page = tmp_path / "plays.ngn", str(tmp_path / "cup.html")
    assert arena(data, "report", "1", "-o", str(plays)).returncode == 0
    assert len(load_all(plays)) == 4
    written = json.loads(arena(data, "report", "1", "-o", page, "--json").stdout)
    assert written == {"tournament": 1, "playthroughs": 4, "file": page}
    assert json.loads(arena(data, "delete", "1", "--yes", "--json").stdout) == {"deleted": 1}
    assert arena(data, "show", "1").returncode == 2
    assert arena(data, "list").stderr == "no tournaments yet\n"


def test_finished_tournament_that_is_resumed_shows_its_table_again(played: tuple[Path, Result]) -> None:
    data, first = played
    again = arena(data, "resume", "1")
    assert again.stdout == first.stdout
    assert "4 already played" in again.stderr
    assert arena(data, "resume").returncode == 2


def test_changed_file_is_noticed_when_its_tournament_is_resumed(tmp_path: Path) -> None:
    cup = tmp_path / "cup.toml"
    (tmp_path / "bot.py").write_text("def choose(position):\n    return position.legal_moves[0]\n")
    cup.write_text('game = "3x3"\nbots = [{ run = "random" }, { run = "bot.py:choose" }]\n')
    assert "forfeit" not in arena(tmp_path, "run", str(cup)).stderr
    assert [result[-1] for result in results_in(tmp_path / "noughts.sqlite3")] == [None, None]
    assert "has changed" not in arena(tmp_path, "resume", str(cup)).stderr
    cup.write_text('game = "4x4"\nbots = [{ run = "random" }, { run = "easy" }]\n')
    assert "has changed; tournament 1 continues" in arena(tmp_path, "resume", str(cup)).stderr


@pytest.mark.parametrize(
    ("first", "second", "pairs", "code", "said"),
    [
        ("insane", "random", 60, 0, "H1 accepted: insane looks at least 100 Elo stronger than random (rather than 0)"),
        ("random", "insane", 60, 1, "H0 accepted: random looks at most 0 Elo stronger than insane (rather than "),
        ("a=random", "b=random", 2, 3, "undecided"),
    ],
)
def test_sequential_test_says_what_it_accepted_and_so_does_its_exit_code(
    tmp_path: Path, first: str, second: str, pairs: int, code: int, said: str
) -> None:
    found = arena(tmp_path, "sprt", first, second, "--game", "3x3", "--elo1", "100", "--pairs", str(pairs))
    assert found.returncode == code
    assert said in found.stdout
    begin, first, *_, last = found.stderr.splitlines()
    assert begin.endswith(f"at most {2 * pairs} games")
    for line in (first, last):
        assert re.search(r"log-likelihood ratio [+-]\d+\.\d\d, ends at -2\.94 or \+2\.94$", line)
    again = arena(tmp_path, "resume", "1")
    assert (again.returncode, again.stdout) == (code, found.stdout)


def test_live_table_shows_progress_on_a_terminal(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "arena", "run", *QUICK, "--rounds", "30", columns=100)
    terminal.wait_for("/60")
    assert terminal.end() == 0
    assert "elapsed," in terminal.text
    assert "the side that moves first scores" in terminal.text


@pytest.mark.parametrize("width", [30, 40, 60, 84, 200])
def test_live_table_fits_narrow_terminals_and_keeps_what_matters(width: int) -> None:
    row = ("1", "a name that is quite long", "100½", "200", "90", "20", "90", "+351", "94", "97%", "0", "0.003")
    sizes = fit_columns([row], width)
    assert {"#", "bot", "score", "won", "lost"} <= sizes.keys()
    assert sizes["bot"] >= 10
    assert sum(sizes.values()) + 2 * (len(sizes) - 1) <= max(width, 40)
    if width == 200:
        assert (len(sizes), sizes["bot"]) == (12, len(row[1]))


# Is this bot ready?


def test_good_bot_is_ready(tmp_path: Path) -> None:
    with nothing_left():
        found = arena(tmp_path, "check", command("good"), "--protocol", "json", "--game", "3x3", "--game", "ultimate:3")
    assert found.returncode == 0, found.stdout
    assert "ready: " in found.stdout.splitlines()[-1]
    assert "ultimate: plays to the end as O" in found.stdout
    assert "one legal move" in found.stdout


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots that do not exit when told to are killed soon."""
    monkeypatch.setattr("noughts.arena.check.QUIT_SECONDS", 0.5)


@pytest.mark.parametrize(
    ("way", "check", "said"),
    [
        ("crash-in-the-middle", "plays to the end", "crash: the program ended with exit code 1"),
        ("illegal", "moves second", "moves second: an illegal move"),
        ("ignore-signals", "exits when told to", "had to be killed"),
    ],
)
def test_failed_check_of_a_bad_bot_is_shown_with_its_exchange(way: str, check: str, said: str, impatient: None) -> None:
    with nothing_left():
        found = list(check_bot(command(way), ["3x3"], "json", seconds=3.0, startup=1))
    failed = [each for each in found if not each.passed and check in each.name]
    assert failed, [each.name for each in found if not each.passed]
    assert said in f"{failed[0].name}: {failed[0].detail}"
    if "illegal" in said:
        assert any(line.startswith("> {") for line in failed[0].exchange)


def test_bot_that_hangs_is_given_up_after_three_checks(impatient: None) -> None:
    found = list(check_bot(command("hang"), ["3x3"], "json", seconds=0.1, startup=0.2))
    late = [check for check in found if check.detail.startswith("time: no answer within 0.1 s")]
    assert len(late) == 3
    assert late[0].exchange[0].startswith("> {")
    assert sum("skipped" in check.detail for check in found) > 5


def test_failed_check_exits_with_1_and_json_has_the_exchange(tmp_path: Path, impatient: None) -> None:
    found = arena(
        tmp_path, "check", command("garbage"), "--protocol", "json", "--seconds", "0.2", "--startup", "1", "--json"
    )
    assert found.returncode == 1
    failed = next(check for check in json.loads(found.stdout) if check["exchange"])
    assert failed["detail"].startswith("garbage: expected an answer")
    assert failed["exchange"][-1] == "< I think the centre is nice"


def test_command_that_does_not_exist_is_not_ready(tmp_path: Path) -> None:
    found = arena(tmp_path, "check", "/nowhere/bot")
    assert found.returncode == 1
    assert "FAIL  speaks a protocol" in found.stdout


def test_bot_that_takes_no_wins_is_ready_with_a_note() -> None:
    checks = list(check_bot(command("good"), ["3x3"], "json"))
    notes = [check for check in checks if check.is_note]
    assert [check.name for check in notes] == ["tictactoe: has a win to take", "tictactoe: has a threat to block"]
    assert all("; better was" in check.detail for check in notes)


def test_our_own_engine_is_ready() -> None:
    engine = f"{sys.executable} -c 'from noughts.cli import main; main()' engine"
    with nothing_left():
        checks = list(check_bot(engine, ["3x3", "3x3x3"], "ugi", seconds=10))
    assert [check.name for check in checks if not check.passed] == []
    assert not any("; better was" in check.detail for check in checks)


def test_competition_of_the_examples_is_played(tmp_path: Path) -> None:
    cup = ROOT / "examples" / "cup.toml"
    with nothing_left():
        found = arena(tmp_path, "run", str(cup), "--rounds", "1", "--json")
    assert found.returncode == 0, found.stderr
    end = json.loads(found.stdout.splitlines()[-1])
    assert end["played"] == 6
    assert end["endings"].keys() <= {"line", "count"}
    points = [event["points"] for event in map(json.loads, found.stdout.splitlines()) if event["event"] == "played"]
    assert sum(map(sum, points)) == sum(bot["score"] for bot in end["bots"])
    assert all(pair == [16, 0] or pair == [0, 16] or sum(pair) <= 16 for pair in points)


def test_a_tournament_is_shown_live_until_it_is_interrupted(tmp_path: Path) -> None:
    pytest.importorskip("uvicorn")
    with Process(tmp_path, "arena", "run", *QUICK, "--rounds", "1", "--page", "--stay", "--json") as process:
        url = json.loads(process.stdout.readline())["url"]
        with closing(HTTPConnection(url.split("/")[2], timeout=60)) as connection:

            def state() -> dict[str, Any]:
                connection.request("GET", "/state.json")
                found: dict[str, Any] = json.loads(connection.getresponse().read())
                return found

            wait_until(lambda: state()["phase"] == "finished")
            assert [row["played"] for row in state()["standings"]] == [2, 2]
            assert state()["submissions"] == []
        assert "the page stays until Ctrl-C" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0


def test_address_of_the_page_that_cannot_be_used_is_one_line(tmp_path: Path) -> None:
    pytest.importorskip("uvicorn")
    found = arena(tmp_path, "run", *QUICK, "--page", "--host", "192.0.2.1")
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.startswith("noughts: cannot serve the page on 192.0.2.1:0: ")
    assert "no tournaments yet" in arena(tmp_path, "list").stderr
