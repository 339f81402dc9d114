"""Autograders for Gradescope, Otter-Grader and others are written, and grade as the grader does."""

from __future__ import annotations

import csv
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from base64 import b64decode, urlsafe_b64encode
from collections.abc import Callable
from html import unescape
from importlib.metadata import distribution
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from click.testing import CliRunner, Result

import noughts as no
from noughts import _core
from noughts.cli.main import group
from noughts.teaching import autograder
from noughts.teaching.autograder import TARGETS, AutograderSettings, check, share_points, write_autograder
from noughts.teaching.autograder.exercises import heuristic
from noughts.teaching.autograder.gradescope import main as gradescope_main
from noughts.teaching.autograder.notebooks import load_exercise
from noughts.teaching.autograder.running import grade_folder
from noughts.teaching.autograder.wheels import Wheels
from noughts.teaching.grading import TASKS
from student_programs import RIGHT_PROGRAMS, grade_program

SECONDS = 200
"""For one autograder on a busy machine."""
INSTALL_SECONDS = 1800
EXERCISES = Path(autograder.__file__).parent / "exercises"
RIGHT = (EXERCISES / "heuristic.py").read_text()
WRONG = "def evaluate(position):\n    return 1\n"
UNEVEN = RIGHT.replace("def evaluate(", "def even(") + (
    "\n\ndef evaluate(position):\n    value = even(position)\n"
    "    return value if position.is_over or value < 0 else value / 2\n"
)
"""Values one side's chances less than the other's."""
LEAVES = "import os\ndef evaluate(position):\n    os._exit(0)\n"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(group, ["autograder", *arguments], standalone_mode=False)


def write(target: str, task: str, folder: Path, *options: str) -> dict[str, Any]:
    done = run("--for", target, "--task", task, "-o", str(folder), "--json", *options)
    assert done.exception is None, done.exception
    summary: dict[str, Any] = json.loads(done.stdout)
    return summary


# Points


@pytest.mark.parametrize(("points", "weights"), [(10, [1, 1, 1]), (100, [1, 3, 2]), (7, [0, 1]), (0.01, [1, 2, 3])])
def test_points_are_shared_without_rest(points: float, weights: list[float]) -> None:
    shares = share_points(points, weights)
    assert round(sum(shares), 2) == points
    assert all(share == 0 for share, weight in zip(shares, weights, strict=True) if weight == 0)


def test_weights_take_the_place_of_the_points_of_the_task() -> None:
    settings = AutograderSettings("heuristic", points=30, weights={"runs": 0, "undo": 0, "wins": 4})
    assert settings.shares() == {"runs": 0, "undo": 0, "wins": 12, "opposite": 6, "bounded": 6, "sense": 6}


def test_equal_weights_share_the_points_equally(tmp_path: Path) -> None:
    shares = write("nbgrader", "heuristic", tmp_path, "--points", "14", "--equal", "--weight", "wins=2")["properties"]
    assert shares == {"runs": 2, "undo": 2, "wins": 4, "opposite": 2, "bounded": 2, "sense": 2}


# The command


def test_command_says_what_it_wrote_and_what_to_do_next(tmp_path: Path) -> None:
    summary = write("gradescope", "alphabeta", tmp_path / "out", "--points", "20")
    assert summary["files"] == [str(tmp_path / "out" / "autograder.zip")]
    assert (summary["points"], sum(summary["properties"].values())) == (20, 20)
    assert "upload" in summary["next"]


def test_folder_with_files_is_left_alone_without_force(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    done = run("--for", "check50", "--task", "minimax", "-o", str(tmp_path))
    assert "expected an empty folder" in str(done.exception)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
    write("check50", "minimax", tmp_path, "--force")
    assert (tmp_path / "mine.txt").read_text() == "mine"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--for", "canvas", "--task", "minimax"], "'canvas' is not one of"),
        (["--for", "otter", "--task", "chess"], "'chess' is not one of"),
        (["--for", "otter", "--task", "minimax", "--points", "0"], "expected a number of points above 0"),
        (["--for", "otter", "--task", "minimax", "--points", "nan"], "expected a number, got"),
        (["--for", "otter", "--task", "minimax", "--weight", "value"], "expected PROPERTY=NUMBER"),
        (["--for", "otter", "--task", "minimax", "--weight", "speed=1"], "expected a property, one of cuts"),
        (["--for", "otter", "--task", "minimax", "--weight", "value=-1"], "expected a weight of 0 or more"),
        (["--for", "otter", "--task", "minimax", "--depth", "3"], "expected no depth"),
        (["--for", "otter", "--task", "minimax", "--game", "nonsense"], "nonsense"),
        (["--for", "otter", "--task", "minimax", "--style", "aima"], "expected the style noughts"),
        (["--for", "check50", "--task", "mcts"], "cannot grade mcts in the style of CS50"),
        (["--for", "check50", "--task", "minimax", "--points", "5"], "expected no --points, --weight or --equal"),
        (["--for", "check50", "--task", "minimax", "--file", "a/b.py"], "expected the name of a Python file"),
        (["--for", "otter", "--task", "minimax", "--wheel", __file__], f"expected a wheel of noughts {no.__version__}"),
        (["--for", "otter", "--task", "minimax", "--hidden", "speed"], "expected a property, one of cuts"),
        (["--for", "check50", "--task", "minimax", "--hidden", "move"], "check50 shows every check to students"),
        (["--for", "github-classroom", "--task", "minimax", "--hidden", "move"], "expected no hidden properties"),
        (["--for", "otter"], "expected --task or --question, got neither"),
        (["--for", "otter", "--task", "minimax", "-q", "minimax=3"], "expected --task or --question, got both"),
        (["--for", "otter", "-q", "minimax=3", "--points", "5"], "with --question"),
        (
            ["--for", "otter", "-q", "rules=3", "-q", "minimax=3"],
            "expected a style with functions of the rules, one of",
        ),
        (["--for", "check50", "-q", "rules=3", "-q", "minimax=3"], "check50 has no points for questions"),
        (
            ["--for", "gradescope", "-q", "minimax=3", "--hidden", "speed"],
            "expected a property of one of the questions",
        ),
        (["--for", "otter", "--task", "minimax", "--sandbox", "always"], "expected no --sandbox"),
        (["--for", "check50", "--task", "minimax", "--sandbox", "sometimes"], "'sometimes' is not one of"),
    ],
)
def test_bad_input_gets_one_line_and_writes_nothing(arguments: list[str], message: str, tmp_path: Path) -> None:
    done = run(*arguments, "-o", str(tmp_path / "out"))
    assert message in str(getattr(done.exception, "message", done.exception))
    assert "\n" not in str(done.exception)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("target", sorted(TARGETS))
