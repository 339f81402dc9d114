"""The class cup: submissions, checks, the tournament, the live page, and the reports."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from html import unescape
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import click
import pytest

from arenas import make_plan, noughts, run_plan
from cups import FAILING, FAIR, make_class
from mocks import LONG_SECONDS
from noughts.arena.check import TRIAL, Check
from noughts.arena.live_page import LivePage
from noughts.arena.runner import Run
from noughts.arena.schedule import Key, ScheduledGame
from noughts.arena.tournaments import Result, Tournaments
from noughts.arena.worker import LocalWorkers, Progress
from noughts.cli.arena_cup import cup_command
from noughts.games import Side, Termination
from noughts.invocation import install_line
from noughts.process.program import Program
from noughts.process.sandbox import NO_SANDBOX, STRANGERS, why_no_sandbox
from noughts.settings.kinds import Address
from noughts.store import Store
from noughts.teaching.cup import cup as cup_module
from noughts.teaching.cup.cup import Cup, CupSettings
from noughts.teaching.cup.losses import LossExaminer
from noughts.teaching.cup.programs import find_program
from noughts.teaching.cup.reports import write_reports
from noughts.teaching.cup.submissions import (
    CupSubmission,
    InvalidSubmission,
    copy_submission,
    digest_of,
    find_submissions,
    name_submissions,
)
from noughts.teaching.cup.time_advice import advise_time
from noughts.web.page_server import PageServer
from web_pages import CHROMIUM, browsing

BROWSER = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
HOSTILE_NAME = "</script><img src=x onerror=alert(1)>"
SECONDS = 3000 if os.environ.get("NOUGHTS_SLOW") else 240
"""Time for a cup to end, on a busy machine."""
CHOOSE = "def choose(position):\n    return position.legal_moves[0]\n"
CLASS = "class Greedy:\n    def choose(self, position, limit=None):\n        return position.legal_moves[0]\n"


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


# Submissions


def test_names_are_unique_printable_and_short() -> None:
    paths = [Path(name) for name in ("a.py", "a.js", "<b>.py", "e\x1b[2J\n.py", "\u202egnp.py", "x" * 200 + ".py")]
    names = [name for name, _ in name_submissions([*paths, Path("x" * 199 + "y.py")])]
    assert names[:3] == ["a.py", "a.js", "<b>"]
    assert len(set(names)) == len(names) == 7
    assert all(name.isprintable() and len(name) <= 40 for name in names)


def test_slugs_are_plain_file_names() -> None:
    slugs = [slug for _, slug in name_submissions([Path("../x.py"), Path("Ann  Lee.py"), Path("ß.py")])]
    assert slugs == ["01-x", "02-ann-lee", "03"]


def test_notes_and_hidden_files_are_no_submissions(tmp_path: Path) -> None:
    write(tmp_path, {"ann.py": "", "README.md": "", "notes.txt": "", ".git/config": "", "bob/main.py": "", "c.zip": ""})
    assert [path.name for path in find_submissions(tmp_path)] == ["ann.py", "bob", "c.zip"]


@pytest.mark.parametrize(
    ("files", "typed", "protocol"),
    [
        ({"ann.py": CHOOSE}, "ann.py:choose", "python"),
        ({"ann.py": CLASS}, "ann.py:Greedy", "python"),
        ({"ann.py": "from helper import choose", "main.py": CLASS}, "main.py:Greedy", "python"),
        ({"ann.py": "import sys\nfor line in sys.stdin: pass"}, "python3 ann.py", "auto"),
        ({"bot.sh": "cat", "helper.sh": ""}, "bash bot.sh", "auto"),
        ({"run": "#!/bin/sh\ncat", "other.py": ""}, "./run", "auto"),
        ({"command": "# mine\n\nsh x.sh -v\n", "x.sh": ""}, "sh x.sh -v", "auto"),
        ({"bot.toml": 'run = "sh x.sh"\nprotocol = "ugi"', "x.sh": ""}, "sh x.sh", "ugi"),
        ({"bot.toml": 'run = "x.py:choose"\nprotocol = "python"', "x.py": ""}, "x.py:choose", "python"),
        ({"project-main/src/main.py": CHOOSE}, "main.py:choose", "python"),
        ({"player": "#!/bin/sh\ncat"}, "player", "auto"),
    ],
)
def test_program_is_found_by_convention(tmp_path: Path, files: dict[str, str], typed: str, protocol: str) -> None:
    found = find_program(write(tmp_path, files), STRANGERS)
    assert (found.typed, found.protocol) == (typed, protocol)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"ann.py": "def choose(position) return 1"}, "ann.py, line 1"),
        ({"ann.py": CHOOSE + "x = " + "[" * 100_000}, "ann.py: expected at most 100,000 bytes, got more; bot.toml"),
        ({"ann.py": "a null byte: \0"}, "^ann.py: source code string cannot contain null bytes"),
        ({"ann.py": f"{CLASS}\nclass Other(Greedy):\n    def choose(self, p): pass"}, "one class with choose"),
        ({"a.py": CHOOSE, "b.py": CHOOSE}, "expected one program, or main.py"),
        ({"essay.docx": "words"}, "expected a program: a file that ends in .py"),
        ({"bot.toml": "run = 1"}, "bot.toml: run: expected a command"),
        ({"bot.toml": "run"}, "bot.toml: "),
        ({"bot.toml": 'run = "mcts:network"\nprotocol = "python"'}, "expected a player such as bot.py:choose"),
        ({"command": "master"}, "expected a command that exists here, got 'master'"),
        ({"command": "x" * 3000}, "^expected a command that exists here, got 'x"),
        ({"command": "\n"}, "expected a command"),
    ],
)
def test_author_is_told_what_to_fix(tmp_path: Path, files: dict[str, str], message: str) -> None:
    with pytest.raises(InvalidSubmission, match=message):
        find_program(write(tmp_path, files), STRANGERS)


@pytest.mark.parametrize("written", ["{key}", "../../key", "./link", "folder/../../../key"])
def test_file_outside_its_folder_that_a_submission_names_stays_as_it_is(tmp_path: Path, written: str) -> None:
    key = tmp_path / "key"
    key.write_text("#!/bin/sh\n")
    key.chmod(0o600)
    folder = write(tmp_path / "class" / "eve", {"command": written.format(key=key), "folder/x": ""})
    (folder / "link").symlink_to(key)
    with suppress(InvalidSubmission):
        find_program(folder, STRANGERS)
    assert key.stat().st_mode & 0o777 == 0o600


def test_player_in_python_is_a_file_of_the_submission(tmp_path: Path) -> None:
    (tmp_path / "neighbour.py").write_text(CHOOSE)
    folder = write(tmp_path / "eve", {"bot.toml": 'run = "../neighbour.py:choose"\nprotocol = "python"'})
    with pytest.raises(InvalidSubmission, match="expected a file of the submission"):
        find_program(folder, STRANGERS)


@pytest.mark.skipif(shutil.which("cc") is None, reason="no compiler is installed")
def test_source_is_compiled_and_its_errors_are_shown(tmp_path: Path) -> None:
    write(
        tmp_path,
        {"good/main.c": "int f(void); int main(void) { return f(); }", "good/f.c": "int f(void) { return 7; }"},
    )
    found = find_program(tmp_path / "good", STRANGERS)
    assert subprocess.run(found.run, cwd=found.folder, timeout=60, check=False).returncode == 7
    assert find_program(tmp_path / "good", STRANGERS) == found
    with pytest.raises(InvalidSubmission, match=r"could not be compiled:\n.*bad.c"):
        find_program(write(tmp_path / "bad", {"bad.c": "int main( {"}), STRANGERS)


def test_only_regular_files_are_copied(tmp_path: Path) -> None:
    source = write(tmp_path / "ann", {"main.py": CHOOSE, "lib/x.py": "", "__pycache__/x.pyc": ""})
    (source / "link").symlink_to("/etc/passwd")
    os.mkfifo(source / "pipe")
    copy_submission(source, tmp_path / "copy")
    copied = sorted(str(path.relative_to(tmp_path / "copy")) for path in (tmp_path / "copy").rglob("*"))
    assert copied == ["lib", "lib/x.py", "main.py"]
    before = digest_of(source)
    (source / "lib/x.py").write_text("changed")
    assert digest_of(source) != before


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to another user")
def test_hard_link_to_a_file_of_another_user_is_not_copied(tmp_path: Path) -> None:
    source = write(tmp_path / "ann", {"main.py": CHOOSE})
    os.chown(source, 1000, 1000)
    (tmp_path / "shadow").write_text("secret")
    os.link(tmp_path / "shadow", source / "shadow.txt")
    copy_submission(source, tmp_path / "copy")
    assert [path.name for path in (tmp_path / "copy").iterdir()] == ["main.py"]


def test_link_that_takes_the_place_of_a_file_meanwhile_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = write(tmp_path / "ann", {"main.py": CHOOSE})
    (tmp_path / "key").write_text("secret")
    status = os.stat

    def swap(name: Any, **more: Any) -> os.stat_result:
        """Report a file, and put a link in its place."""
        found = status(name, **more)
        if name == "main.py" and more.get("dir_fd") is not None:
            (source / "main.py").unlink()
            (source / "main.py").symlink_to(tmp_path / "key")
        return found

    monkeypatch.setattr("noughts.process.regular_files.os.stat", swap)
    with pytest.raises(InvalidSubmission, match="cannot be read"):
        copy_submission(source, tmp_path / "copy")
    assert list((tmp_path / "copy").iterdir()) == []


def test_file_whose_name_cannot_be_shown_is_left_out(tmp_path: Path) -> None:
    source = write(tmp_path / "ann", {"main.py": CHOOSE, "a\nb": ""})
    Path(os.fsdecode(os.fsencode(source) + b"/bot\xff.py")).write_text(CHOOSE)
    copy_submission(source, tmp_path / "copy")
    assert [path.name for path in (tmp_path / "copy").iterdir()] == ["main.py"]


def test_folders_without_end_are_refused(tmp_path: Path) -> None:
    subprocess.run(["mkdir", "-p", f"ann{100 * '/d'}"], cwd=tmp_path, check=True, timeout=60)
    try:
        with pytest.raises(InvalidSubmission, match="at most 64 folders within folders"):
            copy_submission(tmp_path / "ann", tmp_path / "copy")
    finally:
        subprocess.run(["rm", "-r", "ann"], cwd=tmp_path, check=True, timeout=60)


def test_settings_that_would_take_all_memory_are_refused(tmp_path: Path) -> None:
    bomb = ".".join("a" * 300_000) + " = 1"
    for name in ("bot.toml", "command"):
        with pytest.raises(InvalidSubmission, match="expected at most 4,000 bytes, got more"):
            find_program(write(tmp_path / name, {name: bomb}), STRANGERS)


def test_submission_cannot_take_the_name_of_a_guest() -> None:
    names = name_submissions([Path("easy (guest).py"), Path("bob.py")], ["easy (guest)"])
    assert [name for name, _ in names] == ["easy (guest) (2)", "bob"]


def test_submission_that_is_too_large_is_refused(tmp_path: Path) -> None:
    with (tmp_path / "huge.bin").open("wb") as file:
        file.truncate(65 << 20)
    with pytest.raises(InvalidSubmission, match="at most 2,000 files and 64 MB"):
        copy_submission(tmp_path / "huge.bin", tmp_path / "copy")


# A cup from beginning to end


def run_cup(data: Path, *arguments: str, code: int = 0) -> tuple[list[dict[str, Any]], str]:
    """Play a cup and return its events and its messages."""
    process = noughts(data, "arena", "cup", *arguments)
    out, err = process.communicate(timeout=SECONDS)
    assert process.returncode == code, err
    return [json.loads(line) for line in out.splitlines() if line.startswith("{")], err


def events_of(events: Sequence[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    return [event for event in events if event["event"] == name]


def test_cup_checks_plays_and_reports(tmp_path: Path) -> None:
    folder = write(
        tmp_path / "class",
        {
            "ann.sh": FAIR.format(number=0),
            "<b>bob.py": CHOOSE,
            "eve.py": "def choose(position):\n    print('no <idea>')\n    raise RuntimeError('a bug')\n",
            "dan.py": "def choose(position) return",
        },
    )
    events, _ = run_cup(tmp_path, str(folder), "--json", "--no-page", "--guest", "random", "--plies", "0", "-c", "2")
    checked = {event["name"]: event["ready"] for event in events_of(events, "checked")}
    assert checked == {"ann": True, "<b>bob": True, "eve": False, "dan": False}
    standings = events_of(events, "end")[0]
    assert {bot["name"] for bot in standings["bots"]} == {"ann", "<b>bob", "random (guest)"}
    assert standings["played"] == 6
    (reports,) = events_of(events, "reports")
    whole = Path(reports["for_class"]).read_text(encoding="utf-8")
    assert "2 of 4 submissions passed the check" in whole
    assert 'href="students/01-b-bob.html"' in whole
    pages = {Path(name).name: Path(name).read_text(encoding="utf-8") for name in reports["students"]}
    assert not any("<b>" in page.split('id="data"')[0] for page in (whole, *pages.values()))
    assert "dan.py, line 1: expected" in pages["03-dan.html"]
    assert "no &lt;idea&gt;" in pages["04-eve.html"]
    assert "noughts arena check eve.py:choose --game 3x3 --seconds 1" in pages["04-eve.html"]
    (place,) = [bot["rank"] for bot in standings["bots"] if bot["name"] == "ann"]
    assert f"place {place} of 3" in pages["02-ann.html"]


SPY = """
import json, os, socket, sys
from pathlib import Path
found = [str(path) for path in map(Path, sys.argv[1:]) if path.exists()]
found += [path.name for path in Path("..").iterdir() if path.resolve() != Path.cwd()]
found += [name for name in os.environ if "SECRET" in name]
try:
    socket.socket(socket.AF_UNIX).connect(sys.argv[1])
    found.append("socket")
