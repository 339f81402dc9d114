"""Diagnoses by repair: a small change to the program after which all its answers are right shows where its mistake is.

The process of the submission looks for the change; see ``runtime.edits``. A report names the kind of the change and the
line, not the change.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from noughts.games.quoting import escape_control_characters, shorten
from noughts.json_types import JsonObject
from noughts.teaching.grading.diagnosis.diagnoses import FATAL
from noughts.teaching.grading.report import Diagnosis, Grade, PropertyFailure
from noughts.teaching.grading.tasks import RULES

__all__ = ["is_repairable", "record_repair"]

MAX_LINE = 80
"""Characters of a line of the source."""


class Kind(NamedTuple):
    """A diagnosis for a kind of edits, and those that say more and agree with it."""

    id: str
    agreeing: frozenset[str] = frozenset()


CHOICES = frozenset({"swapped-min-max", "always-max", "root-always-max", "wrong-choice"})
CUTS = frozenset({"wrong-cut", "late-cut", "no-cuts", "too-many-nodes"})
DEPTHS = frozenset({"depth-one-less", "depth-one-more", "depth-not-reduced"})
KEPT_MOVES = frozenset({"later-move", "returns-no-move", "plays-last", "plays-first", "move-overwritten"})
STARTS = frozenset({"starts-as-max", "starts-as-min"})
WINDOWS = frozenset({"window-exchanged", "window-empty", "negamax-window"})
SIGNS = frozenset(
    {
        "colour-kept",
        "estimate-side",
        "leaf-side",
        "leaf-sign",
        "mover-side",
        "negamax-leaf",
        "negamax-no-minus",
        "wrong-sign",
    }
)
KINDS: dict[str, Kind] = {
    "argument": Kind("wrong-variable", WINDOWS | KEPT_MOVES),
    "bound": Kind("wrong-window", CUTS),
    "call": Kind("wrong-call", frozenset({"max-calls-max", "min-calls-min", "root-calls-max"})),
    "choice": Kind("wrong-choice-here", CHOICES | STARTS),
    "comparison": Kind("wrong-comparison", CHOICES | CUTS | DEPTHS | STARTS | {"keeps-later-ties"}),
    "copy": Kind("missing-copy", frozenset({"changes-board"})),
    "depth": Kind("wrong-depth", DEPTHS),
    "early-exit": Kind("early-exit", frozenset({"always-centre", "not-searched", "opening-not-searched"})),
    "extra": Kind("extra-statement"),
    "indent": Kind("wrong-indent", frozenset({"first-move-only", "forgets-undo"})),
    "line": Kind("wrong-line", frozenset({"lines-miss-rows", "lines-miss-columns", "lines-miss-diagonals"})),
    "mirror": Kind("wrong-choice-here", CHOICES | STARTS),
    "no-return": Kind("no-return", frozenset({"returns-nothing", "returns-nothing-for-side"})),
    "number": Kind("wrong-number", DEPTHS | {"draw-value", "forgets-loss", "leaf-sign", "small-win"}),
    "order": Kind("wrong-order"),
    "side": Kind("wrong-side", CHOICES | STARTS | {"leaf-sign", "wrong-sign"}),
    "sign": Kind("wrong-sign-here", SIGNS),
    "start": Kind("wrong-start", frozenset({"starts-at-zero", "no-move-when-lost", "window-empty"})),
    "table": Kind("wrong-table", frozenset({"table-bounds"})),
    "ties": Kind("wrong-comparison", frozenset({"late-cut", "keeps-later-ties"})),
    "turn": Kind("same-side", frozenset({"colour-kept", "max-calls-max", "min-calls-min", "root-calls-max"})),
    "undo": Kind("missing-undo", frozenset({"forgets-undo"})),
    "variable": Kind("wrong-variable", WINDOWS | KEPT_MOVES),
    "window": Kind("wrong-window", WINDOWS),
}
"""The diagnoses of the kinds of edits."""
FOLLOWS = "move-follows-value"
"""A diagnosis that stays beside that of the value."""
UNREPAIRED = FATAL | {"not-written", "name-error"}


def is_repairable(grade: Grade) -> bool:
    """Whether a small change to a program could correct what fails beside the rules."""
    failures = _failures_of_search(grade)
    return bool(failures) and not any(each.diagnosis and each.diagnosis.id in UNREPAIRED for each in failures)


def record_repair(grade: Grade, found: JsonObject, source: str) -> None:
    """Record where the mistake is: a change there, of the kind that was found, repairs all that fails."""
    kind, line = found.get("kind"), found.get("line")
    lines = source.splitlines()
    if not isinstance(kind, str) or kind not in KINDS or not isinstance(line, int) or not 0 < line <= len(lines):
        return
    failures = _failures_of_search(grade)
    known = next((each.diagnosis.id for each in failures if each.diagnosis is not None), "")
    id = known if known in KINDS[kind].agreeing | {"endless-loop"} else KINDS[kind].id
    text = escape_control_characters(" ".join(lines[line - 1].split()))
    place = f"line {line}: {shorten(text, MAX_LINE, '...')}"
    for each in failures:
        if each.diagnosis is None or each.diagnosis.id != FOLLOWS:
            grade.failures[each.property] = replace(each, diagnosis=replace(Diagnosis.of(id), place=place))


def _failures_of_search(grade: Grade) -> list[PropertyFailure]:
    return [each for each in grade.gravest_failures if each.property not in RULES]
