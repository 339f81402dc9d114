"""The commands that messages advise: each works when it is pasted into the shell in which noughts was started."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from noughts import Game, Side, invocation
from noughts.cli.extras import MCP_PACKAGES, WEB_PACKAGES
from noughts.cli.terminal.session import LeaveReason, Left, Session
from noughts.invocation import command_line, install_line
from noughts.match import Match, Recorder
from noughts.store import Store
from paths import ROOT


@pytest.fixture(autouse=True)
def started_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    invocation._program.cache_clear()
    monkeypatch.setenv("PATH", "/nowhere")


def make_script(folder: Path) -> Path:
    folder.mkdir(parents=True)
    script = folder / "noughts"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    return script


def test_a_program_on_the_path_is_named_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = make_script(tmp_path / "bin")
    monkeypatch.setenv("PATH", str(script.parent))
    monkeypatch.setattr(sys, "argv", [str(script)])
    assert command_line("games", "resume", 3) == "noughts games resume 3"


def test_a_link_on_the_path_is_named_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = make_script(tmp_path / "tree" / ".venv" / "bin")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "noughts").symlink_to(script)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(sys, "argv", [str(script)])
    assert command_line("games") == "noughts games"


def test_a_program_off_the_path_is_named_as_it_was_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_script(tmp_path / ".venv" / "bin")
    other = make_script(tmp_path / "other")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(other.parent))
    monkeypatch.setattr(sys, "argv", [".venv/bin/noughts"])
    assert command_line("verify", "my proof.ngp") == ".venv/bin/noughts verify 'my proof.ngp'"


def test_a_module_is_named_by_its_interpreter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", [str(Path(invocation.__file__).with_name("__main__.py"))])
    assert command_line("play") == f"{sys.executable} -m noughts play"


def test_an_interpreter_on_the_path_is_named_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: sys.executable if name == "python" else None)
    monkeypatch.setattr(sys, "argv", ["-m"])
    assert command_line("play") == "python -m noughts play"
    assert install_line("web") == "python -m pip install 'noughts[web]'"


def test_extras_are_installed_for_the_running_interpreter() -> None:
    assert install_line("full") == f"{sys.executable} -m pip install 'noughts[full]'"


def test_extras_of_a_tree_that_is_not_installed_are_installed_by_its_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(invocation, "_is_installed", lambda: False)
    tree = Path(invocation.__file__).parents[2]
    assert install_line("full") == f"{sys.executable} -m pip install '{tree}[full]'"


def test_environments_without_pip_get_the_command_of_uv(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(invocation, "find_spec", lambda name: None)
    assert install_line("web") == f"uv pip install --python {sys.executable} 'noughts[web]'"


def test_the_command_that_resumes_a_game_works_when_pasted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["-m"])
    monkeypatch.setenv("NOUGHTS_DATA", str(tmp_path))
    with Store(tmp_path / "noughts.sqlite3") as store:
        match = Match(Game("3x3").start(), dict.fromkeys(Side, "friend"))
        session = Session(match, recorder=Recorder(store, lambda _: None))
        session.start()
        match.play("b2")
        *_, left = session.leave(LeaveReason.QUIT)
    assert isinstance(left, Left)
    assert left.resume
    resumed = subprocess.run(left.resume, shell=True, input="quit\n", capture_output=True, text=True, timeout=60)
    assert resumed.returncode == 0
    assert "resumes" in resumed.stdout


@pytest.mark.parametrize(
    ("folder", "packages", "required"),
    [("mcp", MCP_PACKAGES, ()), ("web", WEB_PACKAGES, ()), ("cli/full", ("textual",), ("click", "rich"))],
)
def test_every_package_that_an_extra_brings_is_known(
    folder: str, packages: tuple[str, ...], required: tuple[str, ...]
) -> None:
    """A package that is missing is then named in a line; others would be a traceback."""
    found = set()
    for path in (ROOT / "src" / "noughts" / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
            found |= {name.partition(".")[0] for name in names}
    assert found - sys.stdlib_module_names - {"noughts", *required} <= {*packages}
