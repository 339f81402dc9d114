"""What is generated from the table of questions is current."""

from __future__ import annotations

from noughts.ask.reference import with_reference
from noughts.ask.table import QUESTIONS
from paths import ROOT

PAGE = ROOT / "docs" / "web-api.md"


def test_reference_of_the_questions_is_current() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == with_reference(page), "make reference brings docs/web-api.md up to date"


def test_reference_has_every_question() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert all(f"#### `{name}`\n" in page for name in QUESTIONS)
