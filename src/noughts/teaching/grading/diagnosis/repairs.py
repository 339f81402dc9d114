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
from noughts.teaching.grading.submission import Submission
from noughts.teaching.grading.tasks import RULES

__all__ = ["PRUNING_KINDS", "is_repairable", "record_repair"]

MAX_LINE = 80
"""Characters of a line of the source."""


class Kind(NamedTuple):
    """A diagnosis for a kind of edits, and those that say more and agree with it."""

    id: str
    agreeing: frozenset[str] = frozenset()


CHOICES = frozenset({"swapped-min-max", "always-max", "root-always-max", "wrong-choice"})
CERTAIN_CHOICES = CHOICES - {"wrong-choice"}
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
LEAVES = frozenset({"draw-value", "forgets-loss", "leaf-sign", "small-win"})
KINDS: dict[str, Kind] = {
    "argument": Kind("wrong-variable", WINDOWS | KEPT_MOVES),
    "best": Kind("keeps-last-value"),
    "bound": Kind("wrong-window", CUTS),
    "branch": Kind("wrong-branch", CHOICES | STARTS),
    "call": Kind("wrong-call", frozenset({"max-calls-max", "min-calls-min", "root-calls-max"})),
    "case": Kind("missing-case", frozenset({"forgets-loss", "leaf-sign", "win-not-seen"})),
    "choice": Kind("wrong-choice-here", CHOICES | STARTS),
    "colour": Kind("wrong-sign-here", SIGNS),
    "comparison": Kind("wrong-comparison", CHOICES | CUTS | DEPTHS | STARTS | {"keeps-later-ties"}),
    "condition": Kind("wrong-branch", CERTAIN_CHOICES | CUTS | STARTS | {"terminal-misses-draw"}),
    "copy": Kind("missing-copy", frozenset({"changes-board"})),
    "depth": Kind("wrong-depth", DEPTHS),
    "draw": Kind("terminal-misses-draw"),
    "early-exit": Kind("early-exit", frozenset({"always-centre", "not-searched", "opening-not-searched"})),
    "extra": Kind("extra-statement"),
    "indent": Kind("wrong-indent", frozenset({"first-move-only", "forgets-undo"})),
    "kept-move": Kind("later-move", KEPT_MOVES),
    "line": Kind("wrong-line", frozenset({"lines-miss-rows", "lines-miss-columns", "lines-miss-diagonals"})),
    "mirror": Kind("wrong-choice-here", CHOICES | STARTS),
    "missing-test": Kind("wrong-branch", frozenset({"terminal-misses-draw"})),
    "no-return": Kind("no-return", frozenset({"returns-nothing", "returns-nothing-for-side"})),
    "number": Kind("wrong-number", DEPTHS | LEAVES),
    "order": Kind("wrong-order"),
    "other-depth": Kind("wrong-depth", DEPTHS),
    "overwritten": Kind("overwrites-parameter"),
    "scale": Kind("win-cost"),
    "side": Kind("wrong-side", CHOICES | STARTS | {"leaf-sign", "wrong-sign"}),
    "sides": Kind("wrong-choice-here", CHOICES | STARTS | SIGNS),
    "sign": Kind("wrong-sign-here", SIGNS | LEAVES),
    "start": Kind("wrong-start", frozenset({"starts-at-zero", "no-move-when-lost", "window-empty"})),
    "table": Kind("wrong-table", frozenset({"table-bounds"})),
    "ties": Kind("wrong-comparison", frozenset({"late-cut", "keeps-later-ties"})),
    "toggle": Kind("same-side"),
    "turn": Kind("same-side", frozenset({"colour-kept", "max-calls-max", "min-calls-min", "root-calls-max"})),
    "undo": Kind("missing-undo", frozenset({"forgets-undo"})),
    "update": Kind("missing-update", CUTS | KEPT_MOVES | {"no-move-when-lost"}),
    "variable": Kind("wrong-variable", WINDOWS | KEPT_MOVES),
    "window": Kind("wrong-window", WINDOWS),
}
"""The diagnoses of the kinds of edits."""
PRUNING_KINDS = frozenset(
    {"comparison", "ties", "window", "bound", "update", "indent", "order", "start", "depth", "other-depth"}
)
"""The kinds of mistakes after which a search that has all right answers prunes too little."""
CERTAIN = frozenset({"keeps-later-ties", "table-bounds"})
"""Diagnoses that stay if another change happens to repair the program."""
FOLLOWS = "move-follows-value"
"""A diagnosis that stays beside that of the value."""
UNREPAIRED = FATAL | {"not-written", "name-error"}


def is_repairable(grade: Grade) -> bool:
    """Whether a small change to a program could correct what fails beside the rules."""
    failures = _failures_of_search(grade)
    return bool(failures) and not any(each.diagnosis and each.diagnosis.id in UNREPAIRED for each in failures)


def record_repair(grade: Grade, found: JsonObject, submission: Submission) -> None:
    """Record where the mistake is: a change there, of the kind that was found, repairs all that fails."""
    kind, file, line = (found.get(name) for name in ("kind", "file", "line"))
    if not isinstance(kind, str) or kind not in KINDS or not isinstance(file, str) or not isinstance(line, int):
        return
    lines = (submission.files or {}).get(file, b"").decode(errors="replace").splitlines()
    if not 0 < line <= len(lines):
        return
    failures = _failures_of_search(grade)
    known = next((each.diagnosis.id for each in failures if each.diagnosis is not None), "")
    if known in CERTAIN and known not in KINDS[kind].agreeing:
        return
    id = known if known in KINDS[kind].agreeing | {"endless-loop"} else KINDS[kind].id
    text = escape_control_characters(" ".join(lines[line - 1].split()))
    where = "" if file == submission.main else f"{escape_control_characters(file)}, "
    place = f"{where}line {line}: {shorten(text, MAX_LINE, '...')}"
    for each in failures:
        if each.diagnosis is None or each.diagnosis.id != FOLLOWS:
            grade.failures[each.property] = replace(each, diagnosis=replace(Diagnosis.of(id), place=place))


def _failures_of_search(grade: Grade) -> list[PropertyFailure]:
    return [each for each in grade.gravest_failures if each.property not in RULES]
