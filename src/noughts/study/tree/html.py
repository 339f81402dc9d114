"""Search trees as a self-contained HTML page that steps through the search."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from html import escape
from importlib.resources import files

from noughts.games.quoting import script_json
from noughts.study.tree.layout import Item, choose_items
from noughts.study.tree.search_tree import Node, SearchTree, format_value
from noughts.study.tree.svg import STYLE, tree_svg

__all__ = ["Step", "replay", "tree_html"]

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<header>
  <div class="bar" role="toolbar" aria-label="steps">
    <button id="first" title="to the start (Home)">|◀</button>
    <button id="back" title="one step back (←)">◀ back</button>
    <button id="play" title="play or pause (space)">▶ play</button>
    <button id="forward" title="one step forward (→)">forward ▶</button>
    <button id="next-cut" title="to the next cutoff (c)">next cutoff ✂</button>
    <button id="last" title="to the end (End)">▶|</button>
    <label>speed <input id="speed" type="range" min="1" max="20" value="4"></label>
    <label><input id="predict" type="checkbox"> let me predict</label>
    <span id="score" hidden></span>
  </div>
  <input id="scrub" type="range" min="0" value="0" aria-label="step">
  <p id="message" aria-live="polite"></p>
  <p id="question" hidden><span></span>
    <button id="say-pruned">pruned</button> <button id="say-searched">searched</button></p>
  <p id="counts"></p>
</header>
<main>{svg}</main>
<script type="application/json" id="steps">{steps}</script>
<script>{script}</script>
</body>
</html>
"""


@dataclass(slots=True)
class Step:
    """One step of the replay: an event, its node, and the state after it.

    ``kind`` is "enter", "leave", "cut" or "more"; ``of`` is the node whose current value and window follow.
    ``ask`` is the question for a reader who predicts; the answer is whether ``kind`` is "cut".
    """

    kind: str
    node: int
    text: str
    of: int | None = None
    value: str = ""
    best: str = ""
    alpha: str = ""
    beta: str = ""
    count: int = 1
    ask: str = ""


def tree_html(trace: SearchTree, most_nodes: int = 400) -> str:
    """Return a page that replays the last pass of a trace, with at most ``most_nodes`` nodes drawn."""
    here = files("noughts.study.tree")
    steps = [asdict(step) for step in replay(trace, most_nodes)]
    return PAGE.format(
        title=escape(f"{trace.algorithm or 'search'} on {trace.game.id}"),
        style=STYLE + (here / "stepper.css").read_text(encoding="utf-8"),
        svg=tree_svg(trace, most_nodes, stylesheet=False),
        steps=script_json(steps),
        script=(here / "stepper.js").read_text(encoding="utf-8"),
    )


def replay(trace: SearchTree, most_nodes: int = 400) -> list[Step]:
    """Return the steps of the last pass, for the nodes that are drawn."""
    names = [trace.start.format_move(cell) for cell in range(trace.game.cells)]
    top = choose_items(trace.root, trace.principal, most_nodes)
    return list(_Replay(names).steps(top))


class _Replay:
    def __init__(self, names: list[str]) -> None:
        self.names = names

    def steps(self, item: Item) -> list[Step]:
        """Return the steps of one item and all below it."""
        if item.kind == "more":
            return [self._more(item)]
        if item.kind == "pruned":
            return [self._cut(item)]
        below = [step for child in item.children for step in self.steps(child)]
        return [self._enter(item), *below, self._leave(item)]

    def _enter(self, item: Item) -> Step:
        node = item.drawn
        step = Step("enter", node.id, f"{self._place(node)}{_role(node)}{_window_words(node)}", node.id)
        step.alpha, step.beta = format_value(node.alpha, "−∞"), format_value(node.beta, "+∞")
        if item.parent and item.parent.children[0] is not item and node.move is not None:
            step.ask = f"{self._standing(node.parent, node)} Is {self.names[node.move]} searched or pruned?"
        return step

    def _leave(self, item: Item) -> Step:
        node = item.drawn
        step = Step("leave", node.id, "", value=format_value(node.value, "?"))
        if node.parent is None:
            step.text = f"The value of the root is {step.value}."
            return step
        best, alpha, beta = _running(node.parent, node)
        step.of, step.best = node.parent.id, format_value(best, "")
        step.alpha, step.beta = format_value(alpha, "−∞"), format_value(beta, "+∞")
        step.text = f"{self._reason(node)} {self._effect(node, best)}"
        return step

    def _cut(self, item: Item) -> Step:
        node, names = item.drawn, ", ".join(self.names[move] for move in item.moves)
        they = "are" if len(item.moves) > 1 else "is"
        who = "O, who moved before, already has" if node.is_max else "X, who moved before, already has"
        why = f"{who} something at least as good elsewhere and will not come here"
        step = Step("cut", node.id, f"Cutoff: {node.cutoff}. {why}, so {names} {they} pruned.", count=len(item.moves))
        last = node.children[-1] if node.children else None
        step.ask = f"{self._standing(node, None, last)} Is {self.names[item.moves[0]]} searched or pruned?"
        return step

    def _more(self, item: Item) -> Step:
        text = f"{item.left_out:,} more nodes are searched here that are not drawn."
        return Step("more", item.drawn.id, text, count=item.left_out)

    def _place(self, node: Node) -> str:
        if node.move is None or node.parent is None:
            return "The search starts. "
        return f"{node.parent.side} tries {self.names[node.move]}. "

    def _standing(self, parent: Node | None, before: Node | None, last: Node | None = None) -> str:
        """Return a sentence with the state of a node before its next branch, for the reader who predicts."""
        assert parent is not None
        done = last or parent.children[parent.children.index(before) - 1 if before else -1]
        best, alpha, beta = _running(parent, done)
        window = f", α {format_value(alpha, '−∞')}, β {format_value(beta, '+∞')}"
        return f"{'MAX' if parent.is_max else 'MIN'} has {format_value(best, 'nothing')} so far{window}."

    def _reason(self, node: Node) -> str:
        value = format_value(node.value, "unknown")
        if node.note:
            return f"Answered by the {node.note}: {value}."
        if node.is_over:
            return f"{node.winner} has won: {value}." if node.winner else f"A draw: {value}."
        return f"Worth {value}." if node.children else f"As deep as we look; the evaluation says {value}."

    def _effect(self, node: Node, best: float | None) -> str:
        assert node.parent is not None
        name = "MAX" if node.parent.is_max else "MIN"
        first_with_best = next((child for child in node.parent.children if child.value == best), None)
        if first_with_best is node:
            return f"{name} above takes it: the best so far."
        return f"{name} above keeps {format_value(best, 'nothing')}."


def _role(node: Node) -> str:
    if node.is_over:
        return "Play is over here."
    return "MAX (X) is to move" if node.is_max else "MIN (O) is to move"


def _window_words(node: Node) -> str:
    if node.is_over or (node.alpha is None and node.beta is None and node.parent is None):
        return "" if node.is_over else "."
    return f", α {format_value(node.alpha, '−∞')}, β {format_value(node.beta, '+∞')}."


def _running(parent: Node, done: Node) -> tuple[float | None, float | None, float | None]:
    """Return a node's best value, alpha and beta just after the search has left one of its children."""
    values = [child.value for child in parent.children if child.entered <= done.entered and child.value is not None]
    if not values:
        return None, parent.alpha, parent.beta
    best = max(values) if parent.is_max else min(values)
    if parent.is_max:
        return best, best if parent.alpha is None else max(parent.alpha, best), parent.beta
    return best, parent.alpha, best if parent.beta is None else min(parent.beta, best)
