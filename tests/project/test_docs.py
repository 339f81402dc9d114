"""The documentation is true: its links lead somewhere, its commands exist, its figures are those that were measured."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import click
import pytest

import noughts
from noughts.cli.main import group
from noughts.engine import rating_of
from noughts.engine.book import file as book_file
from noughts.proof import proof as proof_file
from noughts.store import backup
from noughts.teaching.tree import trace
from pages import FENCE, PAGES, blocks, commands
from paths import ROOT

BIN = Path(sys.executable).parent
CONFIG = """
site_name: test
docs_dir: pages
site_dir: site
theme: {name: material, font: false}
plugins: []
validation: {links: {not_found: warn, anchors: warn}}
"""


def build(folder: Path, page: str) -> subprocess.CompletedProcess[str]:
    (folder / "pages").mkdir()
    (folder / "pages" / "index.md").write_text(page)
    (folder / "mkdocs.yml").write_text(CONFIG)
    command = [ROOT / "tools" / "build-docs", BIN, folder / "mkdocs.yml"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)


def prose(page: Path) -> str:
    """The text of a page without its fenced blocks."""
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def in_backticks(page: Path) -> list[str]:
    return [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", prose(page))]


def command_lines(page: Path) -> Iterator[str]:
    """Yield the commands of a page, in its console blocks and in its text, up to a pipe or a redirection."""
    shown = [command.line for block in blocks(page) if block.kind == "console" for command in commands(block.text)]
    for line in [*shown, *in_backticks(page)]:
        yield re.split(r" (?:\||<|>|&&|;|…) ?", line)[0]


def parse(line: str) -> None:
    """Look up a command of noughts and its options; raises UsageError if there is none. Values are not checked."""
    command: click.Command = group
    words = shlex.split(line, comments=True)[1:]
    context = click.Context(command, info_name="noughts")
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        found = command.get_command(context, words[0])
        if found is None:
            raise click.UsageError(f"no command {words[0]}")
        command, words = found, words[1:]
        context = click.Context(command, info_name=found.name, parent=context)
    try:
        command.make_parser(context).parse_args(list(words))
    except click.BadOptionUsage as error:
        if error.option_name != words[-1]:  # text names an option without a value
            raise


def exists(name: str) -> bool:
    """Whether a dotted name of the library leads to something."""
    found: object = noughts
    parts = name.split(".")
    for number, part in enumerate(parts[1:], start=2):
        module = ".".join(["noughts", *parts[1:number]])
        if not hasattr(found, part):
            if find_spec(module) is None:
                return False
            if number == len(parts):
                return True  # without importing it: it may need PyTorch
            try:
                import_module(module)
            except ImportError:
                return True  # an extra is not installed
        found = getattr(found, part)
    return True


def load_figures() -> ModuleType:
    spec = spec_from_file_location("figures", ROOT / "tools" / "figures.py")
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_examples_of_the_documentation_are_fenced() -> None:
    """Without a fence the site shows code as prose."""
    assert [page.name for page in PAGES if re.search(r"^ *>>>", prose(page), re.MULTILINE)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_of_the_documentation_exists(page: Path) -> None:
    for line in command_lines(page):
        if re.match(r"noughts [a-z-]", line):
            try:
                parse(line)
            except click.UsageError as error:
                pytest.fail(f"{line}: {error.format_message()}")


def test_command_or_option_that_does_not_exist_is_found() -> None:
    for line in ("noughts paly", "noughts arena rum", "noughts solve 3x3 --poof p.ngp"):
        with pytest.raises(click.UsageError):
            parse(line)


def test_every_name_of_the_library_in_the_documentation_exists() -> None:
    # Not the files of the database, noughts.sqlite3, and the keys of the page's storage in the browser.
    name = re.compile(r"(?<![\w/.-])(?:no|noughts)(?:\.(?!sqlite3|own)[A-Za-z_]\w*)+")
    code = [(page.name, block.text) for page in PAGES for block in blocks(page) if block.kind in ("python", "pycon")]
    code += [(page.name, span) for page in PAGES for span in in_backticks(page)]
    named = {(page, found) for page, text in code for found in name.findall(text)}
    assert len(named) > 50
    assert sorted(each for each in named if not exists(each[1])) == []
    assert not exists("no.Stor")


def test_every_measurement_of_the_documentation_can_be_repeated() -> None:
    from bench.__main__ import MEASUREMENTS

    lines = {line for page in PAGES for line in command_lines(page)}
    modules = {found[1] for line in lines if (found := re.match(r"python -m (\S+)", line))}
    assert [name for name in modules if find_spec(name) is None] == []
    named = {found[1] for line in lines if (found := re.match(r"python -m bench ([a-z]\S*)", line))}
    assert named <= MEASUREMENTS.keys()


def test_every_file_of_the_source_that_the_documentation_names_exists() -> None:
    source = re.compile(r"(?:bench|core|docs|examples|packaging|proofs|src|tests|tools)/[\w./-]+")
    named = {span for page in PAGES for span in in_backticks(page) if source.fullmatch(span)}
    made = ("bench/out", "examples/lessons/solutions")
    assert named
    assert [name for name in sorted(named) if not (ROOT / name).exists() and not name.startswith(made)] == []


def test_figures_of_the_documentation_are_those_that_were_measured() -> None:
    figures = load_figures()
    pages = {page: page.read_text(encoding="utf-8") for page in PAGES}
    changed = [page.name for page, text in pages.items() if text != figures.with_figures(text)]
    assert changed == [], "make reference brings the figures of these pages up to date"
    assert {name for text in pages.values() for name in figures.names(text)} == figures.FIGURES.keys()
    for name, figure in figures.FIGURES.items():
        assert figure["quote"] in (ROOT / figure["source"]).read_text(encoding="utf-8"), name


def test_versions_of_files_are_current() -> None:
    page = (ROOT / "docs" / "versions.md").read_text(encoding="utf-8")
    for words in (
        f"`noughts_proof` in the first line, now {proof_file.VERSION} |",
        f"`version`, now {trace.VERSION} |",
        f"now `{book_file.MAGIC.decode().strip()}` |",
        f"`noughts_backup` in `backup.json`, now {backup.VERSION} |",
    ):
        assert words in page


def test_ratings_of_the_documentation_are_those_of_the_package() -> None:
    page = (ROOT / "docs" / "levels.md").read_text(encoding="utf-8")
    rows = [row.strip("| ").split(" | ") for row in page.splitlines() if re.match(r"\| `\S+` \|( -?\d+ \|){6}", row)]
    assert len(rows) > 5
    for id, *ratings in rows:
        game = noughts.Game(id.strip("`"))
        assert [round(rating_of(game, name)) for name in ("random", *noughts.LEVELS)] == [int(each) for each in ratings]


def test_page_on_installing_lists_all_extras() -> None:
    page = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    listed = [name for row in re.findall(r"^\| (`.*?) \|", page, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert sorted(listed) == sorted(project["optional-dependencies"])


def test_no_page_names_a_seed_of_the_project() -> None:
    """Readers know a seed as the number that starts a random generator."""
    assert [page.name for page in PAGES if re.search(r"\b[Ss]eeds? 00\d", page.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize("link", ["missing.md", "#nowhere"])
def test_broken_link_fails_the_build(link: str, tmp_path: Path) -> None:
    done = build(tmp_path, f"# Page\n\n[broken]({link})\n")
    assert done.returncode == 1
    assert link in done.stderr
