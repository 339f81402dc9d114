"""The types of the page, which are generated from the table of questions."""

from __future__ import annotations

import json
import re

from noughts.ask import QUESTIONS
from noughts.web.typescript import TYPES_FILE, typescript


def test_types_declare_every_question_with_its_request_and_answer() -> None:
    declared = typescript()
    for name, question in QUESTIONS.items():
        request, answer = question.request.__name__, question.answer.__name__
        assert f"  {name}: {{ request: {request}; answer: {answer};" in declared
        assert f"export interface {request} " in declared
        assert f"export interface {answer} " in declared


def test_requests_leave_out_defaults_and_answers_are_whole() -> None:
    declared = typescript()
    assert "  lines?: number;" in declared
    assert "  plies: number | null;" in declared
    assert 'export type Side = "X" | "O";' in declared


def test_page_sends_a_query_where_the_server_reads_one() -> None:
    script = (TYPES_FILE.parent / "server.js").read_text()
    listed = re.search(r"const BY_QUERY = (\[.*\]);", script)
    assert listed is not None
    assert json.loads(listed[1]) == ["about", *(name for name, each in QUESTIONS.items() if each.reads_query)]