@pytest.mark.parametrize("task", sorted(TASKS))
def test_every_task_can_be_exported_and_equal_settings_give_equal_bytes(target: str, task: str, tmp_path: Path) -> None:
    settings = AutograderSettings(task, points=17)
    first, second = (write_autograder(target, settings, tmp_path / name) for name in ("a", "b"))
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


# Gradescope: https://gradescope-autograders.readthedocs.io, "Autograder Specifications"

VISIBILITIES = {"hidden", "after_due_date", "after_published", "visible"}
FORMATS = {"text", "html", "simple_format", "md", "ansi"}
RESULT_KEYS: dict[str, Any] = {
    "score": float | int,
    "execution_time": float | int,
    "output": str,
    "output_format": FORMATS,
    "test_output_format": FORMATS,
    "test_name_format": FORMATS,
    "visibility": VISIBILITIES,
    "stdout_visibility": VISIBILITIES,
    "extra_data": dict,
    "tests": list,
}
TEST_KEYS: dict[str, Any] = {
    "score": float | int,
    "max_score": float | int,
    "status": {"passed", "failed"},
    "name": str,
    "number": str,
    "output": str,
    "visibility": VISIBILITIES,
}


def check_keys(data: dict[str, Any], keys: dict[str, Any]) -> None:
    assert data.keys() <= keys.keys()
    for name, value in data.items():
        assert value in keys[name] if isinstance(keys[name], set) else isinstance(value, keys[name]), name


def check_results(results: dict[str, Any], points: float) -> None:
    """Check results.json against the documented format, and that its numbers agree."""
    check_keys(results, RESULT_KEYS)
    for test in results["tests"]:
        check_keys(test, TEST_KEYS)
        assert test["score"] in (0, test["max_score"])
        assert (test["status"] == "failed") is bool(test["output"])
    assert round(sum(test["max_score"] for test in results["tests"]), 2) == points
    assert round(sum(test["score"] for test in results["tests"]), 2) == results["score"]


RESULTS_FILE = "results/results.json"
PYTHON = """\
#!/usr/bin/env bash
# Stands for the machine's Python: makes an environment whose pip notes what it is to install.
[ "$1" = -c ] && exit 0
folder=$3
mkdir -p "$folder/bin"
cat > "$folder/bin/python" <<END
#!/usr/bin/env bash
if [ "\\$1 \\$2" = "-m pip" ]; then echo "\\$@" > "$folder/installed"; exit; fi
exec {python} "\\$@"
END
chmod +x "$folder/bin/python"
"""


class Gradescope:
    """A machine with the folders of Gradescope, on which an archive is installed."""

    def __init__(self, root: Path, archive: Path, python: Path | None = None) -> None:
        self.root = root
        for name in ("source", "submission", "results"):
            (root / name).mkdir(parents=True)
        with zipfile.ZipFile(archive) as zipped:
            for entry in zipped.infolist():
                path = Path(zipped.extract(entry, root / "source"))
                path.chmod(entry.external_attr >> 16 & 0o777)
        shutil.copy(root / "source" / "run_autograder", root)
        if python is None:
            python = root / "python"
            python.write_text(PYTHON.format(python=sys.executable))
            python.chmod(0o755)
        self.environment = os.environ | {"AUTOGRADER_ROOT": str(root), "AUTOGRADER_PYTHON": str(python)}
        self._run("source/setup.sh")

    def _run(self, program: str) -> None:
        done = subprocess.run(
            [self.root / program],
            cwd=self.root,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=INSTALL_SECONDS,
            check=False,
        )
        assert done.returncode == 0, done.stderr

    def own_files(self) -> dict[str, bytes]:
        """Return the files that a submission must not change."""
        names = ("run_autograder", "source/run_autograder", "source/settings.json", "source/setup.sh")
        return {name: (self.root / name).read_bytes() for name in names}

    def grade(self, make: Callable[[Path], object]) -> dict[str, Any]:
        """Return results.json for a submission that a function puts into its folder."""
        self._take(make)
        self._run("run_autograder")
        return self._results()

    def grade_here(self, make: Callable[[Path], object]) -> dict[str, Any]:
        """Return the same from the program that ``run_autograder`` starts, which runs in this process instead."""
        self._take(make)
        gradescope_main([str(self.root / name) for name in ("source/settings.json", "submission", RESULTS_FILE)])
        return self._results()

    def _take(self, make: Callable[[Path], object]) -> None:
        for folder in ("submission", "results"):
            subprocess.run(["rm", "-rf", self.root / folder], check=True, timeout=SECONDS)
            (self.root / folder).mkdir()
        make(self.root / "submission")

    def _results(self) -> dict[str, Any]:
        results: dict[str, Any] = json.loads((self.root / RESULTS_FILE).read_text())
        return results


def program(source: str, **more: str) -> Callable[[Path], None]:
    """Return a function that writes evaluation.py and more Python files; %ROOT% stands for the machine's folder."""

    def make(folder: Path) -> None:
        for name, text in {"evaluation": source, **more}.items():
            (folder / f"{name}.py").write_text(text.replace("%ROOT%", str(folder.parent)))

    return make


@pytest.fixture(scope="module")
def gradescope(tmp_path_factory: pytest.TempPathFactory) -> Gradescope:
    folder = tmp_path_factory.mktemp("gradescope")
    write("gradescope", "heuristic", folder / "out", "--points", "20", "--seconds", "10")
    return Gradescope(folder / "autograder", folder / "out" / "autograder.zip")


def test_gradescope_installs_noughts_from_pypi(gradescope: Gradescope) -> None:
    assert (
        f"install --quiet noughts=={no.__version__}" in (gradescope.root / "source" / "venv" / "installed").read_text()
    )


def make_wheel(folder: Path) -> Path:
    """Return a file with the name of a wheel of this noughts."""
    wheel = folder / f"noughts-{no.__version__}-py3-none-any.whl"
    wheel.write_bytes(b"wheel")
    return wheel


NEEDED = {"click", "markdown_it_py", "mdurl", "platformdirs", "pygments", "rich"}
"""The packages that noughts needs, as they are named in wheels."""


def names_of_wheels(files: list[Path]) -> set[str]:
    return {file.name.split("-")[0] for file in files if file.suffix == ".whl"}


def test_gradescope_installs_noughts_offline_from_the_wheels_that_are_included(tmp_path: Path) -> None:
    write("gradescope", "heuristic", tmp_path / "out", "--wheel", str(make_wheel(tmp_path)))
    machine = Gradescope(tmp_path / "autograder", tmp_path / "out" / "autograder.zip")
    wheels = machine.root / "source" / "wheels"
    assert names_of_wheels(list(wheels.iterdir())) == NEEDED | {"noughts"}
    installed = (machine.root / "source" / "venv" / "installed").read_text()
    assert f"--no-index --find-links {wheels} noughts=={no.__version__}" in installed


def test_wheel_of_an_installed_package_has_its_files_and_their_hashes(tmp_path: Path) -> None:
    files = Wheels(make_wheel(tmp_path)).files
    (content,) = [content for name, content in files.items() if name.startswith("wheels/click-")]
    with zipfile.ZipFile(BytesIO(content)) as archive:
        names = archive.namelist()
        (record,) = [name for name in names if name.endswith(".dist-info/RECORD")]
        rows = list(csv.reader(archive.read(record).decode().splitlines()))
        for name, digest, size in rows[:-1]:
            data = archive.read(name)
            hashed = urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            assert (digest, int(size)) == (f"sha256={hashed}", len(data))
    assert [row[0] for row in rows] == names
    assert "click/__init__.py" in names
    assert not any(name.endswith((".pyc", "INSTALLER")) or name.startswith("..") for name in names)


@pytest.mark.parametrize("target", sorted(TARGETS))
def test_every_autograder_carries_the_wheels_and_asks_no_index_for_them(target: str, tmp_path: Path) -> None:
    wheel = make_wheel(tmp_path)
    files = write_autograder(target, AutograderSettings("minimax"), tmp_path / "out", wheel=wheel)
    if target == "gradescope":
        with zipfile.ZipFile(files[0]) as archive:
            archive.extractall(tmp_path / "out")
        files = list((tmp_path / "out").rglob("*"))
    assert names_of_wheels(files) == NEEDED | {"noughts"}
    texts = [file.read_text() for file in files if file.is_file() and file.suffix not in (".whl", ".zip")]
    assert not any(f"- noughts=={no.__version__}" in text for text in texts)
    assert target == "check50" or any("--no-index" in text for text in texts)


def test_wheel_for_another_system_is_refused_where_linux_runs(tmp_path: Path) -> None:
    wheel = tmp_path / f"noughts-{no.__version__}-cp312-abi3-macosx_11_0_arm64.whl"
    wheel.write_bytes(b"wheel")
    for target in ("gradescope", "github-classroom"):
        with pytest.raises(ValueError, match="expected a wheel for Linux"):
            write_autograder(target, AutograderSettings("minimax"), tmp_path / target, wheel=wheel)
    assert write_autograder("nbgrader", AutograderSettings("minimax"), tmp_path / "nbgrader", wheel=wheel)


# Hidden tests


def test_hidden_tests_are_shown_with_the_grades_and_no_visible_text_mentions_them(tmp_path: Path) -> None:
    hidden = ("opposite", "sense")
    options = [word for property in hidden for word in ("--hidden", property)]
    write("gradescope", "heuristic", tmp_path / "out", "--points", "20", "--seconds", "10", *options)
    machine = Gradescope(tmp_path / "autograder", tmp_path / "out" / "autograder.zip")
    results = machine.grade_here(program(UNEVEN))
    check_results(results, 20)
    tests = {test["name"].split(":")[0]: test for test in results["tests"]}
    assert {name for name, test in tests.items() if test["visibility"] == "after_published"} == set(hidden)
    assert {name for name, test in tests.items() if test["status"] == "failed"} == {"opposite"}
    assert tests["opposite"]["output"]
    shown = [results["output"], *(test["output"] for name, test in tests.items() if name not in hidden)]
    assert not any(text in "\n".join(shown) for text in ("opposite", "sense", tests["opposite"]["output"][-40:]))


