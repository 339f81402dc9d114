"""The steps of a replay in words, and the state of the drawing after each of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

__all__ = ["Frame", "Part", "QuizItem", "Step"]

Part = Literal["node", "pruned", "more"]


@dataclass(slots=True)
class QuizItem:
    """A question about the next step, for a reader who predicts: the possible answers and the right one."""

    text: str
    choices: list[str]
    right: int


@dataclass(slots=True)
class Step:
    """One step of the replay.

    ``kind`` is "enter", "leave", "cut" or "more" in a depth-first search, a phase ("select", "expand", "simulate",
    "backpropagate") in a grown tree. The step happens at a drawn ``node``, at its pruned branches or at the stub for
    those left out (``part``), which it makes visible; ``writes`` are the texts that it changes, by node and name. A
    ``rollout`` has the moves of a simulation after those of its ``origin``. ``tally`` says how far the search is; a
    ``mark`` is a step worth jumping to: a cutoff, or the beginning of a round. ``code`` has the numbers of the lines of
    the pseudocode that the step carries out.
    """

    kind: str
    node: int
    text: str
    part: Part = "node"
    writes: dict[int, dict[str, str]] = field(default_factory=dict)
    count: int = 1
    question: QuizItem | None = None
    rollout: list[int] = field(default_factory=list)
    origin: list[int] = field(default_factory=list)
    tally: str = ""
    mark: bool = False
    code: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Frame:
    """The state of a drawing after some steps: the visible parts, the texts written, and the nodes that are open.

    ``open`` has the nodes that a depth-first search has entered but not left, or the path of the current round.
    """

    seen: set[tuple[Part, int]] = field(default_factory=set)
    texts: dict[int, dict[str, str]] = field(default_factory=dict)
    open: set[int] = field(default_factory=set)
    step: Step | None = None
    is_last: bool = False

    @property
    def tally(self) -> str:
        return self.step.tally if self.step else ""

    def apply(self, step: Step) -> None:
        """Take one step, exactly as stepper.js does."""
        self.step = step
        self.seen.add((step.part, step.node))
        for node, texts in step.writes.items():
            self.texts.setdefault(node, {}).update(texts)
        if step.kind in OPENS:
            self.open.add(step.node)
        elif step.kind in CLOSES:
            self.open.discard(step.node)


OPENS = ("enter", "select")
CLOSES = ("leave", "backpropagate")
