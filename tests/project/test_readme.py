"""The README's examples are run unchanged."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

from paths import ROOT

SOURCE = ROOT / "src"
WITH_EXAMPLES = sorted(path for path in SOURCE.rglob("*.py") if ">>> " in path.read_text(encoding="utf-8"))


def test_every_example_of_the_readme_gives_what_it_says() -> None:
    failures, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert failures == 0
    assert tried > 10


PAGES = sorted(path for path in (ROOT / "docs").rglob("*.md") if ">>> " in path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.stem))
def test_every_example_of_the_documentation_gives_what_it_says(path: Path) -> None:
    failures, tried = doctest.testfile(str(path), module_relative=False)
    assert failures == 0
    assert tried > 0


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=lambda path: str(path.stem))
def test_every_example_of_a_docstring_gives_what_it_says(path: Path) -> None:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    failures, tried = doctest.testmod(import_module(".".join(parts).removesuffix(".__init__")))
    assert failures == 0
    assert tried > 0


def test_every_file_the_readme_links_to_is_there() -> None:
    import re

    links = re.findall(r"\]\(([^)#:]+)\)", (ROOT / "README.md").read_text())
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_the_page_of_the_package_index_links_to_nothing_that_it_lacks() -> None:
    page = (ROOT / "docs" / "package.md").read_text(encoding="utf-8")
    assert "](" not in page
    assert 'readme = "docs/package.md"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