def test_hidden_cells_of_notebooks_are_marked_for_the_tool_that_removes_them(tmp_path: Path) -> None:
    write("nbgrader", "heuristic", tmp_path / "nbgrader", "--hidden", "sense")
    cells = load_notebook(tmp_path / "nbgrader" / "source" / "heuristic" / "heuristic.ipynb")
    marked = [cell["source"] for cell in cells if "### BEGIN HIDDEN TESTS" in cell["source"]]
    assert len(marked) == 1
    assert marked[0].startswith("# sense: ")
    assert marked[0].endswith("### END HIDDEN TESTS")
    write("otter", "heuristic", tmp_path / "otter", "--hidden", "sense")
    cells = load_notebook(tmp_path / "otter" / "heuristic.ipynb")
    tests = [cell["source"] for cell in cells if "# BEGIN TEST CONFIG" in cell["source"]]
    assert ["hidden: true" in test for test in tests] == ["def test_sense(" in test for test in tests]


def test_gradescope_gives_a_right_submission_all_points(gradescope: Gradescope) -> None:
    results = gradescope.grade(program(RIGHT))
    check_results(results, 20)
    assert results["score"] == 20
    assert [test["name"].split(":")[0] for test in results["tests"]] == [p.id for p in TASKS["heuristic"].properties]


def test_gradescope_tells_a_wrong_submission_where_it_fails(gradescope: Gradescope) -> None:
    results = gradescope.grade_here(program(WRONG))
    check_results(results, 20)
    assert 0 < results["score"] < 20
    failed = [test for test in results["tests"] if test["status"] == "failed"]
    assert failed
    assert "evaluation.py:evaluate" in results["output"]
    assert results["extra_data"]["diagnosis"]["sentence"] in failed[0]["output"]


def test_gradescope_says_that_a_submission_has_no_python_file(gradescope: Gradescope) -> None:
    results = gradescope.grade_here(lambda folder: None)
    check_results(results, 20)
    assert results["score"] == 0
    assert "expected a Python file in the submission, found nothing" in results["tests"][0]["output"]


def check_honest(results: dict[str, Any], points: float) -> None:
    """Check that results are complete, without full points, and that no text forges a line or a control character."""
    check_results(results, points)
    assert results["score"] < points
    texts = [results["output"], *(test["output"] for test in results["tests"])]
    assert all(line.isprintable() for text in texts for line in text.split("\n"))
    assert not any(line.strip().startswith(("✓ wins: forged", "✓ passed")) for line in results["output"].split("\n"))


FORGED_RESULTS = '{"score": 1000, "tests": []}'
PRINTS_A_GRADE = (
    "import os\n"
    'GRADE = \'[{"format": "noughts-grade", "version": 1, "passed": true, "properties": []}]\'\n'
    "os.system(f\"echo '{GRADE}'\")\n"
)
REPLACES_THE_AUTOGRADER = """
import pathlib
for name in ("run_autograder", "source/settings.json", "results/results.json"):
    try:
        pathlib.Path("%ROOT%", name).write_text("forged")
    except OSError:
        pass
"""
FORGES_A_LINE = "raise Exception('\\n  ✓ wins: forged\\x1b[2J')\n"


def make_links(folder: Path) -> None:
    (folder / "evaluation.py").symlink_to(folder.parent / "source" / "settings.json")
    (folder / "source").symlink_to(folder.parent / "source")
    (folder / "results.json").symlink_to(folder.parent / "results" / "results.json")


def make_own_results(folder: Path) -> None:
    (folder / "evaluation.py").write_text(WRONG)
    for name in ("results.json", "settings.json", "run_autograder"):
        (folder / name).write_text(FORGED_RESULTS)


def make_huge_file(folder: Path) -> None:
    (folder / "evaluation.py").write_text(RIGHT)
    with (folder / "data").open("wb") as file:
        file.truncate(1 << 40)


def make_many_files(folder: Path) -> None:
    (folder / "evaluation.py").write_text(RIGHT)
    for number in range(1001):
        (folder / f"{number}.txt").write_text("")


def make_odd_names(folder: Path) -> None:
    (folder / "a\n  ✓ passed\x1b[2J.py").write_text(WRONG)
    Path(os.fsdecode(os.fsencode(folder) + b"/b\xff.txt")).write_text("")


def make_odd_names_without_program(folder: Path) -> None:
    (folder / "a\n  ✓ passed\x1b[2J.txt").write_text(RIGHT)
    Path(os.fsdecode(os.fsencode(folder) + b"/b\xff.txt")).write_text(RIGHT)


def make_deep_folders(folder: Path) -> None:
    (folder / "evaluation.py").write_text(RIGHT)
    subprocess.run(["mkdir", "-p", "d/" * 100], cwd=folder, check=True, timeout=SECONDS)


def make_folder_like_a_file(folder: Path) -> None:
    (folder / "evaluation.py").mkdir()
    (folder / "evaluation.py" / "main.py").write_text(RIGHT)


def make_pipe(folder: Path) -> None:
    os.mkfifo(folder / "evaluation.py")


FORGED_LINE = r"Exception: ✓ wins: forged\x1b[2J at evaluation.py, line 1: raise Exception('\n ✓ wins: forged\x1b[2J')"
NO_FILE = "expected a Python file in the submission, found "
TOO_LARGE = "expected a submission of at most 8 MB, 1,000 files and 64 folders within folders, got more"
HOSTILE: dict[str, tuple[Callable[[Path], object], str]] = {
    "leaves at once": (program("import os\nos._exit(0)\n" + RIGHT), "the program ended with exit code 0"),
    "prints a grade": (program(PRINTS_A_GRADE + WRONG), ""),
    "replaces the autograder": (program(REPLACES_THE_AUTOGRADER + WRONG), ""),
    "forges a line": (program(FORGES_A_LINE + RIGHT), FORGED_LINE),
    "links": (make_links, NO_FILE + "evaluation.py, results.json, source"),
    "its own results": (make_own_results, ""),
    "a huge file": (make_huge_file, TOO_LARGE),
    "many files": (make_many_files, TOO_LARGE),
    "odd names": (make_odd_names, ""),
    "odd names without a program": (make_odd_names_without_program, NO_FILE + r"a\n  ✓ passed\x1b[2J.txt, b\udcff.txt"),
    "deep folders": (make_deep_folders, TOO_LARGE),
    "a folder like a file": (make_folder_like_a_file, NO_FILE + "evaluation.py"),
    "a pipe": (make_pipe, NO_FILE + "evaluation.py"),
}
"""Submissions that students may upload, and the message of the first property; "" if they are graded."""


