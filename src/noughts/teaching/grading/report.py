"""The outcome of grading, as text for a student and as JSON for programs."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from noughts.games import Position
from noughts.games.rendering.text import draw
from noughts.json_types import JsonObject
from noughts.process.sandbox import NO_SANDBOX
from noughts.teaching.grading.diagnosis.diagnoses import DIAGNOSES, EXCEPTIONS, gravity
from noughts.teaching.grading.styles import STYLES
from noughts.teaching.grading.tasks import RULES, Property
from noughts.teaching.tree import Node, tree_text
from noughts.teaching.tree.search_tree import WRONG
from noughts.teaching.tree.trace import Trace, trace_from_json

__all__ = ["Departure", "Diagnosis", "Grade", "PropertyFailure"]

FORMAT = "noughts-grade"
VERSION = 1
SIGNS = {"fails": WRONG, "holds": "✓", "unchecked": "·"}
CLAIMED = " (by the program's own count)"
EARLY_MARKS = 4
"""Positions with fewer marks are early ones, which are named in the report."""
SPEAKING_FAILURES = EXCEPTIONS | {"not-found", "syntax-error"}
"""Diagnoses that say less than the message of the failure, which names a line."""
NODES_SHOWN = 40
"""Nodes of the tree in the text of a report."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The mistake that explains a failure: an id that stays the same, and a sentence for the student."""

    id: str
    sentence: str
    place: str = ""
    """The line at which a small change repairs the program, if one was found."""

    @property
    def text(self) -> str:
        """The sentence, and where to look."""
        return f"{self.sentence} Look at {self.place}" if self.place else self.sentence

    @classmethod
    def of(cls, id: str) -> Diagnosis:
        """Return the diagnosis with an id of ``DIAGNOSES``."""
        return cls(id, DIAGNOSES[id])


@dataclass(frozen=True, slots=True)
class PropertyFailure:
    """One property that fails, the smallest position that was found to show it, and the mistake behind it."""

    property: str
    position: str
    message: str
    call: str = ""
    """The call that shows the failure, as the student would type it; empty if it cannot be typed."""
    diagnosis: Diagnosis | None = None

    def lines(self) -> list[str]:
        """Return the call, or else the position, and the message."""
        return [line for line in (self.call or self.position, self.message) if line]


@dataclass(frozen=True, slots=True)
class Departure:
    """The first node, in the order of the search, whose value is not the expected one."""

    path: list[str]
    """The moves from the position to the node."""
    expected: str
    got: str
    reason: str

    def __str__(self) -> str:
        where = f"after {', '.join(self.path)}" if self.path else "at the root"
        return f"First wrong node, {where}: expected {self.expected}, got {self.got}. {self.reason}"


def _subtree(trace: Trace, depth: int) -> Trace:
    """Return the part of a trace around its marked node, from ``depth`` plies below the root on."""
    path = next((node for node in trace.root.walk() if node.is_wrong), trace.root).path
    position = trace.start
    for node in path[1 : depth + 1]:
        if node.move is not None:
            position.play(node.move)
    part = Trace(trace.algorithm, names=trace.names)
    _copy(path[min(depth, len(path) - 1)], trace.game.parse(position.text), part)
    return part


def _copy(node: Node, position: Position, into: Trace) -> None:
    into.enter(position, node.alpha, node.beta)
    for child in node.children:
        if child.move is not None:
            position.play(child.move)
            _copy(child, position, into)
            position.undo()
    if node.value is not None:
        into.leave(node.value, node.note)