except OSError:
    pass
print("spied:", *found, file=sys.stderr)
for line in sys.stdin:
    print(json.dumps({"move": json.loads(line)["legal"][0]}), flush=True)
"""


@pytest.mark.skipif(why_no_sandbox() is not None, reason="the sandbox does not work here")
def test_submission_reaches_no_socket_neighbour_secret_or_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_SECRET", "hunter2")
    with tempfile.TemporaryDirectory(dir="/dev/shm") as outside, socket.socket(socket.AF_UNIX) as server:
        server.bind(f"{outside}/s")
        server.listen()
        named = [f"{outside}/s", str(tmp_path / "class-cup" / "cup.json"), str(tmp_path / "class" / "ann.py")]
        command = f"run = {json.dumps(shlex.join(['python3', 'bot.py', *named]))}\nprotocol = 'json'"
        folder = write(tmp_path / "class", {"ann.py": CHOOSE, "eve/bot.py": SPY, "eve/bot.toml": command})
        events, _ = run_cup(tmp_path, str(folder), "--json", "--no-page", "--all", "--plies", "0")
        server.setblocking(False)
        with pytest.raises(BlockingIOError):
            server.accept()
    (eve,) = [event for event in events_of(events, "checked") if event["name"] == "eve"]
    assert eve["ready"], eve["checks"]
    with Store(tmp_path / "class-cup" / "cup.sqlite3") as store:
        assert len(Tournaments(store).list()) == 1
    program = Program(eve["run"], None, STRANGERS, tmp_path / "class-cup" / eve["folder"])
    program.start()
    program.close(LONG_SECONDS)
    assert program.stderr_tail == "spied:"


def test_cup_without_a_sandbox_says_so_in_every_report(tmp_path: Path) -> None:
    folder = tmp_path / "class"
    make_class(folder, 2, {})
    events, _ = run_cup(tmp_path, str(folder), "--json", "--no-page", "--no-sandbox", "--allow-root", "--plies", "0")
    assert NO_SANDBOX in [event["text"] for event in events_of(events, "note")]
    (reports,) = events_of(events, "reports")
    for page in (reports["for_class"], *reports["students"]):
        assert NO_SANDBOX.capitalize() in Path(page).read_text(encoding="utf-8")


def test_cup_stops_where_there_is_no_sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_class(tmp_path / "class", 2, {})
    monkeypatch.setenv("PATH", "/nowhere")
    _, err = run_cup(tmp_path, str(tmp_path / "class"), "--no-page", code=2)
    assert err.count("\n") == 1
    assert "the sandbox needs bubblewrap (bwrap), which is not installed" in err
    assert "--no-sandbox allows that" in err


def test_cup_keeps_its_submissions_and_settings_until_told_otherwise(tmp_path: Path) -> None:
    folder = tmp_path / "class"
    make_class(folder, 2, {})
    prepare(Cup(folder, tmp_path / "class-cup"), CupSettings(plies=0))
    write(folder, {"fair-00/bot.sh": "exit", "cem.py": "syntax error"})
    common = (str(folder), "--no-page", "--plies", "0")
    _, err = run_cup(tmp_path, *common, "--rounds", "2")
    assert "rounds is 1 in this cup, not 2" in err
    assert "cem.py was added after the cup began" in err
    assert "fair-00 has changed since the cup began" in err
    assert "the cup keeps the submissions and settings it began with; --again begins a new one" in err
    assert "2/2" in err
    shutil.copytree(folder / "fair-01", folder / "fair-02")
    old_page = write(tmp_path / "class-cup" / "students", {"gone.html": "<p>"}) / "gone.html"
    again, _ = run_cup(tmp_path, *common, "--again", "--json")
    ready = {event["name"]: event["ready"] for event in events_of(again, "checked")}
    assert ready == {"cem": False, "fair-00": False, "fair-01": True, "fair-02": True}
    assert not old_page.exists()
    with Store(tmp_path / "class-cup" / "cup.sqlite3") as store:
        assert [each.played for each in Tournaments(store).list()] == [2, 2]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere",), "does not exist"),
        (("none",), "expected a folder with submissions"),
        (("class", "-o", "taken"), "expected a new folder or that of a cup"),
        (("class", "-o", "class/cup"), "expected a folder outside 'class'"),
        (("class", "--game", "nonsense"), "nonsense"),
        (("class", "--rounds", "0"), "rounds: expected a whole number"),
        (("class", "--seconds", "-1"), "--seconds: expected a number"),
        (("class", "--guest", "nobody"), "expected a built-in player as a guest"),
        (("class", "--no-page"), "expected two players for a cup, got 0 submissions of 1 that passed the check"),
    ],
)
def test_impossible_cup_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: Sequence[str], message: str
) -> None:
    write(tmp_path, {"none/README.md": "", "taken/x": "", "class/a.py": "syntax error"})
    monkeypatch.chdir(tmp_path)
    with pytest.raises((click.ClickException, ValueError), match=message):
        cup_command.main([*arguments], standalone_mode=False)


def test_packages_that_the_page_lacks_are_named_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"class/a.py": "syntax error"})
    monkeypatch.delitem(sys.modules, "noughts.web.page_server")
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with pytest.raises(click.ClickException) as caught:
        cup_command.main([str(tmp_path / "class")], standalone_mode=False)
    needs = f"the live page needs more packages: {install_line('web')}; --no-page plays without it"
    assert caught.value.message == needs


def test_command_of_a_report_asks_for_the_failed_move_again(tmp_path: Path) -> None:
    source = "def choose(position):\n    return position.legal_moves[0] if position.ply < 2 else position.moves[0]\n"
    folder = write(tmp_path / "class", {"a'b.py": source})
    cup = Cup(folder, tmp_path / "cup")
    prepare(cup, CupSettings(guests=("random",), plies=0))
    with Store(cup.store_file) as store:
        number, plan = cup.tournament(Tournaments(store))
        run = Run(Tournaments(store), number, plan)
        run.play(LocalWorkers(plan, 1))
        html = write_reports(cup.submissions, run, cup.home)[1].read_text(encoding="utf-8")
    assert "an illegal move" in html
    command = re.search("<summary>ask it again</summary><pre[^>]*>(.*?)</pre>", html, re.DOTALL)
    assert command is not None
    line = unescape(command[1]).replace("python3", sys.executable, 1)
    done = subprocess.run(line, shell=True, cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    assert "an illegal move" in done.stderr


LAST = "def choose(position):\n    return position.legal_moves[-1]\n"


def play_cup(folder: Path, home: Path, settings: CupSettings) -> dict[str, str]:
    """Play a cup whose submissions count as checked, and return the pages of the students by their names."""
    cup = Cup(folder, home)
    prepare(cup, settings)
    with Store(cup.store_file) as store:
        number, plan = cup.tournament(Tournaments(store))
        run = Run(Tournaments(store), number, plan)
        run.play(LocalWorkers(plan, 1))
        pages = write_reports(cup.submissions, run, cup.home)[1:]
    return {page.stem[3:]: page.read_text(encoding="utf-8") for page in pages}


def test_page_of_a_student_marks_the_move_that_lost_with_its_refutation(tmp_path: Path) -> None:
    folder = write(tmp_path / "class", {"first.py": CHOOSE, "last.py": LAST})
    losses = play_cup(folder, tmp_path / "cup", CupSettings(plies=0))["last"].split('class="losses"')[1]
    # X threatens c3 with a3 and b3; O, who would win with c3, plays b1.
    assert "after a3 c1 b3 b1 c3." in losses
    before = "Before it the game was won, and c3 would have kept that."
    assert f"Move 4, b1, lost.</strong> {before} X wins with c3." in losses
    assert "<desc>X: a3, b3. O: b1, c1. Last move: b1.</desc>" in losses


def test_loss_of_the_opening_blames_no_move_and_time_is_bounded() -> None:
    plan = CupSettings().plan([{"run": "random", "name": "a"}, {"run": "random", "name": "b"}], Path(), "cup")
    moves = [plan.game.start().parse_move(name) for name in ("a3", "c1", "c3", "b3", "a1", "a2", "b2")]
    result = Result(Key(0, 0, 0), "a", "b", None, tuple(moves), 2, (), Side.X, Termination.LINE, (1, 0))
    assert "It had lost before its first move" in LossExaminer().html(plan, result, Side.O)
    assert "Move 2, c1, lost." in LossExaminer().html(plan, replace(result, opening=0), Side.O)
    assert "the time for it was used up" in LossExaminer(seconds=-1).html(plan, result, Side.O)


# The time limit


def late(name: str, seconds: float | None) -> CupSubmission:
    """A submission that missed a deadline, and took some seconds in its trial."""
    checks = (
        Check("tictactoe: moves first", False, "time: no answer within 2 s"),
        Check(f"tictactoe: {TRIAL}", True, is_note=True, trial_seconds=seconds),
    )
    return CupSubmission(name, name, name, "", checks=checks)


READY = CupSubmission("ready", "ready", "ready", "", checks=(Check("starts", True),))


@pytest.mark.parametrize(
    ("times", "seconds", "text"),
    [
        ([4.1, 5.0, 3.0], 8, "3 submissions missed the limit of 2 s; --seconds 8 would do for all of them"),
        ([2.2, None], 5, "--seconds 5 would do for 1 of them: the first move took up to 2.2 s; no answer"),
        ([0.1], 3, "1 submission missed the limit of 2 s; --seconds 3 would do for it"),
        ([None], None, "1 submission missed the limit of 2 s; no answer in a trial of more time: bot0"),
        ([50.0], 76, "--seconds 76 would do"),
    ],
)
def test_limit_is_advised_from_the_trials(times: list[float | None], seconds: float | None, text: str) -> None:
    advice = advise_time([READY, *(late(f"bot{number}", each) for number, each in enumerate(times))], 2)
    assert advice is not None
    assert advice.seconds == seconds
    assert text in str(advice)


def test_nothing_is_advised_if_nobody_was_late() -> None:
    assert advise_time([READY, replace(READY, name="other", checks=(Check("starts", False),))], 2) is None


SLOW = "import time\n\n\ndef choose(position):\n    time.sleep(0.8)\n    return position.legal_moves[0]\n"


def test_cup_says_which_limit_would_do_for_a_slow_submission(tmp_path: Path) -> None:
    folder = write(tmp_path / "class", {"slow.py": SLOW})
    guests = ("--guest", "random", "--guest", "beginner")
    options = (*guests, "--seconds", "0.3", "--startup", "20", "--plies", "0", "--no-page", "--json")
    events, _ = run_cup(tmp_path, str(folder), *options)
    (advice,) = events_of(events, "advice")
    assert (advice["limit"], advice["late"], advice["never"]) == (0.3, ["slow"], [])
    assert 0.8 <= advice["slowest"] < advice["seconds"]
    assert f"--seconds {advice['seconds']:g} would do" in advice["text"]
    page = (tmp_path / "class-cup" / "students" / "01-slow.html").read_text(encoding="utf-8")
    assert "moves first with more time" in page
    assert advice["text"] in (tmp_path / "class-cup" / "index.html").read_text(encoding="utf-8")


# The live page


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """A finished tournament in which a name is markup."""
    folder = tmp_path_factory.mktemp("played")
    with Store(folder / "noughts.sqlite3") as store:
        yield run_plan(store, make_plan(folder, {"name": HOSTILE_NAME, "run": "random"}, "easy", "beginner"))


@contextmanager
def serving(run: Run, port: int = 0, phase: str = "playing") -> Iterator[tuple[LivePage, str]]:
    """A live page in the middle of a tournament, with one playthrough in progress."""
    page = LivePage("cup <i>", run.plan)
    server = PageServer(page.answer, Address("127.0.0.1", port))
    page.follow(lambda: [Progress(ScheduledGame(Key(0, 0, 0), 0, 1), None, (4, 0, 8))])
    page.show_submissions([(HOSTILE_NAME, "not ready")])
    if phase == "playing":
        page.begin(run)
    try:
        yield page, f"http://127.0.0.1:{server.port}/"
    finally:
        server.close()


def ask(url: str, path: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
    connection = HTTPConnection(url.split("/")[2], timeout=30)
    try:
        connection.request(method, path, headers=headers)
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()
    finally:
        connection.close()


def test_page_can_only_be_read_and_only_where_it_is_shown(played: Run) -> None:
    with serving(played) as (_, url):
        status, headers, body = ask(url, "/")
        assert status == 200
        assert b"<i>" not in body
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'")
        assert "script-src 'sha256-" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert ask(url, "/../cup.json")[0] == ask(url, "/students/01.html")[0] == 404
        assert ask(url, "/", Host="evil.example")[0] == 403
        assert ask(url, "/", "POST")[0] == ask(url, "/state.json", "DELETE")[0] == 405
        assert ask(url, "/", "HEAD")[2] == b""


def test_state_has_the_standings_the_boards_and_new_playthroughs(played: Run) -> None:
    with serving(played) as (page, url):
        state = json.loads(ask(url, "/state.json")[2])
        assert (state["phase"], state["done"], state["total"], state["after"]) == ("playing", 6, 6, 0)
        assert len(state["plays"]) == 6
        assert sum(row["played"] for row in state["standings"]) == 12
        assert state["boards"][0]["m"] == "4 0 8"
        later = json.loads(ask(url, f"/state.json?run={state['run']}&after=4")[2])
        assert later["plays"] == state["plays"][4:]
        for nonsense in ("after=x", f"after=2&run={'a' * 32}", "after=-1", f"after=9999999999&run={state['run']}"):
            assert json.loads(ask(url, f"/state.json?{nonsense}")[2])["after"] == 0
        page.end(played)
        assert json.loads(ask(url, "/state.json")[2])["phase"] == "finished"


def test_playthroughs_of_an_answer_are_bounded(played: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.arena.live_page.MAX_PLAYS", 4)
    with serving(played) as (_, url):
        state = json.loads(ask(url, "/state.json")[2])
        assert (len(state["plays"]), state["played"]) == (4, 6)


def test_open_connections_are_bounded(played: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.web.page_server.MAX_CONNECTIONS", 4)
    with serving(played) as (_, url), ExitStack() as opened:
        address = "127.0.0.1", int(url.split(":")[2].strip("/"))
        first, *_, last = [opened.enter_context(socket.create_connection(address, timeout=30)) for _ in range(6)]
        with suppress(ConnectionResetError):
            assert last.recv(1) == b""
        first.settimeout(0.1)
        with pytest.raises(TimeoutError):
            first.recv(1)


class ProgressWatcher:
    """Collects the playthroughs in progress."""

    def __init__(self, workers: LocalWorkers) -> None:
        self.workers = workers
        self.seen: list[Progress] = []

    def begin(self, run: Run) -> None:
        pass

    def on_result(self, run: Run, result: Result) -> None:
        pass

    def tick(self, run: Run) -> None:
        self.seen += self.workers.progress

    def end(self, run: Run) -> None:
        pass


def test_workers_tell_what_they_are_playing(tmp_path: Path) -> None:
    plan = make_plan(tmp_path, "random", "easy")
    with Store(tmp_path / "noughts.sqlite3") as store:
        run = Run(Tournaments(store), Tournaments(store).add(plan), plan)
        workers = LocalWorkers(plan, 1, reports_moves=True)
        watcher = ProgressWatcher(workers)
        run.play(workers, [watcher])
    assert watcher.seen
    for each in watcher.seen:
        assert run.results[each.task.key].moves[: len(each.moves)] == each.moves


@BROWSER
def test_browser_shows_the_cup_and_finds_it_again_after_a_restart(played: Run) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    with browsing() as browser:
        page = browser.new_page(viewport={"width": 390, "height": 800}, color_scheme="dark", reduced_motion="reduce")
        page.set_default_timeout(60_000)
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text) if "Security Policy" in message.text else None)
        with serving(played, phase="checking") as (live, url):
            page.goto(url)
            page.wait_for_selector("text=checking the submissions: 1 of 1")
            assert page.inner_text("#submissions") == f"{HOSTILE_NAME} not ready"
            live.begin(played)
            page.wait_for_selector("text=playing: 6 of 6")
            assert page.locator("#boards .noughts-x").count() == 2
            assert HOSTILE_NAME in page.inner_text("#standings")
            page.click("#standings button:has-text('easy')")
            assert page.inner_text("#count") == "4 of 6 playthroughs"
            page.locator("#plays button").first.click()
            page.keyboard.press("ArrowRight")
            assert "move" in page.inner_text("#status")
            assert page.evaluate("document.documentElement.scrollWidth") <= 390
            violations = axe.Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa"]}).response["violations"]
            assert [each["id"] for each in violations] == []
        page.wait_for_selector("text=the tournament does not answer")
        with serving(played, port=int(url.rsplit(":", 1)[1].strip("/"))) as (live, _):
            page.wait_for_selector("text=playing: 6 of 6")
            live.end(played)
            page.wait_for_selector("text=is first")
            assert page.locator("#plays tbody tr").count() == 6
        assert errors == []


# Interruptions


def prepare(cup: Cup, settings: CupSettings) -> None:
    """Begin a cup whose submissions count as checked."""

    def pass_all(submissions: Iterable[CupSubmission], home: Path, *_: Any, **__: Any) -> Iterator[CupSubmission]:
        for each in submissions:
            program = find_program(home / each.folder, STRANGERS)
            checks = (Check("passed", True),)
            yield replace(each, run=program.run, typed=program.typed, protocol=program.protocol, checks=checks)

    with pytest.MonkeyPatch.context() as patch, cup.lock():
        patch.setattr(cup_module, "check_submissions", pass_all)
        cup.begin(settings)
        cup.check(1, lambda submission: None)


def table_of(home: Path) -> list[tuple[Any, ...]]:
    """The moves and the winners of all playthroughs of a cup."""
    with Store(home / "cup.sqlite3") as store:
        results = Tournaments(store).results(1)
        return [(result.key, result.x, result.o, result.moves, result.winner) for result in results]


def kill_after(process: subprocess.Popen[str], number: int, event: str = "played") -> None:
    """Kill a cup with SIGKILL after a number of events."""
    assert process.stdout is not None
    for line in process.stdout:
        number -= json.loads(line)["event"] == event
        if number == 0:
            break
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=SECONDS)


def compare_killed_and_undisturbed(folder: Path, tmp_path: Path, arguments: Sequence[str], kills: Sequence[int]) -> int:
    """Play a prepared cup twice, once killed and resumed; return the number of playthroughs."""
    shutil.copytree(tmp_path / "killed", tmp_path / "whole")
    for playthroughs in kills:
        kill_after(
            noughts(tmp_path, "arena", "cup", str(folder), "-o", str(tmp_path / "killed"), *arguments), playthroughs
        )
    events, _ = run_cup(tmp_path, str(folder), "-o", str(tmp_path / "killed"), *arguments)
    run_cup(tmp_path, str(folder), "-o", str(tmp_path / "whole"), *arguments)
    assert events_of(events, "begin")[0]["played"] >= sum(kills)
    assert table_of(tmp_path / "killed") == table_of(tmp_path / "whole")
    return len(table_of(tmp_path / "whole"))


def test_cup_killed_and_resumed_ends_with_the_table_of_an_undisturbed_one(tmp_path: Path) -> None:
    make_class(tmp_path / "class", 4, FAILING)
    settings = CupSettings(format="knockout", seconds=4, startup=1, memory_mb=64, plies=0)
    prepare(Cup(tmp_path / "class", tmp_path / "killed"), settings)
    arguments = ("--json", "-c", "4", "--format", "knockout", "--seconds", "4", "--startup", "1")
    played = compare_killed_and_undisturbed(
        tmp_path / "class", tmp_path, (*arguments, "--memory", "64", "--plies", "0", "--no-page"), [5]
    )
    assert played >= 2 * 7
    losers = {row[1] if str(row[4]) == "O" else row[2] for row in table_of(tmp_path / "whole")}
    assert losers >= set(FAILING)


@pytest.mark.slow
def test_round_robin_of_thirty_with_real_checks_survives_kills(tmp_path: Path) -> None:
    """Killed in the middle of the checks and twice in the tournament. An attack and a swarm are among the hostile."""
    make_class(tmp_path / "class", 25, {**FAILING, "hang": "hang", "hog": "swarm", "illegal": "kill-both-supervisors"})
    arguments = ("--json", "--all", "--seconds", "2", "--startup", "1", "-c", "2", "--plies", "0")
    killed = noughts(tmp_path, "arena", "cup", str(tmp_path / "class"), "-o", str(tmp_path / "killed"), *arguments)
    kill_after(killed, 12, "checked")
    killed = noughts(tmp_path, "arena", "cup", str(tmp_path / "class"), "-o", str(tmp_path / "killed"), *arguments)
    kill_after(killed, 30 - 12, "checked")
    assert compare_killed_and_undisturbed(tmp_path / "class", tmp_path, arguments, [200, 200]) == 30 * 29