@pytest.mark.parametrize("name", HOSTILE)
def test_gradescope_writes_honest_results_for_a_hostile_submission(name: str, gradescope: Gradescope) -> None:
    before = gradescope.own_files()
    make, message = HOSTILE[name]
    results = gradescope.grade_here(make)
    check_honest(results, 20)
    if message:
        assert results["score"] == 0
        assert unescape(results["tests"][0]["output"]).partition(">")[2].split("\n")[0] == message
    else:
        assert results["score"] > 0
    assert gradescope.own_files() == before


def test_gradescope_stops_a_submission_that_never_ends(tmp_path: Path) -> None:
    write("gradescope", "heuristic", tmp_path / "out", "--points", "5", "--seconds", "1")
    machine = Gradescope(tmp_path / "autograder", tmp_path / "out" / "autograder.zip")
    results = machine.grade_here(program("import time\nwhile True:\n    time.sleep(1)\n"))
    check_results(results, 5)
    assert results["score"] == 0
    assert "stopped after 5 s, in most of which it did not run" in results["tests"][0]["output"]


def test_files_of_a_submission_do_not_take_the_place_of_modules(gradescope: Gradescope) -> None:
    results = gradescope.grade(program("", main=RIGHT, noughts="raise SystemExit", json="raise SystemExit", click=""))
    assert results["score"] == 20


def test_file_of_another_name_is_graded_only_if_it_is_the_only_one(tmp_path: Path) -> None:
    settings = AutograderSettings("heuristic", file="evaluation.py", style="course")
    (tmp_path / "mine.py").write_text(RIGHT)
    assert "expected functions in the style of" in grade_folder(settings, tmp_path).failures["runs"].message
    (tmp_path / "yours.py").write_text(RIGHT)
    message = "expected evaluation.py in the submission, found mine.py, yours.py"
    assert grade_folder(settings, tmp_path).failures["runs"].message == message


# Notebooks


@pytest.mark.parametrize(("task", "file"), [*((task, task.replace("-", "_")) for task in TASKS), ("minimax", "cs50")])
def test_solution_of_an_exercise_has_every_property(task: str, file: str) -> None:
    outcome = grade_program(EXERCISES / f"{file}.py", task)
    assert outcome.passed, outcome
    assert outcome.style == ("cs50" if file == "cs50" else "noughts")


def load_notebook(path: Path) -> list[dict[str, Any]]:
    """Return the cells of a notebook, checked against format 4.5."""
    notebook = json.loads(path.read_text())
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    cells: list[dict[str, Any]] = notebook["cells"]
    assert len({cell["id"] for cell in cells}) == len(cells)
    for cell in cells:
        code = {"outputs", "execution_count"} if cell["cell_type"] == "code" else set()
        assert cell.keys() == {"id", "cell_type", "metadata", "source"} | code
    return cells


def test_nbgrader_notebook_has_a_solution_and_a_graded_cell_for_each_property(tmp_path: Path) -> None:
    write("nbgrader", "heuristic", tmp_path, "--points", "10")
    cells = load_notebook(tmp_path / "source" / "heuristic" / "heuristic.ipynb")
    data = [cell["metadata"]["nbgrader"] for cell in cells if cell["metadata"]]
    assert [each["solution"] for each in data] == [True] + [False] * 6
    assert all(each["grade"] is each["locked"] is not each["solution"] for each in data)
    assert len({each["grade_id"] for each in data}) == 7
    assert sum(each.get("points", 0) for each in data) == 10
    compile((tmp_path / "nbgrader_config.py").read_text(), "nbgrader_config.py", "exec")


def test_nbgrader_cells_pass_with_the_solution_and_fail_without(tmp_path: Path) -> None:
    write("nbgrader", "heuristic", tmp_path)
    cells = load_notebook(tmp_path / "source" / "heuristic" / "heuristic.ipynb")
    solution, *tests = [cell["source"] for cell in cells if cell["cell_type"] == "code"]
    right: dict[str, Any] = {}
    exec(solution, right)
    starter = re.sub(r"( *)### BEGIN SOLUTION.*### END SOLUTION", r"\1raise NotImplementedError", solution, flags=re.S)
    unfinished: dict[str, Any] = {}
    exec(starter, unfinished)
    for test in tests:
        exec(test, right)
    for test in tests:
        with pytest.raises(AssertionError, match=r"not written yet|Not checked"):
            exec(test, unfinished)


def test_otter_notebook_has_the_blocks_of_an_assignment(tmp_path: Path) -> None:
    write("otter", "heuristic", tmp_path, "--points", "10")
    cells = load_notebook(tmp_path / "heuristic.ipynb")
    raw = [cell["source"].splitlines()[0] for cell in cells if cell["cell_type"] == "raw"]
    assert raw == [
        "# ASSIGNMENT CONFIG",
        "# BEGIN QUESTION",
        "# BEGIN SOLUTION",
        "# END SOLUTION",
        "# BEGIN TESTS",
        "# END TESTS",
        "# END QUESTION",
    ]
    solution, *tests = [cell["source"] for cell in cells if cell["cell_type"] == "code"]
    points = [float(line.removeprefix("points: ")) for test in tests for line in test.splitlines() if "points" in line]
    assert sum(points) == 10
    names: dict[str, Any] = {}
    exec(solution.replace('""" # BEGIN PROMPT', '"""').replace('""" # END PROMPT', '"""'), names)
    for test in tests:
        exec(test, names)
    for each in TASKS["heuristic"].properties:
        names[f"test_{each.id}"](names["evaluate"])


