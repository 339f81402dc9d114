"""The README's examples are run as they stand."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

import noughts.games.game
import noughts.games.notation
import noughts.games.position

ROOT = Path(__file__).parent.parent


def test_every_example_of_the_readme_gives_what_it_says() -> None:
    failures, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert failures == 0
    assert tried > 20


def test_every_example_of_the_engine_page_gives_what_it_says() -> None:
    failures, tried = doctest.testfile(str(ROOT / "docs" / "engine.md"), module_relative=False)
    assert failures == 0
    assert tried > 5


@pytest.mark.parametrize("module", [noughts, noughts.games.game, noughts.games.notation, noughts.games.position])
def test_every_example_of_a_docstring_gives_what_it_says(module: object) -> None:
    failures, tried = doctest.testmod(module)  # type: ignore[arg-type]
    assert failures == 0
    assert tried > 0


def test_every_file_the_readme_links_to_is_there() -> None:
    import re

    links = re.findall(r"\]\(([^)#:]+)\)", (ROOT / "README.md").read_text())
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []
