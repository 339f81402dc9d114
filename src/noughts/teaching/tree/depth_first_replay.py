"""The replay of a depth-first search: entering and leaving nodes, and cutoffs."""

from __future__ import annotations

from noughts.games.quoting import count
from noughts.teaching.tree.layout import Item
from noughts.teaching.tree.notation import notation_of, window_texts
from noughts.teaching.tree.pseudocode import pseudocode_of
from noughts.teaching.tree.search_tree import Node, NodeBound, SearchTree
from noughts.teaching.tree.steps import QuizItem, Step

__all__ = ["DepthFirstReplay"]


class DepthFirstReplay:
    """The steps of a depth-first search: entering and leaving nodes, and cutoffs."""

    def __init__(self, trace: SearchTree) -> None:
        self.names = trace.names
        self.code = pseudocode_of(trace.algorithm)
        self.has_windows = bool(notation_of(trace).lines)

    def run(self, top: Item) -> list[Step]:
        """Return all steps, each with the counts so far."""
        steps, visited, pruned = self.steps(top), 0, 0
        for step in steps:
            visited += step.count if step.kind in ("enter", "more") else 0
            pruned += step.count if step.kind == "cut" else 0
            step.tally = f"{count(visited, 'node')} visited · {count(pruned, 'branch')} pruned"
        return steps

    def steps(self, item: Item) -> list[Step]:
        """Return the steps of one item and all below it."""
        if item.kind == "more":
            return [self._more(item)]
        if item.kind == "pruned":
            return [self._cut(item)]
        below = [step for child in item.children for step in self.steps(child)]
        is_left = item.drawn.left is not None
        return [self._enter(item), *below, *([self._leave(item)] if is_left else [])]

    def _enter(self, item: Item) -> Step:
        node = item.drawn
        step = Step("enter", node.id, f"{self._place(node)}{_role(node)}{self._window(node)}.")
        step.writes = {node.id: {"value": "", **self._window_texts(node, node.alpha, node.beta)}}
        step.code = self.code.find(_kind(node), "enter")
        if self.has_windows and item.parent and item.parent.children[0] is not item and node.move is not None:
            step.question = self._question(node.parent, node.move, node, is_pruned=False)
        return step

    def _leave(self, item: Item) -> Step:
        node = item.drawn
        value = node.format_result("?")
        step = Step("leave", node.id, f"The value of the root is {value}.", writes={node.id: {"value": value}})
        step.code = self._code_of_leaving(node)
        if node.parent is None:
            return step
        best, alpha, beta = _running(node.parent, node)
        step.writes[node.parent.id] = {
            "value": node.format(best, ""),
            **self._window_texts(node.parent, alpha, beta),
        }
        step.text = f"{self._reason(node)} {self._effect(node, best)}"
        if not self.has_windows and node is not node.parent.children[0] and not node.parent.is_chance:
            step.question = self._choice(node, best)
        return step

    def _code_of_leaving(self, node: Node) -> list[int]:
        """Return the line that returns the value, and those in which the node above takes it."""
        line = "note" if node.note and not node.children else "return" if node.children else "leaf"
        above = self.code.find(_kind(node.parent), "update", "window") if node.parent else []
        return sorted({*self.code.find(_kind(node), line), *above})

    def _cut(self, item: Item) -> Step:
        node, names = item.drawn, ", ".join(self.names[move] for move in item.moves)
        they = "are" if len(item.moves) > 1 else "is"
        above = (
            ("MIN" if node.is_max else "MAX") if node.is_typed else f"{'O' if node.is_max else 'X'}, who moved before,"
        )
        why = f"{above} already has something at least as good elsewhere and will not come here"
        text = f"Cutoff: {node.cutoff}. {why}, so {names} {they} pruned."
        step = Step("cut", node.id, text, "pruned", count=len(item.moves), mark=True)
        step.code = self.code.find(_kind(node), "cut")
        step.question = self._question(node, item.moves[0], None, is_pruned=True)
        return step

    def _more(self, item: Item) -> Step:
        text = f"{item.left_out:,} more nodes are searched here that are not drawn."
        return Step("more", item.drawn.id, text, "more", count=item.left_out)

    def _place(self, node: Node) -> str:
        if node.move is None or node.parent is None:
            return "The search starts. "
        who = ("MAX" if node.parent.is_max else "MIN") if node.is_typed else node.parent.side
        return f"{who} tries {self.names[node.move]}. "

    def _window_texts(self, node: Node, alpha: float | None, beta: float | None) -> dict[str, str]:
        return window_texts(node, alpha, beta) if self.has_windows and not (node.is_typed and node.is_over) else {}

    def _window(self, node: Node) -> str:
        if node.is_over or not self.has_windows:
            return ""
        return f", α {node.format(node.alpha, '−∞')}, β {node.format(node.beta, '+∞')}"

    def _question(self, parent: Node | None, move: int, before: Node | None, is_pruned: bool) -> QuizItem:
        """Return the question whether a branch is pruned, with the state of its parent just before."""
        assert parent is not None
        done = parent.children[parent.children.index(before) - 1 if before else -1]
        best, alpha, beta = _running(parent, done)
        window = f", α {parent.format(alpha, '−∞')}, β {parent.format(beta, '+∞')}" if self.has_windows else ""
        standing = f"{'MAX' if parent.is_max else 'MIN'} has {parent.format(best, 'nothing')} so far{window}."
        text = f"{standing} Is {self.names[move]} searched or pruned?"
        return QuizItem(text, ["pruned", "searched"], 0 if is_pruned else 1)

    def _choice(self, node: Node, best: float | None) -> QuizItem:
        """Return the question whether the node above takes a value: without a window, nothing is ever pruned."""
        assert node.parent is not None
        assert node.move is not None
        before, _, _ = _running(node.parent, node.parent.children[node.parent.children.index(node) - 1])
        name, kept = "MAX" if node.parent.is_max else "MIN", node.format(before, "nothing")
        value = node.format_result("unknown")
        text = f"{name} above has {kept} so far, and {self.names[node.move]} is worth {value}. What does {name} do?"
        return QuizItem(text, [f"keep {kept}", f"take {value}"], 0 if best == before else 1)

    def _reason(self, node: Node) -> str:
        value = node.format_result("unknown")
        if node.is_chance:
            return f"The average is {value}."
        if node.note and not node.children:
            return f"Answered by the {node.note}: {value}."
        if node.is_over and not node.is_typed:
            return f"{node.winner} has won: {value}." if node.winner else f"A draw: {value}."
        if node.is_over:
            return f"A leaf: {value}."
        if node.bound:
            least = "at least" if node.bound is NodeBound.LOWER else "at most"
            return f"Worth {least} {node.format(node.value)}: not every branch was searched."
        return f"Worth {value}." if node.children else f"As deep as we look; the evaluation says {value}."

    def _effect(self, node: Node, best: float | None) -> str:
        assert node.parent is not None
        if node.parent.is_chance:
            return "It counts in the average above."
        name = "MAX" if node.parent.is_max else "MIN"
        first_with_best = next((child for child in node.parent.children if child.value == best), None)
        if first_with_best is node:
            return f"{name} above takes it: the best so far."
        return f"{name} above keeps {node.format(best, 'nothing')}."


def _role(node: Node) -> str:
    if node.is_over:
        return "A leaf" if node.is_typed else "Play is over here"
    if node.is_chance:
        return f"The move of {node.side} is left to chance"
    if node.is_typed:
        return "MAX is to move" if node.is_max else "MIN is to move"
    return "MAX (X) is to move" if node.is_max else "MIN (O) is to move"


def _kind(node: Node) -> str:
    """Return the role of a node in the pseudocode."""
    return "chance" if node.is_chance else "max" if node.is_max else "min"


def _running(parent: Node, done: Node) -> tuple[float | None, float | None, float | None]:
    """Return a node's best value, alpha and beta just after the search has left one of its children."""
    values = [child.value for child in parent.children if child.entered <= done.entered and child.value is not None]
    if not values or parent.is_chance:
        return None, parent.alpha, parent.beta
    best = max(values) if parent.is_max else min(values)
    if parent.is_max:
        return best, best if parent.alpha is None else max(parent.alpha, best), parent.beta
    return best, parent.alpha, best if parent.beta is None else min(parent.beta, best)