@pytest.mark.parametrize("task", sorted(TASKS))
def test_exercise_keeps_the_solution_between_marks(task: str) -> None:
    code = load_exercise(AutograderSettings(task)).with_prompt()
    assert code.count("# BEGIN SOLUTION NO PROMPT") == code.count("# END SOLUTION") == code.count("# END PROMPT") == 1
    assert f"def {AutograderSettings(task).function}(" in code


def test_check_grades_again_when_a_helper_has_changed() -> None:
    names: dict[str, Any] = {}
    exec("def evaluate(position):\n    return helper(position)", names)
    names["helper"] = heuristic.evaluate
    check(names["evaluate"], "wins", "heuristic", seconds=SECONDS)
    names["helper"] = lambda position: 1
    with pytest.raises(AssertionError, match="expected less than 0: O has won"):
        check(names["evaluate"], "wins", "heuristic", seconds=SECONDS)


def test_check_survives_a_function_that_ends_its_process_and_forges_lines() -> None:
    for attack, message in {"os._exit(0)": "ends the whole process", "os.kill(os.getpid(), 9)": "crashes"}.items():
        names: dict[str, Any] = {}
        exec(LEAVES.replace("os._exit(0)", f"os.write(1, b'forged'); {attack}"), names)
        with pytest.raises(AssertionError, match=message):
            check(names["evaluate"], "runs", "heuristic", seconds=SECONDS)


def test_check_says_that_a_function_is_missing() -> None:
    with pytest.raises(AssertionError, match="expected a function evaluate, got None"):
        check(None, "runs", "heuristic")


# check50


