"""Questions of the table, asked in this thread: requests and answers as JSON has them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from noughts.ask import QUESTIONS, Context, encode, read
from noughts.ask import ask as ask_question


def ask(name: str, context: Context | None = None, /, **request: Any) -> Any:
    """Return the answer to a question."""
    question = QUESTIONS[name]
    return json.loads(encode(ask_question(question, read(question.request, request), context)))


def refusal(name: str, /, **request: Any) -> str:
    """Return the message for a stranger's request, which must be refused."""
    question = QUESTIONS[name]
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        question.prepare_public(read(question.request, request)).work(Context(), lambda _: None)
    return str(caught.value)