@dataclass(slots=True)
class Grade:
    """The outcome of grading. Print it for the full report."""

    name: str
    task: str
    style: str
    game: str
    positions: int
    properties: tuple[Property, ...]
    depth: int | None = None
    failures: dict[str, PropertyFailure] = field(default_factory=dict)
    """The failures by the id of the property."""
    checked: set[str] = field(default_factory=set)
    """The ids of the properties that were checked."""
    departure: Departure | None = None
    tree: JsonObject | None = None
    """The tree of the submission's own search where it fails, in the format of traces; see ``trace``."""
    claimed: set[str] = field(default_factory=set)
    """The ids of the properties that rest on the program's own count, which could not be verified."""
    early: int = 0
    """The number of positions tried before the fourth move."""
    sandbox: bool | None = None
    """Whether the submission ran in a sandbox; None for a function, which cannot be kept apart."""
    replaced: tuple[str, ...] = ()
    """The functions of the rules that were wrong: after them, functions of ours took their place."""
    notes: list[str] = field(default_factory=list)
    """Remarks that cost no points."""
    taken: str = ""
    """Which functions were taken for what, if the usual names are missing."""

    def count_position(self, text: str) -> None:
        """Record that a position was tried."""
        self.positions += 1
        self.early += sum(text.rsplit(" ", 1)[0].count(mark) for mark in "xo") < EARLY_MARKS

    @property
    def gravest_failures(self) -> list[PropertyFailure]:
        """The failures, the gravest first."""

        def order(failure: PropertyFailure) -> int:
            return gravity(failure.diagnosis.id if failure.diagnosis else "", is_rule=failure.property in RULES)

        return sorted((self.failures[each.id] for each in self.properties if each.id in self.failures), key=order)

    @property
    def diagnosis(self) -> Diagnosis | None:
        """The gravest mistake that was found, or None."""
        return next((each.diagnosis for each in self.gravest_failures if each.diagnosis is not None), None)

    @property
    def passed(self) -> bool:
        """Whether every property that can be checked holds on every position."""
        return not self.failures

    @property
    def points(self) -> int:
        """The points of the properties that hold."""
        return sum(each.points for each in self.properties if self.state(each.id) == "holds")

    @property
    def max_points(self) -> int:
        """The points of all properties; an unchecked one counts if another failed, or if it is claimed."""
        counted = self.checked | self.claimed
        return sum(each.points for each in self.properties if not self.passed or each.id in counted)

    @property
    def score(self) -> float:
        """The share of the points, from 0 to 1."""
        return self.points / self.max_points if self.max_points else 0.0

    @property
    def trace(self) -> Trace | None:
        """The tree of the submission's own search where it fails, to be drawn or saved; None if there is none."""
        return None if self.tree is None else trace_from_json(self.tree)

    @property
    def reason(self) -> str:
        """Why it failed, in one line: the likely mistake, or its failure if that says more; empty if none."""
        diagnosis = self.diagnosis
        if diagnosis is not None and diagnosis.id not in SPEAKING_FAILURES:
            return diagnosis.text
        failures = [failure for failure in self.gravest_failures if failure.diagnosis == diagnosis]
        return ": ".join([failures[0].property, *failures[0].lines()]) if failures else ""

    def state(self, property: str) -> str:
        """Return "fails", "holds" or "unchecked"."""
        return "fails" if property in self.failures else "holds" if property in self.checked else "unchecked"

    def __str__(self) -> str:
        held = sum(self.state(each.id) == "holds" for each in self.properties)
        depth = "" if self.depth is None else f" at depth {self.depth}"
        title = f"{self.name}: {held} of {len(self.properties)} properties hold on {self.positions} positions"
        early = f", {self.early} of them before the fourth move" if self.early and self.depth is None else ""
        lines = [f"{title} of {self.game}{depth}{early}"]
        lines += [line for each in self.properties for line in self._property_text(each)]
        lines += [line for choice in self.choices for line in ("", f"  {choice}")]
        lines += ["", *sentences] if (sentences := self._sentences()) else []
        lines += [f"  Note: {note}" for note in self.notes]
        if self.sandbox is False:
            lines += ["", f"  {NO_SANDBOX}"]
        return "\n".join([*lines, *self._tree_text()])

    @property
    def choices(self) -> list[str]:
        """How a program with names of its own was read, and which functions were replaced, as sentences."""
        ours = " and ".join(f"`{name}`" for name in self.replaced)
        taken = [f"It took {self.taken}."] if self.taken else []
        return [*taken, f"The rest is graded with our {ours}."] if ours else taken

    def describe(self, each: Property) -> str:
        """Return a property with a sign for its state, in one line."""
        sign = SIGNS[self.state(each.id)]
        doubt = CLAIMED if each.id in self.claimed else " (could not be checked)" if sign == "·" else ""
        return f"{sign} {each.id}: {each.description}{doubt}"

    def _property_text(self, each: Property) -> list[str]:
        reasons = self.failures[each.id].lines() if each.id in self.failures else []
        return [f"  {self.describe(each)}", *(f"      {line}" for line in reasons)]

    @property
    def shown_tree(self) -> Trace | None:
        """The tree for a report: of a large one, the part around the first wrong node."""
        trace = self.trace
        if trace is not None and trace.visited > NODES_SHOWN and self.departure is not None:
            return _subtree(trace, max(0, len(self.departure.path) - 1))
        return trace

    def _sentences(self) -> list[str]:
        """Return a sentence for each mistake, the gravest first."""
        found = {each.diagnosis.text: each.property for each in self.gravest_failures if each.diagnosis}
        return [f"  {sentence}" for sentence in found]

    def _tree_text(self) -> list[str]:
        lines = ["", f"  {self.departure}"] if self.departure is not None else []
        trace = self.shown_tree
        if trace is None:
            return lines
        board = [f"    {line}" for line in draw(trace.start, first=STYLES[self.style].first_on_boards).splitlines()]
        tree = [f"    {line}" for line in tree_text(trace, NODES_SHOWN).splitlines()]
        return [*lines, "", *board, "", *tree]

    def to_data(self) -> dict[str, Any]:
        """Return the grade as plain data, for JSON; docs/grading.md describes it."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "name": self.name,
            "task": self.task,
            "style": self.style,
            "game": self.game,
            "depth": self.depth,
            "positions": self.positions,
            "early": self.early,
            "passed": self.passed,
            "points": self.points,
            "max_points": self.max_points,
            "score": round(self.score, 4),
            "properties": [self._property_data(each) for each in self.properties],
            "diagnosis": self.diagnosis and asdict(self.diagnosis),
            "departure": self.departure and asdict(self.departure),
            "tree": self.tree,
            "sandbox": self.sandbox,
            "replaced": list(self.replaced),
            "notes": self.notes,
            "taken": self.taken,
        }

    def _property_data(self, each: Property) -> dict[str, object]:
        failure = self.failures.get(each.id)
        return {
            "id": each.id,
            "description": each.description,
            "points": each.points,
            "state": self.state(each.id),
            "claimed": each.id in self.claimed,
            "position": failure and failure.position,
            "message": failure and failure.message,
            "call": failure and failure.call,
            "diagnosis": failure and failure.diagnosis and asdict(failure.diagnosis),
        }

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Grade:
        """Return the grade of plain data; raises ValueError if it is not a grade, or one of another version."""
        if (data.get("format"), data.get("version")) != (FORMAT, VERSION):
            raise ValueError(
                f"expected version {VERSION} of {FORMAT}, got {data.get('version')} of {data.get('format')}"
            )
        items = data["properties"]
        return cls(
            **{name: data[name] for name in ("name", "task", "style", "game", "positions", "depth", "tree")},
            properties=tuple(Property(item["id"], item["description"], item["points"]) for item in items),
            failures={
                item["id"]: PropertyFailure(
                    item["id"],
                    item["position"],
                    item["message"],
                    item.get("call", ""),
                    item["diagnosis"] and Diagnosis(**item["diagnosis"]),
                )
                for item in items
                if item["state"] == "fails"
            },
            checked={item["id"] for item in items if item["state"] != "unchecked"},
            departure=data["departure"] and Departure(**data["departure"]),
            early=data.get("early", 0),
            claimed={item["id"] for item in items if item.get("claimed")},
            sandbox=data.get("sandbox"),
            replaced=tuple(data["replaced"]),
            notes=list(data["notes"]),
            taken=data.get("taken", ""),
        )

    __repr__ = __str__