def run_check50(problem: Path, submission: Path) -> dict[str, dict[str, Any]]:
    """Run the real check50, and return its results by the name of the check."""
    submission.parent.joinpath("out.json").unlink(missing_ok=True)
    command = [sys.executable, "-m", "check50", "--dev", str(problem), "-o", "json", "--output-file", "../out.json"]
    done = subprocess.run(command, cwd=submission, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    found = json.loads((submission.parent / "out.json").read_text())["results"]
    return {each["name"]: each for each in found}


@pytest.mark.skipif(sys.platform == "win32", reason="check50 needs a Unix system")
def test_check50_passes_a_right_submission_and_explains_a_wrong_one(tmp_path: Path) -> None:
    write("check50", "heuristic", tmp_path / "problem", "--style", "noughts")
    submission = tmp_path / "submission"
    submission.mkdir()
    (submission / "heuristic.py").write_text(RIGHT)
    results = run_check50(tmp_path / "problem", submission)
    ids = [each.id for each in TASKS["heuristic"].properties]
    assert list(results) == ["exists", "graded", *(f"check_{id}" for id in ids)]
    assert all(each["passed"] for each in results.values()), results
    (submission / "heuristic.py").write_text(WRONG)
    wrong = run_check50(tmp_path / "problem", submission)["check_wins"]
    assert wrong["passed"] is False
    assert "expected less than 0: O has won" in wrong["cause"]["rationale"]
    assert wrong["cause"]["rationale"].startswith('evaluate(Game("3x3").parse("')
    assert "\n" not in wrong["cause"]["rationale"]
    assert wrong["cause"]["help"].endswith(".")


@pytest.mark.skipif(sys.platform == "win32", reason="check50 needs a Unix system")
def test_check50_fails_a_submission_that_forges_its_results(tmp_path: Path) -> None:
    write("check50", "heuristic", tmp_path / "problem", "--style", "noughts")
    submission = tmp_path / "submission"
    submission.mkdir()
    forge = (
        "import os\nfor fd in range(64):\n    try:\n        os.write(fd, b'[]\\n')\n    except OSError:\n        pass\n"
    )
    (submission / "heuristic.py").write_text(forge + RIGHT)
    (submission / "deep").mkdir()
    results = run_check50(tmp_path / "problem", submission)
    assert results["graded"]["passed"] is False
    assert "The program writes answers of its own" in results["graded"]["cause"]["help"]
    assert all(each["passed"] is None for name, each in results.items() if name.startswith("check_"))


def test_check50_asks_for_the_functions_of_cs50_by_default(tmp_path: Path) -> None:
    summary = write("check50", "minimax", tmp_path)
    assert summary["style"] == "cs50"
    assert {"winner", "terminal", "utility"} <= summary["properties"].keys()
    assert "!require tictactoe.py" in (tmp_path / ".cs50.yaml").read_text()


# Projects of several questions


def write_project(target: str, folder: Path, *options: str) -> dict[str, Any]:
    done = run("--for", target, "-o", str(folder), "--json", *options)
    assert done.exception is None, done.exception
    summary: dict[str, Any] = json.loads(done.stdout)
    return summary


def test_gradescope_grades_a_project_question_by_question(tmp_path: Path) -> None:
    questions = ("-q", "rules=7", "-q", "heuristic=10", "--hidden", "sense", "--style", "course")
    summary = write_project("gradescope", tmp_path / "out", *questions)
    assert (summary["points"], summary["properties"]) == (17, {"rules": 7, "heuristic": 10})
    machine = Gradescope(tmp_path / "autograder", tmp_path / "out" / "autograder.zip")
    right = (RIGHT_PROGRAMS / "course_right.py").read_text()
    results = machine.grade_here(program(right))
    check_results(results, 17)
    assert results["score"] == 17
    hidden = [test["name"].split(":")[0] for test in results["tests"] if test["visibility"] != "visible"]
    assert hidden == ["q2 sense"]
    assert "q1 rules: 7/7" in results["output"]
    assert "✓ bounded" in results["output"]
    assert not any(text in results["output"] for text in ("sense", "10/10"))


def test_notebooks_have_a_question_for_each_task_of_a_project(tmp_path: Path) -> None:
    questions = ("-q", "minimax=8", "-q", "heuristic=10")
    write_project("otter", tmp_path / "otter", *questions)
    cells = load_notebook(tmp_path / "otter" / "project.ipynb")
    names = [cell["source"].splitlines()[1] for cell in cells if cell["source"].startswith("# BEGIN QUESTION")]
    assert names == ["name: q1_minimax", "name: q2_heuristic"]
    write_project("nbgrader", tmp_path / "nbgrader", *questions)
    cells = load_notebook(tmp_path / "nbgrader" / "source" / "project" / "project.ipynb")
    data = [cell["metadata"]["nbgrader"] for cell in cells if cell["metadata"]]
    assert [each["grade_id"] for each in data if each["solution"]] == ["q1_minimax", "q2_heuristic"]
    assert sum(each.get("points", 0) for each in data) == 18
    assert len({each["grade_id"] for each in data}) == len(data)


def test_github_classroom_reports_the_questions_of_a_project(tmp_path: Path) -> None:
    write_project("github-classroom", tmp_path, "-q", "rules=7", "-q", "heuristic=10", "--style", "course")
    classroom = GithubClassroom(tmp_path)
    (tmp_path / "main.py").write_text((RIGHT_PROGRAMS / "course_right.py").read_text())
    right = classroom.grade()
    assert [name for name in right if name.startswith("q1_")][:2] == ["q1_player", "q1_actions"]
    assert sum(test["score"] for result in right.values() for test in result["tests"]) == 17
    (tmp_path / "main.py").write_text(WRONG)
    wrong = classroom.grade()
    assert sum(result["max_score"] for result in wrong.values()) == 17
    assert sum(test["score"] for result in wrong.values() for test in result["tests"]) == 0


# GitHub Classroom: the workflow that it writes, and github-education-resources/autograding-grading-reporter


class GithubClassroom:
    """A student's repository with the workflow of an assignment, run as GitHub does."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.workflow = yaml.safe_load((folder / ".github" / "workflows" / "classroom.yml").read_text())
        (job,) = self.workflow["jobs"].values()
        self.steps = {step["name"]: step for step in job["steps"]}

    def grade(self) -> dict[str, dict[str, Any]]:
        """Run the step that grades, and return the result of each runner as the reporter reads it."""
        outputs = self.folder / "outputs"
        outputs.write_text("before=1\n")
        command = self.steps["Grade"]["run"].replace("python", shlex.quote(sys.executable), 1)
        environment = os.environ | {"GITHUB_OUTPUT": str(outputs)}
        done = subprocess.run(
            ["bash", "-e", "-c", command],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=True,
        )
        assert done.stderr == ""
        values = dict(line.split("=", 1) for line in outputs.read_text().splitlines())
        reporter = self.steps["Autograding Reporter"]
        expression = re.compile(r"\$\{\{ steps\.grade\.outputs\.(\w+) \}\}")
        env = {name: expression.sub(lambda found: values[found[1]], text) for name, text in reporter["env"].items()}
        runners = reporter["with"]["runners"].split(",")
        return {runner: json.loads(b64decode(env[f"{runner.upper()}_RESULTS"])) for runner in runners}


def test_github_classroom_reports_the_points_of_each_property(tmp_path: Path) -> None:
    write("github-classroom", "heuristic", tmp_path, "--points", "20")
    classroom = GithubClassroom(tmp_path)
    for source, least, most in ((RIGHT, 20, 20), (WRONG, 1, 19)):
        (tmp_path / "heuristic.py").write_text(source)
        results = classroom.grade()
        assert list(results) == [each.id for each in TASKS["heuristic"].properties]
        assert sum(result["max_score"] for result in results.values()) == 20
        tests = [(result, test) for result in results.values() for test in result["tests"]]
        assert all(test["score"] == (result["max_score"] if test["status"] == "pass" else 0) for result, test in tests)
        assert all(result["status"] == test["status"] for result, test in tests)
        assert least <= sum(test["score"] for _, test in tests) <= most
    assert "expected less than 0: O has won" in results["wins"]["tests"][0]["message"]


def test_github_classroom_workflow_has_the_form_that_classroom_knows(tmp_path: Path) -> None:
    wheel = tmp_path / f"noughts-{no.__version__}-cp312-abi3-manylinux_2_17_x86_64.whl"
    wheel.write_bytes(b"wheel")
    write("github-classroom", "minimax", tmp_path / "out", "--style", "cs50", "--wheel", str(wheel))
    classroom = GithubClassroom(tmp_path / "out")
    assert classroom.workflow["name"] == "Autograding Tests"
    assert classroom.workflow["permissions"] == {"checks": "write", "actions": "read", "contents": "read"}
    assert "run-autograding-tests" in classroom.workflow["jobs"]
    uses = classroom.steps["Autograding Reporter"]["uses"]
    assert uses == "classroom-resources/autograding-grading-reporter@v1"
    assert classroom.steps["Install Python"]["with"]["python-version"] == "3.12"
    install = classroom.steps["Install noughts"]["run"]
    assert f"--no-index --find-links .github/classroom/wheels noughts=={no.__version__}" in install


@pytest.mark.parametrize(
    ("tag", "limit"),
    [("py3-none-any", " < (3, 11)"), ("cp312-abi3-linux_x86_64", " < (3, 12)"), ("cp311-cp311-any", "[:2] != (3, 11)")],
)
def test_gradescope_looks_for_a_python_that_fits_the_wheel(tag: str, limit: str, tmp_path: Path) -> None:
    wheel = tmp_path / f"noughts-{no.__version__}-{tag}.whl"
    wheel.write_bytes(b"wheel")
    (archive,) = write_autograder("gradescope", AutograderSettings("minimax"), tmp_path / "out", wheel=wheel)
    with zipfile.ZipFile(archive) as zipped:
        assert f"sys.exit(sys.version_info{limit})" in zipped.read("setup.sh").decode()


# The real tools, in environments made for them


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of this noughts, with the core that is already built."""
    package, installed = Path(no.__file__).parent, distribution("noughts")
    info = f"noughts-{no.__version__}.dist-info"
    path = tmp_path_factory.mktemp("wheel") / f"noughts-{no.__version__}-py3-none-any.whl"
    contents = {
        f"noughts/{file.relative_to(package)}": file.read_bytes()
        for file in package.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    contents[f"noughts/{Path(_core.__file__).name}"] = Path(_core.__file__).read_bytes()
    contents[f"{info}/METADATA"] = (installed.read_text("METADATA") or "").encode()
    contents[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    contents[f"{info}/RECORD"] = "".join(f"{name},,\n" for name in [*contents, f"{info}/RECORD"]).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in contents.items():
            archive.writestr(name, content)
    return path


def run_tool(folder: Path, *command: str | Path) -> str:
    environment = os.environ | {"PATH": f"{Path(command[0]).parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=INSTALL_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def jupyter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment with Otter-Grader and nbgrader; noughts is installed by the notebooks."""
    folder = tmp_path_factory.mktemp("jupyter")
    run_tool(folder, sys.executable, "-m", "venv", folder)
    tools = ["otter-grader", "nbgrader", "ipykernel"]
    run_tool(folder, folder / "bin" / "python", "-m", "pip", "install", "--quiet", *tools)
    return folder / "bin"


def replace_solution(notebook: Path, start: str, code: str) -> None:
    """Write a student's code into the cell that begins with a text."""
    data = json.loads(notebook.read_text())
    (cell,) = [cell for cell in data["cells"] if "".join(cell["source"]).startswith(start)]
    cell["source"] = code
    notebook.chmod(0o644)
    notebook.write_text(json.dumps(data))


@pytest.mark.slow
def test_otter_assigns_and_grades_the_notebook(jupyter: Path, wheel: Path, tmp_path: Path) -> None:
    write("otter", "heuristic", tmp_path, "--points", "10", "--wheel", str(wheel), "--hidden", "sense")
    run_tool(tmp_path, jupyter / "otter", "assign", "heuristic.ipynb", "dist")
    student = tmp_path / "dist" / "student" / "heuristic.ipynb"
    assert "raise NotImplementedError" in student.read_text()
    assert "1000" not in student.read_text()
    assert "def test_wins" in student.read_text()
    assert "def test_sense" not in student.read_text()
    assert (student.parent / "wheels" / wheel.name).is_file()
    (archive,) = (tmp_path / "dist" / "autograder").glob("*.zip")
    scores = []
    for name, code in {"unfinished": None, "hostile": LEAVES, "wrong": WRONG, "right": RIGHT}.items():
        submission = tmp_path / f"{name}.ipynb"
        shutil.copy(student, submission)
        if code is not None:
            replace_solution(submission, "from noughts.games", code)
        run_tool(tmp_path, jupyter / "otter", "run", "-a", archive, "-o", tmp_path, submission)
        tests = json.loads((tmp_path / "results.json").read_text())["tests"]
        scores.append(sum(test.get("score", 0) for test in tests))
    assert scores[:2] == [0, 0]
    assert 0 < scores[2] < scores[3] == 10


@pytest.mark.slow
def test_nbgrader_releases_and_grades_the_notebook(jupyter: Path, wheel: Path, tmp_path: Path) -> None:
    write("nbgrader", "heuristic", tmp_path, "--points", "10", "--wheel", str(wheel), "--hidden", "sense")
    run_tool(tmp_path, jupyter / "nbgrader", "generate_assignment", "heuristic")
    released = tmp_path / "release" / "heuristic" / "heuristic.ipynb"
    assert "raise NotImplementedError" in released.read_text()
    assert "1000" not in released.read_text()
    assert "'wins'" in released.read_text()
    assert "'sense'" not in released.read_text()
    assert (released.parent / "wheels" / wheel.name).is_file()
    for student, code in {"ann": RIGHT, "bob": WRONG, "cy": None, "eve": LEAVES}.items():
        folder = tmp_path / "submitted" / student / "heuristic"
        folder.mkdir(parents=True)
        shutil.copy(released, folder)
        if code is not None:
            replace_solution(folder / "heuristic.ipynb", "from noughts.games", code)
    run_tool(tmp_path, jupyter / "nbgrader", "autograde", "heuristic")
    run_tool(tmp_path, jupyter / "nbgrader", "export")
    with (tmp_path / "grades.csv").open() as file:
        scores = {row["student_id"]: (float(row["score"]), float(row["max_score"])) for row in csv.DictReader(file)}
    assert scores["ann"] == (10, 10)
    assert scores["cy"] == scores["eve"] == (0, 10)
    assert 0 < scores["bob"][0] < 10


@pytest.mark.slow
def test_gradescope_installs_the_wheel_and_grades(wheel: Path, tmp_path: Path) -> None:
    write("gradescope", "heuristic", tmp_path / "out", "--wheel", str(wheel))
    machine = Gradescope(tmp_path / "autograder", tmp_path / "out" / "autograder.zip", Path(sys.executable))
    results = machine.grade(program(RIGHT))
    check_results(results, 100)
    assert results["score"] == 100
