"""The replay of a search that grows a tree: selection, expansion, simulation and backpropagation."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from noughts.games import Position
from noughts.games.quoting import count
from noughts.teaching.tree.layout import Item
from noughts.teaching.tree.notation import monte_carlo_texts, proof_texts, terms_in_words
from noughts.teaching.tree.pseudocode import pseudocode_of
from noughts.teaching.tree.search_tree import (
    Family,
    GrowthStep,
    Node,
    Numbers,
    SearchTree,
    format_number,
    format_value,
)
from noughts.teaching.tree.steps import QuizItem, Step
from noughts.textbook import Phase

__all__ = ["GrowthReplay", "path_to", "play_out"]


class GrowthReplay:
    """The steps of a search that grows a tree. Steps at nodes that are not drawn are left out, except simulations."""

    def __init__(self, trace: SearchTree, top: Item) -> None:
        self.trace, self.start = trace, trace.start
        self.names = trace.names
        self.grows = {node.id for node in top.drawn.walk()}
        self.drawn = {item.drawn.id for item in top.walk() if item.kind == "node"}
        self.code = pseudocode_of(trace.algorithm)
        self.is_proof = trace.family is Family.PROOF_NUMBER
        self.numbers: dict[int, Numbers] = {}
        self.grown: dict[int, list[Node]] = {}
        self.rounds = self.nodes = 0
        self.begins_round = False

    def steps(self) -> Iterator[Step]:
        """Yield the steps of the pass that is drawn."""
        for step in self.trace.steps:
            if step.node.id in self.grows:
                yield from self._replay(step)

    def _replay(self, step: GrowthStep) -> Iterator[Step]:
        node = step.node
        question = self._question(step) if step.phase is Phase.SELECT else None
        self._count(step)
        place = self._nearest_drawn(node)
        if node is place or step.phase in (Phase.SIMULATE, Phase.EXPAND):
            shown = Step(str(step.phase), place.id, WORDS[step.phase](self, step), tally=self._tally())
            shown.mark, self.begins_round = self.begins_round, False
            shown.code = self.code.find("or" if node.is_or else "and", str(step.phase))
            if node is place:
                shown.writes, shown.question = self._writes(step), question
            elif step.phase is Phase.EXPAND:
                shown.kind, shown.part = "more", "more"
            if step.phase is Phase.SIMULATE:
                shown.rollout, shown.origin = step.rollout, path_to(node)
            yield shown
        self.begins_round = self.begins_round or _ends_round(step)

    def _count(self, step: GrowthStep) -> None:
        """Copy the numbers of a step, and count its node if it is new."""
        node = step.node
        if node.id not in self.numbers:
            self.nodes += 1
            if node.parent is not None:
                self.grown.setdefault(node.parent.id, []).append(node)
        if step.phase is not Phase.SIMULATE:
            self.numbers.setdefault(node.id, {}).update(step.numbers)
        self.rounds += _ends_round(step)
        for other, terms in step.bounds:
            self.numbers[other.id] |= terms

    def _nearest_drawn(self, node: Node) -> Node:
        while node.id not in self.drawn and node.parent is not None:
            node = node.parent
        return node

    def _writes(self, step: GrowthStep) -> dict[int, dict[str, str]]:
        texts = proof_texts if self.is_proof else monte_carlo_texts
        changed = [step.node, *(other for other, _ in step.bounds if other.id in self.drawn)]
        return {node.id: texts(self.numbers.get(node.id, {})) for node in changed}

    def _tally(self) -> str:
        name = "expansion" if self.is_proof else "simulation"
        return f"{count(self.rounds, name)} · {count(self.nodes, 'node')}"

    def _question(self, step: GrowthStep) -> QuizItem | None:
        """Return the question which child is selected, with the numbers of each as they are just before."""
        assert step.node.parent is not None
        children = self._candidates(step.node)
        if len(children) < 2:
            return None
        kind = "leads to the most proving node" if self.is_proof else "is selected next"
        text = f"{self._place(step.node.parent)}, {self._chooser(step.node.parent)}. Which move {kind}?"
        choices = [f"{self._name(child)}: {self._standing(child)}" for child in children]
        return QuizItem(text, choices, children.index(step.node))

    def _candidates(self, chosen: Node) -> list[Node]:
        """Return the children to choose from, at most MAX_CHOICES, the chosen one among them."""
        assert chosen.parent is not None
        children = self.grown.get(chosen.parent.id, [])
        others = [child for child in children if child is not chosen]
        others.sort(key=lambda child: -(self.numbers[child.id].get("visits") or 0))
        kept = [chosen, *others[: MAX_CHOICES - 1]]
        return [child for child in children if child in kept]

    def _standing(self, node: Node) -> str:
        numbers = self.numbers[node.id]
        if self.is_proof:
            return f"pn {format_number(numbers.get('proof'))}, dn {format_number(numbers.get('disproof'))}"
        visits, value = int(numbers.get("visits") or 0), format_value(numbers.get("value"), "?")
        return f"{count(visits, 'visit')}, {value} for X"

    def _chooser(self, node: Node) -> str:
        if not self.is_proof:
            return f"{node.side} to move"
        return "an OR node" if node.is_or else "an AND node"

    def _name(self, node: Node) -> str:
        return "the root" if node.move is None else self.names[node.move]

    def _place(self, node: Node) -> str:
        moves = " ".join(self.names[move] for move in path_to(node))
        return f"After {moves}" if moves else "At the root"

    # The words of each phase

    def _select(self, step: GrowthStep) -> str:
        assert step.node.parent is not None
        place, name = self._place(step.node.parent), self._name(step.node)
        if self.is_proof:
            number = "proof" if step.node.parent.is_or else "disproof"
            return f"Selection. {place}, {self._chooser(step.node.parent)}: {name} has the smallest {number} number."
        if "ucb" not in step.numbers:
            return f"Selection. {place}, {step.node.parent.side} to move: {name}."
        others = sorted((terms["ucb"] or 0, self._name(node)) for node, terms in step.bounds if node is not step.node)
        compared = ", ".join(f"{other} {format_number(ucb)}" for ucb, other in reversed(others[-3:]))
        tail = f" The next: {compared}." if compared else ""
        terms = terms_in_words(step.numbers)
        return f"Selection. {place}, {step.node.parent.side} takes {name}: {terms}, the largest.{tail}"

    def _expand(self, step: GrowthStep) -> str:
        if step.node.parent is None:
            return "The search starts with the root alone."
        new = f"Expansion. {self._place(step.node.parent)}: {self._name(step.node)} is a new node"
        if not self.is_proof:
            return f"{new}."
        if step.node.is_over:
            over = f"{step.node.winner} has won" if step.node.winner else "a draw"
            return f"{new}: {over}, {self._standing(step.node)}."
        return f"{new}: {self._standing(step.node)}."

    def _simulate(self, step: GrowthStep) -> str:
        result = format_value(step.numbers.get("result"), "unknown")
        moves = " ".join(self.names[move] for move in step.rollout)
        end = play_out(self.start, [*path_to(step.node), *step.rollout])
        outcome = (f"{end.winner} wins" if end.winner else "a draw") if end.is_over else "the evaluation judges"
        played = f"random moves {moves}" if step.rollout else "no move to play"
        return f"Simulation. {self._place(step.node)}, {played}: {outcome}, {result} for X."

    def _backpropagate(self, step: GrowthStep) -> str:
        node = step.node
        name = self._name(node) if node.parent else "the root"
        if not self.is_proof:
            visits, value = int(step.numbers.get("visits") or 0), format_value(step.numbers.get("value"), "unknown")
            return f"Backpropagation. {self._upper(name)} now has {count(visits, 'visit')}, mean result {value} for X."
        smallest, total = ("proof", "disproof") if node.is_or else ("disproof", "proof")
        rule = f"its {smallest} number is the smallest of its children, its {total} number their sum"
        kind = "OR" if node.is_or else "AND"
        return f"Backpropagation. {self._upper(name)} is an {kind} node: {rule}: {self._standing(node)}."

    def _upper(self, name: str) -> str:
        return name[0].upper() + name[1:] if name.startswith("the ") else name


def _ends_round(step: GrowthStep) -> bool:
    return step.phase is Phase.BACKPROPAGATE and step.node.parent is None


MAX_CHOICES = 6
"""Children that a question offers at most."""

WORDS: dict[Phase, Callable[[GrowthReplay, GrowthStep], str]] = {
    Phase.SELECT: GrowthReplay._select,
    Phase.EXPAND: GrowthReplay._expand,
    Phase.SIMULATE: GrowthReplay._simulate,
    Phase.BACKPROPAGATE: GrowthReplay._backpropagate,
}


def path_to(node: Node) -> list[int]:
    """Return the moves from the root to a node."""
    moves: list[int] = []
    while node.parent is not None and node.move is not None:
        moves.append(node.move)
        node = node.parent
    return moves[::-1]


def play_out(start: Position, moves: list[int]) -> Position:
    """Return the position after some moves."""
    position = start.copy()
    for move in moves:
        position.play(move)
    return position
